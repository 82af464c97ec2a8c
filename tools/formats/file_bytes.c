/* Reading and writing the bytes of files. SPDX-License-Identifier: MIT
 *
 * Owns descriptors, mappings and the memory that pipes are read into. Memory grows with the bytes
 * that have arrived, never with the size that a header claims. Knows no format.
 */
#include "file.h"

#include "port/system.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 16, LARGEST_CALL = 1 << 30, LARGE_BLOCK = 1 << 26 };

static const unsigned char no_bytes[1];

int tpad_open(const char *path, int flags, unsigned mode)
{
    int fd;
    do {
        fd = open(path, flags, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

static void stop_reading(tpad_bytes *bytes)
{
    if (bytes->more > 1) close(bytes->more - 1); /* standard input stays open */
    bytes->more = 0;
}

void tpad_bytes_close(tpad_bytes *bytes)
{
    stop_reading(bytes);
    if (bytes->mapped)
        munmap((void *)(uintptr_t)bytes->data, (size_t)bytes->count);
    else if (bytes->room)
        free((void *)(uintptr_t)bytes->data);
    *bytes = (tpad_bytes){0};
}

int32_t tpad_fits_memory(int64_t bytes)
{
    char line[128];
    long long kilobytes = INT64_MAX;
    if (bytes < 0 || (uint64_t)bytes >= SIZE_MAX / 2) return 0;
    if (bytes < LARGE_BLOCK) return 1;
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lld", &kilobytes) == 1) break;
    if (file) fclose(file);
    return bytes / 1024 < kilobytes / 2;
}

int32_t tpad_bytes_start(tpad_bytes *bytes, const char *path, tpad_io_error *error)
{
    int standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : tpad_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
    *bytes = (tpad_bytes){.data = no_bytes};
    if (fd < 0) return tpad_io_fail(error, TPAD_E_IO, "%s: %s", path, strerror(errno));
    bytes->more = fd + 1;
    struct stat status;
    if (fstat(fd, &status) != 0) {
        tpad_io_fail(error, TPAD_E_IO, "%s: %s", path, strerror(errno));
        tpad_bytes_close(bytes);
        return TPAD_E_IO;
    }
    if (S_ISDIR(status.st_mode)) {
        tpad_bytes_close(bytes);
        return tpad_io_fail(error, TPAD_E_IO, "%s: is a folder", path);
    }
    /* Files of size 0 are read instead of mapped, because files of /proc claim 0 and contain data.
     * Standard input is mapped only if nothing was read from it before. A file that cannot be
     * mapped is read. */
    if (S_ISREG(status.st_mode) && status.st_size > 0 && (uint64_t)status.st_size <= SIZE_MAX / 2 &&
        (!standard || lseek(fd, 0, SEEK_CUR) == 0)) {
        void *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map != MAP_FAILED) {
            bytes->data = map;
            bytes->count = status.st_size;
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
