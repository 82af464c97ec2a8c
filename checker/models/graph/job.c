/* Prepares and runs a job.  SPDX-License-Identifier: MIT
 *
 * Preparation finds the running order of the nodes, and the names of inputs that must be given. */
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t add_port(tpad_job *job, tpad_port *ports, int32_t *count, tpad_string name,
                        const tpad_value *value, tpad_io_error *error)
{
    tpad_port *port = &ports[*count];
    int32_t status = tpad_name_text(&port->name, job->model, name, error);
    if (status) return status;
    port->type = value->type;
    port->rank = value->rank;
    port->shape = value->shape;
    (*count)++;
    return TPAD_OK;
}

/* ---- The whole model ------------------------------------------------------------------------- */

static int32_t only_pads(const tpad_model *model, tpad_io_error *error)
{
    for (int64_t i = 0; i < model->top->node_count; i++) {
        const tpad_node *node = &model->top->nodes[i];
        if (node->kind != NODE_OTHER) continue;
        return tpad_io_fail(error, TPAD_E_MODEL,
                            "%s: node '%.*s' (%.*s%s%.*s): only models of %s can be run; --node "
                            "NAME runs one Pad node",
                            model->path, TPAD_SHOW(tpad_node_label(node)), TPAD_SHOW(node->domain),
                            node->domain.length ? "." : "", TPAD_SHOW(node->op_type),
                            model->format->runnable);
    }
    return TPAD_OK;
}

static int32_t add_step(tpad_job *job, const tpad_graph_pad *pad, tpad_io_error *error)
{
    const tpad_model *model = job->model;
    tpad_step *step = &job->steps[job->step_count];
    const int64_t index = pad->node - model->top->nodes;
    step->pad = pad;
    for (int32_t i = 0; i < IN_COUNT; i++) {
        step->in[i] = -1;
        if (!pad->present[i]) continue;
        const tpad_value *value = pad->inputs[i];
        if (!value || !(value->is_input || value->is_initializer ||
                        (value->producer >= 0 && value->producer < index)))
            return tpad_io_fail(error, TPAD_E_MODEL, "%s: node '%.*s' uses '%s' before it is made",
                                model->path, TPAD_SHOW(tpad_node_label(pad->node)),
                                pad->info.inputs[i]);
        step->in[i] = value - model->top->values;
        job->slots[step->in[i]].last_step = job->step_count;
    }
    step->out = pad->output - model->top->values;
    job->step_count++;
    return TPAD_OK;
}

static int32_t can_run(const tpad_model *model, const tpad_graph_pad *pad, tpad_io_error *error)
{
    if (pad->trouble)
        return tpad_io_fail(error, TPAD_E_MODEL, "%s: node '%.*s': %s", model->path,
                            TPAD_SHOW(tpad_node_label(pad->node)), pad->trouble);
    if (pad->computed[0])
        return tpad_io_fail(error, TPAD_E_MODEL,
                            "%s: node '%.*s': its attribute '%s' is known only where the function "
                            "is called",
                            model->path, TPAD_SHOW(tpad_node_label(pad->node)), pad->computed[0]);
    if (!pad->info.type && pad->info.type_name)
        return tpad_io_fail(error, TPAD_E_MODEL,
                            "%s: node '%.*s': no array file (.npy, .pb) has elements of type %s; "
                            "the C interface pads them",
                            model->path, TPAD_SHOW(tpad_node_label(pad->node)),
                            pad->info.type_name);
    return TPAD_OK;
}

/* Lists the graph's inputs without a value in the file, then makes a slot for every constant. */
static int32_t list_inputs(tpad_job *job, tpad_io_error *error)
{
    const tpad_graph *top = job->model->top;
    for (int64_t i = 0; i < top->input_count; i++) {
        const tpad_value *value = top->inputs[i].value;
        const int64_t at = value - top->values;
        if (value->is_initializer || job->slots[at].input >= 0) continue;
        job->slots[at].input = job->input_count;
        int32_t status =
            add_port(job, job->inputs, &job->input_count, top->inputs[i].name, value, error);
        if (status) return status;
    }
    for (int64_t i = 0; i < top->value_count; i++)
        if (top->values[i].is_constant) job->slots[i].constant = &top->values[i];
    return TPAD_OK;
}

static int32_t list_outputs(tpad_job *job, tpad_io_error *error)
{
    const tpad_graph *top = job->model->top;
    for (int64_t i = 0; i < top->output_count; i++) {
        const tpad_value *value = top->outputs[i].value;
        const int64_t at = value - top->values;
        tpad_slot *slot = &job->slots[at];
        if (value->producer < 0 && !value->is_input && !value->is_initializer)
            return tpad_io_fail(error, TPAD_E_MODEL, "%s: nothing makes its output '%.*s'",
                                job->model->path, TPAD_SHOW(value->name));
        job->output_slots[i] = at;
        /* The step writes to the first output with that name; the others are copies. */
        if (value->producer >= 0 && !slot->constant && slot->output < 0)
            slot->output = job->output_count;
        else
            slot->last_step = INT64_MAX;
        int32_t status =
            add_port(job, job->outputs, &job->output_count, top->outputs[i].name, value, error);
        if (status) return status;
    }
    return TPAD_OK;
}

/* Refuses values that are neither given nor constant nor computed: a sparse initializer, or a
 * Constant that cannot be read. */
static int32_t check_readable(const tpad_job *job, tpad_io_error *error)
{
    const tpad_graph *top = job->model->top;
    for (int64_t i = 0; i < job->slot_count; i++) {
        const tpad_value *value = &top->values[i];
        const tpad_slot *slot = &job->slots[i];
        const int32_t pads = value->producer >= 0 && top->nodes[value->producer].kind == NODE_PAD;
        if (slot->last_step < 0 || slot->constant || slot->input >= 0 || pads) continue;
        return tpad_io_fail(error, TPAD_E_MODEL,
                            "%s: the constant '%.*s' has a form that cannot be "
                            "read (sparse, or of too many dims)",
                            job->model->path, TPAD_SHOW(value->name));
    }
    return TPAD_OK;
}

static int32_t open_whole(tpad_job *job, tpad_io_error *error)
{
    tpad_model *model = job->model;
    const tpad_graph *top = model->top;
    int32_t status = only_pads(model, error);
    if (status) return status;
    if (top->input_count > INT32_MAX || top->output_count > INT32_MAX)
        return tpad_io_fail(error, TPAD_E_MODEL, "%s: too many inputs or outputs", model->path);
    job->slot_count = top->value_count;
    job->slots = tpad_arena_take(&job->arena, top->value_count, sizeof *job->slots);
    job->steps = tpad_arena_take(&job->arena, top->node_count, sizeof *job->steps);
    job->inputs = tpad_arena_take(&job->arena, top->input_count, sizeof *job->inputs);
    job->outputs = tpad_arena_take(&job->arena, top->output_count, sizeof *job->outputs);
    job->output_slots = tpad_arena_take(&job->arena, top->output_count, sizeof *job->output_slots);
    if (!job->slots || !job->steps || !job->inputs || !job->outputs || !job->output_slots)
        return tpad_no_memory(model, error);
    for (int64_t i = 0; i < job->slot_count; i++)
        job->slots[i] = (tpad_slot){.input = -1, .output = -1, .last_step = -1};
    status = list_inputs(job, error);
    for (int64_t i = 0; i < model->pad_count && !status; i++) {
        if (model->pads[i].graph != top || model->pads[i].unused) continue;
        status = can_run(model, &model->pads[i], error);
        if (!status) status = add_step(job, &model->pads[i], error);
    }
    if (!status) status = list_outputs(job, error);
    return status ? status : check_readable(job, error);
}

/* ---- One node -------------------------------------------------------------------------------- */

/* Completes a port from the document if the file does not have its type. */
static void complete_port(tpad_port *port, int32_t type, const tpad_graph_pad *pad)
{
    if (port->type == 0) port->type = type == TYPE_OF_DATA ? pad->info.type : type;
}

/* Adds the specification's name of the node's input to the port of that slot, if it has one. */
static void name_argument(tpad_job *job, int64_t slot, int32_t input)
{
    if (job->slots[slot].input < 0) return;
    const char **names = job->inputs[job->slots[slot].input].arguments;
    while (*names) names++;
    *names = job->model->format->arguments[input];
}

static int32_t add_node_input(tpad_job *job, const tpad_graph_pad *pad, int32_t input,
                              tpad_io_error *error)
{
    tpad_step *step = job->steps;
    const char *name = pad->info.inputs[input];
    const tpad_value undefined = {.rank = -1, .producer = -1};
    const tpad_value *value = pad->inputs[input] ? pad->inputs[input] : &undefined;
    for (int32_t i = 0; i < input; i++)
        if (pad->present[i] && pad->inputs[i] == pad->inputs[input] &&
            !strcmp(pad->info.inputs[i], name)) {
            step->in[input] = step->in[i];
            name_argument(job, step->in[i], input);
            return TPAD_OK;
        }
    tpad_slot *slot = &job->slots[job->slot_count];
    step->in[input] = job->slot_count++;
    slot->last_step = 0;
    if (value->is_constant || pad->info.folded[input]) {
        slot->constant = value;
        return TPAD_OK;
    }
    tpad_port *port = &job->inputs[job->input_count];
    slot->input = job->input_count;
    int32_t status = add_port(job, job->inputs, &job->input_count,
                              (tpad_string){name, (int64_t)strlen(name)}, value, error);
    complete_port(port, job->model->format->types[input], pad);
    name_argument(job, step->in[input], input);
    return status;
}

static int32_t open_node(tpad_job *job, const char *text, tpad_io_error *error)
{
    const tpad_graph_pad *pad = NULL;
    int32_t status = tpad_named_pad(job->model, text, &pad, error);
    if (!status) status = can_run(job->model, pad, error);
    if (status) return status;
    job->slots = tpad_arena_take(&job->arena, IN_COUNT + 1, sizeof *job->slots);
    job->steps = tpad_arena_take(&job->arena, 1, sizeof *job->steps);
    job->inputs = tpad_arena_take(&job->arena, IN_COUNT, sizeof *job->inputs);
    job->outputs = tpad_arena_take(&job->arena, 1, sizeof *job->outputs);
    job->output_slots = tpad_arena_take(&job->arena, 1, sizeof *job->output_slots);
    if (!job->slots || !job->steps || !job->inputs || !job->outputs || !job->output_slots)
        return tpad_no_memory(job->model, error);
    for (int32_t i = 0; i < IN_COUNT + 1; i++)
        job->slots[i] = (tpad_slot){.input = -1, .output = -1, .last_step = -1};
    job->steps[0].pad = pad;
    job->step_count = 1;
    for (int32_t i = 0; i < IN_COUNT && !status; i++) {
        job->steps[0].in[i] = -1;
        if (pad->present[i]) status = add_node_input(job, pad, i, error);
    }
    if (status) return status;
    job->steps[0].out = job->output_slots[0] = job->slot_count++;
    job->slots[job->output_slots[0]].output = 0;
    job->outputs[0] = (tpad_port){.name = pad->info.output,
                                  .shape = pad->info.out_shape,
                                  .type = pad->info.type,
                                  .rank = pad->info.out_rank};
    job->output_count = 1;
    return TPAD_OK;
}

/* ---- Interface ------------------------------------------------------------------------------- */

int32_t tpad_job_open(tpad_job **out, tpad_model *model, const char *node, tpad_io_error *error)
{
    *out = NULL;
    tpad_job *job = calloc(1, sizeof *job);
    if (!job) return tpad_no_memory(model, error);
    job->model = model;
    int32_t status = node ? open_node(job, node, error) : open_whole(job, error);
    if (status)
        tpad_job_free(job);
    else
        *out = job;
    return status;
}

void tpad_job_free(tpad_job *job)
{
    if (!job) return;
    tpad_arena_free(&job->arena);
    free(job);
}

int32_t tpad_job_input_count(const tpad_job *job)
{
    return job->input_count;
}

int32_t tpad_job_output_count(const tpad_job *job)
{
    return job->output_count;
}

const tpad_port *tpad_job_input(const tpad_job *job, int32_t index)
{
    return index >= 0 && index < job->input_count ? &job->inputs[index] : NULL;
}

const tpad_port *tpad_job_output(const tpad_job *job, int32_t index)
{
    return index >= 0 && index < job->output_count ? &job->outputs[index] : NULL;
}

/* Running a job: the arrays between the nodes, where they come from and how long they live. The
 * format makes the padding problem; the core plans and runs it. */

/* An array while it exists. Its tensor owns only memory allocated in this file. */
typedef struct array {
    tpad_tensor tensor;
    const char *npy_descr; /* of the input file, if it is one */
    int32_t ready;
} array;

typedef struct execution {
    const tpad_job *job;
    const tpad_job_run *run;
    array *arrays; /* one per slot */
    int64_t bytes; /* of the results so far */
} execution;

/* The small arguments of a node: dense and in native byte order, as src/specs needs them. */
typedef struct arguments {
    const tpad_tensor *in[IN_COUNT]; /* NULL: absent */
    tpad_tensor tensors[IN_COUNT];
    void *copies[IN_COUNT];
} arguments;

enum { SHAPE_BYTES = 256 };

/* ---- Given arrays ---------------------------------------------------------------------------- */

static int32_t contradicts(const tpad_job *job, const tpad_port *port, const tpad_tensor *given,
                           tpad_io_error *error)
{
    if (port->type && given->type != port->type)
        return tpad_io_fail(error, TPAD_E_MODEL, "%s: input '%s' is of type %s, but %s was given",
                            job->model->path, port->name, tpad_onnx_type_name(port->type),
                            tpad_tensor_type_text(given));
    if (!tpad_onnx_type_name(given->type))
        return tpad_io_fail(error, TPAD_E_MODEL, "%s: input '%s': %s is not a type of %s",
                            job->model->path, port->name, tpad_tensor_type_text(given),
                            job->model->format->title);
    int32_t fits = port->rank < 0 || given->rank == port->rank;
    for (int32_t axis = 0; fits && axis < port->rank; axis++)
        fits = port->shape[axis] < 0 || port->shape[axis] == given->shape[axis];
    if (fits) return TPAD_OK;
    char planned[SHAPE_BYTES], got[SHAPE_BYTES];
    tpad_shape_text(planned, sizeof planned, port->rank, port->shape);
    tpad_shape_text(got, sizeof got, given->rank, given->shape);
    return tpad_io_fail(error, TPAD_E_MODEL, "%s: input '%s' has shape %s, but %s was given",
                        job->model->path, port->name, planned, got);
}

static int32_t take_inputs(execution *e, tpad_io_error *error)
{
    for (int64_t i = 0; i < e->job->slot_count; i++) {
        const int32_t index = e->job->slots[i].input;
        if (index < 0) continue;
        const tpad_port *port = &e->job->inputs[index];
        const tpad_tensor *given = e->run->inputs ? e->run->inputs[index] : NULL;
        if (!given)
            return tpad_io_fail(error, TPAD_E_MODEL, "%s: input '%s' is missing; --input %s=FILE",
                                e->job->model->path, port->name, port->name);
        int32_t status = contradicts(e->job, port, given, error);
        if (status) return status;
        array *a = &e->arrays[i];
        a->tensor = *given;
        a->npy_descr = given->npy_descr;
        a->tensor.name = a->tensor.npy_descr = NULL;
        a->tensor.memory = NULL;
        a->ready = 1;
    }
    return TPAD_OK;
}

/* Constants are decoded when they are first used. */
static int32_t want(execution *e, int64_t slot, tpad_io_error *error)
{
    array *a = &e->arrays[slot];
    const tpad_value *constant = e->job->slots[slot].constant;
    if (a->ready || !constant) return TPAD_OK;
    a->ready = 1;
    if (constant->is_constant)
        return tpad_constant_load(&a->tensor, e->job->model, constant, error);
    a->tensor = *constant->small; /* computed by the inspection */
    return TPAD_OK;
}

/* ---- Layouts --------------------------------------------------------------------------------- */

static int32_t is_dense(const tpad_tensor *tensor)
{
    tpad_tensor dense = *tensor;
    tpad_dense_strides(&dense);
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        if (tensor->shape[axis] > 1 && tensor->strides[axis] != dense.strides[axis]) return 0;
    return 1;
}

/* Gives a problem the tensor's strides in memory. */
static void set_strides(int32_t *flags, tpad_axis *axes, const tpad_tensor *tensor)
{
    if (is_dense(tensor)) return;
    *flags |= TPAD_IN_STRIDES;
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        axes[axis].in_stride = tensor->strides[axis];
}

/* The problem of copying a tensor. */
static tpad_problem copy_problem(tpad_axis *axes, const tpad_tensor *tensor)
{
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        axes[axis] = (tpad_axis){.in_extent = tensor->shape[axis]};
    tpad_problem problem = TPAD_PROBLEM(tensor->elem_bits, tensor->rank, axes);
    set_strides(&problem.flags, axes, tensor);
    return problem;
}

static int32_t fail_with(const tpad_job *job, const char *what, tpad_string name,
                         const tpad_error *reason, tpad_io_error *error)
{
    char text[sizeof error->text];
    tpad_error_format(reason, text, sizeof text);
    return tpad_io_fail(error, reason->code, "%s: %s '%.*s': %s", job->model->path, what,
                        TPAD_SHOW(name), text);
}

static tpad_string label_of(const tpad_graph_pad *pad)
{
    return pad->node->name.length ? pad->node->name : pad->node->output;
}

/* Makes a dense copy of a small argument in native byte order, unless it already is. */
static int32_t settle(const execution *e, const tpad_step *step, int32_t input, arguments *args,
                      tpad_io_error *error)
{
    const tpad_tensor *tensor = &e->arrays[step->in[input]].tensor;
    tpad_tensor *out = &args->tensors[input];
    *out = *tensor;
    args->in[input] = out;
    const int32_t foreign = tensor->big_endian != tpad_host_big_endian() && tensor->elem_bits > 8 &&
                            tensor->type != TPAD_ONNX_STRING;
    if (!foreign && is_dense(tensor)) return TPAD_OK;
    tpad_axis axes[TPAD_MAX_RANK];
    tpad_problem problem = copy_problem(axes, tensor);
    tpad_plan plan;
    tpad_error reason;
    int64_t elems, bytes;
    int32_t status = tpad_shape(&problem, NULL, &elems, &bytes, &reason);
    if (!status) status = tpad_plan_init(&plan, sizeof plan, &problem, &reason);
    if (status) return fail_with(e->job, "node", label_of(step->pad), &reason, error);
    void *copy = tpad_fits_memory(bytes) ? malloc((size_t)bytes + 1) : NULL;
    args->copies[input] = copy;
    if (!copy) return tpad_no_memory(e->job->model, error);
    status = tpad_run(&plan, tensor->data, copy, NULL);
    if (status)
        return tpad_io_fail(error, status, "%s: node '%.*s': its input '%s' could not be copied",
                            e->job->model->path, TPAD_SHOW(label_of(step->pad)),
                            step->pad->info.inputs[input]);
    if (foreign) tpad_swap_bytes(copy, elems, tensor);
    out->data = copy;
    out->big_endian = tpad_host_big_endian();
    tpad_dense_strides(out);
    return TPAD_OK;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Memory for a result: the caller's if it is an output of the job, otherwise our own. */
static int32_t allocate(const execution *e, array *a, int32_t output, int64_t bytes, void **data,
                        tpad_io_error *error)
{
    if (output >= 0) {
        tpad_tensor like = a->tensor;
        like.name = (char *)(uintptr_t)e->job->outputs[output].name;
        like.npy_descr = (char *)(uintptr_t)a->npy_descr;
        return e->run->allocate(e->run->context, output, &like, data, error);
    }
    tpad_memory *memory = calloc(1, sizeof *memory);
    a->tensor.memory = memory;
    if (memory && tpad_fits_memory(bytes)) memory->extra = malloc((size_t)bytes + 1);
    if (!memory || !memory->extra)
        return tpad_io_fail(error, TPAD_E_MEMORY, "%s: no memory for %lld bytes between two nodes",
                            e->job->model->path, (long long)bytes);
    *data = memory->extra;
    return TPAD_OK;
}

/* Makes an array and runs the problem from another array into it. */
static int32_t solve(execution *e, const tpad_problem *problem, const array *from, array *to,
                     int32_t output, const void *value, tpad_string name, tpad_io_error *error)
{
    tpad_plan plan;
    tpad_error reason;
    int64_t extents[TPAD_MAX_RANK], elems, bytes;
    void *data = NULL;
    int32_t status = tpad_shape(problem, extents, &elems, &bytes, &reason);
    if (!status) status = tpad_plan_init(&plan, sizeof plan, problem, &reason);
    if (status) return fail_with(e->job, "node", name, &reason, error);
    const int64_t most = e->run->most_bytes > 0 ? e->run->most_bytes : tpad_memory_bytes() / 4;
    if (bytes > most - e->bytes)
        return tpad_io_fail(
            error, TPAD_E_MODEL,
            "%s: --max-bytes N (Python: max_bytes=N) allows more than %lld bytes of "
            "results: %lld are there, and '%.*s' needs %lld",
            e->job->model->path, (long long)most, (long long)e->bytes, TPAD_SHOW(name),
            (long long)bytes);
    e->bytes += bytes;
    const int32_t big_endian = from->tensor.big_endian;
    tpad_tensor_describe(&to->tensor, from->tensor.type, from->tensor.rank, extents);
    to->tensor.big_endian = big_endian;
    to->npy_descr = from->npy_descr;
    to->ready = 1;
    status = allocate(e, to, output, bytes, &data, error);
    if (status) return status;
    to->tensor.data = data;
    status = tpad_run_with(&plan, from->tensor.data, data, value, e->run->runner);
    return status ? tpad_io_fail(error, status, "%s: node '%.*s': the threads did not finish",
                                 e->job->model->path, TPAD_SHOW(name))
                  : TPAD_OK;
}

static int32_t pad_array(execution *e, const tpad_step *step, arguments *args, tpad_io_error *error)
{
    const tpad_graph_pad *pad = step->pad;
    const array *data = &e->arrays[step->in[IN_DATA]];
    const tpad_format *format = e->job->model->format;
    tpad_translation translation;
    tpad_error reason, again;
    unsigned char swapped[16];
    args->in[IN_DATA] = &data->tensor;
    int32_t status = format->translate(&translation, pad, args->in, e->run->lenient, &reason);
    if (status && e->run->lenient_accepts)
        *e->run->lenient_accepts = !format->translate(&translation, pad, args->in, 1, &again);
    if (status) return fail_with(e->job, "node", label_of(pad), &reason, error);
    set_strides(&translation.flags, translation.axes, &data->tensor);
    const tpad_problem problem = tpad_translation_problem(&translation);
    const void *value = tpad_translation_value(&translation);
    if (value && data->tensor.big_endian != tpad_host_big_endian() && data->tensor.elem_bits > 8 &&
        data->tensor.elem_bits <= 8 * (int32_t)sizeof swapped &&
        data->tensor.type != TPAD_ONNX_STRING) {
        memcpy(swapped, value, (size_t)data->tensor.elem_bits / 8);
        tpad_swap_bytes(swapped, 1, &data->tensor);
        value = swapped;
    }
    return solve(e, &problem, data, &e->arrays[step->out], e->job->slots[step->out].output, value,
                 label_of(pad), error);
}

static int32_t run_step(execution *e, int64_t index, tpad_io_error *error)
{
    const tpad_step *step = &e->job->steps[index];
    arguments args = {0};
    int32_t status = want(e, step->in[IN_DATA], error);
    for (int32_t i = IN_DATA + 1; i < IN_COUNT && !status; i++) {
        if (step->in[i] < 0) continue;
        status = want(e, step->in[i], error);
        if (!status) status = settle(e, step, i, &args, error);
    }
    if (!status) status = pad_array(e, step, &args, error);
    for (int32_t i = 0; i < IN_COUNT; i++) {
        free(args.copies[i]);
        if (step->in[i] >= 0 && e->job->slots[step->in[i]].last_step <= index)
            tpad_tensor_free(&e->arrays[step->in[i]].tensor);
    }
    return status;
}

/* Copies an output that no step makes: an input, a constant, or an output that is listed twice. */
static int32_t copy_output(execution *e, int32_t index, tpad_io_error *error)
{
    const int64_t slot = e->job->output_slots[index];
    tpad_axis axes[TPAD_MAX_RANK];
    array copy = {0};
    if (e->job->slots[slot].output == index) return TPAD_OK;
    int32_t status = want(e, slot, error);
    if (status) return status;
    const array *from = &e->arrays[slot];
    const tpad_problem problem = copy_problem(axes, &from->tensor);
    const char *name = e->job->outputs[index].name;
    status = solve(e, &problem, from, &copy, index, NULL,
                   (tpad_string){name, (int64_t)strlen(name)}, error);
    tpad_tensor_free(&copy.tensor);
    return status;
}

int32_t tpad_job_execute(tpad_job *job, const tpad_job_run *run, tpad_io_error *error)
{
    execution e = {.job = job, .run = run};
    e.arrays = calloc((size_t)job->slot_count + 1, sizeof *e.arrays);
    if (!e.arrays) return tpad_no_memory(job->model, error);
    int32_t status = take_inputs(&e, error);
    for (int64_t i = 0; i < job->step_count && !status; i++) status = run_step(&e, i, error);
    for (int32_t i = 0; i < job->output_count && !status; i++) status = copy_output(&e, i, error);
    for (int64_t i = 0; i < job->slot_count; i++) tpad_tensor_free(&e.arrays[i].tensor);
    free(e.arrays);
    return status;
}
