/* A drawing: shapes and text on a page.  SPDX-License-Identifier: MIT */
#include "page.h"

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

uint32_t ink_light(int ink)
{
    return inks[ink].light;
}

uint32_t ink_dark(int ink)
{
    return inks[ink].dark;
}

const char *ink_word(int ink)
{
    return inks[ink].word;
}

int ink_of_mode(int32_t mode)
{
    const int found = INK_CONSTANT + (int)mode;
    return found <= INK_WRAP ? found : INK_CONSTANT;
}

/* Where the text is kept; 0, which is an empty text, if there is no memory. */
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

static void add(tpad_drawing *to, const shape *one)
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
    to->shapes[to->count++] = *one;
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

const char *drawn_text(const tpad_drawing *drawing, size_t text)
{
    return drawing->texts + text;
}
