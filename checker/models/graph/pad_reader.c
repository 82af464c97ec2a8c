/* The Conv or pool that a runtime finds after a Pad.  SPDX-License-Identifier: MIT
 *
 * Skips nodes that change nothing, because runtimes remove them before they look at the Pad, and
 * reads the attributes of the node after them. */
#include "pads.h"
#include <string.h>

enum { MOST_STEPS = 32, MOST_OUTPUTS = 64 };

/* The operators of ONNX and OpenVINO that occur in rules. */
static const struct {
    const char *name;
    int32_t op;
} operators[] = {
    {"MaxPool", TPAD_RULES_MAX_POOL},         {"AveragePool", TPAD_RULES_AVERAGE_POOL},
    {"AvgPool", TPAD_RULES_AVERAGE_POOL},     {"Conv", TPAD_RULES_CONV},
    {"Convolution", TPAD_RULES_CONV},         {"GroupConvolution", TPAD_RULES_CONV},
    {"ConvInteger", TPAD_RULES_INTEGER_CONV}, {"QLinearConv", TPAD_RULES_INTEGER_CONV},
    {"Transpose", TPAD_RULES_TRANSPOSE},      {"Pad", TPAD_RULES_PAD},
};

int32_t tpad_operator_of(const tpad_node *node)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (tpad_string_is(node->op_type, operators[i].name)) return operators[i].op;
    return TPAD_RULES_OTHER_OPERATOR;
}

/* The state of the walk. */
typedef struct walk {
    tpad_model *model;
    const tpad_graph *graph;
    tpad_value *value;
    int32_t type;
    int32_t perm_count; /* 0 before the first Transpose */
    int32_t transposes; /* their number */
    int32_t perm[TPAD_RULES_MAX_RANK];
    int64_t pads[2 * TPAD_RULES_WINDOW_AXES]; /* begins and ends of the Pads on the way */
    int32_t chosen_late; /* 1 after an If whose condition is unknown before the model runs */
    tpad_rules_reader *reader;
} walk;

static int32_t is(const tpad_node *node, const char *name)
{
    return tpad_string_is(node->op_type, name);
}

/* ---- Nodes that change nothing --------------------------------------------------------------- */

/* The elements of an input; NULL: they are unknown or too many. */
static const tpad_tensor *known_input(const walk *w, const tpad_node *node, int64_t index)
{
    const tpad_tensor *tensor = NULL;
    tpad_io_error error;
    tpad_value *value = w->model->format->node_input(w->graph, node, index);
    if (!value) return NULL;
    if (!value->is_constant) return value->small;
    return tpad_constant_small(&tensor, w->model, value, &error) ? NULL : tensor;
}

static int64_t count_of(const tpad_tensor *tensor)
{
    int64_t count = 1;
    for (int32_t i = 0; i < tensor->rank; i++) count *= tensor->shape[i];
    return count;
}

/* 1 if the other input is a single number that changes nothing, and does not add axes. */
static int32_t is_neutral(const walk *w, const tpad_node *node)
{
    const int32_t divides = is(node, "Div") || is(node, "Divide");
    const int32_t subtracts = is(node, "Sub") || is(node, "Subtract");
    const int32_t by_one = divides || is(node, "Mul") || is(node, "Multiply");
    const int32_t at = w->model->format->node_input(w->graph, node, 0) == w->value;
    const tpad_tensor *number = known_input(w, node, at);
    if (!by_one && !subtracts && !is(node, "Add")) return 0;
    if (!at && (divides || subtracts)) return 0;
    if (!number || tpad_type_kind(number->type) == ELEM_OTHER || count_of(number) != 1 ||
        (number->rank && number->rank > w->value->rank))
        return 0;
    const tpad_element element = tpad_element_read(number, 0);
    return (tpad_type_is_real(number->type) ? element.real : (double)element.integer) == by_one;
}

static int32_t is_list_of(const tpad_tensor *list, int64_t number)
{
    for (int64_t i = 0; list && i < count_of(list); i++)
        if (tpad_element_read(list, i).integer != number) return 0;
    return list != NULL;
}

static int32_t takes_all(const walk *w, const tpad_node *node)
{
    return is(node, "Slice") && is_list_of(known_input(w, node, 1), 0) &&
           is_list_of(known_input(w, node, 2), INT64_MAX) &&
           (!w->model->format->node_input(w->graph, node, 4) ||
            is_list_of(known_input(w, node, 4), 1));
}

static int32_t expands_nothing(const walk *w, const tpad_node *node)
{
    const tpad_tensor *list = is(node, "Expand") ? known_input(w, node, 1) : NULL;
    if (!list || list->rank != 1 || list->shape[0] > w->value->rank) return 0;
    for (int64_t i = 0; i < list->shape[0]; i++) {
        const int64_t entry = tpad_element_read(list, i).integer;
        if (entry != 1 && entry != w->value->shape[w->value->rank - list->shape[0] + i]) return 0;
    }
    return 1;
}

static int32_t within_int32(int64_t number)
{
    return number > INT32_MAX ? INT32_MAX : number < INT32_MIN ? INT32_MIN : (int32_t)number;
}

static int32_t is_pad_of_nothing(walk *w, const tpad_node *node)
{
    const tpad_value *output = w->model->format->node_output(w->graph, node, 0);
    const tpad_rules_facts *facts = output && output->pad ? output->pad->facts : NULL;
    for (int32_t i = 0; facts && i < facts->rank; i++)
        if (!facts->axis[i].amounts_known || facts->axis[i].begin || facts->axis[i].end) return 0;
    if (!facts || facts->rank < 0) return 0;
    return facts->mode == TPAD_RULES_CONSTANT;
}

/* Combines the order of a Transpose with those before it; 0: it is unknown. */
static int32_t is_transpose(walk *w, const tpad_node *node)
{
    int32_t before[TPAD_RULES_MAX_RANK];
    tpad_attribute perm = {.want = WANT_INTS};
    const int32_t rank = w->value->rank;
    if (!is(node, "Transpose") || rank < 0 || rank > TPAD_RULES_MAX_RANK) return 0;
    const int32_t found = w->model->format->attribute(&perm, w->graph, node, "perm");
    if (found < 0 || (found == 1 && perm.count != rank)) return 0;
    for (int32_t i = 0; i < rank; i++) before[i] = w->perm_count ? w->perm[i] : i;
    for (int32_t i = 0; i < rank; i++) {
        const int64_t axis = found ? perm.ints[i] : rank - 1 - i;
        if (axis < 0 || axis >= rank) return 0;
        w->perm[i] = before[axis];
    }
    w->perm_count = rank;
    w->transposes++;
    return 1;
}

/* 1 for a Cast to the same type, or the first to another type. */
static int32_t is_cast(walk *w, const tpad_node *node)
{
    tpad_attribute to = {.want = WANT_INT};
    const tpad_format *format = w->model->format;
    if (w->type == 0) return 0;
    if (is(node, "Convert")) /* of an IR, where each value has a type */
        to.ints[0] = format->node_output(w->graph, node, 0)->type;
    else if (!is(node, "Cast") || format->attribute(&to, w->graph, node, "to") != 1)
        return 0;
    if (to.ints[0] == w->type) return 1;
    if (w->reader->passes & TPAD_RULES_PASSES_CAST) return 0;
    w->reader->passes |= TPAD_RULES_PASSES_CAST;
    w->type = (int32_t)to.ints[0];
    return 1;
}

/* 1 for a Pad by zeros that runtimes fold into the reader first. Adds its amounts to w->pads. */
static int32_t is_pad_of_zeros(walk *w, const tpad_node *node)
{
    const tpad_value *output = w->model->format->node_output(w->graph, node, 0);
    const tpad_rules_facts *facts = output && output->pad ? output->pad->facts : NULL;
    if (!facts || facts->mode != TPAD_RULES_CONSTANT || facts->axes_given != TPAD_RULES_ABSENT ||
        facts->rank < 3 || facts->rank > 2 + TPAD_RULES_WINDOW_AXES || w->perm_count ||
        (facts->value_given != TPAD_RULES_ABSENT && !facts->value_known) ||
        facts->value_bits & (TPAD_RULES_NOT_ZERO | TPAD_RULES_MINUS_ZERO))
        return 0;
    for (int32_t i = 0; i < facts->rank; i++) {
        const tpad_rules_axis *axis = &facts->axis[i];
        if (!axis->amounts_known || axis->begin < 0 || axis->end < 0) return 0;
        if (i < 2 && (axis->begin || axis->end)) return 0;
    }
    for (int32_t i = 0; i < facts->rank - 2; i++) {
        w->pads[i] += within_int32(facts->axis[i + 2].begin);
        w->pads[TPAD_RULES_WINDOW_AXES + i] += within_int32(facts->axis[i + 2].end);
    }
    w->reader->passes |= TPAD_RULES_PASSES_PAD;
    return 1;
}

static int32_t is_of_one(walk *w, const tpad_node *node)
{
    if ((!is(node, "Concat") && !is(node, "Max") && !is(node, "Sum")) ||
        w->model->format->input_count(node) != 1)
        return 0;
    w->reader->passes |= TPAD_RULES_PASSES_SINGLE;
    return 1;
}

/* The axis of an Unsqueeze or Squeeze; -1: it is unknown, or there are several. */
static int64_t lone_axis(const walk *w, const tpad_node *node)
{
    tpad_attribute axes = {.want = WANT_INTS};
    const tpad_tensor *list = known_input(w, node, 1);
    if (list) return count_of(list) == 1 ? tpad_element_read(list, 0).integer : -1;
    return w->model->format->attribute(&axes, w->graph, node, "axes") == 1 && axes.count == 1
               ? axes.ints[0]
               : -1;
}

/* 1 for an Unsqueeze before its Squeeze: the walk continues between them. */
static int32_t is_there_and_back(walk *w, const tpad_node *node)
{
    tpad_value *between = w->model->format->node_output(w->graph, node, 0);
    const tpad_node *back = between && between->readers == 1 ? between->reader : NULL;
    if (!is(node, "Unsqueeze") || !back || !is(back, "Squeeze") ||
        between->reader_graph != w->graph || lone_axis(w, node) < 0 ||
        lone_axis(w, node) != lone_axis(w, back))
        return 0;
    w->reader->passes |= TPAD_RULES_PASSES_AXES;
    return 1;
}

static int32_t changes_nothing(walk *w, const tpad_node *node)
{
    if (w->reader->passes & TPAD_RULES_PASSES_AXES && is(node, "Squeeze")) return 1;
    if (is_there_and_back(w, node)) return 1;
    if (is_transpose(w, node) || is_cast(w, node)) return 1;
    if (is(node, "Identity") || is(node, "Dropout")) return 1;
    return is_neutral(w, node) || takes_all(w, node) || expands_nothing(w, node) ||
           is_pad_of_nothing(w, node) || is_pad_of_zeros(w, node) || is_of_one(w, node);
}

/* ---- The node at the end --------------------------------------------------------------------- */

/* A list attribute: the number of its entries, 0 if it is absent, -1 if it is unknown. */
static int32_t list_of(tpad_attribute *list, const walk *w, const tpad_node *node, const char *name)
{
    *list = (tpad_attribute){.want = WANT_INTS};
    const int32_t found = w->model->format->attribute(list, w->graph, node, name);
    return found == 1 ? list->count : found;
}

/* A number attribute that is 0 or 1. */
static int32_t flag_of(const walk *w, const tpad_node *node, const char *name)
{
    tpad_attribute flag = {.want = WANT_INT};
    return w->model->format->attribute(&flag, w->graph, node, name) == 1 && flag.ints[0] == 1;
}

/* Sets the kernel, from the weights' shape if a Conv leaves it out, and its number of axes. */
static void read_kernel(const walk *w, const tpad_node *node, int32_t axes)
{
    tpad_attribute kernel;
    tpad_rules_reader *reader = w->reader;
    int32_t count = list_of(&kernel, w, node, "kernel_shape");
    if (!count) count = list_of(&kernel, w, node, "kernel"); /* of an IR */
    const tpad_value *weights =
        reader->op == TPAD_RULES_CONV ? w->model->format->node_input(w->graph, node, 1) : NULL;
    const int64_t *extents = count == axes ? kernel.ints : NULL;
    if (!count && weights && weights->rank > axes) extents = weights->shape + weights->rank - axes;
    reader->axes = axes >= 1 && axes <= TPAD_RULES_WINDOW_AXES ? axes : 0;
    for (int32_t i = 0; i < reader->axes; i++)
        reader->axis[i].kernel = extents && extents[i] >= 0 ? within_int32(extents[i]) : -1;
}

/* The begins, then the ends; returns the same as list_of. An IR has two lists, which are ignored if
 * auto_pad decides. */
static int32_t pads_of(tpad_attribute *pads, const walk *w, const tpad_node *node)
{
    tpad_attribute ends;
    const tpad_rules_reader *reader = w->reader;
    if (w->model->format->kind == FORMAT_ONNX) return list_of(pads, w, node, "pads");
    const int32_t begins = list_of(pads, w, node, "pads_begin");
    if (begins <= 0 || list_of(&ends, w, node, "pads_end") != begins || begins > reader->axes)
        return begins ? -1 : 0;
    for (int32_t i = 0; i < begins; i++) pads->ints[begins + i] = ends.ints[i];
    return reader->is_same || reader->is_valid ? 0 : 2 * begins;
}

static void read_numbers(const walk *w, const tpad_node *node)
{
    tpad_rules_reader *reader = w->reader;
    tpad_attribute strides, dilations, pads;
    const int32_t axes = reader->axes, some_strides = list_of(&strides, w, node, "strides");
    const int32_t some_dilations = list_of(&dilations, w, node, "dilations");
    const int32_t some_pads = pads_of(&pads, w, node);
    for (int32_t i = 0; i < axes; i++) {
        tpad_rules_window_axis *axis = &reader->axis[i];
        axis->stride = some_strides == axes ? within_int32(strides.ints[i]) : 1;
        axis->dilation = some_dilations == axes ? within_int32(dilations.ints[i]) : 1;
        if (axis->stride < 1 || axis->dilation < 1) { /* the effect of such a node is unknown */
            axis->kernel = -1;
            axis->stride = axis->dilation = 1;
        }
        const int has_own = some_pads == 2 * axes;
        axis->begin = within_int32((has_own ? within_int32(pads.ints[i]) : 0) + w->pads[i]);
        axis->end = within_int32((has_own ? within_int32(pads.ints[axes + i]) : 0) +
                                 w->pads[TPAD_RULES_WINDOW_AXES + i]);
    }
    reader->has_pads = some_pads ? 1 + (some_pads < 0) : 0;
    for (int32_t i = 0; i < some_pads; i++)
        if (pads.ints[i]) reader->has_pads = 2;
    if (!(reader->passes & TPAD_RULES_PASSES_PAD)) return;
    reader->counts_pads = reader->has_pads < 2; /* a pool that takes a Pad counts its cells */
    reader->has_pads = 2;
}

/* 1 if an integer Conv has a zero point that is not known to be 0. */
static int32_t has_zero_point(const walk *w, const tpad_node *node)
{
    const tpad_tensor *zero = known_input(w, node, 2);
    return w->model->format->node_input(w->graph, node, 2) &&
           (!zero || tpad_fact_bits(zero) & TPAD_RULES_NOT_ZERO);
}

static int32_t word_is(const walk *w, const tpad_node *node, const char *name, const char *word)
{
    tpad_attribute text = {.want = WANT_WORD};
    return w->model->format->attribute(&text, w->graph, node, name) == 1 &&
           tpad_string_is(text.word, word);
}

/* Reads how a window operator adds cells by itself: sets is_same and is_valid; 0: in a way that the
 * rules do not know. */
static int32_t read_auto_pad(const walk *w, const tpad_node *node)
{
    static const char name[] = "auto_pad";
    tpad_rules_reader *reader = w->reader;
    tpad_attribute any = {.want = WANT_WORD};
    const int32_t is_ir = w->model->format->kind == FORMAT_IR;
    const int32_t found = w->model->format->attribute(&any, w->graph, node, name);
    const int32_t is_valid = word_is(w, node, name, is_ir ? "valid" : "VALID");
    reader->is_same = word_is(w, node, name, is_ir ? "same_upper" : "SAME_UPPER") ||
                      word_is(w, node, name, is_ir ? "same_lower" : "SAME_LOWER");
    reader->is_valid = is_valid && (reader->op == TPAD_RULES_INTEGER_CONV ||
                                    reader->op == TPAD_RULES_AVERAGE_POOL || is_ir);
    return !found || reader->is_same || reader->is_valid ||
           word_is(w, node, name, is_ir ? "explicit" : "NOTSET");
}

static void read_window(const walk *w, const tpad_node *node)
{
    tpad_rules_reader *reader = w->reader;
    const int32_t is_newer = is(node, "AvgPool") && !tpad_string_is(node->domain, "opset1");
    if (is_newer || !read_auto_pad(w, node) || w->model->format->node_output(w->graph, node, 1)) {
        reader->op = TPAD_RULES_OTHER_OPERATOR;
        return;
    }
    read_kernel(w, node, w->value->rank - 2);
    read_numbers(w, node);
    reader->is_ceil =
        flag_of(w, node, "ceil_mode") || word_is(w, node, "rounding_type", "ceil_torch");
    if (word_is(w, node, "rounding_type", "ceil")) reader->is_ceil = TPAD_RULES_CEIL_KEEPS;
    reader->is_shifted = reader->op == TPAD_RULES_INTEGER_CONV && has_zero_point(w, node);
    reader->counts_pads |=
        flag_of(w, node, "count_include_pad") || word_is(w, node, "exclude-pad", "false");
}

/* ---- The walk -------------------------------------------------------------------------------- */

/* Continues after an If whose branch returns the value. If its condition is a constant, runtimes
 * replace the If by the branch. */
static int32_t leaves_a_branch(walk *w)
{
    const tpad_graph *graph = w->graph;
    const tpad_node *holder = graph->holder;
    if (!holder || !graph->parent || !is(holder, "If") || w->value->readers != 1 ||
        w->value->reader)
        return 0;
    const tpad_value *condition = w->model->format->node_input(graph->parent, holder, 0);
    if (!condition || condition->is_input || (!condition->is_constant && !condition->small))
        w->chosen_late = 1;
    for (int64_t i = 0; i < graph->output_count; i++)
        if (graph->outputs[i].value == w->value) {
            w->value = w->model->format->node_output(graph->parent, holder, i);
            w->graph = graph->parent;
            return 1;
        }
    return 0;
}

/* The number of readers of the value, without Shapes whose result is known. */
static int64_t readers_of(const tpad_value *value)
{
    int32_t is_known = value->rank >= 0;
    for (int32_t i = 0; i < value->rank; i++) is_known &= value->shape[i] >= 0;
    return value->readers - (is_known ? value->shapes : 0);
}

/* 1 if a Reshape computes an extent from several axes of the value. */
static int32_t is_reshaped(const walk *w)
{
    const tpad_node *node = w->value->reader;
    const tpad_tensor *list = node && is(node, "Reshape") && w->value->reader_graph == w->graph
                                  ? known_input(w, node, 1)
                                  : NULL;
    for (int64_t i = 1; list && i < count_of(list); i++)
        if (tpad_element_read(list, i).integer == -1) return count_of(list) < w->value->rank;
    return 0;
}

/* 1 if the Transposes after the Pad cancel out, by themselves or with those before it. */
static int32_t cancel(const walk *w, const tpad_rules_facts *facts)
{
    int32_t are_none = 1, are_back = facts->perm_count == w->perm_count;
    for (int32_t i = 0; i < w->perm_count; i++) are_none &= w->perm[i] == i;
    for (int32_t i = 0; i < w->perm_count && are_back; i++) are_back = facts->perm[w->perm[i]] == i;
    if (!are_none && are_back) w->reader->passes |= TPAD_RULES_PASSES_TRANSPOSE;
    if (are_none && w->transposes == 1) w->reader->passes |= TPAD_RULES_PASSES_STILL;
    return are_back || are_none;
}

/* 1 for window operators without details in the rules. */
static int32_t is_other_window(const tpad_node *node)
{
    return is(node, "LpPool") || is(node, "ConvTranspose") || is(node, "ConvolutionBackpropData") ||
           is(node, "GroupConvolutionBackpropData");
}

void tpad_look_at_reader(tpad_rules_facts *facts, tpad_model *model, const tpad_graph_pad *pad)
{
    facts->reader = (tpad_rules_reader){.op = facts->after};
    walk w = {.model = model,
              .graph = pad->graph,
              .value = pad->output,
              .type = facts->type,
              .reader = &facts->reader};
    for (int32_t steps = 0; w.value && steps < MOST_STEPS; steps++) {
        if (leaves_a_branch(&w)) continue;
        w.reader->is_reshaped |= is_reshaped(&w);
        if (w.chosen_late && w.reader->passes & TPAD_RULES_PASSES_CAST)
            w.reader->passes |= TPAD_RULES_PASSES_IF;
        /* Only tract looks at these, and it does not count ends of the graph. */
        const int32_t is_end = w.value->pad && w.value->pad->is_graph_output;
        const tpad_node *node = w.value->reader;
        const int64_t readers = readers_of(w.value) - is_end;
        const int64_t others = w.value->readers - w.value->shapes - is_end;
        /* Beside a Shape of open extents; or, after such an If, one of several readers may be a
         * window. */
        if (others == 1 && readers > 1) w.reader->passes |= TPAD_RULES_PASSES_SHAPE;
        if (w.chosen_late && others > 1) w.reader->passes |= TPAD_RULES_PASSES_IF;
        if (!node || w.value->reader_graph != w.graph || others != 1) return;
        const int32_t op = tpad_operator_of(node);
        if (is_end && op != TPAD_RULES_INTEGER_CONV && !w.chosen_late) return;
        const int32_t is_window =
            (op >= TPAD_RULES_MAX_POOL && op <= TPAD_RULES_CONV) || op == TPAD_RULES_INTEGER_CONV;
        if (w.chosen_late && (is_window || is_other_window(node))) {
            w.reader->passes |= TPAD_RULES_PASSES_IF;
            return;
        }
        if (is_window) {
            w.reader->op = cancel(&w, facts) ? op : TPAD_RULES_OTHER_OPERATOR;
            if (w.reader->op == op) read_window(&w, node);
            if (model->format->node_input(w.graph, node, 0) == w.value) return;
            w.reader->is_weighted = w.reader->op == TPAD_RULES_CONV &&
                                    model->format->node_input(w.graph, node, 1) == w.value;
            w.reader->op = TPAD_RULES_OTHER_OPERATOR;
            return;
        }
        if (!changes_nothing(&w, node) && !w.chosen_late) return;
        w.value = model->format->node_output(w.graph, node, 0);
    }
}

/* ---- Data that is also an output ------------------------------------------------------------- */

static void mark_outputs(const tpad_model *model, const tpad_graph *graph, const tpad_node *node,
                         const tpad_graph_pad *mark)
{
    for (int64_t k = 0; k < MOST_OUTPUTS; k++) {
        tpad_value *value = model->format->node_output(graph, node, k);
        if (value) value->needs = mark;
    }
}

static int32_t reads_marked(const tpad_model *model, const tpad_graph *graph, const tpad_node *node,
                            const tpad_graph_pad *mark)
{
    for (int64_t k = 0; k < model->format->input_count(node); k++) {
        const tpad_value *value = model->format->node_input(graph, node, k);
        if (value && value->needs == mark) return 1;
    }
    return 0;
}

/* ONNX Runtime visits the nodes from the graph's last output backwards: 1 if the Pad comes before
 * the other node, because a node after that one needs the Pad, or the Pad itself is after it. */
static int32_t comes_first(const tpad_model *model, const tpad_graph_pad *pad, int64_t other)
{
    const tpad_graph *graph = pad->graph;
    int64_t i = pad->node - graph->nodes;
    if (i > other) return 1;
    mark_outputs(model, graph, pad->node, pad);
    while (++i < graph->node_count) {
        if (!reads_marked(model, graph, &graph->nodes[i], pad)) continue;
        if (i > other) return 1;
        mark_outputs(model, graph, &graph->nodes[i], pad);
    }
    return 0;
}

static tpad_value *identity_of(const tpad_model *model, const tpad_graph *graph,
                               const tpad_node *node)
{
    return is(node, "Identity") ? model->format->node_input(graph, node, 0) : NULL;
}

int32_t tpad_is_data_returned(tpad_model *model, const tpad_graph_pad *pad)
{
    const tpad_graph *graph = pad->graph, *holder = NULL;
    const tpad_value *data = pad->inputs[IN_DATA];
    const tpad_node *node = data ? tpad_maker(&holder, graph, data) : NULL;
    if (node && holder == graph && pad->facts->reader.passes & TPAD_RULES_PASSES_TRANSPOSE &&
        is(node, "Transpose")) {
        data = model->format->node_input(graph, node, 0);
        node = data ? tpad_maker(&holder, graph, data) : NULL;
    }
    /* Skips Identities with one reader, up to the node that both need. */
    while (node && data->readers == 1 && holder == graph && identity_of(model, graph, node)) {
        data = identity_of(model, graph, node);
        node = tpad_maker(&holder, graph, data);
    }
    if (!node || holder != graph || data->is_constant || readers_of(data) != 2 || !data->returned)
        return 0;
    const tpad_value *end = data->returned;
    while (end->returned) end = end->returned;
    return comes_first(model, pad, end->producer);
}
