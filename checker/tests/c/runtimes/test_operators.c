/* Which operators may stand in for a Pad: facts that were seen, and questions without an answer. */
#include "runtimes/runtimes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum {
    FLOAT = 1,
    INT8 = 3,
    INT16 = 5,
    INT32 = 6,
    INT64 = 7,
    STRING = 8,
    UINT32 = 12,
    BFLOAT16 = 16,
    INT2 = 26
};

static tpad_rules_use use_of(int32_t op, int32_t type)
{
    return (tpad_rules_use){.opset = 13, .op = op, .type = type, .rank = 2};
}

static int32_t may_use(tpad_rules_use use, const char *target)
{
    tpad_rules_choice choice;
    assert_true(tpad_rules_find(&choice, target));
    return tpad_rules_may_use(&use, choice);
}

static int32_t may(int32_t op, int32_t type, const char *target)
{
    return may_use(use_of(op, type), target);
}

static void test_gather_of_strings(void **state)
{
    (void)state;
    const char *const wrong[] = {"ort-1.17", "ort-1.20", "ort-1.23", "ort-1.31", NULL};
    for (int32_t i = 0; wrong[i]; i++) {
        assert_false(may(TPAD_RULES_USE_GATHER, STRING, wrong[i]));
        assert_true(may(TPAD_RULES_USE_GATHER, FLOAT, wrong[i]));
        assert_true(may(TPAD_RULES_USE_SLICE, STRING, wrong[i]));
        assert_true(may(TPAD_RULES_USE_CONCAT, STRING, wrong[i]));
    }
}

static void test_no_kernel(void **state)
{
    (void)state;
    assert_false(may(TPAD_RULES_USE_WHERE, INT16, "ort"));
    assert_true(may(TPAD_RULES_USE_WHERE, FLOAT, "ort"));
    assert_true(may(TPAD_RULES_USE_CONCAT, INT16, "ort"));
    assert_false(may(TPAD_RULES_USE_EXPAND, BFLOAT16, "ort"));
    assert_true(may(TPAD_RULES_USE_SLICE, BFLOAT16, "ort"));
}

static void test_without_elements(void **state)
{
    (void)state;
    tpad_rules_use use = use_of(TPAD_RULES_USE_GATHER, FLOAT);
    assert_true(may_use(use, "openvino"));
    use.is_empty = 1;
    assert_false(may_use(use, "openvino"));
    assert_true(may_use(use, "ort"));
    use.op = TPAD_RULES_USE_CONSTANT; /* OpenVINO makes a scalar of it */
    assert_false(may_use(use, "openvino"));
    use.op = TPAD_RULES_USE_SLICE;
    assert_true(may_use(use, "openvino"));
    assert_false(may_use(use, "opencv-5.0"));
    use.rank = 1; /* of which it gives the shape */
    assert_true(may_use(use, "opencv-5.0"));
}

static void test_opsets(void **state)
{
    (void)state;
    const struct {
        const char *target;
        int32_t newest;
    } known[] = {{"ort-1.17", 20}, {"ort-1.23", 23}, {"ort-1.31", 26}};
    tpad_rules_use use = use_of(TPAD_RULES_USE_SLICE, FLOAT);
    for (int32_t i = 0; i < 3; i++) {
        use.opset = known[i].newest;
        assert_true(may_use(use, known[i].target));
        use.opset++;
        assert_false(may_use(use, known[i].target));
    }
    use.op = TPAD_RULES_USE_EXPAND; /* since opset 8 */
    use.opset = 7;
    assert_false(may_use(use, "ort"));
    use.opset = 8;
    assert_true(may_use(use, "ort"));
    use.opset = 0; /* unknown */
    assert_false(may_use(use, "ort"));
    use.op = TPAD_RULES_USE_CONCAT; /* ONNX Runtime begins with version 4 */
    use.opset = 3;
    assert_false(may_use(use, "ort"));
}

static void test_ranks(void **state)
{
    (void)state;
    tpad_rules_use use = use_of(TPAD_RULES_USE_IDENTITY, FLOAT);
    for (use.rank = -1; use.rank <= 8; use.rank++) assert_true(may_use(use, "ort"));
    use.rank = 9; /* nobody has tried */
    assert_false(may_use(use, "ort"));
    use.rank = 40;
    assert_false(may_use(use, "ort"));
    use.op = TPAD_RULES_USE_SLICE; /* a scalar has no axis */
    use.rank = 0;
    assert_false(may_use(use, "ort"));
    use.rank = -1; /* at least 1 */
    assert_true(may_use(use, "ort"));
    use.rank = 2;
    assert_true(may_use(use, "opencv-4.14"));
    use.rank = 1; /* comes out with rank 2 */
    assert_false(may_use(use, "opencv-4.14"));
    use.rank = -1; /* may be 1 */
    assert_false(may_use(use, "opencv-4.14"));
}

static void test_open_extents(void **state)
{
    (void)state;
    tpad_rules_use use = use_of(TPAD_RULES_USE_RESHAPE, FLOAT);
    assert_true(may_use(use, "tract"));
    use.is_open = 1; /* it cannot divide by a symbol */
    assert_false(may_use(use, "tract"));
    assert_true(may_use(use, "ort"));
}

static void test_elements(void **state)
{
    (void)state;
    tpad_rules_use use = use_of(TPAD_RULES_USE_WHERE, FLOAT);
    use.bits = TPAD_RULES_NOT_ZERO | TPAD_RULES_NEGATIVE;
    assert_true(may_use(use, "ort"));
    use.bits |= TPAD_RULES_MINUS_ZERO; /* comes out as 0.0 */
    assert_false(may_use(use, "ort"));
    use.op = TPAD_RULES_USE_GATHER;
    assert_true(may_use(use, "ort"));
    use.type = INT64;
    use.bits = TPAD_RULES_BEYOND_INT32;
    assert_true(may_use(use, "ort"));
    assert_false(may_use(use, "openvino"));
    assert_false(may_use(use, "opencv"));
    use.type = UINT32;
    assert_true(may_use(use, "opencv"));
}

/* The opset is the version of Pad. */
static void test_layers_of_openvino(void **state)
{
    (void)state;
    tpad_rules_use use = use_of(TPAD_RULES_USE_CONSTANT, FLOAT);
    use.spec = TPAD_RULES_OPENVINO;
    use.is_empty = 1; /* other than in ONNX */
    const int32_t opsets[][2] = {{0, 0}, {1, 1}, {12, 1}, {13, 0}};
    for (int32_t i = 0; i < 4; i++) {
        use.opset = opsets[i][0];
        assert_int_equal(may_use(use, "openvino"), opsets[i][1]);
        assert_false(may_use(use, "ort"));
    }
    use.opset = 12;
    use.op = TPAD_RULES_USE_GATHER;
    assert_false(may_use(use, "openvino"));
    use.is_empty = 0;
    assert_true(may_use(use, "openvino"));
}

static void test_cast_and_back(void **state)
{
    (void)state;
    tpad_rules_use use = use_of(TPAD_RULES_USE_CAST_AND_BACK, INT16);
    assert_false(may_use(use, "ort")); /* through what? */
    use.carrier = INT32;
    assert_true(may_use(use, "ort"));
    use.carrier = INT8; /* holds less */
    assert_false(may_use(use, "ort"));
    use = use_of(TPAD_RULES_USE_CONCAT, INT16);
    use.carrier = INT32;
    assert_false(may_use(use, "ort"));
}

static void test_between_two_versions(void **state)
{
    (void)state;
    tpad_rules_use use = use_of(TPAD_RULES_USE_SLICE, FLOAT);
    use.opset = 21;
    assert_false(may_use(use, "ort-1.17"));
    assert_false(may_use(use, "ort-1.18"));
    assert_true(may_use(use, "ort-1.20"));
    assert_true(may_use(use, "ort-1.21"));
}

static void test_what_nobody_has_run(void **state)
{
    (void)state;
    const int32_t count = tpad_rules_target_count();
    tpad_rules_use use = use_of(TPAD_RULES_USE_IDENTITY, INT32);
    int32_t measured = 0;
    for (int32_t i = 0; i < count; i++) {
        const tpad_rules_choice choice = {.low = i, .high = i}, beyond = {.low = i, .high = count};
        const int32_t may_be = tpad_rules_may_use(&use, choice);
        if (!tpad_rules_target_at(i)->version) assert_false(may_be);
        measured += may_be;
        assert_false(tpad_rules_may_use(&use, beyond));
    }
    assert_true(measured > 5);
    assert_false(tpad_rules_may_use(&use, (tpad_rules_choice){.low = -1, .high = 0}));
}

static void test_bad_numbers(void **state)
{
    (void)state;
    const int32_t types[] = {-1, 0, INT2 + 1, 31, 32, 33, 101, INT32_MIN, INT32_MAX};
    const int32_t operators[] = {-1, TPAD_RULES_USES, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        assert_false(may(TPAD_RULES_USE_IDENTITY, types[i], "ort"));
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        assert_false(may(operators[i], FLOAT, "ort"));
        assert_null(tpad_rules_use_name(operators[i]));
    }
    tpad_rules_use use = use_of(TPAD_RULES_USE_IDENTITY, FLOAT);
    use.spec = 7;
    assert_false(may_use(use, "ort"));
    assert_string_equal(tpad_rules_use_name(TPAD_RULES_USE_SLICE_BACK), "Slice by -1");
}

/* OpenCV 5.0 gets the pads of a QLinearConv wrong, and no target has run images of four axes. */
static void test_pads_of_windows(void **state)
{
    (void)state;
    const struct {
        tpad_rules_window window;
        const char *name;
        int32_t is_right;
    } cases[] = {
        {{TPAD_RULES_WINDOW_CONV, FLOAT, 1}, "ort-1.31", 1},
        {{TPAD_RULES_WINDOW_CONV, FLOAT, 3}, "ort-1.28", 1},
        {{TPAD_RULES_WINDOW_CONV, FLOAT, 0}, "ort-1.31", 0},
        {{TPAD_RULES_WINDOW_CONV, FLOAT, 4}, "ort-1.31", 0},
        {{TPAD_RULES_WINDOW_CONV, INT32, 2}, "ort-1.31", 0},
        {{TPAD_RULES_WINDOW_MAX_POOL, INT8, 2}, "tract-0.23", 1},
        {{TPAD_RULES_WINDOW_QLINEAR_CONV, INT8, 2}, "openvino-2026.4", 1},
        {{TPAD_RULES_WINDOW_QLINEAR_CONV, INT8, 2}, "opencv-5.0", 0},
        {{TPAD_RULES_WINDOW_AVERAGE_POOL, FLOAT, 2}, "ort-1.23", 0},
        {{TPAD_RULES_WINDOW_AVERAGE_POOL, FLOAT, 2}, "ort-1.22", 0}, /* between 1.20 and that */
        {{TPAD_RULES_WINDOW_CONV, FLOAT, 2}, "tensorrt", 0},
        {{99, FLOAT, 2}, "ort-1.31", 0},
    };
    tpad_rules_choice choice;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(tpad_rules_find(&choice, cases[i].name));
        assert_int_equal(tpad_rules_takes_pads(&cases[i].window, choice), cases[i].is_right);
    }
    choice = (tpad_rules_choice){.low = -1, .high = 0};
    assert_false(tpad_rules_takes_pads(&cases[0].window, choice));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gather_of_strings),
        cmocka_unit_test(test_no_kernel),
        cmocka_unit_test(test_without_elements),
        cmocka_unit_test(test_opsets),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_open_extents),
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_layers_of_openvino),
        cmocka_unit_test(test_cast_and_back),
        cmocka_unit_test(test_between_two_versions),
        cmocka_unit_test(test_what_nobody_has_run),
        cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_pads_of_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
