/* Instructions of pads on an emulated Cortex-M4 beside CMSIS-NN's arm_pad_s8.  SPDX-License-Identifier: MIT
 *
 * For int8, constant. Prints a row a tensor: CMSIS-NN's own function, tpad_arm_pad_s8, making a plan of the
 * small build and running it. Every output is compared with one that is computed cell by cell. */
#include <stddef.h>
#include <stdint.h>

#include "../src/firmware/cmsis_nn_pad.h"
#include <tensorpad/tensorpad.h>

void board_print(const char *text);
void board_print_number(uint32_t number);
uint32_t board_instructions(void);

arm_cmsis_nn_status arm_pad_s8(const int8_t *input, int8_t *output, const int8_t pad_value,
                               const cmsis_nn_dims *input_size, const cmsis_nn_dims *pre_pad,
                               const cmsis_nn_dims *post_pad);

enum { IN_BYTES = 20000, OUT_BYTES = 24000, VALUE = -5 };
static int8_t in[IN_BYTES], wanted[OUT_BYTES], out[OUT_BYTES];

static const struct {
    const char *name;
    cmsis_nn_dims size, pre, post;
} tensors[] = {
    {"49x10x1, 4 and 5 rows, 1 column", {1, 49, 10, 1}, {0, 4, 1, 0}, {0, 5, 1, 0}},
    {"96x96x1, 1 around", {1, 96, 96, 1}, {0, 1, 1, 0}, {0, 1, 1, 0}},
    {"48x48x8, 1 around", {1, 48, 48, 8}, {0, 1, 1, 0}, {0, 1, 1, 0}},
    {"7x7x64, 1 around", {1, 7, 7, 64}, {0, 1, 1, 0}, {0, 1, 1, 0}},
    {"128x1x8, causal, 2", {1, 128, 1, 8}, {0, 2, 0, 0}, {0, 0, 0, 0}},
    {"16x16x3 to 4 channels", {1, 16, 16, 3}, {0, 0, 0, 0}, {0, 0, 0, 1}},
    {"2x8x8x8, 1 on all axes", {2, 8, 8, 8}, {1, 1, 1, 1}, {1, 1, 1, 1}},
};

static int inside(int32_t at, int32_t extent)
{
    return at >= 0 && at < extent;
}

/* Returns the number of cells. */
static size_t cell_by_cell(const cmsis_nn_dims *s, const cmsis_nn_dims *pre,
                           const cmsis_nn_dims *post)
{
    int8_t *to = wanted;
    for (int32_t n = -pre->n; n < s->n + post->n; n++)
        for (int32_t h = -pre->h; h < s->h + post->h; h++)
            for (int32_t w = -pre->w; w < s->w + post->w; w++)
                for (int32_t c = -pre->c; c < s->c + post->c; c++)
                    *to++ = inside(n, s->n) && inside(h, s->h) && inside(w, s->w) && inside(c, s->c)
                                ? in[((n * s->h + h) * s->w + w) * s->c + c]
                                : VALUE;
    return (size_t)(to - wanted);
}

/* Prints what was counted since `begin`, compares the output and paints it. Returns 1 if it is wrong. */
static int counted(uint32_t begin, size_t cells)
{
    const uint32_t count = board_instructions() - begin;
    int wrong = 0;
    for (size_t i = 0; i < cells; i++) {
        wrong |= out[i] != wanted[i];
        out[i] = 0x55;
    }
    board_print(" | ");
    board_print_number(count);
    return wrong;
}

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < IN_BYTES; i++) in[i] = (int8_t)(i * 7 + i / 31);
    board_print(
        "| int8 tensor | CMSIS-NN | tpad_arm_pad_s8 | plan | run |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
        const cmsis_nn_dims *s = &tensors[i].size, *pre = &tensors[i].pre, *post = &tensors[i].post;
        const tpad_axis axes[4] = {{.in_extent = s->n, .before = pre->n, .after = post->n},
                                   {.in_extent = s->h, .before = pre->h, .after = post->h},
                                   {.in_extent = s->w, .before = pre->w, .after = post->w},
                                   {.in_extent = s->c, .before = pre->c, .after = post->c}};
        const tpad_problem problem = TPAD_PROBLEM_OF(int8_t, axes);
        const int8_t value = VALUE;
        const size_t cells = cell_by_cell(s, pre, post);
        tpad_plan plan;
        board_print("| ");
        board_print(tensors[i].name);
        uint32_t begin = board_instructions();
        wrong |= arm_pad_s8(in, out, VALUE, s, pre, post) != ARM_CMSIS_NN_SUCCESS;
        wrong |= counted(begin, cells);
        begin = board_instructions();
        wrong |= tpad_arm_pad_s8(in, out, VALUE, s, pre, post) != ARM_CMSIS_NN_SUCCESS;
        wrong |= counted(begin, cells);
        begin = board_instructions();
        wrong |= tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK;
        (void)counted(begin, 0);
        begin = board_instructions();
        wrong |= tpad_run(&plan, in, out, &value) != TPAD_OK;
        wrong |= counted(begin, cells);
        board_print(" |\n");
    }
    if (wrong) board_print("an output is wrong\n");
    return wrong;
}
