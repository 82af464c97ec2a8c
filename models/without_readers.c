/* Replaces readers whose libraries are missing in this build. SPDX-License-Identifier: MIT */
#include "models/graph/model.h"

#ifndef TPAD_WITH_NANOPB
int32_t tpad_onnx_read(tpad_model *model, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                        "%s: this tensorpad was built without nanopb and reads no ONNX models",
                        model->path);
}

int32_t tpad_pad_write_model(const tpad_pad_node *pad, int32_t opset, const tpad_pool_behind *pool,
                             tpad_output *output, tpad_io_error *error)
{
    (void)pad, (void)opset, (void)pool, (void)output;
    return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                        "this tensorpad was built without nanopb and writes no ONNX models");
}
#endif

#ifndef TPAD_WITH_EXPAT
int32_t tpad_ir_read(tpad_model *model, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                        "%s: this tensorpad was built without expat and reads no OpenVINO models",
                        model->path);
}

int32_t tpad_pad_write_ir(const tpad_pad_node *pad, tpad_output *output, tpad_output *weights,
                          tpad_io_error *error)
{
    (void)pad, (void)output, (void)weights;
    return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                        "this tensorpad was built without expat and writes no OpenVINO models");
}
#endif
