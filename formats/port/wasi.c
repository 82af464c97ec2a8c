/* system.h for WebAssembly with WASI: one thread, files that the program's host lends it.
 * SPDX-License-Identifier: MIT */
#if defined(__wasi__)
#include "system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

/* ---- Paths ----------------------------------------------------------------------------------- */

char *system_last_slash(const char *path)
{
    return strrchr(path, '/');
}

int system_compare_names(const char *a, const char *b)
{
    return strcmp(a, b);
}

char *system_real_path(const char *path)
{
    return strdup(path);
}

/* ---- Files and folders ----------------------------------------------------------------------- */

static void describe(system_entry *entry, const struct stat *status)
{
    entry->kind = S_ISREG(status->st_mode)   ? SYSTEM_FILE
                  : S_ISDIR(status->st_mode) ? SYSTEM_FOLDER
                                             : SYSTEM_STREAM;
    entry->bytes = status->st_size;
    entry->device = status->st_dev;
    entry->number = status->st_ino;
}

int system_look(const char *path, system_entry *entry)
{
    struct stat status;
    *entry = (system_entry){.kind = SYSTEM_ABSENT};
    if (stat(path, &status) != 0) return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
    describe(entry, &status);
    return 0;
}

int system_look_open(int fd, system_entry *entry)
{
    struct stat status;
    *entry = (system_entry){.kind = SYSTEM_ABSENT};
    if (fstat(fd, &status) != 0) return -1;
    describe(entry, &status);
    return 0;
}

int system_list(const char *folder, char ***names)
{
    (void)folder, (void)names;
    errno = ENOSYS;
    return -1;
}

int system_make_folder(const char *path)
{
    return mkdir(path, 0777);
}

int system_remove_folder(const char *path)
{
    return rmdir(path);
}

int system_remove(const char *path)
{
    return unlink(path);
}

void system_remove_at_end(const char *path)
{
    unlink(path);
}

/* The host has no other program that could make the name meanwhile. */
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

/* Files are read, and written, instead of mapped. */
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

/* ---- Text in memory -------------------------------------------------------------------------- */

FILE *system_text_begin(system_text *text)
{
    *text = (system_text){0};
    return text->stream = open_memstream(&text->text, &text->bytes);
}

int system_text_end(system_text *text)
{
    int failed = !text->stream || ferror(text->stream);
    if (text->stream && fclose(text->stream) != 0) failed = 1;
    if (!failed && text->text) return 1;
    free(text->text);
    text->text = NULL;
    return 0;
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

void *system_symbol(const char *library, const char *version, const char *name)
{
    (void)library, (void)version, (void)name;
    return NULL;
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
typedef int tpad_no_wasi; /* ISO C wants a declaration in every file */
#endif
