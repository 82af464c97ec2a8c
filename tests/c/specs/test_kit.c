/* The kit's cases through the C interface of src/specs. SPDX-License-Identifier: MIT
 *
 *     test_kit FILE       FILE: from kit_calls.py, which describes it
 *
 * Type, shape and bits of the output are those of the case. What a specification forbids is
 * rejected by translation and by shape inference, with one status and a whole line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>
#include <tensorpad/mli.h>
#include <tensorpad/ngraph.h>
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>

#include "../../support/expect.h"

enum { WORDS = 12, STRING_BYTES = 8 };

/* A tensor of the file. Its data has exactly the bytes that it needs. */
typedef struct tensor {
    int32_t type, rank; /* the type's number in ONNX */
    int64_t shape[TPAD_MAX_RANK];
    unsigned char *data;
    size_t bytes;
    tpad_onnx_tensor onnx;
    tpad_openvino_tensor openvino;
    tpad_ngraph_tensor ngraph;
} tensor;

/* The words of a case's line, and the tensors that were read from them. */
typedef struct call {
    char *words[WORDS];
    int count, used;
    tensor tensors[WORDS];
} call;

/* What follows KEY=, or NULL. */
static char *text_of(const call *c, const char *key)
{
    const size_t length = strlen(key);
    for (int i = 2; i < c->count; i++)
        if (strncmp(c->words[i], key, length) == 0 && c->words[i][length] == '=')
            return c->words[i] + length + 1;
    return NULL;
}

static int32_t openvino_type(int32_t type)
{
    switch (type) {
#define SAME(openvino, onnx)                                                                       \
    case TPAD_ONNX_##onnx:                                                                         \
        return TPAD_OPENVINO_##openvino;
        TPAD_OPENVINO_ONNX_MAP(SAME)
#undef SAME
    default:
        return 0;
    }
}

/* The bytes of a file are those of a machine with the low byte first. A complex number is two. */
static void to_native_order(tensor *t)
{
    const uint16_t probe = 1;
    size_t size = (size_t)tpad_onnx_type_bits(t->type) / 8;
    if (t->type == TPAD_ONNX_STRING) size = STRING_BYTES;
    if (t->type == TPAD_ONNX_COMPLEX64 || t->type == TPAD_ONNX_COMPLEX128) size /= 2;
    if (*(const unsigned char *)&probe || size < 2) return;
    for (size_t i = 0; i < t->bytes; i++) {
        const size_t mirrored = i / size * size + size - 1 - i % size;
        const unsigned char byte = t->data[i];
        if (mirrored <= i) continue;
        t->data[i] = t->data[mirrored];
        t->data[mirrored] = byte;
    }
}

/* Reads the tensor of that key, once; NULL if there is none. */
static tensor *tensor_of(call *c, const char *key)
{
    char *at = text_of(c, key), *word = at;
    if (!at) return NULL;
    tensor *t = &c->tensors[c->used++];
    at = strchr(at, ':');
    *at++ = '\0';
    for (; *at != ':'; at += *at == ',') t->shape[t->rank++] = strtoll(at, &at, 10);
    at++;
    t->bytes = strlen(at) / 2;
    t->data = malloc(t->bytes);
    for (size_t i = 0; i < t->bytes; i++) {
        const char byte[3] = {at[2 * i], at[2 * i + 1]};
        t->data[i] = (unsigned char)strtoul(byte, NULL, 16);
    }
    t->type = tpad_onnx_type_from_name(word);
    assert_int_not_equal(t->type, 0);
    to_native_order(t);
    t->onnx = (tpad_onnx_tensor){t->type, t->rank, t->shape, t->data};
    t->openvino = (tpad_openvino_tensor){openvino_type(t->type), t->rank, t->shape, t->data};
    t->ngraph = (tpad_ngraph_tensor){t->type, t->rank, t->shape, t->data};
    return t;
}

/* Numbers of int64, and how many. */
static const int64_t *numbers_of(call *c, const char *key, int32_t *count)
{
    const tensor *t = tensor_of(c, key);
    *count = t ? (int32_t)(t->bytes / sizeof(int64_t)) : 0;
    return t ? (const int64_t *)(const void *)t->data : NULL;
}

#define GIVEN(key, form) ((t = tensor_of(c, key)) ? &t->form : NULL)

/* A call of both functions of a specification, which must have one status. */
typedef int32_t translator(call *c, const tensor *data, tpad_translation *made, int64_t *extents,
                           tpad_error *error);

static int32_t onnx(call *c, const tensor *data, tpad_translation *made, int64_t *extents,
                    tpad_error *error)
{
    const tensor *t;
    tpad_onnx_pad pad = {.struct_size = sizeof pad, .string_bytes = STRING_BYTES};
    pad.opset = atoi(text_of(c, "opset"));
    pad.mode = text_of(c, "mode");
    pad.data = data->onnx;
    pad.data.data = NULL;
    pad.pads = GIVEN("pads", onnx);
    pad.value = GIVEN("constant_value", onnx);
    pad.axes = GIVEN("axes", onnx);
    pad.attribute_pads = numbers_of(c, "attribute_pads", &pad.attribute_pads_count);
    pad.attribute_paddings = numbers_of(c, "attribute_paddings", &pad.attribute_paddings_count);
    t = tensor_of(c, "attribute_value");
    if (t) pad.attribute_value = (const float *)(const void *)t->data;
    const int32_t status = tpad_onnx_translate(made, sizeof *made, &pad, error);
    assert_int_equal(tpad_onnx_shape(&pad, extents, NULL), status);
    return status;
}

static int32_t openvino(call *c, const tensor *data, tpad_translation *made, int64_t *extents,
                        tpad_error *error)
{
    const tensor *t;
    tpad_openvino_pad pad = {.struct_size = sizeof pad, .string_bytes = STRING_BYTES};
    pad.opset = atoi(text_of(c, "opset"));
    pad.mode = text_of(c, "mode");
    pad.data = data->openvino;
    pad.data.data = NULL;
    pad.begin = GIVEN("pads_begin", openvino);
    pad.end = GIVEN("pads_end", openvino);
    pad.value = GIVEN("pad_value", openvino);
    const int32_t status = tpad_openvino_translate(made, sizeof *made, &pad, error);
    assert_int_equal(tpad_openvino_shape(&pad, extents, NULL), status);
    return status;
}

static int32_t ngraph(call *c, const tensor *data, tpad_translation *made, int64_t *extents,
                      tpad_error *error)
{
    const tensor *t;
    tpad_ngraph_pad pad = {.struct_size = sizeof pad};
    pad.pad_mode = text_of(c, "mode");
    pad.arg = data->ngraph;
    pad.arg.data = NULL;
    pad.elem_bits = tpad_onnx_type_bits(pad.arg.type);
    if (pad.arg.type == TPAD_ONNX_STRING) pad.elem_bits = 8 * STRING_BYTES;
    pad.arg_pad_value = GIVEN("arg_pad_value", ngraph);
    pad.padding_below = numbers_of(c, "padding_below", &pad.padding_below_count);
    pad.padding_above = numbers_of(c, "padding_above", &pad.padding_above_count);
    pad.padding_interior = numbers_of(c, "padding_interior", &pad.padding_interior_count);
    const int32_t status = tpad_ngraph_translate(made, sizeof *made, &pad, error);
    assert_int_equal(tpad_ngraph_shape(&pad, extents, NULL), status);
    return status;
}

static int32_t mli(call *c, const tensor *data, tpad_translation *made, int64_t *extents,
                   tpad_error *error)
{
    int32_t count, type = data->type == TPAD_ONNX_INT8    ? TPAD_MLI_FX8
                          : data->type == TPAD_ONNX_INT16 ? TPAD_MLI_FX16
                                                          : -1;
    const int64_t *sides = numbers_of(c, "sides", &count);
    tpad_mli_padding2d pad = {.struct_size = sizeof pad,
                              .layout = strcmp(text_of(c, "layout"), "hwc") == 0,
                              .type = type,
                              .rank = data->rank,
                              .shape = data->shape};
    int64_t *const places[] = {&pad.top, &pad.bottom, &pad.left, &pad.right};
    for (int32_t i = 0; i < count; i++) *places[i] = sides[i];
    const int32_t status = tpad_mli_translate(made, sizeof *made, &pad, error);
    assert_int_equal(tpad_mli_shape(&pad, extents, NULL), status);
    return status;
}

static void check(call *c, translator *translate)
{
    const tensor *data = tensor_of(c, "data"), *expected = tensor_of(c, "out");
    tpad_translation made;
    tpad_plan plan;
    tpad_error error;
    int64_t extents[TPAD_MAX_RANK], bytes;
    const int32_t status = translate(c, data, &made, extents, &error);
    if (!expected) {
        assert_int_not_equal(status, TPAD_OK);
        assert_int_equal(error.code, status);
        assert_whole_line(&error, 0);
        return;
    }
    assert_int_equal(status, TPAD_OK);
    const tpad_problem problem = tpad_translation_problem(&made);
    assert_int_equal(made.rank, expected->rank);
    for (int32_t i = 0; i < made.rank; i++) assert_int_equal(extents[i], expected->shape[i]);
    assert_int_equal(tpad_shape(&problem, NULL, NULL, &bytes, NULL), TPAD_OK);
    assert_int_equal(bytes, expected->bytes);
    unsigned char *out = malloc(expected->bytes);
    memset(out, 0xA5, expected->bytes);
    assert_int_equal(tpad_plan_init(&plan, sizeof plan, &problem, NULL), TPAD_OK);
    assert_int_equal(tpad_run(&plan, data->data, out, tpad_translation_value(&made)), TPAD_OK);
    assert_memory_equal(out, expected->data, expected->bytes);
    free(out);
}

/* ---- The file -------------------------------------------------------------------------------- */

typedef struct spec {
    const char *name;
    translator *translate;
    int least; /* cases in the file */
} spec;

static spec specs[] = {
    {"onnx", onnx, 2500}, {"openvino", openvino, 500}, {"ngraph", ngraph, 200}, {"mli", mli, 140}};

static const char *file;
static char current[128]; /* the case that runs; empty after the last */

static void cases(void **state)
{
    const spec *s = *state;
    FILE *from = fopen(file, "r");
    char *line = NULL;
    size_t room = 0;
    int count = 0;
    assert_non_null(from);
    while (getline(&line, &room, from) > 0) {
        call c = {.count = 0};
        line[strcspn(line, "\n")] = '\0';
        for (char *at = line; at; at = strchr(at, '\t')) {
            if (c.count > 0) *at++ = '\0';
            assert_true(c.count < WORDS);
            c.words[c.count++] = at;
        }
        if (strcmp(c.words[0], s->name) != 0) continue;
        snprintf(current, sizeof current, "%s", c.words[1]);
        check(&c, s->translate);
        for (int i = 0; i < c.used; i++) free(c.tensors[i].data);
        count++;
    }
    current[0] = '\0';
    free(line);
    fclose(from);
    assert_true(count >= s->least);
}

static int say_case(void **state)
{
    (void)state;
    if (current[0]) print_error("the case is %s\n", current);
    return 0;
}

#define CASES(i) {specs[i].name, cases, NULL, say_case, &specs[i]}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {CASES(0), CASES(1), CASES(2), CASES(3)};
    if (argc != 2) return 2;
    file = argv[1];
    if (access(file, R_OK) != 0) {
        printf("skipped: there is no %s; with build/venv a build writes it\n", file);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
