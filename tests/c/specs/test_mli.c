/* The MLI dialect through its C interface. SPDX-License-Identifier: MIT
 * Expected values: the MLI document's example and sentences, typed in here by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/mli.h>

#include "plan_of.h"
#include "whole_line.h"

static const int64_t chw[] = {2, 4, 8};
static const int64_t hwc[] = {4, 8, 2};

static tpad_mli_padding2d call(int32_t layout)
{
    return (tpad_mli_padding2d){.struct_size = sizeof(tpad_mli_padding2d),
                                .layout = layout,
                                .type = TPAD_MLI_FX8,
                                .rank = 3,
                                .shape = layout == TPAD_MLI_CHW ? chw : hwc};
}

static void refused(const tpad_mli_padding2d *pad, int32_t status, const char *words)
{
    tpad_translation made;
    tpad_error error;
    int64_t extents[3];
    char line[256];
    assert_int_equal(tpad_mli_translate(&made, sizeof made, pad, NULL), status);
    assert_int_equal(tpad_mli_shape(pad, extents, &error), status);
    assert_int_equal(error.code, status);
    assert_whole_line(&error, 0);
    assert_true(error.axis >= 0 || (error.before == 0 && error.after == 0));
    tpad_error_format(&error, line, sizeof line);
    if (!strstr(line, words)) fail_msg("'%s' does not say '%s'", line, words);
}

/* [2, 4, 8], top 2, right 1: [2, 6, 9]. */
static void the_documents_example(void **state)
{
    (void)state;
    tpad_mli_padding2d pad = call(TPAD_MLI_CHW);
    tpad_translation made;
    tpad_plan plan;
    int8_t src[2][4][8], dst[2][6][9];
    int64_t extents[3];
    pad.top = 2;
    pad.right = 1;
    for (int i = 0; i < 64; i++) (&src[0][0][0])[i] = (int8_t)(i - 70);
    assert_int_equal(tpad_mli_shape(&pad, extents, NULL), TPAD_OK);
    assert_int_equal(extents[0], 2);
    assert_int_equal(extents[1], 6);
    assert_int_equal(extents[2], 9);
    assert_int_equal(tpad_mli_translate(&made, sizeof made, &pad, NULL), TPAD_OK);
    assert_int_equal(plan_of(&plan, &made), TPAD_OK);
    assert_int_equal(tpad_run(&plan, src, dst, NULL), TPAD_OK);
    for (int c = 0; c < 2; c++)
        for (int y = 0; y < 6; y++)
            for (int x = 0; x < 9; x++)
                assert_int_equal(dst[c][y][x], y < 2 || x == 8 ? 0 : src[c][y - 2][x]);
}

/* Each of the four words reaches its side, in both layouts. */
static void sides(void **state)
{
    (void)state;
    for (int32_t layout = 0; layout < 2; layout++) {
        const tpad_mli_limits *limits = tpad_mli_limits_at(layout);
        tpad_mli_padding2d pad = call(layout);
        tpad_translation p;
        pad.type = TPAD_MLI_FX16;
        pad.left = 1;
        pad.right = 255;
        pad.top = 255;
        pad.bottom = 0;
        assert_int_equal(tpad_mli_translate(&p, sizeof p, &pad, NULL), TPAD_OK);
        assert_int_equal(p.elem_bits, 16);
        assert_int_equal(p.axes[limits->width].before, 1);
        assert_int_equal(p.axes[limits->width].after, 255);
        assert_int_equal(p.axes[limits->height].before, 255);
        assert_int_equal(p.axes[limits->height].after, 0);
        assert_int_equal(p.axes[limits->channels].before, 0);
        assert_int_equal(p.axes[limits->channels].after, 0);
        assert_int_equal(p.axes[limits->channels].in_extent, 2);
        assert_int_equal(p.axes[limits->height].in_extent, 4);
        assert_int_equal(p.axes[limits->width].in_extent, 8);
    }
}

static void table(void **state)
{
    (void)state;
    assert_int_equal(tpad_mli_layout_count(), 2);
    assert_null(tpad_mli_limits_at(-1));
    assert_null(tpad_mli_limits_at(2));
    for (int32_t layout = 0; layout < 2; layout++) {
        const tpad_mli_limits *limits = tpad_mli_limits_at(layout);
        assert_int_equal(limits->layout, layout);
        assert_string_equal(limits->name, layout == TPAD_MLI_CHW ? "chw" : "hwc");
        assert_int_equal(limits->rank, 3);
        assert_int_equal(limits->channels + limits->height + limits->width, 3);
        assert_int_equal(limits->types, 3);
        assert_int_equal(limits->modes, 1);
        assert_int_equal(limits->least, 0);
        assert_int_equal(limits->most, 255);
    }
    assert_string_equal(tpad_mli_type_name(TPAD_MLI_FX8), "fx8");
    assert_string_equal(tpad_mli_type_name(TPAD_MLI_FX16), "fx16");
    assert_null(tpad_mli_type_name(2));
    assert_int_equal(tpad_mli_type_bits(TPAD_MLI_FX8), 8);
    assert_int_equal(tpad_mli_type_bits(TPAD_MLI_FX16), 16);
    assert_int_equal(tpad_mli_type_bits(-1), 0);
}

static void wrong_calls(void **state)
{
    (void)state;
    tpad_mli_padding2d pad = call(TPAD_MLI_CHW);
    tpad_translation made;
    assert_int_equal(tpad_mli_translate(NULL, sizeof(tpad_translation), &pad, NULL),
                     TPAD_E_ARGUMENT);
    tpad_error error;
    assert_int_equal(tpad_mli_translate(&made, sizeof made, NULL, &error), TPAD_E_ARGUMENT);
    assert_int_equal(error.got, 0);
    pad.struct_size--;
    refused(&pad, TPAD_E_ARGUMENT, "struct_size");
    pad = call(TPAD_MLI_CHW);
    pad.layout = 2;
    refused(&pad, TPAD_E_SPEC_VERSION, "layout number 2");
    pad = call(TPAD_MLI_CHW);
    pad.reserved = 1;
    refused(&pad, TPAD_E_ARGUMENT, "reserved");
    pad = call(TPAD_MLI_CHW);
    pad.shape = NULL;
    refused(&pad, TPAD_E_ARGUMENT, "shape");
    static const int32_t types[] = {-1, 2, 31, 32, INT32_MAX};
    for (int i = 0; i < 5; i++) {
        pad = call(TPAD_MLI_HWC);
        pad.type = types[i];
        refused(&pad, TPAD_E_SPEC_TYPE, "padding2d_hwc has fx8");
    }
    for (int32_t rank = -1; rank < 6; rank++) {
        pad = call(TPAD_MLI_CHW);
        pad.rank = rank;
        if (rank != 3) refused(&pad, TPAD_E_RANK, "takes tensors of rank 3");
    }
}

static void wrong_amounts(void **state)
{
    (void)state;
    for (int side = 0; side < 4; side++)
        for (int below = 0; below < 2; below++) {
            tpad_mli_padding2d pad = call(TPAD_MLI_HWC);
            int64_t *const amounts[] = {&pad.top, &pad.bottom, &pad.left, &pad.right};
            *amounts[side] = below ? -1 : 256;
            refused(&pad, TPAD_E_AMOUNT,
                    below ? "amount -1 is below 0 (before" : "amount 256 exceeds 255 (before");
            refused(&pad, TPAD_E_AMOUNT, side < 2 ? "axis 0" : "axis 1");
        }
}

static void wrong_shapes(void **state)
{
    (void)state;
    tpad_mli_padding2d pad = call(TPAD_MLI_CHW);
    for (int axis = 0; axis < 3; axis++) {
        int64_t shape[3] = {2, 4, 8};
        shape[axis] = 0;
        pad.shape = shape;
        refused(&pad, TPAD_E_EXTENT, "below 1; MLI has no empty tensors");
        shape[axis] = INT64_MAX;
        refused(&pad, TPAD_E_EXTENT, "is not between");
    }
    /* As many bytes as a capacity can say, and one more. */
    const int64_t most[3] = {1, 1, 0xFFFFFFFF}, more[3] = {1, 1, 0x100000000};
    pad.shape = most;
    int64_t extents[3];
    assert_int_equal(tpad_mli_shape(&pad, extents, NULL), TPAD_OK);
    pad.right = 1;
    refused(&pad, TPAD_E_OVERFLOW, "4294967296 bytes exceeds 4294967295");
    pad.right = 0;
    pad.type = TPAD_MLI_FX16;
    refused(&pad, TPAD_E_OVERFLOW, "the most that a tensor of MLI can have");
    pad = call(TPAD_MLI_CHW);
    pad.shape = more;
    refused(&pad, TPAD_E_OVERFLOW, "the most that a tensor of MLI can have");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_documents_example),
        cmocka_unit_test(sides),
        cmocka_unit_test(table),
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(wrong_amounts),
        cmocka_unit_test(wrong_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
