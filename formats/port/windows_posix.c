/* See windows_posix.h.  SPDX-License-Identifier: MIT */
#if defined(_WIN32)
#define _CRT_RAND_S
#define WIN32_LEAN_AND_MEAN
#include <stdlib.h>
#include <windows.h>

#include <shellapi.h>

#include "windows_posix.h"

#undef open
#undef stat
#undef fopen
#undef fclose
#undef signal
#undef raise
#undef strerror

/* ---- Text ------------------------------------------------------------------------------------- */

static wchar_t *wide(const char *text)
{
    const int count = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *made = count > 0 ? malloc((size_t)count * sizeof *made) : NULL;
    if (made) MultiByteToWideChar(CP_UTF8, 0, text, -1, made, count);
    if (!made) errno = count > 0 ? ENOMEM : EILSEQ;
    return made;
}

static char *narrow(const wchar_t *text)
{
    const int count = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *made = count > 0 ? malloc((size_t)count) : NULL;
    if (made) WideCharToMultiByte(CP_UTF8, 0, text, -1, made, count, NULL, NULL);
    return made;
}

/* A path for the system. One that is long begins with \\?\, which allows 32,767 characters; names
 * of devices, which are short, must not. */
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
    const int has_drive = *path && path[1] == ':'; /* C:name, in the folder where the drive C: is */
    const char *found = has_drive ? path + 1 : NULL;
    for (; *path; path++)
        if (*path == '/' || *path == '\\') found = path;
    return (char *)(uintptr_t)found;
}

int system_compare_names(const char *a, const char *b)
{
    wchar_t *first = wide(a), *second = wide(b);
    const int found = first && second ? CompareStringOrdinal(first, -1, second, -1, TRUE) : 0;
    free(first);
    free(second);
    return found ? found - CSTR_EQUAL : strcmp(a, b);
}

char *strndup(const char *text, size_t most)
{
    const size_t length = strnlen(text, most);
    char *made = malloc(length + 1);
    if (!made) return NULL;
    memcpy(made, text, length);
    made[length] = 0;
    return made;
}

char *strsep(char **rest, const char *ends)
{
    char *begin = *rest;
    if (!begin) return NULL;
    *rest = begin + strcspn(begin, ends);
    if (**rest)
        *(*rest)++ = 0;
    else
        *rest = NULL;
    return begin;
}

int64_t getline(char **line, size_t *room, FILE *file)
{
    size_t used = 0;
    for (int letter = 0; letter != '\n';) {
        if (used + 1 >= *room) {
            const size_t more = *room < 128 ? 128 : 2 * *room;
            char *grown = realloc(*line, more);
            if (!grown) return -1;
            *line = grown;
            *room = more;
        }
        letter = fgetc(file);
        if (letter == EOF) break;
        (*line)[used++] = (char)letter;
    }
    if (used == 0) return -1;
    (*line)[used] = 0;
    return (int64_t)used;
}

/* A stream of memory is a temporary file until it is closed. Only `check` opens them, which works on one
 * thread, so the table needs no lock. */
enum { STREAMS = 4 };
static struct {
    FILE *file;
    char **text;
    size_t *bytes;
} streams[STREAMS];

FILE *open_memstream(char **text, size_t *bytes)
{
    for (int i = 0; i < STREAMS; i++) {
        if (streams[i].file) continue;
        streams[i].file = tmpfile();
        streams[i].text = text;
        streams[i].bytes = bytes;
        return streams[i].file;
    }
    return NULL;
}

int system_fclose(FILE *file)
{
    for (int i = 0; file && i < STREAMS; i++) {
        if (streams[i].file != file) continue;
        streams[i].file = NULL;
        const int64_t bytes = _ftelli64(file);
        char *text = bytes < 0 ? NULL : malloc((size_t)bytes + 1);
        rewind(file);
        if (text && fread(text, 1, (size_t)bytes, file) == (size_t)bytes) {
            text[bytes] = 0;
            *streams[i].text = text;
            *streams[i].bytes = (size_t)bytes;
        } else
            free(text);
    }
    return fclose(file);
}

/* ---- Errors ----------------------------------------------------------------------------------- */

const char *system_strerror(int number)
{
    return number == EBUSY ? "Used by another program" : strerror(number);
}

/* Sets errno to what the last call of the system said; returns -1. */
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
                 {ERROR_WRITE_PROTECT, EROFS},
                 {ERROR_SHARING_VIOLATION, EBUSY},
                 {ERROR_USER_MAPPED_FILE, EBUSY},
                 {ERROR_LOCK_VIOLATION, EBUSY},
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
                 {ERROR_FILE_INVALID, EINVAL}, /* an empty file is mapped */
                 {ERROR_DIRECTORY, ENOTDIR},
                 {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
                 {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG}};
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].error == error) errno = known[i].number;
    return -1;
}

/* ---- Files ------------------------------------------------------------------------------------ */

static HANDLE handle_of(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

/* Others may replace and remove the file meanwhile, as under POSIX. */
static HANDLE open_handle(const char *path, DWORD rights, DWORD how, DWORD flags)
{
    wchar_t *name = wide_path(path);
    if (!name) return INVALID_HANDLE_VALUE;
    HANDLE file = CreateFileW(name, rights, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                              NULL, how, flags, NULL);
    if (file == INVALID_HANDLE_VALUE) failed();
    free(name);
    return file;
}

int system_open(const char *path, int flags, ...)
{
    const int access = flags & (O_RDONLY | O_WRONLY | O_RDWR);
    const DWORD rights =
        (access != O_WRONLY ? GENERIC_READ : 0) | (access != O_RDONLY ? GENERIC_WRITE : 0);
    const DWORD how = flags & O_CREAT ? (flags & O_EXCL ? CREATE_NEW : OPEN_ALWAYS) : OPEN_EXISTING;
    HANDLE file = open_handle(path, rights, how, FILE_FLAG_BACKUP_SEMANTICS);
    if (file == INVALID_HANDLE_VALUE) return -1;
    const int fd = _open_osfhandle((intptr_t)file, access | _O_BINARY | _O_NOINHERIT);
    if (fd < 0) {
        const int number = errno;
        CloseHandle(file);
        if (how == CREATE_NEW) system_unlink(path);
        errno = number;
    }
    return fd;
}

FILE *system_fopen(const char *path, const char *mode)
{
    wchar_t *name = wide_path(path), *how = wide(strchr(mode, 'r') ? "rb" : "wb");
    FILE *file = name && how ? _wfopen(name, how) : NULL;
    free(name);
    free(how);
    return file;
}

/* What is no file is a stream. */
static int stat_handle(HANDLE file, struct system_stat *status)
{
    BY_HANDLE_FILE_INFORMATION info;
    *status = (struct system_stat){.st_mode = _S_IFCHR};
    SetLastError(NO_ERROR);
    const DWORD type = GetFileType(file);
    if (type == FILE_TYPE_UNKNOWN && GetLastError() != NO_ERROR) return failed();
    if (type != FILE_TYPE_DISK) return 0;
    if (!GetFileInformationByHandle(file, &info)) return failed();
    status->st_mode = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? _S_IFDIR : _S_IFREG;
    status->st_size = (int64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    status->st_dev = info.dwVolumeSerialNumber;
    status->st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    return 0;
}

/* Of a standard stream the system may say nothing; it is read as a stream, whatever it is. */
int system_fstat(int fd, struct system_stat *status)
{
    stat_handle(handle_of(fd), status);
    return 0;
}

int system_stat(const char *path, struct system_stat *status)
{
    HANDLE file =
        open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (file == INVALID_HANDLE_VALUE) return -1;
    const int result = stat_handle(file, status);
    CloseHandle(file);
    return result;
}

/* Links, also those to folders that need no right to be made. A placeholder of a file that lies
 * elsewhere, and what else has a tag, is a file. Wine names no tag. */
int system_lstat(const char *path, struct system_stat *status)
{
    FILE_ATTRIBUTE_TAG_INFO info;
    wchar_t *name = wide_path(path);
    if (!name) return -1;
    const DWORD attributes = GetFileAttributesW(name);
    free(name);
    if (attributes == INVALID_FILE_ATTRIBUTES || !(attributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return system_stat(path, status);
    HANDLE file = open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING,
                              FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT);
    if (file == INVALID_HANDLE_VALUE) return -1;
    const int result =
        GetFileInformationByHandleEx(file, FileAttributeTagInfo, &info, sizeof info) ? 0 : failed();
    CloseHandle(file);
    if (result != 0) return result;
    if (info.ReparseTag != 0 && !IsReparseTagNameSurrogate(info.ReparseTag))
        return system_stat(path, status);
    *status = (struct system_stat){0};
    return 0;
}

int system_access(const char *path, int mode)
{
    struct system_stat status;
    (void)mode;
    return system_stat(path, &status);
}

/* Scanners for viruses and indexers open a file that is new, or is about to be replaced, for a moment. */
static int may_be_for_a_moment(DWORD error)
{
    return error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION ||
           error == ERROR_LOCK_VIOLATION || error == ERROR_USER_MAPPED_FILE;
}

static int move(const char *from, const char *to, DWORD flags)
{
    enum { TRIES = 10, MILLISECONDS = 50 };
    wchar_t *old = wide_path(from), *new = wide_path(to);
    int moved = 0;
    for (int i = 1; old && new && !moved; i++) {
        moved = MoveFileExW(old, new, flags);
        if (moved || i == TRIES || !may_be_for_a_moment(GetLastError())) break;
        Sleep(MILLISECONDS);
    }
    if (old && new && !moved) failed();
    free(old);
    free(new);
    return moved ? 0 : -1;
}

int system_rename(const char *from, const char *to)
{
    return move(from, to, MOVEFILE_REPLACE_EXISTING);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    (void)from_folder, (void)to_folder, (void)flags;
    return move(from, to, 0);
}

int link(const char *from, const char *to)
{
    (void)from, (void)to;
    errno = ENOSYS;
    return -1;
}

int system_mkdir(const char *path, unsigned mode)
{
    wchar_t *name = wide_path(path);
    (void)mode;
    const int made = name && CreateDirectoryW(name, NULL);
    if (name && !made) {
        failed();
        /* A drive, "C:", cannot be made either, and is there. */
        if (errno == EACCES && GetFileAttributesW(name) != INVALID_FILE_ATTRIBUTES) errno = EEXIST;
    }
    free(name);
    return made ? 0 : -1;
}

int64_t system_lseek(int fd, int64_t by, int from)
{
    return _lseeki64(fd, by, from);
}

int system_ftruncate(int fd, int64_t bytes)
{
    const FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = bytes};
    if (SetFileInformationByHandle(handle_of(fd), FileEndOfFileInfo, (void *)(uintptr_t)&end,
                                   sizeof end))
        return 0;
    return failed();
}

/* The length of a file is reserved when it is set. */
int posix_fallocate(int fd, int64_t from, int64_t bytes)
{
    return system_ftruncate(fd, from + bytes) == 0 ? 0 : errno;
}

int fstatvfs(int fd, struct statvfs *disk)
{
    (void)fd, (void)disk;
    return -1;
}

/* The C library takes NUL for a terminal. */
int system_isatty(int fd)
{
    DWORD mode;
    return GetConsoleMode(handle_of(fd), &mode) != 0;
}

/* A file that is opened never becomes a standard stream, even if this one is closed. */
int system_fcntl(int fd, int what, ...)
{
    return what == F_DUPFD_CLOEXEC ? _dup(fd) : 0;
}

enum { LONGEST = 32768 };

/* Stands for the real path where the system knows no name of the drive, as of some RAM disks. NULL if a
 * part of the path is a link. */
static char *path_without_links(const char *path)
{
    wchar_t *given = wide(path), *name = malloc(LONGEST * sizeof *name);
    const DWORD count = given && name ? GetFullPathNameW(given, LONGEST, name, NULL) : 0;
    char *made = count > 0 && count < LONGEST ? narrow(name) : NULL;
    free(given);
    free(name);
    for (char *end = made; end && *end;) {
        struct system_stat status;
        end += 1 + strcspn(end + 1, "\\");
        const char kept = *end;
        *end = 0;
        const int is_link = system_lstat(made, &status) == 0 && status.st_mode == 0;
        *end = kept;
        if (!is_link) continue;
        free(made);
        return NULL;
    }
    return made;
}

char *realpath(const char *path, char *resolved)
{
    HANDLE file =
        open_handle(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (file == INVALID_HANDLE_VALUE) return NULL;
    wchar_t *name = malloc(LONGEST * sizeof *name);
    const DWORD count = name ? GetFinalPathNameByHandleW(file, name, LONGEST, 0) : 0;
    char *made = count > 0 && count < LONGEST ? narrow(name) : NULL; /* or errno is malloc's */
    if (name && count == 0) {
        failed();
        const int number = errno;
        made = path_without_links(path);
        errno = number;
    }
    CloseHandle(file);
    free(name);
    if (!made) return NULL;
    /* \\?\C:\... and \\?\UNC\server\... */
    if (strncmp(made, "\\\\?\\UNC\\", 8) == 0)
        memmove(made + 1, made + 7, strlen(made + 7) + 1);
    else if (strncmp(made, "\\\\?\\", 4) == 0)
        memmove(made, made + 4, strlen(made + 4) + 1);
    for (char *at = made; *at; at++)
        if (*at == '\\') *at = '/';
    if (!resolved) return made;
    if (strlen(made) >= PATH_MAX) {
        free(made);
        errno = ENAMETOOLONG;
        return NULL;
    }
    strcpy(resolved, made);
    free(made);
    return resolved;
}

int64_t getrandom(void *bytes, size_t count, unsigned flags)
{
    unsigned number;
    (void)flags;
    if (rand_s(&number) != 0 || count > sizeof number) return -1;
    memcpy(bytes, &number, count);
    return (int64_t)count;
}

/* ---- Folders ---------------------------------------------------------------------------------- */

int alphasort(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(struct dirent *const *)a)->d_name, (*(struct dirent *const *)b)->d_name);
}

static struct dirent *entry_of(const wchar_t *name)
{
    struct dirent *entry = malloc(sizeof *entry);
    if (entry)
        WideCharToMultiByte(CP_UTF8, 0, name, -1, entry->d_name, sizeof entry->d_name, NULL, NULL);
    return entry;
}

int scandir(const char *folder, struct dirent ***entries, int (*wanted)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **))
{
    WIN32_FIND_DATAW found;
    int count = 0, room = 0, there = 1, complete = 0;
    char *pattern = malloc(strlen(folder) + 3);
    (void)compare; /* alphasort */
    *entries = NULL;
    if (!pattern) return -1;
    strcpy(pattern, folder);
    strcat(pattern, "/*");
    wchar_t *name = wide_path(pattern);
    free(pattern);
    if (!name) return -1;
    HANDLE search = FindFirstFileW(name, &found);
    free(name);
    if (search == INVALID_HANDLE_VALUE) return failed();
    for (; there; there = FindNextFileW(search, &found)) {
        struct dirent *entry = entry_of(found.cFileName);
        if (entry && !wanted(entry)) {
            free(entry);
            continue;
        }
        if (entry && count == room) {
            room = room ? 2 * room : 64;
            void *grown = realloc(*entries, (size_t)room * sizeof **entries);
            if (grown) *entries = grown;
            if (!grown) free(entry), entry = NULL;
        }
        if (!entry) break;
        (*entries)[count++] = entry;
    }
    if (there)
        errno = ENOMEM;
    else if (GetLastError() == ERROR_NO_MORE_FILES)
        complete = 1;
    else
        failed();
    FindClose(search);
    if (!complete) {
        while (count > 0) free((*entries)[--count]);
        free(*entries);
        *entries = NULL;
        return -1;
    }
    if (count > 0) qsort(*entries, (size_t)count, sizeof **entries, by_name);
    return count;
}

/* ---- Memory ----------------------------------------------------------------------------------- */

/* The mapped outputs. A file cannot be removed while it is mapped. */
enum { OUTPUTS = 64 };
typedef struct mapped_output {
    void *at; /* NULL: none */
    struct system_stat file;
} mapped_output;
static mapped_output outputs[OUTPUTS];
static SRWLOCK outputs_lock = SRWLOCK_INIT;

void *mmap(void *at, size_t bytes, int rights, int flags, int fd, int64_t offset)
{
    const int writes = (rights & PROT_WRITE) != 0;
    (void)at, (void)flags, (void)offset;
    HANDLE mapping = CreateFileMappingW(handle_of(fd), NULL,
                                        writes ? PAGE_READWRITE : PAGE_READONLY, 0, 0, NULL);
    void *map = mapping
                    ? MapViewOfFile(mapping, writes ? FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, bytes)
                    : NULL;
    if (!map) failed();
    if (mapping) CloseHandle(mapping); /* the view keeps it */
    if (!map) return MAP_FAILED;
    AcquireSRWLockExclusive(&outputs_lock);
    for (int i = 0; writes && i < OUTPUTS; i++) {
        if (outputs[i].at) continue;
        outputs[i].at = map;
        system_fstat(fd, &outputs[i].file);
        break;
    }
    ReleaseSRWLockExclusive(&outputs_lock);
    return map;
}

int munmap(void *at, size_t bytes)
{
    (void)bytes;
    AcquireSRWLockExclusive(&outputs_lock);
    for (int i = 0; i < OUTPUTS; i++)
        if (outputs[i].at == at) outputs[i].at = NULL;
    ReleaseSRWLockExclusive(&outputs_lock);
    return UnmapViewOfFile(at) ? 0 : failed();
}

/* A thread that writes into an output which is gone stays here until the process has ended. */
static LONG CALLBACK stay(EXCEPTION_POINTERS *exception)
{
    if (exception->ExceptionRecord->ExceptionCode == EXCEPTION_ACCESS_VIOLATION) Sleep(INFINITE);
    return EXCEPTION_CONTINUE_SEARCH;
}

/* Gives up an output that is still mapped: the process ends. Returns 1 if it was. A file system that
 * does not number its files gives all of them the number 0. */
static int unmap_output(const char *path)
{
    struct system_stat file;
    int found = 0;
    if (system_stat(path, &file) != 0 || file.st_ino == 0) return 0;
    for (int i = 0; i < OUTPUTS; i++) {
        const mapped_output *out = &outputs[i];
        if (!out->at || out->file.st_dev != file.st_dev || out->file.st_ino != file.st_ino)
            continue;
        AddVectoredExceptionHandler(1, stay);
        UnmapViewOfFile(out->at);
        found = 1;
    }
    return found;
}

int system_rmdir(const char *path)
{
    wchar_t *name = wide_path(path);
    if (!name) return -1;
    const int done = RemoveDirectoryW(name) ? 0 : failed();
    free(name);
    return done;
}

int system_unlink(const char *path)
{
    wchar_t *name = wide_path(path);
    if (!name) return -1;
    int done = DeleteFileW(name) ? 0 : failed();
    if (done != 0) {
        const int number = errno;
        if (unmap_output(path))
            done = DeleteFileW(name) ? 0 : failed();
        else
            errno = number;
    }
    free(name);
    return done;
}

/* ---- Libraries -------------------------------------------------------------------------------- */

void *dlopen(const char *library, int flags)
{
    wchar_t *name = wide(library);
    (void)flags;
    void *loaded = name ? LoadLibraryExW(name, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS) : NULL;
    free(name);
    return loaded;
}

void *dlsym(void *library, const char *name)
{
    return (void *)(uintptr_t)GetProcAddress(library, name);
}

/* ---- Processes, signals ----------------------------------------------------------------------- */

/* Neither cmd nor PowerShell expands patterns. These stand for * and ? outside of quotes, while the
 * arguments are made; no name contains them. */
enum { STAR = 1, QUESTION = 2 };
static const char marks[] = {STAR, QUESTION, 0};

static void mark_patterns(wchar_t *line)
{
    int quoted = 0, backslashes = 0;
    for (; *line; line++) {
        if (*line == L'"' && backslashes % 2 == 0) quoted = !quoted;
        backslashes = *line == L'\\' ? backslashes + 1 : 0;
        if (*line == L'*' && !quoted) *line = STAR;
        if (*line == L'?' && !quoted) *line = QUESTION;
    }
}

static void unmark_patterns(char *word)
{
    for (; *word; word++)
        if (*word == STAR || *word == QUESTION) *word = *word == STAR ? '*' : '?';
}

static int fits(const wchar_t *pattern, const wchar_t *name)
{
    const wchar_t *star = NULL, *after = NULL;
    while (*name) {
        if (*pattern == STAR) {
            star = pattern++;
            after = name;
        } else if (*pattern == QUESTION ||
                   (*pattern && CompareStringOrdinal(pattern, 1, name, 1, TRUE) == CSTR_EQUAL)) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++after;
        } else
            return 0;
    }
    while (*pattern == STAR) pattern++;
    return !*pattern;
}

static const wchar_t *wanted_names;

/* As a shell of POSIX, * and ? mean no dot at the beginning: temporary files have one. */
static int is_wanted(const struct dirent *entry)
{
    wchar_t *name = wide(entry->d_name);
    const int is = name && (*name != L'.' || *wanted_names == L'.') && fits(wanted_names, name);
    free(name);
    return is;
}

typedef struct word_list {
    char **words; /* NULL is after the last one */
    int count;
} word_list;

/* Takes over `word`, which is malloc'ed or NULL. Returns 0 if there is no memory. */
static int add_word(word_list *list, char *word)
{
    char **grown =
        word ? realloc(list->words, ((size_t)list->count + 2) * sizeof *list->words) : NULL;
    if (grown) {
        list->words = grown;
        grown[list->count++] = word;
        grown[list->count] = NULL;
    } else
        free(word);
    return grown != NULL;
}

/* Adds the files that a pattern with marks means, those of each folder in the order of their names.
 * Returns 0 if there is no memory. */
static int add_files(word_list *list, const char *pattern)
{
    struct dirent **entries;
    struct system_stat status;
    const size_t before = strcspn(pattern, marks);
    if (!pattern[before])
        return system_lstat(pattern, &status) != 0 || add_word(list, strdup(pattern));
    char *folder = strndup(pattern, before + 1); /* with room for the dot */
    if (!folder) return 0;
    folder[before] = 0;
    const char *slash = system_last_slash(folder);
    const size_t begin = slash ? (size_t)(slash - folder) + 1 : 0;
    const size_t end = before + strcspn(pattern + before, system_slashes);
    memcpy(folder + begin, ".", 2);
    char *part = strndup(pattern + begin, end - begin);
    wchar_t *names = part ? wide(part) : NULL;
    wanted_names = names;
    const int count = names ? scandir(folder, &entries, is_wanted, alphasort) : -1;
    int done = names != NULL;
    for (int i = 0; i < count; i++) {
        char *path = NULL;
        if (done &&
            asprintf(&path, "%.*s%s%s", (int)begin, pattern, entries[i]->d_name, pattern + end) < 0)
            done = 0, path = NULL;
        done = done && add_files(list, path);
        free(path);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    free(names);
    free(part);
    free(folder);
    return done;
}

/* A pattern that means no file stays as it is. */
static int add_argument(word_list *list, const wchar_t *argument)
{
    char *word = narrow(argument);
    const int before = list->count;
    if (word && strpbrk(word, marks)) {
        if (strncmp(word, "\\\\", 2) == 0 && word[2] == QUESTION) word[2] = '?';
        if (!add_files(list, word)) return 0;
        if (list->count > before) {
            free(word);
            return 1;
        }
        unmark_patterns(word);
    }
    return add_word(list, word);
}

static UINT code_page_before; /* of the console, or 0 */

static void restore_code_page(void)
{
    if (code_page_before) SetConsoleOutputCP(code_page_before);
}

/* A command beside this one in a pipe may have set the code page: it sets it back, too. */
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

void system_begin(int *argc, char ***argv)
{
    int count = 0;
    wchar_t *line = wcsdup(GetCommandLineW());
    if (line) mark_patterns(line);
    wchar_t **words = line ? CommandLineToArgvW(line, &count) : NULL;
    word_list list = {NULL, 0};
    int there = words != NULL;
    for (int i = 0; there && i < count; i++) there = add_argument(&list, words[i]);
    if (there) {
        *argc = list.count;
        *argv = list.words;
    }
    free(line);
    LocalFree(words);
    for (int fd = 0; fd < 3; fd++)
        if (_get_osfhandle(fd) >= 0) _setmode(fd, _O_BINARY);
    for (int fd = 1; fd < 3; fd++) begin_console(fd);
}

long sysconf(int name)
{
    (void)name; /* _SC_NPROCESSORS_ONLN */
    return (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

int pause(void)
{
    Sleep(INFINITE);
    return -1;
}

int sigemptyset(sigset_t *set)
{
    set->none = 0;
    return 0;
}

int sigaddset(sigset_t *set, int number)
{
    (void)set, (void)number;
    return 0;
}

/* Ctrl-C, Ctrl-Break and the end of a session come as SIGINT and SIGBREAK, in a thread of its own. */
void (*system_signal(int number, void (*handler)(int)))(int)
{
    if (number == SIGINT) signal(SIGBREAK, handler);
    return number == SIGINT || number == SIGTERM ? signal(number, handler) : SIG_DFL;
}

static void (*lost_file)(int);

/* What POSIX reports by SIGBUS. */
static LONG CALLBACK page_is_lost(EXCEPTION_POINTERS *exception)
{
    if (exception->ExceptionRecord->ExceptionCode == EXCEPTION_IN_PAGE_ERROR) lost_file(SIGBUS);
    return EXCEPTION_CONTINUE_SEARCH;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    if (before) before->sa_handler = SIG_DFL;
    if (action && number == SIGBUS) {
        lost_file = action->sa_handler;
        AddVectoredExceptionHandler(1, page_is_lost);
    } else if (action)
        system_signal(number, action->sa_handler);
    return 0;
}

/* Ends the process as Windows ends one at Ctrl-C. */
int system_raise(int number)
{
    (void)number;
    restore_code_page();
    ExitProcess(0xC000013A);
}
#else
typedef int tpad_no_windows; /* ISO C wants a declaration in every file */
#endif
