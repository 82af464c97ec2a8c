/* Elements far from where their loops begin.  SPDX-License-Identifier: MIT
 *
 * Owns: offsets of single axes that are far and cancel each other, at every power of two; two
 * elements with a very large interior between them; boxes whose memory begins at any cell. Little
 * of it is in memory, so the expected bytes are computed from the small part that is.
 * Must not know: the inside of the library.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../support/random_problem.h"

enum { MOST_POWER = 61, CELLS = 100 };

static uint64_t power_of_two(int power)
{
    return (uint64_t)1 << power;
}

/* ---- Offsets that cancel --------------------------------------------------------------------- */

enum { ROWS = 300, COLUMNS = 10, FILLED = 2, KEPT = COLUMNS - FILLED, MOST_BYTES = 8 };

static int64_t unit_of(int32_t elem_bits)
{
    return elem_bits < 8 ? 1 : elem_bits / 8;
}

/* Bit 0 is the lowest one of the first byte. */
static int bit_at(const unsigned char *bytes, int64_t bit)
{
    return bytes[bit / 8] >> bit % 8 & 1;
}

/* Pads with zeros, by a plan and in one call. `source` says which element each cell takes, or
 * -1. The elements lie together from src on. */
static void check_cells(const tpad_problem *problem, const unsigned char *src, int64_t cells,
                        int64_t (*source)(int64_t cell, const void *user), const void *user)
{
    static unsigned char dst[ROWS * 2 * COLUMNS * MOST_BYTES];
    const int64_t bits = problem->elem_bits;
    assert_true(cells * bits <= 8 * (int64_t)sizeof dst);
    for (int once = 0; once < 2; once++) {
        tpad_plan plan;
        memset(dst, 0xFF, sizeof dst);
        if (once) {
            assert_int_equal(tpad_pad(problem, src, dst, NULL, NULL), TPAD_OK);
        } else {
            assert_int_equal(tpad_plan_init(&plan, sizeof plan, problem, NULL), TPAD_OK);
            assert_int_equal(tpad_run(&plan, src, dst, NULL), TPAD_OK);
        }
        for (int64_t cell = 0; cell < cells; cell++) {
            const int64_t from = source(cell, user);
            for (int64_t bit = 0; bit < bits; bit++) {
                const int expected = from < 0 ? 0 : bit_at(src, from * bits + bit);
                if (bit_at(dst, cell * bits + bit) == expected) continue;
                random_problem_print(stderr, problem);
                fail_msg("cell %d is wrong", (int)cell);
            }
        }
    }
}

/* `elements` random ones, the last of which is the last thing before a forbidden page. */
static const unsigned char *place_elements(guard *memory, int64_t elements, int32_t elem_bits)
{
    const size_t bytes = (size_t)(elements * elem_bits + 7) / 8;
    rng r = rng_seeded(12, (uint64_t)elem_bits);
    guard_open(memory, bytes);
    guard_place(memory, bytes, GUARD_AT_END, 0);
    rng_bytes(&r, memory->block, bytes);
    guard_read_only(memory);
    return memory->block;
}

/* Rows of KEPT elements and two of fill; `filled` rows of fill behind each of them. */
static int64_t source_in_rows(int64_t cell, const void *filled)
{
    const int64_t row = cell / COLUMNS, column = cell % COLUMNS, lines = 1 + *(const int *)filled;
    return row % lines == 0 && column < KEPT ? row / lines * KEPT + column : -1;
}

/* Each row is the second one of two on axis 1, and lies so far in front of the first one. On axis 2
 * as many elements are cropped in front of those that are kept. */
static void check_cancelling(int32_t elem_bits, int64_t away, const unsigned char *src)
{
    const int64_t unit = unit_of(elem_bits);
    for (int filled = 0; filled < 2; filled++) {
        const tpad_axis axes[3] = {
            {.in_extent = ROWS, .in_stride = KEPT * unit},
            {.in_extent = 2, .before = -1, .after = filled, .in_stride = -away * unit},
            {.in_extent = away + KEPT, .before = -away, .after = FILLED, .in_stride = unit}};
        tpad_problem problem = TPAD_PROBLEM(elem_bits, 3, axes);
        problem.flags = TPAD_IN_STRIDES;
        check_cells(&problem, src, ROWS * (1 + filled) * COLUMNS, source_in_rows, &filled);
    }
}

static const int32_t widths[] = {1, 2, 4, 8, 16, 32, 64};

/* The farthest that a stride leads if three such ways and a small one stay within 2^62 - 1. */
static int64_t farthest(int32_t elem_bits)
{
    return (INT64_MAX / 2 - ROWS * COLUMNS * MOST_BYTES * 8) / 3 /
           (elem_bits < 8 ? elem_bits : elem_bits / 8);
}

/* The offset of a row, in bytes, in elements and in bits, is each power of two: also those at which
 * 32 bits and 64 bits end. */
static void far_offsets_may_cancel(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        guard memory;
        const unsigned char *src = place_elements(&memory, ROWS * KEPT, widths[k]);
        for (int power = 4; power < MOST_POWER; power++) {
            for (int64_t beside = -1; beside <= 1; beside++) {
                const int64_t away = (int64_t)power_of_two(power) + beside;
                if (away <= farthest(widths[k])) check_cancelling(widths[k], away, src);
            }
        }
        guard_close(&memory);
    }
}

enum { LONE = 3 };

static int64_t source_in_first_row(int64_t cell, const void *width)
{
    return cell < *(const int64_t *)width && cell < LONE ? cell : -1;
}

/* A row of three elements that is the second one of two, very far behind the first one, and many
 * rows of fill behind it. */
static void a_lone_row_may_be_far_away(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        const int64_t unit = unit_of(widths[k]);
        guard memory;
        const unsigned char *src = place_elements(&memory, LONE, widths[k]);
        for (int power = 1; (int64_t)power_of_two(power) <= farthest(widths[k]); power++) {
            const int64_t away = (int64_t)power_of_two(power) * (power % 2 ? -1 : 1);
            for (int64_t width = 4; width <= COLUMNS; width++) {
                const tpad_axis axes[2] = {
                    {.in_extent = 2, .before = -1, .after = ROWS, .in_stride = away * unit},
                    {.in_extent = LONE, .after = width - LONE, .in_stride = unit}};
                tpad_problem problem = TPAD_PROBLEM(widths[k], 2, axes);
                problem.flags = TPAD_IN_STRIDES;
                problem.in_offset = -away * unit;
                check_cells(&problem, src, (ROWS + 1) * width, source_in_first_row, &width);
            }
        }
        guard_close(&memory);
    }
}

/* ---- Very large interiors -------------------------------------------------------------------- */

/* Element `kept` of two is in the output, `at` cells behind its beginning; all else is fill. */
static void check_gap(int32_t elem_bits, int64_t interior, int kept, int64_t at, guard *memory)
{
    static unsigned char dst[CELLS * 64], value[64];
    const int64_t unit = elem_bits / 8, spacing = interior + 1;
    tpad_axis axis = {.in_extent = 2, .interior = interior};
    axis.before = at - kept * spacing;
    axis.after = CELLS - axis.before - (spacing + 1);
    const tpad_problem problem = TPAD_PROBLEM(elem_bits, 1, &axis);
    const unsigned char *src = memory->block;
    for (int once = 0; once < 2; once++) {
        tpad_plan plan;
        memset(dst, 0xFF, sizeof dst);
        if (once) {
            assert_int_equal(tpad_pad(&problem, src, dst, value, NULL), TPAD_OK);
        } else {
            assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
            assert_int_equal(tpad_run(&plan, src, dst, value), TPAD_OK);
        }
        for (int64_t i = 0; i < CELLS; i++)
            assert_memory_equal(dst + i * unit, i == at ? src + kept * unit : value, (size_t)unit);
    }
}

/* The bytes from one element to the next are more than 64 bits hold, or just as many as one. */
static void gaps_may_be_any_power_of_two(void **state)
{
    (void)state;
    for (int64_t unit = 1; unit <= 64; unit *= 2) {
        guard memory;
        rng r = rng_seeded(13, (uint64_t)unit);
        guard_open(&memory, (size_t)unit * 2);
        guard_place(&memory, (size_t)unit * 2, GUARD_AT_END, 0);
        rng_bytes(&r, memory.block, (size_t)unit * 2);
        memory.block[0] = memory.block[unit] = 1; /* not as the fill value */
        guard_read_only(&memory);
        for (int power = 7; power < MOST_POWER; power++) {
            for (int64_t beside = -2; beside <= 2; beside++) {
                const int64_t interior = (int64_t)power_of_two(power) + beside;
                for (int kept = 0; kept < 2; kept++) {
                    check_gap((int32_t)unit * 8, interior, kept, kept ? CELLS - 1 : 0, &memory);
                    check_gap((int32_t)unit * 8, interior, kept, 7, &memory);
                }
            }
        }
        guard_close(&memory);
    }
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

/* One axis of seven elements; each box of it, from memory that begins at each of them. */
static void boxes_read_from_any_cell(void **state)
{
    enum { IN = 7, SPACE = 64 };
    unsigned char memory[2 * SPACE];
    const tpad_axis axis = {.in_extent = IN, .before = 2, .after = 3};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
    const unsigned char value = 200;
    const int64_t strides[] = {1, 2, -1, -3, 9};
    tpad_plan plan;
    (void)state;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++) {
        for (int64_t cell = 0; cell < IN; cell++) {
            /* What is input stands in its place, all else is wrong. */
            memset(memory, 99, sizeof memory);
            for (int64_t j = 0; j < IN; j++)
                memory[SPACE + (j - cell) * strides[s]] = (unsigned char)(j + 1);
            for (int64_t first = 0; first < IN + 5; first++) {
                for (int64_t extent = 1; extent <= IN + 5 - first; extent++) {
                    const int64_t one = 1;
                    const tpad_box box = {sizeof box, &first, &extent, &one, &cell, &strides[s]};
                    unsigned char dst[IN + 5];
                    tpad_plan part;
                    assert_int_equal(tpad_plan_box(&part, sizeof part, &plan, &box, NULL), TPAD_OK);
                    assert_int_equal(tpad_run(&part, memory + SPACE, dst, &value), TPAD_OK);
                    for (int64_t i = 0; i < extent; i++) {
                        const int64_t j = first + i - axis.before;
                        assert_int_equal(dst[i], j < 0 || j >= IN ? value : j + 1);
                    }
                }
            }
        }
    }
}

/* The last cell that an input can have is one less than its largest extent. */
static void boxes_begin_at_an_input_cell(void **state)
{
    const tpad_axis axis = {.in_extent = 3};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
    const int64_t bad[] = {-1, TPAD_MAX_EXTENT, INT64_MAX, INT64_MIN};
    int64_t in_first = TPAD_MAX_EXTENT - 1;
    const int64_t first = 0, extent = 1, stride = 1;
    const tpad_box box = {sizeof box, &first, &extent, NULL, &in_first, &stride};
    const unsigned char src[1] = {7};
    unsigned char dst = 0;
    tpad_plan plan, part;
    (void)state;
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_plan_box(&part, sizeof part, &plan, &box, NULL), TPAD_OK);
    assert_int_equal(tpad_run(&part, bench_base(src, -in_first), &dst, NULL), TPAD_OK);
    assert_int_equal(dst, 7);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        tpad_error error;
        char line[128];
        in_first = bad[k];
        assert_int_equal(tpad_plan_box(&part, sizeof part, &plan, &box, &error), TPAD_E_BOX);
        assert_int_equal(error.axis, 0);
        assert_int_equal(error.got, bad[k]);
        assert_int_equal(error.limit, TPAD_MAX_EXTENT - 1);
        tpad_error_format(&error, line, sizeof line);
        assert_non_null(strstr(line, "is not between 0 and 2305843009213693950"));
        assert_int_equal(tpad_run(&part, src, &dst, NULL), TPAD_E_NOT_A_PLAN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_offsets_may_cancel),
        cmocka_unit_test(a_lone_row_may_be_far_away),
        cmocka_unit_test(gaps_may_be_any_power_of_two),
        cmocka_unit_test(boxes_read_from_any_cell),
        cmocka_unit_test(boxes_begin_at_an_input_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
