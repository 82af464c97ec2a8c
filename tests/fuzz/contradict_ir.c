/* Files of OpenVINO IR whose parts disagree.  SPDX-License-Identifier: MIT
 * See contradict.h. As the target takes them: the .xml, a NUL, the .bin. */
#include "contradict.h"
#include <inttypes.h>
#include <string.h>

enum { MOST_LAYERS = 10, CELL_BYTES = 8 };

/* The layers of a graph, up to now: from which port their output comes. */
typedef struct layers {
    int count;
    uint32_t ports[MOST_LAYERS];
} layers;

/* The extents between commas, as the attribute `shape` has them. */
static void put_extents(maker *m, const shape *s)
{
    put_print(m, " shape=\"%s", s->rank < 0 ? "..." : "");
    for (int i = 0; i < s->rank; i++) {
        put_print(m, i ? "," : "");
        if (s->extents[i] < 0)
            put_print(m, "?");
        else
            put_print(m, "%" PRId64, s->extents[i]);
    }
    put_print(m, "\"");
}

/* An output; now and then with a shape of its own, or an id that another port has. */
static void put_output(maker *m, uint32_t id, const char *type)
{
    put_print(m, "<output><port id=\"%u\" precision=\"%s\">", rarely(m, 200) ? 0 : id, type);
    const shape *s = pick_shape(m);
    for (int i = 0; i < s->rank && rarely(m, 3); i++)
        put_print(m, "<dim>%" PRId64 "</dim>", s->extents[i]);
    put_print(m, "</port></output>");
}

/* Begins a layer; now and then with the id or the name of another one. Its input ports follow. */
static void begin_layer(maker *m, layers *all, const char *type, uint32_t inputs)
{
    const int id = rarely(m, 100) ? 0 : all->count;
    all->ports[all->count++] = inputs;
    put_print(m, "<layer id=\"%d\" name=\"l%u\" type=\"%s\" version=\"opset1\">", id,
              pick(m, MOST_LAYERS), type);
    if (!inputs) return;
    put_print(m, "<input>");
    for (uint32_t i = 0; i < inputs; i++) put_print(m, "<port id=\"%u\"/>", rarely(m, 200) ? 0 : i);
    put_print(m, "</input>");
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* A constant or a parameter. The first of a graph is a number, which axes and counts are. */
static void put_source(maker *m, layers *all)
{
    static const shape number = {0, {0}};
    static const char *const types[] = {"i64", "i64", "i64", "i32", "boolean", "u8", "f32", NULL};
    const int is_first = all->count == 0, is_constant = is_first || !rarely(m, 4);
    const char *type = is_first ? types[0] : pick_text(m, types);
    int64_t count = 1;
    const shape *s = is_first ? &number : is_constant ? pick_held_shape(m, &count) : pick_shape(m);
    begin_layer(m, all, is_constant ? "Const" : "Parameter", 0);
    put_print(m, "<data element_type=\"%s\"", type);
    put_extents(m, s);
    if (is_constant)
        put_print(m, " offset=\"%d\" size=\"%" PRId64 "\"",
                  CELL_BYTES * (int)pick(m, (uint32_t)(MOST_CELLS - count + 1)) + rarely(m, 30),
                  CELL_BYTES * count);
    put_print(m, "/>");
    put_output(m, 0, "I64");
    put_print(m, "</layer>");
}

static const char *const operations[] = {
    "Add",          "Broadcast", "Concat",    "Convert",   "Divide",        "Gather",
    "Gather",       "Maximum",   "Pad",       "Range",     "ReduceSum",     "Reshape",
    "Select",       "Select",    "ShapeOf",   "Slice",     "Split",         "Squeeze",
    "StridedSlice", "Tile",      "Transpose", "Unsqueeze", "VariadicSplit", "Equal",
    "MatMul",       NULL};

static void put_graph(maker *m, int depth);

static void put_operation(maker *m, layers *all, int depth)
{
    static const char *const words[] = {"axis",       "keep_dims", "special_zero",     "num_splits",
                                        "begin_mask", "end_mask",  "shrink_axis_mask", NULL};
    const int holds = depth == 0 && rarely(m, 12);
    const char *type = holds ? "If" : rarely(m, 4) ? "Pad" : pick_text(m, operations);
    const uint32_t inputs = rarely(m, 3) ? 1 + pick(m, 4) : 3;
    begin_layer(m, all, type, inputs);
    put_print(m, "<data auto_broadcast=\"numpy\" pad_mode=\"edge\" destination_type=\"%s\"",
              rarely(m, 2) ? "i64" : "u8");
    if (rarely(m, 2))
        put_print(m, " %s=\"%" PRId64 "\"", pick_text(m, words), pick_number(m));
    else
        put_print(m, " axis=\"0\" num_splits=\"2\"");
    put_print(m, "/>");
    if (holds) {
        put_print(m, "<then_body>");
        put_graph(m, depth + 1);
        put_print(m, "</then_body><else_body>");
        put_graph(m, depth + 1);
        put_print(m, "</else_body>");
    }
    put_output(m, inputs, "I64");
    put_print(m, "</layer>");
}

/* An edge from a layer before it to each input; now and then two, or none. */
static void put_edges(maker *m, const layers *all)
{
    put_print(m, "<edges>");
    for (int to = 1; to < all->count; to++)
        for (uint32_t port = 0; port < all->ports[to]; port++)
            for (uint32_t i = rarely(m, 100) ? 2 * pick(m, 2) : 1; i > 0; i--) {
                const uint32_t from = pick(m, (uint32_t)to + (uint32_t)rarely(m, 60));
                put_print(m,
                          "<edge from-layer=\"%u\" from-port=\"%u\" to-layer=\"%d\" "
                          "to-port=\"%u\"/>",
                          from, all->ports[from], to, port);
            }
    put_print(m, "</edges>");
}

static void put_graph(maker *m, int depth)
{
    layers all = {.count = 0};
    put_print(m, "<layers>");
    for (uint32_t i = depth ? 2 : 3 + pick(m, 2); i > 0; i--) put_source(m, &all);
    for (uint32_t i = depth ? 1 : 1 + pick(m, 3); i > 0; i--) put_operation(m, &all, depth);
    begin_layer(m, &all, "Result", 1);
    put_print(m, "</layer></layers>");
    put_edges(m, &all);
}

size_t fuzz_contradict(uint8_t *bytes, size_t room, uint32_t number)
{
    maker m = {.bytes = bytes, .room = room, .random = number};
    put_print(&m, "<net name=\"m\" version=\"%d\">", rarely(&m, 12) ? 7 : 11);
    put_graph(&m, 0);
    put_print(&m, "</net>");
    put_bytes(&m, "", 1);
    for (int i = 0; i < MOST_CELLS; i++) {
        const int64_t number_there = pick_number(&m);
        put_bytes(&m, &number_there, sizeof number_there);
    }
    return m.full ? 0 : m.used;
}
