/* Where a lowered model may be written.  SPDX-License-Identifier: MIT
 *
 * The model's own files are read while the new ones are written, and the ending of a name decides
 * the format. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rewrite.h"

static int32_t ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

static int32_t no_room(const char *path, tpad_io_error *error)
{
    return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", path);
}

static int32_t must_differ(const char *path, const char *model_file, tpad_io_error *error)
{
    const int32_t same = tpad_same_file(model_file, path);
    if (same < 0) /* names in a model are untrusted: a loop of links is the model's fault */
        return tpad_io_fail(error, errno == ELOOP ? TPAD_E_FILE : TPAD_E_IO,
                            "%s: cannot find out whether it is the same file as '%s': %s", path,
                            model_file, strerror(errno));
    if (!same) return TPAD_OK;
    return tpad_io_fail(error, TPAD_E_ARGUMENT,
                        "%s: is the same file as '%s' of the model that is read: the lowered model "
                        "needs another name",
                        path, model_file);
}

/* The files with external data are also read. */
static int32_t must_not_be_data(const char *path, const tpad_model *model, tpad_io_error *error)
{
    int32_t status = TPAD_OK;
    for (const tpad_named_file *file = model->named_files; file && !status; file = file->next)
        status = must_differ(path, file->path, error);
    return status;
}

/* The place of a model's external data is unknown if the model is in memory. */
static int32_t must_have_no_data(const char *path, const tpad_model *model, tpad_io_error *error)
{
    if (!model->named_files) return TPAD_OK;
    return tpad_io_fail(error, TPAD_E_ARGUMENT,
                        "%s: the model has external data in '%s', which bytes do not have: give "
                        "the path of the model",
                        path, tpad_model_weights_path(model));
}

int32_t tpad_lowered_place(char **weights, const tpad_model *model, const char *path,
                           tpad_io_error *error)
{
    const int32_t is_ir = !model->in_memory && tpad_path_is_ir(model->path);
    const char *ending = is_ir ? ".xml" : ".onnx";
    *weights = NULL;
    if (!ends_in(path, ending))
        return tpad_io_fail(error, TPAD_E_FILE_TYPE,
                            "%s: '%s' is a model of %s, so the name of the lowered model ends in "
                            "%s",
                            path, model->path, model->format->title, ending);
    if (model->in_memory) return must_have_no_data(path, model, error);
    int32_t status = must_differ(path, model->path, error);
    if (status) return status;
    if (!is_ir) return must_not_be_data(path, model, error);
    char *bin = tpad_bin_path(model->path);
    *weights = tpad_bin_path(path);
    status = bin && *weights ? must_differ(*weights, bin, error) : no_room(path, error);
    if (!status) status = must_differ(*weights, model->path, error);
    if (!status) status = must_differ(path, bin, error);
    free(bin);
    if (!status) return TPAD_OK;
    free(*weights);
    *weights = NULL;
    return status;
}

#ifndef TPAD_WITH_NANOPB
/* Without a reader of ONNX models there is no external data. */
int32_t tpad_lowered_data(tpad_data_copy **made, const tpad_model *model, const char *path,
                          const tpad_output_calls *calls, tpad_io_error *error)
{
    (void)model, (void)path, (void)calls, (void)error;
    *made = NULL;
    return TPAD_OK;
}

void tpad_lowered_data_end(tpad_data_copy *copy, int32_t is_kept)
{
    (void)copy, (void)is_kept;
}
#endif

/* Names for tensors that a rewrite adds. */

static const char word[] = "lowered";

/* `most`, or the number of "_" after `word` if the name begins with it and has more. */
static int64_t count_marks(int64_t most, tpad_string name)
{
    const int64_t length = (int64_t)sizeof word - 1;
    if (name.length < length || memcmp(name.text, word, (size_t)length) != 0) return most;
    int64_t marks = 0;
    while (length + marks < name.length && name.text[length + marks] == '_') marks++;
    return marks > most ? marks : most;
}

static int64_t most_marks(int64_t most, const tpad_graph *graph)
{
    for (int64_t i = 0; i < graph->value_count; i++)
        most = count_marks(most, graph->values[i].name);
    for (int64_t i = 0; i < graph->node_count; i++) {
        most = count_marks(most, graph->nodes[i].name);
        for (const tpad_graph *child = graph->nodes[i].subgraphs; child; child = child->next)
            most = most_marks(most, child);
    }
    return most;
}

int32_t tpad_lowering_prefix(tpad_lowering *lowering, tpad_io_error *error)
{
    const tpad_model *model = lowering->model;
    int64_t most = most_marks(-1, model->top);
    for (const tpad_graph *graph = model->functions; graph; graph = graph->next)
        most = most_marks(most, graph);
    const int64_t length = (int64_t)sizeof word - 1 + most + 1;
    char *prefix = tpad_arena_take(&lowering->arena, length + 1, 1);
    if (!prefix) return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", model->path);
    memset(prefix, '_', (size_t)length);
    memcpy(prefix, word, sizeof word - 1);
    lowering->prefix = prefix;
    return TPAD_OK;
}

void tpad_lowered_name(char *name, size_t bytes, const tpad_lowering *lowering, int64_t index,
                       int32_t number)
{
    snprintf(name, bytes, "%s%lld_%d", lowering->prefix, (long long)index, (int)number);
}
