/* Inspects Pad nodes.  SPDX-License-Identifier: MIT
 *
 * Finds the known facts about a Pad node before anything runs: its arguments, the shapes that
 * follow from the values of its inputs, and findings. The format knows what an argument means. Runs
 * nothing, and computes nothing about other nodes. */
#include <stdio.h>
#include <string.h>

#include "model.h"
#include "pads.h"

enum { MAX_COMPUTED = 8, VALUE_BYTES = 200 };

void tpad_add_finding(tpad_inspection *inspection, const char *sentence)
{
    const int32_t count = inspection->pad->info.findings_count;
    tpad_io_error line;
    if (count == MAX_FINDINGS) return;
    tpad_io_fail(&line, TPAD_E_MODEL, "%s", sentence); /* escapes the text */
    char *copy = tpad_arena_text(&inspection->model->arena,
                                 (tpad_string){line.text, (int64_t)strlen(line.text)});
    if (!copy) {
        inspection->failed = 1;
        return;
    }
    inspection->findings[count] = copy;
    inspection->pad->info.findings_count++;
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static void load_constants(tpad_inspection *inspection)
{
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++) {
        tpad_value *value = inspection->pad->inputs[i];
        tpad_io_error line;
        if (!inspection->pad->present[i] || !value) continue;
        if (!value->is_constant) {
            inspection->constants[i] = value->small;
            inspection->pad->info.folded[i] = value->small != NULL;
            continue;
        }
        int32_t status =
            tpad_constant_small(&inspection->constants[i], inspection->model, value, &line);
        if (status == TPAD_E_MEMORY) inspection->failed = 1;
        if (status) tpad_add_finding(inspection, line.text);
    }
}

/* 1 if the node has an input with that name, so that the attribute is not used. */
static int32_t is_given(const tpad_graph_pad *pad, const char *name, const tpad_format *format)
{
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++)
        if (pad->present[i] && !strcmp(format->arguments[i], name)) return 1;
    return 0;
}

static void describe_computed(tpad_inspection *inspection)
{
    const char *names[MAX_COMPUTED];
    tpad_graph_pad *pad = inspection->pad;
    int32_t count = 0;
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++)
        if (pad->present[i] && !inspection->constants[i] &&
            !(pad->inputs[i] && pad->inputs[i]->is_constant))
            names[count++] = inspection->model->format->arguments[i];
    for (int32_t i = 0; pad->computed[i]; i++)
        if (!is_given(pad, pad->computed[i], inspection->model->format))
            names[count++] = pad->computed[i];
    const char **copy = tpad_arena_take(&inspection->model->arena, count, sizeof *copy);
    if (!copy) {
        inspection->failed = 1;
        return;
    }
    memcpy(copy, names, (size_t)count * sizeof *copy);
    pad->info.computed = copy;
    pad->info.computed_count = count;
}

const int64_t *tpad_inspect_list(tpad_inspection *inspection, const tpad_tensor *tensor,
                                 int32_t *count)
{
    if (!tensor || tensor->elem_bits < 8 ||
        !(tpad_type_is_signed(tensor->type) || tpad_type_is_unsigned(tensor->type)) ||
        !(tensor->rank == 1 || (tensor->rank == 2 && tensor->shape[0] == 1)))
        return NULL;
    *count = (int32_t)tensor->shape[tensor->rank - 1];
    int64_t *list = tpad_arena_take(&inspection->model->arena, *count, sizeof *list);
    if (!list) inspection->failed = 1;
    for (int32_t i = 0; list && i < *count; i++) list[i] = tpad_element_read(tensor, i).integer;
    return list;
}

int32_t tpad_is_single(const tpad_tensor *tensor)
{
    for (int32_t axis = 0; axis < tensor->rank; axis++)
        if (tensor->shape[axis] != 1) return 0;
    return 1;
}

/* Long strings are cut. */
void tpad_inspect_value(tpad_inspection *inspection, int32_t type, const void *element)
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
    inspection->pad->info.value =
        tpad_arena_text(&inspection->model->arena, (tpad_string){text, (int64_t)strlen(text)});
    if (!inspection->pad->info.value) inspection->failed = 1;
}

/* ---- Probing --------------------------------------------------------------------------------- */

static void make_probe(tpad_probe *probe, const tpad_inspection *inspection)
{
    const tpad_pad_node *info = &inspection->pad->info;
    *probe = (tpad_probe){
        .pad = *inspection->pad, .known = UINT32_MAX, .complete = info->type_name != NULL};
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++) {
        probe->in[i] = inspection->constants[i];
        if (inspection->pad->present[i] && !inspection->constants[i]) probe->complete = 0;
    }
    tpad_tensor *data = &probe->tensors[IN_DATA];
    probe->in[IN_DATA] = data;
    tpad_tensor_describe(data, info->type ? info->type : TPAD_ONNX_FLOAT, 0, NULL);
    data->rank = info->in_rank;
    for (int32_t axis = 0; axis < TPAD_MAX_RANK; axis++) {
        const int64_t extent = axis < info->in_rank ? info->in_shape[axis] : -1;
        data->shape[axis] = extent < 0 ? PLACEHOLDER_EXTENT : extent;
        if (extent < 0) probe->known &= ~(UINT32_C(1) << axis);
        if (extent < 0 && axis < info->in_rank) probe->complete = 0;
    }
    if (data->rank < 0) {
        data->rank = info->pads_count >= 0 ? info->pads_count : 1;
        probe->guessed = 1;
        probe->complete = 0;
    }
    inspection->model->format->fill_placeholders(probe, inspection);
}

/* 1 if the specification forbids the node whatever the unknown arguments and extents are. */
static int32_t is_certain(const tpad_probe *probe, const tpad_error *refusal)
{
    const int32_t code = refusal->code;
    if (probe->complete || code == TPAD_E_RANK) return 1;
    if (probe->guessed && (code == TPAD_E_SPEC_PADS || code == TPAD_E_SPEC_AXES)) return 0;
    if (refusal->axis >= 0 && code != TPAD_E_SPEC_AXES)
        return (code == TPAD_E_NEGATIVE || code == TPAD_E_AMOUNT || code == TPAD_E_SPEC_PADS) &&
               ((probe->known >> refusal->axis & 1) ||
                (code == TPAD_E_SPEC_PADS && refusal->got < 0));
    return code >= TPAD_E_SPEC_VERSION && code <= TPAD_E_SPEC_VALUE;
}

/* Combines the output's shape in the file with the one computed from the input. */
static void join_output(tpad_inspection *inspection, const tpad_probe *probe,
                        const int64_t *extents, int32_t rank)
{
    tpad_pad_node *info = &inspection->pad->info;
    const int32_t declared = info->out_rank;
    tpad_io_error line;
    int64_t *shape = tpad_arena_take(&inspection->model->arena, rank, sizeof *shape);
    if (!shape) {
        inspection->failed = 1;
        return;
    }
    if (declared >= 0 && declared != rank) {
        tpad_io_fail(&line, TPAD_E_MODEL,
                     "the file says that the output has rank %d, but it has %d", (int)declared,
                     (int)rank);
        tpad_add_finding(inspection, line.text);
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        const int64_t said = declared == rank ? info->out_shape[axis] : -1;
        shape[axis] = probe->known >> axis & 1 ? extents[axis] : said;
        if (said < 0 || said == shape[axis]) continue;
        tpad_io_fail(&line, TPAD_E_MODEL,
                     "the file says that the output has extent %lld on axis %d, but it has %lld",
                     (long long)said, (int)axis, (long long)shape[axis]);
        tpad_add_finding(inspection, line.text);
    }
    info->out_rank = rank;
    info->out_shape = shape;
}

static void probe_node(tpad_inspection *inspection)
{
    const tpad_format *format = inspection->model->format;
    tpad_translation translation;
    tpad_error refusal;
    char text[sizeof(((tpad_io_error *)0)->text)];
    int64_t extents[TPAD_MAX_RANK];
    tpad_probe probe;
    make_probe(&probe, inspection);
    int32_t status = format->translate(&translation, &probe.pad, probe.in, 0, &refusal);
    if (status && is_certain(&probe, &refusal)) {
        tpad_error_format(&refusal, text, sizeof text);
        tpad_add_finding(inspection, text);
        tpad_describe_facts(inspection, &refusal);
    } else {
        tpad_describe_facts(inspection, &(tpad_error){.code = TPAD_OK});
    }
    if (status) status = format->translate(&translation, &probe.pad, probe.in, 1, NULL);
    if (status) return;
    const tpad_problem problem = tpad_translation_problem(&translation);
    if (!probe.guessed && !tpad_shape(&problem, extents, NULL, NULL, NULL))
        join_output(inspection, &probe, extents, translation.rank);
}

/* Adds findings about known differences between runtimes and the document. A finding that depends
 * on the elements of the data counts: the model does not have them. A runtime that refuses what the
 * document forbids is not worth a finding. */
static void judge_runtimes(tpad_inspection *inspection)
{
    const tpad_rules_facts *facts = inspection->pad->facts;
    const char *const *name = inspection->model->format->runtimes;
    for (; facts && *name; name++) {
        char text[TPAD_RULES_TEXT_BYTES];
        tpad_rules_choice choice;
        tpad_rules_verdict verdict;
        tpad_rules_page page;
        tpad_rules_find(&choice, *name);
        tpad_rules_judge(&verdict, facts, choice);
        if (verdict.kind == TPAD_RULES_UNKNOWN && verdict.missing == TPAD_RULES_MISSING_DATA &&
            tpad_rules_page_of(&page, verdict.code))
            verdict.kind = page.kind;
        if (verdict.kind == TPAD_RULES_SAME || verdict.kind == TPAD_RULES_UNKNOWN ||
            (verdict.kind == TPAD_RULES_REFUSES && facts->document > TPAD_RULES_ANSWERS))
            continue;
        tpad_rules_text(text, sizeof text, &verdict, facts);
        tpad_add_finding(inspection, text);
    }
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

/* The shape with -1 for every unknown extent. */
static const int64_t *plain_shape(tpad_inspection *inspection, const tpad_value *value)
{
    int32_t is_plain = 1;
    for (int32_t axis = 0; axis < value->rank; axis++) is_plain &= value->shape[axis] >= -1;
    if (is_plain) return value->shape;
    int64_t *shape = tpad_arena_take(&inspection->model->arena, value->rank, sizeof *shape);
    if (!shape) {
        inspection->failed = 1;
        return value->shape;
    }
    for (int32_t axis = 0; axis < value->rank; axis++)
        shape[axis] = value->shape[axis] < 0 ? -1 : value->shape[axis];
    return shape;
}

/* The shape of the output with known bounds of its open extents. */
static const int64_t *bounded_output(tpad_inspection *inspection)
{
    const tpad_pad_node *info = &inspection->pad->info;
    const tpad_rules_facts *facts = inspection->pad->facts;
    if (!inspection->model->bound_amounts || !facts || facts->rank != info->out_rank)
        return info->out_shape;
    int64_t *shape = tpad_arena_take(&inspection->model->arena, info->out_rank, sizeof *shape);
    if (!shape) {
        inspection->failed = 1;
        return info->out_shape;
    }
    for (int32_t axis = 0; axis < info->out_rank; axis++)
        shape[axis] =
            info->out_shape[axis] < 0 ? inspection->out_extents[axis] : info->out_shape[axis];
    return shape;
}

static void describe_shapes(tpad_inspection *inspection)
{
    tpad_pad_node *info = &inspection->pad->info;
    const tpad_value *data = inspection->pad->inputs[IN_DATA], *output = inspection->pad->output;
    info->in_rank = data ? data->rank : -1;
    info->in_shape = data ? plain_shape(inspection, data) : NULL;
    info->out_rank = output ? output->rank : -1;
    info->out_shape = output ? plain_shape(inspection, output) : NULL;
    for (int32_t i = IN_DATA; i < IN_COUNT && !info->type; i++)
        if (inspection->model->format->types[i] == TYPE_OF_DATA && inspection->pad->inputs[i])
            info->type = inspection->pad->inputs[i]->type;
    if (!info->type && output) info->type = output->type;
    info->type_name = tpad_onnx_type_name(info->type);
    for (int32_t i = IN_DATA; i < IN_COUNT; i++)
        info->arguments[i] = inspection->model->format->arguments[i];
}

int32_t tpad_pad_read(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error)
{
    const int32_t status = tpad_name_text(&pad->info.name, model, pad->node->name, error);
    return status ? status : model->format->read_pad(model, pad, error);
}

int32_t tpad_pad_describe(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error)
{
    tpad_inspection inspection = {.model = model, .pad = pad};
    tpad_pad_node *info = &pad->info;
    describe_shapes(&inspection);
    load_constants(&inspection);
    describe_computed(&inspection);
    info->pads_count = info->axes_count = -1;
    model->format->describe_pad(&inspection);
    if (pad->trouble) tpad_add_finding(&inspection, pad->trouble);
    for (int32_t i = 0; i < IN_COUNT; i++) {
        if (!pad->present[i] || pad->inputs[i]) continue;
        tpad_io_error line;
        tpad_io_fail(&line, TPAD_E_MODEL, "nothing makes its input '%s'", info->inputs[i]);
        tpad_add_finding(&inspection, line.text);
    }
    if (pad->trouble)
        tpad_describe_facts(&inspection, &(tpad_error){.code = TPAD_E_SPEC_INPUT});
    else
        probe_node(&inspection);
    judge_runtimes(&inspection);
    if (pad->output) {
        pad->output->type = pad->output->type ? pad->output->type : info->type;
        pad->output->rank = info->out_rank;
        pad->output->shape = bounded_output(&inspection);
    }
    const char **copy = tpad_arena_take(&model->arena, info->findings_count, sizeof *copy);
    if (inspection.failed || !copy) return tpad_no_memory(model, error);
    memcpy(copy, inspection.findings, (size_t)info->findings_count * sizeof *copy);
    info->findings = copy;
    return TPAD_OK;
}

/* ---- The list -------------------------------------------------------------------------------- */

/* Lists the Pad nodes of a graph and its subgraphs from model->pads[*index] on. */
static void list_pads(tpad_model *model, tpad_graph *graph, int64_t *index)
{
    for (int64_t i = 0; i < graph->node_count; i++) {
        const tpad_node *node = &graph->nodes[i];
        if (node->kind == NODE_PAD) {
            tpad_graph_pad *pad = &model->pads[(*index)++];
            pad->graph = graph;
            pad->node = node;
        }
        for (tpad_graph *child = node->subgraphs; child; child = child->next)
            list_pads(model, child, index);
    }
}

int32_t tpad_pads_list(tpad_model *model, tpad_io_error *error)
{
    int64_t index = 0;
    model->pads = tpad_arena_take(&model->arena, model->pad_count, sizeof *model->pads);
    if (!model->pads) return tpad_no_memory(model, error);
    list_pads(model, model->top, &index);
    for (tpad_graph *graph = model->functions; graph; graph = graph->next)
        list_pads(model, graph, &index);
    int32_t status = TPAD_OK;
    for (int64_t i = 0; i < model->pad_count && !status; i++) {
        status = tpad_graph_name(model, model->pads[i].graph, error);
        model->pads[i].info.graph = model->pads[i].graph->path;
    }
    return status;
}

/* Pad nodes by name: the node's own name or its output's, after the graph's path if the node is in
 * a subgraph. */

enum { NAMES_BYTES = 400 }; /* of the nodes that an error lists */

tpad_string tpad_node_label(const tpad_node *node)
{
    return node->name.length ? node->name : node->output;
}

static int32_t is_path(const tpad_graph_pad *pad, const char *text, tpad_string label)
{
    const size_t graph = strlen(pad->info.graph), length = strlen(text);
    if (graph == 0) return tpad_string_is(label, text);
    return length > graph + 1 && !memcmp(text, pad->info.graph, graph) && text[graph] == '/' &&
           tpad_string_is(label, text + graph + 1);
}

/* How well a node matches the text: 3 by graph and name, 2 by name, 1 by its output, 0 not. */
static int32_t fit(const tpad_graph_pad *pad, const char *text)
{
    const tpad_string label = tpad_node_label(pad->node);
    if (is_path(pad, text, label)) return 3;
    if (tpad_string_is(label, text)) return 2;
    const tpad_string output = pad->node->output;
    return output.length > 0 && (tpad_string_is(output, text) || is_path(pad, text, output));
}

static const tpad_node *other_node(const tpad_graph *graph, const char *text)
{
    for (int64_t i = 0; i < graph->node_count; i++)
        if (tpad_string_is(graph->nodes[i].name, text)) return &graph->nodes[i];
    return NULL;
}

/* Writes the names that --node accepts, quoted, as many as fit, and the number of the others. */
static void list_nodes(char *text, size_t bytes, const tpad_model *model)
{
    const size_t room = bytes - sizeof " and 9223372036854775807 more";
    size_t used = 0;
    int64_t i = 0;
    for (; i < model->pad_count; i++) {
        const tpad_graph_pad *pad = &model->pads[i];
        const int length =
            snprintf(text + used, room - used, "%s'%s%s%.*s'", i ? ", " : "", pad->info.graph,
                     *pad->info.graph ? "/" : "", TPAD_SHOW(tpad_node_label(pad->node)));
        if (length < 0 || (size_t)length >= room - used) break;
        used += (size_t)length;
    }
    text[used] = '\0';
    if (i < model->pad_count)
        snprintf(text + used, bytes - used, "%s%lld more", i ? " and " : "",
                 (long long)(model->pad_count - i));
}

int32_t tpad_named_pad(const tpad_model *model, const char *text, const tpad_graph_pad **chosen,
                       tpad_io_error *error)
{
    int32_t best = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < model->pad_count; i++) {
        const int32_t quality = fit(&model->pads[i], text);
        if (quality > best) {
            best = quality;
            count = 0;
            *chosen = &model->pads[i];
        }
        count += quality > 0 && quality == best;
    }
    if (count == 1) return TPAD_OK;
    if (count > 1)
        return tpad_io_fail(error, TPAD_E_MODEL,
                            "%s: %lld Pad nodes are called '%s': give GRAPH/NAME or the name of "
                            "the output",
                            model->path, (long long)count, text);
    const tpad_node *node = other_node(model->top, text);
    if (node)
        return tpad_io_fail(error, TPAD_E_MODEL, "%s: node '%s' is not a Pad but %.*s", model->path,
                            text, TPAD_SHOW(node->op_type));
    if (model->pad_count == 0)
        return tpad_io_fail(error, TPAD_E_MODEL,
                            "%s: no Pad node is called '%s': the model has none", model->path,
                            text);
    char names[NAMES_BYTES];
    list_nodes(names, sizeof names, model);
    return tpad_io_fail(error, TPAD_E_MODEL, "%s: no Pad node is called '%s'; there are %s",
                        model->path, text, names);
}

static int32_t only_pad(const tpad_model *model, const tpad_graph_pad **only, tpad_io_error *error)
{
    char names[NAMES_BYTES];
    *only = model->pads;
    if (model->pad_count == 1) return TPAD_OK;
    if (model->pad_count == 0)
        return tpad_io_fail(error, TPAD_E_MODEL, "%s: the model has no Pad node", model->path);
    list_nodes(names, sizeof names, model);
    return tpad_io_fail(error, TPAD_E_MODEL, "%s: %lld Pad nodes: --node says which of %s",
                        model->path, (long long)model->pad_count, names);
}

int32_t tpad_model_find_pad(const tpad_model *model, const char *name, const tpad_pad_node **pad,
                            tpad_io_error *error)
{
    const tpad_graph_pad *chosen = NULL;
    const int32_t status =
        name ? tpad_named_pad(model, name, &chosen, error) : only_pad(model, &chosen, error);
    *pad = status ? NULL : &chosen->info;
    return status;
}
