/* Arrays from files into files.  SPDX-License-Identifier: MIT
 *
 * The work of `tensorpad pad` when its words have been read and checked.
 */
#ifndef TENSORPAD_CLI_MANY_FILES_H
#define TENSORPAD_CLI_MANY_FILES_H

#include "spec_problem.h"

/* Pads options->in into options->out. Returns EXIT_DONE, or the status of the error that it
 * reported. */
int pad_file(const pad_options *options);

/* Pads options->files into the folder options->out_dir, several at once on several threads. Returns
 * EXIT_DONE, or EXIT_FAILED if some files failed, or the status of what is wrong with all of them
 * together. Everything has been reported. */
int pad_files(const pad_options *options);

#endif
