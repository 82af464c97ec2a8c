/* The types of TensorFlow Lite that a kernel needs: only the members that ours uses.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_TFLM_COMMON_H
#define TENSORPAD_TESTS_TFLM_COMMON_H

#include <stddef.h>
#include <stdint.h>

typedef enum { kTfLiteOk = 0, kTfLiteError = 1 } TfLiteStatus;

typedef enum {
    kTfLiteFloat32 = 1,
    kTfLiteInt32 = 2,
    kTfLiteInt64 = 4,
    kTfLiteBool = 6,
    kTfLiteInt16 = 7,
    kTfLiteInt8 = 9
} TfLiteType;

typedef struct TfLiteIntArray {
    int size;
    int data[];
} TfLiteIntArray;

typedef union TfLitePtrUnion {
    const char *raw_const;
    void *data;
} TfLitePtrUnion;

typedef struct TfLiteQuantizationParams {
    float scale;
    int32_t zero_point;
} TfLiteQuantizationParams;

typedef struct TfLiteTensor {
    TfLiteQuantizationParams params;
} TfLiteTensor;

typedef struct TfLiteEvalTensor {
    TfLitePtrUnion data;
    TfLiteIntArray *dims;
    TfLiteType type;
} TfLiteEvalTensor;

typedef struct TfLiteNode {
    TfLiteIntArray *inputs;
    TfLiteIntArray *outputs;
    void *user_data;
    void *builtin_data;
} TfLiteNode;

typedef struct TfLiteContext {
    void *impl_;
    void *(*AllocatePersistentBuffer)(struct TfLiteContext *context, size_t bytes);
} TfLiteContext;

typedef struct TFLMRegistration {
    void *(*init)(TfLiteContext *context, const char *buffer, size_t length);
    TfLiteStatus (*prepare)(TfLiteContext *context, TfLiteNode *node);
    TfLiteStatus (*invoke)(TfLiteContext *context, TfLiteNode *node);
} TFLMRegistration;

#endif
