/* Nothing is written twice and nothing is left out. SPDX-License-Identifier: MIT
 *
 * Stands in for the kernel table: its kernels move nothing, but count how often each bit of the output
 * would be written. Plans over many shapes must then have counted 1 everywhere. */
#include "../../src/kernels/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <tensorpad/tensorpad.h>

enum { CASES = 20000, MOST_BITS = 1 << 19 };

static unsigned char output[MOST_BITS / 8], counts[MOST_BITS];

static void count_bits(const tpad_block *b, int64_t base, int64_t unit)
{
    for (int64_t r = 0; r < b->rows; r++)
        for (int64_t c = 0; c < b->cells; c++)
            for (int64_t k = 0; k < b->cell * unit; k++)
                counts[base + (r * b->dst_row + c * b->dst_step) * unit + k]++;
}

static void count_block(const tpad_block *b)
{
    count_bits(b, (b->dst - output) * 8, 8);
}

static void count_packed(const tpad_block *b)
{
    count_bits(b, b->dst_bit, 1);
}

static const tpad_kernels counting = {"counting", count_block, count_block, count_packed,
                                      count_packed};

const tpad_kernels *tpad_kernels_best(void)
{
    return &counting;
}

static uint64_t seed = 7;

static int64_t pick(int64_t low, int64_t high)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return low + (int64_t)(seed % (uint64_t)(high - low + 1));
}

static int check(int n)
{
    static const int32_t widths[] = {1, 2, 4, 8, 16, 24, 32, 64, 128, 1000};
    static const unsigned char nothing[1];
    tpad_axis axes[4];
    const int32_t rank = (int32_t)pick(0, 4);
    for (int i = 0; i < rank; i++)
        axes[i] = (tpad_axis){.in_extent = pick(1, 9),
                              .before = pick(0, 1) ? 0 : pick(-3, 9),
                              .after = pick(0, 1) ? 0 : pick(-3, 9),
                              .interior = pick(0, 3) ? 0 : pick(1, 12),
                              .mode = (int32_t)pick(0, TPAD_MODE_COUNT - 1),
                              .order = (int32_t)pick(0, 1)};
    const tpad_problem problem = TPAD_PROBLEM(widths[pick(0, 9)], rank, axes);
    tpad_plan plan;
    int64_t elems;
    if (tpad_shape(&problem, NULL, &elems, NULL, NULL) != TPAD_OK ||
        elems * problem.elem_bits > MOST_BITS)
        return 0;
    const int64_t bits = elems * problem.elem_bits, parts = pick(0, 1) ? 1 : pick(2, 9);
    memset(counts, 0, (size_t)bits);
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) return 1;
    for (int64_t part = 0; part < parts; part++)
        if (tpad_run_part(&plan, nothing, output, NULL, part, parts) != TPAD_OK) return 1;
    for (int64_t bit = 0; bit < bits; bit++) {
        if (counts[bit] == 1) continue;
        printf("case %d: bit %" PRId64 " of %" PRId64 " is written %d times\n", n, bit, bits,
               counts[bit]);
        return 1;
    }
    return 0;
}

int main(void)
{
    for (int n = 0; n < CASES; n++)
        if (check(n)) return 1;
    printf("%d problems: every bit of the output is written once\n", CASES);
    return 0;
}
