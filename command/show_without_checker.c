/* `tensorpad show` of a Pad node, in a build without the checker of models.
 * SPDX-License-Identifier: MIT */
#include "error_report.h"
#include "show.h"

#ifndef TPAD_WITH_CHECKER
int show_add_shape(void *field, const given_option *given)
{
    (void)field, (void)given;
    return report_without_checker();
}

int show_node(show_options *options, show_input *input)
{
    (void)options, (void)input;
    return report_without_checker();
}

void show_model_free(show_options *options)
{
    (void)options;
}
#endif
