/* ONNX Pad inside ONNX Runtime.  SPDX-License-Identifier: MIT
 *
 * libtensorpad_ort replaces ONNX Runtime's own Pad on the CPU. Models need no change. It has all
 * versions of Pad, with every element type of the running version of ONNX Runtime (1.17 or newer).
 * docs/onnxruntime.md says which faults it cannot repair. It also runs the nodes of the domain
 * "tensorpad", which `tensorpad lower --plugin` and tensorpad.onnxruntime.prepare write. If the
 * session options have the entry "tensorpad.only_prepared", it runs these alone. A program that
 * loads the plug-in by its path needs no header:
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

/* Registers Pad with session options, for sessions that are made with them afterwards. A second
 * call for the same options does nothing. base: the result of OrtGetApiBase() of the program's ONNX
 * Runtime. Several threads may call this at once, each with options of its own. Returns NULL or, if
 * ONNX Runtime is older than 1.17 or out of memory, a status that the caller releases. */
TPAD_API struct OrtStatus *tpad_ort_register(struct OrtSessionOptions *options,
                                             const struct OrtApiBase *base);

/* The same function; ONNX Runtime calls it by this name in a library that it loads. */
TPAD_API struct OrtStatus *RegisterCustomOps(struct OrtSessionOptions *options,
                                             const struct OrtApiBase *base);

#ifdef __cplusplus
}
#endif
#endif
