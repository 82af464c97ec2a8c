/* ONNX Pad, versions 1 to 25, for the core.  SPDX-License-Identifier: MIT
 *
 * A node's own arguments go in, a tpad_translation comes out, or the reason why the ONNX document
 * does not allow the node. Freestanding, like the core. docs/onnx.md says where the document is
 * silent and what is done there.
 */
#ifndef TENSORPAD_ONNX_H
#define TENSORPAD_ONNX_H

#include <tensorpad/dialect.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types: the numbers of TensorProto.DataType. X(NAME, number, onnx name, bits).
 * A string has no width in the document: in memory it is a handle of the caller's choice. */
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

/* The document's word for a type ("float", "int4"), or NULL for a number that is none. */
TPAD_API const char *tpad_onnx_type_name(int32_t type);
/* The type of that name, or 0. */
TPAD_API int32_t tpad_onnx_type_from_name(const char *name);
/* Its width in bits; 0 for string and for numbers that are no type. */
TPAD_API int32_t tpad_onnx_type_bits(int32_t type);

/* What one version of the document says: the data behind every check. */
typedef struct tpad_onnx_version {
    int32_t since;              /* the version, which is the first opset that has it */
    uint32_t types;             /* bit t set: type number t is allowed */
    uint32_t modes;             /* bit m set: TPAD_... mode m is allowed */
    const char *pads_attribute; /* "paddings", "pads", or NULL where pads are an input */
    int32_t has_axes;           /* 1 where there is an input `axes` */
} tpad_onnx_version;

/* The number of versions (10), and version number `index` of them, oldest first, or NULL. */
TPAD_API int32_t tpad_onnx_version_count(void);
TPAD_API const tpad_onnx_version *tpad_onnx_version_at(int32_t index);
/* The version that a model of this opset uses: the newest that is not newer. NULL if opset < 1. */
TPAD_API const tpad_onnx_version *tpad_onnx_version_for(int32_t opset);

/* An input tensor of the node. */
typedef struct tpad_onnx_tensor {
    int32_t type;         /* TPAD_ONNX_... */
    int32_t rank;         /* 0: a scalar */
    const int64_t *shape; /* `rank` extents */
    const void *data;     /* dense, native byte order, any alignment; NULL for `data` */
} tpad_onnx_tensor;

enum {
    TPAD_ONNX_LENIENT = 1 /* compute whatever has a meaning, also what this version forbids */
};

/* The arguments of one Pad node. NULL stands for an input or attribute that is absent. */
typedef struct tpad_onnx_pad {
    size_t struct_size;                 /* sizeof(tpad_onnx_pad) */
    int32_t opset;                      /* of the model, or the version of Pad */
    int32_t flags;                      /* TPAD_ONNX_LENIENT */
    tpad_onnx_tensor data;              /* input 0: its type and shape */
    const tpad_onnx_tensor *pads;       /* input 1, from 11 */
    const tpad_onnx_tensor *value;      /* input 2 `constant_value`, from 11 */
    const tpad_onnx_tensor *axes;       /* input 3, from 18 */
    const char *mode;                   /* attribute, NUL-terminated; absent: constant */
    const int64_t *attribute_paddings;  /* attribute of version 1 */
    const int64_t *attribute_pads;      /* attribute of version 2 */
    const float *attribute_value;       /* attribute of versions 1 and 2 */
    int32_t attribute_paddings_count;
    int32_t attribute_pads_count;
    int32_t string_bytes;               /* width of the caller's string handles; 0: a pointer's */
    int32_t reserved;                   /* 0 */
} tpad_onnx_pad;

/* Translates a node. Checks everything the document says that can be seen without the data, and
 * that the output exists. out_bytes: sizeof(tpad_translation). A pad value wider than
 * TPAD_FILL_BYTES (a string handle of more bytes) is not copied and must live until the last run;
 * everything else is no longer needed afterwards. Without a pad value, and where its `data` is
 * NULL, it is zero.
 * Errors: the family "what a specification does not allow" (E_SPEC_...) and all of tpad_shape;
 * E_ARGUMENT also where a required pointer is missing, struct_size is not one from 0.2's to this
 * version's, or out_bytes is too small. The text names the version of Pad that has what is missing.
 * On failure nothing is written to `out`. */
TPAD_API int32_t tpad_onnx_translate(tpad_translation *out, size_t out_bytes,
                                     const tpad_onnx_pad *pad, tpad_error *error);

/* Shape inference: the checks and errors of tpad_onnx_translate, then the output's extents,
 * `pad->data.rank` of them. out_extents: room for them, or NULL. On failure nothing is written. */
TPAD_API int32_t tpad_onnx_shape(const tpad_onnx_pad *pad, int64_t *out_extents, tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
