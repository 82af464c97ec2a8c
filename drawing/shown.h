/* The contents of a picture of a pad.  SPDX-License-Identifier: MIT
 *
 * Places: on each axis, place p from 0 on is cell p of the output; cropped elements have places
 * below 0 or after the output. The elements are in a row in their own places, from `before` on,
 * with the interior cells between them. The drawn interval of an axis holds the output and these
 * elements. */
#ifndef TENSORPAD_DRAWING_SHOWN_H
#define TENSORPAD_DRAWING_SHOWN_H

#include "drawing.h"

enum {
    CELL_NOTHING,  /* neither the output nor the input */
    CELL_INPUT,    /* an element in its own place */
    CELL_REPEATED, /* an element in another place */
    CELL_FILL,     /* the fill value, beyond the input */
    CELL_INTERIOR, /* the fill value, between elements */
    CELL_CROPPED,  /* an element, or interior, that the output does not have */
    CELL_KINDS
};

/* One place. */
typedef struct shown_cell {
    int kind;
    int64_t element; /* which of the input, from 0 row-major; of fill: which of `fills`; -1: none */
} shown_cell;

/* Consecutive output cells of a long axis that repeat the input in the same way. */
enum { RUN_FILL, RUN_COPY, RUN_REVERSE, RUN_REPEAT, RUN_MORE /* the runs that are not listed */ };
typedef struct shown_run {
    int kind;
    int own; /* 1: elements in their own places */
    int64_t first, count;
    int64_t from, to; /* the elements that the first and the last of them repeat */
} shown_run;

/* At most this many runs beyond each end of the input are listed separately. */
enum { SHOWN_RUNS = 4, SHOWN_ALL_RUNS = 3 * (SHOWN_RUNS + 1) };

typedef struct shown_axis {
    tpad_axis axis;
    int64_t dilated;                    /* extent of the input with its interior */
    int64_t out;                        /* extent of the output */
    int64_t first, count;               /* the drawn interval */
    int64_t own_first, own_end;         /* the part of the input's own region in the output */
    int is_long;                        /* shown by runs, not by cells */
    shown_cell cells[TPAD_SHOWN_CELLS]; /* `count` of them, if not long */
    shown_run runs[SHOWN_ALL_RUNS];
    int run_count;
} shown_axis;

enum { HAS_CELL = 1, HAS_RUN = 2 };

struct tpad_shown {
    int32_t rank;
    shown_axis *axes;  /* `rank` of them */
    int grid;          /* 1: two axes, cell by cell */
    shown_cell *cells; /* of the grid: axes[0].count x axes[1].count */
    char **labels;     /* of the elements; NULL: not shown by name */
    int64_t elements;  /* how many labels there are */
    int has_numbers;   /* the labels are the numbers of the elements */
    int widest;        /* label, in characters */
    char *title, *heading, *fill;
    char **fills;           /* the values along an axis, for its cells; NULL: `fill` for all */
    int64_t fill_count;     /* entries of fills */
    int32_t fill_axis;      /* -1: there are none */
    const char *fill_label; /* the fill's text in a cell; the widest of `fills` */
    int has[CELL_KINDS];    /* where each kind occurs: HAS_CELL, HAS_RUN */
};

/* The label of a cell: of its element, of the fill value, or "". `numbers` has room for the
 * element's number, the label where axes are drawn one by one. */
enum { NUMBER_BYTES = 24 };
const char *shown_label(const tpad_shown *shown, const shown_cell *cell,
                        char numbers[NUMBER_BYTES]);

/* 1 if the place is in the output, or in the input's own region. */
int shown_in_output(const shown_axis *axis, int64_t place);
int shown_is_own(const shown_axis *axis, int64_t place);

/* 1 if the axis is neither padded nor cropped nor dilated. */
int shown_is_unchanged(const shown_axis *axis);

/* "begin 2" or "end -1", and the interval of places that it describes: empty if there is nothing to
 * say. side 0: begin, 1: end. */
typedef struct shown_amount {
    int64_t first, end;
    char text[32];
} shown_amount;
shown_amount shown_amount_of(const shown_axis *axis, int side);

/* Describes the run: "reverse 3..1", "fill 0". */
enum { RUN_BYTES = 96 };
void shown_run_words(const tpad_shown *shown, const shown_run *run, char words[RUN_BYTES]);

/* "axis 1: 4 to 7, begin 2, end 1, reflect". Room as above. */
void shown_axis_words(const shown_axis *axis, int32_t number, char words[2 * RUN_BYTES]);

/* The runs of a long axis. */

/* Fills in the runs of axis `number` of the plan. */
void tell_runs(shown_axis *axis, const tpad_plan *plan, int32_t number);

/* Texts about the pad. */

/* "mode reflect, begin 2,1, end 1,0: [3,4] -> [6,5]", for the caller to free; NULL: no memory. */
char *title_of(const tpad_shown *shown);

#endif
