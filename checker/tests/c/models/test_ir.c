/* OpenVINO IR files: what is read, what is run, and what hostile ones may not do.
 * SPDX-License-Identifier: MIT */
#include "../../../../tests/support/scratch.h"
#include "models/folding/folding.h"
#include <inttypes.h>

static tpad_io_error error;
static char xml[200000];

/* ---- Files ----------------------------------------------------------------------------------- */

static const char head[] = "<?xml version=\"1.0\"?>\n<net name=\"m\" version=\"11\"><layers>";
static const char edges[] = "</layers><edges>"
                            "<edge from-layer=\"0\" from-port=\"0\" to-layer=\"3\" to-port=\"0\"/>"
                            "<edge from-layer=\"1\" from-port=\"0\" to-layer=\"3\" to-port=\"1\"/>"
                            "<edge from-layer=\"2\" from-port=\"0\" to-layer=\"3\" to-port=\"2\"/>"
                            "<edge from-layer=\"3\" from-port=\"3\" to-layer=\"4\" to-port=\"0\"/>"
                            "</edges></net>";
static const char parameter[] =
    "<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"3\" "
    "element_type=\"f32\"/><output><port id=\"0\" precision=\"FP32\"><dim>3</dim></port></output>"
    "</layer>";
static const char amounts[] =
    "<layer id=\"1\" name=\"b\" type=\"Const\" version=\"opset1\"><data element_type=\"i64\" "
    "shape=\"1\" offset=\"1\" size=\"8\"/><output><port id=\"0\" precision=\"I64\"><dim>1</dim>"
    "</port></output></layer>"
    "<layer id=\"2\" name=\"e\" type=\"Const\" version=\"opset1\"><data element_type=\"i32\" "
    "shape=\"1\" offset=\"9\" size=\"4\"/><output><port id=\"0\"><dim>1</dim></port></output>"
    "</layer>";
static const char pad[] =
    "<layer id=\"3\" name=\"pad\" type=\"Pad\" version=\"opset12\"><data pad_mode=\"edge\"/>"
    "<input><port id=\"0\"><dim>3</dim></port><port id=\"1\"><dim>1</dim></port><port id=\"2\">"
    "<dim>1</dim></port></input><output><port id=\"3\" precision=\"FP32\" names=\"y\\,1,other\">"
    "<dim>6</dim></port></output></layer>";
static const char result[] =
    "<layer id=\"4\" name=\"r\" type=\"Result\" version=\"opset1\"><input><port id=\"0\">"
    "<dim>6</dim></port></input></layer>";
/* A byte that is nobody's, begin 1, end 2, and 1.5 as f16, which has an odd address. */
static const unsigned char weights[] = {0xEE, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0x00, 0x3E};

static void save(const char *text, const void *bytes, size_t count)
{
    scratch_write("m.xml", text, strlen(text));
    scratch_write("m.bin", bytes, count);
}

/* The model of parts, with the usual weights. */
static const char *model_of(const char *first, const char *second, const char *third,
                            const char *last)
{
    snprintf(xml, sizeof xml, "%s%s%s%s%s%s", head, first, second, third, result, last);
    save(xml, weights, sizeof weights);
    return xml;
}

static const char *whole(void)
{
    return model_of(parameter, amounts, pad, edges);
}

/* Replaces the first `from` of the whole model. */
static void change(const char *from, const char *to)
{
    static char changed[sizeof xml];
    const char *at = strstr(whole(), from);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - xml), xml, to, at + strlen(from));
    memcpy(xml, changed, sizeof xml);
    save(xml, weights, sizeof weights);
}

static tpad_model *load(void)
{
    tpad_model *model;
    memset(&error, 0, sizeof error);
    if (tpad_model_load_shaped(&model, "m.xml", NULL, 0, &error)) fail_msg("%s", error.text);
    return model;
}

static void refused(int32_t code, const char *words)
{
    tpad_model *model;
    memset(&error, 0, sizeof error);
    tpad_model_load_shaped(&model, "m.xml", NULL, 0, &error);
    if (error.code != code || !strstr(error.text, words) || strchr(error.text, '\n'))
        fail_msg("%s '%s', wanted %s '%s'", tpad_status_name(error.code), error.text,
                 tpad_status_name(code), words);
    assert_null(model);
}

static int finds(const tpad_pad_node *node, const char *words)
{
    for (int32_t i = 0; i < node->findings_count; i++)
        if (strstr(node->findings[i], words)) return 1;
    return 0;
}

static const char *find_in(const tpad_model *model, const char *words)
{
    const tpad_pad_node *node = tpad_model_pad_at(model, 0);
    if (node->findings_count == 0) return words ? NULL : "";
    return words && finds(node, words) ? words : NULL;
}

/* ---- Running --------------------------------------------------------------------------------- */

static unsigned char results[2][400];
static int64_t extents[2];

static int32_t allocate(void *context, int32_t index, const tpad_tensor *like, void **data,
                        tpad_io_error *why)
{
    (void)context, (void)why;
    assert_in_range(index, 0, 1);
    extents[index] = like->rank ? like->shape[0] : -1;
    *data = results[index];
    return TPAD_OK;
}

static int32_t run(const char *node, const tpad_tensor *input, int32_t lenient)
{
    tpad_model *model = load();
    tpad_job *job;
    const tpad_tensor *inputs[] = {input};
    int32_t status = tpad_job_open(&job, model, node, &error);
    if (!status) {
        assert_in_range(tpad_job_input_count(job), 0, 1);
        const tpad_job_run how = {.inputs = inputs, .lenient = lenient, .allocate = allocate};
        status = tpad_job_execute(job, &how, &error);
    }
    tpad_job_free(job);
    tpad_model_free(model);
    return status;
}

static const float numbers[] = {1, 2, 3};

static tpad_tensor floats(void)
{
    tpad_tensor x;
    tpad_tensor_describe(&x, TPAD_ONNX_FLOAT, 1, (const int64_t[]){3});
    x.data = numbers;
    return x;
}

static void result_is(int index, const float *expected, int64_t count)
{
    assert_int_equal(extents[index], count);
    assert_memory_equal(results[index], expected, (size_t)count * sizeof *expected);
}

static void test_whole(void **state)
{
    (void)state;
    const tpad_tensor x = floats();
    whole();
    tpad_model *model = load();
    assert_int_equal(tpad_model_pad_count(model), 1);
    const tpad_pad_node *node = tpad_model_pad_at(model, 0);
    assert_string_equal(node->name, "pad");
    assert_string_equal(node->graph, "");
    assert_string_equal(node->spec, "openvino");
    assert_int_equal(node->version, 12);
    assert_int_equal(node->type, TPAD_ONNX_FLOAT);
    assert_string_equal(node->type_name, "f32");
    assert_string_equal(node->mode, "edge");
    assert_int_equal(node->out_shape[0], 6);
    assert_int_equal(node->pads_count, 1);
    assert_int_equal(node->begin[0], 1);
    assert_int_equal(node->end[0], 2);
    assert_int_equal(node->findings_count, 0);
    assert_string_equal(node->inputs[0], "x");
    assert_string_equal(node->inputs[2], "e");
    assert_string_equal(node->arguments[2], "pads_end");
    assert_string_equal(node->output, "y,1");
    tpad_model_free(model);
    if (run(NULL, &x, 0)) fail_msg("%s", error.text);
    result_is(0, (const float[]){1, 1, 2, 3, 3, 3}, 6);
    if (run("pad", &x, 0)) fail_msg("%s", error.text);
    result_is(0, (const float[]){1, 1, 2, 3, 3, 3}, 6);
    assert_int_equal(run("nobody", &x, 0), TPAD_E_MODEL);
    assert_int_equal(run("x", &x, 0), TPAD_E_MODEL);
    assert_non_null(strstr(error.text, "not a Pad but Parameter"));
}

/* A value as f16, through a Convert, and the spellings that are read in any case. */
static void test_convert(void **state)
{
    (void)state;
    const tpad_tensor x = floats();
    static const char value[] =
        "<layer id=\"5\" name=\"v\" type=\"const\" version=\"opset1\"><data element_type=\"FP16\" "
        "shape=\"\" offset=\"13\" size=\"2\"/><output><port id=\"0\"/></output></layer>"
        "<layer id=\"6\" name=\"c\" type=\"CONVERT\" version=\"opset1\"><data "
        "destination_type=\"f32\"/><rt_info><attribute name=\"decompression\" version=\"0\"/>"
        "</rt_info><input><port id=\"0\"/></input><output><port id=\"1\"/></output></layer>"
        "<layer id=\"3\" name=\"pad\" type=\"pad\" version=\"opset1\"><data "
        "pad_mode=\"CONSTANT\"/><input><port id=\"7\"/><port id=\"5\"/><port id=\"6\"/>"
        "<port id=\"4\"/></input><output><port id=\"0\"/></output></layer>";
    static const char links[] =
        "</layers><edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"3\" to-port=\"7\"/>"
        "<edge from-layer=\"1\" from-port=\"0\" to-layer=\"3\" to-port=\"5\"/>"
        "<edge from-layer=\"2\" from-port=\"0\" to-layer=\"3\" to-port=\"6\"/>"
        "<edge from-layer=\"5\" from-port=\"0\" to-layer=\"6\" to-port=\"0\"/>"
        "<edge from-layer=\"6\" from-port=\"1\" to-layer=\"3\" to-port=\"4\"/>"
        "<edge from-layer=\"3\" from-port=\"0\" to-layer=\"4\" to-port=\"0\"/></edges></net>";
    model_of(parameter, amounts, value, links);
    tpad_model *model = load();
    const tpad_pad_node *node = tpad_model_pad_at(model, 0);
    assert_int_equal(node->version, 1);
    assert_string_equal(node->mode, "constant");
    assert_string_equal(node->value, "1.5");
    tpad_model_free(model);
    if (run(NULL, &x, 0)) fail_msg("%s", error.text);
    result_is(0, (const float[]){1.5f, 1, 2, 3, 1.5f, 1.5f}, 6);
    /* No edge leads to the Convert. */
    char *edge = strstr(xml, "<edge from-layer=\"5\"");
    memset(edge, ' ', strcspn(edge, ">") + 1);
    save(xml, weights, sizeof weights);
    model = load();
    assert_null(tpad_model_pad_at(model, 0)->value);
    tpad_model_free(model);
}

/* Layers in another order than they run in, and one that nothing needs. */
static void test_order(void **state)
{
    (void)state;
    const tpad_tensor x = floats();
    static const char idle[] =
        "<layer id=\"9\" name=\"idle\" type=\"ReLU\" version=\"opset1\"><input><port id=\"0\"/>"
        "</input><output><port id=\"1\"/></output></layer>";
    char layers[4000];
    snprintf(layers, sizeof layers, "%s%s", pad, idle);
    model_of(layers, parameter, amounts, edges);
    if (run(NULL, &x, 0)) fail_msg("%s", error.text);
    result_is(0, (const float[]){1, 1, 2, 3, 3, 3}, 6);
    change("</edges>",
           "<edge from-layer=\"8\" from-port=\"1\" to-layer=\"8\" to-port=\"0\"/></edges>");
    refused(TPAD_E_FILE, "from nowhere");
    snprintf(layers, sizeof layers, "%s%s", pad, idle);
    model_of(layers, parameter, amounts,
             "</layers><edges><edge from-layer=\"9\" from-port=\"1\" to-layer=\"9\" "
             "to-port=\"0\"/></edges></net>");
    refused(TPAD_E_FILE, "wait for each other");
}

static void test_other_layers(void **state)
{
    (void)state;
    const tpad_tensor x = floats();
    change("<layer id=\"4\" name=\"r\" type=\"Result\"",
           "<layer id=\"4\" name=\"r\" type=\"Sink\"");
    assert_int_equal(run(NULL, &x, 0), TPAD_OK); /* nothing is wanted of it */
    change("type=\"Parameter\"", "type=\"Range\"");
    assert_int_equal(run(NULL, &x, 0), TPAD_E_MODEL);
    assert_non_null(strstr(error.text, "Range"));
    assert_non_null(strstr(error.text, "--node"));
    if (run("pad", &x, 0)) fail_msg("%s", error.text);
    result_is(0, (const float[]){1, 1, 2, 3, 3, 3}, 6);
}

/* Versions 5 to 7 carry the amounts as attributes. */
static void test_legacy(void **state)
{
    (void)state;
    const tpad_tensor x = floats();
    for (int version = 5; version <= 7; version++) {
        snprintf(xml, sizeof xml,
                 "<net name=\"old\" version=\"%d\" batch=\"1\"><layers><layer id=\"0\" name=\"x\" "
                 "type=\"Input\" precision=\"FP32\"><output><port id=\"0\"><dim>3</dim></port>"
                 "</output></layer><layer id=\"1\" name=\"p\" type=\"Pad\" precision=\"FP32\">"
                 "<data pad_mode=\"constant\" pad_value=\"0.25\" pads_begin=\"2\" "
                 "pads_end=\" 1\"/><input><port id=\"0\"><dim>3</dim></port></input><output><port "
                 "id=\"1\"><dim>6</dim></port></output></layer></layers><edges><edge "
                 "from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"0\"/></edges></net>",
                 version);
        scratch_write("m.xml", xml, strlen(xml));
        unlink("m.bin"); /* which nothing needs */
        tpad_model *model = load();
        const tpad_pad_node *node = tpad_model_pad_at(model, 0);
        assert_int_equal(node->version, 1);
        assert_string_equal(node->value, "0.25");
        assert_int_equal(node->begin[0], 2);
        assert_int_equal(node->out_shape[0], 6);
        assert_int_equal(node->findings_count, 0);
        tpad_model_free(model);
        if (run(NULL, &x, 0)) fail_msg("%s", error.text);
        result_is(0, (const float[]){0.25f, 0.25f, 1, 2, 3, 0.25f}, 6);
    }
}

/* ---- What is said ---------------------------------------------------------------------------- */

static void test_findings(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *words;
    } cases[] = {
        {"name=\"x\"", "name=\"x\"", NULL},
        {"opset12", "opset11", NULL},
        {"opset12", "opset77", NULL},
        {"opset12", "extension", "opset 0"},
        {"opset12", "opset", "opset 0"},
        {" pad_mode=\"edge\"", "", "pad_mode"},
        {"\"edge\"", "\"Mirror\"", "Mirror"},
        {"\"edge\"", "\"reflect\"", NULL},
        {"<dim>6</dim>", "<dim>7</dim>", "extent 7"},
        {"shape=\"3\"", "shape=\"...\"", "refuses data whose rank"},
        {"shape=\"3\"", "shape=\"1..5\"", NULL},
        {"shape=\"3\"", "shape=\"\"", "1 entries"},
        {"shape=\"3\"", "shape=\"3,2\"", "1 entries"},
        {"\"f32\"", "\"f64\"", "OpenVINO 2026.4.1 moves f64 through a narrower type"},
        {"\"f32\"", "\"u3\"", "u3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        change(cases[i].from, cases[i].to);
        tpad_model *model = load();
        const tpad_pad_node *node = tpad_model_pad_at(model, 0);
        if (!find_in(model, cases[i].words))
            fail_msg("%s: %d findings, the first '%s'", cases[i].to, (int)node->findings_count,
                     node->findings_count ? node->findings[0] : "");
        tpad_model_free(model);
    }
    /* Amounts below 0 in Pad-1: such files exist. */
    unsigned char negative[sizeof weights];
    const tpad_tensor x = floats();
    memcpy(negative, weights, sizeof weights);
    memset(negative + 1, 0xFF, 8);
    change("opset12", "opset1");
    scratch_write("m.bin", negative, sizeof negative);
    tpad_model *model = load();
    assert_true(finds(tpad_model_pad_at(model, 0), "Pad-12 takes negative pads"));
    assert_int_equal(tpad_model_pad_at(model, 0)->begin[0], -1);
    tpad_model_free(model);
    assert_int_equal(run(NULL, &x, 0), TPAD_E_SPEC_PADS);
    if (run(NULL, &x, 1)) fail_msg("%s", error.text);
    result_is(0, (const float[]){2, 3, 3, 3}, 4);
}

static void test_types_without_a_file(void **state)
{
    (void)state;
    const tpad_tensor x = floats();
    static const char *const words[] = {"u1", "nf4"};
    for (int i = 0; i < 2; i++) {
        char type[40];
        snprintf(type, sizeof type, "\"%s\"", words[i]);
        change("\"f32\"", type);
        tpad_model *model = load();
        assert_string_equal(tpad_model_pad_at(model, 0)->type_name, words[i]);
        assert_int_equal(tpad_model_pad_at(model, 0)->type, 0);
        assert_int_equal(tpad_model_pad_at(model, 0)->out_shape[0], 6);
        tpad_model_free(model);
        assert_int_equal(run(NULL, &x, 0), TPAD_E_MODEL);
        assert_non_null(strstr(error.text, words[i]));
    }
}

/* ---- Hostile files --------------------------------------------------------------------------- */

static void test_offsets(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *words;
    } cases[] = {
        {"offset=\"1\"", "offset=\"8\"", "not in the .bin"},
        {"offset=\"1\"", "offset=\"9223372036854775807\"", "not in the .bin"},
        {"offset=\"1\"", "offset=\"9223372036854775808\"", "offset or size"},
        {"offset=\"1\"", "offset=\"18446744073709551615\"", "offset or size"},
        {"offset=\"1\"", "offset=\"-1\"", "offset or size"},
        {"offset=\"1\"", "offset=\"\"", "offset or size"},
        {"offset=\"1\"", "", "offset or size"},
        {"size=\"8\"", "size=\"9223372036854775807\"", "not in the .bin"},
        {"size=\"8\"", "size=\"7\"", "takes 8 bytes"},
        {"size=\"8\"", "size=\"-8\"", "offset or size"},
        {"size=\"8\"", "size=\"8x\"", "offset or size"},
        {"shape=\"1\"", "shape=\"2\"", "takes 16 bytes"},
        {"shape=\"1\"", "shape=\"-1\"", "extent -1"},
        {"shape=\"1\"", "shape=\"x\"", "is not a shape"},
        {"shape=\"1\"", "shape=\"1,\"", "is not a shape"},
        {"shape=\"1\"", "shape=\"9223372036854775807\"", "extent"},
        {"shape=\"1\"", "shape=\"2000000000000000000,2000000000000000000\"", "64 bits"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        change(cases[i].from, cases[i].to);
        refused(TPAD_E_FILE, cases[i].words);
    }
    whole();
    scratch_write("m.bin", weights, 12);
    refused(TPAD_E_FILE, "not in the .bin");
    scratch_write("m.bin", weights, 0);
    refused(TPAD_E_FILE, "not in the .bin");
    unlink("m.bin");
    refused(TPAD_E_IO, "m.bin");
}

static void test_structure(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *words;
    } cases[] = {
        {"<net ", "<html ", "root element"},
        {"version=\"11\"", "version=\"12\"", "IR version 12"},
        {"version=\"11\"", "version=\"9\"", "IR version 9"},
        {"version=\"11\"", "version=\"x\"", "whole number"},
        {" version=\"11\"", "", "no attribute 'version'"},
        {"id=\"3\"", "id=\"0\"", "two layers"},
        {"id=\"3\"", "", "no attribute 'id'"},
        {"id=\"3\"", "id=\"99999999999999999999\"", "whole number"},
        {"type=\"Pad\"", "", "no attribute 'type'"},
        {"<port id=\"1\">", "<port id=\"0\">", "two ports"},
        {"<port id=\"1\">", "<port>", "no attribute 'id'"},
        {"<dim>3</dim>", "<dim>-2</dim>", "not an extent"},
        {"<dim>3</dim>", "<dim></dim>", "not an extent"},
        {"<dim>3</dim>", "<dim>3333333333333333333333333333333333333</dim>", "not an extent"},
        {"from-layer=\"1\"", "from-layer=\"7\"", "from nowhere"},
        {"from-port=\"3\"", "from-port=\"4\"", "from nowhere"},
        {"to-port=\"2\"", "to-port=\"9\"", "leads nowhere"},
        {"to-port=\"2\"", "to-port=\"1\"", "two edges"},
        {" to-port=\"2\"", "", "no attribute 'to-port'"},
        {"<layers>", "<layers", "line 2"},
        {"</net>", "", "line 2"},
        {"</net>", "</net><net/>", "line 2"},
        {"<net ", "<!DOCTYPE net><net ", "document type"},
        {"<net ",
         "<!DOCTYPE net [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
         "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]><net ",
         "document type"},
        {"<net ", "<!DOCTYPE net SYSTEM \"file:///etc/passwd\"><net ", "document type"},
        {"name=\"x\"", "name=\"&a;\"", "undefined entity"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        change(cases[i].from, cases[i].to);
        refused(TPAD_E_FILE, cases[i].words);
    }
    save("", "", 0);
    refused(TPAD_E_FILE, "no element");
    save("\x08\x0d:\x02", "", 0);
    refused(TPAD_E_FILE, "m.xml");
}

static void test_nesting(void **state)
{
    (void)state;
    size_t used = (size_t)snprintf(xml, sizeof xml, "%s", "<net version=\"11\">");
    for (int i = 0; i < 5000; i++) used += (size_t)snprintf(xml + used, sizeof xml - used, "<a>");
    save(xml, "", 0);
    refused(TPAD_E_FILE, "nested too deep");
    for (int depth = 60; depth <= 80; depth += 20) {
        used = (size_t)snprintf(xml, sizeof xml, "<net version=\"11\">");
        for (int i = 0; i < depth; i++)
            used += (size_t)snprintf(xml + used, sizeof xml - used,
                                     "<layers><layer id=\"0\" type=\"Loop\"><body>");
        for (int i = 0; i < depth; i++)
            used += (size_t)snprintf(xml + used, sizeof xml - used, "</body></layer></layers>");
        snprintf(xml + used, sizeof xml - used, "</net>");
        save(xml, "", 0);
        if (depth == 60)
            tpad_model_free(load());
        else
            refused(TPAD_E_FILE, "nested too deep");
    }
}

/* Cut anywhere, and every byte replaced: it loads, or it is refused as a file. */
static void test_damage(void **state)
{
    (void)state;
    static char good[sizeof xml];
    const tpad_tensor x = floats();
    const size_t count = strlen(memcpy(good, whole(), sizeof good));
    static const char bytes[] = {0, '"', '<', '9', '\xFF'};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k <= sizeof bytes; k++) {
            tpad_model *model;
            memcpy(xml, good, sizeof xml);
            if (k < sizeof bytes) xml[i] = bytes[k];
            scratch_write("m.xml", xml, k < sizeof bytes ? count : i);
            const int32_t status = tpad_model_load_shaped(&model, "m.xml", NULL, 0, &error);
            if (status != TPAD_OK && status != TPAD_E_FILE)
                fail_msg("byte %zu: %s %s", i, tpad_status_name(status), error.text);
            tpad_model_free(model);
            if (status == TPAD_OK && i % 7 == k) run(NULL, &x, 1);
        }
}

/* ---- Strings --------------------------------------------------------------------------------- */

static void test_strings(void **state)
{
    (void)state;
    /* begin 0, end 1, then two strings: a count, where the first begins, where each ends. */
    unsigned char bin[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,   2,   0,   0,   0,
                           0, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 'a', 'b', 'c', 'd', 'e'};
    static const char words[] =
        "<layer id=\"0\" name=\"s\" type=\"Const\" version=\"opset1\"><data "
        "element_type=\"string\" shape=\"2\" offset=\"13\" size=\"21\"/><output><port id=\"0\" "
        "precision=\"STRING\"><dim>2</dim></port></output></layer>";
    model_of(words, amounts, pad, edges);
    char *mode = strstr(xml, "\"edge\"");
    assert_non_null(mode);
    static char changed[sizeof xml];
    snprintf(changed, sizeof changed, "%.*s\"constant\"%s", (int)(mode - xml), xml,
             mode + strlen("\"edge\""));
    save(changed, bin, sizeof bin);
    if (run(NULL, NULL, 0)) fail_msg("%s", error.text);
    tpad_string got[3];
    assert_int_equal(extents[0], 3);
    memcpy(got, results[0], sizeof got);
    assert_int_equal(got[0].length, 2);
    assert_int_equal(got[1].length, 3);
    assert_int_equal(got[2].length, 0);
    static const struct {
        int at;
        unsigned char value;
    } damages[] = {{13, 3}, {13, 1}, {16, 0x80}, {17, 3}, {20, 0xFF}, {21, 6}, {25, 6}, {25, 1}};
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        const unsigned char kept = bin[damages[i].at];
        bin[damages[i].at] = damages[i].value;
        save(changed, bin, sizeof bin);
        refused(TPAD_E_FILE, "string");
        bin[damages[i].at] = kept;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_convert),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_other_layers),
        cmocka_unit_test(test_legacy),
        cmocka_unit_test(test_findings),
        cmocka_unit_test(test_types_without_a_file),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_strings),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
