/* Methods to pad a tensor.  SPDX-License-Identifier: MIT
 *
 * Each one makes the whole output of a view, or reports that it cannot. */
#include "rewrite.h"

static int32_t is_constant(const tpad_recipe *recipe)
{
    return recipe->facts->mode == TPAD_RULES_CONSTANT;
}

static int32_t any(const tpad_view *view, int32_t (*holds)(const tpad_rules_axis *axis))
{
    for (int32_t i = 0; i < view->rank; i++)
        if (holds(&view->axis[i])) return 1;
    return 0;
}

/* The shape of the output; 0 if it is not known. */
static int32_t out_shape(int64_t *shape, tpad_recipe *recipe, const tpad_view *view)
{
    for (int32_t i = 0; i < view->rank; i++) {
        shape[i] = tpad_out_extent(recipe->facts, &view->axis[i]);
        if (shape[i] >= 0) continue;
        tpad_recipe_no_extent(recipe, i);
        return 0;
    }
    return 1;
}

/* 1 if a mode has no cells to repeat: the output has no cells, or the document forbids the node. */
static int32_t repeats_nothing(const tpad_recipe *recipe, const tpad_view *view)
{
    if (is_constant(recipe)) return 0;
    if (tpad_cuts_first(recipe->facts)) return any(view, tpad_nothing_is_left);
    for (int32_t i = 0; i < view->rank; i++)
        if (view->axis[i].extent == 0) return 1;
    return 0;
}

/* ---- Cutting --------------------------------------------------------------------------------- */

/* 1 if the axis would get different or more cells if negative amounts were applied first. */
static int32_t cannot_be_cut_first(const tpad_recipe *recipe, const tpad_rules_axis *axis)
{
    if (!tpad_axis_is_cut(axis) || !tpad_axis_grows(axis)) return 0;
    if (!tpad_cuts_first(recipe->facts)) return 1;
    return axis->extent < 0 ? is_constant(recipe) : tpad_nothing_is_left(axis);
}

/* Applies the negative amounts that can come first. `view` keeps the remaining amounts. */
static int32_t cut(tpad_recipe *recipe, tpad_view *view)
{
    tpad_view first = *view;
    int32_t cuts = 0;
    for (int32_t i = 0; i < view->rank; i++) {
        tpad_rules_axis *axis = &view->axis[i];
        if (!tpad_axis_is_cut(axis)) continue;
        if (cannot_be_cut_first(recipe, axis)) {
            first.axis[i].begin = first.axis[i].end = 0;
            continue;
        }
        cuts++;
        tpad_cut_axis(axis);
    }
    if (cuts) view->data = tpad_step_cut(recipe, &first);
    return view->data;
}

/* ---- Without cells of the input -------------------------------------------------------------- */

static int32_t by_identity(tpad_recipe *recipe, const tpad_view *view)
{
    if (any(view, tpad_axis_grows) || any(view, tpad_axis_is_cut)) return NO_OPERAND;
    return tpad_step_same(recipe, TPAD_RULES_USE_IDENTITY, view->data);
}

/* The shape of an output without elements; 0 if it has elements or is not known. */
static int32_t empty_shape(int64_t *shape, tpad_recipe *recipe, const tpad_view *view)
{
    return out_shape(shape, recipe, view) && tpad_shape_elements(view->rank, shape) == 0;
}

static int32_t by_empty_constant(tpad_recipe *recipe, const tpad_view *view)
{
    int64_t shape[TPAD_RULES_MAX_RANK];
    if (!empty_shape(shape, recipe, view)) return NO_OPERAND;
    const int32_t constant = tpad_operand_constant(recipe, recipe->carrier, view->rank, shape, "");
    return tpad_step_same(recipe, TPAD_RULES_USE_CONSTANT, constant);
}

/* For targets that refuse constants without elements: cuts all elements off a constant. */
static int32_t by_cut_constant(tpad_recipe *recipe, const tpad_view *view)
{
    int64_t shape[TPAD_RULES_MAX_RANK];
    tpad_view whole = *view;
    if (!empty_shape(shape, recipe, view)) return NO_OPERAND;
    for (int32_t i = 0; i < view->rank; i++) {
        whole.axis[i] = (tpad_rules_axis){.end = shape[i] ? 0 : -1};
        if (!shape[i]) shape[i] = 1;
    }
    whole.data = tpad_recipe_zeros(recipe, view->rank, shape);
    return whole.data == NO_OPERAND ? NO_OPERAND : tpad_step_cut(recipe, &whole);
}

/* An output of only the pad value. */
static int32_t by_fill(tpad_recipe *recipe, const tpad_view *view)
{
    int64_t shape[TPAD_RULES_MAX_RANK];
    if (!is_constant(recipe) || !any(view, tpad_nothing_is_left) || !out_shape(shape, recipe, view))
        return NO_OPERAND;
    const int32_t block = tpad_recipe_block(recipe, view->rank, shape);
    if (block == NO_OPERAND || recipe->operands[block].kind == OPERAND_STEP) return block;
    return tpad_step_same(recipe, TPAD_RULES_USE_CONSTANT, block);
}

/* ---- With a Pad ------------------------------------------------------------------------------ */

static int32_t by_pad(tpad_recipe *recipe, const tpad_view *view)
{
    return tpad_step_pad(recipe, view, 1, 1);
}

static int32_t by_slice(tpad_recipe *recipe, const tpad_view *view)
{
    tpad_view left = *view;
    if (any(view, tpad_axis_grows) || !any(view, tpad_axis_is_cut)) return NO_OPERAND;
    return cut(recipe, &left);
}

static int32_t by_slice_and_pad(tpad_recipe *recipe, const tpad_view *view)
{
    tpad_view left = *view;
    if (!any(view, tpad_axis_grows) || !any(view, tpad_axis_is_cut)) return NO_OPERAND;
    if (cut(recipe, &left) == NO_OPERAND || any(&left, tpad_axis_is_cut)) return NO_OPERAND;
    return tpad_step_pad(recipe, &left, 1, 1);
}

/* For axes that may have fewer cells than are cut off. */
static int32_t by_pad_and_slice(tpad_recipe *recipe, const tpad_view *view)
{
    tpad_view more = *view, rest = *view;
    if (!is_constant(recipe) || !any(view, tpad_axis_grows) || !any(view, tpad_axis_is_cut))
        return NO_OPERAND;
    for (int32_t i = 0; i < view->rank; i++) {
        tpad_rules_axis *grown = &more.axis[i];
        if (grown->begin < 0) grown->begin = 0;
        if (grown->end < 0) grown->end = 0;
    }
    rest.data = tpad_step_pad(recipe, &more, 1, 0);
    return rest.data == NO_OPERAND ? NO_OPERAND : tpad_step_cut(recipe, &rest);
}

/* ---- Slice and Concat ------------------------------------------------------------------------ */

/* Pieces of one axis, in the order of the output. */
typedef struct operand_list {
    int32_t operands[MOST_PIECES];
    int32_t count; /* -1: too many */
    int32_t block; /* the last operand full of the pad value, or NO_OPERAND */
    int64_t block_cells;
} operand_list;

static void put(operand_list *list, int32_t operand)
{
    if (list->count == MOST_PIECES) list->count = -1;
    if (list->count >= 0) list->operands[list->count++] = operand;
}

/* Adds cells of the pad value. */
static void put_fill(operand_list *list, tpad_recipe *recipe, const tpad_view *view, int32_t axis,
                     int64_t cells)
{
    int64_t shape[TPAD_RULES_MAX_RANK];
    for (int32_t i = 0; i < view->rank; i++) {
        shape[i] = i == axis ? cells : view->axis[i].extent;
        if (shape[i] >= 0) continue;
        put(list, tpad_recipe_no_extent(recipe, i));
        return;
    }
    if (list->block == NO_OPERAND || list->block_cells != cells) {
        list->block = tpad_recipe_block(recipe, view->rank, shape);
        list->block_cells = cells;
    }
    put(list, list->block);
}

/* Adds one cell several times: repeated in the list, or expanded. */
static void put_repeated(operand_list *list, tpad_recipe *recipe, const tpad_view *view,
                         int32_t axis, tpad_piece piece)
{
    enum { FEW = 8 };
    int64_t shape[TPAD_RULES_MAX_RANK], ones[TPAD_RULES_MAX_RANK];
    const int32_t cell = tpad_step_cells(recipe, view->data, axis, piece);
    if (piece.count <= FEW || cell == NO_OPERAND) {
        for (int64_t i = 0; i < piece.count && i < FEW; i++) put(list, cell);
        return;
    }
    for (int32_t i = 0; i < view->rank; i++) {
        shape[i] = i == axis ? piece.count : view->axis[i].extent;
        ones[i] = i == axis ? piece.count : 1;
    }
    put(list, tpad_step_shape(recipe, TPAD_RULES_USE_EXPAND, cell, view->rank, shape, ones));
}

/* Adds cells from the last to the first: in one step if all targets can, else one by one. */
static void put_reversed(operand_list *list, tpad_recipe *recipe, const tpad_view *view,
                         int32_t axis, tpad_piece piece)
{
    if (piece.count > 1 && tpad_recipe_may(recipe, TPAD_RULES_USE_SLICE_BACK, view->data)) {
        put(list, tpad_step_cells(recipe, view->data, axis, piece));
        return;
    }
    if (piece.count > MOST_PIECES) list->count = -1;
    for (int64_t i = 0; i < piece.count && list->count >= 0; i++)
        put(list, tpad_step_cells(recipe, view->data, axis,
                                  (tpad_piece){PIECE_FORWARD, piece.first - i, 1}));
}

static int32_t concat_axis(tpad_recipe *recipe, const tpad_view *view, int32_t axis)
{
    tpad_piece pieces[MOST_PIECES];
    operand_list list = {.block = NO_OPERAND};
    const int32_t count = tpad_pieces(pieces, recipe->facts, &view->axis[axis]);
    if (count < 0 && view->axis[axis].extent < 0) return tpad_recipe_no_extent(recipe, axis);
    for (int32_t i = 0; i < count && list.count >= 0; i++) {
        if (pieces[i].kind == PIECE_FILL)
            put_fill(&list, recipe, view, axis, pieces[i].count);
        else if (pieces[i].kind == PIECE_REPEAT)
            put_repeated(&list, recipe, view, axis, pieces[i]);
        else if (pieces[i].kind == PIECE_BACK)
            put_reversed(&list, recipe, view, axis, pieces[i]);
        else
            put(&list, tpad_step_cells(recipe, view->data, axis, pieces[i]));
    }
    if (list.count < 1) return NO_OPERAND;
    return tpad_step_concat(recipe, list.operands, list.count, axis);
}

static int32_t by_concat(tpad_recipe *recipe, const tpad_view *view)
{
    tpad_view left = *view;
    if (!any(view, tpad_axis_grows) || repeats_nothing(recipe, view)) return NO_OPERAND;
    cut(recipe, &left);
    for (int32_t i = 0; i < view->rank && left.data != NO_OPERAND; i++) {
        tpad_rules_axis *axis = &left.axis[i];
        if (!tpad_axis_grows(axis)) continue;
        left.data = concat_axis(recipe, &left, i);
        axis->extent = tpad_out_extent(recipe->facts, axis);
        axis->begin = axis->end = 0;
    }
    return left.data;
}

/* ---- Gather ---------------------------------------------------------------------------------- */

/* Filled cells take a neighbouring cell. */
static int32_t gather_axis(tpad_recipe *recipe, int32_t data, const tpad_view *view, int32_t axis)
{
    const tpad_rules_axis *a = &view->axis[axis];
    const int64_t extent = tpad_out_extent(recipe->facts, a);
    int64_t bytes, last = a->begin < 0 ? -a->begin : 0;
    if (extent < 0) return tpad_recipe_no_extent(recipe, axis);
    if (data == NO_OPERAND || !tpad_recipe_may(recipe, TPAD_RULES_USE_GATHER, data))
        return NO_OPERAND;
    if (__builtin_mul_overflow(extent, (int64_t)sizeof(int64_t), &bytes)) bytes = -1;
    int64_t *indices = tpad_recipe_constant(recipe, bytes);
    for (int64_t at = 0; indices && at < extent;) {
        const tpad_piece piece = tpad_piece_at(recipe->facts, a, at);
        const int64_t step = piece.kind == PIECE_FORWARD ? 1 : piece.kind == PIECE_BACK ? -1 : 0;
        for (int64_t i = 0; i < piece.count; i++) {
            if (piece.kind != PIECE_FILL) last = piece.first + i * step;
            indices[at++] = last;
        }
    }
    return tpad_step_gather(recipe, data, axis, indices, extent);
}

static int32_t gather_all(tpad_recipe *recipe, const tpad_view *view)
{
    int32_t data = view->data;
    for (int32_t i = 0; i < view->rank && data != NO_OPERAND; i++)
        if (view->axis[i].begin || view->axis[i].end) data = gather_axis(recipe, data, view, i);
    return data;
}

static int32_t by_gather(tpad_recipe *recipe, const tpad_view *view)
{
    if (is_constant(recipe) || repeats_nothing(recipe, view)) return NO_OPERAND;
    return gather_all(recipe, view);
}

/* ---- Where ----------------------------------------------------------------------------------- */

/* A mask: 1 for output cells that come from the input. Axes without amounts have extent 1. */
static int32_t mask_of(tpad_recipe *recipe, const tpad_view *view)
{
    int64_t shape[TPAD_RULES_MAX_RANK], at[TPAD_RULES_MAX_RANK] = {0};
    for (int32_t i = 0; i < view->rank; i++) {
        const tpad_rules_axis *axis = &view->axis[i];
        shape[i] = axis->begin || axis->end ? tpad_out_extent(recipe->facts, axis) : 1;
        if (shape[i] < 0) return tpad_recipe_no_extent(recipe, i);
    }
    const int64_t count = tpad_shape_elements(view->rank, shape);
    unsigned char *mask = tpad_recipe_constant(recipe, count);
    for (int64_t cell = 0; mask && cell < count; cell++) {
        mask[cell] = 1;
        for (int32_t i = 0; i < view->rank; i++) {
            const tpad_rules_axis *axis = &view->axis[i];
            const int64_t place = at[i] - axis->begin;
            if ((axis->begin || axis->end) && (place < 0 || place >= axis->extent)) mask[cell] = 0;
        }
        for (int32_t i = view->rank - 1; i >= 0 && ++at[i] == shape[i]; i--) at[i] = 0;
    }
    return tpad_operand_constant(recipe, TPAD_ONNX_BOOL, view->rank, shape, mask);
}

static int32_t by_gather_and_where(tpad_recipe *recipe, const tpad_view *view)
{
    if (!is_constant(recipe) || !any(view, tpad_axis_grows) || any(view, tpad_nothing_is_left))
        return NO_OPERAND;
    const int32_t gathered = gather_all(recipe, view);
    if (gathered == NO_OPERAND || !tpad_recipe_may(recipe, TPAD_RULES_USE_WHERE, gathered))
        return NO_OPERAND;
    return tpad_step_where(recipe, mask_of(recipe, view), gathered, tpad_recipe_value(recipe));
}

static int32_t by_pad_and_where(tpad_recipe *recipe, const tpad_view *view)
{
    tpad_view left = *view;
    if (!is_constant(recipe) || !any(view, tpad_axis_grows) || cut(recipe, &left) == NO_OPERAND ||
        any(&left, tpad_axis_is_cut))
        return NO_OPERAND;
    const int32_t padded = tpad_step_pad(recipe, &left, 0, 0);
    if (padded == NO_OPERAND || !tpad_recipe_may(recipe, TPAD_RULES_USE_WHERE, padded))
        return NO_OPERAND;
    return tpad_step_where(recipe, mask_of(recipe, &left), padded, tpad_recipe_value(recipe));
}

/* ---- All methods ----------------------------------------------------------------------------- */

int32_t tpad_method_run(tpad_recipe *recipe, int32_t method, const tpad_view *view)
{
    static int32_t (*const methods[METHODS])(tpad_recipe *recipe, const tpad_view *view) = {
        [METHOD_IDENTITY] = by_identity,
        [METHOD_EMPTY] = by_empty_constant,
        [METHOD_PAD] = by_pad,
        [METHOD_FILL] = by_fill,
        [METHOD_SLICE] = by_slice,
        [METHOD_SLICE_PAD] = by_slice_and_pad,
        [METHOD_PAD_SLICE] = by_pad_and_slice,
        [METHOD_CONCAT] = by_concat,
        [METHOD_GATHER] = by_gather,
        [METHOD_GATHER_WHERE] = by_gather_and_where,
        [METHOD_PAD_WHERE] = by_pad_and_where,
        [METHOD_CUT_CONSTANT] = by_cut_constant,
    };
    if (recipe->is_open && (method != METHOD_PAD || recipe->reshaped)) return NO_OPERAND;
    return methods[method](recipe, view);
}
