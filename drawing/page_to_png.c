/* A drawing as PNG, painted by cairo.  SPDX-License-Identifier: MIT
 *
 * It has two pixels per pixel of the drawing, in the colours of light pages. Cairo is loaded for
 * the first PNG only: it and its dependencies would make every start of the command three times as
 * long. */
#include <cairo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/port/system.h"
#include "page.h"
#include "text_buffer.h"

enum { SCALE = 2 };

/* The functions of cairo used here. */
#define FUNCTIONS(X)                                                                               \
    X(create)                                                                                      \
    X(curve_to)                                                                                    \
    X(destroy)                                                                                     \
    X(fill_preserve)                                                                               \
    X(image_surface_create)                                                                        \
    X(line_to)                                                                                     \
    X(move_to)                                                                                     \
    X(new_path)                                                                                    \
    X(paint)                                                                                       \
    X(rectangle)                                                                                   \
    X(scale)                                                                                       \
    X(select_font_face)                                                                            \
    X(set_dash)                                                                                    \
    X(set_font_size)                                                                               \
    X(set_line_width)                                                                              \
    X(set_source_rgb)                                                                              \
    X(show_text)                                                                                   \
    X(status)                                                                                      \
    X(stroke_preserve)                                                                             \
    X(surface_destroy)                                                                             \
    X(surface_write_to_png_stream)                                                                 \
    X(text_extents)                                                                                \
    X(version_string)

static struct {
#define FUNCTION(name) __typeof__(&cairo_##name) name;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
} cairo;

static char features[64] = "svg (no cairo here: no png)";
static int is_loaded;

static void load(void)
{
    int missing = 0;
#define FUNCTION(name)                                                                             \
    {                                                                                              \
        void *function = missing ? NULL : system_symbol("cairo", "2", "cairo_" #name);             \
        missing |= function == NULL;                                                               \
        memcpy(&cairo.name, &function, sizeof function);                                           \
    }
    FUNCTIONS(FUNCTION)
#undef FUNCTION
    if (missing) return;
    is_loaded = 1;
    snprintf(features, sizeof features, "svg, png (cairo %.20s)", cairo.version_string());
}

int tpad_pictures_png(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

const char *tpad_pictures_features(void)
{
    tpad_pictures_png();
    return features;
}

static void set_ink(cairo_t *to, int ink)
{
    const uint32_t colour = ink_light(ink);
    cairo.set_source_rgb(to, (colour >> 16) / 255.0, (colour >> 8 & 255) / 255.0,
                         (colour & 255) / 255.0);
}

static void paint_path(cairo_t *to, const shape *s)
{
    static const double dashes[] = {3, 2};
    if (s->fill) {
        set_ink(to, s->fill);
        cairo.fill_preserve(to);
    }
    if (s->stroke) {
        set_ink(to, s->stroke);
        cairo.set_line_width(to, s->line);
        cairo.set_dash(to, dashes, s->dashed ? 2 : 0, 0);
        cairo.stroke_preserve(to);
    }
    cairo.new_path(to);
}

static void paint_text(cairo_t *to, const tpad_drawing *drawing, const shape *s)
{
    const char *text = drawn_text(drawing, s->text);
    cairo_text_extents_t size;
    cairo.select_font_face(to, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           s->strong ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo.set_font_size(to, s->size);
    cairo.text_extents(to, text, &size);
    cairo.move_to(to, s->x - size.x_advance * s->anchor / 2, s->y);
    set_ink(to, s->fill);
    cairo.show_text(to, text);
    cairo.new_path(to);
}

static void paint(cairo_t *to, const tpad_drawing *drawing, const shape *s)
{
    switch (s->kind) {
    case SHAPE_TEXT:
        paint_text(to, drawing, s);
        return;
    case SHAPE_RECT:
        cairo.rectangle(to, s->x, s->y, s->x2, s->y2);
        break;
    case SHAPE_CURVE:
        cairo.move_to(to, s->x, s->y);
        cairo.curve_to(to, s->x, (s->y + s->y2) / 2, s->x2, (s->y + s->y2) / 2, s->x2, s->y2);
        break;
    default:
        cairo.move_to(to, s->x, s->y);
        cairo.line_to(to, s->x2, s->y2);
        if (s->kind == SHAPE_TRIANGLE) cairo.line_to(to, s->x3, s->y3);
    }
    paint_path(to, s);
}

static cairo_status_t take_bytes(void *written, const unsigned char *bytes, unsigned count)
{
    write_bytes(written, bytes, count);
    return CAIRO_STATUS_SUCCESS;
}

int32_t tpad_drawing_png(const tpad_drawing *drawing, tpad_written *written)
{
    writing out = {0};
    if (!tpad_pictures_png()) return TPAD_E_FILE_TYPE;
    cairo_surface_t *surface = cairo.image_surface_create(
        CAIRO_FORMAT_RGB24, SCALE * (int)drawing->width, SCALE * (int)drawing->height);
    cairo_t *to = cairo.create(surface);
    cairo.scale(to, SCALE, SCALE);
    set_ink(to, INK_PAGE);
    cairo.paint(to);
    for (size_t i = 0; i < drawing->count; i++) paint(to, drawing, &drawing->shapes[i]);
    cairo_status_t status = cairo.status(to);
    cairo.destroy(to);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo.surface_write_to_png_stream(surface, take_bytes, &out);
    cairo.surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS) return writing_end(&out, written);
    free(out.text);
    return status == CAIRO_STATUS_NO_MEMORY ? TPAD_E_MEMORY : TPAD_E_IO;
}
