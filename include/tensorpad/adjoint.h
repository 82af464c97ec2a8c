/* The transpose of a pad: gradients, overlap-add, ghost cells. SPDX-License-Identifier: MIT
 *
 * A pad whose fill value is 0 is linear: each cell of the output is one element of the input, or 0.
 * Its transpose goes the other way: every element of the input gets the sum of the cells that took
 * it. This is the gradient of a pad, and it is what adds mirrored borders, overlapping tiles or
 * ghost cells back to where they came from. The adjoint of a crop is a pad with 0.
 *
 *     tpad_axis axes[1] = {{.in_extent = 4, .before = 2, .after = 1, .mode = TPAD_REFLECT}};
 *     tpad_problem problem = TPAD_PROBLEM_OF(float, axes);       // c b a b c d c
 *     status = tpad_plan_init(&plan, sizeof plan, &problem, &error);
 *     const float grad_out[7] = {1, 2, 3, 4, 5, 6, 7};
 *     float grad_in[4];                                          // 3, 4 + 2, 5 + 1 + 7, 6
 *     status = tpad_adjoint(&plan, TPAD_NUMBER_F32, 0, grad_out, grad_in, NULL, &error);
 *
 * The plan is that of the pad itself: any plan but a border. grad_out is laid out as the plan's
 * output, and grad_in as its input. They may not overlap; both may have any alignment. With a box,
 * grad_out is the box alone: call it with TPAD_ADJOINT_ADD for each box, and the sum is that of the
 * whole output.
 *
 * The order of the sums. On each axis, the cell at the element's own place comes first; the others
 * follow in the order of their indices. Cells are added in row-major order of the axes: the axis
 * with the largest distance between cells of grad_out is the outermost one; if two axes have the
 * same distance, the one that was given first is the outer one. The order depends neither on
 * threads nor on parts nor on the processor, so the sums are bit-identical, except for the bits of
 * a NaN, as long as the compiler keeps to IEEE 754 (no -ffast-math; on 32-bit x86, no x87).
 * Infinities and NaNs propagate as the sums say. A sum begins with its first cell if that is at the
 * element's own place, which keeps a -0; otherwise with 0.
 */
#ifndef TENSORPAD_ADJOINT_H
#define TENSORPAD_ADJOINT_H

#include <tensorpad/tensorpad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of elements. X(NAME, number, bits of an element). Integers wrap around; use the signed kind
 * for unsigned ones. */
#define TPAD_NUMBER_MAP(X)                                                                         \
    X(F32, 1, 32) /* summed one after the other, each sum rounded */                               \
    X(F64, 2, 64)                                                                                  \
    X(F16, 3, 16)         /* summed as F32, and rounded once, to nearest even */                   \
    X(BF16, 4, 16)        /* the same */                                                           \
    X(COMPLEX64, 5, 64)   /* two F32: real, imaginary */                                           \
    X(COMPLEX128, 6, 128) /* two F64 */                                                            \
    X(I8, 7, 8)                                                                                    \
    X(I16, 8, 16)                                                                                  \
    X(I32, 9, 32)                                                                                  \
    X(I64, 10, 64)

#define TPAD_NUMBER_ENTRY(name, number, bits) TPAD_NUMBER_##name = number,
enum { TPAD_NUMBER_MAP(TPAD_NUMBER_ENTRY) };
#undef TPAD_NUMBER_ENTRY

/* Flags. */
enum { TPAD_ADJOINT_ADD = 1 /* the sums begin with the present values */ };

/* Writes grad_in: all elements of the plan's input, 0 if no cell took the element. For a box with
 * input memory of its own (in_first), these are the elements that tpad_plan_needs returns. number:
 * TPAD_NUMBER_F32 ... flags: TPAD_ADJOINT_ADD or 0. runner: as in tpad_run_with; NULL: on this
 * thread. Needs about 15 KB of stack, and 21 KB with 16 axes.
 * Errors:
 *   E_NOT_A_PLAN
 *   E_ELEM      no such number, or elements of the plan have another width
 *   E_BORDER    a border plan
 *   E_ARGUMENT  unknown flags; grad_in is NULL and there is something to write; grad_out is NULL
 *               and there is something to read; both are one buffer, and a run refuses that too;
 *               two elements of grad_in may share a place: sorted by size, each stride must lead
 *               beyond everything that the smaller ones reach (4 x 3 floats: 12 and 4, not 8 and
 *               4); the runner's struct_size is wrong, its run is NULL or its width is below 1
 * and the result of the runner, if it is not 0. On failure nothing is written, except by a runner
 * that fails. */
TPAD_API int32_t tpad_adjoint(const tpad_plan *plan, int32_t number, int32_t flags,
                              const void *grad_out, void *grad_in, const tpad_runner *runner,
                              tpad_error *error);

/* Part `part` (from 0) of `parts` (>= 1): a share of grad_in. All parts together, in any order and
 * on any threads, write all of it.
 * Errors: those of tpad_adjoint; E_ARGUMENT also if part is not between 0 and parts - 1. */
TPAD_API int32_t tpad_adjoint_part(const tpad_plan *plan, int32_t number, int32_t flags,
                                   const void *grad_out, void *grad_in, int64_t part, int64_t parts,
                                   tpad_error *error);

/* The gradient of the fill: writes to each value of grad_fill the sum of the cells that hold it. On
 * this thread. strides: one for each axis of the output, in bytes, like those of a tpad_fill: the
 * cell with the indices i, j ... belongs to the value `i * strides[0] + j * strides[1] ...` bytes
 * after grad_fill; NULL: there is one value for all. A plan of a box writes the values of its own
 * cells. Like the elements of grad_in, the values must not overlap. Floats, including F16 and BF16,
 * are summed in F64 and rounded once; their order is fixed, and the same on every processor. Needs
 * about 12 KB of stack.
 * Errors: those of tpad_adjoint, with grad_fill in place of grad_in; E_OVERFLOW if the strides
 * exceed 64 bits. If the output has cells, grad_out is required and may not be grad_fill, even if
 * offsets keep them apart or no cell is filled. */
TPAD_API int32_t tpad_adjoint_fill(const tpad_plan *plan, int32_t number, int32_t flags,
                                   const void *grad_out, void *grad_fill, const tpad_index *strides,
                                   tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
