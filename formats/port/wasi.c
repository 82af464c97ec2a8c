/* system.h for WebAssembly with WASI: one thread, files that the program's host lends it;
 * posix_files.c has the rest.
 * SPDX-License-Identifier: MIT */
#if defined(__wasi__)
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* ---- Files -------------------------------------------------------------------------------------- */

/* There are no links and only one folder: a file's path is ./NAME. */
char *system_real_path(const char *path)
{
    system_entry entry;
    char *real = NULL;
    if (system_look(path, &entry) != 0) return NULL;
    if (entry.kind == SYSTEM_FOLDER) return strdup(".");
    if (entry.kind == SYSTEM_ABSENT)
        errno = ENOENT;
    else if (asprintf(&real, "./%s", path) < 0)
        real = NULL;
    return real;
}

/* The host has no other program that could take the name in the meantime. */
int system_rename(const char *from, const char *to, int overwrite)
{
    system_entry there;
    if (!overwrite && system_look(to, &there) == 0 && there.kind != SYSTEM_ABSENT) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

int system_open(const char *path, int how)
{
    static const int flags[] = {O_RDONLY, O_WRONLY, O_RDWR | O_CREAT | O_EXCL,
                                O_RDWR | O_CREAT | O_EXCL};
    return open(path, flags[how], 0666);
}

int system_duplicate_stdout(void)
{
    errno = ENOSYS;
    return -1;
}

int system_reserve(int fd, int64_t bytes)
{
    return ftruncate(fd, bytes);
}

int system_take_access(int fd, const system_entry *from)
{
    (void)fd, (void)from;
    return 0;
}

/* Files are read and written, not mapped. */
void *system_map(int fd, int64_t bytes, int writable)
{
    (void)fd, (void)bytes, (void)writable;
    errno = ENODEV;
    return NULL;
}

void system_unmap(void *at, int64_t bytes)
{
    (void)at, (void)bytes;
}

/* ---- The process ----------------------------------------------------------------------------- */

void system_begin(int *argc, char ***argv)
{
    (void)argc, (void)argv;
}

int system_fill_streams(void)
{
    return 0;
}

int system_is_terminal(int fd)
{
    (void)fd;
    return 0;
}

int system_processors(void)
{
    return 1;
}

int system_random(uint32_t *number)
{
    return getentropy(number, sizeof *number);
}

void system_on_signals(void (*ending)(int number), void (*lost)(int number))
{
    (void)ending, (void)lost;
}

void system_end(int number)
{
    exit(128 + number);
}

void system_hold_signals(void) {}

void system_release_signals(void) {}

void system_sleep(void)
{
    abort();
}

void *system_large_memory(size_t bytes, int filler)
{
    void *memory = malloc(bytes);
    return memory ? memset(memory, filler, bytes) : NULL;
}

void system_free_large(void *memory)
{
    free(memory);
}
#else
typedef int tpad_no_wasi; /* ISO C requires a declaration in every file */
#endif
