/* tensorpad._models: models in files.  SPDX-License-Identifier: MIT
 *
 * A separate module, so that programs that only pad arrays load no parser. Binds models/models.h;
 * the Python side (tensorpad/_model_files.py) converts types to dtypes and back.
 */
#include "models/folding/folding.h"
#include "models_calls.h"
#include "python/extension/slots.h"

#include <stdlib.h>
#include <string.h>
#include <tensorpad/threads.h>

/* A capsule's context is the bytes object that holds the model, or NULL. */
static void free_model(PyObject *capsule)
{
    tpad_model_free(PyCapsule_GetPointer(capsule, models_capsule));
    Py_XDECREF((PyObject *)PyCapsule_GetContext(capsule));
}

/* Reads one (name, numbers, TPAD_SAYS_...) of load. The tuple owns the name; the caller frees the
 * numbers. */
static int take_shape(tpad_input_shape *shape, PyObject *item)
{
    const char *name;
    PyObject *extents;
    int says;
    if (!PyArg_ParseTuple(item, "yO!i", &name, &PyTuple_Type, &extents, &says)) return -1;
    const Py_ssize_t rank = PyTuple_Size(extents);
    int64_t *list = calloc((size_t)rank + 1, sizeof *list);
    *shape = (tpad_input_shape){.name = name,
                                .rank = rank < INT32_MAX ? (int32_t)rank : INT32_MAX,
                                .shape = list,
                                .says = says};
    if (list == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < rank; i++) {
        list[i] = PyLong_AsLongLong(PyTuple_GetItem(extents, i));
        if (list[i] == -1 && PyErr_Occurred()) return -1;
    }
    return 0;
}

/* load(path, content, shapes): a capsule. path: bytes; content: None, or the model as bytes;
 * shapes: a list of (name as bytes, tuple of int, TPAD_SAYS_...) */
static PyObject *models_load(PyObject *module, PyObject *arguments)
{
    (void)module;
    tpad_model_source source = {0};
    PyObject *content, *list, *capsule = NULL;
    if (!PyArg_ParseTuple(arguments, "yOO!", &source.path, &content, &PyList_Type, &list))
        return NULL;
    if (content != Py_None) {
        char *bytes;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(content, &bytes, &length) != 0) return NULL;
        source.bytes = bytes;
        source.count = length;
    }
    const Py_ssize_t count = PyList_Size(list);
    tpad_input_shape *shapes = calloc((size_t)count + 1, sizeof *shapes);
    if (shapes == NULL) return PyErr_NoMemory();
    int failed = 0;
    for (Py_ssize_t i = 0; i < count && !failed; i++)
        failed = take_shape(&shapes[i], PyList_GetItem(list, i));
    if (!failed) {
        tpad_model *model;
        tpad_io_error error;
        int32_t status;
        Py_BEGIN_ALLOW_THREADS
        status = tpad_model_load_from(&model, &source, shapes, (int32_t)count, &error);
        Py_END_ALLOW_THREADS
        if (status == TPAD_OK) {
            capsule = PyCapsule_New(model, models_capsule, free_model);
            if (capsule == NULL)
                tpad_model_free(model);
            else if (source.bytes)
                PyCapsule_SetContext(capsule, Py_NewRef(content));
        } else
            models_raise(&error);
    }
    for (Py_ssize_t i = 0; i < count; i++) free((void *)(uintptr_t)shapes[i].shape);
    free(shapes);
    return capsule;
}

/* ---- Pads of a model ------------------------------------------------------------------------- */

static PyObject *make_texts(int32_t count, const char *const *texts)
{
    PyObject *tuple = PyTuple_New(count);
    for (int32_t i = 0; tuple && i < count; i++) {
        PyObject *item = models_text(texts[i]);
        if (item == NULL || PyTuple_SetItem(tuple, i, item) != 0) Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *make_node(const tpad_pad_node *node)
{
    PyObject *dict = PyDict_New();
    if (dict == NULL) return NULL;
    if (models_put(dict, "name", models_text(node->name)) != 0 ||
        models_put(dict, "graph", models_text(node->graph)) != 0 ||
        models_put(dict, "output", models_text(node->output)) != 0 ||
        models_put(dict, "spec", models_text(node->spec)) != 0 ||
        models_put(dict, "version",
                   node->version > 0 ? PyLong_FromLong(node->version) : Py_NewRef(Py_None)) != 0 ||
        models_put_pad(dict, node) != 0 ||
        models_put(dict, "computed", make_texts(node->computed_count, node->computed)) != 0 ||
        models_put(dict, "findings", make_texts(node->findings_count, node->findings)) != 0)
        Py_CLEAR(dict);
    return dict;
}

/* pads(model): a list of dicts */
static PyObject *models_pads(PyObject *module, PyObject *capsule)
{
    (void)module;
    const tpad_model *model = PyCapsule_GetPointer(capsule, models_capsule);
    PyObject *list = model ? PyList_New(0) : NULL;
    for (int64_t i = 0; list && i < tpad_model_pad_count(model); i++) {
        PyObject *node = make_node(tpad_model_pad_at(model, i));
        if (node == NULL || PyList_Append(list, node) != 0) Py_CLEAR(list);
        Py_XDECREF(node);
    }
    return list;
}

/* ---- Running --------------------------------------------------------------------------------- */

typedef struct execution {
    tpad_job *job;
    tpad_tensor *tensors;      /* one for each input */
    const tpad_tensor **given; /* the same as pointers, for the job */
    PyObject **memory;         /* one for each output: a bytearray */
    tpad_tensor *outputs;      /* descriptions of the outputs */
    PyThreadState *thread;     /* while the job runs */
} execution;

static int open_job(execution *e, PyObject *capsule, PyObject *node)
{
    memset(e, 0, sizeof *e);
    tpad_model *model = PyCapsule_GetPointer(capsule, models_capsule);
    const char *name = NULL;
    if (model == NULL) return -1;
    if (node != Py_None && (name = PyUnicode_AsUTF8AndSize(node, NULL)) == NULL) return -1;
    tpad_io_error error;
    if (tpad_job_open(&e->job, model, name, &error) == TPAD_OK) return 0;
    models_raise(&error);
    return -1;
}

static PyObject *make_port(const tpad_port *port)
{
    PyObject *name = models_text(port->name);
    PyObject *type = models_text(tpad_onnx_type_name(port->type));
    PyObject *shape = models_integers(port->rank, port->shape, 1);
    PyObject *result = name && type && shape ? PyTuple_Pack(3, name, type, shape) : NULL;
    Py_XDECREF(name);
    Py_XDECREF(type);
    Py_XDECREF(shape);
    return result;
}

static PyObject *make_ports(const tpad_job *job, int32_t count,
                            const tpad_port *(*at)(const tpad_job *, int32_t))
{
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < count; i++) {
        PyObject *port = make_port(at(job, i));
        if (port == NULL || PyList_Append(list, port) != 0) Py_CLEAR(list);
        Py_XDECREF(port);
    }
    return list;
}

/* ports(model, node or None): (inputs, outputs), each [(name, type word or None, shape)] */
static PyObject *models_ports(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    execution e;
    if (count != 2) return PyErr_Format(PyExc_TypeError, "ports takes 2 arguments");
    if (open_job(&e, args[0], args[1]) != 0) return NULL;
    PyObject *inputs = make_ports(e.job, tpad_job_input_count(e.job), tpad_job_input);
    PyObject *outputs = make_ports(e.job, tpad_job_output_count(e.job), tpad_job_output);
    PyObject *result = inputs && outputs ? PyTuple_Pack(2, inputs, outputs) : NULL;
    Py_XDECREF(inputs);
    Py_XDECREF(outputs);
    tpad_job_free(e.job);
    return result;
}

/* Reads an input: (type name, shape, buffer of dense elements). For strings the buffer is a list of
 * bytes, whose handles are put in *handles. */
static int read_input(PyObject *tuple, tpad_tensor *tensor, Py_buffer *buffer,
                      tpad_string **handles)
{
    const char *word;
    PyObject *shape, *data;
    if (!PyArg_ParseTuple(tuple, "sO!O", &word, &PyTuple_Type, &shape, &data)) return -1;
    int64_t extents[TPAD_MAX_RANK];
    Py_ssize_t rank = PyTuple_Size(shape), elems = 1;
    if (rank > TPAD_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "inputs have at most %d axes, got %zd", TPAD_MAX_RANK, rank);
        return -1;
    }
    for (Py_ssize_t i = 0; i < rank; i++) {
        extents[i] = PyLong_AsLongLong(PyTuple_GetItem(shape, i));
        if (extents[i] == -1 && PyErr_Occurred()) return -1;
        elems *= (Py_ssize_t)extents[i];
    }
    int32_t type = tpad_onnx_type_from_name(word);
    if (type == 0) {
        PyErr_Format(PyExc_TypeError, "models have no type %s", word);
        return -1;
    }
    tpad_tensor_describe(tensor, type, (int32_t)rank, extents);
    Py_ssize_t bytes;
    if (type == TPAD_ONNX_STRING) {
        if (PyList_Size(data) != elems) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "strings are missing");
            return -1;
        }
        *handles = calloc((size_t)elems + 1, sizeof **handles);
        if (*handles == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        for (Py_ssize_t i = 0; i < elems; i++) {
            char *text;
            if (PyBytes_AsStringAndSize(PyList_GetItem(data, i), &text, &bytes) != 0) return -1;
            (*handles)[i] = (tpad_string){text, bytes};
        }
        tensor->data = *handles;
        return 0;
    }
    if (PyObject_GetBuffer(data, buffer, PyBUF_SIMPLE) != 0) return -1;
    bytes = elems / 8 * tensor->elem_bits + (elems % 8 * tensor->elem_bits + 7) / 8;
    if (buffer->len < bytes) {
        PyErr_SetString(PyExc_ValueError, "an input is shorter than its shape says");
        return -1;
    }
    tensor->data = buffer->buf;
    return 0;
}

static int32_t allocate(void *context, int32_t index, const tpad_tensor *like, void **data,
                        tpad_io_error *error)
{
    execution *e = context;
    int64_t bits = like->elem_bits;
    for (int32_t i = 0; i < like->rank; i++)
        bits *= like->shape[i]; /* a plan has checked the sizes */
    e->outputs[index] = *like;
    PyEval_RestoreThread(e->thread);
    PyObject *memory = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)((bits + 7) / 8));
    PyErr_Clear();
    Py_XDECREF(e->memory[index]);
    e->memory[index] = memory;
    *data = memory ? PyByteArray_AsString(memory) : NULL;
    e->thread = PyEval_SaveThread();
    if (memory) return TPAD_OK;
    error->code = TPAD_E_MEMORY;
    PyOS_snprintf(error->text, sizeof error->text, "no memory for output '%s'",
                  tpad_job_output(e->job, index)->name);
    return TPAD_E_MEMORY;
}

/* (type name, shape, bytearray or, for strings, a list of bytes) */
static PyObject *make_output(const tpad_tensor *tensor, PyObject *memory)
{
    PyObject *data = Py_NewRef(memory);
    if (tensor->type == TPAD_ONNX_STRING) {
        const tpad_string *strings =
            (const tpad_string *)(const void *)PyByteArray_AsString(memory);
        Py_ssize_t count = PyByteArray_Size(memory) / (Py_ssize_t)sizeof *strings;
        Py_DECREF(data);
        data = PyList_New(0);
        for (Py_ssize_t i = 0; data && i < count; i++) {
            PyObject *text = PyBytes_FromStringAndSize(strings[i].text ? strings[i].text : "",
                                                       (Py_ssize_t)strings[i].length);
            if (text == NULL || PyList_Append(data, text) != 0) Py_CLEAR(data);
            Py_XDECREF(text);
        }
    }
    PyObject *type = models_text(tpad_onnx_type_name(tensor->type));
    PyObject *shape = models_integers(tensor->rank, tensor->shape, 0);
    PyObject *result = type && shape && data ? PyTuple_Pack(3, type, shape, data) : NULL;
    Py_XDECREF(type);
    Py_XDECREF(shape);
    Py_XDECREF(data);
    return result;
}

static PyObject *make_outputs(const execution *e)
{
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list && i < tpad_job_output_count(e->job); i++) {
        PyObject *output = make_output(&e->outputs[i], e->memory[i]);
        if (output == NULL || PyList_Append(list, output) != 0) Py_CLEAR(list);
        Py_XDECREF(output);
    }
    return list;
}

/* threads: at least 1, or 0 for one per processor of the process */
static PyObject *execute(execution *e, int lenient, int threads, int64_t most_bytes)
{
    tpad_threads *pool = NULL;
    if (threads != 1) tpad_threads_create(&pool, threads, NULL); /* on failure, one thread */
    const tpad_job_run run = {.inputs = e->given,
                              .lenient = lenient,
                              .runner = tpad_threads_runner(pool),
                              .allocate = allocate,
                              .context = e,
                              .most_bytes = most_bytes};
    tpad_io_error error;
    e->thread = PyEval_SaveThread();
    int32_t status = tpad_job_execute(e->job, &run, &error);
    tpad_threads_destroy(pool);
    PyEval_RestoreThread(e->thread);
    return status == TPAD_OK ? make_outputs(e) : models_raise(&error);
}

/* run(model, node or None, inputs, lenient, threads, max_bytes or 0): the outputs, in the order of ports */
static PyObject *models_run(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    execution e;
    if (count != 6) return PyErr_Format(PyExc_TypeError, "run takes 6 arguments");
    const int64_t most_bytes = PyLong_AsLongLong(args[5]);
    if (most_bytes == -1 && PyErr_Occurred()) return NULL;
    long threads = PyLong_AsLong(args[4]);
    if (threads == -1 && PyErr_Occurred()) return NULL;
    if (open_job(&e, args[0], args[1]) != 0) return NULL;
    const int32_t inputs = tpad_job_input_count(e.job), outputs = tpad_job_output_count(e.job);
    e.tensors = calloc((size_t)inputs + 1, sizeof *e.tensors);
    e.given = calloc((size_t)inputs + 1, sizeof *e.given);
    e.memory = calloc((size_t)outputs + 1, sizeof *e.memory);
    e.outputs = calloc((size_t)outputs + 1, sizeof *e.outputs);
    Py_buffer *buffers = calloc((size_t)inputs + 1, sizeof *buffers);
    tpad_string **handles = calloc((size_t)inputs + 1, sizeof *handles);
    PyObject *result = NULL;
    int ready = e.tensors && e.given && e.memory && e.outputs && buffers && handles;
    if (!ready) {
        PyErr_NoMemory();
    } else if (PyList_Size(args[2]) != inputs) {
        ready = 0;
        PyErr_SetString(PyExc_ValueError, "one entry for each input");
    }
    for (int32_t i = 0; ready && i < inputs; i++) {
        ready =
            read_input(PyList_GetItem(args[2], i), &e.tensors[i], &buffers[i], &handles[i]) == 0;
        e.given[i] = &e.tensors[i];
    }
    int lenient = PyObject_IsTrue(args[3]);
    if (ready && lenient >= 0)
        result = execute(&e, lenient, threads < 0 || threads > TPAD_THREADS_MOST ? 0 : (int)threads,
                         most_bytes);
    for (int32_t i = 0; buffers && i < inputs; i++) PyBuffer_Release(&buffers[i]);
    for (int32_t i = 0; handles && i < inputs; i++) free(handles[i]);
    for (int32_t i = 0; e.memory && i < outputs; i++) Py_XDECREF(e.memory[i]);
    free(buffers);
    free(handles);
    free(e.tensors);
    free(e.given);
    free(e.memory);
    free(e.outputs);
    tpad_job_free(e.job);
    return result;
}

static PyObject *models_mode_elsewhere(PyObject *module, PyObject *word)
{
    (void)module;
    const char *text = PyUnicode_AsUTF8AndSize(word, NULL);
    return text ? models_text(tpad_mode_elsewhere(text)) : NULL;
}

/* ---- The module ------------------------------------------------------------------------------ */

static PyMethodDef functions[] = {
    {"load", models_load, METH_VARARGS, NULL},
    {"pads", models_pads, METH_O, NULL},
    {"ports", (PyCFunction)(void (*)(void))models_ports, METH_FASTCALL, NULL},
    {"check", (PyCFunction)(void (*)(void))models_check, METH_FASTCALL, NULL},
    {"rule", models_rule, METH_O, NULL},
    {"lower", models_lower, METH_VARARGS, NULL},
    {"mode_elsewhere", models_mode_elsewhere, METH_O, NULL},
    {"run", (PyCFunction)(void (*)(void))models_run, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static int start(PyObject *module)
{
    return PyModule_AddStringConstant(module, "features", tpad_io_features());
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "tensorpad._models",
    .m_doc = "Models in files, for tensorpad.inspect_model and its like.",
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__models(void);
PyMODINIT_FUNC PyInit__models(void)
{
    return PyModuleDef_Init(&definition);
}
