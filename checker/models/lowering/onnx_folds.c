/* Folds Pads into the nodes after them.  SPDX-License-Identifier: MIT
 *
 * Pads are decided from the last to the first, so a Pad's readers are decided before it. A Pad that
 * adds nothing is removed. A Pad before a Conv or a pool becomes pads of that node
 * (onnx_windows.c), and a Pad before another Pad is joined with it. The end of this file writes the
 * result. */
#include <stdlib.h>
#include <string.h>

#include "models/onnx/onnx_file.h"
#include "models/onnx/proto.h"
#include "onnx_writing.h"
#include "protobuf/onnx_fields.h"

/* ---- Readers --------------------------------------------------------------------------------- */

/* The Pad that a node is, found by its output; NULL: another operator. */
static tpad_graph_pad *pad_of(const tpad_graph *graph, const tpad_node *node)
{
    const tpad_value *output =
        node->kind == NODE_PAD ? tpad_onnx_node_output(graph, node, 0) : NULL;
    return output ? output->pad : NULL;
}

/* Follows the output past Pads that are already folded. Returns why the cells cannot move on, or
 * NULL. */
static const char *find_reader(tpad_folded_reader *reader, const tpad_lowering *lowering,
                               const tpad_graph_pad *pad)
{
    const tpad_folded *fold = NULL;
    for (;;) {
        if (pad->is_graph_output) return "an output of the graph is its output";
        if (pad->users == 0) return "nothing reads its output";
        if (pad->users > 1) return "several nodes read its output";
        if (pad->user_graph != pad->graph) return "a node of a subgraph reads its output";
        if (tpad_onnx_node_input(pad->graph, pad->user, 0) != pad->output)
            return "the node after it reads it as an input other than its data";
        *reader = (tpad_folded_reader){pad->user, pad->graph, pad_of(pad->graph, pad->user), NULL};
        if (reader->pad && reader->pad <= pad) return "its reader comes before it";
        if (!reader->pad || !tpad_is_folded(lowering, reader->pad)) break;
        pad = reader->pad;
        fold = &lowering->folds[pad - lowering->model->pads];
        if (fold->window) break;
    }
    if (fold) reader->window = fold->window;
    return NULL;
}

/* ---- A Pad of nothing ------------------------------------------------------------------------ */

/* Why some reader, in this graph or a subgraph, cannot read a Pad's data in place of its output, or
 * NULL. A reader of a later Pad that adds nothing counts as a reader too. */
static const char *why_not_data(const tpad_lowering *lowering, const tpad_graph_pad *pad,
                                const tpad_graph *graph)
{
    const tpad_value *data = pad->inputs[IN_DATA];
    const char *why = NULL;
    for (int64_t i = 0; i < graph->node_count && !why; i++) {
        const tpad_node *node = &graph->nodes[i];
        for (int64_t k = 0; k < tpad_onnx_input_count(node); k++) {
            const tpad_value *read = tpad_onnx_node_input(graph, node, k);
            if (tpad_folded_source(lowering, read) != pad->output) continue;
            const tpad_graph_pad *next = pad_of(graph, node);
            if (tpad_graph_find(graph, data->name) != data)
                why = "a subgraph has another value with the name of its data";
            if (k == IN_DATA && next && !tpad_is_folded(lowering, next))
                why = "it adds nothing, but a Pad among several nodes reads its output";
        }
        for (const tpad_graph *inner = node->subgraphs; inner && !why; inner = inner->next)
            why = why_not_data(lowering, pad, inner);
    }
    return why;
}

static const char *fold_into_nothing(tpad_lowering *lowering, int64_t index)
{
    const tpad_graph_pad *pad = &lowering->model->pads[index];
    if (pad->is_graph_output) return "it adds nothing, but an output of the graph is its output";
    if (!pad->users) return "nothing reads its output";
    const char *why = why_not_data(lowering, pad, pad->graph);
    if (why) return why;
    lowering->nodes[index].outcome = TPAD_LOWER_FOLDED;
    lowering->nodes[index].into = "";
    return NULL;
}

/* ---- Copies ---------------------------------------------------------------------------------- */

/* A copy of the node and its facts; NULL: no memory. */
static tpad_graph_pad *copied(tpad_lowering *lowering, const tpad_graph_pad *pad)
{
    tpad_graph_pad *copy = tpad_arena_take(&lowering->arena, 1, sizeof *copy);
    tpad_rules_facts *facts = tpad_arena_take(&lowering->arena, 1, sizeof *facts);
    if (!copy || !facts) return NULL;
    *copy = *pad;
    *facts = *pad->facts;
    copy->facts = facts;
    return copy;
}

/* ---- Two Pads -------------------------------------------------------------------------------- */

static int32_t share_an_axis(const tpad_rules_facts *first, const tpad_rules_facts *second)
{
    for (int32_t i = 0; i < first->rank; i++)
        if ((first->axis[i].begin || first->axis[i].end) &&
            (second->axis[i].begin || second->axis[i].end))
            return 1;
    return 0;
}

static int32_t have_one_value(tpad_lowering *lowering, const tpad_graph_pad *pad,
                              const tpad_graph_pad *next)
{
    const int64_t bytes = tpad_element_bytes(pad->facts->type);
    if (pad->inputs[IN_VALUE] && pad->inputs[IN_VALUE] == next->inputs[IN_VALUE]) return 1;
    const void *first = tpad_folded_value(lowering, pad);
    const void *second = tpad_folded_value(lowering, next);
    return first && second && memcmp(first, second, (size_t)bytes) == 0;
}

/* Why two consecutive Pads cannot become one, or NULL. */
static const char *why_not_one(tpad_lowering *lowering, const tpad_graph_pad *pad,
                               const tpad_graph_pad *next)
{
    const tpad_rules_facts *first = pad->facts, *second = next->facts;
    if (second->document > TPAD_RULES_ANSWERS || !tpad_amounts_are_known(second) ||
        first->rank != second->rank || first->type != second->type)
        return "not everything is known of the Pad after it";
    if (tpad_amounts_are_open(lowering, second))
        return "the amounts of the Pad after it are an input";
    if (tpad_adds_nothing(first)) return NULL;
    if (first->mode != second->mode) return "the Pad after it has another mode";
    if (tpad_is_out_of_range(second))
        return "the Pad after it has amounts below 0 or above 2147483647";
    if (first->mode == TPAD_RULES_CONSTANT && !have_one_value(lowering, pad, next))
        return "the Pad after it has another value, or one of the two values is not known";
    if (first->mode != TPAD_RULES_CONSTANT && first->mode != TPAD_RULES_EDGE &&
        share_an_axis(first, second))
        return "the Pad after it repeats other cells of the same axis";
    return NULL;
}

/* Describes the reader of a copied node. */
static void describe_behind(const tpad_lowering *lowering, tpad_graph_pad *copy,
                            const tpad_folded_reader *reader)
{
    copy->user = reader->window ? reader->window->node : reader->node;
    copy->output = tpad_onnx_node_input(reader->graph, copy->user, 0);
    tpad_look_around(lowering->model, copy);
    if (reader->window) tpad_folded_describe_window(copy->facts, reader->window);
}

/* Both Pads as one node in the place of the second, whose index is given; NULL: no memory. */
static tpad_graph_pad *joined(tpad_lowering *lowering, const tpad_graph_pad *pad, int64_t second)
{
    const tpad_graph_pad *next = lowering->rewrites[second].pad;
    tpad_folded_reader reader;
    tpad_graph_pad *both = copied(lowering, next);
    if (!both) return NULL;
    tpad_rules_facts *facts = both->facts;
    for (int32_t i = 0; i < facts->rank; i++) {
        facts->axis[i] = pad->facts->axis[i];
        facts->axis[i].begin += next->facts->axis[i].begin;
        facts->axis[i].end += next->facts->axis[i].end;
    }
    if (!find_reader(&reader, lowering, &lowering->model->pads[second]))
        describe_behind(lowering, both, &reader);
    facts->rank_open = pad->facts->rank_open;
    facts->data_constant = pad->facts->data_constant;
    facts->data_known = pad->facts->data_known;
    facts->data_bits = pad->facts->data_bits;
    facts->before = pad->facts->before;
    return both;
}

/* 1 if the lowering writes this node as one Pad. */
static int32_t is_one_pad(const tpad_lowering *lowering, int64_t index)
{
    const tpad_rewrite *rewrite = &lowering->rewrites[index];
    return lowering->nodes[index].outcome == TPAD_LOWER_REWRITTEN && rewrite->step_count == 1 &&
           rewrite->steps[0].op == STEP_PAD;
}

/* Joins a Pad with the next one, or sets *why. Errors: E_MEMORY. */
static int32_t fold_into_pad(tpad_lowering *lowering, int64_t index, const tpad_graph_pad *next,
                             const char **why, tpad_io_error *error)
{
    const tpad_graph_pad *pad = lowering->rewrites[index].pad;
    const int64_t second = next - lowering->model->pads;
    tpad_lowered_node *node = &lowering->nodes[second];
    const tpad_lowered_node was = *node;
    const tpad_rewrite rewrite = lowering->rewrites[second];
    *why = why_not_one(lowering, pad, rewrite.pad);
    if (*why) return TPAD_OK;
    const tpad_graph_pad *both = joined(lowering, pad, second);
    if (!both) return tpad_no_memory(lowering->model, error);
    lowering->rewrites[second] = (tpad_rewrite){.pad = both};
    const int32_t status = tpad_recipe_choose(lowering, second, error);
    if (status) return status;
    if (!is_one_pad(lowering, second)) {
        *node = was;
        lowering->rewrites[second] = rewrite;
        *why = "a target is not known to run one Pad in place of the two correctly";
        return TPAD_OK;
    }
    lowering->nodes[index].outcome = TPAD_LOWER_FOLDED;
    return tpad_folded_set_name(lowering, index, rewrite.pad->node, error);
}

/* ---- A Pad that stays ------------------------------------------------------------------------ */

/* 1 if the Pad's only reader is a folded Pad. */
static int32_t has_lost_reader(const tpad_lowering *lowering, const tpad_graph_pad *pad)
{
    const tpad_graph_pad *next = pad->users == 1 ? pad_of(pad->user_graph, pad->user) : NULL;
    return next && tpad_is_folded(lowering, next);
}

/* Describes the new readers: what a runtime does with the node may depend on them. reader: NULL if
 * there are several. */
static int32_t look_again(tpad_lowering *lowering, int64_t index, const tpad_folded_reader *reader,
                          tpad_io_error *error)
{
    tpad_graph_pad *copy = copied(lowering, lowering->rewrites[index].pad);
    if (!copy) return tpad_no_memory(lowering->model, error);
    if (reader) {
        describe_behind(lowering, copy, reader);
    } else {
        tpad_rules_facts_apart(copy->facts, TPAD_RULES_OTHER_OPERATOR);
        copy->facts->perm_count = 0;
    }
    lowering->rewrites[index].pad = copy;
    return TPAD_OK;
}

/* ---- Interface ------------------------------------------------------------------------------- */

/* Why the node cannot be folded, whatever reads it; or NULL. */
static const char *why_never(const tpad_lowering *lowering, const tpad_graph_pad *pad)
{
    const tpad_value *data = pad->inputs[IN_DATA];
    if (pad->facts->document > TPAD_RULES_ANSWERS)
        return "the specification does not allow the node";
    if (!data || !pad->output) return "it is not known where its data comes from";
    if (data->pad && data->pad >= pad) return "its data is made after it";
    if (pad->facts->rank < 0) return "the rank of its data is not known";
    if (!tpad_amounts_are_known(pad->facts))
        return "its amounts are known only when the model runs";
    if (tpad_amounts_are_open(lowering, pad->facts))
        return "its amounts are an input, so others may be given";
    return tpad_is_out_of_range(pad->facts) ? "it has amounts below 0 or above 2147483647" : NULL;
}

int32_t tpad_folded_decide(tpad_lowering *lowering, int64_t index, tpad_io_error *error)
{
    const tpad_graph_pad *pad = &lowering->model->pads[index];
    const char **why = &lowering->nodes[index].not_folded;
    tpad_folded_reader reader = {0};
    int32_t status = TPAD_OK;
    const char *no_reader = find_reader(&reader, lowering, pad);
    *why = why_never(lowering, pad);
    if (*why)
        ;
    else if (tpad_adds_nothing(pad->facts) && (no_reader || !reader.pad || reader.window))
        *why = fold_into_nothing(lowering, index);
    else if (no_reader)
        *why = no_reader;
    else if (reader.pad && !reader.window)
        status = fold_into_pad(lowering, index, reader.pad, why, error);
    else
        status = tpad_folded_into_window(lowering, index, &reader, why, error);
    if (!status && *why && has_lost_reader(lowering, pad))
        status = look_again(lowering, index, no_reader ? NULL : &reader, error);
    if (!status && lowering->lacks_memory) status = tpad_no_memory(lowering->model, error);
    return status;
}

/* Writes an ONNX file with folded Pads: their readers get other inputs and other pads. */

/* The edits, as they are made. */
typedef struct fold_edits {
    const tpad_lowering *lowering;
    tpad_edit *edits;
    message *fields; /* the contents of the readers' edits */
    int64_t edit_count, field_count;
} fold_edits;

/* 1 for the attributes that are replaced in a node with other pads. */
static int32_t is_replaced(tpad_string attribute)
{
    static const char *const names[] = {"pads", "auto_pad", "count_include_pad"};
    int32_t is_one = 0;
    for (tpad_field field; tpad_wire_next(&field, &attribute);)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            is_one |= field.number == ATTRIBUTE_NAME && tpad_string_is(field.payload, names[i]);
    return is_one;
}

static void put_attributes(fold_edits *e, message *out, const tpad_folded_window *window)
{
    const tpad_strings *old = &tpad_message_of(window->node)->attributes;
    for (int64_t i = 0; i < old->count; i++)
        if (is_replaced(old->items[i]))
            e->edits[e->edit_count++] = (tpad_edit){.old = old->items[i]};
    tpad_put_integers(out, "pads", window->pads, window->pads + window->axes, window->axes);
    if (window->op == TPAD_RULES_WINDOW_AVERAGE_POOL) tpad_put_integer(out, "count_include_pad", 1);
}

/* The window that took over a Pad before the value, skipping Pads that added nothing; or NULL. */
static const tpad_folded_window *window_of(const tpad_lowering *lowering, const tpad_value *value)
{
    const tpad_folded_window *window = NULL;
    while (!window && value->pad && tpad_is_folded(lowering, value->pad)) {
        window = lowering->folds[value->pad - lowering->model->pads].window;
        value = value->pad->inputs[IN_DATA];
    }
    return window;
}

/* Replaces an input. value: the input with that index, which a folded Pad made. */
static void put_input(fold_edits *e, const tpad_node *node, int64_t index, const tpad_value *value)
{
    const tpad_folded_window *window = window_of(e->lowering, value);
    const tpad_string name = tpad_folded_source(e->lowering, value)->name;
    message *out = &e->fields[e->field_count++];
    tpad_edit *edit = &e->edits[e->edit_count++];
    edit->old = tpad_message_of(node)->inputs.items[index];
    message_bytes(out, NODE_INPUT, name.text, (size_t)name.length);
    if (window) put_attributes(e, out, window);
    edit->fields = (tpad_string){(const char *)out->bytes, (int64_t)out->used};
}

static void put_readers(fold_edits *e, const tpad_graph *graph)
{
    for (int64_t i = 0; i < graph->node_count; i++) {
        const tpad_node *node = &graph->nodes[i];
        const tpad_value *output = tpad_onnx_node_output(graph, node, 0);
        const int32_t is_folded = output && output->pad && tpad_is_folded(e->lowering, output->pad);
        for (int64_t k = 0; k < tpad_onnx_input_count(node) && !is_folded; k++) {
            const tpad_value *value = tpad_onnx_node_input(graph, node, k);
            if (value && value->pad && tpad_is_folded(e->lowering, value->pad))
                put_input(e, node, k, value);
        }
        for (const tpad_graph *inner = node->subgraphs; inner; inner = inner->next)
            put_readers(e, inner);
    }
}

/* The most edits that are needed. */
static size_t count_edits(const tpad_lowering *lowering)
{
    size_t room = 0;
    for (int64_t i = 0; i < lowering->model->pad_count; i++) {
        const tpad_graph_pad *pad = &lowering->model->pads[i];
        if (!tpad_is_folded(lowering, pad)) continue;
        const tpad_folded_window *window = lowering->folds[i].window;
        room += 1 + (size_t)pad->users;
        if (window) room += (size_t)tpad_message_of(window->node)->attributes.count;
    }
    return room;
}

int32_t tpad_onnx_put_folds(tpad_edit **edits, message **fields, int64_t *count,
                            const tpad_lowering *lowering, tpad_io_error *error)
{
    const tpad_model *model = lowering->model;
    const size_t room = count_edits(lowering);
    int32_t failed = 0;
    if (room == 0) return TPAD_OK;
    tpad_edit *more = realloc(*edits, ((size_t)*count + room) * sizeof *more);
    if (more) *edits = more;
    *fields = calloc(room, sizeof **fields);
    if (!more || !*fields) return tpad_no_memory(model, error);
    fold_edits e = {lowering, more, *fields, *count, 0};
    for (int64_t i = 0; i < model->pad_count; i++)
        if (tpad_is_folded(lowering, &model->pads[i]))
            more[e.edit_count++] = (tpad_edit){.old = tpad_message_of(model->pads[i].node)->body};
    put_readers(&e, model->top);
    for (const tpad_graph *graph = model->functions; graph; graph = graph->next)
        put_readers(&e, graph);
    *count = e.edit_count;
    for (int64_t i = 0; i < e.field_count; i++) failed |= (*fields)[i].failed;
    return failed ? tpad_no_memory(model, error) : TPAD_OK;
}

/* Removes nodes that a lowered model no longer needs.
 *
 * A rewrite reads the Pad's data and perhaps its value, but never the inputs `pads` and `axes`; of
 * a folded Pad only the data is read. Nodes that computed the rest for this Pad alone would remain,
 * and some runtimes cannot load them. */

/* A graph, and for each of its values the number of readers that are gone. */
typedef struct reduced_graph {
    const tpad_graph *graph;
    int64_t *gone;
} reduced_graph;

static int64_t *gone_of(const reduced_graph *r, const tpad_value *value)
{
    const tpad_graph *g = r->graph;
    return value && value >= g->values && value < g->values + g->value_count
               ? &r->gone[value - g->values]
               : NULL;
}

static void stop_reading(const reduced_graph *r, const tpad_value *value)
{
    int64_t *gone = gone_of(r, value);
    if (gone) ++*gone;
}

/* 1 if the rewrite still reads that input of the Pad, other than the data. */
static int32_t reads_input(const tpad_rewrite *rewrite, int32_t input)
{
    int32_t reads = 0;
    for (int32_t i = 0; input == IN_VALUE && i < rewrite->operand_count; i++)
        reads |= rewrite->operands[i].kind == OPERAND_VALUE;
    for (int32_t i = 0; input != IN_VALUE && i < rewrite->step_count; i++)
        reads |= rewrite->steps[i].is_open;
    return reads;
}

/* 1 if rewrites removed the last readers of the node's outputs. */
static int32_t is_unused(const reduced_graph *r, const tpad_node *node)
{
    const int64_t outputs = tpad_message_of(node)->outputs.count;
    int32_t some = 0;
    if (node->kind == NODE_PAD || node->subgraphs) return 0;
    for (int64_t i = 0; i < outputs; i++) {
        const tpad_value *value = tpad_onnx_node_output(r->graph, node, i);
        const int64_t *gone = gone_of(r, value);
        if (!value) continue; /* it has no name */
        if (!gone || *gone < value->readers) return 0;
        some |= *gone > 0;
    }
    return some;
}

/* Adds an edit for each node of the graph that nothing needs after these rewrites. */
static void drop_unused(const reduced_graph *r, tpad_edit *edits, int64_t *count)
{
    for (int64_t i = r->graph->node_count - 1; i >= 0; i--) {
        const tpad_node *node = &r->graph->nodes[i];
        if (!is_unused(r, node)) continue;
        edits[(*count)++] = (tpad_edit){.old = tpad_message_of(node)->body};
        for (int64_t k = 0; k < tpad_onnx_input_count(node); k++)
            stop_reading(r, tpad_onnx_node_input(r->graph, node, k));
    }
}

static void stop_reading_arguments(const reduced_graph *r, const tpad_rewrite *rewrite)
{
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++)
        if (!reads_input(rewrite, i)) stop_reading(r, rewrite->pad->inputs[i]);
}

static int compare_graphs(const void *a, const void *b)
{
    const uintptr_t left = (uintptr_t)(*(const tpad_rewrite *const *)a)->pad->graph;
    const uintptr_t right = (uintptr_t)(*(const tpad_rewrite *const *)b)->pad->graph;
    return (left > right) - (left < right);
}

/* Makes room for an edit per node of the graphs, and drops their unused nodes. sorted: the
 * rewrites, grouped by graph. */
static int32_t drop_in_graphs(tpad_edit **edits, int64_t *count, const tpad_rewrite *const *sorted,
                              int64_t rewrites)
{
    for (int64_t i = 0; i < rewrites;) {
        const tpad_graph *graph = sorted[i]->pad->graph;
        const size_t room = (size_t)*count + (size_t)graph->node_count;
        tpad_edit *more = realloc(*edits, (room + 1) * sizeof *more);
        if (!more) return 0;
        *edits = more;
        const reduced_graph r = {graph, calloc((size_t)graph->value_count + 1, sizeof *r.gone)};
        if (!r.gone) return 0;
        for (; i < rewrites && sorted[i]->pad->graph == graph; i++)
            stop_reading_arguments(&r, sorted[i]);
        drop_unused(&r, *edits, count);
        free(r.gone);
    }
    return 1;
}

int32_t tpad_onnx_drop_unused(tpad_edit **edits, int64_t *count, const tpad_lowering *lowering,
                              tpad_io_error *error)
{
    const int64_t pads = lowering->model->pad_count;
    const tpad_rewrite **sorted = calloc((size_t)pads + 1, sizeof *sorted);
    int64_t rewrites = 0;
    int32_t has_memory = sorted != NULL;
    for (int64_t i = 0; sorted && i < pads; i++)
        if (lowering->rewrites[i].step_count || lowering->nodes[i].outcome == TPAD_LOWER_FOLDED)
            sorted[rewrites++] = &lowering->rewrites[i];
    if (rewrites) {
        qsort(sorted, (size_t)rewrites, sizeof *sorted, compare_graphs);
        has_memory = drop_in_graphs(edits, count, sorted, rewrites);
    }
    free(sorted);
    return has_memory ? TPAD_OK : tpad_no_memory(lowering->model, error);
}
