/* Pad nodes by their names.  SPDX-License-Identifier: MIT
 *
 * A node is called by its own name or by that of its output, with the graph's path before it where
 * it is in a subgraph. */
#include "model.h"
#include <stdio.h>
#include <string.h>

enum { NAMES_BYTES = 400 }; /* of the nodes that an error lists */

tpad_string tpad_node_label(const tpad_node *node)
{
    return node->name.length ? node->name : node->output;
}

static int32_t is_path(const tpad_graph_pad *pad, const char *text, tpad_string label)
{
    const size_t graph = strlen(pad->info.graph), length = strlen(text);
    if (graph == 0) return tpad_string_is(label, text);
    return length > graph + 1 && !memcmp(text, pad->info.graph, graph) && text[graph] == '/' &&
           tpad_string_is(label, text + graph + 1);
}

/* How well a node fits the text: 3 by graph and name, 2 by name, 1 by its output, 0 not at all. */
static int32_t fit(const tpad_graph_pad *pad, const char *text)
{
    const tpad_string label = tpad_node_label(pad->node);
    if (is_path(pad, text, label)) return 3;
    if (tpad_string_is(label, text)) return 2;
    const tpad_string output = pad->node->output;
    return output.length > 0 && (tpad_string_is(output, text) || is_path(pad, text, output));
}

static const tpad_node *other_node(const tpad_graph *graph, const char *text)
{
    for (int64_t i = 0; i < graph->node_count; i++)
        if (tpad_string_is(graph->nodes[i].name, text)) return &graph->nodes[i];
    return NULL;
}

/* Writes the names that --node accepts, quoted, as many as fit, and how many more there are. */
static void list_nodes(char *text, size_t bytes, const tpad_model *model)
{
    const size_t room = bytes - sizeof " and 9223372036854775807 more";
    size_t used = 0;
    int64_t i = 0;
    for (; i < model->pad_count; i++) {
        const tpad_graph_pad *pad = &model->pads[i];
        const int length =
            snprintf(text + used, room - used, "%s'%s%s%.*s'", i ? ", " : "", pad->info.graph,
                     *pad->info.graph ? "/" : "", TPAD_SHOW(tpad_node_label(pad->node)));
        if (length < 0 || (size_t)length >= room - used) break;
        used += (size_t)length;
    }
    text[used] = '\0';
    if (i < model->pad_count)
        snprintf(text + used, bytes - used, "%s%lld more", i ? " and " : "",
                 (long long)(model->pad_count - i));
}

int32_t tpad_named_pad(const tpad_model *model, const char *text, const tpad_graph_pad **chosen,
                       tpad_io_error *error)
{
    int32_t best = 0;
    int64_t count = 0;
    for (int64_t i = 0; i < model->pad_count; i++) {
        const int32_t quality = fit(&model->pads[i], text);
        if (quality > best) {
            best = quality;
            count = 0;
            *chosen = &model->pads[i];
        }
        count += quality > 0 && quality == best;
    }
    if (count == 1) return TPAD_OK;
    if (count > 1)
        return tpad_io_fail(error, TPAD_E_MODEL,
                            "%s: %lld Pad nodes are called '%s': give GRAPH/NAME or the name of "
                            "the output",
                            model->path, (long long)count, text);
    const tpad_node *other = other_node(model->top, text);
    if (other)
        return tpad_io_fail(error, TPAD_E_MODEL, "%s: node '%s' is no Pad, but %.*s", model->path,
                            text, TPAD_SHOW(other->op_type));
    if (model->pad_count == 0)
        return tpad_io_fail(error, TPAD_E_MODEL,
                            "%s: no Pad node is called '%s': the model has none", model->path,
                            text);
    char names[NAMES_BYTES];
    list_nodes(names, sizeof names, model);
    return tpad_io_fail(error, TPAD_E_MODEL, "%s: no Pad node is called '%s'; there are %s",
                        model->path, text, names);
}

static int32_t only_pad(const tpad_model *model, const tpad_graph_pad **only, tpad_io_error *error)
{
    char names[NAMES_BYTES];
    *only = model->pads;
    if (model->pad_count == 1) return TPAD_OK;
    if (model->pad_count == 0)
        return tpad_io_fail(error, TPAD_E_MODEL, "%s: the model has no Pad node", model->path);
    list_nodes(names, sizeof names, model);
    return tpad_io_fail(error, TPAD_E_MODEL, "%s: %lld Pad nodes: --node says which of %s",
                        model->path, (long long)model->pad_count, names);
}

int32_t tpad_model_find_pad(const tpad_model *model, const char *name, const tpad_pad_node **pad,
                            tpad_io_error *error)
{
    const tpad_graph_pad *found = NULL;
    const int32_t status =
        name ? tpad_named_pad(model, name, &found, error) : only_pad(model, &found, error);
    *pad = status ? NULL : &found->info;
    return status;
}
