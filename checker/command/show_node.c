/* `tensorpad show`: a Pad node as options of `tensorpad pad`.  SPDX-License-Identifier: MIT */
#include "command/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/error_report.h"
#include "command/output.h"
#include "command/spec_problem.h"
#include "model_options.h"
#include "models/folding/folding.h"

struct show_model {
    input_shapes shapes;
    tpad_model *read;
};

/* options->model, made where it is missing. NULL: no memory, which is reported. */
static struct show_model *model_of(struct show_model **place)
{
    if (!*place) *place = calloc(1, sizeof **place);
    if (!*place) report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    return *place;
}

int show_add_shape(void *field, const given_option *given)
{
    struct show_model *model = model_of(field);
    return model ? input_shapes_add(&model->shapes, given) : EXIT_FAILED;
}

void show_model_free(show_options *options)
{
    if (!options->model) return;
    input_shapes_free(&options->model->shapes);
    tpad_model_free(options->model->read);
    free(options->model);
}

/* Checks that everything but the value is known. */
static int check_known(const show_options *options, const tpad_pad_node *pad, int *value_known)
{
    for (int32_t i = 0; i < pad->computed_count; i++) {
        if (strstr(pad->computed[i], "value")) {
            *value_known = 0;
            continue;
        }
        return report_refusal(TPAD_E_MODEL, options->file,
                              "%s: node '%s': '%s' is computed at run time, so it cannot be drawn "
                              "yet: give --input-shape if it follows from a shape, or draw an "
                              "example with --shape and --pads",
                              options->file, tpad_pad_name(pad), pad->computed[i]);
    }
    if (pad->version > 0 && pad->mode && pad->pads_count >= 0) return EXIT_DONE;
    return report_refusal(TPAD_E_MODEL, options->file,
                          "%s: node '%s': the model does not give its %s", options->file,
                          tpad_pad_name(pad),
                          pad->version == 0 ? "opset"
                          : pad->mode       ? "pads"
                                            : "mode");
}

static int copy_list(integers *list, int32_t count, const int64_t *items)
{
    const int status = integers_make(list, count);
    for (int32_t i = 0; status == EXIT_DONE && i < count; i++) list->items[i] = items[i];
    return status;
}

/* Fills in the options of `pad` from the node. */
static int take_node(show_options *options, const tpad_pad_node *pad, int value_known)
{
    pad_options *pad_words = &options->pad;
    char text[32];
    snprintf(text, sizeof text, "%s-%d", pad->spec, (int)pad->version);
    int status = spec_parse(&pad_words->spec, text);
    pad_words->is_node = 1;
    if (status == EXIT_DONE) status = integers_make(&pad_words->modes, 1);
    if (status == EXIT_DONE) {
        pad_words->modes.items[0] = tpad_mode_from_name(pad->mode);
        if (pad_words->modes.items[0] < 0)
            status = report_refusal(
                TPAD_E_SPEC_MODE, options->file, "%s: node '%s': mode '%s' is not a mode of %s-%d",
                options->file, tpad_pad_name(pad), pad->mode, pad->spec, (int)pad->version);
    }
    if (status == EXIT_DONE) status = copy_list(&pad_words->begin, pad->pads_count, pad->begin);
    if (status == EXIT_DONE) status = copy_list(&pad_words->end, pad->pads_count, pad->end);
    if (status == EXIT_DONE && pad->axes_count >= 0)
        status = copy_list(&pad_words->axes, pad->axes_count, pad->axes);
    pad_words->value = value_known ? pad->value : NULL;
    return status;
}

/* The input's shape: that of --shape, else the model's. */
static int take_shape(const show_options *options, const tpad_pad_node *pad, show_input *input)
{
    const int64_t *shape = options->shape.given ? options->shape.items : pad->in_shape;
    const int32_t rank = options->shape.given ? options->shape.count : pad->in_rank;
    int known = rank >= 0;
    for (int32_t i = 0; i < rank; i++) known &= shape[i] >= 0;
    if (!known)
        return report_refusal(TPAD_E_MODEL, options->file,
                              "%s: node '%s': the model leaves the shape of its input open: "
                              "--shape 1,3,8,8 gives it, or --input-shape NAME=1,3,8,8 that of an "
                              "input of the model",
                              options->file, tpad_pad_name(pad));
    tpad_tensor_describe(&input->tensor, pad->type ? pad->type : TPAD_ONNX_FLOAT, rank, shape);
    return EXIT_DONE;
}

int show_node(show_options *options, show_input *input)
{
    struct show_model *model = model_of(&options->model);
    tpad_io_error error;
    const tpad_pad_node *pad = NULL;
    int value_known = 1;
    if (!model) return EXIT_FAILED;
    if (tpad_model_load_shaped(&model->read, options->file, model->shapes.items,
                               model->shapes.count, &error) != TPAD_OK ||
        tpad_model_find_pad(model->read, options->node, &pad, &error) != TPAD_OK)
        return report_io(&error, options->file, NULL);
    int status = check_known(options, pad, &value_known);
    if (status == EXIT_DONE) status = take_node(options, pad, value_known);
    if (status == EXIT_DONE) status = take_shape(options, pad, input);
    if (status != EXIT_DONE) return status;
    picture_text_add(input->heading, sizeof input->heading, tpad_pad_name(pad));
    if (!value_known) input->fill = "?";
    return EXIT_DONE;
}
