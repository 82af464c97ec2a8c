/* The oracle of the core's tests.  SPDX-License-Identifier: MIT
 *
 * An implementation of docs/semantics.md ("One axis") that is slow and obviously right. It writes
 * every axis, and of very long ones what is left after the crop, out as a list of the input indices
 * that its cells take. Then it looks up and moves every cell alone, bit by bit if it is packed. It
 * shares with it only the public structs and status numbers, no code and no formula. */
#ifndef TENSORPAD_TESTS_SUPPORT_ORACLE_H
#define TENSORPAD_TESTS_SUPPORT_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include <tensorpad/tensorpad.h>

#define ORACLE_FILL ((int64_t)-1)

typedef struct oracle {
    int32_t status; /* TPAD_OK, TPAD_E_NEGATIVE or TPAD_E_NO_SOURCE */
    int32_t axis;   /* the axis that the error is about, or -1 */
    int32_t rank;
    int64_t extents[TPAD_MAX_RANK];    /* of the output; may be negative if refused */
    int64_t cells;                     /* of the output */
    int64_t *source[TPAD_MAX_RANK];    /* per output index: an input index or ORACLE_FILL */
    bool reads;                        /* some cell takes an input element */
    int64_t need_first[TPAD_MAX_RANK]; /* the smallest box of the input that contains what is
                                          read */
    int64_t need_extents[TPAD_MAX_RANK];
} oracle;

/* Solves a problem whose output is small and whose modes and orders exist. So must its input be,
 * but for axes that are cropped first, or have mode constant. */
void oracle_solve(oracle *o, const tpad_problem *problem);
void oracle_close(oracle *o);

/* The input box that one box of the output reads; false if it reads nothing. */
bool oracle_needs(const oracle *o, const int64_t *box_first, const int64_t *box_extents,
                  int64_t *first, int64_t *extents);

/* Writes the whole output, as tpad_run would. */
void oracle_run(const oracle *o, const tpad_problem *problem, const void *src, void *dst,
                const void *value);

/* The same with a fill that may be an array, as tpad_run_fill would. */
void oracle_run_fill(const oracle *o, const tpad_problem *problem, const void *src, void *dst,
                     const tpad_fill *fill);

/* Clears the unused bits of the last byte, if this is a packed output that is dense from dst on. */
void oracle_clear_tail(const tpad_problem *problem, const int64_t *extents, const int64_t *strides,
                       int64_t offset, void *dst);

/* The strides that a problem means on its input and on its output. */
void oracle_in_strides(const tpad_problem *problem, int64_t *strides);
void oracle_out_strides(const oracle *o, const tpad_problem *problem, int64_t *strides);

/* The size of one element in the unit of strides: its bytes, or 1 where it is packed. */
int64_t oracle_unit(const tpad_problem *problem);

/* Moves one element, `from` and `to` in the unit of strides. */
void oracle_move(const tpad_problem *problem, const void *src, int64_t from, void *dst, int64_t to);

#endif
