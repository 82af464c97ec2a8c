/* Looking at Pad nodes.  SPDX-License-Identifier: MIT
 *
 * Owns what is known of a Pad node before anything runs: its arguments, shapes as far as they
 * follow, and findings. Leaves what an argument means to the format; runs nothing. */
#include "inspect.h"
#include <string.h>

enum { MAX_COMPUTED = 8, VALUE_BYTES = 200 };

void tpad_find(tpad_look *l, const char *sentence)
{
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

static void load_constants(tpad_look *l)
{
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++) {
        tpad_value *value = l->pad->inputs[i];
        tpad_io_error line;
        if (!l->pad->present[i] || !value || !value->is_constant) continue;
        int32_t status = tpad_constant_small(&l->constants[i], l->model, value, &line);
        if (status == TPAD_E_MEMORY) l->failed = 1;
        if (status) tpad_find(l, line.text);
    }
}

/* Whether an input of that name makes the attribute pointless. */
static int32_t is_given(const tpad_graph_pad *pad, const char *name, const tpad_format *format)
{
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++)
        if (pad->present[i] && !strcmp(format->arguments[i], name)) return 1;
    return 0;
}

static void show_computed(tpad_look *l)
{
    const char *names[MAX_COMPUTED];
    tpad_graph_pad *pad = l->pad;
    int32_t count = 0;
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++)
        if (pad->present[i] && !(pad->inputs[i] && pad->inputs[i]->is_constant))
            names[count++] = l->model->format->arguments[i];
    for (int32_t i = 0; pad->computed[i]; i++)
        if (!is_given(pad, pad->computed[i], l->model->format)) names[count++] = pad->computed[i];
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
    uint64_t bits = 0;
    const int32_t width = tensor->elem_bits, size = width / 8;
    const unsigned char *at = (const unsigned char *)tensor->data + index * size;
    for (int32_t k = 0; k < size; k++) bits = bits << 8 | at[tensor->big_endian ? k : size - 1 - k];
    if (width == 64 || !tpad_type_is_signed(tensor->type)) return (int64_t)bits;
    const uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((bits ^ sign) - sign);
}

const int64_t *tpad_look_list(tpad_look *l, const tpad_tensor *tensor, int32_t *count)
{
    if (!tensor || tensor->elem_bits < 8 ||
        !(tpad_type_is_signed(tensor->type) || tpad_type_is_unsigned(tensor->type)) ||
        !(tensor->rank == 1 || (tensor->rank == 2 && tensor->shape[0] == 1)))
        return NULL;
    *count = (int32_t)tensor->shape[tensor->rank - 1];
    int64_t *list = tpad_arena_take(&l->model->arena, *count, sizeof *list);
    if (!list) l->failed = 1;
    for (int32_t i = 0; list && i < *count; i++) list[i] = int_at(tensor, i);
    return list;
}

int32_t tpad_is_single(const tpad_tensor *tensor)
{
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        if (tensor->shape[axis] != 1) return 0;
    return 1;
}

/* Cut where a string is long. */
void tpad_look_value(tpad_look *l, int32_t type, const void *element)
{
    char text[VALUE_BYTES];
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

static void make_trial(tpad_trial *t, const tpad_look *l)
{
    const tpad_pad_node *shown = &l->pad->shown;
    *t = (tpad_trial){.pad = *l->pad, .known = UINT32_MAX, .everything = shown->type_name != NULL};
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++) {
        t->in[i] = l->constants[i];
        if (l->pad->present[i] && !l->constants[i]) t->everything = 0;
    }
    tpad_tensor *data = &t->tensors[IN_DATA];
    t->in[IN_DATA] = data;
    tpad_tensor_describe(data, shown->type ? shown->type : TPAD_ONNX_FLOAT, 0, NULL);
    data->rank = shown->in_rank;
    for (int32_t axis = 0; axis < TPAD_MAX_RANK; axis++) {
        const int64_t extent = axis < shown->in_rank ? shown->in_shape[axis] : -1;
        data->shape[axis] = extent < 0 ? STAND_IN_EXTENT : extent;
        if (extent < 0) t->known &= ~(UINT32_C(1) << axis);
        if (extent < 0 && axis < shown->in_rank) t->everything = 0;
    }
    if (data->rank < 0) {
        data->rank = shown->pads_count >= 0 ? shown->pads_count : 1;
        t->guessed = 1;
        t->everything = 0;
    }
    l->model->format->stand_in(t, l);
}

/* Is what the dialect refuses true whatever the unknown things turn out to be? */
static int32_t is_certain(const tpad_trial *t, const tpad_error *refusal)
{
    const int32_t code = refusal->code;
    if (t->everything || code == TPAD_E_RANK) return 1;
    if (t->guessed && (code == TPAD_E_SPEC_PADS || code == TPAD_E_SPEC_AXES)) return 0;
    if (refusal->axis >= 0 && code != TPAD_E_SPEC_AXES)
        return (code == TPAD_E_NEGATIVE || code == TPAD_E_AMOUNT || code == TPAD_E_SPEC_PADS) &&
               ((t->known >> refusal->axis & 1) || (code == TPAD_E_SPEC_PADS && refusal->got < 0));
    return code >= TPAD_E_SPEC_VERSION && code <= TPAD_E_SPEC_VALUE;
}

/* Joins what the file says of the output with what follows from the input. */
static void join_output(tpad_look *l, const tpad_trial *t, const int64_t *extents, int32_t rank)
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
        tpad_find(l, line.text);
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        const int64_t said = declared == rank ? shown->out_shape[axis] : -1;
        shape[axis] = t->known >> axis & 1 ? extents[axis] : said;
        if (said < 0 || said == shape[axis]) continue;
        tpad_io_fail(&line, TPAD_E_MODEL,
                     "the file says that the output has extent %lld on axis %d, but it has %lld",
                     (long long)said, (int)axis, (long long)shape[axis]);
        tpad_find(l, line.text);
    }
    shown->out_rank = rank;
    shown->out_shape = shape;
}

static void try_out(tpad_look *l)
{
    const tpad_format *format = l->model->format;
    tpad_translation made;
    tpad_error refusal;
    char text[sizeof(((tpad_io_error *)0)->text)];
    int64_t extents[TPAD_MAX_RANK];
    tpad_trial t;
    make_trial(&t, l);
    int32_t status = format->translate(&made, &t.pad, t.in, 0, &refusal);
    if (status && is_certain(&t, &refusal)) {
        tpad_error_format(&refusal, text, sizeof text);
        tpad_find(l, text);
    }
    if (status) status = format->translate(&made, &t.pad, t.in, 1, NULL);
    if (status) return;
    format->differ(l, &t, &made);
    if (!t.guessed && !tpad_shape(made.problem, extents, NULL, NULL, NULL))
        join_output(l, &t, extents, made.problem->rank);
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static void show_shapes(tpad_look *l)
{
    tpad_pad_node *shown = &l->pad->shown;
    const tpad_value *data = l->pad->inputs[IN_DATA], *output = l->pad->output;
    shown->in_rank = data ? data->rank : -1;
    shown->in_shape = data ? data->shape : NULL;
    shown->out_rank = output ? output->rank : -1;
    shown->out_shape = output ? output->shape : NULL;
    for (int32_t i = IN_DATA; i < IN_COUNT && !shown->type; i++)
        if (l->model->format->types[i] == TYPE_OF_DATA && l->pad->inputs[i])
            shown->type = l->pad->inputs[i]->type;
    if (!shown->type && output) shown->type = output->type;
    shown->type_name = tpad_onnx_type_name(shown->type);
    for (int32_t i = IN_DATA; i < IN_COUNT; i++)
        shown->arguments[i] = l->model->format->arguments[i];
}

static int32_t inspect_node(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error)
{
    tpad_look l = {.model = model, .pad = pad};
    tpad_pad_node *shown = &pad->shown;
    int32_t status = tpad_name_text(&shown->name, model, pad->node->name, error);
    if (!status) status = tpad_graph_name(model, pad->graph, error);
    if (!status) status = model->format->read_pad(model, pad, error);
    if (status) return status;
    shown->graph = pad->graph->path;
    show_shapes(&l);
    load_constants(&l);
    show_computed(&l);
    shown->pads_count = shown->axes_count = -1;
    model->format->show(&l);
    if (pad->trouble) tpad_find(&l, pad->trouble);
    for (int32_t i = 0; i < IN_COUNT; i++) {
        if (!pad->present[i] || pad->inputs[i]) continue;
        tpad_io_error line;
        tpad_io_fail(&line, TPAD_E_MODEL, "nothing makes its input '%s'", shown->inputs[i]);
        tpad_find(&l, line.text);
    }
    if (!pad->trouble) try_out(&l);
    if (pad->output) {
        pad->output->type = pad->output->type ? pad->output->type : shown->type;
        pad->output->rank = shown->out_rank;
        pad->output->shape = shown->out_shape;
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
        if (node->kind == NODE_PAD) {
            tpad_graph_pad *pad = &model->pads[(*index)++];
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
