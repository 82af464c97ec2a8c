/* Calls of Windows that fail on demand.  SPDX-License-Identifier: MIT
 *
 * Each file whose calls are to fail is compiled with this header in front. A call then asks
 * call_fails first, which counts it and says whether it fails. The two conversions of text are left
 * out: they ask nothing of the system. */
#ifndef TENSORPAD_TESTS_PLATFORMS_FAILING_CALLS_H
#define TENSORPAD_TESTS_PLATFORMS_FAILING_CALLS_H

#define _CRT_RAND_S
#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <windows.h>

/* clang-format off */
#define CALLS(X)                                                                                   \
    X(CreateFileW) X(GetFileType) X(GetFileInformationByHandle) X(MoveFileExW) X(DeleteFileW)      \
    X(SetFileInformationByHandle) X(CreateFileMappingW) X(MapViewOfFile) X(UnmapViewOfFile)        \
    X(GetFinalPathNameByHandleW) X(GetFullPathNameW) X(CreateDirectoryW) X(RemoveDirectoryW)       \
    X(FindFirstFileW) X(FindNextFileW) X(open_osfhandle) X(wfopen) X(dup) X(lseeki64) X(rand_s)    \
    X(tmpfile) X(malloc) X(calloc) X(realloc) X(strdup) X(asprintf) X(close) X(read) X(write)      \
    X(signal)
/* clang-format on */
#define CALL_NUMBER(name) CALL_##name,
enum { CALLS(CALL_NUMBER) CALL_COUNT };

/* 1: this call fails; the last error of Windows and errno are set. */
int call_fails(int call);

/* 1; takes the number of the file away where the test wants a file system without them. */
int tell_number(BY_HANDLE_FILE_INFORMATION *info);

/* What stands for a call; `fails` is its result when it fails. */
#define CALL(name, fails, ...) (call_fails(CALL_##name) ? (fails) : __VA_ARGS__)

#define CreateFileW(...) CALL(CreateFileW, INVALID_HANDLE_VALUE, CreateFileW(__VA_ARGS__))
#define GetFileType(...) CALL(GetFileType, FILE_TYPE_UNKNOWN, GetFileType(__VA_ARGS__))
#define GetFileInformationByHandle(file, info)                                                     \
    CALL(GetFileInformationByHandle, FALSE,                                                        \
         GetFileInformationByHandle((file), (info)) && tell_number(info))
#define MoveFileExW(...) CALL(MoveFileExW, FALSE, MoveFileExW(__VA_ARGS__))
#define DeleteFileW(...) CALL(DeleteFileW, FALSE, DeleteFileW(__VA_ARGS__))
#define SetFileInformationByHandle(...)                                                            \
    CALL(SetFileInformationByHandle, FALSE, SetFileInformationByHandle(__VA_ARGS__))
#define CreateFileMappingW(...) CALL(CreateFileMappingW, NULL, CreateFileMappingW(__VA_ARGS__))
#define MapViewOfFile(...)      CALL(MapViewOfFile, NULL, MapViewOfFile(__VA_ARGS__))
#define GetFinalPathNameByHandleW(...)                                                             \
    CALL(GetFinalPathNameByHandleW, 0, GetFinalPathNameByHandleW(__VA_ARGS__))
#define GetFullPathNameW(...) CALL(GetFullPathNameW, 0, GetFullPathNameW(__VA_ARGS__))
#define CreateDirectoryW(...) CALL(CreateDirectoryW, FALSE, CreateDirectoryW(__VA_ARGS__))
#define RemoveDirectoryW(...) CALL(RemoveDirectoryW, FALSE, RemoveDirectoryW(__VA_ARGS__))
#define FindFirstFileW(...)   CALL(FindFirstFileW, INVALID_HANDLE_VALUE, FindFirstFileW(__VA_ARGS__))
#define FindNextFileW(...)    CALL(FindNextFileW, FALSE, FindNextFileW(__VA_ARGS__))
#define _open_osfhandle(...)  CALL(open_osfhandle, -1, _open_osfhandle(__VA_ARGS__))
#define _wfopen(...)          CALL(wfopen, NULL, _wfopen(__VA_ARGS__))
#define _dup(...)             CALL(dup, -1, _dup(__VA_ARGS__))
#define _lseeki64(...)        CALL(lseeki64, -1, _lseeki64(__VA_ARGS__))
#define rand_s(...)           CALL(rand_s, ENOMEM, rand_s(__VA_ARGS__))
#define tmpfile(...)          CALL(tmpfile, NULL, tmpfile(__VA_ARGS__))
#define malloc(...)           CALL(malloc, NULL, malloc(__VA_ARGS__))
#define calloc(...)           CALL(calloc, NULL, calloc(__VA_ARGS__))
#define realloc(...)          CALL(realloc, NULL, realloc(__VA_ARGS__))
#define strdup(...)           CALL(strdup, NULL, strdup(__VA_ARGS__))
#define asprintf(...)         CALL(asprintf, -1, asprintf(__VA_ARGS__))
#define _read(...)            CALL(read, -1, _read(__VA_ARGS__))
#define _write(...)           CALL(write, -1, _write(__VA_ARGS__))
/* These two fail, but what they give back is gone. */
#define UnmapViewOfFile(...) (UnmapViewOfFile(__VA_ARGS__) && !call_fails(CALL_UnmapViewOfFile))
#define close(...)           (close(__VA_ARGS__) == 0 && !call_fails(CALL_close) ? 0 : -1)

#endif
