/* tensorpad.pad_batch.  SPDX-License-Identifier: MIT */
#include "batch_call.h"

#include <string.h>

#define PAD_BATCH_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                             \
    REQUIRED(items)                                                                                \
    STAR()                                                                                         \
    OPTIONAL(shape, "None")                                                                        \
    OPTIONAL(multiple, "None")                                                                     \
    OPTIONAL(buckets, "None")                                                                      \
    OPTIONAL(at_most, "None")                                                                      \
    OPTIONAL(axes, "None")                                                                         \
    OPTIONAL(align, "'start'")                                                                     \
    OPTIONAL(too_long, "'error'")                                                                  \
    OPTIONAL(mode, "'constant'")                                                                   \
    OPTIONAL(constant_values, "0")                                                                 \
    OPTIONAL(constant_axis, "None")                                                                \
    OPTIONAL(dtype, "None")                                                                        \
    OPTIONAL(out, "None")                                                                          \
    OPTIONAL(mask, "False")                                                                        \
    OPTIONAL(lengths, "False")                                                                     \
    OPTIONAL(threads, "None")

typedef struct pad_batch_call {
    PARAMETER_FIELDS(PAD_BATCH_PARAMETERS)
} pad_batch_call;

static const parameter pad_batch_rows[] = {PARAMETER_ROWS(PAD_BATCH_PARAMETERS)};
static const signature pad_batch_signature = SIGNATURE("pad_batch", pad_batch_rows, 1, 0);

/* ---- Items ----------------------------------------------------------------------------------- */

/* Reads the call's dtype; with a dtype of torch, outputs are tensors. */
static int read_type(context *c, PyObject *dtype, batch_source *source)
{
    if (dtype == NULL || dtype == Py_None) return 0;
    PyObject *array, *maker;
    PyObject *pair = call_python(c, "_batch", "batch_type", "(O)", dtype);
    int status = -1;
    if (pair && PyArg_ParseTuple(pair, "OO", &array, &maker)) {
        status = operand_take(c, Py_NewRef(array), &source->type);
        if (status == 0 && maker != Py_None) source->maker = Py_NewRef(maker);
    }
    Py_XDECREF(pair);
    if (status == 0 && !source->type.movable) {
        PyErr_Format(PyExc_TypeError, "dtype: elements of type %S cannot be padded in a batch",
                     source->type.dtype);
        source->left = 1;
        status = -1;
    }
    source->converts = 1;
    return status;
}

static int add_item(context *c, batch_source *source, PyObject *thing, Py_ssize_t item)
{
    if (Py_TYPE(thing) == (PyTypeObject *)c->state->ndarray)
        return batch_add_array(c, source, thing, item);
    if (PyList_Check(thing) || PyTuple_Check(thing) || thing == Py_None)
        return batch_add_list(c, source, thing, item) == 0 ? 0 : batch_blame(item, -1);
    if (PyUnicode_Check(thing) || PyBytes_Check(thing) || PyDict_Check(thing)) {
        PyErr_Format(PyExc_TypeError, "arrays or lists of numbers are wanted, got %R%s",
                     Py_TYPE(thing),
                     PyDict_Check(thing) ? ": pad_batch_dict takes dicts"
                                         : ": a text is one element, give lists of them");
        return batch_blame(item, -1);
    }
    return batch_add_array(c, source, thing, item);
}

/* The rank of a part's item, or -1 if the other items decide it. */
static int rank_of(const batch_part *part)
{
    if (batch_is_empty_list(part)) return -1;
    if (part->list >= 0) return 2;
    return part->array.array ? part->array.view.rank : 1;
}

/* Checks that all items have the same rank, at least 1 if there is a list. */
static int check_ranks(batch_source *source)
{
    Py_ssize_t first = 0;
    while (first < source->count && rank_of(&source->parts[first]) < 0) first++;
    const int rank = first < source->count ? rank_of(&source->parts[first]) : 1;
    for (Py_ssize_t i = 0; i < source->count; i++) {
        const batch_part *part = &source->parts[i];
        const int part_rank = rank_of(part) >= 0 ? rank_of(part) : rank > 0 ? rank : 1;
        if (part_rank == rank) continue;
        PyErr_Format(PyExc_ValueError, "item %zd has %d ax%s, item %zd has %d", part->item,
                     part_rank, part_rank == 1 ? "is" : "es", source->parts[first].item, rank);
        return -1;
    }
    if (rank >= TPAD_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "item 0 has %d axes, but at most %d are supported", rank,
                     TPAD_MAX_RANK - 1);
        return -1;
    }
    source->rank = rank;
    return 0;
}

static int is_known(const module_state *state, PyObject *thing)
{
    return Py_TYPE(thing) == (PyTypeObject *)state->ndarray || PyList_Check(thing) ||
           PyTuple_Check(thing);
}

/* Looks up torch.Tensor if the first item may be a tensor. */
static int find_tensors(context *c, batch_source *source, PyObject *items)
{
    if (is_known(c->state, PyTuple_GetItem(items, 0))) return 0;
    PyObject *pair = call_python(c, "_batch", "batch_tensors", "()");
    PyObject *type;
    const int read = pair && PyArg_ParseTuple(pair, "Op", &type, &source->recorded);
    if (read && type != Py_None) source->tensors = Py_NewRef(type);
    Py_XDECREF(pair);
    return read ? 0 : -1;
}

/* If an item is a torch tensor, outputs become tensors. */
static int set_maker(context *c, batch_source *source, PyObject *items)
{
    for (Py_ssize_t i = 0; source->maker == NULL && i < source->items; i++) {
        PyObject *thing = PyTuple_GetItem(items, i);
        if (is_known(c->state, thing)) continue;
        PyObject *maker = call_python(c, "_batch", "batch_maker", "(OO)", thing,
                                      source->torch_type && i == source->type_item
                                          ? Py_None /* the batch is made like it */
                                          : source->type.dtype);
        if (maker == NULL) return -1;
        if (maker != Py_None) source->maker = Py_NewRef(maker);
        Py_DECREF(maker);
    }
    return 0;
}

/* 1 if an item has a mask or units; 0 if not, -1 with an exception. */
static int carries(context *c, PyObject *thing)
{
    PyObject *answer = call_python(c, "_carriers", "carries", "(O)", thing);
    const int is = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return is;
}

/* Opens all items of a tuple: 0; 1 if an item has a mask or units; -1 with an exception. Call
 * batch_close in any case. */
static int open_items(context *c, batch_source *source, PyObject *items)
{
    source->items = PyTuple_Size(items);
    if (source->items == 0) {
        PyErr_SetString(PyExc_ValueError, "pad_batch: no items");
        return -1;
    }
    int status = find_tensors(c, source, items);
    for (Py_ssize_t i = 0; status == 0 && i < source->items; i++) {
        PyObject *thing = PyTuple_GetItem(items, i);
        if (!is_known(c->state, thing) && (PyObject *)Py_TYPE(thing) != source->tensors)
            status = carries(c, thing);
        if (status == 0) status = add_item(c, source, thing, i);
    }
    if (status == 0) status = batch_read_lists(c, source);
    if (status == 0) status = check_ranks(source);
    return status == 0 ? set_maker(c, source, items) : status;
}

/* ---- Outputs --------------------------------------------------------------------------------- */

/* The outputs of a call. */
typedef struct batch_outputs {
    operand array, mask, lengths; /* .array NULL: not asked for */
    operand dense;                /* written by the library if `array` has gaps */
    PyObject *result;             /* returned for `array` */
    int zeroed;                   /* 1: memory and constant are all zeros */
} batch_outputs;

static void close_outputs(batch_outputs *outputs)
{
    operand_close(&outputs->array);
    operand_close(&outputs->mask);
    operand_close(&outputs->lengths);
    operand_close(&outputs->dense);
    Py_CLEAR(outputs->result);
}

static int check_overlap(const batch_source *source, const array_view *out)
{
    for (Py_ssize_t i = 0; i < source->count; i++) {
        const batch_part *part = &source->parts[i];
        if (part->array.array == NULL || !array_overlap(&part->array.view, out)) continue;
        PyErr_Format(PyExc_ValueError, "item %zd shares memory with out", part->item);
        return -1;
    }
    return 0;
}

/* 1 if the fill is one element whose bits are all zero. */
static int is_zero(const fill_values *value, int item_bytes)
{
    if (value->elements == NULL) return 1;
    if (value->array != NULL && array_size(&value->view) != 1) return 0;
    int bits = 0;
    for (int i = 0; i < item_bytes; i++) bits |= value->elements[i];
    return bits == 0;
}

static int open_outputs(context *c, const pad_batch_call *call, const batch_source *source,
                        const batch_tensors *layout, const fill_values *value, int masked,
                        int measured, batch_outputs *out)
{
    const int rank = source->rank + 1;
    int64_t shape[TPAD_MAX_RANK] = {source->items};
    memcpy(shape + 1, layout->extents, sizeof *shape * (size_t)source->rank);
    /* Zeroed memory costs nothing where nothing is written, and most rows have no list. */
    const int makes = call->out == NULL || call->out == Py_None;
    out->zeroed = layout->rows && makes && source->maker == NULL &&
                  is_zero(value, source->type.view.item_bytes);
    array_maker *array_new = out->zeroed ? array_zeros : array_empty;
    if (out->zeroed) {
        if (operand_take(c, array_zeros(c->state, rank, shape, source->type.dtype, 0),
                         &out->array) != 0)
            return -1;
        out->result = Py_NewRef(out->array.array);
    } else if (operand_result(c, makes ? source->maker : call->out, &source->type, rank, shape,
                              &out->array, &out->result) != 0) {
        return -1;
    }
    if (!(out->array.view.flags & ARRAY_C_CONTIGUOUS) &&
        operand_take(c, array_empty(c->state, rank, shape, source->type.dtype, 0), &out->dense) !=
            0)
        return -1;
    if (masked && operand_take(c, array_new(c->state, rank, shape, (PyObject *)&PyBool_Type, 0),
                               &out->mask) != 0)
        return -1;
    if (!measured) return 0;
    const int64_t lengths[3] = {source->items, source->nested ? layout->each : source->rank, 1};
    PyObject *word = PyUnicode_FromString("int64");
    const int axes = source->nested ? 3 : source->rank == 1 ? 1 : 2;
    const int status =
        word ? operand_take(c, array_new(c->state, axes, lengths, word, 0), &out->lengths) : -1;
    Py_XDECREF(word);
    return status;
}

/* The array in the form of `result`, a new reference: NumPy's, or a torch tensor on the same
 * memory. */
static PyObject *result_like(context *c, PyObject *result, PyObject *array)
{
    if (Py_TYPE(result) == (PyTypeObject *)c->state->ndarray) return Py_NewRef(array);
    return call_python(c, "_batch", "batch_like", "(OO)", result, array);
}

/* The array, or a tuple of it and the other requested outputs: a new reference. */
static PyObject *make_result(context *c, batch_outputs *outputs)
{
    PyObject *all[3] = {Py_NewRef(outputs->result)};
    const operand *more[] = {&outputs->mask, &outputs->lengths};
    int count = 1;
    for (int i = 0; i < 2; i++) {
        if (more[i]->array == NULL) continue;
        all[count++] = result_like(c, outputs->result, more[i]->array);
    }
    PyObject *result = count == 1 ? Py_NewRef(all[0]) : PyTuple_New(count);
    for (int i = 0; result && count > 1 && i < count; i++)
        if (all[i] == NULL || PyTuple_SetItem(result, i, Py_NewRef(all[i])) != 0) Py_CLEAR(result);
    for (int i = 0; i < count; i++) Py_XDECREF(all[i]);
    return result;
}

/* ---- The call -------------------------------------------------------------------------------- */

/* Runs the library. */
static int run_batch(const module_state *state, const batch_source *source, batch_tensors *layout,
                     const batch_outputs *outputs, const fill_values *value, int threads)
{
    const operand *out = outputs->dense.array ? &outputs->dense : &outputs->array;
    tpad_batch *batch = &layout->batch;
    tpad_runner room;
    tpad_error error;
    int64_t tensor = -1;
    int32_t status = TPAD_OK;
    batch->dst = out->view.data;
    const tpad_fill fill = fill_of(value);
    batch->value = fill.values;
    batch->value_strides = fill.strides;
    if (outputs->mask.array) batch->mask = (unsigned char *)outputs->mask.view.data;
    if (outputs->lengths.array) batch->lengths = (int64_t *)(void *)outputs->lengths.view.data;
    if (value->axis == OF_ITEMS && value->elements) {
        const tpad_runner *runner = runner_for(state, threads, &room);
        Py_BEGIN_ALLOW_THREADS
        status = batch_run_each(source, layout, runner, &tensor, &error);
        Py_END_ALLOW_THREADS
    } else if (layout->rows) {
        const tpad_runner *runner = runner_for(state, threads, &room);
        Py_BEGIN_ALLOW_THREADS
        status = batch_run_rows(source, layout, !outputs->zeroed, runner, &tensor, &error);
        Py_END_ALLOW_THREADS
    } else if (batch->count > 0 &&
               array_size(&out->view) * out->view.item_bytes < WORTH_RELEASING) {
        status = tpad_batch_run(batch, NULL, &tensor, &error);
    } else if (batch->count > 0) {
        const tpad_runner *runner = runner_for(state, threads, &room);
        Py_BEGIN_ALLOW_THREADS
        status = tpad_batch_run(batch, runner, &tensor, &error);
        Py_END_ALLOW_THREADS
    }
    if (status != TPAD_OK) return batch_refuse(layout, &error, tensor);
    if (out == &outputs->array) return 0;
    tpad_axis axes[TPAD_MAX_RANK] = {{0}};
    return move_elements(state, axes, &out->view, &outputs->array.view, NULL, threads);
}

/* Writes the outputs, after all arguments have been read. Describes the items again if foreign code
 * has run, which may have changed them. */
static int write_outputs(context *c, batch_source *source, const tpad_fit_axis *requests,
                         batch_tensors *layout, batch_outputs *outputs, const fill_values *value,
                         int threads)
{
    if (c->foreign) {
        if (batch_refresh(c, source) != 0 || operand_refresh(c, &outputs->array) != 0) return -1;
        batch_free(layout);
        if (batch_describe(source, requests, layout) != 0) return -1;
    }
    if (check_overlap(source, &outputs->array.view) != 0) return -1;
    return run_batch(c->state, source, layout, outputs, value, threads);
}

/* Reads the constants of an output with known extents. */
static int read_constants(context *c, const pad_batch_call *call, const batch_source *source,
                          const batch_tensors *layout, fill_values *out)
{
    if (call->constant_axis == NULL || call->constant_axis == Py_None) {
        const int kind = source->type.view.kind;
        PyObject *text = kind == 'U' || kind == 'S' ? PyUnicode_FromString("") : Py_NewRef(Py_None);
        PyObject *given =
            call->constant_values == NULL && text != Py_None ? text : call->constant_values;
        const int status = text ? read_one_value(c, &source->type, given, "pad_batch", out) : -1;
        Py_XDECREF(text);
        return status;
    }
    if (PyUnicode_Check(call->constant_axis) &&
        PyUnicode_CompareWithASCIIString(call->constant_axis, "item") == 0) {
        PyObject *first = PyLong_FromLong(0);
        const int64_t items = source->items;
        const int read =
            first ? read_axis_values(c, &source->type, call->constant_values, first, 1, &items, out)
                  : -1;
        Py_XDECREF(first);
        out->axis = OF_ITEMS;
        if (read != 0 || !layout->of_lists) return read;
        PyErr_SetString(PyExc_ValueError,
                        "constant_axis 'item' is for items that are no lists of lists: make arrays "
                        "of them");
        return -1;
    }
    if (read_axis_values(c, &source->type, call->constant_values, call->constant_axis, source->rank,
                         layout->extents, out) != 0)
        return -1;
    if (!layout->of_lists) return 0;
    out->strides[0] = out->strides[1]; /* each list is its own tensor */
    if (out->axis == 1) return 0;
    PyErr_SetString(PyExc_ValueError, "constant_axis of lists of lists has to be their last axis");
    return -1;
}

/* ((five integers for each axis) for each item), the constants): a new reference. Refuses items
 * that do not fit. */
static PyObject *make_description(context *c, const batch_source *source,
                                  const batch_tensors *layout, const fill_values *values)
{
    PyObject *items = PyTuple_New(source->items);
    for (Py_ssize_t i = 0; items && i < source->items; i++) {
        tpad_axis axes[TPAD_MAX_RANK];
        tpad_error error;
        PyObject *five = NULL;
        for (int k = 0; k < source->rank; k++)
            axes[k] = (tpad_axis){.in_extent = layout->tensors[i].extents[k]};
        const tpad_problem problem =
            dense_problem(axes, source->rank, 8 * source->type.view.item_bytes);
        if (tpad_fit_amounts(&layout->fit, layout->extents, axes, &error) != TPAD_OK ||
            tpad_shape(&problem, NULL, NULL, NULL, &error) != TPAD_OK) {
            batch_refuse(layout, &error, i);
        } else {
            five = make_axes(source->rank, axes);
        }
        if (five == NULL || PyTuple_SetItem(items, i, five) != 0) Py_CLEAR(items);
    }
    const int64_t count = source->items;
    const int64_t *extents = values->axis == OF_ITEMS ? &count : layout->extents;
    PyObject *array = items ? values_array(c, &source->type, source->rank, extents, values) : NULL;
    PyObject *result = array ? PyTuple_Pack(2, items, array) : NULL;
    Py_XDECREF(items);
    Py_XDECREF(array);
    return result;
}

/* Pads the items; the result is a new reference. described: return what core_batch_axes does. */
static PyObject *pad_source(context *c, const pad_batch_call *call, batch_source *source,
                            int masked, int measured, int threads, int described)
{
    const request_words words = {call->shape, call->multiple, call->align,   call->too_long,
                                 call->mode,  call->at_most,  call->buckets, TPAD_ALIGN_START};
    tpad_fit_axis requests[TPAD_MAX_RANK];
    call_buckets buckets;
    chosen_axes chosen;
    fill_values value;
    if (source->rank == 0 && ((call->shape && PyIndex_Check(call->shape)) ||
                              (call->multiple && PyIndex_Check(call->multiple)))) {
        PyErr_SetString(PyExc_ValueError,
                        "the items are single numbers, which have no axes for shape and multiple: "
                        "pad_batch([x], ...) makes one item of them");
        return NULL;
    }
    if (read_chosen(c, call->axes, "axes", source->rank, &chosen) != 0 ||
        read_requests(c, &words, &chosen, source->rank, requests, &buckets) != 0 ||
        batch_limit(source, &chosen, buckets.axes, requests) != 0)
        return NULL;
    values_start(&value);
    batch_tensors layout;
    batch_outputs outputs = {0};
    PyObject *result = NULL;
    int status = batch_describe(source, requests, &layout);
    if (status == 0) status = read_constants(c, call, source, &layout, &value);
    if (status == 0 && described) {
        result = make_description(c, source, &layout, &value);
        goto done;
    }
    if (status == 0)
        status = open_outputs(c, call, source, &layout, &value, masked, measured, &outputs);
    if (status == 0)
        status = write_outputs(c, source, requests, &layout, &outputs, &value, threads);
    if (status == 0) result = make_result(c, &outputs);
done:
    batch_free(&layout);
    close_outputs(&outputs);
    values_close(&value);
    return result;
}

static int is_true(PyObject *flag)
{
    return flag ? PyObject_IsTrue(flag) : 0;
}

/* Passes the call to Python: the items have masks or units, `out` is foreign, or the call was refused
 * but Python may pad their types by places. items: a tuple, because the argument may be used up. */
static PyObject *leave_to_python(context *c, int refused, PyObject *items,
                                 const pad_batch_call *call)
{
    PyObject *type = NULL, *error = NULL, *trace = NULL;
    pad_batch_call words = *call;
    words.items = items;
    if (refused) {
        PyErr_Fetch(&type, &error, &trace);
        PyErr_NormalizeException(&type, &error, &trace);
    }
    PyObject *name = refused ? Py_BuildValue("(s)", "refusal") : NULL;
    PyObject *result =
        refused && name == NULL
            ? NULL
            : through_door(c, refused ? "batch_by_places" : "pad_batch", &pad_batch_signature,
                           (PyObject **)&words, &error, 0, name);
    Py_XDECREF(name);
    Py_XDECREF(type);
    Py_XDECREF(error);
    Py_XDECREF(trace);
    return result;
}

static PyObject *run_call(PyObject *module, PyObject *const *args, Py_ssize_t count,
                          PyObject *names, int described)
{
    context c = {PyModule_GetState(module), 0};
    pad_batch_call call;
    if (read_call(&pad_batch_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    const int threads = read_threads(c.state, call.threads);
    const int masked = threads < 0 ? -1 : is_true(call.mask);
    const int measured = masked < 0 ? -1 : is_true(call.lengths);
    if (measured < 0) return NULL;
    PyObject *items =
        PySequence_Tuple(call.items); /* may run code, so before any array is opened */
    if (items == NULL) return NULL;
    batch_source source = {0};
    PyObject *result = NULL;
    const int opened = is_foreign(c.state, NULL, call.out)       ? 1
                       : read_type(&c, call.dtype, &source) == 0 ? open_items(&c, &source, items)
                                                                 : -1;
    if (opened == 0) result = pad_source(&c, &call, &source, masked, measured, threads, described);
    batch_close(&c, &source);
    if (opened > 0 || (opened < 0 && source.left))
        result = leave_to_python(&c, opened < 0, items, &call);
    Py_DECREF(items);
    return result;
}

static PyObject *core_pad_batch(PyObject *module, PyObject *const *args, Py_ssize_t count,
                                PyObject *names)
{
    return run_call(module, args, count, names, 0);
}

/* batch_axes(items, the other arguments of pad_batch): checks the call and returns five integers
 * for each axis of each item, and the constants as an array. Items are arrays; none of their
 * elements are read. */
PyObject *core_batch_axes(PyObject *module, PyObject *const *args, Py_ssize_t count,
                          PyObject *names)
{
    return run_call(module, args, count, names, 1);
}

PyDoc_STRVAR(
    pad_batch_doc,
    PARAMETERS_SHOWN(
        "pad_batch", PAD_BATCH_PARAMETERS, "",
        "Pad items of different extents into one array. Its first axis counts the items.\n"
        "\n"
        "items: a list, or what can be iterated, of arrays, torch tensors (then the result is\n"
        "    one), lists of numbers, or lists of lists of numbers, each list (or memoryview) of\n"
        "    its own length. All items have one type, one rank and one unit; arrays and lists\n"
        "    may be mixed. Lists get the type that numpy.asarray finds for all of them\n"
        "    together.\n"
        "shape: the extents of each item in the result; None: those of the longest item.\n"
        "multiple: the extents are rounded up to a multiple of this, or with 'power_of_two' to a\n"
        "    power of two.\n"
        "buckets: in place of shape and multiple: the extents to choose from; the smallest one\n"
        "    that holds the longest item (or at_most) is taken. As in pad_to.\n"
        "at_most: in place of shape: the extents are those of the longest item, but at most this\n"
        "    before they are rounded up; too_long says what becomes of longer items.\n"
        "axes: the axes of an item to which shape, multiple, at_most, align, too_long and mode\n"
        "    apply; None: all axes. The items' other axes have to be equal.\n"
        "align: where an item lies: 'start', 'center', 'end', or the index of its first cell.\n"
        "too_long: what happens to an item that is longer than that: 'error', 'crop' (on the\n"
        "    sides where align would pad), 'crop_end', 'crop_start', 'crop_center', or 'keep':\n"
        "    the extent grows to that of the longest item.\n"
        "mode: 'constant', 'edge', 'reflect', 'symmetric' or 'wrap'; lists of lists have only\n"
        "    'constant'. Each of these arguments may be a list with an entry for each axis, or a\n"
        "    dict by axis.\n"
        "constant_values: one value; or with constant_axis, one for each cell of this axis of\n"
        "    the result, or for each item. Of texts it is '' if it is not given, of objects None.\n"
        "constant_axis: an axis of an item; of lists of lists it is the last one. 'item':\n"
        "    constant_values has a value for each item, such as the least voxel of each.\n"
        "dtype: converts the items: lists as numpy.asarray(item, dtype) does, arrays with\n"
        "    NumPy's casting 'same_kind'. With a type of torch the results are tensors. None:\n"
        "    the type of the items.\n"
        "out: the array to write into, of the result's shape and type, which shares no memory\n"
        "    with an item; it is returned.\n"
        "mask: True also returns a bool array of the same shape, which is True where cells of\n"
        "    items lie, masked or not.\n"
        "lengths: True also returns how many cells of each item lie in the result, as int64.\n"
        "    The shape is (n,) for items of one axis, (n, lists, 1) for lists of lists,\n"
        "    otherwise (n, axes).\n"
        "threads: how many threads may share the work; None: thread_count().\n"
        "\n"
        "A text (str or bytes) is one element. Texts get a type that holds the longest one and\n"
        "the constant. With dtype=object elements may be anything; a None beside texts makes\n"
        "objects of them. Beside numbers a None is refused; dtype=float makes NaN of it. None\n"
        "in place of an item, or of a list in lists of lists, has no cells.\n"
        "\n"
        "Returns the array, or a tuple of the array, the mask and the lengths. TypeError and\n"
        "ValueError name the item; then nothing was written."));

PyMethodDef pad_batch_method = PUBLIC_METHOD("pad_batch", core_pad_batch, pad_batch_doc);
