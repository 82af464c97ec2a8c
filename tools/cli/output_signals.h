/* Output files, which leave no temporary file behind. SPDX-License-Identifier: MIT
 *
 * Wraps tpad_output so that its temporary file is also removed when a signal ends the process, and
 * refuses outputs that are inputs. Owns the process's signal handlers. Several threads may have
 * outputs at once.
 */
#ifndef TENSORPAD_CLI_OUTPUT_SIGNALS_H
#define TENSORPAD_CLI_OUTPUT_SIGNALS_H

#include <stdio.h>

#include "formats/formats.h"

/* Called once, at the start. SIGINT, SIGTERM and SIGHUP then remove temporary files before they end
 * the process in their usual way. A full pipe, disk or file size limit becomes an error of the
 * write, not a signal. */
void outputs_handle_signals(void);

/* The same as the functions of tools/formats/formats.h. */
int32_t outputs_begin(tpad_output **output, const char *path, const tpad_tensor *like,
                      int32_t overwrite, tpad_io_error *error);
int32_t outputs_commit(tpad_output *output, tpad_io_error *error);
void outputs_discard(tpad_output *output);

/* Closes a stream of open_memstream, which may be NULL. 1: its text is whole; 0: there was no memory
 * for it. */
int outputs_memory_end(FILE *out, char *const *text);

/* Writes a whole file of text. Returns EXIT_DONE, or the status of the error that it reported. */
int outputs_text(const char *path, int32_t overwrite, const char *text, size_t bytes);

/* These return EXIT_DONE, or the status of the error that they reported: an output that is an
 * input, ... */
int outputs_check_input(const char *out, const char *in);
/* ... two outputs with one name, ... */
int outputs_check_pair(const char *one, const char *other);
/* ... or array bytes that would go to a terminal. */
int outputs_check_terminal(const char *out);

/* The path as it is shown in messages. */
const char *outputs_display(const char *path);

/* On a terminal and without -q: "out.npy: float [3,4]", and, where `was` is given, its shape. */
void outputs_remark(int quiet, const char *path, const tpad_tensor *like, const tpad_tensor *was);

#endif
