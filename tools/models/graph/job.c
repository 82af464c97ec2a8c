/* Preparing a job.  SPDX-License-Identifier: MIT
 *
 * Owns the order in which nodes run and the names that must be given. Knows nothing
 * of running. */
#include "job.h"
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

/* Lists the graph's inputs that have no value in the file, then makes a slot for every constant. */
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
        /* The step writes to the first output of that name; other outputs of that name are
         * copies. */
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

/* Refuses values that are neither given, nor constant, nor computed: a sparse initializer, a
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

/* Completes a port from the document if the file does not say what the node takes. */
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
