/* Compares ort_api.h with the header of ONNX Runtime.  SPDX-License-Identifier: MIT
 *
 * Compiled only where that header is there (TENSORPAD_ORT_INCLUDE); it makes no code. */
#include <onnxruntime_c_api.h>

#include "ort_api.h"

#define SAME_PLACE(place, result, name, real, arguments)                                           \
    _Static_assert(offsetof(OrtApi, real) == (place) * sizeof(void (*)(void)), #real);
ORT_FUNCTIONS(SAME_PLACE)

#define SAME_MEMBER(ours, theirs)                                                                  \
    _Static_assert(offsetof(ort_op, ours) == offsetof(OrtCustomOp, theirs), #theirs)
SAME_MEMBER(version, version);
SAME_MEMBER(create_1, CreateKernel);
SAME_MEMBER(name, GetName);
SAME_MEMBER(provider, GetExecutionProviderType);
SAME_MEMBER(input_type, GetInputType);
SAME_MEMBER(input_count, GetInputTypeCount);
SAME_MEMBER(output_type, GetOutputType);
SAME_MEMBER(output_count, GetOutputTypeCount);
SAME_MEMBER(compute_1, KernelCompute);
SAME_MEMBER(destroy, KernelDestroy);
SAME_MEMBER(input_kind, GetInputCharacteristic);
SAME_MEMBER(output_kind, GetOutputCharacteristic);
SAME_MEMBER(input_memory, GetInputMemoryType);
SAME_MEMBER(variadic_inputs, GetVariadicInputMinArity);
SAME_MEMBER(variadic_inputs_alike, GetVariadicInputHomogeneity);
SAME_MEMBER(variadic_outputs, GetVariadicOutputMinArity);
SAME_MEMBER(variadic_outputs_alike, GetVariadicOutputHomogeneity);
SAME_MEMBER(create, CreateKernelV2);
SAME_MEMBER(compute, KernelComputeV2);
SAME_MEMBER(infer, InferOutputShapeFn);
SAME_MEMBER(first_version, GetStartVersion);
SAME_MEMBER(last_version, GetEndVersion);

_Static_assert(offsetof(ort_base, get_api) == offsetof(OrtApiBase, GetApi), "GetApi");
_Static_assert(offsetof(ort_base, version) == offsetof(OrtApiBase, GetVersionString), "version");
_Static_assert((int)ORT_OP_ATTR_INTS == ORT_ATTRIBUTE_INTS, "ORT_OP_ATTR_INTS");
_Static_assert((int)INPUT_OUTPUT_OPTIONAL == ORT_OPTIONAL, "INPUT_OUTPUT_OPTIONAL");
