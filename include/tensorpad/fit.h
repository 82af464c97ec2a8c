/* Pads to target sizes, and batches of tensors of different extents. SPDX-License-Identifier: MIT
 *
 * Many programs do not know how many cells they need before and after. They know a size: 512, a
 * multiple of 32, the same for all tensors, a square. tpad_fit_extents and tpad_fit_amounts compute
 * the amounts of a tpad_problem from such target sizes; they read and write no elements.
 * tpad_batch_run pads many tensors into one output. docs/semantics.md ("To a size") has the rules.
 *
 *     tpad_fit_axis targets[2] = {{.sized = 1, .extent = 512, .align = TPAD_ALIGN_CENTER},
 *                                 {.multiple = 32}};
 *     tpad_fit fit = TPAD_FIT(2, targets);
 *     tpad_axis axes[2] = {{.in_extent = 480}, {.in_extent = 500}};
 *     if (tpad_fit_amounts(&fit, NULL, axes, &error) == TPAD_OK) {
 *         const tpad_problem problem = TPAD_PROBLEM_OF(char, axes); // 16 + 480 + 16, 0 + 500 + 12
 *         status = tpad_pad(&problem, src, dst, NULL, &error);
 *     }
 */
#ifndef TENSORPAD_FIT_H
#define TENSORPAD_FIT_H

#include <tensorpad/tensorpad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Target sizes ---------------------------------------------------------------------------- */

/* The position of the input in a longer output. X(NAME, number, canonical name). */
#define TPAD_ALIGN_MAP(X)                                                                          \
    X(START, 0, "start")   /* abc.... */                                                           \
    X(CENTER, 1, "center") /* .abc..  an odd cell goes after */                                    \
    X(END, 2, "end")       /* ....abc */                                                           \
    X(OFFSET, 3, "offset") /* the first cell is at `offset` */

#define TPAD_ALIGN_ENTRY(name, number, word) TPAD_ALIGN_##name = number,
enum { TPAD_ALIGN_MAP(TPAD_ALIGN_ENTRY) TPAD_ALIGN_COUNT };
#undef TPAD_ALIGN_ENTRY

/* What happens to an input that is longer than its target. "keep": the output becomes as long as
 * the input (in a batch: as the longest one), so the target is a least extent, and nothing is cut
 * off. With TPAD_ALIGN_OFFSET the offset places the input, and all three crops mean the same: cells
 * outside the output are cut off. "error" and "keep" allow no cell outside. */
#define TPAD_TOO_LONG_MAP(X)                                                                       \
    X(ERROR, 0, "error")                                                                           \
    X(CROP_END, 1, "crop_end")                                                                     \
    X(CROP_START, 2, "crop_start")                                                                 \
    X(CROP_CENTER, 3, "crop_center") /* the centre is kept; an odd cell is cut off after it */     \
    X(KEEP, 4, "keep")               /* nothing is cut off. Since version 0.3.1 */

#define TPAD_TOO_LONG_ENTRY(name, number, word) TPAD_TOO_LONG_##name = number,
enum { TPAD_TOO_LONG_MAP(TPAD_TOO_LONG_ENTRY) TPAD_TOO_LONG_COUNT };
#undef TPAD_TOO_LONG_ENTRY

/* The target of one axis. Zero-initialised fields mean: as long as the input, padded with the fill
 * value. An extent without `sized`, or an offset without TPAD_ALIGN_OFFSET, is refused. */
typedef struct tpad_fit_axis {
    int64_t extent;   /* the output's extent, with `sized`: 0 to TPAD_MAX_EXTENT; otherwise 0 */
    int64_t multiple; /* the output's extent is rounded up to a multiple of it; 0 and 1: as it is */
    int64_t offset;   /* with TPAD_ALIGN_OFFSET: the input's first cell; negative: it is cut off;
                         otherwise 0 */
    int32_t sized;    /* 1: use `extent`; 0: the output is as long as the input */
    int32_t align;    /* TPAD_ALIGN_START ... */
    int32_t too_long; /* TPAD_TOO_LONG_ERROR ... */
    int32_t mode;     /* TPAD_CONSTANT ... TPAD_WRAP */
} tpad_fit_axis;

/* The targets of a tensor, or of each tensor of a batch. */
typedef struct tpad_fit {
    size_t struct_size;        /* sizeof(tpad_fit), as in tpad_problem */
    size_t axis_size;          /* sizeof(tpad_fit_axis) */
    const tpad_fit_axis *axes; /* `rank` of them, outermost first; NULL allowed when rank is 0 */
    int32_t rank;              /* 0 to TPAD_MAX_RANK */
    int32_t aspect_axes[2];    /* two axes whose extents ... */
    int32_t reserved;          /* 0 */
    int64_t aspect[2];         /* ... have exactly this ratio: 1:1, 16:9; {0, 0}: any ratio */
} tpad_fit;

/* As an initialiser. */
#define TPAD_FIT(rank, axes)                                                                       \
    {sizeof(tpad_fit), sizeof(tpad_fit_axis), (axes), TPAD_INT(rank), {0, 0}, 0, {0, 0}}

/* Computes the extents that all of `count` tensors get: on each axis the target or, without one,
 * the longest input, rounded up to the multiple. With `aspect`, the two axes then get the smallest
 * extents that have the ratio, are not smaller, and are multiples of their `multiple`.
 * in_extents: `count` (>= 1) times `rank` of them, tensor by tensor. out_extents: room for `rank`.
 * item: receives the number of the tensor that an error is about, or -1; it may be NULL.
 * An input that is too long is not an error here. Nothing is written to out_extents on failure.
 * Errors: E_ARGUMENT (a struct or one of its fields), E_RANK, E_EXTENT, E_AMOUNT (an offset),
 * E_MODE, E_OVERFLOW. */
TPAD_API int32_t tpad_fit_extents(const tpad_fit *fit, const int64_t *in_extents, int64_t count,
                                  int64_t *out_extents, int64_t *item, tpad_error *error);

/* Writes before, after and mode of one tensor's axes. It reads their in_extent, and their interior,
 * which must be 0. Other fields keep their values.
 * out_extents: the result of tpad_fit_extents; NULL: the extents of this tensor alone. axes: `rank`
 * of them, unchanged after a failure.
 * Errors: as tpad_fit_extents, E_TOO_LONG, E_INTERIOR, E_AMOUNT (more than TPAD_MAX_EXTENT cells
 * would be added or cut off). */
TPAD_API int32_t tpad_fit_amounts(const tpad_fit *fit, const int64_t *out_extents, tpad_axis *axes,
                                  tpad_error *error);

/* "start" ..., "error" ..., or "?" for other numbers. */
TPAD_API const char *tpad_align_name(int32_t align);
TPAD_API const char *tpad_too_long_name(int32_t too_long);
/* The number of that canonical name, or -1. */
TPAD_API int32_t tpad_align_from_name(const char *name);
TPAD_API int32_t tpad_too_long_from_name(const char *name);

/* ---- Before a convolution or a pool ---------------------------------------------------------- */

/* The number of cells that the windows of a convolution or a pool need around an axis.
 * X(NAME, number, canonical name). The "same" rules give ceil(extent / stride) windows. */
#define TPAD_WINDOW_MAP(X)                                                                         \
    X(SAME_UPPER, 0, "same_upper") /* TensorFlow's SAME, too: an odd cell goes after */            \
    X(SAME_LOWER, 1, "same_lower") /* ONNX's SAME_LOWER: an odd cell goes before */                \
    X(SAME, 2, "same")             /* torch's "same": as same_upper, but the stride is 1 */        \
    X(CAUSAL, 3, "causal")         /* all before, so no window reads a later cell; any stride */

#define TPAD_WINDOW_ENTRY(name, number, word) TPAD_WINDOW_##name = number,
enum { TPAD_WINDOW_MAP(TPAD_WINDOW_ENTRY) TPAD_WINDOW_COUNT };
#undef TPAD_WINDOW_ENTRY

/* The windows along one axis. Each number is 0 to TPAD_MAX_EXTENT, and 0 means 1, so an axis
 * without windows is {0}. No version adds a field. Since version 0.3.1 */
typedef struct tpad_window {
    int64_t kernel;   /* cells that a window reads */
    int64_t stride;   /* cells from one window to the next */
    int64_t dilation; /* cells from one cell that a window reads to the next */
    int32_t rule;     /* TPAD_WINDOW_SAME_UPPER ... */
    int32_t reserved; /* 0 */
} tpad_window;

/* Writes before and after of the axes. It reads their in_extent, which matters only to same_upper
 * and same_lower with a stride above 1. Other fields keep their values.
 * windows, axes: `rank` of them (0 to TPAD_MAX_RANK), NULL allowed when rank is 0. The axes are
 * unchanged after a failure.
 * Errors: E_RANK, E_ARGUMENT (a missing array, a rule, reserved, rule same with a stride), E_EXTENT
 * (an extent or a number of a window), E_OVERFLOW (a window spans too many cells). */
TPAD_API int32_t tpad_window_amounts(int32_t rank, const tpad_window *windows, tpad_axis *axes,
                                     tpad_error *error);

/* "same_upper" ..., or "?" for other numbers. */
TPAD_API const char *tpad_window_name(int32_t rule);
/* The number of that canonical name, or -1. */
TPAD_API int32_t tpad_window_from_name(const char *name);

/* ---- Batches --------------------------------------------------------------------------------- */

/* One tensor of a batch. No version adds a field. */
typedef struct tpad_batch_item {
    const void *src;        /* the first element; NULL allowed if there is none */
    const int64_t *extents; /* `rank` of them; NULL allowed when rank is 0 */
    const int64_t *strides; /* in bytes; NULL: dense */
} tpad_batch_item;

/* `count` tensors, padded into one dense output of rank + 1 axes: the number of the tensor, and the
 * extents that tpad_batch_shape computes. */
typedef struct tpad_batch {
    size_t struct_size;           /* sizeof(tpad_batch), as in tpad_problem */
    const tpad_fit *fit;          /* the targets, the same for each tensor; rank < TPAD_MAX_RANK */
    const tpad_batch_item *items; /* `count` of them */
    int64_t count;                /* >= 1 */
    int32_t elem_bits;            /* 8 times 1 to 65,536 */
    int32_t reserved;             /* 0 */
    void *dst;                    /* the output; it may not overlap any input */
    const void *value;            /* one element, NULL for all bits zero */
    /* NULL, or one byte for each cell of the output: 1 if it holds an element at its own place, 0
     * elsewhere (also where a mode repeats elements) */
    unsigned char *mask;
    /* NULL, or `count` times rank: how many elements of each axis are in the output */
    int64_t *lengths;
    /* NULL, or `value` is an array that is broadcast against each tensor of the output: a stride
     * for each of its axes, as in tpad_fill. Since version 0.3 */
    const int64_t *value_strides;
} tpad_batch;

/* The extents of each tensor of the output: `rank` of them (the output's first extent is count).
 * bytes: the whole output's size, or NULL. item: as in tpad_fit_extents. dst is not used.
 * Errors: E_ARGUMENT, E_ELEM, and as tpad_fit_extents; E_OVERFLOW also if the whole output has more
 * than TPAD_MAX_EXTENT bytes. */
TPAD_API int32_t tpad_batch_shape(const tpad_batch *batch, int64_t *out_extents, int64_t *bytes,
                                  int64_t *item, tpad_error *error);

/* Pads all tensors. Everything is checked before the first byte is written.
 * runner: as in tpad_run_with; NULL: this thread. The runner's threads share the tensors, and parts
 * of large ones. Small outputs are written by this thread alone. The result does not depend on the
 * runner.
 * Errors: as tpad_batch_shape and tpad_fit_amounts; E_NO_SOURCE; E_OVERFLOW also if the elements
 * of a tensor, or the values, span more bytes than addresses can reach; E_ARGUMENT also if dst or a
 * src is missing, if src is the tensor's own place in dst and something is read from it, or if the
 * runner's struct_size is wrong, its run is NULL or its width is below 1. If the runner fails, the
 * output is unfinished, and the runner's number is returned. */
TPAD_API int32_t tpad_batch_run(const tpad_batch *batch, const tpad_runner *runner, int64_t *item,
                                tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
