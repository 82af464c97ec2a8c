/* What only WebAssembly needs: the engine's memory, and the way to simd.wasm.
 * SPDX-License-Identifier: MIT
 *
 * take and give: first fit, with merging of neighbours. Memory of a module grows and never
 * shrinks; what was given back is used again. simd.wasm has the tiles by vector instructions:
 * src/kernels/wasm.c needs the two functions at the end that have no `static`. */
#include <stddef.h>
#include <stdint.h>

#include "slate.h"

enum { PAGE = 65536, MOST_PAGES = 65535, UNIT = 16 }; /* with one page more, sizes overflow */

/* In front of every piece of memory. All sizes are multiples of UNIT and include the header. */
typedef struct block {
    uint32_t size;
    uint32_t size_before; /* of the block in front of it, 0: it is the first */
    uint32_t is_free;
    uint32_t unused;
} block;

/* A free block goes on with its neighbours in the list of free blocks. */
typedef struct free_block {
    block head;
    struct free_block *next, *previous;
} free_block;

_Static_assert(sizeof(block) == UNIT, "what follows a header is aligned");

extern unsigned char __heap_base; /* from the linker: the first byte after data and stack */

static free_block *first_free;
static block *last; /* the block at the end of the memory, NULL at first */

static block *block_behind(block *at)
{
    return at == last ? NULL : (block *)((unsigned char *)at + at->size);
}

static void unlink_free(free_block *at)
{
    if (at->previous)
        at->previous->next = at->next;
    else
        first_free = at->next;
    if (at->next) at->next->previous = at->previous;
    at->head.is_free = 0;
}

static void link_free(free_block *at)
{
    at->head.is_free = 1;
    at->previous = NULL;
    at->next = first_free;
    if (first_free) first_free->previous = at;
    first_free = at;
}

static void set_size(block *at, uint32_t size)
{
    at->size = size;
    block *after = block_behind(at);
    if (after) after->size_before = size;
}

/* Makes a block free, and one with free neighbours. */
static void release(block *at)
{
    block *after = block_behind(at);
    if (after && after->is_free) {
        unlink_free((free_block *)after);
        if (after == last) last = at;
        set_size(at, at->size + after->size);
    }
    block *front = at->size_before ? (block *)((unsigned char *)at - at->size_before) : NULL;
    if (front && front->is_free) {
        unlink_free((free_block *)front);
        if (at == last) last = front;
        set_size(front, front->size + at->size);
        at = front;
    }
    link_free((free_block *)at);
}

/* Adds a free block of at least `size` bytes at the memory's end; 0 if the memory cannot grow. */
static int grow(uint32_t size)
{
    const uint32_t end = (uint32_t)__builtin_wasm_memory_size(0) * PAGE;
    const uint32_t base = ((uint32_t)&__heap_base + UNIT - 1) / UNIT * UNIT;
    const uint32_t start = last ? end : base;
    const uint32_t there = last ? (last->is_free ? last->size : 0) : end - base;
    if (there < size) {
        const uint32_t pages = (size - there + PAGE - 1) / PAGE;
        if (pages > MOST_PAGES - __builtin_wasm_memory_size(0)) return 0;
        if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 0;
    }
    block *fresh = (block *)start;
    *fresh = (block){.size = (uint32_t)__builtin_wasm_memory_size(0) * PAGE - start,
                     .size_before = last ? last->size : 0};
    last = fresh;
    release(fresh);
    return 1;
}

/* `bytes` bytes, aligned to 16, or 0 if the memory cannot grow so far. */
void *EXPORT(take)(uint32_t bytes);
void *take(uint32_t bytes)
{
    if (bytes > UINT32_MAX - 2 * PAGE) return NULL;
    uint32_t size = (bytes + UNIT - 1) / UNIT * UNIT + (uint32_t)sizeof(block);
    if (size < sizeof(free_block)) size = 2 * UNIT;
    free_block *found;
    do
        for (found = first_free; found && found->head.size < size; found = found->next) continue;
    while (!found && grow(size));
    if (!found) return NULL;
    unlink_free(found);
    const uint32_t rest = found->head.size - size;
    if (rest >= 2 * UNIT) {
        block *after = (block *)((unsigned char *)found + size);
        if (&found->head == last) last = after;
        *after = (block){.size_before = size};
        set_size(after, rest);
        found->head.size = size;
        link_free((free_block *)after);
    }
    return &found->head + 1;
}

/* Gives back what take returned. */
void EXPORT(give)(void *memory);
void give(void *memory)
{
    release((block *)memory - 1);
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

struct tpad_tiles;
int tpad_has_wasm(void);
void tpad_tiles_wasm(const struct tpad_tiles *tiles);

static void (*made_by)(const struct tpad_tiles *tiles);

/* From now on plans are for these tiles: the place in the engine's table of functions where
 * JavaScript put the function `tiles` of simd.wasm. */
void EXPORT(use_tiles)(void (*tiles)(const struct tpad_tiles *tiles));
void use_tiles(void (*tiles)(const struct tpad_tiles *tiles))
{
    made_by = tiles;
}

int tpad_has_wasm(void)
{
    return made_by != 0;
}

void tpad_tiles_wasm(const struct tpad_tiles *tiles)
{
    made_by(tiles);
}
