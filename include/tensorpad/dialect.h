/* A Pad of any specification as a problem.  SPDX-License-Identifier: MIT
 *
 * The headers of the specifications (onnx.h, openvino.h, ngraph.h, mli.h) include this one. Each
 * of them has a function that turns the arguments of one node, layer or call into a
 * tpad_translation:
 *
 *     tpad_translation pad;
 *     if (tpad_onnx_translate(&pad, sizeof pad, &node, &error) == TPAD_OK) {
 *         const tpad_problem problem = tpad_translation_problem(&pad);
 *         if (tpad_plan_init(&plan, sizeof plan, &problem, &error) == TPAD_OK)
 *             tpad_run(&plan, src, dst, tpad_translation_value(&pad));
 *     }
 */
#ifndef TENSORPAD_DIALECT_H
#define TENSORPAD_DIALECT_H

#include <tensorpad/tensorpad.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TPAD_FILL_BYTES 16 /* the widest element of a specification: complex128 */

/* Room for axes. MLI always fills three, even if the core is built for fewer. */
#define TPAD_TRANSLATION_AXES (TPAD_MAX_RANK < 3 ? 3 : TPAD_MAX_RANK)

/* A plain value: it holds no pointer into itself, so it may be copied, returned and stored. The
 * caller may change it before a plan is made, for instance give strides to the axes and add
 * TPAD_IN_STRIDES to the flags. The pad value is one element, as tpad_run takes it:
 *
 *   - in `fill`, if fill_bytes is above 0: a copy of the caller's element, or an element made from
 *     it. For a string only the handle is copied, and its text still belongs to the caller;
 *   - at `value`, if that is not NULL: the caller's own element, if it is wider than `fill`. It
 *     must live until the last run;
 *   - zero, if neither is set.
 *
 * If the caller's struct is longer than the library's, because the caller's header is newer, the
 * rest is zeroed. */
typedef struct tpad_translation {
    int32_t rank;       /* how many of `axes` are used */
    int32_t elem_bits;  /* as in tpad_problem */
    int32_t flags;      /* as in tpad_problem: TPAD_HIGH_BITS_FIRST, or 0 */
    int32_t fill_bytes; /* how many of `fill` are used, or 0 */
    unsigned char fill[TPAD_FILL_BYTES];
    const void *value;
    tpad_axis axes[TPAD_TRANSLATION_AXES]; /* outermost first; dense on both sides */
} tpad_translation;

/* The translation as a problem, for tpad_plan_init. The problem points to the axes of
 * `translation`, which must stay where it is while the problem is in use; a plan needs neither. */
static inline tpad_problem tpad_translation_problem(const tpad_translation *translation)
{
    tpad_problem problem = TPAD_PROBLEM(0, 0, NULL);
    problem.axes = translation->axes;
    problem.rank = translation->rank;
    problem.elem_bits = translation->elem_bits;
    problem.flags = translation->flags;
    return problem;
}

/* The pad value, for tpad_run: one element, or NULL for zero. The pointer points into `translation`
 * or to the caller's element, as described above. */
static inline const void *tpad_translation_value(const tpad_translation *translation)
{
    return translation->fill_bytes > 0 ? translation->fill : translation->value;
}

#ifdef __cplusplus
}
#endif
#endif
