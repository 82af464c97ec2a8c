/* Random problems, from a seed.  SPDX-License-Identifier: MIT
 *
 * The generator of numbers, the choice of problems, and the memory a problem is run in. */
#ifndef TENSORPAD_TESTS_SUPPORT_RANDOM_PROBLEM_H
#define TENSORPAD_TESTS_SUPPORT_RANDOM_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tensorpad/tensorpad.h>

#include "guard.h"
#include "oracle.h"

/* ---- Numbers --------------------------------------------------------------------------------- */

typedef struct rng {
    uint64_t state;
} rng;

rng rng_seeded(uint64_t seed, uint64_t stream);
uint64_t rng_next(rng *r);
int64_t rng_range(rng *r, int64_t least, int64_t most); /* both included */
bool rng_percent(rng *r, int percent);
void rng_bytes(rng *r, void *bytes, size_t count);

/* ---- Problems -------------------------------------------------------------------------------- */

enum {
    RANDOM_REFUSED = 1,        /* try to make a problem that is refused */
    RANDOM_NO_CROP = 2,        /* no negative amounts */
    RANDOM_NO_INTERIOR = 4,    /* */
    RANDOM_WINDOW = 8,         /* order: window only */
    RANDOM_CONSTANT_EDGE = 16, /* modes: these two only */
    RANDOM_SOLID = 32,         /* no input extent of 0 */
    RANDOM_DENSE = 64,         /* dense on both sides, no offsets */
    RANDOM_SMALL = 128,        /* two axes or more, few cells: for very many problems */
    RANDOM_FAR = 256,          /* also interiors, far crops and strides around powers of two */
    RANDOM_STREAMED = 512,     /* also outputs that are so large that they are streamed */
    RANDOM_FILL_ARRAYS = 1024  /* of setting_prepare: bench_fill_array */
};

typedef struct random_problem {
    tpad_problem problem; /* its axes are the ones below, so it may not be copied */
    tpad_axis axes[TPAD_MAX_RANK];
    oracle truth;
    /* The elements of the input that are in memory: all; or, if these are too far from each other,
     * the smallest box that contains what is read. */
    bool far;
    int64_t held_first[TPAD_MAX_RANK], held_extents[TPAD_MAX_RANK];
    /* The bytes that the elements use, relative to src and dst; 0, 0 for none. */
    int64_t in_begin, in_end;
    int64_t out_begin, out_end;
} random_problem;

/* A problem of rank 0 to 6 with at most about 40,000 cells (without RANDOM_STREAMED); without
 * RANDOM_REFUSED it is one that can be run. */
void random_problem_make(random_problem *p, rng *r, unsigned flags);

/* The same, with the axes and the problem given. */
void random_problem_from(random_problem *p, const tpad_problem *problem);
void random_problem_close(random_problem *p);
void random_problem_print(FILE *to, const tpad_problem *problem);

/* Gives an axis, whose output extent stays as it is, two or three elements and an interior near a
 * power of two between them. Does nothing if its output is empty. */
void random_gap(rng *r, tpad_axis *axis);

/* Moves what a problem with strides of the input reads far away from the first element, after far
 * crops whose offsets, and that of the problem, cancel each other: the same places are read as
 * before. Does nothing where that cannot be. `axes`: the problem's. */
void random_distance(rng *r, tpad_problem *problem, tpad_axis *axes);

/* Random strides for an array in memory in which no two elements overlap: axes in any order and
 * direction, some of them with gaps. */
void random_layout(rng *r, int32_t rank, const int64_t *extents, int32_t elem_bits,
                   int64_t *strides);

/* Strides for an input: such ones, or with gaps of whole pages, or with elements that lie over each
 * other: sliding windows, axes of stride 0, and layouts that reach just as many bytes as they have
 * in all their elements, with gaps and without. */
void random_input_layout(rng *r, int32_t rank, const int64_t *extents, int32_t elem_bits,
                         int64_t *strides);

/* The bytes that an array touches, from its base; false where it has no elements. */
bool random_span(int32_t rank, const int64_t *extents, const int64_t *strides, int64_t offset,
                 int32_t elem_bits, int64_t *begin, int64_t *end);

/* Which bytes of the input, from in_begin on, hold some of an element: 1, the others 0. */
void random_problem_used(const random_problem *p, unsigned char *used);

/* ---- Running them ---------------------------------------------------------------------------- */

/* The memory that any random problem needs; some tests use more if there is more. */
#if defined(__unix__)
enum { RANDOM_MAX_BYTES = 6 << 20 };
#else
enum { RANDOM_MAX_BYTES = 11 << 17 };
#endif

/* Memory for one problem at a time. */
typedef struct bench {
    guard src_guard, dst_guard, value_guard, fill_guard;
    const void *src;   /* random, read-only; bytes outside elements are forbidden */
    void *dst;         /* what the library writes to */
    const void *value; /* one element, or NULL */
    tpad_fill fill;    /* the same, or an array */
    int64_t fill_strides[TPAD_MAX_RANK];
    unsigned char *before; /* the output's bytes before the run */
    unsigned char *expected;
    unsigned char *used; /* which bytes of the input hold elements */
    size_t out_bytes;
} bench;

void bench_open(bench *b);
void bench_close(bench *b);

/* Makes new random src, dst and value, then `before`, and `expected` by the oracle. */
void bench_fill(bench *b, rng *r, const random_problem *p);

/* The same, but often the fill is an array. Then only bench_run_part can make what is expected. */
void bench_fill_array(bench *b, rng *r, const random_problem *p);

/* Runs a part of a plan, one of the whole or of one of its boxes, from src to dst with the fill. */
int32_t bench_run_part(const bench *b, const tpad_plan *plan, const void *src, void *dst,
                       int64_t part, int64_t parts);

/* Restores the output's bytes from before the run. */
void bench_reset(bench *b);

/* True if the output is right and nothing else was changed. Prints on stderr what is wrong. */
bool bench_check(const bench *b, const char *what);

/* The address `base` - `bytes`, as a number: a tensor's base may lie outside of its memory. */
void *bench_base(const void *first_byte, int64_t begin);

#endif
