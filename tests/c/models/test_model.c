/* Models: what is found in them.  SPDX-License-Identifier: MIT */
#include "loaded_models.h"

static void refused(const message *m, const char *words)
{
    tpad_model *model;
    save("m.onnx", m);
    memset(&error, 0, sizeof error);
    tpad_model_load_shaped(&model, "m.onnx", NULL, 0, &error);
    says(&error, TPAD_E_FILE, words);
    assert_null(model);
}

static int finds(const tpad_pad_node *pad, const char *words)
{
    for (int32_t i = 0; i < pad->findings_count; i++)
        if (strstr(pad->findings[i], words)) return 1;
    return 0;
}

/* ---- Inspecting ------------------------------------------------------------------------------ */

static void test_inspect(void **state)
{
    (void)state;
    const message graph =
        one_pad("edge", 2, (const int64_t[]){-1, 3}, 4, (const int64_t[]){0, 1, 2, 3});
    const message m = model_of(&graph, 14);
    tpad_model *model = load(&m);
    assert_int_equal(tpad_model_pad_count(model), 1);
    assert_null(tpad_model_pad_at(model, 1));
    assert_null(tpad_model_pad_at(model, -1));
    const tpad_pad_node *pad = tpad_model_pad_at(model, 0);
    assert_string_equal(pad->name, "pad");
    assert_string_equal(pad->graph, "");
    assert_string_equal(pad->spec, "onnx");
    assert_int_equal(pad->version, 13);
    assert_int_equal(pad->type, TPAD_ONNX_FLOAT);
    assert_string_equal(pad->mode, "edge");
    assert_int_equal(pad->in_rank, 2);
    assert_int_equal(pad->in_shape[0], -1);
    assert_int_equal(pad->out_rank, 2);
    assert_int_equal(pad->out_shape[0], -1);
    assert_int_equal(pad->out_shape[1], 7);
    assert_int_equal(pad->pads_count, 2);
    assert_memory_equal(pad->begin, ((const int64_t[]){0, 1}), 16);
    assert_memory_equal(pad->end, ((const int64_t[]){2, 3}), 16);
    assert_int_equal(pad->axes_count, -1);
    assert_string_equal(pad->value, "0");
    assert_int_equal(pad->computed_count, 0);
    assert_int_equal(pad->findings_count, 0);
    assert_string_equal(pad->inputs[1], "p");
    assert_null(pad->inputs[2]);
    assert_string_equal(pad->output, "y");
    tpad_model_free(model);
}

static void test_attributes(void **state)
{
    (void)state;
    for (int64_t version = 1; version <= 2; version++) {
        message graph = {0}, value = {0}, n = node("Pad", NULL, "x", "y");
        add_ints(&n, version == 1 ? "paddings" : "pads", 2, (const int64_t[]){1, -1});
        put_text(&value, ATTR_NAME, "value");
        put_float(&value, ATTR_F, 1.5f);
        put_message(&n, NODE_ATTRIBUTE, &value);
        put_message(&graph, GRAPH_NODE, &n);
        add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_DOUBLE, 1, three);
        const message m = model_of(&graph, version);
        tpad_model *model = load(&m);
        const tpad_pad_node *pad = tpad_model_pad_at(model, 0);
        assert_int_equal(pad->version, version);
        assert_string_equal(pad->value, "1.5");
        assert_string_equal(pad->mode, "constant");
        assert_int_equal(pad->begin[0], 1);
        assert_int_equal(pad->end[0], -1);
        assert_int_equal(pad->out_shape[0], 3);
        assert_int_equal(finds(pad, "ONNX Runtime"), version == 1); /* which has no Pad-1 */
        assert_true(finds(pad, "OpenVINO 2026.4.1 moves double through a narrower type"));
        tpad_model_free(model);
    }
}

static void test_computed(void **state)
{
    (void)state;
    message graph = {0};
    const message n = node("Pad", "pad", "x p v a", "y");
    put_message(&graph, GRAPH_NODE, &n);
    add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, 1, three);
    add_value(&graph, GRAPH_INPUT, "p", TPAD_ONNX_INT64, 1, (const int64_t[]){2});
    add_value(&graph, GRAPH_INPUT, "v", TPAD_ONNX_FLOAT, 0, NULL);
    add_value(&graph, GRAPH_INPUT, "a", TPAD_ONNX_INT64, 1, (const int64_t[]){1});
    add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, 1, (const int64_t[]){9});
    const message m = model_of(&graph, 21);
    tpad_model *model = load(&m);
    const tpad_pad_node *pad = tpad_model_pad_at(model, 0);
    assert_int_equal(pad->computed_count, 3);
    assert_string_equal(pad->computed[0], "pads");
    assert_string_equal(pad->computed[1], "constant_value");
    assert_string_equal(pad->computed[2], "axes");
    assert_int_equal(pad->pads_count, -1);
    assert_null(pad->value);
    assert_int_equal(pad->out_shape[0], 9);
    assert_int_equal(pad->findings_count, 0);
    tpad_model_free(model);
}

/* What follows from a constant is folding's: a model that is only read does not know it. */
static void test_read_alone(void **state)
{
    (void)state;
    message graph = {0}, pad = node("Pad", NULL, "x q", "y"),
            same = node("Identity", NULL, "p", "q");
    put_message(&graph, GRAPH_NODE, &same);
    put_message(&graph, GRAPH_NODE, &pad);
    add_ints_weight(&graph, "p", 2, (const int64_t[]){1, 2});
    add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, 1, (const int64_t[]){-1});
    add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, -1, NULL);
    const message m = model_of(&graph, 13);
    const int64_t extent = 5;
    const tpad_input_shape shape = {.name = "x", .rank = 1, .shape = &extent};
    tpad_model *model = load(&m);
    assert_int_equal(tpad_model_pad_at(model, 0)->begin[0], 1);
    assert_int_equal(tpad_model_pad_at(model, 0)->end[0], 2);
    assert_int_equal(tpad_model_pad_at(model, 0)->computed_count, 0);
    tpad_model_free(model);
    assert_int_equal(tpad_model_read(&model, "m.onnx", &shape, 1, &error), TPAD_OK);
    assert_int_equal(tpad_model_pad_at(model, 0)->pads_count, -1);
    assert_int_equal(tpad_model_pad_at(model, 0)->in_shape[0], 5);
    assert_int_equal(tpad_model_pad_at(model, 0)->out_shape[0], -1);
    assert_int_equal(tpad_model_pad_at(model, 0)->computed_count, 1);
    assert_string_equal(tpad_model_pad_at(model, 0)->computed[0], "pads");
    tpad_model_free(model);
    assert_int_equal(tpad_model_load_shaped(&model, "m.onnx", &shape, 1, &error), TPAD_OK);
    assert_int_equal(tpad_model_pad_at(model, 0)->out_shape[0], 8);
    tpad_model_free(model);
}

static void test_findings(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        int64_t opset, extent, begin, end;
        const char *words; /* NULL: nothing is found */
    } cases[] = {
        {"constant", 13, 3, 1, 1, NULL},
        {"reflect", 13, 3, 2, 2, NULL},
        {"reflect", 13, 3, 3, 0, "ONNX Runtime 1.32.0 adds at most one less"},
        {"reflect", 13, 3, 3, 0, "OpenVINO 2026.4.1 adds at most one less"},
        {"reflect", 13, 1, 1, 0, "reflect adds 1 cells to the 1 there are"},
        {"reflect", 13, 4, -1, 3, "OpenVINO 2026.4.1 mirrors the whole axis before it cuts"},
        {"reflect", 13, 4, -1, 3, "reflect adds 3 cells to the 3 there are; ONNX Runtime"},
        {"reflect", 13, 4, -1, 1, NULL},
        {"wrap", 19, 3, 4, 0, "OpenVINO 2026.4.1 does not know mode wrap"},
        {"wrap", 19, 0, 0, 0, "ONNX Runtime 1.32.0 refuses wrap"},
        {"wrap", 13, 3, 1, 0, "Pad-19"},
        {"wrap", 13, 3, 1, 0,
         "ONNX Runtime 1.32.0 answers, although the specification forbids a mode"},
        {"edge", 13, 4, -2, -2, "nothing is left"},
        {"edge", 13, 0, 1, 0, "axis 0"},
        {"constant", 13, 3, -4, 0, "axis 0"},
        {"symmetric", 13, 3, 1, 1, "symmetric"},
        {"constant", 0, 3, 1, 1, "opset"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t pads[] = {cases[i].begin, cases[i].end};
        const message graph = one_pad(cases[i].mode, 1, &cases[i].extent, 2, pads);
        const message m = model_of(&graph, cases[i].opset);
        tpad_model *model = load(&m);
        const tpad_pad_node *pad = tpad_model_pad_at(model, 0);
        if (cases[i].words ? !finds(pad, cases[i].words) : pad->findings_count)
            fail_msg("case %zu: %s", i, pad->findings_count ? pad->findings[0] : "nothing");
        tpad_model_free(model);
    }
}

static void test_more_findings(void **state)
{
    (void)state;
    const int64_t many[200] = {0};
    message graph = one_pad(NULL, 0, NULL, 0, many);
    message m = model_of(&graph, 13);
    tpad_model *model = load(&m);
    assert_true(finds(tpad_model_pad_at(model, 0), "rank 0"));
    tpad_model_free(model);

    graph = one_pad(NULL, 1, three, 200, many);
    m = model_of(&graph, 13);
    model = load(&m);
    assert_true(finds(tpad_model_pad_at(model, 0), "more elements"));
    tpad_model_free(model);

    message n = node("Pad", NULL, "x p v", "y"), type = {0};
    graph = (message){0};
    add_ints(&n, "sizes", 1, three);
    put_message(&graph, GRAPH_NODE, &n);
    m = model_of(&graph, 13);
    model = load(&m);
    assert_true(finds(tpad_model_pad_at(model, 0), "no attribute 'sizes'"));
    assert_true(finds(tpad_model_pad_at(model, 0), "nothing makes its input 'x'"));
    tpad_model_free(model);

    graph = one_pad(NULL, 1, three, 2, one_each);
    type = value_info("x", TPAD_ONNX_INT16, 1, three);
    message other = {0};
    n = node("Pad", NULL, "x p", "y");
    put_message(&other, GRAPH_NODE, &n);
    put_message(&other, GRAPH_INPUT, &type);
    add_ints_weight(&other, "p", 2, one_each);
    add_value(&other, GRAPH_OUTPUT, "y", TPAD_ONNX_INT16, 1, (const int64_t[]){6});
    m = model_of(&other, 11);
    model = load(&m);
    assert_true(finds(tpad_model_pad_at(model, 0),
                      "ONNX Runtime 1.32.0 has no kernel that pads int16 at opset 11"));
    assert_true(finds(tpad_model_pad_at(model, 0), "extent 6 on axis 0"));
    tpad_model_free(model);
}

static void test_nested(void **state)
{
    (void)state;
    const message m = nested_model();
    tpad_model *model = load(&m);
    assert_int_equal(tpad_model_pad_count(model), 3);
    const tpad_pad_node *pad = tpad_model_pad_at(model, 0);
    assert_string_equal(pad->name, "inner");
    assert_string_equal(pad->graph, "choice/then_branch");
    assert_int_equal(pad->out_shape[0], 5);
    pad = tpad_model_pad_at(model, 1);
    assert_string_equal(pad->graph, "choice/then_branch/If_1/else_branch");
    assert_int_equal(pad->version, 21);
    pad = tpad_model_pad_at(model, 2);
    assert_string_equal(pad->graph, "function:my:F");
    assert_int_equal(pad->version, 11);
    assert_null(pad->mode);
    assert_int_equal(pad->computed_count, 2);
    assert_string_equal(pad->computed[1], "mode");
    tpad_model_free(model);
}

/* ---- Damaged files --------------------------------------------------------------------------- */

static void test_refused(void **state)
{
    (void)state;
    message m = {0}, graph = one_pad(NULL, 1, three, 2, one_each), n;
    refused(&m, "no graph");
    put_number(&m, MODEL_GRAPH, 1);
    refused(&m, "wire type");
    m = model_of(&graph, 13);
    put_message(&m, MODEL_GRAPH, &graph);
    refused(&m, "occurs twice");
    m = model_of(&graph, -1);
    refused(&m, "opset -1");
    m = model_of(&graph, 13);
    add_opset(&m, MODEL_OPSET, "ai.onnx", 14);
    refused(&m, "two opsets");
    n = node("Pad", NULL, "x p", "y");
    message twice = graph;
    put_message(&twice, GRAPH_NODE, &n);
    m = model_of(&twice, 13);
    refused(&m, "called 'y'");
    message weight = tensor_head(TPAD_ONNX_FLOAT, 1, three, "w");
    put_field(&weight, 9, "1234", 4);
    put_message(&graph, GRAPH_WEIGHT, &weight);
    m = model_of(&graph, 13);
    refused(&m, "initializer 'w'");
    graph = (message){0};
    n = (message){0};
    put_field(&n, NODE_NAME, "a\0b", 3);
    put_text(&n, NODE_OP, "Pad");
    put_message(&graph, GRAPH_NODE, &n);
    m = model_of(&graph, 13);
    refused(&m, "NUL");
}

static void test_too_deep(void **state)
{
    (void)state;
    message graph = {0}, n;
    for (int depth = 0; depth < 64; depth++) {
        n = node("If", NULL, "", "");
        add_graph(&n, "g", &graph);
        graph = (message){0};
        put_message(&graph, GRAPH_NODE, &n);
    }
    message m = model_of(&graph, 13);
    tpad_model *model = load(&m);
    tpad_model_free(model);
    n = node("If", NULL, "", "");
    add_graph(&n, "g", &graph);
    graph = (message){0};
    put_message(&graph, GRAPH_NODE, &n);
    m = model_of(&graph, 13);
    refused(&m, "deep");
}

static void test_truncated(void **state)
{
    (void)state;
    message m = nested_model();
    const size_t whole = m.count;
    for (m.count = 0; m.count < whole; m.count++) {
        tpad_model *model;
        save("m.onnx", &m);
        if (tpad_model_load_shaped(&model, "m.onnx", NULL, 0, &error) == TPAD_OK)
            tpad_model_free(model);
        else
            assert_true(error.code == TPAD_E_FILE && error.text[0]);
    }
}

/* A graph of nothing but empty nodes, two bytes each. */
static void test_too_much_memory(void **state)
{
    (void)state;
    static unsigned char bytes[5 + 2 * 500000] = {0x3A, 0xC0, 0x84, 0x3D};
    for (size_t i = 4; i < sizeof bytes - 1; i += 2) bytes[i] = 0x0A;
    tpad_model *model;
    scratch_write("m.onnx", bytes, sizeof bytes - 1);
    assert_int_equal(tpad_model_load_shaped(&model, "m.onnx", NULL, 0, &error), TPAD_E_FILE);
    assert_null(model);
    says(&error, TPAD_E_FILE, "48 times as much memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inspect),         cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_computed),        cmocka_unit_test(test_read_alone),
        cmocka_unit_test(test_findings),        cmocka_unit_test(test_more_findings),
        cmocka_unit_test(test_nested),          cmocka_unit_test(test_refused),
        cmocka_unit_test(test_too_deep),        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_too_much_memory),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
