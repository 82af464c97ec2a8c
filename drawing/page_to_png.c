/* A drawing as PNG, painted by cairo.  SPDX-License-Identifier: MIT
 *
 * Twice as many pixels as the drawing says, in the colours of light pages. Cairo is loaded when the
 * first PNG is wanted: with all the libraries that it needs, it would make every start of the
 * command three times as long.
 */
#include <cairo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/port/system.h"
#include "page.h"
#include "text_buffer.h"

enum { SCALE = 2 };

/* What is used of cairo. */
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
    void *library = dlopen(system_library("cairo", "2"), RTLD_NOW | RTLD_LOCAL);
    int missing = library == NULL;
#define FUNCTION(name)                                                                             \
    {                                                                                              \
        void *found = missing ? NULL : dlsym(library, "cairo_" #name);                             \
        missing |= found == NULL;                                                                  \
        memcpy(&cairo.name, &found, sizeof found);                                                 \
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

static void paint_path(cairo_t *to, const shape *one)
{
    static const double dashes[] = {3, 2};
    if (one->fill) {
        set_ink(to, one->fill);
        cairo.fill_preserve(to);
    }
    if (one->stroke) {
        set_ink(to, one->stroke);
        cairo.set_line_width(to, one->line);
        cairo.set_dash(to, dashes, one->dashed ? 2 : 0, 0);
        cairo.stroke_preserve(to);
    }
    cairo.new_path(to);
}

static void paint_text(cairo_t *to, const tpad_drawing *drawing, const shape *one)
{
    const char *text = drawn_text(drawing, one->text);
    cairo_text_extents_t size;
    cairo.select_font_face(to, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           one->strong ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo.set_font_size(to, one->size);
    cairo.text_extents(to, text, &size);
    cairo.move_to(to, one->x - size.x_advance * one->anchor / 2, one->y);
    set_ink(to, one->fill);
    cairo.show_text(to, text);
    cairo.new_path(to);
}

static void paint(cairo_t *to, const tpad_drawing *drawing, const shape *one)
{
    switch (one->kind) {
    case SHAPE_TEXT:
        paint_text(to, drawing, one);
        return;
    case SHAPE_RECT:
        cairo.rectangle(to, one->x, one->y, one->x2, one->y2);
        break;
    case SHAPE_CURVE:
        cairo.move_to(to, one->x, one->y);
        cairo.curve_to(to, one->x, (one->y + one->y2) / 2, one->x2, (one->y + one->y2) / 2, one->x2,
                       one->y2);
        break;
    default:
        cairo.move_to(to, one->x, one->y);
        cairo.line_to(to, one->x2, one->y2);
        if (one->kind == SHAPE_TRIANGLE) cairo.line_to(to, one->x3, one->y3);
    }
    paint_path(to, one);
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
