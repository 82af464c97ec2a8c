/* Pictures in files, and their texts.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_PICTURE_FILE_H
#define TENSORPAD_CLI_PICTURE_FILE_H

#include "drawing/drawing.h"
#include "formats/formats.h"

/* Refuses a name that does not end in .svg or .png, and .png where there is no cairo. words: how
 * the name was given, "bench: --plot". These functions return EXIT_DONE, or the status of the error
 * that they reported. */
int picture_check_name(const char *words, const char *path);

/* Writes the drawing in the form that the path's ending names, into an output that was begun
 * without an array, and commits it. Frees the drawing. After an error there is no file. */
int picture_commit(tpad_output *output, const char *path, tpad_drawing *drawing);

/* Adds text from a file or from the system to a text of a picture, as tpad_printable_next escapes
 * it, as far as there is room. */
void picture_text_add(char *text, size_t bytes, const char *more);

#endif
