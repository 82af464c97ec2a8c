/* Runs the net with pads by tensorpad and by two loops, and prints what they cost and the results.
 * SPDX-License-Identifier: MIT */
#include <stddef.h>

#include <tensorpad/tensorpad.h>

#include "board.h"
#include "keywords.h"

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
    keywords_run(&maps, keywords_sound, pad_counted);
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

#define PRINT_MAP(name) print_pair(#name, checksum(maps.name, sizeof maps.name))

static void print_pair(const char *name, uint32_t number)
{
    board_print(name);
    board_print(" ");
    board_print_number(number);
    board_print("\n");
}

static void run_with(const char *name, keywords_pad_function *pad)
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
    PRINT_MAP(padded_sound);
    PRINT_MAP(conv);
    PRINT_MAP(padded_conv);
    PRINT_MAP(depthwise);
    PRINT_MAP(pointwise);
    PRINT_MAP(padded_pointwise);
    PRINT_MAP(pool);
    PRINT_MAP(scores);
    print_pair("stack_of_pads", board_stack_of(pads_of_one_run));
}

int main(void)
{
    const uint32_t before = board_instructions();
    if (!make_plans()) return 1;
    print_pair("instructions_of_plans", board_instructions() - before);
    print_pair("bytes_of_plans", sizeof plans);
    run_with("tensorpad", pad_by_tensorpad);
    run_with("loop", pad_by_loop);
    run_with("rows", pad_by_rows);
    return 0;
}
