/* Reads a graph.  SPDX-License-Identifier: MIT
 *
 * Nodes, names and scopes: the names of a graph's inputs, outputs, weights and nodes, and the
 * file's declarations of each. It only counts Pad nodes. */
#include <stdlib.h>
#include <string.h>

#include "models/graph/pads.h"
#include "onnx.pb.h"
#include "onnx_file.h"

#define MAX_DEPTH 64

/* The place of a ValueInfoProto in its graph. */
enum { INPUT, OUTPUT, BETWEEN };

static int32_t damaged(const tpad_model *model, const char *why, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_FILE, "%s: not a valid ONNX model: %s", model->path, why);
}

static int32_t changed(const tpad_model *model, tpad_io_error *error)
{
    return damaged(model, "it changes while it is read", error);
}

int32_t tpad_node_is(const tpad_node *node, const char *op_type)
{
    return tpad_string_is(node->op_type, op_type) &&
           (tpad_string_is(node->domain, "") || tpad_string_is(node->domain, "ai.onnx"));
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static int32_t add_subgraph(tpad_model *model, tpad_graph *graph, tpad_node *node,
                            tpad_graph ***last, tpad_string label, int64_t index, tpad_string body,
                            tpad_io_error *error)
{
    if (graph->depth >= MAX_DEPTH)
        return tpad_io_fail(error, TPAD_E_FILE, "%s: its graphs are nested more than %d deep",
                            model->path, MAX_DEPTH);
    tpad_graph *child = tpad_arena_take(&model->arena, 1, sizeof *child);
    if (!child) return tpad_no_memory(model, error);
    child->parent = graph;
    child->holder = node;
    child->label = label;
    child->label_index = index;
    child->depth = graph->depth + 1;
    child->opset = graph->opset;
    **last = child;
    *last = &child->next;
    return tpad_graph_read(model, child, body, error);
}

static int32_t read_subgraphs(tpad_model *model, tpad_graph *graph, tpad_node *node,
                              tpad_io_error *error)
{
    tpad_graph **last = &node->subgraphs;
    const tpad_strings *attributes = &tpad_message_of(node)->attributes;
    for (int64_t i = 0; i < attributes->count; i++) {
        tpad_pb_Attribute attribute = {0}, again = {0};
        const tpad_string body = attributes->items[i];
        const char *why = tpad_wire_decode(tpad_pb_Attribute_fields, &attribute, body);
        if (why) return damaged(model, why, error);
        int32_t status = TPAD_OK;
        if (attribute.g.text)
            status =
                add_subgraph(model, graph, node, &last, attribute.name, -1, attribute.g, error);
        if (!status && attribute.t.text && node->kind != NODE_SILENT)
            status = tpad_external_note(model, attribute.t, error);
        if (status) return status;
        if (attribute.graphs.count == 0) continue;
        again.graphs = attribute.graphs;
        if (!tpad_strings_reserve(&model->arena, &again.graphs))
            return tpad_no_memory(model, error);
        why = tpad_wire_decode(tpad_pb_Attribute_fields, &again, body);
        if (why || again.graphs.count != again.graphs.room) return changed(model, error);
        for (int64_t k = 0; k < again.graphs.count && !status; k++)
            status = add_subgraph(model, graph, node, &last, attribute.name, k,
                                  again.graphs.items[k], error);
        if (status) return status;
    }
    return TPAD_OK;
}

static int32_t read_node(tpad_model *model, tpad_graph *graph, tpad_node *node, tpad_string body,
                         tpad_io_error *error)
{
    tpad_pb_Node message = {0};
    const char *why = tpad_wire_decode(tpad_pb_Node_fields, &message, body);
    if (why) return damaged(model, why, error);
    if (!tpad_strings_reserve(&model->arena, &message.input) ||
        !tpad_strings_reserve(&model->arena, &message.output) ||
        !tpad_strings_reserve(&model->arena, &message.attribute))
        return tpad_no_memory(model, error);
    why = tpad_wire_decode(tpad_pb_Node_fields, &message, body);
    if (why || message.input.count != message.input.room ||
        message.output.count != message.output.room ||
        message.attribute.count != message.attribute.room)
        return changed(model, error);
    node->name = message.name;
    node->op_type = message.op_type;
    node->domain = message.domain;
    node->overload = message.overload;
    tpad_onnx_message *payload = tpad_arena_take(&model->arena, 1, sizeof *payload);
    if (!payload) return tpad_no_memory(model, error);
    *payload = (tpad_onnx_message){message.input, message.output, message.attribute, body};
    node->payload = payload;
    if (payload->outputs.count > 0) node->output = payload->outputs.items[0];
    if (tpad_node_is(node, "Constant")) node->kind = NODE_SILENT;
    if (tpad_node_is(node, "Pad")) {
        node->kind = NODE_PAD;
        model->pad_count++;
    }
    return read_subgraphs(model, graph, node, error);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static int compare_names(tpad_string a, tpad_string b)
{
    const int64_t shorter = a.length < b.length ? a.length : b.length;
    const int order = shorter ? memcmp(a.text, b.text, (size_t)shorter) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_values(const void *a, const void *b)
{
    const tpad_value *left = a, *right = b;
    const int order = compare_names(left->name, right->name);
    return order ? order : (left->order > right->order) - (left->order < right->order);
}

tpad_value *tpad_graph_find(const tpad_graph *graph, tpad_string name)
{
    for (; graph; graph = graph->parent) {
        int64_t low = 0, high = graph->value_count;
        while (low < high) {
            const int64_t middle = low + (high - low) / 2;
            const int order = compare_names(graph->values[middle].name, name);
            if (order == 0) return &graph->values[middle];
            if (order < 0)
                low = middle + 1;
            else
                high = middle;
        }
    }
    return NULL;
}

static tpad_value *add_value(tpad_graph *graph, tpad_string name)
{
    tpad_value *value = &graph->values[graph->value_count];
    *value = (tpad_value){.name = name, .rank = -1, .producer = -1, .order = graph->value_count};
    graph->value_count++;
    return value;
}

/* Notes the name of an open extent. No tested runtime reads the names of outputs. */
static void note_extent_name(tpad_model *model, tpad_value *value, int64_t axis, tpad_string name,
                             int32_t place)
{
    const int is_unnamed = name.length == 0 || tpad_string_is(name, "?");
    const int32_t looks = is_unnamed ? TPAD_RULES_NAMES_SIMPLE : tpad_onnx_extent_name(name);
    if (place != OUTPUT && looks > model->extent_names) model->extent_names = looks;
    if ((is_unnamed || looks == TPAD_RULES_NAMES_OTHER) && axis < TPAD_MAX_RANK)
        value->nameless |= UINT32_C(1) << axis;
}

/* Adds a ValueInfoProto: a name, and usually a type and a shape. */
static int32_t add_declared(tpad_model *model, tpad_graph *graph, tpad_string body, int32_t place,
                            tpad_value **added, tpad_io_error *error)
{
    tpad_pb_ValueInfo message = {0};
    const char *why = tpad_wire_decode(tpad_pb_ValueInfo_fields, &message, body);
    if (why) return damaged(model, why, error);
    tpad_value *value = *added = add_value(graph, message.name);
    if (!message.type.has_tensor_type) return TPAD_OK;
    const tpad_pb_TensorType *type = &message.type.tensor_type;
    if (tpad_onnx_type_name(type->elem_type)) value->type = type->elem_type;
    if (!type->has_shape || type->shape.dim.count > INT32_MAX) return TPAD_OK;

    tpad_pb_ValueInfo again = {.type.tensor_type.shape.dim = type->shape.dim};
    tpad_strings *dims = &again.type.tensor_type.shape.dim;
    int64_t *shape = tpad_arena_take(&model->arena, dims->count, sizeof *shape);
    if (!shape || !tpad_strings_reserve(&model->arena, dims)) return tpad_no_memory(model, error);
    why = tpad_wire_decode(tpad_pb_ValueInfo_fields, &again, body);
    if (why || dims->count != dims->room) return changed(model, error);
    tpad_string *names =
        place == INPUT ? tpad_arena_take(&model->arena, dims->count, sizeof *names) : NULL;
    if (place == INPUT && !names) return tpad_no_memory(model, error);
    for (int64_t i = 0; i < dims->count; i++) {
        tpad_pb_Dimension dim = {0};
        why = tpad_wire_decode(tpad_pb_Dimension_fields, &dim, dims->items[i]);
        if (why) return damaged(model, why, error);
        shape[i] = dim.has_dim_value && dim.dim_value >= 0 ? dim.dim_value : -1;
        if (names) names[i] = dim.dim_param;
        if (shape[i] < 0) note_extent_name(model, value, i, dim.dim_param, place);
    }
    value->rank = (int32_t)dims->count;
    value->shape = shape;
    value->axis_names = names;
    value->is_declared = 1;
    return TPAD_OK;
}

/* Adds every ValueInfoProto of a list; names (unless NULL) gets their names. */
static int32_t add_all_declared(tpad_model *model, tpad_graph *graph, const tpad_strings *bodies,
                                tpad_strings *names, int32_t place, tpad_io_error *error)
{
    if (names) {
        names->count = bodies->count;
        if (!tpad_strings_reserve(&model->arena, names)) return tpad_no_memory(model, error);
        names->count = bodies->count;
    }
    for (int64_t i = 0; i < bodies->count; i++) {
        tpad_value *value = NULL;
        int32_t status = add_declared(model, graph, bodies->items[i], place, &value, error);
        if (status) return status;
        value->is_input = place == INPUT;
        if (names && value->rank < 0) graph->has_open_end = 1;
        if (names) names->items[i] = value->name;
    }
    return TPAD_OK;
}

/* Adds a sparse initializer: a name, a type and a shape. Its elements are not read. */
static int32_t add_sparse(tpad_model *model, tpad_graph *graph, tpad_string body,
                          tpad_io_error *error)
{
    int64_t *shape = tpad_arena_take(&model->arena, TPAD_MAX_RANK, sizeof *shape);
    if (!shape) return tpad_no_memory(model, error);
    tpad_pb_SparseTensor message = {
        .dims = {.items = shape, .room = TPAD_MAX_RANK, .item_bytes = sizeof *shape}};
    tpad_pb_Tensor values = {0};
    const char *why = tpad_wire_decode(tpad_pb_SparseTensor_fields, &message, body);
    if (!why && message.values.text)
        why = tpad_wire_decode(tpad_pb_Tensor_fields, &values, message.values);
    if (why) return damaged(model, why, error);
    tpad_value *value = add_value(graph, values.name);
    value->is_initializer = 1;
    int32_t status = tpad_external_note(model, message.values, error);
    if (status) return status;
    if (tpad_onnx_type_name(values.data_type)) value->type = values.data_type;
    if (message.dims.count > TPAD_MAX_RANK) return TPAD_OK;
    value->rank = (int32_t)message.dims.count;
    value->shape = shape;
    for (int32_t axis = 0; axis < value->rank; axis++)
        if (shape[axis] < 0) return damaged(model, "a negative extent", error);
    return TPAD_OK;
}

static int32_t add_outputs(tpad_model *model, tpad_graph *graph, tpad_io_error *error)
{
    for (int64_t i = 0; i < graph->node_count; i++) {
        const tpad_node *node = &graph->nodes[i];
        const tpad_strings *outputs = &tpad_message_of(node)->outputs;
        for (int64_t k = 0; k < outputs->count; k++) {
            if (outputs->items[k].length == 0) continue; /* an absent optional output */
            tpad_value *value = add_value(graph, outputs->items[k]);
            value->producer = i;
            if (!tpad_node_is(node, "Constant") || k > 0) continue;
            int32_t status = tpad_constant_node(model, value, node, error);
            if (status) return status;
        }
    }
    return TPAD_OK;
}

/* Combines two declarations of one name. Only one may say what makes the value, except that an
 * initializer may be the default of the input with its name. */
static int32_t merge(const tpad_model *model, tpad_value *into, const tpad_value *from,
                     tpad_io_error *error)
{
    const int nodes = (into->producer >= 0) + (from->producer >= 0);
    const int inputs = into->is_input + from->is_input;
    const int initializers = into->is_initializer + from->is_initializer;
    if (nodes > 1 || inputs > 1 || initializers > 1 || (nodes && inputs + initializers))
        return tpad_io_fail(error, TPAD_E_FILE, "%s: two things are called '%.*s' in one graph",
                            model->path, TPAD_SHOW(from->name));
    if (from->producer >= 0) into->producer = from->producer;
    if (from->is_constant) into->payload = from->payload;
    /* The constant's own type and shape take precedence over a declaration. */
    const int better = from->is_constant || from->is_initializer;
    if (from->type && (better || !into->type)) into->type = from->type;
    if (from->rank >= 0 && (better || into->rank < 0)) {
        into->rank = from->rank;
        into->shape = from->shape;
        into->axis_names = from->axis_names;
    }
    into->is_input |= from->is_input;
    into->is_initializer |= from->is_initializer;
    into->is_constant |= from->is_constant;
    into->is_declared |= from->is_declared;
    return TPAD_OK;
}

static int32_t sort_values(const tpad_model *model, tpad_graph *graph, tpad_io_error *error)
{
    tpad_value *values = graph->values;
    int64_t kept = 0;
    qsort(values, (size_t)graph->value_count, sizeof *values, compare_values);
    for (int64_t i = 0; i < graph->value_count; i++) {
        if (kept == 0 || compare_names(values[kept - 1].name, values[i].name)) {
            values[kept++] = values[i];
            continue;
        }
        int32_t status = merge(model, &values[kept - 1], &values[i], error);
        if (status) return status;
    }
    graph->value_count = kept;
    return TPAD_OK;
}

/* Finds the values that are a graph's inputs or outputs. */
static int32_t make_ends(tpad_model *model, const tpad_graph *graph, const tpad_strings *names,
                         tpad_end **ends, int64_t *count, tpad_io_error *error)
{
    *ends = tpad_arena_take(&model->arena, names->count, sizeof **ends);
    if (!*ends) return tpad_no_memory(model, error);
    for (int64_t i = 0; i < names->count; i++)
        (*ends)[i] = (tpad_end){names->items[i], tpad_graph_find(graph, names->items[i])};
    *count = names->count;
    return TPAD_OK;
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* Decodes the graph or function once to count, and again, with room, to keep. */
static int32_t decode(tpad_model *model, const tpad_graph *graph, tpad_string body,
                      tpad_pb_Graph *parts, tpad_strings *names_in, tpad_strings *names_out,
                      tpad_io_error *error)
{
    const char *why;
    if (graph->is_function) {
        tpad_pb_Function message = {.node = parts->node,
                                    .input = *names_in,
                                    .output = *names_out,
                                    .value_info = parts->value_info};
        why = tpad_wire_decode(tpad_pb_Function_fields, &message, body);
        parts->node = message.node;
        parts->value_info = message.value_info;
        *names_in = message.input;
        *names_out = message.output;
    } else {
        why = tpad_wire_decode(tpad_pb_Graph_fields, parts, body);
    }
    return why ? damaged(model, why, error) : TPAD_OK;
}

static int32_t decode_parts(tpad_model *model, tpad_graph *graph, tpad_string body,
                            tpad_pb_Graph *parts, tpad_strings *inputs, tpad_strings *outputs,
                            tpad_io_error *error)
{
    tpad_strings *lists[] = {&parts->node,
                             &parts->initializer,
                             &parts->sparse_initializer,
                             &parts->input,
                             &parts->output,
                             &parts->value_info,
                             inputs,
                             outputs};
    const size_t count = sizeof lists / sizeof *lists;
    int32_t status = decode(model, graph, body, parts, inputs, outputs, error);
    if (status) return status;
    for (size_t i = 0; i < count; i++)
        if (!tpad_strings_reserve(&model->arena, lists[i])) return tpad_no_memory(model, error);
    status = decode(model, graph, body, parts, inputs, outputs, error);
    for (size_t i = 0; i < count && !status; i++)
        if (lists[i]->count != lists[i]->room) status = changed(model, error);
    return status;
}

int32_t tpad_graph_read(tpad_model *model, tpad_graph *graph, tpad_string body,
                        tpad_io_error *error)
{
    tpad_pb_Graph parts = {0};
    tpad_strings inputs = {0}, outputs = {0};
    int32_t status = decode_parts(model, graph, body, &parts, &inputs, &outputs, error);
    if (status) return status;
    graph->nodes = tpad_arena_take(&model->arena, parts.node.count, sizeof *graph->nodes);
    if (!graph->nodes) return tpad_no_memory(model, error);
    graph->node_count = parts.node.count;
    int64_t most = parts.initializer.count + parts.sparse_initializer.count + parts.input.count +
                   parts.output.count + parts.value_info.count + inputs.count;
    for (int64_t i = 0; i < graph->node_count && !status; i++) {
        status = read_node(model, graph, &graph->nodes[i], parts.node.items[i], error);
        if (!status) most += tpad_message_of(&graph->nodes[i])->outputs.count;
    }
    if (status) return status;
    graph->values = tpad_arena_take(&model->arena, most, sizeof *graph->values);
    if (!graph->values) return tpad_no_memory(model, error);

    for (int64_t i = 0; i < inputs.count; i++) add_value(graph, inputs.items[i])->is_input = 1;
    for (int64_t i = 0; i < parts.initializer.count && !status; i++)
        status = tpad_constant_describe(model, add_value(graph, (tpad_string){0}),
                                        parts.initializer.items[i], "initializer", error);
    for (int64_t i = 0; i < parts.sparse_initializer.count && !status; i++)
        status = add_sparse(model, graph, parts.sparse_initializer.items[i], error);
    if (!status && !graph->is_function) {
        status = add_all_declared(model, graph, &parts.input, &inputs, INPUT, error);
        if (!status)
            status = add_all_declared(model, graph, &parts.output, &outputs, OUTPUT, error);
    }
    if (!status) status = add_all_declared(model, graph, &parts.value_info, NULL, BETWEEN, error);
    if (!status) status = add_outputs(model, graph, error);
    if (!status) status = sort_values(model, graph, error);
    if (!status)
        status = make_ends(model, graph, &inputs, &graph->inputs, &graph->input_count, error);
    return status ? status
                  : make_ends(model, graph, &outputs, &graph->outputs, &graph->output_count, error);
}

/* Names of extents (dim_param) as formulas.
 *
 * ONNX accepts any text as a name. Exporters write formulas such as "2*h + 1", and some runtimes
 * read them:
 *
 *     sum     = part { operator part }, where # binds loosest, then + - * /; behind / is a number
 *     part    = number | word | "-" part | "(" sum ")" | function "(" [ sum { "," sum } ] ")"
 *     function = "min" | "max" | "floor" */

enum { MOST_DEPTH = 32 };

typedef struct text {
    const char *at, *end;
    int32_t depth;
    int32_t is_chained; /* 1: two operators of the same kind in a row, floor, or a dot in a word */
} text;

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_spaces(text *t)
{
    while (t->at < t->end && is_space(*t->at)) t->at++;
}

/* Reads the character and spaces around it, if it comes next. Returns whether it did. */
static int reads(text *t, char wanted)
{
    const char *start = t->at;
    skip_spaces(t);
    if (t->at == t->end || *t->at != wanted) {
        t->at = start;
        return 0;
    }
    t->at++;
    skip_spaces(t);
    return 1;
}

static int read_number(text *t)
{
    const char *start = t->at;
    while (t->at < t->end && is_digit(*t->at)) t->at++;
    return t->at > start && t->at - start < 19; /* it fits into 64 bits */
}

static int read_sum(text *t, const char *operators);

static int read_list(text *t)
{
    if (reads(t, ')')) return 1;
    do
        if (!read_sum(t, "#+-*/")) return 0;
    while (reads(t, ','));
    return reads(t, ')');
}

static int read_word(text *t)
{
    const char *start = t->at;
    int dots = 0;
    while (t->at < t->end && (is_letter(*t->at) || is_digit(*t->at) || *t->at == '.'))
        dots |= *t->at++ == '.';
    const tpad_string word = {start, t->at - start};
    t->is_chained |= dots;
    const int is_floor = tpad_string_is(word, "floor");
    if (!is_floor && !tpad_string_is(word, "min") && !tpad_string_is(word, "max")) return 1;
    if (!reads(t, '(')) return 1;
    t->is_chained |= is_floor;
    return read_list(t);
}

static int read_part(text *t)
{
    if (t->depth == MOST_DEPTH) return 0;
    t->depth++;
    int is_part;
    if (reads(t, '-'))
        is_part = read_part(t);
    else if (reads(t, '('))
        is_part = read_sum(t, "#+-*/") && reads(t, ')');
    else if (t->at < t->end && is_letter(*t->at))
        is_part = read_word(t);
    else
        is_part = read_number(t);
    t->depth--;
    return is_part;
}

/* operators: those that are allowed here, the loosest first. */
static int read_sum(text *t, const char *operators)
{
    if (!*operators) return read_part(t);
    if (!read_sum(t, operators + 1)) return 0;
    int count = 0;
    for (; reads(t, *operators); count++)
        if (!(*operators == '/' ? read_number(t) : read_sum(t, operators + 1))) return 0;
    t->is_chained |= count > 1;
    return 1;
}

int32_t tpad_onnx_extent_name(tpad_string name)
{
    text t = {.at = name.text, .end = name.text + name.length};
    if (!read_sum(&t, "#+-*/") || t.at != t.end) return TPAD_RULES_NAMES_OTHER;
    return t.is_chained ? TPAD_RULES_NAMES_CHAINED : TPAD_RULES_NAMES_SIMPLE;
}
