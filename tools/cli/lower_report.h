/* What `tensorpad lower` did, and the forms in which it is said. SPDX-License-Identifier: MIT
 *
 * command_lower.c reads the words and writes the model; lower_report.c says what became of each node.
 */
#ifndef TENSORPAD_CLI_LOWER_REPORT_H
#define TENSORPAD_CLI_LOWER_REPORT_H

#include "input_shape_option.h"
#include "lowering/lowering.h"
#include "target_option.h"

enum { LOWER_OUTCOMES = TPAD_LOWER_FOLDED + 1 };

/* The whole call. */
typedef struct lower_run {
    target_list targets;
    input_shapes shapes;
    const char *path, *out; /* MODEL, OUT */
    int partial, lenient, plugin, fold, overwrite, quiet, as_json;

    tpad_model *model;
    tpad_lowering *lowering;
    int64_t counts[LOWER_OUTCOMES]; /* of nodes */
    int refused;                    /* 1: nothing is written */
    char *weights_path;             /* of an IR: OUT's .bin; owned */
    tpad_output *output, *weights;  /* until they have their names */
    tpad_data_copy *data;           /* external data, copied into the folder of OUT */
    int written;                    /* 1: OUT has its name */
} lower_run;

/* What became of each node, on standard output. */
void lower_print(const lower_run *run);
void lower_print_json(const lower_run *run);

#endif
