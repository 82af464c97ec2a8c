/* Copies a model's external data to another folder.  SPDX-License-Identifier: MIT
 *
 * Each file is copied whole to the same name below the new folder. Existing files are not changed,
 * and after a failure all copies are removed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/port/system.h"
#include "onnx_writing.h"
#include "protobuf/onnx_fields.h"
#include "protobuf/tensor_proto.h"
#include "rewrite.h"

/* The files in their new places and the new folders, the last one first. */
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

/* An entry for `name` in the folder of `path`, which is not yet made; NULL: no memory. */
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

/* Makes the missing folders of the name below the folder of `path`. */
static int32_t make_folders(tpad_data_copy *copy, const char *path, const char *name,
                            tpad_io_error *error)
{
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        made_entry *entry = entry_of(path, name, (size_t)(slash - name), MADE_FOLDER);
        if (!entry) return no_memory(path, error);
        if (system_make_folder(entry->path) == 0) {
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

/* 1 if a part of the name begins with a dot: other programs read such files unasked. */
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

/* An existing file may stay if it equals the file to be written. */
static int32_t must_be_equal(const char *to, const tpad_bytes *bytes, tpad_io_error *error)
{
    tpad_bytes there;
    system_entry existing;
    if (system_look(to, &existing) != 0 || existing.kind != SYSTEM_FILE)
        return tpad_io_fail(error, TPAD_E_EXISTS, "%s: exists, and is not a file", to);
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

/* 1 if the file is already in its place. Many tensors share few files. */
static int is_done(const tpad_data_copy *copy, const char *path)
{
    const made_entry *entry = copy->last;
    while (entry && (entry->what == MADE_FOLDER || strcmp(entry->path, path) != 0))
        entry = entry->before;
    return entry != NULL;
}

/* Copies a file, unless it exists. */
static int32_t copy_file(tpad_data_copy *copy, const char *from, const char *path, const char *name,
                         const tpad_output_calls *calls, tpad_io_error *error)
{
    system_entry existing;
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
    if (system_look(entry->path, &existing) != 0 || existing.is_link ||
        existing.kind != SYSTEM_ABSENT) {
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

/* The name without a leading "./". */
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

/* Looks at the folder of a path. */
static int32_t look_at_folder(system_entry *folder, const char *path, tpad_io_error *error)
{
    const size_t length = folder_length(path);
    char *name;
    if (asprintf(&name, "%.*s.", (int)length, path) < 0) return no_memory(path, error);
    const int failed = system_look(name, folder) != 0 || folder->kind == SYSTEM_ABSENT;
    if (failed) tpad_io_fail(error, TPAD_E_IO, "%s: %s", name, strerror(errno));
    free(name);
    return failed ? TPAD_E_IO : TPAD_OK;
}

int32_t tpad_lowered_data(tpad_data_copy **made, const tpad_model *model, const char *path,
                          const tpad_output_calls *calls, tpad_io_error *error)
{
    system_entry folder, old_folder;
    *made = NULL;
    if (!model->named_files || tpad_path_is_ir(model->path)) return TPAD_OK;
    int32_t status = look_at_folder(&old_folder, model->path, error);
    if (!status) status = look_at_folder(&folder, path, error);
    if (status) return status;
    if (folder.device == old_folder.device && folder.number == old_folder.number) return TPAD_OK;
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
        if (!is_kept && entry->what == MADE_FOLDER) system_remove_folder(entry->path);
        if (!is_kept && entry->what == MADE_FILE) system_remove(entry->path);
        free(entry);
    }
    free(copy);
}

/* The value that replaces one that folded Pads made. */

int32_t tpad_is_folded(const tpad_lowering *lowering, const tpad_graph_pad *pad)
{
    return lowering->nodes[pad - lowering->model->pads].outcome == TPAD_LOWER_FOLDED;
}

/* The fold of the Pad that made the value, or NULL. */
static tpad_folded *fold_of(const tpad_lowering *lowering, const tpad_value *value)
{
    if (!value || !value->pad || !tpad_is_folded(lowering, value->pad)) return NULL;
    return &lowering->folds[value->pad - lowering->model->pads];
}

/* Stores the result, so that a long chain is not walked for each of its readers. */
const tpad_value *tpad_folded_source(const tpad_lowering *lowering, const tpad_value *value)
{
    const tpad_value *source = value;
    for (const tpad_folded *fold; (fold = fold_of(lowering, source)) != NULL;)
        source = fold->source ? fold->source : source->pad->inputs[IN_DATA];
    while (value != source) {
        tpad_folded *fold = fold_of(lowering, value);
        value = fold->source ? fold->source : value->pad->inputs[IN_DATA];
        fold->source = source;
    }
    return source;
}

/* Writes the given shapes into an ONNX file's inputs.
 *
 * A ValueInfoProto is written with the known shape, and otherwise as it was. Inputs and outputs
 * that are not tensors stay as they are. Infos of other values with names of dimensions are
 * removed: they would contradict the numbers, and runtimes infer these shapes. */

/* Copies the fields of a message except those with that number. */
static void copy_without(message *out, tpad_string body, uint32_t number)
{
    for (tpad_field field; tpad_wire_next(&field, &body);)
        if (field.number != number) message_raw(out, field.whole.text, (size_t)field.whole.length);
}

/* The last field with that number; text NULL: there is none. */
static tpad_string last_of(tpad_string body, uint32_t number)
{
    tpad_string last = {NULL, 0};
    for (tpad_field field; tpad_wire_next(&field, &body);)
        if (field.number == number && field.payload.text) last = field.payload;
    return last;
}

/* Open extents keep their names. */
static void put_shape(message *tensor, const tpad_value *value)
{
    message shape = {0};
    for (int32_t axis = 0; axis < value->rank; axis++) {
        message dim = {0};
        const tpad_string name =
            value->axis_names ? value->axis_names[axis] : (tpad_string){NULL, 0};
        if (value->shape[axis] >= 0)
            message_integer(&dim, DIM_VALUE, value->shape[axis]);
        else if (name.length)
            message_bytes(&dim, DIM_PARAM, name.text, (size_t)name.length);
        message_add(&shape, SHAPE_DIM, &dim);
    }
    message_add(tensor, TENSOR_SHAPE, &shape);
}

/* The payloads of all fields with that number, concatenated, which is how readers merge messages.
 * The caller releases it. */
static message all_of(tpad_string body, uint32_t number)
{
    message all = {0};
    for (tpad_field field; tpad_wire_next(&field, &body);)
        if (field.number == number && field.payload.text)
            message_raw(&all, field.payload.text, (size_t)field.payload.length);
    return all;
}

static tpad_string bytes_of(const message *m)
{
    return (tpad_string){(const char *)m->bytes, (int64_t)m->used};
}

/* info: the file's own, of a tensor; number: of its field in the graph. */
static void put_info(message *out, uint32_t number, tpad_string info, const tpad_value *value)
{
    message again = {0}, type = {0}, tensor = {0};
    message old_type = all_of(info, VALUE_TYPE);
    message old_tensor = all_of(bytes_of(&old_type), TYPE_TENSOR);
    copy_without(&tensor, bytes_of(&old_tensor), TENSOR_SHAPE);
    if (value->rank >= 0) put_shape(&tensor, value);
    copy_without(&type, bytes_of(&old_type), TYPE_TENSOR);
    message_add(&type, TYPE_TENSOR, &tensor);
    copy_without(&again, info, VALUE_TYPE);
    message_add(&again, VALUE_TYPE, &type);
    out->failed |= old_type.failed | old_tensor.failed;
    message_add(out, number, &again);
    message_free(&old_type);
    message_free(&old_tensor);
}

static int32_t is_tensor(tpad_string info)
{
    return last_of(last_of(info, VALUE_TYPE), TYPE_TENSOR).text != NULL;
}

/* 1 if the shape has a dimension that is not a number. */
static int32_t has_open_dims(tpad_string info)
{
    tpad_string shape = last_of(last_of(last_of(info, VALUE_TYPE), TYPE_TENSOR), TENSOR_SHAPE);
    for (tpad_field field; tpad_wire_next(&field, &shape);) {
        int32_t is_number = 0;
        tpad_string dim = field.payload;
        if (field.number != SHAPE_DIM || !dim.text) continue;
        for (tpad_field part; tpad_wire_next(&part, &dim);) is_number |= part.number == DIM_VALUE;
        if (!is_number) return 1;
    }
    return 0;
}

/* The value of an input that was given a shape, or of an output whose shape follows; NULL: the
 * input or output stays as it is. field: the graph's `index`-th with its number. */
static const tpad_value *value_of_end(const tpad_model *model, const tpad_field *field,
                                      int64_t index)
{
    const tpad_graph *top = model->top;
    const int32_t is_input = field->number == GRAPH_INPUT;
    const tpad_string name = last_of(field->payload, VALUE_NAME);
    if (!is_tensor(field->payload) || !name.text ||
        index >= (is_input ? top->input_count : top->output_count))
        return NULL;
    const tpad_end *end = is_input ? &top->inputs[index] : &top->outputs[index];
    if (end->name.length != name.length || memcmp(end->name.text, name.text, (size_t)name.length))
        return NULL;
    if (is_input) return tpad_input_shaped(model, index);
    return has_open_dims(field->payload) ? end->value : NULL;
}

/* The edits of a graph, as they are made. */
typedef struct shaped_graph {
    const tpad_model *model;
    tpad_edit *edits;
    message *infos; /* one for each rewritten input and output of the graph */
    int64_t edit_count, info_count;
} shaped_graph;

static int32_t is_end(const tpad_field *field)
{
    return field->payload.text && (field->number == GRAPH_INPUT || field->number == GRAPH_OUTPUT);
}

static int32_t is_open_value(const tpad_field *field)
{
    return field->payload.text && field->number == GRAPH_VALUE_INFO &&
           has_open_dims(field->payload);
}

static void put_field(shaped_graph *g, const tpad_field *field, int64_t index)
{
    if (is_open_value(field)) g->edits[g->edit_count++] = (tpad_edit){.old = field->payload};
    if (!is_end(field)) return;
    const tpad_value *value = value_of_end(g->model, field, index);
    if (!value) return;
    message *info = &g->infos[g->info_count++];
    put_info(info, field->number, field->payload, value);
    g->edits[g->edit_count++] = (tpad_edit){.old = field->payload, .fields = bytes_of(info)};
}

static int32_t has_shaped_input(const tpad_model *model)
{
    for (int64_t i = 0; i < model->top->input_count; i++)
        if (tpad_input_shaped(model, i)) return 1;
    return 0;
}

int32_t tpad_onnx_put_shapes(tpad_edit **edits, message *infos, int64_t *count,
                             const tpad_model *model, tpad_io_error *error)
{
    const tpad_string file = {(const char *)model->bytes.data, model->bytes.count};
    const tpad_string graph = last_of(file, MODEL_GRAPH);
    tpad_string rest = graph;
    size_t room = (size_t)*count + 1;
    int64_t inputs = 0, outputs = 0;
    if (!has_shaped_input(model)) return TPAD_OK;
    for (tpad_field field; tpad_wire_next(&field, &rest);)
        room += (size_t)(is_end(&field) || is_open_value(&field));
    tpad_edit *more = realloc(*edits, room * sizeof *more);
    if (!more) return tpad_no_memory(model, error);
    *edits = more;
    shaped_graph g = {model, more, infos, *count, 0};
    rest = graph;
    for (tpad_field field; tpad_wire_next(&field, &rest);) {
        int64_t *number = field.number == GRAPH_INPUT ? &inputs : &outputs;
        put_field(&g, &field, *number);
        if (is_end(&field)) ++*number;
    }
    *count = g.edit_count;
    for (int64_t i = 0; i < g.info_count; i++)
        if (infos[i].failed) return tpad_no_memory(model, error);
    return TPAD_OK;
}
