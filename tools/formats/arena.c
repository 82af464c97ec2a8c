/* Memory that is released all at once.  SPDX-License-Identifier: MIT
 *
 * Owns the blocks. Their sum is a small multiple of what was asked for. */
#include "arena.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Builds for tests use one block for each request, so that each request can fail, and sanitizers
 * see each one. */
#ifndef TPAD_ARENA_BLOCK_BYTES
#define TPAD_ARENA_BLOCK_BYTES 16384
#endif

typedef struct tpad_arena_block {
    struct tpad_arena_block *older;
    max_align_t memory[];
} tpad_arena_block;

/* A request for 0 bytes gets this, so that empty lists need no memory. */
static max_align_t nothing;

void *tpad_arena_take(tpad_arena *arena, int64_t count, size_t item_bytes)
{
    const int64_t align = (int64_t)_Alignof(max_align_t);
    int64_t bytes;
    if (__builtin_mul_overflow(count, (int64_t)item_bytes, &bytes) ||
        __builtin_add_overflow(bytes, align - 1, &bytes))
        return NULL;
    bytes &= ~(align - 1);
    if (bytes == 0) return &nothing;
    if (bytes > arena->room - arena->used) {
        const int64_t room = bytes > TPAD_ARENA_BLOCK_BYTES ? bytes : TPAD_ARENA_BLOCK_BYTES;
        if (arena->limit && (arena->refused || room > arena->limit - arena->total)) {
            arena->refused = 1;
            return NULL;
        }
        tpad_arena_block *block = calloc(1, sizeof *block + (size_t)room);
        if (!block) {
            arena->failed = 1;
            return NULL;
        }
        block->older = arena->blocks;
        arena->blocks = block;
        arena->total += room;
        arena->room = room;
        arena->used = 0;
    }
    void *memory = (char *)arena->blocks->memory + arena->used;
    arena->used += bytes;
    return memory;
}

char *tpad_arena_text(tpad_arena *arena, tpad_string text)
{
    if (text.length == 0) return (char *)&nothing;
    char *copy = tpad_arena_take(arena, text.length + 1, 1);
    if (copy) memcpy(copy, text.text, (size_t)text.length);
    return copy;
}

char *tpad_arena_format(tpad_arena *arena, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *text = length < 0 ? NULL : tpad_arena_take(arena, (int64_t)length + 1, 1);
    if (!text) return NULL;
    va_start(list, format);
    vsnprintf(text, (size_t)length + 1, format, list);
    va_end(list);
    return text;
}

/* Frees the blocks that are newer than one. */
static void free_newer(tpad_arena *arena, const tpad_arena_block *oldest)
{
    while (arena->blocks != oldest) {
        tpad_arena_block *block = arena->blocks;
        arena->blocks = block->older;
        free(block);
    }
}

void tpad_arena_free(tpad_arena *arena)
{
    free_newer(arena, NULL);
    *arena = (tpad_arena){0};
}

tpad_arena_mark tpad_arena_here(const tpad_arena *arena)
{
    return (tpad_arena_mark){arena->blocks, arena->used, arena->room, arena->total};
}

void tpad_arena_back(tpad_arena *arena, tpad_arena_mark mark)
{
    free_newer(arena, mark.blocks);
    arena->used = mark.used;
    arena->room = mark.room;
    arena->total = mark.total;
    if (mark.blocks) /* what is taken is zeroed */
        memset((char *)mark.blocks->memory + mark.used, 0, (size_t)(mark.room - mark.used));
}
