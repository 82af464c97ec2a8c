/* Memory that notices who strays.  SPDX-License-Identifier: MIT
 *
 * Owns: blocks between two pages that nobody may touch. A block is placed against one of these
 * pages, or between painted bytes; painted bytes lie on its open side always. On machines without
 * pages there are painted bytes on both sides: who writes there is noticed, who reads is not.
 * Must not know: tensors.
 */
#ifndef TENSORPAD_TESTS_GUARD_H
#define TENSORPAD_TESTS_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct guard {
    unsigned char *room; /* what lies between the two forbidden pages */
    size_t room_bytes;
    unsigned char *block; /* the block placed last */
    size_t block_bytes;
    bool read_only;
    uint32_t sum; /* where there are no pages: of the block when it became read-only */
} guard;

enum {
    GUARD_AT_END,   /* the block's last byte is the last before the forbidden page */
    GUARD_AT_START, /* its first byte is the first after the forbidden page */
    GUARD_BETWEEN   /* painted bytes on both sides, any alignment */
};

/* Ends the program where the system has no memory. */
void guard_open(guard *g, size_t capacity);
void guard_close(guard *g);

/* A block of `bytes`, writable; the one placed before is gone. `skew` moves a GUARD_BETWEEN block.
 */
unsigned char *guard_place(guard *g, size_t bytes, int where, unsigned skew);

/* From here to the next guard_place, writing into the block ends the program: at once, or there. */
void guard_read_only(guard *g);

/* Are all painted bytes as they were? */
bool guard_intact(const guard *g);

/* An address that ends the program when touched. */
void *guard_forbidden(const guard *g);

#endif
