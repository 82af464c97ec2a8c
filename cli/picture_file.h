/* Pictures in files.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_CLI_PICTURE_FILE_H
#define TENSORPAD_CLI_PICTURE_FILE_H

#include "models/models.h"
#include "pictures/pictures.h"

/* Refuses a name that does not end in .svg or .png, and .png where there is no cairo. words: how
 * the name was given, "bench: --plot". These functions return EXIT_DONE, or the status of the error
 * that they reported. */
int picture_check_name(const char *words, const char *path);

/* Writes the drawing in the form that the path's ending names, into an output that was begun without
 * an array, and commits it. Frees the drawing. After an error there is no file. */
int picture_commit(tpad_output *output, const char *path, tpad_drawing *drawing);

#endif
