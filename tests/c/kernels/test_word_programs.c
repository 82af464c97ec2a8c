/* How short rows are made by words: how many words and steps are written down for them.
 * SPDX-License-Identifier: MIT
 *
 * More than are needed, or none, give the right bytes, slower: no other test of results can see it.
 * What is expected is counted by hand, by the rules of docs/internals.md. */
#include "../../../src/core/plan.h"
#include "../../../src/core/word_program.h"

#include <stdio.h>
#include <tensorpad/tensorpad.h>

/* 1000 rows of `row`, of elements of so many bits. */
typedef struct trial {
    const char *name;
    int32_t elem_bits, flags;
    tpad_axis row;
    int32_t group, words, steps;
} trial;

static const trial trials[] = {
    /* Eight rows are 16 words. What a word takes lies at its place in eight bytes of the input: one
     * step. But the first begins before the input of the group and the last ends behind it: these
     * are loaded, and moved while they are taken. */
    {"bytes in a frame", 8, 0, {.in_extent = 14, .before = 1, .after = 1}, 8, 16, 18},
    /* Four times two words of fill and a copy of two. */
    {"fill and copies", 8, 0, {.in_extent = 16, .before = 16}, 4, 8, 0},
    /* Both words are loaded, moved to the place of their first row, spread by 8, 4 and 2 bits, and
     * taken. */
    {"bits in a frame", 1, 0, {.in_extent = 6, .before = 1, .after = 1}, 16, 2, 12},
    {"high bits first",
     1,
     TPAD_HIGH_BITS_FIRST,
     {.in_extent = 6, .before = 1, .after = 1},
     16,
     2,
     12},
    /* The same, and then the padding of all rows is taken from two elements before or behind. */
    {"bits between mirrors",
     1,
     0,
     {.in_extent = 6, .before = 1, .after = 1, .mode = TPAD_REFLECT},
     16,
     2,
     16},
    /* Loaded, turned in six steps and taken; the other word is only loaded and taken. */
    {"a mirror", 1, 0, {.in_extent = 64, .before = 64, .mode = TPAD_SYMMETRIC}, 1, 2, 10},
    /* Each of 16 words: the first element is loaded, moved, doubled six times and taken; the other
     * three are loaded and taken. One element lies where it should, and is not moved. */
    {"an edge", 1, 0, {.in_extent = 4, .before = 60, .mode = TPAD_EDGE}, 16, 16, 16 * 11 - 1},
};

static int check(const trial *t)
{
    enum { ROWS = 1000 };
    static const unsigned char value[1] = {0};
    const tpad_axis axes[2] = {{.in_extent = ROWS}, t->row};
    tpad_problem problem = TPAD_PROBLEM(t->elem_bits, 2, axes);
    tpad_plan plan_of_rows;
    words w;
    problem.flags |= t->flags;
    if (tpad_plan_init(&plan_of_rows, sizeof plan_of_rows, &problem, NULL) != TPAD_OK) return 1;
    tpad_words_make(&w, (const plan *)(const void *)&plan_of_rows, value, sizeof value);
    if (w.tile.loops == 0) {
        printf("%s: there are no words\n", t->name);
        return 1;
    }
    printf("%s: groups of %d rows, %d words, %d steps\n", t->name, (int)w.group, (int)w.word_count,
           (int)w.step_count);
    if (w.group == t->group && w.word_count == t->words && w.step_count == t->steps) return 0;
    printf("expected: groups of %d rows, %d words, %d steps\n", (int)t->group, (int)t->words,
           (int)t->steps);
    return 1;
}

int main(void)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) failed += check(&trials[i]);
    return failed > 0;
}
