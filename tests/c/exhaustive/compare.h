/* One problem, on every variant of the kernels and in every split, against the oracle.
 * SPDX-License-Identifier: MIT
 *
 * The memory a problem runs in, its data, the choice of the variant, and the comparison. */
#ifndef TENSORPAD_TESTS_C_EXHAUSTIVE_COMPARE_H
#define TENSORPAD_TESTS_C_EXHAUSTIVE_COMPARE_H

#include "../../support/random_problem.h"

enum { MOST_VARIANTS = 8, MOST_SPLITS = 8, MOST_BYTES = 1 << 21 };

typedef struct comparison {
    guard src, dst;
    const char *variants[MOST_VARIANTS];
    int variant_count;
    int64_t splits[MOST_SPLITS]; /* numbers of parts; 1 is the whole */
    int split_count;
    unsigned char *before, *expected, *owned, *used;
    unsigned char value[TPAD_MAX_ELEM_BITS / 8], *values; /* one element; random bytes */
    tpad_fill fill;                                       /* of these or none */
    int64_t strides[TPAD_MAX_RANK];
    size_t in_bytes, out_bytes;
    int64_t problems, refused, plans, runs; /* how many there were */
} comparison;

/* Finds out which variants this build and this machine have; all of them are chosen. After them
 * stands "any": the library chooses, and writes small outputs by lists. */
void comparison_open(comparison *c);
void comparison_close(comparison *c);

/* The problem with data that tell every element from every other and from the fill value: as many
 * times with other data as narrow elements need for that. `turn` varies what should not matter:
 * where the memory lies, whether the fill value is given, and whether the fill is an array. */
bool compare_told_apart(comparison *c, const random_problem *p, uint64_t turn);

/* The problem with random data, on a random variant and in a random split. */
bool compare_random(comparison *c, const random_problem *p, rng *r);

#endif
