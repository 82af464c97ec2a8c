/* A system that fails on demand, preloaded into the command (LD_PRELOAD).
 * SPDX-License-Identifier: MIT
 *
 * It counts the calls that the command and the libraries under it make from main() on, and makes
 * chosen ones fail, be short or bring a signal.
 *
 * FAULTS: up to four rules KIND:NUMBER:ACTION, separated by commas. KIND is a word below, or
 * `system` for any call but `alloc`; the NUMBER-th call of it is meant, or, if NUMBER is negative,
 * every one from the -NUMBER-th on. ACTION is an errno to fail with; -1 for half of a read or
 * write; b or a and the number of a signal, raised before or after the call.
 * FAULTS_REPORT: a descriptor that gets a line "KIND CALLS" for each kind, "blocks N" and
 * "descriptors N": what is still allocated and open when main() returns. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* clang-format off */
#define KINDS(X)                                                                                   \
    X(alloc) X(system) X(access) X(close) X(fallocate) X(fchmod) X(fchown) X(fcntl) X(fopen)       \
    X(fstat) X(fstatvfs) X(ftruncate) X(getentropy) X(link) X(lseek) X(lstat) X(mmap) X(munmap)     \
    X(open) X(read) X(realpath) X(rename) X(renameat2) X(sched_getaffinity) X(sigaction) X(stat)   \
    X(sysconf) X(thread) X(unlink) X(write)
/* clang-format on */
#define KIND_NUMBER(word) K_##word,
enum { KINDS(KIND_NUMBER) KIND_COUNT };
#define KIND_WORD(word) #word,
static const char *const words[] = {KINDS(KIND_WORD)};

enum { MOST_RULES = 4, DESCRIPTORS = 64, SHORT = -1 };
static struct rule {
    int kind, before, after, number;
    long call;
} rules[MOST_RULES];
static int rule_count;
static int armed; /* main() runs */
static long calls[KIND_COUNT];
static long blocks;

/* What is to happen to this call: an errno, SHORT, or 0. *after: a signal for later. */
static int meet(int kind, int *after)
{
    int result = 0;
    *after = 0;
    if (!__atomic_load_n(&armed, __ATOMIC_RELAXED)) return 0;
    const long own = __atomic_add_fetch(&calls[kind], 1, __ATOMIC_RELAXED);
    const long any =
        kind == K_alloc ? 0 : __atomic_add_fetch(&calls[K_system], 1, __ATOMIC_RELAXED);
    for (int i = 0; i < rule_count; i++) {
        const struct rule *r = &rules[i];
        const long at = r->kind == kind ? own : r->kind == K_system ? any : 0;
        if (at == 0 || (r->call > 0 ? at != r->call : at < -r->call)) continue;
        if (r->number) result = r->number;
        if (r->before) raise(r->before);
        if (r->after) *after = r->after;
    }
    return result;
}

static void take_rules(const char *text)
{
    char kind[32], action[16];
    int used = 0;
    for (; text && *text; text += used + (text[used] == ',')) {
        struct rule *r = &rules[rule_count++];
        if (rule_count > MOST_RULES ||
            sscanf(text, "%31[^:]:%ld:%15[^,]%n", kind, &r->call, action, &used) != 3)
            _exit(99);
        while (r->kind < KIND_COUNT && strcmp(words[r->kind], kind) != 0) r->kind++;
        *(*action == 'b'   ? &r->before
          : *action == 'a' ? &r->after
                           : &r->number) = atoi(action + (*action == 'b' || *action == 'a'));
    }
}

/* ---- main() ---------------------------------------------------------------------------------- */

static int (*command)(int, char **, char **);
static void (*next_free)(void *);

static int watched(int argc, char **argv, char **environment)
{
    static char out_buffer[BUFSIZ];
    const char *report = getenv("FAULTS_REPORT");
    int open_ones = 0;
    /* What the C library would allocate and keep is no leak of the command's. */
    setvbuf(stdout, out_buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof out_buffer);
    take_rules(getenv("FAULTS"));
    __atomic_store_n(&armed, 1, __ATOMIC_SEQ_CST);
    const int status = command(argc, argv, environment);
    __atomic_store_n(&armed, 0, __ATOMIC_SEQ_CST);
    if (!report) return status;
    const long left = blocks;
    for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS; fd++)
        open_ones += fd != atoi(report) && fcntl(fd, F_GETFD) != -1;
    for (int i = 0; i < KIND_COUNT; i++) dprintf(atoi(report), "%s %ld\n", words[i], calls[i]);
    dprintf(atoi(report), "blocks %ld\ndescriptors %d\n", left, open_ones);
    return status;
}

#define NEXT(name)                                                                                 \
    static __typeof__(&name) next;                                                                 \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name)

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    NEXT(__libc_start_main);
    *(void **)&next_free = dlsym(RTLD_NEXT, "free");
    command = main;
    return next(watched, argc, argv, init, fini, rtld_fini, stack_end);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int no_memory(void)
{
    int after;
    const int number = meet(K_alloc, &after);
    if (number) errno = number;
    return number;
}

static void *counted(void *memory, int change)
{
    if (memory && __atomic_load_n(&armed, __ATOMIC_RELAXED))
        __atomic_add_fetch(&blocks, change, __ATOMIC_RELAXED);
    return memory;
}

void *malloc(size_t bytes)
{
    NEXT(malloc);
    return no_memory() ? NULL : counted(next(bytes), 1);
}

void *calloc(size_t count, size_t bytes)
{
    NEXT(calloc);
    return no_memory() ? NULL : counted(next(count, bytes), 1);
}

void *realloc(void *old, size_t bytes)
{
    NEXT(realloc);
    return no_memory() ? NULL : counted(next(old, bytes), old == NULL);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    NEXT(aligned_alloc);
    return no_memory() ? NULL : counted(next(alignment, bytes), 1);
}

/* Before main() nothing is given back: dlsym itself frees, when it must not be asked. */
void free(void *memory)
{
    if (next_free) next_free(counted(memory, -1));
}

/* ---- The system ------------------------------------------------------------------------------ */

/* A call that returns `failure` and sets errno. */
#define CALL(kind, type, failure, name, ...)                                                       \
    NEXT(name);                                                                                    \
    int after;                                                                                     \
    const int number = meet(K_##kind, &after);                                                     \
    if (number > 0) {                                                                              \
        errno = number;                                                                            \
        return failure;                                                                            \
    }                                                                                              \
    type result = next(__VA_ARGS__);                                                               \
    const int kept = errno;                                                                        \
    if (after) raise(after);                                                                       \
    errno = kept;                                                                                  \
    return result

#define WRAP(name, type, failure, declared, ...)                                                   \
    type name declared                                                                             \
    {                                                                                              \
        CALL(name, type, failure, name, __VA_ARGS__);                                              \
    }

#define HALF(count) ((count) > 1 && number == SHORT ? (count) / 2 : (count))

WRAP(access, int, -1, (const char *path, int mode), path, mode)
WRAP(fchmod, int, -1, (int fd, mode_t mode), fd, mode)
WRAP(fchown, int, -1, (int fd, uid_t owner, gid_t group), fd, owner, group)
WRAP(fopen, FILE *, NULL, (const char *path, const char *mode), path, mode)
WRAP(fstat, int, -1, (int fd, struct stat *status), fd, status)
WRAP(fstatvfs, int, -1, (int fd, struct statvfs *status), fd, status)
WRAP(ftruncate, int, -1, (int fd, off_t bytes), fd, bytes)
WRAP(getentropy, int, -1, (void *to, size_t count), to, count)
WRAP(link, int, -1, (const char *from, const char *to), from, to)
WRAP(lseek, off_t, -1, (int fd, off_t to, int whence), fd, to, whence)
WRAP(lstat, int, -1, (const char *path, struct stat *status), path, status)
WRAP(mmap, void *, MAP_FAILED, (void *at, size_t bytes, int access, int flags, int fd, off_t from),
     at, bytes, access, flags, fd, from)
WRAP(munmap, int, -1, (void *at, size_t bytes), at, bytes)
WRAP(read, ssize_t, -1, (int fd, void *to, size_t count), fd, to, HALF(count))
WRAP(realpath, char *, NULL, (const char *path, char *to), path, to)
WRAP(rename, int, -1, (const char *from, const char *to), from, to)
WRAP(renameat2, int, -1, (int fd, const char *from, int to_fd, const char *to, unsigned flags), fd,
     from, to_fd, to, flags)
WRAP(sched_getaffinity, int, -1, (pid_t process, size_t bytes, cpu_set_t *set), process, bytes, set)
WRAP(sigaction, int, -1, (int signal, const struct sigaction *action, struct sigaction *old),
     signal, action, old)
WRAP(stat, int, -1, (const char *path, struct stat *status), path, status)
WRAP(sysconf, long, -1, (int name), name)
WRAP(unlink, int, -1, (const char *path), path)
WRAP(write, ssize_t, -1, (int fd, const void *from, size_t count), fd, from, HALF(count))

/* It is closed for all that, as Linux has it. */
int close(int fd)
{
    NEXT(close);
    int after;
    const int number = meet(K_close, &after), result = next(fd);
    if (after) raise(after);
    if (number > 0) errno = number;
    return number > 0 ? -1 : result;
}

/* The last argument of these two, where they have one, is a number in all that the command asks
 * for. */
#define LAST_OF(name)                                                                              \
    va_list list;                                                                                  \
    va_start(list, name);                                                                          \
    const long value = va_arg(list, long);                                                         \
    va_end(list)

int open(const char *path, int flags, ...)
{
    LAST_OF(flags);
    CALL(open, int, -1, open, path, flags, (mode_t)value);
}

int fcntl(int fd, int word, ...)
{
    LAST_OF(word);
    CALL(fcntl, int, -1, fcntl, fd, word, value);
}

int posix_fallocate(int fd, off_t from, off_t bytes)
{
    CALL(fallocate, int, number, posix_fallocate, fd, from, bytes);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *), void *with)
{
    CALL(thread, int, number, pthread_create, thread, how, body, with);
}

/* What these are called where file offsets are chosen to be of 64 bits, which they are anyway. */
_Static_assert(sizeof(off_t) == 8 && sizeof(long) == 8, "two kinds of file offsets");
#define ALSO(name) __asm__(".globl " #name "64\n.set " #name "64, " #name)
ALSO(open);
ALSO(fstat);
ALSO(stat);
ALSO(lstat);
ALSO(fstatvfs);
ALSO(ftruncate);
ALSO(lseek);
ALSO(mmap);
ALSO(posix_fallocate);
ALSO(fopen);
