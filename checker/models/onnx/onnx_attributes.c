/* Inputs, outputs and attributes of nodes.  SPDX-License-Identifier: MIT
 *
 * Nodes of a function may take attributes from the function's caller. */
#include "onnx.pb.h"
#include "onnx_file.h"
#include <string.h>

/* AttributeProto.type */
enum { KIND_OF_FLOAT = 1, KIND_OF_INT, KIND_OF_STRING, KIND_OF_FLOATS = 6, KIND_OF_INTS };

enum { MOST_CALLERS = 32 };

/* Sets the node that calls the function around `graph`, and its graph. 0: unknown. */
static int32_t go_to_caller(const tpad_graph **graph, const tpad_node **node)
{
    const tpad_graph *function = *graph;
    while (function->parent) function = function->parent;
    if (!function->caller || !function->caller->node) return 0;
    *graph = function->caller->graph;
    *node = function->caller->node;
    return 1;
}

int32_t tpad_onnx_attribute_find(tpad_string *body, const tpad_graph *graph, const tpad_node *node,
                                 tpad_string name)
{
    for (int32_t depth = 0;; depth++) {
        const tpad_strings *all = &tpad_message_of(node)->attributes;
        tpad_pb_Attribute attribute = {0};
        int64_t i = 0;
        for (; i < all->count; i++) {
            attribute = (tpad_pb_Attribute){0};
            if (tpad_wire_decode(tpad_pb_Attribute_fields, &attribute, all->items[i])) return -1;
            if (attribute.name.length == name.length &&
                (name.length == 0 ||
                 memcmp(attribute.name.text, name.text, (size_t)name.length) == 0))
                break;
        }
        /* The function may have a default for an attribute that its caller leaves out. */
        if (i == all->count) return depth == 0 ? 0 : -1;
        *body = all->items[i];
        if (attribute.ref_attr_name.length == 0) return 1;
        name = attribute.ref_attr_name;
        if (depth == MOST_CALLERS || !go_to_caller(&graph, &node)) return -1;
    }
}

int32_t tpad_onnx_attribute(tpad_attribute *out, const tpad_graph *graph, const tpad_node *node,
                            const char *name)
{
    static const int32_t kinds[] = {[WANT_INT] = KIND_OF_INT,
                                    [WANT_INTS] = KIND_OF_INTS,
                                    [WANT_REAL] = KIND_OF_FLOAT,
                                    [WANT_REALS] = KIND_OF_FLOATS,
                                    [WANT_WORD] = KIND_OF_STRING};
    tpad_string body;
    float reals[WANT_ENTRIES];
    const int32_t found =
        tpad_onnx_attribute_find(&body, graph, node, (tpad_string){name, (int64_t)strlen(name)});
    if (found <= 0) return found;
    tpad_pb_Attribute attribute = {
        .ints = {.items = out->ints, .room = WANT_ENTRIES, .item_bytes = sizeof *out->ints},
        .floats = {.items = reals, .room = WANT_ENTRIES, .item_bytes = sizeof *reals}};
    if (tpad_wire_decode(tpad_pb_Attribute_fields, &attribute, body)) return -1;
    if (attribute.type && attribute.type != kinds[out->want]) return -1;
    if (attribute.ints.count > WANT_ENTRIES || attribute.floats.count > WANT_ENTRIES) return -1;
    out->count = (int32_t)(out->want == WANT_INTS ? attribute.ints.count : attribute.floats.count);
    for (int32_t i = 0; out->want == WANT_REALS && i < out->count; i++)
        out->reals[i] = (double)reals[i];
    if (out->want == WANT_INT) out->ints[0] = attribute.i;
    if (out->want == WANT_REAL) out->reals[0] = (double)attribute.f;
    out->word = attribute.s;
    return 1;
}

int64_t tpad_onnx_input_count(const tpad_node *node)
{
    return tpad_message_of(node)->inputs.count;
}

tpad_value *tpad_onnx_node_input(const tpad_graph *graph, const tpad_node *node, int64_t index)
{
    const tpad_strings *names = &tpad_message_of(node)->inputs;
    if (index >= names->count || names->items[index].length == 0) return NULL;
    return tpad_graph_find(graph, names->items[index]);
}

tpad_value *tpad_onnx_node_output(const tpad_graph *graph, const tpad_node *node, int64_t index)
{
    const tpad_strings *names = &tpad_message_of(node)->outputs;
    if (index >= names->count || names->items[index].length == 0) return NULL;
    return tpad_graph_find(graph, names->items[index]);
}
