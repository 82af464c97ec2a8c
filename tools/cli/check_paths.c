/* The models that `tensorpad check` reads.  SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check_results.h"
#include "error_report.h"
#include "port/system.h"

enum { DEEPEST = 64, HEAD_BYTES = 1024 };

static int no_memory(void)
{
    return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
}

/* Takes over `path`, which is malloc'ed; NULL is reported as no memory. */
static int keep(check_paths *paths, char *path)
{
    if (path && paths->count == paths->room) {
        const size_t room = paths->room ? 2 * paths->room : 64;
        char **items = realloc(paths->items, room * sizeof *items);
        if (items) {
            paths->items = items;
            paths->room = room;
        }
    }
    if (!path || paths->count == paths->room) {
        free(path);
        return no_memory();
    }
    paths->items[paths->count++] = path;
    return EXIT_DONE;
}

static int ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), wanted = strlen(ending);
    return length > wanted && strcmp(text + length - wanted, ending) == 0;
}

/* An .xml file may be anything: an IR has the element <net near its beginning. */
static int is_ir(const char *path)
{
    char head[HEAD_BYTES + 1];
    FILE *file = fopen(path, "rb");
    if (!file) return 1; /* reading it as a model says why it cannot be read */
    head[fread(head, 1, HEAD_BYTES, file)] = 0;
    fclose(file);
    return strstr(head, "<net") != NULL;
}

static int skip_dots(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int add_folder(check_paths *paths, const char *folder, int depth);

static int add_entry(check_paths *paths, const char *folder, const char *name, int depth)
{
    struct stat found;
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);
    int status = EXIT_DONE;
    if (!path) return no_memory();
    snprintf(path, bytes, "%s%s%s", folder, ends_with(folder, "/") ? "" : "/", name);
    if (lstat(path, &found) != 0) {
        if (errno != ENOENT)
            status = report_refusal(TPAD_E_IO, path, "%s: %s", path, strerror(errno));
    } else if (S_ISDIR(found.st_mode)) {
        status = add_folder(paths, path, depth + 1);
    } else if (ends_with(name, ".onnx") || ends_with(name, ".xml")) {
        const int known = stat(path, &found) == 0; /* if not, reading it as a model says why */
        if (known ? S_ISREG(found.st_mode) && (ends_with(name, ".onnx") || is_ir(path))
                  : errno != ENOENT)
            return keep(paths, path);
    }
    free(path);
    return status;
}

/* Links to folders are not followed, so that there is no circle. */
static int add_folder(check_paths *paths, const char *folder, int depth)
{
    struct dirent **entries;
    int status = EXIT_DONE;
    if (depth > DEEPEST)
        return report_refusal(TPAD_E_IO, folder, "%s: more than %d folders inside each other",
                              folder, DEEPEST);
    const int count = scandir(folder, &entries, skip_dots, alphasort);
    if (count < 0) return report_refusal(TPAD_E_IO, folder, "%s: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (status == EXIT_DONE) status = add_entry(paths, folder, entries[i]->d_name, depth);
        free(entries[i]);
    }
    free(entries);
    return status;
}

int check_paths_add(check_paths *paths, const char *word, int *is_folder)
{
    struct stat found;
    if (stat(word, &found) != 0 || !S_ISDIR(found.st_mode)) return keep(paths, strdup(word));
    *is_folder = 1;
    return add_folder(paths, word, 0);
}

void check_paths_free(check_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++) free(paths->items[i]);
    free(paths->items);
    *paths = (check_paths){0};
}
