/* What the four dialects share: translations are plain values, and structs have sizes.
 * SPDX-License-Identifier: MIT
 * Expected values: what tensorpad/dialect.h promises, typed in here by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/mli.h>
#include <tensorpad/ngraph.h>
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>

#include "plan_of.h"
#include "whole_line.h"

/* ---- The same small padding in each dialect -------------------------------------------------- */

/* Arguments that live as long as the caller's frame: [1, 2, 1] of bytes, 1 before and 2 after the
 * middle axis, the value 7 where there is one. */
typedef struct arguments {
    int64_t shape[3], begin[3], end[3], pads[6], three, six;
    unsigned char value;
    tpad_onnx_tensor onnx_pads, onnx_value;
    tpad_openvino_tensor openvino_begin, openvino_end, openvino_value;
    tpad_ngraph_tensor ngraph_value;
    tpad_onnx_pad onnx;
    tpad_openvino_pad openvino;
    tpad_ngraph_pad ngraph;
    tpad_mli_padding2d mli;
} arguments;

static void fill_arguments(arguments *a)
{
    *a = (arguments){.shape = {1, 2, 1},
                     .begin = {0, 1, 0},
                     .end = {0, 2, 0},
                     .pads = {0, 1, 0, 0, 2, 0},
                     .three = 3,
                     .six = 6,
                     .value = 7};
    a->onnx_pads = (tpad_onnx_tensor){TPAD_ONNX_INT64, 1, &a->six, a->pads};
    a->onnx_value = (tpad_onnx_tensor){TPAD_ONNX_UINT8, 0, NULL, &a->value};
    a->onnx = (tpad_onnx_pad){.struct_size = sizeof a->onnx,
                              .opset = 25,
                              .data = {TPAD_ONNX_UINT8, 3, a->shape, NULL},
                              .pads = &a->onnx_pads,
                              .value = &a->onnx_value};
    a->openvino_begin = (tpad_openvino_tensor){TPAD_OPENVINO_I64, 1, &a->three, a->begin};
    a->openvino_end = (tpad_openvino_tensor){TPAD_OPENVINO_I64, 1, &a->three, a->end};
    a->openvino_value = (tpad_openvino_tensor){TPAD_OPENVINO_U8, 0, NULL, &a->value};
    a->openvino = (tpad_openvino_pad){.struct_size = sizeof a->openvino,
                                      .opset = 12,
                                      .data = {TPAD_OPENVINO_U8, 3, a->shape, NULL},
                                      .begin = &a->openvino_begin,
                                      .end = &a->openvino_end,
                                      .value = &a->openvino_value,
                                      .mode = "constant"};
    a->ngraph_value = (tpad_ngraph_tensor){1, 0, NULL, &a->value};
    a->ngraph = (tpad_ngraph_pad){.struct_size = sizeof a->ngraph,
                                  .arg = {1, 3, a->shape, NULL},
                                  .arg_pad_value = &a->ngraph_value,
                                  .padding_below = a->begin,
                                  .padding_above = a->end,
                                  .padding_below_count = 3,
                                  .padding_above_count = 3,
                                  .elem_bits = 8};
    a->mli = (tpad_mli_padding2d){.struct_size = sizeof a->mli,
                                  .layout = TPAD_MLI_CHW,
                                  .type = TPAD_MLI_FX8,
                                  .rank = 3,
                                  .shape = a->shape,
                                  .top = 1,
                                  .bottom = 2};
}

static int32_t onnx(tpad_translation *out, size_t bytes, arguments *a, tpad_error *error)
{
    return tpad_onnx_translate(out, bytes, &a->onnx, error);
}

static int32_t openvino(tpad_translation *out, size_t bytes, arguments *a, tpad_error *error)
{
    return tpad_openvino_translate(out, bytes, &a->openvino, error);
}

static int32_t ngraph(tpad_translation *out, size_t bytes, arguments *a, tpad_error *error)
{
    return tpad_ngraph_translate(out, bytes, &a->ngraph, error);
}

static int32_t mli(tpad_translation *out, size_t bytes, arguments *a, tpad_error *error)
{
    return tpad_mli_translate(out, bytes, &a->mli, error);
}

typedef int32_t translator(tpad_translation *out, size_t bytes, arguments *a, tpad_error *error);

static const struct {
    translator *translate;
    size_t size_at; /* of struct_size in the arguments */
    unsigned char fill;
} dialects[] = {
    {onnx, offsetof(arguments, onnx), 7},
    {openvino, offsetof(arguments, openvino), 7},
    {ngraph, offsetof(arguments, ngraph), 7},
    {mli, offsetof(arguments, mli), 0},
};
enum { DIALECTS = sizeof dialects / sizeof dialects[0] };

/* ---- Values ---------------------------------------------------------------------------------- */

/* Not inlined, so that the translation, its arguments and the pad value really leave with it. */
__attribute__((noinline)) static tpad_translation returned(int dialect)
{
    arguments a;
    tpad_translation made;
    fill_arguments(&a);
    assert_int_equal(dialects[dialect].translate(&made, sizeof made, &a, NULL), TPAD_OK);
    return made;
}

__attribute__((noinline)) static void overwrite_the_stack(void)
{
    volatile unsigned char old[1 << 14];
    for (size_t i = 0; i < sizeof old; i++) old[i] = 0xA5;
}

static void returned_by_value(void **state)
{
    (void)state;
    const unsigned char in[2] = {3, 4};
    for (int d = 0; d < DIALECTS; d++) {
        const unsigned char fill = dialects[d].fill;
        const unsigned char expected[5] = {fill, 3, 4, fill, fill};
        unsigned char out[5] = {0x55, 0x55, 0x55, 0x55, 0x55};
        tpad_plan plan;
        tpad_translation made = returned(d);
        overwrite_the_stack();
        const tpad_translation copy = made;
        memset(&made, 0x5A, sizeof made);
        assert_int_equal(plan_of(&plan, &copy), TPAD_OK);
        assert_int_equal(tpad_run(&plan, in, out, tpad_translation_value(&copy)), TPAD_OK);
        assert_memory_equal(out, expected, sizeof out);
    }
}

/* A width that no longer fits stays where it is, the next smaller one is copied. */
static void wide_values_stay_the_callers(void **state)
{
    (void)state;
    static const unsigned char wide[17] = "0123456789abcdef";
    for (int32_t bytes = 16; bytes <= 17; bytes++) {
        arguments a;
        tpad_translation made;
        fill_arguments(&a);
        a.ngraph.elem_bits = 8 * bytes;
        a.ngraph_value.data = wide;
        assert_int_equal(tpad_ngraph_translate(&made, sizeof made, &a.ngraph, NULL), TPAD_OK);
        assert_memory_equal(tpad_translation_value(&made), wide, (size_t)bytes);
        assert_int_equal(made.fill_bytes, bytes == 16 ? 16 : 0);
        assert_ptr_equal(made.value, bytes == 16 ? NULL : wide);

        a.onnx.data.type = a.onnx_value.type = TPAD_ONNX_STRING;
        a.onnx.string_bytes = bytes;
        a.onnx_value.data = wide;
        assert_int_equal(tpad_onnx_translate(&made, sizeof made, &a.onnx, NULL), TPAD_OK);
        assert_memory_equal(tpad_translation_value(&made), wide, (size_t)bytes);
        assert_ptr_equal(made.value, bytes == 16 ? NULL : wide);
    }
}

/* Strides are the caller's to give: here the input is every second byte. */
static void strides_may_be_given(void **state)
{
    (void)state;
    const unsigned char in[4] = {3, 0xEE, 4, 0xEE}, expected[5] = {7, 3, 4, 7, 7};
    unsigned char out[5];
    tpad_plan plan;
    tpad_translation made = returned(0);
    made.flags |= TPAD_IN_STRIDES;
    made.axes[0].in_stride = 4;
    made.axes[1].in_stride = 2;
    made.axes[2].in_stride = 1;
    assert_int_equal(plan_of(&plan, &made), TPAD_OK);
    assert_int_equal(tpad_run(&plan, in, out, tpad_translation_value(&made)), TPAD_OK);
    assert_memory_equal(out, expected, sizeof out);
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* Nothing is written to a result that is refused, and the error is a whole line. */
static void expect_refusal(int dialect, size_t out_bytes, arguments *a, int64_t got, int64_t limit)
{
    tpad_translation made, before;
    tpad_error error;
    memset(&made, 0x5A, sizeof made);
    before = made;
    assert_int_equal(dialects[dialect].translate(&made, out_bytes, a, &error), TPAD_E_ARGUMENT);
    assert_int_equal(dialects[dialect].translate(&made, out_bytes, a, NULL), TPAD_E_ARGUMENT);
    assert_memory_equal(&made, &before, sizeof made);
    assert_int_equal(error.code, TPAD_E_ARGUMENT);
    assert_int_equal(error.got, got);
    assert_int_equal(error.limit, limit);
    assert_whole_line(&error, 0);
}

/* Version 0.2 is the first whose structs are accepted for ever, and it is this one: the size of
 * today is accepted, one less and one more are not, and neither is 0. */
static void sizes_of_arguments(void **state)
{
    (void)state;
    for (int d = 0; d < DIALECTS; d++) {
        arguments a;
        fill_arguments(&a);
        size_t *size = (size_t *)((unsigned char *)&a + dialects[d].size_at);
        const size_t today = *size, wrong[] = {0, 8, today - 1, today + 1, SIZE_MAX / 2};
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            *size = wrong[i];
            expect_refusal(d, sizeof(tpad_translation), &a, (int64_t)wrong[i], (int64_t)today);
        }
    }
}

/* The memory of the result is never smaller than it. It may be larger: a program of a later version
 * gives a longer struct, and what this library does not know of it is 0. */
static void sizes_of_results(void **state)
{
    (void)state;
    const int64_t needed = sizeof(tpad_translation);
    for (int d = 0; d < DIALECTS; d++) {
        arguments a;
        fill_arguments(&a);
        expect_refusal(d, 0, &a, 0, needed);
        expect_refusal(d, sizeof(tpad_translation) - 1, &a, needed - 1, needed);

        struct {
            tpad_translation made;
            unsigned char later[24], after[8];
        } memory;
        memset(&memory, 0x5A, sizeof memory);
        const size_t given = sizeof memory.made + sizeof memory.later;
        assert_int_equal(dialects[d].translate(&memory.made, given, &a, NULL), TPAD_OK);
        for (int i = 0; i < 24; i++) assert_int_equal(memory.later[i], 0);
        for (int i = 0; i < 8; i++) assert_int_equal(memory.after[i], 0x5A);
    }
}

/* What these versions do not know is refused, so that a later one can give it a meaning. */
static void flags_and_reserved(void **state)
{
    (void)state;
    static const int32_t flags[] = {2, -1, INT32_MIN, 3};
    for (int i = 0; i < 4; i++) {
        arguments a;
        fill_arguments(&a);
        a.onnx.flags = a.openvino.flags = flags[i];
        expect_refusal(0, sizeof(tpad_translation), &a, flags[i], 1);
        expect_refusal(1, sizeof(tpad_translation), &a, flags[i], 1);
        a.onnx.flags = a.openvino.flags = 0;
        a.onnx.reserved = a.openvino.reserved = a.mli.reserved = flags[i];
        expect_refusal(0, sizeof(tpad_translation), &a, flags[i], 0);
        expect_refusal(1, sizeof(tpad_translation), &a, flags[i], 0);
        expect_refusal(3, sizeof(tpad_translation), &a, flags[i], 0);
    }
}

/* A width of handles that is none: eight times it would leave 32 bits, or come out as another. */
static void widths_of_handles(void **state)
{
    (void)state;
    static const int32_t wrong[] = {-1, INT32_MIN, 65537, 0x20000001, INT32_MAX};
    for (int i = 0; i < 5; i++) {
        arguments a;
        tpad_translation made;
        tpad_error error;
        fill_arguments(&a);
        a.onnx.data.type = a.onnx_value.type = TPAD_ONNX_STRING;
        a.openvino.data.type = a.openvino_value.type = TPAD_OPENVINO_STRING;
        a.onnx.string_bytes = a.openvino.string_bytes = wrong[i];
        for (int d = 0; d < 2; d++) {
            assert_int_equal(dialects[d].translate(&made, sizeof made, &a, &error), TPAD_E_ELEM);
            assert_int_equal(error.got, wrong[i]);
            assert_int_equal(error.limit, 65536);
            assert_whole_line(&error, 0);
        }
        a.onnx.string_bytes = 65536;
        a.onnx.value = NULL;
        assert_int_equal(onnx(&made, sizeof made, &a, NULL), TPAD_OK);
        assert_int_equal(made.elem_bits, TPAD_MAX_ELEM_BITS);
    }
}

/* A refusal of the document's leaves the result alone, too. */
static void nothing_is_written_on_failure(void **state)
{
    (void)state;
    for (int d = 0; d < DIALECTS; d++) {
        arguments a;
        tpad_translation made, before;
        fill_arguments(&a);
        a.shape[1] = -1;
        memset(&made, 0x5A, sizeof made);
        before = made;
        assert_int_equal(dialects[d].translate(&made, sizeof made, &a, NULL), TPAD_E_EXTENT);
        assert_memory_equal(&made, &before, sizeof made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(returned_by_value),    cmocka_unit_test(wide_values_stay_the_callers),
        cmocka_unit_test(strides_may_be_given), cmocka_unit_test(sizes_of_arguments),
        cmocka_unit_test(sizes_of_results),     cmocka_unit_test(flags_and_reserved),
        cmocka_unit_test(widths_of_handles),    cmocka_unit_test(nothing_is_written_on_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
