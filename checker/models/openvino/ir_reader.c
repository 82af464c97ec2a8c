/* Makes a model of an IR.  SPDX-License-Identifier: MIT
 *
 * Edges, the order of layers, names, and the inputs and outputs of graphs. Other files read the
 * constants and the Pad layers. */
#include "ir.h"
#include <stdlib.h>
#include <string.h>

enum { NEWEST_LEGACY = 7 };

static int32_t damaged(const tpad_model *model, tpad_io_error *error, const char *why, int64_t a,
                       int64_t b)
{
    return tpad_io_fail(error, TPAD_E_FILE, "%s: not a valid OpenVINO IR: %s (%lld, %lld)",
                        model->path, why, (long long)a, (long long)b);
}

/* ---- Edges ----------------------------------------------------------------------------------- */

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_layers(const void *a, const void *b)
{
    return compare((*(ir_layer *const *)a)->id, (*(ir_layer *const *)b)->id);
}

static int compare_ports(const void *a, const void *b)
{
    return compare((*(ir_port *const *)a)->id, (*(ir_port *const *)b)->id);
}

static int32_t sort_ports(tpad_model *model, ir_ports *ports, tpad_io_error *error)
{
    int32_t count = 0;
    ports->by_id = tpad_arena_take(&model->arena, ports->count, sizeof *ports->by_id);
    if (!ports->by_id) return tpad_no_memory(model, error);
    for (ir_port *port = ports->first; port; port = port->next) ports->by_id[count++] = port;
    qsort(ports->by_id, (size_t)count, sizeof *ports->by_id, compare_ports);
    for (int32_t i = 1; i < count; i++)
        if (ports->by_id[i - 1]->id == ports->by_id[i]->id)
            return damaged(model, error, "two ports of one layer have one id (layer, port)",
                           ports->by_id[i]->layer->id, ports->by_id[i]->id);
    return TPAD_OK;
}

static ir_layer *find_layer(ir_layer *const *sorted, int64_t count, int64_t id)
{
    ir_layer key = {.id = id}, *wanted = &key;
    ir_layer *const *match =
        count ? bsearch(&wanted, sorted, (size_t)count, sizeof *sorted, compare_layers) : NULL;
    return match ? *match : NULL;
}

static ir_port *find_port(const ir_ports *ports, int64_t id)
{
    ir_port key = {.id = id}, *wanted = &key;
    ir_port *const *match = ports->count ? bsearch(&wanted, ports->by_id, (size_t)ports->count,
                                                   sizeof *ports->by_id, compare_ports)
                                         : NULL;
    return match ? *match : NULL;
}

static int32_t connect(tpad_model *model, const ir_graph *ir, tpad_io_error *error)
{
    int64_t count = 0;
    ir_layer **sorted = tpad_arena_take(&model->arena, ir->layer_count, sizeof *sorted);
    if (!sorted) return tpad_no_memory(model, error);
    for (ir_layer *layer = ir->layers; layer; layer = layer->next) {
        int32_t status = sort_ports(model, &layer->in, error);
        if (!status) status = sort_ports(model, &layer->out, error);
        if (status) return status;
        sorted[count++] = layer;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_layers);
    for (int64_t i = 1; i < count; i++)
        if (sorted[i - 1]->id == sorted[i]->id)
            return damaged(model, error, "two layers have one id (layer, layer)", sorted[i]->id,
                           sorted[i]->id);
    for (const ir_edge *edge = ir->edges; edge; edge = edge->next) {
        ir_layer *from_layer = find_layer(sorted, count, edge->from_layer);
        ir_layer *to_layer = find_layer(sorted, count, edge->to_layer);
        ir_port *from = from_layer ? find_port(&from_layer->out, edge->from_port) : NULL;
        ir_port *to = to_layer ? find_port(&to_layer->in, edge->to_port) : NULL;
        if (!from)
            return damaged(model, error, "an edge comes from nowhere (layer, port)",
                           edge->from_layer, edge->from_port);
        if (!to)
            return damaged(model, error, "an edge leads nowhere (layer, port)", edge->to_layer,
                           edge->to_port);
        if (to->from)
            return damaged(model, error, "two edges lead to one port (layer, port)", edge->to_layer,
                           edge->to_port);
        to->from = from;
        to->edge = edge;
        from->consumers++;
    }
    return TPAD_OK;
}

/* ---- The order of layers --------------------------------------------------------------------- */

enum { UNSEEN, WAITING, DONE };

/* Appends a layer to the running order, after the layers that it needs. Keeps the file's order as
 * far as edges allow. */
static int32_t place(const tpad_model *model, ir_layer *layer, ir_layer **order, int64_t *count,
                     tpad_io_error *error)
{
    ir_layer *stack = layer;
    if (layer->mark != UNSEEN) return TPAD_OK;
    layer->mark = WAITING;
    layer->cursor = layer->in.first;
    while (stack) {
        ir_layer *top = stack;
        while (top->cursor && (!top->cursor->from || top->cursor->from->layer->mark == DONE))
            top->cursor = top->cursor->next;
        if (!top->cursor) {
            top->mark = DONE;
            order[(*count)++] = top;
            stack = top->below;
            continue;
        }
        ir_layer *next = top->cursor->from->layer;
        if (next->mark == WAITING)
            return damaged(model, error, "layers wait for each other (layer, layer)", top->id,
                           next->id);
        next->mark = WAITING;
        next->cursor = next->in.first;
        next->below = top;
        stack = next;
    }
    return TPAD_OK;
}

static int32_t is_result(const ir_layer *layer)
{
    return tpad_ir_is(layer, "Result") || tpad_ir_is(layer, "Assign");
}

/* 1 for a layer with outputs of the model. Old files have no Result layers: their outputs are the
 * ports that no layer reads. */
static int32_t ends_here(const ir_file *file, const ir_layer *layer)
{
    if (file->version > NEWEST_LEGACY) return is_result(layer);
    for (const ir_port *port = layer->out.first; port; port = port->next)
        if (port->consumers == 0) return 1;
    return 0;
}

static void mark_used(const ir_file *file, ir_layer *const *order, int64_t count)
{
    for (int64_t i = count - 1; i >= 0; i--) {
        ir_layer *layer = order[i];
        layer->used |= ends_here(file, layer);
        for (const ir_port *port = layer->in.first; port && layer->used; port = port->next)
            if (port->from) port->from->layer->used = 1;
    }
}

/* ---- Names and values ------------------------------------------------------------------------ */

/* The first name of a list with commas. "\," is not a separator. */
static int32_t first_name(tpad_string *name, tpad_model *model, tpad_string names,
                          tpad_io_error *error)
{
    char *text = tpad_arena_take(&model->arena, names.length + 1, 1);
    int64_t used = 0;
    if (!text) return tpad_no_memory(model, error);
    for (int64_t i = 0; i < names.length && names.text[i] != ','; i++) {
        if (names.text[i] == '\\' && i + 1 < names.length && names.text[i + 1] == ',') i++;
        text[used++] = names.text[i];
    }
    *name = (tpad_string){text, used};
    return TPAD_OK;
}

/* Names an output: after its tensor, else after its layer, else by numbers. */
static int32_t name_output(tpad_string *name, tpad_model *model, const ir_port *port,
                           tpad_io_error *error)
{
    const ir_layer *layer = port->layer;
    char *text = NULL;
    *name = (tpad_string){0};
    if (port->names.length) {
        int32_t status = first_name(name, model, port->names, error);
        if (status || name->length) return status;
    }
    if (layer->name.length && layer->out.count == 1) {
        *name = layer->name;
        return TPAD_OK;
    }
    if (layer->name.length)
        text = tpad_arena_format(&model->arena, "%.*s.%d", (int)layer->name.length,
                                 layer->name.text, (int)port->position);
    else
        text = tpad_arena_format(&model->arena, "layer %lld.%d", (long long)layer->id,
                                 (int)port->position);
    if (!text) return tpad_no_memory(model, error);
    *name = (tpad_string){text, (int64_t)strlen(text)};
    return TPAD_OK;
}

/* A port without dims is a scalar or has an unknown rank; the file does not say which. */
static void take_declared(tpad_value *value, const ir_port *port)
{
    value->type = tpad_type_from_openvino(port->type);
    if (port->rank <= 0) return;
    value->rank = port->rank;
    value->shape = port->shape;
}

/* Reads "1,3,?,40". A range "1..5" is an unknown extent, "..." an unknown rank, "" a scalar. */
static int32_t take_parameter(tpad_model *model, const ir_layer *layer, tpad_value *value,
                              tpad_io_error *error)
{
    const tpad_string said = tpad_ir_attribute(layer, ATTR_SHAPE);
    const tpad_string type = tpad_ir_attribute(layer, ATTR_ELEMENT_TYPE);
    ir_port *port = layer->out.first;
    int64_t shape[TPAD_MAX_RANK];
    int32_t rank = 0;
    if (type.text) {
        port->type = tpad_ir_type(type);
        value->type = tpad_type_from_openvino(port->type);
    }
    value->is_input = 1;
    if (!said.text) return TPAD_OK;
    value->rank = -1;
    if (tpad_string_is(said, "...")) return TPAD_OK;
    for (int64_t at = 0; at < said.length;) {
        const char *comma = memchr(said.text + at, ',', (size_t)(said.length - at));
        const int64_t end = comma ? comma - said.text : said.length;
        if (rank == TPAD_MAX_RANK) return TPAD_OK;
        if (!tpad_ir_integer(&shape[rank], (tpad_string){said.text + at, end - at}) ||
            shape[rank] < 0)
            shape[rank] = -1;
        rank++;
        at = end + 1;
    }
    int64_t *copy = tpad_arena_take(&model->arena, rank, sizeof *copy);
    if (!copy) return tpad_no_memory(model, error);
    for (int32_t axis = 0; axis < rank; axis++) copy[axis] = shape[axis];
    value->rank = rank;
    value->shape = copy;
    return TPAD_OK;
}

static int32_t is_parameter(const ir_layer *layer)
{
    return tpad_ir_is(layer, "Parameter") || tpad_ir_is(layer, "Input");
}

static int32_t make_values(tpad_model *model, tpad_graph *graph, const ir_layer *layer,
                           int64_t index, tpad_io_error *error)
{
    for (ir_port *port = layer->out.first; port; port = port->next) {
        tpad_value *value = &graph->values[graph->value_count++];
        *value = (tpad_value){.rank = -1, .producer = index, .payload = port};
        port->value = value;
        take_declared(value, port);
        int32_t status = name_output(&value->name, model, port, error);
        if (status) return status;
    }
    if (!layer->out.first) return TPAD_OK;
    tpad_value *first = layer->out.first->value;
    /* An input or a constant has no producer. */
    if (is_parameter(layer)) {
        first->producer = -1;
        return take_parameter(model, layer, first, error);
    }
    if (tpad_ir_is(layer, "Const") || tpad_ir_is(layer, "Constant")) {
        first->producer = -1;
        first->is_initializer = 1;
        return tpad_ir_constant(model, layer, error);
    }
    return tpad_ir_is(layer, "Convert") ? tpad_ir_convert(model, layer, error) : TPAD_OK;
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

static int32_t kind_of(const ir_layer *layer)
{
    const int32_t constant = layer->out.first && (layer->out.first->value->is_constant ||
                                                  layer->out.first->value->is_initializer);
    if (tpad_ir_is(layer, "Pad")) return NODE_PAD;
    if (!layer->used || is_parameter(layer) || constant || tpad_ir_is(layer, "Result"))
        return NODE_SILENT;
    return NODE_OTHER;
}

/* The graph's inputs and outputs, in the file's order. */
static int32_t make_ends(tpad_model *model, tpad_graph *graph, const ir_file *file,
                         const ir_graph *ir, tpad_io_error *error)
{
    int64_t inputs = 0, outputs = 0;
    for (const ir_layer *layer = ir->layers; layer; layer = layer->next) {
        inputs += is_parameter(layer);
        outputs += file->version > NEWEST_LEGACY ? 1 : layer->out.count;
    }
    graph->inputs = tpad_arena_take(&model->arena, inputs, sizeof *graph->inputs);
    graph->outputs = tpad_arena_take(&model->arena, outputs, sizeof *graph->outputs);
    if (!graph->inputs || !graph->outputs) return tpad_no_memory(model, error);
    for (const ir_layer *layer = ir->layers; layer; layer = layer->next) {
        int32_t status = TPAD_OK;
        if (is_parameter(layer) && layer->out.first)
            graph->inputs[graph->input_count++] =
                (tpad_end){layer->name.length ? layer->name : layer->out.first->value->name,
                           layer->out.first->value};
        if (file->version <= NEWEST_LEGACY) {
            for (ir_port *port = layer->out.first; port; port = port->next)
                if (port->consumers == 0)
                    graph->outputs[graph->output_count++] =
                        (tpad_end){port->value->name, port->value};
        } else if (tpad_ir_is(layer, "Result") && layer->in.first && layer->in.first->from) {
            tpad_value *value = layer->in.first->from->value;
            tpad_end *end = &graph->outputs[graph->output_count++];
            *end = (tpad_end){value->name, value};
            if (layer->output_names.length)
                status = first_name(&end->name, model, layer->output_names, error);
        }
        if (status) return status;
    }
    return TPAD_OK;
}

static int32_t make_graph(tpad_model *model, tpad_graph *graph, const ir_file *file,
                          const ir_graph *ir, tpad_io_error *error);

static int32_t make_bodies(tpad_model *model, tpad_graph *graph, tpad_node *node,
                           const ir_file *file, const ir_layer *layer, tpad_io_error *error)
{
    tpad_graph **last = &node->subgraphs;
    for (const ir_graph *body = layer->bodies; body; body = body->next) {
        tpad_graph *child = tpad_arena_take(&model->arena, 1, sizeof *child);
        if (!child) return tpad_no_memory(model, error);
        child->parent = graph;
        child->holder = node;
        child->label = body->label;
        child->label_index = -1;
        child->depth = graph->depth + 1;
        *last = child;
        last = &child->next;
        int32_t status = make_graph(model, child, file, body, error);
        if (status) return status;
    }
    return TPAD_OK;
}

static int32_t make_graph(tpad_model *model, tpad_graph *graph, const ir_file *file,
                          const ir_graph *ir, tpad_io_error *error)
{
    int64_t count = 0, most = 0;
    ir_layer **order = tpad_arena_take(&model->arena, ir->layer_count, sizeof *order);
    if (!order) return tpad_no_memory(model, error);
    int32_t status = connect(model, ir, error);
    for (ir_layer *layer = ir->layers; layer && !status; layer = layer->next) {
        status = place(model, layer, order, &count, error);
        most += layer->out.count;
    }
    if (status) return status;
    mark_used(file, order, count);
    graph->nodes = tpad_arena_take(&model->arena, count, sizeof *graph->nodes);
    graph->values = tpad_arena_take(&model->arena, most, sizeof *graph->values);
    if (!graph->nodes || !graph->values) return tpad_no_memory(model, error);
    graph->node_count = count;
    for (int64_t i = 0; i < count && !status; i++) {
        tpad_node *node = &graph->nodes[i];
        status = make_values(model, graph, order[i], i, error);
        if (status) return status;
        *node = (tpad_node){.name = order[i]->name,
                            .op_type = order[i]->type,
                            .domain = order[i]->version,
                            .kind = kind_of(order[i]),
                            .payload = order[i]};
        if (order[i]->out.first) node->output = order[i]->out.first->value->name;
        model->pad_count += node->kind == NODE_PAD;
        status = make_bodies(model, graph, node, file, order[i], error);
    }
    return status ? status : make_ends(model, graph, file, ir, error);
}

/* ---- The model ------------------------------------------------------------------------------- */

static const tpad_format openvino = {
    .kind = FORMAT_IR,
    .title = "OpenVINO",
    .runnable = "Pad, Parameter, Const, Convert (of constants) and Result layers",
    .arguments = {"data", "pads_begin", "pads_end", "pad_value"},
    .value_input = IN_VALUE,
    .types = {TYPE_OF_DATA, 0, 0, TYPE_OF_DATA},
    .load = tpad_ir_load,
    .translate = tpad_ir_translate,
    .read_pad = tpad_ir_read_pad,
    .describe_pad = tpad_ir_describe_pad,
    .fill_placeholders = tpad_ir_fill_placeholders,
    .runtimes = {"openvino"},
    .describe_facts = tpad_ir_describe_facts,
    .input_count = tpad_ir_input_count,
    .node_input = tpad_ir_node_input,
    .node_output = tpad_ir_node_output,
    .attribute = tpad_ir_node_attribute,
};

int32_t tpad_ir_read(tpad_model *model, tpad_io_error *error)
{
    model->format = &openvino;
    int32_t status = tpad_model_open(model, error);
    if (status) return status;
    ir_file *file = tpad_arena_take(&model->arena, 1, sizeof *file);
    if (!file) return tpad_no_memory(model, error);
    status = tpad_ir_parse(file, model, error);
    if (status) return status;
    if (file->version < 5 || file->version > 11 || file->version == 8 || file->version == 9)
        return tpad_io_fail(
            error, TPAD_E_FILE,
            "%s: IR version %lld cannot be read; tensorpad reads versions 5, 6, 7, 10 and 11",
            model->path, (long long)file->version);
    tpad_graph *top = model->top = tpad_arena_take(&model->arena, 1, sizeof *top);
    if (!top) return tpad_no_memory(model, error);
    top->label_index = -1;
    top->path = "";
    return make_graph(model, top, file, file->top, error);
}
