/* Draws a pad.  SPDX-License-Identifier: MIT
 *
 * Two axes are a grid; otherwise each axis has a row of input above a row of output, and curves
 * lead from each element to the cells beyond the input that repeat it. A long axis is a bar of
 * runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "text_buffer.h"

/* GAP: between the rows of input and output, for the curves. BESIDE: for text at the left. */
enum { GAP = 34, BESIDE = 72, ABOVE = 26, BETWEEN = 22, BAR_WIDTH = 640, SEGMENT = 84 };

static double x_of(const layout *at, const shown_axis *axis, int64_t place)
{
    return at->left + (double)(place - axis->first) * at->wide;
}

static double y_of(const layout *at, const shown_axis *axis, int64_t place)
{
    return at->top + (double)(place - axis->first) * CELL;
}

static int64_t end_of(const shown_axis *axis)
{
    return axis->first + axis->count;
}

static void put_brackets(layout *at, const shown_axis *axis, double y, int below)
{
    for (int side = 0; side < 2; side++) {
        const shown_amount said = shown_amount_of(axis, side);
        if (said.first < said.end)
            draw_bracket(at, x_of(at, axis, said.first), x_of(at, axis, said.end), y, side, below,
                         said.text);
    }
}

/* ---- Two axes -------------------------------------------------------------------------------- */

/* The amounts to the left of the rows. */
static void put_side(layout *at, const shown_axis *rows)
{
    const double x = at->left - 6;
    for (int side = 0; side < 2; side++) {
        const shown_amount said = shown_amount_of(rows, side);
        if (said.first >= said.end) continue;
        const double from = y_of(at, rows, said.first), to = y_of(at, rows, said.end);
        draw_line(at->to, x + 4, from + 1, x, from + 1, INK_FAINT, 1);
        draw_line(at->to, x, from + 1, x, to - 1, INK_FAINT, 1);
        draw_line(at->to, x, to - 1, x + 4, to - 1, INK_FAINT, 1);
        draw_text(at->to, x - 5, (from + to) / 2 + 4, ANCHOR_END, SMALL_SIZE, INK_FAINT, 0,
                  said.text);
    }
}

static void put_grid_cell(layout *at, int64_t row, int64_t column, const shown_cell *cell)
{
    const shown_axis *rows = &at->shown->axes[0], *columns = &at->shown->axes[1];
    const double x = x_of(at, columns, column), y = y_of(at, rows, row);
    const int by_row = !shown_is_own(rows, row), by_column = !shown_is_own(columns, column);
    const int above = ink_of_mode(by_row ? rows->axis.mode : columns->axis.mode);
    const int below = ink_of_mode(by_column ? columns->axis.mode : rows->axis.mode);
    draw_ground(at, x, y, cell, above, below);
    draw_label(at, x, y, cell);
}

static double put_grid(layout *at)
{
    const shown_axis *rows = &at->shown->axes[0], *columns = &at->shown->axes[1];
    const shown_cell *cell = at->shown->cells;
    at->left = MARGIN + (rows->axis.before || rows->axis.after ? BESIDE : 0);
    at->top += columns->axis.before || columns->axis.after ? ABOVE : 0;
    at->right = fmax(at->right, x_of(at, columns, end_of(columns)));
    for (int64_t i = rows->first; i < end_of(rows); i++)
        for (int64_t j = columns->first; j < end_of(columns); j++) put_grid_cell(at, i, j, cell++);
    if (rows->own_first < rows->own_end && columns->own_first < columns->own_end)
        draw_frame(at, x_of(at, columns, columns->own_first), y_of(at, rows, rows->own_first),
                   (double)(columns->own_end - columns->own_first) * at->wide,
                   (double)(rows->own_end - rows->own_first) * CELL);
    put_brackets(at, columns, at->top - 6, 0);
    put_side(at, rows);
    return y_of(at, rows, end_of(rows));
}

/* ---- One axis, cell by cell ------------------------------------------------------------------ */

/* From each element to the cells beyond the input that repeat it. */
static void put_curves(layout *at, const shown_axis *axis, double from, double to)
{
    for (int64_t i = 0; i < axis->count; i++) {
        const shown_cell *cell = &axis->cells[i];
        if (cell->kind != CELL_REPEATED) continue;
        const int64_t place = axis->axis.before + cell->element * (axis->axis.interior + 1);
        draw_curve(at->to, x_of(at, axis, place) + at->wide / 2, from,
                   x_of(at, axis, axis->first + i) + at->wide / 2, to, INK_GRID, 1);
    }
}

static double put_strip(layout *at, const shown_axis *axis, double y)
{
    const int changed = axis->axis.before || axis->axis.after;
    const double text_y = y + CELL / 2.0 + 4;
    int curves = 0;
    if (changed) y += ABOVE;
    for (int64_t i = 0; i < axis->count; i++) curves |= axis->cells[i].kind == CELL_REPEATED;
    const double below = y + CELL + (curves ? GAP : 10);
    if (changed) put_brackets(at, axis, y - 6, 0);
    draw_text(at->to, at->left - 10, text_y + (changed ? ABOVE : 0), ANCHOR_END, SMALL_SIZE,
              INK_FAINT, 0, "input");
    draw_text(at->to, at->left - 10, below + CELL / 2.0 + 4, ANCHOR_END, SMALL_SIZE, INK_FAINT, 0,
              "output");
    if (curves) put_curves(at, axis, y + CELL, below);
    for (int64_t i = 0; i < axis->count; i++) {
        const shown_cell *cell = &axis->cells[i];
        const double x = x_of(at, axis, axis->first + i);
        if (cell->kind == CELL_INPUT || cell->kind == CELL_CROPPED) draw_cell(at, x, y, cell, 0);
        if (cell->kind != CELL_CROPPED) draw_cell(at, x, below, cell, ink_of_mode(axis->axis.mode));
    }
    if (axis->own_first < axis->own_end)
        draw_frame(at, x_of(at, axis, axis->own_first), below,
                   (double)(axis->own_end - axis->own_first) * at->wide, CELL);
    at->right = fmax(at->right, x_of(at, axis, end_of(axis)));
    return below + CELL;
}

/* ---- One axis, by its runs ------------------------------------------------------------------- */

/* A segment is as wide as its text; the widest run takes the rest of the bar. */
static void measure_segments(const tpad_shown *shown, const shown_axis *axis,
                             double widths[SHOWN_ALL_RUNS])
{
    double all = 0;
    int longest = 0;
    for (int i = 0; i < axis->run_count; i++) {
        char words[RUN_BYTES];
        shown_run_words(shown, &axis->runs[i], words);
        widths[i] = fmax(SEGMENT, drawn_width(words, SMALL_SIZE, 0) + 14);
        all += widths[i];
        if (axis->runs[i].count > axis->runs[longest].count) longest = i;
    }
    if (axis->run_count && all < BAR_WIDTH) widths[longest] += BAR_WIDTH - all;
}

static double put_bar(layout *at, const shown_axis *axis, double y)
{
    double widths[SHOWN_ALL_RUNS], x = at->left, own_from = HUGE_VAL, own_to = 0;
    measure_segments(at->shown, axis, widths);
    draw_text(at->to, at->left - 10, y + CELL / 2.0 + 4, ANCHOR_END, SMALL_SIZE, INK_FAINT, 0,
              "output");
    for (int i = 0; i < axis->run_count; i++) {
        const shown_run *run = &axis->runs[i];
        const shown_cell looks = {run->own                ? CELL_INPUT
                                  : run->kind == RUN_FILL ? CELL_FILL
                                                          : CELL_REPEATED,
                                  -1};
        layout segment = *at;
        writing cells = {0};
        tpad_written text = {0};
        char words[RUN_BYTES];
        segment.wide = widths[i];
        shown_run_words(at->shown, run, words);
        write_format(&cells, "%lld..%lld", (long long)run->first,
                     (long long)(run->first + run->count - 1));
        draw_ground(&segment, x, y, &looks, ink_of_mode(axis->axis.mode),
                    ink_of_mode(axis->axis.mode));
        if (run->own) {
            own_from = fmin(own_from, x);
            own_to = x + widths[i];
        }
        draw_text(at->to, x + widths[i] / 2, y + CELL / 2.0 + 4, ANCHOR_MIDDLE, SMALL_SIZE,
                  INK_TEXT, run->own, words);
        if (writing_end(&cells, &text) == TPAD_OK)
            draw_text(at->to, x + widths[i] / 2, y + CELL + 15, ANCHOR_MIDDLE, 11, INK_FAINT, 0,
                      text.bytes);
        else if (at->to)
            at->to->failed = 1;
        free(text.bytes);
        x += widths[i];
    }
    if (own_from < own_to) draw_frame(at, own_from, y, own_to - own_from, CELL);
    at->right = fmax(at->right, x);
    return y + CELL + 18;
}

static double put_axis(layout *at, int32_t number, double y)
{
    const shown_axis *axis = &at->shown->axes[number];
    if (at->shown->rank > 1 || axis->is_long) {
        char words[2 * RUN_BYTES];
        shown_axis_words(axis, number, words);
        draw_text(at->to, MARGIN, y + 12, ANCHOR_START, SMALL_SIZE, INK_TEXT, 1, words);
        at->right = fmax(at->right, MARGIN + drawn_width(words, SMALL_SIZE, 1));
        y += 22;
    }
    if (at->shown->rank > 1 && shown_is_unchanged(axis)) return y - 10;
    return axis->is_long ? put_bar(at, axis, y) : put_strip(at, axis, y);
}

/* ---- The page -------------------------------------------------------------------------------- */

/* For readers who cannot see the picture: the labels of the output, row by row. */
static void describe_grid(writing *out, const tpad_shown *shown)
{
    const shown_axis *rows = &shown->axes[0], *columns = &shown->axes[1];
    write_text(out, "Rows of the output:");
    for (int64_t i = 0; i < rows->out; i++) {
        const shown_cell *cell = shown->cells + (i - rows->first) * columns->count - columns->first;
        for (int64_t j = 0; j < columns->out; j++) {
            char numbers[NUMBER_BYTES];
            write_format(out, " %s", shown_label(shown, &cell[j], numbers));
        }
        write_text(out, i + 1 < rows->out ? ";" : ".");
    }
}

static void describe_axis(writing *out, const tpad_shown *shown, int32_t number)
{
    const shown_axis *axis = &shown->axes[number];
    write_format(out, "%sOutput along axis %d:", number ? " " : "", (int)number);
    for (int64_t i = 0; !axis->is_long && i < axis->out; i++) {
        char numbers[NUMBER_BYTES];
        write_format(out, " %s", shown_label(shown, &axis->cells[i - axis->first], numbers));
    }
    for (int i = 0; axis->is_long && i < axis->run_count; i++) {
        char words[RUN_BYTES];
        shown_run_words(shown, &axis->runs[i], words);
        write_format(out, "%s %s", i ? "," : "", words);
    }
    write_text(out, ".");
}

static tpad_drawing *new_page(const tpad_shown *shown)
{
    writing out = {0};
    tpad_written text = {0};
    if (shown->grid) describe_grid(&out, shown);
    for (int32_t i = 0; !shown->grid && i < shown->rank; i++) describe_axis(&out, shown, i);
    if (writing_end(&out, &text) != TPAD_OK) return NULL;
    tpad_drawing *page = drawing_new(shown->title, text.bytes);
    free(text.bytes);
    return page;
}

int32_t tpad_shown_draw(const tpad_shown *shown, tpad_drawing **drawing)
{
    layout at = {.to = new_page(shown), .shown = shown, .wide = cell_width(shown), .tall = CELL};
    at.left = MARGIN + BESIDE - 16;
    at.top = *shown->heading ? HEAD : HEAD - 18;
    draw_title(&at);
    double y = at.top;
    if (shown->grid) {
        y = put_grid(&at);
    } else {
        for (int32_t i = 0; i < shown->rank; i++) y = put_axis(&at, i, y + (i ? BETWEEN : 0));
    }
    y = draw_legend(&at, y + 18);
    return drawing_end(at.to, ceil(at.right + MARGIN), ceil(y + MARGIN), drawing);
}
