/* embARC MLI padding2d (MLI 1.0 and 1.1) for the core.  SPDX-License-Identifier: MIT
 *
 * tpad_mli_translate translates the shape, the element type and the four amounts of a call into a
 * tpad_translation, or says why MLI does not allow the call. Like the core, it needs no operating
 * system. MLI's own functions, on MLI's own tensors, are in mli_padding2d.h. docs/specs/mli.md
 * explains the decisions.
 */
#ifndef TENSORPAD_MLI_H
#define TENSORPAD_MLI_H

#include <tensorpad/dialect.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TPAD_MLI_RANK 3

/* Element types of the padding2d functions. X(NAME, number, MLI's name, bits). */
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

/* The limits of MLI in one layout. All checks use this data. The structs are constant; a later
 * version may add fields at their end. */
typedef struct tpad_mli_limits {
    int32_t layout;       /* TPAD_MLI_CHW or TPAD_MLI_HWC */
    const char *name;     /* "chw", "hwc" */
    int32_t rank;         /* of the tensor: 3 */
    int32_t channels;     /* the number of this axis */
    int32_t height;       /* the same */
    int32_t width;        /* the same */
    uint32_t types;       /* bit t set: type number t is allowed */
    uint32_t modes;       /* bit m set: TPAD_... mode m is allowed */
    int64_t least;        /* least amount: 0 */
    int64_t most;         /* largest amount: 255, because it is a byte */
    int64_t least_extent; /* 1: MLI has no empty tensors */
    int64_t most_bytes;   /* of one tensor: 2^32 - 1 */
} tpad_mli_limits;

/* The number of layouts (2). The limits of layout number `layout`; NULL if there is none. */
TPAD_API int32_t tpad_mli_layout_count(void);
TPAD_API const tpad_mli_limits *tpad_mli_limits_at(int32_t layout);
/* The name of a type ("fx8", "fx16") and its width in bits; NULL and 0 if the number is not a
 * type. */
TPAD_API const char *tpad_mli_type_name(int32_t type);
TPAD_API int32_t tpad_mli_type_bits(int32_t type);

/* The arguments of one call. The amounts are wider than MLI's bytes, so that amounts beyond a byte
 * can be reported. */
typedef struct tpad_mli_padding2d {
    size_t struct_size;   /* sizeof(tpad_mli_padding2d), of 0.2 or later */
    int32_t layout;       /* TPAD_MLI_CHW, TPAD_MLI_HWC */
    int32_t type;         /* TPAD_MLI_FX8, TPAD_MLI_FX16 */
    int32_t rank;         /* of the input */
    int32_t reserved;     /* 0 */
    const int64_t *shape; /* its `rank` extents, in the order of the layout */
    int64_t left;         /* padding_left of mli_padding2d_cfg: columns before the image */
    int64_t right;        /* padding_right: columns after it */
    int64_t top;          /* padding_top: rows before it */
    int64_t bottom;       /* padding_bottom: rows after it */
} tpad_mli_padding2d;

/* Translates a call (MLI's specification: "Padding 2D"). Checks everything that can be checked
 * without the data. out_bytes: sizeof(tpad_translation). The pad value is zero. `pad` is not used
 * after the call.
 * Errors: E_SPEC_VERSION (no such layout), E_SPEC_TYPE, E_RANK, E_EXTENT, E_AMOUNT, E_OVERFLOW
 * (more bytes than an MLI tensor can have); E_ARGUMENT if a pointer is missing, if struct_size is
 * not between that of version 0.2 and this one's, if reserved is not 0, or if out_bytes is too
 * small. On failure nothing is written to `out`. */
TPAD_API int32_t tpad_mli_translate(tpad_translation *out, size_t out_bytes,
                                    const tpad_mli_padding2d *pad, tpad_error *error);

/* Shape inference: makes the checks of tpad_mli_translate, with the same errors, then writes the
 * three extents of the output, in the order of the layout. out_extents: room for them, or NULL. On
 * failure nothing is written. */
TPAD_API int32_t tpad_mli_shape(const tpad_mli_padding2d *pad, int64_t *out_extents,
                                tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
