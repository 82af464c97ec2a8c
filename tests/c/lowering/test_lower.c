/* Rewrites of Pads: each one gives what the document says, which one is chosen for a target, and why
 * there is none.  SPDX-License-Identifier: MIT */
#include "rewrites.h"

enum { PROBLEMS = 20000 };

/* ---- Random numbers -------------------------------------------------------------------------- */

static uint64_t seed = 16;

static int64_t draw(int64_t least, int64_t most)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return least + (int64_t)((seed >> 33) % (uint64_t)(most - least + 1));
}

/* Draws a problem; 0 if the document has no answer. hides: some extents are not known before. */
static int draw_problem(problem *p, int hides)
{
    const int is_onnx = draw(0, 3) > 0;
    const int32_t mode = (int32_t)draw(TPAD_RULES_CONSTANT, TPAD_RULES_REFLECT + 1),
                  other = is_onnx ? TPAD_RULES_WRAP : TPAD_RULES_SYMMETRIC;
    const int64_t calm = draw(0, 2); /* fewer axes with amounts */
    begin(p, is_onnx ? TPAD_RULES_ONNX : TPAD_RULES_OPENVINO, is_onnx ? (int32_t)draw(11, 25) : 12,
          mode > TPAD_RULES_REFLECT ? other : mode, (int32_t)draw(0, 4));
    set_value(p, (int)draw(0, 2), (int32_t)draw(0, 1));
    for (int32_t i = 0; i < p->facts.rank; i++) {
        const int still = calm && draw(0, calm);
        const int64_t extent = draw(0, 9) ? draw(1, 4) : 0;
        set_axis(p, i, extent, still ? 0 : draw(draw(0, 1) ? -4 : 0, draw(0, draw(0, 5) ? 6 : 12)),
                 still ? 0 : draw(draw(0, 1) ? -4 : 0, draw(0, draw(0, 5) ? 6 : 12)));
        if (hides && draw(0, 1)) p->facts.axis[i].extent = -1;
    }
    if (!solve(p)) return 0;
    if (!hides || p->answer.cells > 0) return 1;
    free_problem(p);
    return 0;
}

/* ---- Every method ---------------------------------------------------------------------------- */

/* An opset and a type for which a target has no Slice by -1, no Expand and no Where. */
static tpad_rules_choice make_old(problem *p)
{
    tpad_rules_choice choice;
    assert_true(tpad_rules_find(&choice, "ort-1.23"));
    p->facts.opset = 7;
    p->facts.type = TPAD_ONNX_FLOAT;
    p->pad.value_type = TPAD_ONNX_FLOAT;
    return choice;
}

/* Tries to make one rewrite, and runs it. choice: what the target runs; NULL: everything. Returns 1
 * if it can be made. */
static int can_make(const problem *p, const tpad_rules_choice *choice, int32_t carrier,
                    int32_t shape, int32_t method)
{
    const tpad_lower_target target = {"", choice};
    char what[60];
    tpad_model model = {.format = &format};
    tpad_lowering lowering = {.model = &model, .targets = &target, .target_count = choice != NULL};
    tpad_recipe recipe = {.lowering = &lowering, .pad = &p->pad};
    const int made = tpad_recipe_build(&recipe, carrier, shape, method);
    snprintf(what, sizeof what, "type %d, shape %d, method %d", (int)carrier, (int)shape,
             (int)method);
    if (made)
        check(recipe.operands, recipe.operand_count, recipe.steps, recipe.step_count, p, what);
    tpad_arena_free(&lowering.arena);
    return made;
}

/* Every method in every shape, in the type of the data and in another one, wherever it can be made.
 */
static void test_methods(void **state)
{
    int made[SHAPES][METHODS] = {{0}}, old[METHODS] = {0};
    (void)state;
    for (int i = 0; i < PROBLEMS; i++) {
        problem p;
        if (!draw_problem(&p, i % 3 == 0)) continue;
        for (int32_t shape = 0; shape < SHAPES; shape++)
            for (int32_t method = 0; method < METHODS; method++)
                made[shape][method] += can_make(&p, NULL, TPAD_ONNX_INT32, shape, method) +
                                       can_make(&p, NULL, TPAD_ONNX_INT64, shape, method);
        if (p.facts.spec == TPAD_RULES_ONNX && p.facts.value_given != TPAD_RULES_GRAPH_INPUT) {
            const tpad_rules_choice choice = make_old(&p);
            for (int32_t method = 0; method < METHODS; method++)
                old[method] += can_make(&p, &choice, TPAD_ONNX_FLOAT, SHAPE_AS_IS, method);
        }
        free_problem(&p);
    }
    for (int32_t method = 0; method < METHODS; method++)
        assert_in_range(made[SHAPE_AS_IS][method], PROBLEMS / 40, 2 * PROBLEMS);
    assert_int_equal(old[METHOD_GATHER_WHERE], 0);
    assert_in_range(old[METHOD_CONCAT], PROBLEMS / 40, PROBLEMS);
    assert_in_range(made[SHAPE_MERGED][METHOD_PAD], PROBLEMS / 10, 2 * PROBLEMS);
    assert_in_range(made[SHAPE_ONE_BY_ONE][METHOD_CONCAT], PROBLEMS / 20, 2 * PROBLEMS);
}

/* ---- The choice ------------------------------------------------------------------------------ */

static void test_choice(void **state)
{
    int rewritten = 0;
    (void)state;
    for (int i = 0; i < PROBLEMS; i++) {
        tpad_lowering lowering;
        problem p;
        if (!draw_problem(&p, i % 3 == 0)) continue;
        const tpad_lowered_node node = choose(&lowering, &p, "");
        const tpad_rewrite *rewrite = &lowering.rewrites[0];
        if (node.outcome == TPAD_LOWER_REWRITTEN) {
            check(rewrite->operands, rewrite->operand_count, rewrite->steps, rewrite->step_count,
                  &p, node.operators);
            rewritten++;
        }
        tpad_arena_free(&lowering.arena);
        free_problem(&p);
    }
    assert_in_range(rewritten, PROBLEMS / 4, PROBLEMS);
}

/* ---- Operators, reasons, memory ----------------------------------------------------------------- */

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
        if (cases[i].extent < 9999 && solve(&p)) {
            const tpad_rewrite *rewrite = &lowering.rewrites[0];
            check(rewrite->operands, rewrite->operand_count, rewrite->steps, rewrite->step_count,
                  &p, cases[i].operators);
            free_problem(&p);
        }
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
        {"ort-1.31", NO_OPSET, 0, TPAD_RULES_WRAP, 4, 1, "the opset is not known"},
        {"ort-1.31", NO_TYPE, 19, TPAD_RULES_WRAP, 4, 1, "the type of the data is not known"},
        {"ort-1.31", NO_MODE, 19, TPAD_RULES_WRAP, 4, 1, "the mode is known only when"},
        {"ort-1.31", NO_RANK, 19, TPAD_RULES_WRAP, 4, 1, "the rank of the data is not known"},
        {"ort-1.31", NO_AMOUNTS, 19, TPAD_RULES_WRAP, 4, 1, "the amounts are known only when"},
        {"openvino-2026.4", NO_EXTENT, 19, TPAD_RULES_WRAP, 4, 2,
         "the extent of axis 1 is not known: give --input-shape, or --assume if it is always at "
         "least 2"},
        {"openvino-2026.4", IN_FUNCTION, 19, TPAD_RULES_WRAP, 4, 1,
         "no operator helps at this place: the Pad stands in a function"},
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
    set_value(&p, 1, 0);
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
        set_value(&p, cases[i].value, 0);
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
        cmocka_unit_test(test_methods),      cmocka_unit_test(test_choice),
        cmocka_unit_test(test_operators),    cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_packed_block), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
