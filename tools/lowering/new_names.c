/* Names for what a rewrite adds.  SPDX-License-Identifier: MIT */
#include "rewrite.h"
#include <stdio.h>
#include <string.h>

static const char word[] = "lowered";

/* The most "_" that follow the word at the beginning of a name; -1 if none begins with the word. */
static int64_t count_marks(int64_t most, tpad_string name)
{
    const int64_t length = (int64_t)sizeof word - 1;
    if (name.length < length || memcmp(name.text, word, (size_t)length) != 0) return most;
    int64_t marks = 0;
    while (length + marks < name.length && name.text[length + marks] == '_') marks++;
    return marks > most ? marks : most;
}

static int64_t most_marks(int64_t most, const tpad_graph *graph)
{
    for (int64_t i = 0; i < graph->value_count; i++)
        most = count_marks(most, graph->values[i].name);
    for (int64_t i = 0; i < graph->node_count; i++) {
        most = count_marks(most, graph->nodes[i].name);
        for (const tpad_graph *child = graph->nodes[i].subgraphs; child; child = child->next)
            most = most_marks(most, child);
    }
    return most;
}

int32_t tpad_lowering_prefix(tpad_lowering *lowering, tpad_io_error *error)
{
    const tpad_model *model = lowering->model;
    int64_t most = most_marks(-1, model->top);
    for (const tpad_graph *graph = model->functions; graph; graph = graph->next)
        most = most_marks(most, graph);
    const int64_t length = (int64_t)sizeof word - 1 + most + 1;
    char *prefix = tpad_arena_take(&lowering->arena, length + 1, 1);
    if (!prefix) return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", model->path);
    memset(prefix, '_', (size_t)length);
    memcpy(prefix, word, sizeof word - 1);
    lowering->prefix = prefix;
    return TPAD_OK;
}

void tpad_lowered_name(char *name, size_t bytes, const tpad_lowering *lowering, int64_t index,
                       int32_t number)
{
    snprintf(name, bytes, "%s%lld_%d", lowering->prefix, (long long)index, (int)number);
}
