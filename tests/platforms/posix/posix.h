/* What the tests of __unix__ use besides pthreads, made of what Windows has.
 * SPDX-License-Identifier: MIT
 *
 * Each file of a test is compiled with __unix__ and with this header in front. */
#ifndef TENSORPAD_TESTS_PLATFORMS_POSIX_H
#define TENSORPAD_TESTS_PLATFORMS_POSIX_H

#include <stddef.h>

enum { PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2 };
enum { MAP_PRIVATE = 2, MAP_ANONYMOUS = 32, MAP_NORESERVE = 0x4000 };
enum { MADV_DONTNEED = 4 };
#define MAP_FAILED ((void *)-1)

/* Fresh memory: `at`, flags, file and offset have no meaning. */
void *mmap(void *at, size_t bytes, int rights, int flags, int file, long long offset);
int munmap(void *at, size_t bytes);
int mprotect(void *at, size_t bytes, int rights);
int madvise(void *at, size_t bytes, int advice);

enum { _SC_PAGESIZE = 30 };
long sysconf(int name);

int setenv(const char *name, const char *value, int replace);
int unsetenv(const char *name);

#endif
