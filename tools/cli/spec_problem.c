/* The part of `tensorpad pad` that all specifications share. SPDX-License-Identifier: MIT */
#include "spec_problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *pad_subject(const pad_options *options)
{
    return options->in ? options->in : options->command;
}

int pad_is_picture(const pad_options *options)
{
    const char *ending = options->in ? strrchr(options->in, '.') : NULL;
    return ending && strcmp(ending, ".png") == 0;
}

int32_t pad_refuse(pad_problem *made, int32_t code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(made->reason, sizeof made->reason, format, list);
    va_end(list);
    made->error = (tpad_error){.code = code, .axis = -1};
    return code;
}

int32_t pad_refuse_core(pad_problem *made, const tpad_error *error)
{
    tpad_error_format(error, made->reason, sizeof made->reason);
    made->error = *error;
    return error->code;
}

int32_t pad_parse_value(pad_problem *made, const pad_options *options, const tpad_tensor *like)
{
    tpad_io_error error;
    made->value_memory = calloc(1, ((size_t)like->elem_bits + 7) / 8);
    if (made->value_memory == NULL) return pad_refuse(made, TPAD_E_MEMORY, "out of memory");
    if (tpad_value_parse(made->value_memory, options->value, like, &error) == TPAD_OK)
        return TPAD_OK;
    return pad_refuse(made, error.code, "--value: %s", error.text);
}

void pad_problem_finish(pad_problem *made, const tpad_tensor *input)
{
    tpad_translation *translation = &made->translation;
    translation->flags |= TPAD_IN_STRIDES;
    for (int32_t i = 0; i < input->rank; i++) translation->axes[i].in_stride = input->strides[i];
    made->problem = tpad_translation_problem(translation);
    made->fill_axis = -1;
    made->fill = (tpad_fill){sizeof made->fill, tpad_translation_value(translation), NULL};
}

int32_t pad_wrong_count(pad_problem *made, int32_t code, const char *option, int32_t got,
                        int32_t entries, const char *each)
{
    return pad_refuse(made, code, "%s has %d entries, but %d are needed: %s", option, (int)got,
                      (int)entries, each);
}

int32_t pad_find_axis(int32_t *axis, pad_problem *made, const char *option,
                      const tpad_tensor *input, int64_t wanted, uint32_t *seen)
{
    if (wanted < -input->rank || wanted >= input->rank)
        return pad_refuse(made, TPAD_E_SPEC_AXES, "%s names axis %lld, but the axes are %d to %d",
                          option, (long long)wanted, -(int)input->rank, (int)input->rank - 1);
    *axis = (int32_t)(wanted < 0 ? wanted + input->rank : wanted);
    if (*seen & (1u << *axis))
        return pad_refuse(made, TPAD_E_SPEC_AXES,
                          "%s names axis %d twice: each axis may be named once", option,
                          (int)*axis);
    *seen |= 1u << *axis;
    return TPAD_OK;
}

void pad_problem_free(pad_problem *made)
{
    free(made->value_memory);
}
