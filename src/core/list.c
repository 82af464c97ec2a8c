/* The list of a plan: the places of the few rows and columns of a small output.
 * SPDX-License-Identifier: MIT
 *
 * For so little, a walk would take longer than the copying itself. */
#include "checked.h"
#include "plan.h"

static int fits(int64_t place)
{
    return place == (int32_t)place;
}

/* The first cell of an axis that may have a source, and the end of these cells: the others are
 * filled, and their runs need not be computed. */
static int64_t first_cell(const axis *a)
{
    return a->mode == TPAD_CONSTANT && a->lo > a->origin ? a->lo - a->origin : 0;
}

static int64_t end_cell(const axis *a)
{
    return a->mode == TPAD_CONSTANT ? tpad_min(a->hi - a->origin, a->extent) : a->extent;
}

/* Lists the cells of an axis that have a source. Returns their number, 0 if they are more than
 * `most` or too far away. */
static int32_t list_axis(tpad_place *places, const axis *a, int32_t most)
{
    int32_t count = 0;
    const int64_t end = end_cell(a);
    if (a->spacing == 1 && end - first_cell(a) > most) return 0;
    for (int64_t i = first_cell(a); i < end;) {
        const run r = tpad_axis_run(a, i);
        int64_t src = r.source * a->in_stride;
        for (int64_t k = 0; r.source >= 0 && k < r.length; k += r.spacing) {
            if (count == most || !fits(src)) return 0;
            places[count++] = (tpad_place){(int32_t)((i + k) * a->out_stride), (int32_t)src};
            src += r.step * a->in_stride;
        }
        i += r.length;
    }
    return count;
}

/* Puts the places of an axis inside each of `count` rows. Returns the new number of rows, 0 if it
 * exceeds `most` or places are too far away. */
static int32_t nest_axis(tpad_place *rows, int32_t count, const axis *a, int32_t most)
{
    tpad_place inner[PLAN_ROWS];
    const int32_t cells = list_axis(inner, a, most / count);
    for (int32_t i = count - 1; i >= 0; i--) {
        const tpad_place outer = rows[i];
        for (int32_t k = 0; k < cells; k++) {
            const int64_t src = (int64_t)outer.src + inner[k].src;
            if (!fits(src)) return 0;
            rows[i * cells + k] = (tpad_place){outer.dst + inner[k].dst, (int32_t)src};
        }
    }
    return cells * count;
}

/* Lists the stretches of a row: cells that are contiguous on both sides are one. Returns the cells
 * in them, 0 if the stretches are too many or too far away. */
static int32_t list_stretches(plan *p, const axis *a)
{
    int32_t count = 0, cells = 0;
    const int64_t end = end_cell(a);
    for (int64_t i = first_cell(a); i < end;) {
        const run r = tpad_axis_run(a, i);
        const int64_t step = r.step * a->in_stride;
        /* The innermost loop's cells are contiguous in a dense output. Its spacing may be so large
         * that a product with it exceeds 64 bits; if it is above 1, no two elements are neighbours.
         */
        const int together = r.spacing == 1 && step == p->cell;
        const int64_t length = together ? r.length : 1;
        int64_t src = r.source * a->in_stride;
        for (int64_t k = 0; r.source >= 0 && k < r.length; k += together ? length : r.spacing) {
            if (count == PLAN_STRETCHES || !fits(src)) return 0;
            p->stretches[count++] = (tpad_stretch){
                {(int32_t)((i + k) * a->out_stride), (int32_t)src}, (int32_t)(length * p->cell)};
            cells += (int32_t)length;
            src += step;
        }
        i += r.length;
    }
    p->stretch_count = count;
    return cells;
}

int tpad_plan_list(plan *p)
{
    if (p->cells == 0 || p->cell_unit != 8 || !tpad_plan_is_within(p, PLAN_LIST_BYTES)) return 0;
    const int32_t last = p->loop_count - 1;
    const int32_t cells = list_stretches(p, &p->loops[last]);
    if (cells == 0) return 0;
    const int32_t copies = PLAN_COPIES / p->stretch_count;
    const int32_t most = copies < PLAN_ROWS ? copies : PLAN_ROWS;
    int32_t rows = 1;
    p->rows[0] = (tpad_place){0, 0};
    if (last > 0) rows = list_axis(p->rows, &p->loops[0], most);
    for (int32_t k = 1; rows > 0 && k < last; k++)
        rows = nest_axis(p->rows, rows, &p->loops[k], most);
    p->row_count = rows;
    p->list_fills = rows * cells < p->cells;
    return rows > 0;
}
