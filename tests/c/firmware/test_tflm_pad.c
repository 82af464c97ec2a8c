/* PAD, PADV2 and MIRROR_PAD against what TensorFlow documents of tf.pad, cell by cell.
 * SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/tensorpad.h>

#include "../../../src/firmware/tflm_pad.h"

enum { MOST_CELLS = 9 * 9 * 9 * 9 * 9, WIDEST = 4, MARGIN = 16, PAINT = 0x55 };
enum { PAD, PADV2, REFLECT, SYMMETRIC, OPERATORS };

static const struct {
    int32_t number;
    size_t bytes;
} types[] = {{TPAD_TFLM_FLOAT32, 4},
             {TPAD_TFLM_INT32, 4},
             {TPAD_TFLM_BOOL, 1},
             {TPAD_TFLM_INT16, 2},
             {TPAD_TFLM_INT8, 1}};

static unsigned char input[MOST_CELLS * WIDEST], output[MOST_CELLS * WIDEST + 2 * MARGIN],
    wanted[MOST_CELLS * WIDEST + 2 * MARGIN];

typedef struct call {
    int op;
    tpad_tflm_tensor in, out;
    int in_dims[6], out_dims[6];
    int32_t paddings[12];
    const void *src;
    void *dst;
    const void *value;
    int32_t mode;
} call;

static int32_t below(int32_t limit)
{
    static uint32_t state = 54321;
    state = state * 1664525u + 1013904223u;
    return (int32_t)((state >> 8) % (uint32_t)limit);
}

static int32_t do_call(const call *c)
{
    switch (c->op) {
    case PAD:
        return tpad_tflm_pad(&c->in, c->src, c->paddings, &c->out, c->dst);
    case PADV2:
        return tpad_tflm_padv2(&c->in, c->src, c->paddings, c->value, &c->out, c->dst);
    default:
        return tpad_tflm_mirror_pad(&c->in, c->src, c->paddings, c->mode, &c->out, c->dst);
    }
}

/* Where a cell of the output comes from on an axis, or -1: the fill. */
static int source(int op, int at, int extent)
{
    if (at >= 0 && at < extent) return at;
    if (op == PAD || op == PADV2) return -1;
    if (op == REFLECT) return at < 0 ? -at : 2 * (extent - 1) - at;
    return at < 0 ? -at - 1 : 2 * extent - 1 - at;
}

/* Writes what the operator documents after the margin of `wanted`; returns the bytes. */
static size_t expect(const call *c, size_t bytes, const unsigned char *fill)
{
    size_t cells = 1;
    for (int i = 0; i < c->out.rank; i++) cells *= (size_t)c->out_dims[i];
    for (size_t cell = 0; cell < cells; cell++) {
        size_t rest = cell, from = 0, weight = 1;
        int filled = 0;
        for (int i = c->out.rank - 1; i >= 0; i--) {
            const int at = (int)(rest % (size_t)c->out_dims[i]) - c->paddings[2 * i];
            const int s = source(c->op, at, c->in_dims[i]);
            rest /= (size_t)c->out_dims[i];
            filled = filled || s < 0;
            from += (size_t)s * weight;
            weight *= (size_t)c->in_dims[i];
        }
        memcpy(wanted + MARGIN + cell * bytes, filled ? fill : input + from * bytes, bytes);
    }
    return cells * bytes;
}

static call random_call(int op, int type, int rank)
{
    call c = {.op = op, .mode = op == REFLECT ? TPAD_TFLM_REFLECT : TPAD_TFLM_SYMMETRIC};
    for (int i = 0; i < rank; i++) {
        c.in_dims[i] = below(3) + (op >= REFLECT);
        const int most = op < REFLECT ? 2 : c.in_dims[i] - (op == REFLECT);
        for (int side = 0; side < 2; side++) c.paddings[2 * i + side] = below(most + 1);
        c.out_dims[i] = c.in_dims[i] + c.paddings[2 * i] + c.paddings[2 * i + 1];
    }
    c.in = (tpad_tflm_tensor){type, 0, rank, NULL};
    c.out = c.in;
    return c;
}

/* The pointers of a call that is in its place. */
static void point(call *c, const void *value)
{
    c->in.dims = c->in_dims;
    c->out.dims = c->out_dims;
    c->src = input;
    c->dst = output + MARGIN;
    c->value = value;
}

static void random_calls(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof input; i++) input[i] = (unsigned char)below(256);
    for (int round = 0; round < 4000; round++) {
        const int type = below(5), op = below(OPERATORS);
        call c = random_call(op, types[type].number, below(6));
        unsigned char fill[WIDEST] = {0};
        if (op == PADV2) {
            for (int i = 0; i < WIDEST; i++) fill[i] = (unsigned char)below(256);
        } else if (op == PAD && c.out.type == TPAD_TFLM_INT8) {
            c.out.zero_point = below(256) - 128;
            fill[0] = (unsigned char)c.out.zero_point;
        } else {
            c.out.zero_point = 300; /* which is not read */
        }
        point(&c, fill);
        memset(output, PAINT, sizeof output);
        memset(wanted, PAINT, sizeof wanted);
        expect(&c, types[type].bytes, fill);
        assert_int_equal(do_call(&c), TPAD_OK);
        assert_memory_equal(output, wanted, sizeof output);
    }
}

static const int8_t one = 1;

/* A call that succeeds: [2,3] of int8. */
static call good(int op)
{
    return (call){.op = op,
                  .in = {TPAD_TFLM_INT8, 0, 2, NULL},
                  .out = {TPAD_TFLM_INT8, 0, 2, NULL},
                  .in_dims = {2, 3},
                  .out_dims = {4, 3},
                  .paddings = {1, 1, 0, 0},
                  .mode = TPAD_TFLM_REFLECT};
}

static void check_refused(call c, const void *value, int32_t status)
{
    point(&c, value);
    memset(output, PAINT, sizeof output);
    memset(wanted, PAINT, sizeof wanted);
    assert_int_equal(do_call(&c), status);
    assert_memory_equal(output, wanted, sizeof output);
}

static void refused_calls(void **state)
{
    (void)state;
    for (int op = PAD; op < OPERATORS; op++) {
        call c = good(op);
        c.in.type = TPAD_TFLM_INT16;
        check_refused(c, &one, TPAD_E_SPEC_TYPE);
        c.in.type = c.out.type = 4; /* int64 */
        check_refused(c, &one, TPAD_E_SPEC_TYPE);
        c = good(op);
        c.out.rank = 1;
        check_refused(c, &one, TPAD_E_RANK);
        c.in.rank = c.out.rank = 6;
        check_refused(c, &one, TPAD_E_RANK);
        c.in.rank = c.out.rank = -1;
        check_refused(c, &one, TPAD_E_RANK);
        c = good(op);
        c.out_dims[1] = 4;
        check_refused(c, &one, TPAD_E_SPEC_INPUT);
        for (int same = 0; same < 2; same++) { /* no src, or src is dst */
            c = good(op);
            point(&c, &one);
            memset(output, PAINT, sizeof output);
            c.src = same ? c.dst : NULL;
            assert_int_equal(do_call(&c), TPAD_E_ARGUMENT);
            assert_int_equal(output[MARGIN], PAINT);
        }
        for (int side = 0; side < 2; side++) {
            c = good(op);
            c.paddings[side] = -1;
            c.out_dims[0] = 2;
            check_refused(c, &one, TPAD_E_SPEC_PADS);
        }
    }
    call c = good(PADV2);
    check_refused(c, NULL, TPAD_E_SPEC_VALUE);
    c = good(PAD);
    c.out.zero_point = 128;
    check_refused(c, NULL, TPAD_E_SPEC_VALUE);
    c.out.zero_point = -129;
    check_refused(c, NULL, TPAD_E_SPEC_VALUE);
    c = good(PAD);
    c.paddings[0] = c.paddings[1] = INT32_MAX; /* 2 more than 0, in 32 bits */
    c.out_dims[0] = 0;
    check_refused(c, NULL, TPAD_E_SPEC_INPUT);
    c = good(PAD);
    c.in_dims[0] = -2;
    c.out_dims[0] = 0;
    check_refused(c, NULL, TPAD_E_EXTENT);
}

static void mirrors_too_far(void **state)
{
    (void)state;
    const int32_t modes[2] = {TPAD_TFLM_REFLECT, TPAD_TFLM_SYMMETRIC};
    for (int m = 0; m < 2; m++) {
        for (int side = 0; side < 2; side++) {
            call c = good(REFLECT + m);
            c.mode = modes[m];
            c.paddings[side] = 2 + m;
            c.out_dims[0] = 5 + m;
            check_refused(c, NULL, TPAD_E_SPEC_PADS);
        }
        call c = good(REFLECT + m);
        c.mode = modes[m];
        c.in_dims[0] = INT32_MIN;
        check_refused(c, NULL, TPAD_E_SPEC_PADS);
    }
    call c = good(SYMMETRIC);
    c.mode = 0;
    check_refused(c, NULL, TPAD_E_SPEC_MODE);
    c.mode = 3;
    check_refused(c, NULL, TPAD_E_SPEC_MODE);
    /* An extent of 0 has nothing to mirror, and need not. */
    c = good(REFLECT);
    c.in_dims[0] = c.out_dims[0] = 0;
    c.paddings[0] = c.paddings[1] = 0;
    point(&c, NULL);
    assert_int_equal(do_call(&c), TPAD_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_calls),
                                       cmocka_unit_test(refused_calls),
                                       cmocka_unit_test(mirrors_too_far)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
