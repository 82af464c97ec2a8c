/* The part of `tensorpad pad` that all specifications share. SPDX-License-Identifier: MIT */
#include "spec_problem.h"

#include <stdlib.h>

#include "error_report.h"

int pad_parse_value(pad_problem *made, const pad_options *options, const tpad_tensor *like)
{
    tpad_io_error error;
    made->value_memory = calloc(1, ((size_t)like->elem_bits + 7) / 8);
    if (made->value_memory == NULL) return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    if (tpad_value_parse(made->value_memory, options->value, like, &error) == TPAD_OK)
        return EXIT_DONE;
    return report_refusal(error.code, options->in, "%s: --value: %s", options->in, error.text);
}

void pad_problem_finish(pad_problem *made, const tpad_tensor *input)
{
    tpad_translation *translation = &made->translation;
    translation->flags |= TPAD_IN_STRIDES;
    for (int32_t i = 0; i < input->rank; i++) translation->axes[i].in_stride = input->strides[i];
    made->problem = tpad_translation_problem(translation);
    made->value = tpad_translation_value(translation);
}

int pad_wrong_count(const pad_options *options, int32_t code, const char *option, int32_t got,
                    int32_t entries, const char *each)
{
    return report_refusal(code, options->in, "%s: %s has %d entries, but %d are needed: %s",
                          options->in, option, (int)got, (int)entries, each);
}

int pad_find_axis(int32_t *axis, const pad_options *options, const char *option,
                  const tpad_tensor *input, int64_t wanted, uint32_t *seen)
{
    if (wanted < -input->rank || wanted >= input->rank)
        return report_refusal(TPAD_E_SPEC_AXES, options->in,
                              "%s: %s names axis %lld, but the axes are %d to %d", options->in,
                              option, (long long)wanted, -(int)input->rank, (int)input->rank - 1);
    *axis = (int32_t)(wanted < 0 ? wanted + input->rank : wanted);
    if (*seen & (1u << *axis))
        return report_refusal(TPAD_E_SPEC_AXES, options->in,
                              "%s: %s names axis %d twice: once each is allowed", options->in,
                              option, (int)*axis);
    *seen |= 1u << *axis;
    return EXIT_DONE;
}

int pad_problem_make(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    *made = (pad_problem){0};
    return options->spec.family->make(made, options, input);
}

void pad_problem_free(pad_problem *made)
{
    free(made->value_memory);
}
