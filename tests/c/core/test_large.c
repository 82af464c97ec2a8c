/* Outputs larger than caches.  SPDX-License-Identifier: MIT
 *
 * That a large output, whole or in parts and wherever it begins, holds what its small boxes hold.
 * Those are compared with the oracle elsewhere (test_laws.c); it would take minutes here. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/random_main.h"

enum { LEAST_BYTES = 33 << 20, MOST_BYTES = 40 << 20 };

/* Rows of `bytes` bytes in the output: {input, before, after, interior} for the two inner axes; the
 * outermost is as long as it takes. */
typedef struct shape {
    const char *name;
    int32_t elem_bits;
    tpad_axis row, column;
} shape;

#define AXIS(IN, BEFORE, AFTER, INTERIOR, MODE)                                                    \
    {.in_extent = IN, .before = BEFORE, .after = AFTER, .interior = INTERIOR, .mode = MODE}

static const shape shapes[] = {
    {"rows of 4 KiB", 32, AXIS(40, 1, 1, 0, TPAD_REFLECT), AXIS(1022, 1, 1, 0, TPAD_CONSTANT)},
    {"rows of 4 KiB and a bit", 8, AXIS(40, 0, 0, 0, 0), AXIS(4090, 3, 8, 0, TPAD_EDGE)},
    {"rows of 2 KiB, mirrored", 16, AXIS(40, 1, 1, 0, TPAD_SYMMETRIC),
     AXIS(500, 300, 300, 0, TPAD_REFLECT)},
    {"rows of 150 bytes", 16, AXIS(30, 1, 1, 0, TPAD_CONSTANT), AXIS(71, 2, 2, 0, TPAD_WRAP)},
    {"rows of 2 to 4 values", 32, AXIS(1000, 0, 0, 0, 0), AXIS(2, 1, 1, 0, TPAD_REFLECT)},
    {"rows of 3 to 4 bytes", 8, AXIS(1000, 0, 0, 0, 0), AXIS(3, 0, 1, 0, TPAD_CONSTANT)},
    {"rows of 2 to 3 pixels", 24, AXIS(777, 1, 0, 0, TPAD_EDGE), AXIS(2, 0, 1, 0, TPAD_CONSTANT)},
    {"planes of 3 x 3", 32, AXIS(3, 1, 1, 0, TPAD_CONSTANT), AXIS(3, 1, 1, 0, TPAD_CONSTANT)},
    {"rows of 14 to 16", 32, AXIS(14, 1, 1, 0, TPAD_CONSTANT), AXIS(14, 1, 1, 0, TPAD_CONSTANT)},
    {"spread rows", 32, AXIS(56, 1, 1, 1, TPAD_CONSTANT), AXIS(56, 1, 1, 1, TPAD_CONSTANT)},
    {"spread rows of few", 32, AXIS(50, 0, 0, 0, 0), AXIS(5, 0, 0, 10, TPAD_CONSTANT)},
    {"rows that are fill", 8, AXIS(2, 50, 50, 0, TPAD_CONSTANT), AXIS(60, 2, 2, 0, TPAD_CONSTANT)},
    {"rows in groups and rows that are fill", 8, AXIS(12, 5, 5, 0, TPAD_CONSTANT),
     AXIS(16, 2, 2, 0, TPAD_CONSTANT)},
    {"one row", 24, AXIS(1, 0, 0, 0, 0), AXIS(1 << 20, 11 << 20, 7, 0, TPAD_SYMMETRIC)},
};

static int64_t extent(const tpad_axis *a)
{
    return a->before + (a->in_extent - 1) * (a->interior + 1) + 1 + a->after;
}

static guard src_guard, dst_guard, value_guard;
static unsigned char *expected;

static int failed(const shape *s, const char *what)
{
    fprintf(stderr, "%s: %s\n", s->name, what);
    return 1;
}

/* The output by boxes of about a MiB, neighbours in the outermost axis that is long enough. */
static int run_boxes(const tpad_plan *whole, const void *src, unsigned char *dst, const void *value,
                     const int64_t *extents, int64_t bytes)
{
    const int32_t k = extents[0] > 8 ? 0 : 2;
    const int64_t step = extents[k] / (bytes >> 20) + 1;
    for (int64_t i = 0; i < extents[k]; i += step) {
        int64_t first[3] = {0}, shape_of[3] = {extents[0], extents[1], extents[2]};
        first[k] = i;
        shape_of[k] = extents[k] - i < step ? extents[k] - i : step;
        const tpad_box box = {sizeof box, first, shape_of, NULL, NULL, NULL};
        tpad_plan plan;
        if (tpad_plan_box(&plan, sizeof plan, whole, &box, NULL) != TPAD_OK ||
            tpad_run(&plan, src, dst, value) != TPAD_OK)
            return 0;
    }
    return 1;
}

static int check(const shape *s, rng *r, int64_t parts, int where)
{
    const int64_t unit = s->elem_bits / 8, plane = extent(&s->row) * extent(&s->column) * unit;
    const tpad_axis axes[3] = {{.in_extent = LEAST_BYTES / plane + 1}, s->row, s->column};
    const tpad_problem problem = TPAD_PROBLEM(s->elem_bits, 3, axes);
    int64_t extents[3], bytes;
    tpad_plan plan;
    if (tpad_shape(&problem, extents, NULL, &bytes, NULL) != TPAD_OK || bytes > MOST_BYTES ||
        tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK)
        return failed(s, "no plan");
    const int64_t in = axes[0].in_extent * s->row.in_extent * s->column.in_extent * unit;
    const int end = where == GUARD_AT_START ? GUARD_AT_START : GUARD_AT_END;
    unsigned char *src = guard_place(&src_guard, (size_t)in, end, 0);
    unsigned char *value = guard_place(&value_guard, (size_t)unit, GUARD_AT_END, 0);
    unsigned char *dst =
        guard_place(&dst_guard, (size_t)bytes, where, (unsigned)rng_range(r, 0, 95));
    rng_bytes(r, src, (size_t)in);
    rng_bytes(r, value, (size_t)unit);
    memset(dst, 0, (size_t)bytes);
    memset(expected, 255, (size_t)bytes);
    guard_read_only(&src_guard);
    if (!run_boxes(&plan, src, expected, value, extents, bytes)) return failed(s, "boxes");
    for (int64_t part = 0; part < parts; part++)
        if (tpad_run_part(&plan, src, dst, value, part, parts) != TPAD_OK)
            return failed(s, "tpad_run_part");
    if (!guard_intact(&dst_guard)) return failed(s, "bytes beside the output were written");
    for (int64_t i = 0; i < bytes; i++) {
        if (dst[i] == expected[i]) continue;
        fprintf(stderr, "byte %" PRId64 " of %" PRId64 ": %02x, not %02x; %" PRId64 " parts\n", i,
                bytes, dst[i], expected[i], parts);
        return failed(s, "differs from its boxes");
    }
    return 0;
}

int main(void)
{
    rng r = rng_seeded(9, 0);
    guard_open(&src_guard, MOST_BYTES);
    guard_open(&dst_guard, MOST_BYTES);
    guard_open(&value_guard, 64);
    expected = malloc(MOST_BYTES);
    if (!expected) return 1;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (check(&shapes[i], &r, 1, GUARD_AT_START)) return 1;
        if (check(&shapes[i], &r, 1, GUARD_AT_END)) return 1;
        if (check(&shapes[i], &r, 3, GUARD_BETWEEN)) return 1;
    }
    free(expected);
    guard_close(&src_guard);
    guard_close(&dst_guard);
    guard_close(&value_guard);
    printf("%zu large outputs are what their boxes are\n", sizeof shapes / sizeof shapes[0]);
    return 0;
}
