/* Gradients of every small pad on one axis. SPDX-License-Identifier: MIT
 *
 * Owns: extents 0 to 6, pad widths -8 to 14, interior 0 to 2, all modes and both orders; alone, as rows
 * and between other cells. Cells are scattered one by one, as the oracle says where they come from.
 * Must not know: the inside of the library. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <tensorpad/adjoint.h>

#include "../../support/oracle.h"

enum { MOST_EXTENT = 6, FEWEST = -8, MOST = 14, ROW = 3, MOST_CELLS = 2 * MOST + 6 * 3 };

/* A number for each cell of the output, of any order of magnitude. */
static uint64_t number_of_cell(int64_t cell)
{
    return (uint64_t)(cell + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

static void put(unsigned char *to, uint64_t number, int32_t bits)
{
    const uint16_t low = (uint16_t)number;
    memcpy(to, bits == 64 ? (const void *)&number : &low, (size_t)(bits / 8));
}

/* The axis alone, as rows of ROW cells, or as the inner axis of ROW rows. */
typedef enum layout { ALONE, ROWS, INNER, LAYOUTS } layout;

static int fails(const tpad_axis *axis, layout how, int32_t bits)
{
    const tpad_axis row = {.in_extent = ROW};
    const tpad_axis axes[2] = {how == INNER ? row : *axis, how == INNER ? *axis : row};
    const tpad_problem problem = TPAD_PROBLEM(bits, how == ALONE ? 1 : 2, axes);
    const int at = how == INNER, bytes = bits / 8;
    const int64_t inner = how == ROWS ? ROW : 1, outer = how == INNER ? ROW : 1;
    unsigned char out[MOST_CELLS * ROW * 8], in[MOST_EXTENT * ROW * 8];
    uint64_t sums[MOST_EXTENT * ROW] = {0};
    oracle truth;
    tpad_plan plan;
    oracle_solve(&truth, &problem);
    int failed = tpad_plan_init(&plan, sizeof plan, &problem, NULL) != truth.status;
    if (!failed && truth.status == TPAD_OK) {
        const int64_t cells = truth.extents[at], elements = axis->in_extent;
        for (int64_t i = 0; i < outer * cells * inner; i++) {
            const uint64_t number = number_of_cell(i);
            const int64_t source = truth.source[at][i / inner % cells];
            put(out + i * bytes, number, bits);
            if (source != ORACLE_FILL)
                sums[(i / inner / cells * elements + source) * inner + i % inner] += number;
        }
        memset(in, 0x55, sizeof in);
        failed = tpad_adjoint(&plan, bits == 64 ? TPAD_NUMBER_I64 : TPAD_NUMBER_I16, 0, out, in,
                              NULL, NULL) != TPAD_OK;
        for (int64_t i = 0; i < outer * elements * inner; i++) {
            unsigned char expected[8];
            put(expected, sums[i], bits);
            failed |= memcmp(in + i * bytes, expected, (size_t)bytes) != 0;
        }
    }
    oracle_close(&truth);
    return failed;
}

int main(void)
{
    int64_t tried = 0;
    tpad_axis a = {0};
    for (a.in_extent = 0; a.in_extent <= MOST_EXTENT; a.in_extent++)
        for (a.interior = 0; a.interior <= 2; a.interior++)
            for (a.before = FEWEST; a.before <= MOST; a.before++)
                for (a.after = FEWEST; a.after <= MOST; a.after++)
                    for (a.mode = 0; a.mode < TPAD_MODE_COUNT; a.mode++)
                        for (a.order = TPAD_WINDOW; a.order <= TPAD_CROP; a.order++)
                            for (int how = 0; how < LAYOUTS; how++) {
                                tried += 2;
                                if (!fails(&a, (layout)how, 64) && !fails(&a, (layout)how, 16))
                                    continue;
                                fprintf(stderr,
                                        "extent %" PRId64 ", before %" PRId64 ", after %" PRId64
                                        ", interior %" PRId64 ", %s, order %d, layout %d: wrong\n",
                                        a.in_extent, a.before, a.after, a.interior,
                                        tpad_mode_name(a.mode), (int)a.order, how);
                                return 1;
                            }
    printf("%" PRId64 " gradients are right\n", tried);
    return 0;
}
