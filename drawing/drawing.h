/* Pictures of what a pad does.  SPDX-License-Identifier: MIT
 *
 * This header is not installed: the command and the Python package are built together with it.
 *
 * A tpad_shown describes one problem: for each output cell, the input cell that it repeats, as the
 * engine answers. It is written as text for a terminal, or laid out as a tpad_drawing. A drawing is
 * written as SVG. The same arguments give the same bytes.
 *
 * Texts passed in are UTF-8 without control characters: the caller escapes text from files. The
 * functions read no files, and allocate with malloc.
 */
#ifndef TENSORPAD_DRAWING_DRAWING_H
#define TENSORPAD_DRAWING_DRAWING_H

#include <tensorpad/tensorpad.h>

/* Written bytes, with a NUL after them. The caller frees `bytes` with free(). */
typedef struct tpad_written {
    char *bytes;
    size_t length;
} tpad_written;

/* ---- Drawings -------------------------------------------------------------------------------- */

typedef struct tpad_drawing tpad_drawing;

/* Returns TPAD_OK or TPAD_E_MEMORY. On failure there is nothing to free. */
int32_t tpad_drawing_svg(const tpad_drawing *drawing, tpad_written *out);
void tpad_drawing_free(tpad_drawing *drawing); /* NULL is allowed */

/* ---- What a pad does ------------------------------------------------------------------------- */

/* The most cells of an axis that is shown cell by cell: those of the output, and the cropped ones
 * of the input. */
enum { TPAD_SHOWN_CELLS = 32 };

typedef struct tpad_shown tpad_shown;

/* Texts for people. All may be NULL. */
typedef struct tpad_shown_words {
    const char *heading;       /* under the title: "ONNX Pad, opset 19" */
    const char *fill;          /* the fill value; NULL: "0" */
    const char *const *labels; /* the text of each input element in its cells, row-major; NULL:
                                  a to z or, for more elements, their numbers from 0. Read only if
                                  tpad_shown_is_cells. */
    const char *const *fills;  /* of a fill that is an array along one axis: the text of its value
                                  for each output cell of that axis; NULL: `fill`. Read only if
                                  tpad_shown_is_cells, and not shown if one has more than four
                                  characters. */
    int32_t fill_axis;         /* that axis */
} tpad_shown_words;

/* 1: the problem has at most two axes and is shown cell by cell; 0: it is shown axis by axis. */
int tpad_shown_is_cells(const tpad_problem *problem);

/* Works out what to show, and copies its arguments. Strides and offsets of the problem are ignored.
 * On success the caller frees *shown with tpad_shown_free.
 * Errors: those of tpad_plan_init, and E_MEMORY. */
int32_t tpad_shown_make(tpad_shown **shown, const tpad_problem *problem,
                        const tpad_shown_words *words, tpad_error *error);
void tpad_shown_free(tpad_shown *shown); /* NULL is allowed */

/* As lines of text. colours 1: with the 256 colours of a terminal; 0: it says the same in ASCII,
 * apart from the caller's texts. TPAD_OK or E_MEMORY. */
int32_t tpad_shown_text(const tpad_shown *shown, int colours, tpad_written *out);

/* As a drawing. TPAD_OK or E_MEMORY. */
int32_t tpad_shown_draw(const tpad_shown *shown, tpad_drawing **drawing);

#endif
