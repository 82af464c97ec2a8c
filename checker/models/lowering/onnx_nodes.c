/* Writes the nodes that replace a Pad.  SPDX-License-Identifier: MIT
 *
 * Each operator of a rewrite is written as the model's opset has it: its arguments as attributes or
 * as inputs, and constants in a form that it knows. */
#include <pb_encode.h>
#include <stdlib.h>
#include <string.h>

#include "models/onnx/onnx_file.h"
#include "models/onnx/proto.h"
#include "onnx_writing.h"

/* The first opsets where an argument is an input, or a Constant may have any type. Before opset 6
 * nothing is written with a Cast (models/lowering/rewrite_steps.c). */
enum { RESHAPE_BY_INPUT = 5, CONSTANT_OF_ANY_TYPE = 9, SLICE_BY_INPUTS = 10, PAD_BY_INPUTS = 11 };

/* State for the nodes of one rewrite. */
typedef struct writer {
    const tpad_lowering *lowering;
    int64_t index; /* of the Pad */
    const tpad_rewrite *rewrite;
    const tpad_onnx_message *old;
    tpad_string domain;
    int32_t opset;
    uint32_t field;    /* the number of a node in its graph or function */
    int32_t lists;     /* how many names list_name gave */
    char *name;        /* room for a name */
    size_t name_bytes; /* of that room */
    uint8_t *written;  /* for each operand: 1 if its Constant node is written */
    message *out;      /* the nodes, as fields of the graph */
} writer;

/* A node as it is built. The nodes of its constants precede it, so they may be written first. */
typedef struct node_parts {
    const char *op_type;
    message inputs, attributes;
} node_parts;

/* ---- Names and nodes ------------------------------------------------------------------------- */

static tpad_string name_of(const writer *w, int32_t number)
{
    tpad_lowered_name(w->name, w->name_bytes, w->lowering, w->index, number);
    return (tpad_string){w->name, (int64_t)strlen(w->name)};
}

/* An input of the Pad, or its replacement if a folded Pad made it. */
static tpad_string input_name(const writer *w, int32_t index)
{
    const tpad_value *value = w->rewrite->pad->inputs[index];
    const tpad_value *source = tpad_folded_source(w->lowering, value);
    return source == value ? w->old->inputs.items[index] : source->name;
}

static tpad_string operand_name(const writer *w, int32_t operand)
{
    switch (w->rewrite->operands[operand].kind) {
    case OPERAND_DATA:
        return input_name(w, IN_DATA);
    case OPERAND_VALUE:
        return input_name(w, IN_VALUE);
    default:
        return name_of(w, operand);
    }
}

/* A new name for a tensor that is not an operand. */
static tpad_string list_name(writer *w)
{
    return name_of(w, w->rewrite->operand_count + w->lists++);
}

static void put_string(message *out, uint32_t field, tpad_string text)
{
    message_bytes(out, field, text.text, (size_t)text.length);
}

/* Copies the fields of the old node that do not depend on the operator: name, doc_string ... */
static void put_kept_fields(message *node, tpad_string old)
{
    const uint32_t decided = 1u << NODE_INPUT | 1u << NODE_OUTPUT | 1u << NODE_OP_TYPE |
                             1u << NODE_ATTRIBUTE | 1u << NODE_DOMAIN | 1u << NODE_OVERLOAD;
    tpad_field field;
    while (tpad_wire_next(&field, &old))
        if (field.number > NODE_OVERLOAD || !(decided >> field.number & 1))
            message_raw(node, field.whole.text, (size_t)field.whole.length);
}

/* Adds a node and releases its parts. A new node is named after its output: ONNX Runtime 1.20
 * refuses models where it would fuse several nameless nodes. */
static void put_node(const writer *w, node_parts *parts, tpad_string output, int32_t is_last)
{
    message node = {0};
    message_raw(&node, parts->inputs.bytes, parts->inputs.used);
    put_string(&node, NODE_OUTPUT, output);
    message_text(&node, NODE_OP_TYPE, parts->op_type);
    message_raw(&node, parts->attributes.bytes, parts->attributes.used);
    if (w->domain.length) put_string(&node, NODE_DOMAIN, w->domain);
    if (is_last)
        put_kept_fields(&node, w->old->body);
    else
        put_string(&node, NODE_NAME, output);
    node.failed |= parts->inputs.failed | parts->attributes.failed;
    message_add(w->out, w->field, &node);
    message_free(&parts->inputs);
    message_free(&parts->attributes);
}

/* ---- Constants ------------------------------------------------------------------------------- */

static void put_constant_node(const writer *w, message *tensor, tpad_string output, int32_t is_last)
{
    node_parts parts = {.op_type = "Constant"};
    tpad_put_tensor(&parts.attributes, "value", tensor);
    put_node(w, &parts, output, is_last);
}

/* Before opset 9 a Constant is a float or a double: writes a double, and a Cast to int64. */
static void put_old_list(writer *w, message *tensor, const int64_t *first, const int64_t *second,
                         int64_t count)
{
    node_parts cast = {.op_type = "Cast"};
    message elements = {0};
    const int64_t all = second ? 2 * count : count;
    for (int64_t i = 0; i < all; i++) {
        const double number = (double)(i < count ? first[i] : second[i - count]);
        message_raw(&elements, &number, sizeof number);
    }
    message_integer(tensor, TENSOR_DIMS, all);
    message_integer(tensor, TENSOR_TYPE, TPAD_ONNX_DOUBLE);
    message_add(tensor, TENSOR_RAW, &elements);
    const tpad_string name = list_name(w);
    put_constant_node(w, tensor, name, 0);
    put_string(&cast.inputs, NODE_INPUT, name);
    tpad_put_integer(&cast.attributes, "to", TPAD_ONNX_INT64);
    put_node(w, &cast, list_name(w), 0);
}

/* Adds an int64 list as an input: a Constant node precedes the node. */
static void add_list_input(writer *w, node_parts *parts, const int64_t *first,
                           const int64_t *second, int64_t count)
{
    message tensor = {0};
    if (w->opset < CONSTANT_OF_ANY_TYPE) {
        put_old_list(w, &tensor, first, second, count);
    } else {
        tpad_integers_tensor(&tensor, NULL, first, second, count);
        put_constant_node(w, &tensor, list_name(w), 0);
    }
    put_string(&parts->inputs, NODE_INPUT, name_of(w, w->rewrite->operand_count + w->lists - 1));
}

/* Writes a constant of the rewrite. */
static void put_operand(const writer *w, const tpad_operand *operand, tpad_string output,
                        int32_t is_last)
{
    message tensor = {0};
    tpad_tensor like;
    int64_t elems = 1;
    for (int32_t axis = 0; axis < operand->rank; axis++) {
        elems *= operand->shape[axis];
        message_integer(&tensor, TENSOR_DIMS, operand->shape[axis]);
    }
    message_integer(&tensor, TENSOR_TYPE, operand->type);
    tpad_tensor_describe(&like, operand->type, operand->rank, operand->shape);
    if (operand->type == TPAD_ONNX_STRING) {
        const tpad_string *strings = operand->data;
        for (int64_t i = 0; i < elems; i++) put_string(&tensor, TENSOR_STRINGS, strings[i]);
    } else {
        message_bytes(&tensor, TENSOR_RAW, operand->data,
                      ((size_t)elems * (size_t)like.elem_bits + 7) / 8);
    }
    put_constant_node(w, &tensor, output, is_last);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Adds the operand as the next input. A constant's node is written before its first use. */
static void add_operand(writer *w, node_parts *parts, int32_t index)
{
    const tpad_operand *operand = &w->rewrite->operands[index];
    if (operand->kind == OPERAND_CONSTANT && !w->written[index]) {
        put_operand(w, operand, name_of(w, index), 0);
        w->written[index] = 1;
    }
    put_string(&parts->inputs, NODE_INPUT, operand_name(w, index));
}

static void add_slice(writer *w, node_parts *parts, const tpad_step *step)
{
    const int64_t count = step->count;
    parts->op_type = "Slice";
    if (w->opset < SLICE_BY_INPUTS) {
        tpad_put_integers(&parts->attributes, "starts", step->starts, NULL, count);
        tpad_put_integers(&parts->attributes, "ends", step->ends, NULL, count);
        tpad_put_integers(&parts->attributes, "axes", step->axes, NULL, count);
        return;
    }
    add_list_input(w, parts, step->starts, NULL, count);
    add_list_input(w, parts, step->ends, NULL, count);
    add_list_input(w, parts, step->axes, NULL, count);
    if (step->op != TPAD_RULES_USE_SLICE_BACK) return;
    int64_t back[TPAD_MAX_RANK];
    for (int64_t i = 0; i < count; i++) back[i] = -1;
    add_list_input(w, parts, back, NULL, count);
}

/* The pad value for an attribute. It was a float attribute, so the conversion is exact. */
static float float_value(const tpad_operand *value)
{
    float number;
    double wide;
    uint16_t half;
    switch (value->type) {
    case TPAD_ONNX_DOUBLE:
        memcpy(&wide, value->data, sizeof wide);
        return (float)wide;
    case TPAD_ONNX_FLOAT16:
        memcpy(&half, value->data, sizeof half);
        return (float)tpad_float_decode(half, TPAD_ONNX_FLOAT16);
    default:
        memcpy(&number, value->data, sizeof number);
        return number;
    }
}

static void add_pad(writer *w, node_parts *parts, const tpad_step *step)
{
    const int32_t has_value = step->input_count > 1;
    parts->op_type = "Pad";
    tpad_put_text(&parts->attributes, "mode", step->mode);
    add_operand(w, parts, step->inputs[0]);
    if (w->opset < PAD_BY_INPUTS) {
        tpad_put_integers(&parts->attributes, w->opset == 1 ? "paddings" : "pads", step->begin,
                          step->end, step->count);
        if (has_value)
            tpad_put_float(&parts->attributes, "value",
                           float_value(&w->rewrite->operands[step->inputs[1]]));
        return;
    }
    if (step->is_open)
        put_string(&parts->inputs, NODE_INPUT, input_name(w, IN_PADS));
    else
        add_list_input(w, parts, step->begin, step->end, step->count);
    const int32_t has_axes = step->is_open ? w->rewrite->pad->present[IN_AXES] : step->axes != NULL;
    if (has_value)
        add_operand(w, parts, step->inputs[1]);
    else if (has_axes)
        message_text(&parts->inputs, NODE_INPUT, "");
    if (step->is_open && has_axes)
        put_string(&parts->inputs, NODE_INPUT, input_name(w, IN_AXES));
    else if (has_axes)
        add_list_input(w, parts, step->axes, NULL, step->count);
}

/* Adds an operator's arguments other than operands. */
static void add_arguments(writer *w, node_parts *parts, const tpad_step *step)
{
    const tpad_operand *result = &w->rewrite->operands[step->output];
    switch (step->op) {
    case TPAD_RULES_USE_RESHAPE:
        parts->op_type = "Reshape";
        if (w->opset < RESHAPE_BY_INPUT)
            tpad_put_integers(&parts->attributes, "shape", step->list, NULL, step->count);
        else
            add_list_input(w, parts, step->list, NULL, step->count);
        return;
    case TPAD_RULES_USE_EXPAND:
        parts->op_type = "Expand";
        add_list_input(w, parts, step->list, NULL, step->count);
        return;
    case TPAD_RULES_USE_CONCAT:
        parts->op_type = "Concat";
        tpad_put_integer(&parts->attributes, "axis", step->axis);
        return;
    case TPAD_RULES_USE_GATHER:
        parts->op_type = "Gather";
        tpad_put_integer(&parts->attributes, "axis", step->axis);
        add_list_input(w, parts, step->list, NULL, step->count);
        return;
    case TPAD_RULES_USE_WHERE:
        parts->op_type = "Where";
        return;
    case STEP_CAST:
        parts->op_type = "Cast";
        tpad_put_integer(&parts->attributes, "to", result->type);
        if (result->type >= TPAD_ONNX_FLOAT8E4M3FN && result->type <= TPAD_ONNX_FLOAT8E5M2FNUZ)
            tpad_put_integer(&parts->attributes, "saturate", 0); /* infinity stays infinity */
        return;
    case TPAD_RULES_USE_IDENTITY:
        parts->op_type = "Identity";
        return;
    default: /* TPAD_RULES_USE_SLICE, TPAD_RULES_USE_SLICE_BACK */
        add_slice(w, parts, step);
    }
}

static void put_step(writer *w, const tpad_step *step, int32_t is_last)
{
    node_parts parts = {0};
    if (step->op == STEP_PAD) {
        add_pad(w, &parts, step);
    } else if (step->op != TPAD_RULES_USE_CONSTANT) {
        for (int32_t i = 0; i < step->input_count; i++) add_operand(w, &parts, step->inputs[i]);
        add_arguments(w, &parts, step);
    }
    const tpad_string name = is_last ? w->old->outputs.items[0] : name_of(w, step->output);
    if (step->op == TPAD_RULES_USE_CONSTANT)
        put_operand(w, &w->rewrite->operands[step->inputs[0]], name, is_last);
    else
        put_node(w, &parts, name, is_last);
}

/* ---- Interface ------------------------------------------------------------------------------- */

int32_t tpad_onnx_put_rewrite(message *out, const tpad_lowering *lowering, int64_t index,
                              tpad_io_error *error)
{
    const tpad_rewrite *rewrite = &lowering->rewrites[index];
    const tpad_graph *graph = rewrite->pad->graph;
    writer w = {
        .lowering = lowering,
        .index = index,
        .rewrite = rewrite,
        .old = tpad_message_of(rewrite->pad->node),
        .domain = rewrite->pad->node->domain,
        .opset = graph->opset,
        .field = graph->is_function ? FUNCTION_NODE : GRAPH_NODE,
        .name_bytes = strlen(lowering->prefix) + LOWERED_NAME_EXTRA,
        .out = out,
    };
    w.name = malloc(w.name_bytes);
    w.written = calloc((size_t)rewrite->operand_count, 1);
    const int32_t has_memory = w.name && w.written;
    for (int32_t i = 0; has_memory && i < rewrite->step_count; i++)
        put_step(&w, &rewrite->steps[i], i == rewrite->step_count - 1);
    free(w.name);
    free(w.written);
    return has_memory && !out->failed ? TPAD_OK : tpad_no_memory(lowering->model, error);
}

/* Writes an edited message.
 *
 * Walks through the message twice, each time only into fields that contain an edit: first to find
 * the new lengths, then to write. The bytes between two edits are written at once. */

enum { MAX_DEPTH = 512, VARINT_BYTES = 10 };

typedef struct splice {
    const char *path;
    const tpad_edit *edits;
    int64_t count;
    int64_t next;        /* the first edit not yet reached */
    int64_t *lengths;    /* of the messages around edits, in the order of their beginnings */
    int64_t entered;     /* how many of them were reached */
    int64_t room;        /* of lengths; in the second walk, their number */
    tpad_output *output; /* NULL in the first walk */
    const char *from;    /* the first byte not yet written */
} splice;

static int32_t changed(const splice *s, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_FILE, "%s: it changes while it is read", s->path);
}

static int32_t put(const splice *s, const void *bytes, int64_t count, tpad_io_error *error)
{
    return s->output && count ? tpad_output_write(s->output, bytes, count, error) : TPAD_OK;
}

/* Copies the bytes before `until`, and continues at `next`. */
static int32_t copy(splice *s, const char *until, const char *next, tpad_io_error *error)
{
    const int32_t status = put(s, s->from, until - s->from, error);
    s->from = next;
    return status;
}

/* Makes room for one more length. */
static int32_t grow(splice *s, tpad_io_error *error)
{
    if (s->entered < s->room) return TPAD_OK;
    const int64_t room = 2 * s->room + 64;
    int64_t *lengths = realloc(s->lengths, (size_t)room * sizeof *lengths);
    if (!lengths) return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", s->path);
    s->lengths = lengths;
    s->room = room;
    return TPAD_OK;
}

static int32_t walk(splice *s, tpad_string body, int32_t depth, int64_t *bytes,
                    tpad_io_error *error);

/* Enters a field that contains an edit. Adds the field's growth to *bytes. */
static int32_t enter(splice *s, const tpad_field *field, int32_t depth, int64_t *bytes,
                     tpad_io_error *error)
{
    pb_byte_t head[VARINT_BYTES];
    const int64_t slot = s->entered;
    int64_t length;
    int32_t status = TPAD_OK;
    if (depth >= MAX_DEPTH || (s->output && slot >= s->room)) return changed(s, error);
    if (s->output) {
        pb_ostream_t stream = pb_ostream_from_buffer(head, sizeof head);
        pb_encode_varint(&stream, (uint64_t)s->lengths[slot]);
        status = copy(s, field->whole.text + field->tag_bytes, field->payload.text, error);
        if (!status) status = put(s, head, (int64_t)stream.bytes_written, error);
    } else {
        status = grow(s, error);
    }
    s->entered++;
    if (!status) status = walk(s, field->payload, depth + 1, &length, error);
    if (status) return status;
    if (s->output && length != s->lengths[slot]) return changed(s, error);
    s->lengths[slot] = length;
    pb_ostream_t count = PB_OSTREAM_SIZING;
    pb_encode_varint(&count, (uint64_t)length);
    *bytes += field->tag_bytes + (int64_t)count.bytes_written + length - field->whole.length;
    return TPAD_OK;
}

/* Walks through a message to the last edit inside. *bytes: its new length. */
static int32_t walk(splice *s, tpad_string body, int32_t depth, int64_t *bytes,
                    tpad_io_error *error)
{
    const char *const end = body.text + body.length;
    *bytes = body.length;
    while (s->next < s->count && s->edits[s->next].old.text < end) {
        const tpad_edit *edit = &s->edits[s->next];
        tpad_field field;
        int32_t status = TPAD_OK;
        if (!tpad_wire_next(&field, &body)) return changed(s, error);
        if (edit->old.text >= body.text) continue; /* the edit is after this field */
        if (field.payload.text == edit->old.text && field.payload.length == edit->old.length) {
            s->next++;
            *bytes += edit->fields.length - field.whole.length;
            status = copy(s, field.whole.text, body.text, error);
            if (!status) status = put(s, edit->fields.text, edit->fields.length, error);
        } else if (field.payload.text) {
            status = enter(s, &field, depth, bytes, error);
        }
        if (status) return status;
    }
    return TPAD_OK;
}

static int32_t write_all(splice *s, tpad_output *output, tpad_string body, tpad_io_error *error)
{
    int64_t bytes, again;
    int32_t status = walk(s, body, 0, &bytes, error);
    if (status) return status;
    if (s->count && bytes > INT32_MAX)
        return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                            "%s: its copy would have %lld bytes, but a model file holds at most "
                            "%d: store its weights as external data",
                            s->path, (long long)bytes, INT32_MAX);
    s->output = output;
    s->room = s->entered;
    s->next = s->entered = 0;
    s->from = body.text;
    status = walk(s, body, 0, &again, error);
    if (!status && again != bytes) status = changed(s, error);
    return status ? status : copy(s, body.text + body.length, NULL, error);
}

static int compare_edits(const void *a, const void *b)
{
    const tpad_edit *left = a, *right = b;
    return (left->old.text > right->old.text) - (left->old.text < right->old.text);
}

/* Sorts the edits, and drops those inside another. Returns how many are left. */
static int64_t order_edits(tpad_edit *edits, int64_t count)
{
    const char *end = NULL;
    int64_t kept = 0;
    qsort(edits, (size_t)count, sizeof *edits, compare_edits);
    for (int64_t i = 0; i < count; i++) {
        if (end && edits[i].old.text < end) continue;
        end = edits[i].old.text + edits[i].old.length;
        edits[kept++] = edits[i];
    }
    return kept;
}

int32_t tpad_splice(tpad_output *output, const char *path, tpad_string body, tpad_edit *edits,
                    int64_t count, tpad_io_error *error)
{
    splice s = {.path = path, .edits = edits, .count = order_edits(edits, count)};
    const int32_t status = write_all(&s, output, body, error);
    free(s.lengths);
    return status;
}
