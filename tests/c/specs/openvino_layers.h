/* What the tests of the OpenVINO dialect share: layers, and what comes of them.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_C_SPECS_OPENVINO_LAYERS_H
#define TENSORPAD_TESTS_C_SPECS_OPENVINO_LAYERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/openvino.h>

#include "plan_of.h"
#include "whole_line.h"

static const int64_t shape_3x4[] = {3, 4}, two[] = {2};
static const int32_t data_3x4[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const int32_t both_versions[] = {1, 12};

static inline tpad_openvino_tensor list(const int64_t *values, const int64_t *count)
{
    return (tpad_openvino_tensor){TPAD_OPENVINO_I64, 1, count, values};
}

static inline tpad_openvino_pad layer(int32_t opset, int32_t type, int32_t rank,
                                      const int64_t *shape, const char *mode)
{
    tpad_openvino_pad pad = {.struct_size = sizeof pad, .opset = opset, .mode = mode};
    pad.data = (tpad_openvino_tensor){type, rank, shape, NULL};
    return pad;
}

static inline void expect(const tpad_openvino_pad *pad, const void *data, const void *expected,
                          const int64_t *extents)
{
    tpad_translation made;
    tpad_plan plan;
    unsigned char out[4096];
    int64_t got[TPAD_MAX_RANK], bytes;
    memset(out, 0x5A, sizeof out);
    assert_int_equal(tpad_openvino_translate(&made, sizeof made, pad, NULL), TPAD_OK);
    assert_int_equal(tpad_openvino_shape(pad, got, NULL), TPAD_OK);
    for (int32_t i = 0; i < pad->data.rank; i++) assert_int_equal(got[i], extents[i]);
    const tpad_problem problem = tpad_translation_problem(&made);
    assert_int_equal(tpad_shape(&problem, NULL, NULL, &bytes, NULL), TPAD_OK);
    assert_true(bytes <= (int64_t)sizeof out);
    assert_int_equal(plan_of(&plan, &made), TPAD_OK);
    assert_int_equal(tpad_run(&plan, data, out, tpad_translation_value(&made)), TPAD_OK);
    assert_memory_equal(out, expected, (size_t)bytes);
}

static inline tpad_error refused(const tpad_openvino_pad *pad, int32_t code)
{
    tpad_translation made;
    tpad_error error;
    memset(&error, 0x55, sizeof error);
    assert_int_equal(tpad_openvino_translate(&made, sizeof made, pad, &error), code);
    assert_int_equal(tpad_openvino_translate(&made, sizeof made, pad, NULL), code);
    assert_int_equal(tpad_openvino_shape(pad, NULL, NULL), code);
    assert_int_equal(error.code, code);
    assert_whole_line(&error, 1);
    return error;
}

#endif
