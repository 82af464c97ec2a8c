/* An IR written again: which layers, edges and constants stand for a Pad, and that all else stays.
 * SPDX-License-Identifier: MIT
 *
 * The rewrites are made by hand here, so that every operation occurs. */
#include "../../support/scratch.h"
#include "models/folding/folding.h"
#include "models/lowering/rewrite.h"

enum { ROOM = 40, TEXT = 20000 };

static tpad_io_error error;
static tpad_model *model;
static char before[TEXT], after[TEXT];
static unsigned char bin[TEXT];
static size_t bin_count;

/* ---- Files ----------------------------------------------------------------------------------- */

static const char input[] =
    "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"2,3\" "
    "element_type=\"i32\"/><output><port id=\"0\" precision=\"I32\"><dim>2</dim><dim>3</dim>"
    "</port></output></layer>";
static const char amounts[] =
    "<layer id=\"1\" name=\"b\" type=\"Const\" version=\"opset1\"><data element_type=\"i64\" "
    "shape=\"2\" offset=\"0\" size=\"16\"/><output><port id=\"0\" precision=\"I64\"><dim>2</dim>"
    "</port></output></layer>";
static const char pad[] =
    "<layer id=\"2\" name=\"pad\" type=\"Pad\" version=\"opset12\"><data pad_mode=\"constant\"/>"
    "<input><port id=\"0\"/><port id=\"1\"/><port id=\"2\"/><port id=\"3\"/></input>"
    "<output><port id=\"4\" precision=\"I32\" names=\"y\"/></output></layer>";
static const char edges[] =
    "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>\n"
    "<edge from-layer=\"1\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/>\n"
    "<edge from-layer=\"1\" from-port=\"0\" to-layer=\"2\" to-port=\"2\"/>\n"
    "<edge from-layer=\"3\" from-port=\"0\" to-layer=\"2\" to-port=\"3\"/>\n"
    "<edge from-layer=\"2\" from-port=\"4\" to-layer=\"7\" to-port=\"0\"/>\n";
static const char rest[] =
    "<layer id=\"3\" name=\"v\" type=\"Parameter\" version=\"opset1\"><data shape=\"\" "
    "element_type=\"i32\"/><output><port id=\"0\" precision=\"I32\"/></output></layer>"
    "<layer id=\"7\" name=\"lowered0_0\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/>"
    "</input></layer>";
static const unsigned char ones[] = {1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xAB};

static void load(const char *version, const char *the_pad, const char *the_edges)
{
    snprintf(before, sizeof before,
             "<net name=\"m\" version=\"%s\"><layers>%s%s\n %s%s</layers><edges>\n%s</edges></net>",
             version, input, amounts, the_pad, rest, the_edges);
    scratch_write("m.xml", before, strlen(before));
    scratch_write("m.bin", ones, sizeof ones);
    if (tpad_model_load_shaped(&model, "m.xml", NULL, 0, &error)) fail_msg("%s", error.text);
}

static void load_usual(void)
{
    load("11", pad, edges);
}

/* The usual Pad with a text in place of another one. */
static const char *pad_with(const char *from, const char *to)
{
    static char text[2000];
    const char *at = strstr(pad, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - pad), pad, to, at + strlen(from));
    return text;
}

/* ---- Rewrites -------------------------------------------------------------------------------- */

static int64_t shape[] = {2, 3}, three[] = {3}, none[] = {0, 3};
static tpad_operand operands[ROOM];
static tpad_step steps[ROOM];
static int32_t inputs[ROOM][ROOM];
static int32_t operand_count, step_count;

static int32_t operand(int32_t kind, int32_t type, int32_t rank, int64_t *extents, const void *data)
{
    operands[operand_count] = (tpad_operand){kind, type, rank, extents, data};
    return operand_count++;
}

static void begin(void)
{
    step_count = operand_count = 0;
    operand(OPERAND_DATA, TPAD_ONNX_INT32, 2, shape, NULL);
}

/* A step of up to three operands, the others -1; its result has the shape of the data. */
static int32_t step(tpad_step s, int32_t type, int32_t a, int32_t b, int32_t c)
{
    const int32_t all[] = {a, b, c};
    for (s.input_count = 0; s.input_count < 3 && all[s.input_count] >= 0; s.input_count++)
        inputs[step_count][s.input_count] = all[s.input_count];
    s.inputs = inputs[step_count];
    s.output = operand(OPERAND_STEP, type, 2, shape, NULL);
    steps[step_count++] = s;
    return s.output;
}

/* Writes the model with that rewrite in place of its only Pad. */
static int32_t write_to(const char *xml_path, const char *bin_path)
{
    tpad_lowered_node node = {.outcome = TPAD_LOWER_REWRITTEN};
    tpad_rewrite rewrite = {&model->pads[0], operands, operand_count, steps, step_count};
    tpad_lowering lowering = {.model = model, .nodes = &node, .rewrites = &rewrite};
    tpad_output *xml, *weights;
    assert_int_equal(tpad_lowering_prefix(&lowering, &error), TPAD_OK);
    assert_int_equal(tpad_output_begin(&xml, xml_path, NULL, 1, &error), TPAD_OK);
    assert_int_equal(tpad_output_begin(&weights, bin_path, NULL, 1, &error), TPAD_OK);
    int32_t status = tpad_lowering_write(&lowering, xml, weights, &error);
    if (!status) status = tpad_output_commit(xml, &error);
    if (!status) status = tpad_output_commit(weights, &error);
    if (status) {
        tpad_output_discard(weights);
        tpad_output_discard(xml);
    }
    tpad_arena_free(&lowering.arena);
    return status;
}

static void write_model(void)
{
    if (write_to("out.xml", "out.bin")) fail_msg("%s", error.text);
    memset(after, 0, sizeof after);
    scratch_read("out.xml", after, sizeof after - 1);
    bin_count = scratch_read("out.bin", bin, sizeof bin);
    tpad_model_free(model);
    if (tpad_model_load_shaped(&model, "out.xml", NULL, 0, &error)) fail_msg("%s", error.text);
    tpad_model_free(model);
}

static void expect(const char *text)
{
    if (!strstr(after, text)) fail_msg("not there: %s\nin %s", text, after);
}

/* That number in the new bytes, the first of which are at 24. */
static int64_t number_at(int index)
{
    int64_t number;
    assert_true(bin_count >= 24 + 8 * (size_t)(index + 1));
    memcpy(&number, bin + 24 + 8 * index, sizeof number);
    return number;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static const char out[] = "<output><port id=\"4\" precision=\"I32\" names=\"y\"/></output></layer>";

/* Everything but the Pad, its edges and what is added stands where it stood. */
static void test_the_rest_stays(void **state)
{
    static char wanted[TEXT];
    (void)state;
    load_usual();
    begin();
    step((tpad_step){.op = TPAD_RULES_USE_IDENTITY}, TPAD_ONNX_INT32, 0, -1, -1);
    write_model();
    snprintf(wanted, sizeof wanted,
             "<net name=\"m\" version=\"11\"><layers>%s%s\n "
             "<layer id=\"8\" name=\"lowered_0_0\" type=\"Const\" version=\"opset1\">"
             "<data element_type=\"i64\" shape=\"2\" offset=\"24\" size=\"16\"/>"
             "<output><port id=\"0\" precision=\"I64\"><dim>2</dim></port></output></layer>\n "
             "<layer id=\"2\" name=\"pad\" type=\"Reshape\" version=\"opset1\">"
             "<data special_zero=\"true\"/><input><port id=\"0\" precision=\"I32\"><dim>2</dim>"
             "<dim>3</dim></port><port id=\"1\" precision=\"I64\"><dim>2</dim></port></input>%s"
             "%s</layers><edges>\n"
             "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>\n"
             "<edge from-layer=\"8\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/>\n"
             "<edge from-layer=\"2\" from-port=\"4\" to-layer=\"7\" to-port=\"0\"/>\n"
             "</edges></net>",
             input, amounts, out, rest);
    assert_string_equal(after, wanted);
    static const unsigned char zeros[7 + 16];
    assert_int_equal(bin_count, 40);
    assert_memory_equal(bin, ones, sizeof ones);
    assert_memory_equal(bin + sizeof ones, zeros, sizeof zeros);
}

/* Every operation as the last one, with what it has beside its operands. */
static void test_operations(void **state)
{
    static const int64_t lists[][2] = {{1, 0}, {-1, INT64_MAX}, {5, INT64_MIN}, {2, -1}};
    const struct {
        tpad_step step;
        int32_t ins;         /* operands, of which all but the first are constants */
        const char *layer;   /* of the Pad's element up to its inputs */
        int64_t numbers[10]; /* in the .bin */
    } cases[] = {
        {{.op = TPAD_RULES_USE_RESHAPE, .count = 2, .list = lists[3]},
         1,
         "\"Reshape\" version=\"opset1\"><data special_zero=\"true\"/><input>",
         {2, -1}},
        {{.op = TPAD_RULES_USE_EXPAND, .count = 2, .list = lists[3]},
         1,
         "\"Broadcast\" version=\"opset3\"><data mode=\"bidirectional\"/><input>",
         {2, -1}},
        {{.op = TPAD_RULES_USE_SLICE,
          .count = 2,
          .axes = lists[0],
          .starts = lists[3],
          .ends = lists[1]},
         1,
         "\"Slice\" version=\"opset8\"><input>",
         {2, -1, -1, INT64_MAX, 1, 1, 1, 0}},
        {{.op = TPAD_RULES_USE_SLICE_BACK,
          .count = 1,
          .axes = lists[0],
          .starts = lists[1],
          .ends = &lists[2][1]},
         1,
         "\"Slice\" version=\"opset8\"><input>",
         {-1, INT64_MIN, -1, 1}},
        {{.op = TPAD_RULES_USE_CONCAT, .axis = 1},
         1,
         "\"Concat\" version=\"opset1\"><data axis=\"1\"/><input>",
         {0}},
        {{.op = TPAD_RULES_USE_GATHER, .axis = 1, .count = 2, .list = lists[0]},
         1,
         "\"Gather\" version=\"opset8\"><data batch_dims=\"0\"/><input>",
         {1, 0, 1}},
        {{.op = STEP_CAST},
         1,
         "\"Convert\" version=\"opset1\"><data destination_type=\"i32\"/><input>",
         {0}},
        {{.op = STEP_PAD, .count = 2, .begin = lists[0], .end = lists[3], .mode = "edge"},
         1,
         "\"Pad\" version=\"opset12\"><data pad_mode=\"edge\"/><input>",
         {1, 0, 2, -1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        load_usual();
        begin();
        step(cases[i].step, TPAD_ONNX_INT32, 0, -1, -1);
        write_model();
        snprintf(text, sizeof text, "<layer id=\"2\" name=\"pad\" type=%s", cases[i].layer);
        expect(text);
        expect(out);
        int last = 9;
        while (last >= 0 && cases[i].numbers[last] == 0) last--;
        for (int k = 0; k <= last; k++) assert_int_equal(number_at(k), cases[i].numbers[k]);
    }
}

/* One step after the other: the new layers, their names and their edges. */
static void test_chain(void **state)
{
    static const unsigned char mask[] = {1, 0, 1};
    (void)state;
    load_usual();
    begin();
    const int32_t value = operand(OPERAND_VALUE, TPAD_ONNX_INT32, 0, NULL, NULL);
    const int32_t condition = operand(OPERAND_CONSTANT, TPAD_ONNX_BOOL, 1, three, mask);
    const int32_t wide = step((tpad_step){.op = STEP_CAST}, TPAD_ONNX_FLOAT16, 0, -1, -1);
    const int32_t back = step((tpad_step){.op = STEP_CAST}, TPAD_ONNX_INT32, wide, -1, -1);
    const int32_t where =
        step((tpad_step){.op = TPAD_RULES_USE_WHERE}, TPAD_ONNX_INT32, condition, back, value);
    step((tpad_step){.op = TPAD_RULES_USE_WHERE}, TPAD_ONNX_INT32, condition, where, value);
    write_model();
    expect("<layer id=\"8\" name=\"lowered_0_0\" type=\"Convert\" version=\"opset1\">"
           "<data destination_type=\"f16\"/><input><port id=\"0\" precision=\"I32\"><dim>2</dim>"
           "<dim>3</dim></port></input><output><port id=\"1\" precision=\"FP16\"><dim>2</dim>"
           "<dim>3</dim></port></output></layer>\n <layer id=\"9\" name=\"lowered_0_1\"");
    expect("<layer id=\"10\" name=\"lowered_0_2\" type=\"Const\" version=\"opset1\">"
           "<data element_type=\"boolean\" shape=\"3\" offset=\"24\" size=\"3\"/>");
    expect("<layer id=\"11\" name=\"lowered_0_3\" type=\"Select\" version=\"opset1\">"
           "<data auto_broadcast=\"numpy\"/><input><port id=\"0\" precision=\"BOOL\"><dim>3</dim>"
           "</port><port id=\"1\" precision=\"I32\"><dim>2</dim><dim>3</dim></port>"
           "<port id=\"2\" precision=\"I32\"></port></input>"
           "<output><port id=\"3\" precision=\"I32\">");
    expect("<layer id=\"2\" name=\"pad\" type=\"Select\" version=\"opset1\">");
    expect("<edges>\n<edge from-layer=\"0\" from-port=\"0\" to-layer=\"8\" to-port=\"0\"/>\n"
           "<edge from-layer=\"8\" from-port=\"1\" to-layer=\"9\" to-port=\"0\"/>\n"
           "<edge from-layer=\"10\" from-port=\"0\" to-layer=\"11\" to-port=\"0\"/>\n"
           "<edge from-layer=\"9\" from-port=\"1\" to-layer=\"11\" to-port=\"1\"/>\n"
           "<edge from-layer=\"3\" from-port=\"0\" to-layer=\"11\" to-port=\"2\"/>\n"
           "<edge from-layer=\"10\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>\n"
           "<edge from-layer=\"11\" from-port=\"3\" to-layer=\"2\" to-port=\"1\"/>\n"
           "<edge from-layer=\"3\" from-port=\"0\" to-layer=\"2\" to-port=\"2\"/>\n"
           "<edge from-layer=\"2\" from-port=\"4\"");
    assert_int_equal(bin_count, 27); /* the constant is there once */
}

/* The value of a Pad comes after its amounts. */
static void test_pad_with_value(void **state)
{
    static const int64_t amount[] = {1, 1};
    (void)state;
    load_usual();
    begin();
    const int32_t value = operand(OPERAND_VALUE, TPAD_ONNX_INT32, 0, NULL, NULL);
    step(
        (tpad_step){.op = STEP_PAD, .count = 2, .begin = amount, .end = amount, .mode = "constant"},
        TPAD_ONNX_INT32, 0, value, -1);
    write_model();
    expect("<edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>\n"
           "<edge from-layer=\"8\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/>\n"
           "<edge from-layer=\"9\" from-port=\"0\" to-layer=\"2\" to-port=\"2\"/>\n"
           "<edge from-layer=\"3\" from-port=\"0\" to-layer=\"2\" to-port=\"3\"/>\n"
           "<edge from-layer=\"2\" from-port=\"4\"");
}

/* Ports of inputs leave out the id of the output. */
static void test_many_inputs(void **state)
{
    (void)state;
    load_usual();
    begin();
    step((tpad_step){.op = TPAD_RULES_USE_CONCAT}, TPAD_ONNX_INT32, 0, 0, 0);
    for (int i = 3; i < 6; i++) inputs[0][i] = 0;
    steps[0].input_count = 6;
    write_model();
    expect(
        "to-layer=\"2\" to-port=\"3\"/>\n<edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" "
        "to-port=\"5\"/>\n<edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"6\"/>\n"
        "<edge from-layer=\"2\" from-port=\"4\"");
}

/* A constant needs no input and no edge. */
static void test_constants(void **state)
{
    static const int32_t numbers[] = {1, 2, 3, 4, 5, 0x01020304};
    static const tpad_string strings[] = {{"ab", 2}, {NULL, 0}, {"cde", 3}};
    static const unsigned char packed[] = {3, 0, 0, 0, 0, 0, 0, 0,   2,   0,   0,   0,  2,
                                           0, 0, 0, 5, 0, 0, 0, 'a', 'b', 'c', 'd', 'e'};
    const struct {
        tpad_operand constant;
        const char *data;
        const void *bytes;
        size_t count;
    } cases[] = {
        {{OPERAND_CONSTANT, TPAD_ONNX_INT32, 2, shape, numbers},
         "element_type=\"i32\" shape=\"2, 3\" offset=\"24\" size=\"24\"",
         numbers,
         24},
        {{OPERAND_CONSTANT, TPAD_ONNX_STRING, 1, three, strings},
         "element_type=\"string\" shape=\"3\" offset=\"24\" size=\"25\"",
         packed,
         25},
        {{OPERAND_CONSTANT, TPAD_ONNX_UINT4, 1, three, "\x21\x03"},
         "element_type=\"u4\" shape=\"3\" offset=\"24\" size=\"2\"",
         "\x21\x03",
         2},
        {{OPERAND_CONSTANT, TPAD_ONNX_STRING, 2, none, NULL},
         "element_type=\"string\" shape=\"0, 3\" offset=\"24\" size=\"8\"",
         "\0\0\0\0\0\0\0\0",
         8},
        {{OPERAND_CONSTANT, TPAD_ONNX_INT32, 2, none, NULL},
         "element_type=\"i32\" shape=\"0, 3\" offset=\"17\" size=\"0\"",
         "",
         0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        load_usual();
        begin();
        operands[operand_count++] = cases[i].constant;
        step((tpad_step){.op = TPAD_RULES_USE_CONSTANT}, TPAD_ONNX_INT32, 1, -1, -1);
        write_model();
        snprintf(text, sizeof text,
                 "<layer id=\"2\" name=\"pad\" type=\"Const\" version=\"opset1\"><data %s/>%s",
                 cases[i].data, out);
        expect(text);
        expect("<edges>\n<edge from-layer=\"2\"");
        assert_int_equal(bin_count, cases[i].count ? 24 + cases[i].count : sizeof ones);
        assert_memory_equal(bin + bin_count - cases[i].count, cases[i].bytes, cases[i].count);
    }
}

/* How a layer may be written, and what becomes of it. */
static void test_odd_layers(void **state)
{
    static const char ports[] = "<port id=\"0\"/><port id=\"1\"/><port id=\"2\"/><port id=\"3\"/>";
    static const char *const cases[][2] = {
        /* single quotes, blanks around '=', an attribute whose name and whose value mislead */
        {"<layer id = '2' x-type=' type=\"Pad\"' name='p&amp;\"q' version\n=\n'opset12' type= "
         "'Pad' "
         "><data pad_mode='edge'></data>",
         "<layer id = '2' x-type=' type=\"Pad\"' name='p&amp;\"q' version\n=\n'opset1' type= "
         "'Reshape' ><data special_zero=\"true\"/><input>"},
        /* no version, no data */
        {"<layer type='Pad' id='2'>", "<layer type='Reshape' version='opset1' id='2'>"
                                      "<data special_zero=\"true\"/><input>"},
        /* comments, and parts that a layer may have beside others */
        {"<layer id=\"2\" version=\"opset12\" type=\"Pad\"><!-- <data/> --><rt_info>"
         "<attribute name=\"fused_names\"/></rt_info><data pad_mode=\"edge\"><![CDATA[x]]></data>"
         "<!-- b -->",
         "<layer id=\"2\" version=\"opset1\" type=\"Reshape\"><!-- <data/> --><rt_info>"
         "<attribute name=\"fused_names\"/></rt_info><data special_zero=\"true\"/><!-- b -->"
         "<input>"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "%s<input>%s</input><output><port id=\"4\" precision=\"I32\"/></output></layer>",
                 cases[i][0], ports);
        load("10", text, edges);
        begin();
        step((tpad_step){.op = TPAD_RULES_USE_IDENTITY}, TPAD_ONNX_INT32, 0, -1, -1);
        write_model();
        expect(cases[i][1]);
        expect("</input><output><port id=\"4\" precision=\"I32\"/></output></layer>");
    }
}

/* The edges to a Pad in any order, with others between. */
static void test_odd_edges(void **state)
{
    (void)state;
    load("11", pad,
         "<!-- a --><edge from-layer='3' from-port='0' to-layer='2' to-port='3'></edge><!-- b -->\n"
         "  <edge from-layer='2' from-port='4' to-layer='7' to-port='0'/>\n"
         "  <edge from-layer='0' from-port='0' to-layer='2' to-port='0'/>\n"
         "  <edge from-layer='1' from-port='0' to-layer='2' to-port='1'/>\n"
         "  <edge from-layer='1' from-port='0' to-layer='2' to-port='2'/>\n");
    begin();
    step((tpad_step){.op = TPAD_RULES_USE_IDENTITY}, TPAD_ONNX_INT32, 0, -1, -1);
    write_model();
    expect("<!-- a --><edge from-layer=\"0\" from-port=\"0\" to-layer=\"2\" to-port=\"0\"/>"
           "<edge from-layer=\"8\" from-port=\"0\" to-layer=\"2\" to-port=\"1\"/><!-- b -->\n"
           "  <edge from-layer='2' from-port='4' to-layer='7' to-port='0'/>\n"
           "</edges>");
}

/* A model without constants has no .bin; one is made. */
static void test_without_bin(void **state)
{
    (void)state;
    snprintf(before, sizeof before,
             "<net version=\"11\"><layers>%s%s%s</layers><edges><edge from-layer=\"0\" "
             "from-port=\"0\" to-layer=\"2\" to-port=\"0\"/></edges></net>",
             input, pad_with("<port id=\"1\"/><port id=\"2\"/><port id=\"3\"/>", ""), rest);
    scratch_write("m.xml", before, strlen(before));
    remove("m.bin");
    assert_int_equal(tpad_model_load_shaped(&model, "m.xml", NULL, 0, &error), TPAD_OK);
    begin();
    step((tpad_step){.op = TPAD_RULES_USE_IDENTITY}, TPAD_ONNX_INT32, 0, -1, -1);
    write_model();
    expect("offset=\"0\" size=\"16\"");
    assert_int_equal(bin_count, 16);
}

static void expect_reason(const char *words)
{
    const char *why = tpad_ir_why_not_lowered(model, &model->pads[0]);
    if (!words) {
        assert_null(why);
    } else {
        assert_non_null(why);
        assert_non_null(strstr(why, words));
    }
    tpad_model_free(model);
}

static void test_what_is_not_written(void **state)
{
    static const char one_edge[] = "<edge from-layer=\"1\" from-port=\"0\" to-layer=\"2\" "
                                   "to-port=\"1\"/>";
    (void)state;
    load_usual();
    expect_reason(NULL);
    load("7", pad, edges);
    expect_reason("version 10");
    load("11", pad_with("<input>", "<data/><input>"), edges);
    expect_reason("<data>");
    load("11", pad_with("</input>", "</input><input/>"), edges);
    expect_reason("<input>");
    load("11", pad, one_edge);
    expect_reason("no edge");
    load("11", pad_with("<port id=\"0\"/><port id=\"1\"/><port id=\"2\"/><port id=\"3\"/>", ""),
         "");
    expect_reason("no edge");
    load("11",
         pad_with("</output></layer>", "</output></layer><layer id=\"9223372036854775807\" "
                                       "type=\"Const\"/>"),
         edges);
    expect_reason("ids");
}

/* Both byte orders of UTF-16, with a mark and without. */
static void test_utf_16(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++)
        for (int mark = 0; mark < 2; mark++) {
            static unsigned char wide[2 * TEXT];
            size_t count = 0;
            load_usual();
            tpad_model_free(model);
            if (mark) wide[count++] = order ? 0xFE : 0xFF, wide[count++] = order ? 0xFF : 0xFE;
            for (const char *c = before; *c; c++, count += 2) {
                wide[count + (size_t)order] = (unsigned char)*c;
                wide[count + 1 - (size_t)order] = 0;
            }
            scratch_write("m.xml", wide, count);
            if (tpad_model_load_shaped(&model, "m.xml", NULL, 0, &error))
                fail_msg("%s", error.text);
            expect_reason("UTF-16");
        }
}

static void test_full_disk(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        load_usual();
        begin();
        step((tpad_step){.op = TPAD_RULES_USE_IDENTITY}, TPAD_ONNX_INT32, 0, -1, -1);
        assert_int_equal(write_to(i ? "out.xml" : "/dev/full", i ? "/dev/full" : "out.bin"),
                         TPAD_E_IO);
        tpad_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_rest_stays), cmocka_unit_test(test_operations),
        cmocka_unit_test(test_chain),          cmocka_unit_test(test_pad_with_value),
        cmocka_unit_test(test_many_inputs),    cmocka_unit_test(test_constants),
        cmocka_unit_test(test_odd_layers),     cmocka_unit_test(test_odd_edges),
        cmocka_unit_test(test_without_bin),    cmocka_unit_test(test_what_is_not_written),
        cmocka_unit_test(test_utf_16),         cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
