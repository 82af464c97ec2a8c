/* Nodes that stand for a Pad of an ONNX model and that no target asks for today: what runs is
 * tested with models (tests/formats/test_lower_onnx.py, the kit). SPDX-License-Identifier: MIT
 *
 * The rewrites are made by hand here. The file is read again by a walk of this test's own, which
 * spells out its nodes. */
#include "../models/loaded_models.h"
#include "models/lowering/rewrite.h"

enum { ROOM = 12, TEXT = 4000 };

/* ---- Reading the file ------------------------------------------------------------------------ */

static char spelled[TEXT];

static void spell(const char *format, ...)
{
    const size_t used = strlen(spelled);
    va_list list;
    va_start(list, format);
    assert_true(vsnprintf(spelled + used, TEXT - used, format, list) < (int)(TEXT - used));
    va_end(list);
}

typedef struct part {
    int number;
    int64_t integer;
    float real;
    const unsigned char *bytes; /* NULL where it is a number */
    size_t count;
} part;

static uint64_t take_varint(const unsigned char **at)
{
    uint64_t number = 0;
    int shift = 0;
    do {
        number |= (uint64_t)(**at & 0x7F) << shift;
        shift += 7;
    } while (*(*at)++ & 0x80);
    return number;
}

static part take_part(const unsigned char **at)
{
    part p = {0};
    const uint64_t tag = take_varint(at);
    p.number = (int)(tag >> 3);
    if ((tag & 7) == 2) {
        p.count = take_varint(at);
        p.bytes = *at;
        *at += p.count;
    } else if ((tag & 7) == 5) {
        memcpy(&p.real, *at, sizeof p.real);
        *at += sizeof p.real;
    } else {
        assert_int_equal(tag & 7, 0);
        p.integer = (int64_t)take_varint(at);
    }
    return p;
}

/* "7[2]:0300..." or, of strings, "8[2]:ab,c" */
static void spell_tensor(part tensor)
{
    const unsigned char *at = tensor.bytes, *const end = at + tensor.count;
    int64_t type = 0;
    char dims[100] = "", data[1000] = "";
    while (at < end) {
        const part p = take_part(&at);
        const size_t used = strlen(data), room = strlen(dims);
        if (p.number == 1)
            snprintf(dims + room, sizeof dims - room, "%s%lld", room ? "," : "",
                     (long long)p.integer);
        if (p.number == 2) type = p.integer;
        if (p.number == 6)
            snprintf(data + used, sizeof data - used, "%s%.*s", used ? "," : "", (int)p.count,
                     (const char *)p.bytes);
        for (size_t i = 0; p.number == 9 && i < p.count; i++)
            snprintf(data + 2 * i, sizeof data - 2 * i, "%02x", p.bytes[i]);
    }
    spell("%d[%s]:%s", (int)type, dims, data);
}

static void spell_attribute(part attribute)
{
    const unsigned char *at = attribute.bytes, *const end = at + attribute.count;
    int64_t kind = 0;
    for (const unsigned char *first = at; first < end;) {
        const part p = take_part(&first);
        if (p.number == ATTR_NAME) spell(" %.*s=", (int)p.count, (const char *)p.bytes);
        if (p.number == ATTR_TYPE) kind = p.integer;
    }
    int entries = 0;
    while (at < end) {
        const part p = take_part(&at);
        if (p.number == ATTR_F && kind == 1) spell("%g", (double)p.real);
        if (p.number == ATTR_I && kind == 2) spell("%lld", (long long)p.integer);
        if (p.number == ATTR_S && kind == 3) spell("'%.*s'", (int)p.count, (const char *)p.bytes);
        if (p.number == ATTR_T && kind == 4) spell_tensor(p);
        if (p.number == ATTR_INTS && kind == 7)
            spell("%s%lld", entries++ ? "," : "", (long long)p.integer);
    }
}

/* The texts of that number, with commas between. */
static void spell_texts(part node, int number)
{
    int count = 0;
    for (const unsigned char *at = node.bytes; at < node.bytes + node.count;) {
        const part p = take_part(&at);
        if (p.number == number)
            spell("%s%.*s", count++ ? "," : "", (int)p.count, (const char *)p.bytes);
    }
}

/* "y = Pad(x,p) mode='edge'", then what else the node has; a line each */
static void spell_node(part node)
{
    const unsigned char *const end = node.bytes + node.count;
    spell_texts(node, NODE_OUTPUT);
    spell(" = ");
    spell_texts(node, NODE_OP);
    spell("(");
    spell_texts(node, NODE_INPUT);
    spell(")");
    for (const unsigned char *at = node.bytes; at < end;) {
        const part p = take_part(&at);
        if (p.number == NODE_ATTRIBUTE) spell_attribute(p);
    }
    for (const unsigned char *at = node.bytes; at < end;) {
        const part p = take_part(&at);
        if (p.number == NODE_NAME || p.number > NODE_ATTRIBUTE)
            spell(" %d:%.*s", p.number, (int)p.count, (const char *)p.bytes);
    }
    spell("\n");
}

/* Spells out the nodes of the graph. */
static void spell_nodes(const char *path)
{
    static unsigned char file[20000];
    const size_t count = scratch_read(path, file, sizeof file);
    *spelled = 0;
    for (const unsigned char *at = file; at < file + count;) {
        const part p = take_part(&at);
        if (p.number != MODEL_GRAPH) continue;
        for (const unsigned char *inner = p.bytes; inner < p.bytes + p.count;) {
            const part n = take_part(&inner);
            if (n.number == GRAPH_NODE) spell_node(n);
        }
    }
}

/* ---- Rewrites -------------------------------------------------------------------------------- */

static int64_t shape[] = {2, 3}, scalar[1];
static int64_t one_two[] = {1, 2}, axes[] = {0, 1}, begin[] = {1, 0}, end[] = {0, -2};
static tpad_operand operands[ROOM];
static tpad_step steps[ROOM];
static int32_t inputs[ROOM][3];
static int32_t operand_count, step_count;

static int32_t operand(int32_t kind, int32_t type, int32_t rank, int64_t *extents, const void *data)
{
    operands[operand_count] = (tpad_operand){kind, type, rank, extents, data};
    return operand_count++;
}

/* Of data and, where there is one, the pad value: operands 0 and 1. */
static void start(void)
{
    step_count = operand_count = 0;
    operand(OPERAND_DATA, TPAD_ONNX_FLOAT, 2, shape, NULL);
    operand(OPERAND_VALUE, TPAD_ONNX_FLOAT, 0, scalar, NULL);
}

/* A step of up to three operands, the others -1; its result is a float. */
static int32_t step(tpad_step s, int32_t a, int32_t b, int32_t c)
{
    const int32_t all[] = {a, b, c};
    for (s.input_count = 0; s.input_count < 3 && all[s.input_count] >= 0; s.input_count++)
        inputs[step_count][s.input_count] = all[s.input_count];
    s.inputs = inputs[step_count];
    s.output = operand(OPERAND_STEP, TPAD_ONNX_FLOAT, 2, shape, NULL);
    steps[step_count++] = s;
    return s.output;
}

/* Writes that model with the rewrite in place of its only Pad. */
static int32_t write_to(const message *m, const char *path)
{
    tpad_model *model = load(m);
    tpad_lowered_node done = {.outcome = TPAD_LOWER_REWRITTEN};
    tpad_rewrite rewrite = {&model->pads[0], operands, operand_count, steps, step_count};
    tpad_lowering lowering = {.model = model, .nodes = &done, .rewrites = &rewrite};
    tpad_output *output;
    assert_int_equal(tpad_model_pad_count(model), 1);
    assert_int_equal(tpad_lowering_prefix(&lowering, &error), TPAD_OK);
    assert_int_equal(tpad_output_begin(&output, path, NULL, 1, &error), TPAD_OK);
    int32_t status = tpad_lowering_write(&lowering, output, NULL, &error);
    if (status)
        tpad_output_discard(output);
    else
        status = tpad_output_commit(output, &error);
    tpad_arena_free(&lowering.arena);
    tpad_model_free(model);
    return status;
}

/* The nodes of the rewrite, written at that opset, must be these. */
static void gives(int64_t opset, const char *expected)
{
    message graph = {0};
    message n = node("Pad", "pad", "x p v", "y");
    add_mode(&n, "constant");
    put_message(&graph, GRAPH_NODE, &n);
    const message m = model_of(&graph, opset);
    if (write_to(&m, "out.onnx")) fail_msg("%s", error.text);
    spell_nodes("out.onnx");
    if (strcmp(spelled, expected) != 0)
        fail_msg("opset %d:\n%swanted:\n%s", (int)opset, spelled, expected);
}

/* A constant that is used twice has one node, before its first use. */
static void test_concat(void **state)
{
    static const float numbers[] = {1, 2};
    (void)state;
    start();
    const int32_t constant = operand(OPERAND_CONSTANT, TPAD_ONNX_FLOAT, 2, one_two, numbers);
    const int32_t first = step((tpad_step){.op = TPAD_RULES_USE_IDENTITY}, 0, -1, -1);
    step((tpad_step){.op = TPAD_RULES_USE_CONCAT, .axis = 1}, constant, first, constant);
    gives(1, "lowered0_3 = Identity(x) 3:lowered0_3\n"
             "lowered0_2 = Constant() value=1[1,2]:0000803f00000040 3:lowered0_2\n"
             "y = Concat(lowered0_2,lowered0_3,lowered0_2) axis=1 3:pad\n");
}

static void test_constants(void **state)
{
    static const tpad_string words[] = {{"ab", 2}, {NULL, 0}};
    static const unsigned char packed[] = {0x21, 0x03};
    static int64_t three_of[] = {3}, empty[] = {2, 0};
    (void)state;
    start();
    const int32_t constant = operand(OPERAND_CONSTANT, TPAD_ONNX_STRING, 2, one_two, words);
    step((tpad_step){.op = TPAD_RULES_USE_CONSTANT}, constant, -1, -1);
    gives(13, "y = Constant() value=8[1,2]:ab, 3:pad\n");
    operands[constant] = (tpad_operand){OPERAND_CONSTANT, TPAD_ONNX_INT4, 1, three_of, packed};
    gives(25, "y = Constant() value=22[3]:2103 3:pad\n");
    operands[constant] = (tpad_operand){OPERAND_CONSTANT, TPAD_ONNX_FLOAT, 2, empty, ""};
    gives(13, "y = Constant() value=1[2,0]: 3:pad\n");
}

/* ---- Pads ------------------------------------------------------------------------------------ */

static void test_pad_with_attributes(void **state)
{
    static const float number = 1.5f;
    tpad_step s = {.op = STEP_PAD, .count = 2, .mode = "constant"};
    (void)state;
    s.begin = begin;
    s.end = end;
    start();
    const int32_t value = operand(OPERAND_CONSTANT, TPAD_ONNX_FLOAT, 0, scalar, &number);
    step(s, 0, value, -1);
    gives(1, "y = Pad(x) mode='constant' paddings=1,0,0,-2 value=1.5 3:pad\n");
    steps[0].input_count = 1;
    steps[0].mode = "edge";
    gives(2, "y = Pad(x) mode='edge' pads=1,0,0,-2 3:pad\n");
}

#define AMOUNTS                                                                                    \
    "value=7[4]:010000000000000000000000000000000000000000000000feffffffffffffff 3:lowered0_3\n"
#define AXES "value=7[2]:00000000000000000100000000000000 3:lowered0_4\n"

static void test_pad_with_inputs(void **state)
{
    tpad_step s = {.op = STEP_PAD, .count = 2, .mode = "constant"};
    (void)state;
    s.begin = begin;
    s.end = end;
    start();
    step(s, 0, 1, -1);
    gives(11, "lowered0_3 = Constant() " AMOUNTS "y = Pad(x,lowered0_3,v) mode='constant' 3:pad\n");
    steps[0].axes = axes;
    gives(18, "lowered0_3 = Constant() " AMOUNTS "lowered0_4 = Constant() " AXES
              "y = Pad(x,lowered0_3,v,lowered0_4) mode='constant' 3:pad\n");
    steps[0].input_count = 1;
    steps[0].mode = "wrap";
    gives(19, "lowered0_3 = Constant() " AMOUNTS "lowered0_4 = Constant() " AXES
              "y = Pad(x,lowered0_3,,lowered0_4) mode='wrap' 3:pad\n");
    steps[0].axes = NULL;
    gives(19, "lowered0_3 = Constant() " AMOUNTS "y = Pad(x,lowered0_3) mode='wrap' 3:pad\n");
}

/* ---- Other files ----------------------------------------------------------------------------- */

static message outside(int32_t type, const char *name, const char *location)
{
    message m = tensor_head(type, 1, (const int64_t[]){1}, name), entry = {0};
    put_text(&entry, 1, "location");
    put_text(&entry, 2, location);
    put_message(&m, 13, &entry);
    put_number(&m, 14, 1);
    return m;
}

static void expect_path(const message *graph, const char *path)
{
    const message m = model_of(graph, 18);
    save("m.onnx", &m);
    char here[sizeof scratch_folder + 16];
    snprintf(here, sizeof here, "%s/m.onnx", scratch_folder);
    tpad_model *model;
    if (tpad_model_load_shaped(&model, here, NULL, 0, &error)) fail_msg("%s", error.text);
    const char *found = tpad_model_weights_path(model);
    if (!path)
        assert_null(found);
    else if (!found || strncmp(found, scratch_folder, strlen(scratch_folder)) != 0 ||
             strcmp(found + strlen(scratch_folder), path) != 0)
        fail_msg("'%s', wanted '%s'", found ? found : "", path);
    tpad_model_free(model);
}

static void test_external_data(void **state)
{
    message graph = {0}, sparse = {0}, n = node("Mine", "m", "x", "y"), attribute = {0};
    const message known = outside(TPAD_ONNX_FLOAT, "w", "a.bin");
    const message unknown = outside(99, "u", "b.bin");
    message inside = tensor_head(TPAD_ONNX_FLOAT, 1, (const int64_t[]){0}, "v");
    message broken = outside(TPAD_ONNX_FLOAT, "w", "c.bin"), nowhere = {0};
    (void)state;
    put_message(&graph, GRAPH_WEIGHT, &inside);
    expect_path(&graph, NULL);
    put_message(&sparse, 1, &unknown);
    put_message(&graph, 15, &sparse);
    expect_path(&graph, "/b.bin");
    graph.count = 0;
    put_message(&graph, GRAPH_WEIGHT, &known);
    put_message(&graph, 15, &sparse);
    expect_path(&graph, "/a.bin"); /* the first one */
    graph.count = 0;
    put_text(&attribute, ATTR_NAME, "t");
    put_message(&attribute, ATTR_T, &known);
    put_message(&n, NODE_ATTRIBUTE, &attribute);
    put_message(&graph, GRAPH_NODE, &n);
    expect_path(&graph, "/a.bin");
    put_number(&nowhere, 14, 1);
    attribute.count = n.count = graph.count = 0;
    put_message(&attribute, ATTR_T, &nowhere);
    put_message(&n, NODE_ATTRIBUTE, &attribute);
    put_message(&graph, GRAPH_NODE, &n);
    expect_path(&graph, NULL);
    put_text(&broken, 13, "\xff"); /* no entry */
    attribute.count = n.count = graph.count = 0;
    put_message(&attribute, ATTR_T, &broken);
    put_message(&n, NODE_ATTRIBUTE, &attribute);
    put_message(&graph, GRAPH_NODE, &n);
    expect_path(&graph, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_concat),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_pad_with_attributes),
        cmocka_unit_test(test_pad_with_inputs),
        cmocka_unit_test(test_external_data),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
