/* What there is to show of a pad, as the engine answers it.  SPDX-License-Identifier: MIT */
#include "shown.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis_runs.h"
#include "text_buffer.h"
#include "title.h"

enum { LETTERS = 26, WIDEST_FILL = 4 };

int shown_in_output(const shown_axis *axis, int64_t place)
{
    return place >= 0 && place < axis->out;
}

int shown_is_own(const shown_axis *axis, int64_t place)
{
    return place >= axis->axis.before && place < axis->axis.before + axis->dilated;
}

/* ---- One axis -------------------------------------------------------------------------------- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void measure_axis(shown_axis *shown, const tpad_axis *axis, int64_t out)
{
    const int64_t n = axis->in_extent;
    shown->axis = *axis;
    shown->out = out;
    shown->dilated = n ? (n - 1) * (axis->interior + 1) + 1 : 0;
    const int64_t end = axis->before + shown->dilated;
    shown->first = n ? least(0, axis->before) : 0;
    shown->count = (n ? most(out, end) : out) - shown->first;
    shown->own_first = least(most(0, axis->before), out);
    shown->own_end = most(shown->own_first, least(out, end));
    shown->is_long = shown->count > TPAD_SHOWN_CELLS;
}

/* The element that stands in this place of its own; -1: none. */
static int64_t element_at(const shown_axis *axis, int64_t place)
{
    if (!shown_is_own(axis, place)) return -1;
    const int64_t at = place - axis->axis.before, step = axis->axis.interior + 1;
    return at % step == 0 ? at / step : -1;
}

/* Which element of the axis a cell of the output repeats, as the plan says; -1: fill. */
static int64_t source_of(const tpad_plan *plan, int32_t axis, int64_t cell)
{
    tpad_source pieces[2];
    if (tpad_plan_sources(plan, axis, cell, 1, pieces) != TPAD_OK || pieces[0].in_extent == 0)
        return -1;
    return pieces[0].in_first;
}

/* value: which of the fills the cell takes if it takes one. */
static shown_cell cell_at(const shown_axis *axis, int64_t place, int64_t source, int64_t value)
{
    const int own = shown_is_own(axis, place);
    if (!shown_in_output(axis, place))
        return own ? (shown_cell){CELL_CROPPED, element_at(axis, place)}
                   : (shown_cell){CELL_NOTHING, -1};
    if (source < 0) return (shown_cell){own ? CELL_INTERIOR : CELL_FILL, value};
    return (shown_cell){own ? CELL_INPUT : CELL_REPEATED, source};
}

static void tell_cells(tpad_shown *shown, const tpad_plan *plan, int32_t number)
{
    shown_axis *axis = &shown->axes[number];
    for (int64_t i = 0; i < axis->count; i++) {
        const int64_t place = axis->first + i;
        const int64_t source = shown_in_output(axis, place) ? source_of(plan, number, place) : -1;
        axis->cells[i] = cell_at(axis, place, source, number == shown->fill_axis ? place : -1);
    }
}

/* ---- Two axes -------------------------------------------------------------------------------- */

/* Pads the numbers 1, 2, 3 ... of the elements: the output says which element each cell repeats,
 * and 0 where it is fill. Returns a status; *answers is freed by the caller. */
static int32_t ask_engine(const tpad_shown *shown, int32_t **answers, tpad_error *error)
{
    const shown_axis *axes = shown->axes;
    const tpad_axis asked[2] = {axes[0].axis, axes[1].axis};
    const tpad_problem problem = TPAD_PROBLEM_OF(int32_t, asked);
    const size_t in = (size_t)(asked[0].in_extent * asked[1].in_extent);
    int32_t *numbers = malloc((in + 1) * sizeof *numbers);
    *answers = malloc(((size_t)(axes[0].out * axes[1].out) + 1) * sizeof **answers);
    int32_t status = numbers && *answers ? TPAD_OK : TPAD_E_MEMORY;
    if (status == TPAD_OK) {
        for (size_t i = 0; i < in; i++) numbers[i] = (int32_t)i + 1;
        status = tpad_pad(&problem, numbers, *answers, NULL, error);
    } else {
        *error = (tpad_error){.code = status, .axis = -1};
    }
    free(numbers);
    return status;
}

static shown_cell grid_cell(const tpad_shown *shown, int64_t row, int64_t column,
                            const int32_t *answers)
{
    const shown_axis *axes = shown->axes;
    const int own = shown_is_own(&axes[0], row) && shown_is_own(&axes[1], column);
    if (shown_in_output(&axes[0], row) && shown_in_output(&axes[1], column)) {
        const int64_t element = (int64_t)answers[row * axes[1].out + column] - 1;
        const int64_t value = shown->fill_axis < 0 ? -1 : shown->fill_axis ? column : row;
        if (element < 0) return (shown_cell){own ? CELL_INTERIOR : CELL_FILL, value};
        return (shown_cell){own ? CELL_INPUT : CELL_REPEATED, element};
    }
    if (!own) return (shown_cell){CELL_NOTHING, -1};
    const int64_t i = element_at(&axes[0], row), j = element_at(&axes[1], column);
    return (shown_cell){CELL_CROPPED, i < 0 || j < 0 ? -1 : i * axes[1].axis.in_extent + j};
}

static int32_t tell_grid(tpad_shown *shown, tpad_error *error)
{
    const shown_axis *axes = shown->axes;
    int32_t *answers = NULL;
    int32_t status = ask_engine(shown, &answers, error);
    shown->cells = calloc((size_t)(axes[0].count * axes[1].count) + 1, sizeof *shown->cells);
    if (status == TPAD_OK && shown->cells == NULL) {
        status = TPAD_E_MEMORY;
        *error = (tpad_error){.code = status, .axis = -1};
    }
    for (int64_t i = 0; status == TPAD_OK && i < axes[0].count; i++)
        for (int64_t j = 0; j < axes[1].count; j++)
            shown->cells[i * axes[1].count + j] =
                grid_cell(shown, axes[0].first + i, axes[1].first + j, answers);
    free(answers);
    return status;
}

/* ---- Labels ---------------------------------------------------------------------------------- */

static char *copy_of(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

/* Returns 0 if there is no memory. */
static int make_labels(tpad_shown *shown, const char *const *given)
{
    int64_t elements = 1;
    for (int32_t i = 0; i < shown->rank; i++) elements *= shown->axes[i].axis.in_extent;
    shown->labels = calloc((size_t)elements + 1, sizeof *shown->labels);
    if (shown->labels == NULL) return 0;
    shown->elements = elements;
    shown->has_numbers = given == NULL && elements > LETTERS;
    for (int64_t i = 0; i < elements; i++) {
        char made[NUMBER_BYTES] = {(char)('a' + i), 0};
        if (shown->has_numbers) snprintf(made, sizeof made, "%" PRId64, i);
        shown->labels[i] = copy_of(given ? given[i] : made);
        if (shown->labels[i] == NULL) return 0;
        const int width = text_width(shown->labels[i]);
        if (width > shown->widest) shown->widest = width;
    }
    return 1;
}

static void free_texts(char **texts, int64_t count)
{
    for (int64_t i = 0; texts && i < count; i++) free(texts[i]);
    free(texts);
}

/* Drops them all if one does not fit into a cell. Returns 0 if there is no memory. */
static int make_fills(tpad_shown *shown, const char *const *given)
{
    const int64_t count = shown->axes[shown->fill_axis].out;
    for (int64_t i = 0; i < count; i++)
        if (text_width(given[i]) > WIDEST_FILL) return 1;
    shown->fills = calloc((size_t)count + 1, sizeof *shown->fills);
    if (shown->fills == NULL) return 0;
    shown->fill_count = count;
    for (int64_t i = 0; i < count; i++) {
        shown->fills[i] = copy_of(given[i]);
        if (shown->fills[i] == NULL) return 0;
        if (i == 0 || text_width(shown->fills[i]) > text_width(shown->fill_label))
            shown->fill_label = shown->fills[i];
    }
    return 1;
}

const char *shown_label(const tpad_shown *shown, const shown_cell *cell, char numbers[NUMBER_BYTES])
{
    if (cell->kind == CELL_FILL || cell->kind == CELL_INTERIOR)
        return shown->fills ? shown->fills[cell->element] : shown->fill_label;
    if (cell->element < 0) return "";
    if (shown->labels) return shown->labels[cell->element];
    snprintf(numbers, NUMBER_BYTES, "%" PRId64, cell->element);
    return numbers;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* Extents of the output, or a status. */
static int32_t measure(tpad_shown *shown, const tpad_problem *problem, tpad_error *error)
{
    int64_t out[TPAD_MAX_RANK];
    const int32_t status = tpad_shape(problem, out, NULL, NULL, error);
    for (int32_t i = 0; status == TPAD_OK && i < shown->rank; i++)
        measure_axis(&shown->axes[i], &problem->axes[i], out[i]);
    return status;
}

int tpad_shown_is_cells(const tpad_problem *problem)
{
    int64_t out[TPAD_MAX_RANK];
    int cells = problem->rank <= 2 && tpad_shape(problem, out, NULL, NULL, NULL) == TPAD_OK;
    for (int32_t i = 0; cells && i < problem->rank; i++) {
        shown_axis axis;
        measure_axis(&axis, &problem->axes[i], out[i]);
        cells = !axis.is_long;
    }
    return cells;
}

static void note_axis(tpad_shown *shown, const shown_axis *axis)
{
    for (int64_t k = 0; !axis->is_long && k < axis->count; k++)
        shown->has[axis->cells[k].kind] |= HAS_CELL;
    for (int i = 0; axis->is_long && i < axis->run_count; i++) {
        const shown_run *run = &axis->runs[i];
        shown->has[run->own                ? CELL_INPUT
                   : run->kind == RUN_FILL ? CELL_FILL
                                           : CELL_REPEATED] |= HAS_RUN;
    }
}

static void note_kinds(tpad_shown *shown)
{
    const int64_t count = shown->grid ? shown->axes[0].count * shown->axes[1].count : 0;
    for (int64_t i = 0; i < count; i++) shown->has[shown->cells[i].kind] |= HAS_CELL;
    for (int32_t i = 0; !shown->grid && i < shown->rank; i++)
        if (shown->rank == 1 || !shown_is_unchanged(&shown->axes[i]))
            note_axis(shown, &shown->axes[i]);
}

static int32_t tell(tpad_shown *shown, const tpad_problem *problem, const tpad_shown_words *words,
                    tpad_error *error)
{
    tpad_plan plan;
    int32_t status = tpad_plan_init(&plan, sizeof plan, problem, error);
    const int cells = status == TPAD_OK && tpad_shown_is_cells(problem);
    shown->grid = cells && shown->rank == 2;
    shown->fill_axis = cells && words->fills ? words->fill_axis : -1;
    for (int32_t i = 0; status == TPAD_OK && i < shown->rank; i++) {
        shown_axis *axis = &shown->axes[i];
        if (axis->is_long)
            tell_runs(axis, &plan, i);
        else
            tell_cells(shown, &plan, i);
    }
    if (status == TPAD_OK && shown->grid) status = tell_grid(shown, error);
    if (status != TPAD_OK) return status;
    shown->fill = copy_of(words->fill ? words->fill : "0");
    shown->heading = copy_of(words->heading ? words->heading : "");
    shown->title = title_of(shown);
    int done = shown->fill && shown->heading && shown->title;
    if (done) shown->fill_label = text_width(shown->fill) <= WIDEST_FILL ? shown->fill : "K";
    if (done && cells) done = make_labels(shown, words->labels);
    if (done && shown->fill_axis >= 0) done = make_fills(shown, words->fills);
    if (!done) {
        *error = (tpad_error){.code = TPAD_E_MEMORY, .axis = -1};
        return TPAD_E_MEMORY;
    }
    note_kinds(shown);
    return TPAD_OK;
}

int32_t tpad_shown_make(tpad_shown **out, const tpad_problem *problem,
                        const tpad_shown_words *words, tpad_error *error)
{
    tpad_error unused;
    tpad_axis dense_axes[TPAD_MAX_RANK];
    tpad_problem dense = *problem;
    dense.flags = 0;
    dense.in_offset = dense.out_offset = 0;
    if (error == NULL) error = &unused;
    tpad_shown *shown = calloc(1, sizeof *shown);
    shown_axis *axes = calloc(TPAD_MAX_RANK, sizeof *axes);
    int32_t status = TPAD_E_MEMORY;
    *error = (tpad_error){.code = status, .axis = -1};
    if (shown && axes) {
        shown->axes = axes;
        shown->rank = problem->rank;
        status = tpad_shape(&dense, NULL, NULL, NULL, error);
        for (int32_t i = 0; status == TPAD_OK && i < dense.rank; i++) {
            dense_axes[i] = problem->axes[i];
            dense_axes[i].in_stride = dense_axes[i].out_stride = 0;
        }
        dense.axes = dense_axes;
        if (status == TPAD_OK) status = measure(shown, &dense, error);
        if (status == TPAD_OK) status = tell(shown, &dense, words, error);
    } else {
        free(axes);
    }
    if (status == TPAD_OK)
        *out = shown;
    else
        tpad_shown_free(shown);
    return status;
}

void tpad_shown_free(tpad_shown *shown)
{
    if (shown == NULL) return;
    free_texts(shown->labels, shown->elements);
    free_texts(shown->fills, shown->fill_count);
    free(shown->cells);
    free(shown->axes);
    free(shown->title);
    free(shown->heading);
    free(shown->fill);
    free(shown);
}
