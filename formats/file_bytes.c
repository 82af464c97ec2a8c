/* Reading and writing the bytes of files. SPDX-License-Identifier: MIT
 *
 * Descriptors, mappings and the memory that pipes are read into. Memory grows with the bytes that
 * have arrived, never with the size that a header claims. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "formats/port/system.h"

enum { FIRST_ROOM = 1 << 16, LARGEST_CALL = 1 << 30, LARGE_BLOCK = 1 << 26 };

static const unsigned char no_bytes[1];

static void stop_reading(tpad_bytes *bytes)
{
    if (bytes->more > 1) close(bytes->more - 1); /* 1 is standard input, which stays open */
    bytes->more = 0;
}

void tpad_bytes_close(tpad_bytes *bytes)
{
    stop_reading(bytes);
    if (bytes->mapped)
        system_unmap((void *)(uintptr_t)bytes->data, bytes->count);
    else if (bytes->room)
        free((void *)(uintptr_t)bytes->data);
    *bytes = (tpad_bytes){0};
}

/* The number in /proc/meminfo that `format` reads; INT64_MAX if there is none. */
static int64_t meminfo_kilobytes(const char *format)
{
    char line[128];
    long long kilobytes = INT64_MAX;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, format, &kilobytes) == 1) break;
    if (file) fclose(file);
    return kilobytes;
}

int32_t tpad_fits_memory(int64_t bytes)
{
    if (bytes < 0 || (uint64_t)bytes >= SIZE_MAX / 2) return 0;
    return bytes < LARGE_BLOCK || bytes / 1024 < meminfo_kilobytes("MemAvailable: %lld") / 2;
}

int64_t tpad_memory_bytes(void)
{
    const int64_t kilobytes = meminfo_kilobytes("MemTotal: %lld");
    return kilobytes > INT64_MAX / 1024 ? INT64_MAX : kilobytes * 1024;
}

int32_t tpad_bytes_start(tpad_bytes *bytes, const char *path, tpad_io_error *error)
{
    int standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : system_open(path, SYSTEM_READ);
    *bytes = (tpad_bytes){.data = no_bytes};
    if (fd < 0) return tpad_io_fail(error, TPAD_E_IO, "%s: %s", path, strerror(errno));
    bytes->more = fd + 1;
    system_entry entry;
    if (system_look_open(fd, &entry) != 0) {
        tpad_io_fail(error, TPAD_E_IO, "%s: %s", path, strerror(errno));
        tpad_bytes_close(bytes);
        return TPAD_E_IO;
    }
    if (entry.kind == SYSTEM_FOLDER) {
        tpad_bytes_close(bytes);
        return tpad_io_fail(error, TPAD_E_IO, "%s: is a folder", path);
    }
    /* Files of size 0 are read, because files in /proc claim 0 and contain data. Standard input is
     * mapped only if nothing was read from it before. A file that cannot be mapped is read. */
    if (entry.kind == SYSTEM_FILE && entry.bytes > 0 && (uint64_t)entry.bytes <= SIZE_MAX / 2 &&
        (!standard || lseek(fd, 0, SEEK_CUR) == 0)) {
        void *map = system_map(fd, entry.bytes, 0);
        if (map) {
            bytes->data = map;
            bytes->count = entry.bytes;
            bytes->mapped = 1;
            stop_reading(bytes);
        }
    }
    return TPAD_OK;
}

static int32_t grow(tpad_bytes *bytes, const char *path, int64_t count, tpad_io_error *error)
{
    int64_t room = bytes->room ? bytes->room : FIRST_ROOM;
    if (bytes->room && __builtin_mul_overflow(room, 2, &room)) room = INT64_MAX;
    if (room > count) room = count;
    void *old = bytes->room ? (void *)(uintptr_t)bytes->data : NULL;
    void *memory = tpad_fits_memory(room) ? realloc(old, (size_t)room) : NULL;
    if (!memory)
        return tpad_io_fail(
            error, TPAD_E_MEMORY,
            "%s: no memory for %lld bytes; a regular file needs none, as it is mapped", path,
            (long long)room);
    bytes->data = memory;
    bytes->room = room;
    return TPAD_OK;
}

int32_t tpad_bytes_reach(tpad_bytes *bytes, const char *path, int64_t count, tpad_io_error *error)
{
    while (bytes->more && bytes->count < count) {
        if (bytes->count == bytes->room) {
            int32_t status = grow(bytes, path, count, error);
            if (status) return status;
        }
        int64_t wanted = (bytes->room < count ? bytes->room : count) - bytes->count;
        if (wanted > LARGEST_CALL) wanted = LARGEST_CALL;
        unsigned char *end = (unsigned char *)(uintptr_t)bytes->data + bytes->count;
        ssize_t got = read(bytes->more - 1, end, (size_t)wanted);
        if (got > 0)
            bytes->count += got;
        else if (got == 0)
            stop_reading(bytes);
        else if (errno != EINTR)
            return tpad_io_fail(error, TPAD_E_IO, "%s: %s", path, strerror(errno));
    }
    return TPAD_OK;
}

int32_t tpad_bytes_open(tpad_bytes *bytes, const char *path, tpad_io_error *error)
{
    int32_t status = tpad_bytes_start(bytes, path, error);
    if (!status) status = tpad_bytes_reach(bytes, path, INT64_MAX, error);
    if (status) tpad_bytes_close(bytes);
    return status;
}

int32_t tpad_write_all(int fd, const char *path, const void *data, int64_t count,
                       tpad_io_error *error)
{
    const unsigned char *at = data;
    while (count > 0) {
        ssize_t put = write(fd, at, (size_t)(count < LARGEST_CALL ? count : LARGEST_CALL));
        if (put < 0 && errno != EINTR)
            return tpad_io_fail(error, TPAD_E_IO, "%s: %s", path, strerror(errno));
        if (put > 0) {
            at += put;
            count -= put;
        }
    }
    return TPAD_OK;
}

/* Memory that is released all at once: its blocks. Their sum is a small multiple of the bytes
 * requested. */

/* Test builds use a block for each request, so that each can fail and sanitizers see each one. */
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

/* Frees the blocks newer than `oldest`. */
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
    if (mark.blocks) /* memory is handed out zeroed */
        memset((char *)mark.blocks->memory + mark.used, 0, (size_t)(mark.room - mark.used));
}
