/* Plans, and how they run: at once, or in pieces. SPDX-License-Identifier: MIT */
#include "pieces.h"
#include "slate.h"

static pieces run_in_pieces;

int32_t EXPORT(plan_bytes)(void);
int32_t plan_bytes(void)
{
    return (int32_t)tpad_plan_bytes();
}

/* Makes a plan of the problem that was made last. plan: plan_bytes() bytes, aligned to 8. Returns a
 * status; on failure the error is in the slate. */
int32_t EXPORT(make_plan)(tpad_plan *plan);
int32_t make_plan(tpad_plan *plan)
{
    const tpad_problem problem = tpad_translation_problem(&engine_problem);
    tpad_error error;
    const int32_t status = tpad_plan_init(plan, tpad_plan_bytes(), &problem, &error);
    return status == TPAD_OK ? status : engine_refuse(&error);
}

/* ---- The problem that was made last ---------------------------------------------------------- */

/* Who calls `pad` in a loop has the same problem again and again: it gets a plan the second time. */
static tpad_plan kept_plan;
static tpad_translation kept_problem;
static int32_t has_kept_plan, has_kept_problem;

static int is_kept(const tpad_translation *problem)
{
    const tpad_translation *kept = &kept_problem;
    if (!has_kept_problem || kept->rank != problem->rank || kept->elem_bits != problem->elem_bits ||
        kept->flags != problem->flags)
        return 0;
    for (int32_t i = 0; i < problem->rank; i++) {
        const tpad_axis *a = &kept->axes[i], *b = &problem->axes[i];
        if (a->in_extent != b->in_extent || a->before != b->before || a->after != b->after ||
            a->interior != b->interior || a->mode != b->mode || a->order != b->order)
            return 0;
    }
    return 1;
}

static void keep(const tpad_translation *problem)
{
    kept_problem = *problem;
    has_kept_problem = 1;
    has_kept_plan = 0;
}

/* A plan of the problem that was made last, which stays until another problem runs; NULL if there
 * can be none, with the error in the slate. */
const tpad_plan *EXPORT(plan_problem)(void);
const tpad_plan *plan_problem(void)
{
    if (!is_kept(&engine_problem)) keep(&engine_problem);
    if (!has_kept_plan && make_plan(&kept_plan) != TPAD_OK) return NULL;
    has_kept_plan = 1;
    return &kept_plan;
}

/* Pads src to dst, as the problem that was made last says. Returns a status, as make_plan does. */
int32_t EXPORT(run_problem)(const void *src, void *dst);
int32_t run_problem(const void *src, void *dst)
{
    const void *value = tpad_translation_value(&engine_problem);
    if (is_kept(&engine_problem)) {
        const tpad_plan *plan = plan_problem();
        return plan ? tpad_run(plan, src, dst, value) : TPAD_E_ARGUMENT;
    }
    keep(&engine_problem);
    const tpad_problem problem = tpad_translation_problem(&engine_problem);
    tpad_error error;
    const int32_t status = tpad_pad(&problem, src, dst, value, &error);
    return status == TPAD_OK ? status : engine_refuse(&error);
}

/* The same with the plan that plan_problem returned, while that stays. */
int32_t EXPORT(run_again)(const void *src, void *dst);
int32_t run_again(const void *src, void *dst)
{
    return tpad_run(&kept_plan, src, dst, tpad_translation_value(&engine_problem));
}

/* ---- Plans ----------------------------------------------------------------------------------- */

/* Runs a plan with the element in slate.value. */
int32_t EXPORT(run_plan)(const tpad_plan *plan, const void *src, void *dst);
int32_t run_plan(const tpad_plan *plan, const void *src, void *dst)
{
    return tpad_run(plan, src, dst, engine_slate.value);
}

/* Runs a plan with `values`, one for each cell of the output along an axis, of value_bytes bytes each. plan
 * NULL: the problem that was made last. Returns a status, as make_plan does. */
int32_t EXPORT(run_values)(const tpad_plan *plan, const void *src, void *dst, const void *values,
                           int32_t axis, int32_t value_bytes);
int32_t run_values(const tpad_plan *plan, const void *src, void *dst, const void *values,
                   int32_t axis, int32_t value_bytes)
{
    tpad_index strides[TPAD_MAX_RANK] = {0};
    const tpad_fill fill = {sizeof fill, values, strides};
    strides[axis] = value_bytes;
    if (plan == NULL) plan = plan_problem();
    return plan ? tpad_run_fill(plan, src, dst, &fill, NULL) : TPAD_E_ARGUMENT;
}

/* Writes to slate.value the element that fills the problem that was made last. */
void EXPORT(tell_value)(void);
void tell_value(void)
{
    const unsigned char *value = tpad_translation_value(&engine_problem);
    const int32_t bytes = (engine_problem.elem_bits + 7) / 8;
    for (int32_t i = 0; i < TPAD_FILL_BYTES; i++)
        engine_slate.value[i] = value && i < bytes ? value[i] : 0;
}

/* Describes a plan in slate.text; returns the length. */
int32_t EXPORT(describe_plan)(const tpad_plan *plan);
int32_t describe_plan(const tpad_plan *plan)
{
    const size_t length = tpad_plan_describe(plan, engine_slate.text, SLATE_TEXT);
    return (int32_t)(length < SLATE_TEXT ? length : SLATE_TEXT - 1);
}

/* ---- In pieces ------------------------------------------------------------------------------- */

/* Where pieces.h's slate of these runs lies. */
const pieces_slate *EXPORT(pieces_address)(void);
const pieces_slate *pieces_address(void)
{
    return &run_in_pieces.slate;
}

/* Begins to run a plan with the element in slate.value, of an input of slate.extents. in, out:
 * rooms of room_bytes bytes each. Plan, slate.value and rooms must stay as they are until the
 * last step. Returns as pieces_begin does. */
int32_t EXPORT(begin_pieces)(const tpad_plan *plan, int32_t elem_bits, unsigned char *in,
                             unsigned char *out, int32_t room_bytes);
int32_t begin_pieces(const tpad_plan *plan, int32_t elem_bits, unsigned char *in,
                     unsigned char *out, int32_t room_bytes)
{
    int64_t extents[TPAD_MAX_RANK];
    engine_integers(extents, engine_slate.extents, TPAD_MAX_RANK, TPAD_MAX_RANK);
    const pieces_rooms rooms = {in, out, room_bytes, room_bytes};
    return pieces_begin(&run_in_pieces, plan, extents, elem_bits, engine_slate.value, &rooms);
}

/* Begins it again, as pieces_again does. */
int32_t EXPORT(repeat_pieces)(const tpad_plan *plan);
int32_t repeat_pieces(const tpad_plan *plan)
{
    return pieces_again(&run_in_pieces, plan, engine_slate.value);
}

int32_t EXPORT(step_pieces)(void);
int32_t step_pieces(void)
{
    return pieces_step(&run_in_pieces);
}
