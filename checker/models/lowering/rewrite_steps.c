/* Builds a rewrite step by step.  SPDX-License-Identifier: MIT
 *
 * A step is added only if every target runs it correctly. */
#include <string.h>

#include "rewrite.h"

enum { FIRST_ROOM = 16 };
static const int64_t most_bytes = INT64_C(16) << 20;         /* constants of a node */
static const int64_t most_bytes_in_all = INT64_C(512) << 20; /* of all nodes */

/* ---- Memory ---------------------------------------------------------------------------------- */

int32_t tpad_recipe_no_memory(tpad_recipe *recipe)
{
    recipe->trouble.kind = TROUBLE_MEMORY;
    return NO_OPERAND;
}

int32_t tpad_recipe_no_extent(tpad_recipe *recipe, int32_t axis)
{
    tpad_trouble *trouble = &recipe->trouble;
    /* A padded axis is more informative than others. */
    const int32_t tells_more =
        trouble->kind < TROUBLE_EXTENT ||
        (trouble->kind == TROUBLE_EXTENT && !tpad_axis_grows(&recipe->facts->axis[trouble->axis]) &&
         tpad_axis_grows(&recipe->facts->axis[axis]));
    if (tells_more && !recipe->reshaped) {
        trouble->kind = TROUBLE_EXTENT;
        trouble->axis = axis;
    }
    return NO_OPERAND;
}

void *tpad_recipe_constant(tpad_recipe *recipe, int64_t bytes)
{
    const int64_t used = recipe->constant_bytes;
    const int64_t left = most_bytes_in_all - recipe->lowering->constant_bytes;
    if (bytes < 0 || bytes > most_bytes - used || bytes > left - used) {
        if (recipe->trouble.kind < TROUBLE_SIZE) recipe->trouble.kind = TROUBLE_SIZE;
        return NULL;
    }
    void *memory = tpad_arena_take(&recipe->lowering->arena, bytes, 1);
    if (!memory) tpad_recipe_no_memory(recipe);
    recipe->constant_bytes += bytes;
    return memory;
}

static void *copy(tpad_recipe *recipe, const void *list, int64_t count, size_t bytes)
{
    void *memory = tpad_arena_take(&recipe->lowering->arena, count, bytes);
    if (memory && count > 0) memcpy(memory, list, (size_t)count * bytes);
    if (!memory) tpad_recipe_no_memory(recipe);
    return memory;
}

static const int64_t *copy_list(tpad_recipe *recipe, const int64_t *list, int32_t count)
{
    return copy(recipe, list, count, sizeof *list);
}

/* Room for one more operand and one more step. */
static int32_t has_room(tpad_recipe *recipe)
{
    tpad_arena *arena = &recipe->lowering->arena;
    if (recipe->operand_count < recipe->room) return 1; /* there are fewer steps than operands */
    const int32_t room = recipe->room ? 2 * recipe->room : FIRST_ROOM;
    tpad_operand *operands = tpad_arena_take(arena, room, sizeof *operands);
    tpad_trait *traits = tpad_arena_take(arena, room, sizeof *traits);
    tpad_step *steps = tpad_arena_take(arena, room, sizeof *steps);
    if (!operands || !traits || !steps) {
        tpad_recipe_no_memory(recipe);
        return 0;
    }
    if (recipe->room) {
        memcpy(operands, recipe->operands, (size_t)recipe->operand_count * sizeof *operands);
        memcpy(traits, recipe->traits, (size_t)recipe->operand_count * sizeof *traits);
        memcpy(steps, recipe->steps, (size_t)recipe->step_count * sizeof *steps);
    }
    recipe->operands = operands;
    recipe->traits = traits;
    recipe->steps = steps;
    recipe->room = room;
    return 1;
}

static int32_t add_operand(tpad_recipe *recipe, tpad_operand operand, tpad_trait trait)
{
    if (!has_room(recipe)) return NO_OPERAND;
    if (operand.rank >= 0) {
        operand.shape = copy(recipe, operand.shape, operand.rank, sizeof *operand.shape);
        if (!operand.shape) return NO_OPERAND;
    }
    recipe->operands[recipe->operand_count] = operand;
    recipe->traits[recipe->operand_count] = trait;
    return recipe->operand_count++;
}

int32_t tpad_possible_bits(const tpad_rules_facts *facts, int32_t known, int32_t bits)
{
    if (known) return bits;
    switch (facts->type) {
    case TPAD_ONNX_INT64:
    case TPAD_ONNX_UINT64:
    case TPAD_ONNX_UINT32:
        return TPAD_RULES_BEYOND_INT32 | TPAD_RULES_BEYOND_FLOAT32;
    case TPAD_ONNX_INT32:
    case TPAD_ONNX_DOUBLE:
        return TPAD_RULES_BEYOND_FLOAT32;
    default:
        return 0;
    }
}

int32_t tpad_recipe_begin(tpad_recipe *recipe)
{
    const tpad_rules_facts *facts = recipe->facts;
    int64_t shape[TPAD_RULES_MAX_RANK];
    tpad_trait trait = {.is_open = facts->rank_open,
                        .bits = tpad_possible_bits(facts, facts->data_known, facts->data_bits)};
    for (int32_t i = 0; i < facts->rank; i++) {
        shape[i] = facts->axis[i].extent;
        trait.is_open |= facts->axis[i].open != 0;
    }
    recipe->value = NO_OPERAND;
    return add_operand(recipe, (tpad_operand){OPERAND_DATA, facts->type, facts->rank, shape, NULL},
                       trait) != NO_OPERAND;
}

int32_t tpad_operand_constant(tpad_recipe *recipe, int32_t type, int32_t rank, const int64_t *shape,
                              const void *data)
{
    int64_t extents[TPAD_RULES_MAX_RANK];
    if (!data) return NO_OPERAND;
    if (rank > 0) memcpy(extents, shape, (size_t)rank * sizeof *extents);
    const tpad_operand operand = {OPERAND_CONSTANT, type, rank, extents, data};
    return add_operand(recipe, operand, (tpad_trait){.bits = 0});
}

int32_t tpad_operand_value(tpad_recipe *recipe)
{
    const tpad_rules_facts *facts = recipe->facts;
    int64_t shape[] = {1};
    const int32_t rank = facts->value_rank > 1 ? -1 : facts->value_rank;
    return add_operand(
        recipe, (tpad_operand){OPERAND_VALUE, facts->type, rank, shape, NULL},
        (tpad_trait){.bits = tpad_possible_bits(facts, facts->value_known, facts->value_bits)});
}

/* ---- Asking runtimes/ ------------------------------------------------------------------------ */

int64_t tpad_element_bytes(int32_t type)
{
    if (type == TPAD_ONNX_STRING) return (int64_t)sizeof(tpad_string);
    return (tpad_onnx_type_bits(type) + 7) / 8;
}

int64_t tpad_shape_elements(int32_t rank, const int64_t *shape)
{
    int64_t count = 1;
    for (int32_t i = 0; i < rank; i++)
        if (shape[i] < 0 || __builtin_mul_overflow(count, shape[i], &count)) return -1;
    return count;
}

static int32_t is_empty(const tpad_operand *operand)
{
    for (int32_t i = 0; i < operand->rank; i++)
        if (operand->shape[i] == 0) return 1;
    return 0;
}

void tpad_recipe_refuse(tpad_recipe *recipe, int32_t target, int32_t op, int32_t empty)
{
    tpad_trouble *trouble = &recipe->trouble;
    if (trouble->kind > TROUBLE_OPERATOR || recipe->carrier != recipe->facts->type) return;
    if (trouble->kind == TROUBLE_NONE) {
        trouble->kind = TROUBLE_OPERATOR;
        trouble->target = target;
        trouble->is_empty = empty;
    }
    if (trouble->target == target) trouble->operators |= UINT32_C(1) << op;
}

/* 0 for operators that runtimes cannot read from files before opset 6 of ONNX: there a Cast has its
 * type as text, and an int64 list as an input needs a Cast, because a Constant is a float or a
 * double up to opset 8. */
static int32_t can_be_written(const tpad_rules_use *use)
{
    const int32_t op = use->op;
    if (use->spec != TPAD_RULES_ONNX || use->opset >= 6) return 1;
    return op != TPAD_RULES_USE_GATHER && op != TPAD_RULES_USE_CAST_AND_BACK &&
           (op != TPAD_RULES_USE_RESHAPE || use->opset < 5);
}

static int32_t ask(tpad_recipe *recipe, const tpad_rules_use *use)
{
    const tpad_lowering *lowering = recipe->lowering;
    if (!can_be_written(use)) {
        tpad_recipe_refuse(recipe, 0, use->op, use->is_empty);
        return 0;
    }
    for (int32_t i = 0; i < lowering->target_count; i++) {
        if (tpad_rules_may_use(use, *lowering->targets[i].choice)) continue;
        tpad_recipe_refuse(recipe, i, use->op, use->is_empty);
        return 0;
    }
    return 1;
}

static void add_to_use(tpad_rules_use *use, const tpad_recipe *recipe, int32_t operand)
{
    const tpad_operand *o = &recipe->operands[operand];
    if (o->rank > use->rank) use->rank = o->rank;
    use->is_empty |= is_empty(o);
    use->is_open |= recipe->traits[operand].is_open;
    use->bits |= recipe->traits[operand].bits;
}

static tpad_rules_use use_of(const tpad_recipe *recipe, int32_t op)
{
    const tpad_rules_facts *facts = recipe->facts;
    return (tpad_rules_use){
        .spec = facts->spec, .opset = facts->opset, .op = op, .type = recipe->carrier};
}

int32_t tpad_recipe_may(tpad_recipe *recipe, int32_t op, int32_t operand)
{
    tpad_rules_use use = use_of(recipe, op);
    add_to_use(&use, recipe, operand);
    return ask(recipe, &use);
}

/* Adds a step if every target runs it correctly. result: an operand without kind. */
static int32_t add_asked(tpad_recipe *recipe, tpad_step step, tpad_operand result)
{
    tpad_rules_use use = use_of(recipe, step.op);
    use.type = result.type;
    use.rank = result.rank;
    use.is_empty = is_empty(&result);
    for (int32_t i = 0; i < step.input_count; i++) {
        if (step.inputs[i] == NO_OPERAND) return NO_OPERAND;
        add_to_use(&use, recipe, step.inputs[i]);
    }
    for (int32_t i = 0; step.axes && i < step.count; i++) {
        const tpad_rules_axis *axis = &recipe->facts->axis[step.axes[i]];
        use.cuts_open |= axis->open && (axis->extent < 0 || !recipe->lowering->model->plain);
    }
    if (step.op == STEP_CAST) {
        use.op = TPAD_RULES_USE_CAST_AND_BACK;
        use.type = recipe->facts->type;
        use.carrier = recipe->carrier;
    }
    return ask(recipe, &use) ? tpad_step_add(recipe, step, result) : NO_OPERAND;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* 1 if the tensor's bytes overflow: results between the first and the last step may be larger than
 * the data and the output. */
static int32_t is_beyond_counting(const tpad_operand *operand)
{
    int64_t bytes = tpad_element_bytes(operand->type);
    for (int32_t i = 0; i < operand->rank; i++)
        if (operand->shape[i] > 0 && __builtin_mul_overflow(bytes, operand->shape[i], &bytes))
            return 1;
    return 0;
}

int32_t tpad_step_add(tpad_recipe *recipe, tpad_step step, tpad_operand result)
{
    tpad_trait trait = {.bits = 0};
    if (is_beyond_counting(&result)) return NO_OPERAND;
    for (int32_t i = 0; i < step.input_count; i++) {
        trait.is_open |= recipe->traits[step.inputs[i]].is_open;
        trait.bits |= recipe->traits[step.inputs[i]].bits;
    }
    result.kind = OPERAND_STEP;
    step.inputs = copy(recipe, step.inputs, step.input_count, sizeof *step.inputs);
    step.axes = step.axes ? copy_list(recipe, step.axes, step.count) : NULL;
    step.starts = step.starts ? copy_list(recipe, step.starts, step.count) : NULL;
    step.ends = step.ends ? copy_list(recipe, step.ends, step.count) : NULL;
    step.begin = step.begin ? copy_list(recipe, step.begin, step.count) : NULL;
    step.end = step.end ? copy_list(recipe, step.end, step.count) : NULL;
    step.output = add_operand(recipe, result, trait);
    if (recipe->trouble.kind == TROUBLE_MEMORY) return NO_OPERAND;
    recipe->steps[recipe->step_count++] = step;
    return step.output;
}

int32_t tpad_step_same(tpad_recipe *recipe, int32_t op, int32_t operand)
{
    if (operand == NO_OPERAND) return NO_OPERAND;
    const tpad_step step = {.op = op, .input_count = 1, .inputs = &operand};
    return add_asked(recipe, step, recipe->operands[operand]);
}

int32_t tpad_step_cast(tpad_recipe *recipe, int32_t operand, int32_t type)
{
    if (operand == NO_OPERAND || recipe->operands[operand].type == type) return operand;
    const tpad_step step = {.op = STEP_CAST, .input_count = 1, .inputs = &operand};
    tpad_operand result = recipe->operands[operand];
    result.type = type;
    return add_asked(recipe, step, result);
}

int32_t tpad_step_shape(tpad_recipe *recipe, int32_t op, int32_t operand, int32_t rank,
                        const int64_t *shape, const int64_t *list)
{
    int64_t extents[TPAD_RULES_MAX_RANK];
    if (operand == NO_OPERAND) return NO_OPERAND;
    if (rank > 0) memcpy(extents, shape, (size_t)rank * sizeof *extents);
    const tpad_step step = {.op = op,
                            .input_count = 1,
                            .inputs = &operand,
                            .count = rank,
                            .list = copy_list(recipe, list, rank)};
    return add_asked(recipe, step,
                     (tpad_operand){0, recipe->operands[operand].type, rank, extents, NULL});
}

/* A copy of the operand whose extents can be changed. */
static tpad_operand resized(int64_t extents[TPAD_RULES_MAX_RANK], const tpad_operand *operand)
{
    tpad_operand result = *operand;
    memcpy(extents, operand->shape, (size_t)operand->rank * sizeof *extents);
    result.shape = extents;
    return result;
}

int32_t tpad_step_cells(tpad_recipe *recipe, int32_t operand, int32_t axis, tpad_piece piece)
{
    int64_t extents[TPAD_RULES_MAX_RANK];
    const int32_t back = piece.kind == PIECE_BACK;
    const int64_t at = axis, first = piece.first;
    int64_t end = piece.kind == PIECE_REPEAT ? first + 1 : first + piece.count;
    if (operand == NO_OPERAND) return NO_OPERAND;
    tpad_operand result = resized(extents, &recipe->operands[operand]);
    if (piece.kind == PIECE_FORWARD && (piece.count < 0 || piece.count == extents[axis]))
        return operand;
    if (first < 0 && end >= 0) end = INT64_MAX;
    const int64_t in_front = extents[axis] < 0 ? -INT64_MAX : -extents[axis] - 1;
    if (back) end = first >= 0 && first < piece.count ? in_front : first - piece.count;
    extents[axis] = piece.kind == PIECE_REPEAT ? 1 : piece.count;
    const tpad_step step = {.op = back ? TPAD_RULES_USE_SLICE_BACK : TPAD_RULES_USE_SLICE,
                            .input_count = 1,
                            .inputs = &operand,
                            .count = 1,
                            .axes = &at,
                            .starts = &first,
                            .ends = &end};
    return add_asked(recipe, step, result);
}

int32_t tpad_step_cut(tpad_recipe *recipe, const tpad_view *view)
{
    int64_t extents[TPAD_RULES_MAX_RANK], axes[TPAD_RULES_MAX_RANK], starts[TPAD_RULES_MAX_RANK],
        ends[TPAD_RULES_MAX_RANK];
    tpad_step step = {.op = TPAD_RULES_USE_SLICE, .input_count = 1, .inputs = &view->data};
    tpad_operand result = resized(extents, &recipe->operands[view->data]);
    for (int32_t i = 0; i < view->rank; i++) {
        const tpad_rules_axis *axis = &view->axis[i];
        if (!tpad_axis_is_cut(axis)) continue;
        axes[step.count] = i;
        starts[step.count] = axis->begin < 0 ? -axis->begin : 0;
        ends[step.count] = axis->end < 0 ? axis->end : INT64_MAX;
        if (extents[i] >= 0) {
            const int64_t end = axis->end < 0 ? extents[i] + axis->end : extents[i];
            ends[step.count] = end > 0 ? end : 0;
            extents[i] = end > starts[step.count] ? end - starts[step.count] : 0;
        }
        step.count++;
    }
    step.axes = axes;
    step.starts = starts;
    step.ends = ends;
    return add_asked(recipe, step, result);
}

int32_t tpad_step_concat(tpad_recipe *recipe, const int32_t *operands, int32_t count, int32_t axis)
{
    int64_t extents[TPAD_RULES_MAX_RANK], extent = 0;
    for (int32_t i = 0; i < count; i++) {
        if (operands[i] == NO_OPERAND) return NO_OPERAND;
        const int64_t more = recipe->operands[operands[i]].shape[axis];
        extent = extent < 0 || more < 0 ? -1 : extent + more;
    }
    if (count == 1) return operands[0];
    tpad_operand result = resized(extents, &recipe->operands[operands[0]]);
    extents[axis] = extent;
    const tpad_step step = {
        .op = TPAD_RULES_USE_CONCAT, .input_count = count, .inputs = operands, .axis = axis};
    return add_asked(recipe, step, result);
}

int32_t tpad_step_gather(tpad_recipe *recipe, int32_t operand, int32_t axis, const int64_t *indices,
                         int64_t count)
{
    int64_t extents[TPAD_RULES_MAX_RANK];
    if (operand == NO_OPERAND || !indices) return NO_OPERAND;
    tpad_operand result = resized(extents, &recipe->operands[operand]);
    extents[axis] = count;
    const tpad_step step = {.op = TPAD_RULES_USE_GATHER,
                            .input_count = 1,
                            .inputs = &operand,
                            .axis = axis,
                            .count = (int32_t)count,
                            .list = indices};
    return add_asked(recipe, step, result);
}

int32_t tpad_step_where(tpad_recipe *recipe, int32_t mask, int32_t then, int32_t otherwise)
{
    const int32_t inputs[] = {mask, then, otherwise};
    if (then == NO_OPERAND) return NO_OPERAND;
    const tpad_step step = {.op = TPAD_RULES_USE_WHERE, .input_count = 3, .inputs = inputs};
    return add_asked(recipe, step, recipe->operands[then]);
}

/* ---- The end --------------------------------------------------------------------------------- */

void tpad_recipe_finish(tpad_recipe *recipe, int32_t result)
{
    int32_t kept = recipe->step_count;
    for (int32_t i = 0; i < recipe->operand_count; i++) recipe->traits[i].is_read = i == result;
    for (int32_t i = recipe->step_count - 1; i >= 0; i--) {
        const tpad_step step = recipe->steps[i];
        if (!recipe->traits[step.output].is_read) continue;
        for (int32_t k = 0; k < step.input_count; k++) recipe->traits[step.inputs[k]].is_read = 1;
        recipe->steps[--kept] = step;
    }
    recipe->steps += kept;
    recipe->step_count -= kept;
}
