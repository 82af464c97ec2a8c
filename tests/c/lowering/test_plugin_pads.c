/* Which Pads the plug-in for ONNX Runtime runs, and the model that says so.
 * SPDX-License-Identifier: MIT
 *
 * The written file has to be, byte for byte, the one that this test builds with the plug-in's
 * domain. */
#include "../models/loaded_models.h"
#include "models/lowering/rewrite.h"

enum { MOST_BYTES = 1 << 14 };

/* ---- Allocations that fail (linked with --wrap) ---------------------------------------------- */

static int allocations, fails_at; /* counted from 1; 0: none fails */
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

void *__wrap_calloc(size_t count, size_t bytes)
{
    return ++allocations == fails_at ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return ++allocations == fails_at ? NULL : __real_realloc(old, bytes);
}

/* ---- The choice ------------------------------------------------------------------------------ */

static tpad_lowering *plan_for(tpad_model *model, const char *runtime)
{
    tpad_rules_choice choice;
    const tpad_lower_target target = {runtime, &choice};
    tpad_lowering *lowering;
    assert_true(tpad_rules_find(&choice, runtime));
    if (tpad_lowering_plan(&lowering, model, &target, 1, TPAD_LOWER_FOR_PLUGIN, &error))
        fail_msg("%s", error.text);
    return lowering;
}

/* Whether the only Pad is the plug-in's. */
static int32_t chosen(const message *m, const char *runtime)
{
    tpad_model *model = load(m);
    tpad_lowering *lowering = plan_for(model, runtime);
    const tpad_lowered_node node = *tpad_lowering_at(lowering, 0);
    assert_null(tpad_lowering_at(lowering, 1));
    assert_int_equal(node.finding != NULL, node.target == 0);
    if (node.outcome == TPAD_LOWER_KEPT) assert_int_equal(node.target, -1);
    if (node.outcome != TPAD_LOWER_KEPT) assert_string_equal(node.operators, "Pad of the plug-in");
    tpad_lowering_free(lowering);
    tpad_model_free(model);
    return node.outcome == TPAD_LOWER_REWRITTEN;
}

/* x of that shape -> Pad -> z -> `after` -> y. An extent of -1 is open; pads NULL: an input. */
static message chain(const char *mode, const int64_t shape[4], const int64_t *pads,
                     const char *after, int32_t type)
{
    message graph = {0}, n = node("Pad", "pad", "x p", "z"), m;
    static const int64_t eight[] = {8};
    if (mode) add_mode(&n, mode);
    put_message(&graph, GRAPH_NODE, &n);
    n = node(after, NULL, strcmp(after, "Conv") ? "z" : "z w", "y");
    if (strstr(after, "Pool")) add_ints(&n, "kernel_shape", 2, (const int64_t[]){3, 3});
    put_message(&graph, GRAPH_NODE, &n);
    if (pads) add_ints_weight(&graph, "p", 8, pads);
    if (!pads) add_value(&graph, GRAPH_INPUT, "p", TPAD_ONNX_INT64, 1, eight);
    add_value(&graph, GRAPH_INPUT, "w", type, 4, (const int64_t[]){4, 3, 3, 3});
    add_value(&graph, GRAPH_INPUT, "x", type, 4, shape);
    add_value(&graph, GRAPH_OUTPUT, "y", type, -1, NULL);
    m = model_of(&graph, 18);
    return m;
}

static const int64_t image[] = {1, 3, 32, 32}, open_image[] = {1, 3, -1, -1},
                     small[] = {1, 2, 3, 3};
static const int64_t by_one[] = {0, 0, 1, 1, 0, 0, 1, 1}, nothing[8] = {0};
static const int64_t of_channels[] = {0, 2, 0, 0, 0, 2, 0, 0}, cut[] = {0, 0, -1, -1, 0, 0, -1, -1};
static const int64_t by_four[] = {0, 0, 4, 4, 0, 0, 4, 4};

static void test_the_choice(void **state)
{
    static const struct {
        const char *mode, *after, *runtime;
        const int64_t *shape, *pads;
        int32_t type, ours;
    } cases[] = {
        /* Right, and faster with the plug-in. */
        {"constant", "Relu", "ort-1.32", image, by_one, TPAD_ONNX_FLOAT, 1},
        {"constant", "Relu", "ort-1.32", open_image, by_one, TPAD_ONNX_FLOAT, 1},
        {"reflect", "Conv", "ort-1.32", image, by_one, TPAD_ONNX_FLOAT, 1},
        {"edge", "MaxPool", "ort-1.32", image, cut, TPAD_ONNX_FLOAT, 1},
        {"constant", "Relu", "ort-1.32", image, NULL, TPAD_ONNX_FLOAT, 1},
        /* A part of the node after it. */
        {"constant", "Conv", "ort-1.32", image, by_one, TPAD_ONNX_FLOAT, 0},
        {NULL, "AveragePool", "ort-1.32", image, by_one, TPAD_ONNX_FLOAT, 0},
        /* Nodes that move past it. */
        {"reflect", "Transpose", "ort-1.32", image, by_one, TPAD_ONNX_FLOAT, 0},
        {"reflect", "QuantizeLinear", "ort-1.32", image, by_one, TPAD_ONNX_FLOAT, 0},
        {"constant", "DequantizeLinear", "ort-1.32", image, by_one, TPAD_ONNX_UINT8, 0},
        /* Few rows. */
        {"constant", "Relu", "ort-1.32", image, nothing, TPAD_ONNX_FLOAT, 0},
        {"constant", "Relu", "ort-1.32", image, of_channels, TPAD_ONNX_FLOAT, 0},
        {"constant", "Relu", "ort-1.32", small, by_one, TPAD_ONNX_FLOAT, 0},
        {"constant", "Relu", "ort-1.32", small, by_one, TPAD_ONNX_FLOAT16, 1},
        /* Wrong or refused. */
        {"reflect", "Relu", "ort-1.23", small, by_four, TPAD_ONNX_FLOAT, 1},
        {"reflect", "Transpose", "ort-1.23", small, by_four, TPAD_ONNX_FLOAT, 1},
        {"constant", "Transpose", "ort-1.32", image, nothing, TPAD_ONNX_INT16, 1},
        {"constant", "MaxPool", "ort-1.23", image, by_one, TPAD_ONNX_FLOAT, 1},
        /* Forbidden: wrap came with opset 19. */
        {"wrap", "Relu", "ort-1.32", image, by_one, TPAD_ONNX_FLOAT, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const message m =
            chain(cases[i].mode, cases[i].shape, cases[i].pads, cases[i].after, cases[i].type);
        if (chosen(&m, cases[i].runtime) != cases[i].ours) fail_msg("case %zu", i);
    }
}

/* Several nodes read the output, or nothing is known of the rank. */
static void test_other_neighbours(void **state)
{
    message graph = {0}, n = node("Pad", "pad", "x p", "y"), m;
    (void)state;
    add_mode(&n, "reflect");
    put_message(&graph, GRAPH_NODE, &n);
    add_ints_weight(&graph, "p", 8, by_one);
    add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, 4, image);
    for (int k = 0; k < 2; k++) {
        n = node("QuantizeLinear", NULL, "y s", k ? "b" : "a");
        put_message(&graph, GRAPH_NODE, &n);
    }
    add_value(&graph, GRAPH_OUTPUT, "a", TPAD_ONNX_UINT8, -1, NULL);
    add_value(&graph, GRAPH_OUTPUT, "b", TPAD_ONNX_UINT8, -1, NULL);
    m = model_of(&graph, 18);
    assert_int_equal(chosen(&m, "ort-1.32"), 1);

    graph.count = 0;
    n = node("Transpose", NULL, "x", "t");
    put_message(&graph, GRAPH_NODE, &n);
    n = node("Pad", NULL, "t p", "y");
    put_message(&graph, GRAPH_NODE, &n);
    add_ints_weight(&graph, "p", 8, by_one);
    add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, 4, image);
    add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, -1, NULL);
    m = model_of(&graph, 18);
    assert_int_equal(chosen(&m, "ort-1.32"), 0);

    /* An extent follows from an operator that only ONNX Runtime knows, or from the input. */
    for (int is_open = 0; is_open < 2; is_open++) {
        graph.count = 0;
        n = node("Mystery", NULL, "x", "t");
        put_message(&graph, GRAPH_NODE, &n);
        n = node("Reshape", NULL, "t s", "u");
        put_message(&graph, GRAPH_NODE, &n);
        n = node("Pad", NULL, "u p", "y");
        put_message(&graph, GRAPH_NODE, &n);
        add_ints_weight(&graph, "s", 4, (const int64_t[]){1, 64, -1, 4});
        add_ints_weight(&graph, "p", 8, by_one);
        add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, 4, is_open ? open_image : image);
        add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, -1, NULL);
        m = model_of(&graph, 18);
        assert_int_equal(chosen(&m, "ort-1.32"), is_open);
    }

    graph.count = 0;
    n = node("Pad", NULL, "x p", "y");
    put_message(&graph, GRAPH_NODE, &n);
    add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, -1, NULL);
    add_value(&graph, GRAPH_INPUT, "p", TPAD_ONNX_INT64, -1, NULL);
    add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, -1, NULL);
    m = model_of(&graph, 18);
    assert_int_equal(chosen(&m, "ort-1.32"), 1);
}

/* ---- The file -------------------------------------------------------------------------------- */

/* A Pad of that domain; NULL: none is written. */
static message padding(const char *name, const char *inputs, const char *output, const char *domain)
{
    message n = node("Pad", name, inputs, output);
    add_mode(&n, "edge");
    put_text(&n, 6, "what it is for"); /* doc_string */
    if (domain) put_text(&n, NODE_DOMAIN, domain);
    return n;
}

/* Adds it to a graph, and after one of the plug-in its shape. x is an image. */
static void add_padding(message *graph, const char *name, const char *output, const char *domain,
                        int is_ours)
{
    const message n = padding(name, "x p", output, domain);
    put_message(graph, GRAPH_NODE, &n);
    if (is_ours)
        add_value(graph, GRAPH_VALUE, output, TPAD_ONNX_FLOAT, 4, (const int64_t[]){1, 3, 34, 34});
}

static void add_imports(message *m, int field, int64_t opset, int is_prepared)
{
    add_opset(m, field, NULL, opset);
    if (is_prepared) add_opset(m, field, "tensorpad", 1);
    add_opset(m, field, "my", 1);
}

/* A function "F" with a Pad in a branch. */
static message function_of(const char *name, const char *domain, int is_prepared)
{
    message function = {0}, branch = {0}, n = padding(name, "X P", "Z", domain);
    put_text(&function, FUNCTION_NAME, name);
    put_text(&function, FUNCTION_DOMAIN, "my");
    put_text(&function, FUNCTION_INPUT, "X");
    put_text(&function, FUNCTION_INPUT, "P");
    put_text(&function, FUNCTION_OUTPUT, "Y");
    put_message(&branch, GRAPH_NODE, &n);
    n = node("If", NULL, "C", "Y");
    add_graph(&n, "then_branch", &branch);
    put_message(&function, FUNCTION_NODE, &n);
    n = padding(name, "X P", "W", domain);
    put_message(&function, FUNCTION_NODE, &n);
    add_imports(&function, FUNCTION_OPSET, 18, is_prepared);
    return function;
}

/* Pads 0 and 1 in the top graph, 2 in a branch; 3 and 4 in the function A, 5 and 6 in B. ours: the
 * domain of those that are the plug-in's; `old` of the others. */
static message with_pads(const uint8_t ours[7], const char *old)
{
#define DOMAIN_OF(i) (ours[i] ? "tensorpad" : old)
    message graph = {0}, branch = {0}, m = {0}, n;
    int any = 0;
    for (int i = 0; i < 7; i++) any |= ours[i];
    add_padding(&graph, "first", "a", DOMAIN_OF(0), ours[0]);
    add_padding(&graph, "second", "b", DOMAIN_OF(1), ours[1]);
    add_padding(&branch, "third", "d", DOMAIN_OF(2), ours[2]);
    n = node("If", "choice", "c", "y");
    add_graph(&n, "then_branch", &branch);
    put_message(&graph, GRAPH_NODE, &n);
    add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, 4, image);
    add_ints_weight(&graph, "p", 8, by_one);
    put_number(&m, MODEL_IR, 8);
    put_message(&m, MODEL_GRAPH, &graph);
    add_imports(&m, MODEL_OPSET, 18, any);
    n = function_of("A", DOMAIN_OF(3), ours[3]);
    put_message(&m, MODEL_FUNCTION, &n);
    n = function_of("B", DOMAIN_OF(5), ours[5]);
    put_message(&m, MODEL_FUNCTION, &n);
#undef DOMAIN_OF
    return m;
}

/* Writes the model as if those Pads, and no others, were the plug-in's. */
static int32_t write_model(tpad_model *model, const uint8_t *ours)
{
    const int fails = fails_at; /* the allocation that fails while it writes */
    tpad_output *output;
    fails_at = 0;
    tpad_lowering *lowering = plan_for(model, "ort-1.32");
    for (int64_t i = 0; i < tpad_model_pad_count(model); i++)
        lowering->nodes[i].outcome = ours[i] ? TPAD_LOWER_REWRITTEN : TPAD_LOWER_KEPT;
    assert_int_equal(tpad_output_begin(&output, "prepared.onnx", NULL, 1, &error), TPAD_OK);
    allocations = 0;
    fails_at = fails;
    const int32_t status = tpad_lowering_write(lowering, output, NULL, &error);
    fails_at = 0;
    tpad_lowering_free(lowering);
    if (!status) return tpad_output_commit(output, &error);
    tpad_output_discard(output);
    return status;
}

static void expect_file(const message *wanted)
{
    unsigned char bytes[MOST_BYTES];
    FILE *file = fopen("prepared.onnx", "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(count, wanted->count);
    assert_memory_equal(bytes, wanted->bytes, count);
}

static void test_the_file(void **state)
{
    static const uint8_t none[7] = {0}, choices[][7] = {{0},
                                                        {1, 0, 0, 0, 0, 0, 0},
                                                        {0, 1, 1, 0, 0, 0, 0},
                                                        {0, 0, 0, 1, 1, 0, 0},
                                                        {0, 0, 0, 0, 0, 1, 1},
                                                        {1, 1, 1, 1, 1, 1, 1}};
    static const char *const domains[] = {NULL, "", "ai.onnx"};
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        const message before = with_pads(none, domains[k]);
        tpad_model *model = load(&before);
        assert_int_equal(tpad_model_pad_count(model), 7);
        for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
            const message after = with_pads(choices[i], domains[k]);
            assert_int_equal(write_model(model, choices[i]), TPAD_OK);
            expect_file(&after);
        }
        tpad_model_free(model);
    }
}

/* An extent that is open has neither a number nor a name. */
static void add_open_shape(message *graph, const char *name)
{
    message info = {0}, type = {0}, tensor = {0}, shape = {0};
    for (int i = 0; i < 4; i++) {
        message dim = {0};
        if (i < 2) put_number(&dim, 1, i ? 3 : 1);
        put_message(&shape, 1, &dim);
    }
    put_number(&tensor, 1, TPAD_ONNX_FLOAT);
    put_message(&tensor, 2, &shape);
    put_message(&type, 1, &tensor);
    put_text(&info, 1, name);
    put_message(&info, 2, &type);
    put_message(graph, GRAPH_VALUE, &info);
}

/* The file says the shape itself, or some of it is not known, or all of it. */
static void test_shapes_of_outputs(void **state)
{
    static const uint8_t ours[] = {1};
    (void)state;
    for (int k = 0; k < 4; k++) {
        message files[2];
        for (int is_prepared = 0; is_prepared < 2; is_prepared++) {
            message graph = {0};
            const message n = padding("pad", "x p", "y", is_prepared ? "tensorpad" : NULL);
            put_message(&graph, GRAPH_NODE, &n);
            if (k == 1 && is_prepared) add_open_shape(&graph, "y");
            add_ints_weight(&graph, "p", 8, by_one);
            add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, k == 3 ? -1 : 4,
                      k == 1 ? open_image : image);
            if (k == 0) add_value(&graph, GRAPH_VALUE, "y", TPAD_ONNX_FLOAT, 4, open_image);
            if (k == 2) add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, 4, open_image);
            files[is_prepared] = (message){0};
            put_number(&files[is_prepared], MODEL_IR, 8);
            put_message(&files[is_prepared], MODEL_GRAPH, &graph);
            add_imports(&files[is_prepared], MODEL_OPSET, 18, is_prepared);
        }
        tpad_model *model = load(&files[0]);
        assert_int_equal(write_model(model, ours), TPAD_OK);
        expect_file(&files[1]);
        tpad_model_free(model);
    }
}

/* An old file has no imports: its opset is 1. */
static void test_a_file_without_imports(void **state)
{
    static const uint8_t ours[] = {1};
    message graph = {0}, m = {0}, n = node("Pad", "pad", "x", "y");
    (void)state;
    add_ints(&n, "paddings", 8, by_one);
    put_message(&graph, GRAPH_NODE, &n);
    put_number(&m, MODEL_IR, 2);
    put_message(&m, MODEL_GRAPH, &graph);
    tpad_model *model = load(&m);
    assert_int_equal(write_model(model, ours), TPAD_OK);
    graph.count = m.count = 0;
    put_text(&n, NODE_DOMAIN, "tensorpad");
    put_message(&graph, GRAPH_NODE, &n);
    put_number(&m, MODEL_IR, 2);
    put_message(&m, MODEL_GRAPH, &graph);
    expect_file(&m);
    tpad_model_free(model);
}

static void test_memory_that_is_missing(void **state)
{
    static const uint8_t none[7] = {0}, ours[7] = {1, 1, 1, 1, 1, 0, 0};
    const message before = with_pads(none, NULL), after = with_pads(ours, NULL);
    tpad_model *model = load(&before);
    int32_t status = TPAD_E_MEMORY;
    int failures = 0;
    (void)state;
    for (int at = 1; status; at++) {
        fails_at = at;
        status = write_model(model, ours);
        if (status) says(&error, TPAD_E_MEMORY, "memory"), failures++;
    }
    assert_true(failures > 5);
    expect_file(&after);
    tpad_model_free(model);
}

static void test_another_runtime(void **state)
{
    const message m = chain("edge", image, by_one, "Relu", TPAD_ONNX_FLOAT);
    tpad_rules_choice choices[2];
    const tpad_lower_target targets[] = {{"ort", &choices[0]}, {"tract", &choices[1]}};
    tpad_lowering *lowering;
    tpad_model *model = load(&m);
    (void)state;
    for (int i = 0; i < 2; i++) assert_true(tpad_rules_find(&choices[i], targets[i].name));
    assert_int_equal(
        tpad_lowering_plan(&lowering, model, targets, 2, TPAD_LOWER_FOR_PLUGIN, &error),
        TPAD_E_ARGUMENT);
    assert_null(lowering);
    says(&error, TPAD_E_ARGUMENT, "'tract' has no plug-in: ONNX Runtime has one");
    tpad_model_free(model);
}

/* It decides nothing, and the written model takes other shapes. */
static void test_a_shape_that_is_given(void **state)
{
    const message m =
        chain("reflect", (const int64_t[]){1, 3, -1, -1}, by_four, "Transpose", TPAD_ONNX_FLOAT);
    const tpad_input_shape shape = {
        .name = "x", .rank = 4, .shape = (const int64_t[]){1, 3, 9, 9}, .says = TPAD_SAYS_SHAPE};
    tpad_model *model;
    (void)state;
    save("m.onnx", &m);
    assert_int_equal(tpad_model_load_shaped(&model, "m.onnx", &shape, 1, &error), TPAD_OK);
    tpad_lowering *lowering = plan_for(model, "ort-1.23");
    assert_false(tpad_lowering_is_shaped(lowering));
    assert_int_equal(tpad_lowering_at(lowering, 0)->outcome, TPAD_LOWER_REWRITTEN);
    tpad_lowering_free(lowering);
    tpad_model_free(model);
}

static void test_an_openvino_model(void **state)
{
    static const char xml[] =
        "<net name=\"n\" version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" "
        "version=\"opset1\"><data shape=\"1\" element_type=\"f32\"/><output><port id=\"0\" "
        "precision=\"FP32\"><dim>1</dim></port></output></layer></layers><edges/></net>";
    const tpad_lower_target target = {"ort-1.32", &(tpad_rules_choice){0}};
    tpad_lowering *lowering;
    tpad_model *model;
    (void)state;
    scratch_write("m.xml", xml, strlen(xml));
    scratch_write("m.bin", "", 0);
    assert_int_equal(tpad_model_load_shaped(&model, "m.xml", NULL, 0, &error), TPAD_OK);
    assert_int_equal(
        tpad_lowering_plan(&lowering, model, &target, 1, TPAD_LOWER_FOR_PLUGIN, &error),
        TPAD_E_FILE_TYPE);
    assert_null(lowering);
    says(&error, TPAD_E_FILE_TYPE, "m.xml: ONNX Runtime reads ONNX models only");
    tpad_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_choice),
        cmocka_unit_test(test_other_neighbours),
        cmocka_unit_test(test_the_file),
        cmocka_unit_test(test_shapes_of_outputs),
        cmocka_unit_test(test_a_file_without_imports),
        cmocka_unit_test(test_memory_that_is_missing),
        cmocka_unit_test(test_another_runtime),
        cmocka_unit_test(test_a_shape_that_is_given),
        cmocka_unit_test(test_an_openvino_model),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
