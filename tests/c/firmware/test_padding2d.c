/* The four padding2d functions, through MLI's own interface: the cells they write. What they refuse
 * is in test_padding2d_refused.c. SPDX-License-Identifier: MIT
 *
 * Expected cells come from a loop over single elements. */
#include "padding2d.h"

/* ---- Values ---------------------------------------------------------------------------------- */

enum { GUARD = 64 };

/* Pads with function number `function` and compares each element, each field, and what is around. */
static void check_padding(int function, uint32_t channels, uint32_t height, uint32_t width,
                          mli_padding2d_cfg cfg)
{
    const int hwc = functions[function].hwc;
    const size_t bytes = (size_t)functions[function].bytes;
    const uint32_t rows = height + cfg.padding_top + cfg.padding_bottom;
    const uint32_t columns = width + cfg.padding_left + cfg.padding_right;
    const size_t in_bytes = (size_t)channels * height * width * bytes;
    const size_t out_bytes = (size_t)channels * rows * columns * bytes;
    unsigned char *src = malloc(in_bytes + 1), *copy = malloc(in_bytes + 1);
    unsigned char *memory = malloc(out_bytes + 2 * GUARD), *expected = calloc(1, out_bytes + 1);
    assert_true(src && copy && memory && expected);
    for (size_t i = 0; i < in_bytes; i++) copy[i] = src[i] = (unsigned char)(i * 7 % 255 + 1);
    memset(memory, 0xEE, out_bytes + 2 * GUARD);
    for (uint32_t c = 0; c < channels; c++)
        for (uint32_t y = 0; y < height; y++)
            for (uint32_t x = 0; x < width; x++) {
                const uint32_t v = y + cfg.padding_top, u = x + cfg.padding_left;
                const size_t from = hwc ? ((size_t)y * width + x) * channels + c
                                        : ((size_t)c * height + y) * width + x;
                const size_t to = hwc ? ((size_t)v * columns + u) * channels + c
                                      : ((size_t)c * rows + v) * columns + u;
                memcpy(expected + to * bytes, src + from * bytes, bytes);
            }

    const mli_tensor in = hwc ? tensor(src, in_bytes, height, width, channels, (int)bytes)
                              : tensor(src, in_bytes, channels, height, width, (int)bytes);
    const uint32_t hwc_shape[] = {rows, columns, channels}, chw_shape[] = {channels, rows, columns};
    mli_tensor out = empty_output(memory + GUARD, out_bytes);
    assert_int_equal(functions[function].run(&in, &cfg, &out), MLI_STATUS_OK);
    check_fields(&out, &in, hwc ? hwc_shape : chw_shape, memory + GUARD, out_bytes);
    assert_memory_equal(memory + GUARD, expected, out_bytes);
    assert_memory_equal(src, copy, in_bytes);
    for (size_t i = 0; i < GUARD; i++) {
        assert_int_equal(memory[i], 0xEE);
        assert_int_equal(memory[GUARD + out_bytes + i], 0xEE);
    }
    free(src);
    free(copy);
    free(memory);
    free(expected);
}

/* "[2, 4, 8] ... top and the right ... [2, 6, 9] ... top 2 rows contains only zeros, and last value
 * of each row also equal to zero". */
static void the_documents_example(void **state)
{
    (void)state;
    int8_t src[2][4][8], dst[2][6][9];
    for (int i = 0; i < 64; i++) (&src[0][0][0])[i] = (int8_t)(i - 70);
    const mli_tensor in = tensor(src, sizeof src, 2, 4, 8, 1);
    const mli_padding2d_cfg cfg = {.padding_top = 2, .padding_right = 1};
    mli_tensor out = empty_output(dst, sizeof dst);
    memset(dst, 1, sizeof dst);
    assert_int_equal(mli_krn_padding2d_chw_fx8(&in, &cfg, &out), MLI_STATUS_OK);
    assert_int_equal(out.rank, 3);
    assert_int_equal(out.shape[0], 2);
    assert_int_equal(out.shape[1], 6);
    assert_int_equal(out.shape[2], 9);
    assert_int_equal(out.el_type, MLI_EL_FX_8);
    assert_int_equal(out.el_params.fx.frac_bits, 5);
    for (int c = 0; c < 2; c++)
        for (int y = 0; y < 6; y++)
            for (int x = 0; x < 9; x++)
                assert_int_equal(dst[c][y][x], y < 2 || x == 8 ? 0 : src[c][y - 2][x]);
}

/* Each side alone through all 256 amounts, then all four at once. */
static void every_amount_on_every_side(void **state)
{
    (void)state;
    for (int function = 0; function < FUNCTION_COUNT; function++)
        for (int amount = 0; amount < 256; amount++) {
            const uint8_t a = (uint8_t)amount, b = (uint8_t)(amount * 37), c = (uint8_t)(255 - a);
            check_padding(function, 2, 3, 4, (mli_padding2d_cfg){.padding_left = a});
            check_padding(function, 3, 2, 5, (mli_padding2d_cfg){.padding_right = a});
            check_padding(function, 1, 4, 3, (mli_padding2d_cfg){.padding_top = a});
            check_padding(function, 5, 1, 2, (mli_padding2d_cfg){.padding_bottom = a});
            if (amount % 8 == 0 || amount == 255)
                check_padding(function, 3, 2, 1, (mli_padding2d_cfg){a, b, c, (uint8_t)(b / 2)});
        }
}

static void shapes(void **state)
{
    (void)state;
    static const uint32_t extents[] = {1, 2, 3, 7, 16, 65};
    for (int function = 0; function < FUNCTION_COUNT; function++)
        for (size_t i = 0; i < 6 * 6 * 6; i++) {
            const uint32_t c = extents[i % 6], h = extents[i / 6 % 6], w = extents[i / 36];
            check_padding(function, c, h, w, (mli_padding2d_cfg){0, 0, 0, 0});
            check_padding(function, c, h, w, (mli_padding2d_cfg){1, 2, 3, 4});
        }
    /* A camera's image: rows longer than any block of the engine. */
    for (int function = 0; function < FUNCTION_COUNT; function++)
        check_padding(function, 3, 240, 320, (mli_padding2d_cfg){1, 1, 1, 1});
}

/* Raw zero is zero whatever the number of fractional bits; data may have any alignment. */
static void odd_addresses_and_any_frac_bits(void **state)
{
    (void)state;
    static unsigned char memory[64], wide[64];
    for (int frac_bits = 0; frac_bits < 256; frac_bits += 51) {
        for (size_t i = 0; i < sizeof memory; i++) memory[i] = (unsigned char)(i + 1);
        memset(wide, 0xEE, sizeof wide);
        mli_tensor in = tensor(memory + 1, 8, 1, 2, 2, 2);
        in.el_params.fx.frac_bits = (uint8_t)frac_bits;
        const mli_padding2d_cfg cfg = {.padding_left = 1};
        mli_tensor out = empty_output(wide + 3, 12);
        const unsigned char expected[12] = {0, 0, 2, 3, 4, 5, 0, 0, 6, 7, 8, 9};
        assert_int_equal(mli_krn_padding2d_chw_fx16(&in, &cfg, &out), MLI_STATUS_OK);
        assert_int_equal(out.el_params.fx.frac_bits, frac_bits);
        assert_memory_equal(wide + 3, expected, sizeof expected);
        assert_int_equal(wide[2], 0xEE);
        assert_int_equal(wide[15], 0xEE);
    }
}

#ifdef TPAD_MLI_1_0

/* MLI 1.0 lets empty tensors pass. */
static void empty_tensors_become_fill(void **state)
{
    (void)state;
    for (int function = 0; function < FUNCTION_COUNT; function++) {
        check_padding(function, 0, 3, 4, (mli_padding2d_cfg){1, 2, 3, 4});
        check_padding(function, 2, 0, 4, (mli_padding2d_cfg){1, 2, 3, 4});
        check_padding(function, 2, 3, 0, (mli_padding2d_cfg){0, 0, 0, 0});
        check_padding(function, 2, 0, 0, (mli_padding2d_cfg){255, 0, 0, 255});
    }
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_documents_example),
        cmocka_unit_test(every_amount_on_every_side),
        cmocka_unit_test(shapes),
        cmocka_unit_test(odd_addresses_and_any_frac_bits),
#ifdef TPAD_MLI_1_0
        cmocka_unit_test(empty_tensors_become_fill),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
