/* The items of a batch.  SPDX-License-Identifier: MIT */
#include "batch_call.h"

#include <string.h>

/* ---- Parts of a batch ------------------------------------------------------------------------ */

int batch_blame(Py_ssize_t item, Py_ssize_t list)
{
    PyObject *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    if (type != PyExc_TypeError && type != PyExc_ValueError && type != PyExc_OverflowError) {
        PyErr_Restore(type, error, trace);
        return -1;
    }
    PyErr_NormalizeException(&type, &error, &trace);
    if (list < 0) {
        PyErr_Format(type, "item %zd: %S", item, error);
    } else {
        PyErr_Format(type, "item %zd, list %zd: %S", item, list, error);
    }
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(trace);
    return -1;
}

batch_part *batch_add_part(batch_source *source, Py_ssize_t item, Py_ssize_t list)
{
    if (source->count == source->room) {
        const size_t room = 2 * (size_t)source->room + 64;
        batch_part *parts = room <= PY_SSIZE_T_MAX / sizeof *parts
                                ? PyMem_Realloc(source->parts, room * sizeof *parts)
                                : NULL;
        if (parts == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        source->parts = parts;
        source->room = (Py_ssize_t)room;
    }
    batch_part *part = &source->parts[source->count++];
    *part = (batch_part){.item = item, .list = list};
    return part;
}

/* ---- Types ----------------------------------------------------------------------------------- */

/* 1 if NumPy has only one type of this kind and size, so that comparing views compares types. */
static int is_common(const array_view *view)
{
    return strchr("biu", view->kind) || (view->item_bytes > 1 && strchr("fc", view->kind));
}

/* The dtype of an array, which may have been opened without it. */
static PyObject *type_of(context *c, operand *array)
{
    if (array->dtype == NULL) array->dtype = PyObject_GetAttr(array->array, c->state->word_dtype);
    return array->dtype;
}

/* 1 if both have the same type, 0 if not, -1 with an exception. */
static int same_type(context *c, const operand *type, operand *array)
{
    if (is_common(&type->view) && is_common(&array->view))
        return type->view.kind == array->view.kind &&
               type->view.item_bytes == array->view.item_bytes &&
               ((type->view.flags ^ array->view.flags) & ARRAY_NOT_SWAPPED) == 0;
    return type_of(c, array) ? operand_same_type(type, array) : -1;
}

int batch_match_type(context *c, batch_source *source, operand *array, Py_ssize_t item)
{
    operand *type = &source->type;
    if (type->array == NULL) {
        source->type_item = item;
        if (operand_take(c, Py_NewRef(array->array), type) != 0) return -1;
        type->view.flags &= ~ARRAY_F_CONTIGUOUS; /* outputs made like it are in C order */
        return 0;
    }
    const int same = same_type(c, type, array);
    if (same != 0) return same < 0 ? -1 : 0;
    source->left = 1;
    if (type_of(c, array) != NULL)
        PyErr_Format(PyExc_TypeError,
                     "item %zd has type %S, item %zd has %S: make them alike, or give dtype", item,
                     array->dtype, source->type_item, type->dtype);
    return -1;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* Opens a plain torch tensor without its dtype: 1, or 0. Not for the first item, which determines
 * the type. */
static int open_tensor(context *c, const batch_source *source, PyObject *thing, operand *tensor)
{
    if ((PyObject *)Py_TYPE(thing) != source->tensors || source->type.array == NULL) return 0;
    if (!tensor_open(c->state, thing, &tensor->view)) return 0;
    if (!tensor_is_plain(c->state, thing, &tensor->view, source->recorded)) {
        array_close(&tensor->view);
        return 0;
    }
    if (!is_common(&tensor->view)) { /* then it must have the first tensor's dtype */
        PyObject *type = PyObject_GetAttr(thing, c->state->word_dtype);
        const int same = type != NULL && type == source->torch_type && !source->converts;
        Py_XDECREF(type);
        if (!same) {
            array_close(&tensor->view);
            return 0;
        }
        tensor->dtype = Py_NewRef(source->type.dtype);
    }
    tensor->array = Py_NewRef(thing);
    tensor->movable = tensor->is_tensor = 1;
    return 1;
}

/* Opens anything but a list. A NumPy array is opened without its dtype. */
static int open_array(context *c, const batch_source *source, PyObject *thing, operand *array)
{
    if (open_tensor(c, source, thing, array)) return 0;
    if (Py_TYPE(thing) == (PyTypeObject *)c->state->ndarray) {
        *array = (operand){.array = Py_NewRef(thing)};
        if (array_open(c->state, thing, &array->view) != 0) return -1;
        array->movable = array_movable(c->state, &array->view, thing);
        return array->movable < 0 ? -1 : 0;
    }
    PyObject *view = call_python(c, "_batch", "batch_array", "(O)", thing);
    return operand_take(c, view, array);
}

/* Converts the array to the batch's type. */
static int convert(context *c, const batch_source *source, PyObject *thing, operand *array)
{
    const int same = same_type(c, &source->type, array);
    if (same != 0) return same < 0 ? -1 : 0;
    PyObject *converted = call_python(c, "_batch", "batch_converted", "(OOO)", thing, array->array,
                                      source->type.dtype);
    operand_close(array);
    return operand_take(c, converted, array);
}

int batch_add_array(context *c, batch_source *source, PyObject *thing, Py_ssize_t item)
{
    batch_part *part = batch_add_part(source, item, -1);
    if (part == NULL) return -1;
    int status = open_array(c, source, thing, &part->array);
    if (status == 0 && source->converts) status = convert(c, source, thing, &part->array);
    if (status == 0 && !part->array.movable) {
        if (type_of(c, &part->array) != NULL)
            PyErr_Format(PyExc_TypeError, "elements of type %S cannot be padded in a batch",
                         part->array.dtype);
        source->left = 1;
        status = -1;
    }
    if (status != 0) return batch_blame(item, -1);
    if (source->type.array == NULL && (PyObject *)Py_TYPE(thing) == source->tensors) {
        source->torch_type = PyObject_GetAttr(thing, c->state->word_dtype);
        if (source->torch_type == NULL) return -1;
    }
    return source->converts ? 0 : batch_match_type(c, source, &part->array, item);
}

/* ---- All parts ------------------------------------------------------------------------------- */

int batch_is_empty_list(const batch_part *part)
{
    return part->list < 0 && part->numbers && part->array.array == NULL && part->count == 0;
}

int batch_refresh(context *c, batch_source *source)
{
    for (Py_ssize_t i = 0; c->foreign && i < source->count; i++) {
        operand *array = &source->parts[i].array;
        if (array->array != NULL && operand_refresh(c, array) != 0) return -1;
    }
    return 0;
}

void batch_close(const context *c, batch_source *source)
{
    for (Py_ssize_t i = 0; i < source->count; i++) {
        Py_XDECREF(source->parts[i].numbers);
        operand_close(&source->parts[i].array);
    }
    PyMem_Free(source->parts);
    Py_XDECREF(source->tensors);
    Py_XDECREF(source->torch_type);
    Py_XDECREF(source->maker);
    scratch_give(c->state->scratch, source->buffer);
    operand_close(&source->type);
}

/* ---- Items as tensors of the library --------------------------------------------------------- */

/* row: of the output, `each` per item; or -1. */
static int refuse_row(const batch_tensors *layout, const tpad_error *error, int64_t row)
{
    tpad_error of_item = *error;
    if (layout->of_lists && of_item.axis == 0) of_item.axis = 1;
    raise_item_error(&of_item, row < 0 ? -1 : row / layout->each);
    return -1;
}

int batch_refuse(const batch_tensors *layout, const tpad_error *error, int64_t tensor)
{
    return refuse_row(layout, error, tensor >= 0 && layout->rows ? layout->rows[tensor] : tensor);
}

/* Allocates `count` tensors without elements, and fills in their batch. */
static int make_room(const batch_source *source, int64_t count, batch_tensors *layout)
{
    const int rank = layout->fit.rank;
    const int64_t width = 2 * (int64_t)sizeof(int64_t) * (rank > 0 ? rank : 1);
    if (count <= PY_SSIZE_T_MAX / (width + (int64_t)sizeof *layout->tensors)) {
        layout->tensors = PyMem_Calloc((size_t)count, sizeof *layout->tensors);
        layout->integers = PyMem_Calloc((size_t)count, (size_t)width);
    }
    if (layout->tensors == NULL || layout->integers == NULL) {
        PyErr_Format(PyExc_MemoryError, "no memory for the extents of %lld tensors",
                     (long long)count);
        return -1;
    }
    for (int64_t i = 0; i < count; i++) {
        layout->tensors[i].extents = layout->integers + 2 * i * rank;
        layout->tensors[i].strides = layout->integers + 2 * i * rank + rank;
    }
    layout->batch = (tpad_batch){.struct_size = sizeof layout->batch,
                                 .fit = &layout->fit,
                                 .items = layout->tensors,
                                 .count = count,
                                 .elem_bits = 8 * source->type.view.item_bytes};
    return 0;
}

/* Describes a part, or one row of an array; row -1: all of it. */
static void describe_part(const batch_source *source, const batch_part *part, int64_t row,
                          batch_tensors *layout, int64_t tensor)
{
    const int rank = layout->fit.rank, skipped = row >= 0;
    int64_t *extents = layout->integers + 2 * tensor * rank, *strides = extents + rank;
    const array_view *view = &part->array.view;
    if (part->array.array != NULL) {
        layout->tensors[tensor].src = view->data + (skipped ? row * view->strides[0] : 0);
        for (int i = 0; i < rank; i++) {
            extents[i] = view->shape[i + skipped];
            strides[i] = view->strides[i + skipped];
        }
    } else if (part->count > 0) {
        layout->tensors[tensor].src = source->buffer + part->first * source->type.view.item_bytes;
        extents[0] = part->count;
        strides[0] = source->type.view.item_bytes;
    }
}

/* ---- Items ----------------------------------------------------------------------------------- */

static int describe_items(const batch_source *source, batch_tensors *layout)
{
    layout->fit = (tpad_fit)TPAD_FIT(source->rank, layout->requests);
    layout->each = 1;
    if (make_room(source, source->items, layout) != 0) return -1;
    for (Py_ssize_t i = 0; i < source->items; i++)
        describe_part(source, &source->parts[i], -1, layout, i);
    return 0;
}

/* ---- Lists of lists -------------------------------------------------------------------------- */

/* The number of parts of the item that begins with this part. */
static Py_ssize_t parts_of(const batch_source *source, Py_ssize_t begin)
{
    Py_ssize_t end = begin + 1;
    while (end < source->count && source->parts[end].item == source->parts[begin].item) end++;
    return end - begin;
}

/* The number of lists, or rows of an array, of this item. */
static int64_t lists_of(const batch_source *source, Py_ssize_t begin)
{
    const batch_part *part = &source->parts[begin];
    if (part->list >= 0) return parts_of(source, begin);
    return part->array.array ? part->array.view.shape[0] : 0;
}

/* The extent of an axis of an item's first part, or of its list. */
static int64_t extent_of(const batch_source *source, Py_ssize_t number, int axis)
{
    const batch_part *part = &source->parts[number];
    if (source->nested && axis == 0) return lists_of(source, number);
    return part->array.array ? part->array.view.shape[part->list < 0 ? axis : axis - 1]
                             : part->count;
}

int batch_limit(const batch_source *source, const chosen_axes *chosen, const axis_buckets *buckets,
                tpad_fit_axis *requests)
{
    uint64_t named = 0;
    for (int i = 0; i < chosen->count; i++) named |= (uint64_t)1 << chosen->numbers[i];
    for (int axis = 0; axis < source->rank; axis++) {
        const int is_named = (int)(named >> axis & 1);
        if (is_named && requests[axis].sized != AT_MOST && buckets[axis].count == 0) continue;
        int64_t longest = 0;
        const int64_t first = extent_of(source, 0, axis);
        for (Py_ssize_t i = 0; i < source->count; i += axis == 0 ? parts_of(source, i) : 1) {
            const int64_t extent = extent_of(source, i, axis);
            longest = extent > longest ? extent : longest;
            if (is_named || extent == first) continue;
            PyErr_Format(PyExc_ValueError,
                         "item %zd, axis %d: the extent is %lld, item 0 has %lld: axes that axes= "
                         "leaves out have to be equal",
                         source->parts[i].item, axis, (long long)extent, (long long)first);
            return -1;
        }
        if (is_named && resolve_request(axis, longest, &buckets[axis], &requests[axis]) != 0)
            return -1;
    }
    return 0;
}

/* The lists of an item inside the output, if its first list is at row `before`: [*first, end). */
static int64_t lists_inside(const batch_source *source, Py_ssize_t begin, int64_t before,
                            const batch_tensors *layout, int64_t *first)
{
    const int64_t lists = lists_of(source, begin);
    *first = before < 0 ? -before : 0;
    return lists < layout->each - before ? lists : layout->each - before;
}

/* Describes these lists. *next: the next tensor, if most lists are missing. */
static void describe_lists(const batch_source *source, Py_ssize_t begin, int64_t before,
                           batch_tensors *layout, int64_t *next)
{
    const batch_part *part = &source->parts[begin];
    int64_t i;
    const int64_t end = lists_inside(source, begin, before, layout, &i);
    for (; i < end; i++) {
        int64_t tensor = part->item * layout->each + before + i;
        if (layout->rows) {
            layout->rows[*next] = tensor;
            tensor = (*next)++;
        }
        if (part->list < 0) {
            describe_part(source, part, i, layout, tensor);
        } else {
            describe_part(source, part + i, -1, layout, tensor);
        }
    }
}

/* Determines the number of lists in an item of the output. fit: for the first axis of the items. */
static int find_each(const batch_source *source, const tpad_fit *fit, batch_tensors *layout)
{
    tpad_error error;
    int64_t item = -1, *lists = PyMem_Malloc((size_t)source->items * sizeof *lists);
    if (lists == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < source->count; i += parts_of(source, i))
        lists[source->parts[i].item] = lists_of(source, i);
    const int32_t status =
        tpad_fit_extents(fit, lists, source->items, &layout->each, &item, &error);
    PyMem_Free(lists);
    if (status == TPAD_OK) return 0;
    raise_item_error(&error, item);
    return -1;
}

/* Finds the row of an item's first list. Returns 0, or -1 with an exception. */
static int find_before(const batch_source *source, Py_ssize_t begin, const tpad_fit *fit,
                       const batch_tensors *layout, int64_t *before)
{
    tpad_error error;
    tpad_axis axis = {.in_extent = lists_of(source, begin)};
    if (tpad_fit_amounts(fit, &layout->each, &axis, &error) != TPAD_OK) {
        raise_item_error(&error, source->parts[begin].item);
        return -1;
    }
    *before = axis.before;
    return 0;
}

/* The number of lists inside the output, or -1 with an exception. */
static int64_t count_inside(const batch_source *source, const tpad_fit *fit,
                            const batch_tensors *layout)
{
    int64_t count = 0, before, first;
    for (Py_ssize_t i = 0; i < source->count; i += parts_of(source, i)) {
        if (find_before(source, i, fit, layout, &before) != 0) return -1;
        const int64_t end = lists_inside(source, i, before, layout, &first);
        if (end > first) count += end - first;
    }
    return count;
}

/* Refuses lists that do not fit before anything is written, and fixes the extent, so that the batch
 * can run in parts. */
static int check_rows(batch_tensors *layout)
{
    tpad_error error;
    const int64_t extent = layout->extents[1];
    int64_t row = 0;
    for (int64_t i = 0; i < layout->batch.count; i++) {
        tpad_axis missing = {0}, axis = {.in_extent = layout->tensors[i].extents[0]};
        if (layout->rows[i] > row &&
            tpad_fit_amounts(&layout->fit, &extent, &missing, &error) != TPAD_OK)
            return refuse_row(layout, &error, row);
        if (tpad_fit_amounts(&layout->fit, &extent, &axis, &error) != TPAD_OK)
            return batch_refuse(layout, &error, i);
        row = layout->rows[i] + 1;
    }
    layout->requests[0].sized = 1;
    layout->requests[0].extent = extent;
    layout->requests[0].multiple = 0;
    return 0;
}

static int describe_nested(const batch_source *source, batch_tensors *layout)
{
    const tpad_fit_axis request = layout->requests[0];
    const tpad_fit fit = TPAD_FIT(1, &request);
    if (request.mode != TPAD_CONSTANT || layout->requests[1].mode != TPAD_CONSTANT) {
        PyErr_SetString(PyExc_ValueError, "lists of lists can only be padded with mode "
                                          "'constant': make arrays of them");
        return -1;
    }
    if (find_each(source, &fit, layout) != 0) return -1;
    layout->requests[0] = layout->requests[1];
    layout->fit = (tpad_fit)TPAD_FIT(1, layout->requests);
    layout->of_lists = 1;
    /* The library needs at least one tensor, for the extents. */
    const int64_t each = layout->each > 0 ? layout->each : 1;
    const int64_t inside = count_inside(source, &fit, layout);
    const int many = each > INT64_MAX / source->items;
    const int64_t rows = many ? INT64_MAX : each * source->items;
    const int sparse = !many && layout->each > 0 && inside < rows / 2;
    const int64_t count = sparse ? (inside > 0 ? inside : 1) : rows;
    if (inside < 0 || make_room(source, count, layout) != 0) return -1;
    if (sparse) {
        layout->rows = PyMem_Calloc((size_t)count, sizeof *layout->rows);
        if (layout->rows == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    int64_t next = 0, before;
    for (Py_ssize_t i = 0; i < source->count; i += parts_of(source, i)) {
        if (find_before(source, i, &fit, layout, &before) != 0) return -1;
        describe_lists(source, i, before, layout, &next);
    }
    return 0;
}

/* ---- Both ------------------------------------------------------------------------------------ */

int batch_describe(const batch_source *source, const tpad_fit_axis *requests, batch_tensors *layout)
{
    memset(layout, 0, sizeof *layout);
    memcpy(layout->requests, requests, sizeof *requests * (size_t)source->rank);
    const int described =
        source->nested ? describe_nested(source, layout) : describe_items(source, layout);
    if (described != 0) return -1;
    int64_t tensor = -1;
    tpad_error error;
    const int32_t status =
        tpad_batch_shape(&layout->batch, layout->extents + layout->of_lists, NULL, &tensor, &error);
    if (layout->of_lists) layout->extents[0] = layout->each;
    if (layout->each == 0) layout->batch.count = 0;
    if (status != TPAD_OK) return batch_refuse(layout, &error, tensor);
    return layout->rows ? check_rows(layout) : 0;
}

void batch_free(batch_tensors *layout)
{
    PyMem_Free(layout->tensors);
    PyMem_Free(layout->integers);
    PyMem_Free(layout->rows);
}

/* ---- Lists, if most are missing -------------------------------------------------------------- */

/* The batch, with its output beginning at a row. */
static tpad_batch batch_at(const batch_tensors *layout, int64_t row)
{
    tpad_batch part = layout->batch;
    const int64_t cells = row * layout->extents[1];
    part.dst = (char *)part.dst + cells * (part.elem_bits / 8);
    if (part.mask) part.mask += cells;
    if (part.lengths) part.lengths += row;
    return part;
}

/* Copies the first row, of `bytes`, to the rows after it. */
static void repeat_row(void *first, int64_t bytes, int64_t rows)
{
    for (int64_t done = 1; first && bytes > 0 && done < rows; done *= 2) {
        const int64_t more = done < rows - done ? done : rows - done;
        memcpy((char *)first + done * bytes, first, (size_t)(more * bytes));
    }
}

/* Fills rows that have no list. */
static int32_t run_blank(const batch_tensors *layout, int64_t row, int64_t rows, tpad_error *error)
{
    static const int64_t nothing = 0;
    const tpad_batch_item blank = {.extents = &nothing};
    tpad_batch part = batch_at(layout, row);
    int64_t tensor;
    part.items = &blank;
    part.count = 1;
    const int32_t status = tpad_batch_run(&part, NULL, &tensor, error);
    if (status != TPAD_OK) return status;
    repeat_row(part.dst, layout->extents[1] * (part.elem_bits / 8), rows);
    repeat_row(part.mask, layout->extents[1], rows);
    repeat_row(part.lengths, (int64_t)sizeof *part.lengths, rows);
    return TPAD_OK;
}

int32_t batch_run_rows(const batch_source *source, const batch_tensors *layout, int blank,
                       const tpad_runner *runner, int64_t *tensor, tpad_error *error)
{
    const int64_t rows = source->items * layout->each, count = layout->batch.count;
    int64_t row = 0, done = 0;
    int32_t status = TPAD_OK;
    while (status == TPAD_OK && row < rows) {
        const int64_t next = done < count ? layout->rows[done] : rows;
        if (next > row) {
            if (blank) status = run_blank(layout, row, next - row, error);
            row = next;
            continue;
        }
        tpad_batch part = batch_at(layout, row);
        part.items += done;
        part.count = 1;
        while (done + part.count < count && layout->rows[done + part.count] == row + part.count)
            part.count++;
        status = tpad_batch_run(&part, runner, tensor, error);
        if (status != TPAD_OK && *tensor >= 0) *tensor += done;
        row += part.count;
        done += part.count;
    }
    return status;
}

/* ---- A constant for each item ---------------------------------------------------------------- */

int32_t batch_run_each(const batch_source *source, batch_tensors *layout, const tpad_runner *runner,
                       int64_t *tensor, tpad_error *error)
{
    const int64_t bytes = source->type.view.item_bytes;
    tpad_batch part = layout->batch;
    int64_t cells = 1;
    for (int i = 0; i < source->rank; i++) {
        layout->requests[i].sized = 1;
        layout->requests[i].extent = layout->extents[i];
        layout->requests[i].multiple = 0;
        cells *= layout->extents[i];
    }
    part.count = 1;
    for (int64_t i = 0; i < layout->batch.count; i++) {
        const int32_t status = tpad_batch_run(&part, runner, tensor, error);
        if (status != TPAD_OK) {
            *tensor = i;
            return status;
        }
        part.items++;
        part.dst = (char *)part.dst + cells * bytes;
        part.value = (const char *)part.value + bytes;
        if (part.mask) part.mask += cells;
        if (part.lengths) part.lengths += source->rank;
    }
    return TPAD_OK;
}
