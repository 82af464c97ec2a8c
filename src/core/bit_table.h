/* Tables for packed elements. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_BIT_TABLE_H
#define TENSORPAD_CORE_BIT_TABLE_H

#include "plan.h"

#if TPAD_TABLE_BYTES > 0

/* Makes the table of a merged plan with something to write, which is in a tabled_plan. Returns 0 if
 * there is none. */
TPAD_INTERNAL int tpad_table_of_bits(plan *p);

#endif

#endif
