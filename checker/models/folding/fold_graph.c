/* Computes facts about a model's values before it runs.  SPDX-License-Identifier: MIT
 *
 * The problem: the amounts of many Pads are not constants. Exporters compute them from the shape of
 * the data, with five to thirty small nodes, and a prediction of what a runtime does with such a
 * Pad needs the numbers.
 *
 * The idea: each value has a fact: its type, its rank, its shape, and for small tensors the
 * elements. Each extent and each element may be unknown on its own. Each operator is a function
 * from the facts of its inputs to the facts of its outputs. An example, where x is [1, 3, ?, 20]
 * and a Pad makes its width a multiple of 16:
 *
 *     Shape(x)            [1, 3, ?, 20]      a tensor of four elements, one unknown
 *     Gather, index 3     20
 *     Mod 16, Sub         12                 known, although the height is open
 *     Concat              [0, 0, 0, 0, 0, 0, 0, 12]
 *     Pad                 [1, 3, ?, 32]
 *
 * The same arithmetic with the height gives bounds, not a number: 0 to 15 (fold_sizes.c).
 *
 * A wrong number would be worse than none, so a function gives no fact if it is not sure.
 *
 * The order: the facts of a node's outputs are computed after those of its inputs and subgraphs. A
 * function's body is computed once for each call, with the facts of that call. Its Pad nodes are
 * described by the facts that all calls share. Pad nodes are described in the order of the file,
 * functions after their callers.
 *
 * Limits: 1,024 elements per tensor, and a number of steps and of bytes for the whole model. When
 * these are used up, nothing more is known. */
#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "models/graph/pads.h"

/* A call copies the body's values as the file has them: this many cost as much as a node. */
enum { MOST_CALLS_DEEP = 32, VALUES_A_STEP = 16 };

/* Data of a function, and of each subgraph in it, which has only `declared`. */
typedef struct tpad_folded_graph {
    tpad_value *declared; /* the graph's values as the file has them, or NULL */
    int64_t count;        /* of calls */
    tpad_inferred *given; /* the facts about its inputs that all calls share */
    tpad_call call;       /* the only call, or the current one; or none */
    int32_t running;      /* 1: it is being computed, so a call of it would be recursive */
    int32_t order;        /* when its first call ended: after the functions that it calls */
    int32_t done;         /* 1: its Pad nodes are inspected, so its values must stay */
} tpad_folded_graph;

/* ---- Functions ------------------------------------------------------------------------------- */

static int compare_texts(tpad_string a, tpad_string b)
{
    if (a.length != b.length) return a.length < b.length ? -1 : 1;
    return a.length ? memcmp(a.text, b.text, (size_t)a.length) : 0;
}

/* The names by which nodes call a function. */
typedef struct tpad_function_name {
    tpad_string label, domain, overload;
    tpad_graph *function;
} tpad_function_name;

static int compare_names(const void *a, const void *b)
{
    const tpad_function_name *left = a, *right = b;
    int order = compare_texts(left->label, right->label);
    if (!order) order = compare_texts(left->domain, right->domain);
    return order ? order : compare_texts(left->overload, right->overload);
}

/* Sorts the names, so that each node finds its function quickly. */
int32_t tpad_fold_functions(tpad_model *model, tpad_io_error *error)
{
    int64_t count = 0;
    for (const tpad_graph *graph = model->functions; graph; graph = graph->next) count++;
    tpad_function_name *names = tpad_arena_take(&model->arena, count, sizeof *names);
    if (!names) return tpad_no_memory(model, error);
    for (tpad_graph *graph = model->functions; graph; graph = graph->next)
        names[model->folding->function_count++] =
            (tpad_function_name){graph->label, graph->domain, graph->overload, graph};
    qsort(names, (size_t)count, sizeof *names, compare_names);
    model->folding->function_names = names;
    for (int64_t i = 1; i < count; i++) {
        if (compare_names(&names[i - 1], &names[i])) continue;
        const int32_t status = tpad_graph_name(model, names[i].function, error);
        return status ? status
                      : tpad_io_fail(error, TPAD_E_FILE, "%s: two functions are called '%s'",
                                     model->path, names[i].function->path);
    }
    return TPAD_OK;
}

/* The function that a node calls, or NULL. */
static tpad_graph *find_function(const tpad_model *model, const tpad_node *node)
{
    const tpad_function_name wanted = {node->op_type, node->domain, node->overload, NULL};
    const struct tpad_folding *folding = model->folding;
    int64_t low = 0, high = folding->function_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (compare_names(&folding->function_names[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == folding->function_count) return NULL;
    const tpad_function_name *candidate = &folding->function_names[low];
    return compare_names(candidate, &wanted) || candidate->function->is_hidden
               ? NULL
               : candidate->function;
}

/* The data of a graph, or NULL if there is no room. */
static tpad_folded_graph *kept_of(tpad_model *model, tpad_graph *graph)
{
    tpad_arena *facts = &model->folding->facts;
    const int64_t inputs = graph->is_function ? graph->input_count : 0;
    if (graph->folded) return graph->folded;
    tpad_folded_graph *kept = tpad_arena_take(facts, 1, sizeof *kept);
    tpad_inferred *given = tpad_arena_take(facts, inputs, sizeof *given);
    if (!kept || !given) return NULL;
    for (int64_t i = 0; i < inputs; i++) given[i] = tpad_inferred_none(0);
    kept->given = given;
    graph->caller = &kept->call;
    return graph->folded = kept;
}

/* Resets the values of a function and its subgraphs to the file's. 0 if there is no room. */
static int32_t reset(tpad_model *model, tpad_graph *graph)
{
    const size_t bytes = (size_t)graph->value_count * sizeof *graph->values;
    tpad_folded_graph *kept = kept_of(model, graph);
    if (!kept) return 0;
    if (!kept->declared) {
        tpad_value *declared =
            tpad_arena_take(&model->folding->facts, graph->value_count, sizeof *declared);
        if (!declared) return 0;
        memcpy(declared, graph->values, bytes);
        kept->declared = declared;
    }
    memcpy(graph->values, kept->declared, bytes);
    model->folding->steps -= graph->value_count / VALUES_A_STEP;
    for (int64_t i = 0; i < graph->node_count; i++)
        for (tpad_graph *child = graph->nodes[i].subgraphs; child; child = child->next)
            if (!reset(model, child)) return 0;
    return 1;
}

static void give_inputs(tpad_model *model, tpad_graph *function, const tpad_inferred *given)
{
    for (int64_t i = 0; i < function->input_count; i++)
        tpad_fold_set(model, function->inputs[i].value, &given[i]);
}

static int32_t fold_graph(tpad_model *model, tpad_graph *graph)
{
    for (int64_t i = 0; i < graph->node_count; i++) {
        const tpad_node *node = &graph->nodes[i];
        for (tpad_graph *child = node->subgraphs; child; child = child->next)
            if (!fold_graph(model, child)) return 0;
        if (!tpad_fold_node(model, graph, node)) return 0;
    }
    return 1;
}

/* Joins the call's arguments with those of the calls before. */
static void count_call(tpad_folded_graph *calls, const tpad_inferred *given, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        calls->given[i] = calls->count ? tpad_inferred_join(&calls->given[i], &given[i]) : given[i];
    calls->count++;
}

/* Computes the body for one call, and the outputs of the calling node. */
static void call(tpad_model *model, tpad_graph *graph, const tpad_node *node, tpad_graph *function)
{
    const tpad_format *format = model->format;
    struct tpad_folding *folding = model->folding;
    tpad_folded_graph *calls = kept_of(model, function);
    if (!calls || calls->running || calls->done || folding->depth == MOST_CALLS_DEEP) return;
    tpad_inferred *given = tpad_arena_take(&folding->facts, function->input_count, sizeof *given);
    if (!given || !reset(model, function)) return;
    for (int64_t i = 0; i < function->input_count; i++) {
        tpad_value *value = format->node_input(graph, node, i);
        given[i] = value ? tpad_fold_of(model, value) : tpad_inferred_none(0);
    }
    give_inputs(model, function, given);
    const tpad_folded_graph before = *calls;
    if (!folding->final) count_call(calls, given, function->input_count);
    calls->call = (tpad_call){graph, node};
    calls->running = 1;
    folding->depth++;
    fold_graph(model, function);
    folding->depth--;
    calls->running = 0;
    if (folding->final) *calls = before;
    if (!calls->order) calls->order = ++folding->order;
    for (int64_t i = 0; i < function->output_count; i++) {
        tpad_value *from = function->outputs[i].value, *to = format->node_output(graph, node, i);
        if (!from || !to) continue;
        const tpad_inferred fact = tpad_fold_of(model, from);
        tpad_fold_set(model, to, &fact);
    }
}

int32_t tpad_fold_order(const tpad_graph *function)
{
    return function->folded ? function->folded->order : INT32_MAX;
}

/* Gives a function's inputs the facts that all its calls share. If it has one call, its attributes
 * get their values from that call. Calls that come later change nothing. */
static void tpad_fold_function(tpad_model *model, tpad_graph *function)
{
    tpad_folded_graph *calls = kept_of(model, function);
    if (!calls || !reset(model, function)) return;
    if (calls->count) give_inputs(model, function, calls->given);
    if (calls->count != 1) calls->call.node = NULL;
    calls->done = 1;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

typedef const tpad_operator *table(const tpad_graph *graph, const tpad_node *node);

static table *const tables[] = {
#ifdef TPAD_WITH_NANOPB
    [FORMAT_ONNX] = tpad_onnx_operator,
#endif
#ifdef TPAD_WITH_EXPAT
    [FORMAT_IR] = tpad_ir_operator,
#endif
    [FORMATS] = NULL, /* C has no empty array, and a build may read no format */
};

int32_t tpad_fold_node(tpad_model *model, tpad_graph *graph, const tpad_node *node)
{
    const tpad_operator *line = tables[model->format->kind](graph, node);
    tpad_graph *function = find_function(model, node);
    if (model->folding->facts.refused || model->folding->steps <= 0) return 0;
    model->folding->steps--;
    if (function) {
        call(model, graph, node, function);
    } else if (line) {
        tpad_fold fold;
        fold.model = model;
        fold.graph = graph;
        fold.node = fold.from = node;
        fold.from_graph = graph;
        fold.opset = graph->opset;
        fold.unsure = 0;
        line->apply(&fold, line->argument);
    }
    return 1;
}

/* Loads a model with its facts: describes Pad nodes and computes the other nodes in the file's
 * order, functions after their callers. */

/* Sets a Pad's output elements, by padding the numbers of the cells. */
static void pad_elements(tpad_model *model, const tpad_graph_pad *pad)
{
    int64_t cells[FOLD_ELEMENTS], moved[FOLD_ELEMENTS];
    tpad_element elements[FOLD_ELEMENTS];
    tpad_axis axes[TPAD_MAX_RANK];
    const int64_t filled = -1;
    const tpad_rules_facts *facts = pad->facts;
    tpad_value *value = pad->inputs[model->format->value_input];
    const tpad_inferred in =
        pad->inputs[IN_DATA] ? tpad_fold_of(model, pad->inputs[IN_DATA]) : tpad_inferred_none(0);
    if (!in.elements || !pad->output || facts->document != TPAD_RULES_ANSWERS || pad->value) return;
    for (int32_t i = 0; i < in.rank; i++) {
        const tpad_rules_axis *axis = &facts->axis[i];
        if (!axis->amounts_known || axis->begin < 0 || axis->end < 0) return;
        axes[i] = (tpad_axis){axis->extent, axis->begin, axis->end, .mode = facts->mode};
    }
    tpad_inferred out = tpad_fold_of(model, pad->output);
    const int64_t count = tpad_inferred_count(&out);
    if (out.rank != in.rank || count < 0 || count > FOLD_ELEMENTS || model->folding->steps < count)
        return;
    model->folding->steps -= count;
    const tpad_problem problem = {sizeof problem, sizeof *axes, axes, in.rank, .elem_bits = 64};
    for (int64_t i = 0; i < in.element_count; i++) cells[i] = i;
    if (tpad_pad(&problem, cells, moved, &filled, NULL)) return;
    const tpad_inferred fill = value ? tpad_fold_of(model, value) : tpad_inferred_none(0);
    const tpad_element zero = {.known = !pad->present[model->format->value_input]};
    for (int64_t i = 0; i < count; i++)
        elements[i] = moved[i] >= 0        ? tpad_inferred_at(&in, moved[i])
                      : fill.element_count ? tpad_inferred_at(&fill, 0)
                                           : zero;
    tpad_inferred_put(&out, elements, count);
    tpad_fold_set(model, pad->output, &out);
}

/* Folds the inputs into tensors, then describes the Pad by them. */
static int32_t describe_pad(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error)
{
    int32_t failed = 0;
    const int32_t status = tpad_pad_read(model, pad, error);
    if (status) return status;
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++)
        if (pad->present[i] && pad->inputs[i] && !pad->inputs[i]->is_constant)
            tpad_fold_tensor(model, pad->inputs[i], &failed);
    if (failed) return tpad_no_memory(model, error);
    const int32_t described = tpad_pad_describe(model, pad, error);
    if (!described) pad_elements(model, pad);
    return described;
}

/* index: of the next node of model->pads. */
static int32_t walk_graph(tpad_model *model, tpad_graph *graph, int64_t *index,
                          tpad_io_error *error)
{
    for (int64_t i = 0; i < graph->node_count; i++) {
        const tpad_node *node = &graph->nodes[i];
        int32_t status = TPAD_OK;
        if (node->kind == NODE_PAD) status = describe_pad(model, &model->pads[(*index)++], error);
        for (tpad_graph *child = node->subgraphs; child && !status; child = child->next)
            status = walk_graph(model, child, index, error);
        if (status) return status;
        if (node->kind != NODE_PAD) tpad_fold_node(model, graph, node);
    }
    return TPAD_OK;
}

/* ---- Functions ------------------------------------------------------------------------------- */

static int64_t count_pads(const tpad_graph *graph)
{
    int64_t count = 0;
    for (int64_t i = 0; i < graph->node_count; i++) {
        count += graph->nodes[i].kind == NODE_PAD;
        for (tpad_graph *child = graph->nodes[i].subgraphs; child; child = child->next)
            count += count_pads(child);
    }
    return count;
}

/* A function, and the index of its first Pad node: Pad nodes are listed in the file's order. */
typedef struct place {
    tpad_graph *function;
    int64_t first;
} place;

static int compare_places(const void *a, const void *b)
{
    const place *left = a, *right = b;
    const int32_t x = tpad_fold_order(left->function), y = tpad_fold_order(right->function);
    return x == y ? (left->first > right->first) - (left->first < right->first) : x < y ? 1 : -1;
}

static int32_t walk_functions(tpad_model *model, int64_t index, tpad_io_error *error)
{
    int64_t count = 0;
    for (tpad_graph *graph = model->functions; graph; graph = graph->next) count++;
    place *places = tpad_arena_take(&model->arena, count, sizeof *places);
    if (!places) return tpad_no_memory(model, error);
    count = 0;
    for (tpad_graph *graph = model->functions; graph; graph = graph->next) {
        places[count++] = (place){graph, index};
        index += count_pads(graph);
    }
    qsort(places, (size_t)count, sizeof *places, compare_places);
    int32_t status = TPAD_OK;
    for (int64_t i = 0; i < count && !status; i++) {
        tpad_fold_function(model, places[i].function);
        status = walk_graph(model, places[i].function, &places[i].first, error);
    }
    return status;
}

/* ---- Interface ------------------------------------------------------------------------------- */

/* Gives input dimensions with the same name the same size. It is at least 1, as `check` assumes. */
static void name_sizes(tpad_model *model)
{
    for (int64_t i = 0; i < model->top->input_count; i++) {
        tpad_value *value = model->top->inputs[i].value;
        int64_t *shape = tpad_arena_take(&model->folding->facts, value->rank, sizeof *shape);
        if (value->is_constant || value->rank < 1 || !shape) continue;
        for (int32_t axis = 0; axis < value->rank; axis++) {
            const int64_t least = tpad_extent_least(value->shape[axis]);
            const tpad_string name =
                value->axis_names ? value->axis_names[axis] : (tpad_string){"", 0};
            shape[axis] = value->shape[axis];
            if (shape[axis] < 0)
                shape[axis] = tpad_extent_sized(
                    least, tpad_size_named(model->folding->sizes, name, least > 1 ? least : 1));
        }
        value->shape = shape;
    }
}

static int32_t describe(tpad_model *model, tpad_io_error *error)
{
    int64_t index = 0;
    int32_t status = tpad_folding_make(model, error);
    if (status) return status;
    model->bound_amounts = tpad_bound_amounts;
    name_sizes(model);
    status = tpad_fold_functions(model, error);
    if (!status) status = walk_graph(model, model->top, &index, error);
    if (status) return status;
    model->folding->final = 1;
    status = walk_functions(model, index, error);
    return !status && model->folding->facts.failed ? tpad_no_memory(model, error) : status;
}

int32_t tpad_model_load_from(tpad_model **model, const tpad_model_source *source,
                             const tpad_input_shape *shapes, int32_t count, tpad_io_error *error)
{
    return tpad_model_make(model, source, shapes, count, describe, error);
}

int32_t tpad_model_needs(const tpad_model *model, const tpad_graph_pad *pad, int32_t axis,
                         int64_t least, tpad_string *name, int64_t *needed)
{
    const tpad_value *data = pad->inputs[IN_DATA];
    return data && axis < data->rank &&
           tpad_size_needs(model->folding->sizes, tpad_extent_size(data->shape[axis]), least, name,
                           needed);
}

int32_t tpad_model_load_shaped(tpad_model **model, const char *path, const tpad_input_shape *shapes,
                               int32_t count, tpad_io_error *error)
{
    const tpad_model_source source = {.path = path};
    return tpad_model_load_from(model, &source, shapes, count, error);
}
