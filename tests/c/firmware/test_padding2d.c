/* The four padding2d functions, through MLI's own interface: the cells they write, the calls they
 * reject. SPDX-License-Identifier: MIT
 *
 * Expected cells come from a loop over single elements, statuses from the table in
 * docs/specs/mli.md. Built for the tensors of MLI 1.1 and of 1.0, for 64 and for 32 bits, and once
 * on top of a user's own MLI headers. */
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

static mli_tensor tensor(void *data, size_t capacity, uint32_t a, uint32_t b, uint32_t c, int bytes)
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
static mli_tensor empty_output(void *data, size_t capacity)
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
static void check_fields(const mli_tensor *out, const mli_tensor *in, const uint32_t *shape,
                         void *data, size_t capacity)
{
    mli_tensor expected = empty_output(data, capacity);
    expected.rank = 3;
    expected.el_type = in->el_type;
    expected.el_params.fx.frac_bits = in->el_params.fx.frac_bits;
    memcpy(expected.shape, shape, 3 * sizeof *shape);
    assert_memory_equal(out, &expected, sizeof expected);
}

/* ---- Values ---------------------------------------------------------------------------------- */

enum { GUARD = 64 };

/* Pads with function number `function` and compares each element, each field, and what is around.
 */
static void check_padding(int function, uint32_t channels, uint32_t height, uint32_t width,
                          mli_padding2d_cfg cfg)
{
    const int hwc = functions[function].hwc;
    const size_t bytes = (size_t)functions[function].bytes;
    const uint32_t rows = height + cfg.padding_top + cfg.padding_bottom;
    const uint32_t columns = width + cfg.padding_left + cfg.padding_right;
    const size_t in_bytes = (size_t)channels * height * width * bytes;
    const size_t out_bytes = (size_t)channels * rows * columns * bytes;
    unsigned char *src = malloc(in_bytes + 1), *copy = malloc(in_bytes + 1);
    unsigned char *memory = malloc(out_bytes + 2 * GUARD), *expected = calloc(1, out_bytes + 1);
    assert_true(src && copy && memory && expected);
    for (size_t i = 0; i < in_bytes; i++) copy[i] = src[i] = (unsigned char)(i * 7 % 255 + 1);
    memset(memory, 0xEE, out_bytes + 2 * GUARD);
    for (uint32_t c = 0; c < channels; c++)
        for (uint32_t y = 0; y < height; y++)
            for (uint32_t x = 0; x < width; x++) {
                const uint32_t v = y + cfg.padding_top, u = x + cfg.padding_left;
                const size_t from = hwc ? ((size_t)y * width + x) * channels + c
                                        : ((size_t)c * height + y) * width + x;
                const size_t to = hwc ? ((size_t)v * columns + u) * channels + c
                                      : ((size_t)c * rows + v) * columns + u;
                memcpy(expected + to * bytes, src + from * bytes, bytes);
            }

    const mli_tensor in = hwc ? tensor(src, in_bytes, height, width, channels, (int)bytes)
                              : tensor(src, in_bytes, channels, height, width, (int)bytes);
    const uint32_t hwc_shape[] = {rows, columns, channels}, chw_shape[] = {channels, rows, columns};
    mli_tensor out = empty_output(memory + GUARD, out_bytes);
    assert_int_equal(functions[function].run(&in, &cfg, &out), MLI_STATUS_OK);
    check_fields(&out, &in, hwc ? hwc_shape : chw_shape, memory + GUARD, out_bytes);
    assert_memory_equal(memory + GUARD, expected, out_bytes);
    assert_memory_equal(src, copy, in_bytes);
    for (size_t i = 0; i < GUARD; i++) {
        assert_int_equal(memory[i], 0xEE);
        assert_int_equal(memory[GUARD + out_bytes + i], 0xEE);
    }
    free(src);
    free(copy);
    free(memory);
    free(expected);
}

/* "[2, 4, 8] ... top and the right ... [2, 6, 9] ... top 2 rows contains only zeros, and last value
 * of each row also equal to zero". */
static void the_documents_example(void **state)
{
    (void)state;
    int8_t src[2][4][8], dst[2][6][9];
    for (int i = 0; i < 64; i++) (&src[0][0][0])[i] = (int8_t)(i - 70);
    const mli_tensor in = tensor(src, sizeof src, 2, 4, 8, 1);
    const mli_padding2d_cfg cfg = {.padding_top = 2, .padding_right = 1};
    mli_tensor out = empty_output(dst, sizeof dst);
    memset(dst, 1, sizeof dst);
    assert_int_equal(mli_krn_padding2d_chw_fx8(&in, &cfg, &out), MLI_STATUS_OK);
    assert_int_equal(out.rank, 3);
    assert_int_equal(out.shape[0], 2);
    assert_int_equal(out.shape[1], 6);
    assert_int_equal(out.shape[2], 9);
    assert_int_equal(out.el_type, MLI_EL_FX_8);
    assert_int_equal(out.el_params.fx.frac_bits, 5);
    for (int c = 0; c < 2; c++)
        for (int y = 0; y < 6; y++)
            for (int x = 0; x < 9; x++)
                assert_int_equal(dst[c][y][x], y < 2 || x == 8 ? 0 : src[c][y - 2][x]);
}

/* Each side alone through all 256 amounts, then all four at once. */
static void every_amount_on_every_side(void **state)
{
    (void)state;
    for (int function = 0; function < FUNCTION_COUNT; function++)
        for (int amount = 0; amount < 256; amount++) {
            const uint8_t a = (uint8_t)amount, b = (uint8_t)(amount * 37), c = (uint8_t)(255 - a);
            check_padding(function, 2, 3, 4, (mli_padding2d_cfg){.padding_left = a});
            check_padding(function, 3, 2, 5, (mli_padding2d_cfg){.padding_right = a});
            check_padding(function, 1, 4, 3, (mli_padding2d_cfg){.padding_top = a});
            check_padding(function, 5, 1, 2, (mli_padding2d_cfg){.padding_bottom = a});
            if (amount % 8 == 0 || amount == 255)
                check_padding(function, 3, 2, 1, (mli_padding2d_cfg){a, b, c, (uint8_t)(b / 2)});
        }
}

static void shapes(void **state)
{
    (void)state;
    static const uint32_t extents[] = {1, 2, 3, 7, 16, 65};
    for (int function = 0; function < FUNCTION_COUNT; function++)
        for (size_t i = 0; i < 6 * 6 * 6; i++) {
            const uint32_t c = extents[i % 6], h = extents[i / 6 % 6], w = extents[i / 36];
            check_padding(function, c, h, w, (mli_padding2d_cfg){0, 0, 0, 0});
            check_padding(function, c, h, w, (mli_padding2d_cfg){1, 2, 3, 4});
        }
    /* A camera's image: rows longer than any block of the engine. */
    for (int function = 0; function < FUNCTION_COUNT; function++)
        check_padding(function, 3, 240, 320, (mli_padding2d_cfg){1, 1, 1, 1});
}

/* Raw zero is zero whatever the number of fractional bits; data may have any alignment. */
static void odd_addresses_and_any_frac_bits(void **state)
{
    (void)state;
    static unsigned char memory[64], wide[64];
    for (int frac_bits = 0; frac_bits < 256; frac_bits += 51) {
        for (size_t i = 0; i < sizeof memory; i++) memory[i] = (unsigned char)(i + 1);
        memset(wide, 0xEE, sizeof wide);
        mli_tensor in = tensor(memory + 1, 8, 1, 2, 2, 2);
        in.el_params.fx.frac_bits = (uint8_t)frac_bits;
        const mli_padding2d_cfg cfg = {.padding_left = 1};
        mli_tensor out = empty_output(wide + 3, 12);
        const unsigned char expected[12] = {0, 0, 2, 3, 4, 5, 0, 0, 6, 7, 8, 9};
        assert_int_equal(mli_krn_padding2d_chw_fx16(&in, &cfg, &out), MLI_STATUS_OK);
        assert_int_equal(out.el_params.fx.frac_bits, frac_bits);
        assert_memory_equal(wide + 3, expected, sizeof expected);
        assert_int_equal(wide[2], 0xEE);
        assert_int_equal(wide[15], 0xEE);
    }
}

#ifdef TPAD_MLI_1_0

/* MLI 1.0 lets empty tensors pass. */
static void empty_tensors_become_fill(void **state)
{
    (void)state;
    for (int function = 0; function < FUNCTION_COUNT; function++) {
        check_padding(function, 0, 3, 4, (mli_padding2d_cfg){1, 2, 3, 4});
        check_padding(function, 2, 0, 4, (mli_padding2d_cfg){1, 2, 3, 4});
        check_padding(function, 2, 3, 0, (mli_padding2d_cfg){0, 0, 0, 0});
        check_padding(function, 2, 0, 0, (mli_padding2d_cfg){255, 0, 0, 255});
    }
}

#endif

#ifdef TPAD_MLI_1_0
enum { TOO_SMALL = MLI_STATUS_BAD_TENSOR };
#else
enum { TOO_SMALL = MLI_STATUS_NOT_ENGH_MEM };
#endif

/* ---- Statuses -------------------------------------------------------------------------------- */

/* A call in which everything is right: CHW, [2, 3, 4] by (1, 2, 3, 4) to [2, 10, 7]. */
typedef struct call {
    mli_tensor in, out;
    mli_padding2d_cfg cfg;
    const mli_tensor *in_given;
    const mli_padding2d_cfg *cfg_given;
    mli_tensor *out_given;
} call;

/* There is room for elements of two bytes and for gaps, so that each fault is one alone. */
enum { IN_BYTES = 24, OUT_BYTES = 140, ROOM = 3 };
static unsigned char src_memory[ROOM * IN_BYTES], dst_memory[ROOM * OUT_BYTES];

static void make_call(call *c)
{
    memset(src_memory, 0x11, sizeof src_memory);
    memset(dst_memory, 0xEE, sizeof dst_memory);
    c->in = tensor(src_memory, sizeof src_memory, 2, 3, 4, 1);
    c->out = empty_output(dst_memory, sizeof dst_memory);
    c->cfg = (mli_padding2d_cfg){1, 2, 3, 4};
    c->in_given = &c->in;
    c->cfg_given = &c->cfg;
    c->out_given = &c->out;
}

/* What can be wrong, in the order in which it is looked for. */
typedef void fault(call *c);

#define FAULT(name, change)                                                                        \
    static void name(call *c)                                                                      \
    {                                                                                              \
        change;                                                                                    \
    }

FAULT(no_input, c->in_given = NULL)
FAULT(rank_5, c->in.rank = 5)
FAULT(input_too_small, c->in.capacity = 1)
FAULT(no_output, c->out_given = NULL)
FAULT(no_output_data, c->out.data = NULL)
FAULT(rank_2, c->in.rank = 2)
FAULT(no_configuration, c->cfg_given = NULL)
FAULT(output_too_small, c->out.capacity = OUT_BYTES - 1)
FAULT(wrong_type, c->in.el_type = MLI_EL_FX_16)
FAULT(no_input_data, c->in.data = NULL)
FAULT(in_place, if (c->in.data) c->out.data = c->in.data)
#ifndef TPAD_MLI_1_0
static void set_strides(mli_tensor *t, int32_t a, int32_t b, int32_t c)
{
    t->mem_stride[0] = a;
    t->mem_stride[1] = b;
    t->mem_stride[2] = c;
}
FAULT(negative_input_stride, c->in.mem_stride[1] = -4)
FAULT(empty_input, c->in.shape[1] = 0)
FAULT(folded_input, set_strides(&c->in, 2, 4, 1))
FAULT(gaps_in_input, set_strides(&c->in, 13, 4, 1))
FAULT(wrong_output_strides, set_strides(&c->out, 70, 8, 1))
#endif

static const struct {
    fault *make;
    int status;
} faults[] = {
    {no_input, MLI_STATUS_BAD_TENSOR},
    {rank_5, MLI_STATUS_BAD_TENSOR},
#ifndef TPAD_MLI_1_0
    {negative_input_stride, MLI_STATUS_BAD_TENSOR},
    {empty_input, MLI_STATUS_BAD_TENSOR},
    {folded_input, MLI_STATUS_BAD_TENSOR},
#endif
    {input_too_small, TOO_SMALL},
    {no_output, MLI_STATUS_BAD_TENSOR},
    {no_output_data, MLI_STATUS_BAD_TENSOR},
    {rank_2, MLI_STATUS_SHAPE_MISMATCH},
#ifndef TPAD_MLI_1_0
    {gaps_in_input, MLI_STATUS_INCOMPATEBLE_TENSORS},
#endif
    {no_configuration, MLI_STATUS_BAD_FUNC_CFG},
#ifndef TPAD_MLI_1_0
    {wrong_output_strides, MLI_STATUS_INCOMPATEBLE_TENSORS},
#endif
    {output_too_small, MLI_STATUS_NOT_ENGH_MEM},
    {wrong_type, MLI_STATUS_TYPE_MISMATCH},
    {no_input_data, MLI_STATUS_BAD_TENSOR},
    {in_place, MLI_STATUS_INCOMPATEBLE_TENSORS},
};
enum { FAULT_COUNT = sizeof faults / sizeof faults[0] };

/* Runs the call; if it fails nothing may have been written. */
static int run_call(call *c)
{
    const mli_tensor before = c->out;
    unsigned char memory[sizeof dst_memory];
    memcpy(memory, dst_memory, sizeof memory);
    const int status = (int)mli_krn_padding2d_chw_fx8(c->in_given, c->cfg_given, c->out_given);
    if (status != MLI_STATUS_OK) {
        assert_memory_equal(&before, &c->out, sizeof before);
        assert_memory_equal(memory, dst_memory, sizeof memory);
    }
    return status;
}

/* Each fault alone, and of two faults the one that stands first in the table wins. */
static void every_status(void **state)
{
    (void)state;
    call c;
    make_call(&c);
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
    for (int first = 0; first < FAULT_COUNT; first++)
        for (int second = first; second < FAULT_COUNT; second++) {
            make_call(&c);
            /* Later faults are made first, so that the earlier one is never undone. */
            faults[second].make(&c);
            faults[first].make(&c);
            assert_int_equal(run_call(&c), faults[first].status);
        }
}

/* Other functions and types: each takes its own type only. */
static void types(void **state)
{
    (void)state;
    static int32_t src[24], dst[140];
    const mli_padding2d_cfg cfg = {1, 2, 3, 4};
    for (int function = 0; function < FUNCTION_COUNT; function++)
        for (int type = -1; type < 6; type++) {
            const int right = functions[function].bytes == 1 ? MLI_EL_FX_8 : MLI_EL_FX_16;
            mli_tensor in = functions[function].hwc ? tensor(src, sizeof src, 3, 4, 2, 1)
                                                    : tensor(src, sizeof src, 2, 3, 4, 1);
            mli_tensor out = empty_output(dst, sizeof dst);
            in.el_type = (mli_element_type)type;
            assert_int_equal(functions[function].run(&in, &cfg, &out),
                             type == right ? MLI_STATUS_OK : MLI_STATUS_TYPE_MISMATCH);
        }
#ifndef TPAD_MLI_1_0
    /* The sizes are still those of the wrong type, as in MLI. */
    mli_tensor in = tensor(src, 24 * 4 - 1, 2, 3, 4, 1), out = empty_output(dst, 140 * 4);
    in.el_type = MLI_EL_ASYM_I32;
    assert_int_equal(mli_krn_padding2d_chw_fx8(&in, &cfg, &out), MLI_STATUS_NOT_ENGH_MEM);
    in.capacity++;
    assert_int_equal(mli_krn_padding2d_chw_fx8(&in, &cfg, &out), MLI_STATUS_TYPE_MISMATCH);
    out.capacity--;
    assert_int_equal(mli_krn_padding2d_chw_fx8(&in, &cfg, &out), MLI_STATUS_NOT_ENGH_MEM);
    in.el_type = MLI_EL_ASYM_I8;
    assert_int_equal(mli_krn_padding2d_chw_fx8(&in, &cfg, &out), MLI_STATUS_TYPE_MISMATCH);
#endif
}

/* Ranks 0 to 4 are valid tensors, but only 3 is an image; more is never walked. */
static void ranks(void **state)
{
    (void)state;
    static const uint32_t huge[] = {5, 6, 255, 0x7FFFFFFF, 0x80000000u, 0xFFFFFFFFu};
    call c;
    for (uint32_t rank = 0; rank <= 4; rank++) {
        make_call(&c);
        c.in.shape[3] = 1;
        c.in.rank = rank;
        assert_int_equal(run_call(&c), rank == 3 ? MLI_STATUS_OK : MLI_STATUS_SHAPE_MISMATCH);
    }
    for (size_t i = 0; i < sizeof huge / sizeof huge[0]; i++) {
        make_call(&c);
        c.in.rank = huge[i];
        assert_int_equal(run_call(&c), MLI_STATUS_BAD_TENSOR);
    }
    /* The fourth entries of a tensor of rank 3 say nothing. */
    make_call(&c);
    c.in.shape[3] = 0;
#ifndef TPAD_MLI_1_0
    c.in.mem_stride[3] = -9;
    c.out.mem_stride[3] = -9;
#endif
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
}

static void capacities(void **state)
{
    (void)state;
    call c;
    make_call(&c);
    c.in.capacity = IN_BYTES - 1;
    assert_int_equal(run_call(&c), TOO_SMALL);
    c.in.capacity = IN_BYTES;
    c.out.capacity = OUT_BYTES - 1;
    assert_int_equal(run_call(&c), MLI_STATUS_NOT_ENGH_MEM);
    c.out.capacity = 0;
    assert_int_equal(run_call(&c), MLI_STATUS_NOT_ENGH_MEM);
    c.out.capacity = OUT_BYTES;
    assert_int_equal(run_call(&c), MLI_STATUS_OK);

    /* Sizes whose low 32 bits are small. */
    static const uint32_t wraps[][3] = {{0x10000, 0x10000, 1},
                                        {0x80000000u, 2, 1},
                                        {0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu},
                                        {0x10000, 0x10000, 0x10000},
                                        {1, 0x80000000u, 0x80000000u},
                                        {0x80000000u, 0x80000000u, 4}};
    for (size_t i = 0; i < sizeof wraps / sizeof wraps[0]; i++) {
        make_call(&c);
        memcpy(c.in.shape, wraps[i], sizeof wraps[i]);
        c.in.capacity = 0xFFFFFFFFu;
        assert_int_equal(run_call(&c), TOO_SMALL);
    }
    /* An input that fits (or says so) and an output that does not: 2^32 and more elements, and an
     * extent that a tensor cannot name. */
    static const uint32_t grows[][3] = {
        {0x10000000, 1, 1}, {0x01010101, 1, 1}, {1, 0xFFFFFFFFu, 1}, {1, 1, 0xFFFFFFFFu}};
    for (size_t i = 0; i < sizeof grows / sizeof grows[0]; i++) {
        make_call(&c);
        memcpy(c.in.shape, grows[i], sizeof grows[i]);
        c.in.capacity = c.out.capacity = 0xFFFFFFFFu;
        c.cfg = (mli_padding2d_cfg){7, 8, 7, 8};
        assert_int_equal(run_call(&c), MLI_STATUS_NOT_ENGH_MEM);
    }
}

#ifdef TPAD_MLI_1_0

/* MLI 1.0 lets empty tensors pass. */
static void empty_tensors(void **state)
{
    (void)state;
    /* Nothing is read, so there may be nothing, or what will be the output. */
    call c;
    make_call(&c);
    c.in.shape[1] = 0;
    c.in.data = NULL;
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
    make_call(&c);
    c.in.shape[1] = 0;
    c.in.data = dst_memory + 5;
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
    /* Without elements there is room for any extent, but no name for this one. */
    make_call(&c);
    c.in.shape[0] = 0;
    c.in.shape[1] = 0xFFFFFFFFu;
    assert_int_equal(run_call(&c), MLI_STATUS_NOT_ENGH_MEM);
    c.cfg.padding_top = c.cfg.padding_bottom = 0;
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
}

#else

static void empty_tensors(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        call c;
        make_call(&c);
        c.in.shape[axis] = 0;
        assert_int_equal(run_call(&c), MLI_STATUS_BAD_TENSOR);
    }
}

static int with_in_strides(int32_t a, int32_t b, int32_t c, uint32_t capacity)
{
    call made;
    make_call(&made);
    set_strides(&made.in, a, b, c);
    made.in.capacity = capacity;
    return run_call(&made);
}

static void strides_of_the_input(void **state)
{
    (void)state;
    assert_int_equal(with_in_strides(0, 0, 0, 24), MLI_STATUS_OK);
    assert_int_equal(with_in_strides(12, 4, 1, 24), MLI_STATUS_OK);
    assert_int_equal(with_in_strides(12, 4, 1, 23), MLI_STATUS_NOT_ENGH_MEM);
    /* One 0 and none counts, but negative ones do. */
    assert_int_equal(with_in_strides(0, 9, 9, 24), MLI_STATUS_OK);
    assert_int_equal(with_in_strides(99, 0, 1, 24), MLI_STATUS_OK);
    assert_int_equal(with_in_strides(99, 1, 0, 24), MLI_STATUS_OK);
    assert_int_equal(with_in_strides(0, -1, 0, 24), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(-12, 4, 1, 24), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(INT32_MIN, 4, 1, 24), MLI_STATUS_BAD_TENSOR);
    /* Elements on top of each other. */
    assert_int_equal(with_in_strides(11, 4, 1, 24), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(12, 3, 1, 24), MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(1, 1, 1, 24), MLI_STATUS_BAD_TENSOR);
    /* Gaps: valid tensors, if there is room, but padding2d wants none. */
    assert_int_equal(with_in_strides(16, 5, 1, 16 + 10 + 3), MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(with_in_strides(16, 5, 1, 16 + 10 + 4), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_in_strides(24, 8, 2, 0xFFFFFFFFu), MLI_STATUS_INCOMPATEBLE_TENSORS);
    /* Sizes beyond 32 bits, and beyond 64. */
    assert_int_equal(with_in_strides(INT32_MAX, INT32_MAX, INT32_MAX, 0xFFFFFFFFu),
                     MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(INT32_MAX, 0x30000000, 0x08000000, 0xFFFFFFFFu),
                     MLI_STATUS_BAD_TENSOR);
    assert_int_equal(with_in_strides(INT32_MAX, 0x20000000, 0x08000000, 3623878655u),
                     MLI_STATUS_NOT_ENGH_MEM);
    assert_int_equal(with_in_strides(INT32_MAX, 0x20000000, 0x08000000, 3623878656u),
                     MLI_STATUS_INCOMPATEBLE_TENSORS);
    call c;
    make_call(&c);
    set_strides(&c.in, INT32_MAX, INT32_MAX, INT32_MAX);
    for (int i = 0; i < 3; i++) c.in.shape[i] = i == 0 ? 0xFFFFFFFFu : 1;
    c.in.capacity = 0xFFFFFFFFu;
    assert_int_equal(run_call(&c), MLI_STATUS_NOT_ENGH_MEM);
}

static int with_out_strides(int32_t a, int32_t b, int32_t c)
{
    call made;
    make_call(&made);
    set_strides(&made.out, a, b, c);
    const int status = run_call(&made);
    /* They stay as they are. */
    assert_int_equal(made.out.mem_stride[0], a);
    assert_int_equal(made.out.mem_stride[1], b);
    assert_int_equal(made.out.mem_stride[2], c);
    return status;
}

static void strides_of_the_output(void **state)
{
    (void)state;
    assert_int_equal(with_out_strides(0, 0, 0), MLI_STATUS_OK);
    assert_int_equal(with_out_strides(70, 7, 1), MLI_STATUS_OK); /* refused by MLI itself */
    assert_int_equal(with_out_strides(12, 4, 1), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(71, 7, 1), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(70, 8, 1), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(140, 14, 2), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(-70, -7, -1), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(-70, 7, 1), MLI_STATUS_INCOMPATEBLE_TENSORS);
    assert_int_equal(with_out_strides(70, 0, 5), MLI_STATUS_OK); /* a 0 is none at all, as in MLI */
}

#endif

/* ---- Overlap --------------------------------------------------------------------------------- */

/* Input and output anywhere in one block of memory: refused exactly if they share a byte. */
static void overlap_in_every_way(void **state)
{
    (void)state;
    enum { IN = 2 * 2 * 2, OUT = 2 * 3 * 3, ALL = OUT + 2 * IN + 2 };
    static unsigned char memory[ALL];
    for (int function = 0; function < FUNCTION_COUNT; function += 2)
        for (int from = 0; from + IN <= ALL; from++)
            for (int to = 0; to + OUT <= ALL; to++) {
                const int shared = from < to + OUT && to < from + IN;
                const mli_padding2d_cfg cfg = {.padding_left = 1, .padding_top = 1};
                memset(memory, 0x33, sizeof memory);
                const mli_tensor in = tensor(memory + from, IN, 2, 2, 2, 1);
                mli_tensor out = empty_output(memory + to, OUT);
                const mli_status status = functions[function].run(&in, &cfg, &out);
                assert_int_equal(status, shared ? MLI_STATUS_INCOMPATEBLE_TENSORS : MLI_STATUS_OK);
                for (int i = 0; shared && i < ALL; i++) assert_int_equal(memory[i], 0x33);
            }
    /* One tensor as input and output; a capacity that reaches further than the tensor does. */
    call c;
    make_call(&c);
    c.in.capacity = 0xFFFFFFFFu;
    c.out.capacity = 0xFFFFFFFFu;
    assert_int_equal(run_call(&c), MLI_STATUS_OK);
    make_call(&c);
    c.in.capacity = OUT_BYTES;
    assert_int_equal(mli_krn_padding2d_chw_fx8(&c.in, &c.cfg, &c.in),
                     MLI_STATUS_INCOMPATEBLE_TENSORS);
}

/* An output of 512 MiB, by what its fields say: refused, and no byte of it looked at. */
static void too_large_for_the_engine(void **state)
{
    (void)state;
    const mli_padding2d_cfg none = {.padding_left = 0};
    for (int function = 0; function < FUNCTION_COUNT; function++) {
        unsigned char *const from = (unsigned char *)(uintptr_t)0x10000000;
        unsigned char *const to = (unsigned char *)(uintptr_t)0x50000000;
        const int bytes = functions[function].bytes;
        mli_tensor in =
            tensor(from, 0xFFFFFFFFu, 1, 1 << 14, bytes == 1 ? 1 << 15 : 1 << 14, bytes);
        mli_tensor out = empty_output(to, 0xFFFFFFFFu);
        const mli_tensor before = out;
        assert_int_equal(functions[function].run(&in, &none, &out), MLI_STATUS_NOT_SUPPORTED);
        assert_memory_equal(&out, &before, sizeof out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_documents_example),
        cmocka_unit_test(every_amount_on_every_side),
        cmocka_unit_test(shapes),
        cmocka_unit_test(odd_addresses_and_any_frac_bits),
        cmocka_unit_test(every_status),
        cmocka_unit_test(types),
        cmocka_unit_test(ranks),
        cmocka_unit_test(capacities),
        cmocka_unit_test(empty_tensors),
#ifdef TPAD_MLI_1_0
        cmocka_unit_test(empty_tensors_become_fill),
#else
        cmocka_unit_test(strides_of_the_input),
        cmocka_unit_test(strides_of_the_output),
#endif
        cmocka_unit_test(overlap_in_every_way),
        cmocka_unit_test(too_large_for_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
