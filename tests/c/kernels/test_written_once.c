/* Nothing is left out, nothing is written twice without need, and no two parts write the same.
 * SPDX-License-Identifier: MIT
 *
 * Stands in for the table of variants: its kernels move nothing, but count how often each bit of
 * the output would be written. Plans over many shapes must then have counted 1 everywhere; with
 * tables 1 or more, since vectors that are written whole overlap, and groups of tiles do at their
 * end. */
#include "../../../src/kernels/kernels.h"
#include "../../../src/kernels/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <tensorpad/tensorpad.h>

enum { CASES = 20000, MOST_BITS = 1 << 19, BESIDE = 1 << 12 };

/* Counts begin BESIDE bits before the output and end as many after it. */
static unsigned char output[MOST_BITS / 8], counts[BESIDE + MOST_BITS + BESIDE];
static unsigned char owners[sizeof counts]; /* the part that wrote it first, from 1 on */
static unsigned char owner;
static int chosen, strayed, shared;

static void count_bits(int64_t first, int64_t bits)
{
    for (int64_t k = BESIDE + first; k < BESIDE + first + bits; k++) {
        if (k < 0 || k >= (int64_t)sizeof counts) {
            strayed = 1;
            return;
        }
        if (owners[k] == 0) owners[k] = owner;
        if (owners[k] != owner) shared = 1;
        counts[k] = (unsigned char)(counts[k] + (counts[k] < 255));
    }
}

static void count_cells(const tpad_block *b, int64_t base, int64_t unit)
{
    for (int64_t p = 0; p < b->planes; p++)
        for (int64_t r = 0; r < b->rows; r++)
            for (int64_t c = 0; c < b->cells; c++)
                count_bits(base + (p * b->dst_plane + r * b->dst_row + c * b->dst_step) * unit,
                           b->cell * unit);
}

static void count_block(const tpad_block *b)
{
    count_cells(b, (b->dst - output) * 8, 8);
}

static void count_packed(const tpad_block *b)
{
    count_cells(b, b->dst_bit, 1);
}

static const tpad_form *form; /* of the variant that was chosen */

static void count_piece(const tpad_piece *p, int64_t at)
{
    if (p->count == 0) count_bits((at + p->dst) * 8, p->bytes * INT64_C(8));
    for (int64_t k = 0; k < p->count; k++)
        for (int32_t i = 0; i < form->vector_bytes; i++)
            if (!form->masked || p->store >> i & 1)
                count_bits((at + p->dst + k * p->dst_step + i) * 8, 8);
}

static void count_tile(const tpad_tiles *t, int filled, int64_t at)
{
    if (filled) count_bits(at * 8, t->filled_bytes * 8);
    for (int32_t j = 0; !filled && j < t->piece_count; j++) count_piece(&t->pieces[j], at);
}

static int tile_calls;

static void count_tiles(const tpad_tiles *t)
{
    tile_calls++;
    for (int64_t k = 0; k < t->planes.count; k++)
        for (const tpad_span *s = t->spans; s < t->spans + t->span_count; s++)
            for (int64_t n = 0; n < s->count; n++)
                count_tile(t, s->filled != 0,
                           t->dst - output + t->planes.dst + k * t->planes.dst_step + s->dst +
                               n * s->dst_step);
}

static void count_bit_tiles(const tpad_bit_tiles *t)
{
    for (int64_t n = 0; n < t->span.count; n++)
        for (int32_t j = 0; j < t->window_count; j++)
            for (int b = 0; b < TPAD_VECTOR_BYTES; b++)
                if (t->windows[j].store >> b & 1)
                    count_bits((t->dst - output + t->span.dst + n * t->span.dst_step +
                                t->windows[j].dst + b) *
                                   8,
                               8);
}

/* Words overlap where a group is no whole number of them, and groups at the end of a span. */
static int by_words;

static void count_words(const tpad_words *w)
{
    by_words = 1;
    for (int64_t n = 0; n < w->groups; n++)
        for (const tpad_word *word = w->words; word < w->words + w->word_count; word++)
            for (int64_t c = 0; c < word->count; c++)
                count_bits((w->dst - output + n * w->dst_step + word->dst + c * word->dst_step) * 8,
                           word->length * INT64_C(64));
}

static int always(void)
{
    return 1;
}

#define COUNTING                                                                                   \
    .usable = always, .copy = count_block, .fill = count_block, .copy_bits = count_packed,         \
    .fill_bits = count_packed, .words = count_words

/* Vectors that are written whole, of one lane and of two; and masked ones. */
static const tpad_form forms[] = {
    {.vector_bytes = 16, .lanes = 1, .window_bytes = 16, .unit = 1, .tiles = count_tiles},
    {.vector_bytes = 32, .lanes = 2, .window_bytes = 16, .unit = 1, .tiles = count_tiles},
    {.vector_bytes = 64,
     .lanes = 1,
     .window_bytes = 64,
     .unit = 1,
     .masked = 1,
     .tiles = count_tiles},
};

static const tpad_bit_form by_quadwords = {64, TPAD_PASS_VECTORS_QUADWORDS, count_bit_tiles};
static const tpad_bit_form by_pairs = {16, TPAD_PASS_VECTORS_PAIRS, count_bit_tiles};

static const tpad_kernels variants[] = {
    {.name = "without tables", COUNTING},
    {.name = "16 bytes", COUNTING, .forms = &forms[0], .form_count = 1, .bits = &by_pairs},
    {.name = "32 bytes", COUNTING, .forms = &forms[1], .form_count = 1},
    {.name = "64 bytes, masked",
     COUNTING,
     .forms = &forms[2],
     .form_count = 1,
     .bits = &by_quadwords},
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

const tpad_kernels *tpad_kernels_at(int index)
{
    return &variants[index];
}

int tpad_kernels_best(void)
{
    return chosen;
}

int tpad_kernels_forced(void)
{
    return 1;
}

static uint64_t seed = 7;

static int64_t pick(int64_t low, int64_t high)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return low + (int64_t)(seed % (uint64_t)(high - low + 1));
}

static int check(int n)
{
    static const int32_t widths[] = {1, 2, 4, 8, 16, 24, 32, 64, 128, 1000};
    static unsigned char nothing[8 << 20]; /* some of it is copied, but not used */
    tpad_axis axes[4];
    const int32_t rank = (int32_t)pick(0, 4), longest = pick(0, 1) ? -1 : (int32_t)pick(0, 3);
    for (int i = 0; i < rank; i++)
        axes[i] = (tpad_axis){.in_extent = i == longest ? pick(10, 400) : pick(1, 9),
                              .before = pick(0, 1) ? 0 : pick(-3, 9),
                              .after = pick(0, 1) ? 0 : pick(-3, 9),
                              .interior = pick(0, 3) ? 0 : pick(1, 12),
                              .mode = (int32_t)pick(0, TPAD_MODE_COUNT - 1),
                              .order = (int32_t)pick(0, 1)};
    const tpad_problem problem = TPAD_PROBLEM(widths[pick(0, 9)], rank, axes);
    tpad_plan plan;
    int64_t elems;
    by_words = 0;
    if (tpad_shape(&problem, NULL, &elems, NULL, NULL) != TPAD_OK ||
        elems * problem.elem_bits > MOST_BITS)
        return 0;
    const int64_t bits = elems * problem.elem_bits, parts = pick(0, 1) ? 1 : pick(2, 9);
    memset(counts, 0, (size_t)bits + 2 * BESIDE);
    memset(owners, 0, (size_t)bits + 2 * BESIDE);
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) return 1;
    for (int64_t part = 0; part < parts; part++) {
        owner = (unsigned char)(part + 1);
        if (tpad_run_part(&plan, nothing, output, NULL, part, parts) != TPAD_OK) return 1;
    }
    if (strayed || shared) {
        printf("%s, case %d: %s\n", variants[chosen].name, n,
               strayed ? "bytes far outside are written" : "two parts write the same bit");
        return 1;
    }
    for (int64_t bit = -BESIDE; bit < bits + BESIDE; bit++) {
        const int inside = bit >= 0 && bit < bits, times = counts[BESIDE + bit];
        if (times == inside || (times > 1 && inside && (variants[chosen].forms || by_words)))
            continue;
        printf("%s, case %d: bit %" PRId64 " of %" PRId64 " is written %d times\n",
               variants[chosen].name, n, bit, bits, times);
        return 1;
    }
    return 0;
}

/* The kernel is handed the rows of all planes together, those of input and those of fill. Fill that
 * ends a plane and begins the next one is a span of its own, so that the first rows and the last
 * ones may need a call each. */
static int check_calls(void)
{
    static unsigned char nothing[1 << 13];
    const tpad_axis axes[3] = {{.in_extent = 20},
                               {.in_extent = 16, .before = 8, .after = 8},
                               {.in_extent = 20, .before = 1, .after = 1}};
    const tpad_problem problem = TPAD_PROBLEM(8, 3, axes);
    tpad_plan plan;
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) return 1;
    memset(owners, 0, sizeof owners);
    owner = 1;
    tile_calls = 0;
    if (tpad_run_part(&plan, nothing, output, NULL, 0, 1) != TPAD_OK) return 1;
    if (tile_calls > 0 && tile_calls <= 3) return 0;
    printf("%s: %d calls for the tiles of 20 planes, not 1 to 3\n", variants[chosen].name,
           tile_calls);
    return 1;
}

int main(void)
{
    if (TPAD_TABLE_BYTES == 0) {
        printf("skipped: a library without tables has one variant, and asks for no other\n");
        return 77;
    }
    for (chosen = 0; chosen < VARIANT_COUNT; chosen++) {
        int worded = 0;
        form = variants[chosen].forms;
        if (form && check_calls()) return 1;
        for (int n = 0; n < CASES; n++) {
            if (check(n)) return 1;
            worded += by_words;
        }
        printf("%s: %d problems, %d of them by words, every bit of the output is written\n",
               variants[chosen].name, CASES, worded);
        if (worded == 0) return 1;
    }
    return 0;
}
