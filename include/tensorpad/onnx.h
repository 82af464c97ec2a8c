/* ONNX Pad, versions 1 to 25, for the core.  SPDX-License-Identifier: MIT
 *
 * tpad_onnx_translate translates the arguments of a node into a tpad_translation, or says why the
 * specification does not allow the node. Like the core, it needs no operating system.
 * docs/specs/onnx.md lists the questions that the specification leaves open, with the answers given
 * here.
 */
#ifndef TENSORPAD_ONNX_H
#define TENSORPAD_ONNX_H

#include <tensorpad/dialect.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types: the numbers of TensorProto.DataType. X(NAME, number, onnx name, bits). The
 * specification gives strings no width: in memory, a string is a handle whose type the caller
 * chooses. */
#define TPAD_ONNX_TYPE_MAP(X)                                                                      \
    X(FLOAT, 1, "float", 32)                                                                       \
    X(UINT8, 2, "uint8", 8)                                                                        \
    X(INT8, 3, "int8", 8)                                                                          \
    X(UINT16, 4, "uint16", 16)                                                                     \
    X(INT16, 5, "int16", 16)                                                                       \
    X(INT32, 6, "int32", 32)                                                                       \
    X(INT64, 7, "int64", 64)                                                                       \
    X(STRING, 8, "string", 0)                                                                      \
    X(BOOL, 9, "bool", 8)                                                                          \
    X(FLOAT16, 10, "float16", 16)                                                                  \
    X(DOUBLE, 11, "double", 64)                                                                    \
    X(UINT32, 12, "uint32", 32)                                                                    \
    X(UINT64, 13, "uint64", 64)                                                                    \
    X(COMPLEX64, 14, "complex64", 64)                                                              \
    X(COMPLEX128, 15, "complex128", 128)                                                           \
    X(BFLOAT16, 16, "bfloat16", 16)                                                                \
    X(FLOAT8E4M3FN, 17, "float8e4m3fn", 8)                                                         \
    X(FLOAT8E4M3FNUZ, 18, "float8e4m3fnuz", 8)                                                     \
    X(FLOAT8E5M2, 19, "float8e5m2", 8)                                                             \
    X(FLOAT8E5M2FNUZ, 20, "float8e5m2fnuz", 8)                                                     \
    X(UINT4, 21, "uint4", 4)                                                                       \
    X(INT4, 22, "int4", 4)                                                                         \
    X(FLOAT4E2M1, 23, "float4e2m1", 4)                                                             \
    X(FLOAT8E8M0, 24, "float8e8m0", 8)                                                             \
    X(UINT2, 25, "uint2", 2)                                                                       \
    X(INT2, 26, "int2", 2)

#define TPAD_ONNX_TYPE_ENTRY(name, number, word, bits) TPAD_ONNX_##name = number,
enum { TPAD_ONNX_TYPE_MAP(TPAD_ONNX_TYPE_ENTRY) };
#undef TPAD_ONNX_TYPE_ENTRY

/* The specification's name of a type ("float", "int4"), or NULL if the number is not a type. */
TPAD_API const char *tpad_onnx_type_name(int32_t type);
/* The type with this name, or 0 if there is none (also for NULL). */
TPAD_API int32_t tpad_onnx_type_from_name(const char *name);
/* The width of a type in bits; 0 for strings and if the number is not a type. */
TPAD_API int32_t tpad_onnx_type_bits(int32_t type);

/* What one version of the specification allows. All checks use this data. The structs are
 * constant; a later version of tensorpad may add fields at their end. */
typedef struct tpad_onnx_version {
    int32_t since;              /* the version, which is the first opset that has it */
    uint32_t types;             /* bit t set: type number t is allowed */
    uint32_t modes;             /* bit m set: TPAD_... mode m is allowed */
    const char *pads_attribute; /* "paddings", "pads", or NULL if pads are an input */
    int32_t has_axes;           /* 1 if there is an input `axes` */
} tpad_onnx_version;

/* The newest version. Later opsets have this version, too. */
#define TPAD_ONNX_NEWEST 25

/* The number of versions (10). Version number `index`, oldest first; NULL beyond the last. */
TPAD_API int32_t tpad_onnx_version_count(void);
TPAD_API const tpad_onnx_version *tpad_onnx_version_at(int32_t index);
/* The version that a model of this opset uses: the newest one that is not newer than the opset.
 * NULL if opset < 1. */
TPAD_API const tpad_onnx_version *tpad_onnx_version_for(int32_t opset);

/* An input tensor of the node. It is the caller's, and so is all that it points to. */
typedef struct tpad_onnx_tensor {
    int32_t type;         /* TPAD_ONNX_... */
    int32_t rank;         /* 0: a scalar */
    const int64_t *shape; /* `rank` extents */
    const void *data;     /* dense, native byte order, any alignment; NULL for `data` */
} tpad_onnx_tensor;

enum {
    TPAD_ONNX_LENIENT = 1 /* also compute what this version forbids if its meaning is clear */
};

/* The arguments of one Pad node. NULL means that an input or attribute is absent. */
typedef struct tpad_onnx_pad {
    size_t struct_size;                /* sizeof(tpad_onnx_pad), of 0.2 or later */
    int32_t opset;                     /* of the model, or the version of Pad */
    int32_t flags;                     /* TPAD_ONNX_LENIENT, or 0 */
    tpad_onnx_tensor data;             /* input 0: its type and shape */
    const tpad_onnx_tensor *pads;      /* input 1, from 11 */
    const tpad_onnx_tensor *value;     /* input 2 `constant_value`, from 11 */
    const tpad_onnx_tensor *axes;      /* input 3, from 18 */
    const char *mode;                  /* attribute, NUL-terminated; absent: constant */
    const int64_t *attribute_paddings; /* attribute of version 1 */
    const int64_t *attribute_pads;     /* attribute of version 2 */
    const float *attribute_value;      /* attribute of versions 1 and 2 */
    int32_t attribute_paddings_count;
    int32_t attribute_pads_count;
    int32_t string_bytes; /* width of the caller's string handles in bytes, up to
                             65,536; 0: that of a pointer */
    int32_t reserved;     /* 0 */
} tpad_onnx_pad;

/* Translates a node (ONNX's operator reference: "Pad"). Checks everything that the specification
 * requires and that can be checked without the data, and that the output can exist. out_bytes:
 * sizeof(tpad_translation). The pad value is zero if there is none or its `data` is NULL. A pad
 * value wider than TPAD_FILL_BYTES (a wide string handle) is not copied: it must live until the
 * last run. Nothing else of `pad` is used after the call.
 * Errors: the group "what a specification does not allow" (E_SPEC_...) and all of tpad_shape;
 * E_ARGUMENT also if a required pointer is missing, if struct_size is not between that of version
 * 0.2 and this one's, if a flag is unknown or reserved is not 0, or if out_bytes is too small. If a
 * version lacks something, the text of the error names the version that has it. On failure nothing
 * is written to `out`. */
TPAD_API int32_t tpad_onnx_translate(tpad_translation *out, size_t out_bytes,
                                     const tpad_onnx_pad *pad, tpad_error *error);

/* Shape inference: makes the checks of tpad_onnx_translate, with the same errors, then writes the
 * output's extents, `pad->data.rank` of them. out_extents: room for them, or NULL. On failure
 * nothing is written. */
TPAD_API int32_t tpad_onnx_shape(const tpad_onnx_pad *pad, int64_t *out_extents, tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
