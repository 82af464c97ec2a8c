/* A Pad node of a model as a picture, without a word about what cannot be drawn.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "check_results.h"
#include "drawing/drawing.h"
#include "picture_file.h"
#include "show_request.h"
#include "spec_choice.h"
#include "spec_option.h"

/* 1 if everything that the picture shows is known, and the document allows it. */
static int is_known(const tpad_pad_node *pad, const tpad_rules_facts *facts)
{
    if (facts->document != TPAD_RULES_ANSWERS || pad->computed_count > 0 || pad->version <= 0 ||
        !pad->mode || tpad_mode_from_name(pad->mode) < 0 || pad->pads_count < 0 ||
        pad->in_rank < 0 || pad->in_rank > TPAD_MAX_RANK)
        return 0;
    for (int32_t axis = 0; axis < pad->in_rank; axis++)
        if (pad->in_shape[axis] < 0) return 0;
    return 1;
}

static int32_t draw(char **svg, const pad_problem *made, const tpad_pad_node *pad, const spec *of)
{
    char fill[64] = "", heading[512] = "";
    tpad_shown *shown = NULL;
    tpad_drawing *drawing = NULL;
    tpad_written written;
    tpad_error error;
    picture_text_add(fill, sizeof fill, pad->value ? pad->value : "0");
    picture_text_add(heading, sizeof heading, tpad_pad_name(pad));
    show_spec_add(heading, sizeof heading, of);
    const tpad_shown_words words = {heading, fill, NULL, NULL, made->fill_axis};
    int32_t status = tpad_shown_make(&shown, &made->problem, &words, &error);
    if (!status) status = tpad_shown_draw(shown, &drawing);
    if (!status) status = tpad_drawing_svg(drawing, &written);
    if (!status) *svg = written.bytes;
    tpad_drawing_free(drawing);
    tpad_shown_free(shown);
    return status;
}

int32_t check_picture(char **svg, const tpad_pad_node *pad, const tpad_rules_facts *facts)
{
    *svg = NULL;
    if (!is_known(pad, facts)) return TPAD_OK;
    const size_t count = (size_t)pad->pads_count;
    int64_t *pads = malloc((2 * count + 1) * sizeof *pads);
    int64_t mode = tpad_mode_from_name(pad->mode);
    char text[32];
    pad_options words = {.command = "check", .is_node = 1, .value = pad->value};
    pad_problem made;
    tpad_tensor input;
    if (!pads) return TPAD_E_MEMORY;
    memcpy(pads, pad->begin, count * sizeof *pads);
    memcpy(pads + count, pad->end, count * sizeof *pads);
    snprintf(text, sizeof text, "%s-%d", pad->spec, (int)pad->version);
    spec_parse(&words.spec, text);
    words.modes = (integers){&mode, 1, 1};
    words.pads = (integers){pads, 2 * pad->pads_count, 1};
    if (pad->axes_count >= 0)
        words.axes = (integers){(int64_t *)(uintptr_t)pad->axes, pad->axes_count, 1};
    tpad_tensor_describe(&input, pad->type ? pad->type : TPAD_ONNX_FLOAT, pad->in_rank,
                         pad->in_shape);
    int32_t status = pad_problem_try(&made, &words, &input);
    if (!status) status = draw(svg, &made, pad, &words.spec);
    pad_problem_free(&made);
    free(pads);
    return status == TPAD_E_MEMORY ? status : TPAD_OK;
}
