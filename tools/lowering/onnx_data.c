/* The external data of a model that is written into another folder.  SPDX-License-Identifier: MIT
 *
 * Each file is copied whole to the same name below the new folder. Nothing that is there is changed, and
 * after a failure all that was made is removed. */
#include "formats/protobuf/tensor_proto.h"
#include "port/system.h"
#include "rewrite.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The files that are in their place and the folders that were made, the last one first. */
enum { WAS_THERE, MADE_FILE, MADE_FOLDER };
typedef struct made_entry {
    struct made_entry *before;
    int what;
    char path[];
} made_entry;

struct tpad_data_copy {
    made_entry *last;
};

static int32_t no_memory(const char *path, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", path);
}

static size_t folder_length(const char *path)
{
    const char *slash = system_last_slash(path);
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The entry for the name in the folder of `path`, not yet made; NULL: no memory. */
static made_entry *entry_of(const char *path, const char *name, size_t length, int what)
{
    const size_t folder = folder_length(path);
    made_entry *entry = calloc(1, sizeof *entry + folder + length + 1);
    if (!entry) return NULL;
    entry->what = what;
    memcpy(entry->path, path, folder);
    memcpy(entry->path + folder, name, length);
    return entry;
}

static void keep(tpad_data_copy *copy, made_entry *entry)
{
    entry->before = copy->last;
    copy->last = entry;
}

/* Makes the folders of the name below that of `path`, as far as they are not there. */
static int32_t make_folders(tpad_data_copy *copy, const char *path, const char *name,
                            tpad_io_error *error)
{
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        made_entry *entry = entry_of(path, name, (size_t)(slash - name), MADE_FOLDER);
        if (!entry) return no_memory(path, error);
        if (mkdir(entry->path, 0777) == 0) {
            keep(copy, entry);
            continue;
        }
        const int failed = errno != EEXIST;
        if (failed) tpad_io_fail(error, TPAD_E_IO, "%s: %s", entry->path, strerror(errno));
        free(entry);
        if (failed) return TPAD_E_IO;
    }
    return TPAD_OK;
}

/* 1 if a part of the name begins with a dot: files that other programs read unasked have such names. */
static int is_hidden(const char *name)
{
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += at != name;
        if (*at == '.' && at[1] != '/') return 1;
    }
    return 0;
}

static int are_equal(const tpad_bytes *a, const tpad_bytes *b)
{
    return a->count == b->count && memcmp(a->data, b->data, (size_t)a->count) == 0;
}

/* What is there already may stay if it is what would be written. */
static int32_t must_be_equal(const char *to, const tpad_bytes *bytes, tpad_io_error *error)
{
    tpad_bytes there;
    struct stat found;
    if (stat(to, &found) != 0 || !S_ISREG(found.st_mode))
        return tpad_io_fail(error, TPAD_E_EXISTS, "%s: exists, and is no file", to);
    const int32_t status = tpad_bytes_open(&there, to, error);
    if (status) return status;
    const int equal = are_equal(&there, bytes);
    tpad_bytes_close(&there);
    if (equal) return TPAD_OK;
    return tpad_io_fail(error, TPAD_E_EXISTS,
                        "%s: exists, and is not the external data of the model: remove it, or name "
                        "another folder",
                        to);
}

static int32_t write_file(const char *to, const tpad_bytes *bytes, const tpad_output_calls *calls,
                          tpad_io_error *error)
{
    tpad_output *output;
    int32_t status = calls->begin(&output, to, NULL, 0, error);
    if (status) return status;
    status = tpad_output_write(output, bytes->data, bytes->count, error);
    if (!status) return calls->commit(output, error);
    calls->discard(output);
    return status;
}

/* 1 if the file is in its place already. Most tensors lie in few files. */
static int is_done(const tpad_data_copy *copy, const char *path)
{
    const made_entry *entry = copy->last;
    while (entry && (entry->what == MADE_FOLDER || strcmp(entry->path, path) != 0))
        entry = entry->before;
    return entry != NULL;
}

/* Copies one file, unless it is there. */
static int32_t copy_file(tpad_data_copy *copy, const char *from, const char *path, const char *name,
                         const tpad_output_calls *calls, tpad_io_error *error)
{
    struct stat found;
    tpad_bytes bytes;
    int32_t status = make_folders(copy, path, name, error);
    if (status) return status;
    made_entry *entry = entry_of(path, name, strlen(name), MADE_FILE);
    if (!entry) return no_memory(path, error);
    const int done = is_done(copy, entry->path);
    status = done ? TPAD_OK : tpad_bytes_open(&bytes, from, error);
    if (done || status) {
        free(entry);
        return status;
    }
    if (lstat(entry->path, &found) == 0) {
        entry->what = WAS_THERE;
        status = must_be_equal(entry->path, &bytes, error);
    } else {
        status = write_file(entry->path, &bytes, calls, error);
    }
    tpad_bytes_close(&bytes);
    if (status)
        free(entry);
    else
        keep(copy, entry);
    return status;
}

/* The name without "./" before it. */
static const char *plain_name(const char *name)
{
    while (name[0] == '.' && name[1] == '/') name += 1 + strspn(name + 1, "/");
    return name;
}

static int32_t copy_named(tpad_data_copy *copy, const tpad_model *model,
                          const tpad_named_file *file, const char *path,
                          const tpad_output_calls *calls, tpad_io_error *error)
{
    const char *name = file->path + folder_length(model->path);
    const tpad_proto proto = {.location = {name, (int64_t)strlen(name)}};
    char *from;
    if (strcmp(plain_name(name), path + folder_length(path)) == 0)
        return tpad_io_fail(error, TPAD_E_ARGUMENT,
                            "%s: the external data of the model has this name: the lowered model "
                            "needs another one",
                            path);
    int32_t status = tpad_proto_locate(&from, &proto, model->path, model->path, error);
    if (status) return status;
    if (is_hidden(name))
        status = tpad_io_fail(error, TPAD_E_FILE,
                              "%s: external data '%.*s' is hidden by its name, and is not copied "
                              "into another folder",
                              model->path, TPAD_SHOW(proto.location));
    else
        status = copy_file(copy, from, path, name, calls, error);
    free(from);
    return status;
}

/* stat() of the folder of a path. */
static int32_t look_at_folder(struct stat *folder, const char *path, tpad_io_error *error)
{
    const size_t length = folder_length(path);
    char *name = length ? strndup(path, length) : strdup(".");
    if (!name) return no_memory(path, error);
    const int failed = stat(name, folder);
    if (failed) tpad_io_fail(error, TPAD_E_IO, "%s: %s", name, strerror(errno));
    free(name);
    return failed ? TPAD_E_IO : TPAD_OK;
}

int32_t tpad_lowered_data(tpad_data_copy **made, const tpad_model *model, const char *path,
                          const tpad_output_calls *calls, tpad_io_error *error)
{
    struct stat folder, own;
    *made = NULL;
    if (!model->named_files || tpad_path_is_ir(model->path)) return TPAD_OK;
    int32_t status = look_at_folder(&own, model->path, error);
    if (!status) status = look_at_folder(&folder, path, error);
    if (status) return status;
    if (folder.st_dev == own.st_dev && folder.st_ino == own.st_ino) return TPAD_OK;
    tpad_data_copy *copy = calloc(1, sizeof *copy);
    if (!copy) return no_memory(path, error);
    for (const tpad_named_file *file = model->named_files; file && !status; file = file->next)
        status = copy_named(copy, model, file, path, calls, error);
    if (status)
        tpad_lowered_data_end(copy, 0);
    else
        *made = copy;
    return status;
}

void tpad_lowered_data_end(tpad_data_copy *copy, int32_t is_kept)
{
    if (!copy) return;
    for (made_entry *entry = copy->last, *before; entry; entry = before) {
        before = entry->before;
        if (!is_kept && entry->what == MADE_FOLDER) rmdir(entry->path);
        if (!is_kept && entry->what == MADE_FILE) unlink(entry->path);
        free(entry);
    }
    free(copy);
}
