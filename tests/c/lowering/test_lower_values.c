/* The pad value in a rewrite: whose bits it has, however the model gives it.
 * SPDX-License-Identifier: MIT */
#include "../models/loaded_models.h"
#include "models/lowering/rewrite.h"

/* The model and what `lower` does with its only Pad. */
typedef struct plan {
    tpad_model *model;
    tpad_lowering *lowering;
} plan;

static plan make(const message *graph, int64_t opset, const char *name)
{
    tpad_rules_choice choice;
    const tpad_lower_target target = {name, &choice};
    const message m = model_of(graph, opset);
    plan p = {.model = load(&m)};
    assert_true(tpad_rules_find(&choice, name));
    if (tpad_lowering_plan(&p.lowering, p.model, &target, 1, 0, &error)) fail_msg("%s", error.text);
    return p;
}

static void drop(plan *p)
{
    tpad_lowering_free(p->lowering);
    tpad_model_free(p->model);
}

/* The constant that the only step reads. */
static const tpad_operand *find(const plan *p)
{
    const tpad_rewrite *rewrite = &p->lowering->rewrites[0];
    if (!p->lowering->nodes[0].operators) fail_msg("%s", p->lowering->nodes[0].reason);
    assert_int_equal(rewrite->step_count, 1);
    const tpad_step *step = rewrite->steps;
    const tpad_operand *operand = &rewrite->operands[step->inputs[step->input_count - 1]];
    assert_int_equal(operand->kind, OPERAND_CONSTANT);
    return operand;
}

/* Data of that type, of shape [4], padded by two cells in front as an old opset has it: by attributes,
 * with the value -0.3. */
static message old_pad(int32_t type, const int64_t *pads)
{
    message graph = {0}, value = {0}, n = node("Pad", NULL, "x", "y");
    const int64_t four[] = {4};
    add_ints(&n, "pads", 2, pads);
    put_text(&value, ATTR_NAME, "value");
    put_float(&value, ATTR_F, -0.3f);
    put_message(&n, NODE_ATTRIBUTE, &value);
    put_message(&graph, GRAPH_NODE, &n);
    add_value(&graph, GRAPH_INPUT, "x", type, 1, four);
    add_value(&graph, GRAPH_OUTPUT, "y", type, -1, NULL);
    return graph;
}

/* A float of an attribute becomes an element of the data's type, rounded once. */
static void test_attribute(void **state)
{
    static const int64_t pads[] = {-5, 8};
    static const float single = -0.3f;
    static const double wide = (double)-0.3f;
    static const uint16_t half = 0xb4cd; /* -0.30005 */
    (void)state;
    for (int i = 0; i < 3; i++) {
        static const int32_t types[] = {TPAD_ONNX_FLOAT, TPAD_ONNX_DOUBLE, TPAD_ONNX_FLOAT16};
        static const void *const wanted[] = {&single, &wide, &half};
        static const size_t sizes[] = {4, 8, 2};
        const message graph = old_pad(types[i], pads);
        plan p = make(&graph, 8, "tract-0.23");
        const tpad_operand *value = find(&p);
        assert_int_equal(value->rank, 0);
        assert_memory_equal(value->data, wanted[i], sizes[i]);
        drop(&p);
    }
}

/* Without Expand, a block of the value is a constant. */
static void test_block(void **state)
{
    static const int64_t pads[] = {-5, 8};
    static const float wanted[] = {-0.3f, -0.3f, -0.3f, -0.3f, -0.3f, -0.3f, -0.3f};
    const message graph = old_pad(TPAD_ONNX_FLOAT, pads);
    (void)state;
    plan p = make(&graph, 7, "tract-0.23");
    const tpad_operand *block = find(&p);
    assert_string_equal(p.lowering->nodes[0].operators, "Constant");
    assert_int_equal(block->shape[0], 7);
    assert_memory_equal(block->data, wanted, sizeof wanted);
    drop(&p);
}

/* tract takes a value of rank 0 only; this one has shape [1]. */
static void test_shape_of_one(void **state)
{
    static const int64_t one[] = {1}, pads[] = {1, 2}, four[] = {4};
    static const uint32_t payload = 0x7fc12345, minus_zero = 0x80000000;
    (void)state;
    for (int folded = 0; folded < 2; folded++) {
        const uint32_t bits = folded ? minus_zero : payload; /* folding knows no payloads of NaN */
        message graph = {0}, value = tensor_head(TPAD_ONNX_FLOAT, 1, one, "v"), n;
        put_field(&value, 9, &bits, sizeof bits);
        if (folded) {
            n = node("Identity", NULL, "v", "w");
            put_message(&graph, GRAPH_NODE, &n);
        }
        n = node("Pad", NULL, folded ? "x p w" : "x p v", "y");
        put_message(&graph, GRAPH_NODE, &n);
        put_message(&graph, GRAPH_WEIGHT, &value);
        add_ints_weight(&graph, "p", 2, pads);
        add_value(&graph, GRAPH_INPUT, "x", TPAD_ONNX_FLOAT, 1, four);
        add_value(&graph, GRAPH_OUTPUT, "y", TPAD_ONNX_FLOAT, -1, NULL);
        plan p = make(&graph, 19, "tract-0.23");
        const tpad_operand *constant = find(&p);
        assert_string_equal(p.lowering->nodes[0].operators, "Pad");
        assert_int_equal(constant->rank, 0);
        assert_memory_equal(constant->data, &bits, sizeof bits);
        drop(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attribute),
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_shape_of_one),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
