/* Replaces readers whose libraries are missing in this build. SPDX-License-Identifier: MIT */
#include "models/graph/model.h"

#ifndef TPAD_WITH_NANOPB
int32_t tpad_onnx_read(tpad_model *model, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                        "%s: this tensorpad was built without nanopb and reads no ONNX models",
                        model->path);
}
#endif

#ifndef TPAD_WITH_EXPAT
int32_t tpad_ir_read(tpad_model *model, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                        "%s: this tensorpad was built without expat and reads no OpenVINO models",
                        model->path);
}
#endif
