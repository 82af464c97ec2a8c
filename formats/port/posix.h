/* A system with POSIX.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PORT_POSIX_H
#define TENSORPAD_PORT_POSIX_H

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#if defined(__APPLE__) /* has these under other names, and reserves no room on a disk */
#include <errno.h>
#include <sys/mount.h>
/* Its statvfs counts blocks in 32 bits: 16 TiB and some free bytes would be these few. */
#define statvfs                       statfs
#define fstatvfs                      fstatfs
#define f_frsize                      f_bsize
#define RENAME_NOREPLACE              RENAME_EXCL
#define MADV_HUGEPAGE                 MADV_NORMAL
#define system_library(name, version) "lib" name "." version ".dylib"

static inline int renameat2(int from_folder, const char *from, int to_folder, const char *to,
                            unsigned flags)
{
    const int failed = renameatx_np(from_folder, from, to_folder, to, flags);
    if (failed && errno == ENOTSUP)
        errno = EINVAL; /* as Linux says that a file system has no flags */
    return failed;
}

static inline ssize_t getrandom(void *bytes, size_t count, unsigned flags)
{
    (void)flags;
    return getentropy(bytes, count) == 0 ? (ssize_t)count : -1;
}

static inline int posix_fallocate(int fd, off_t from, off_t bytes)
{
    (void)fd, (void)from, (void)bytes;
    return ENOSYS;
}
#elif !defined(RENAME_NOREPLACE) /* musl before 1.2.6, whose stdio.h does not have it */
#include <sys/syscall.h>
#define RENAME_NOREPLACE 1u
static inline int renameat2(int from_folder, const char *from, int to_folder, const char *to,
                            unsigned flags)
{
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
#endif

#if !defined(system_library)
#define system_library(name, version) "lib" name ".so." version
#endif
#define system_begin(argc, argv) ((void)(argc), (void)(argv))
#define system_slashes           "/"
#define system_last_slash(path)  strrchr((path), '/')
#if defined(__APPLE__)
#define system_compare_names(a, b) strcasecmp((a), (b))
#else
#define system_compare_names(a, b) strcmp((a), (b))
#endif
#define system_aligned_free(at) free(at)

#endif
