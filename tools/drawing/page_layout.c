/* What the drawings of pads share.  SPDX-License-Identifier: MIT */
#include "page_layout.h"

#include <math.h>
#include <stdio.h>

double cell_width(const tpad_shown *shown)
{
    const int fill = (int)drawn_width(shown->fill_label, LABEL_SIZE, 0);
    double width = CELL, label = shown->widest * LABEL_SIZE * 0.6;
    if (!shown->labels) label = 2 * LABEL_SIZE * 0.6;
    return fmax(width, ceil(fmax(label, fill) + 8));
}

/* Strokes that tell fill and interior without colour. */
static void draw_marks(layout *at, double x, double y, const shown_cell *cell)
{
    const double w = at->wide, h = at->tall;
    if (cell->kind == CELL_FILL) {
        for (double k = 8; k < h; k += 8) {
            draw_line(at->to, x, y + k, x + k, y, INK_HATCH, 1);
            draw_line(at->to, x + w - k, y + h, x + w, y + h - k, INK_HATCH, 1);
        }
    }
    if (cell->kind == CELL_INTERIOR) {
        draw_line(at->to, x + 3, y + 4, x + 6, y + 4, INK_FAINT, 2);
        draw_line(at->to, x + w - 6, y + 4, x + w - 3, y + 4, INK_FAINT, 2);
        draw_line(at->to, x + 3, y + h - 4, x + 6, y + h - 4, INK_FAINT, 2);
        draw_line(at->to, x + w - 6, y + h - 4, x + w - 3, y + h - 4, INK_FAINT, 2);
    }
    if (cell->kind == CELL_CROPPED)
        draw_line(at->to, x + 5, y + h - 5, x + w - 5, y + 5, INK_GRID, 1);
}

static int ink_of(const shown_cell *cell, int tint)
{
    switch (cell->kind) {
    case CELL_INPUT:
        return INK_INPUT;
    case CELL_FILL:
        return INK_CONSTANT;
    case CELL_INTERIOR:
        return INK_INTERIOR;
    default:
        return tint;
    }
}

void draw_ground(layout *at, double x, double y, const shown_cell *cell, int tint, int other)
{
    if (cell->kind == CELL_NOTHING) return;
    if (cell->kind == CELL_CROPPED) {
        draw_dashed(at->to, x + 1.5, y + 1.5, at->wide - 3, at->tall - 3, INK_GRID);
    } else {
        draw_rect(at->to, x, y, at->wide, at->tall, ink_of(cell, tint), INK_GRID, 1);
        if (cell->kind == CELL_REPEATED && other != tint)
            draw_triangle(at->to, x + 0.5, y + at->tall - 0.5, x + at->wide - 0.5,
                          y + at->tall - 0.5, x + at->wide - 0.5, y + 0.5, other);
    }
    draw_marks(at, x, y, cell);
}

void draw_label(layout *at, double x, double y, const shown_cell *cell)
{
    char numbers[NUMBER_BYTES];
    const int faint = cell->kind == CELL_CROPPED;
    draw_text(at->to, x + at->wide / 2, y + CELL / 2.0 + LABEL_SIZE * 0.36, ANCHOR_MIDDLE,
              LABEL_SIZE, faint ? INK_FAINT : INK_TEXT, cell->kind == CELL_INPUT,
              shown_label(at->shown, cell, numbers));
}

void draw_cell(layout *at, double x, double y, const shown_cell *cell, int tint)
{
    draw_ground(at, x, y, cell, tint, tint);
    draw_label(at, x, y, cell);
    at->right = fmax(at->right, x + at->wide);
}

void draw_frame(layout *at, double x, double y, double width, double height)
{
    draw_rect(at->to, x, y, width, height, INK_NONE, INK_TEXT, 2.5);
}

void draw_bracket(layout *at, double from, double to, double y, int side, int below,
                  const char *words)
{
    const double tick = below ? -4 : 4, words_wide = drawn_width(words, SMALL_SIZE, 0);
    draw_line(at->to, from + 1, y + tick, from + 1, y, INK_FAINT, 1);
    draw_line(at->to, from + 1, y, to - 1, y, INK_FAINT, 1);
    draw_line(at->to, to - 1, y, to - 1, y + tick, INK_FAINT, 1);
    /* Words that are longer than the bracket keep away from those of the other side. */
    const int anchor = words_wide <= to - from ? ANCHOR_MIDDLE : side ? ANCHOR_START : ANCHOR_END;
    const double x = anchor == ANCHOR_MIDDLE ? (from + to) / 2 : side ? from + 2 : to - 2;
    draw_text(at->to, x, below ? y + 13 : y - 5, anchor, SMALL_SIZE, INK_FAINT, 0, words);
    if (anchor == ANCHOR_START) at->right = fmax(at->right, x + words_wide);
}

void draw_title(layout *at)
{
    const tpad_shown *shown = at->shown;
    draw_text(at->to, MARGIN, 27, ANCHOR_START, TITLE_SIZE, INK_TEXT, 1, shown->title);
    draw_text(at->to, MARGIN, 46, ANCHOR_START, SMALL_SIZE, INK_FAINT, 0, shown->heading);
    at->right = fmax(at->right, MARGIN + drawn_width(shown->title, TITLE_SIZE, 1));
    at->right = fmax(at->right, MARGIN + drawn_width(shown->heading, SMALL_SIZE, 0));
}

/* ---- The legend ------------------------------------------------------------------------------ */

typedef struct place {
    double x, y;
} place;

static void draw_entry(layout *at, place *next, const shown_cell *cell, int tint, const char *words)
{
    layout small = *at;
    const double words_wide = drawn_width(words, SMALL_SIZE, 0);
    small.wide = small.tall = 18;
    if (next->x > MARGIN && next->x + 24 + words_wide > fmax(at->right, 420)) {
        next->x = MARGIN;
        next->y += 24;
    }
    draw_ground(&small, next->x, next->y, cell, tint, tint);
    if (cell->kind == CELL_INPUT) draw_frame(&small, next->x, next->y, small.wide, small.tall);
    draw_text(at->to, next->x + 24, next->y + 13, ANCHOR_START, SMALL_SIZE, INK_TEXT, 0, words);
    at->right = fmax(at->right, next->x + 24 + words_wide);
    next->x += 24 + words_wide + 14;
}

/* 1 if some cell is repeated by an axis of that mode. Where axes are drawn one by one, each repeats
 * its own; in a grid, an axis repeats what lies beyond its end. */
static int has_mode(const tpad_shown *shown, int32_t mode)
{
    for (int32_t i = 0; i < shown->rank; i++) {
        const shown_axis *axis = &shown->axes[i];
        if (axis->axis.mode == mode && mode != TPAD_CONSTANT &&
            (axis->own_first > 0 || axis->own_end < axis->out))
            return 1;
    }
    return 0;
}

double draw_legend(layout *at, double y)
{
    const tpad_shown *shown = at->shown;
    place next = {MARGIN, y};
    char words[64];
    const shown_cell input = {CELL_INPUT, -1}, repeated = {CELL_REPEATED, -1},
                     fill = {CELL_FILL, -1}, interior = {CELL_INTERIOR, -1},
                     cropped = {CELL_CROPPED, -1};
    if (shown->has[CELL_INPUT]) draw_entry(at, &next, &input, 0, "the input in its place");
    for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++)
        if (shown->has[CELL_REPEATED] && has_mode(shown, mode)) {
            snprintf(words, sizeof words, "repeated: %s", tpad_mode_name(mode));
            draw_entry(at, &next, &repeated, ink_of_mode(mode), words);
        }
    if (shown->has[CELL_FILL]) {
        snprintf(words, sizeof words, "fill, %.40s%s",
                 shown->fill == shown->fill_label || shown->fills ? "" : "K = ", shown->fill);
        draw_entry(at, &next, &fill, 0, words);
    }
    if (shown->has[CELL_INTERIOR]) {
        snprintf(words, sizeof words, "interior, %.40s", shown->fill);
        draw_entry(at, &next, &interior, 0, words);
    }
    if (shown->has[CELL_CROPPED]) draw_entry(at, &next, &cropped, 0, "cropped");
    return next.x > MARGIN ? next.y + 18 : y;
}
