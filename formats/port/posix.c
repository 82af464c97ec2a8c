/* system.h for Linux, macOS and the BSDs; posix_files.c has the rest.
 * SPDX-License-Identifier: MIT */
#if !defined(_WIN32) && !defined(__wasi__)
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

_Static_assert(sizeof(off_t) == sizeof(int64_t), "compile with -D_FILE_OFFSET_BITS=64");

/* ---- Files -------------------------------------------------------------------------------------- */

char *system_real_path(const char *path)
{
    return realpath(path, NULL);
}

/* Renames in one step unless the name is taken. EINVAL or ENOSYS: the system cannot. */
static int rename_to_new(const char *from, const char *to)
{
#if defined(__APPLE__)
    const int failed = renamex_np(from, to, RENAME_EXCL);
    if (failed && errno == ENOTSUP) errno = EINVAL;
    return failed;
#elif defined(RENAME_NOREPLACE)
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
#elif defined(SYS_renameat2) /* musl before 1.2.6 */
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u);
#else
    (void)from, (void)to;
    errno = ENOSYS;
    return -1;
#endif
}

int system_rename(const char *from, const char *to, int overwrite)
{
    if (overwrite) return rename(from, to);
    if (rename_to_new(from, to) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (link(from, to) != 0) return -1;
    unlink(from);
    return 0;
}

int system_open(const char *path, int how)
{
    static const int flags[] = {O_RDONLY | O_NOCTTY, O_WRONLY | O_NOCTTY, O_RDWR | O_CREAT | O_EXCL,
                                O_RDWR | O_CREAT | O_EXCL};
    int fd;
    do { /* opening a pipe or a remote file may wait */
        fd = open(path, flags[how] | O_CLOEXEC, how == SYSTEM_CREATE_PRIVATE ? 0600 : 0666);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

int system_duplicate_stdout(void)
{
    return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

static int set_length(int fd, int64_t bytes)
{
    int failed;
    do {
        failed = ftruncate(fd, bytes);
    } while (failed && errno == EINTR);
    return failed;
}

int system_reserve(int fd, int64_t bytes)
{
#if defined(__APPLE__) /* reserves nothing, and its statvfs counts blocks in 32 bits */
    return set_length(fd, bytes);
#else
    struct statvfs disk;
    int number = 0;
    /* Trying would fill the disk for all programs. */
    if (fstatvfs(fd, &disk) == 0 && disk.f_blocks > 0 &&
        (uint64_t)bytes / disk.f_frsize > disk.f_bfree)
        number = ENOSPC;
    else
        do {
            number = posix_fallocate(fd, 0, bytes);
        } while (number == EINTR);
    if (number == EOPNOTSUPP || number == EINVAL || number == ENOSYS) return set_length(fd, bytes);
    errno = number;
    return number ? -1 : 0;
#endif
}

int system_take_access(int fd, const system_entry *from)
{
    uint32_t mode = from->mode;
    if (fchown(fd, from->owner, from->group) != 0 && fchown(fd, (uid_t)-1, from->group) != 0) {
        const uint32_t common = mode >> 3 & mode & 07;
        mode = (mode & 0700) | common << 3 | common;
    }
    return fchmod(fd, (mode_t)mode);
}

void *system_map(int fd, int64_t bytes, int writable)
{
    void *map = mmap(NULL, (size_t)bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                     writable ? MAP_SHARED : MAP_PRIVATE, fd, 0);
    return map == MAP_FAILED ? NULL : map;
}

void system_unmap(void *at, int64_t bytes)
{
    munmap(at, (size_t)bytes);
}

/* ---- The process ----------------------------------------------------------------------------- */

void system_begin(int *argc, char ***argv)
{
    (void)argc, (void)argv;
}

/* Opens them for the wrong direction, so that using them fails as with a closed stream. */
int system_fill_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) return -1;
    }
    return 0;
}

int system_is_terminal(int fd)
{
    return isatty(fd);
}

int system_processors(void)
{
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int system_random(uint32_t *number)
{
    return getentropy(number, sizeof *number);
}

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };

static void ending_signal_set(sigset_t *set)
{
    sigemptyset(set);
    for (int i = 0; i < ENDING_SIGNALS; i++) sigaddset(set, ending_signals[i]);
}

void system_on_signals(void (*ending)(int number), void (*lost)(int number))
{
    struct sigaction action = {.sa_handler = ending}, before;
    ending_signal_set(&action.sa_mask);
    for (int i = 0; i < ENDING_SIGNALS; i++) {
        /* A signal that the parent process ignores (nohup) stays ignored. */
        if (sigaction(ending_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
    }
    action.sa_handler = lost;
    sigaction(SIGBUS, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void system_end(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

static _Thread_local sigset_t held_before;

void system_hold_signals(void)
{
    sigset_t set;
    ending_signal_set(&set);
    pthread_sigmask(SIG_BLOCK, &set, &held_before);
}

void system_release_signals(void)
{
    pthread_sigmask(SIG_SETMASK, &held_before, NULL);
}

void system_sleep(void)
{
    for (;;) pause();
}

void *system_large_memory(size_t bytes, int filler)
{
    enum { HUGE_PAGE = 1 << 21 };
    const size_t whole = (bytes / HUGE_PAGE + 1) * HUGE_PAGE;
    void *memory = aligned_alloc(HUGE_PAGE, whole);
#if defined(MADV_HUGEPAGE)
    if (memory) madvise(memory, whole, MADV_HUGEPAGE); /* on failure it keeps small pages */
#endif
    return memory ? memset(memory, filler, whole) : NULL;
}

void system_free_large(void *memory)
{
    free(memory);
}
#else
typedef int tpad_no_posix; /* ISO C requires a declaration in every file */
#endif
