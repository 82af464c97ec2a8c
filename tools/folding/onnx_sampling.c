/* The shapes of ONNX's operators that sample images.  SPDX-License-Identifier: MIT
 *
 * Resize and its like, grids, regions, blocks. */
#include "onnx_layers.h"

/* The factors of every axis, from an input or the attribute of Upsample 7. */
static int32_t take_scales(tpad_fold *fold, int32_t input, double *scales)
{
    const tpad_inferred in = tpad_fold_value(fold, input);
    const int64_t count = tpad_inferred_count(&in);
    if (input == 0) return tpad_fold_reals(fold, "scales", scales);
    if (!in.elements || in.rank != 1 || count > FOLD_LIST || !tpad_type_is_real(in.type)) return -1;
    for (int64_t i = 0; i < count; i++) {
        if (!tpad_inferred_at(&in, i).known) return -1;
        scales[i] = tpad_inferred_at(&in, i).real;
    }
    return (int32_t)count;
}

/* upsample: 1 for Upsample, 0 for Resize. Sizes of Resize are the output's extents; scales are
 * factors. */
void tpad_onnx_resize(tpad_fold *fold, int32_t upsample)
{
    tpad_fold_list sizes, axes;
    double scales[FOLD_LIST];
    tpad_inferred out = tpad_fold_in(fold, 0);
    const int32_t newer = !upsample && fold->opset >= 11;
    const int32_t some = newer && tpad_fold_list_attribute(&axes, fold, "axes");
    const int32_t by_size = newer && tpad_fold_list_in(&sizes, fold, 3);
    const int32_t stretch =
        tpad_fold_word(fold, "keep_aspect_ratio_policy", "stretch", 1) &&
        !tpad_fold_word(fold, "coordinate_transformation_mode", "tf_crop_and_resize", 0);
    const int32_t scale_input = newer ? 2 : upsample && fold->opset < 9 ? 0 : 1;
    if (out.rank < 0) return;
    const int32_t wanted = some ? axes.count : out.rank;
    const int32_t count = by_size ? sizes.count : take_scales(fold, scale_input, scales);
    const int32_t sure = stretch && count == wanted;
    for (int32_t i = 0; i < out.rank && !sure; i++) out.shape[i] = -1;
    for (int32_t i = 0; i < wanted && sure; i++) {
        const int32_t at = some ? tpad_axis_from_front(axes.items[i], out.rank) : i;
        if (at < 0) return;
        out.shape[at] = !by_size         ? tpad_fold_scale(out.shape[at], scales[i])
                        : sizes.known[i] ? sizes.items[i]
                                         : -1;
    }
    tpad_fold_give(fold, 0, &out);
}

/* to_space: 1 moves channels to space, 0 space to channels. */
void tpad_onnx_blocks(tpad_fold *fold, int32_t to_space)
{
    tpad_inferred out = tpad_fold_in(fold, 0);
    const int64_t block = tpad_fold_int(fold, "blocksize", 0);
    if (out.rank != 4 || block < 1 || block > 1 << 15) return;
    for (int32_t i = 1; i < 4; i++) {
        const int64_t factor = i == 1 ? block * block : block;
        int64_t extent = out.shape[i];
        const int32_t divide = (i == 1) == to_space;
        if (extent < 0 || (divide && extent % factor != 0) ||
            (!divide && __builtin_mul_overflow(extent, factor, &extent)))
            extent = -1;
        out.shape[i] = divide && extent >= 0 ? extent / factor : extent;
    }
    tpad_fold_give(fold, 0, &out);
}

/* The grid [N, H, W, 2], or [N, D, H, W, 3], says where each cell comes from. */
void tpad_onnx_grid_sample(tpad_fold *fold, int32_t argument)
{
    const tpad_inferred in = tpad_fold_in(fold, 0), grid = tpad_fold_in(fold, 1);
    tpad_inferred out = in;
    (void)argument;
    if (in.rank < 3 || grid.rank != in.rank) out.rank = -1;
    for (int32_t i = 2; i < out.rank; i++) out.shape[i] = grid.shape[i - 1];
    tpad_fold_give(fold, 0, &out);
}

/* Sizes [N, C, H, W] make a grid [N, H, W, 2]; with one axis more, [N, D, H, W, 3]. */
void tpad_onnx_affine_grid(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list sizes;
    tpad_inferred out = tpad_inferred_none(tpad_fold_in(fold, 0).type);
    (void)argument;
    tpad_fold_list_in(&sizes, fold, 1);
    if (sizes.count == 4 || sizes.count == 5) {
        out.rank = sizes.count;
        for (int32_t i = 0; i < out.rank - 1; i++) {
            const int32_t from = i == 0 ? 0 : i + 1;
            out.shape[i] = sizes.known[from] && sizes.items[from] >= 0 ? sizes.items[from] : -1;
        }
        out.shape[out.rank - 1] = out.rank - 2;
    }
    tpad_fold_give(fold, 0, &out);
}

/* An image of that size for each region. */
static void give_regions(tpad_fold *fold, int64_t rows, int64_t columns)
{
    const tpad_inferred in = tpad_fold_in(fold, 0), regions = tpad_fold_in(fold, 1);
    const tpad_inferred out = {.type = in.type,
                               .rank = 4,
                               .shape = {regions.rank == 2 ? regions.shape[0] : -1,
                                         in.rank == 4 ? in.shape[1] : -1, rows, columns}};
    tpad_fold_give(fold, 0, &out);
}

void tpad_onnx_roi_align(tpad_fold *fold, int32_t argument)
{
    (void)argument;
    give_regions(fold, tpad_fold_int(fold, "output_height", 1),
                 tpad_fold_int(fold, "output_width", 1));
}

void tpad_onnx_roi_pool(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list size;
    (void)argument;
    if (tpad_fold_list_attribute(&size, fold, "pooled_shape") && size.count == 2)
        give_regions(fold, size.items[0], size.items[1]);
}

/* [N, C * cells of a block, blocks] becomes [N, C, the image]. */
void tpad_onnx_col2im(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list image, block;
    const tpad_inferred in = tpad_fold_in(fold, 0);
    tpad_inferred out = tpad_inferred_none(in.type);
    int64_t cells = 1;
    (void)argument;
    tpad_fold_list_in(&image, fold, 1);
    tpad_fold_list_in(&block, fold, 2);
    if (in.rank == 3 && image.count >= 0 && image.count + 2 <= TPAD_MAX_RANK) {
        out.rank = image.count + 2;
        out.shape[0] = in.shape[0];
        for (int32_t i = 0; i < block.count; i++)
            if (!block.known[i] || block.items[i] < 1 ||
                __builtin_mul_overflow(cells, block.items[i], &cells))
                cells = -1;
        out.shape[1] = tpad_fold_list_complete(&block) && cells > 0 && in.shape[1] >= 0 &&
                               in.shape[1] % cells == 0
                           ? in.shape[1] / cells
                           : -1;
        for (int32_t i = 0; i < image.count; i++)
            out.shape[i + 2] = image.known[i] && image.items[i] >= 0 ? image.items[i] : -1;
    }
    tpad_fold_give(fold, 0, &out);
}

void tpad_onnx_center_crop_pad(tpad_fold *fold, int32_t argument)
{
    tpad_fold_list shape, axes;
    tpad_inferred out = tpad_fold_in(fold, 0);
    const int32_t some = tpad_fold_list_attribute(&axes, fold, "axes");
    (void)argument;
    tpad_fold_list_in(&shape, fold, 1);
    if (out.rank < 0) return;
    const int32_t wanted = some ? axes.count : out.rank;
    for (int32_t i = 0; i < out.rank && shape.count != wanted; i++) out.shape[i] = -1;
    for (int32_t i = 0; i < wanted && shape.count == wanted; i++) {
        const int32_t at = some ? tpad_axis_from_front(axes.items[i], out.rank) : i;
        if (at < 0) return;
        out.shape[at] = shape.known[i] && shape.items[i] >= 0 ? shape.items[i] : -1;
    }
    tpad_fold_give(fold, 0, &out);
}
