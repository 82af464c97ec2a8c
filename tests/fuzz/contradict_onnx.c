/* ONNX models whose parts disagree.  SPDX-License-Identifier: MIT
 * See contradict.h. */
#include "contradict.h"
#include <stdio.h>
#include <string.h>

/* Field numbers of the ONNX format. */
enum { MODEL_IR = 1, MODEL_GRAPH = 7, MODEL_OPSET, MODEL_FUNCTION = 25 };
enum { GRAPH_NODE = 1, GRAPH_NAME, GRAPH_WEIGHT = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT, GRAPH_VALUE };
enum { GRAPH_SPARSE = 15, SPARSE_VALUES = 1, SPARSE_DIMS = 3 };
enum { NODE_INPUT = 1, NODE_OUTPUT, NODE_NAME, NODE_OP, NODE_ATTRIBUTE, NODE_DOMAIN = 7 };
enum { NODE_OVERLOAD = 8 };
enum { ATTR_NAME = 1, ATTR_I = 3, ATTR_S, ATTR_T, ATTR_G, ATTR_INTS = 8, ATTR_REF = 21 };
enum { FUNCTION_NAME = 1, FUNCTION_INPUT = 4, FUNCTION_OUTPUT, FUNCTION_NODE = 7 };
enum { FUNCTION_OPSET = 9, FUNCTION_DOMAIN, FUNCTION_OVERLOAD = 13 };
enum { MOST_NAMES = 20, MOST_DEPTH = 2 };

/* The names of a graph, and those around it: numbers of texts. */
typedef struct scope {
    int names[MOST_NAMES], count;
    uint32_t reuse; /* of so many names, one is not new */
} scope;

static const char *text_of(char *text, int name)
{
    snprintf(text, 8, "v%d", name);
    return text;
}

/* A name that something is called in this graph: a new one, or now and then one that there is. Then
 * it either hides a name around the graph, or there are two things of one name. */
static const char *make_name(maker *m, scope *s, char *text)
{
    if (s->count == MOST_NAMES || (s->count && rarely(m, s->reuse)))
        return text_of(text, s->names[pick(m, (uint32_t)s->count)]);
    s->names[s->count] = s->count;
    return text_of(text, s->names[s->count++]);
}

/* A name that is used; nobody made the last one. */
static const char *use_name(maker *m, const scope *s, char *text)
{
    const int nobodys = s->count == 0 || rarely(m, 20);
    return rarely(m, 20) ? "" : text_of(text, (int)pick(m, (uint32_t)(s->count + nobodys)));
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void put_weight(maker *m, scope *s)
{
    char name[8];
    const size_t place = put_open(m, GRAPH_WEIGHT);
    put_tensor(m, make_name(m, s, name));
    put_close(m, place);
}

/* One of other elements than it says; often it has the name of a dense one. */
static void put_sparse(maker *m, scope *s)
{
    char name[8];
    const shape *dims = pick_shape(m);
    const size_t place = put_open(m, GRAPH_SPARSE), values = put_open(m, SPARSE_VALUES);
    put_tensor(m, rarely(m, 2) ? make_name(m, s, name) : use_name(m, s, name));
    put_close(m, values);
    for (int i = 0; i < dims->rank; i++) put_number(m, SPARSE_DIMS, dims->extents[i]);
    put_close(m, place);
}

/* A ValueInfoProto. */
static void put_declared(maker *m, uint32_t field, const char *name)
{
    static const int types[] = {7, 7, 7, 1, 9, 6};
    const shape *s = pick_shape(m);
    const size_t place = put_open(m, field);
    put_text(m, 1, name);
    const size_t type = put_open(m, 2), tensor = put_open(m, 1);
    put_number(m, 1, types[pick(m, 6)]);
    if (s->rank >= 0) {
        const size_t dims = put_open(m, 2);
        for (int i = 0; i < s->rank; i++) {
            const size_t dim = put_open(m, 1);
            if (s->extents[i] >= 0) put_number(m, 1, s->extents[i]);
            put_close(m, dim);
        }
        put_close(m, dims);
    }
    put_close(m, tensor);
    put_close(m, type);
    put_close(m, place);
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static const char *const operators[] = {
    "Add",    "Concat",  "Concat",    "Constant",  "ConstantOfShape",
    "Expand", "Flatten", "Gather",    "Gather",    "Identity",
    "If",     "Loop",    "Max",       "Mul",       "Pad",
    "Pad",    "Range",   "ReduceSum", "Reshape",   "Resize",
    "Shape",  "Size",    "Slice",     "Split",     "Squeeze",
    "Sum",    "Tile",    "Transpose", "Unsqueeze", "Where",
    "Where",  "Cast",    "ArgMax",    "Conv",      "MatMul",
    "Equal",  NULL};
static const char *const function_names[] = {"F",   "F",   "G",        "Constant",
                                             "Add", "Pad", "Identity", NULL};
static const char *const domains[] = {"my", "my", "my", "", "ai.onnx", NULL};

static void put_graph(maker *m, uint32_t field, const scope *around, int depth);

static void put_attribute(maker *m, const scope *s, int depth)
{
    static const char *const names[] = {
        "axis",  "axes", "keepdims", "perm", "split",       "start",       "to",         "end",
        "value", "pads", "mode",     "body", "num_outputs", "then_branch", "value_ints", NULL};
    char name[8];
    const char *attribute = pick_text(m, names);
    const size_t place = put_open(m, NODE_ATTRIBUTE);
    put_text(m, ATTR_NAME, attribute);
    if (strcmp(attribute, "mode") == 0) {
        put_text(m, ATTR_S, rarely(m, 2) ? "edge" : "constant");
    } else if (strcmp(attribute, "value") == 0) {
        const size_t tensor = put_open(m, ATTR_T);
        put_tensor(m, use_name(m, s, name));
        put_close(m, tensor);
    } else if (strcmp(attribute, "body") == 0 || strstr(attribute, "branch")) {
        put_graph(m, ATTR_G, s, depth + 1);
    } else if (rarely(m, 2)) {
        put_number(m, ATTR_I, pick_number(m));
    } else {
        for (uint32_t i = pick(m, 5); i > 0; i--) put_number(m, ATTR_INTS, pick_number(m));
    }
    if (rarely(m, 20)) put_text(m, ATTR_REF, attribute);
    put_close(m, place);
}

/* Both branches of an If, or the body of a Loop. */
static void put_bodies(maker *m, const scope *s, const char *op, int depth)
{
    static const char *const bodies[] = {"then_branch", "else_branch", "body"};
    const int is_loop = strcmp(op, "Loop") == 0;
    for (int i = 2 * is_loop; i < 2 + is_loop; i++) {
        const size_t place = put_open(m, NODE_ATTRIBUTE);
        put_text(m, ATTR_NAME, bodies[i]);
        put_graph(m, ATTR_G, s, depth + 1);
        put_close(m, place);
    }
}

static void put_node(maker *m, uint32_t field, scope *s, int depth)
{
    char name[8];
    const char *op = rarely(m, 4) ? pick_text(m, function_names) : pick_text(m, operators);
    const size_t place = put_open(m, field);
    const int holds = (strcmp(op, "If") == 0 || strcmp(op, "Loop") == 0) && depth < MOST_DEPTH;
    if (holds) put_bodies(m, s, op, depth);
    if (rarely(m, 2)) { /* the attribute that most operators have */
        const size_t axis = put_open(m, NODE_ATTRIBUTE);
        put_text(m, ATTR_NAME, "axis");
        put_number(m, ATTR_I, rarely(m, 3) ? pick_number(m) : 0);
        put_close(m, axis);
    }
    for (int i = 0; i < 2 && rarely(m, 2) && depth < MOST_DEPTH; i++) put_attribute(m, s, depth);
    const int is_constant = strcmp(op, "Constant") == 0;
    if (is_constant) {
        const size_t attribute = put_open(m, NODE_ATTRIBUTE);
        put_text(m, ATTR_NAME, "value");
        const size_t tensor = put_open(m, ATTR_T);
        put_tensor(m, "");
        put_close(m, tensor);
        put_close(m, attribute);
    }
    const uint32_t inputs = is_constant ? 0 : 1 + pick(m, 4);
    for (uint32_t i = 0; i < inputs; i++) put_text(m, NODE_INPUT, use_name(m, s, name));
    for (uint32_t i = 1 + (uint32_t)rarely(m, 4); i > 0; i--)
        put_text(m, NODE_OUTPUT, make_name(m, s, name));
    put_text(m, NODE_NAME, "n");
    put_text(m, NODE_OP, op);
    put_text(m, NODE_DOMAIN, strlen(op) == 1 || rarely(m, 8) ? pick_text(m, domains) : "");
    put_text(m, NODE_OVERLOAD, rarely(m, 8) ? "2" : "");
    put_close(m, place);
}

/* A Pad with twice as many amounts as axes, so that they are read. */
static void put_pad(maker *m, scope *s)
{
    char names[3][8], data[8];
    const int64_t count = 1 + (int64_t)pick(m, 3);
    for (int i = 0; i < 2; i++) {
        const size_t weight = put_open(m, GRAPH_WEIGHT);
        put_list(m, make_name(m, s, names[i]), i ? count : 2 * count);
        put_close(m, weight);
    }
    const size_t place = put_open(m, GRAPH_NODE);
    put_text(m, NODE_INPUT, use_name(m, s, data));
    put_text(m, NODE_INPUT, names[0]);
    put_text(m, NODE_INPUT, "");
    put_text(m, NODE_INPUT, names[1]);
    put_text(m, NODE_OUTPUT, make_name(m, s, names[2]));
    put_text(m, NODE_OP, "Pad");
    put_close(m, place);
}

/* The attribute with `usual` numbers, mostly; else it contradicts the rank, the weights or itself. */
static void put_numbers(maker *m, const char *name, uint32_t usual, int64_t number)
{
    const size_t place = put_open(m, NODE_ATTRIBUTE);
    const int is_usual = !rarely(m, 4);
    put_text(m, ATTR_NAME, name);
    for (uint32_t i = is_usual ? usual : pick(m, 4); i > 0; i--)
        put_number(m, ATTR_INTS, is_usual && !rarely(m, 6) ? number : pick_number(m));
    put_close(m, place);
}

/* x of rank 3 -> Pad -> a node over windows, which may take the Pad in. */
static void put_window(maker *m, scope *s)
{
    static const char *const windows[] = {"Conv", "MaxPool", "AveragePool", "LpPool", NULL};
    static const char *const auto_pads[] = {"NOTSET", "VALID", "SAME_UPPER", "SAME", NULL};
    static const int64_t image[] = {1, 2, 5}, amounts[] = {0, 0, 1, 0, 0, 1};
    char x[8], p[8], padded[8], y[8], weights[8];
    const size_t input = put_open(m, GRAPH_INPUT);
    put_text(m, 1, make_name(m, s, x));
    const size_t type = put_open(m, 2), tensor = put_open(m, 1);
    put_number(m, 1, 1);
    const size_t dims = put_open(m, 2);
    for (int i = 0; i < 3; i++) {
        const size_t dim = put_open(m, 1);
        put_number(m, 1, rarely(m, 9) ? pick_number(m) : image[i]);
        put_close(m, dim);
    }
    put_close(m, dims);
    put_close(m, tensor);
    put_close(m, type);
    put_close(m, input);
    const size_t weight = put_open(m, GRAPH_WEIGHT);
    put_number(m, 1, 6); /* dims, data_type, int64_data, name */
    put_number(m, 2, 7);
    for (int i = 0; i < 6; i++) put_number(m, 7, rarely(m, 20) ? pick_number(m) : amounts[i]);
    put_text(m, 8, make_name(m, s, p));
    put_close(m, weight);
    for (int i = 1 + rarely(m, 3); i > 0; i--) { /* two Pads in a row, of the same amounts */
        const size_t pad = put_open(m, GRAPH_NODE);
        put_text(m, NODE_INPUT, x);
        put_text(m, NODE_INPUT, p);
        put_text(m, NODE_OUTPUT, make_name(m, s, padded));
        put_text(m, NODE_OP, "Pad");
        put_close(m, pad);
        memcpy(x, padded, sizeof x);
    }
    const char *op = pick_text(m, windows);
    const size_t place = put_open(m, GRAPH_NODE);
    put_text(m, NODE_INPUT, padded);
    if (strcmp(op, "Conv") == 0) put_text(m, NODE_INPUT, use_name(m, s, weights));
    put_numbers(m, "kernel_shape", 1, 3);
    if (rarely(m, 2)) put_numbers(m, "pads", 2, 1);
    if (rarely(m, 2)) put_numbers(m, "strides", 1, 2);
    if (rarely(m, 2)) put_numbers(m, "dilations", 1, 1);
    const size_t attribute = put_open(m, NODE_ATTRIBUTE);
    put_text(m, ATTR_NAME, rarely(m, 2) ? "auto_pad" : "ceil_mode");
    put_text(m, ATTR_S, pick_text(m, auto_pads));
    put_number(m, ATTR_I, rarely(m, 2));
    put_close(m, attribute);
    put_text(m, NODE_OUTPUT, make_name(m, s, y));
    put_text(m, NODE_OP, op);
    put_close(m, place);
}

/* ---- Graphs and functions -------------------------------------------------------------------- */

static void put_graph(maker *m, uint32_t field, const scope *around, int depth)
{
    char name[8];
    scope own = *around;
    const size_t place = put_open(m, field);
    own.reuse = depth ? 4 : 30;
    put_text(m, GRAPH_NAME, "g");
    if (depth == 0 && rarely(m, 4)) { /* nothing else, so that nothing else is wrong */
        own.reuse = 1000;
        put_window(m, &own);
        put_declared(m, GRAPH_OUTPUT, text_of(name, own.count - 1));
        put_close(m, place);
        return;
    }
    for (uint32_t i = depth ? pick(m, 2) : 2 + pick(m, 3); i > 0; i--) put_weight(m, &own);
    if (rarely(m, 6)) put_sparse(m, &own);
    for (uint32_t i = depth ? pick(m, 3) : 1 + pick(m, 3); i > 0; i--)
        put_declared(m, GRAPH_INPUT, make_name(m, &own, name));
    for (uint32_t i = (depth ? 1 : 2) + pick(m, 3); i > 0; i--)
        put_node(m, GRAPH_NODE, &own, depth);
    if (rarely(m, 4)) put_pad(m, &own);
    for (uint32_t i = 1 + pick(m, 2); i > 0; i--)
        put_declared(m, GRAPH_OUTPUT, use_name(m, &own, name));
    if (rarely(m, 2)) put_declared(m, GRAPH_VALUE, use_name(m, &own, name));
    put_close(m, place);
}

static void put_opset(maker *m, uint32_t field, int64_t version)
{
    const size_t place = put_open(m, field);
    put_number(m, 2, version);
    put_close(m, place);
}

static void put_function(maker *m)
{
    char name[8];
    scope own = {.reuse = 3};
    const size_t place = put_open(m, MODEL_FUNCTION);
    put_text(m, FUNCTION_NAME, pick_text(m, function_names));
    put_text(m, FUNCTION_DOMAIN, pick_text(m, domains));
    put_text(m, FUNCTION_OVERLOAD, rarely(m, 8) ? "2" : "");
    for (uint32_t i = pick(m, 4); i > 0; i--) put_text(m, FUNCTION_INPUT, make_name(m, &own, name));
    for (uint32_t i = 1 + pick(m, 2); i > 0; i--) put_node(m, FUNCTION_NODE, &own, MOST_DEPTH - 1);
    for (uint32_t i = 1 + pick(m, 2); i > 0; i--)
        put_text(m, FUNCTION_OUTPUT, use_name(m, &own, name));
    put_opset(m, FUNCTION_OPSET, 18);
    put_close(m, place);
}

size_t fuzz_contradict(uint8_t *bytes, size_t room, uint32_t number)
{
    static const int64_t opsets[] = {18, 18, 18, 21, 13, 11, 9, 1};
    static const scope nothing;
    maker m = {.bytes = bytes, .room = room, .random = number};
    put_number(&m, MODEL_IR, rarely(&m, 8) ? 3 : 10);
    put_graph(&m, MODEL_GRAPH, &nothing, 0);
    for (uint32_t i = pick(&m, 3); i > 0; i--) put_function(&m);
    put_opset(&m, MODEL_OPSET, opsets[pick(&m, 8)]);
    return m.full ? 0 : m.used;
}
