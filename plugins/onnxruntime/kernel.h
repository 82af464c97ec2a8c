/* A Pad node inside ONNX Runtime.  SPDX-License-Identifier: MIT
 *
 * register.c makes the operators, reads a node and infers shapes before it runs; compute.c keeps
 * the plans of a node and runs it. */
#ifndef TENSORPAD_PLUGINS_ONNXRUNTIME_KERNEL_H
#define TENSORPAD_PLUGINS_ONNXRUNTIME_KERNEL_H

#include <stdatomic.h>
#include <tensorpad/onnx.h>

#include "ort_api.h"

/* An operator, and what it was registered for. Lives as long as the process. */
typedef struct pad_op {
    ort_op op; /* the first member: ONNX Runtime knows this one only */
    const ort_api *api;
    int32_t type;      /* of the elements: TPAD_ONNX_... */
    int32_t ort_type;  /* the same as ONNX Runtime counts types */
    int32_t axes_type; /* TPAD_ONNX_INT32 or TPAD_ONNX_INT64 */
} pad_op;

/* The attributes of a node. Lists are malloc'ed; NULL stands for absent ones. */
typedef struct pad_attributes {
    char *name; /* of the node */
    char *mode;
    int64_t *pads, *paddings;
    int32_t pads_count, paddings_count;
    float value;
    int32_t has_value;
} pad_attributes;

/* What a plan was made for, as numbers: types are the operator's, so shapes and amounts are left.
 */
enum { KEY_NUMBERS = 8 + 5 * TPAD_MAX_RANK };
typedef struct pad_key {
    int32_t count;
    int64_t numbers[KEY_NUMBERS];
} pad_key;

/* A plan that runs may share. It never changes. */
typedef struct pad_planned {
    atomic_int users; /* the node counts as one while it keeps it */
    pad_key key;
    int32_t rank;
    int64_t extents[TPAD_MAX_RANK]; /* of the output */
    int32_t has_fill;               /* 1: the pad value is in `fill`, not in an input */
    unsigned char fill[TPAD_FILL_BYTES];
    tpad_plan plan;
} pad_planned;

/* The last plan of a node. */
typedef struct pad_plans {
    atomic_flag busy;
    pad_planned *last;
} pad_plans;

typedef struct pad_kernel {
    const pad_op *op;
    pad_attributes attributes;
    pad_plans plans;
} pad_kernel;

/* A status with the text "Pad 'name': text", of which the name has at most 500 characters. */
ort_status *pad_fail(const ort_api *api, int code, const char *name, const char *text);

/* register.c. Frees nothing on failure; pad_attributes_free does. */
ort_status *pad_attributes_read(pad_attributes *attributes, const ort_api *api,
                                const ort_info *info);
void pad_attributes_free(pad_attributes *attributes);

/* compute.c. The plan for that key, if it is the last one and no other thread is just looking at
 * it; it is the caller's until pad_plan_drop. */
pad_planned *pad_plan_find(pad_plans *plans, const pad_key *key);
/* Makes it the last one, if no other thread is just looking at that. */
void pad_plan_keep(pad_plans *plans, pad_planned *planned);
void pad_plan_drop(pad_planned *planned); /* NULL is allowed */

/* Runs a node. */
ort_status *pad_compute(void *kernel, ort_context *context);

/* Pads strings; the plan moves handles of 8 bytes. value: NULL for the empty string. */
enum { STRING_HANDLE_BYTES = 8 };
ort_status *pad_strings(const ort_api *api, const pad_planned *planned, const ort_value *data,
                        const ort_value *value, ort_value *output);

/* register.c. Infers the shape of the output. */
ort_status *pad_infer(const ort_op *op, ort_inference *context);

#endif
