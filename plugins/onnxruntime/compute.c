/* Running a node.  SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

enum { DATA, PADS, VALUE, AXES, INPUTS };

/* The most parts of one output. Memory limits more threads, and each part costs a pool of one
 * thread some time. */
enum { PARTS = 8 };

/* The document's version of a node whose arguments are attributes, and of all others: ONNX Runtime
 * does not tell an operator the opset, and the newest version allows what the others do. */
enum { VERSION_OF_PADDINGS = 1, VERSION_OF_ATTRIBUTES = 2 };

/* The inputs of one run. */
typedef struct pad_inputs {
    const ort_value *values[INPUTS]; /* NULL: absent */
    tpad_onnx_tensor tensors[INPUTS];
    int64_t shapes[INPUTS][TPAD_MAX_RANK];
} pad_inputs;

ort_status *pad_fail(const ort_api *api, int code, const char *name, const char *text)
{
    char line[1024];
    snprintf(line, sizeof line, "Pad '%.500s': %s", name ? name : "", text);
    return api->create_status(code, line);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

static ort_status *read_shape(pad_inputs *inputs, int32_t index, const ort_api *api,
                              const char *name)
{
    ort_shape *shape = NULL;
    size_t rank = 0;
    ort_status *status = api->shape_of(inputs->values[index], &shape);
    if (status) return status;
    status = api->rank_of(shape, &rank);
    if (!status && rank > TPAD_MAX_RANK)
        status = pad_fail(api, ORT_CODE_INVALID_ARGUMENT, name, "an input has too many axes");
    if (!status) status = api->extents_of(shape, inputs->shapes[index], rank);
    inputs->tensors[index].rank = (int32_t)rank;
    inputs->tensors[index].shape = inputs->shapes[index];
    api->release_shape(shape);
    return status;
}

/* ONNX Runtime's own Pad takes amounts and a value with more axes of one element than the document
 * allows; models that ran with it are to run with this one. */
static void drop_axes(tpad_onnx_tensor *tensor)
{
    while (tensor->rank > 1 && tensor->shape[0] == 1) tensor->shape++, tensor->rank--;
}

static ort_status *read_inputs(pad_inputs *inputs, const pad_kernel *kernel,
                               const ort_context *context)
{
    const ort_api *api = kernel->op->api;
    const int32_t types[INPUTS] = {kernel->op->type, TPAD_ONNX_INT64, kernel->op->type,
                                   kernel->op->axes_type};
    size_t count = 0;
    ort_status *status = api->input_count(context, &count);
    for (int32_t i = 0; i < INPUTS; i++) {
        inputs->values[i] = NULL;
        if (status || (size_t)i >= count) continue;
        status = api->input(context, (size_t)i, &inputs->values[i]);
        if (status || !inputs->values[i]) continue;
        inputs->tensors[i].type = types[i];
        inputs->tensors[i].data = NULL;
        status = read_shape(inputs, i, api, kernel->attributes.name);
        if (!status && (i == PADS || i == VALUE)) drop_axes(&inputs->tensors[i]);
        void *data = NULL;
        if (!status && types[i] != TPAD_ONNX_STRING)
            status = api->tensor_data((ort_value *)(uintptr_t)inputs->values[i], &data);
        inputs->tensors[i].data = data;
    }
    return status;
}

/* ---- Plans ----------------------------------------------------------------------------------- */

/* Adds numbers to a key; more than it can hold make it one that no plan has. */
static void add_numbers(pad_key *key, const int64_t *numbers, int64_t count)
{
    if (key->count < 0 || count > KEY_NUMBERS - key->count) {
        key->count = -1;
        return;
    }
    memcpy(key->numbers + key->count, numbers, (size_t)count * sizeof *numbers);
    key->count += (int32_t)count;
}

static void add_shape(pad_key *key, const pad_inputs *inputs, int32_t index)
{
    const int64_t rank = inputs->values[index] ? inputs->tensors[index].rank : -1;
    add_numbers(key, &rank, 1);
    if (rank > 0) add_numbers(key, inputs->tensors[index].shape, rank);
}

/* The elements of a list: as many as its first axis has, if it is one. */
static void add_list(pad_key *key, const pad_inputs *inputs, int32_t index)
{
    const tpad_onnx_tensor *list = &inputs->tensors[index];
    add_shape(key, inputs, index);
    if (!inputs->values[index] || list->rank != 1) return;
    for (int64_t i = 0; i < list->shape[0] && key->count >= 0; i++) {
        int64_t number = 0;
        if (list->type == TPAD_ONNX_INT64)
            memcpy(&number, (const int64_t *)list->data + i, sizeof number);
        else
            number = ((const int32_t *)list->data)[i];
        add_numbers(key, &number, 1);
    }
}

static void make_key(pad_key *key, const pad_inputs *inputs)
{
    key->count = 0;
    add_shape(key, inputs, DATA);
    add_shape(key, inputs, VALUE);
    add_list(key, inputs, PADS);
    add_list(key, inputs, AXES);
}

/* Translates the node and makes its plan; on failure `error` says why. */
static int32_t make_plan(pad_planned *planned, const pad_kernel *kernel, const pad_inputs *inputs,
                         tpad_error *error)
{
    const pad_attributes *attributes = &kernel->attributes;
    static const int64_t handle_of_value = -1;
    tpad_onnx_tensor value = inputs->tensors[VALUE];
    if (kernel->op->type == TPAD_ONNX_STRING) value.data = &handle_of_value;
    const tpad_onnx_pad node = {
        .struct_size = sizeof node,
        .opset = attributes->paddings ? VERSION_OF_PADDINGS
                 : attributes->pads   ? VERSION_OF_ATTRIBUTES
                                      : TPAD_ONNX_NEWEST,
        .data = inputs->tensors[DATA],
        .pads = inputs->values[PADS] ? &inputs->tensors[PADS] : NULL,
        .value = inputs->values[VALUE] ? &value : NULL,
        .axes = inputs->values[AXES] ? &inputs->tensors[AXES] : NULL,
        .mode = attributes->mode,
        .attribute_paddings = attributes->paddings,
        .attribute_pads = attributes->pads,
        .attribute_value = attributes->has_value ? &attributes->value : NULL,
        .attribute_paddings_count = attributes->paddings_count,
        .attribute_pads_count = attributes->pads_count,
        .string_bytes = STRING_HANDLE_BYTES,
    };
    tpad_translation made;
    int32_t status = tpad_onnx_translate(&made, sizeof made, &node, error);
    if (status) return status;
    const tpad_problem problem = tpad_translation_problem(&made);
    status = tpad_plan_init(&planned->plan, sizeof planned->plan, &problem, error);
    if (status) return status;
    planned->rank = tpad_plan_shape(&planned->plan, planned->extents);
    planned->has_fill =
        made.fill_bytes > 0 && (!node.value || kernel->op->type == TPAD_ONNX_STRING);
    memcpy(planned->fill, made.fill, sizeof planned->fill);
    return TPAD_OK;
}

static ort_status *find_plan(pad_planned **out, pad_kernel *kernel, const pad_inputs *inputs)
{
    const ort_api *api = kernel->op->api;
    pad_key key;
    tpad_error error;
    char text[400];
    make_key(&key, inputs);
    *out = pad_plan_find(&kernel->plans, &key);
    if (*out) return NULL;
    pad_planned *planned = malloc(sizeof *planned);
    if (!planned)
        return pad_fail(api, ORT_CODE_RUNTIME_EXCEPTION, kernel->attributes.name, "out of memory");
    atomic_init(&planned->users, 1);
    planned->key = key;
    if (make_plan(planned, kernel, inputs, &error)) {
        free(planned);
        tpad_error_format(&error, text, sizeof text);
        return pad_fail(api, ORT_CODE_INVALID_ARGUMENT, kernel->attributes.name, text);
    }
    if (key.count >= 0) pad_plan_keep(&kernel->plans, planned);
    *out = planned;
    return NULL;
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* ONNX Runtime's thread pool as a runner of tensorpad. */
typedef struct pool {
    const ort_api *api;
    const ort_context *context;
    ort_status *failed;
} pool;

typedef struct part {
    tpad_body body;
    void *user;
} part;

static void run_part(void *user, size_t index)
{
    const part *p = user;
    p->body(p->user, (int64_t)index);
}

static int32_t run_in_pool(void *context, int64_t count, tpad_body body, void *user)
{
    pool *p = context;
    part one = {body, user};
    p->failed = p->api->parallel_for(p->context, run_part, (size_t)count, 0, &one);
    return p->failed != NULL;
}

/* ---- The run --------------------------------------------------------------------------------- */

/* The input's bytes, in memory that the caller frees; NULL: out of memory. */
static void *copy_data(const tpad_onnx_tensor *data)
{
    size_t bits = (size_t)tpad_onnx_type_bits(data->type);
    for (int32_t i = 0; i < data->rank; i++) bits *= (size_t)data->shape[i];
    const size_t bytes = (bits + 7) / 8;
    void *copy = malloc(bytes + 1);
    if (copy) memcpy(copy, data->data, bytes);
    return copy;
}

static ort_status *move(const pad_kernel *kernel, const pad_planned *planned,
                        const pad_inputs *inputs, const ort_context *context, ort_value *output)
{
    const ort_api *api = kernel->op->api;
    const char *name = kernel->attributes.name;
    void *to = NULL, *copy = NULL;
    ort_status *status = api->tensor_data(output, &to);
    if (status) return status;
    const void *from = inputs->tensors[DATA].data;
    const void *value = inputs->values[VALUE] ? inputs->tensors[VALUE].data
                        : planned->has_fill   ? planned->fill
                                              : NULL;
    if (to && from == to) { /* a program bound one value as input and output */
        from = copy = copy_data(&inputs->tensors[DATA]);
        if (!copy) return pad_fail(api, ORT_CODE_RUNTIME_EXCEPTION, name, "out of memory");
    }
    pool threads = {api, context, NULL};
    const tpad_runner runner = {sizeof runner, &threads, PARTS, run_in_pool};
    const int32_t done = tpad_run_with(&planned->plan, from, to, value, &runner);
    free(copy);
    if (threads.failed || done == TPAD_OK) return threads.failed;
    return pad_fail(api, ORT_CODE_FAIL, name, tpad_status_text(done));
}

ort_status *pad_compute(void *state, ort_context *context)
{
    pad_kernel *kernel = state;
    const ort_api *api = kernel->op->api;
    pad_inputs inputs;
    pad_planned *planned = NULL;
    ort_value *output = NULL;
    ort_status *status = read_inputs(&inputs, kernel, context);
    if (!status && !inputs.values[DATA])
        status = pad_fail(api, ORT_CODE_INVALID_ARGUMENT, kernel->attributes.name,
                          "input 'data' is missing");
    if (!status) status = find_plan(&planned, kernel, &inputs);
    if (!status) status = api->output(context, 0, planned->extents, (size_t)planned->rank, &output);
    if (!status)
        status = kernel->op->type == TPAD_ONNX_STRING
                     ? pad_strings(api, planned, inputs.values[DATA], inputs.values[VALUE], output)
                     : move(kernel, planned, &inputs, context, output);
    pad_plan_drop(planned);
    return status;
}

/* The plans of a node.
 *
 * A session may run a node on several threads at once. They share the last plan: whoever uses it
 * counts as one of its users, and the last user frees it. Nobody waits for another thread: one that
 * finds `last` busy makes a plan of its own, which is not kept. */

/* 1 if nobody else holds `last`, for some instructions only: then release() gives it back. */
static int32_t hold(pad_plans *plans)
{
    return !atomic_flag_test_and_set_explicit(&plans->busy, memory_order_acquire);
}

static void release(pad_plans *plans)
{
    atomic_flag_clear_explicit(&plans->busy, memory_order_release);
}

static int32_t same_key(const pad_key *a, const pad_key *b)
{
    return a->count == b->count &&
           memcmp(a->numbers, b->numbers, (size_t)a->count * sizeof *a->numbers) == 0;
}

pad_planned *pad_plan_find(pad_plans *plans, const pad_key *key)
{
    if (!hold(plans)) return NULL;
    pad_planned *planned = plans->last;
    if (planned && same_key(&planned->key, key))
        atomic_fetch_add(&planned->users, 1);
    else
        planned = NULL;
    release(plans);
    return planned;
}

void pad_plan_keep(pad_plans *plans, pad_planned *planned)
{
    if (!hold(plans)) return;
    pad_planned *old = plans->last;
    atomic_fetch_add(&planned->users, 1);
    plans->last = planned;
    release(plans);
    pad_plan_drop(old);
}

void pad_plan_drop(pad_planned *planned)
{
    if (planned && atomic_fetch_sub(&planned->users, 1) == 1) free(planned);
}

/* Strings, which only ONNX Runtime can copy.
 *
 * The plan moves handles: which string of the input each string of the output is, counted from 1; 0
 * is the empty string, -1 the pad value. */

/* The strings of a tensor: one after the other, the one with that index from offsets[index] to
 * offsets[index + 1]. */
typedef struct texts {
    char *bytes;
    size_t *offsets;
    size_t count;
} texts;

static ort_status *count_elements(size_t *count, const ort_api *api, const ort_value *value)
{
    ort_shape *shape = NULL;
    size_t rank = 0;
    int64_t extents[TPAD_MAX_RANK];
    ort_status *status = api->shape_of(value, &shape);
    if (status) return status;
    status = api->rank_of(shape, &rank); /* compute.c has seen that it is small */
    if (!status) status = api->extents_of(shape, extents, rank);
    api->release_shape(shape);
    *count = 1;
    for (size_t i = 0; i < rank && !status; i++) *count *= (size_t)extents[i];
    return status;
}

static ort_status *read_texts(texts *from, const ort_api *api, const ort_value *value)
{
    size_t bytes = 0;
    ort_status *status = count_elements(&from->count, api, value);
    if (!status && from->count) status = api->strings_length(value, &bytes);
    if (status) return status;
    from->bytes = malloc(bytes + 1);
    from->offsets = malloc((from->count + 1) * sizeof *from->offsets);
    if (!from->bytes || !from->offsets)
        return api->create_status(ORT_CODE_RUNTIME_EXCEPTION, "Pad: out of memory");
    from->offsets[from->count] = bytes;
    return from->count ? api->strings(value, from->bytes, bytes, from->offsets, from->count) : NULL;
}

static ort_status *write_text(const ort_api *api, ort_value *output, size_t index,
                              const texts *from, size_t string)
{
    const size_t bytes = from->offsets[string + 1] - from->offsets[string];
    char *buffer = NULL;
    ort_status *status = api->string_buffer(output, index, bytes, &buffer);
    if (!status && bytes) memcpy(buffer, from->bytes + from->offsets[string], bytes);
    return status;
}

/* Writes the empty strings too: a program may hand in an output that holds other strings. */
static ort_status *write_texts(const ort_api *api, ort_value *output, const int64_t *handles,
                               size_t count, const texts *data, const texts *value)
{
    ort_status *status = NULL;
    size_t offsets_of_empty[2] = {0, 0};
    const texts empty = {NULL, offsets_of_empty, 1};
    for (size_t i = 0; i < count && !status; i++) {
        const texts *from = handles[i] > 0 ? data : handles[i] < 0 ? value : &empty;
        const size_t string = handles[i] > 0 ? (size_t)handles[i] - 1 : 0;
        status = write_text(api, output, i, from, string);
    }
    return status;
}

ort_status *pad_strings(const ort_api *api, const pad_planned *planned, const ort_value *data,
                        const ort_value *value, ort_value *output)
{
    texts from = {0}, fill = {0};
    size_t count = 1;
    for (int32_t i = 0; i < planned->rank; i++) count *= (size_t)planned->extents[i];
    ort_status *status = read_texts(&from, api, data);
    if (!status && value) status = read_texts(&fill, api, value);
    int64_t *in = malloc((from.count + 1) * sizeof *in), *out = malloc((count + 1) * sizeof *out);
    if (!status && (!in || !out))
        status = api->create_status(ORT_CODE_RUNTIME_EXCEPTION, "Pad: out of memory");
    if (!status) {
        for (size_t i = 0; i < from.count; i++) in[i] = (int64_t)i + 1;
        const int32_t done =
            tpad_run(&planned->plan, in, out, planned->has_fill ? planned->fill : NULL);
        status = done == TPAD_OK ? NULL : api->create_status(ORT_CODE_FAIL, tpad_status_text(done));
        if (!status) status = write_texts(api, output, out, count, &from, &fill);
    }
    free(in);
    free(out);
    free(from.bytes);
    free(from.offsets);
    free(fill.bytes);
    free(fill.offsets);
    return status;
}
