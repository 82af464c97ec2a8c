/* Memory that notices accesses outside a block. SPDX-License-Identifier: MIT
 *
 * Blocks between two pages that may not be accessed. A block is placed against one of these pages,
 * or between painted bytes. On its open side there are always painted bytes. On machines without
 * pages there are painted bytes on both sides: a write there is noticed, a read is not. Parts of a
 * block can be forbidden as well. */
#ifndef TENSORPAD_TESTS_SUPPORT_GUARD_H
#define TENSORPAD_TESTS_SUPPORT_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct guard {
    unsigned char *room; /* what lies between the two forbidden pages */
    size_t room_bytes;
    unsigned char *block; /* the block that was placed last */
    size_t block_bytes;
    bool read_only;
    bool has_gaps; /* parts of the block are forbidden */
    uint32_t sum;  /* without pages: of the block when it became read-only */
} guard;

enum {
    GUARD_AT_END,   /* the block's last byte is the last before the forbidden page */
    GUARD_AT_START, /* its first byte is the first after the forbidden page */
    GUARD_BETWEEN   /* painted bytes on both sides, any alignment */
};

/* Ends the program if the system has no memory. */
void guard_open(guard *g, size_t capacity);
void guard_close(guard *g);

/* Places a writable block of `bytes`; the block before it is gone. `skew` moves a GUARD_BETWEEN
 * block.
 */
unsigned char *guard_place(guard *g, size_t bytes, int where, unsigned skew);

/* From here to the next guard_place, a write to the block ends the program: at once, or at that
 * guard_place. */
void guard_read_only(guard *g);

/* From here to the next guard_place, an access to a byte of the block for which `used` is 0, and
 * not 1, ends the program, as far as the machine and the build can notice it:
 *   - pages of the system: if all bytes of a page are unused. They notice the accesses of every
 *     instruction, also those of vectors, but not the lanes that a mask turns off, because the
 *     machine does not access these.
 *   - address sanitizer: groups of 8 bytes (by address) without any used byte, unused bytes at the
 *     end of a group, and the painted bytes beside the block, so guard_intact may not be called. Of
 *     a loaded vector it checks only the first and the last byte, and masked loads of AVX-512 only
 *     if clang compiled them.
 *   - valgrind's memcheck, if its header was there and with --partial-loads-ok=no: every byte. It
 *     does not know AVX-512. */
void guard_forbid_gaps(guard *g, const unsigned char *used);

/* True if all painted bytes are unchanged. */
bool guard_intact(const guard *g);

/* Before the address sanitizer ends the program, it calls `tell`. */
void guard_on_report(void (*tell)(void));

/* An address whose access ends the program. */
void *guard_forbidden(const guard *g);

#endif
