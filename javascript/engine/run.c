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
 * status, as the next two functions do; on failure the error is in the slate. */
int32_t EXPORT(make_plan)(tpad_plan *plan);
int32_t make_plan(tpad_plan *plan)
{
    const tpad_problem problem = tpad_translation_problem(&engine_problem);
    tpad_error error;
    const int32_t status = tpad_plan_init(plan, tpad_plan_bytes(), &problem, &error);
    return status == TPAD_OK ? status : engine_refuse(&error);
}

/* Pads src to dst, as the problem that was made last says. */
int32_t EXPORT(run_problem)(const void *src, void *dst);
int32_t run_problem(const void *src, void *dst)
{
    const tpad_problem problem = tpad_translation_problem(&engine_problem);
    tpad_error error;
    const int32_t status =
        tpad_pad(&problem, src, dst, tpad_translation_value(&engine_problem), &error);
    return status == TPAD_OK ? status : engine_refuse(&error);
}

/* Runs a plan with the element in slate.value. */
int32_t EXPORT(run_plan)(const tpad_plan *plan, const void *src, void *dst);
int32_t run_plan(const tpad_plan *plan, const void *src, void *dst)
{
    return tpad_run(plan, src, dst, engine_slate.value);
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

int32_t EXPORT(step_pieces)(void);
int32_t step_pieces(void)
{
    return pieces_step(&run_in_pieces);
}
