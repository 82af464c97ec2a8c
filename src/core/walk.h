/* What the walk from a plan's loops to the kernels is about. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CORE_WALK_H
#define TENSORPAD_CORE_WALK_H

#include "../kernels/kernels.h"
#include "plan.h"

typedef struct walk {
    const plan *plan;
    const tpad_kernels *kernels;
    const unsigned char *src;
    unsigned char *dst;
    const unsigned char *value; /* value_size bytes, not all alike unless it is one */
    int32_t value_size;
    const unsigned char *fill; /* the value over and over, for the tables */
} walk;

/* Blocks that take only a part of each row hold so few rows that these stay in the first-level
 * cache until the neighbouring blocks have filled the rest. */
enum { BLOCK_BYTES = 16384 };

#endif
