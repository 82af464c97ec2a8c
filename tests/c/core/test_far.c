/* Elements and outputs that are gigabytes apart.  SPDX-License-Identifier: MIT
 *
 * Owns: that offsets of more than 32 bits hold what they should: inputs with large strides against
 * the oracle, and parts of outputs that nobody would compute as a whole. The addresses are taken
 * from the system, the memory behind them is not but for the pages that are touched.
 * Must not know: the inside of the library.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../../support/random_main.h"

#define GIB ((int64_t)1 << 30)

static unsigned char *addresses(int64_t bytes)
{
    void *all = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return all == MAP_FAILED ? NULL : all;
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

enum { MOST_OUTPUT = 1 << 13 };

typedef struct input {
    int64_t extents[2], strides[2];
    int32_t elem_bits;
    int32_t mode;  /* of the rows; planes are padded by fill */
    int64_t third; /* the stride of a third axis of 2 elements, padded by fill; 0: there is none */
} input;

static int check_input(const input *in)
{
    const tpad_axis axes[3] = {
        {.in_extent = in->extents[0], .in_stride = in->strides[0], .before = 1, .after = 2},
        {.in_extent = in->extents[1],
         .in_stride = in->strides[1],
         .before = 2,
         .after = 1,
         .mode = in->mode},
        {.in_extent = 2, .in_stride = in->third, .after = 1}};
    tpad_problem problem = TPAD_PROBLEM(in->elem_bits, in->third ? 3 : 2, axes);
    unsigned char dst[MOST_OUTPUT], again[MOST_OUTPUT], expected[MOST_OUTPUT];
    const unsigned char value[] = {1, 2, 3, 4, 5, 6, 7, 8};
    rng r = rng_seeded(3, 0);
    random_problem p;
    tpad_plan plan;
    problem.flags = TPAD_IN_STRIDES;
    random_problem_from(&p, &problem);
    const int64_t bytes = p.in_end - p.in_begin;
    unsigned char *memory = addresses(bytes);
    if (!memory || p.out_end > MOST_OUTPUT) return printf("no addresses\n");
    unsigned char *src = bench_base(memory, p.in_begin);
    for (int64_t i = 0; i < in->extents[0]; i++)
        for (int64_t k = 0; k < in->extents[1]; k++)
            for (int64_t n = 0; n < (in->third ? 2 : 1); n++)
                rng_bytes(&r, src + i * in->strides[0] + k * in->strides[1] + n * in->third,
                          (size_t)in->elem_bits / 8);
    oracle_run(&p.truth, &p.problem, src, expected, value);
    const int good = tpad_plan_init(&plan, sizeof plan, &problem, NULL) == TPAD_OK &&
                     tpad_run(&plan, src, dst, value) == TPAD_OK &&
                     memcmp(dst, expected, (size_t)p.out_end) == 0 &&
                     tpad_pad(&problem, src, again, value, NULL) == TPAD_OK &&
                     memcmp(again, expected, (size_t)p.out_end) == 0;
    if (!good) random_problem_print(stderr, &problem);
    random_problem_close(&p);
    munmap(memory, (size_t)bytes);
    return !good;
}

/* ---- Outputs --------------------------------------------------------------------------------- */

/* Rows of the same 6 elements, 8 with their border; the last row, its neighbours, some others. */
static int check_output(int64_t rows, int32_t elem_bits)
{
    enum { PARTS = 1 << 20 };
    const tpad_axis axes[2] = {{.in_extent = rows},
                               {.in_extent = 6, .in_stride = 1, .before = 1, .after = 1}};
    tpad_problem problem = TPAD_PROBLEM(elem_bits, 2, axes);
    const unsigned char src[6] = {0x2D, 11, 12, 13, 14, 15}, ones = 255;
    /* The border is 1, the bits of 0x2D are 101101 from the lowest one on. */
    const unsigned char bytes_of_row[8] = {255, 0x2D, 11, 12, 13, 14, 15, 255};
    const unsigned char byte_of_row = 1 | 0x2D << 1 | 1 << 7;
    const int64_t bytes = rows * elem_bits;
    const int64_t parts[] = {0, 1, PARTS / 3, PARTS - 2, PARTS - 1};
    tpad_plan plan;
    problem.flags = TPAD_IN_STRIDES;
    unsigned char *dst = addresses(bytes);
    if (!dst) return printf("no addresses\n");
    int bad = tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !bad; i++)
        bad = tpad_run_part(&plan, src, dst, &ones, parts[i], PARTS) != TPAD_OK;
    const int64_t share = bytes / PARTS;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !bad; i++)
        for (int64_t k = parts[i] * share + 128; k < (parts[i] + 1) * share - 128 && !bad; k++)
            bad = dst[k] != (elem_bits == 1 ? byte_of_row : bytes_of_row[k % 8]);
    for (int64_t k = bytes - 64; k < bytes && !bad; k++)
        bad = dst[k] != (elem_bits == 1 ? byte_of_row : bytes_of_row[k % 8]);
    if (bad) fprintf(stderr, "%" PRId64 " rows of %d bits differ\n", rows, elem_bits);
    munmap(dst, (size_t)bytes);
    return bad;
}

int main(void)
{
    static const input inputs[] = {
        {{20, 2}, {1, GIB + 64}, 8, TPAD_REFLECT, 0},
        {{20, 2}, {4, -GIB - 64}, 32, TPAD_EDGE, 0},
        {{4, 30}, {GIB / 2, 1}, 8, TPAD_WRAP, 0},
        {{4, 30}, {-GIB / 2, 1}, 8, TPAD_CONSTANT, 0},
        {{40, 6}, {6, GIB / 5 + 1}, 8, TPAD_EDGE, 0},
        {{3, 4}, {3 * GIB / 2, 4}, 32, TPAD_CONSTANT, 0},
        {{3, 40}, {GIB, 8}, 64, TPAD_SYMMETRIC, 0},
        /* Small outputs: far on the outermost axis, on two together, on the innermost one. */
        {{2, 2}, {5 * GIB / 2, 8}, 32, TPAD_EDGE, 64},
        {{2, 2}, {3 * GIB / 2, GIB}, 32, TPAD_CONSTANT, 64},
        {{2, 2}, {8, 64}, 32, TPAD_REFLECT, 5 * GIB / 2},
        {{2, 2}, {-8, -64}, 32, TPAD_REFLECT, -5 * GIB / 2},
        /* Outputs that are copied by words, if two rows are one group: they are too far apart. */
        {{200, 4}, {GIB / 60, 4}, 32, TPAD_EDGE, 0},
        {{200, 4}, {-GIB / 60, 4}, 32, TPAD_EDGE, 0},
    };
    if (sizeof(void *) < 8) {
        printf("skipped: the addresses of this machine end at 4 GiB\n");
        return 77;
    }
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
        if (check_input(&inputs[i])) return 1;
    if (check_output(GIB / 4, 8) || check_output(8 * GIB + 8, 1)) return 1;
    printf("%zu inputs and 2 outputs with gigabytes between elements\n",
           sizeof inputs / sizeof inputs[0]);
    return 0;
}
