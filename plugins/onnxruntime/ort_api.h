/* The part of ONNX Runtime's C interface that the plug-in uses.  SPDX-License-Identifier: MIT
 *
 * ONNX Runtime gives a program one struct of function pointers, to whose end each version adds
 * more. ORT_FUNCTIONS names the ones used here with their place in it. The places are the same in
 * all versions from 1.17 on; api_check.c compares them with the real header where there is one.
 * Functions return NULL, or a status that the caller releases. */
#ifndef TENSORPAD_PLUGINS_ONNXRUNTIME_ORT_API_H
#define TENSORPAD_PLUGINS_ONNXRUNTIME_ORT_API_H

#include <stddef.h>
#include <stdint.h>

typedef struct ort_status ort_status;
typedef struct ort_value ort_value;
typedef struct ort_shape ort_shape; /* the type and the shape of a tensor */
typedef struct ort_options ort_options;
typedef struct ort_domain ort_domain;
typedef struct ort_info ort_info;           /* of a node, when its kernel is made */
typedef struct ort_context ort_context;     /* of one run of a kernel */
typedef struct ort_inference ort_inference; /* of a node, when shapes are inferred */
typedef struct ort_attribute ort_attribute;

enum { ORT_API_VERSION_USED = 17 };
enum { ORT_CODE_FAIL = 1, ORT_CODE_INVALID_ARGUMENT = 2, ORT_CODE_RUNTIME_EXCEPTION = 6 };
enum { ORT_REQUIRED = 0, ORT_OPTIONAL = 1 };
enum { ORT_ATTRIBUTE_INTS = 2 };

/* X(place, result, name, name in ONNX Runtime's header, arguments) */
#define ORT_FUNCTIONS(X)                                                                           \
    X(0, ort_status *, create_status, CreateStatus, (int code, const char *text))                  \
    X(27, ort_status *, domain_add, CustomOpDomain_Add,                                            \
      (ort_domain * domain, const struct ort_op *op))                                              \
    X(26, ort_status *, create_domain, CreateCustomOpDomain,                                       \
      (const char *name, ort_domain **domain))                                                     \
    X(28, ort_status *, add_domain, AddCustomOpDomain,                                             \
      (ort_options * options, ort_domain * domain))                                                \
    X(51, ort_status *, tensor_data, GetTensorMutableData, (ort_value * value, void **data))       \
    X(53, ort_status *, strings_length, GetStringTensorDataLength,                                 \
      (const ort_value *value, size_t *bytes))                                                     \
    X(54, ort_status *, strings, GetStringTensorContent,                                           \
      (const ort_value *value, void *text, size_t bytes, size_t *offsets, size_t count))           \
    X(57, ort_status *, create_shape, CreateTensorTypeAndShapeInfo, (ort_shape * *shape))          \
    X(58, ort_status *, set_type, SetTensorElementType, (ort_shape * shape, int type))             \
    X(59, ort_status *, set_extents, SetDimensions,                                                \
      (ort_shape * shape, const int64_t *extents, size_t rank))                                    \
    X(60, ort_status *, type_of, GetTensorElementType, (const ort_shape *shape, int *type))        \
    X(61, ort_status *, rank_of, GetDimensionsCount, (const ort_shape *shape, size_t *rank))       \
    X(62, ort_status *, extents_of, GetDimensions,                                                 \
      (const ort_shape *shape, int64_t *extents, size_t rank))                                     \
    X(65, ort_status *, shape_of, GetTensorTypeAndShape,                                           \
      (const ort_value *value, ort_shape **shape))                                                 \
    X(85, ort_status *, info_float, KernelInfoGetAttribute_float,                                  \
      (const ort_info *info, const char *name, float *value))                                      \
    X(86, ort_status *, info_integer, KernelInfoGetAttribute_int64,                                \
      (const ort_info *info, const char *name, int64_t *value))                                    \
    X(87, ort_status *, info_string, KernelInfoGetAttribute_string,                                \
      (const ort_info *info, const char *name, char *text, size_t *bytes))                         \
    X(88, ort_status *, input_count, KernelContext_GetInputCount,                                  \
      (const ort_context *context, size_t *count))                                                 \
    X(90, ort_status *, input, KernelContext_GetInput,                                             \
      (const ort_context *context, size_t index, const ort_value **value))                         \
    X(91, ort_status *, output, KernelContext_GetOutput,                                           \
      (ort_context * context, size_t index, const int64_t *extents, size_t rank,                   \
       ort_value **value))                                                                         \
    X(93, void, release_status, ReleaseStatus, (ort_status * status))                              \
    X(99, void, release_shape, ReleaseTensorTypeAndShapeInfo, (ort_shape * shape))                 \
    X(101, void, release_domain, ReleaseCustomOpDomain, (ort_domain * domain))                     \
    X(130, ort_status *, add_entry, AddSessionConfigEntry,                                         \
      (ort_options * options, const char *key, const char *value))                                 \
    X(163, ort_status *, info_integers, KernelInfoGetAttributeArray_int64,                         \
      (const ort_info *info, const char *name, int64_t *list, size_t *count))                      \
    X(237, ort_status *, has_entry, HasSessionConfigEntry,                                         \
      (const ort_options *options, const char *key, int *found))                                   \
    X(238, ort_status *, entry, GetSessionConfigEntry,                                             \
      (const ort_options *options, const char *key, char *value, size_t *bytes))                   \
    X(244, ort_status *, node_name, KernelInfo_GetNodeName,                                        \
      (const ort_info *info, char *text, size_t *bytes))                                           \
    X(252, ort_status *, string_buffer, GetResizedStringTensorElementBuffer,                       \
      (ort_value * value, size_t index, size_t bytes, char **buffer))                              \
    X(268, ort_status *, inference_shape, ShapeInferContext_GetInputTypeShape,                     \
      (const ort_inference *context, size_t index, ort_shape **shape))                             \
    X(269, ort_status *, inference_attribute, ShapeInferContext_GetAttribute,                      \
      (const ort_inference *context, const char *name, const ort_attribute **attribute))           \
    X(270, ort_status *, inference_give, ShapeInferContext_SetOutputTypeShape,                     \
      (const ort_inference *context, size_t index, const ort_shape *shape))                        \
    X(271, ort_status *, set_names, SetSymbolicDimensions,                                         \
      (ort_shape * shape, const char **names, size_t rank))                                        \
    X(272, ort_status *, read_attribute, ReadOpAttr,                                               \
      (const ort_attribute *attribute, int kind, void *data, size_t bytes, size_t *needed))        \
    X(274, ort_status *, parallel_for, KernelContext_ParallelFor,                                  \
      (const ort_context *context, void (*body)(void *user, size_t index), size_t count,           \
       size_t batches, void *user))

struct ort_op;
typedef void (*ort_any_function)(void);

/* The functions by name, taken from their places when the plug-in is registered. */
typedef struct ort_api {
#define ORT_MEMBER(place, result, name, real, arguments) result(*name) arguments;
    ORT_FUNCTIONS(ORT_MEMBER)
#undef ORT_MEMBER
} ort_api;

typedef struct ort_base {
    const ort_any_function *(*get_api)(uint32_t version); /* NULL: it is older than that */
    const char *(*version)(void);                         /* "1.31.1" */
} ort_base;

/* An operator of the plug-in. ONNX Runtime reads the members that its `version` has; those of later
 * versions are not here. */
typedef struct ort_op {
    uint32_t version;
    void *(*create_1)(const struct ort_op *op, const void *api, const ort_info *info);
    const char *(*name)(const struct ort_op *op);
    const char *(*provider)(const struct ort_op *op); /* NULL: the CPU */
    int (*input_type)(const struct ort_op *op, size_t index);
    size_t (*input_count)(const struct ort_op *op);
    int (*output_type)(const struct ort_op *op, size_t index);
    size_t (*output_count)(const struct ort_op *op);
    void (*compute_1)(void *kernel, ort_context *context);
    void (*destroy)(void *kernel);
    int (*input_kind)(const struct ort_op *op, size_t index);
    int (*output_kind)(const struct ort_op *op, size_t index);
    int (*input_memory)(const struct ort_op *op, size_t index);
    int (*variadic_inputs)(const struct ort_op *op);
    int (*variadic_inputs_alike)(const struct ort_op *op);
    int (*variadic_outputs)(const struct ort_op *op);
    int (*variadic_outputs_alike)(const struct ort_op *op);
    ort_status *(*create)(const struct ort_op *op, const void *api, const ort_info *info,
                          void **kernel);
    ort_status *(*compute)(void *kernel, ort_context *context);
    ort_status *(*infer)(const struct ort_op *op, ort_inference *context);
    int (*first_version)(const struct ort_op *op);
    int (*last_version)(const struct ort_op *op);
} ort_op;

#endif
