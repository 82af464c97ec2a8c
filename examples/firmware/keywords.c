/* A small net that looks for keywords in sound, in int8, with pads by tensorpad and by two loops;
 * prints what they cost. Status 1 if a map differs.  SPDX-License-Identifier: MIT
 *
 * Its shape is that of common nets for this task: 49 frames of 10 features; a convolution of 10 x 4
 * with stride 2; a separable convolution of 3 x 3; pools; 12 scores. Three pads stand before the
 * layers that need them. A layer without pads of its own reads every cell of its input, so it has
 * no test for borders. */
#include <stddef.h>
#include <stdint.h>

#include <tensorpad/tensorpad.h>

/* Those of a C library, or of a board that has none. */
void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memset(void *to, int byte, size_t count);

/* The board's (board.c): instructions since some moment, modulo 2^32; bytes of stack that a
 * function changes. */
uint32_t board_instructions(void);
uint32_t board_stack_of(void (*function)(void));
void board_print(const char *text);
void board_print_number(uint32_t number);

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

/* Computes the pad of this number. */
typedef void keywords_pad_function(int number, const int8_t *src, int8_t *dst);

/* The net has learned nothing: an input and weights are drawn. Its sizes and its arithmetic are
 * those of a real one. */
static int8_t keywords_sound[49 * 10];
static int8_t conv_weights[16 * 10 * 4], depthwise_weights[3 * 3 * 16], pointwise_weights[16 * 16];
static int8_t score_weights[12 * 16];
static int32_t conv_bias[16], depthwise_bias[16], pointwise_bias[16], score_bias[12];

static int32_t drawn(int32_t most)
{
    static uint32_t state = 20;
    state = state * 1664525 + 1013904223;
    return (int32_t)((state >> 16) % (uint32_t)(2 * most + 1)) - most;
}

static void draw_weights(void)
{
    struct {
        int8_t *first;
        size_t count;
    } all[] = {{keywords_sound, sizeof keywords_sound},
               {conv_weights, sizeof conv_weights},
               {depthwise_weights, sizeof depthwise_weights},
               {pointwise_weights, sizeof pointwise_weights},
               {score_weights, sizeof score_weights}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t j = 0; j < all[i].count; j++) all[i].first[j] = (int8_t)drawn(127);
    for (int i = 0; i < 16; i++) {
        conv_bias[i] = drawn(2000);
        depthwise_bias[i] = drawn(2000);
        pointwise_bias[i] = drawn(2000);
    }
    for (int i = 0; i < KEYWORDS_SCORES; i++) score_bias[i] = drawn(2000);
}

/* Zero points: what stands for the number 0 in a map. */
enum { SOUND_ZERO = -5, MAP_ZERO = -128 };

static const keywords_pad keywords_pads[KEYWORDS_PADS] = {
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

static void keywords_run(keywords_maps *maps, keywords_pad_function *pad)
{
    pad(0, keywords_sound, maps->padded_sound);
    conv(maps->padded_sound, maps->conv);
    pad(1, maps->conv, maps->padded_conv);
    depthwise(maps->padded_conv, maps->depthwise);
    pointwise(maps->depthwise, maps->pointwise);
    pad(2, maps->pointwise, maps->padded_pointwise);
    pool(maps->padded_pointwise, maps->pool);
    score(maps->pool, maps->scores);
}

/* ---- Its pads -------------------------------------------------------------------------------- */

/* All the memory that the pads need besides the maps. */
static tpad_plan plans[KEYWORDS_PADS];
static keywords_maps maps;

static int make_plans(void)
{
    for (int i = 0; i < KEYWORDS_PADS; i++) {
        const keywords_pad *p = &keywords_pads[i];
        const tpad_axis axes[3] = {
            {.in_extent = p->rows, .before = p->above, .after = p->below},
            {.in_extent = p->columns, .before = p->left, .after = p->right},
            {.in_extent = p->channels},
        };
        const tpad_problem problem = TPAD_PROBLEM_OF(int8_t, axes);
        if (tpad_plan_init(&plans[i], sizeof plans[i], &problem, NULL) != TPAD_OK) return 0;
    }
    return 1;
}

static void pad_by_tensorpad(int number, const int8_t *src, int8_t *dst)
{
    tpad_run(&plans[number], src, dst, &keywords_pads[number].value);
}

static void pad_by_loop(int number, const int8_t *src, int8_t *dst)
{
    const keywords_pad *p = &keywords_pads[number];
    for (int32_t row = -p->above; row < p->rows + p->below; row++)
        for (int32_t column = -p->left; column < p->columns + p->right; column++)
            for (int32_t channel = 0; channel < p->channels; channel++)
                *dst++ = row >= 0 && row < p->rows && column >= 0 && column < p->columns
                             ? src[(row * p->columns + column) * p->channels + channel]
                             : p->value;
}

/* What somebody writes who knows that the channels are not padded. */
static void pad_by_rows(int number, const int8_t *src, int8_t *dst)
{
    const keywords_pad *p = &keywords_pads[number];
    const size_t row = (size_t)(p->columns * p->channels);
    const size_t left = (size_t)(p->left * p->channels), right = (size_t)(p->right * p->channels);
    const size_t above = (size_t)p->above * (left + row + right);
    memset(dst, p->value, above);
    dst += above;
    for (int32_t i = 0; i < p->rows; i++, src += row) {
        memset(dst, p->value, left);
        memcpy(dst + left, src, row);
        memset(dst + left + row, p->value, right);
        dst += left + row + right;
    }
    memset(dst, p->value, (size_t)p->below * (left + row + right));
}

/* ---- What they cost -------------------------------------------------------------------------- */

static keywords_pad_function *chosen;
static uint32_t pads_alone;

static void pad_counted(int number, const int8_t *src, int8_t *dst)
{
    const uint32_t before = board_instructions();
    chosen(number, src, dst);
    pads_alone += board_instructions() - before;
}

static void run_counted(void)
{
    keywords_run(&maps, pad_counted);
}

static void pads_of_one_run(void)
{
    for (int i = 0; i < KEYWORDS_PADS; i++) chosen(i, maps.conv, maps.padded_conv);
}

static uint32_t checksum(const int8_t *bytes, size_t count)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < count; i++) {
        crc ^= (uint8_t)bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static void print_pair(const char *name, uint32_t number)
{
    board_print(name);
    board_print(" ");
    board_print_number(number);
    board_print("\n");
}

static uint32_t run_with(const char *name, keywords_pad_function *pad)
{
    for (size_t i = 0; i < sizeof maps; i++) ((int8_t *)&maps)[i] = 0x55;
    chosen = pad;
    pads_alone = 0;
    board_print(name);
    board_print("\n");
    const uint32_t before = board_instructions();
    run_counted();
    print_pair("instructions", board_instructions() - before);
    print_pair("instructions_of_pads", pads_alone);
    const uint32_t sum = checksum((const int8_t *)&maps, sizeof maps);
    print_pair("maps", sum);
    print_pair("stack_of_pads", board_stack_of(pads_of_one_run));
    return sum;
}

int main(void)
{
    draw_weights();
    const uint32_t before = board_instructions();
    if (!make_plans()) return 1;
    print_pair("instructions_of_plans", board_instructions() - before);
    print_pair("bytes_of_plans", sizeof plans);
    const uint32_t ours = run_with("tensorpad", pad_by_tensorpad);
    const int same = run_with("loop", pad_by_loop) == ours && run_with("rows", pad_by_rows) == ours;
    if (!same) board_print("the maps differ\n");
    return !same;
}
