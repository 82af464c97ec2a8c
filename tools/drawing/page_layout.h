/* What the drawings of pads share.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_DRAWING_PAGE_LAYOUT_H
#define TENSORPAD_DRAWING_PAGE_LAYOUT_H

#include "page.h"
#include "shown.h"

/* In pixels: the cells are CELL high and at least as wide; MARGIN is around the picture. */
enum { CELL = 28, MARGIN = 16, LABEL_SIZE = 13, SMALL_SIZE = 12, TITLE_SIZE = 15, HEAD = 60 };

/* Where the cells stand, and how large they are. */
typedef struct layout {
    tpad_drawing *to;
    const tpad_shown *shown;
    double left, top, wide, tall;
    double right; /* how far what was drawn reaches */
} layout;

/* As wide as the labels need. */
double cell_width(const tpad_shown *shown);

/* A cell that is no crossing of two modes: its background, its marks, its label. */
void draw_cell(layout *at, double x, double y, const shown_cell *cell, int tint);
/* Its background alone, in two tints if they differ: that of the row above the diagonal. */
void draw_ground(layout *at, double x, double y, const shown_cell *cell, int tint, int other);
void draw_label(layout *at, double x, double y, const shown_cell *cell);

/* The input's own region. */
void draw_frame(layout *at, double x, double y, double width, double height);

/* A bracket along x with words above it (or below, if below is 1). */
void draw_bracket(layout *at, double from, double to, double y, int side, int below,
                  const char *words);

/* Title and heading; then the legend at y, whose end is returned. */
void draw_title(layout *at);
double draw_legend(layout *at, double y);

#endif
