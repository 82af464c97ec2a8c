/* Shows a pad as text for a terminal.  SPDX-License-Identifier: MIT
 *
 * Each place is a label between two columns. A frame of | and - surrounds the input's own region,
 * (a) is cropped, . is interior, and # is fill where labels are numbers. Colours repeat this. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "shown.h"
#include "text_buffer.h"

typedef struct page {
    writing out;
    const tpad_shown *shown;
    int colours;
    int width; /* of labels */
} page;

/* ---- Colours --------------------------------------------------------------------------------- */

/* Backgrounds for black text, among the 256 colours. */
static int tint_of_mode(int32_t mode)
{
    static const int tints[] = {[TPAD_CONSTANT] = 252,
                                [TPAD_EDGE] = 222,
                                [TPAD_REFLECT] = 153,
                                [TPAD_SYMMETRIC] = 151,
                                [TPAD_WRAP] = 218};
    return mode >= 0 && mode < (int32_t)(sizeof tints / sizeof tints[0]) ? tints[mode]
                                                                         : tints[TPAD_CONSTANT];
}

static void begin_colour(page *to, const shown_cell *cell, int32_t mode)
{
    if (!to->colours) return;
    if (cell->kind == CELL_INPUT) write_text(&to->out, "\x1b[1m");
    if (cell->kind == CELL_CROPPED) write_text(&to->out, "\x1b[2;9m");
    if (cell->kind == CELL_INTERIOR) write_text(&to->out, "\x1b[38;5;16;48;5;229m");
    if (cell->kind == CELL_FILL)
        write_format(&to->out, "\x1b[38;5;16;48;5;%dm", tint_of_mode(TPAD_CONSTANT));
    if (cell->kind == CELL_REPEATED)
        write_format(&to->out, "\x1b[38;5;16;48;5;%dm", tint_of_mode(mode));
}

static void end_colour(page *to, const shown_cell *cell)
{
    if (to->colours && cell->kind != CELL_NOTHING) write_text(&to->out, "\x1b[0m");
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* 1 if fill is shown as #, because its value could be taken for an element. */
static int has_sharp(const tpad_shown *shown)
{
    return shown->has_numbers || shown->labels == NULL;
}

static const char *fill_mark(const tpad_shown *shown)
{
    return has_sharp(shown) ? "#" : shown->fill_label;
}

/* The text of a cell. */
static const char *mark_of(const page *to, const shown_cell *cell, char numbers[NUMBER_BYTES])
{
    if (cell->kind == CELL_INTERIOR) return ".";
    if (cell->kind == CELL_FILL && has_sharp(to->shown)) return "#";
    return shown_label(to->shown, cell, numbers);
}

/* The label, right-aligned, between two columns. mode: of the axis that repeats it. */
static void put_cell(page *to, const shown_cell *cell, int32_t mode)
{
    char numbers[NUMBER_BYTES];
    const char *mark = mark_of(to, cell, numbers);
    const int cropped = cell->kind == CELL_CROPPED && *mark;
    const int blanks = to->width - text_width(mark);
    begin_colour(to, cell, mode);
    write_repeated(&to->out, ' ', blanks);
    write_text(&to->out, cropped ? "(" : " ");
    write_text(&to->out, mark);
    write_text(&to->out, cropped ? ")" : " ");
    end_colour(to, cell);
}

/* Writes `frame` between place - 1 and place if the frame runs there, `other` if not. */
static void put_border(page *to, const shown_axis *axis, int64_t place, char frame, char other)
{
    const int is_border =
        axis->own_first < axis->own_end && (place == axis->own_first || place == axis->own_end);
    write_bytes(&to->out, is_border ? &frame : &other, 1);
}

/* Removes the blanks at the end of the line, and ends it. */
static void end_line(page *to)
{
    writing *out = &to->out;
    while (out->length > 0 && out->text[out->length - 1] == ' ') out->length--;
    write_text(out, "\n");
}

static int64_t end_of(const shown_axis *axis)
{
    return axis->first + axis->count;
}

/* The amounts above the columns. */
static void put_amounts(page *to, const shown_axis *axis, int indent)
{
    char line[TPAD_SHOWN_CELLS * (NUMBER_BYTES + 3)];
    const int each = to->width + 3;
    int used = 0;
    for (int side = 0; side < 2; side++) {
        const shown_amount said = shown_amount_of(axis, side);
        if (said.first >= said.end) continue;
        const int at = (int)(said.first - axis->first) * each + 2;
        if (used == 0) write_repeated(&to->out, ' ', indent);
        if (used > 0) line[used++] = ' ';
        while (used < at) line[used++] = ' ';
        used += snprintf(line + used, sizeof line - (size_t)used, "%s", said.text);
    }
    if (used == 0) return;
    write_bytes(&to->out, line, (size_t)used);
    end_line(to);
}

/* ---- Two axes -------------------------------------------------------------------------------- */

enum { INDENT = 10 };

/* The mode that decides a cell: the columns' outside the input's own columns, else the rows'. */
static int32_t mode_of(const shown_axis *axes, int64_t column)
{
    return axes[shown_is_own(&axes[1], column) ? 0 : 1].axis.mode;
}

static void put_rule(page *to, const shown_axis *axis)
{
    write_repeated(&to->out, ' ', INDENT);
    for (int64_t place = axis->first; place <= end_of(axis); place++) {
        const int inside = place >= axis->own_first && place < axis->own_end;
        put_border(to, axis, place, '+', inside ? '-' : ' ');
        if (place < end_of(axis)) write_repeated(&to->out, inside ? '-' : ' ', to->width + 2);
    }
    end_line(to);
}

/* The amount beside a row, in the middle of the interval that it describes; "" for other rows. */
static const char *amount_beside(const shown_amount said[2], int64_t row)
{
    for (int side = 0; side < 2; side++)
        if (said[side].first < said[side].end && row == (said[side].first + said[side].end - 1) / 2)
            return said[side].text;
    return "";
}

static void put_grid(page *to)
{
    const shown_axis *rows = &to->shown->axes[0], *columns = &to->shown->axes[1];
    const shown_amount said[2] = {shown_amount_of(rows, 0), shown_amount_of(rows, 1)};
    const int framed = columns->own_first < columns->own_end && rows->own_first < rows->own_end;
    const shown_cell *cell = to->shown->cells;
    put_amounts(to, columns, INDENT);
    for (int64_t i = rows->first; i <= end_of(rows); i++) {
        if (framed && (i == rows->own_first || i == rows->own_end)) put_rule(to, columns);
        if (i == end_of(rows)) break;
        const char *amount = amount_beside(said, i);
        const int in_rows = i >= rows->own_first && i < rows->own_end;
        write_text(&to->out, amount);
        write_repeated(&to->out, ' ', INDENT - text_width(amount));
        for (int64_t j = columns->first; j <= end_of(columns); j++) {
            put_border(to, columns, j, framed && in_rows ? '|' : ' ', ' ');
            if (j < end_of(columns)) put_cell(to, cell++, mode_of(to->shown->axes, j));
        }
        end_line(to);
    }
}

/* ---- One axis -------------------------------------------------------------------------------- */

static void put_input(page *to, const shown_axis *axis)
{
    write_text(&to->out, "input     ");
    for (int64_t place = axis->first; place < end_of(axis); place++) {
        const shown_cell *cell = &axis->cells[place - axis->first];
        const shown_cell none = {CELL_NOTHING, -1};
        const int is_element = cell->kind == CELL_INPUT || cell->kind == CELL_CROPPED;
        put_border(to, axis, place, ' ', ' ');
        put_cell(to, is_element ? cell : &none, 0);
    }
    end_line(to);
}

static void put_output(page *to, const shown_axis *axis)
{
    write_text(&to->out, "output    ");
    for (int64_t place = axis->first; place <= end_of(axis); place++) {
        const shown_cell none = {CELL_NOTHING, -1};
        put_border(to, axis, place, '|', ' ');
        if (place == end_of(axis)) break;
        const shown_cell *cell = &axis->cells[place - axis->first];
        put_cell(to, cell->kind == CELL_CROPPED ? &none : cell, axis->axis.mode);
    }
    end_line(to);
}

static void put_runs(page *to, const shown_axis *axis)
{
    for (int i = 0; i < axis->run_count; i++) {
        const shown_run *run = &axis->runs[i];
        char cells[64], words[RUN_BYTES];
        snprintf(cells, sizeof cells, "%" PRId64 "..%" PRId64, run->first,
                 run->first + run->count - 1);
        shown_run_words(to->shown, run, words);
        write_format(&to->out, "  output %-21s %s%s\n", cells, words,
                     run->own ? "   the input in its place" : "");
    }
    for (int side = 0; side < 2; side++) {
        const int64_t amount = side ? axis->axis.after : axis->axis.before;
        if (amount < 0)
            write_format(&to->out, "  cropped at the %s: %" PRId64 "\n", side ? "end" : "begin",
                         -amount);
    }
}

static void put_axis(page *to, int32_t number)
{
    const shown_axis *axis = &to->shown->axes[number];
    const int alone = to->shown->rank == 1;
    if (!alone || axis->is_long) {
        char words[2 * RUN_BYTES];
        shown_axis_words(axis, number, words);
        write_format(&to->out, "%s\n", words);
    }
    if (!alone && shown_is_unchanged(axis)) return;
    if (axis->is_long) {
        put_runs(to, axis);
        return;
    }
    put_amounts(to, axis, INDENT);
    put_input(to, axis);
    put_output(to, axis);
}

/* ---- The page -------------------------------------------------------------------------------- */

static void put_legend(page *to)
{
    const tpad_shown *shown = to->shown;
    const char *fill = shown->fill, *mark = fill_mark(shown);
    const char *between = "\n";
    const int says_itself = strcmp(mark, fill) == 0 || (shown->fills && !has_sharp(shown));
    if (shown->has[CELL_INPUT] & HAS_CELL) {
        write_format(&to->out, "%s|a| the input in its place", between);
        between = "; ";
    }
    if (shown->has[CELL_CROPPED]) {
        write_format(&to->out, "%s(a) cropped", between);
        between = "; ";
    }
    if (shown->has[CELL_FILL] & HAS_CELL && !says_itself) {
        write_format(&to->out, "%s%s fill, %s", between, mark, fill);
        between = "; ";
    }
    if (shown->has[CELL_FILL] & HAS_RUN && shown->fill_label != fill) {
        write_format(&to->out, "%sfill %s is %s", between, shown->fill_label, fill);
        between = "; ";
    }
    if (shown->has[CELL_INTERIOR]) write_format(&to->out, "%s. interior, %s", between, fill);
    if (to->out.length && to->out.text && to->out.text[to->out.length - 1] != '\n')
        write_text(&to->out, "\n");
}

static int widest(const tpad_shown *shown)
{
    int width = shown->labels ? shown->widest : 1;
    for (int32_t i = 0; i < shown->rank && !shown->labels; i++) {
        char number[NUMBER_BYTES];
        const shown_axis *axis = &shown->axes[i];
        const int length = snprintf(number, sizeof number, "%" PRId64, axis->axis.in_extent - 1);
        if (!axis->is_long && length > width) width = length;
    }
    const int fill = text_width(fill_mark(shown));
    return shown->has[CELL_FILL] & HAS_CELL && fill > width ? fill : width;
}

int32_t tpad_shown_text(const tpad_shown *shown, int colours, tpad_written *written)
{
    page to = {.shown = shown, .colours = colours, .width = widest(shown)};
    if (*shown->heading) write_format(&to.out, "%s\n", shown->heading);
    write_format(&to.out, "%s%s%s\n", colours ? "\x1b[1m" : "", shown->title,
                 colours ? "\x1b[0m" : "");
    if (shown->grid) {
        write_text(&to.out, "\n");
        put_grid(&to);
    } else {
        for (int32_t i = 0; i < shown->rank; i++) {
            write_text(&to.out, "\n");
            put_axis(&to, i);
        }
    }
    put_legend(&to);
    return writing_end(&to.out, written);
}
