/* Zero padding in front of a convolution, as a program for embARC MLI does it: a camera image of
 * three channels goes from one buffer to the other, and the next kernel needs no padding of its
 * own. With MLI's own mli_api.h included first this compiles and runs unchanged.
 * SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <tensorpad/mli_padding2d.h>

enum { CHANNELS = 3, HEIGHT = 4, WIDTH = 6, PAD = 1 };

/* Two buffers that layers take turns with, as large as the largest tensor. */
static int8_t image_buffer[HEIGHT * WIDTH * CHANNELS];
static int8_t padded_buffer[(HEIGHT + 2 * PAD) * (WIDTH + 2 * PAD) * CHANNELS];

int main(void)
{
    /* Strides are not set: the data are contiguous. */
    mli_tensor image = {
        .data = image_buffer,
        .capacity = sizeof image_buffer,
        .shape = {HEIGHT, WIDTH, CHANNELS},
        .rank = 3,
        .el_type = MLI_EL_FX_8,
        .el_params.fx.frac_bits = 7,
    };
    /* Of the output only the memory: the kernel fills in the rest. */
    mli_tensor padded = {.data = padded_buffer, .capacity = sizeof padded_buffer};
    const mli_padding2d_cfg cfg = {
        .padding_left = PAD, .padding_right = PAD, .padding_top = PAD, .padding_bottom = PAD};
    for (int i = 0; i < HEIGHT * WIDTH * CHANNELS; i++) image_buffer[i] = (int8_t)(i + 10);

    const mli_status status = mli_krn_padding2d_hwc_fx8(&image, &cfg, &padded);
    if (status != MLI_STATUS_OK) {
        printf("padding2d: status %d\n", (int)status);
        return 1;
    }
    printf("%u x %u x %u, fx8 with %u fractional bits; the first channel:\n",
           (unsigned)padded.shape[0], (unsigned)padded.shape[1], (unsigned)padded.shape[2],
           (unsigned)padded.el_params.fx.frac_bits);
    const uint32_t columns = padded.shape[1], channels = padded.shape[2];
    for (uint32_t y = 0; y < padded.shape[0]; y++) {
        for (uint32_t x = 0; x < columns; x++)
            printf("%4d", padded_buffer[(y * columns + x) * channels]);
        printf("\n");
    }
    return 0;
}
