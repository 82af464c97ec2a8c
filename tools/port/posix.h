/* A system with POSIX.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PORT_POSIX_H
#define TENSORPAD_PORT_POSIX_H

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#if defined(__APPLE__) /* has these under other names, and reserves no room on a disk */
#include <errno.h>
#define RENAME_NOREPLACE              RENAME_EXCL
#define MADV_HUGEPAGE                 MADV_NORMAL
#define system_library(name, version) "lib" name "." version ".dylib"

static inline int renameat2(int from_folder, const char *from, int to_folder, const char *to,
                            unsigned flags)
{
    return renameatx_np(from_folder, from, to_folder, to, flags);
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
#define system_last_slash(path)  strrchr((path), '/')

#endif
