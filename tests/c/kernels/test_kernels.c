/* The block kernels of every variant against a loop that moves one byte, or one bit, at a time.
 * SPDX-License-Identifier: MIT
 *
 * Both write into a copy of the same random memory, and all of that memory must be equal
 * afterwards: so a byte or bit beside the destination's cells shows too. The tiles are in
 * test_tiles.c.
 *
 *     test_kernels [--forced NAME]      status 77: this machine or build has no such variant; 1: it
 *                                       has, but plans are not made for it
 */
#include "../../../src/kernels/kernels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA = 1 << 16, CASES = 20000 };

static uint64_t seed = 20;

static int64_t pick(int64_t low, int64_t high)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return low + (int64_t)(seed % (uint64_t)(high - low + 1));
}

static void naive(const tpad_block *b, int fill)
{
    for (int64_t p = 0; p < b->planes; p++)
        for (int64_t r = 0; r < b->rows; r++)
            for (int64_t c = 0; c < b->cells; c++)
                for (int64_t k = 0; k < b->cell; k++)
                    b->dst[p * b->dst_plane + r * b->dst_row + c * b->dst_step + k] =
                        fill ? b->value[k % b->value_size]
                             : b->src[p * b->src_plane + r * b->src_row + c * b->src_step + k];
}

static int get_bit(const unsigned char *at, int64_t bit, int high_first)
{
    const int place = high_first ? 7 - (int)(bit % 8) : (int)(bit % 8);
    return at[bit / 8] >> place & 1;
}

static void set_bit(unsigned char *at, int64_t bit, int high_first, int value)
{
    const int place = high_first ? 7 - (int)(bit % 8) : (int)(bit % 8);
    at[bit / 8] = (unsigned char)((at[bit / 8] & ~(1 << place)) | value << place);
}

static void naive_bits(const tpad_block *b, int fill)
{
    for (int64_t p = 0; p < b->planes; p++)
        for (int64_t r = 0; r < b->rows; r++)
            for (int64_t c = 0; c < b->cells; c++)
                for (int64_t k = 0; k < b->cell; k++) {
                    const int64_t to = b->dst_bit + p * b->dst_plane + r * b->dst_row;
                    const int64_t from = b->src_bit + p * b->src_plane + r * b->src_row;
                    const int64_t to_bit = to + c * b->dst_step + k;
                    set_bit(b->dst, to_bit, b->high_bits_first,
                            fill ? get_bit(b->value, to_bit % 8, b->high_bits_first)
                                 : get_bit(b->src, from + c * b->src_step + k, b->high_bits_first));
                }
}

/* A block whose cells do not overlap each other, somewhere in the middle of the arenas. */
static tpad_block random_block(int packed, int64_t cell, unsigned char *dst,
                               const unsigned char *src)
{
    tpad_block b = {.cell = cell};
    b.rows = pick(0, 2) ? pick(1, 9) : pick(1, 70);
    b.cells = pick(0, 2) ? pick(1, 9) : pick(1, 70);
    b.planes = pick(0, 2) ? 1 : pick(1, 20);
    const int64_t gap = pick(0, 1) ? 0 : pick(1, 3) * (packed ? cell : 1);
    b.dst_step = cell + gap;
    b.dst_row = b.dst_step * b.cells + (pick(0, 1) ? 0 : pick(1, 5) * (packed ? cell : 1));
    b.dst_plane = b.dst_row * b.rows + (pick(0, 1) ? 0 : pick(1, 5) * (packed ? cell : 1));
    if (pick(0, 3) == 0) b.dst_plane = -b.dst_plane;
    if (pick(0, 3) == 0) b.dst_step = -b.dst_step;
    if (pick(0, 3) == 0) b.dst_row = -b.dst_row;
    const int64_t steps[] = {cell, cell, -cell, 0, cell + 2 * (packed ? cell : 1), -2 * cell};
    b.src_step = steps[pick(0, 5)];
    const int64_t rows[] = {b.src_step * b.cells, cell * b.cells, 0, -cell * b.cells, 7 * cell};
    b.src_row = rows[pick(0, 4)];
    const int64_t planes[] = {b.src_row * b.rows, 0, -b.src_row, 9 * cell};
    b.src_plane = planes[pick(0, 3)];
    b.high_bits_first = (int32_t)pick(0, 1);
    const int64_t middle = ARENA / 2 + pick(0, 15);
    b.dst = dst + (packed ? 0 : middle);
    b.src = src + (packed ? 0 : middle);
    if (packed) {
        b.dst_bit = ARENA / 2 * 8 + pick(0, 15) * cell;
        b.src_bit = ARENA / 2 * 8 + pick(0, 15) * cell;
    }
    return b;
}

static int fits(const tpad_block *b, int packed)
{
    const int64_t unit = packed ? 8 : 1;
    const int64_t dst = llabs(b->dst_plane) * b->planes + llabs(b->dst_row) * b->rows +
                        llabs(b->dst_step) * b->cells;
    const int64_t src = llabs(b->src_plane) * b->planes + llabs(b->src_row) * b->rows +
                        llabs(b->src_step) * b->cells;
    return dst < (ARENA / 2 - 64) * unit && src < (ARENA / 2 - 64) * unit;
}

static int check(const tpad_kernels *kernels)
{
    static unsigned char src[ARENA], dst[ARENA], expected[ARENA], value[64];
    static const int64_t widths[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 17, 24, 32, 48, 100, 700};
    static const int64_t packed_widths[] = {1, 2, 4};
    for (int i = 0; i < ARENA; i++) src[i] = (unsigned char)pick(0, 255);
    for (int n = 0; n < CASES; n++) {
        const int packed = pick(0, 2) == 0, fill = pick(0, 2) == 0;
        const int64_t cell = packed ? packed_widths[pick(0, 2)] : widths[pick(0, 14)];
        tpad_block b = random_block(packed, cell, dst, src);
        if (!fits(&b, packed)) continue;
        for (int i = 0; i < 64; i++) value[i] = (unsigned char)pick(0, 255);
        b.value = value;
        b.value_size = 1;
        if (packed) {
            const int mask = (1 << cell) - 1;
            value[0] = (unsigned char)((value[0] & mask) * (0xFF / mask));
        } else if (cell <= 64 && pick(0, 1)) {
            b.value_size = (int32_t)cell;
        } else if (cell % 4 == 0) {
            b.value_size = 4;
        }
        for (int i = 0; i < ARENA; i += 8) memcpy(dst + i, &seed, 8);
        memcpy(expected, dst, ARENA);

        if (packed)
            (fill ? kernels->fill_bits : kernels->copy_bits)(&b);
        else
            (fill ? kernels->fill : kernels->copy)(&b);
        b.dst = expected + (b.dst - dst);
        if (packed)
            naive_bits(&b, fill);
        else
            naive(&b, fill);
        if (memcmp(dst, expected, ARENA) == 0) continue;
        printf("%s, case %d: %s %s differs: %" PRId64 " x %" PRId64 " cells of %" PRId64
               ", dst %" PRId64 " %" PRId64 ", src %" PRId64 " %" PRId64 "\n",
               kernels->name, n, packed ? "packed" : "byte", fill ? "fill" : "copy", b.rows,
               b.cells, cell, b.dst_row, b.dst_step, b.src_row, b.src_step);
        return 1;
    }
    printf("%s: %d blocks equal\n", kernels->name, CASES);
    return 0;
}

/* For scripts that run other programs with one variant (tests/support/forced.sh). */
static int forced(const char *name)
{
    for (int i = 0; tpad_kernels_at(i); i++) {
        const tpad_kernels *kernels = tpad_kernels_at(i);
        if (strcmp(kernels->name, name) != 0) continue;
        if (!kernels->usable()) {
            printf("skipped: this machine cannot run the %s kernels\n", name);
            return 77;
        }
        if (tpad_kernels_best() == i) return 0;
        printf("TENSORPAD_KERNELS does not force the %s kernels in this build\n", name);
        return 1;
    }
    printf("skipped: this build has no %s kernels\n", name);
    return 77;
}

#if defined(__unix__) /* an environment */

/* A name that no variant has forces none. */
static int unknown_name(void)
{
    unsetenv("TENSORPAD_KERNELS");
    const int best = tpad_kernels_best(), forces = tpad_kernels_forced();
    setenv("TENSORPAD_KERNELS", "no such kernels", 1);
    const int bad = forces || tpad_kernels_forced() || tpad_kernels_best() != best;
    unsetenv("TENSORPAD_KERNELS");
    if (bad) printf("an unknown name in TENSORPAD_KERNELS forces a variant\n");
    return bad;
}

#else

static int unknown_name(void)
{
    return 0;
}

#endif

/* ---- The choice, for any processor ------------------------------------------------------------- */

#if defined(TPAD_SIMD_X86)

/* As GCC and Clang both have it; the numbers are those of their enumeration of features. */
enum { SSSE3 = 1u << 6, AVX2 = 1u << 10, VL = 1u << 20, BW = 1u << 21, VBMI = 1u << 26 };
enum { GFNI = 1u << 0 }; /* in the second word */
extern struct {
    unsigned vendor, type, subtype, features;
} __cpu_model __attribute__((visibility("hidden")));
extern unsigned __cpu_features2[1] __attribute__((visibility("hidden")));

static int chosen_is(const char *name)
{
    const char *chosen = tpad_kernels_name();
    if (strcmp(chosen, name) == 0 && tpad_kernels_at(tpad_kernels_best())->usable()) return 1;
    printf("with features %x %x: %s, not %s\n", __cpu_model.features, __cpu_features2[0], chosen,
           name);
    return 0;
}

/* What the processor can do is asked of the compiler's run-time library, whose answers are bits in
 * two words: the test writes both, so that nothing depends on the processor it runs on. */
static int wrong_choices(void)
{
    static const struct {
        unsigned features, features2;
        const char *name;
    } machines[] = {
        {~0u, ~0u, "avx512"},
        {SSSE3 | AVX2 | BW | VBMI, GFNI, "avx512"},
        {~0u, ~(unsigned)GFNI, "avx512bw"},
        {~(unsigned)VBMI, ~0u, "avx512bw"},
        {AVX2 | BW | VL, 0, "avx512bw"},
        {~(unsigned)(VL | VBMI), ~0u, "avx2"},
        {~(unsigned)BW, ~0u, "avx2"},
        {~(unsigned)(BW | VBMI | AVX2), ~0u, "ssse3"},
        {AVX2, 0, "avx2"},
        {SSSE3, 0, "ssse3"},
        {0, ~0u, "plain"},
        {0, 0, "plain"},
    };
    const unsigned features = __cpu_model.features, features2 = __cpu_features2[0];
    int good = 1;
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        __cpu_model.features = machines[i].features;
        __cpu_features2[0] = machines[i].features2;
        good = chosen_is(machines[i].name) && good;
    }
    __cpu_model.features = features;
    __cpu_features2[0] = features2;
    return !good;
}

#else

static int wrong_choices(void)
{
    return tpad_kernels_best() != (tpad_kernels_at(1) ? 1 : 0);
}

#endif

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--forced") == 0) return forced(argv[2]);
    if (tpad_kernels_at(-1) || unknown_name() || wrong_choices()) return 1;
    for (int i = 0; tpad_kernels_at(i); i++) {
        if (!tpad_kernels_at(i)->usable())
            printf("%s: not tested, this machine cannot run it\n", tpad_kernels_at(i)->name);
        else if (check(tpad_kernels_at(i)))
            return 1;
    }
    return 0;
}
