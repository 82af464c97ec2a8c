/* The two kinds of tables. SPDX-License-Identifier: MIT */
#ifndef TPAD_CORE_TABLES_H
#define TPAD_CORE_TABLES_H

#include "plan.h"

#if TPAD_TABLE_BYTES > 0

/* Write the table of a merged plan, which has no tile yet: they set it if they find a table. */
TPAD_INTERNAL void tpad_table_of_bytes(plan *p);
TPAD_INTERNAL void tpad_table_of_bits(plan *p);

#endif
#endif
