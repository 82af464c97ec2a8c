/* A system with POSIX.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PORT_POSIX_H
#define TENSORPAD_PORT_POSIX_H

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#if !defined(RENAME_NOREPLACE) /* musl before 1.2.6, whose stdio.h does not have it */
#include <sys/syscall.h>
#define RENAME_NOREPLACE 1u
static inline int renameat2(int from_folder, const char *from, int to_folder, const char *to,
                            unsigned flags)
{
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
#endif

#define system_begin(argc, argv) ((void)(argc), (void)(argv))
#define system_last_slash(path)  strrchr((path), '/')

#endif
