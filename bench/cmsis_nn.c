/* Instructions of pads on an emulated Cortex-M4 beside CMSIS-NN's arm_pad_s8.
 * SPDX-License-Identifier: MIT
 *
 * For int8, constant. Prints a row a tensor: CMSIS-NN's own function, tpad_arm_pad_s8, making a
 * plan of the small build and running it. Every output is compared with CMSIS-NN's. */
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

static uint32_t begun;
static size_t cells; /* of the output */

/* Prints the instructions since `begun`, and begins again with a painted output. Returns 1 if the
 * output is not the first one of its tensor. */
static int counted(int is_first)
{
    const uint32_t count = board_instructions() - begun;
    int wrong = 0;
    for (size_t i = 0; i < cells; i++) {
        if (is_first) wanted[i] = out[i];
        wrong |= out[i] != wanted[i];
        out[i] = 0x55;
    }
    board_print(" | ");
    board_print_number(count);
    begun = board_instructions();
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
        tpad_index bytes;
        tpad_plan plan;
        wrong |= tpad_shape(&problem, NULL, NULL, &bytes, NULL) != TPAD_OK;
        cells = (size_t)bytes;
        board_print("| ");
        board_print(tensors[i].name);
        begun = board_instructions();
        wrong |= arm_pad_s8(in, out, VALUE, s, pre, post) != ARM_CMSIS_NN_SUCCESS;
        wrong |= counted(1);
        wrong |= tpad_arm_pad_s8(in, out, VALUE, s, pre, post) != ARM_CMSIS_NN_SUCCESS;
        wrong |= counted(0);
        wrong |= tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK;
        cells = 0;
        (void)counted(0);
        cells = (size_t)bytes;
        wrong |= tpad_run(&plan, in, out, &value) != TPAD_OK;
        wrong |= counted(0);
        board_print(" |\n");
    }
    if (wrong) board_print("an output is wrong\n");
    return wrong;
}
