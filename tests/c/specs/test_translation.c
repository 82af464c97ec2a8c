/* What only the C interface of src/specs can be asked: wide values, sizes of results, names and
 * tables, attributes, types that no file holds. SPDX-License-Identifier: MIT
 * Expected values: what the headers promise, typed in here by hand. */
#include <math.h>
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

#include "../../support/expect.h"

static int32_t plan_of(tpad_plan *plan, const tpad_translation *made)
{
    const tpad_problem problem = tpad_translation_problem(made);
    return tpad_plan_init(plan, sizeof *plan, &problem, NULL);
}

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

static translator *const dialects[] = {onnx, openvino, ngraph, mli};
enum { DIALECTS = sizeof dialects / sizeof dialects[0] };

/* ---- Values ---------------------------------------------------------------------------------- */

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

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* Nothing is written to a result that is refused, and the error is a whole line. */
static void expect_refusal(int dialect, size_t out_bytes, arguments *a, int64_t got, int64_t limit)
{
    tpad_translation made, before;
    tpad_error error;
    memset(&made, 0x5A, sizeof made);
    before = made;
    assert_int_equal(dialects[dialect](&made, out_bytes, a, &error), TPAD_E_ARGUMENT);
    assert_int_equal(dialects[dialect](&made, out_bytes, a, NULL), TPAD_E_ARGUMENT);
    assert_memory_equal(&made, &before, sizeof made);
    assert_int_equal(error.code, TPAD_E_ARGUMENT);
    assert_int_equal(error.got, got);
    assert_int_equal(error.limit, limit);
    assert_whole_line(&error, 0);
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
        assert_int_equal(dialects[d](NULL, sizeof(tpad_translation), &a, NULL), TPAD_E_ARGUMENT);
        expect_refusal(d, 0, &a, 0, needed);
        expect_refusal(d, sizeof(tpad_translation) - 1, &a, needed - 1, needed);

        struct {
            tpad_translation made;
            unsigned char later[24], after[8];
        } memory;
        memset(&memory, 0x5A, sizeof memory);
        const size_t given = sizeof memory.made + sizeof memory.later;
        assert_int_equal(dialects[d](&memory.made, given, &a, NULL), TPAD_OK);
        for (int i = 0; i < 24; i++) assert_int_equal(memory.later[i], 0);
        for (int i = 0; i < 8; i++) assert_int_equal(memory.after[i], 0x5A);
    }
}

/* ---- Names and tables ------------------------------------------------------------------------ */

static void names_and_tables_of_onnx(void **state)
{
    (void)state;
    static const int32_t expected[][2] = {{1, 1},   {2, 2},   {10, 2},  {11, 11}, {13, 13},
                                          {17, 13}, {18, 18}, {20, 19}, {25, 25}, {1000, 25}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(tpad_onnx_version_for(expected[i][0])->since, expected[i][1]);
    assert_null(tpad_onnx_version_for(0));
    assert_null(tpad_onnx_version_for(INT32_MIN));
    assert_int_equal(tpad_onnx_version_count(), 10);
    assert_int_equal(tpad_onnx_version_at(9)->since, TPAD_ONNX_NEWEST);
    assert_null(tpad_onnx_version_at(-1));
    assert_null(tpad_onnx_version_at(10));
    static const int bits[] = {0,  32,  8,  8, 16, 16, 32, 64, 0, 8, 16, 64, 32, 64,
                               64, 128, 16, 8, 8,  8,  8,  4,  4, 4, 8,  2,  2,  0};
    for (int32_t type = 0; type < 28; type++) {
        const char *name = tpad_onnx_type_name(type);
        assert_int_equal(tpad_onnx_type_bits(type), bits[type]);
        assert_true((name != NULL) == (type > 0 && type < 27));
        if (name) assert_int_equal(tpad_onnx_type_from_name(name), type);
    }
    static const char *const no_names[] = {"float8", "floats", "", NULL};
    for (int i = 0; i < 4; i++) assert_int_equal(tpad_onnx_type_from_name(no_names[i]), 0);
}

static void names_and_tables_of_openvino(void **state)
{
    (void)state;
    static const int32_t expected[][2] = {{1, 1}, {11, 1}, {12, 12}, {INT32_MAX, 12}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(tpad_openvino_version_for(expected[i][0])->version, expected[i][1]);
    assert_null(tpad_openvino_version_for(0));
    assert_int_equal(tpad_openvino_version_count(), 2);
    assert_int_equal(tpad_openvino_version_at(1)->first_opset, 12);
    assert_int_equal(tpad_openvino_version_at(0)->last_opset, 11);
    assert_null(tpad_openvino_version_at(-1));
    assert_null(tpad_openvino_version_at(2));
    static const char *const words[][2] = {
        {"f32", "FP32"}, {"i64", "I64"},   {"u1", "BIN"},        {"boolean", "BOOL"},
        {"nf4", "NF4"},  {"bf16", "BF16"}, {"string", "STRING"}, {"f8e8m0", "F8E8M0"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const int32_t type = tpad_openvino_type_from_name(words[i][0]);
        assert_int_equal(tpad_openvino_type_from_name(words[i][1]), type);
        assert_string_equal(tpad_openvino_type_name(type), words[i][0]);
        assert_string_equal(tpad_openvino_type_port_name(type), words[i][1]);
    }
    assert_int_equal(tpad_openvino_type_from_name("U1"), TPAD_OPENVINO_U1);
    assert_int_equal(tpad_openvino_type_from_name("bin"), TPAD_OPENVINO_U1);
    static const char *const no_names[] = {"dynamic", "f3", "f322", "[32", "", NULL};
    for (int i = 0; i < 6; i++) assert_int_equal(tpad_openvino_type_from_name(no_names[i]), 0);
    static const int32_t bits[] = {0, 8,  16, 16, 32, 64, 4, 8, 16, 32, 64, 1, 2, 4,
                                   8, 16, 32, 64, 4,  4,  8, 8, 8,  0,  3,  6, 0};
    for (int32_t type = 0; type < 27; type++) {
        assert_int_equal(tpad_openvino_type_bits(type), bits[type]);
        assert_true((tpad_openvino_type_name(type) != NULL) == (type > 0 && type < 26));
        assert_true((tpad_openvino_type_port_name(type) != NULL) == (type > 0 && type < 26));
    }
}

static void tables_of_ngraph_and_mli(void **state)
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
    assert_true(limits->order == TPAD_WINDOW && limits->value_rank == 0);
    assert_int_equal(limits->least_interior, 0);

    assert_int_equal(tpad_mli_layout_count(), 2);
    assert_null(tpad_mli_limits_at(-1));
    assert_null(tpad_mli_limits_at(2));
    for (int32_t layout = 0; layout < 2; layout++) {
        const tpad_mli_limits *mli = tpad_mli_limits_at(layout);
        const int32_t channels = layout == TPAD_MLI_CHW ? 0 : 2;
        assert_int_equal(mli->layout, layout);
        assert_string_equal(mli->name, layout == TPAD_MLI_CHW ? "chw" : "hwc");
        assert_true(mli->rank == 3 && mli->channels == channels);
        assert_true(mli->height == 1 - channels / 2 && mli->width == 2 - channels / 2);
        assert_true(mli->types == 3 && mli->modes == 1 && mli->least_extent == 1);
        assert_true(mli->least == 0 && mli->most == 255 && mli->most_bytes == UINT32_MAX);
    }
    assert_string_equal(tpad_mli_type_name(TPAD_MLI_FX8), "fx8");
    assert_string_equal(tpad_mli_type_name(TPAD_MLI_FX16), "fx16");
    assert_null(tpad_mli_type_name(2));
    assert_int_equal(tpad_mli_type_bits(TPAD_MLI_FX8), 8);
    assert_int_equal(tpad_mli_type_bits(TPAD_MLI_FX16), 16);
    assert_int_equal(tpad_mli_type_bits(-1), 0);
}

/* ---- What no model of the kit says ----------------------------------------------------------- */

static void check_run(const tpad_translation *made, const void *in, const void *expected)
{
    const tpad_problem problem = tpad_translation_problem(made);
    unsigned char out[64];
    int64_t bytes;
    assert_int_equal(tpad_shape(&problem, NULL, NULL, &bytes, NULL), TPAD_OK);
    assert_true(bytes <= (int64_t)sizeof out);
    memset(out, 0x5A, sizeof out);
    tpad_plan plan;
    assert_int_equal(plan_of(&plan, made), TPAD_OK);
    assert_int_equal(tpad_run(&plan, in, out, tpad_translation_value(made)), TPAD_OK);
    assert_memory_equal(out, expected, (size_t)bytes);
}

/* The nearest float16, found with the arithmetic of doubles. */
static uint16_t nearest_half(float x)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    const double magnitude = fabs((double)x);
    if (magnitude == 0) return sign;
    int exponent = ilogb(magnitude);
    if (exponent < -14) exponent = -14;
    const double rounded = ldexp(nearbyint(ldexp(magnitude, 10 - exponent)), exponent - 10);
    if (rounded > 65504) return sign | 0x7C00;
    if (rounded < ldexp(1, -14)) return (uint16_t)(sign | (int)ldexp(rounded, 24));
    const int e = ilogb(rounded);
    return (uint16_t)(sign | (e + 15) << 10 | ((int)ldexp(rounded, 10 - e) - 1024));
}

/* The attribute `value` of versions 1 and 2 is a float, whatever the type of the data is. */
static void attribute_values(void **state)
{
    (void)state;
    arguments a;
    tpad_translation made;
    float number = 0.1f;
    double wide;
    fill_arguments(&a);
    a.onnx.opset = 2;
    a.onnx.pads = a.onnx.value = NULL;
    a.onnx.attribute_pads = a.pads;
    a.onnx.attribute_pads_count = 6;
    a.onnx.attribute_value = &number;
    a.onnx.data.type = TPAD_ONNX_DOUBLE;
    assert_int_equal(onnx(&made, sizeof made, &a, NULL), TPAD_OK);
    memcpy(&wide, tpad_translation_value(&made), sizeof wide);
    assert_true(wide == 0.100000001490116119384765625);
    a.onnx.data.type = TPAD_ONNX_FLOAT;
    assert_int_equal(onnx(&made, sizeof made, &a, NULL), TPAD_OK);
    assert_memory_equal(tpad_translation_value(&made), &number, sizeof number);

    static const float edges[] = {65504.0f,     65519.996f,      65520.0f,   0x1p-24f,
                                  0x1p-25f,     0x1.000002p-25f, 0x1.8p-24f, 0x1.ffcp-15f,
                                  0x1.ffep-15f, INFINITY,        -INFINITY,  -0.0f};
    enum { EDGES = sizeof edges / sizeof edges[0] };
    a.onnx.data.type = TPAD_ONNX_FLOAT16;
    for (uint64_t i = 0, bits = 0; bits <= UINT32_MAX; i++, bits += i > EDGES ? 1009 : 0) {
        const uint32_t narrow = (uint32_t)bits;
        uint16_t half;
        memcpy(&number, &narrow, sizeof number);
        if (i < EDGES) number = edges[i];
        assert_int_equal(onnx(&made, sizeof made, &a, NULL), TPAD_OK);
        memcpy(&half, tpad_translation_value(&made), sizeof half);
        if (isnan(number))
            assert_true((half & 0x7E00) == 0x7E00 && half >> 15 == narrow >> 31);
        else if (half != nearest_half(number))
            fail_msg("%a became %04x, not %04x", (double)number, half, nearest_half(number));
    }
    a.onnx.data.type = TPAD_ONNX_INT8; /* lenient: only zero has a meaning */
    a.onnx.flags = TPAD_ONNX_LENIENT;
    number = 0;
    assert_int_equal(onnx(&made, sizeof made, &a, NULL), TPAD_OK);
    assert_null(tpad_translation_value(&made));
}

/* Missing values, values without data, and a width of handles up to the widest element. */
static void values_and_handles(void **state)
{
    (void)state;
    arguments a;
    tpad_translation made;
    fill_arguments(&a);
    a.onnx_value.data = a.openvino_value.data = a.ngraph_value.data = NULL;
    assert_int_equal(tpad_onnx_shape(&a.onnx, NULL, NULL), TPAD_OK);
    assert_int_equal(tpad_openvino_shape(&a.openvino, NULL, NULL), TPAD_OK);
    assert_int_equal(tpad_ngraph_shape(&a.ngraph, NULL, NULL), TPAD_OK);
    expect_refusal(2, sizeof made, &a, 0, 0); /* a run cannot do without it */

    static const int64_t zero[] = {0};
    const tpad_onnx_tensor empty = {TPAD_ONNX_INT64, 1, zero, NULL};
    int64_t extents[3];
    a.onnx.pads = a.onnx.axes = &empty; /* no axes and no pads: the identity */
    assert_int_equal(tpad_onnx_shape(&a.onnx, extents, NULL), TPAD_OK);
    assert_int_equal(extents[1], 2);

    fill_arguments(&a);
    a.onnx.mode = a.openvino.mode = "edge"; /* unused there */
    a.openvino_value.type = TPAD_OPENVINO_F64;
    for (int d = 0; d < 2; d++) {
        assert_int_equal(dialects[d](&made, sizeof made, &a, NULL), TPAD_OK);
        assert_null(tpad_translation_value(&made));
    }
    fill_arguments(&a);
    a.onnx.data.type = TPAD_ONNX_STRING;
    a.openvino.data.type = TPAD_OPENVINO_STRING;
    a.onnx.value = NULL;
    a.openvino.value = NULL;
    for (int32_t bytes = 0; bytes <= 65536; bytes += 32768)
        for (int d = 0; d < 2; d++) {
            a.onnx.string_bytes = a.openvino.string_bytes = bytes;
            assert_int_equal(dialects[d](&made, sizeof made, &a, NULL), TPAD_OK);
            assert_int_equal(made.elem_bits, 8 * (bytes ? bytes : (int)sizeof(void *)));
        }
}

/* ---- Types of OpenVINO and nGraph that the kit's files cannot hold --------------------------- */

/* u1 has its first element in the high bit, the other packed types in the low bits. */
static void packed_types(void **state)
{
    (void)state;
    static const int64_t shape[] = {2, 3}, begin[] = {0, 2}, end[] = {1, 0}, two[] = {2};
    static const struct {
        int32_t type, has_value;
        const char *mode;
        unsigned char in[3], value, out[8];
    } cases[] = {
        /* 101 011; 00101 00011 00000, with ones 11101 11011 11111, mirrored 10101 11011 10101 */
        {TPAD_OPENVINO_U1, 0, "constant", {0xAF}, 0, {0x28, 0xC0}},
        {TPAD_OPENVINO_U1, 1, "constant", {0xAF}, 0x80, {0xEE, 0xFE}},
        {TPAD_OPENVINO_U1, 0, "reflect", {0xAF}, 0, {0xAE, 0xEA}},
        /* 99123 99456 99999; without a value it is 0, which nf4 writes as 7 */
        {TPAD_OPENVINO_NF4,
         1,
         "constant",
         {0x21, 0x43, 0x65},
         0xF9,
         {0x99, 0x21, 0x93, 0x49, 0x65, 0x99, 0x99, 0x09}},
        {TPAD_OPENVINO_NF4,
         0,
         "constant",
         {0x21, 0x43, 0x65},
         0,
         {0x77, 0x21, 0x73, 0x47, 0x65, 0x77, 0x77, 0x07}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        arguments a;
        tpad_translation made;
        fill_arguments(&a);
        a.openvino.data = (tpad_openvino_tensor){cases[i].type, 2, shape, NULL};
        a.openvino_begin = (tpad_openvino_tensor){TPAD_OPENVINO_I64, 1, two, begin};
        a.openvino_end = (tpad_openvino_tensor){TPAD_OPENVINO_I64, 1, two, end};
        a.openvino_value = (tpad_openvino_tensor){cases[i].type, 0, NULL, &cases[i].value};
        if (!cases[i].has_value) a.openvino.value = NULL;
        a.openvino.mode = cases[i].mode;
        assert_int_equal(openvino(&made, sizeof made, &a, NULL), TPAD_OK);
        check_run(&made, cases[i].in, cases[i].out);
        a.openvino_value.data = NULL; /* shape inference needs no data */
        assert_int_equal(tpad_openvino_shape(&a.openvino, NULL, NULL), TPAD_OK);
    }
}

/* What is cut off an axis without elements leaves none, as where more is cut than there is. */
static void cut_empty_axes(void **state)
{
    (void)state;
    for (int64_t extent = 0; extent <= 1; extent++) {
        arguments a;
        int64_t out[3] = {-1, -1, -1};
        fill_arguments(&a);
        a.shape[1] = extent;
        a.begin[1] = -3;
        a.end[1] = 1;
        assert_int_equal(tpad_openvino_shape(&a.openvino, out, NULL), TPAD_OK);
        assert_true(out[0] == 1 && out[1] == 0 && out[2] == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_values_stay_the_callers),
        cmocka_unit_test(sizes_of_results),
        cmocka_unit_test(names_and_tables_of_onnx),
        cmocka_unit_test(names_and_tables_of_openvino),
        cmocka_unit_test(tables_of_ngraph_and_mli),
        cmocka_unit_test(attribute_values),
        cmocka_unit_test(values_and_handles),
        cmocka_unit_test(packed_types),
        cmocka_unit_test(cut_empty_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
