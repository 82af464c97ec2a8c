/* Writes tiles around the caches. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_KERNELS_STREAM_H
#define TENSORPAD_KERNELS_STREAM_H

#include "kernels.h"

/* How a form makes tiles of a prepared table. */
typedef struct tpad_maker {
    const void *ready; /* the form's prepared table */
    /* Makes the tiles; t->streamed is ignored. */
    void (*tiles)(const void *ready, const tpad_tiles *t);
    /* Makes `count` vectors of piece k, and perhaps one more, one after another at dst; src: the
     * base of the first one's windows. first_term: the number of the piece's first term. */
    void (*vectors)(const void *ready, const tpad_tiles *t, int32_t k, int32_t first_term,
                    int32_t count, unsigned char *dst, const unsigned char *src);
} tpad_maker;

TPAD_INTERNAL void tpad_stream_tiles(const tpad_tiles *t, const tpad_maker *make);

/* Orders streamed stores before all later ones. */
TPAD_INTERNAL void tpad_stream_fence(void);

#endif
