/* How short rows are made by words: how many words and steps are written down for them.
 * SPDX-License-Identifier: MIT
 *
 * More than are needed, or none, give the right bytes, slower: no other test of results can see it.
 * What is expected is counted by hand, by the rules of the head of src/core/word_program.c. */
#include "../../../src/core/word_program.h"

#include <stdio.h>
#include <tensorpad/tensorpad.h>

/* 5000 rows of `row`, of elements of so many bits. */
typedef struct trial {
    const char *name;
    int32_t elem_bits, flags;
    tpad_axis row;
    int32_t group, words, steps; /* group 0: there are no words */
} trial;

static const trial trials[] = {
    /* Eight rows are 16 words. What a word takes lies at its place in eight bytes of the input: one
     * step. These are alike in all rows: one word for the ends of rows, one for their beginnings. But
     * the first begins before the input of the group and the last ends after it: these are loaded,
     * and moved while they are taken. */
    {"bytes in a frame", 8, 0, {.in_extent = 14, .before = 1, .after = 1}, 8, 4, 6},
    /* Four times two words of fill and a copy of two words, of which the last one is on its own. */
    {"fill and copies", 8, 0, {.in_extent = 16, .before = 16}, 4, 3, 0},
    /* One row is 16 words: fill in 14 neighbouring places, and a copy of two words. */
    {"fill on its own", 8, 0, {.in_extent = 16, .before = 112}, 1, 2, 0},
    /* 2048 bytes are the longest row that has words. */
    {"a long row", 8, 0, {.in_extent = 1024, .before = 1024}, 1, 2, 0},
    {"a row too long", 8, 0, {.in_extent = 1024, .before = 1032}, 0, 0, 0},
    /* Two rows are a word, each of whose elements is taken twice: five ways from one load. The last
     * word ends after the input of the group: it is loaded and moved down, its elements are taken by
     * four ways, and all of them are doubled by one step. */
    {"bytes between edges",
     8,
     0,
     {.in_extent = 2, .before = 1, .after = 1, .mode = TPAD_EDGE},
     30,
     2,
     13},
    /* Each of eight rows has a way of its own. The input of the second word ends with that of the
     * group, so it is moved down first. */
    {"bits in a frame", 1, 0, {.in_extent = 6, .before = 1, .after = 1}, 16, 2, 19},
    {"high bits first",
     1,
     TPAD_HIGH_BITS_FIRST,
     {.in_extent = 6, .before = 1, .after = 1},
     16,
     2,
     19},
    /* Two more ways: the padding is taken from two elements before or after it. Neither word can be moved
     * down, as its lowest source would be lost. */
    {"bits between mirrors",
     1,
     0,
     {.in_extent = 6, .before = 1, .after = 1, .mode = TPAD_REFLECT},
     16,
     2,
     22},
    /* Each bit of the mirror has a way of its own; the other word is only loaded and taken. */
    {"a mirror", 1, 0, {.in_extent = 64, .before = 64, .mode = TPAD_SYMMETRIC}, 1, 2, 67},
    {"a mirror, high bits first",
     1,
     TPAD_HIGH_BITS_FIRST,
     {.in_extent = 64, .before = 64, .mode = TPAD_SYMMETRIC},
     1,
     2,
     67},
    /* Two rows are three words: the first row; its mirror and half of the second row; the other half
     * and its mirror. The second and the third are loaded, moved down, and taken by 33 ways; where the
     * mirror begins inside a word, its first element is doubled. */
    {"half a mirror",
     1,
     0,
     {.in_extent = 64, .after = 32, .mode = TPAD_SYMMETRIC},
     2,
     3,
     2 + 35 + 35},
    /* Each of 16 words is loaded, moved down, taken by two ways, and doubled six times. The first one
     * is not moved. */
    {"an edge", 1, 0, {.in_extent = 4, .before = 60, .mode = TPAD_EDGE}, 16, 16, 16 * 10 - 1},
};

static int check(const trial *t)
{
    enum { ROWS = 5000 };
    static const unsigned char value[1] = {0};
    const tpad_axis axes[2] = {{.in_extent = ROWS}, t->row};
    tpad_problem problem = TPAD_PROBLEM(t->elem_bits, 2, axes);
    tpad_plan plan_of_rows;
    words w;
    problem.flags |= t->flags;
    if (tpad_plan_init(&plan_of_rows, sizeof plan_of_rows, &problem, NULL) != TPAD_OK) return 1;
    const plan *p = (const plan *)(const void *)&plan_of_rows;
    if (!tpad_words_suit(p, p->cells) || !tpad_words_make(&w, p, value, sizeof value)) {
        if (t->group == 0) return 0;
        printf("%s: there are no words\n", t->name);
        return 1;
    }
    /* The places of a word that is no copy are made side by side only if each counts. */
    for (int32_t k = 0; k < w.word_count; k++)
        if (w.words[k].kind != TPAD_WORD_COPY && w.words[k].count == 1 && w.words[k].length > 1) {
            printf("%s: word %d is made in one place after the other\n", t->name, (int)k);
            return 1;
        }
    printf("%s: groups of %d rows, %d words, %d steps\n", t->name, (int)w.group, (int)w.word_count,
           (int)w.step_count);
    if (w.group == t->group && w.word_count == t->words && w.step_count == t->steps) return 0;
    printf("expected: groups of %d rows, %d words, %d steps\n", (int)t->group, (int)t->words,
           (int)t->steps);
    return 1;
}

/* The words of 1000 planes of two rows of 62 bytes in a frame. Returns 0 if there are none, -1 if there
 * is no plan. */
static int make_far(words *w, int64_t row_distance, int64_t cell_distance)
{
    static const unsigned char value[1] = {0};
    const tpad_axis axes[3] = {
        {.in_extent = 1000, .in_stride = 64},
        {.in_extent = 2, .in_stride = row_distance},
        {.in_extent = 62, .before = 1, .after = 1, .in_stride = cell_distance}};
    tpad_problem problem = TPAD_PROBLEM(8, 3, axes);
    tpad_plan plan_of_rows;
    problem.flags = TPAD_IN_STRIDES;
    problem.in_offset = (int64_t)1 << 40;
    if (tpad_plan_init(&plan_of_rows, sizeof plan_of_rows, &problem, NULL) != TPAD_OK) return -1;
    return tpad_words_make(w, (const plan *)(const void *)&plan_of_rows, value, sizeof value);
}

/* A program's distances cannot hold these, in either direction. Rows that are so far apart are tiles
 * of their own; where cells are, there are no words. 1 if not. */
static int check_far(int64_t distance)
{
    words w;
    if (make_far(&w, distance, 1) != 1 || w.tile.loops != 1 || w.group != 1)
        return printf("far rows: tiles of %d loops in groups of %d\n", (int)w.tile.loops,
                      (int)w.group) > 0;
    if (make_far(&w, 64, distance) != 0) return printf("far cells have words, or no plan\n") > 0;
    return 0;
}

int main(void)
{
    int failed = check_far(1 << 26) + check_far(-(1 << 26));
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) failed += check(&trials[i]);
    return failed > 0;
}
