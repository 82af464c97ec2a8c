/* Pictures of what a pad does.  SPDX-License-Identifier: MIT
 *
 * This header is not installed: the command and the Python package are built together with it.
 *
 * A tpad_shown holds what there is to show of one problem: for each cell of the output the input
 * cell that it repeats, as the engine itself answers. It is written as text for a terminal, or laid
 * out as a tpad_drawing. A drawing is written as SVG. Pictures are the
 * same, byte by byte, for the same arguments.
 *
 * Texts that are given are UTF-8 without control characters: the caller escapes what comes from
 * files. The functions read no files, and allocate with malloc.
 */
#ifndef TENSORPAD_DRAWING_DRAWING_H
#define TENSORPAD_DRAWING_DRAWING_H

#include <tensorpad/tensorpad.h>

/* Bytes that were written. The caller frees `bytes` with free(). There is a NUL after them. */
typedef struct tpad_written {
    char *bytes;
    size_t length;
} tpad_written;

/* ---- Drawings -------------------------------------------------------------------------------- */

typedef struct tpad_drawing tpad_drawing;

/* TPAD_OK or TPAD_E_MEMORY; then nothing has to be freed. */
int32_t tpad_drawing_svg(const tpad_drawing *drawing, tpad_written *out);
void tpad_drawing_free(tpad_drawing *drawing); /* NULL is allowed */

/* ---- What a pad does ------------------------------------------------------------------------- */

/* What is shown cell by cell has at most so many cells on each axis. The cells of an axis are those
 * of the output and those of the input that are cropped. */
enum { TPAD_SHOWN_CELLS = 32 };

typedef struct tpad_shown tpad_shown;

/* Words for people. All may be NULL. */
typedef struct tpad_shown_words {
    const char *heading;       /* under the title: "ONNX Pad, opset 19" */
    const char *fill;          /* the fill value; NULL: "0" */
    const char *const *labels; /* the elements of the input, row-major, as they stand in the cells;
                                  NULL: a to z or, for more elements, their numbers from 0. They
                                  are read only if tpad_shown_is_cells. */
    const char *const *fills;  /* a fill that is an array along one axis: its value for each cell of
                                  the output there, as it stands in the cells; NULL: `fill`. They
                                  are read only if tpad_shown_is_cells, and are not shown if one has
                                  more than four characters. */
    int32_t fill_axis;         /* that axis */
} tpad_shown_words;

/* 1 if the problem has at most two axes and is shown cell by cell; 0: it is shown axis by axis. */
int tpad_shown_is_cells(const tpad_problem *problem);

/* Works out what is to be shown, and copies all that is given. Strides and offsets of the problem
 * do not matter. On success the caller frees it with tpad_shown_free.
 * Errors: those of tpad_plan_init, and E_MEMORY. */
int32_t tpad_shown_make(tpad_shown **shown, const tpad_problem *problem,
                        const tpad_shown_words *words, tpad_error *error);
void tpad_shown_free(tpad_shown *shown); /* NULL is allowed */

/* As lines of text, with the colours of a terminal (256 of them) if colours is 1; without them it
 * says the same in ASCII, apart from what was given. TPAD_OK or E_MEMORY. */
int32_t tpad_shown_text(const tpad_shown *shown, int colours, tpad_written *out);

/* As a drawing. TPAD_OK or E_MEMORY. */
int32_t tpad_shown_draw(const tpad_shown *shown, tpad_drawing **drawing);

#endif
