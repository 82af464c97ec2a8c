/* Memory that notices accesses outside a block: by mmap and mprotect or, on machines without them,
 * by painted bytes and sums. See guard.h for what it owns and must not know.
 * SPDX-License-Identifier: MIT */
#include "guard.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER
#endif
#if defined(HAS_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#endif
#if defined(__linux__) && defined(__has_include)
#if __has_include(<valgrind/memcheck.h>)
#define HAS_MEMCHECK
#include <valgrind/memcheck.h>
#endif
#endif

enum { PAINT = 0xA7, PAINTED_BYTES = 96 };

/* The numbers of painted bytes beside the block; fewer at the ends of the room. */
static void margins(const guard *g, size_t *front, size_t *back)
{
    size_t before = (size_t)(g->block - g->room);
    size_t after = g->room_bytes - before - g->block_bytes;
    *front = before < PAINTED_BYTES ? before : PAINTED_BYTES;
    *back = after < PAINTED_BYTES ? after : PAINTED_BYTES;
}

/* Tells the sanitizer and valgrind to report accesses to these bytes, or to stop it. */
static void watch(const unsigned char *at, size_t bytes, bool forbidden)
{
#if defined(HAS_ADDRESS_SANITIZER)
    if (forbidden) {
        ASAN_POISON_MEMORY_REGION(at, bytes);
    } else {
        ASAN_UNPOISON_MEMORY_REGION(at, bytes);
    }
#endif
#if defined(HAS_MEMCHECK)
    if (forbidden) {
        (void)VALGRIND_MAKE_MEM_NOACCESS(at, bytes);
    } else {
        (void)VALGRIND_MAKE_MEM_DEFINED(at, bytes);
    }
#endif
    (void)at;
    (void)bytes;
    (void)forbidden;
}

static void allow_all(const guard *g)
{
    size_t front, back;
    margins(g, &front, &back);
    watch(g->block - front, front + g->block_bytes + back, false);
}

#if defined(__unix__)

enum { EDGE = 0 }; /* bytes at each end of the room that no block uses: pages do that */

static size_t edge_behind(const guard *g)
{
    (void)g;
    return EDGE;
}

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

/* Gives the pages of a large block back: to protect them again and again takes long. */
static void release(guard *g)
{
    enum { LARGE = 1 << 20 };
    if (g->block_bytes > LARGE && madvise(g->room, g->room_bytes, MADV_DONTNEED) != 0) {
        perror("madvise");
        abort();
    }
}

/* Forbids the pages that lie in these bytes as a whole. */
static void forbid_pages(unsigned char *at, size_t bytes)
{
    size_t page = page_bytes();
    size_t skip = (page - (uintptr_t)at % page) % page;
    if (skip >= bytes || (bytes - skip) / page == 0) return;
    if (mprotect(at + skip, (bytes - skip) / page * page, PROT_NONE) != 0) {
        perror("mprotect");
        abort();
    }
}

/* Memory at a low address where there is some: a pointer that goes far below it becomes negative,
 * which the sanitizer of undefined behaviour reports. From a high address it does not. */
static void *low_memory(size_t bytes)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    void *all = MAP_FAILED;
#if defined(MAP_32BIT)
    all = mmap(NULL, bytes, PROT_NONE, flags | MAP_32BIT, -1, 0);
#endif
    return all != MAP_FAILED ? all : mmap(NULL, bytes, PROT_NONE, flags, -1, 0);
}

void guard_open(guard *g, size_t capacity)
{
    size_t page = page_bytes();
    size_t room = (capacity + 2 * PAINTED_BYTES + page) / page * page;
    void *all = low_memory(room + 2 * page);
    if (all == MAP_FAILED) {
        perror("mmap");
        abort();
    }
    g->room = (unsigned char *)all + page;
    g->room_bytes = room;
    g->block = g->room;
    g->block_bytes = 0;
    g->read_only = g->has_gaps = false;
    protect(g, PROT_READ | PROT_WRITE);
}

void guard_close(guard *g)
{
    size_t page = page_bytes();
    if (g->room != NULL && g->has_gaps) allow_all(g);
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

static void forbid_pages(unsigned char *at, size_t bytes)
{
    (void)at;
    (void)bytes;
}

static void release(guard *g)
{
    (void)g;
}

static uint32_t sum(const guard *g)
{
    uint32_t all = 0;
    for (size_t i = 0; i < g->block_bytes; i++) all = all * 31 + g->block[i];
    return all;
}

/* Computes the sum of a block when it becomes read-only, and compares it when the block may be
 * written again. */
static void protect(guard *g, int rights)
{
    if (rights == PROT_READ) {
        g->sum = sum(g);
    } else if (g->read_only && (g->sum != sum(g) || !guard_intact(g))) {
        fprintf(stderr, "read-only memory was written\n");
        abort();
    }
}

#if defined(__wasm__)

/* WebAssembly forbids only what lies after the end of its memory. The room that is made last ends
 * there, as long as the heap does not grow. */
enum { WASM_PAGE_BYTES = 65536, HEAP_BYTES = 16 << 20 };

static unsigned char *memory_end(void)
{
    return (unsigned char *)(__builtin_wasm_memory_size(0) * WASM_PAGE_BYTES);
}

static unsigned char *new_room(size_t *bytes)
{
    const size_t pages = (*bytes + WASM_PAGE_BYTES - 1) / WASM_PAGE_BYTES;
    free(malloc(HEAP_BYTES));
    unsigned char *room = memory_end();
    *bytes = pages * WASM_PAGE_BYTES;
    return __builtin_wasm_memory_grow(0, pages) == (size_t)-1 ? NULL : room;
}

static size_t edge_behind(const guard *g)
{
    return g->room + g->room_bytes == memory_end() ? 0 : EDGE;
}

static void free_room(unsigned char *room)
{
    (void)room;
}

#else

static unsigned char *new_room(size_t *bytes)
{
    return malloc(*bytes);
}

static size_t edge_behind(const guard *g)
{
    (void)g;
    return EDGE;
}

static void free_room(unsigned char *room)
{
    free(room);
}

#endif

void guard_open(guard *g, size_t capacity)
{
    g->room_bytes = capacity + 2 * PAINTED_BYTES;
    g->room = new_room(&g->room_bytes);
    if (g->room == NULL) {
        fprintf(stderr, "no memory for %lu bytes\n", (unsigned long)g->room_bytes);
        abort();
    }
    g->block = g->room;
    g->block_bytes = 0;
    g->read_only = g->has_gaps = false;
}

void guard_close(guard *g)
{
    if (g->has_gaps) allow_all(g);
    protect(g, PROT_WRITE);
    free_room(g->room);
    g->room = NULL;
}

void *guard_forbidden(const guard *g)
{
    (void)g;
    return (void *)(uintptr_t)0xDFFFFF00; /* the boards of tests/machines have nothing
                                             there */
}

#endif

unsigned char *guard_place(guard *g, size_t bytes, int where, unsigned skew)
{
    size_t front, back;
    if (bytes > g->room_bytes - 2 * PAINTED_BYTES) {
        fprintf(stderr, "guard_place: %lu bytes do not fit into %lu\n", (unsigned long)bytes,
                (unsigned long)g->room_bytes);
        abort();
    }
    if (g->has_gaps) allow_all(g);
    if (g->read_only || g->has_gaps) protect(g, PROT_READ | PROT_WRITE);
    g->read_only = g->has_gaps = false;
    release(g);
    g->block = where == GUARD_AT_END     ? g->room + g->room_bytes - bytes - edge_behind(g)
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

void guard_forbid_gaps(guard *g, const unsigned char *used)
{
    size_t front, back;
    margins(g, &front, &back);
    watch(g->block - front, front, true);
    watch(g->block + g->block_bytes, back, true);
    for (size_t i = 0, end; i < g->block_bytes; i = end) {
        const unsigned char *other = memchr(used + i, !used[i], g->block_bytes - i);
        end = other != NULL ? (size_t)(other - used) : g->block_bytes;
        if (used[i]) continue;
        watch(g->block + i, end - i, true);
        forbid_pages(g->block + i, end - i);
    }
    g->has_gaps = true;
}

void guard_on_report(void (*tell)(void))
{
#if defined(HAS_ADDRESS_SANITIZER)
    __sanitizer_set_death_callback(tell);
#endif
    (void)tell;
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
