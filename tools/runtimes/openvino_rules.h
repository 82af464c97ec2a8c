/* What the rules of OpenVINO share.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_RUNTIMES_OPENVINO_RULES_H
#define TENSORPAD_RUNTIMES_OPENVINO_RULES_H

#include "rule.h"

enum { V2024_6 = VERSION(2024, 6), V2025_4 = VERSION(2025, 4), V2026_4 = VERSION(2026, 4) };

/* openvino_amounts.c */

int32_t ov_is_known_to_it(int32_t given);
/* Whether it knows extent and amounts of the axis when it loads the model. */
int32_t ov_is_known_when_loaded(const question *q, const tpad_rules_axis *axis);
int32_t ov_is_checked(const question *q, const tpad_rules_axis *axis);

condition ov_reflects_too_far_when_loaded, ov_reflects_too_far_when_run,
    ov_axes_are_fewer_than_rank, ov_count_of_pads_is_seen, ov_axes_are_in_another_order,
    ov_an_axis_is_empty_when_loaded, ov_an_axis_is_empty, ov_known_axes_are_empty,
    ov_empty_pads_are_seen, ov_one_side_is_cut_deeper, ov_an_extent_falls_below_zero,
    ov_cuts_after_the_mirror;

/* openvino_windows.c */
condition ov_window_takes_the_pads, ov_window_loses_its_own, ov_average_reaches_beyond;

#endif
