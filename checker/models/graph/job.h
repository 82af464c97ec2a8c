/* A job: the nodes that run, and where their inputs come from.  SPDX-License-Identifier: MIT
 *
 * job.c prepares it and runs it. */
#ifndef TENSORPAD_MODELS_GRAPH_JOB_H
#define TENSORPAD_MODELS_GRAPH_JOB_H

#include "model.h"

/* An array that exists while the job runs. */
typedef struct tpad_slot {
    const tpad_value *constant; /* NULL: an input, or computed */
    int32_t input;              /* its number among the job's inputs, or -1 */
    int32_t output;             /* the number of the job's output that it is written to, or -1 */
    int64_t last_step;          /* the last step that reads it; -1: none, INT64_MAX: keep it to the
                                   end */
} tpad_slot;

typedef struct tpad_step {
    const tpad_graph_pad *pad;
    int64_t in[IN_COUNT]; /* slots, or -1 */
    int64_t out;
} tpad_step;

struct tpad_job {
    tpad_model *model;
    tpad_arena arena;
    tpad_port *inputs, *outputs;
    int32_t input_count, output_count;
    int64_t *output_slots;
    tpad_slot *slots;
    int64_t slot_count;
    tpad_step *steps;
    int64_t step_count;
};

#endif
