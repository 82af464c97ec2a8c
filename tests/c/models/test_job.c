/* Models: what runs.  SPDX-License-Identifier: MIT */
#include "loaded_models.h"

static unsigned char results[4][400];
static tpad_tensor described[4];

static int32_t allocate(void *context, int32_t index, const tpad_tensor *like, void **data,
                        tpad_io_error *why)
{
    (void)context, (void)why;
    assert_in_range(index, 0, 3);
    described[index] = *like;
    *data = results[index];
    return TPAD_OK;
}

static int32_t run_job(const message *m, const char *name, const tpad_tensor *a,
                       const tpad_tensor *b)
{
    const tpad_tensor *inputs[] = {a, b};
    tpad_model *model = load(m);
    tpad_job *job;
    memset(&error, 0, sizeof error);
    int32_t status = tpad_job_open(&job, model, name, &error);
    if (!status) {
        assert_in_range(tpad_job_input_count(job), 0, 2);
        const tpad_job_run run = {.inputs = inputs, .allocate = allocate};
        status = tpad_job_execute(job, &run, &error);
    }
    tpad_job_free(job);
    tpad_model_free(model);
    assert_int_equal(error.code, status);
    return status;
}

static tpad_tensor floats(const float *data, int rank, const int64_t *shape)
{
    tpad_tensor t;
    tpad_tensor_describe(&t, TPAD_ONNX_FLOAT, rank, shape);
    t.data = data;
    return t;
}

static void result_is(int index, const float *expected, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        float got;
        memcpy(&got, results[index] + (size_t)i * sizeof got, sizeof got);
        assert_true(got == expected[i]);
    }
}

/* ---- One node -------------------------------------------------------------------------------- */

static void test_choose(void **state)
{
    (void)state;
    const float data[] = {1, 2, 3};
    const tpad_tensor x = floats(data, 1, three);
    const message m = nested_model();
    static const char *const names[] = {"inner", "choice/then_branch/inner", "t", "d",
                                        "choice/then_branch/If_1/else_branch/d"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (run_job(&m, names[i], &x, NULL)) fail_msg("%s", error.text);
        result_is(0, (const float[]){0, 1, 2, 3, 0}, 5);
    }
    run_job(&m, "fp", &x, NULL);
    says(&error, TPAD_E_MODEL, "'mode'");
    run_job(&m, "choice", &x, NULL);
    says(&error, TPAD_E_MODEL, "no Pad, but If");
    run_job(&m, "nothing", &x, NULL);
    says(&error, TPAD_E_MODEL,
         "no Pad node is called 'nothing'; there are 'choice/then_branch/inner', "
         "'choice/then_branch/If_1/else_branch/d', 'function:my:F/fp'");
    run_job(&m, NULL, &x, NULL);
    says(&error, TPAD_E_MODEL, "node 'choice' (If)");
    message graph = one_pad(NULL, 1, three, 2, one_each), n = node("Pad", "pad", "y p", "z");
    put_message(&graph, GRAPH_NODE, &n);
    message twice = model_of(&graph, 13);
    run_job(&twice, "pad", &x, NULL);
    says(&error, TPAD_E_MODEL, "2 Pad nodes");
    assert_int_equal(run_job(&twice, "z", &x, NULL), TPAD_E_MODEL);
    says(&error, TPAD_E_MODEL, "has shape [5], but [3] was given");
}

/* ---- Whole models --------------------------------------------------------------------------- */

static void test_chain(void **state)
{
    (void)state;
    const float data[] = {1, 2, 3};
    const tpad_tensor x = floats(data, 1, three);
    message graph = one_pad(NULL, 1, three, 2, one_each), n, constant = {0};
    n = node("Constant", NULL, "", "k");
    put_text(&constant, ATTR_NAME, "value_float");
    put_float(&constant, ATTR_F, 7);
    put_message(&n, NODE_ATTRIBUTE, &constant);
    put_message(&graph, GRAPH_NODE, &n);
    n = node("Constant", NULL, "", "q");
    add_ints(&n, "value_ints", 2, (const int64_t[]){-1, 1});
    put_message(&graph, GRAPH_NODE, &n);
    n = node("Pad", NULL, "y q k", "z");
    put_message(&graph, GRAPH_NODE, &n);
    add_value(&graph, GRAPH_OUTPUT, "z", TPAD_ONNX_FLOAT, -1, NULL);
    add_value(&graph, GRAPH_OUTPUT, "x", TPAD_ONNX_FLOAT, -1, NULL);
    add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, -1, NULL);
    const message m = model_of(&graph, 13);
    if (run_job(&m, NULL, &x, NULL)) fail_msg("%s", error.text);
    result_is(0, (const float[]){0, 1, 2, 3, 0}, 5);
    result_is(1, (const float[]){1, 2, 3, 0, 7}, 5);
    result_is(2, (const float[]){1, 2, 3}, 3);
    result_is(3, (const float[]){0, 1, 2, 3, 0}, 5);
    assert_int_equal(described[1].shape[0], 5);
}

static void test_weights_as_data(void **state)
{
    (void)state;
    message graph = {0}, n = node("Pad", NULL, "w p", "y");
    message weight = tensor_head(TPAD_ONNX_FLOAT, 1, three, "w");
    for (int i = 0; i < 3; i++) put_float(&weight, 4, (float)i);
    put_message(&graph, GRAPH_WEIGHT, &weight);
    put_message(&graph, GRAPH_NODE, &n);
    add_ints_weight(&graph, "p", 2, one_each);
    /* An input with an initializer has a default: it need not be given. */
    add_value(&graph, GRAPH_INPUT, "w", TPAD_ONNX_FLOAT, 1, three);
    add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, -1, NULL);
    add_value(&graph, GRAPH_OUTPUT, "w", TPAD_ONNX_FLOAT, -1, NULL);
    const message m = model_of(&graph, 13);
    if (run_job(&m, NULL, NULL, NULL)) fail_msg("%s", error.text);
    result_is(0, (const float[]){0, 0, 1, 2, 0}, 5);
    result_is(1, (const float[]){0, 1, 2}, 3);
}

static void swap_floats(float *to, const float *from, int count)
{
    for (int i = 0; i < count; i++)
        for (int b = 0; b < 4; b++)
            ((unsigned char *)&to[i])[b] = ((const unsigned char *)&from[i])[3 - b];
}

/* Data in another order and layout keeps its byte order; pads and value are made native. */
static void test_layouts(void **state)
{
    (void)state;
    const int64_t shape[] = {2, 2};
    const float native[] = {1, 3, 2, 4}; /* column by column */
    float data[4], fill[1], expected[6];
    message graph = {0}, n = node("Pad", NULL, "x p v", "y");
    message v = tensor_head(TPAD_ONNX_FLOAT, 0, NULL, "v");
    put_float(&v, 4, 9);
    put_message(&graph, GRAPH_WEIGHT, &v);
    put_message(&graph, GRAPH_NODE, &n);
    add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, 2, shape);
    add_value(&graph, GRAPH_INPUT, "p", TPAD_ONNX_INT64, 1, (const int64_t[]){4});
    add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, -1, NULL);
    const message m = model_of(&graph, 13);
    swap_floats(data, native, 4);
    swap_floats(fill, (const float[]){9}, 1);
    swap_floats(expected, (const float[]){1, 2, 9, 3, 4, 9}, 6);
    tpad_tensor x = floats(data, 2, shape), p;
    x.big_endian = 1;
    x.strides[0] = 4;
    x.strides[1] = 8;
    /* pads 0 0 0 1, in every second place and high byte first. */
    unsigned char pads[64] = {0};
    pads[3 * 16 + 7] = 1;
    tpad_tensor_describe(&p, TPAD_ONNX_INT64, 1, (const int64_t[]){4});
    p.data = pads;
    p.strides[0] = 16;
    p.big_endian = 1;
    if (run_job(&m, NULL, &x, &p)) fail_msg("%s", error.text);
    assert_int_equal(described[0].big_endian, 1);
    assert_memory_equal(results[0], expected, sizeof expected);
}

static void test_strings(void **state)
{
    (void)state;
    message graph = {0}, n = node("Pad", NULL, "x p v", "y");
    message v = tensor_head(TPAD_ONNX_STRING, 0, NULL, "v");
    put_text(&v, 6, "fill");
    put_message(&graph, GRAPH_WEIGHT, &v);
    put_message(&graph, GRAPH_NODE, &n);
    add_ints_weight(&graph, "p", 2, (const int64_t[]){1, 0});
    add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_STRING, 1, (const int64_t[]){-1});
    add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_STRING, -1, NULL);
    const message m = model_of(&graph, 13);
    tpad_tensor x;
    const tpad_string text = {"word", 4};
    tpad_tensor_describe(&x, TPAD_ONNX_STRING, 1, (const int64_t[]){1});
    x.data = &text;
    tpad_model *model = load(&m);
    assert_string_equal(tpad_model_pad_at(model, 0)->value, "\"fill\"");
    tpad_job *job;
    const tpad_tensor *inputs[] = {&x};
    const tpad_job_run run = {.inputs = inputs, .allocate = allocate};
    assert_int_equal(tpad_job_open(&job, model, NULL, &error), TPAD_OK);
    assert_int_equal(tpad_job_execute(job, &run, &error), TPAD_OK);
    tpad_string got[2];
    memcpy(got, results[0], sizeof got);
    assert_int_equal(got[0].length, 4);
    assert_memory_equal(got[0].text, "fill", 4);
    assert_ptr_equal(got[1].text, text.text);
    tpad_job_free(job);
    tpad_model_free(model);
}

static void test_bad_runs(void **state)
{
    (void)state;
    const float data[4] = {0};
    const int64_t four[] = {4};
    message graph = one_pad(NULL, 1, three, 2, one_each);
    message m = model_of(&graph, 13);
    tpad_tensor x = floats(data, 1, four);
    run_job(&m, NULL, NULL, NULL);
    says(&error, TPAD_E_MODEL, "input 'x' is missing");
    run_job(&m, NULL, &x, NULL);
    says(&error, TPAD_E_MODEL, "has shape [3], but [4] was given");
    x = floats(data, 2, (const int64_t[]){1, 3});
    run_job(&m, NULL, &x, NULL);
    says(&error, TPAD_E_MODEL, "has shape [3], but [1,3] was given");
    tpad_tensor_describe(&x, TPAD_ONNX_INT32, 1, three);
    run_job(&m, NULL, &x, NULL);
    says(&error, TPAD_E_MODEL, "type float, but int32");
    x = floats(data, 1, three);
    m = model_of(&graph, 1);
    run_job(&m, NULL, &x, NULL);
    says(&error, TPAD_E_SPEC_INPUT, "'pad'");

    message n = node("Pad", "early", "late p", "e");
    put_message(&graph, GRAPH_NODE, &n);
    n = node("Pad", NULL, "y p", "late");
    put_message(&graph, GRAPH_NODE, &n);
    m = model_of(&graph, 13);
    run_job(&m, NULL, &x, NULL);
    says(&error, TPAD_E_MODEL, "node 'early' uses 'late' before");
}

/* x -> Pad -> y; x is a constant of that type and shape, of 16 bytes. */
static message pad_of_16_bytes(int32_t type, int rank, const int64_t *shape)
{
    message graph = {0}, n = node("Pad", NULL, "x p", "y"), x = tensor_head(type, rank, shape, "x");
    put_field(&x, 9, "0123456789abcdef", 16);
    put_message(&graph, GRAPH_WEIGHT, &x);
    put_message(&graph, GRAPH_NODE, &n);
    add_ints_weight(&graph, "p", 2 * rank, (const int64_t[]){0, 0, 0, 0});
    add_value(&graph, GRAPH_OUTPUT, "y", type, -1, NULL);
    return model_of(&graph, 13);
}

/* The elements that are read have the type and the shape that were read before, or none. */
static void test_changed_file(void **state)
{
    (void)state;
    const message before = pad_of_16_bytes(TPAD_ONNX_FLOAT, 2, (const int64_t[]){2, 2});
    const message after[] = {pad_of_16_bytes(TPAD_ONNX_FLOAT, 2, (const int64_t[]){4, 1}),
                             pad_of_16_bytes(TPAD_ONNX_INT32, 2, (const int64_t[]){2, 2}), before};
    const tpad_job_run run = {.allocate = allocate};
    for (int i = 0; i < 3; i++) {
        tpad_job *job;
        tpad_model *model = load(&before);
        assert_int_equal(tpad_job_open(&job, model, NULL, &error), TPAD_OK);
        assert_int_equal(before.count, after[i].count);
        FILE *file = fopen("m.onnx", "r+b"); /* the file that is mapped */
        assert_non_null(file);
        assert_int_equal(fwrite(after[i].bytes, 1, after[i].count, file), after[i].count);
        assert_int_equal(fclose(file), 0);
        const int32_t status = tpad_job_execute(job, &run, &error);
        assert_int_equal(status, i < 2 ? TPAD_E_FILE : TPAD_OK);
        if (status) says(&error, TPAD_E_FILE, "type or shape of 'x' changed after the file was");
        tpad_job_free(job);
        tpad_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choose),          cmocka_unit_test(test_chain),
        cmocka_unit_test(test_weights_as_data), cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_strings),         cmocka_unit_test(test_bad_runs),
        cmocka_unit_test(test_changed_file),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
