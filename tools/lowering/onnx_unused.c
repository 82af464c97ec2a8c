/* Nodes of which a lowered model has no more need.  SPDX-License-Identifier: MIT
 *
 * A rewrite reads the Pad's data and perhaps its value, but never the inputs `pads` and `axes`; of a folded
 * Pad only the data is read. The nodes that computed those for this Pad alone would stay behind, and some runtimes cannot load
 * them. */
#include "models/onnx/onnx_file.h"
#include "onnx_nodes.h"
#include <stdlib.h>

/* One graph, and for each of its values how many of its readers are gone. */
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

static int32_t reads_value(const tpad_rewrite *rewrite)
{
    for (int32_t i = 0; i < rewrite->operand_count; i++)
        if (rewrite->operands[i].kind == OPERAND_VALUE) return 1;
    return 0;
}

/* 1 if rewrites have taken away the last reader of all that the node makes. */
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

/* Adds the nodes of the graph that nothing needs once these rewrites are made. */
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
    stop_reading(r, rewrite->pad->inputs[IN_PADS]);
    stop_reading(r, rewrite->pad->inputs[IN_AXES]);
    if (!reads_value(rewrite)) stop_reading(r, rewrite->pad->inputs[IN_VALUE]);
}

static int compare_graphs(const void *a, const void *b)
{
    const uintptr_t left = (uintptr_t)(*(const tpad_rewrite *const *)a)->pad->graph;
    const uintptr_t right = (uintptr_t)(*(const tpad_rewrite *const *)b)->pad->graph;
    return (left > right) - (left < right);
}

/* Makes room for one edit for each node of the graphs, and drops what is unused in them. sorted: the
 * rewrites, those of one graph together. */
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
