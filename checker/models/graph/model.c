/* The part that models of all formats share. SPDX-License-Identifier: MIT
 *
 * The memory of a model, the files that hold it, and the names of its graphs. */
#include "model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PATH_BYTES = 1000 };

/* The memory limit of a model: MEMORY_RATIO bytes per byte of its file, plus MEMORY_FREE. Files of
 * real models need a tenth of it; a file of empty nodes alone would take more. */
enum { MEMORY_RATIO = 48, MEMORY_FREE = 1 << 20 };

/* A file with elements. It is mapped once, even if it holds many tensors. */
typedef struct tpad_weights {
    struct tpad_weights *next;
    char *path;
    tpad_bytes bytes;
} tpad_weights;

int32_t tpad_no_memory(const tpad_model *model, tpad_io_error *error)
{
    if (model->arena.refused)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: reading its %lld bytes takes more than %d times as much "
                            "memory, which no real model needs",
                            model->path, (long long)model->bytes.count, (int)MEMORY_RATIO);
    return tpad_io_fail(error, TPAD_E_MEMORY, "%s: out of memory", model->path);
}

int32_t tpad_path_is_ir(const char *path)
{
    const size_t length = strlen(path);
    return length >= 4 && strcasecmp(path + length - 4, ".xml") == 0;
}

char *tpad_bin_path(const char *path)
{
    char *bin = strdup(path);
    if (bin) memcpy(bin + strlen(path) - strlen("xml"), "bin", strlen("bin"));
    return bin;
}

int32_t tpad_model_open(tpad_model *model, tpad_io_error *error)
{
    const int32_t status =
        model->in_memory ? TPAD_OK : tpad_bytes_open(&model->bytes, model->path, error);
    if (status) return status;
    if (__builtin_mul_overflow(model->bytes.count, (int64_t)MEMORY_RATIO, &model->arena.limit) ||
        __builtin_add_overflow(model->arena.limit, (int64_t)MEMORY_FREE, &model->arena.limit))
        model->arena.limit = INT64_MAX;
    return TPAD_OK;
}

int32_t tpad_name_text(const char **text, tpad_model *model, tpad_string name, tpad_io_error *error)
{
    if (name.length && memchr(name.text, 0, (size_t)name.length))
        return tpad_io_fail(error, TPAD_E_FILE, "%s: a name with a NUL in it", model->path);
    *text = tpad_arena_text(&model->arena, name);
    return *text ? TPAD_OK : tpad_no_memory(model, error);
}

/* Makes the path of a graph: the path of the graph around it, the node that holds it ("If_3" if the
 * node has no name) and the graph's name there. The path of a function is its name. */
int32_t tpad_graph_name(tpad_model *model, tpad_graph *graph, tpad_io_error *error)
{
    tpad_arena *arena = &model->arena;
    if (graph->path) return TPAD_OK;
    if (!graph->is_function) {
        int32_t status = tpad_graph_name(model, graph->parent, error);
        if (status) return status;
    }
    const char *outer = graph->is_function ? "" : graph->parent->path;
    const tpad_string holder = graph->is_function ? (tpad_string){0} : graph->holder->name;
    /* Every graph has its own path, so a long name that many graphs share would let a small file
     * take much memory. */
    if (graph->label.length + graph->domain.length + graph->overload.length + holder.length +
            (int64_t)strlen(outer) >
        PATH_BYTES)
        return tpad_io_fail(error, TPAD_E_FILE,
                            "%s: the path of a graph is longer than %d bytes, in node '%.*s'",
                            model->path, PATH_BYTES, TPAD_SHOW(holder));
    const char *slash = *outer ? "/" : "";
    const int label = (int)graph->label.length;
    const char *label_text = tpad_show_text(graph->label);
    char list[24] = "";
    if (graph->label_index >= 0)
        snprintf(list, sizeof list, "_%lld", (long long)graph->label_index);
    if (graph->is_function)
        graph->path = tpad_arena_format(
            arena, "function:%.*s:%.*s%s%.*s", (int)graph->domain.length,
            tpad_show_text(graph->domain), label, label_text, graph->overload.length ? ":" : "",
            (int)graph->overload.length, tpad_show_text(graph->overload));
    else if (holder.length)
        graph->path = tpad_arena_format(arena, "%s%s%.*s/%.*s%s", outer, slash, (int)holder.length,
                                        holder.text, label, label_text, list);
    else
        graph->path = tpad_arena_format(
            arena, "%s%s%.*s_%lld/%.*s%s", outer, slash, TPAD_SHOW(graph->holder->op_type),
            (long long)(graph->holder - graph->parent->nodes), label, label_text, list);
    return graph->path ? TPAD_OK : tpad_no_memory(model, error);
}

void tpad_shape_text(char *text, size_t bytes, int32_t rank, const int64_t *shape)
{
    size_t used = (size_t)snprintf(text, bytes, "[");
    for (int32_t axis = 0; axis < rank && used < bytes - 1; axis++) {
        const char *comma = axis ? "," : "";
        const int length = shape[axis] < 0 ? snprintf(text + used, bytes - used, "%s?", comma)
                                           : snprintf(text + used, bytes - used, "%s%lld", comma,
                                                      (long long)shape[axis]);
        used += (size_t)length;
    }
    if (used < bytes - 1) snprintf(text + used, bytes - used, "]");
}

int32_t tpad_axis_from_front(int64_t axis, int32_t rank)
{
    if (rank < 0 || axis < -rank || axis >= rank) return -1;
    return (int32_t)(axis < 0 ? axis + rank : axis);
}

/* ---- Elements -------------------------------------------------------------------------------- */

int32_t tpad_weights_open(const tpad_bytes **bytes, tpad_model *model, char *path,
                          tpad_io_error *error)
{
    tpad_weights *file = model->weights;
    while (file && strcmp(file->path, path)) file = file->next;
    if (file) {
        free(path);
        *bytes = &file->bytes;
        return TPAD_OK;
    }
    file = calloc(1, sizeof *file);
    int32_t status =
        file ? tpad_bytes_open(&file->bytes, path, error) : tpad_no_memory(model, error);
    if (status) {
        free(file);
        free(path);
        return status;
    }
    file->path = path;
    file->next = model->weights;
    model->weights = file;
    *bytes = &file->bytes;
    return TPAD_OK;
}

int32_t tpad_constant_load(tpad_tensor *tensor, tpad_model *model, const tpad_value *value,
                           tpad_io_error *error)
{
    const int32_t status = model->format->load(tensor, model, value, error);
    if (status) return status;
    int32_t same = tensor->type == value->type && tensor->rank == value->rank;
    for (int32_t axis = 0; same && axis < tensor->rank; axis++)
        same = tensor->shape[axis] == value->shape[axis];
    return same ? TPAD_OK
                : tpad_io_fail(error, TPAD_E_FILE,
                               "%s: the type or shape of '%.*s' changed after the file was read",
                               model->path, TPAD_SHOW(value->name));
}

const tpad_node *tpad_maker(const tpad_graph **holder, const tpad_graph *graph,
                            const tpad_value *value)
{
    for (; graph; graph = graph->parent) {
        if (value < graph->values || value >= graph->values + graph->value_count) continue;
        *holder = graph;
        return value->producer >= 0 ? &graph->nodes[value->producer] : NULL;
    }
    return NULL;
}

int32_t tpad_constant_small(const tpad_tensor **out, tpad_model *model, tpad_value *value,
                            tpad_io_error *error)
{
    int64_t elems = 1;
    *out = value->small;
    if (*out) return TPAD_OK;
    /* The loop stops above the limit of 64, so the product cannot overflow. */
    for (int32_t axis = 0; axis < value->rank && elems <= TPAD_SMALL; axis++)
        elems = value->shape[axis] > TPAD_SMALL ? TPAD_SMALL + 1 : elems * value->shape[axis];
    if (elems > TPAD_SMALL)
        return tpad_io_fail(error, TPAD_E_MODEL, "'%.*s' has more elements than any Pad node takes",
                            TPAD_SHOW(value->name));
    tpad_tensor *tensor = tpad_arena_take(&model->arena, 1, sizeof *tensor);
    if (!tensor) return tpad_no_memory(model, error);
    int32_t status = tpad_constant_load(tensor, model, value, error);
    if (!status && tensor->memory) {
        tpad_tensor loaded = *tensor;
        const size_t bytes = ((size_t)elems * (size_t)tensor->elem_bits + 7) / 8;
        void *copy = tpad_arena_take(&model->arena, (int64_t)bytes, 1);
        if (copy) memcpy(copy, loaded.data, bytes);
        tensor->memory = NULL;
        tensor->data = copy;
        tpad_tensor_free(&loaded);
        if (!copy) status = tpad_no_memory(model, error);
    } else if (status) {
        tpad_tensor_free(tensor);
    }
    if (!status) *out = value->small = tensor;
    return status;
}

/* ---- Interface ------------------------------------------------------------------------------- */

void tpad_model_free(tpad_model *model)
{
    if (!model) return;
    tpad_model_free(model->plain);
    while (model->weights) {
        tpad_weights *file = model->weights;
        model->weights = file->next;
        tpad_bytes_close(&file->bytes);
        free(file->path);
        free(file);
    }
    tpad_bytes_close(&model->bytes);
    tpad_arena_free(&model->arena);
    if (model->free_folding) model->free_folding(model->folding);
    free(model->path);
    free(model);
}

int64_t tpad_model_pad_count(const tpad_model *model)
{
    return model->pad_count;
}

const tpad_pad_node *tpad_model_pad_at(const tpad_model *model, int64_t index)
{
    return index >= 0 && index < model->pad_count ? &model->pads[index].info : NULL;
}

const char *tpad_pad_name(const tpad_pad_node *pad)
{
    if (pad->name && *pad->name) return pad->name;
    return pad->output ? pad->output : "";
}

const struct tpad_rules_facts *tpad_model_facts_at(const tpad_model *model, int64_t index)
{
    return index >= 0 && index < model->pad_count ? model->pads[index].facts : NULL;
}

const char *tpad_model_weights_path(const tpad_model *model)
{
    if (model->named_files) return model->named_files->path;
    return model->weights ? model->weights->path : NULL;
}
