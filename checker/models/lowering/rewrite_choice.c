/* Chooses a rewrite.  SPDX-License-Identifier: MIT
 *
 * A rewrite has a method, a shape for its view of the data, and a type for the cells that it moves.
 * The first one is taken whose steps every target runs correctly, according to runtimes/. */
#include <string.h>

#include "rewrite.h"

/* ---- Carriers -------------------------------------------------------------------------------- */

/* Types that hold every element of a type exactly, in the order of trying; ends with 0. */
static const int32_t *carriers_of(int32_t type)
{
    static const int32_t none[] = {0}, wide[] = {TPAD_ONNX_INT64, TPAD_ONNX_DOUBLE, 0},
                         integers[] = {TPAD_ONNX_INT32, TPAD_ONNX_FLOAT, 0},
                         floats[] = {TPAD_ONNX_FLOAT, 0};
    switch (type) {
    case TPAD_ONNX_BOOL:
    case TPAD_ONNX_INT8:
    case TPAD_ONNX_UINT8:
    case TPAD_ONNX_INT16:
    case TPAD_ONNX_UINT16:
    case TPAD_ONNX_INT4:
    case TPAD_ONNX_UINT4:
    case TPAD_ONNX_INT2:
    case TPAD_ONNX_UINT2:
        return integers;
    case TPAD_ONNX_INT32:
    case TPAD_ONNX_UINT32:
        return wide;
    case TPAD_ONNX_FLOAT16:
    case TPAD_ONNX_BFLOAT16:
    case TPAD_ONNX_FLOAT8E4M3FN:
    case TPAD_ONNX_FLOAT8E4M3FNUZ:
    case TPAD_ONNX_FLOAT8E5M2:
    case TPAD_ONNX_FLOAT8E5M2FNUZ:
    case TPAD_ONNX_FLOAT8E8M0:
    case TPAD_ONNX_FLOAT4E2M1:
        return floats;
    default:
        return none;
    }
}

/* ---- One rewrite ----------------------------------------------------------------------------- */

static int32_t build(tpad_recipe *recipe, int32_t shape, int32_t method)
{
    const int32_t type = recipe->facts->type;
    tpad_view view = {.rank = recipe->facts->rank};
    memcpy(view.axis, recipe->facts->axis, sizeof view.axis);
    if (!tpad_recipe_begin(recipe)) return NO_OPERAND;
    view.data = tpad_step_cast(recipe, 0, recipe->carrier);
    if (view.data == NO_OPERAND) return NO_OPERAND;
    return tpad_step_cast(recipe, tpad_shape_run(recipe, shape, method, &view), type);
}

int32_t tpad_recipe_build(tpad_recipe *recipe, int32_t carrier, int32_t shape, int32_t method)
{
    *recipe = (tpad_recipe){.lowering = recipe->lowering,
                            .pad = recipe->pad,
                            .facts = recipe->pad->facts,
                            .carrier = carrier,
                            .is_open = !tpad_amounts_are_known(recipe->pad->facts),
                            .reshaped = shape != SHAPE_AS_IS,
                            .trouble = recipe->trouble};
    const int32_t result = build(recipe, shape, method);
    if (result == NO_OPERAND || recipe->operands[result].kind != OPERAND_STEP) return 0;
    tpad_recipe_finish(recipe, result);
    return 1;
}

/* ---- The choice ------------------------------------------------------------------------------ */

typedef struct candidate {
    int32_t carrier, shape, method;
} candidate;

static int32_t has_memory(const tpad_recipe *recipe)
{
    return recipe->trouble.kind != TROUBLE_MEMORY;
}

/* A Gather copies cell by cell along the last axis. For images and sound it takes 7 to 20 times as
 * long as Slice and Concat in ONNX Runtime 1.31, and 2 to 4 times in OpenVINO 2026.4. */
enum { WEIGHT_OF_GATHER = 8, OPERANDS_OF_A_STEP = 4 };

static int64_t weight_of(const tpad_step *step)
{
    const int32_t weight = step->op == TPAD_RULES_USE_GATHER ? WEIGHT_OF_GATHER : 1;
    return weight + step->input_count / OPERANDS_OF_A_STEP;
}

/* The cost of a rewrite in steps: 1 KiB of constants, or four operands, count as one step, and a
 * Gather as more; -1 if it cannot be made. */
static int64_t cost_of(tpad_recipe *recipe, candidate c)
{
    tpad_arena *arena = &recipe->lowering->arena;
    const tpad_arena_mark mark = tpad_arena_here(arena);
    const int32_t is_built = tpad_recipe_build(recipe, c.carrier, c.shape, c.method);
    int64_t cost = is_built ? recipe->constant_bytes / 1024 : -1;
    for (int32_t i = 0; is_built && i < recipe->step_count; i++)
        cost += weight_of(&recipe->steps[i]);
    tpad_arena_back(arena, mark);
    return cost;
}

/* Finds the first method that can be made; of Concat and Gather, the cheaper one. */
static int32_t find_method(tpad_recipe *recipe, candidate *c)
{
    for (c->method = 0; c->method < METHODS && has_memory(recipe); c->method++) {
        const int64_t cost = cost_of(recipe, *c);
        if (cost < 0) continue;
        candidate rival = *c;
        rival.method = METHOD_GATHER;
        const int64_t rival_cost = c->method == METHOD_CONCAT ? cost_of(recipe, rival) : -1;
        if (rival_cost >= 0 && rival_cost < cost) *c = rival;
        return 1;
    }
    return 0;
}

static int32_t find(tpad_recipe *recipe, candidate *c)
{
    const int32_t type = recipe->facts->type;
    const int32_t *wider = carriers_of(type);
    for (c->carrier = type; c->carrier; c->carrier = *wider++)
        for (c->shape = 0; c->shape < SHAPES; c->shape++)
            if (find_method(recipe, c)) return has_memory(recipe);
    return 0;
}

/* Makes the candidate and keeps it for the node. */
static void keep(tpad_recipe *recipe, candidate c, int64_t index)
{
    tpad_lowering *lowering = recipe->lowering;
    tpad_lowered_node *node = &lowering->nodes[index];
    if (!tpad_recipe_build(recipe, c.carrier, c.shape, c.method)) return;
    node->operators = tpad_recipe_operators(recipe);
    node->outcome = TPAD_LOWER_REWRITTEN;
    lowering->constant_bytes += recipe->constant_bytes;
    lowering->rewrites[index] = (tpad_rewrite){recipe->pad, recipe->operands, recipe->operand_count,
                                               recipe->steps, recipe->step_count};
}

int32_t tpad_recipe_choose(tpad_lowering *lowering, int64_t index, tpad_io_error *error)
{
    tpad_lowered_node *node = &lowering->nodes[index];
    tpad_recipe recipe = {.lowering = lowering, .pad = lowering->rewrites[index].pad};
    recipe.facts = recipe.pad->facts;
    candidate c;
    node->reason = tpad_recipe_hopeless(&recipe);
    if (!node->reason) {
        if (find(&recipe, &c))
            keep(&recipe, c, index);
        else
            node->reason = tpad_recipe_reason(&recipe);
    }
    if (!has_memory(&recipe) || (!node->operators && !node->reason))
        return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", lowering->model->path);
    return TPAD_OK;
}

/* A view of a tensor with other axes, for a method to work on: a Reshape can join neighbouring axes
 * that are not padded. */

static int32_t has_amounts(const tpad_rules_axis *axis)
{
    return axis->begin != 0 || axis->end != 0;
}

/* Reshapes the data to the extents of `view`; one of them may be unknown. */
static int32_t reshape(tpad_recipe *recipe, int32_t data, const tpad_view *view, int32_t padded)
{
    int64_t shape[TPAD_RULES_MAX_RANK];
    int32_t unknown = 0, empty = 0;
    for (int32_t i = 0; i < view->rank; i++) {
        shape[i] = padded ? tpad_out_extent(recipe->facts, &view->axis[i]) : view->axis[i].extent;
        unknown += shape[i] < 0;
        empty |= shape[i] == 0; /* a Reshape may read 0 as "unchanged" */
    }
    if (unknown > 1 || empty) return NO_OPERAND;
    return tpad_step_shape(recipe, TPAD_RULES_USE_RESHAPE, data, view->rank, shape, shape);
}

/* Joins an axis without amounts and the one after it; 0 if the product is too large. */
static int32_t join(tpad_rules_axis *axis, const tpad_rules_axis *next)
{
    axis->open |= next->open;
    if (axis->extent < 0 || next->extent < 0) {
        axis->extent = -1;
        return 1;
    }
    return !__builtin_mul_overflow(axis->extent, next->extent, &axis->extent) &&
           axis->extent <= INT64_C(1) << 61;
}

/* ---- Neighbours ------------------------------------------------------------------------------ */

static int32_t merged(tpad_recipe *recipe, int32_t method, const tpad_view *view)
{
    tpad_view less = {.data = view->data};
    for (int32_t i = 0; i < view->rank; i++) {
        tpad_rules_axis *last = less.rank ? &less.axis[less.rank - 1] : NULL;
        if (!last || has_amounts(last) || has_amounts(&view->axis[i]))
            less.axis[less.rank++] = view->axis[i];
        else if (!join(last, &view->axis[i]))
            return NO_OPERAND;
    }
    if (less.rank == view->rank) return NO_OPERAND;
    less.data = reshape(recipe, view->data, &less, 0);
    if (less.data == NO_OPERAND) return NO_OPERAND;
    return reshape(recipe, tpad_method_run(recipe, method, &less), view, 1);
}

/* ---- One axis after the other ---------------------------------------------------------------- */

/* A view of three axes: all before `axis` joined, `axis`, and all after it joined. */
static int32_t around(tpad_view *three, const tpad_view *view, int32_t axis)
{
    const tpad_rules_axis unit = {.extent = 1, .amounts_known = 1};
    *three = (tpad_view){.rank = 3, .axis = {unit, view->axis[axis], unit}};
    for (int32_t i = 0; i < view->rank; i++) {
        const tpad_rules_axis outer = {.extent = view->axis[i].extent, .open = view->axis[i].open};
        if (i != axis && !join(&three->axis[i < axis ? 0 : 2], &outer)) return 0;
    }
    return 1;
}

static int32_t one_by_one(tpad_recipe *recipe, int32_t method, const tpad_view *view)
{
    tpad_view left = *view, three;
    if (view->rank <= 3) return NO_OPERAND;
    for (int32_t i = 0; i < view->rank; i++) {
        tpad_rules_axis *axis = &left.axis[i];
        if (!has_amounts(axis)) continue;
        if (!around(&three, &left, i)) return NO_OPERAND;
        three.data = reshape(recipe, left.data, &three, 0);
        if (three.data == NO_OPERAND) return NO_OPERAND;
        left.data = tpad_method_run(recipe, method, &three);
        axis->extent = tpad_out_extent(recipe->facts, axis);
        axis->begin = axis->end = 0;
    }
    return left.data == view->data ? NO_OPERAND : reshape(recipe, left.data, &left, 0);
}

int32_t tpad_shape_run(tpad_recipe *recipe, int32_t shape, int32_t method, const tpad_view *view)
{
    switch (shape) {
    case SHAPE_MERGED:
        return merged(recipe, method, view);
    case SHAPE_ONE_BY_ONE:
        return one_by_one(recipe, method, view);
    default:
        return tpad_method_run(recipe, method, view);
    }
}
