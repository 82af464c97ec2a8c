/* embARC MLI padding2d (MLI 1.0 and 1.1) for the core.  SPDX-License-Identifier: MIT
 *
 * Shape, element type and the four amounts go in, a tpad_translation comes out, or the reason why
 * MLI does not allow it. Freestanding, like the core. For MLI's own functions, on MLI's own tensors,
 * see mli_padding2d.h; docs/mli.md has the decisions.
 */
#ifndef TENSORPAD_MLI_H
#define TENSORPAD_MLI_H

#include <tensorpad/dialect.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TPAD_MLI_RANK 3

/* Element types of the padding2d functions. X(NAME, number, MLI's word, bits). */
#define TPAD_MLI_TYPE_MAP(X)                                                                       \
    X(FX8, 0, "fx8", 8)                                                                            \
    X(FX16, 1, "fx16", 16)

/* Layouts: the order of the axes. X(NAME, number, word). */
#define TPAD_MLI_LAYOUT_MAP(X)                                                                     \
    X(CHW, 0, "chw")                                                                               \
    X(HWC, 1, "hwc")

#define TPAD_MLI_TYPE_ENTRY(name, number, word, bits) TPAD_MLI_##name = number,
enum { TPAD_MLI_TYPE_MAP(TPAD_MLI_TYPE_ENTRY) };
#undef TPAD_MLI_TYPE_ENTRY

#define TPAD_MLI_LAYOUT_ENTRY(name, number, word) TPAD_MLI_##name = number,
enum { TPAD_MLI_LAYOUT_MAP(TPAD_MLI_LAYOUT_ENTRY) };
#undef TPAD_MLI_LAYOUT_ENTRY

/* What the document says of one layout: the data behind every check. */
typedef struct tpad_mli_limits {
    int32_t layout;      /* TPAD_MLI_CHW or TPAD_MLI_HWC */
    const char *name;    /* "chw", "hwc" */
    int32_t rank;        /* of the tensor: 3 */
    int32_t channels;    /* which axis is which */
    int32_t height;      /* */
    int32_t width;       /* */
    uint32_t types;      /* bit t set: type number t is allowed */
    uint32_t modes;      /* bit m set: TPAD_... mode m is what lies beyond the edge */
    int64_t least;       /* amount: 0 */
    int64_t most;        /* amount: 255, a byte */
    int64_t least_extent; /* 1: MLI has no empty tensors */
    int64_t most_bytes;  /* of a tensor: 2^32 - 1 */
} tpad_mli_limits;

/* The number of layouts (2), and the limits of number `layout`, or NULL. */
TPAD_API int32_t tpad_mli_layout_count(void);
TPAD_API const tpad_mli_limits *tpad_mli_limits_at(int32_t layout);
/* "fx8", "fx16", or NULL for a number that is none. Its width in bits, or 0. */
TPAD_API const char *tpad_mli_type_name(int32_t type);
TPAD_API int32_t tpad_mli_type_bits(int32_t type);

/* The arguments of one call. The amounts are wider than MLI's, so that wrong ones can be told. */
typedef struct tpad_mli_padding2d {
    size_t struct_size;   /* sizeof(tpad_mli_padding2d) */
    int32_t layout;       /* TPAD_MLI_CHW, TPAD_MLI_HWC */
    int32_t type;         /* TPAD_MLI_FX8, TPAD_MLI_FX16 */
    int32_t rank;         /* of the input */
    int32_t reserved;     /* 0 */
    const int64_t *shape; /* its `rank` extents, in the order of the layout */
    int64_t left;         /* padding_left ... of mli_padding2d_cfg */
    int64_t right;
    int64_t top;
    int64_t bottom;
} tpad_mli_padding2d;

/* Translates a call. Checks everything that can be seen without the data. out_bytes:
 * sizeof(tpad_translation). The pad value is zero; nothing of `pad` is needed afterwards.
 * Errors: E_SPEC_VERSION (no such layout), E_SPEC_TYPE, E_RANK, E_EXTENT, E_AMOUNT, E_OVERFLOW (more
 * bytes than a tensor of MLI can have); E_ARGUMENT where a pointer is missing, struct_size is not
 * one from 0.2's to this version's, or out_bytes is too small. On failure nothing is written to
 * `out`. */
TPAD_API int32_t tpad_mli_translate(tpad_translation *out, size_t out_bytes,
                                    const tpad_mli_padding2d *pad, tpad_error *error);

/* Shape inference: the checks and errors of tpad_mli_translate, then the three extents of the
 * output, in the order of the layout. out_extents: room for them, or NULL. On failure nothing is
 * written. */
TPAD_API int32_t tpad_mli_shape(const tpad_mli_padding2d *pad, int64_t *out_extents,
                                tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
