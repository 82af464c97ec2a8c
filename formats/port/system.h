/* The operating system, for the readers of files and the command.  SPDX-License-Identifier: MIT
 *
 * posix.c is Linux, macOS and the BSDs, wasi.c WebAssembly, and posix_files.c the code that these
 * share; windows.c is Windows, where paths are UTF-8, with / or \, and may be longer than 260
 * characters. Each file leaves out the features that its system lacks (owners, modes, hard links,
 * signals other than the console's). Read, write and close descriptors by read(), write() and
 * close(), which all systems have.
 *
 * Functions that return an int return 0, or -1 with errno, unless another result is named. */
#ifndef TENSORPAD_PORT_SYSTEM_H
#define TENSORPAD_PORT_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#if defined(_WIN32) /* its counts are unsigned; nobody passes more */
#include <io.h>
#define read(fd, at, count)  _read((fd), (at), (unsigned)(count))
#define write(fd, at, count) _write((fd), (at), (unsigned)(count))
#endif

/* ---- Paths ----------------------------------------------------------------------------------- */

#if defined(_WIN32)
#define SYSTEM_SLASHES "/\\"
#else
#define SYSTEM_SLASHES "/"
#endif

/* The slash before the last part of a path, or NULL. */
char *system_last_slash(const char *path);
/* As strcmp, but 0 for any two names that mean the same file in a folder. */
int system_compare_names(const char *a, const char *b);
/* The path from the root, with links resolved, with /. malloc'ed; NULL with errno. */
char *system_real_path(const char *path);

/* ---- Files and folders ----------------------------------------------------------------------- */

enum { SYSTEM_ABSENT, SYSTEM_FILE, SYSTEM_FOLDER, SYSTEM_STREAM, SYSTEM_DISK };

/* The target of a path. Two paths with the same device and number lead to the same file. */
typedef struct system_entry {
    int32_t kind;    /* SYSTEM_... */
    int32_t is_link; /* the path is a link; the other members describe its target */
    int64_t bytes;
    uint64_t device, number;
    uint32_t mode, owner, group;
} system_entry;

/* A path that leads to nothing is not an error. After an error only is_link is valid. */
int system_look(const char *path, system_entry *entry);
int system_look_open(int fd, system_entry *entry);

/* The names in a folder in the order of strcmp, without "." and "..". Returns their number or -1.
 * The caller frees each name and the list. */
int system_list(const char *folder, char ***names);

int system_make_folder(const char *path);
int system_remove_folder(const char *path);
int system_remove(const char *path);
/* As system_remove, for a process that is ending: other threads may still write to the mapping. */
void system_remove_at_end(const char *path);
/* Without `overwrite`, a file that already has the name stays: EEXIST. */
int system_rename(const char *from, const char *to, int overwrite);

/* Opens a file; SYSTEM_CREATE and SYSTEM_CREATE_PRIVATE (for the owner alone) make a new one, or
 * fail with EEXIST. Returns a descriptor that other programs do not inherit, or -1. */
enum { SYSTEM_READ, SYSTEM_WRITE, SYSTEM_CREATE, SYSTEM_CREATE_PRIVATE };
int system_open(const char *path, int how);
/* A second descriptor of standard output, above the standard ones. */
int system_duplicate_stdout(void);
/* Sets the length of a file and, if the file system can, reserves the disk space; ENOSPC at once if
 * the disk has less room. */
int system_reserve(int fd, int64_t bytes);
/* Gives a file the owner, group and mode of another one. If it cannot, users other than the owner
 * get the rights that the other file gave to everybody. */
int system_take_access(int fd, const system_entry *from);

/* The file in memory, read-only or shared with the file. NULL with errno. */
void *system_map(int fd, int64_t bytes, int writable);
void system_unmap(void *at, int64_t bytes);

/* ---- Text in memory -------------------------------------------------------------------------- */

/* A stream that is written into memory. */
typedef struct system_text {
    FILE *stream; /* NULL: no memory */
    char *text;   /* malloc'ed, with a NUL after its bytes; for the caller to free */
    size_t bytes;
} system_text;

FILE *system_text_begin(system_text *text);
/* Closes the stream. Returns 1, or 0 with text->text NULL if anything failed. */
int system_text_end(system_text *text);

/* ---- The process ----------------------------------------------------------------------------- */

/* Makes the arguments UTF-8, expands their patterns if no shell did, and prepares the streams. */
void system_begin(int *argc, char ***argv);
/* Opens a stand-in for each closed standard stream, so that no file becomes one. */
int system_fill_streams(void);
int system_is_terminal(int fd);
int system_processors(void);
int system_random(uint32_t *number);

/* `ending` is called when the process is told to end, unless its parent ignores that signal; `lost`
 * when a mapped file fails, at any instruction. Both may be called in any thread. Broken pipes
 * become errors. */
void system_on_signals(void (*ending)(int number), void (*lost)(int number));
/* Ends the process as the signal does; in a handler, as soon as it returns. */
void system_end(int number);
/* Blocks the signals of `ending` in this thread until they are released. No nesting. */
void system_hold_signals(void);
void system_release_signals(void);
/* Sleeps forever. */
void system_sleep(void);

/* Memory that begins on a huge page, in huge pages if the system has them, filled with `filler`. */
void *system_large_memory(size_t bytes, int filler);
void system_free_large(void *memory);

#endif
