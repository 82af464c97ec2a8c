/* Looking at Pad nodes.  SPDX-License-Identifier: MIT
 *
 * Owns what is known of a Pad node before anything runs: its arguments, shapes as far as they
 * follow, and findings. Knows the ONNX dialect by its public interface; runs nothing. */
#include "model.h"
#include "onnx.pb.h"
#include <string.h>

enum { MAX_FINDINGS = 24, MAX_COMPUTED = 8, VALUE_BYTES = 200, STAND_IN_EXTENT = 1000 };

static const char *const input_names[IN_COUNT] = {"data", "pads", "constant_value", "axes"};

/* One node while it is looked at. */
typedef struct look {
    tpad_model *model;
    tpad_pad *pad;
    const tpad_tensor *constants[IN_COUNT]; /* where they are known */
    const char *findings[MAX_FINDINGS];
    int32_t failed; /* no memory */
} look;

static void find(void *context, const char *sentence)
{
    look *l = context;
    const int32_t count = l->pad->shown.findings_count;
    tpad_io_error line;
    if (count == MAX_FINDINGS) return;
    tpad_io_fail(&line, TPAD_E_MODEL, "%s", sentence); /* escapes what a terminal should not see */
    char *copy =
        tpad_arena_text(&l->model->arena, (tpad_string){line.text, (int64_t)strlen(line.text)});
    if (!copy) {
        l->failed = 1;
        return;
    }
    l->findings[count] = copy;
    l->pad->shown.findings_count++;
}

/* ---- What is shown of them ------------------------------------------------------------------- */

static void load_constants(look *l)
{
    for (int32_t i = IN_PADS; i <= IN_AXES; i++) {
        tpad_value *value = l->pad->inputs[i];
        tpad_io_error line;
        if (!l->pad->present[i] || !value || !tpad_value_is_constant(value)) continue;
        int32_t status = tpad_constant_small(&l->constants[i], l->model, value, &line);
        if (status == TPAD_E_MEMORY) l->failed = 1;
        if (status) find(l, line.text);
    }
}

static void show_computed(look *l)
{
    const char *names[MAX_COMPUTED];
    tpad_pad *pad = l->pad;
    int32_t count = 0;
    for (int32_t i = IN_PADS; i <= IN_AXES; i++)
        if (pad->present[i] && !(pad->inputs[i] && tpad_value_is_constant(pad->inputs[i])))
            names[count++] = input_names[i];
    if (pad->mode_computed) names[count++] = "mode";
    if ((pad->pads_computed || pad->paddings_computed) && !pad->present[IN_PADS])
        names[count++] = "pads";
    if (pad->value_computed) names[count++] = "value";
    const char **copy = tpad_arena_take(&l->model->arena, count, sizeof *copy);
    if (!copy) {
        l->failed = 1;
        return;
    }
    memcpy(copy, names, (size_t)count * sizeof *copy);
    pad->shown.computed = copy;
    pad->shown.computed_count = count;
}

static int64_t int_at(const tpad_tensor *tensor, int64_t index)
{
    int64_t wide;
    int32_t narrow;
    const char *at = (const char *)tensor->data + index * (tensor->elem_bits / 8);
    if (tensor->type != TPAD_ONNX_INT32) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
}

/* A list of integers, or NULL if the tensor is none. [1, n] is one too: some models have it. */
static const int64_t *int_list(look *l, const tpad_tensor *tensor, int32_t *count)
{
    if (!tensor || (tensor->type != TPAD_ONNX_INT64 && tensor->type != TPAD_ONNX_INT32) ||
        !(tensor->rank == 1 || (tensor->rank == 2 && tensor->shape[0] == 1)))
        return NULL;
    *count = (int32_t)tensor->shape[tensor->rank - 1];
    int64_t *list = tpad_arena_take(&l->model->arena, *count, sizeof *list);
    if (!list) l->failed = 1;
    for (int32_t i = 0; list && i < *count; i++) list[i] = int_at(tensor, i);
    return list;
}

static void show_amounts(look *l)
{
    tpad_pad_node *shown = &l->pad->shown;
    const tpad_pad *pad = l->pad;
    const int64_t *list = NULL;
    int32_t count = 0;
    shown->pads_count = shown->axes_count = -1;
    if (pad->present[IN_PADS])
        list = int_list(l, l->constants[IN_PADS], &count);
    else if (pad->pads && !pad->pads_computed)
        list = pad->pads, count = pad->pads_count;
    else if (pad->paddings && !pad->paddings_computed)
        list = pad->paddings, count = pad->paddings_count;
    if (list && count % 2 == 0) {
        shown->pads_count = count / 2;
        shown->begin = list;
        shown->end = list + count / 2;
    }
    list = int_list(l, l->constants[IN_AXES], &count);
    if (list) {
        shown->axes_count = count;
        shown->axes = list;
    }
}

/* One element of a type as text, cut where a string is long. */
static void show_value(look *l)
{
    const tpad_pad *pad = l->pad;
    static const float no_value;
    static const int64_t zeros[2];
    char text[VALUE_BYTES];
    int32_t type = pad->shown.type ? pad->shown.type : TPAD_ONNX_FLOAT;
    const void *element = zeros;
    const tpad_tensor *constant = l->constants[IN_VALUE];
    if (pad->present[IN_VALUE]) {
        if (!constant) return;
        for (int32_t axis = 0; axis < constant->rank; axis++)
            if (constant->shape[axis] != 1) return;
        element = constant->data;
        type = constant->type;
    } else if (pad->shown.version && pad->shown.version < 11) {
        if (pad->value_computed) return;
        element = pad->value ? pad->value : &no_value;
        type = TPAD_ONNX_FLOAT;
    }
    tpad_string string = {0};
    if (type == TPAD_ONNX_STRING) {
        memcpy(&string, element, sizeof string);
        if (string.length > VALUE_BYTES) string.length = VALUE_BYTES;
        element = &string;
    }
    if (tpad_value_format(text, sizeof text, type, element) >= (int)sizeof text)
        memcpy(text + sizeof text - sizeof "...", "...", sizeof "...");
    l->pad->shown.value =
        tpad_arena_text(&l->model->arena, (tpad_string){text, (int64_t)strlen(text)});
    if (!l->pad->shown.value) l->failed = 1;
}

/* ---- What follows ---------------------------------------------------------------------------- */

/* A node's arguments with something harmless in place of what is not known. */
typedef struct trial {
    tpad_onnx_pad pad;
    tpad_onnx_tensor tensors[IN_COUNT];
    int64_t zeros[2 * TPAD_MAX_RANK];
    int64_t axes[TPAD_MAX_RANK];
    int64_t extents[TPAD_MAX_RANK];
    int64_t counts[IN_COUNT];
    float zero;
    uint32_t known;     /* bit i: the output's extent on axis i follows */
    int32_t guessed;    /* 1: the rank is a guess */
    int32_t everything; /* 1: nothing stands in for anything */
} trial;

static void put_list(trial *t, int32_t input, const int64_t *list, int32_t count)
{
    t->counts[input] = count;
    t->tensors[input] = (tpad_onnx_tensor){TPAD_ONNX_INT64, 1, &t->counts[input], list};
}

static void put_constants(trial *t, const look *l)
{
    const tpad_onnx_tensor **places[] = {NULL, &t->pad.pads, &t->pad.value, &t->pad.axes};
    for (int32_t i = IN_PADS; i <= IN_AXES; i++) {
        const tpad_tensor *constant = l->constants[i];
        if (!l->pad->present[i]) continue;
        *places[i] = &t->tensors[i];
        if (constant)
            t->tensors[i] =
                (tpad_onnx_tensor){constant->type, constant->rank, constant->shape, constant->data};
        else
            t->everything = 0;
    }
}

static void make_trial(trial *t, const look *l)
{
    const tpad_pad *pad = l->pad;
    const tpad_pad_node *shown = &pad->shown;
    const int32_t no_pads = pad->present[IN_PADS] && !l->constants[IN_PADS];
    const int32_t no_axes = pad->present[IN_AXES] && !l->constants[IN_AXES];
    *t = (trial){.everything = 1};
    tpad_pad_begin(&t->pad, pad, 0);
    put_constants(t, l);
    if (no_axes && shown->pads_count > TPAD_MAX_RANK) t->pad.axes = NULL;

    int32_t rank = shown->in_rank;
    if (rank < 0) {
        rank = !pad->present[IN_AXES] && shown->pads_count >= 0 ? shown->pads_count : 1;
        t->guessed = 1;
    }
    t->everything &= !t->guessed && shown->type != 0 && !pad->mode_computed &&
                     !pad->pads_computed && !pad->paddings_computed && !pad->value_computed;
    if (!t->guessed && !no_pads && !no_axes && !pad->pads_computed && !pad->paddings_computed)
        t->known = UINT32_MAX;
    for (int32_t axis = 0; axis < rank && axis < TPAD_MAX_RANK; axis++) {
        const int64_t extent = shown->in_rank < 0 ? -1 : shown->in_shape[axis];
        t->axes[axis] = axis;
        t->extents[axis] = extent < 0 ? STAND_IN_EXTENT : extent;
        if (extent >= 0) continue;
        t->everything = 0;
        t->known &= ~(UINT32_C(1) << axis);
    }
    t->pad.data =
        (tpad_onnx_tensor){shown->type ? shown->type : TPAD_ONNX_FLOAT, rank, t->extents, NULL};
    const int32_t most = rank < TPAD_MAX_RANK ? rank : TPAD_MAX_RANK;
    const int32_t axes = shown->axes_count >= 0 ? shown->axes_count
                         : no_axes && shown->pads_count >= 0 && shown->pads_count <= most
                             ? shown->pads_count
                             : most;
    if (no_axes && t->pad.axes) put_list(t, IN_AXES, t->axes, axes);
    if (no_pads) put_list(t, IN_PADS, t->zeros, 2 * (axes < TPAD_MAX_RANK ? axes : TPAD_MAX_RANK));
    if (pad->present[IN_VALUE] && !l->constants[IN_VALUE]) t->pad.value = NULL;
    if (pad->pads_computed)
        t->pad.attribute_pads = t->zeros, t->pad.attribute_pads_count = 2 * most;
    if (pad->paddings_computed)
        t->pad.attribute_paddings = t->zeros, t->pad.attribute_paddings_count = 2 * most;
    if (pad->value_computed) t->pad.attribute_value = &t->zero;
}

/* Is what the dialect refuses true whatever the unknown things turn out to be? */
static int32_t is_certain(const trial *t, const tpad_error *refusal)
{
    const int32_t code = refusal->code;
    if (t->everything || code == TPAD_E_RANK) return 1;
    if (t->guessed && (code == TPAD_E_SPEC_PADS || code == TPAD_E_SPEC_AXES)) return 0;
    if (code == TPAD_E_NEGATIVE || code == TPAD_E_AMOUNT)
        return refusal->axis >= 0 && (t->known >> refusal->axis & 1);
    return code >= TPAD_E_SPEC_VERSION && code <= TPAD_E_SPEC_VALUE;
}

/* Joins what the file says of the output with what follows from the input. */
static void join_output(look *l, const trial *t, const int64_t *extents, int32_t rank)
{
    tpad_pad_node *shown = &l->pad->shown;
    const int32_t declared = shown->out_rank;
    tpad_io_error line;
    int64_t *shape = tpad_arena_take(&l->model->arena, rank, sizeof *shape);
    if (!shape) {
        l->failed = 1;
        return;
    }
    if (declared >= 0 && declared != rank) {
        tpad_io_fail(&line, TPAD_E_MODEL,
                     "the file says that the output has rank %d, but it has %d", (int)declared,
                     (int)rank);
        find(l, line.text);
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        const int64_t said = declared == rank ? shown->out_shape[axis] : -1;
        shape[axis] = t->known >> axis & 1 ? extents[axis] : said;
        if (said < 0 || said == shape[axis]) continue;
        tpad_io_fail(&line, TPAD_E_MODEL,
                     "the file says that the output has extent %lld on axis %d, but it has %lld",
                     (long long)said, (int)axis, (long long)shape[axis]);
        find(l, line.text);
    }
    shown->out_rank = rank;
    shown->out_shape = shape;
}

static void try_out(look *l)
{
    tpad_onnx_problem problem;
    tpad_error refusal;
    char text[sizeof(((tpad_io_error *)0)->text)];
    int64_t extents[TPAD_MAX_RANK];
    trial t;
    make_trial(&t, l);
    int32_t status = tpad_onnx_translate(&problem, &t.pad, &refusal);
    if (status && is_certain(&t, &refusal)) {
        tpad_error_format(&refusal, text, sizeof text);
        find(l, text);
    }
    if (status) {
        t.pad.flags = TPAD_ONNX_LENIENT;
        status = tpad_onnx_translate(&problem, &t.pad, NULL);
    }
    if (status) return;
    tpad_find_differences(&problem, t.pad.opset, l->pad->shown.type, t.known, find, l);
    if (!t.guessed && !tpad_shape(&problem.problem, extents, NULL, NULL, NULL))
        join_output(l, &t, extents, problem.problem.rank);
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static void show_shapes(look *l, const tpad_value *output)
{
    tpad_pad_node *shown = &l->pad->shown;
    const tpad_value *data = l->pad->inputs[IN_DATA], *value = l->pad->inputs[IN_VALUE];
    shown->in_rank = data ? data->rank : -1;
    shown->in_shape = data ? data->shape : NULL;
    shown->out_rank = output ? output->rank : -1;
    shown->out_shape = output ? output->shape : NULL;
    if (data) shown->type = data->type;
    if (!shown->type && value) shown->type = value->type;
    if (!shown->type && output) shown->type = output->type;
}

static int32_t inspect_node(tpad_model *model, tpad_pad *pad, tpad_io_error *error)
{
    look l = {.model = model, .pad = pad};
    tpad_pad_node *shown = &pad->shown;
    const tpad_onnx_version *version = tpad_onnx_version_for(pad->graph->opset);
    int32_t status = tpad_name_text(&shown->name, model, pad->node->name, error);
    if (!status) status = tpad_graph_name(model, pad->graph, error);
    if (!status) status = tpad_pad_read(model, pad, error);
    if (status) return status;
    shown->graph = pad->graph->path;
    shown->spec = "onnx";
    shown->version = version ? version->since : 0;
    shown->mode = pad->mode_computed ? NULL : pad->mode ? pad->mode : "constant";
    tpad_value *output =
        *shown->output ? tpad_graph_find(pad->graph, pad->node->outputs.items[0]) : NULL;
    show_shapes(&l, output);
    load_constants(&l);
    show_computed(&l);
    show_amounts(&l);
    show_value(&l);
    if (pad->trouble) find(&l, pad->trouble);
    for (int32_t i = 0; i < IN_COUNT; i++) {
        if (!pad->present[i] || pad->inputs[i]) continue;
        tpad_io_error line;
        tpad_io_fail(&line, TPAD_E_MODEL, "nothing makes its input '%s'", shown->inputs[i]);
        find(&l, line.text);
    }
    if (!pad->trouble) try_out(&l);
    if (output) {
        output->type = output->type ? output->type : shown->type;
        output->rank = shown->out_rank;
        output->shape = shown->out_shape;
    }
    const char **copy = tpad_arena_take(&model->arena, shown->findings_count, sizeof *copy);
    if (l.failed || !copy) return tpad_no_memory(model, error);
    memcpy(copy, l.findings, (size_t)shown->findings_count * sizeof *copy);
    shown->findings = copy;
    return TPAD_OK;
}

static int32_t inspect_graph(tpad_model *model, tpad_graph *graph, int64_t *index,
                             tpad_io_error *error)
{
    for (int64_t i = 0; i < graph->node_count; i++) {
        const tpad_node *node = &graph->nodes[i];
        int32_t status = TPAD_OK;
        if (tpad_node_is(node, "Pad")) {
            tpad_pad *pad = &model->pads[(*index)++];
            pad->graph = graph;
            pad->node = node;
            status = inspect_node(model, pad, error);
        }
        for (tpad_graph *child = node->subgraphs; child && !status; child = child->next)
            status = inspect_graph(model, child, index, error);
        if (status) return status;
    }
    return TPAD_OK;
}

int32_t tpad_model_inspect(tpad_model *model, tpad_io_error *error)
{
    int64_t index = 0;
    model->pads = tpad_arena_take(&model->arena, model->pad_count, sizeof *model->pads);
    if (!model->pads) return tpad_no_memory(model, error);
    int32_t status = inspect_graph(model, model->top, &index, error);
    for (tpad_graph *graph = model->functions; graph && !status; graph = graph->next)
        status = inspect_graph(model, graph, &index, error);
    return status;
}
