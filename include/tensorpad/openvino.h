/* OpenVINO Pad-1 and Pad-12 for the core.  SPDX-License-Identifier: MIT
 *
 * tpad_openvino_translate translates the arguments of a layer into a tpad_translation, or says why
 * the specification does not allow the layer. Like the core, it needs no operating system.
 * docs/specs/openvino.md lists the questions that the specifications leave open, with the answers
 * given here.
 */
#ifndef TENSORPAD_OPENVINO_H
#define TENSORPAD_OPENVINO_H

#include <tensorpad/dialect.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types. X(NAME, number, element_type, port precision, bits). The numbers are tensorpad's
 * own, because OpenVINO's numbers change between releases while its names do not. A string has no
 * width: in memory, it is a handle whose type the caller chooses. U3 and U6 have names only: no Pad
 * accepts them here. */
#define TPAD_OPENVINO_TYPE_MAP(X)                                                                  \
    X(BOOLEAN, 1, "boolean", "BOOL", 8)                                                            \
    X(BF16, 2, "bf16", "BF16", 16)                                                                 \
    X(F16, 3, "f16", "FP16", 16)                                                                   \
    X(F32, 4, "f32", "FP32", 32)                                                                   \
    X(F64, 5, "f64", "FP64", 64)                                                                   \
    X(I4, 6, "i4", "I4", 4)                                                                        \
    X(I8, 7, "i8", "I8", 8)                                                                        \
    X(I16, 8, "i16", "I16", 16)                                                                    \
    X(I32, 9, "i32", "I32", 32)                                                                    \
    X(I64, 10, "i64", "I64", 64)                                                                   \
    X(U1, 11, "u1", "BIN", 1)                                                                      \
    X(U2, 12, "u2", "U2", 2)                                                                       \
    X(U4, 13, "u4", "U4", 4)                                                                       \
    X(U8, 14, "u8", "U8", 8)                                                                       \
    X(U16, 15, "u16", "U16", 16)                                                                   \
    X(U32, 16, "u32", "U32", 32)                                                                   \
    X(U64, 17, "u64", "U64", 64)                                                                   \
    X(NF4, 18, "nf4", "NF4", 4)                                                                    \
    X(F4E2M1, 19, "f4e2m1", "F4E2M1", 4)                                                           \
    X(F8E4M3, 20, "f8e4m3", "F8E4M3", 8)                                                           \
    X(F8E5M2, 21, "f8e5m2", "F8E5M2", 8)                                                           \
    X(F8E8M0, 22, "f8e8m0", "F8E8M0", 8)                                                           \
    X(STRING, 23, "string", "STRING", 0)                                                           \
    X(U3, 24, "u3", "U3", 3)                                                                       \
    X(U6, 25, "u6", "U6", 6)

#define TPAD_OPENVINO_TYPE_ENTRY(name, number, word, port, bits) TPAD_OPENVINO_##name = number,
enum { TPAD_OPENVINO_TYPE_MAP(TPAD_OPENVINO_TYPE_ENTRY) };
#undef TPAD_OPENVINO_TYPE_ENTRY

/* Types of OpenVINO and ONNX (onnx.h) with the same elements. X(OpenVINO's NAME, ONNX's). */
#define TPAD_OPENVINO_ONNX_MAP(X)                                                                  \
    X(BOOLEAN, BOOL)                                                                               \
    X(BF16, BFLOAT16)                                                                              \
    X(F16, FLOAT16)                                                                                \
    X(F32, FLOAT)                                                                                  \
    X(F64, DOUBLE)                                                                                 \
    X(I4, INT4)                                                                                    \
    X(I8, INT8)                                                                                    \
    X(I16, INT16)                                                                                  \
    X(I32, INT32)                                                                                  \
    X(I64, INT64)                                                                                  \
    X(U2, UINT2)                                                                                   \
    X(U4, UINT4)                                                                                   \
    X(U8, UINT8)                                                                                   \
    X(U16, UINT16)                                                                                 \
    X(U32, UINT32)                                                                                 \
    X(U64, UINT64)                                                                                 \
    X(F4E2M1, FLOAT4E2M1)                                                                          \
    X(F8E4M3, FLOAT8E4M3FN)                                                                        \
    X(F8E5M2, FLOAT8E5M2)                                                                          \
    X(F8E8M0, FLOAT8E8M0)                                                                          \
    X(STRING, STRING)

/* The name of a type in an attribute ("f32", "u1"), and in the precision of a port ("FP32", "BIN");
 * NULL if the number is not a type. */
TPAD_API const char *tpad_openvino_type_name(int32_t type);
TPAD_API const char *tpad_openvino_type_port_name(int32_t type);
/* The type with this name, of either kind, in upper or lower case; 0 if there is none (also for
 * NULL). */
TPAD_API int32_t tpad_openvino_type_from_name(const char *name);
/* The width of a type in bits; 0 for strings and if the number is not a type. */
TPAD_API int32_t tpad_openvino_type_bits(int32_t type);

/* What one version of the specification allows. All checks use this data. The structs are
 * constant; a later version of tensorpad may add fields at their end. */
typedef struct tpad_openvino_version {
    int32_t version;       /* 1 or 12 */
    int32_t first_opset;   /* the first operator set that has it */
    int32_t last_opset;    /* the last one */
    uint32_t types;        /* bit t set: type number t is allowed for data */
    uint32_t pads_types;   /* the same for pads_begin and pads_end */
    uint32_t modes;        /* bit m set: TPAD_... mode m is allowed */
    uint32_t string_modes; /* the modes that are allowed for strings */
    int32_t order;         /* TPAD_WINDOW: for amounts of both signs on one axis */
    int32_t negative;      /* 1: amounts may be negative, and an output extent below 0 becomes 0 */
    int32_t reflect_limit; /* an amount is at most the axis's extent plus this (-1) in reflect */
    int32_t symmetric_limit; /* same (0) in symmetric; other modes have no limit */
} tpad_openvino_version;

/* The number of versions (2). Version number `index`, oldest first; NULL beyond the last. */
TPAD_API int32_t tpad_openvino_version_count(void);
TPAD_API const tpad_openvino_version *tpad_openvino_version_at(int32_t index);
/* The version in this operator set. NULL if opset < 1. */
TPAD_API const tpad_openvino_version *tpad_openvino_version_for(int32_t opset);

/* An input tensor of the layer. It is the caller's, and so is all that it points to. */
typedef struct tpad_openvino_tensor {
    int32_t type;         /* TPAD_OPENVINO_... */
    int32_t rank;         /* 0: a scalar */
    const int64_t *shape; /* `rank` extents */
    const void *data;     /* dense, native byte order, any alignment; NULL for `data` */
} tpad_openvino_tensor;

enum {
    TPAD_OPENVINO_LENIENT = 1 /* also compute what this version forbids if its meaning is clear:
                                 negative amounts in Pad-1, reflect and symmetric without a limit,
                                 wrap, strings in every mode, a pad value of one element and any
                                 rank */
};

/* The arguments of one Pad layer. NULL means that an input or attribute is absent. */
typedef struct tpad_openvino_pad {
    size_t struct_size;                /* sizeof(tpad_openvino_pad), of 0.2 or later */
    int32_t opset;                     /* of the layer, or the version of Pad: 1 or 12 */
    int32_t flags;                     /* TPAD_OPENVINO_LENIENT, or 0 */
    tpad_openvino_tensor data;         /* input 0: its type and shape */
    const tpad_openvino_tensor *begin; /* input 1, pads_begin */
    const tpad_openvino_tensor *end;   /* input 2, pads_end */
    const tpad_openvino_tensor *value; /* input 3, pad_value */
    const char *mode;                  /* attribute pad_mode, NUL-terminated */
    int32_t string_bytes;              /* width of the caller's string handles in bytes, up to
                                          65,536; 0: that of a pointer */
    int32_t reserved;                  /* 0 */
} tpad_openvino_pad;

/* Translates a layer (OpenVINO's operation specifications: "Pad-1", "Pad-12"). Checks everything
 * that the specification requires and that can be checked without the data, and that the output can
 * exist. out_bytes: sizeof(tpad_translation). The pad value is zero if there is none or its `data`
 * is NULL. A pad value of u1 is the high bit of its byte, like the first element of a u1 tensor. A
 * pad value wider than TPAD_FILL_BYTES (a wide string handle) is not copied: it must live until the
 * last run. Nothing else of `pad` is used after the call.
 * Errors: the group "what a specification does not allow" (E_SPEC_...) and all of tpad_shape;
 * E_ARGUMENT also if a required pointer is missing, if struct_size is not between that of version
 * 0.2 and this one's, if a flag is unknown or reserved is not 0, or if out_bytes is too small. On
 * failure nothing is written to `out`. */
TPAD_API int32_t tpad_openvino_translate(tpad_translation *out, size_t out_bytes,
                                         const tpad_openvino_pad *pad, tpad_error *error);

/* Shape inference: makes the checks of tpad_openvino_translate, with the same errors, then writes
 * the output's extents, `pad->data.rank` of them. out_extents: room for them, or NULL. On failure
 * nothing is written. */
TPAD_API int32_t tpad_openvino_shape(const tpad_openvino_pad *pad, int64_t *out_extents,
                                     tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
