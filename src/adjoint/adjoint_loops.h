/* A plan as loops from which gradients are summed. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_ADJOINT_ADJOINT_LOOPS_H
#define TENSORPAD_ADJOINT_ADJOINT_LOOPS_H

#include "../core/plan.h"
#include "sums.h"
#include "takers.h"

/* What a call sums. */
typedef struct adjoint {
    const sum_numbers *numbers;
    int32_t adds;  /* TPAD_ADJOINT_ADD */
    int32_t loops; /* 1 or more */
    int64_t cell;  /* bytes that the innermost loop adds at once */
    const unsigned char *out;
    unsigned char *in;
    int64_t out_offset, in_offset; /* of cell 0 and of element 0 */
    taken_axis loop[TPAD_MAX_RANK];
} adjoint;

/* Some elements: [first, end) of every loop. */
typedef struct region {
    int64_t first[TPAD_MAX_RANK], end[TPAD_MAX_RANK];
} region;

/* Sets the loops and the cell. elements: those of the plan's input, on each axis. */
TPAD_INTERNAL void tpad_adjoint_loops(adjoint *w, const plan *p, const region *elements);

#endif
