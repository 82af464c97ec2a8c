/* Tiles that are written around the caches. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_KERNELS_STREAM_H
#define TENSORPAD_KERNELS_STREAM_H

#include "kernels.h"

/* How a form makes tiles of a table that it has made ready. */
typedef struct tpad_maker {
    const void *ready; /* the form's own */
    /* The tiles; whether they are streamed does not matter. */
    void (*tiles)(const void *ready, const tpad_tiles *t);
    /* `count` vectors of piece k, and perhaps a vector more, one after the other at dst; src: where
     * the windows of the first one count from. first_term: the number of the piece's first term. */
    void (*vectors)(const void *ready, const tpad_tiles *t, int32_t k, int32_t first_term,
                    int32_t count, unsigned char *dst, const unsigned char *src);
} tpad_maker;

TPAD_INTERNAL void tpad_stream_tiles(const tpad_tiles *t, const tpad_maker *make);

/* What was streamed is in memory before whatever follows. */
TPAD_INTERNAL void tpad_stream_fence(void);

#endif
