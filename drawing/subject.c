/* Collects what a picture of a pad shows, by asking the engine.  SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shown.h"
#include "text_buffer.h"

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

/* The element whose own place this is; -1: none. */
static int64_t element_at(const shown_axis *axis, int64_t place)
{
    if (!shown_is_own(axis, place)) return -1;
    const int64_t at = place - axis->axis.before, step = axis->axis.interior + 1;
    return at % step == 0 ? at / step : -1;
}

/* The element of the axis that an output cell repeats, according to the plan; -1: fill. */
static int64_t source_of(const tpad_plan *plan, int32_t axis, int64_t cell)
{
    tpad_source pieces[2];
    if (tpad_plan_sources(plan, axis, cell, 1, pieces) != TPAD_OK || pieces[0].in_extent == 0)
        return -1;
    return pieces[0].in_first;
}

/* value: the index of the cell's fill, if it is fill. */
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

/* Pads the elements' numbers 1, 2, 3 ...: the output holds the number of the element that each cell
 * repeats, or 0 for fill. Returns a status; the caller frees *answers. */
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
        char name[NUMBER_BYTES] = {(char)('a' + i), 0};
        if (shown->has_numbers) snprintf(name, sizeof name, "%" PRId64, i);
        shown->labels[i] = copy_of(given ? given[i] : name);
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

/* Drops all fills if one does not fit into a cell. Returns 0 if there is no memory. */
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

/* Measures the axes. Returns a status. */
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

/* The runs of a long axis, found by asking the plan.
 *
 * tpad_plan_sources says which elements an interval of cells reads. A run lasts as long as the
 * interval reads what a run of its kind would: doubling and halving find its end, so axes may have
 * any extent. */

typedef struct asking {
    const tpad_plan *plan;
    int32_t axis;
    int64_t step; /* 1 + interior */
} asking;

static int64_t source_at(const asking *ask, int64_t cell)
{
    tpad_source pieces[2];
    tpad_plan_sources(ask->plan, ask->axis, cell, 1, pieces);
    return pieces[0].in_extent ? pieces[0].in_first : -1;
}

/* 1 if `count` cells from the run's first are of its kind. */
static int holds(const asking *ask, const shown_run *run, int64_t count)
{
    tpad_source pieces[2];
    tpad_plan_sources(ask->plan, ask->axis, run->first, count, pieces);
    if (run->kind == RUN_FILL) return pieces[0].in_extent == 0;
    if (run->kind == RUN_REPEAT) return pieces[0].in_extent == 1;
    const int64_t elements = (count - 1) / ask->step + 1;
    if (pieces[1].out_extent || pieces[0].in_extent != elements) return 0;
    return run->kind == RUN_COPY ? pieces[0].in_first == run->from
                                 : pieces[0].in_first + elements - 1 == run->from;
}

/* Finds the kind of the run at run->first and the element it starts from. Cells end at `end`. */
static void begin_run(const asking *ask, shown_run *run, int64_t end)
{
    const int64_t next = run->first + ask->step;
    run->from = source_at(ask, run->first);
    if (run->from < 0) {
        run->kind = RUN_FILL;
        return;
    }
    /* A repeated edge has no interior cells. With interior, two equal neighbours alone are a seam
     * of mode symmetric. */
    const int64_t near = run->first + (ask->step > 1 ? 2 : 1);
    if (near < end && source_at(ask, run->first + 1) == run->from &&
        source_at(ask, near) == run->from) {
        run->kind = RUN_REPEAT;
        return;
    }
    const int64_t after = next < end ? source_at(ask, next) : -1;
    run->kind = after >= 0 && after == run->from - 1 ? RUN_REVERSE : RUN_COPY;
}

/* The length of the run, at most `most` cells. */
static int64_t length_of(const asking *ask, const shown_run *run, int64_t most)
{
    int64_t good = 1, bad = most + 1;
    while (good < most && good < bad - 1) {
        const int64_t half = bad - good > good ? good : (bad - good) / 2;
        if (holds(ask, run, good + half))
            good += half;
        else
            bad = good + half;
    }
    return good;
}

static void measure_run(const asking *ask, shown_run *run, int64_t end)
{
    run->count = length_of(ask, run, end - run->first);
    const int64_t elements = (run->count - 1) / ask->step;
    const shown_run tail = {.kind = RUN_FILL, .first = run->first + elements * ask->step + 1};
    const int64_t after = run->first + run->count - tail.first;
    /* Interior cells after the last element belong to the run. */
    if (run->kind != RUN_FILL && run->kind != RUN_REPEAT && after > 0)
        run->count -= source_at(ask, tail.first) < 0 ? after - length_of(ask, &tail, after) : after;
    run->to = run->kind == RUN_COPY      ? run->from + elements
              : run->kind == RUN_REVERSE ? run->from - elements
                                         : run->from;
}

/* Adds the runs of cells [first, end). */
static void add_runs(shown_axis *axis, const asking *ask, int64_t first, int64_t end, int own)
{
    for (int told = 0; first < end; told++) {
        shown_run *run = &axis->runs[axis->run_count++];
        *run = (shown_run){.own = own, .first = first};
        if (told == SHOWN_RUNS) {
            run->kind = RUN_MORE;
            run->count = end - first;
            return;
        }
        begin_run(ask, run, end);
        measure_run(ask, run, end);
        first += run->count;
    }
}

void tell_runs(shown_axis *axis, const tpad_plan *plan, int32_t number)
{
    const asking ask = {plan, number, axis->axis.interior + 1};
    axis->run_count = 0;
    add_runs(axis, &ask, 0, axis->own_first, 0);
    add_runs(axis, &ask, axis->own_first, axis->own_end, 1);
    add_runs(axis, &ask, axis->own_end, axis->out, 0);
}

/* Texts about the pad. */

static int64_t in_extent(const shown_axis *axis)
{
    return axis->axis.in_extent;
}

static int64_t out_extent(const shown_axis *axis)
{
    return axis->out;
}

static int64_t begin_of(const shown_axis *axis)
{
    return axis->axis.before;
}

static int64_t end_of(const shown_axis *axis)
{
    return axis->axis.after;
}

static int64_t interior_of(const shown_axis *axis)
{
    return axis->axis.interior;
}

static void put_list(writing *out, const tpad_shown *shown, int64_t (*of)(const shown_axis *axis))
{
    for (int32_t i = 0; i < shown->rank; i++)
        write_format(out, "%s%" PRId64, i ? "," : "", of(&shown->axes[i]));
}

static void put_modes(writing *out, const tpad_shown *shown)
{
    int all = 1;
    for (int32_t i = 1; i < shown->rank; i++)
        if (shown->axes[i].axis.mode != shown->axes[0].axis.mode) all = shown->rank;
    for (int32_t i = 0; i < all && i < shown->rank; i++)
        write_format(out, "%s%s", i ? "," : "mode ", tpad_mode_name(shown->axes[i].axis.mode));
}

/* The order, if it matters: for an axis that is cropped and extended, but not with a constant. */
static const char *order_of(const tpad_shown *shown)
{
    for (int32_t i = 0; i < shown->rank; i++) {
        const tpad_axis *axis = &shown->axes[i].axis;
        const int crops = axis->before < 0 || axis->after < 0;
        const int extends = axis->before > 0 || axis->after > 0;
        if (crops && extends && axis->mode != TPAD_CONSTANT)
            return axis->order == TPAD_CROP ? ", order crop" : ", order window";
    }
    return "";
}

char *title_of(const tpad_shown *shown)
{
    writing out = {0};
    tpad_written text = {0};
    int interior = 0;
    for (int32_t i = 0; i < shown->rank; i++) interior |= shown->axes[i].axis.interior != 0;
    if (shown->rank > 0) {
        put_modes(&out, shown);
        write_text(&out, ", begin ");
        put_list(&out, shown, begin_of);
        write_text(&out, ", end ");
        put_list(&out, shown, end_of);
        if (interior) {
            write_text(&out, ", interior ");
            put_list(&out, shown, interior_of);
        }
        write_text(&out, order_of(shown));
        write_text(&out, ": ");
    }
    write_text(&out, "[");
    put_list(&out, shown, in_extent);
    write_text(&out, "] -> [");
    put_list(&out, shown, out_extent);
    write_text(&out, "]");
    return writing_end(&out, &text) == TPAD_OK ? text.bytes : NULL;
}

int shown_is_unchanged(const shown_axis *axis)
{
    return axis->axis.before == 0 && axis->axis.after == 0 && axis->axis.interior == 0;
}

shown_amount shown_amount_of(const shown_axis *axis, int side)
{
    const int64_t amount = side ? axis->axis.after : axis->axis.before;
    const int64_t own_first = axis->axis.before, own_end = own_first + axis->dilated;
    shown_amount said = {0, 0, ""};
    if (amount == 0 || axis->count == 0) return said;
    if (side == 0) {
        said.first = amount > 0 ? 0 : own_first;
        said.end = amount > 0 ? own_first : own_end < 0 ? own_end : 0;
    } else {
        said.first = amount > 0 ? own_end : own_first > axis->out ? own_first : axis->out;
        said.end = amount > 0 ? axis->out : own_end;
    }
    /* If more is cropped than there is, the two amounts overlap. */
    if (said.first < axis->first) said.first = axis->first;
    if (said.end > axis->first + axis->count) said.end = axis->first + axis->count;
    snprintf(said.text, sizeof said.text, "%s %" PRId64, side ? "end" : "begin", amount);
    return said;
}

void shown_run_words(const tpad_shown *shown, const shown_run *run, char words[RUN_BYTES])
{
    if (run->kind == RUN_FILL)
        snprintf(words, RUN_BYTES, "fill %.40s", shown->fill_label);
    else if (run->kind == RUN_MORE)
        snprintf(words, RUN_BYTES, "and so on");
    else if (run->from == run->to)
        snprintf(words, RUN_BYTES, "%s %" PRId64, run->kind == RUN_REPEAT ? "repeat" : "copy",
                 run->from);
    else
        snprintf(words, RUN_BYTES, "%s %" PRId64 "..%" PRId64,
                 run->kind == RUN_REVERSE ? "reverse" : "copy", run->from, run->to);
}

void shown_axis_words(const shown_axis *axis, int32_t number, char words[2 * RUN_BYTES])
{
    char interior[40] = "";
    const tpad_axis *of = &axis->axis;
    if (of->interior) snprintf(interior, sizeof interior, ", interior %" PRId64, of->interior);
    if (shown_is_unchanged(axis))
        snprintf(words, 2 * RUN_BYTES, "axis %d: %" PRId64 ", as it is", (int)number, axis->out);
    else
        snprintf(words, 2 * RUN_BYTES,
                 "axis %d: %" PRId64 " -> %" PRId64 ", begin %" PRId64 ", end %" PRId64 "%s, %s",
                 (int)number, of->in_extent, axis->out, of->before, of->after, interior,
                 tpad_mode_name(of->mode));
}
