/* Memory that notices who strays.  SPDX-License-Identifier: MIT
 *
 * Owns: blocks between two pages that nobody may touch. A block is placed against one of these
 * pages, or between painted bytes; painted bytes lie on its open side always. On machines without
 * pages there are painted bytes on both sides: who writes there is noticed, who reads is not.
 * Parts of a block can be forbidden as well.
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
    bool has_gaps; /* parts of the block are forbidden */
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

/* From here to the next guard_place, touching a byte of the block for which `used` holds 0, and not
 * 1, ends the program, as far as the machine and the build can see that:
 *   - pages of the system: where all bytes of a page are unused. Every access by whatever
 *     instruction is noticed, those of the machine's vectors too, but not the lanes that a mask
 *     turns off, which the machine does not access.
 *   - address sanitizer: groups of 8 bytes (by address) of which none is used, and unused bytes at
 *     the end of a group; the painted bytes beside the block too, so guard_intact is not to be
 *     asked. Of a vector that is loaded it looks at the first and the last byte only, and at masked
 *     loads of AVX-512 only where clang compiled them.
 *   - valgrind's memcheck, where its header was there and with --partial-loads-ok=no: every byte.
 *     It knows no AVX-512. */
void guard_forbid_gaps(guard *g, const unsigned char *used);

/* Are all painted bytes as they were? */
bool guard_intact(const guard *g);

/* Where the address sanitizer ends the program, it calls `tell` first. */
void guard_on_report(void (*tell)(void));

/* An address that ends the program when touched. */
void *guard_forbidden(const guard *g);

#endif
