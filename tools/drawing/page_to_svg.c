/* A drawing as SVG 1.1.  SPDX-License-Identifier: MIT
 *
 * Without scripts, and small: shapes of one kind share their attributes. The page has its own
 * background, and other colours where the reader prefers a dark one. The names of the classes begin
 * with tp-, because a web page may hold several pictures.
 */
#include <math.h>
#include <stdlib.h>

#include "page.h"
#include "text_buffer.h"

/* Tenths of a pixel, without floating point: its spelling follows the language of the process. */
static void put_number(writing *out, double value)
{
    const long tenths = lround(value * 10);
    const long whole = tenths / 10, rest = labs(tenths % 10);
    write_format(out, "%s%ld", tenths < 0 && whole == 0 ? "-" : "", whole);
    if (rest) write_format(out, ".%ld", rest);
}

/* A space or what else stands in front, and a number. */
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

/* The classes of fill and stroke, and what goes with a stroke. */
static void put_look(writing *out, const shape *one)
{
    write_text(out, " class=\"");
    if (one->fill) write_format(out, "tp-%s", ink_word(one->fill));
    if (one->stroke) write_format(out, "%stp-%s-line", one->fill ? " " : "", ink_word(one->stroke));
    write_text(out, "\"");
    if (!one->fill) write_text(out, " fill=\"none\"");
    if (one->stroke && one->line != 1) put_attribute(out, "stroke-width", one->line);
    if (one->dashed) write_text(out, " stroke-dasharray=\"3 2\"");
}

static int is_path(const shape *one)
{
    return one->kind == SHAPE_LINE || one->kind == SHAPE_CURVE || one->kind == SHAPE_TRIANGLE;
}

static int looks_alike(const shape *a, const shape *b)
{
    return a->fill == b->fill && a->stroke == b->stroke && a->line == b->line;
}

static void put_path(writing *out, const shape *one)
{
    put_after(out, "M", one->x);
    put_after(out, " ", one->y);
    if (one->kind == SHAPE_CURVE) {
        const double middle = (one->y + one->y2) / 2;
        put_after(out, "C", one->x);
        put_after(out, " ", middle);
        put_after(out, " ", one->x2);
        put_after(out, " ", middle);
        put_after(out, " ", one->x2);
        put_after(out, " ", one->y2);
        return;
    }
    put_after(out, "L", one->x2);
    put_after(out, " ", one->y2);
    if (one->kind == SHAPE_LINE) return;
    put_after(out, " ", one->x3);
    put_after(out, " ", one->y3);
    write_text(out, "Z");
}

/* All neighbours that look alike as one path. Returns how many they are. */
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

static void put_rect(writing *out, const shape *one)
{
    write_text(out, "<rect");
    put_look(out, one);
    put_attribute(out, "x", one->x);
    put_attribute(out, "y", one->y);
    put_attribute(out, "width", one->x2);
    put_attribute(out, "height", one->y2);
    write_text(out, "/>\n");
}

static void put_words(writing *out, const tpad_drawing *drawing, const shape *one)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    write_format(out, "<text class=\"tp-%s\"", ink_word(one->fill));
    put_attribute(out, "x", one->x);
    put_attribute(out, "y", one->y);
    put_attribute(out, "font-size", one->size);
    write_text(out, anchors[one->anchor]);
    if (one->strong) write_text(out, " font-weight=\"bold\"");
    write_text(out, ">");
    put_text(out, drawn_text(drawing, one->text));
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
        const shape *one = &drawing->shapes[i];
        if (is_path(one)) {
            i += put_paths(&out, one, drawing->count - i);
            continue;
        }
        if (one->kind == SHAPE_RECT)
            put_rect(&out, one);
        else
            put_words(&out, drawing, one);
        i++;
    }
    write_text(&out, "</g>\n</svg>\n");
    return writing_end(&out, written);
}
