/* ONNX Pad inside ONNX Runtime.  SPDX-License-Identifier: MIT
 *
 * libtensorpad_ort replaces ONNX Runtime's own Pad on the CPU, in models as they are: all versions
 * of Pad and every type of elements that the running version of ONNX Runtime carries (1.17 or
 * newer). docs/onnxruntime.md says what cannot be repaired from inside. A program that loads the
 * plug-in by its path needs no header:
 *
 *     OrtStatus *status = api->RegisterCustomOpsLibrary_V2(options, "libtensorpad_ort.so");
 */
#ifndef TENSORPAD_ONNXRUNTIME_H
#define TENSORPAD_ONNXRUNTIME_H

#include <tensorpad/tensorpad.h>

#ifdef __cplusplus
extern "C" {
#endif

struct OrtStatus;
struct OrtSessionOptions;
struct OrtApiBase;

/* Registers Pad with session options, for sessions that are made of them afterwards. A second call
 * for the same options does nothing. base: what OrtGetApiBase() of the program's ONNX Runtime
 * returns. May be called from several threads for options of their own. Returns NULL, or a status
 * that the caller releases: ONNX Runtime is older than 1.17, or has no memory. */
TPAD_API struct OrtStatus *tpad_ort_register(struct OrtSessionOptions *options,
                                             const struct OrtApiBase *base);

/* The same under the name that ONNX Runtime calls in a library that it loads. */
TPAD_API struct OrtStatus *RegisterCustomOps(struct OrtSessionOptions *options,
                                             const struct OrtApiBase *base);

#ifdef __cplusplus
}
#endif
#endif
