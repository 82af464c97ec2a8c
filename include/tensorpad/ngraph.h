/* nGraph Pad as a problem for the core.  SPDX-License-Identifier: MIT
 *
 * An operator's own arguments go in, a tpad_problem comes out (or the reason why the nGraph
 * document does not allow it). Freestanding, like the core. docs/ngraph.md says where the document
 * is silent or contradicts itself and what is done there.
 *
 * "Below" and "above" are the document's words for lower and higher indices. Indices begin at the
 * upper left corner, so padding "below" comes first in memory and stands at the top of a picture,
 * not beneath it: padding_below is tpad_axis.before, padding_above is tpad_axis.after.
 */
#ifndef TENSORPAD_NGRAPH_H
#define TENSORPAD_NGRAPH_H

#include <tensorpad/tensorpad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mode of the operator. */
typedef struct tpad_ngraph_mode {
    const char *word;     /* as pad_mode has it, in upper case: "CONSTANT" */
    int32_t mode;         /* TPAD_CONSTANT ... */
    int32_t in_document;  /* 0: only the operator as it was shipped has it */
    int64_t least_extent; /* of arg, on every axis that has a positive amount */
} tpad_ngraph_mode;

/* What the document says: the data behind every check. Element types are not limited. */
typedef struct tpad_ngraph_limits {
    const tpad_ngraph_mode *modes; /* the first is the default */
    int32_t mode_count;
    int32_t order;          /* TPAD_WINDOW: what an axis with amounts of both signs repeats */
    int32_t value_rank;     /* 0: arg_pad_value is a scalar. It has no default */
    int32_t least_interior; /* 0. Amounts below and above have no such limit */
} tpad_ngraph_limits;

TPAD_API const tpad_ngraph_limits *tpad_ngraph_get_limits(void);

/* An input tensor. */
typedef struct tpad_ngraph_tensor {
    int32_t type;         /* a number of the caller's choice, the same for both inputs */
    int32_t rank;         /* 0: a scalar */
    const int64_t *shape; /* `rank` extents */
    const void *data;     /* arg_pad_value: one element, as tpad_run takes it. Not used for arg */
} tpad_ngraph_tensor;

/* The arguments of one Pad. */
typedef struct tpad_ngraph_pad {
    size_t struct_size;                      /* sizeof(tpad_ngraph_pad) */
    tpad_ngraph_tensor arg;                  /* its type and shape */
    const tpad_ngraph_tensor *arg_pad_value; /* required, also in modes that do not use it */
    const int64_t *padding_below;            /* one for each axis; may be negative */
    const int64_t *padding_above;            /* same */
    const int64_t *padding_interior;         /* one for each axis, not negative; NULL with a count
                                                of 0 stands for an operator that has none */
    int32_t padding_below_count;
    int32_t padding_above_count;
    int32_t padding_interior_count;
    int32_t elem_bits;    /* width of an element, as in tpad_problem */
    const char *pad_mode; /* NUL-terminated; NULL: CONSTANT */
} tpad_ngraph_pad;

/* The operator as a problem. `axes` is where problem->axes points: not to be moved. */
typedef struct tpad_ngraph_problem {
    tpad_problem problem;          /* dense on both sides; strides may be filled in by the caller */
    tpad_axis axes[TPAD_MAX_RANK]; /* */
    const void *value;             /* for tpad_run: the data of arg_pad_value */
} tpad_ngraph_problem;

/* Translates an operator. Checks everything the document says, and that the output shape exists.
 * The value must live until the run. Errors: the family "what a specification does not allow" and
 * those of tpad_shape; where it concerns an axis, the error has its number and both amounts. On
 * failure nothing of `out` is to be used. */
TPAD_API int32_t tpad_ngraph_translate(tpad_ngraph_problem *out, const tpad_ngraph_pad *pad,
                                       tpad_error *error);

/* Shape inference: the same checks, then the output extents (`pad->arg.rank` of them, or NULL).
 * Here the data of arg_pad_value may still be missing. */
TPAD_API int32_t tpad_ngraph_shape(const tpad_ngraph_pad *pad, int64_t *out_extents,
                                   tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
