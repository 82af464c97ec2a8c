/* Loading a model with what follows.  SPDX-License-Identifier: MIT
 *
 * Owns the order in which Pad nodes are described and the other nodes worked out: as they stand in
 * the file, and functions after their callers. Knows no operator. */
#include "fold.h"
#include <stdlib.h>

/* What is known of the inputs has to be worked out first. */
static int32_t describe_pad(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error)
{
    int32_t failed = 0;
    const int32_t status = tpad_pad_read(model, pad, error);
    if (status) return status;
    for (int32_t i = IN_DATA + 1; i < IN_COUNT; i++)
        if (pad->present[i] && pad->inputs[i] && !pad->inputs[i]->is_constant)
            tpad_fold_tensor(model, pad->inputs[i], &failed);
    return failed ? tpad_no_memory(model, error) : tpad_pad_describe(model, pad, error);
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

static int32_t describe(tpad_model *model, tpad_io_error *error)
{
    int64_t index = 0;
    int32_t status = tpad_folding_make(model, error);
    if (!status) status = tpad_fold_functions(model, error);
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

int32_t tpad_model_load_shaped(tpad_model **model, const char *path, const tpad_input_shape *shapes,
                               int32_t count, tpad_io_error *error)
{
    const tpad_model_source source = {.path = path};
    return tpad_model_load_from(model, &source, shapes, count, error);
}
