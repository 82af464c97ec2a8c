/* The layers of the net.  SPDX-License-Identifier: MIT
 *
 * A layer without pads of its own reads every cell of its input, so it has no test for borders. */
#include "keywords.h"

#include "weights.h"

/* Zero points: what stands for the number 0 in a map. */
enum { SOUND_ZERO = -5, MAP_ZERO = -128 };

const keywords_pad keywords_pads[KEYWORDS_PADS] = {
    {49, 10, 1, 4, 5, 1, 1, SOUND_ZERO},
    {25, 5, 16, 1, 1, 1, 1, MAP_ZERO},
    {25, 5, 16, 0, 1, 0, 1, INT8_MIN}, /* which no maximum takes */
};

/* A sum in the scale of the next map: sum x scale / 65536, rounded, and 0 if it is negative. */
static int8_t rectified(int32_t sum, int32_t scale)
{
    const int64_t scaled = ((int64_t)sum * scale + 32768) >> 16;
    if (scaled < 0) return MAP_ZERO;
    return (int8_t)(scaled > 255 ? 127 : scaled + MAP_ZERO);
}

static void conv(const int8_t *in, int8_t *out)
{
    for (int row = 0; row < 25; row++)
        for (int column = 0; column < 5; column++)
            for (int channel = 0; channel < 16; channel++) {
                const int8_t *from = in + (2 * row) * 12 + 2 * column;
                const int8_t *weight = conv_weights + channel * 40;
                int32_t sum = conv_bias[channel];
                for (int y = 0; y < 10; y++, from += 12)
                    for (int x = 0; x < 4; x++) sum += (from[x] - SOUND_ZERO) * *weight++;
                *out++ = rectified(sum, 200);
            }
}

static void depthwise(const int8_t *in, int8_t *out)
{
    for (int row = 0; row < 25; row++)
        for (int column = 0; column < 5; column++)
            for (int channel = 0; channel < 16; channel++) {
                int32_t sum = depthwise_bias[channel];
                for (int y = 0; y < 3; y++)
                    for (int x = 0; x < 3; x++)
                        sum += (in[((row + y) * 7 + column + x) * 16 + channel] - MAP_ZERO) *
                               depthwise_weights[(y * 3 + x) * 16 + channel];
                *out++ = rectified(sum, 400);
            }
}

static void pointwise(const int8_t *in, int8_t *out)
{
    for (int pixel = 0; pixel < 25 * 5; pixel++, in += 16)
        for (int channel = 0; channel < 16; channel++) {
            int32_t sum = pointwise_bias[channel];
            for (int i = 0; i < 16; i++)
                sum += (in[i] - MAP_ZERO) * pointwise_weights[channel * 16 + i];
            *out++ = rectified(sum, 300);
        }
}

static void pool(const int8_t *in, int8_t *out)
{
    for (int row = 0; row < 13; row++)
        for (int column = 0; column < 3; column++)
            for (int channel = 0; channel < 16; channel++) {
                int8_t most = INT8_MIN;
                for (int y = 0; y < 2; y++)
                    for (int x = 0; x < 2; x++) {
                        const int8_t cell = in[((2 * row + y) * 6 + 2 * column + x) * 16 + channel];
                        if (cell > most) most = cell;
                    }
                *out++ = most;
            }
}

/* The mean of each channel, then a layer that is connected with all of them. */
static void score(const int8_t *in, int8_t *out)
{
    int32_t sums[16] = {0};
    for (int i = 0; i < 13 * 3 * 16; i++) sums[i % 16] += in[i] - MAP_ZERO;
    for (int k = 0; k < KEYWORDS_SCORES; k++) {
        int32_t sum = score_bias[k];
        for (int i = 0; i < 16; i++) sum += sums[i] / (13 * 3) * score_weights[k * 16 + i];
        const int64_t scaled = ((int64_t)sum * 150 + 32768) >> 16;
        out[k] = (int8_t)(scaled < -128 ? -128 : scaled > 127 ? 127 : scaled);
    }
}

void keywords_run(keywords_maps *maps, const int8_t *sound, keywords_pad_function *pad)
{
    pad(0, sound, maps->padded_sound);
    conv(maps->padded_sound, maps->conv);
    pad(1, maps->conv, maps->padded_conv);
    depthwise(maps->padded_conv, maps->depthwise);
    pointwise(maps->depthwise, maps->pointwise);
    pad(2, maps->pointwise, maps->padded_pointwise);
    pool(maps->padded_pointwise, maps->pool);
    score(maps->pool, maps->scores);
}
