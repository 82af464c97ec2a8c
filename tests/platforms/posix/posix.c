/* See posix.h.  SPDX-License-Identifier: MIT */
#include "posix.h"

#include <stdlib.h>
#include <windows.h>

static DWORD protection(int rights)
{
    return rights & PROT_WRITE  ? PAGE_READWRITE
           : rights & PROT_READ ? PAGE_READONLY
                                : PAGE_NOACCESS;
}

void *mmap(void *at, size_t bytes, int rights, int flags, int file, long long offset)
{
    (void)at, (void)flags, (void)file, (void)offset;
    void *all = VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, protection(rights));
    return all ? all : MAP_FAILED;
}

int munmap(void *at, size_t bytes)
{
    (void)bytes;
    return VirtualFree(at, 0, MEM_RELEASE) ? 0 : -1;
}

int mprotect(void *at, size_t bytes, int rights)
{
    DWORD before;
    return VirtualProtect(at, bytes, protection(rights), &before) ? 0 : -1;
}

/* The pages stay: to give them back only saves time. */
int madvise(void *at, size_t bytes, int advice)
{
    (void)at, (void)bytes, (void)advice;
    return 0;
}

long sysconf(int name)
{
    SYSTEM_INFO info;
    (void)name;
    GetSystemInfo(&info);
    return (long)info.dwPageSize;
}

int setenv(const char *name, const char *value, int replace)
{
    (void)replace;
    return _putenv_s(name, value);
}

int unsetenv(const char *name)
{
    return _putenv_s(name, "");
}
