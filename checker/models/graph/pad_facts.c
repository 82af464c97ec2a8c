/* Fills the facts of a Pad node, which runtimes/ judges, from its inspection.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "pads.h"

/* ---- Arguments ------------------------------------------------------------------------------- */

enum { MOST_STEPS = 64 };

/* 1 if nodes compute the value from constants alone, even if the result is unknown. */
static int32_t is_of_constants(const tpad_format *format, const tpad_graph *graph,
                               const tpad_value *value, int32_t *left)
{
    if (!value || value->is_input || (*left)-- <= 0) return 0;
    int32_t is_known = value->element_count > 0;
    for (int64_t i = 0; i < value->element_count; i++) is_known &= value->elements[i].known;
    if (value->is_constant || value->small || is_known) return 1;
    const tpad_node *node = tpad_maker(&graph, graph, value);
    const int64_t count = node && !node->subgraphs ? format->input_count(node) : 0;
    if (count == 0 || tpad_string_is(node->op_type, "Shape")) return 0;
    for (int64_t i = 0; i < count; i++) {
        const tpad_value *input = format->node_input(graph, node, i);
        if (input && !is_of_constants(format, graph, input, left)) return 0;
    }
    return 1;
}

int32_t tpad_fact_given(const tpad_inspection *inspection, int32_t input)
{
    const tpad_value *value = inspection->pad->inputs[input];
    int32_t left = MOST_STEPS;
    if (!inspection->pad->present[input]) return TPAD_RULES_ABSENT;
    if (value && value->is_initializer)
        return value->is_input ? TPAD_RULES_OVERRIDABLE : TPAD_RULES_INITIALIZER;
    if (value && value->is_constant) return TPAD_RULES_CONSTANT_NODE;
    const int32_t is_input = value && value->is_input;
    if (is_input && !inspection->pad->graph->is_function) return TPAD_RULES_GRAPH_INPUT;
    if (inspection->constants[input]) { /* including a value that all callers give */
        for (int64_t i = 0; value && i < value->element_count; i++)
            if (value->elements[i].size) return TPAD_RULES_FROM_SHAPES;
        return TPAD_RULES_FOLDED;
    }
    if (is_input) return TPAD_RULES_GRAPH_INPUT;
    return is_of_constants(inspection->model->format, inspection->pad->graph, value, &left)
               ? TPAD_RULES_FROM_CONSTANTS
               : TPAD_RULES_COMPUTED;
}

static uint64_t element_bits(const tpad_tensor *tensor, int64_t index)
{
    const int32_t bits = tensor->elem_bits, size = bits / 8;
    const unsigned char *bytes = tensor->data;
    uint64_t code = 0;
    if (bits < 8)
        return (uint32_t)bytes[index * bits / 8] >> (index * bits % 8) & ((1U << bits) - 1);
    for (int32_t k = 0; k < size; k++)
        code = code << 8 | bytes[index * size + (tensor->big_endian ? k : size - 1 - k)];
    return code;
}

int32_t tpad_fact_bits(const tpad_tensor *tensor)
{
    int32_t facts = 0;
    int64_t count = 1;
    for (int32_t axis = 0; axis < tensor->rank; axis++) count *= tensor->shape[axis];
    if (tensor->type == TPAD_ONNX_STRING) {
        const tpad_string *strings = tensor->data;
        for (int64_t i = 0; i < count; i++)
            if (strings[i].length) facts |= TPAD_RULES_NOT_ZERO;
        return facts;
    }
    if (tensor->elem_bits > 64) {
        const unsigned char *bytes = tensor->data;
        for (int64_t i = 0; i < count * tensor->elem_bits / 8; i++)
            if (bytes[i]) facts |= TPAD_RULES_NOT_ZERO;
        return facts;
    }
    for (int64_t i = 0; i < count; i++)
        facts |= tpad_rules_element(tensor->type, element_bits(tensor, i));
    return facts;
}

void tpad_fact_value(tpad_rules_facts *facts, const tpad_tensor *value)
{
    if (!value) return;
    facts->value_known = 1;
    facts->value_bits = tpad_fact_bits(value);
}

/* ---- The node -------------------------------------------------------------------------------- */

static int32_t mode_fact(const char *mode)
{
    if (!mode) return TPAD_RULES_MODE_UNKNOWN;
    const int32_t number = tpad_mode_from_name(mode);
    return number >= 0 ? number : TPAD_RULES_NO_MODE;
}

/* The largest number that runtimes.h takes: no tensor has a larger extent. */
static const int64_t most = INT64_C(1) << 61;

static int32_t is_sane(int64_t amount)
{
    return amount >= -most && amount <= most;
}

/* The amounts as the node has them, even if its document forbids them; 0 if the number of pads is
 * wrong. */
static void describe_amounts(tpad_rules_facts *facts, const tpad_pad_node *info)
{
    const int32_t count = info->axes_count >= 0 ? info->axes_count : facts->rank;
    if (info->pads_count < 0) return;
    for (int32_t i = 0; i < facts->rank; i++) facts->axis[i].amounts_known = 1;
    if (info->pads_count != count) return;
    for (int32_t i = 0; i < count; i++) {
        const int32_t axis =
            tpad_axis_from_front(info->axes_count >= 0 ? info->axes[i] : i, facts->rank);
        if (axis < 0) continue;
        if (!is_sane(info->begin[i]) || !is_sane(info->end[i])) {
            facts->axis[axis].amounts_known = 0;
            continue;
        }
        facts->axis[axis].begin = info->begin[i];
        facts->axis[axis].end = info->end[i];
    }
}

/* One of `count` amounts that an input gives. */
static tpad_element amount_of(const tpad_inspection *inspection, int32_t input, int64_t index,
                              int64_t count)
{
    const tpad_value *value = inspection->pad->inputs[input];
    const tpad_tensor *constant = inspection->constants[input];
    const tpad_element unknown = {.known = 0};
    if (constant)
        return constant->rank == 1 && constant->shape[0] == count
                   ? tpad_element_read(constant, index)
                   : unknown;
    return value && value->elements && value->element_count == count ? value->elements[index]
                                                                     : unknown;
}

/* If not all amounts are known: those of single axes, and bounds of the others. */
static void describe_bounds(tpad_rules_facts *facts, tpad_inspection *inspection)
{
    const tpad_graph_pad *pad = inspection->pad;
    tpad_model *model = inspection->model;
    const int32_t halves =
        model->format->value_input != IN_DATA + 2; /* ends have their own input */
    const int32_t some = facts->axes_given != TPAD_RULES_ABSENT;
    const int32_t count = some ? facts->axes_count : facts->rank;
    tpad_element amounts[TPAD_RULES_MAX_RANK][2] = {0};
    const int32_t open = pad->info.pads_count < 0 && facts->rank >= 0 && count >= 0;
    for (int32_t i = 0; some && open && i < facts->rank; i++) facts->axis[i].amounts_known = 1;
    for (int32_t i = 0; open && i < count; i++) {
        const int32_t at = some ? tpad_axis_from_front(facts->axes[i], facts->rank) : i;
        if (at < 0) continue;
        amounts[at][0] = amount_of(inspection, IN_DATA + 1, i, halves ? count : 2 * count);
        amounts[at][1] = halves ? amount_of(inspection, IN_DATA + 2, i, count)
                                : amount_of(inspection, IN_DATA + 1, count + i, 2 * count);
        tpad_rules_axis *axis = &facts->axis[at];
        axis->amounts_known = amounts[at][0].known && is_sane(amounts[at][0].integer) &&
                              amounts[at][1].known && is_sane(amounts[at][1].integer);
        axis->begin = axis->amounts_known ? amounts[at][0].integer : 0;
        axis->end = axis->amounts_known ? amounts[at][1].integer : 0;
    }
    for (int32_t i = 0; i < facts->rank; i++) {
        tpad_rules_axis *axis = &facts->axis[i];
        tpad_amount_bounds bounds = {.never_cut = 0};
        if (axis->amounts_known) {
            amounts[i][0] = (tpad_element){.integer = axis->begin, .known = 1};
            amounts[i][1] = (tpad_element){.integer = axis->end, .known = 1};
        }
        if (model->bound_amounts)
            inspection->out_extents[i] =
                model->bound_amounts(model, &bounds, pad->inputs[IN_DATA]->shape[i], amounts[i]);
        axis->never_cut = bounds.never_cut | pad->never_cut;
        axis->never_far = bounds.never_far;
        axis->most = bounds.most;
    }
}

/* 1 for operators that are found before a Pad and keep the rank of their first input. */
static int32_t keeps_the_rank(const tpad_node *node)
{
    static const char *const names[] = {"Abs",
                                        "AveragePool",
                                        "BatchNormalization",
                                        "Cast",
                                        "Clip",
                                        "Conv",
                                        "Convert",
                                        "DequantizeLinear",
                                        "Dropout",
                                        "Elu",
                                        "Exp",
                                        "HardSigmoid",
                                        "HardSwish",
                                        "Identity",
                                        "LeakyRelu",
                                        "Neg",
                                        "Relu",
                                        "Sigmoid",
                                        "Softmax",
                                        "Sqrt",
                                        "Tanh",
                                        "MaxPool",
                                        "QuantizeLinear"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tpad_string_is(node->op_type, names[i])) return 1;
    return 0;
}

static int32_t is_in_function(const tpad_graph *graph)
{
    while (graph->parent) graph = graph->parent;
    return graph->is_function;
}

static int32_t has_a_length(const tpad_value *list)
{
    return list->rank == 1 && list->shape[0] >= 0;
}

/* rank_open of data with unknown rank: 1 if the data is an input without a shape, or a Reshape to a
 * list that is an input of any length. */
static int32_t leaves_rank_open(const tpad_inspection *inspection)
{
    const tpad_format *format = inspection->model->format;
    const tpad_graph *graph = inspection->pad->graph;
    const tpad_value *value = inspection->pad->inputs[IN_DATA];
    for (int32_t steps = 0; value && steps < MOST_STEPS; steps++) {
        if (value->is_input) return is_in_function(graph) ? -1 : 1;
        const tpad_node *node = tpad_maker(&graph, graph, value);
        if (!node) return -1;
        if (tpad_string_is(node->op_type, "Reshape")) {
            value = format->node_input(graph, node, 1);
            return value && value->is_input && !is_in_function(graph) && !has_a_length(value) ? 1
                                                                                              : -1;
        }
        value = keeps_the_rank(node) ? format->node_input(graph, node, 0) : NULL;
    }
    return -1;
}

static int64_t least_of(const tpad_value *data, int32_t axis)
{
    const int64_t least = tpad_extent_least(data->shape[axis]);
    return least < most ? least : most;
}

static void describe_axes(tpad_rules_facts *facts, const tpad_inspection *inspection)
{
    const tpad_pad_node *info = &inspection->pad->info;
    facts->rank = info->in_rank <= TPAD_RULES_MAX_RANK ? info->in_rank : -1;
    facts->rank_open = info->in_rank < 0 ? leaves_rank_open(inspection) : 0;
    for (int32_t axis = 0; axis < facts->rank; axis++) {
        facts->axis[axis].extent = info->in_shape[axis] > most ? -1 : info->in_shape[axis];
        facts->axis[axis].open = info->in_shape[axis] < 0;
        if (facts->axis[axis].open)
            facts->axis[axis].least = least_of(inspection->pad->inputs[IN_DATA], axis);
    }
    describe_amounts(facts, info);
}

void tpad_describe_facts(tpad_inspection *inspection, const tpad_error *refusal)
{
    const tpad_pad_node *info = &inspection->pad->info;
    const tpad_value *data = inspection->pad->inputs[IN_DATA];
    tpad_rules_facts *facts = tpad_arena_take(&inspection->model->arena, 1, sizeof *facts);
    if (!facts) {
        inspection->failed = 1;
        return;
    }
    tpad_rules_facts_unknown(facts);
    facts->mode = mode_fact(info->mode);
    facts->type = info->type;
    facts->data_constant = data && data->is_constant;
    describe_axes(facts, inspection);
    inspection->model->format->describe_facts(facts, inspection, refusal);
    describe_bounds(facts, inspection);
    inspection->pad->facts = facts;
}

/* ---- Shapes that the caller gave ------------------------------------------------------------- */

static int32_t given_as(int32_t given, int32_t plain)
{
    return given == TPAD_RULES_FOLDED && plain != TPAD_RULES_FOLDED ? TPAD_RULES_FROM_SHAPES
                                                                    : given;
}

void tpad_facts_left_open(tpad_model *model, const tpad_model *plain)
{
    for (int64_t i = 0; i < model->pad_count && i < plain->pad_count; i++) {
        tpad_rules_facts *facts = model->pads[i].facts;
        const tpad_rules_facts *left = plain->pads[i].facts;
        facts->rank_open = left->rank_open;
        facts->data_from |= left->data_from;
        facts->made_by |= left->made_by; /* given shapes hide some */
        for (int32_t axis = 0; axis < facts->rank; axis++)
            facts->axis[axis].open = left->rank < 0 ? 1 : left->axis[axis].open;
        facts->pads_given = given_as(facts->pads_given, left->pads_given);
        facts->axes_given = given_as(facts->axes_given, left->axes_given);
        facts->value_given = given_as(facts->value_given, left->value_given);
    }
}

/* The origin of a Pad's data, for its facts. */

enum { MOST_ORIGINS = 32 };

static int32_t is(const tpad_node *node, const char *name)
{
    return tpad_string_is(node->op_type, name);
}

/* The input that a node passes on: the first that is not a constant. */
static tpad_value *passed(const tpad_model *model, const tpad_graph *graph, const tpad_node *node)
{
    const int64_t inputs = model->format->input_count(node);
    for (int64_t k = 0; k < inputs; k++) {
        tpad_value *value = model->format->node_input(graph, node, k);
        if (value && !value->is_constant) return value;
    }
    return NULL;
}

/* 1 if a Cast makes the integers, or integers from which they are computed. */
static int32_t from_cast(const tpad_model *model, const tpad_graph *graph, const tpad_value *value)
{
    for (int32_t steps = 0; value && steps < MOST_ORIGINS; steps++) {
        const tpad_node *node = tpad_maker(&graph, graph, value);
        if (!node || value->is_constant || value->type != TPAD_ONNX_INT64 || is(node, "Abs"))
            return 0;
        if (is(node, "Cast")) return 1;
        value = passed(model, graph, node);
    }
    return 0;
}

/* TPAD_RULES_FROM_OPEN_RANK or ..._COMPUTED_RANK if the rank comes from a Loop, or from a Reshape
 * to a computed shape. */
static int32_t from_reshape(const tpad_model *model, const tpad_graph *graph,
                            const tpad_value *value)
{
    for (int32_t steps = 0; value && steps < MOST_ORIGINS; steps++) {
        const tpad_node *node = tpad_maker(&graph, graph, value);
        if (!node) return value->is_input && value->rank < 0 ? TPAD_RULES_FROM_OPEN_RANK : 0;
        if (value->is_declared && value->rank >= 0) return 0;
        if (is(node, "Loop")) return TPAD_RULES_FROM_OPEN_RANK | TPAD_RULES_FROM_LOOP;
        if (is(node, "Reshape")) {
            const tpad_value *shape = model->format->node_input(graph, node, 1);
            if (!shape || shape->is_constant) return 0;
            int32_t is_known = shape->element_count > 0;
            for (int64_t i = 0; i < shape->element_count; i++) is_known &= shape->elements[i].known;
            return is_known ? TPAD_RULES_FROM_COMPUTED_RANK : TPAD_RULES_FROM_OPEN_RANK;
        }
        value = passed(model, graph, node);
    }
    return 0;
}

int32_t tpad_data_from(tpad_model *model, const tpad_graph_pad *pad)
{
    const tpad_value *data = pad->inputs[IN_DATA];
    if (!data) return 0;
    return from_reshape(model, pad->graph, data) |
           (from_cast(model, pad->graph, data) ? TPAD_RULES_FROM_CAST : 0);
}
