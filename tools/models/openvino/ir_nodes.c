/* Inputs, outputs and attributes of layers.  SPDX-License-Identifier: MIT */
#include "ir.h"

int64_t tpad_ir_input_count(const tpad_node *node)
{
    return ((const ir_layer *)node->payload)->in.count;
}

tpad_value *tpad_ir_node_input(const tpad_graph *graph, const tpad_node *node, int64_t index)
{
    const ir_port *port = ((const ir_layer *)node->payload)->in.first;
    (void)graph;
    while (port && port->position != index) port = port->next;
    return port && port->from ? port->from->value : NULL;
}

tpad_value *tpad_ir_node_output(const tpad_graph *graph, const tpad_node *node, int64_t index)
{
    const ir_port *port = ((const ir_layer *)node->payload)->out.first;
    (void)graph;
    while (port && port->position != index) port = port->next;
    return port ? port->value : NULL;
}

int32_t tpad_ir_node_attribute(tpad_attribute *out, const tpad_graph *graph, const tpad_node *node,
                               const char *name)
{
    const tpad_string text = tpad_ir_attribute_named(node->payload, name);
    (void)graph;
    if (!text.text) return 0;
    out->word = text;
    out->count = 1;
    switch (out->want) {
    case WANT_WORD:
        return 1;
    case WANT_INT:
        out->ints[0] = tpad_string_is(text, "true");
        if (out->ints[0] || tpad_string_is(text, "false")) return 1;
        return tpad_ir_integer(out->ints, text) ? 1 : -1;
    case WANT_INTS:
        return tpad_ir_integers(out->ints, WANT_ENTRIES, &out->count, text) ? 1 : -1;
    default:
        return -1;
    }
}
