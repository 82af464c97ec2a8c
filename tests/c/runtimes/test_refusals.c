/* From a dialect's refusal to the document's reason: the first one in runtimes.h that holds. */
#include "runtimes/runtimes.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { FLOAT = 1, INT4 = 22, TYPES = 1 << FLOAT };

static int32_t document(int32_t spec, int32_t type, int32_t mode, tpad_rules_refusal refusal)
{
    tpad_rules_facts facts;
    tpad_rules_facts_unknown(&facts);
    facts.spec = spec;
    facts.type = type;
    facts.mode = mode;
    refusal.types = TYPES;
    return tpad_rules_document(&facts, &refusal);
}

static void onnx_says(int32_t expected, int32_t type, int32_t mode, tpad_rules_refusal refusal)
{
    assert_int_equal(document(TPAD_RULES_ONNX, type, mode, refusal), expected);
}

static void test_onnx(void **state)
{
    (void)state;
    const int32_t form = TPAD_RULES_FORBIDS_PADS_MISSING, input = TPAD_RULES_FORBIDS_PADS_TYPE;
    const int32_t edge = TPAD_RULES_EDGE, none = TPAD_RULES_NO_MODE;
    onnx_says(TPAD_RULES_ANSWERS, FLOAT, edge, (tpad_rules_refusal){0});
    /* The dialect has not seen what an input still to come has. */
    onnx_says(input, FLOAT, edge, (tpad_rules_refusal){.input = input});
    /* Each reason before those that stand after it. */
    const int32_t code = TPAD_E_SPEC_MODE;
    onnx_says(form, INT4, none, (tpad_rules_refusal){.code = code, .form = form, .input = input});
    onnx_says(TPAD_RULES_FORBIDS_TYPE, INT4, none,
              (tpad_rules_refusal){.code = code, .input = input});
    onnx_says(TPAD_RULES_FORBIDS_MODE_WORD, FLOAT, none,
              (tpad_rules_refusal){.code = code, .input = input});
    onnx_says(TPAD_RULES_FORBIDS_MODE_WORD, FLOAT, TPAD_RULES_SYMMETRIC,
              (tpad_rules_refusal){.code = code});
    onnx_says(TPAD_RULES_FORBIDS_MODE, FLOAT, TPAD_RULES_WRAP,
              (tpad_rules_refusal){.code = code, .input = input});
    onnx_says(input, FLOAT, edge, (tpad_rules_refusal){.code = TPAD_E_SPEC_PADS, .input = input});
    onnx_says(TPAD_RULES_FORBIDS_PADS_COUNT, 0, edge,
              (tpad_rules_refusal){.code = TPAD_E_SPEC_PADS});
    onnx_says(TPAD_RULES_FORBIDS_AXES_REPEATED, FLOAT, edge,
              (tpad_rules_refusal){.code = TPAD_E_SPEC_AXES, .axis = 0});
    onnx_says(TPAD_RULES_FORBIDS_AXES_RANGE, FLOAT, edge,
              (tpad_rules_refusal){.code = TPAD_E_SPEC_AXES, .axis = -1});
}

static void test_openvino(void **state)
{
    (void)state;
    const struct {
        int32_t code, axis, mode, expected;
    } cases[] = {
        {TPAD_OK, -1, TPAD_RULES_EDGE, TPAD_RULES_ANSWERS},
        {TPAD_E_SPEC_INPUT, -1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_INPUT_COUNT},
        {TPAD_E_SPEC_PADS, -1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_PADS_COUNT},
        {TPAD_E_SPEC_PADS, 1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_OTHER},
        {TPAD_E_SPEC_VALUE, -1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_VALUE_TYPE},
        {TPAD_E_SPEC_TYPE, -1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_TYPE},
        {TPAD_E_SPEC_MODE, -1, TPAD_RULES_WRAP, TPAD_RULES_FORBIDS_MODE},
        {TPAD_E_SPEC_MODE, -1, TPAD_RULES_NO_MODE, TPAD_RULES_FORBIDS_MODE_WORD},
        {TPAD_E_SPEC_VERSION, -1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_OPSET},
        {TPAD_E_NEGATIVE, 0, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_NEGATIVE_EXTENT},
        {TPAD_E_NO_SOURCE, 0, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_NOTHING_LEFT},
        {TPAD_E_AMOUNT, 0, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_OTHER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tpad_rules_refusal refusal = {.code = cases[i].code, .axis = cases[i].axis};
        assert_int_equal(document(TPAD_RULES_OPENVINO, INT4, cases[i].mode, refusal),
                         cases[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_onnx),
                                       cmocka_unit_test(test_openvino)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
