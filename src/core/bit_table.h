/* Tables for packed elements. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_BIT_TABLE_H
#define TENSORPAD_CORE_BIT_TABLE_H

#include "plan.h"

#if TPAD_TABLE_BYTES > 0

/* Writes the table of a merged plan, which has no tile yet: sets it if it finds a table. The plan is
 * in a tabled_plan. */
TPAD_INTERNAL void tpad_table_of_bits(plan *p);

#endif

#endif
