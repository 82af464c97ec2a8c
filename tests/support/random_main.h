/* The part that the programs of random tests have in common. SPDX-License-Identifier: MIT
 *
 * Their options, the line that says how to run a failing case again (also when the case crashes),
 * and the loops over cases and over laws: properties that hold for every problem. */
#ifndef TENSORPAD_TESTS_SUPPORT_RANDOM_MAIN_H
#define TENSORPAD_TESTS_SUPPORT_RANDOM_MAIN_H

#include "random_problem.h"

typedef struct random_run {
    const char *program;
    uint64_t seed;
    uint64_t first;
    uint64_t cases;
    const char *law; /* only the laws whose name contains it; NULL: all */
} random_run;

/* Reads [--cases N] [--seed S] [--first K] [--law TEXT] in place of the values in *run, prints the
 * seed on stdout, and watches for crashes. Wrong arguments: prints a line of usage and returns
 * false. */
bool random_begin(random_run *run, int argc, char **argv);

/* Called before each case. */
void random_case(const random_run *run, uint64_t number);

/* Prints on stderr which problem failed, and how to run the last case again. */
void random_report(const tpad_problem *problem);

/* Runs every case with memory and random numbers of its own. run_case returns false after it has
 * reported a problem; otherwise it sets *counts to whether the case counts. Returns the exit status
 * for main. If it is 0, *counted is how many cases count. */
int cases_main(random_run *run, int argc, char **argv,
               bool (*run_case)(bench *b, rng *r, bool *counts), uint64_t *counted);

/* ---- Laws ------------------------------------------------------------------------------------ */

/* A problem with its memory, planned. */
typedef struct setting {
    bench *b;
    rng *r;
    guard *spare; /* four more, for what a law needs */
    random_problem p;
    tpad_plan plan;
} setting;

/* Makes a problem, plans it, runs it as a whole into s->b->dst, and checks the result. */
bool setting_prepare(setting *s, unsigned flags);

/* Prints on stderr what failed and returns false. */
bool setting_failed(const char *what, int32_t status);

typedef struct law {
    const char *name;
    int one_of; /* it is checked on one of so many of the cases */
    bool (*holds)(setting *s);
} law;

/* Checks every law on its share of run.cases problems. Returns the exit status for main. */
int law_main(random_run run, int argc, char **argv, const law *laws, size_t count);

/* A box of the output. */
typedef struct piece {
    int64_t first[TPAD_MAX_RANK];
    int64_t extents[TPAD_MAX_RANK];
} piece;

piece piece_whole(const random_problem *p);

/* A random box inside these extents; it is empty only if they are. */
piece piece_random(rng *r, int32_t rank, const int64_t *extents);

/* The next index inside these extents, last axis fastest; false after the last one. */
bool next_index(int32_t rank, const int64_t *extents, int64_t *index);

#endif
