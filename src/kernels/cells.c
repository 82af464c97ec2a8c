/* Small outputs: copying what is listed by its places, in plain C. SPDX-License-Identifier: MIT */
#include "kernels.h"

/* Copies the stretch `s` of all rows. Where the compiler knows the bytes it needs one or two moves
 * for them, else a call. */
#define COPY_ROWS(BYTES)                                                                           \
    for (const tpad_place *r = rows; r < rows + row_count; r++)                                    \
        tpad_memcpy(dst + r->dst + s->at.dst,                                                      \
                    (const void *)(src + (uintptr_t)((int64_t)r->src + s->at.src)), BYTES);        \
    break

void tpad_copy_cells(unsigned char *dst, uintptr_t src, const tpad_place *rows, int32_t row_count,
                     const tpad_stretch *stretches, int32_t stretch_count)
{
    for (const tpad_stretch *s = stretches; s < stretches + stretch_count; s++) {
        switch (s->bytes) {
        case 1:
            COPY_ROWS(1);
        case 2:
            COPY_ROWS(2);
        case 3:
            COPY_ROWS(3);
        case 4:
            COPY_ROWS(4);
        case 8:
            COPY_ROWS(8);
        case 12:
            COPY_ROWS(12);
        case 16:
            COPY_ROWS(16);
        case 32:
            COPY_ROWS(32);
        default:
            COPY_ROWS((size_t)s->bytes);
        }
    }
}
