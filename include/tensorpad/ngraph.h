/* nGraph Pad for the core.  SPDX-License-Identifier: MIT
 *
 * tpad_ngraph_translate translates the arguments of an operator into a tpad_translation, or says
 * why the nGraph specification does not allow it. Like the core, it needs no operating system.
 * docs/specs/ngraph.md lists the questions that the specification leaves open and its
 * contradictions, with the answers given here.
 *
 * The specification says "below" for lower and "above" for higher indices. Indices begin at the
 * upper left corner, so padding "below" comes first in memory and is at the top of a picture:
 * padding_below is tpad_axis.before, padding_above is tpad_axis.after.
 */
#ifndef TENSORPAD_NGRAPH_H
#define TENSORPAD_NGRAPH_H

#include <tensorpad/dialect.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mode of the operator. The structs that the functions below return are constant; a later version
 * may add fields at the end. */
typedef struct tpad_ngraph_mode {
    const char *word;     /* the value of pad_mode, in upper case: "CONSTANT" */
    int32_t mode;         /* TPAD_CONSTANT ... */
    int32_t in_document;  /* 0: only the shipped operator has it */
    int64_t least_extent; /* of arg, on every axis that has a positive amount */
} tpad_ngraph_mode;

/* The number of modes (4). Mode number `index`; NULL beyond the last. The first is the default. */
TPAD_API int32_t tpad_ngraph_mode_count(void);
TPAD_API const tpad_ngraph_mode *tpad_ngraph_mode_at(int32_t index);

/* Other limits of the specification. All checks use this data. Element types are not limited. */
typedef struct tpad_ngraph_limits {
    int32_t order;          /* TPAD_WINDOW: for amounts of both signs on one axis */
    int32_t value_rank;     /* of arg_pad_value: 0, a scalar. It has no default */
    int32_t least_interior; /* 0. Amounts below and above have no such limit */
} tpad_ngraph_limits;

TPAD_API const tpad_ngraph_limits *tpad_ngraph_get_limits(void);

/* An input tensor. It is the caller's, and so is all that it points to. */
typedef struct tpad_ngraph_tensor {
    int32_t type;         /* a number of the caller's choice, the same for both inputs */
    int32_t rank;         /* 0: a scalar */
    const int64_t *shape; /* `rank` extents */
    const void *data;     /* arg_pad_value: one element, as tpad_run takes it. Not used for arg */
} tpad_ngraph_tensor;

/* The arguments of one Pad. The pointers are the caller's. */
typedef struct tpad_ngraph_pad {
    size_t struct_size;                      /* sizeof(tpad_ngraph_pad), of 0.2 or later */
    tpad_ngraph_tensor arg;                  /* its type and shape */
    const tpad_ngraph_tensor *arg_pad_value; /* required, also in modes that do not use it */
    const int64_t *padding_below;            /* one for each axis; may be negative */
    const int64_t *padding_above;            /* same */
    const int64_t *padding_interior;         /* one for each axis, not negative; NULL and a count of
                                                0 for an operator without it */
    int32_t padding_below_count;
    int32_t padding_above_count;
    int32_t padding_interior_count;
    int32_t elem_bits;    /* width of an element, as in tpad_problem */
    const char *pad_mode; /* NUL-terminated; NULL: CONSTANT */
} tpad_ngraph_pad;

/* Translates an operator (nGraph's specification: "Pad"). Checks everything that it requires,
 * and that the output can exist. out_bytes: sizeof(tpad_translation). A pad value wider than
 * TPAD_FILL_BYTES is not copied: it must live until the last run. Nothing else of `pad` is used
 * after the call.
 * Errors: the group "what a specification does not allow" (E_SPEC_...) and all of tpad_shape;
 * E_ARGUMENT also if a required pointer is missing, if struct_size is not between that of version
 * 0.2 and this one's, or if out_bytes is too small. An error about an axis has both amounts.
 * On failure nothing is written to `out`. */
TPAD_API int32_t tpad_ngraph_translate(tpad_translation *out, size_t out_bytes,
                                       const tpad_ngraph_pad *pad, tpad_error *error);

/* Shape inference: makes the checks of tpad_ngraph_translate, with the same errors, then writes the
 * output's extents, `pad->arg.rank` of them. out_extents: room for them, or NULL. The data of
 * arg_pad_value may still be missing in this call. On failure nothing is written. */
TPAD_API int32_t tpad_ngraph_shape(const tpad_ngraph_pad *pad, int64_t *out_extents,
                                   tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
