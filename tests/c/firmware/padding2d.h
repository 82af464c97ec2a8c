/* What the tests of the padding2d functions share: the four functions, and tensors for them.
 * SPDX-License-Identifier: MIT
 *
 * Built for the tensors of MLI 1.1 and of 1.0, for 64 and for 32 bits, and once on top of a user's
 * own MLI headers. */
#ifndef TENSORPAD_TESTS_C_FIRMWARE_PADDING2D_H
#define TENSORPAD_TESTS_C_FIRMWARE_PADDING2D_H

#ifdef USERS_HEADERS_FIRST
#include "users_mli.h"
#endif
#include <tensorpad/mli_padding2d.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef mli_status padding_function(const mli_tensor *in, const mli_padding2d_cfg *cfg,
                                    mli_tensor *out);

static const struct {
    padding_function *run;
    int hwc;
    int bytes;
} functions[] = {{mli_krn_padding2d_chw_fx8, 0, 1},
                 {mli_krn_padding2d_chw_fx16, 0, 2},
                 {mli_krn_padding2d_hwc_fx8, 1, 1},
                 {mli_krn_padding2d_hwc_fx16, 1, 2}};
enum { FUNCTION_COUNT = 4 };

/* ---- Tensors --------------------------------------------------------------------------------- */

static inline mli_tensor tensor(void *data, size_t capacity, uint32_t a, uint32_t b, uint32_t c,
                                int bytes)
{
    mli_tensor t;
    memset(&t, 0, sizeof t);
    t.data = data;
    t.capacity = (uint32_t)capacity;
    t.shape[0] = a;
    t.shape[1] = b;
    t.shape[2] = c;
    t.rank = 3;
    t.el_type = bytes == 1 ? MLI_EL_FX_8 : MLI_EL_FX_16;
    t.el_params.fx.frac_bits = 5;
    return t;
}

/* An output of which every byte is known and only data and capacity make sense. */
static inline mli_tensor empty_output(void *data, size_t capacity)
{
    mli_tensor t;
    memset(&t, 0xAB, sizeof t);
    t.data = data;
    t.capacity = (uint32_t)capacity;
#ifndef TPAD_MLI_1_0
    memset(t.mem_stride, 0, sizeof t.mem_stride);
#endif
    return t;
}

/* Everything the document says of the output's fields, and that no other byte changed. */
static inline void check_fields(const mli_tensor *out, const mli_tensor *in, const uint32_t *shape,
                                void *data, size_t capacity)
{
    mli_tensor expected = empty_output(data, capacity);
    expected.rank = 3;
    expected.el_type = in->el_type;
    expected.el_params.fx.frac_bits = in->el_params.fx.frac_bits;
    memcpy(expected.shape, shape, 3 * sizeof *shape);
    assert_memory_equal(out, &expected, sizeof expected);
}

#endif
