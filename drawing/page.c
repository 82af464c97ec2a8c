/* A drawing: shapes and text on a page.  SPDX-License-Identifier: MIT */
#include "page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text_buffer.h"

static const struct {
    const char *word;
    uint32_t light, dark;
} inks[] = {
#define INK_ENTRY(name, word, light, dark) {word, light, dark},
    INK_MAP(INK_ENTRY)
#undef INK_ENTRY
};

/* 0xRRGGBB. */
static uint32_t ink_light(int ink)
{
    return inks[ink].light;
}

static uint32_t ink_dark(int ink)
{
    return inks[ink].dark;
}

static const char *ink_word(int ink)
{
    return inks[ink].word;
}

int ink_of_mode(int32_t mode)
{
    const int ink = INK_CONSTANT + (int)mode;
    return ink <= INK_WRAP ? ink : INK_CONSTANT;
}

/* Keeps the text and returns its place; 0, which is an empty text, without memory. */
static size_t keep_text(tpad_drawing *to, const char *text)
{
    const size_t bytes = strlen(text) + 1, at = to->texts_length;
    if (at + bytes > to->texts_room) {
        const size_t room = 2 * (at + bytes);
        char *texts = realloc(to->texts, room);
        if (texts == NULL) {
            to->failed = 1;
            return 0;
        }
        to->texts = texts;
        to->texts_room = room;
    }
    memcpy(to->texts + at, text, bytes);
    to->texts_length += bytes;
    return at;
}

tpad_drawing *drawing_new(const char *title, const char *description)
{
    tpad_drawing *drawing = calloc(1, sizeof *drawing);
    if (drawing == NULL) return NULL;
    keep_text(drawing, "");
    drawing->title = keep_text(drawing, title);
    drawing->description = keep_text(drawing, description);
    return drawing;
}

void tpad_drawing_free(tpad_drawing *drawing)
{
    if (drawing == NULL) return;
    free(drawing->shapes);
    free(drawing->texts);
    free(drawing);
}

int32_t drawing_end(tpad_drawing *drawing, double width, double height, tpad_drawing **out)
{
    if (drawing == NULL) return TPAD_E_MEMORY;
    if (drawing->failed) {
        tpad_drawing_free(drawing);
        return TPAD_E_MEMORY;
    }
    drawing->width = width;
    drawing->height = height;
    *out = drawing;
    return TPAD_OK;
}

static void add(tpad_drawing *to, const shape *s)
{
    if (to == NULL || to->failed) return;
    if (to->count == to->room) {
        const size_t room = to->room ? 2 * to->room : 64;
        shape *shapes = realloc(to->shapes, room * sizeof *shapes);
        if (shapes == NULL) {
            to->failed = 1;
            return;
        }
        to->shapes = shapes;
        to->room = room;
    }
    to->shapes[to->count++] = *s;
}

void draw_rect(tpad_drawing *to, double x, double y, double width, double height, int fill,
               int stroke, double line)
{
    add(to,
        &(shape){SHAPE_RECT, x, y, width, height, .fill = fill, .stroke = stroke, .line = line});
}

void draw_dashed(tpad_drawing *to, double x, double y, double width, double height, int stroke)
{
    add(to, &(shape){SHAPE_RECT, x, y, width, height, .stroke = stroke, .line = 1, .dashed = 1});
}

static void draw_stroke(tpad_drawing *to, int kind, double x, double y, double x2, double y2,
                        int stroke, double line)
{
    add(to, &(shape){kind, x, y, x2, y2, .stroke = stroke, .line = line});
}

void draw_line(tpad_drawing *to, double x, double y, double x2, double y2, int stroke, double line)
{
    draw_stroke(to, SHAPE_LINE, x, y, x2, y2, stroke, line);
}

void draw_curve(tpad_drawing *to, double x, double y, double x2, double y2, int stroke, double line)
{
    draw_stroke(to, SHAPE_CURVE, x, y, x2, y2, stroke, line);
}

void draw_triangle(tpad_drawing *to, double x, double y, double x2, double y2, double x3, double y3,
                   int fill)
{
    add(to, &(shape){SHAPE_TRIANGLE, x, y, x2, y2, x3, y3, .fill = fill});
}

void draw_text(tpad_drawing *to, double x, double y, int anchor, double size, int ink, int strong,
               const char *text)
{
    if (to == NULL || *text == 0) return;
    add(to, &(shape){SHAPE_TEXT, x, y, .fill = ink, .anchor = anchor, .strong = strong,
                     .size = size, .text = keep_text(to, text)});
}

double drawn_width(const char *text, double size, int strong)
{
    return text_width(text) * size * (strong ? 0.65 : 0.58);
}

static const char *drawn_text(const tpad_drawing *drawing, size_t text)
{
    return drawing->texts + text;
}

/* Parts that the drawings of pads share. */

double cell_width(const tpad_shown *shown)
{
    const int fill = (int)drawn_width(shown->fill_label, LABEL_SIZE, 0);
    double width = CELL, label = shown->widest * LABEL_SIZE * 0.6;
    if (!shown->labels) label = 2 * LABEL_SIZE * 0.6;
    return fmax(width, ceil(fmax(label, fill) + 8));
}

/* Strokes that mark fill and interior without colour. */
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
    /* Text longer than its bracket extends away from the other side's. */
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

/* 1 if an axis of that mode repeats a cell. Axes that are drawn one by one repeat their own cells;
 * in a grid, an axis repeats cells beyond its ends. */
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

/* A drawing as SVG 1.1.
 *
 * It has no scripts, and is small: shapes of one kind share their attributes. The page has its own
 * background, and dark colours for readers who prefer them. Class names begin with tp-, because a
 * web page may hold several pictures. */

/* Tenths of a pixel. No %f: its decimal point depends on the process's locale. */
static void put_number(writing *out, double value)
{
    const long tenths = lround(value * 10);
    const long whole = tenths / 10, rest = labs(tenths % 10);
    write_format(out, "%s%ld", tenths < 0 && whole == 0 ? "-" : "", whole);
    if (rest) write_format(out, ".%ld", rest);
}

/* Writes `before` and a number. */
static void put_after(writing *out, const char *before, double value)
{
    write_text(out, before);
    put_number(out, value);
}

static void put_attribute(writing *out, const char *name, double value)
{
    write_format(out, " %s=\"", name);
    put_number(out, value);
    write_text(out, "\"");
}

/* Text in XML. Control characters, which XML does not allow, become question marks. */
static void put_text(writing *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            write_text(out, "&amp;");
        else if (*text == '<')
            write_text(out, "&lt;");
        else if (*text == '>')
            write_text(out, "&gt;");
        else
            write_bytes(out, (unsigned char)*text < ' ' ? "?" : text, 1);
    }
}

static void put_style(writing *out, const tpad_drawing *drawing)
{
    int used[INK_COUNT] = {0};
    for (size_t i = 0; i < drawing->count; i++) {
        used[drawing->shapes[i].fill] = 1;
        used[drawing->shapes[i].stroke] = 1;
    }
    used[INK_PAGE] = 1;
    write_text(out, "<style>.tp-font{font-family:\"DejaVu Sans\",Verdana,Helvetica,Arial,"
                    "sans-serif}");
    for (int dark = 0; dark < 2; dark++) {
        if (dark) write_text(out, "\n@media (prefers-color-scheme:dark){");
        for (int ink = INK_PAGE; ink < INK_COUNT; ink++) {
            if (!used[ink]) continue;
            const unsigned colour = (unsigned)(dark ? ink_dark(ink) : ink_light(ink));
            write_format(out, "\n.tp-%s{fill:#%06x}.tp-%s-line{stroke:#%06x}", ink_word(ink),
                         colour, ink_word(ink), colour);
        }
        if (dark) write_text(out, "}");
    }
    write_text(out, "\n</style>\n");
}

/* The classes of fill and stroke, and the stroke's attributes. */
static void put_look(writing *out, const shape *s)
{
    write_text(out, " class=\"");
    if (s->fill) write_format(out, "tp-%s", ink_word(s->fill));
    if (s->stroke) write_format(out, "%stp-%s-line", s->fill ? " " : "", ink_word(s->stroke));
    write_text(out, "\"");
    if (!s->fill) write_text(out, " fill=\"none\"");
    if (s->stroke && s->line != 1) put_attribute(out, "stroke-width", s->line);
    if (s->dashed) write_text(out, " stroke-dasharray=\"3 2\"");
}

static int is_path(const shape *s)
{
    return s->kind == SHAPE_LINE || s->kind == SHAPE_CURVE || s->kind == SHAPE_TRIANGLE;
}

static int looks_alike(const shape *a, const shape *b)
{
    return a->fill == b->fill && a->stroke == b->stroke && a->line == b->line;
}

static void put_path(writing *out, const shape *s)
{
    put_after(out, "M", s->x);
    put_after(out, " ", s->y);
    if (s->kind == SHAPE_CURVE) {
        const double middle = (s->y + s->y2) / 2;
        put_after(out, "C", s->x);
        put_after(out, " ", middle);
        put_after(out, " ", s->x2);
        put_after(out, " ", middle);
        put_after(out, " ", s->x2);
        put_after(out, " ", s->y2);
        return;
    }
    put_after(out, "L", s->x2);
    put_after(out, " ", s->y2);
    if (s->kind == SHAPE_LINE) return;
    put_after(out, " ", s->x3);
    put_after(out, " ", s->y3);
    write_text(out, "Z");
}

/* Writes consecutive paths that look alike as one. Returns their number. */
static size_t put_paths(writing *out, const shape *first, size_t most)
{
    size_t count = 0;
    write_text(out, "<path");
    put_look(out, first);
    write_text(out, " d=\"");
    while (count < most && is_path(&first[count]) && looks_alike(first, &first[count]))
        put_path(out, &first[count++]);
    write_text(out, "\"/>\n");
    return count;
}

static void put_rect(writing *out, const shape *s)
{
    write_text(out, "<rect");
    put_look(out, s);
    put_attribute(out, "x", s->x);
    put_attribute(out, "y", s->y);
    put_attribute(out, "width", s->x2);
    put_attribute(out, "height", s->y2);
    write_text(out, "/>\n");
}

static void put_words(writing *out, const tpad_drawing *drawing, const shape *s)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    write_format(out, "<text class=\"tp-%s\"", ink_word(s->fill));
    put_attribute(out, "x", s->x);
    put_attribute(out, "y", s->y);
    put_attribute(out, "font-size", s->size);
    write_text(out, anchors[s->anchor]);
    if (s->strong) write_text(out, " font-weight=\"bold\"");
    write_text(out, ">");
    put_text(out, drawn_text(drawing, s->text));
    write_text(out, "</text>\n");
}

int32_t tpad_drawing_svg(const tpad_drawing *drawing, tpad_written *written)
{
    writing out = {0};
    write_text(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
    put_attribute(&out, "width", drawing->width);
    put_attribute(&out, "height", drawing->height);
    put_after(&out, " viewBox=\"0 0 ", drawing->width);
    put_after(&out, " ", drawing->height);
    write_text(&out, "\" role=\"img\">\n<title>");
    put_text(&out, drawn_text(drawing, drawing->title));
    write_text(&out, "</title>\n<desc>");
    put_text(&out, drawn_text(drawing, drawing->description));
    write_text(&out, "</desc>\n");
    put_style(&out, drawing);
    write_text(&out, "<rect class=\"tp-page\"");
    put_attribute(&out, "width", drawing->width);
    put_attribute(&out, "height", drawing->height);
    write_text(&out, "/>\n<g class=\"tp-font\">\n");
    for (size_t i = 0; i < drawing->count;) {
        const shape *s = &drawing->shapes[i];
        if (is_path(s)) {
            i += put_paths(&out, s, drawing->count - i);
            continue;
        }
        if (s->kind == SHAPE_RECT)
            put_rect(&out, s);
        else
            put_words(&out, drawing, s);
        i++;
    }
    write_text(&out, "</g>\n</svg>\n");
    return writing_end(&out, written);
}
