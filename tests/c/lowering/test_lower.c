/* Rewrites of Pads: each one gives what the document says.  SPDX-License-Identifier: MIT */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
