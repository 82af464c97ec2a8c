/* Chooses how a plan runs: the kind of table that it has. SPDX-License-Identifier: MIT */
#include "how.h"
#include "bit_table.h"
#include "byte_table.h"

void tpad_plan_tabulate(plan *p)
{
    p->tile.loops = 0;
    p->flags &= ~PLAN_STREAMED;
#if TPAD_TABLE_BYTES > 0
    const tpad_kernels *kernels = tpad_kernels_at(p->kernels);
    if (p->cells == 0 || (p->flags & PLAN_BORDER)) return;
    if (p->cell_unit == 8 && kernels->form_count > 0)
        tpad_table_of_bytes(p);
    else if (PLAN_HAS_BIT_TABLE && p->cell_unit == 1 && kernels->bit_tiles)
        tpad_table_of_bits(p);
#endif
}
