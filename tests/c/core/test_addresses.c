/* Elements at any byte address.  SPDX-License-Identifier: MIT
 *
 * Owns: src, dst and value each at every address modulo 16, for every width and mode, dense and with
 * gaps, whole and in parts. What traps where an address has the wrong alignment shows on machines
 * that mind, and under the sanitizer on all others.
 * Must not know: the inside of the library.
 */
#include <stdio.h>
#include <string.h>

#include "../../support/random_main.h"

enum { ALIGNMENTS = 16, MOST_BYTES = 16384 };

static const int32_t widths[] = {1, 2, 4, 8, 16, 24, 32, 40, 48, 64, 96, 128, 192, 256, 512};

/* Memory whose first byte is as aligned as any element. */
typedef union memory {
    unsigned char bytes[MOST_BYTES + ALIGNMENTS];
    uint64_t words[1];
} memory;
static memory input, output, expected;
static union {
    unsigned char bytes[64 + ALIGNMENTS];
    uint64_t words[1];
} filling;

static bool same(const tpad_problem *problem, const char *what, size_t i, size_t k)
{
    if (memcmp(output.bytes, expected.bytes, sizeof output.bytes) == 0) return true;
    fprintf(stderr, "%s: src %zu and dst %zu bytes behind an aligned address\n", what, i, k);
    random_problem_print(stderr, problem);
    return false;
}

/* One problem at all pairs of addresses. */
static bool check(const random_problem *p, rng *r)
{
    tpad_plan plan;
    if (p->out_end > MOST_BYTES || p->in_end > MOST_BYTES || p->out_begin < 0 || p->in_begin < 0)
        return setting_failed("too large", TPAD_E_ARGUMENT);
    const int32_t status = tpad_plan_init(&plan, sizeof plan, &p->problem, NULL);
    if (status != TPAD_OK) return setting_failed("tpad_plan_init", status);
    rng_bytes(r, input.bytes, sizeof input.bytes);
    rng_bytes(r, filling.bytes, sizeof filling.bytes);
    for (size_t i = 0; i < ALIGNMENTS; i++) {
        for (size_t k = 0; k < ALIGNMENTS; k++) {
            const unsigned char *src = input.bytes + i, *value = filling.bytes + (i + 5 * k) % 16;
            memset(&output, 0x5A, sizeof output);
            memset(&expected, 0x5A, sizeof expected);
            oracle_run(&p->truth, &p->problem, src, expected.bytes + k, value);
            if (tpad_run(&plan, src, output.bytes + k, value) != TPAD_OK) return false;
            if (!same(&p->problem, "whole", i, k)) return false;
            memset(&output, 0x5A, sizeof output);
            for (int64_t part = 0; part < 3; part++)
                if (tpad_run_part(&plan, src, output.bytes + k, value, part, 3) != TPAD_OK)
                    return false;
            if (!same(&p->problem, "parts", i, k)) return false;
        }
    }
    return true;
}

/* Rows of `in` elements with something at both ends; the gaps are odd numbers of bytes. */
static bool check_rows(int32_t bits, int32_t mode, int64_t in, int64_t interior, bool gaps, rng *r)
{
    const int64_t unit = bits < 8 ? 1 : bits / 8, out = (in - 1) * (interior + 1) + 1 + 3;
    tpad_axis axes[2] = {{.in_extent = 5, .in_stride = in * unit + 1, .out_stride = out * unit + 3},
                         {.in_extent = in,
                          .before = 1,
                          .after = 2,
                          .interior = interior,
                          .mode = mode,
                          .in_stride = unit,
                          .out_stride = unit}};
    tpad_problem problem = TPAD_PROBLEM(bits, 2, axes);
    random_problem p;
    if (gaps) problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
    for (int32_t k = 0; !gaps && k < 2; k++) axes[k].in_stride = axes[k].out_stride = 0;
    random_problem_from(&p, &problem);
    const bool good = check(&p, r);
    random_problem_close(&p);
    return good;
}

int main(void)
{
    rng r = rng_seeded(4, 0);
    int count = 0;
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++) {
            for (int kind = 0; kind < 6; kind++, count++) {
                const int64_t in = kind % 3 == 2 ? 29 : 3 + kind % 3, interior = kind % 3 == 1;
                if (!check_rows(widths[w], mode, in, interior, kind >= 3, &r)) return 1;
            }
        }
    }
    printf("%d problems at 256 pairs of addresses each\n", count);
    return 0;
}
