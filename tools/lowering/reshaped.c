/* A tensor seen as one of other axes, for a method to work on.  SPDX-License-Identifier: MIT
 *
 * Axes that are not padded lie together in memory, so that a Reshape joins them. */
#include "recipe.h"

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
        empty |= shape[i] == 0; /* which a Reshape may read as "as it is" */
    }
    if (unknown > 1 || empty) return NO_OPERAND;
    return tpad_step_shape(recipe, TPAD_RULES_USE_RESHAPE, data, view->rank, shape, shape);
}

/* Puts an axis without amounts behind another one; 0 if the product is too large. */
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

/* The axis between all axes before it, joined, and all axes behind it. */
static int32_t around(tpad_view *three, const tpad_view *view, int32_t axis)
{
    const tpad_rules_axis one = {.extent = 1, .amounts_known = 1};
    *three = (tpad_view){.rank = 3, .axis = {one, view->axis[axis], one}};
    for (int32_t i = 0; i < view->rank; i++) {
        const tpad_rules_axis other = {.extent = view->axis[i].extent, .open = view->axis[i].open};
        if (i != axis && !join(&three->axis[i < axis ? 0 : 2], &other)) return 0;
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
