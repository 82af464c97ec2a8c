/* Folds Pads into a Conv or a pool.  SPDX-License-Identifier: MIT
 *
 * Knows the cells that such a node adds by itself, and the attributes that decide them. */
#include "models/onnx/onnx_file.h"
#include "onnx_writing.h"
#include <string.h>

/* The operators, and the indices of their weights and zero point inputs; 0: none. */
static const struct {
    const char *name;
    int32_t op, weights, zero_input;
} operators[] = {
    {"Conv", TPAD_RULES_WINDOW_CONV, 1, 0},
    {"QLinearConv", TPAD_RULES_WINDOW_QLINEAR_CONV, 3, 2},
    {"ConvInteger", TPAD_RULES_WINDOW_CONV_INTEGER, 1, 2},
    {"MaxPool", TPAD_RULES_WINDOW_MAX_POOL, 0, 0},
    {"AveragePool", TPAD_RULES_WINDOW_AVERAGE_POOL, 0, 0},
};
enum { OPERATORS = sizeof operators / sizeof *operators, COUNTS_SINCE = 7 };

/* ---- Shared with onnx_folds.c ---------------------------------------------------------------- */

int32_t tpad_amounts_are_open(const tpad_lowering *lowering, const tpad_rules_facts *facts)
{
    return lowering->model->inputs_are_open && (facts->pads_given == TPAD_RULES_OVERRIDABLE ||
                                                facts->axes_given == TPAD_RULES_OVERRIDABLE);
}

int32_t tpad_adds_nothing(const tpad_rules_facts *facts)
{
    for (int32_t i = 0; i < facts->rank; i++)
        if (!facts->axis[i].amounts_known || facts->axis[i].begin || facts->axis[i].end) return 0;
    return facts->rank >= 0;
}

int32_t tpad_is_out_of_range(const tpad_rules_facts *facts)
{
    for (int32_t i = 0; i < facts->rank; i++) {
        const tpad_rules_axis *axis = &facts->axis[i];
        if (axis->begin < 0 || axis->begin > INT32_MAX || axis->end < 0 || axis->end > INT32_MAX)
            return 1;
    }
    return 0;
}

int32_t tpad_folded_set_name(tpad_lowering *lowering, int64_t index, const tpad_node *into,
                             tpad_io_error *error)
{
    const tpad_string label = tpad_node_label(into);
    const char *text = tpad_arena_format(&lowering->arena, "%.*s %.*s", TPAD_SHOW(into->op_type),
                                         TPAD_SHOW(label));
    lowering->nodes[index].into = text;
    return text ? TPAD_OK : tpad_no_memory(lowering->model, error);
}

const void *tpad_folded_value(tpad_lowering *lowering, const tpad_graph_pad *pad)
{
    tpad_recipe recipe = {
        .lowering = lowering, .pad = pad, .facts = pad->facts, .carrier = pad->facts->type};
    const int32_t operand =
        tpad_recipe_begin(&recipe) ? tpad_recipe_known_value(&recipe) : NO_OPERAND;
    lowering->lacks_memory |= recipe.trouble.kind == TROUBLE_MEMORY;
    return operand == NO_OPERAND ? NULL : recipe.operands[operand].data;
}

/* ---- The pad value --------------------------------------------------------------------------- */

static uint64_t code_of(const void *element, int32_t type)
{
    uint8_t byte;
    uint16_t half;
    uint32_t single;
    uint64_t wide;
    switch (tpad_element_bytes(type)) {
    case 1:
        memcpy(&byte, element, sizeof byte);
        return byte;
    case 2:
        memcpy(&half, element, sizeof half);
        return half;
    case 4:
        memcpy(&single, element, sizeof single);
        return single;
    default: /* none of these operators' types is larger */
        memcpy(&wide, element, sizeof wide);
        return wide;
    }
}

/* 1 if no element of the type is smaller. For floats, the lowest finite number counts too. */
static int32_t is_lowest(const void *element, int32_t type)
{
    const uint64_t code = code_of(element, type);
    switch (type) {
    case TPAD_ONNX_INT8:
        return code == 0x80;
    case TPAD_ONNX_UINT8:
        return code == 0;
    case TPAD_ONNX_FLOAT16:
        return code == 0xFC00 || code == 0xFBFF;
    case TPAD_ONNX_FLOAT:
        return code == 0xFF800000 || code == 0xFF7FFFFF;
    default: /* double */
        return code == UINT64_C(0xFFF0000000000000) || code == UINT64_C(0xFFEFFFFFFFFFFFFF);
    }
}

static int32_t is_zero(const void *element, int32_t type)
{
    return (tpad_rules_element(type, code_of(element, type)) & TPAD_RULES_NOT_ZERO) == 0;
}

/* 1 if the element equals the node's zero point and that is a constant. */
static int32_t is_zero_point(tpad_lowering *lowering, const tpad_graph *graph,
                             const tpad_folded_window *window, const void *element, int32_t type)
{
    tpad_model *model = lowering->model;
    const tpad_tensor *tensor;
    tpad_io_error line;
    const tpad_strings *names = &tpad_message_of(window->node)->inputs;
    const int32_t input = window->zero_input;
    if (input >= names->count || names->items[input].length == 0) return is_zero(element, type);
    tpad_value *zero = tpad_onnx_node_input(graph, window->node, input);
    if (!zero || !zero->is_constant || (zero->is_input && model->inputs_are_open)) return 0;
    const int32_t status = tpad_constant_small(&tensor, model, zero, &line);
    lowering->lacks_memory |= status == TPAD_E_MEMORY;
    if (status) return 0;
    return tensor->type == type && tpad_shape_elements(tensor->rank, tensor->shape) == 1 &&
           memcmp(tensor->data, element, (size_t)tpad_element_bytes(type)) == 0;
}

/* ---- The node -------------------------------------------------------------------------------- */

/* Reads the attributes pads and auto_pad as numbers. Returns why they are not known, or NULL. */
static const char *read_pads(tpad_folded_window *window, const tpad_graph *graph)
{
    tpad_attribute pads = {.want = WANT_INTS}, automatic = {.want = WANT_WORD};
    const int32_t has_pads = tpad_onnx_attribute(&pads, graph, window->node, "pads");
    const int32_t has_word = tpad_onnx_attribute(&automatic, graph, window->node, "auto_pad");
    int32_t is_padded = 0;
    if (has_pads < 0 || has_word < 0) return "attributes of the node after it are not known";
    if (has_pads && pads.count != 2 * window->axes)
        return "the node after it has another number of pads";
    for (int32_t i = 0; has_pads && i < pads.count; i++) {
        if (pads.ints[i] < 0 || pads.ints[i] > INT32_MAX)
            return "the node after it has pads below 0 or above 2147483647";
        window->pads[i] = pads.ints[i];
        is_padded |= pads.ints[i] != 0;
    }
    if (!has_word || tpad_string_is(automatic.word, "NOTSET")) return NULL;
    return tpad_string_is(automatic.word, "VALID") && !is_padded
               ? NULL
               : "auto_pad of the node after it decides on the pads";
}

static int32_t is_pool(const tpad_folded_window *window)
{
    return window->op == TPAD_RULES_WINDOW_MAX_POOL || window->op == TPAD_RULES_WINDOW_AVERAGE_POOL;
}

static int32_t has_pads(const tpad_folded_window *window)
{
    for (int32_t i = 0; i < 2 * window->axes; i++)
        if (window->pads[i]) return 1;
    return 0;
}

/* An attribute that is 0 or 1 and 0 if absent; -1: not known. */
static int32_t flag_of(const tpad_graph *graph, const tpad_node *node, const char *name)
{
    tpad_attribute flag = {.want = WANT_INT};
    const int32_t found = tpad_onnx_attribute(&flag, graph, node, name);
    return found == 1 ? flag.ints[0] != 0 : found;
}

/* Sets the kernel, from the weights' shape if a Conv leaves it out; 0: it is not known. */
static int32_t read_kernel(tpad_folded_window *window, const tpad_graph *graph)
{
    tpad_attribute kernel = {.want = WANT_INTS};
    const int32_t found = tpad_onnx_attribute(&kernel, graph, window->node, "kernel_shape");
    const int64_t *extents = kernel.ints;
    if (!found && window->weights) {
        const tpad_value *weights = tpad_onnx_node_input(graph, window->node, window->weights);
        if (!weights || weights->rank != window->axes + 2) return 0;
        extents = weights->shape + 2;
    } else if (found != 1 || kernel.count != window->axes) {
        return 0;
    }
    memcpy(window->kernel, extents, (size_t)window->axes * sizeof *extents);
    return 1;
}

/* Sets the dilations; 0: they are not known. */
static int32_t read_dilations(tpad_folded_window *window, const tpad_graph *graph)
{
    tpad_attribute given = {.want = WANT_INTS};
    const int32_t found = tpad_onnx_attribute(&given, graph, window->node, "dilations");
    for (int32_t i = 0; i < window->axes; i++)
        window->dilation[i] = found == 1 && i < given.count ? given.ints[i] : 1;
    return !found || (found == 1 && given.count == window->axes);
}

static const char *read_pool(tpad_folded_window *window, const tpad_graph *graph)
{
    if (flag_of(graph, window->node, "ceil_mode"))
        return "the pool after it has ceil_mode, which leaves out windows of pads";
    if (tpad_onnx_node_output(graph, window->node, 1))
        return "the pool after it gives indices of the padded cells";
    if (window->op == TPAD_RULES_WINDOW_MAX_POOL)
        return read_dilations(window, graph) ? NULL
                                             : "attributes of the node after it are not known";
    const int32_t counts = flag_of(graph, window->node, "count_include_pad");
    if (graph->opset < COUNTS_SINCE || counts < 0 || (!counts && has_pads(window)))
        return "the average after it leaves its pads out";
    return NULL;
}

/* Reads a node that has not taken over any Pad. Returns why it cannot, or NULL. */
static const char *read_window(tpad_folded_window *window, const tpad_folded_reader *reader,
                               const tpad_rules_facts *facts)
{
    int32_t i = 0;
    while (i < OPERATORS && !tpad_node_is(reader->node, operators[i].name)) i++;
    if (i == OPERATORS) return "the node after it is not a Conv, pool or Pad";
    *window = (tpad_folded_window){.node = reader->node,
                                   .op = operators[i].op,
                                   .weights = operators[i].weights,
                                   .zero_input = operators[i].zero_input,
                                   .axes = facts->rank - 2};
    if (window->axes < 1) return "its data has no images";
    if (!read_kernel(window, reader->graph)) return "the kernel of the node after it is not known";
    const char *why = read_pads(window, reader->graph);
    return why || !is_pool(window) ? why : read_pool(window, reader->graph);
}

/* ---- The decision ---------------------------------------------------------------------------- */

/* Why the Pad's cells differ from those that the node adds, or NULL. */
static const char *why_other_cells(tpad_lowering *lowering, const tpad_graph_pad *pad,
                                   const tpad_folded_window *window, const tpad_graph *graph)
{
    const int32_t type = pad->facts->type;
    const void *element = tpad_folded_value(lowering, pad);
    if (!element) return "its value is known only when the model runs";
    if (window->op == TPAD_RULES_WINDOW_MAX_POOL)
        return is_lowest(element, type)
                   ? NULL
                   : "its value is not the lowest of its type, which is what a MaxPool adds";
    if (window->zero_input)
        return is_zero_point(lowering, graph, window, element, type)
                   ? NULL
                   : "its value is not the zero point, which is what the node after it adds";
    return is_zero(element, type) ? NULL
                                  : "its value is not 0, which is what the node after it adds";
}

/* Adds the amounts to the node's pads. Returns why it cannot have them, or NULL. */
static const char *add_pads(tpad_folded_window *window, const tpad_rules_facts *facts)
{
    for (int32_t i = 0; i < facts->rank; i++) {
        const tpad_rules_axis *axis = &facts->axis[i];
        if (i < 2) {
            if (axis->begin || axis->end) return "it pads an axis other than those of images";
            continue;
        }
        int64_t *begin = &window->pads[i - 2], *end = &window->pads[window->axes + i - 2];
        *begin += axis->begin;
        *end += axis->end;
        const int64_t kernel = window->kernel[i - 2];
        if (is_pool(window) && (*begin >= kernel || *end >= kernel))
            return "the pool after it would have pads as long as its kernel, which runtimes "
                   "refuse";
        if (!axis->begin && !axis->end) continue;
        if (kernel < 0) return "the kernel of the node after it is not known";
        if (kernel == 1)
            return "the kernel after it has one cell on that axis; some runtimes get its pads "
                   "wrong";
        if (window->op == TPAD_RULES_WINDOW_QLINEAR_CONV && (*begin >= kernel || *end >= kernel))
            return "the node after it would have pads as long as its kernel; some runtimes get "
                   "them wrong";
    }
    return NULL;
}

/* 1 if windows of a MaxPool may cover pads only, which runtimes fill with different numbers: the
 * data may be between two cells of a window. Unknown extents are at least 1. */
static int32_t may_miss_data(const tpad_folded_window *window, const tpad_rules_facts *facts)
{
    if (window->op != TPAD_RULES_WINDOW_MAX_POOL) return 0;
    for (int32_t i = 2; i < facts->rank; i++) {
        const tpad_rules_axis *axis = &facts->axis[i];
        const int64_t least = axis->open || axis->extent < 0 ? 1 : axis->extent;
        if ((axis->begin || axis->end) && least < window->dilation[i - 2]) return 1;
    }
    return 0;
}

/* 1 if an earlier Pad before a MaxPool writes the lowest value and would remain: ONNX Runtime
 * returns the lowest finite number for a window of -inf and pads only. */
static int32_t leaves_lowest(tpad_lowering *lowering, const tpad_graph_pad *pad,
                             const tpad_folded_window *window)
{
    tpad_folded_window all = *window;
    int32_t is_blocked = 0;
    for (;;) {
        const tpad_graph_pad *before = pad->inputs[IN_DATA] ? pad->inputs[IN_DATA]->pad : NULL;
        if (!before || before >= pad) return 0;
        pad = before;
        if (tpad_adds_nothing(pad->facts)) continue;
        const void *element =
            pad->facts->mode == TPAD_RULES_CONSTANT ? tpad_folded_value(lowering, pad) : NULL;
        if (!element || !is_lowest(element, pad->facts->type)) {
            is_blocked = 1;
            continue;
        }
        if (is_blocked || pad->users != 1 || pad->is_graph_output ||
            !tpad_amounts_are_known(pad->facts) || tpad_amounts_are_open(lowering, pad->facts) ||
            tpad_is_out_of_range(pad->facts) || add_pads(&all, pad->facts) ||
            may_miss_data(&all, pad->facts))
            return 1;
    }
}

/* The first target not known to run the node with pads correctly, or NULL. */
static const char *doubtful_target(const tpad_lowering *lowering, const tpad_folded_window *window,
                                   const tpad_rules_facts *facts)
{
    const tpad_rules_window asked = {window->op, facts->type, window->axes};
    for (int32_t i = 0; i < lowering->target_count; i++)
        if (!tpad_rules_takes_pads(&asked, *lowering->targets[i].choice))
            return lowering->targets[i].name;
    return NULL;
}

void tpad_folded_describe_window(tpad_rules_facts *facts, const tpad_folded_window *window)
{
    static const int32_t after[] = {
        [TPAD_RULES_WINDOW_CONV] = TPAD_RULES_CONV,
        [TPAD_RULES_WINDOW_QLINEAR_CONV] = TPAD_RULES_OTHER_OPERATOR,
        [TPAD_RULES_WINDOW_CONV_INTEGER] = TPAD_RULES_OTHER_OPERATOR,
        [TPAD_RULES_WINDOW_MAX_POOL] = TPAD_RULES_MAX_POOL,
        [TPAD_RULES_WINDOW_AVERAGE_POOL] = TPAD_RULES_AVERAGE_POOL,
    };
    facts->after = after[window->op];
    facts->reader = (tpad_rules_reader){
        facts->after, .has_pads = 2, .counts_pads = window->op == TPAD_RULES_WINDOW_AVERAGE_POOL};
    for (int32_t i = 0; i < window->axes && i < TPAD_RULES_WINDOW_AXES; i++) {
        const int64_t *pads = &window->pads[i];
        const int64_t kernel = window->kernel[i] > INT32_MAX ? INT32_MAX : window->kernel[i];
        facts->reader.axis[i] = (tpad_rules_window_axis){(int32_t)kernel, 1, 1, (int32_t)pads[0],
                                                         (int32_t)pads[window->axes]};
        facts->reader.axes = i + 1;
    }
}

int32_t tpad_folded_into_window(tpad_lowering *lowering, int64_t index,
                                const tpad_folded_reader *reader, const char **why,
                                tpad_io_error *error)
{
    const tpad_graph_pad *pad = &lowering->model->pads[index];
    const tpad_rules_facts *facts = pad->facts;
    tpad_folded_window *known = reader->window, window;
    *why = NULL;
    if (facts->mode != TPAD_RULES_CONSTANT)
        *why = "only mode constant can be pads of another node";
    else if (known)
        window = *known;
    else
        *why = read_window(&window, reader, facts);
    if (!*why) *why = add_pads(&window, facts);
    if (!*why && may_miss_data(&window, facts))
        *why = "its data may be smaller than the dilations of the pool after it";
    if (*why) return TPAD_OK;
    const char *doubtful = doubtful_target(lowering, &window, facts);
    if (doubtful) {
        *why = tpad_arena_format(&lowering->arena,
                                 "%s is not known to run %.*s with such pads correctly", doubtful,
                                 TPAD_SHOW(window.node->op_type));
        return *why ? TPAD_OK : tpad_no_memory(lowering->model, error);
    }
    *why = why_other_cells(lowering, pad, &window, pad->graph);
    if (!*why && window.op == TPAD_RULES_WINDOW_MAX_POOL && leaves_lowest(lowering, pad, &window))
        *why = "another Pad before it, with the lowest value too, cannot be folded";
    if (*why) return TPAD_OK;
    if (!known) known = tpad_arena_take(&lowering->arena, 1, sizeof *known);
    if (!known) return tpad_no_memory(lowering->model, error);
    *known = window;
    lowering->folds[index].window = known;
    lowering->nodes[index].outcome = TPAD_LOWER_FOLDED;
    return tpad_folded_set_name(lowering, index, known->node, error);
}
