/* Chooses how a plan runs: by a list, a table, words or blocks. SPDX-License-Identifier: MIT */
#include "choose_how.h"
#include "bit_table.h"
#include "byte_table.h"
#include "list.h"
#include "word_program.h"

/* Makes the table. Returns 0 if there is none. */
static int make_table(plan *p)
{
#if TPAD_TABLE_BYTES > 0
    const tpad_kernels *kernels = tpad_kernels_at(p->kernels);
    if (p->cells == 0 || (p->flags & PLAN_BORDER)) return 0;
    if (p->cell_unit == 8) return kernels->form_count > 0 && tpad_table_of_bytes(p);
    return PLAN_HAS_BIT_TABLE && kernels->bits && tpad_table_of_bits(p);
#else
    (void)p;
    return 0;
#endif
}

/* Of bytes without a table, blocks are faster if the kernels have vectors. */
static int32_t without_table(const plan *p)
{
    const int by_words = p->cell_unit == 1 || !tpad_kernels_at(p->kernels)->forms;
    return by_words && tpad_words_suit(p, p->cells) ? PLAN_WORDS : PLAN_BLOCKS;
}

void tpad_plan_choose(plan *p, int is_dense)
{
    p->how = is_dense && tpad_plan_list(p) ? PLAN_LIST : without_table(p);
}

void tpad_plan_tabulate(plan *p)
{
    p->how = make_table(p) ? PLAN_TABLE : without_table(p);
}
