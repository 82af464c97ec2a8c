/* The part of system.h that Linux, macOS, the BSDs and WASI have in common: paths, folders, text.
 * SPDX-License-Identifier: MIT */
#if !defined(_WIN32)
#include "system.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- Paths ----------------------------------------------------------------------------------- */

char *system_last_slash(const char *path)
{
    return strrchr(path, '/');
}

int system_compare_names(const char *a, const char *b)
{
#if defined(__APPLE__)
    return strcasecmp(a, b);
#else
    return strcmp(a, b);
#endif
}

/* ---- Files and folders ----------------------------------------------------------------------- */

static void describe(system_entry *entry, const struct stat *status)
{
    const mode_t mode = status->st_mode;
    entry->kind = S_ISREG(mode)   ? SYSTEM_FILE
                  : S_ISDIR(mode) ? SYSTEM_FOLDER
                  : S_ISBLK(mode) ? SYSTEM_DISK
                                  : SYSTEM_STREAM;
    entry->bytes = status->st_size;
    entry->device = (uint64_t)status->st_dev;
    entry->number = (uint64_t)status->st_ino;
    entry->mode = (uint32_t)mode & 0777;
    entry->owner = (uint32_t)status->st_uid;
    entry->group = (uint32_t)status->st_gid;
}

int system_look(const char *path, system_entry *entry)
{
    struct stat status;
    *entry = (system_entry){.kind = SYSTEM_ABSENT};
    int failed = lstat(path, &status);
    if (!failed && S_ISLNK(status.st_mode)) {
        entry->is_link = 1;
        failed = stat(path, &status);
    }
    if (failed) return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
    describe(entry, &status);
    return 0;
}

int system_look_open(int fd, system_entry *entry)
{
    struct stat status;
    *entry = (system_entry){.kind = SYSTEM_ABSENT};
    if (fstat(fd, &status) != 0) return -1;
    describe(entry, &status);
    return 0;
}

static int is_name(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

int system_list(const char *folder, char ***names)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_name, compare_entries);
    if (count < 0) return -1;
    *names = calloc((size_t)count + 1, sizeof **names);
    int complete = *names != NULL;
    for (int i = 0; i < count; i++) {
        if (complete) complete = ((*names)[i] = strdup(entries[i]->d_name)) != NULL;
        free(entries[i]);
    }
    free(entries);
    if (complete) return count;
    for (int i = 0; *names && i < count; i++) free((*names)[i]);
    free(*names);
    errno = ENOMEM;
    return -1;
}

int system_make_folder(const char *path)
{
    return mkdir(path, 0777);
}

int system_remove_folder(const char *path)
{
    return rmdir(path);
}

int system_remove(const char *path)
{
    return unlink(path);
}

void system_remove_at_end(const char *path)
{
    unlink(path);
}

/* ---- Text in memory -------------------------------------------------------------------------- */

FILE *system_text_begin(system_text *text)
{
    *text = (system_text){0};
    return text->stream = open_memstream(&text->text, &text->bytes);
}

int system_text_end(system_text *text)
{
    int failed = !text->stream || ferror(text->stream);
    if (text->stream && fclose(text->stream) != 0) failed = 1; /* glibc shortens the block */
    if (!failed && text->text) return 1;
    free(text->text);
    text->text = NULL;
    return 0;
}
#else
typedef int tpad_no_posix_files; /* ISO C requires a declaration in every file */
#endif
