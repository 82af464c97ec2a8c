/* The nodes before and after each Pad, for its facts.  SPDX-License-Identifier: MIT
 *
 * Looks at every node of the graphs once, after the Pad nodes are inspected. The operators that
 * matter are listed by their names in both formats. */
#include "pads.h"
#include <string.h>

enum { MOST_OUTPUTS = 64 }; /* of a branch that is compared with the other one */

/* ---- Before ---------------------------------------------------------------------------------- */

static void look_before(tpad_rules_facts *facts, const tpad_graph_pad *pad)
{
    const tpad_value *data = pad->inputs[IN_DATA];
    const tpad_graph *holder = NULL;
    if (!data || (data->is_input && pad->graph->is_function)) return;
    const tpad_node *node = tpad_maker(&holder, pad->graph, data);
    facts->before = node && !data->is_constant ? tpad_operator_of(node) : TPAD_RULES_NO_OPERATOR;
}

/* ---- After ---------------------------------------------------------------------------------- */

/* The value that a graph returns. If nothing in the graph makes it, it is a value of the graphs
 * around: ONNX forbids this, but runtimes accept it. */
static tpad_value *returned(const tpad_graph *graph, const tpad_end *end)
{
    tpad_value *value = end->value;
    const tpad_string name = end->name;
    if (!value || value->producer >= 0 || value->is_input || value->is_initializer) return value;
    for (graph = graph->parent; graph && name.length; graph = graph->parent)
        for (int64_t i = 0; i < graph->value_count; i++)
            if (graph->values[i].name.length == name.length &&
                memcmp(graph->values[i].name.text, name.text, (size_t)name.length) == 0)
                return &graph->values[i];
    return value;
}

/* Counts the readers of each value, and finds the readers of each Pad's output. */
static void find_users(const tpad_model *model, const tpad_graph *graph)
{
    for (int64_t i = 0; i < graph->node_count; i++) {
        const tpad_node *node = &graph->nodes[i];
        /* A Result of an IR is an end of the graph. */
        const int32_t is_end = tpad_string_is(node->op_type, "Result");
        const int64_t inputs = is_end ? 0 : model->format->input_count(node);
        for (int64_t k = 0; k < inputs; k++) {
            tpad_value *value = model->format->node_input(graph, node, k);
            if (!value) continue;
            const int32_t is_shape =
                tpad_string_is(node->op_type, "Shape") || tpad_string_is(node->op_type, "ShapeOf");
            value->readers++;
            value->shapes += is_shape;
            if (!is_shape || !value->reader) {
                value->reader = node;
                value->reader_graph = graph;
            }
            tpad_graph_pad *pad = value->pad;
            if (!pad) continue;
            pad->users++;
            pad->user = node;
            pad->user_graph = graph;
        }
        for (const tpad_graph *child = node->subgraphs; child; child = child->next)
            find_users(model, child);
    }
    for (int64_t i = 0; i < graph->output_count; i++) {
        tpad_value *value = returned(graph, &graph->outputs[i]);
        if (!value) continue;
        value->readers++;
        if (value->pad) value->pad->is_graph_output = 1;
    }
    for (int64_t i = graph->node_count - 1; i >= 0; i--) {
        const tpad_node *node = &graph->nodes[i];
        if (!tpad_string_is(node->op_type, "Identity")) continue;
        tpad_value *value = model->format->node_input(graph, node, 0);
        const tpad_value *output = model->format->node_output(graph, node, 0);
        if (value && output && output->readers == 1 && (!output->reader || output->returned))
            value->returned = output;
    }
}

static int32_t after(const tpad_graph_pad *pad)
{
    /* The callers decide what reads the output of a function. */
    if (!pad->output || (!pad->users && pad->graph->is_function)) return -1;
    if (pad->is_graph_output || pad->users == 0) return TPAD_RULES_NO_OPERATOR;
    return pad->users == 1 ? tpad_operator_of(pad->user) : TPAD_RULES_OTHER_OPERATOR;
}

/* ---- Distant Transposes ---------------------------------------------------------------------- */

enum { MOST_STEPS = 32 };

/* 1 for operators past which a runtime moves a Transpose. */
static int32_t passes_on(const tpad_node *node)
{
    static const char *const names[] = {
        "Abs",       "Add",      "Cast",      "Ceil", "Clip",    "Concat", "Div",
        "Dropout",   "Elu",      "Erf",       "Exp",  "Expand",  "Floor",  "HardSigmoid",
        "HardSwish", "Identity", "LeakyRelu", "Log",  "Max",     "Min",    "Mul",
        "Neg",       "Pad",      "Relu",      "Selu", "Sigmoid", "Slice",  "Softmax",
        "Softplus",  "Softsign", "Sqrt",      "Sub",  "Sum",     "Tanh"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tpad_string_is(node->op_type, names[i])) return 1;
    return 0;
}

/* The argument (or output) of the only known call for this input (or output) of its function; NULL:
 * none. Sets the graph to the call's. */
static tpad_value *value_of_call(const tpad_model *model, const tpad_graph **graph,
                                 const tpad_value *value, int32_t is_input)
{
    const tpad_graph *function = *graph;
    const tpad_call *caller = function->caller;
    const tpad_end *ends = is_input ? function->inputs : function->outputs;
    const int64_t count = is_input ? function->input_count : function->output_count;
    if (!function->is_function || !caller || !caller->node) return NULL;
    for (int64_t i = 0; i < count; i++) {
        if (ends[i].value != value) continue;
        *graph = caller->graph;
        return is_input ? model->format->node_input(caller->graph, caller->node, i)
                        : model->format->node_output(caller->graph, caller->node, i);
    }
    return NULL;
}

/* The first node before a value that does not pass Transposes on, and its graph; NULL: the value is
 * an input of the model (graph: the top one), or it is unknown. */
static const tpad_node *far_before(const tpad_model *model, const tpad_graph **graph,
                                   const tpad_value *value)
{
    for (int32_t steps = 0; value && steps < MOST_STEPS; steps++) {
        const tpad_node *node = tpad_maker(graph, *graph, value);
        if (!node)
            value = value_of_call(model, graph, value, 1);
        else if (!passes_on(node))
            return node;
        else
            value = model->format->node_input(*graph, node, 0);
    }
    return NULL;
}

/* The same after a value with one reader. */
static const tpad_node *far_behind(const tpad_model *model, const tpad_graph **graph,
                                   const tpad_value *value)
{
    for (int32_t steps = 0; value && value->readers == 1 && steps < MOST_STEPS; steps++) {
        const tpad_node *node = value->reader;
        if (!node) {
            value = value_of_call(model, graph, value, 0);
            continue;
        }
        *graph = value->reader_graph;
        if (!passes_on(node)) return node;
        value = model->format->node_output(*graph, node, 0);
    }
    return NULL;
}

/* Notes the order of axes of a Transpose. */
static void describe_order(tpad_rules_facts *facts, const tpad_model *model,
                           const tpad_graph *graph, const tpad_node *node)
{
    tpad_attribute perm = {.want = WANT_INTS};
    const int32_t has = model->format->attribute(&perm, graph, node, "perm");
    const int32_t count = has == 1 ? perm.count : -1;
    facts->perm_count = count < 0 ? facts->rank : count;
    if (facts->perm_count < 0 || facts->perm_count > TPAD_RULES_MAX_RANK) facts->perm_count = 0;
    for (int32_t i = 0; i < facts->perm_count; i++) {
        const int64_t axis = count < 0 ? facts->perm_count - 1 - i : perm.ints[i];
        if (axis < 0 || axis >= facts->perm_count) facts->perm_count = 0;
        facts->perm[i] = (int32_t)axis;
    }
}

/* Finds Transposes on both sides, even beyond nodes that pass them on, and outside a function that
 * is called once. For such a function, notes other neighbours, too, if they are known. */
static void look_for_transposes(tpad_rules_facts *facts, const tpad_model *model,
                                const tpad_graph_pad *pad)
{
    const tpad_graph *graph_before = pad->graph, *graph_behind = pad->graph;
    if (!pad->inputs[IN_DATA] || !pad->output) return;
    const tpad_node *before = far_before(model, &graph_before, pad->inputs[IN_DATA]);
    const tpad_node *after = far_behind(model, &graph_behind, pad->output);
    const int32_t op_before = before ? tpad_operator_of(before) : -1;
    const int32_t op_behind = after ? tpad_operator_of(after) : -1;
    if (op_before == TPAD_RULES_TRANSPOSE && op_behind == TPAD_RULES_TRANSPOSE) {
        facts->before = facts->after = TPAD_RULES_TRANSPOSE;
        describe_order(facts, model, graph_before, before);
        return;
    }
    if (facts->before < 0 && (before || graph_before == model->top))
        facts->before = TPAD_RULES_OTHER_OPERATOR;
    if (facts->after < 0 &&
        (op_behind == TPAD_RULES_OTHER_OPERATOR || op_behind == TPAD_RULES_TRANSPOSE ||
         (!after && graph_behind == model->top)))
        facts->after = TPAD_RULES_OTHER_OPERATOR;
}

/* ---- Around ---------------------------------------------------------------------------------- */

/* 1 if the two branches give different shapes; -1: unknown. */
static int32_t differ(const tpad_graph *first, const tpad_graph *second)
{
    int32_t all = 0;
    if (first->output_count != second->output_count || first->output_count > MOST_OUTPUTS)
        return -1;
    for (int64_t i = 0; i < first->output_count; i++) {
        const tpad_value *a = first->outputs[i].value, *b = second->outputs[i].value;
        if (!a || !b || a->rank < 0 || b->rank < 0) {
            all = -1;
            continue;
        }
        if (a->rank != b->rank) return 1;
        for (int32_t axis = 0; axis < a->rank; axis++) {
            if (a->shape[axis] < 0 || b->shape[axis] < 0)
                all = -1;
            else if (a->shape[axis] != b->shape[axis])
                return 1;
        }
    }
    return all;
}

static void look_at_if(tpad_rules_facts *facts, const tpad_model *model, const tpad_graph *branch)
{
    const tpad_graph *first = branch->holder->subgraphs, *second = first->next;
    const tpad_value *condition = model->format->node_input(branch->parent, branch->holder, 0);
    facts->condition_listed |= condition && condition->is_constant && condition->is_listed;
    if (!second || second->next) return; /* not a valid If */
    const int32_t differs = differ(first, second);
    if (differs) facts->branches_differ = facts->branches_differ == 1 ? 1 : differs;
    facts->end_without_shape |= first->has_open_end | second->has_open_end;
}

/* Looks at the subgraphs around the Pad, from the inside out. */
static void look_outside(tpad_rules_facts *facts, const tpad_model *model, const tpad_graph *graph)
{
    int32_t is_in_if = 0, scans = 0, loops = 0;
    for (; graph->parent; graph = graph->parent) {
        const int32_t is_if = tpad_string_is(graph->holder->op_type, "If");
        is_in_if |= is_if;
        scans += tpad_string_is(graph->holder->op_type, "Scan");
        loops += !is_if;
        if (is_if) look_at_if(facts, model, graph);
    }
    facts->end_without_shape |= graph->has_open_end;
    facts->inside = graph->is_function         ? TPAD_RULES_INSIDE_FUNCTION
                    : scans == 1 && loops == 1 ? TPAD_RULES_INSIDE_SCAN
                    : loops                    ? TPAD_RULES_INSIDE_BODY
                    : is_in_if                 ? TPAD_RULES_INSIDE_BRANCH
                                               : TPAD_RULES_INSIDE_GRAPH;
}

/* ---- Nodes that compute the arguments -------------------------------------------------------- */

static int32_t has_open_input(const tpad_model *model)
{
    for (int64_t i = 0; i < model->top->input_count; i++) {
        const tpad_value *value = model->top->inputs[i].value;
        if (value->is_initializer) continue;
        if (value->rank < 0) return 1;
        for (int32_t axis = 0; axis < value->rank; axis++)
            if (value->shape[axis] < 0) return 1;
    }
    return 0;
}

/* 1 if the node is a Reshape to a constant list with an entry of -1. */
static int32_t is_reshape_by_rest(tpad_model *model, const tpad_graph *graph, const tpad_node *node)
{
    const tpad_tensor *list;
    if (!tpad_string_is(node->op_type, "Reshape")) return 0;
    tpad_value *target = model->format->node_input(graph, node, 1);
    if (!target || !target->is_constant || target->type != TPAD_ONNX_INT64 ||
        tpad_constant_small(&list, model, target, NULL) || !list || list->rank != 1)
        return 0;
    for (int64_t i = 0; i < list->shape[0]; i++)
        if (tpad_element_read(list, i).integer == -1) return 1;
    return 0;
}

/* A constant of one integer, or 0. */
static int64_t lone_integer(tpad_model *model, tpad_value *value)
{
    const tpad_tensor *tensor;
    if (!value->is_constant || (value->type != TPAD_ONNX_INT64 && value->type != TPAD_ONNX_INT32) ||
        tpad_constant_small(&tensor, model, value, NULL) || !tensor)
        return 0;
    int64_t count = 1;
    for (int32_t axis = 0; axis < tensor->rank; axis++) count *= tensor->shape[axis];
    return count == 1 ? tpad_element_read(tensor, 0).integer : 0;
}

enum { MOST_NODES = 64 }; /* of a walk */

/* The nodes that compute some values, as many as there is room for. The walk ends at a Shape: only
 * the shape of its input matters. */
typedef struct node_walk {
    const tpad_model *model;
    const tpad_graph *graph; /* where the values are read */
    tpad_value *values[MOST_NODES];
    int32_t count, at;
} node_walk;

/* The next node, and its graph; NULL at the end. */
static const tpad_node *next_node(node_walk *walk, const tpad_graph **graph)
{
    while (walk->at < walk->count) {
        const tpad_node *node = tpad_maker(graph, walk->graph, walk->values[walk->at++]);
        if (!node) continue;
        const int64_t inputs =
            tpad_string_is(node->op_type, "Shape") ? 0 : walk->model->format->input_count(node);
        for (int64_t k = 0; k < inputs && walk->count < MOST_NODES; k++) {
            tpad_value *input = walk->model->format->node_input(*graph, node, k);
            if (input) walk->values[walk->count++] = input;
        }
        return node;
    }
    return NULL;
}

static int32_t comes_from_a_shape(const tpad_model *model, const tpad_graph *graph,
                                  tpad_value *value)
{
    node_walk walk = {.model = model, .graph = graph, .values = {value}, .count = 1};
    const tpad_graph *holder = NULL;
    for (const tpad_node *node; (node = next_node(&walk, &holder));)
        if (tpad_string_is(node->op_type, "Shape")) return 1;
    return 0;
}

/* 1 if the node is a remainder other than 0 of a number that comes from a shape and is known to be
 * below zero. */
static int32_t is_remainder_below_zero(tpad_model *model, const tpad_graph *graph,
                                       const tpad_node *node)
{
    if (!tpad_string_is(node->op_type, "Mod")) return 0;
    tpad_value *value = model->format->node_input(graph, node, 0);
    tpad_value *divisor = model->format->node_input(graph, node, 1);
    if (!value || (value->type != TPAD_ONNX_INT64 && value->type != TPAD_ONNX_INT32)) return 0;
    const int64_t by = divisor ? lone_integer(model, divisor) : 0;
    for (int64_t i = 0; i < value->element_count; i++)
        if (value->elements[i].known && value->elements[i].integer < 0 &&
            (by <= 0 || value->elements[i].integer % by != 0))
            return comes_from_a_shape(model, graph, value);
    return 0;
}

static int32_t is_unary(const tpad_node *node)
{
    static const char *const names[] = {"Abs",        "Ceil", "Floor", "Neg",
                                        "Reciprocal", "Relu", "Round", "Sqrt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tpad_string_is(node->op_type, names[i])) return 1;
    return 0;
}

/* 1 for Neg of int32, and Abs, Relu or Sign of integers. */
static int32_t is_unary_of_integers(const tpad_node *node, const tpad_value *value)
{
    const int32_t is_neg = tpad_string_is(node->op_type, "Neg");
    if (!value || (value->type != TPAD_ONNX_INT32 && (is_neg || value->type != TPAD_ONNX_INT64)))
        return 0;
    return is_neg || tpad_string_is(node->op_type, "Abs") ||
           tpad_string_is(node->op_type, "Relu") || tpad_string_is(node->op_type, "Sign");
}

/* 1 if the node is a Constant with numbers in attributes other than `value`. */
static int32_t is_of_numbers(const tpad_model *model, const tpad_graph *graph,
                             const tpad_node *node)
{
    tpad_attribute tensor = {.want = WANT_WORD};
    return tpad_string_is(node->op_type, "Constant") &&
           model->format->attribute(&tensor, graph, node, "value") == 0 &&
           model->format->attribute(&tensor, graph, node, "sparse_value") == 0;
}

/* 1 if the value is a constant in another file, perhaps passed on by Identities. */
static int32_t is_external(const tpad_model *model, const tpad_graph *graph,
                           const tpad_value *value)
{
    for (int32_t steps = 0; value && !value->is_constant && steps < MOST_NODES; steps++) {
        const tpad_node *node = tpad_maker(&graph, graph, value);
        if (!node || !tpad_string_is(node->op_type, "Identity")) return 0;
        value = model->format->node_input(graph, node, 0);
    }
    return value && value->is_constant && value->is_external && !value->is_input;
}

/* 1 if an input whose elements decide the output's shape is in another file. */
static int32_t is_shaped_from_outside(const tpad_model *model, const tpad_graph *graph,
                                      const tpad_node *node)
{
    static const struct {
        const char *name;
        int64_t first;
    } shaped[] = {{"ConstantOfShape", 0},
                  {"Expand", 1},
                  {"Pad", 1},
                  {"Range", 0},
                  {"ReduceMax", 1},
                  {"ReduceMin", 1},
                  {"ReduceSum", 1},
                  {"ReduceProd", 1},
                  {"Reshape", 1},
                  {"Slice", 1},
                  {"Split", 1},
                  {"Squeeze", 1},
                  {"Tile", 1},
                  {"TopK", 1},
                  {"Unsqueeze", 1}};
    for (size_t i = 0; i < sizeof shaped / sizeof *shaped; i++) {
        if (!tpad_string_is(node->op_type, shaped[i].name)) continue;
        for (int64_t k = model->format->input_count(node) - 1; k >= shaped[i].first; k--)
            if (is_external(model, graph, model->format->node_input(graph, node, k))) return 1;
    }
    return 0;
}

/* The node before those that only take and move numbers, and its graph. */
static const tpad_node *taken_from(const tpad_model *model, const tpad_graph **graph,
                                   const tpad_value *value)
{
    static const char *const takers[] = {"Cast",  "Gather",  "Identity", "Reshape",
                                         "Slice", "Squeeze", "Unsqueeze"};
    for (int32_t steps = 0; value && steps < MOST_NODES; steps++) {
        const tpad_node *node = tpad_maker(graph, *graph, value);
        size_t i = 0;
        while (node && i < sizeof takers / sizeof *takers &&
               !tpad_string_is(node->op_type, takers[i]))
            i++;
        if (!node || i == sizeof takers / sizeof *takers) return node;
        value = model->format->node_input(*graph, node, 0);
    }
    return NULL;
}

/* 1 if all elements of a constant are `number`. */
static int32_t is_number(tpad_model *model, tpad_value *value, int64_t number)
{
    const tpad_tensor *tensor;
    if (!value || !value->is_constant || tpad_type_is_real(value->type) ||
        tpad_constant_small(&tensor, model, value, NULL) || !tensor)
        return 0;
    int64_t count = 1;
    for (int32_t axis = 0; axis < tensor->rank; axis++) count *= tensor->shape[axis];
    for (int64_t i = 0; i < count; i++)
        if (tpad_element_read(tensor, i).integer != number) return 0;
    return 1;
}

/* 1 if the node's result may not depend on the extents that it is computed from. */
static int32_t may_cancel(tpad_model *model, const tpad_graph *graph, const tpad_node *node)
{
    static const char *const choosing[] = {"And",  "Equal", "Greater", "GreaterOrEqual",
                                           "Less", "Not",   "Where",   "LessOrEqual"};
    tpad_value *a = model->format->node_input(graph, node, 0);
    tpad_value *b = model->format->node_input(graph, node, 1);
    for (size_t i = 0; i < sizeof choosing / sizeof *choosing; i++)
        if (tpad_string_is(node->op_type, choosing[i])) return 1;
    if (tpad_string_is(node->op_type, "Mul"))
        return is_number(model, a, 0) || is_number(model, b, 0);
    if (tpad_string_is(node->op_type, "Mod")) return is_number(model, b, 1);
    if (!tpad_string_is(node->op_type, "Sub")) return 0;
    const tpad_graph *of_a = graph, *of_b = graph;
    const tpad_node *from_a = taken_from(model, &of_a, a), *from_b = taken_from(model, &of_b, b);
    return from_a && from_b && tpad_string_is(from_a->op_type, "Shape") &&
           tpad_string_is(from_b->op_type, "Shape");
}

static int32_t made_by(tpad_model *model, const tpad_graph *graph, const tpad_node *node,
                       int32_t is_open)
{
    int32_t facts = 0;
    if (is_open && is_reshape_by_rest(model, graph, node)) facts |= TPAD_RULES_BY_OPEN_RESHAPE;
    if (is_open && tpad_string_is(node->op_type, "Shape")) facts |= TPAD_RULES_BY_OPEN_SHAPE;
    if (is_open && may_cancel(model, graph, node)) facts |= TPAD_RULES_BY_CANCELLING;
    if (is_remainder_below_zero(model, graph, node)) facts |= TPAD_RULES_BY_REMAINDER;
    if (is_unary(node)) facts |= TPAD_RULES_BY_UNARY;
    if (is_unary_of_integers(node, model->format->node_input(graph, node, 0)))
        facts |= TPAD_RULES_BY_UNARY | TPAD_RULES_BY_INTEGER_UNARY;
    if (tpad_string_is(node->op_type, "Identity")) facts |= TPAD_RULES_BY_IDENTITY;
    if (tpad_string_is(node->op_type, "ScatterElements")) facts |= TPAD_RULES_BY_SCATTER;
    if (tpad_string_is(node->op_type, "QuantizeLinear")) facts |= TPAD_RULES_BY_QUANTISE;
    if (is_of_numbers(model, graph, node)) facts |= TPAD_RULES_BY_NUMBERS;
    if (is_shaped_from_outside(model, graph, node)) facts |= TPAD_RULES_BY_EXTERNAL_SHAPE;
    return facts;
}

/* Looks at the nodes that compute pads, axes and value. */
static void look_at_arguments(tpad_rules_facts *facts, tpad_model *model, const tpad_graph_pad *pad)
{
    node_walk walk = {.model = model, .graph = pad->graph};
    const int32_t is_open = has_open_input(model);
    const tpad_graph *graph = NULL;
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++) {
        if (pad->inputs[i]) walk.values[walk.count++] = pad->inputs[i];
        if (is_external(model, pad->graph, pad->inputs[i]))
            facts->made_by |= model->format->types[i] == TYPE_OF_DATA ? TPAD_RULES_BY_EXTERNAL_VALUE
                                                                      : TPAD_RULES_BY_EXTERNAL;
    }
    for (const tpad_node *node; (node = next_node(&walk, &graph));)
        facts->made_by |= made_by(model, graph, node, is_open);
    if (!(facts->made_by & TPAD_RULES_BY_OPEN_SHAPE)) facts->made_by &= ~TPAD_RULES_BY_CANCELLING;
}

void tpad_look_around(tpad_model *model, const tpad_graph_pad *pad)
{
    tpad_rules_facts *facts = pad->facts;
    const tpad_graph *graph = pad->graph;
    facts->perm_count = 0;
    look_before(facts, pad);
    facts->after = after(pad);
    look_for_transposes(facts, model, pad);
    facts->data_from = tpad_data_from(model, pad) | tpad_from_quantised(model, pad);
    tpad_look_at_reader(facts, model, pad);
    facts->data_returned = tpad_is_data_returned(model, pad);
    facts->data_not_negative = facts->reader.op == TPAD_RULES_MAX_POOL &&
                               tpad_is_not_negative(model, graph, pad->inputs[IN_DATA]);
    look_outside(facts, model, graph);
    look_at_arguments(facts, model, pad);
}

void tpad_describe_neighbours(tpad_model *model)
{
    if (model->pad_count == 0) return;
    for (int64_t i = 0; i < model->pad_count; i++)
        if (model->pads[i].output) model->pads[i].output->pad = &model->pads[i];
    find_users(model, model->top);
    for (const tpad_graph *graph = model->functions; graph; graph = graph->next)
        find_users(model, graph);
    for (int64_t i = 0; i < model->pad_count; i++) tpad_look_around(model, &model->pads[i]);
}
