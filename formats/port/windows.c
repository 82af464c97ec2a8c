/* system.h for Windows.  SPDX-License-Identifier: MIT */
#if defined(_WIN32)
#define _CRT_RAND_S
#define WIN32_LEAN_AND_MEAN
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h>
#include <shlwapi.h>

/* ---- Text and errors ------------------------------------------------------------------------- */

static wchar_t *wide(const char *text)
{
    const int count = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *result = count > 0 ? malloc((size_t)count * sizeof *result) : NULL;
    if (result) MultiByteToWideChar(CP_UTF8, 0, text, -1, result, count);
    if (!result) errno = count > 0 ? ENOMEM : EILSEQ;
    return result;
}

static char *narrow(const wchar_t *text)
{
    const int count = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *result = count > 0 ? malloc((size_t)count) : NULL;
    if (result) WideCharToMultiByte(CP_UTF8, 0, text, -1, result, count, NULL, NULL);
    if (!result) errno = count > 0 ? ENOMEM : EILSEQ;
    return result;
}

/* Sets errno from the error of the last system call; returns -1. */
static int failed(void)
{
    static const struct {
        DWORD error;
        int number;
    } known[] = {{ERROR_FILE_NOT_FOUND, ENOENT},
                 {ERROR_PATH_NOT_FOUND, ENOENT},
                 {ERROR_INVALID_NAME, ENOENT},
                 {ERROR_BAD_NETPATH, ENOENT},
                 {ERROR_INVALID_DRIVE, ENOENT},
                 {ERROR_ACCESS_DENIED, EACCES},
                 {ERROR_SHARING_VIOLATION, EACCES},
                 {ERROR_USER_MAPPED_FILE, EACCES},
                 {ERROR_LOCK_VIOLATION, EACCES},
                 {ERROR_WRITE_PROTECT, EROFS},
                 {ERROR_ALREADY_EXISTS, EEXIST},
                 {ERROR_FILE_EXISTS, EEXIST},
                 {ERROR_DISK_FULL, ENOSPC},
                 {ERROR_HANDLE_DISK_FULL, ENOSPC},
                 {ERROR_FILE_TOO_LARGE, EFBIG},
                 {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
                 {ERROR_OUTOFMEMORY, ENOMEM},
                 {ERROR_COMMITMENT_LIMIT, ENOMEM},
                 {ERROR_NO_SYSTEM_RESOURCES, ENOMEM},
                 {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
                 {ERROR_INVALID_HANDLE, EBADF},
                 {ERROR_FILE_INVALID, EINVAL}, /* mapping an empty file */
                 {ERROR_DIRECTORY, ENOTDIR},
                 {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
                 {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG}};
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].error == error) errno = known[i].number;
    return -1;
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* A path for the system. A long one gets \\?\ in front, which allows 32,767 characters; names of
 * devices, which are short, must not have it. */
static wchar_t *wide_path(const char *path)
{
    enum { SHORT = 240 };
    wchar_t *given = wide(path);
    if (!given) return NULL;
    const DWORD count = GetFullPathNameW(given, 0, NULL, NULL);
    if (count < SHORT || wcsncmp(given, L"\\\\?\\", 4) == 0) return given;
    wchar_t *full = malloc((count + 8) * sizeof *full);
    const DWORD written = full ? GetFullPathNameW(given, count, full + 8, NULL) : 0;
    if (written > 0 && written < count) {
        /* \\server\share\... becomes \\?\UNC\server\share\... */
        const int share = full[8] == L'\\' && full[9] == L'\\';
        memcpy(full, share ? L"\\\\?\\UNC" : L"\\\\?\\", (share ? 7 : 4) * sizeof *full);
        if (share)
            memmove(full + 7, full + 9, (count - 1) * sizeof *full);
        else
            memmove(full + 4, full + 8, count * sizeof *full);
    } else {
        free(full);
        full = NULL;
        errno = ENOMEM;
    }
    free(given);
    return full;
}

char *system_last_slash(const char *path)
{
    const int has_drive = *path && path[1] == ':'; /* C:name, in C:'s current folder */
    const char *last = has_drive ? path + 1 : NULL;
    for (; *path; path++)
        if (*path == '/' || *path == '\\') last = path;
    return (char *)(uintptr_t)last;
}

int system_compare_names(const char *a, const char *b)
{
    wchar_t *first = wide(a), *second = wide(b);
    const int order = first && second ? CompareStringOrdinal(first, -1, second, -1, TRUE) : 0;
    free(first);
    free(second);
    return order ? order - CSTR_EQUAL : strcmp(a, b);
}

/* Others may replace and remove the open file, as under POSIX. */
static HANDLE open_handle(const char *path, DWORD rights, DWORD how, DWORD flags)
{
    wchar_t *name = wide_path(path);
    if (!name) return INVALID_HANDLE_VALUE;
    HANDLE file = CreateFileW(name, rights, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                              NULL, how, flags | FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) failed();
    free(name);
    return file;
}

char *system_real_path(const char *path)
{
    enum { LONGEST = 32768 };
    HANDLE file = open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, 0);
    if (file == INVALID_HANDLE_VALUE) return NULL;
    wchar_t *name = malloc(LONGEST * sizeof *name);
    const DWORD count = name ? GetFinalPathNameByHandleW(file, name, LONGEST, 0) : 0;
    char *real =
        count > 0 && count < LONGEST ? narrow(name) : NULL; /* on failure errno is malloc's */
    if (name && count == 0) failed();
    CloseHandle(file);
    free(name);
    if (!real) return NULL;
    /* \\?\C:\... and \\?\UNC\server\... */
    if (strncmp(real, "\\\\?\\UNC\\", 8) == 0)
        memmove(real + 1, real + 7, strlen(real + 7) + 1);
    else if (strncmp(real, "\\\\?\\", 4) == 0)
        memmove(real, real + 4, strlen(real + 4) + 1);
    for (char *at = real; *at; at++)
        if (*at == '\\') *at = '/';
    return real;
}

/* ---- Files and folders ----------------------------------------------------------------------- */

static HANDLE handle_of(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

/* Anything that is not a file is a stream. */
static int describe(system_entry *entry, HANDLE file)
{
    BY_HANDLE_FILE_INFORMATION info;
    entry->kind = SYSTEM_STREAM;
    SetLastError(NO_ERROR);
    const DWORD type = GetFileType(file);
    if (type == FILE_TYPE_UNKNOWN && GetLastError() != NO_ERROR) return failed();
    if (type != FILE_TYPE_DISK) return 0;
    if (!GetFileInformationByHandle(file, &info)) return failed();
    entry->kind = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? SYSTEM_FOLDER : SYSTEM_FILE;
    entry->bytes = (int64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    entry->device = info.dwVolumeSerialNumber;
    entry->number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    return 0;
}

/* 1 for links, including those to folders that anyone may make (junctions). A placeholder of a file
 * stored elsewhere, and anything else with a tag, is a file. Wine reports no tag. */
static int is_link(const char *path)
{
    FILE_ATTRIBUTE_TAG_INFO info = {0};
    wchar_t *name = wide_path(path);
    const DWORD attributes = name ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
    free(name);
    if (attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return 0;
    HANDLE file =
        open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
    if (file == INVALID_HANDLE_VALUE) return 0;
    const int is_one =
        GetFileInformationByHandleEx(file, FileAttributeTagInfo, &info, sizeof info) &&
        (info.ReparseTag == 0 || IsReparseTagNameSurrogate(info.ReparseTag));
    CloseHandle(file);
    return is_one;
}

int system_look(const char *path, system_entry *entry)
{
    *entry = (system_entry){.kind = SYSTEM_ABSENT, .is_link = is_link(path)};
    HANDLE file = open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, 0);
    if (file == INVALID_HANDLE_VALUE) return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
    const int result = describe(entry, file);
    CloseHandle(file);
    return result;
}

/* The system may know nothing about a standard stream; it is then read as a stream. */
int system_look_open(int fd, system_entry *entry)
{
    *entry = (system_entry){0};
    describe(entry, handle_of(fd));
    return 0;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int system_list(const char *folder, char ***names)
{
    WIN32_FIND_DATAW entry;
    int count = 0, room = 0, there = 1;
    char *pattern = NULL;
    *names = NULL;
    if (asprintf(&pattern, "%s/*", folder) < 0) return -1;
    wchar_t *wide_pattern = wide_path(pattern);
    free(pattern);
    if (!wide_pattern) return -1;
    HANDLE search = FindFirstFileW(wide_pattern, &entry);
    free(wide_pattern);
    if (search == INVALID_HANDLE_VALUE) return failed();
    for (; there; there = FindNextFileW(search, &entry)) {
        if (wcscmp(entry.cFileName, L".") == 0 || wcscmp(entry.cFileName, L"..") == 0) continue;
        if (count == room) {
            room = room ? 2 * room : 64;
            char **grown = realloc(*names, (size_t)room * sizeof **names);
            if (!grown) break;
            *names = grown;
        }
        if (!((*names)[count] = narrow(entry.cFileName))) break;
        count++;
    }
    if (!there && GetLastError() != ERROR_NO_MORE_FILES) there = failed();
    const int number = errno;
    FindClose(search);
    if (count > 0) qsort(*names, (size_t)count, sizeof **names, compare_texts);
    if (!there) return count;
    while (count > 0) free((*names)[--count]);
    free(*names);
    errno = number;
    return -1;
}

/* Calls a function of the system that takes one path and returns 0 if it fails. */
static int call(BOOL(WINAPI *function)(const wchar_t *), const char *path)
{
    wchar_t *name = wide_path(path);
    if (!name) return -1;
    const int result = function(name) ? 0 : failed();
    free(name);
    return result;
}

int system_make_folder(const char *path)
{
    wchar_t *name = wide_path(path);
    if (!name) return -1;
    const int result = CreateDirectoryW(name, NULL) ? 0 : failed();
    free(name);
    return result;
}

int system_remove_folder(const char *path)
{
    return call(RemoveDirectoryW, path);
}

int system_remove(const char *path)
{
    return call(DeleteFileW, path);
}

/* Tries again: virus scanners and indexers briefly open a file that is new or about to be
 * replaced. */
int system_rename(const char *from, const char *to, int overwrite)
{
    enum { TRIES = 10, MILLISECONDS = 50 };
    wchar_t *old = wide_path(from), *new = old ? wide_path(to) : NULL;
    int result = -1;
    for (int i = 1; new && result != 0; i++) {
        result = MoveFileExW(old, new, overwrite ? MOVEFILE_REPLACE_EXISTING : 0) ? 0 : failed();
        if (i == TRIES || errno != EACCES) break;
        if (result != 0) Sleep(MILLISECONDS);
    }
    free(old);
    free(new);
    return result;
}

int system_open(const char *path, int how)
{
    static const DWORD rights[] = {GENERIC_READ, GENERIC_WRITE, GENERIC_READ | GENERIC_WRITE,
                                   GENERIC_READ | GENERIC_WRITE};
    static const int access[] = {_O_RDONLY, _O_WRONLY, _O_RDWR, _O_RDWR};
    const int creates = how == SYSTEM_CREATE || how == SYSTEM_CREATE_PRIVATE;
    HANDLE file = open_handle(path, rights[how], creates ? CREATE_NEW : OPEN_EXISTING, 0);
    if (file == INVALID_HANDLE_VALUE) return -1;
    const int fd = _open_osfhandle((intptr_t)file, access[how] | _O_BINARY | _O_NOINHERIT);
    if (fd < 0) {
        const int number = errno;
        CloseHandle(file);
        if (creates) system_remove(path);
        errno = number;
    }
    return fd;
}

/* An opened file never becomes a standard stream, even if this one is closed. */
int system_duplicate_stdout(void)
{
    return _dup(STDOUT_FILENO);
}

int system_reserve(int fd, int64_t bytes)
{
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = bytes};
    return SetFileInformationByHandle(handle_of(fd), FileEndOfFileInfo, &end, sizeof end)
               ? 0
               : failed();
}

int system_take_access(int fd, const system_entry *from)
{
    (void)fd, (void)from;
    return 0;
}

/* The mapped outputs. A file cannot be removed while it is mapped. */
enum { OUTPUTS = 64 };
static void *outputs[OUTPUTS];
static SRWLOCK outputs_lock = SRWLOCK_INIT;

static void replace_output(void *old, void *new)
{
    AcquireSRWLockExclusive(&outputs_lock);
    for (int i = 0; i < OUTPUTS; i++) {
        if (outputs[i] != old) continue;
        outputs[i] = new;
        break;
    }
    ReleaseSRWLockExclusive(&outputs_lock);
}

void *system_map(int fd, int64_t bytes, int writable)
{
    HANDLE mapping = CreateFileMappingW(handle_of(fd), NULL,
                                        writable ? PAGE_READWRITE : PAGE_READONLY, 0, 0, NULL);
    void *map = mapping ? MapViewOfFile(mapping, writable ? FILE_MAP_WRITE : FILE_MAP_READ, 0, 0,
                                        (SIZE_T)bytes)
                        : NULL;
    if (!map) failed();
    if (mapping) CloseHandle(mapping); /* the view keeps it */
    if (map && writable) replace_output(NULL, map);
    return map;
}

void system_unmap(void *at, int64_t bytes)
{
    (void)bytes;
    replace_output(at, NULL);
    UnmapViewOfFile(at);
}

/* A thread that writes to an unmapped output stays here until the process ends. */
static LONG CALLBACK stay(EXCEPTION_POINTERS *exception)
{
    if (exception->ExceptionRecord->ExceptionCode == EXCEPTION_ACCESS_VIOLATION) Sleep(INFINITE);
    return EXCEPTION_CONTINUE_SEARCH;
}

void system_remove_at_end(const char *path)
{
    if (system_remove(path) == 0) return;
    AddVectoredExceptionHandler(1, stay);
    AcquireSRWLockExclusive(&outputs_lock);
    for (int i = 0; i < OUTPUTS; i++) {
        if (outputs[i]) UnmapViewOfFile(outputs[i]);
        outputs[i] = NULL;
    }
    ReleaseSRWLockExclusive(&outputs_lock);
    system_remove(path);
}

/* ---- Text in memory -------------------------------------------------------------------------- */

FILE *system_text_begin(system_text *text)
{
    *text = (system_text){0};
    return text->stream = tmpfile();
}

int system_text_end(system_text *text)
{
    FILE *stream = text->stream;
    const int64_t bytes = stream && !ferror(stream) ? _ftelli64(stream) : -1;
    text->text = bytes < 0 ? NULL : malloc((size_t)bytes + 1);
    if (stream) rewind(stream);
    if (text->text && fread(text->text, 1, (size_t)bytes, stream) == (size_t)bytes) {
        text->text[bytes] = 0;
        text->bytes = (size_t)bytes;
    } else {
        free(text->text);
        text->text = NULL;
    }
    if (stream) fclose(stream);
    return text->text != NULL;
}

/* ---- The process ----------------------------------------------------------------------------- */

static UINT code_page_before; /* of the console, or 0 */

static void restore_code_page(void)
{
    if (code_page_before) SetConsoleOutputCP(code_page_before);
}

/* Another command of the same pipe may have set the code page: it also sets it back. */
static void begin_console(int fd)
{
    DWORD mode;
    if (!GetConsoleMode(handle_of(fd), &mode)) return;
    const UINT code_page = GetConsoleOutputCP();
    if (code_page != CP_UTF8 && SetConsoleOutputCP(CP_UTF8)) {
        code_page_before = code_page;
        atexit(restore_code_page);
    }
    SetConsoleMode(handle_of(fd), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

typedef struct word_list {
    char **words; /* NULL follows the last one */
    int count;
} word_list;

/* Takes over `word`, which is malloc'ed or NULL. Returns 0 if there is no memory. */
static int add_word(word_list *list, char *word)
{
    const size_t bytes = ((size_t)list->count + 2) * sizeof *list->words;
    char **grown = word ? realloc(list->words, bytes) : NULL;
    if (!grown) {
        free(word);
        return 0;
    }
    list->words = grown;
    grown[list->count++] = word;
    grown[list->count] = NULL;
    return 1;
}

/* Expands * and ? in the last part of a word to files, sorted by name, because neither cmd nor
 * PowerShell does. As in a POSIX shell, * does not match a dot at the beginning: temporary files
 * have one. A word that matches no file stays as it is. */
static int add_files(word_list *list, char *word)
{
    const char *slash = system_last_slash(word);
    const int folder = slash ? (int)(slash - word) + 1 : 0, before = list->count;
    char **names = NULL, *place = NULL;
    if (!strpbrk(word + folder, "*?")) return add_word(list, word);
    if (asprintf(&place, "%.*s.", folder, word) < 0) return 0;
    wchar_t *pattern = wide(word + folder);
    const int count = pattern ? system_list(place, &names) : 0;
    int done = pattern != NULL;
    for (int i = 0; i < count; i++) {
        wchar_t *name = wide(names[i]);
        char *path = NULL;
        if (done && name && (*names[i] != '.' || word[folder] == '.') &&
            PathMatchSpecW(name, pattern))
            done = asprintf(&path, "%.*s%s", folder, word, names[i]) >= 0 && add_word(list, path);
        free(name);
        free(names[i]);
    }
    if (count >= 0) free(names);
    free(pattern);
    free(place);
    if (done && list->count == before) return add_word(list, word);
    free(word);
    return done;
}

void system_begin(int *argc, char ***argv)
{
    int count = 0, there = 1;
    word_list list = {NULL, 0};
    wchar_t **arguments = CommandLineToArgvW(GetCommandLineW(), &count);
    for (int i = 0; there && arguments && i < count; i++) {
        char *word = narrow(arguments[i]);
        there = word != NULL && (i == 0 ? add_word(&list, word) : add_files(&list, word));
    }
    if (there && arguments) {
        *argc = list.count;
        *argv = list.words;
    }
    LocalFree(arguments);
    for (int fd = 0; fd < 3; fd++)
        if (_get_osfhandle(fd) >= 0) _setmode(fd, _O_BINARY);
    for (int fd = 1; fd < 3; fd++) begin_console(fd);
}

int system_fill_streams(void)
{
    return 0;
}

/* The C library would take NUL for a terminal. */
int system_is_terminal(int fd)
{
    DWORD mode;
    return GetConsoleMode(handle_of(fd), &mode) != 0;
}

int system_processors(void)
{
    return (int)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

int system_random(uint32_t *number)
{
    unsigned got;
    if (rand_s(&got) != 0) return -1;
    *number = got;
    return 0;
}

static void (*lost_file)(int);

/* POSIX reports this by SIGBUS. */
static LONG CALLBACK page_is_lost(EXCEPTION_POINTERS *exception)
{
    if (exception->ExceptionRecord->ExceptionCode == EXCEPTION_IN_PAGE_ERROR) lost_file(0);
    return EXCEPTION_CONTINUE_SEARCH;
}

/* Ctrl-C, Ctrl-Break and the end of a session arrive as SIGINT and SIGBREAK, in a new thread. */
void system_on_signals(void (*ending)(int number), void (*lost)(int number))
{
    signal(SIGINT, ending);
    signal(SIGBREAK, ending);
    signal(SIGTERM, ending);
    lost_file = lost;
    AddVectoredExceptionHandler(1, page_is_lost);
}

/* Ends the process as Windows does at Ctrl-C. */
void system_end(int number)
{
    (void)number;
    restore_code_page();
    ExitProcess(0xC000013A);
}

void system_hold_signals(void) {}

void system_release_signals(void) {}

void system_sleep(void)
{
    Sleep(INFINITE);
}

void *system_large_memory(size_t bytes, int filler)
{
    enum { ALIGNMENT = 1 << 21 };
    void *memory = _aligned_malloc(bytes + 1, ALIGNMENT);
    return memory ? memset(memory, filler, bytes + 1) : NULL;
}

void system_free_large(void *memory)
{
    _aligned_free(memory);
}
#else
typedef int tpad_no_windows; /* ISO C requires a declaration in every file */
#endif
