/* A drawing: shapes and text on a page.  SPDX-License-Identifier: MIT
 *
 * SVG and PNG are written from this one description. Lengths are pixels; y grows downwards. */
#ifndef TENSORPAD_DRAWING_PAGE_H
#define TENSORPAD_DRAWING_PAGE_H

#include "drawing.h"
#include "shown.h"

/* Colours by meaning: X(NAME, class in SVG, on light pages, on dark pages). The tints are
 * backgrounds of text; their hues are Okabe and Ito's, which colour-blind readers can tell apart.
 * Those of the modes are in the order of TPAD_MODE_MAP. */
#define INK_MAP(X)                                                                                 \
    X(NONE, "none", 0xFFFFFF, 0x000000)                                                            \
    X(PAGE, "page", 0xFFFFFF, 0x0D1117)                                                            \
    X(TEXT, "text", 0x1F2328, 0xF0F6FC)                                                            \
    X(FAINT, "faint", 0x59636E, 0x9198A1)                                                          \
    X(GRID, "grid", 0xAAB2BB, 0x484F58)                                                            \
    X(INPUT, "input", 0xFFFFFF, 0x0D1117)                                                          \
    X(CONSTANT, "constant", 0xE3E6EA, 0x343B43)                                                    \
    X(EDGE, "edge", 0xFFD58A, 0x6E4A00)                                                            \
    X(REFLECT, "reflect", 0xB4DDF7, 0x0B4A73)                                                      \
    X(SYMMETRIC, "symmetric", 0xA8E2CB, 0x04543E)                                                  \
    X(WRAP, "wrap", 0xF1C6DC, 0x6E2A50)                                                            \
    X(INTERIOR, "interior", 0xFBF3B0, 0x4F4A0C)                                                    \
    X(HATCH, "hatch", 0xC3CAD1, 0x5B646E)

#define INK_ENTRY(name, word, light, dark) INK_##name,
enum { INK_MAP(INK_ENTRY) INK_COUNT };
#undef INK_ENTRY

enum { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };
enum { SHAPE_RECT, SHAPE_LINE, SHAPE_CURVE, SHAPE_TRIANGLE, SHAPE_TEXT };

/* RECT: x, y, width x2, height y2. LINE, CURVE: from x, y to x2, y2; a curve leaves and arrives
 * upright. TRIANGLE: with the third corner x3, y3. TEXT: its baseline at x, y. */
typedef struct shape {
    int kind;
    double x, y, x2, y2, x3, y3;
    int fill, stroke;   /* inks; INK_NONE: none */
    double line;        /* how wide the stroke is */
    int dashed;         /* of a rectangle */
    int anchor, strong; /* of text */
    double size;        /* of text */
    size_t text;        /* where the text begins in `texts` */
} shape;

struct tpad_drawing {
    double width, height;
    shape *shapes;
    size_t count, room;
    char *texts; /* each with its NUL */
    size_t texts_length, texts_room;
    size_t title, description; /* in texts */
    int failed;                /* memory was missing */
};

/* NULL: no memory. */
tpad_drawing *drawing_new(const char *title, const char *description);
/* Gives the drawing to the caller, or frees it. TPAD_OK or TPAD_E_MEMORY. drawing may be NULL. */
int32_t drawing_end(tpad_drawing *drawing, double width, double height, tpad_drawing **out);

void draw_rect(tpad_drawing *to, double x, double y, double width, double height, int fill,
               int stroke, double line);
void draw_dashed(tpad_drawing *to, double x, double y, double width, double height, int stroke);
void draw_line(tpad_drawing *to, double x, double y, double x2, double y2, int stroke, double line);
void draw_curve(tpad_drawing *to, double x, double y, double x2, double y2, int stroke,
                double line);
void draw_triangle(tpad_drawing *to, double x, double y, double x2, double y2, double x3, double y3,
                   int fill);
void draw_text(tpad_drawing *to, double x, double y, int anchor, double size, int ink, int strong,
               const char *text);

/* About how wide a text will be; fonts differ. */
double drawn_width(const char *text, double size, int strong);

/* The tint of cells that a mode makes. */
int ink_of_mode(int32_t mode);

/* Parts that the drawings of pads share. */

/* In pixels: cells are CELL high and at least as wide; MARGIN surrounds the picture. */
enum { CELL = 28, MARGIN = 16, LABEL_SIZE = 13, SMALL_SIZE = 12, TITLE_SIZE = 15, HEAD = 60 };

/* Where the cells are, and how large. */
typedef struct layout {
    tpad_drawing *to;
    const tpad_shown *shown;
    double left, top, wide, tall;
    double right; /* the right end of what was drawn */
} layout;

/* As wide as the labels need. */
double cell_width(const tpad_shown *shown);

/* A cell that is not a crossing of two modes: its background, its marks, its label. */
void draw_cell(layout *at, double x, double y, const shown_cell *cell, int tint);
/* A cell's background alone, in two tints if they differ: `tint` above the diagonal. */
void draw_ground(layout *at, double x, double y, const shown_cell *cell, int tint, int other);
void draw_label(layout *at, double x, double y, const shown_cell *cell);

/* The input's own region. */
void draw_frame(layout *at, double x, double y, double width, double height);

/* A bracket along x with text above it (or below, if below is 1). */
void draw_bracket(layout *at, double from, double to, double y, int side, int below,
                  const char *words);

/* Title and heading; then the legend at y: returns where it ends. */
void draw_title(layout *at);
double draw_legend(layout *at, double y);

#endif
