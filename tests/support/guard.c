/* Memory that notices who strays: mmap and mprotect, or where there are none painted bytes and sums.
 * See guard.h for what it owns and must not know.  SPDX-License-Identifier: MIT */
#include "guard.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { PAINT = 0xA7, PAINTED_BYTES = 96 };

#if defined(__unix__)

enum { EDGE = 0 }; /* bytes of the room that no block takes, at each end: pages do that */

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void protect(guard *g, int rights)
{
    if (mprotect(g->room, g->room_bytes, rights) != 0) {
        perror("mprotect");
        abort();
    }
}

void guard_open(guard *g, size_t capacity)
{
    size_t page = page_bytes();
    size_t room = (capacity + 2 * PAINTED_BYTES + page) / page * page;
    void *all = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) {
        perror("mmap");
        abort();
    }
    g->room = (unsigned char *)all + page;
    g->room_bytes = room;
    g->block = g->room;
    g->block_bytes = 0;
    g->read_only = false;
    protect(g, PROT_READ | PROT_WRITE);
}

void guard_close(guard *g)
{
    size_t page = page_bytes();
    if (g->room != NULL) munmap(g->room - page, g->room_bytes + 2 * page);
    g->room = NULL;
}

void *guard_forbidden(const guard *g)
{
    return g->room + g->room_bytes;
}

#else

enum { EDGE = PAINTED_BYTES };
enum { PROT_READ = 1, PROT_WRITE = 2 };

static uint32_t sum(const guard *g)
{
    uint32_t all = 0;
    for (size_t i = 0; i < g->block_bytes; i++) all = all * 31 + g->block[i];
    return all;
}

/* What may not be written is summed up, and compared as soon as it may be again. */
static void protect(guard *g, int rights)
{
    if (rights == PROT_READ) {
        g->sum = sum(g);
    } else if (g->read_only && (g->sum != sum(g) || !guard_intact(g))) {
        fprintf(stderr, "read-only memory was written\n");
        abort();
    }
}

void guard_open(guard *g, size_t capacity)
{
    g->room_bytes = capacity + 2 * PAINTED_BYTES;
    g->room = malloc(g->room_bytes);
    if (g->room == NULL) {
        fprintf(stderr, "no memory for %lu bytes\n", (unsigned long)g->room_bytes);
        abort();
    }
    g->block = g->room;
    g->block_bytes = 0;
    g->read_only = false;
}

void guard_close(guard *g)
{
    protect(g, PROT_WRITE);
    free(g->room);
    g->room = NULL;
}

void *guard_forbidden(const guard *g)
{
    (void)g;
    return (void *)(uintptr_t)0xDFFFFF00; /* nothing is there on the boards of tests/support/machines */
}

#endif

/* The painted bytes beside the block: fewer where the room ends. */
static void margins(const guard *g, size_t *front, size_t *back)
{
    size_t before = (size_t)(g->block - g->room);
    size_t after = g->room_bytes - before - g->block_bytes;
    *front = before < PAINTED_BYTES ? before : PAINTED_BYTES;
    *back = after < PAINTED_BYTES ? after : PAINTED_BYTES;
}

unsigned char *guard_place(guard *g, size_t bytes, int where, unsigned skew)
{
    size_t front, back;
    if (bytes > g->room_bytes - 2 * PAINTED_BYTES) {
        fprintf(stderr, "guard_place: %lu bytes do not fit into %lu\n", (unsigned long)bytes,
                (unsigned long)g->room_bytes);
        abort();
    }
    if (g->read_only) protect(g, PROT_READ | PROT_WRITE);
    g->read_only = false;
    g->block = where == GUARD_AT_END     ? g->room + g->room_bytes - bytes - EDGE
               : where == GUARD_AT_START ? g->room + EDGE
                                         : g->room + 1 + skew % (PAINTED_BYTES - 1);
    g->block_bytes = bytes;
    margins(g, &front, &back);
    memset(g->block - front, PAINT, front);
    memset(g->block + bytes, PAINT, back);
    return g->block;
}

void guard_read_only(guard *g)
{
    protect(g, PROT_READ);
    g->read_only = true;
}

bool guard_intact(const guard *g)
{
    size_t front, back;
    margins(g, &front, &back);
    for (size_t i = 0; i < front; i++) {
        if (g->block[-1 - (ptrdiff_t)i] != PAINT) return false;
    }
    for (size_t i = 0; i < back; i++) {
        if (g->block[g->block_bytes + i] != PAINT) return false;
    }
    return true;
}
