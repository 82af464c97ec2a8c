/* What the rules of ONNX Runtime share.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_RUNTIMES_ONNXRUNTIME_RULES_H
#define TENSORPAD_RUNTIMES_ONNXRUNTIME_RULES_H

#include "rule.h"

enum {
    V1_17 = VERSION(1, 17),
    V1_20 = VERSION(1, 20),
    V1_23 = VERSION(1, 23),
    V1_30 = VERSION(1, 30),
    V1_31 = VERSION(1, 31)
};

/* onnxruntime_neighbours.c */
condition ort_reader_takes_the_pads, ort_images_grow, ort_max_pool_is_behind,
    ort_average_pool_is_behind, ort_pool_counts_no_pads, ort_pool_is_too_narrow, ort_pool_is_behind,
    ort_channels_stay, ort_conv_or_pool_is_behind, ort_cast_has_no_rank, ort_data_is_returned,
    ort_window_is_left_out, ort_average_counts_other_cells, ort_data_may_be_negative,
    ort_transposes_are_around, ort_axes_are_fewer_than_rank, ort_pads_go_to_other_axes;

#endif
