/* The slate: memory where JavaScript writes the arguments of a call and reads what came of it.
 * SPDX-License-Identifier: MIT
 *
 * A WebAssembly module takes and returns only numbers, and 64-bit integers would be BigInts,
 * which are slow. So every extent, amount and count is a double that holds a whole number of at
 * most 2^53, which JavaScript has checked. javascript/src/engine.js has the same offsets. */
#ifndef TENSORPAD_JAVASCRIPT_ENGINE_SLATE_H
#define TENSORPAD_JAVASCRIPT_ENGINE_SLATE_H

#include <tensorpad/dialect.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

enum { SLATE_LIST = 64, SLATE_WORD = 256, SLATE_TEXT = 2048 };
#define SLATE_MOST INT64_C(0x1FFFFFFFFFFFFF) /* 2^53 - 1 */

typedef struct slate {
    /* Arguments. Lists are as long as their counts, at most SLATE_LIST. */
    double extents[SLATE_LIST];  /* the input's shape */
    double before[SLATE_LIST];   /* amounts in front; pads, padsBegin, paddingBelow; MLI's four */
    double after[SLATE_LIST];    /* amounts after it; padsEnd, paddingAbove */
    double interior[SLATE_LIST]; /* interior cells; axes of ONNX */
    /* Results. */
    double out_extents[TPAD_MAX_RANK];
    double out_elems, out_bytes;
    double got, limit; /* of an error */
    /* One element, as tpad_run takes it. */
    _Alignas(16) unsigned char value[TPAD_FILL_BYTES];
    /* Arguments again. */
    int32_t modes[TPAD_MAX_RANK];
    int32_t rank;
    int32_t before_count, after_count, interior_count; /* -1: the list is absent */
    int32_t order;                                     /* TPAD_WINDOW, TPAD_CROP */
    int32_t elem_bits;
    int32_t high_bits_first; /* 1 for packed elements that begin in the high bits */
    int32_t type;            /* the specification's number of the element type */
    int32_t version;         /* opset, version, or MLI's layout */
    int32_t lenient;
    int32_t value_type; /* the number of the value's type, -1: there is no value */
    int32_t has_word;   /* 1 if `word` holds the mode */
    int32_t error_axis;
    char word[SLATE_WORD]; /* NUL-terminated UTF-8 */
    char text[SLATE_TEXT]; /* of an error: the name of the status, NUL, the sentence, NUL */
} slate;

_Static_assert(TPAD_MAX_RANK == 16, "engine.js counts on it");
_Static_assert(offsetof(slate, out_extents) == 8 * 256, "as in engine.js");
_Static_assert(offsetof(slate, value) == 8 * 276, "as in engine.js");
_Static_assert(offsetof(slate, modes) == 4 * 556, "as in engine.js");
_Static_assert(offsetof(slate, rank) == 4 * 572, "as in engine.js");
_Static_assert(offsetof(slate, word) == 4 * 585, "as in engine.js");
_Static_assert(offsetof(slate, text) == 4 * 649, "as in engine.js");

/* The one slate, and the problem that was made of it last. */
extern slate engine_slate;
extern tpad_translation engine_problem;

/* Checks the problem that was made, writes its output's extents and size to the slate, and returns
 * the status. made_status: what the translation returned; if it is an error, only that is told. */
int32_t engine_measure(int32_t made_status, const tpad_error *error);

/* Writes the error to the slate; returns its code. */
int32_t engine_refuse(const tpad_error *error);

/* `count` entries of a list of the slate as integers, at most `most`. */
static inline void engine_integers(int64_t *to, const double *from, int32_t count, int32_t most)
{
    for (int32_t i = 0; i < count && i < most; i++) to[i] = (int64_t)from[i];
}

#endif
