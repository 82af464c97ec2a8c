/* The files of the command on Windows when the system refuses.  SPDX-License-Identifier: MIT
 *
 * Each call of failing_calls.h fails in turn, with the error of Windows that is likeliest. After each
 * failure: the caller sees the error of POSIX, no handle and no view is left, the file that was to be
 * replaced has its old bytes or all of the new ones, and no temporary file is there. The program also
 * runs itself as a child, which is interrupted or killed at each of its calls.
 *
 * Usage: test_files FOLDER    an empty folder, in which the files are made; beside it is a link to it,
 *                             of the name link
 *        test_files console   in a console; the status is 0 if the code page is always right */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/output_signals.h"
#include "failing_calls.h"
#include "formats/file.h"
#include "port/system.h"

/* ---- What fails ------------------------------------------------------------------------------ */

enum action { FAIL, INTERRUPT, KILL };
enum { ANY = CALL_COUNT, KILLED = 99 };

static struct {
    int armed;
    int call;   /* or ANY */
    int number; /* the how manieth; 0: none */
    enum action action;
    DWORD error; /* of Windows */
    int posix;
    int also; /* a call that always fails once the first has failed, or ANY for none */
    int met;
    int counts[CALL_COUNT + 1];
} rule;

/* A handler waits for the thread that makes a temporary file, so this thread goes on after a while. */
static void interrupt(void)
{
    if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) TerminateProcess(GetCurrentProcess(), 77);
    Sleep(100);
}

int call_fails(int call)
{
    if (!rule.armed) return 0;
    const int own = ++rule.counts[call], any = ++rule.counts[ANY];
    int hit = rule.number > 0 && (rule.call == ANY    ? any
                                  : rule.call == call ? own
                                                      : 0) == rule.number;
    if (rule.met && call == rule.also) hit = 1;
    if (!hit) return 0;
    rule.met = 1;
    if (rule.action == INTERRUPT) interrupt();
    if (rule.action == KILL) TerminateProcess(GetCurrentProcess(), KILLED);
    if (rule.action != FAIL) return 0;
    errno = rule.posix;
    SetLastError(rule.error);
    return 1;
}

static int no_numbers;

int tell_number(BY_HANDLE_FILE_INFORMATION *info)
{
    if (no_numbers) info->nFileIndexHigh = info->nFileIndexLow = 0;
    return 1;
}

static void arm(int call, int number, DWORD error, int posix)
{
    memset(&rule, 0, sizeof rule);
    rule.call = call;
    rule.number = number;
    rule.error = error;
    /* The port has to set errno itself after a call of Windows. */
    rule.posix = error ? EDOM : posix;
    rule.also = ANY;
    rule.armed = 1;
}

static void disarm(void)
{
    rule.armed = 0;
}

/* In place of the C library's, which asks Windows for Ctrl-C: SetConsoleCtrlHandler. */
#undef signal
void (*signal(int number, void (*handler)(int)))(int)
{
    typedef void (*(*function)(int, void (*)(int)))(int);
    HMODULE library = GetModuleHandleW(L"ucrtbase.dll");
    const function real = (function)(uintptr_t)GetProcAddress(library, "signal");
    return call_fails(CALL_signal) ? SIG_ERR : real(number, handler);
}

static const char *const call_names[] = {
#define CALL_NAME(name) #name,
    CALLS(CALL_NAME)};

/* The errors of each call. Those of Windows, from its documentation, and what POSIX calls them; 0:
 * the call is one of the C library, which sets errno. */
static const struct fault {
    int call;
    DWORD error;
    int posix;
} faults[] = {
    {CALL_CreateFileW, ERROR_ACCESS_DENIED, EACCES},
    {CALL_CreateFileW, ERROR_SHARING_VIOLATION, EBUSY},
    {CALL_CreateFileW, ERROR_TOO_MANY_OPEN_FILES, EMFILE},
    {CALL_CreateFileW, ERROR_WRITE_PROTECT, EROFS},
    {CALL_GetFileType, ERROR_INVALID_HANDLE, EBADF},
    {CALL_GetFileInformationByHandle, ERROR_ACCESS_DENIED, EACCES},
    {CALL_GetFileInformationByHandle, ERROR_IO_DEVICE, EIO},
    {CALL_MoveFileExW, ERROR_ACCESS_DENIED, EACCES},
    {CALL_MoveFileExW, ERROR_SHARING_VIOLATION, EBUSY},
    {CALL_MoveFileExW, ERROR_USER_MAPPED_FILE, EBUSY},
    {CALL_MoveFileExW, ERROR_DISK_FULL, ENOSPC},
    {CALL_DeleteFileW, ERROR_ACCESS_DENIED, EACCES},
    {CALL_SetFileInformationByHandle, ERROR_DISK_FULL, ENOSPC},
    {CALL_SetFileInformationByHandle, ERROR_HANDLE_DISK_FULL, ENOSPC},
    {CALL_SetFileInformationByHandle, ERROR_FILE_TOO_LARGE, EFBIG},
    {CALL_CreateFileMappingW, ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {CALL_CreateFileMappingW, ERROR_COMMITMENT_LIMIT, ENOMEM},
    {CALL_CreateFileMappingW, ERROR_NO_SYSTEM_RESOURCES, ENOMEM},
    {CALL_CreateFileMappingW, ERROR_DISK_FULL, ENOSPC},
    {CALL_MapViewOfFile, ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {CALL_MapViewOfFile, ERROR_OUTOFMEMORY, ENOMEM},
    {CALL_UnmapViewOfFile, ERROR_INVALID_ADDRESS, EIO},
    {CALL_GetFinalPathNameByHandleW, ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {CALL_GetFinalPathNameByHandleW, ERROR_ACCESS_DENIED, EACCES},
    {CALL_GetFullPathNameW, ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {CALL_CreateDirectoryW, ERROR_ALREADY_EXISTS, EEXIST},
    {CALL_CreateDirectoryW, ERROR_DISK_FULL, ENOSPC},
    {CALL_RemoveDirectoryW, ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
    {CALL_RemoveDirectoryW, ERROR_SHARING_VIOLATION, EBUSY},
    {CALL_FindFirstFileW, ERROR_PATH_NOT_FOUND, ENOENT},
    {CALL_FindFirstFileW, ERROR_ACCESS_DENIED, EACCES},
    {CALL_FindNextFileW, ERROR_ACCESS_DENIED, EACCES},
    {CALL_open_osfhandle, 0, EMFILE},
    {CALL_wfopen, 0, EMFILE},
    {CALL_dup, 0, EMFILE},
    {CALL_lseeki64, 0, EINVAL},
    {CALL_rand_s, 0, ENOMEM},
    {CALL_tmpfile, 0, EACCES},
    {CALL_malloc, 0, ENOMEM},
    {CALL_calloc, 0, ENOMEM},
    {CALL_realloc, 0, ENOMEM},
    {CALL_strdup, 0, ENOMEM},
    {CALL_asprintf, 0, ENOMEM},
    {CALL_close, 0, EIO},
    {CALL_close, 0, ENOSPC},
    {CALL_read, 0, EIO},
    {CALL_write, 0, ENOSPC},
};
enum { FAULTS = sizeof faults / sizeof faults[0] };

/* ---- What is left ---------------------------------------------------------------------------- */

/* Handles are multiples of 4. GetProcessHandleCount says the same, but Wine's says 0. */
static int handles(void)
{
    int count = 0;
    DWORD flags;
    for (uintptr_t each = 4; each < 4 * 2048; each += 4)
        count += GetHandleInformation((HANDLE)each, &flags) != 0;
    return count;
}

/* Views of files, without those of programs and DLLs. */
static int views(void)
{
    MEMORY_BASIC_INFORMATION info;
    int count = 0;
    for (char *at = NULL; VirtualQuery(at, &info, sizeof info) == sizeof info;
         at = (char *)info.BaseAddress + info.RegionSize)
        count += info.Type == MEM_MAPPED && info.BaseAddress == info.AllocationBase;
    return count;
}

static int is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int is_temporary(const struct dirent *entry)
{
    return is_entry(entry) && entry->d_name[0] == '.';
}

static int entries(const char *folder)
{
    struct dirent **names;
    const int count = scandir(folder, &names, is_entry, alphasort);
    for (int i = 0; i < count; i++) free(names[i]);
    free(names);
    return count;
}

/* Returns how many there were. */
static int remove_temporaries(void)
{
    struct dirent **names;
    const int count = scandir(".", &names, is_temporary, alphasort);
    for (int i = 0; i < count; i++) {
        assert_int_equal(unlink(names[i]->d_name), 0);
        free(names[i]);
    }
    free(names);
    return count;
}

static void write_file(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static size_t read_file(const char *path, void *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    if (!file) return SIZE_MAX;
    const size_t count = fread(bytes, 1, room, file);
    fclose(file);
    return count;
}

static int file_is(const char *path, const char *text)
{
    char bytes[64];
    const size_t count = read_file(path, bytes, sizeof bytes);
    return count == strlen(text) && memcmp(bytes, text, count) == 0;
}

/* ---- Outputs and inputs ---------------------------------------------------------------------- */

static const char OLD[] = "the old bytes", TEXT[] = "a text";
static const unsigned char ELEMENTS[] = {3, 1, 4, 1, 5, 9, 2, 6};
static unsigned char new_array[256]; /* the .npy file of ELEMENTS, as it is without faults */
static size_t new_array_bytes;

static int32_t write_array(const char *path, int32_t overwrite, tpad_io_error *error)
{
    const tpad_tensor like = {
        .type = TPAD_ONNX_UINT8, .elem_bits = 8, .rank = 1, .shape = {sizeof ELEMENTS}};
    tpad_output *output;
    int32_t status = outputs_begin(&output, path, &like, overwrite, error);
    if (status) return status;
    memcpy(tpad_output_data(output), ELEMENTS, sizeof ELEMENTS);
    return outputs_commit(output, error);
}

static int32_t new_output(tpad_io_error *error)
{
    return write_array("new.npy", 0, error);
}

static int32_t replaced_output(tpad_io_error *error)
{
    return write_array("old.npy", 1, error);
}

static int32_t text_output(tpad_io_error *error)
{
    tpad_output *output;
    int32_t status = outputs_begin(&output, "old.txt", NULL, 1, error);
    if (status) return status;
    status = tpad_output_write(output, TEXT, strlen(TEXT), error);
    if (!status) return outputs_commit(output, error);
    outputs_discard(output);
    return status;
}

static int32_t input(tpad_io_error *error)
{
    tpad_bytes bytes;
    const int32_t status = tpad_bytes_open(&bytes, "in.npy", error);
    if (status) return status;
    assert_int_equal(bytes.count, strlen(OLD));
    assert_memory_equal(bytes.data, OLD, strlen(OLD));
    tpad_bytes_close(&bytes);
    return status;
}

/* MAY_PASS: calls after whose failure there may be a result: a name that is short needs no full one,
 * a path without links is a real one, an input that cannot be mapped is read, and nobody can do
 * anything about a view that stays. */
static const struct scenario {
    const char *name;
    int32_t (*run)(tpad_io_error *error);
    const char *target; /* or NULL */
    const char *old;    /* of the target before; NULL: there is none */
} scenarios[] = {{"a new output", new_output, "new.npy", NULL},
                 {"a replaced output", replaced_output, "old.npy", OLD},
                 {"a replaced text", text_output, "old.txt", OLD},
                 {"an input", input, NULL, NULL}};
enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

static int may_pass(const struct scenario *s, int call, int number)
{
    switch (call) {
    case CALL_CreateFileW:
    case CALL_malloc:
        return s->target && number == 1; /* to find out whether it is a device */
    case CALL_GetFileType:
    case CALL_GetFileInformationByHandle:
        return number != 2 && number != 3; /* which find out whether the target is a file */
    case CALL_GetFinalPathNameByHandleW:
    case CALL_GetFullPathNameW:
    case CALL_UnmapViewOfFile:
        return 1;
    case CALL_CreateFileMappingW:
    case CALL_MapViewOfFile:
    case CALL_close:
        return s->target == NULL;
    default:
        return 0;
    }
}

static void prepare(void)
{
    write_file("in.npy", OLD, strlen(OLD));
    write_file("old.npy", OLD, strlen(OLD));
    write_file("old.txt", OLD, strlen(OLD));
    unlink("new.npy");
    assert_int_equal(entries("."), 3);
}

/* 'o': it is as it was; 'n': it has all new bytes; 'x': anything else. */
static char target_state(const struct scenario *s)
{
    unsigned char bytes[sizeof new_array];
    const size_t count = read_file(s->target, bytes, sizeof bytes);
    const int is_text = s->run == text_output;
    const void *made = is_text ? (const void *)TEXT : new_array;
    const size_t made_bytes = is_text ? strlen(TEXT) : new_array_bytes;
    if (count == made_bytes && memcmp(bytes, made, count) == 0) return 'n';
    if (s->old ? file_is(s->target, s->old) : count == SIZE_MAX) return 'o';
    return 'x';
}

/* A file that is held for a moment is moved later, so this call fails each time. */
static void arm_fault(const struct fault *fault, int number)
{
    arm(fault->call, number, fault->error, fault->posix);
    if (fault->call == CALL_MoveFileExW) rule.also = fault->call;
}

static void run_with_fault(const struct scenario *s, const struct fault *fault, int number)
{
    tpad_io_error error = {0};
    char where[200];
    snprintf(where, sizeof where, "%s: %s %d with error %lu", s->name, call_names[fault->call],
             number, fault->error);
    prepare();
    const int handles_before = handles(), views_before = views();
    arm_fault(fault, number);
    const int32_t status = s->run(&error);
    disarm();
    if (!rule.met) fail_msg("%s: the call was not made", where);
    if (handles() != handles_before) fail_msg("%s: a handle is left", where);
    if (views() != views_before) fail_msg("%s: a view is left", where);
    const char state = s->target ? target_state(s) : status ? 'o' : 'n';
    if (state != (status ? 'o' : 'n'))
        fail_msg("%s: status %d, and the target is %c: %s", where, status, state, error.text);
    if (!status && !may_pass(s, fault->call, number)) fail_msg("%s: was not noticed", where);
    const int there = 3 + (state == 'n' && s->target && !s->old);
    if (entries(".") != there) fail_msg("%s: a temporary file is left", where);
    if (status && !(status == TPAD_E_MEMORY && fault->posix == ENOMEM) &&
        !strstr(error.text, strerror(fault->posix)))
        fail_msg("%s: the error is \"%s\"", where, error.text);
}

static void every_call_of_outputs_and_inputs(void **state)
{
    int runs = 0;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        tpad_io_error error;
        int counts[CALL_COUNT];
        prepare();
        arm(ANY, 0, 0, 0);
        assert_int_equal(scenarios[i].run(&error), TPAD_OK);
        disarm();
        memcpy(counts, rule.counts, sizeof counts);
        for (int j = 0; j < FAULTS; j++)
            for (int number = 1; number <= counts[faults[j].call]; number++, runs++)
                run_with_fault(&scenarios[i], &faults[j], number);
    }
    print_message("%d faults of outputs and inputs\n", runs);
}

/* If the temporary file cannot be removed either, it stays, and nothing else does. */
static void an_output_that_cannot_be_removed(void **state)
{
    tpad_io_error error;
    (void)state;
    prepare();
    const int handles_before = handles(), views_before = views();
    arm(CALL_MoveFileExW, 1, ERROR_DISK_FULL, ENOSPC);
    rule.also = CALL_DeleteFileW;
    assert_int_equal(replaced_output(&error), TPAD_E_IO);
    disarm();
    assert_non_null(strstr(error.text, strerror(ENOSPC)));
    assert_true(file_is("old.npy", OLD));
    assert_int_equal(handles(), handles_before);
    assert_int_equal(views(), views_before);
    assert_int_equal(remove_temporaries(), 1);
    assert_int_equal(entries("."), 3);
}

static tpad_output *begun(const char *path)
{
    const tpad_tensor like = {
        .type = TPAD_ONNX_UINT8, .elem_bits = 8, .rank = 1, .shape = {sizeof ELEMENTS}};
    tpad_output *output;
    tpad_io_error error;
    assert_int_equal(outputs_begin(&output, path, &like, 1, &error), TPAD_OK);
    return output;
}

/* Where all files have the number 0, the others stay mapped, which other threads may write. */
static void an_output_beside_others(void **state)
{
    (void)state;
    prepare();
    no_numbers = 1;
    tpad_output *other = begun("old.npy"), *output = begun("new.npy");
    no_numbers = 0;
    const int views_before = views();
    no_numbers = 1;
    outputs_discard(output);
    no_numbers = 0;
    assert_int_equal(views(), views_before - 1);
    outputs_discard(other);
    assert_int_equal(entries("."), 3);
}

/* At Ctrl-C an output is still mapped. Windows then refuses to remove it, Wine does not. */
static void an_output_that_is_still_mapped(void **state)
{
    (void)state;
    prepare();
    tpad_output *output = begun("new.npy");
    const int views_before = views();
    arm(CALL_DeleteFileW, 1, ERROR_ACCESS_DENIED, EACCES);
    assert_int_equal(unlink(tpad_output_temporary(output)), 0);
    disarm();
    assert_true(rule.met);
    assert_int_equal(views(), views_before - 1);
    outputs_discard(output);
    assert_int_equal(entries("."), 3);
}

/* ---- Each function of the port --------------------------------------------------------------- */

static int port_open(void)
{
    const int fd = open("in.npy", O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -1 : close(fd);
}

static int port_stat(void)
{
    struct stat status;
    return stat("in.npy", &status);
}

static int port_access(void)
{
    return access("in.npy", 0);
}

static int port_rename(void)
{
    return rename("in.npy", "in.npy");
}

static int port_renameat2(void)
{
    const int result = renameat2(AT_FDCWD, "in.npy", AT_FDCWD, "other.npy", RENAME_NOREPLACE);
    if (result == 0) {
        disarm();
        rename("other.npy", "in.npy");
    }
    return result;
}

static int port_unlink(void)
{
    const int result = unlink("in.npy"), number = errno;
    if (result == 0) {
        disarm();
        prepare();
    }
    errno = number;
    return result;
}

/* Makes the folder where it was not there, removes it where it was. */
static int port_folder(void)
{
    const int made = mkdir("folder", 0777), number = errno;
    const int result = made == 0 ? rmdir("folder") : made, other = errno;
    if (made == 0 && result != 0) {
        disarm();
        rmdir("folder");
    }
    errno = made == 0 ? other : number;
    return result;
}

static int port_ftruncate(void)
{
    const int fd = open("in.npy", O_RDWR);
    const int result = ftruncate(fd, 13), number = errno;
    close(fd);
    errno = number;
    return result;
}

static int port_fallocate(void)
{
    const int fd = open("in.npy", O_RDWR);
    errno = posix_fallocate(fd, 0, 13);
    const int number = errno;
    close(fd);
    errno = number;
    return number ? -1 : 0;
}

static int port_realpath(void)
{
    char *path = realpath("in.npy", NULL);
    if (!path) return -1;
    assert_non_null(strstr(path, "/in.npy"));
    free(path);
    return 0;
}

static int port_fopen(void)
{
    FILE *file = fopen("in.npy", "re");
    return file ? fclose(file) : -1;
}

static int port_scandir(void)
{
    const int count = entries(".");
    assert_true(count == 3 || count == -1);
    return count < 0 ? -1 : 0;
}

static int port_map(int rights)
{
    const int fd = open("in.npy", O_RDWR);
    void *map = mmap(NULL, strlen(OLD), rights, MAP_SHARED, fd, 0);
    int result = map == MAP_FAILED ? -1 : 0, number = errno;
    if (result == 0) {
        assert_memory_equal(map, OLD, strlen(OLD));
        result = munmap(map, strlen(OLD));
        number = errno;
    }
    close(fd);
    errno = number;
    return result;
}

static int port_map_to_read(void)
{
    return port_map(PROT_READ);
}

static int port_map_to_write(void)
{
    return port_map(PROT_READ | PROT_WRITE);
}

static int port_dup(void)
{
    const int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    return fd < 0 ? -1 : close(fd);
}

static int port_lseek(void)
{
    const int fd = open("in.npy", O_RDONLY);
    const int64_t at = lseek(fd, 5, SEEK_SET);
    const int number = errno;
    close(fd);
    errno = number;
    return at == 5 ? 0 : -1;
}

static int port_getrandom(void)
{
    uint32_t number;
    return getrandom(&number, sizeof number, 0) == sizeof number ? 0 : -1;
}

/* A failed stream has no text, as glibc's. */
static int port_memory_stream(void)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file) return -1;
    fputs(TEXT, file);
    if (fclose(file) != 0 || !text) return -1;
    assert_string_equal(text, TEXT);
    assert_int_equal(bytes, strlen(TEXT));
    free(text);
    return 0;
}

static const struct port_function {
    const char *name;
    int (*run)(void);
    int calls[6]; /* which it makes and whose failures it must report */
} port_functions[] = {
    {"open", port_open, {CALL_CreateFileW, CALL_open_osfhandle, CALL_malloc, ANY}},
    {"stat",
     port_stat,
     {CALL_CreateFileW, CALL_GetFileType, CALL_GetFileInformationByHandle, CALL_malloc, ANY}},
    {"access", port_access, {CALL_CreateFileW, CALL_malloc, ANY}},
    {"rename", port_rename, {CALL_MoveFileExW, CALL_malloc, ANY}},
    {"renameat2", port_renameat2, {CALL_MoveFileExW, CALL_malloc, ANY}},
    {"unlink", port_unlink, {CALL_DeleteFileW, ANY}},
    {"mkdir and rmdir",
     port_folder,
     {CALL_CreateDirectoryW, CALL_RemoveDirectoryW, CALL_malloc, ANY}},
    {"ftruncate", port_ftruncate, {CALL_SetFileInformationByHandle, ANY}},
    {"posix_fallocate", port_fallocate, {CALL_SetFileInformationByHandle, ANY}},
    {"realpath", port_realpath, {CALL_CreateFileW, CALL_malloc, ANY}},
    {"fopen", port_fopen, {CALL_wfopen, CALL_malloc, ANY}},
    {"scandir",
     port_scandir,
     {CALL_FindFirstFileW, CALL_FindNextFileW, CALL_malloc, CALL_realloc, ANY}},
    {"mmap to read",
     port_map_to_read,
     {CALL_CreateFileMappingW, CALL_MapViewOfFile, CALL_UnmapViewOfFile, ANY}},
    {"mmap to write",
     port_map_to_write,
     {CALL_CreateFileMappingW, CALL_MapViewOfFile, CALL_UnmapViewOfFile, ANY}},
    {"fcntl", port_dup, {CALL_dup, ANY}},
    {"lseek", port_lseek, {CALL_lseeki64, ANY}},
    {"getrandom", port_getrandom, {CALL_rand_s, ANY}},
    {"open_memstream", port_memory_stream, {CALL_tmpfile, CALL_malloc, ANY}}};
enum { PORT_FUNCTIONS = sizeof port_functions / sizeof port_functions[0] };

static void function_with_fault(const struct port_function *f, const struct fault *fault,
                                int number)
{
    char where[200];
    snprintf(where, sizeof where, "%s: %s %d with error %lu", f->name, call_names[fault->call],
             number, fault->error);
    prepare();
    const int handles_before = handles(), views_before = views();
    arm_fault(fault, number);
    errno = 0;
    const int result = f->run(), given = errno;
    disarm();
    if (!rule.met) fail_msg("%s: the call was not made", where);
    if (result != -1) fail_msg("%s: was not reported", where);
    if (given != fault->posix) fail_msg("%s: errno is %d (%s)", where, given, strerror(given));
    if (handles() != handles_before) fail_msg("%s: a handle is left", where);
    if (views() != views_before) fail_msg("%s: a view is left", where);
    if (entries(".") != 3 || !file_is("in.npy", OLD)) fail_msg("%s: the files changed", where);
}

static void every_call_of_the_port(void **state)
{
    int runs = 0;
    (void)state;
    for (int i = 0; i < PORT_FUNCTIONS; i++) {
        const struct port_function *f = &port_functions[i];
        int counts[CALL_COUNT];
        prepare();
        arm(ANY, 0, 0, 0);
        if (f->run() != 0) fail_msg("%s: %s", f->name, strerror(errno));
        disarm();
        memcpy(counts, rule.counts, sizeof counts);
        for (int k = 0; f->calls[k] != ANY; k++) {
            if (!counts[f->calls[k]])
                fail_msg("%s does not call %s", f->name, call_names[f->calls[k]]);
            for (int j = 0; j < FAULTS; j++)
                for (int number = 1; faults[j].call == f->calls[k] && number <= counts[f->calls[k]];
                     number++, runs++)
                    function_with_fault(f, &faults[j], number);
        }
    }
    print_message("%d faults of the port\n", runs);
}

/* ---- Real files ------------------------------------------------------------------------------ */

static void output_refused(const char *path, int posix)
{
    tpad_io_error error;
    const int handles_before = handles(), views_before = views(), entries_before = entries(".");
    assert_int_equal(write_array(path, 1, &error), TPAD_E_IO);
    if (!strstr(error.text, strerror(posix))) fail_msg("the error is \"%s\"", error.text);
    assert_int_equal(handles(), handles_before);
    assert_int_equal(views(), views_before);
    assert_int_equal(entries("."), entries_before);
}

static void a_folder_that_is_missing(void **state)
{
    tpad_bytes bytes;
    tpad_io_error error;
    (void)state;
    prepare();
    output_refused("no such folder/new.npy", ENOENT);
    output_refused("in.npy/new.npy", ENOENT);
    assert_int_equal(tpad_bytes_open(&bytes, "no such folder/in.npy", &error), TPAD_E_IO);
    assert_non_null(strstr(error.text, strerror(ENOENT)));
}

/* Replaces old.npy, which another program holds in some way. Returns 1 if Windows refused. */
static int held_output_refused(void)
{
    tpad_io_error error;
    const int handles_before = handles(), views_before = views();
    const int32_t status = write_array("old.npy", 1, &error);
    assert_int_equal(handles(), handles_before);
    assert_int_equal(views(), views_before);
    assert_int_equal(entries("."), 3);
    if (status == TPAD_OK) {
        assert_int_equal(target_state(&scenarios[1]), 'n');
        return 0;
    }
    assert_int_equal(status, TPAD_E_IO);
    if (!strstr(error.text, strerror(EACCES)) && !strstr(error.text, strerror(EBUSY)))
        fail_msg("the error is \"%s\"", error.text);
    return 1;
}

static void a_file_that_is_read_only(void **state)
{
    (void)state;
    prepare();
    assert_true(SetFileAttributesW(L"old.npy", FILE_ATTRIBUTE_READONLY));
    if (held_output_refused()) {
        assert_true(SetFileAttributesW(L"old.npy", FILE_ATTRIBUTE_NORMAL));
        assert_true(file_is("old.npy", OLD));
    } else
        print_message("not shown: this system replaces a file that is read-only\n");
}

/* As other programs open a file: that nobody else may use, or that nobody may change or remove. */
static void a_file_that_is_held(void **state)
{
    (void)state;
    for (DWORD shared = 0; shared <= FILE_SHARE_READ; shared += FILE_SHARE_READ) {
        tpad_bytes bytes;
        tpad_io_error error;
        prepare();
        HANDLE holder = CreateFileW(L"old.npy", GENERIC_READ, shared, NULL, OPEN_EXISTING, 0, NULL);
        assert_true(holder != INVALID_HANDLE_VALUE);
        const int32_t status = tpad_bytes_open(&bytes, "old.npy", &error);
        assert_int_equal(status, shared ? TPAD_OK : TPAD_E_IO);
        if (status == TPAD_OK) tpad_bytes_close(&bytes);
        if (status != TPAD_OK) assert_non_null(strstr(error.text, "by another program"));
        assert_true(held_output_refused());
        CloseHandle(holder);
        assert_true(file_is("old.npy", OLD));
    }
}

static DWORD WINAPI release_later(void *holder)
{
    Sleep(100);
    CloseHandle(holder);
    return 0;
}

/* As scanners for viruses do. */
static void a_file_that_is_held_for_a_moment(void **state)
{
    static const DWORD errors[] = {ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION,
                                   ERROR_LOCK_VIOLATION, ERROR_USER_MAPPED_FILE};
    tpad_io_error error;
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        prepare();
        arm(CALL_MoveFileExW, 1, errors[i], EBUSY);
        assert_int_equal(replaced_output(&error), TPAD_OK);
        disarm();
        assert_int_equal(rule.counts[CALL_MoveFileExW], 2);
        assert_int_equal(target_state(&scenarios[1]), 'n');
    }
    prepare();
    HANDLE holder =
        CreateFileW(L"old.npy", GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    HANDLE thread = CreateThread(NULL, 0, release_later, holder, 0, NULL);
    assert_non_null(thread);
    assert_int_equal(replaced_output(&error), TPAD_OK);
    assert_int_equal(target_state(&scenarios[1]), 'n');
    assert_int_equal(WaitForSingleObject(thread, 60000), WAIT_OBJECT_0);
    CloseHandle(thread);
}

/* As on some RAM disks. */
static void a_drive_without_a_name(void **state)
{
    tpad_io_error error;
    char *real;
    (void)state;
    prepare();
    arm(CALL_GetFinalPathNameByHandleW, 1, ERROR_INVALID_FUNCTION, EIO);
    rule.also = CALL_GetFinalPathNameByHandleW;
    assert_int_equal(replaced_output(&error), TPAD_OK);
    assert_true(rule.met);
    assert_int_equal(target_state(&scenarios[1]), 'n');
    real = realpath("./in.npy", NULL);
    assert_non_null(real);
    assert_int_equal(tpad_same_file(real, "in.npy"), 1);
    assert_null(strstr(real, "./"));
    free(real);
    errno = 0;
    assert_null(realpath("../link/in.npy", NULL));
    assert_int_equal(errno, EIO);
    arm(CALL_GetFinalPathNameByHandleW, 1, ERROR_INVALID_FUNCTION, EIO);
    rule.also = CALL_GetFullPathNameW;
    assert_int_equal(replaced_output(&error), TPAD_E_IO);
    disarm();
    assert_non_null(strstr(error.text, strerror(EIO)));
    assert_int_equal(tpad_same_file("../link/in.npy", "in.npy"), 1);
    assert_int_equal(entries("."), 3);
}

static void a_file_without_bytes(void **state)
{
    tpad_bytes bytes;
    tpad_io_error error;
    (void)state;
    prepare();
    write_file("in.npy", "", 0);
    const int handles_before = handles(), views_before = views();
    assert_int_equal(tpad_bytes_open(&bytes, "in.npy", &error), TPAD_OK);
    assert_int_equal(bytes.count, 0);
    tpad_bytes_close(&bytes);
    const int fd = open("in.npy", O_RDONLY);
    errno = 0;
    assert_ptr_equal(mmap(NULL, 0, PROT_READ, MAP_PRIVATE, fd, 0), MAP_FAILED);
    assert_int_equal(errno, EINVAL);
    close(fd);
    assert_int_equal(handles(), handles_before);
    assert_int_equal(views(), views_before);
}

/* Letters beyond ASCII, and more than 260 of them. */
static void a_long_path(void **state)
{
    enum { PARTS = 6 };
    static const char part[] = "Gänse, Füße, 雛 und noch mehr Wörter in einem langen Namen";
    char paths[PARTS][sizeof part * PARTS + 16], file[sizeof paths[0] + 16];
    tpad_io_error error;
    struct stat status;
    tpad_bytes bytes;
    (void)state;
    prepare();
    for (int i = 0; i < PARTS; i++) {
        snprintf(paths[i], sizeof paths[i], "%s%s%s", i ? paths[i - 1] : "", i ? "/" : "", part);
        assert_int_equal(mkdir(paths[i], 0777), 0);
        assert_int_equal(mkdir(paths[i], 0777), -1);
        assert_int_equal(errno, EEXIST);
    }
    snprintf(file, sizeof file, "%s/ä.npy", paths[PARTS - 1]);
    assert_true(strlen(file) > 300);
    assert_int_equal(write_array(file, 0, &error), TPAD_OK);
    assert_int_equal(write_array(file, 0, &error), TPAD_E_EXISTS);
    assert_int_equal(entries(paths[PARTS - 1]), 1);
    assert_int_equal(stat(file, &status), 0);
    assert_int_equal(status.st_size, new_array_bytes);
    assert_int_equal(tpad_bytes_open(&bytes, file, &error), TPAD_OK);
    assert_int_equal(bytes.count, new_array_bytes);
    assert_memory_equal(bytes.data, new_array, new_array_bytes);
    tpad_bytes_close(&bytes);
    assert_int_equal(tpad_same_file(file, file), 1);
    char *real = realpath(file, NULL); /* Wine 8 itself cannot tell it */
    assert_non_null(real);
    assert_non_null(strstr(real, file));
    assert_int_equal(tpad_same_file(real, file), 1);
    assert_int_equal(write_array(file, 1, &error), TPAD_OK);
    assert_int_equal(entries(paths[PARTS - 1]), 1);
    free(real);
    /* The whole name fails only here: a short one goes to Windows as it is. */
    arm(CALL_GetFullPathNameW, 2, ERROR_NOT_ENOUGH_MEMORY, ENOMEM);
    assert_int_equal(stat(file, &status), -1);
    disarm();
    assert_int_equal(errno, ENOMEM);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(paths[0]), -1);
    assert_int_equal(errno, ENOTEMPTY);
    for (int i = PARTS - 1; i >= 0; i--) assert_int_equal(rmdir(paths[i]), 0);
    assert_int_equal(entries("."), 3);
}

/* ---- Other processes ------------------------------------------------------------------------- */

static wchar_t program[MAX_PATH];

/* This program as a child, with these words. */
static HANDLE child(const char *words)
{
    STARTUPINFOW start = {.cb = sizeof start};
    PROCESS_INFORMATION made;
    wchar_t line[MAX_PATH + 200];
    swprintf(line, sizeof line / sizeof line[0], L"\"%ls\" %hs", program, words);
    assert_true(CreateProcessW(NULL, line, NULL, NULL, FALSE, 0, NULL, NULL, &start, &made));
    CloseHandle(made.hThread);
    return made.hProcess;
}

static DWORD end_of(HANDLE process)
{
    DWORD status;
    assert_int_equal(WaitForSingleObject(process, 60000), WAIT_OBJECT_0);
    assert_true(GetExitCodeProcess(process, &status));
    CloseHandle(process);
    return status;
}

/* child: SCENARIO ACTION NUMBER. Waits for its end by Ctrl-C. */
static int run_child(char **words)
{
    const int action = atoi(words[1]);
    tpad_io_error error;
    if (action == INTERRUPT) {
        FreeConsole(); /* Ctrl-C would end the parent as well */
        if (!AllocConsole()) return 77;
        outputs_handle_signals();
    }
    arm(ANY, atoi(words[2]), 0, 0);
    rule.action = (enum action)action;
    const int32_t status = scenarios[atoi(words[0])].run(&error);
    disarm();
    if (!rule.met) return 3; /* so many calls are not made */
    if (action == INTERRUPT) Sleep(30000);
    return (int)status;
}

/* Ends the child at each of its calls. Counts the runs, or returns 77 if this is not possible here. */
static int end_at_each_call(int scenario, enum action action, DWORD expected)
{
    const struct scenario *s = &scenarios[scenario];
    for (int number = 1;; number++) {
        char words[64];
        prepare();
        snprintf(words, sizeof words, "child %d %d %d", scenario, action, number);
        const DWORD status = end_of(child(words));
        if (status == 77 && number == 1) return 77;
        if (status == 3) return number - 1;
        if (status != expected)
            fail_msg("%s, call %d: status %lx", s->name, number, (unsigned long)status);
        const char state = target_state(s);
        if (state == 'x') fail_msg("%s, call %d: a half file", s->name, number);
        const int left = entries(".") - 3 - (state == 'n' && !s->old);
        if (left > (action == KILL)) fail_msg("%s, call %d: a file is left", s->name, number);
        /* What a killed process has left is in nobody's way. */
        tpad_io_error error;
        if (left) {
            assert_int_equal(write_array("old.npy", 1, &error), TPAD_OK);
            remove_temporaries();
        }
    }
}

static void killed(void **state)
{
    int runs = 0;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++)
        if (scenarios[i].target) runs += end_at_each_call(i, KILL, KILLED);
    print_message("killed at %d calls\n", runs);
}

static void interrupted(void **state)
{
    int runs = 0;
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        if (!scenarios[i].target) continue;
        const int count = end_at_each_call(i, INTERRUPT, (DWORD)STATUS_CONTROL_C_EXIT);
        if (count == 77) {
            print_message("skipped: there is no console here that sends Ctrl-C\n");
            skip();
        }
        runs += count;
    }
    print_message("interrupted at %d calls\n", runs);
}

/* held: Ctrl-C comes between two tries to replace a file that another program holds. */
static DWORD WINAPI interrupt_later(void *unused)
{
    (void)unused;
    Sleep(100);
    interrupt();
    return 0;
}

static int run_held(void)
{
    tpad_io_error error;
    FreeConsole();
    if (!AllocConsole()) return 77;
    outputs_handle_signals();
    tpad_output *output = begun("old.npy");
    arm(CALL_MoveFileExW, 1, ERROR_SHARING_VIOLATION, EBUSY);
    rule.also = CALL_MoveFileExW;
    if (!CreateThread(NULL, 0, interrupt_later, NULL, 0, NULL)) return 1;
    outputs_commit(output, &error);
    Sleep(30000);
    return 3;
}

static void interrupted_between_tries(void **state)
{
    (void)state;
    prepare();
    const DWORD status = end_of(child("held"));
    if (status == 77) skip();
    assert_int_equal(status, (DWORD)STATUS_CONTROL_C_EXIT);
    assert_true(file_is("old.npy", OLD));
    assert_int_equal(entries("."), 3);
}

/* Without them the command works as before, and Ctrl-C ends it as Windows does. */
static void handlers_that_are_refused(void **state)
{
    tpad_io_error error;
    int count;
    (void)state;
    arm(ANY, 0, 0, 0);
    outputs_handle_signals();
    count = rule.counts[CALL_signal];
    assert_true(count >= 2);
    for (int number = 1; number <= count; number++) {
        prepare();
        arm(CALL_signal, number, 0, EINVAL);
        outputs_handle_signals();
        disarm();
        assert_true(rule.met);
        assert_int_equal(new_output(&error), TPAD_OK);
        assert_int_equal(entries("."), 4);
    }
}

/* lost: the drive of a mapped input is gone. */
static int run_lost(void)
{
    outputs_handle_signals();
    begun("new.npy");
    RaiseException(EXCEPTION_IN_PAGE_ERROR, 0, 0, NULL);
    return 3;
}

static void a_page_that_is_lost(void **state)
{
    (void)state;
    prepare();
    assert_int_equal(end_of(child("lost")), 1);
    assert_int_equal(entries("."), 3);
}

/* in-console HOW: what the command does with the console that it shares; it ends, or Ctrl-C ends it. */
static int run_in_console(const char *how)
{
    int argc;
    char **argv;
    if (!freopen("CONOUT$", "wb", stdout)) return 3;
    system_begin(&argc, &argv);
    if (GetConsoleOutputCP() != CP_UTF8) return 5;
    if (strcmp(how, "raise") == 0) raise(SIGINT);
    return 0;
}

/* console: its code page, which is that of all programs in it, after each child. */
static int run_console(void)
{
    enum { OF_DOS = 850 };
    if (!SetConsoleOutputCP(OF_DOS)) return 4;
    const DWORD ended = end_of(child("in-console end"));
    if (ended) return (int)ended;
    if (GetConsoleOutputCP() != OF_DOS) return 6;
    if (end_of(child("in-console raise")) != (DWORD)STATUS_CONTROL_C_EXIT) return 7;
    return GetConsoleOutputCP() == OF_DOS ? 0 : 8;
}

/* mapper: maps old.npy until it may end. */
static int run_mapper(void)
{
    HANDLE ready = OpenEventW(EVENT_MODIFY_STATE, FALSE, L"tensorpad-test-mapped");
    HANDLE done = OpenEventW(SYNCHRONIZE, FALSE, L"tensorpad-test-done");
    const int fd = open("old.npy", O_RDONLY);
    const char *map = mmap(NULL, strlen(OLD), PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED) return 1;
    close(fd);
    SetEvent(ready);
    WaitForSingleObject(done, 60000);
    return memcmp(map, OLD, strlen(OLD)) == 0 ? 0 : 2;
}

/* Windows refuses to replace the file, Wine does it; the other process has the old bytes. */
static void a_file_that_another_process_maps(void **state)
{
    (void)state;
    prepare();
    HANDLE ready = CreateEventW(NULL, TRUE, FALSE, L"tensorpad-test-mapped");
    HANDLE done = CreateEventW(NULL, TRUE, FALSE, L"tensorpad-test-done");
    HANDLE mapper = child("mapper");
    assert_int_equal(WaitForSingleObject(ready, 60000), WAIT_OBJECT_0);
    if (held_output_refused())
        assert_true(file_is("old.npy", OLD));
    else
        print_message("not shown: this system replaces a file that is mapped\n");
    SetEvent(done);
    assert_int_equal(end_of(mapper), 0);
    CloseHandle(ready);
    CloseHandle(done);
    assert_int_equal(entries("."), 3);
}

/* ---------------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_of_the_port),
        cmocka_unit_test(every_call_of_outputs_and_inputs),
        cmocka_unit_test(an_output_that_cannot_be_removed),
        cmocka_unit_test(an_output_beside_others),
        cmocka_unit_test(an_output_that_is_still_mapped),
        cmocka_unit_test(a_folder_that_is_missing),
        cmocka_unit_test(a_file_that_is_read_only),
        cmocka_unit_test(a_file_that_is_held),
        cmocka_unit_test(a_file_that_is_held_for_a_moment),
        cmocka_unit_test(a_drive_without_a_name),
        cmocka_unit_test(a_file_without_bytes),
        cmocka_unit_test(a_long_path),
        cmocka_unit_test(a_file_that_another_process_maps),
        cmocka_unit_test(handlers_that_are_refused),
        cmocka_unit_test(a_page_that_is_lost),
        cmocka_unit_test(killed),
        cmocka_unit_test(interrupted),
        cmocka_unit_test(interrupted_between_tries),
    };
    tpad_io_error error;
    GetModuleFileNameW(NULL, program, MAX_PATH);
    if (argc == 5 && strcmp(argv[1], "child") == 0) return run_child(argv + 2);
    if (argc == 2 && strcmp(argv[1], "mapper") == 0) return run_mapper();
    if (argc == 2 && strcmp(argv[1], "lost") == 0) return run_lost();
    if (argc == 2 && strcmp(argv[1], "held") == 0) return run_held();
    if (argc == 2 && strcmp(argv[1], "console") == 0) return run_console();
    if (argc == 3 && strcmp(argv[1], "in-console") == 0) return run_in_console(argv[2]);
    if (argc != 2 || chdir(argv[1]) != 0 || new_output(&error) != TPAD_OK) return 2;
    new_array_bytes = read_file("new.npy", new_array, sizeof new_array);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
