/* Running a plan on a large tensor in pieces, through two small areas of memory ("rooms"), so that
 * the engine's memory does not grow with the tensor. SPDX-License-Identifier: MIT
 *
 * The tensors lie where C cannot reach them. For each piece C says which ranges of the input are to
 * be copied into the room for input, and which range of the output the piece is. The caller does:
 *
 *     more = pieces_begin(...);
 *     while (more > 0) {
 *         copy slate->copies from the input to rooms.in
 *         more = pieces_step(&p);
 *         the piece is out_bytes bytes, from byte out_first of the output on. If out_from is -1,
 *         copy them from rooms.out. Else the piece is out_count rows as long as each other. Of row
 *         k, copy all but out_gap bytes from byte out_from + k * out_step of the input to byte
 *         out_front of the row, and the others from byte k * out_pitch of rooms.out: out_front
 *         bytes to the front of the row, the rest to its end. out_pitch is out_gap, or 0 if these
 *         bytes are the same in all rows; then those of a second row follow, if there is one
 *     }
 *
 * The ranges of the output follow each other and are all of it. */
#ifndef TENSORPAD_JAVASCRIPT_ENGINE_PIECES_H
#define TENSORPAD_JAVASCRIPT_ENGINE_PIECES_H

#include <stddef.h>
#include <stdint.h>
#include <tensorpad/tensorpad.h>

enum { PIECES_MOST_COPIES = 64, PIECES_PLANS = 3 };

/* Ranges of the input to be copied: `count` of them, `bytes` bytes each. Range k begins at byte
 * from + k * from_step of the input, and goes to byte to + k * to_step of the room. JavaScript
 * reads these structs where they lie, so the order of the fields is fixed. */
typedef struct pieces_copy {
    double from, from_step;
    int32_t to, to_step, bytes, count;
} pieces_copy;

typedef struct pieces_slate {
    /* The piece that the last step made; out_bytes is 0 before the first one. */
    double out_first, out_bytes, out_from, out_step;
    int32_t out_count;
    /* What the next step needs. What earlier steps copied into the room is used again. */
    int32_t copy_count;
    int32_t out_front, out_gap;
    int32_t out_pitch, unused;
    pieces_copy copies[2 * PIECES_MOST_COPIES];
} pieces_slate;

typedef struct pieces_rooms {
    unsigned char *in, *out;
    int64_t in_bytes, out_bytes;
} pieces_rooms;

/* A box of the input that is read, and how it lies in memory: distances in bytes. */
typedef struct pieces_input {
    int32_t reads; /* 0: nothing is read, and the rest is not set */
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK], strides[TPAD_MAX_RANK];
} pieces_input;

/* A box of the output. */
typedef struct pieces_box {
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK];
    int32_t line[TPAD_MAX_RANK]; /* 1 or -1 if an axis takes neighbours up or down, one a cell */
    pieces_input input;          /* what it reads, as it lies in the room */
    int64_t place;               /* where that begins in the room */
    int64_t pitch;               /* from row to row in the room for output; 0: it is dense */
} pieces_box;

/* A plan that serves all boxes that are like `box`. */
typedef struct pieces_plan {
    int32_t there;
    pieces_box box;
    tpad_plan plan;
} pieces_plan;

/* Cells of an axis that are a plain copy. */
typedef struct pieces_stretch {
    int64_t first, end;
} pieces_stretch;

/* A piece of the output, as the slate tells it. */
typedef struct pieces_out {
    double bytes, from, step;
    int32_t count, front, gap, pitch;
} pieces_out;

/* The state of a run; nothing in it is for the caller, except the slate. */
typedef struct pieces {
    pieces_slate slate;
    pieces_rooms rooms;
    const tpad_plan *plan;
    const void *value;
    int32_t rank;
    int32_t inner; /* the innermost axis after which everything is copied as it is */
    /* Long ones on axis `inner` and on the one before it; empty if there are none. */
    pieces_stretch stretch, rows;
    int32_t has_rows; /* 1 if JavaScript copies the stretch of many rows itself */
    int64_t elem_bytes, at_byte;
    int64_t in_extents[TPAD_MAX_RANK], in_strides[TPAD_MAX_RANK], out_extents[TPAD_MAX_RANK];
    int64_t at[TPAD_MAX_RANK]; /* the next piece's first cell */
    pieces_input all;          /* what the whole output reads */
    pieces_input held;         /* what lies in the room */
    pieces_box next;
    pieces_out out;                  /* of the next piece */
    pieces_box sides[2];             /* what is made in front of and after the stretch of rows */
    pieces_plan plans[PIECES_PLANS]; /* of the two sides, and of other pieces */
} pieces;

/* Begins a run. The plan is of a problem with dense sides, a whole one (of no box or border).
 * in_extents: as many as the plan's rank. value: one element, or NULL. The plan and the value must
 * stay where they are until the last step. Returns 1 if there is something to do, 0 if the output
 * is empty, and -1 if the plan cannot be run in pieces: elements of less than a byte, or a room
 * that does not hold an element. */
int32_t pieces_begin(pieces *p, const tpad_plan *plan, const int64_t *in_extents, int32_t elem_bits,
                     const void *value, const pieces_rooms *rooms);

/* Begins the run of the last pieces_begin again, which returned 1, maybe with another value and
 * other tensors. The plan may lie elsewhere. Returns 1. */
int32_t pieces_again(pieces *p, const tpad_plan *plan, const void *value);

/* Makes the piece for which the slate asked, and asks for the next one. Returns 1 if there is a
 * next one. */
int32_t pieces_step(pieces *p);

#endif
