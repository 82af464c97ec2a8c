/* Every small axis: the closed forms of the kernels, of 32 and of 64 bits, against axis.c.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../src/gpu/lower.h"
#include "launches.h"

enum { MOST = 6, FAR = 15, CELLS = MOST * 4 + 2 * FAR };

static long axes_seen;

/* What cell i takes, says axis.c. */
static int64_t source_of(const axis *a, int64_t i)
{
    const run r = tpad_axis_run(a, i);
    return r.source;
}

static void check_axis(const axis *a, int64_t elements)
{
    int64_t fields[2][sizeof(tpad_gpu_axis) / 8];
    tpad_gpu_axis g;
    for (int wide = 0; wide < 2; wide++) {
        assert_true(tpad_gpu_describe_axis(&g, a, 0, 1, wide ? 64 : 32));
        memcpy(fields[wide], &g, sizeof g);
    }
    for (int64_t i = 0; i < a->extent; i++) {
        const int64_t source = source_of(a, i);
        assert_int_equal(element_0(fields[0], i), source);
        assert_int_equal(element_1(fields[1], i), source);
    }
    for (int64_t e = 0; e < elements; e++) {
        const int64_t own = e * a->spacing - a->origin;
        int64_t takers[CELLS], count = 0;
        if (own >= 0 && own < a->extent && source_of(a, own) == e) takers[count++] = own;
        for (int64_t i = 0; i < a->extent; i++)
            if (i != own && source_of(a, i) == e) takers[count++] = i;
        assert_int_equal(taker_0(fields[0], e, -1), count);
        assert_int_equal(taker_1(fields[1], e, -1), count);
        for (int64_t m = 0; m < count; m++) {
            assert_int_equal(taker_0(fields[0], e, m), takers[m]);
            assert_int_equal(taker_1(fields[1], e, m), takers[m]);
        }
    }
    axes_seen++;
}

/* The axis itself, and as boxes cut it: from every cell on. */
static void check_problem(const tpad_axis *given)
{
    const tpad_problem problem = TPAD_PROBLEM(8, 1, given);
    tpad_plan memory;
    if (tpad_plan_init(&memory, sizeof memory, &problem, NULL) != TPAD_OK) return;
    const plan *p = tpad_plan_open(&memory);
    for (int64_t first = 0; first < p->axes[0].extent || first == 0; first++) {
        axis a = p->axes[0];
        a.origin += first;
        a.extent -= first;
        if (first % 3 == 2) a.extent = (a.extent + 1) / 2;
        check_axis(&a, given->in_extent);
    }
}

static void the_forms_agree(void **state)
{
    (void)state;
    tpad_axis a = {0};
    for (a.mode = 0; a.mode < 5; a.mode++)
        for (a.order = 0; a.order < 2; a.order++)
            for (a.interior = 0; a.interior < 4; a.interior++)
                for (a.in_extent = 0; a.in_extent <= MOST; a.in_extent++)
                    for (a.before = -5; a.before <= FAR; a.before += 1 + (a.before > 9))
                        for (a.after = -5; a.after <= FAR; a.after += 1 + (a.after > 9))
                            check_problem(&a);
    print_message("%ld axes\n", axes_seen);
    assert_true(axes_seen > 50000);
}

static void divisors_divide(void **state)
{
    (void)state;
    for (int bits = 32; bits <= 64; bits += 32) {
        const int64_t most = bits == 32 ? INT32_MAX : INT64_MAX;
        for (int64_t d = 1; d > 0 && d <= most / 2; d = d < 300 ? d + 1 : d * 2 - d / 3) {
            const int64_t numbers[] = {
                0, 1, d - 1, d, d + 1, 2 * d - 1, most / d * d - 1, most / d * d, most - 1, most};
            int64_t factor, shift;
            tpad_gpu_divisor(d, bits, &factor, &shift);
            for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
                const uint64_t n = (uint64_t)numbers[k];
                __extension__ typedef unsigned __int128 wide;
                const uint64_t high = (uint64_t)((wide)n * (uint64_t)factor >> bits);
                assert_int_equal((high + n) >> shift, n / (uint64_t)d);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_forms_agree),
                                       cmocka_unit_test(divisors_divide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
