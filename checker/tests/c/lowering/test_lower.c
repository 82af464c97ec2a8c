/* Which rewrite of a Pad is chosen for a target, and why there is none.
 * SPDX-License-Identifier: MIT
 *
 * What rewrites give is tested by models that run (checker/tests/models/test_lower_onnx.py and others). */
#include "models/lowering/rewrite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tensorpad/onnx.h>

/* ---- Problems -------------------------------------------------------------------------------- */

typedef struct problem {
    tpad_rules_facts facts;
    tpad_graph_pad pad;
} problem;

static const char *const mode_names[] = {[TPAD_RULES_CONSTANT] = "constant",
                                         [TPAD_RULES_EDGE] = "edge",
                                         [TPAD_RULES_REFLECT] = "reflect",
                                         [TPAD_RULES_SYMMETRIC] = "symmetric",
                                         [TPAD_RULES_WRAP] = "wrap"};

/* Begins a Pad of int32, without axes that it pads. */
static void begin(problem *p, int32_t spec, int32_t opset, int32_t mode, int32_t rank)
{
    memset(p, 0, sizeof *p);
    tpad_rules_facts_unknown(&p->facts);
    p->facts.spec = spec;
    p->facts.opset = opset;
    p->facts.document = TPAD_RULES_ANSWERS;
    p->facts.mode = mode;
    p->facts.type = TPAD_ONNX_INT32;
    p->facts.rank = rank;
    p->facts.rank_open = 0;
    p->facts.pads_given = TPAD_RULES_INITIALIZER;
    p->facts.pads_type = TPAD_ONNX_INT64;
    p->facts.value_known = 1;
    p->facts.before = TPAD_RULES_OTHER_OPERATOR;
    tpad_rules_facts_apart(&p->facts, TPAD_RULES_OTHER_OPERATOR);
    p->pad.facts = &p->facts;
    p->pad.info.mode = mode_names[mode];
}

static void set_axis(problem *p, int32_t axis, int64_t extent, int64_t before, int64_t after)
{
    p->facts.axis[axis] =
        (tpad_rules_axis){.extent = extent, .begin = before, .end = after, .amounts_known = 1};
}

/* The pad value: 0 absent, 1 an attribute, 2 an input of the graph. */
static void set_value(problem *p, int way)
{
    static const int32_t attribute = 77;
    tpad_rules_facts *facts = &p->facts;
    facts->value_given = way == 0   ? TPAD_RULES_ABSENT
                         : way == 1 ? TPAD_RULES_ATTRIBUTE
                                    : TPAD_RULES_GRAPH_INPUT;
    facts->value_known = way < 2;
    facts->value_bits = way == 1 ? TPAD_RULES_NOT_ZERO : 0;
    facts->value_type = way == 2 ? TPAD_ONNX_INT32 : TPAD_RULES_TYPE_UNKNOWN;
    facts->value_rank = way < 2 ? -1 : 0;
    facts->value_count = way < 2 ? -1 : 1;
    p->pad.value = way == 1 ? &attribute : NULL;
    p->pad.value_type = TPAD_ONNX_INT32;
}

/* ---- The choice ------------------------------------------------------------------------------ */

static const tpad_format format = {.value_input = 2};

/* Lets rewrite_choice.c choose for the problem and the target ("": any that runs everything),
 * with that many bytes of memory (0: no limit). Returns the status; the lowering has the rest. */
static int32_t choose_within(tpad_lowering *lowering, problem *p, const char *name, int64_t limit)
{
    static tpad_model model;
    static tpad_lowered_node node;
    static tpad_rewrite rewrite;
    static tpad_rules_choice choice;
    static tpad_lower_target target;
    tpad_io_error error;
    model = (tpad_model){.format = &format, .pads = &p->pad, .pad_count = 1, .path = "m.onnx"};
    node = (tpad_lowered_node){.outcome = TPAD_LOWER_CANNOT};
    rewrite = (tpad_rewrite){.pad = &p->pad};
    target = (tpad_lower_target){name, &choice};
    *lowering = (tpad_lowering){.model = &model,
                                .arena = {.limit = limit},
                                .nodes = &node,
                                .rewrites = &rewrite,
                                .targets = &target,
                                .target_count = *name != 0};
    if (*name) assert_true(tpad_rules_find(&choice, name));
    tpad_arena_take(&lowering->arena, 1, 1); /* what is tried is given back from there on */
    return tpad_recipe_choose(lowering, 0, &error);
}

static tpad_lowered_node choose(tpad_lowering *lowering, problem *p, const char *name)
{
    assert_int_equal(choose_within(lowering, p, name, 0), TPAD_OK);
    return lowering->nodes[0];
}

/* ---- Operators, reasons, memory -------------------------------------------------------------- */

/* A Pad by `begin` and `end` on the last axis of data; the other axes have extent 2. */
static void make(problem *p, int32_t opset, int32_t mode, int32_t rank, int64_t extent,
                 int64_t before, int64_t after)
{
    begin(p, TPAD_RULES_ONNX, opset, mode, rank);
    for (int32_t i = 0; i + 1 < rank; i++) set_axis(p, i, 2, 0, 0);
    if (rank > 0) set_axis(p, rank - 1, extent, before, after);
}

static void test_operators(void **state)
{
    static const struct {
        const char *target;
        int32_t opset, mode, rank;
        int64_t extent, begin, end;
        const char *operators;
    } cases[] = {
        {"ort-1.31", 19, TPAD_RULES_CONSTANT, 0, 0, 0, 0, "Identity"},
        {"opencv-5.0", 19, TPAD_RULES_WRAP, 2, 4, -2, 1, "Slice, Pad"},
        {"tract-0.23", 19, TPAD_RULES_CONSTANT, 2, 4, -2, 1, "Slice, Pad"},
        {"tract-0.23", 19, TPAD_RULES_CONSTANT, 2, 4, -2, -1, "Slice"},
        {"tract-0.23", 19, TPAD_RULES_CONSTANT, 2, -1, -2, 1, "Pad, Slice"},
        {"tract-0.23", 19, TPAD_RULES_CONSTANT, 2, -1, 1, -2, "Pad, Slice"},
        {"tract-0.23", 19, TPAD_RULES_CONSTANT, 2, 2, -3, 4, "Expand"},
        {"ort-1.31", 19, TPAD_RULES_REFLECT, 2, 4, 9, 0, "Slice by -1, Slice, Slice by -1, Concat"},
        {"ort-1.31", 19, TPAD_RULES_REFLECT, 2, 2, 90, 90, "Gather"},
        {"openvino-2026.4", 19, TPAD_RULES_WRAP, 2, 4, 4, 4, "Concat"},
        {"openvino-2026.4", 19, TPAD_RULES_WRAP, 2, 4, 3, 9, "Slice x2, Concat"},
        {"openvino-2026.4", 19, TPAD_RULES_WRAP, 2, 4000, 2, 0, "Slice, Concat"},
        {"ort-1.31", 19, TPAD_RULES_REFLECT, 2, INT64_C(1) << 50, INT64_C(1) << 50, 0,
         "Slice, Slice by -1, Concat"},
        {"tract-0.23", 19, TPAD_RULES_CONSTANT, 2, 4, -4, 0, "Constant"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        problem p;
        tpad_lowering lowering;
        make(&p, cases[i].opset, cases[i].mode, cases[i].rank, cases[i].extent, cases[i].begin,
             cases[i].end);
        const tpad_lowered_node node = choose(&lowering, &p, cases[i].target);
        if (!node.operators || strcmp(node.operators, cases[i].operators) != 0)
            fail_msg("case %zu: %s, wanted %s", i, node.operators ? node.operators : node.reason,
                     cases[i].operators);
        assert_int_equal(node.outcome, TPAD_LOWER_REWRITTEN);
        tpad_arena_free(&lowering.arena);
    }
}

/* What a case of test_reasons changes. */
enum {
    NOTHING,
    OF_COMPLEX,
    OF_INT64,
    NO_OPSET,
    NO_TYPE,
    NO_MODE,
    NO_RANK,
    NO_AMOUNTS,
    NO_EXTENT,
    IN_FUNCTION
};

static void test_reasons(void **state)
{
    static const struct {
        const char *target;
        int32_t change, opset, mode;
        int64_t extent, begin;
        const char *reason;
    } cases[] = {
        {"coreml", NOTHING, 19, TPAD_RULES_WRAP, 4, 1, "nobody has run CoreML: "},
        {"coreml", NOTHING, 19, TPAD_RULES_WRAP, 4, 1, "there; --target openvino-2026.4 writes "},
        {"ort-1.31", NO_OPSET, 0, TPAD_RULES_WRAP, 4, 1, "the opset is not known"},
        {"ort-1.31", NO_TYPE, 19, TPAD_RULES_WRAP, 4, 1, "the type of the data is not known"},
        {"ort-1.31", NO_MODE, 19, TPAD_RULES_WRAP, 4, 1, "the mode is known only when"},
        {"ort-1.31", NO_RANK, 19, TPAD_RULES_WRAP, 4, 1, "the rank of the data is not known"},
        {"ort-1.31", NO_AMOUNTS, 19, TPAD_RULES_WRAP, 4, 1, "the amounts are known only when"},
        {"openvino-2026.4", NO_EXTENT, 19, TPAD_RULES_WRAP, 4, 2,
         "the extent of axis 1 is not known: give --input-shape, or --assume if it is always at "
         "least 2"},
        {"openvino-2026.4", IN_FUNCTION, 19, TPAD_RULES_WRAP, 4, 1,
         "no operator helps at this place: the Pad is in a function"},
        {"ort-1.31", NOTHING, 19, TPAD_RULES_REFLECT, 2, INT64_C(3) << 20,
         "more than 16 MiB of constants"},
        {"ort-1.25", OF_COMPLEX, 19, TPAD_RULES_REFLECT, 4, 9,
         "ort-1.25: no operator is right there for type complex64"},
        {"opencv-5.0", OF_INT64, 19, TPAD_RULES_WRAP, 4, 1, "beyond int32"},
        {"openvino-2026.4", OF_INT64, 21, TPAD_RULES_WRAP, 4, 1,
         "OpenVINO 2026.4: these operators are not right there for type int64 with numbers beyond "
         "int32"},
        {"opencv-5.0", NOTHING, 19, TPAD_RULES_EDGE, 4, -4,
         "OpenCV 5.0: these operators are not right there for tensors without elements"},
        {"ort-1.23", NOTHING, 25, TPAD_RULES_EDGE, 4, 1,
         "no operator helps at this opset: ONNX Runtime 1.23.2 reads models up to opset 23"},
        {"ort-1.23", NOTHING, 1, TPAD_RULES_CONSTANT, 4, 1,
         "ONNX Runtime 1.23: no operator is right there for type int32 at opset 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        problem p;
        tpad_lowering lowering;
        make(&p, cases[i].opset, cases[i].mode, 2, cases[i].extent, cases[i].begin, 0);
        if (cases[i].change == OF_COMPLEX) p.facts.type = TPAD_ONNX_COMPLEX64;
        if (cases[i].change == OF_INT64) {
            p.facts.type = TPAD_ONNX_INT64;
            p.facts.data_known = cases[i].opset == 19; /* else any digits */
            p.facts.data_bits = TPAD_RULES_BEYOND_INT32;
        }
        if (cases[i].change == NO_TYPE) p.facts.type = TPAD_RULES_TYPE_UNKNOWN;
        if (cases[i].change == NO_MODE) p.facts.mode = TPAD_RULES_MODE_UNKNOWN;
        if (cases[i].change == NO_RANK) p.facts.rank = -1;
        if (cases[i].change == NO_AMOUNTS) p.facts.axis[1].amounts_known = 0;
        if (cases[i].change == NO_EXTENT) p.facts.axis[1].extent = -1;
        if (cases[i].change == IN_FUNCTION) p.facts.inside = 2;
        const tpad_lowered_node node = choose(&lowering, &p, cases[i].target);
        if (!node.reason || !strstr(node.reason, cases[i].reason))
            fail_msg("case %zu: %s, wanted %s", i, node.reason ? node.reason : node.operators,
                     cases[i].reason);
        assert_int_equal(node.outcome, TPAD_LOWER_CANNOT);
        assert_int_equal(lowering.rewrites[0].step_count, 0);
        tpad_arena_free(&lowering.arena);
    }
}

/* Where takes the value wherever no cell of the data is: of two methods, which few targets need. */
static void test_masks(void **state)
{
    static const struct {
        int64_t begin, end;
        unsigned char mask[6];
    } cases[] = {{1, 2, {0, 1, 1, 1, 0, 0}}, {-1, 2, {1, 1, 0, 0}}, {4, -2, {0, 0, 0, 0, 1}}};
    static const int32_t methods[] = {METHOD_GATHER_WHERE, METHOD_PAD_WHERE};
    tpad_model model = {.format = &format};
    (void)state;
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        tpad_lowering lowering = {.model = &model};
        problem p;
        int masks = 0;
        begin(&p, TPAD_RULES_ONNX, 19, TPAD_RULES_CONSTANT, 2);
        set_axis(&p, 0, 3, cases[i / 2].begin, cases[i / 2].end);
        set_axis(&p, 1, 2, 0, 0);
        tpad_recipe recipe = {.lowering = &lowering, .pad = &p.pad};
        assert_true(tpad_recipe_build(&recipe, TPAD_ONNX_INT32, SHAPE_AS_IS, methods[i % 2]));
        for (int32_t k = 0; k < recipe.operand_count; k++) {
            const tpad_operand *operand = &recipe.operands[k];
            if (operand->type != TPAD_ONNX_BOOL || operand->kind == OPERAND_STEP) continue;
            assert_int_equal(operand->shape[0], 3 + cases[i / 2].begin + cases[i / 2].end);
            assert_int_equal(operand->shape[1], 1);
            assert_memory_equal(operand->data, cases[i / 2].mask, (size_t)operand->shape[0]);
            masks++;
        }
        const tpad_step *last = &recipe.steps[recipe.step_count - 1];
        assert_int_equal(masks, 1);
        assert_int_equal(last->op, TPAD_RULES_USE_WHERE);
        assert_int_equal(recipe.operands[last->inputs[0]].type, TPAD_ONNX_BOOL);
        assert_int_equal(recipe.operands[last->inputs[1]].kind, OPERAND_STEP);
        tpad_arena_free(&lowering.arena);
    }
}

/* OpenVINO does not broadcast types of 4 bits, so a block of them is a constant. */
static void test_packed_block(void **state)
{
    static const unsigned char value = 0xB, wanted[] = {0xBB, 0xBB, 0xBB, 0x0B};
    tpad_rules_choice choice;
    const tpad_lower_target target = {"", &choice};
    tpad_model model = {.format = &format};
    tpad_lowering lowering = {.model = &model, .targets = &target, .target_count = 1};
    problem p;
    (void)state;
    begin(&p, TPAD_RULES_OPENVINO, 12, TPAD_RULES_CONSTANT, 1);
    set_axis(&p, 0, 2, -3, 8);
    set_value(&p, 1);
    p.facts.type = p.pad.value_type = TPAD_ONNX_UINT4;
    p.pad.value = &value;
    assert_true(tpad_rules_find(&choice, "openvino-2026.4"));
    tpad_recipe recipe = {.lowering = &lowering, .pad = &p.pad};
    assert_true(tpad_recipe_build(&recipe, TPAD_ONNX_UINT4, SHAPE_AS_IS, METHOD_FILL));
    assert_int_equal(recipe.steps[0].op, TPAD_RULES_USE_CONSTANT);
    const tpad_operand *block = &recipe.operands[recipe.steps[0].inputs[0]];
    assert_int_equal(block->shape[0], 7);
    assert_memory_equal(block->data, wanted, sizeof wanted);
    tpad_arena_free(&lowering.arena);
}

/* With less memory than it takes: a status, and nothing half made. */
static void test_no_memory(void **state)
{
    static const struct {
        const char *target;
        int32_t mode;
        int64_t begin, end;
        int value;
    } cases[] = {
        {"ort-1.31", TPAD_RULES_REFLECT, 9, 2, 0},
        {"openvino-2026.4", TPAD_RULES_WRAP, 2, 3, 0},
        {"tract-0.23", TPAD_RULES_CONSTANT, -1, 2, 1},
        {"openvino-2026.4", TPAD_RULES_CONSTANT, 1, 2, 2},
        {"openvino-2026.4", TPAD_RULES_CONSTANT, -9, 12, 0},
        {"coreml", TPAD_RULES_CONSTANT, 1, 2, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int refusals = 0;
        problem p;
        tpad_lowering lowering;
        char wanted[200];
        make(&p, 19, cases[i].mode, 2, 4, cases[i].begin, cases[i].end);
        set_value(&p, cases[i].value);
        const tpad_lowered_node node = choose(&lowering, &p, cases[i].target);
        snprintf(wanted, sizeof wanted, "%s", node.operators ? node.operators : node.reason);
        tpad_arena_free(&lowering.arena);
        for (int64_t limit = 16; limit; limit += 16) {
            if (choose_within(&lowering, &p, cases[i].target, limit)) {
                refusals++;
            } else {
                const tpad_lowered_node *n = &lowering.nodes[0];
                assert_string_equal(n->operators ? n->operators : n->reason, wanted);
                limit = -16;
            }
            tpad_arena_free(&lowering.arena);
        }
        assert_in_range(refusals, 2, 100000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators), cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_masks),     cmocka_unit_test(test_packed_block),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
