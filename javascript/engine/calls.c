/* The calls of the package: a problem without a specification, target sizes, plans and how they run,
 * and ONNX, OpenVINO, nGraph and MLI. SPDX-License-Identifier: MIT */
#include "pieces.h"
#include "slate.h"

#include <tensorpad/fit.h>
#include <tensorpad/mli.h>
#include <tensorpad/ngraph.h>
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>

slate engine_slate;
tpad_translation engine_problem;

static pieces run_in_pieces;

slate *EXPORT(slate_address)(void);
slate *slate_address(void)
{
    return &engine_slate;
}

const char *EXPORT(library_version)(void);
const char *library_version(void)
{
    return tpad_version();
}

const char *EXPORT(kernels)(void);
const char *kernels(void)
{
    return tpad_kernels_name();
}

int32_t engine_refuse(const tpad_error *error)
{
    char *text = engine_slate.text;
    size_t used = 0;
    for (const char *name = tpad_status_name(error->code); *name; name++) text[used++] = *name;
    text[used++] = '\0';
    tpad_error_format(error, text + used, SLATE_TEXT - used);
    engine_slate.error_axis = error->axis;
    engine_slate.got = (double)error->got;
    engine_slate.limit = (double)error->limit;
    return error->code;
}

int32_t engine_measure(int32_t made_status, const tpad_error *error)
{
    if (made_status != TPAD_OK) return engine_refuse(error);
    const tpad_problem problem = tpad_translation_problem(&engine_problem);
    int64_t extents[TPAD_MAX_RANK], elems, bytes;
    tpad_error refused;
    if (tpad_shape(&problem, extents, &elems, &bytes, &refused) != TPAD_OK)
        return engine_refuse(&refused);
    for (int32_t i = 0; i < problem.rank; i++) {
        if (extents[i] > SLATE_MOST) {
            const tpad_axis *axis = &engine_problem.axes[i];
            const tpad_error too_long = {TPAD_E_OVERFLOW,
                                         i,
                                         extents[i],
                                         SLATE_MOST,
                                         axis->before,
                                         axis->after,
                                         NULL,
                                         "axis %a: output extent %g exceeds %l, the largest whole "
                                         "number of JavaScript (before %b, after %e)"};
            return engine_refuse(&too_long);
        }
        engine_slate.out_extents[i] = (double)extents[i];
    }
    engine_slate.out_elems = (double)elems;
    engine_slate.out_bytes = (double)bytes;
    return TPAD_OK;
}

/* Makes a problem of extents, before, after, interior, modes, rank, order, elem_bits,
 * high_bits_first and value (value_type -1: zero). Writes out_extents, out_elems and out_bytes.
 * Returns a status; on failure the error is in the slate. */
int32_t EXPORT(make_problem)(void);
int32_t make_problem(void)
{
    const slate *from = &engine_slate;
    tpad_translation *made = &engine_problem;
    made->rank = from->rank;
    made->elem_bits = from->elem_bits;
    made->flags = from->high_bits_first ? TPAD_HIGH_BITS_FIRST : 0;
    made->value = NULL;
    made->fill_bytes = from->value_type < 0 ? 0 : TPAD_FILL_BYTES;
    for (int i = 0; i < TPAD_FILL_BYTES; i++) made->fill[i] = from->value[i];
    for (int32_t i = 0; i < from->rank && i < TPAD_MAX_RANK; i++)
        made->axes[i] = (tpad_axis){.in_extent = (int64_t)from->extents[i],
                                    .before = (int64_t)from->before[i],
                                    .after = (int64_t)from->after[i],
                                    .interior = (int64_t)from->interior[i],
                                    .mode = from->modes[i],
                                    .order = from->order};
    return engine_measure(TPAD_OK, NULL);
}

/* ---- Target sizes ---------------------------------------------------------------------------- */

static tpad_fit_axis fit_axes[TPAD_MAX_RANK];
static tpad_fit fit;

/* Reads the targets of `rank` axes: before (the extents), after (the multiples), interior (the offsets)
 * and modes: align, plus 8 times too_long, plus 64 where there is an extent. before_count, after_count:
 * two axes that become equally long, or -1. Writes to out_extents what all tensors get, of which
 * `extents` are the longest. Returns a status, as make_problem does. */
int32_t EXPORT(fit_extents)(void);
int32_t fit_extents(void)
{
    slate *from = &engine_slate;
    const int32_t has_square = from->before_count >= 0;
    int64_t extents[TPAD_MAX_RANK], made[TPAD_MAX_RANK];
    engine_integers(extents, from->extents, from->rank, TPAD_MAX_RANK);
    fit = (tpad_fit)TPAD_FIT(from->rank, fit_axes);
    for (int32_t i = 0; i < 2 && has_square; i++) fit.aspect[i] = 1;
    fit.aspect_axes[0] = from->before_count;
    fit.aspect_axes[1] = from->after_count;
    for (int32_t i = 0; i < from->rank && i < TPAD_MAX_RANK; i++)
        fit_axes[i] = (tpad_fit_axis){.extent = (int64_t)from->before[i],
                                      .multiple = (int64_t)from->after[i],
                                      .offset = (int64_t)from->interior[i],
                                      .sized = from->modes[i] / 64,
                                      .align = from->modes[i] % 8,
                                      .too_long = from->modes[i] / 8 % 8};
    tpad_error error;
    const int32_t status = tpad_fit_extents(&fit, extents, 1, made, NULL, &error);
    if (status != TPAD_OK) return engine_refuse(&error);
    for (int32_t i = 0; i < fit.rank; i++) {
        from->out_extents[i] = (double)made[i];
    }
    return status;
}

/* Writes to `before` and `after` the amounts of a tensor of `extents`, whose output has out_extents, as
 * the targets that were read last say. Returns a status, as make_problem does. */
int32_t EXPORT(fit_amounts)(void);
int32_t fit_amounts(void)
{
    slate *from = &engine_slate;
    int64_t made[TPAD_MAX_RANK];
    tpad_axis axes[TPAD_MAX_RANK];
    engine_integers(made, from->out_extents, fit.rank, TPAD_MAX_RANK);
    for (int32_t i = 0; i < fit.rank; i++)
        axes[i] = (tpad_axis){.in_extent = (int64_t)from->extents[i]};
    tpad_error error;
    const int32_t status = tpad_fit_amounts(&fit, made, axes, &error);
    if (status != TPAD_OK) return engine_refuse(&error);
    for (int32_t i = 0; i < fit.rank; i++) {
        from->before[i] = (double)axes[i].before;
        from->after[i] = (double)axes[i].after;
    }
    return status;
}

/* ---- Plans ----------------------------------------------------------------------------------- */

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

/* Who calls `pad` in a loop has the same problem again and again: it gets a plan the second time.
 */
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

/* Runs a plan with the element in slate.value. */
int32_t EXPORT(run_plan)(const tpad_plan *plan, const void *src, void *dst);
int32_t run_plan(const tpad_plan *plan, const void *src, void *dst)
{
    return tpad_run(plan, src, dst, engine_slate.value);
}

/* Runs a plan with `values`, one for each cell of the output along an axis, of value_bytes bytes
 * each. plan
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

/* ---- Specifications -------------------------------------------------------------------------- */

enum { OPSETS_WITH_ATTRIBUTES = 10 }; /* up to this one, pads and value are attributes in ONNX */

/* The lists of a call as integers. */
typedef struct lists {
    int64_t extents[SLATE_LIST], before[SLATE_LIST], after[SLATE_LIST], interior[SLATE_LIST];
} lists;

static void read_lists(lists *to)
{
    const slate *from = &engine_slate;
    engine_integers(to->extents, from->extents, from->rank, SLATE_LIST);
    engine_integers(to->before, from->before, from->before_count, SLATE_LIST);
    engine_integers(to->after, from->after, from->after_count, SLATE_LIST);
    engine_integers(to->interior, from->interior, from->interior_count, SLATE_LIST);
}

static const char *mode_word(void)
{
    return engine_slate.has_word ? engine_slate.word : NULL;
}

/* The number of the type that slate.word names, or 0. */
int32_t EXPORT(onnx_type)(void);
int32_t onnx_type(void)
{
    return tpad_onnx_type_from_name(engine_slate.word);
}

int32_t EXPORT(openvino_type)(void);
int32_t openvino_type(void)
{
    return tpad_openvino_type_from_name(engine_slate.word);
}

/* Each of these makes a problem, as make_problem does, with the checks of its specification. Of the
 * slate they read extents, rank, type, the lists that are named, value and value_type, word. */

/* before: pads. interior: axes. version: the opset. Up to opset 10 the value is a float. */
int32_t EXPORT(make_onnx)(void);
int32_t make_onnx(void)
{
    const slate *from = &engine_slate;
    lists read;
    read_lists(&read);
    const int64_t pads_shape = from->before_count, axes_shape = from->interior_count;
    const tpad_onnx_tensor pads = {TPAD_ONNX_INT64, 1, &pads_shape, read.before};
    const tpad_onnx_tensor axes = {TPAD_ONNX_INT64, 1, &axes_shape, read.interior};
    const tpad_onnx_tensor value = {from->value_type, 0, NULL, from->value};
    float number;
    __builtin_memcpy(&number, from->value, sizeof number);
    tpad_onnx_pad pad = {.struct_size = sizeof pad,
                         .opset = from->version,
                         .flags = from->lenient ? TPAD_ONNX_LENIENT : 0,
                         .data = {from->type, from->rank, read.extents, NULL},
                         .axes = axes_shape >= 0 ? &axes : NULL,
                         .mode = mode_word()};
    const tpad_onnx_version *version = tpad_onnx_version_for(from->version);
    if (from->version < 1 || from->version > OPSETS_WITH_ATTRIBUTES) {
        pad.pads = pads_shape >= 0 ? &pads : NULL;
        pad.value = from->value_type >= 0 ? &value : NULL;
    } else {
        pad.attribute_value = from->value_type >= 0 ? &number : NULL;
        const int64_t *amounts = pads_shape >= 0 ? read.before : NULL;
        const int32_t count = pads_shape >= 0 ? from->before_count : 0;
        if (version->since == 1)
            pad.attribute_paddings = amounts, pad.attribute_paddings_count = count;
        else
            pad.attribute_pads = amounts, pad.attribute_pads_count = count;
    }
    tpad_error error;
    const int32_t status =
        tpad_onnx_translate(&engine_problem, sizeof engine_problem, &pad, &error);
    return engine_measure(status, &error);
}

/* before: pads_begin. after: pads_end. */
int32_t EXPORT(make_openvino)(void);
int32_t make_openvino(void)
{
    const slate *from = &engine_slate;
    lists read;
    read_lists(&read);
    const int64_t begin_shape = from->before_count, end_shape = from->after_count;
    const tpad_openvino_tensor begin = {TPAD_OPENVINO_I64, 1, &begin_shape, read.before};
    const tpad_openvino_tensor end = {TPAD_OPENVINO_I64, 1, &end_shape, read.after};
    const tpad_openvino_tensor value = {from->value_type, 0, NULL, from->value};
    const tpad_openvino_pad pad = {.struct_size = sizeof pad,
                                   .opset = from->version,
                                   .flags = from->lenient ? TPAD_OPENVINO_LENIENT : 0,
                                   .data = {from->type, from->rank, read.extents, NULL},
                                   .begin = begin_shape >= 0 ? &begin : NULL,
                                   .end = end_shape >= 0 ? &end : NULL,
                                   .value = from->value_type >= 0 ? &value : NULL,
                                   .mode = mode_word()};
    tpad_error error;
    const int32_t status =
        tpad_openvino_translate(&engine_problem, sizeof engine_problem, &pad, &error);
    return engine_measure(status, &error);
}

/* before, after, interior: padding_below, padding_above, padding_interior. elem_bits instead of a
 * type; value_type is that of the data, 1, or another. */
int32_t EXPORT(make_ngraph)(void);
int32_t make_ngraph(void)
{
    const slate *from = &engine_slate;
    lists read;
    read_lists(&read);
    const int32_t interiors = from->interior_count;
    const tpad_ngraph_tensor value = {from->value_type, 0, NULL, from->value};
    const tpad_ngraph_pad pad = {.struct_size = sizeof pad,
                                 .arg = {1, from->rank, read.extents, NULL},
                                 .arg_pad_value = from->value_type >= 0 ? &value : NULL,
                                 .padding_below = read.before,
                                 .padding_above = read.after,
                                 .padding_interior = interiors >= 0 ? read.interior : NULL,
                                 .padding_below_count = from->before_count,
                                 .padding_above_count = from->after_count,
                                 .padding_interior_count = interiors >= 0 ? interiors : 0,
                                 .elem_bits = from->elem_bits,
                                 .pad_mode = mode_word()};
    tpad_error error;
    const int32_t status =
        tpad_ngraph_translate(&engine_problem, sizeof engine_problem, &pad, &error);
    return engine_measure(status, &error);
}

/* version: the layout. before: left, right, top, bottom. */
int32_t EXPORT(make_mli)(void);
int32_t make_mli(void)
{
    const slate *from = &engine_slate;
    lists read;
    read_lists(&read);
    const tpad_mli_padding2d pad = {.struct_size = sizeof pad,
                                    .layout = from->version,
                                    .type = from->type,
                                    .rank = from->rank,
                                    .shape = read.extents,
                                    .left = read.before[0],
                                    .right = read.before[1],
                                    .top = read.before[2],
                                    .bottom = read.before[3]};
    tpad_error error;
    const int32_t status = tpad_mli_translate(&engine_problem, sizeof engine_problem, &pad, &error);
    return engine_measure(status, &error);
}
