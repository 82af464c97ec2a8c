/* What only callers of the functions for models can meet.  SPDX-License-Identifier: MIT
 *
 * A model that is read and not folded, and a file that changes while it is mapped. What is found in models
 * and what runs is tested by the command (checker/tests/models/test_models.py and others). */
#include "../../../../tests/support/onnx_bytes.h"
#include "../../../../tests/support/scratch.h"
#include "models/folding/folding.h"

static tpad_io_error error;

static tpad_model *load(const message *m)
{
    tpad_model *model;
    scratch_write("m.onnx", m->bytes, m->count);
    if (tpad_model_load_shaped(&model, "m.onnx", NULL, 0, &error)) fail_msg("%s", error.text);
    return model;
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
    assert_null(tpad_model_pad_at(model, 1));
    assert_null(tpad_model_pad_at(model, -1));
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

static unsigned char result[16];

static int32_t allocate(void *context, int32_t index, const tpad_tensor *like, void **data,
                        tpad_io_error *why)
{
    (void)context, (void)index, (void)like, (void)why;
    *data = result;
    return TPAD_OK;
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
        if (status)
            assert_non_null(strstr(error.text, "type or shape of 'x' changed after the file"));
        tpad_job_free(job);
        tpad_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_alone),
        cmocka_unit_test(test_changed_file),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
