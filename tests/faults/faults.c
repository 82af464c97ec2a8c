/* A system that fails on demand.  SPDX-License-Identifier: MIT
 *
 * Preloaded into the command (LD_PRELOAD), it stands before the C library: it counts the calls that
 * the command and the libraries under it make from main() on, makes chosen ones fail, be short or
 * bring a signal, and tells at the end of main() what it saw. Knows nothing of tensorpad.
 *
 * FAULTS: up to four rules KIND:NUMBER:ACTION, separated by commas. KIND is one of the words below,
 * or `system` for any call but `alloc`; the NUMBER-th call of it is meant, with `+` behind it every
 * one from there on. ACTION is an errno to fail with; `short` (half of a read or write); `before`
 * or `after` and the number of a signal, raised at that moment.
 * FAULTS_REPORT: a descriptor that gets one line for each kind, "KIND CALLS", and the lines "blocks
 * N" and "descriptors N": what is still allocated and open when main() returns.
 */
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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* clang-format off */
#define KINDS(X)                                                                                   \
    X(alloc) X(system) X(access) X(close) X(fallocate) X(fchmod) X(fchown) X(fcntl) X(fopen)       \
    X(fstat) X(fstatvfs) X(ftruncate) X(getrandom) X(link) X(lseek) X(lstat) X(mmap) X(munmap)     \
    X(open) X(read) X(realpath) X(rename) X(renameat2) X(sched_getaffinity) X(sigaction) X(stat)   \
    X(sysconf) X(thread) X(unlink) X(write)
/* clang-format on */
#define KIND_NUMBER(word) K_##word,
enum { KINDS(KIND_NUMBER) KIND_COUNT };
#define KIND_WORD(word) #word,
static const char *const words[] = {KINDS(KIND_WORD)};

enum { FAIL, SHORT, BEFORE, AFTER };
typedef struct rule {
    int kind, onwards, action, number;
    long call;
} rule;

enum { MOST_RULES = 4, DESCRIPTORS = 64 };
static rule rules[MOST_RULES];
static int rule_count;
static int armed; /* main() runs */
static long calls[KIND_COUNT];
static long blocks;

/* ---- Rules ----------------------------------------------------------------------------------- */

/* What is to happen to this call: an errno, -1 for a short one, or 0. *after: a signal for later. */
static int meet(int kind, int *after)
{
    int result = 0;
    if (after) *after = 0;
    if (!__atomic_load_n(&armed, __ATOMIC_RELAXED)) return 0;
    const long own = __atomic_add_fetch(&calls[kind], 1, __ATOMIC_RELAXED);
    const long any =
        kind == K_alloc ? 0 : __atomic_add_fetch(&calls[K_system], 1, __ATOMIC_RELAXED);
    for (int i = 0; i < rule_count; i++) {
        const rule *r = &rules[i];
        const long at = r->kind == kind ? own : r->kind == K_system ? any : 0;
        if (at != r->call && !(r->onwards && at > r->call)) continue;
        if (r->action == FAIL) result = r->number;
        if (r->action == SHORT) result = -1;
        if (r->action == BEFORE) raise(r->number);
        if (r->action == AFTER && after) *after = r->number;
    }
    return result;
}

static void take_rule(char *text)
{
    rule r = {.kind = -1};
    char *place = NULL;
    const char *kind = strtok_r(text, ":", &place), *call = strtok_r(NULL, ":", &place),
               *action = strtok_r(NULL, ":", &place);
    char *end = NULL;
    for (int i = 0; kind && i < KIND_COUNT; i++)
        if (strcmp(words[i], kind) == 0) r.kind = i;
    if (call) r.call = strtol(call, &end, 10);
    r.onwards = end && *end == '+';
    if (action && strncmp(action, "before", 6) == 0)
        r.action = BEFORE, action += 6;
    else if (action && strncmp(action, "after", 5) == 0)
        r.action = AFTER, action += 5;
    else if (action && strcmp(action, "short") == 0)
        r.action = SHORT;
    if (r.kind < 0 || r.call < 1 || !action || rule_count == MOST_RULES) {
        fprintf(stderr, "FAULTS: no rule\n");
        _exit(99);
    }
    r.number = atoi(action);
    rules[rule_count++] = r;
}

/* ---- main() ---------------------------------------------------------------------------------- */

static int (*command)(int, char **, char **);
static void (*next_free)(void *);

static void tell(int to, long left)
{
    int open_ones = 0;
    for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS; fd++)
        open_ones += fd != to && fcntl(fd, F_GETFD) != -1;
    for (int i = 0; i < KIND_COUNT; i++) dprintf(to, "%s %ld\n", words[i], calls[i]);
    dprintf(to, "blocks %ld\ndescriptors %d\n", left, open_ones);
}

static int watched(int argc, char **argv, char **environment)
{
    static char out_buffer[BUFSIZ];
    const char *report = getenv("FAULTS_REPORT");
    char *text = getenv("FAULTS"), *place = NULL;
    /* What the C library would allocate and keep is no leak of the command's. */
    setvbuf(stdout, out_buffer, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, sizeof out_buffer);
    for (char *one = text ? strtok_r(text, ",", &place) : NULL; one;
         one = strtok_r(NULL, ",", &place))
        take_rule(one);
    __atomic_store_n(&armed, 1, __ATOMIC_SEQ_CST);
    const int status = command(argc, argv, environment);
    __atomic_store_n(&armed, 0, __ATOMIC_SEQ_CST);
    if (report) tell(atoi(report), blocks);
    /* What counts lines writes its files from here on. */
    struct rlimit size;
    if (getrlimit(RLIMIT_FSIZE, &size) == 0) size.rlim_cur = size.rlim_max;
    setrlimit(RLIMIT_FSIZE, &size);
    return status;
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    __typeof__(&__libc_start_main) next;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    *(void **)&next_free = dlsym(RTLD_NEXT, "free");
    command = main;
    return next(watched, argc, argv, init, fini, rtld_fini, stack_end);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

#define NEXT(name)                                                                                 \
    static __typeof__(&name) next;                                                                 \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name)

static int no_memory(void)
{
    const int number = meet(K_alloc, NULL);
    if (number) errno = number;
    return number;
}

static void count_blocks(int change)
{
    if (__atomic_load_n(&armed, __ATOMIC_RELAXED))
        __atomic_add_fetch(&blocks, change, __ATOMIC_RELAXED);
}

static void *counted(void *memory)
{
    if (memory) count_blocks(1);
    return memory;
}

void *malloc(size_t bytes)
{
    NEXT(malloc);
    return no_memory() ? NULL : counted(next(bytes));
}

void *calloc(size_t count, size_t bytes)
{
    NEXT(calloc);
    return no_memory() ? NULL : counted(next(count, bytes));
}

void *realloc(void *old, size_t bytes)
{
    NEXT(realloc);
    if (no_memory()) return NULL;
    void *memory = next(old, bytes);
    return old ? memory : counted(memory);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    NEXT(aligned_alloc);
    return no_memory() ? NULL : counted(next(alignment, bytes));
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    NEXT(posix_memalign);
    if (no_memory()) return ENOMEM;
    const int number = next(memory, alignment, bytes);
    if (number == 0) count_blocks(1);
    return number;
}

/* Before main() nothing is given back: dlsym itself frees, when it must not be asked. */
void free(void *memory)
{
    if (!next_free) return;
    if (memory) count_blocks(-1);
    next_free(memory);
}

/* ---- The system ------------------------------------------------------------------------------ */

/* A call that returns `failure` and sets errno. */
#define CALL(kind, type, failure, name, ...)                                                       \
    NEXT(name);                                                                                    \
    int after;                                                                                     \
    const int number = meet(kind, &after);                                                         \
    if (number > 0) {                                                                              \
        errno = number;                                                                            \
        return failure;                                                                            \
    }                                                                                              \
    type result = next(__VA_ARGS__);                                                               \
    if (after) {                                                                                   \
        const int kept = errno;                                                                    \
        raise(after);                                                                              \
        errno = kept;                                                                              \
    }                                                                                              \
    return result

#define WRAP(kind, type, failure, name, declared, ...)                                             \
    type name declared                                                                             \
    {                                                                                              \
        CALL(kind, type, failure, name, __VA_ARGS__);                                              \
    }

#define HALF(count) ((count) > 1 && number == -1 ? (count) / 2 : (count))

WRAP(K_access, int, -1, access, (const char *path, int mode), path, mode)
WRAP(K_fchmod, int, -1, fchmod, (int fd, mode_t mode), fd, mode)
WRAP(K_fchown, int, -1, fchown, (int fd, uid_t owner, gid_t group), fd, owner, group)
WRAP(K_fstat, int, -1, fstat, (int fd, struct stat *status), fd, status)
WRAP(K_fstatvfs, int, -1, fstatvfs, (int fd, struct statvfs *status), fd, status)
WRAP(K_ftruncate, int, -1, ftruncate, (int fd, off_t bytes), fd, bytes)
WRAP(K_getrandom, ssize_t, -1, getrandom, (void *to, size_t count, unsigned flags), to, count,
     flags)
WRAP(K_link, int, -1, link, (const char *from, const char *to), from, to)
WRAP(K_lseek, off_t, -1, lseek, (int fd, off_t to, int whence), fd, to, whence)
WRAP(K_lstat, int, -1, lstat, (const char *path, struct stat *status), path, status)
WRAP(K_mmap, void *, MAP_FAILED, mmap,
     (void *at, size_t bytes, int access, int flags, int fd, off_t offset), at, bytes, access,
     flags, fd, offset)
WRAP(K_munmap, int, -1, munmap, (void *at, size_t bytes), at, bytes)
WRAP(K_read, ssize_t, -1, read, (int fd, void *to, size_t count), fd, to, HALF(count))
WRAP(K_realpath, char *, NULL, realpath, (const char *path, char *to), path, to)
WRAP(K_rename, int, -1, rename, (const char *from, const char *to), from, to)
WRAP(K_renameat2, int, -1, renameat2,
     (int fd, const char *from, int to_fd, const char *to, unsigned flags), fd, from, to_fd, to,
     flags)
WRAP(K_sched_getaffinity, int, -1, sched_getaffinity, (pid_t process, size_t bytes, cpu_set_t *set),
     process, bytes, set)
WRAP(K_sigaction, int, -1, sigaction,
     (int signal, const struct sigaction *action, struct sigaction *old), signal, action, old)
WRAP(K_stat, int, -1, stat, (const char *path, struct stat *status), path, status)
WRAP(K_sysconf, long, -1, sysconf, (int name), name)
WRAP(K_unlink, int, -1, unlink, (const char *path), path)
WRAP(K_write, ssize_t, -1, write, (int fd, const void *from, size_t count), fd, from, HALF(count))
WRAP(K_fopen, FILE *, NULL, fopen, (const char *path, const char *mode), path, mode)

/* It is closed for all that, as Linux has it. */
int close(int fd)
{
    NEXT(close);
    int after;
    const int number = meet(K_close, &after);
    const int result = next(fd);
    if (after) raise(after);
    if (number <= 0) return result;
    errno = number;
    return -1;
}

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    CALL(K_open, int, -1, open, path, flags, mode);
}

/* Its third argument, where it has one, is a number in all that the command asks for. */
int fcntl(int fd, int command_word, ...)
{
    va_list list;
    va_start(list, command_word);
    const long value = va_arg(list, long);
    va_end(list);
    CALL(K_fcntl, int, -1, fcntl, fd, command_word, value);
}

int posix_fallocate(int fd, off_t from, off_t bytes)
{
    CALL(K_fallocate, int, number, posix_fallocate, fd, from, bytes);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *), void *with)
{
    CALL(K_thread, int, number, pthread_create, thread, how, body, with);
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
