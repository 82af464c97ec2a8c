/* The nGraph dialect through its C interface. SPDX-License-Identifier: MIT
 * Expected values: the nGraph document's own example and sentences, typed in here by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tensorpad/ngraph.h>

#include "plan_of.h"
#include "whole_line.h"

enum { INT32 = 7, FLOAT = 9, MOST_CELLS = 64 }; /* the caller's own numbers of types */

static const int32_t fill = 42;
static const tpad_ngraph_tensor fill_value = {INT32, 0, NULL, &fill};

static tpad_ngraph_pad operator_of(int32_t rank, const int64_t *shape, const int64_t *below,
                                   const int64_t *above, const int64_t *interior)
{
    return (tpad_ngraph_pad){.struct_size = sizeof(tpad_ngraph_pad),
                             .arg = {INT32, rank, shape, NULL},
                             .arg_pad_value = &fill_value,
                             .padding_below = below,
                             .padding_above = above,
                             .padding_interior = interior,
                             .padding_below_count = rank,
                             .padding_above_count = rank,
                             .padding_interior_count = interior ? rank : 0,
                             .elem_bits = 32};
}

/* Runs an operator on 1, 2, 3 ... and compares shape and cells. */
static void expect(const tpad_ngraph_pad *pad, const int64_t *shape, const int32_t *cells)
{
    tpad_translation made;
    tpad_plan plan;
    tpad_error error;
    int32_t in[MOST_CELLS], out[MOST_CELLS];
    int64_t extents[TPAD_MAX_RANK], count = 1;
    for (int32_t i = 0; i < MOST_CELLS; i++) in[i] = i + 1;
    assert_int_equal(tpad_ngraph_translate(&made, sizeof made, pad, &error), TPAD_OK);
    assert_int_equal(tpad_ngraph_shape(pad, extents, &error), TPAD_OK);
    for (int32_t i = 0; i < pad->arg.rank; i++) {
        assert_int_equal(extents[i], shape[i]);
        count *= shape[i];
    }
    assert_in_range(count, 0, MOST_CELLS);
    assert_int_equal(plan_of(&plan, &made), TPAD_OK);
    assert_int_equal(tpad_run(&plan, in, out, tpad_translation_value(&made)), TPAD_OK);
    assert_memory_equal(out, cells, (size_t)count * sizeof *out);
}

/* ---- What the document shows ----------------------------------------------------------------- */

static const int64_t three_by_three[] = {3, 3}, zeros[TPAD_MAX_RANK];
static const int64_t document_below[] = {1, 2}, document_above[] = {1, 0},
                     document_interior[] = {1, 2};

/* Also the note: "below" is the top of the picture. */
static void document_example(void **state)
{
    (void)state;
    static const int64_t shape[] = {7, 9};
    static const int32_t cells[] = {
        42, 42, 42, 42, 42, 42, 42, 42, 42, /* */
        42, 42, 1,  42, 42, 2,  42, 42, 3,  /* */
        42, 42, 42, 42, 42, 42, 42, 42, 42, /* */
        42, 42, 4,  42, 42, 5,  42, 42, 6,  /* */
        42, 42, 42, 42, 42, 42, 42, 42, 42, /* */
        42, 42, 7,  42, 42, 8,  42, 42, 9,  /* */
        42, 42, 42, 42, 42, 42, 42, 42, 42, /* */
    };
    tpad_ngraph_pad pad =
        operator_of(2, three_by_three, document_below, document_above, document_interior);
    expect(&pad, shape, cells); /* CONSTANT is the default */
    pad.pad_mode = "CONSTANT";
    expect(&pad, shape, cells);
}

/* "In three possible ways": exterior alone, interior alone; both is the example. */
static void exterior_and_interior_alone(void **state)
{
    (void)state;
    static const int64_t shape[] = {2, 2}, below[] = {0, 1}, above[] = {1, 0}, gaps[] = {1, 2};
    static const int64_t exterior_shape[] = {3, 3}, interior_shape[] = {3, 4};
    static const int32_t exterior_cells[] = {42, 1, 2, 42, 3, 4, 42, 42, 42};
    static const int32_t interior_cells[] = {1, 42, 42, 2, 42, 42, 42, 42, 3, 42, 42, 4};
    const tpad_ngraph_pad exterior = operator_of(2, shape, below, above, NULL);
    const tpad_ngraph_pad with_zeros = operator_of(2, shape, below, above, zeros);
    const tpad_ngraph_pad interior = operator_of(2, shape, zeros, zeros, gaps);
    expect(&exterior, exterior_shape, exterior_cells);
    expect(&with_zeros, exterior_shape, exterior_cells);
    expect(&interior, interior_shape, interior_cells);
}

/* Interior first, then the signed exterior: what is cropped is the axis with its gaps. */
static void values_that_fix_the_meaning(void **state)
{
    (void)state;
    static const int64_t six[] = {6}, two[] = {2}, four[] = {4}, minus_seven[] = {-7};
    static const int64_t sixteen[] = {16}, three[] = {3};
    static const int32_t dilated[] = {1, 42, 42, 2, 42, 42, 3, 42, 42, 4, 42, 42, 5, 42, 42, 6};
    static const int32_t only_fill[] = {42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42,
                                        42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42,
                                        42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42,
                                        42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42};
    const tpad_ngraph_pad gaps = operator_of(1, six, zeros, zeros, two);
    expect(&gaps, sixteen, dilated);
    const tpad_ngraph_pad shifted = operator_of(1, six, four, minus_seven, zeros);
    expect(&shifted, three, only_fill);

    static const int64_t two_by_three[] = {2, 3}, below[] = {1, -2}, above[] = {2, -1},
                         interior[] = {2, 1}, seven_by_two[] = {7, 2};
    static const int32_t cropped[] = {42, 42, 2, 42, 42, 42, 42, 42, 5, 42, 42, 42, 42, 42};
    const tpad_ngraph_pad both = operator_of(2, two_by_three, below, above, interior);
    expect(&both, seven_by_two, cropped);

    static const int64_t empty[] = {2, 0, 3, 2}, empty_below[] = {1, 0, 0, 0},
                         empty_above[] = {0, 2, 0, 0}, empty_interior[] = {2, 1, 0, 0},
                         filled[] = {5, 2, 3, 2};
    const tpad_ngraph_pad nothing = operator_of(4, empty, empty_below, empty_above, empty_interior);
    expect(&nothing, filled, only_fill);

    static const int64_t large[] = {50, 40, 20}, large_below[] = {-5, 3, -2},
                         large_above[] = {-6, -9, 4}, large_interior[] = {2, 3, 0},
                         large_shape[] = {137, 151, 22};
    const tpad_ngraph_pad wide = operator_of(3, large, large_below, large_above, large_interior);
    int64_t extents[3];
    assert_int_equal(tpad_ngraph_shape(&wide, extents, NULL), TPAD_OK);
    assert_memory_equal(extents, large_shape, sizeof extents);
}

/* d' = p + (d - 1)(r + 1) + 1 + q, or p + q for an empty axis: the formula of the text. The one
 * that is displayed, p + d r + q, gives others wherever d is neither 0 nor r. */
static void shape_formula_of_the_text(void **state)
{
    (void)state;
    for (int64_t d = 0; d < 6; d++)
        for (int64_t p = -3; p < 4; p++)
            for (int64_t q = -3; q < 4; q++)
                for (int64_t r = 0; r < 4; r++) {
                    const tpad_ngraph_pad pad = operator_of(1, &d, &p, &q, &r);
                    const int64_t extent = d > 0 ? p + (d - 1) * (r + 1) + 1 + q : p + q;
                    int64_t got = -1;
                    const int32_t status = tpad_ngraph_shape(&pad, &got, NULL);
                    assert_int_equal(status, extent < 0 ? TPAD_E_NEGATIVE : TPAD_OK);
                    if (extent >= 0) assert_int_equal(got, extent);
                }
}

static void a_scalar_is_copied(void **state)
{
    (void)state;
    static const int32_t one[] = {1};
    tpad_ngraph_pad pad = operator_of(0, NULL, NULL, NULL, NULL);
    for (int32_t i = 0; i < tpad_ngraph_mode_count(); i++) {
        pad.pad_mode = tpad_ngraph_mode_at(i)->word;
        expect(&pad, NULL, one);
    }
    pad.padding_interior = zeros; /* an empty list */
    expect(&pad, NULL, one);
}

/* ---- Modes ----------------------------------------------------------------------------------- */

/* 1 2 3 with one gap, padded by 3 and 2. The gaps take part in what is repeated. */
static void modes_with_interior(void **state)
{
    (void)state;
    static const int64_t three[] = {3}, one[] = {1}, below[] = {3}, above[] = {2}, ten[] = {10};
    static const struct {
        const char *word;
        int32_t cells[10];
    } cases[] = {
        {"CONSTANT", {42, 42, 42, 1, 42, 2, 42, 3, 42, 42}},
        {"EDGE", {1, 1, 1, 1, 42, 2, 42, 3, 3, 3}},
        {"REFLECT", {42, 2, 42, 1, 42, 2, 42, 3, 42, 2}},
        {"SYMMETRIC", {2, 42, 1, 1, 42, 2, 42, 3, 3, 42}},
    };
    tpad_ngraph_pad pad = operator_of(1, three, below, above, one);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pad.pad_mode = cases[i].word;
        expect(&pad, ten, cases[i].cells);
    }
}

/* The output is a window onto the endless extension of the whole input. */
static void a_crop_and_a_pad_on_one_axis(void **state)
{
    (void)state;
    static const int64_t four[] = {4}, minus_one[] = {-1}, three[] = {3}, six[] = {6};
    static const struct {
        const char *word;
        int32_t cells[6];
    } cases[] = {
        {"CONSTANT", {2, 3, 4, 42, 42, 42}},
        {"EDGE", {2, 3, 4, 4, 4, 4}},
        {"REFLECT", {2, 3, 4, 3, 2, 1}},
        {"SYMMETRIC", {2, 3, 4, 4, 3, 2}},
    };
    tpad_ngraph_pad pad = operator_of(1, four, minus_one, three, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pad.pad_mode = cases[i].word;
        expect(&pad, six, cases[i].cells);
    }
}

/* No upper limit: a mirror of two bounces as often as it is asked to. A shift is not nothing. */
static void mirrors_bounce_and_shifts_shift(void **state)
{
    (void)state;
    static const int64_t two[] = {2}, five[] = {5}, eleven[] = {11}, one[] = {1},
                         minus_one[] = {-1};
    static const int32_t reflect[] = {2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, shift[] = {42, 1};
    static const int32_t symmetric[] = {1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2};
    static const int64_t four[] = {4};
    tpad_ngraph_pad pad = operator_of(1, two, five, four, NULL);
    pad.pad_mode = "REFLECT";
    expect(&pad, eleven, reflect);
    pad.pad_mode = "SYMMETRIC";
    expect(&pad, eleven, symmetric);
    pad = operator_of(1, two, one, minus_one, NULL);
    expect(&pad, two, shift);
}

static void limits_as_a_table(void **state)
{
    (void)state;
    static const tpad_ngraph_mode modes[] = {{"CONSTANT", TPAD_CONSTANT, 1, 0},
                                             {"EDGE", TPAD_EDGE, 1, 1},
                                             {"REFLECT", TPAD_REFLECT, 1, 2},
                                             {"SYMMETRIC", TPAD_SYMMETRIC, 0, 1}};
    const tpad_ngraph_limits *limits = tpad_ngraph_get_limits();
    assert_int_equal(tpad_ngraph_mode_count(), 4);
    assert_null(tpad_ngraph_mode_at(-1));
    assert_null(tpad_ngraph_mode_at(4));
    for (int32_t i = 0; i < 4; i++) {
        assert_string_equal(tpad_ngraph_mode_at(i)->word, modes[i].word);
        assert_int_equal(tpad_ngraph_mode_at(i)->mode, modes[i].mode);
        assert_int_equal(tpad_ngraph_mode_at(i)->in_document, modes[i].in_document);
        assert_int_equal(tpad_ngraph_mode_at(i)->least_extent, modes[i].least_extent);
    }
    assert_int_equal(limits->order, TPAD_WINDOW);
    assert_int_equal(limits->value_rank, 0);
    assert_int_equal(limits->least_interior, 0);
}

/* "Any": every width that the core moves. */
static void any_width(void **state)
{
    (void)state;
    static const int64_t two[] = {2}, one[] = {1};
    static const unsigned char in[] = {0xE1}, nibble[] = {0x0F};
    static const unsigned char expected[] = {0x1F, 0xFE};
    const tpad_ngraph_tensor value = {-3, 0, NULL, nibble};
    tpad_ngraph_pad pad = operator_of(1, two, one, one, NULL);
    pad.arg.type = -3;
    pad.arg_pad_value = &value;
    pad.elem_bits = 4;
    tpad_translation made;
    tpad_plan plan;
    unsigned char out[2];
    assert_int_equal(tpad_ngraph_translate(&made, sizeof made, &pad, NULL), TPAD_OK);
    assert_int_equal(plan_of(&plan, &made), TPAD_OK);
    assert_int_equal(tpad_run(&plan, in, out, tpad_translation_value(&made)), TPAD_OK);
    assert_memory_equal(out, expected, sizeof out);

    pad.elem_bits = 24;
    assert_int_equal(tpad_ngraph_shape(&pad, NULL, NULL), TPAD_OK);
    pad.elem_bits = 3;
    assert_int_equal(tpad_ngraph_shape(&pad, NULL, NULL), TPAD_E_ELEM);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static char line[300];

/* The error of an operator, whose text ends up in `line`. */
static tpad_error refused(const tpad_ngraph_pad *pad, int32_t code)
{
    tpad_translation made;
    tpad_error error;
    int64_t extents[TPAD_MAX_RANK] = {-77};
    memset(&error, 0x55, sizeof error);
    assert_int_equal(tpad_ngraph_translate(&made, sizeof made, pad, &error), code);
    assert_int_equal(tpad_ngraph_translate(&made, sizeof made, pad, NULL), code);
    assert_int_equal(tpad_ngraph_shape(pad, extents, NULL), code);
    assert_int_equal(extents[0], -77);
    assert_int_equal(error.code, code);
    assert_whole_line(&error, 0);
    tpad_error_format(&error, line, sizeof line);
    return error;
}

static void refusals_of_the_value(void **state)
{
    (void)state;
    static const int64_t one[] = {1};
    tpad_ngraph_pad pad = operator_of(2, three_by_three, zeros, zeros, NULL);
    tpad_ngraph_tensor value = {FLOAT, 0, NULL, &fill};
    for (int32_t i = 0; i < tpad_ngraph_mode_count(); i++) { /* required in every mode */
        pad.pad_mode = tpad_ngraph_mode_at(i)->word;
        pad.arg_pad_value = NULL;
        assert_string_equal(refused(&pad, TPAD_E_SPEC_INPUT).name, "arg_pad_value");

        pad.arg_pad_value = &value;
        const tpad_error e = refused(&pad, TPAD_E_SPEC_VALUE);
        assert_int_equal(e.got, FLOAT);
        assert_int_equal(e.limit, INT32);
        assert_int_equal(e.axis, -1);
    }
    value = (tpad_ngraph_tensor){INT32, 1, one, &fill};
    assert_int_equal(refused(&pad, TPAD_E_SPEC_VALUE).got, 1);
    value.rank = -1;
    refused(&pad, TPAD_E_SPEC_VALUE);

    /* Shape inference can do without the number, a run cannot. */
    tpad_translation made;
    tpad_error error;
    value = (tpad_ngraph_tensor){INT32, 0, NULL, NULL};
    assert_int_equal(tpad_ngraph_shape(&pad, NULL, NULL), TPAD_OK);
    assert_int_equal(tpad_ngraph_translate(&made, sizeof made, &pad, &error), TPAD_E_ARGUMENT);
    assert_string_equal(error.name, "arg_pad_value");
    assert_whole_line(&error, 0);
}

static void refusals_of_modes(void **state)
{
    (void)state;
    static const char *const words[] = {"constant", "Edge", "reflect", "WRAP", "", "CONSTANTS"};
    tpad_ngraph_pad pad = operator_of(2, three_by_three, zeros, zeros, NULL);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        pad.pad_mode = words[i];
        assert_string_equal(refused(&pad, TPAD_E_SPEC_MODE).name, words[i]);
    }
}

static void refusals_of_lengths(void **state)
{
    (void)state;
    tpad_ngraph_pad pad = operator_of(2, three_by_three, zeros, zeros, zeros);
    pad.padding_below_count = 1;
    tpad_error e = refused(&pad, TPAD_E_SPEC_PADS);
    assert_int_equal(e.before, 1);
    assert_int_equal(e.after, 2);
    assert_int_equal(e.got, 2);
    assert_string_equal(line, "padding_below has 1 entries, padding_above 2 and padding_interior "
                              "2: each needs one for each of 2 axes");
    pad.padding_below_count = 2;
    pad.padding_above_count = 3;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_PADS).after, 3);
    pad.padding_above_count = 2;
    pad.padding_interior_count = 0;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_PADS).got, 0);
    pad.padding_interior = NULL;
    pad.padding_interior_count = 1;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_PADS).got, 1);
    pad.padding_interior_count = 0;
    pad.padding_above_count = 1;
    refused(&pad, TPAD_E_SPEC_PADS);
    assert_null(strstr(line, "interior"));

    /* All the same, but not the rank. */
    pad.padding_below_count = 1;
    e = refused(&pad, TPAD_E_SPEC_PADS);
    assert_int_equal(e.got, 1);
    assert_int_equal(e.limit, 2);
    assert_null(strstr(line, "interior"));
    pad.padding_interior = zeros;
    pad.padding_below_count = pad.padding_above_count = pad.padding_interior_count = 3;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_PADS).got, 3);
    assert_non_null(strstr(line, "interior"));
}

static void refusals_of_missing_lists(void **state)
{
    (void)state;
    tpad_ngraph_pad pad = operator_of(2, three_by_three, NULL, zeros, zeros);
    assert_string_equal(refused(&pad, TPAD_E_ARGUMENT).name, "padding_below");
    pad.padding_below = zeros;
    pad.padding_above = NULL;
    const tpad_error e = refused(&pad, TPAD_E_ARGUMENT);
    assert_string_equal(e.name, "padding_above");
    assert_int_equal(e.got, 0);
    assert_int_equal(e.limit, 2);
    pad.padding_above = zeros;
    pad.padding_interior = NULL;
    assert_string_equal(refused(&pad, TPAD_E_ARGUMENT).name, "padding_interior");
}

static void refusals_of_amounts(void **state)
{
    (void)state;
    static const int64_t below[] = {0, -4}, above[] = {0, -2}, interior[] = {0, 1};
    static const int64_t negative[] = {0, -1}, huge[] = {0, INT64_MAX};
    tpad_ngraph_pad pad = operator_of(2, three_by_three, below, above, interior);
    for (int32_t i = 0; i < tpad_ngraph_mode_count(); i++) {
        pad.pad_mode = tpad_ngraph_mode_at(i)->word;
        const tpad_error e = refused(&pad, TPAD_E_NEGATIVE);
        assert_int_equal(e.axis, 1);
        assert_int_equal(e.got, -1);
        assert_int_equal(e.before, -4);
        assert_int_equal(e.after, -2);
        assert_non_null(strstr(line, "axis 1"));
        assert_non_null(strstr(line, "before -4, after -2"));
    }
    pad.padding_interior = negative;
    tpad_error e = refused(&pad, TPAD_E_INTERIOR);
    assert_int_equal(e.axis, 1);
    assert_int_equal(e.got, -1);
    assert_non_null(strstr(line, "padding_below -4, padding_above -2"));
    pad.padding_interior = huge;
    assert_int_equal(refused(&pad, TPAD_E_INTERIOR).axis, 1);
    pad.padding_interior = NULL;
    pad.padding_interior_count = 0;
    pad.padding_below = huge;
    e = refused(&pad, TPAD_E_AMOUNT);
    assert_int_equal(e.axis, 1);
    assert_int_equal(e.got, INT64_MAX);
}

/* On every axis, and only where something is padded. */
static void refusals_of_too_few_elements(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        int64_t extent, least; /* 0: no limit */
    } cases[] = {{"CONSTANT", 0, 0}, {"EDGE", 0, 1},    {"EDGE", 1, 0},      {"REFLECT", 0, 2},
                 {"REFLECT", 1, 2},  {"REFLECT", 2, 0}, {"SYMMETRIC", 0, 1}, {"SYMMETRIC", 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int32_t axis = 0; axis < 4; axis++)
            for (int64_t p = -1; p < 2; p++)
                for (int64_t q = -1; q < 2; q++) {
                    int64_t shape[] = {3, 3, 3, 3}, below[4] = {0}, above[4] = {0};
                    shape[axis] = cases[i].extent;
                    below[axis] = p;
                    above[axis] = q;
                    tpad_ngraph_pad pad = operator_of(4, shape, below, above, NULL);
                    pad.pad_mode = cases[i].word;
                    const int pads = p > 0 || q > 0;
                    if (cases[i].extent + p + q < 0) {
                        refused(&pad, TPAD_E_NEGATIVE);
                    } else if (!pads || cases[i].least == 0) {
                        assert_int_equal(tpad_ngraph_shape(&pad, NULL, NULL), TPAD_OK);
                    } else {
                        const tpad_error e = refused(&pad, TPAD_E_NO_SOURCE);
                        assert_int_equal(e.axis, axis);
                        assert_int_equal(e.got, cases[i].extent);
                        assert_int_equal(e.limit, cases[i].least);
                        assert_int_equal(e.before, p);
                        assert_int_equal(e.after, q);
                        assert_string_equal(e.name, cases[i].word);
                    }
                }
}

/* An operator with every fault at once, mended one after the other. */
static void order_of_the_checks(void **state)
{
    (void)state;
    static const int64_t shape[] = {3, 1}, one[] = {1};
    static const int64_t bad_below[] = {-4, 1}, below[] = {0, 1};
    tpad_ngraph_tensor value = {FLOAT, 1, one, &fill};
    tpad_ngraph_pad pad = operator_of(2, shape, bad_below, zeros, zeros);
    pad.pad_mode = "REFLECT";
    pad.arg_pad_value = &value;
    pad.padding_below_count = 1;
    pad.padding_above_count = pad.padding_interior_count = 3;

    assert_int_equal(refused(&pad, TPAD_E_SPEC_VALUE).got, FLOAT); /* types differ */
    value.type = INT32;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_VALUE).got, 1); /* not a scalar */
    value.rank = 0;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_PADS).before, 1); /* lengths differ */
    pad.padding_below_count = 3;
    assert_int_equal(refused(&pad, TPAD_E_SPEC_PADS).before, 3); /* not the rank */
    pad.padding_below_count = pad.padding_above_count = pad.padding_interior_count = 2;
    assert_int_equal(refused(&pad, TPAD_E_NEGATIVE).axis, 0); /* negative extent */
    pad.padding_below = below;
    assert_int_equal(refused(&pad, TPAD_E_NO_SOURCE).axis, 1); /* REFLECT of one element */
    pad.pad_mode = "EDGE";
    assert_int_equal(tpad_ngraph_shape(&pad, NULL, NULL), TPAD_OK);
}

static void malformed_calls(void **state)
{
    (void)state;
    tpad_translation made;
    tpad_error error;
    tpad_ngraph_pad pad = operator_of(2, three_by_three, zeros, zeros, NULL);
    assert_int_equal(tpad_ngraph_translate(NULL, sizeof(tpad_translation), &pad, &error),
                     TPAD_E_ARGUMENT);
    assert_int_equal(tpad_ngraph_translate(&made, sizeof made, NULL, &error), TPAD_E_ARGUMENT);
    assert_int_equal(error.got, 0);
    assert_int_equal(error.axis, -1);
    pad.struct_size--;
    assert_int_equal(refused(&pad, TPAD_E_ARGUMENT).axis, -1);
    pad.struct_size++;
    pad.arg.shape = NULL;
    refused(&pad, TPAD_E_ARGUMENT);
    pad.arg.rank = 1;
    refused(&pad, TPAD_E_ARGUMENT);
    pad.arg.rank = -1;
    assert_int_equal(refused(&pad, TPAD_E_RANK).got, -1);
    pad.arg.rank = TPAD_MAX_RANK + 1;
    assert_int_equal(refused(&pad, TPAD_E_RANK).limit, TPAD_MAX_RANK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(document_example),
        cmocka_unit_test(exterior_and_interior_alone),
        cmocka_unit_test(values_that_fix_the_meaning),
        cmocka_unit_test(shape_formula_of_the_text),
        cmocka_unit_test(a_scalar_is_copied),
        cmocka_unit_test(modes_with_interior),
        cmocka_unit_test(a_crop_and_a_pad_on_one_axis),
        cmocka_unit_test(mirrors_bounce_and_shifts_shift),
        cmocka_unit_test(limits_as_a_table),
        cmocka_unit_test(any_width),
        cmocka_unit_test(refusals_of_the_value),
        cmocka_unit_test(refusals_of_modes),
        cmocka_unit_test(refusals_of_lengths),
        cmocka_unit_test(refusals_of_missing_lists),
        cmocka_unit_test(refusals_of_amounts),
        cmocka_unit_test(refusals_of_too_few_elements),
        cmocka_unit_test(order_of_the_checks),
        cmocka_unit_test(malformed_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
