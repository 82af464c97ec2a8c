/* Plans that go to another machine. SPDX-License-Identifier: MIT
 *
 * Stands in for the table of variants: plans are made for kernels that are then gone, as if the
 * plan had been sent to a machine without them. Their table must not be used, and the result be
 * right. */
#include "../../../src/kernels/kernels.h"
#include "../../../src/kernels/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/random_main.h"

enum { CASES = 4000 };

static int here = 1;

static int usable_here(void)
{
    return here;
}

static void never_block(const tpad_block *block)
{
    (void)block;
    fprintf(stderr, "blocks of kernels that this machine has not\n");
    abort();
}

static void never_tiles(const tpad_tiles *tiles)
{
    (void)tiles;
    fprintf(stderr, "tiles of kernels that this machine has not\n");
    abort();
}

static void never_bit_tiles(const tpad_bit_tiles *tiles)
{
    (void)tiles;
    fprintf(stderr, "tiles of kernels that this machine has not\n");
    abort();
}

static void never_words(const tpad_words *words)
{
    (void)words;
    fprintf(stderr, "words of kernels that this machine has not\n");
    abort();
}

static void never_fence(void)
{
    abort();
}

#define GONE_FORM(WIDTH, MASKED)                                                                   \
    {.vector_bytes = WIDTH,                                                                        \
     .lanes = 1,                                                                                   \
     .window_bytes = WIDTH,                                                                        \
     .unit = 1,                                                                                    \
     .masked = MASKED,                                                                             \
     .stream_bytes = 32 << 20,                                                                     \
     .tiles = never_tiles}
static const tpad_bit_form gone_bits[] = {{16, TPAD_PASS_VECTORS_PAIRS, never_bit_tiles},
                                          {64, TPAD_PASS_VECTORS_QUADWORDS, never_bit_tiles}};
#define GONE(FORM, BITS)                                                                           \
    {.name = "gone",                                                                               \
     .usable = usable_here,                                                                        \
     .copy = never_block,                                                                          \
     .fill = never_block,                                                                          \
     .copy_bits = never_block,                                                                     \
     .fill_bits = never_block,                                                                     \
     .words = never_words,                                                                         \
     .forms = FORM,                                                                                \
     .form_count = 1,                                                                              \
     .bits = BITS,                                                                                 \
     .fence = never_fence}

static const tpad_form gone_forms[] = {GONE_FORM(16, 0), GONE_FORM(64, 1)};
static const tpad_kernels gone[] = {GONE(&gone_forms[0], &gone_bits[0]),
                                    GONE(&gone_forms[1], &gone_bits[1])};
static int best;

const tpad_kernels *tpad_kernels_at(int index)
{
    return index == 0 ? &tpad_kernels_plain : &gone[index - 1];
}

int tpad_kernels_best(void)
{
    return best;
}

int tpad_kernels_forced(void)
{
    return 1;
}

static int check(bench *b, rng *r)
{
    random_problem p;
    tpad_plan plan;
    random_problem_make(&p, r, 0);
    here = 1;
    int good = tpad_plan_init(&plan, sizeof plan, &p.problem, NULL) == TPAD_OK;
    here = 0;
    bench_fill(b, r, &p);
    good = good && tpad_run(&plan, b->src, b->dst, b->value) == TPAD_OK && bench_check(b, "run");
    if (!good) random_report(&p.problem);
    random_problem_close(&p);
    return good;
}

/* Larger than caches: such a plan would call the fence, which plain C has not. */
static int check_large(void)
{
    enum { BYTES = 40 << 20 };
    const tpad_axis axis = {.in_extent = BYTES / 2, .after = BYTES / 2, .mode = TPAD_WRAP};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
    unsigned char *src = malloc(BYTES), *dst = src + BYTES / 2, *whole = malloc(BYTES);
    tpad_plan plan;
    if (!src || !whole) return 0;
    here = 1;
    int good = tpad_plan_init(&plan, sizeof plan, &problem, NULL) == TPAD_OK;
    here = 0;
    for (int i = 0; i < BYTES / 2; i++) src[i] = (unsigned char)(i * 7 / 3);
    memcpy(dst, src, BYTES / 2);
    good = good && tpad_run(&plan, src, whole, NULL) == TPAD_OK && memcmp(src, whole, BYTES) == 0;
    if (!good) fprintf(stderr, "a large output differs\n");
    free(src);
    free(whole);
    return good;
}

int main(int argc, char **argv)
{
    random_run run = {"test_plan_moved", 1, 0, CASES, NULL};
    bench b;
    if (!random_begin(&run, argc, argv)) return 2;
    bench_open(&b);
    for (best = 1; best <= 2; best++) {
        if (!check_large()) return 1;
        for (uint64_t k = run.first; k < run.first + run.cases; k++) {
            rng r = rng_seeded(run.seed, k);
            random_case(&run, k);
            if (!check(&b, &r)) return 1;
        }
    }
    bench_close(&b);
    printf("plans for kernels that are gone run in plain C\n");
    return 0;
}
