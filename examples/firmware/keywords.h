/* A small net that looks for keywords in sound, in int8.  SPDX-License-Identifier: MIT
 *
 * Its shape is that of common nets for this task: 49 frames of 10 features; a convolution of 10 x 4 with
 * stride 2; a separable convolution of 3 x 3; pools; 12 scores. Three pads stand before the layers
 * that need them, and the caller says how they are computed. */
#ifndef KEYWORDS_H
#define KEYWORDS_H

#include <stdint.h>

enum { KEYWORDS_PADS = 3, KEYWORDS_SCORES = 12 };

/* A pad of an array [rows, columns, channels] by `value`, on its first two axes. */
typedef struct keywords_pad {
    int32_t rows, columns, channels;
    int32_t above, below, left, right;
    int8_t value;
} keywords_pad;

/* What the layers write, in their order. */
typedef struct keywords_maps {
    int8_t padded_sound[58 * 12];
    int8_t conv[25 * 5 * 16];
    int8_t padded_conv[27 * 7 * 16];
    int8_t depthwise[25 * 5 * 16];
    int8_t pointwise[25 * 5 * 16];
    int8_t padded_pointwise[26 * 6 * 16];
    int8_t pool[13 * 3 * 16];
    int8_t scores[KEYWORDS_SCORES];
} keywords_maps;

extern const int8_t keywords_sound[49 * 10]; /* an input */
extern const keywords_pad keywords_pads[KEYWORDS_PADS];

/* Computes the pad of this number. */
typedef void keywords_pad_function(int number, const int8_t *src, int8_t *dst);

void keywords_run(keywords_maps *maps, const int8_t *sound, keywords_pad_function *pad);

#endif
