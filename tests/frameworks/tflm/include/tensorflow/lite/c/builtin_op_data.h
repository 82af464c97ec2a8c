/* The parameters of MIRROR_PAD.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_TFLM_BUILTIN_OP_DATA_H
#define TENSORPAD_TESTS_TFLM_BUILTIN_OP_DATA_H

typedef enum {
    kTfLiteMirrorPaddingUnknown = 0,
    kTfLiteMirrorPaddingReflect,
    kTfLiteMirrorPaddingSymmetric
} TfLiteMirrorPaddingMode;

typedef struct {
    TfLiteMirrorPaddingMode mode;
} TfLiteMirrorPaddingParams;

#endif
