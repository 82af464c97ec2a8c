/* The words of `tensorpad pad`, applied to an array.  SPDX-License-Identifier: MIT */
#include "pad_problem.h"

#include <stdlib.h>
#include <string.h>

#include "report.h"

/* ---- The pad value --------------------------------------------------------------------------- */

/* made->value_memory becomes one element of like's type. */
static int parse_value(pad_problem *made, const pad_options *options, const tpad_tensor *like)
{
    tpad_io_error error;
    made->value_memory = calloc(1, ((size_t)like->elem_bits + 7) / 8);
    if (made->value_memory == NULL) return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    if (tpad_value_parse(made->value_memory, options->value, like, &error) == TPAD_OK)
        return EXIT_DONE;
    return report_refusal(error.code, options->in, "%s: --value: %s", options->in, error.text);
}

/* ---- ONNX ------------------------------------------------------------------------------------ */

static void reverse_bytes(unsigned char *bytes, int32_t count)
{
    for (int32_t i = 0; i < count / 2; i++) {
        unsigned char byte = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = byte;
    }
}

static int make_onnx(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    const tpad_onnx_version *version = tpad_onnx_version_for(options->opset);
    const int64_t pads_count = options->pads.count, axes_count = options->axes.count;
    const tpad_onnx_tensor pads = {TPAD_ONNX_INT64, 1, &pads_count, options->pads.items};
    const tpad_onnx_tensor axes = {TPAD_ONNX_INT64, 1, &axes_count, options->axes.items};
    tpad_onnx_tensor value = {input->type, 0, NULL, NULL};
    tpad_error error;
    int by_attributes = version->pads_attribute != NULL;
    int status = EXIT_DONE;

    if (input->type == 0)
        return report_refusal(TPAD_E_SPEC_TYPE, options->in,
                              "%s: elements of type '%s' do not exist in ONNX: --spec plain pads "
                              "any type, --dtype names what raw bytes are",
                              options->in, tpad_tensor_type_text(input));
    tpad_onnx_pad pad = {
        .struct_size = sizeof pad,
        .opset = options->opset,
        .flags = options->lenient ? TPAD_ONNX_LENIENT : 0,
        .data = {input->type, input->rank, input->shape, NULL},
        .axes = options->axes.given ? &axes : NULL,
        .string_bytes = sizeof(tpad_string),
    };
    if (options->modes.given) pad.mode = tpad_mode_name((int32_t)options->modes.items[0]);
    if (options->value) {
        tpad_tensor like = *input;
        if (by_attributes) tpad_tensor_describe(&like, TPAD_ONNX_FLOAT, 0, NULL);
        status = parse_value(made, options, &like);
        if (status != EXIT_DONE) return status;
    }
    value.data = made->value_memory;
    if (!by_attributes) {
        pad.pads = &pads;
        if (options->value) pad.value = &value;
    } else {
        pad.attribute_value = made->value_memory;
        if (strcmp(version->pads_attribute, "paddings") == 0) {
            pad.attribute_paddings = options->pads.items;
            pad.attribute_paddings_count = options->pads.count;
        } else {
            pad.attribute_pads = options->pads.items;
            pad.attribute_pads_count = options->pads.count;
        }
    }
    if (tpad_onnx_translate(&made->onnx, &pad, &error) != TPAD_OK)
        return report_core(&error, options->in);

    made->problem = made->onnx.problem;
    made->problem.flags &= ~TPAD_DENSE_IN;
    for (int32_t i = 0; i < input->rank; i++) made->onnx.axes[i].in_stride = input->strides[i];
    made->value = made->onnx.value;
    /* A value given as a tensor was parsed in the file's byte order; the dialect made this one. */
    if (made->value == made->onnx.fill && input->big_endian)
        reverse_bytes(made->onnx.fill, input->elem_bits / 8);
    return EXIT_DONE;
}

/* ---- Plain ----------------------------------------------------------------------------------- */

static int wrong_count(const pad_options *options, int32_t code, const char *option, int32_t got,
                       int32_t entries, const char *each)
{
    return report_refusal(code, options->in, "%s: %s has %d entries, but %d are needed: %s",
                          options->in, option, (int)got, (int)entries, each);
}

static int check_counts(const pad_options *options, const tpad_tensor *input, int32_t entries)
{
    const char *each = options->axes.given ? "one for each of --axes" : "one for each axis";
    if (options->axes.count > input->rank)
        return report_refusal(TPAD_E_SPEC_AXES, options->in,
                              "%s: --axes has %d entries, but there are only %d axes", options->in,
                              (int)options->axes.count, (int)input->rank);
    if (options->begin.given && options->begin.count != entries)
        return wrong_count(options, TPAD_E_SPEC_PADS, "--begin", options->begin.count, entries,
                           each);
    if (options->end.given && options->end.count != entries)
        return wrong_count(options, TPAD_E_SPEC_PADS, "--end", options->end.count, entries, each);
    if (options->pads.given && options->pads.count != 2 * entries)
        return wrong_count(options, TPAD_E_SPEC_PADS, "--pads", options->pads.count, 2 * entries,
                           options->axes.given ? "two for each of --axes" : "two for each axis");
    if (options->interior.given && options->interior.count != entries)
        return wrong_count(options, TPAD_E_INTERIOR, "--interior", options->interior.count, entries,
                           each);
    if (options->modes.count > 1 && options->modes.count != entries)
        return wrong_count(options, TPAD_E_MODE, "--mode", options->modes.count, entries, each);
    return EXIT_DONE;
}

/* The axis that entry k of the lists speaks of. */
static int find_axis(int32_t *axis, const pad_options *options, const tpad_tensor *input, int32_t k,
                     uint32_t *seen)
{
    int64_t wanted = options->axes.given ? options->axes.items[k] : k;
    if (wanted < -input->rank || wanted >= input->rank)
        return report_refusal(TPAD_E_SPEC_AXES, options->in,
                              "%s: --axes names axis %lld, but the axes are %d to %d", options->in,
                              (long long)wanted, -(int)input->rank, (int)input->rank - 1);
    *axis = (int32_t)(wanted < 0 ? wanted + input->rank : wanted);
    if (*seen & (1u << *axis))
        return report_refusal(TPAD_E_SPEC_AXES, options->in,
                              "%s: --axes names axis %d twice: once each is allowed", options->in,
                              (int)*axis);
    *seen |= 1u << *axis;
    return EXIT_DONE;
}

static int make_plain(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    const int32_t entries = options->axes.given ? options->axes.count : input->rank;
    uint32_t seen = 0;
    int status = check_counts(options, input, entries);

    for (int32_t i = 0; i < input->rank; i++)
        made->axes[i] = (tpad_axis){
            .in_extent = input->shape[i], .in_stride = input->strides[i], .order = options->order};
    for (int32_t k = 0; status == EXIT_DONE && k < entries; k++) {
        int32_t at = 0;
        status = find_axis(&at, options, input, k, &seen);
        if (status != EXIT_DONE) break;
        tpad_axis *axis = &made->axes[at];
        if (options->pads.given) {
            axis->before = options->pads.items[k];
            axis->after = options->pads.items[entries + k];
        }
        if (options->interior.given) axis->interior = options->interior.items[k];
        if (options->modes.given)
            axis->mode = (int32_t)options->modes.items[options->modes.count > 1 ? k : 0];
    }
    if (status == EXIT_DONE && options->value) status = parse_value(made, options, input);
    made->problem = (tpad_problem)TPAD_PROBLEM(input->elem_bits, input->rank, made->axes);
    made->problem.flags = TPAD_DENSE_OUT;
    made->value = made->value_memory;
    return status;
}

int pad_problem_make(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    *made = (pad_problem){0};
    return options->opset ? make_onnx(made, options, input) : make_plain(made, options, input);
}

void pad_problem_free(pad_problem *made)
{
    free(made->value_memory);
}
