/* The workloads that speed is measured with.  SPDX-License-Identifier: MIT
 *
 * One table: `tensorpad bench` times it, bench/instructions.c counts instructions of it, and scripts
 * read it as `tensorpad bench --list --json`. */
#ifndef TENSORPAD_COMMAND_WORKLOADS_H
#define TENSORPAD_COMMAND_WORKLOADS_H

#include <tensorpad/tensorpad.h>

enum { WORKLOAD_RANK = 4 }; /* the highest rank of one */

/* Lists have `rank` entries, one for each axis. */
typedef struct workload {
    const char *name;  /* dtype [shape] what mode */
    const char *dtype; /* "float32" */
    int32_t elem_bits;
    int32_t mode; /* of all axes */
    int32_t rank;
    int64_t shape[WORKLOAD_RANK];
    int64_t begin[WORKLOAD_RANK], end[WORKLOAD_RANK];
    int64_t interior[WORKLOAD_RANK];
    int32_t offset; /* bytes after a cache line where all buffers begin: malloc's lie at 16 */
} workload;

/* Number `index`, from 0; NULL after the last one. */
const workload *workload_at(int index);

/* The workload as a problem, which points to `axes`: room for WORKLOAD_RANK. */
tpad_problem workload_problem(const workload *w, tpad_axis *axes);

/* How many bytes its input has. */
int64_t workload_in_bytes(const workload *w);

/* The name of the kernels that a plan runs on, as tpad_plan_describe tells it, or "unknown". */
void workload_kernels(const tpad_plan *plan, char *name, size_t bytes);

#endif
