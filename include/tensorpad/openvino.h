/* OpenVINO Pad-1 and Pad-12 for the core.  SPDX-License-Identifier: MIT
 *
 * A layer's own arguments go in, a tpad_translation comes out, or the reason why the OpenVINO
 * document does not allow the layer. Freestanding, like the core. docs/openvino.md says where the
 * documents are silent and what is done there.
 */
#ifndef TENSORPAD_OPENVINO_H
#define TENSORPAD_OPENVINO_H

#include <tensorpad/dialect.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types. X(NAME, number, element_type, port precision, bits). The numbers are tensorpad's
 * own: OpenVINO's change between releases, its words do not. A string has no width: in memory it is
 * a handle of the caller's choice. U3 and U6 are known by name only: no Pad takes them here. */
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

/* The word for a type as an attribute has it ("f32", "u1"), and as a port's precision has it
 * ("FP32", "BIN"); NULL for a number that is none. */
TPAD_API const char *tpad_openvino_type_name(int32_t type);
TPAD_API const char *tpad_openvino_type_port_name(int32_t type);
/* The type of either word, in upper or lower case, or 0. */
TPAD_API int32_t tpad_openvino_type_from_name(const char *name);
/* Its width in bits; 0 for string and for numbers that are no type. */
TPAD_API int32_t tpad_openvino_type_bits(int32_t type);

/* What one version of the document says: the data behind every check. */
typedef struct tpad_openvino_version {
    int32_t version;       /* 1 or 12 */
    int32_t first_opset;   /* the operator sets that have it */
    int32_t last_opset;    /* */
    uint32_t types;        /* bit t set: type number t is allowed for data */
    uint32_t pads_types;   /* and for pads_begin and pads_end */
    uint32_t modes;        /* bit m set: TPAD_... mode m is allowed */
    uint32_t string_modes; /* and of these, for strings */
    int32_t order;         /* TPAD_WINDOW: where one axis has a negative and a positive amount */
    int32_t negative;      /* 1: amounts may be negative, and an output extent below 0 becomes 0 */
    int32_t reflect_limit; /* an amount is at most the axis's extent plus this (-1) in reflect */
    int32_t symmetric_limit; /* and (0) in symmetric; the other modes have no limit */
} tpad_openvino_version;

/* The number of versions (2), and version number `index` of them, oldest first, or NULL. */
TPAD_API int32_t tpad_openvino_version_count(void);
TPAD_API const tpad_openvino_version *tpad_openvino_version_at(int32_t index);
/* The version that this operator set has. NULL if opset < 1. */
TPAD_API const tpad_openvino_version *tpad_openvino_version_for(int32_t opset);

/* An input tensor of the layer. */
typedef struct tpad_openvino_tensor {
    int32_t type;         /* TPAD_OPENVINO_... */
    int32_t rank;         /* 0: a scalar */
    const int64_t *shape; /* `rank` extents */
    const void *data;     /* dense, native byte order, any alignment; NULL for `data` */
} tpad_openvino_tensor;

enum {
    TPAD_OPENVINO_LENIENT = 1 /* compute whatever has a meaning, also what this version forbids:
                                 negative amounts in Pad-1, mirrors without a limit, wrap, strings
                                 in every mode, a pad value of one element and any rank */
};

/* The arguments of one Pad layer. NULL stands for an input or attribute that is absent. */
typedef struct tpad_openvino_pad {
    size_t struct_size;                /* sizeof(tpad_openvino_pad) */
    int32_t opset;                     /* of the layer, or the version of Pad: 1 or 12 */
    int32_t flags;                     /* TPAD_OPENVINO_LENIENT */
    tpad_openvino_tensor data;         /* input 0: its type and shape */
    const tpad_openvino_tensor *begin; /* input 1, pads_begin */
    const tpad_openvino_tensor *end;   /* input 2, pads_end */
    const tpad_openvino_tensor *value; /* input 3, pad_value */
    const char *mode;                  /* attribute pad_mode, NUL-terminated */
    int32_t string_bytes;              /* width of the caller's string handles; 0: a pointer's */
    int32_t reserved;                  /* 0 */
} tpad_openvino_pad;

/* Translates a layer. Checks everything the document says that can be seen without the data, and
 * that the output exists. out_bytes: sizeof(tpad_translation). A pad value wider than
 * TPAD_FILL_BYTES (a string handle of more bytes) is not copied and must live until the last run;
 * everything else is no longer needed afterwards. Without a pad value, and where its `data` is
 * NULL, it is zero. The first bit of a u1 value is its high bit, as in a tensor of u1.
 * Errors: the family "what a specification does not allow" (E_SPEC_...) and all of tpad_shape;
 * E_ARGUMENT also where a required pointer is missing, struct_size is not one from 0.2's to this
 * version's, or out_bytes is too small. On failure nothing is written to `out`. */
TPAD_API int32_t tpad_openvino_translate(tpad_translation *out, size_t out_bytes,
                                         const tpad_openvino_pad *pad, tpad_error *error);

/* Shape inference: the checks and errors of tpad_openvino_translate, then the output's extents,
 * `pad->data.rank` of them. out_extents: room for them, or NULL. On failure nothing is written. */
TPAD_API int32_t tpad_openvino_shape(const tpad_openvino_pad *pad, int64_t *out_extents,
                                     tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
