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

/* A pad of an array [rows, columns, channels] by `value`, on its first two axes. */
typedef struct pad {
    int32_t rows, columns, channels;
    int32_t above, below, left, right;
    int8_t value;
} pad;

/* Computes the pad of this number. */
typedef void pad_function(int number, const int8_t *src, int8_t *dst);

/* What the layers write, in their order. */
static struct {
    int8_t padded_sound[58 * 12];
    int8_t conv[25 * 5 * 16];
    int8_t padded_conv[27 * 7 * 16];
    int8_t depthwise[25 * 5 * 16];
    int8_t pointwise[25 * 5 * 16];
    int8_t padded_pointwise[26 * 6 * 16];
    int8_t pool[13 * 3 * 16];
    int8_t scores[12];
} maps;

/* The net has learned nothing: its input and weights are drawn. Its sizes and its arithmetic are
 * those of a real one. */
static struct {
    int8_t sound[49 * 10], conv[16 * 10 * 4], depthwise[16 * 3 * 3], pointwise[16 * 16],
        score[12 * 16];
} weights;
static struct {
    int32_t conv[16], depthwise[16], pointwise[16], score[12];
} bias;

static int32_t drawn(int32_t most)
{
    static uint32_t state = 20;
    state = state * 1664525 + 1013904223;
    return (int32_t)((state >> 16) % (uint32_t)(2 * most + 1)) - most;
}

static void draw_weights(void)
{
    for (size_t i = 0; i < sizeof weights; i++) ((int8_t *)&weights)[i] = (int8_t)drawn(127);
    for (size_t i = 0; i < sizeof bias / 4; i++) ((int32_t *)&bias)[i] = drawn(2000);
}

/* Zero points: what stands for the number 0 in a map. */
enum { SOUND_ZERO = -5, MAP_ZERO = -128, PADS = 3 };

static const pad pads[PADS] = {
    {49, 10, 1, 4, 5, 1, 1, SOUND_ZERO},
    {25, 5, 16, 1, 1, 1, 1, MAP_ZERO},
    {25, 5, 16, 0, 1, 0, 1, INT8_MIN}, /* which no maximum takes */
};

/* A layer of 25 x 5 x 16 outputs, each the sum of height x width x depth cells. A depth of 1 of 16
 * channels: each channel for itself. */
typedef struct layer {
    int32_t columns, channels, zero; /* of its input */
    int32_t height, width, depth, stride, scale;
    const int8_t *weights;
    const int32_t *bias;
} layer;

static const layer
    conv = {12, 1, SOUND_ZERO, 10, 4, 1, 2, 200, weights.conv, bias.conv},
    depthwise = {7, 16, MAP_ZERO, 3, 3, 1, 1, 400, weights.depthwise, bias.depthwise},
    pointwise = {5, 16, MAP_ZERO, 1, 1, 16, 1, 300, weights.pointwise, bias.pointwise};

/* The sums stand in the scale of the next map: sum x scale / 65536, rounded, and 0 if negative. Inline:
 * each layer becomes code of its own, with its numbers in place, as by hand. */
__attribute__((always_inline)) static inline void run_layer(const layer *l, const int8_t *in,
                                                            int8_t *out)
{
    for (int32_t i = 0; i < 25 * 5 * 16; i++) {
        const int32_t channel = i % 16, column = i / 16 % 5 * l->stride, row = i / 80 * l->stride;
        const int8_t *weight = l->weights + channel * l->height * l->width * l->depth;
        int32_t sum = l->bias[channel];
        for (int32_t y = 0; y < l->height; y++)
            for (int32_t x = 0; x < l->width; x++) {
                const int8_t *cell = in + ((row + y) * l->columns + column + x) * l->channels;
                if (l->depth < l->channels) cell += channel;
                for (int32_t c = 0; c < l->depth; c++) sum += (cell[c] - l->zero) * *weight++;
            }
        const int64_t scaled = ((int64_t)sum * l->scale + 32768) >> 16;
        out[i] = (int8_t)(scaled < 0 ? MAP_ZERO : scaled > 255 ? 127 : scaled + MAP_ZERO);
    }
}

static void pool(const int8_t *in, int8_t *out)
{
    for (int32_t i = 0; i < 13 * 3 * 16; i++) {
        const int8_t *first = in + (i / 48 * 2 * 6 + i / 16 % 3 * 2) * 16 + i % 16;
        out[i] = INT8_MIN;
        for (int32_t k = 0; k < 4; k++) {
            const int8_t cell = first[(k / 2 * 6 + k % 2) * 16];
            if (cell > out[i]) out[i] = cell;
        }
    }
}

/* The mean of each channel, then a layer that is connected with all of them. */
static void score(const int8_t *in, int8_t *out)
{
    int32_t sums[16] = {0};
    for (int i = 0; i < 13 * 3 * 16; i++) sums[i % 16] += in[i] - MAP_ZERO;
    for (int k = 0; k < 12; k++) {
        int32_t sum = bias.score[k];
        for (int i = 0; i < 16; i++) sum += sums[i] / (13 * 3) * weights.score[k * 16 + i];
        const int64_t scaled = ((int64_t)sum * 150 + 32768) >> 16;
        out[k] = (int8_t)(scaled < -128 ? -128 : scaled > 127 ? 127 : scaled);
    }
}

static void run_net(pad_function *run_pad)
{
    run_pad(0, weights.sound, maps.padded_sound);
    run_layer(&conv, maps.padded_sound, maps.conv);
    run_pad(1, maps.conv, maps.padded_conv);
    run_layer(&depthwise, maps.padded_conv, maps.depthwise);
    run_layer(&pointwise, maps.depthwise, maps.pointwise);
    run_pad(2, maps.pointwise, maps.padded_pointwise);
    pool(maps.padded_pointwise, maps.pool);
    score(maps.pool, maps.scores);
}

/* ---- Its pads -------------------------------------------------------------------------------- */

/* All the memory that the pads need besides the maps. */
static tpad_plan plans[PADS];

static int make_plans(void)
{
    for (int i = 0; i < PADS; i++) {
        const pad *p = &pads[i];
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
    tpad_run(&plans[number], src, dst, &pads[number].value);
}

static void pad_by_loop(int number, const int8_t *src, int8_t *dst)
{
    const pad *p = &pads[number];
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
    const pad *p = &pads[number];
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

static pad_function *chosen;
static uint32_t pads_alone;

static void pad_counted(int number, const int8_t *src, int8_t *dst)
{
    const uint32_t before = board_instructions();
    chosen(number, src, dst);
    pads_alone += board_instructions() - before;
}

static void pads_of_one_run(void)
{
    for (int i = 0; i < PADS; i++) chosen(i, maps.conv, maps.padded_conv);
}

static void print_pair(const char *name, uint32_t number)
{
    board_print(name);
    board_print(" ");
    board_print_number(number);
    board_print("\n");
}

/* Runs the net; the sum of all maps, by which two runs are compared (FNV-1a). */
static uint32_t run_with(const char *name, pad_function *run_pad)
{
    memset(&maps, 0x55, sizeof maps);
    chosen = run_pad;
    pads_alone = 0;
    board_print(name);
    board_print("\n");
    const uint32_t before = board_instructions();
    run_net(pad_counted);
    print_pair("instructions", board_instructions() - before);
    print_pair("instructions_of_pads", pads_alone);
    uint32_t sum = 2166136261;
    for (size_t i = 0; i < sizeof maps; i++) sum = (sum ^ ((uint8_t *)&maps)[i]) * 16777619;
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
