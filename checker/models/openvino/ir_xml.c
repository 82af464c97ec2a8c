/* Reads the .xml of an IR.  SPDX-License-Identifier: MIT
 *
 * The elements and attributes of the format, and the limits of their nesting. Keeps the data that a
 * reader of Pad layers needs and skips the rest. It does not know what layers mean. */
#include "ir.h"
#include <expat.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_XML_DEPTH = 256, MAX_BODY_DEPTH = 64, PIECE_BYTES = 1 << 26, DIM_BYTES = 24 };

/* The kind of the open element. */
typedef enum state {
    IGNORED,
    GRAPH, /* net, or the body of a layer */
    LAYERS,
    LAYER,
    DATA,
    BLOBS,
    INPUT,
    OUTPUT,
    PORT,
    DIM,
    EDGES,
    EDGE
} state;

typedef struct reading {
    XML_Parser parser;
    tpad_model *model;
    tpad_io_error *error;
    int32_t status;
    ir_file *file;
    ir_graph *graph; /* the innermost open one */
    ir_layer *layer; /* the newest of that graph, or NULL */
    ir_port *port;
    ir_edge *edge; /* the newest */
    int64_t dims[TPAD_MAX_RANK];
    int32_t dim_count;
    char text[DIM_BYTES]; /* of a dim */
    size_t text_length;
    int32_t depth;
    unsigned char states[MAX_XML_DEPTH];
    ir_layer *holders[MAX_BODY_DEPTH]; /* the layers around the innermost graph */
} reading;

/* ---- Texts ----------------------------------------------------------------------------------- */

int32_t tpad_ir_integer(int64_t *number, tpad_string text)
{
    int64_t i = 0, value = 0;
    while (i < text.length && (text.text[i] == ' ' || text.text[i] == '\n')) i++;
    const int negative = i < text.length && text.text[i] == '-';
    const int64_t first = i += negative;
    for (; i < text.length && text.text[i] >= '0' && text.text[i] <= '9'; i++) {
        const int64_t digit = text.text[i] - '0';
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, digit, &value))
            return 0;
    }
    if (i == first) return 0;
    while (i < text.length && (text.text[i] == ' ' || text.text[i] == '\n')) i++;
    if (i != text.length || (!negative && value == INT64_MIN)) return 0;
    *number = negative ? value : -value;
    return 1;
}

static int is_blank(tpad_string text)
{
    for (int64_t i = 0; i < text.length; i++)
        if (!strchr(" \t\r\n", text.text[i])) return 0;
    return 1;
}

int32_t tpad_ir_integers(int64_t *items, int32_t room, int32_t *count, tpad_string text)
{
    *count = 0;
    if (is_blank(text)) return 1;
    for (int64_t at = 0; at <= text.length;) {
        const char *comma = memchr(text.text + at, ',', (size_t)(text.length - at));
        const int64_t end = comma ? comma - text.text : text.length;
        const tpad_string item = {text.text + at, end - at};
        if (*count == room || !tpad_ir_integer(&items[*count], item)) return 0;
        (*count)++;
        at = end + 1;
    }
    return 1;
}

static const char *const attribute_names[ATTR_COUNT] = {"element_type",
                                                        "shape",
                                                        "offset",
                                                        "size",
                                                        "destination_type",
                                                        "pad_mode",
                                                        "pads_begin",
                                                        "pads_end",
                                                        "pad_value",
                                                        "auto_broadcast",
                                                        "auto_pad",
                                                        "axis",
                                                        "batch_dims",
                                                        "begin_mask",
                                                        "dilations",
                                                        "ellipsis_mask",
                                                        "end_mask",
                                                        "exclude-pad",
                                                        "keep_dims",
                                                        "kernel",
                                                        "levels",
                                                        "m_pythondiv",
                                                        "max",
                                                        "min",
                                                        "mode",
                                                        "new_axis_mask",
                                                        "num_splits",
                                                        "output_padding",
                                                        "output_type",
                                                        "rounding_type",
                                                        "shrink_axis_mask",
                                                        "special_zero",
                                                        "strides",
                                                        "transpose_a",
                                                        "transpose_b"};

tpad_string tpad_ir_attribute_named(const ir_layer *layer, const char *name)
{
    for (int32_t i = 0; i < ATTR_COUNT; i++)
        if (strcmp(attribute_names[i], name) == 0) return tpad_ir_attribute(layer, i);
    return (tpad_string){0};
}

tpad_string tpad_ir_attribute(const ir_layer *layer, int32_t attribute)
{
    return layer->attributes ? layer->attributes[attribute] : (tpad_string){0};
}

int32_t tpad_ir_is(const ir_layer *layer, const char *type)
{
    return layer->type.length == (int64_t)strlen(type) &&
           strncasecmp(layer->type.text, type, strlen(type)) == 0;
}

int32_t tpad_ir_type(tpad_string name)
{
    char word[16];
    if (name.length <= 0 || name.length >= (int64_t)sizeof word) return 0;
    memcpy(word, name.text, (size_t)name.length);
    word[name.length] = 0;
    return tpad_openvino_type_from_name(word);
}

/* ---- Failing --------------------------------------------------------------------------------- */

static void stop(reading *r, int32_t status)
{
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

static void refuse(reading *r, const char *why, const char *what)
{
    stop(r, tpad_io_fail(r->error, TPAD_E_FILE, "%s: line %lu: not a valid OpenVINO IR: %s%s%s%s",
                         r->model->path, (unsigned long)XML_GetCurrentLineNumber(r->parser), why,
                         what ? " '" : "", what ? what : "", what ? "'" : ""));
}

static void *take(reading *r, size_t bytes)
{
    void *memory = tpad_arena_take(&r->model->arena, 1, bytes);
    if (!memory) stop(r, tpad_no_memory(r->model, r->error));
    return memory;
}

static tpad_string keep(reading *r, const char *text)
{
    tpad_string copy = {text, (int64_t)strlen(text)};
    copy.text = tpad_arena_text(&r->model->arena, copy);
    if (!copy.text) {
        stop(r, tpad_no_memory(r->model, r->error));
        copy.length = 0;
    }
    return copy;
}

static const char *find(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0) return attributes[1];
    return NULL;
}

/* A required number of the element. */
static int64_t want_integer(reading *r, const char **attributes, const char *name)
{
    const char *text = find(attributes, name);
    int64_t number = 0;
    if (!text)
        refuse(r, "an element has no attribute", name);
    else if (!tpad_ir_integer(&number, (tpad_string){text, (int64_t)strlen(text)}))
        refuse(r, "this is not a 64-bit whole number:", text);
    return number;
}

/* ---- Elements -------------------------------------------------------------------------------- */

/* The parser's current tag. The end tag of an element that is a single tag has no bytes. */
static ir_span tag_of(const reading *r)
{
    const int64_t begin = XML_GetCurrentByteIndex(r->parser);
    return (ir_span){begin, begin + XML_GetCurrentByteCount(r->parser)};
}

static void begin_part(const reading *r, ir_span *span)
{
    r->layer->repeats |= span->end > 0;
    *span = tag_of(r);
}

static void begin_graph(reading *r, const char *label)
{
    ir_graph *graph = take(r, sizeof *graph);
    if (!graph) return;
    graph->file = r->file;
    graph->label = keep(r, label);
    graph->last_layer = &graph->layers;
    graph->last_edge = &graph->edges;
    graph->parent = r->graph;
    if (r->graph) {
        if (r->graph->depth + 1 >= MAX_BODY_DEPTH) {
            refuse(r, "its bodies are nested too deep", NULL);
            return;
        }
        graph->depth = r->graph->depth + 1;
        r->holders[graph->depth] = r->layer;
        *r->layer->last_body = graph;
        r->layer->last_body = &graph->next;
    } else {
        r->file->top = graph;
    }
    r->graph = graph;
    r->layer = NULL;
}

static void end_graph(reading *r)
{
    r->layer = r->graph->parent ? r->holders[r->graph->depth] : NULL;
    r->graph = r->graph->parent;
}

static void begin_layer(reading *r, const char **attributes)
{
    ir_layer *layer = take(r, sizeof *layer);
    const char *text;
    if (!layer) return;
    layer->in.last = &layer->in.first;
    layer->out.last = &layer->out.first;
    layer->last_body = &layer->bodies;
    layer->graph = r->graph;
    layer->tag = tag_of(r);
    layer->id = want_integer(r, attributes, "id");
    if (layer->id > r->file->last_id) r->file->last_id = layer->id;
    if (!find(attributes, "type")) refuse(r, "a layer has no attribute", "type");
    if ((text = find(attributes, "type"))) layer->type = keep(r, text);
    if ((text = find(attributes, "name"))) layer->name = keep(r, text);
    if ((text = find(attributes, "version"))) layer->version = keep(r, text);
    if ((text = find(attributes, "output_names"))) layer->output_names = keep(r, text);
    if ((text = find(attributes, "precision")))
        layer->precision = tpad_ir_type((tpad_string){text, (int64_t)strlen(text)});
    *r->graph->last_layer = layer;
    r->graph->last_layer = &layer->next;
    r->graph->layer_count++;
    r->layer = layer;
}

static void take_data(reading *r, const char **attributes)
{
    ir_layer *layer = r->layer;
    for (int32_t i = 0; i < ATTR_COUNT && !r->status; i++) {
        const char *text = find(attributes, attribute_names[i]);
        if (!text) continue;
        if (!layer->attributes) layer->attributes = take(r, ATTR_COUNT * sizeof *layer->attributes);
        if (layer->attributes) layer->attributes[i] = keep(r, text);
    }
}

static void begin_port(reading *r, const char **attributes, ir_ports *ports)
{
    ir_port *port = take(r, sizeof *port);
    const char *text;
    if (!port) return;
    port->layer = r->layer;
    port->id = want_integer(r, attributes, "id");
    port->position = ports->count;
    if ((text = find(attributes, "precision")))
        port->type = tpad_ir_type((tpad_string){text, (int64_t)strlen(text)});
    if (!port->type) port->type = r->layer->precision;
    if ((text = find(attributes, "names"))) port->names = keep(r, text);
    if (ports->count == INT32_MAX) {
        refuse(r, "a layer has too many ports", NULL);
        return;
    }
    *ports->last = port;
    ports->last = &port->next;
    ports->count++;
    r->port = port;
    r->dim_count = 0;
}

static void end_port(reading *r)
{
    ir_port *port = r->port;
    port->rank = r->dim_count <= TPAD_MAX_RANK ? r->dim_count : -1;
    if (port->rank <= 0) return;
    int64_t *shape = take(r, (size_t)port->rank * sizeof *shape);
    if (shape) memcpy(shape, r->dims, (size_t)port->rank * sizeof *shape);
    port->shape = shape;
}

static void end_dim(reading *r)
{
    int64_t extent;
    const size_t length = r->text_length < DIM_BYTES ? r->text_length : DIM_BYTES - 1;
    r->text[length] = 0;
    if (r->text_length >= DIM_BYTES ||
        !tpad_ir_integer(&extent, (tpad_string){r->text, (int64_t)length}) || extent < -1) {
        refuse(r, "this is not an extent:", r->text);
        return;
    }
    if (r->dim_count < TPAD_MAX_RANK) r->dims[r->dim_count] = extent;
    if (r->dim_count <= TPAD_MAX_RANK) r->dim_count++;
}

static void take_edge(reading *r, const char **attributes)
{
    ir_edge *edge = take(r, sizeof *edge);
    if (!edge) return;
    edge->span = tag_of(r);
    edge->from_layer = want_integer(r, attributes, "from-layer");
    if (!r->status) edge->from_port = want_integer(r, attributes, "from-port");
    if (!r->status) edge->to_layer = want_integer(r, attributes, "to-layer");
    if (!r->status) edge->to_port = want_integer(r, attributes, "to-port");
    *r->graph->last_edge = r->edge = edge;
    r->graph->last_edge = &edge->next;
}

static int ends_in_body(const char *name)
{
    const size_t length = strlen(name);
    return length >= 4 && strcmp(name + length - 4, "body") == 0;
}

static state begin_root(reading *r, const char *name, const char **attributes)
{
    if (strcasecmp(name, "net") != 0) {
        refuse(r, "its root element is not net but", name);
        return IGNORED;
    }
    r->file->version = want_integer(r, attributes, "version");
    if (!r->status) begin_graph(r, "");
    return GRAPH;
}

/* The kind of an element inside another one. */
static state begin_inside(reading *r, state around, const char *name, const char **attributes)
{
    switch (around) {
    case GRAPH:
        return strcmp(name, "layers") == 0 ? LAYERS : strcmp(name, "edges") == 0 ? EDGES : IGNORED;
    case LAYERS:
        if (strcmp(name, "layer") != 0) return IGNORED;
        begin_layer(r, attributes);
        return LAYER;
    case LAYER:
        if (strcmp(name, "input") == 0) {
            begin_part(r, &r->layer->input);
            return INPUT;
        }
        if (strcmp(name, "output") == 0) return OUTPUT;
        if (strcmp(name, "blobs") == 0) return BLOBS;
        if (strcmp(name, "data") == 0) {
            begin_part(r, &r->layer->data);
            take_data(r, attributes);
            return DATA;
        }
        if (!ends_in_body(name)) return IGNORED;
        begin_graph(r, name);
        return GRAPH;
    case BLOBS: /* of old files: the places of a Const's elements */
        take_data(r, attributes);
        return IGNORED;
    case INPUT:
    case OUTPUT:
        if (strcmp(name, "port") != 0) return IGNORED;
        begin_port(r, attributes, around == INPUT ? &r->layer->in : &r->layer->out);
        return PORT;
    case PORT:
        r->text_length = 0;
        return strcmp(name, "dim") == 0 ? DIM : IGNORED;
    case EDGES:
        if (strcmp(name, "edge") != 0) return IGNORED;
        take_edge(r, attributes);
        return EDGE;
    default:
        return IGNORED;
    }
}

static void XMLCALL on_begin(void *context, const char *name, const char **attributes)
{
    reading *r = context;
    if (r->status) return;
    if (r->depth == MAX_XML_DEPTH) {
        refuse(r, "its elements are nested too deep", NULL);
        return;
    }
    r->states[r->depth] =
        (unsigned char)(r->depth == 0 ? begin_root(r, name, attributes)
                                      : begin_inside(r, r->states[r->depth - 1], name, attributes));
    r->depth++;
}

static void XMLCALL on_end(void *context, const char *name)
{
    reading *r = context;
    (void)name;
    if (r->status) return;
    switch (r->states[--r->depth]) {
    case GRAPH:
        end_graph(r);
        break;
    case DATA:
        r->layer->data.end = tag_of(r).end;
        break;
    case INPUT:
        r->layer->input.end = tag_of(r).end;
        break;
    case EDGE:
        r->edge->span.end = tag_of(r).end;
        break;
    case PORT:
        end_port(r);
        break;
    case DIM:
        end_dim(r);
        break;
    default:
        break;
    }
}

static void XMLCALL on_text(void *context, const char *text, int length)
{
    reading *r = context;
    if (r->status || r->depth == 0 || r->states[r->depth - 1] != DIM) return;
    for (int i = 0; i < length; i++, r->text_length++)
        if (r->text_length < DIM_BYTES) r->text[r->text_length] = text[i];
}

/* A document type can define entities. OpenVINO's files have none, so it is refused. */
static void XMLCALL on_doctype(void *context, const char *name, const char *system,
                               const char *public_id, int internal)
{
    (void)system, (void)public_id, (void)internal;
    refuse(context, "it has a document type", name);
}

/* ---- The file -------------------------------------------------------------------------------- */

static int32_t feed(reading *r)
{
    const tpad_bytes *bytes = &r->model->bytes;
    int64_t at = 0;
    do {
        const int64_t left = bytes->count - at;
        const int piece = left > PIECE_BYTES ? PIECE_BYTES : (int)left;
        const enum XML_Status status =
            XML_Parse(r->parser, (const char *)bytes->data + at, piece, piece == left);
        if (r->status) return r->status;
        if (status != XML_STATUS_OK && XML_GetErrorCode(r->parser) == XML_ERROR_NO_MEMORY)
            return tpad_no_memory(r->model, r->error);
        if (status != XML_STATUS_OK) {
            refuse(r, XML_ErrorString(XML_GetErrorCode(r->parser)), NULL);
            return r->status;
        }
        at += piece;
    } while (at < bytes->count);
    return TPAD_OK;
}

int32_t tpad_ir_parse(ir_file *file, tpad_model *model, tpad_io_error *error)
{
    if (model->bytes.count > INT32_MAX)
        return tpad_io_fail(error, TPAD_E_FILE, "%s: %lld bytes are more than an .xml may have, %d",
                            model->path, (long long)model->bytes.count, (int)INT32_MAX);
    reading *r = calloc(1, sizeof *r);
    XML_Parser parser = XML_ParserCreate(NULL);
    int32_t status = TPAD_E_MEMORY;
    if (r && parser) {
        *r = (reading){.parser = parser, .model = model, .error = error, .file = file};
        XML_SetUserData(parser, r);
        XML_SetElementHandler(parser, on_begin, on_end);
        XML_SetCharacterDataHandler(parser, on_text);
        XML_SetStartDoctypeDeclHandler(parser, on_doctype);
        status = feed(r);
    } else {
        tpad_no_memory(model, error);
    }
    if (parser) XML_ParserFree(parser);
    free(r);
    return status;
}
