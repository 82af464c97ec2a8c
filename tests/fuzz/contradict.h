/* Files that contradict themselves, drawn at random.  SPDX-License-Identifier: MIT
 *
 * A change of some bytes seldom makes two places of a file disagree and keeps the rest right. These
 * files are right but for such places: two things of one name, three shapes that do not agree,
 * declared against real sizes, extents of 0 beside huge ones, functions named like operators, names
 * of a subgraph that hide those around it.
 * The makers of the other tests (tests/support/onnx_bytes.h, onnx_models.py) cannot make them:
 * these run inside libFuzzer, without a test library, and stop where the fuzzer's room ends.
 * contradict_onnx.c and _ir.c make files; contradict.c has what they share, makes files of one
 * tensor, and hands them to libFuzzer; replay.c runs some of them without it. */
#ifndef TENSORPAD_TESTS_FUZZ_CONTRADICT_H
#define TENSORPAD_TESTS_FUZZ_CONTRADICT_H

#include <stddef.h>
#include <stdint.h>

/* Makes the file of that number; the same number makes the same file. Returns its bytes; 0 if there
 * is no room. */
size_t fuzz_contradict(uint8_t *bytes, size_t room, uint32_t number);

/* ---- contradict.c ---------------------------------------------------------------------------- */

/* A file while it is made. */
typedef struct maker {
    uint8_t *bytes;
    size_t used, room;
    int full;
    uint64_t random;
} maker;

/* A number below `count`; 1 once in `count` times; one of the texts, of which the last is NULL. */
uint32_t pick(maker *m, uint32_t count);
int rarely(maker *m, uint32_t count);
const char *pick_text(maker *m, const char *const *texts);

/* A number near an end of its type, or a small one. */
int64_t pick_number(maker *m);

/* Shapes of which many pairs contradict each other: extents of -1 are unknown, a rank of -1 too. */
enum { MOST_AXES = 8, MOST_CELLS = 16 };
typedef struct shape {
    int rank;
    int64_t extents[MOST_AXES];
} shape;
const shape *pick_shape(maker *m);
/* One of at most MOST_CELLS elements, which a file can hold; *count: how many. Now and then another
 * shape, or another count. */
const shape *pick_held_shape(maker *m, int64_t *count);

void put_bytes(maker *m, const void *bytes, size_t count);
void put_print(maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Protobuf: a field of a number; of a text; of what is put between `open` and `close`. */
void put_number(maker *m, uint32_t field, int64_t number);
void put_text(maker *m, uint32_t field, const char *text);
size_t put_open(maker *m, uint32_t field);
void put_close(maker *m, size_t place);
/* The fields of a TensorProto. Now and then it does not hold what it says. */
void put_tensor(maker *m, const char *name);
/* One of as many integers of 64 bits. */
void put_list(maker *m, const char *name, int64_t count);

#endif
