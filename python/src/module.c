/* tensorpad._core, the extension module.  SPDX-License-Identifier: MIT
 *
 * The functions for users are in the Python files of the package. This module has `pad` and the
 * functions that the others use. Its only memory is its module state, so that every interpreter has
 * its own.
 */
#include "extension.h"
#include "slots.h"

PyDoc_STRVAR(pad_doc,
             "pad($module, array, pad_width, mode='constant', *, constant_values=0, interior=0,\n"
             "    order='window', axes=None, out=None, threads=None, packed=None, shape=None,\n"
             "    **kwargs)\n"
             "--\n"
             "\n"
             "Pad, crop or dilate an array: numpy.pad, with more.\n"
             "\n"
             "array: a NumPy array, a torch tensor (then the result is one), or whatever has\n"
             "    the buffer protocol or DLPack on the CPU.\n"
             "pad_width: as numpy.pad takes it; negative amounts crop.\n"
             "mode: a mode of numpy.pad, or one for each axis. linear_ramp, maximum, mean,\n"
             "    median, minimum, empty, callables and reflect_type='odd' are computed by NumPy.\n"
             "constant_values: one value, or one per side and axis, as numpy.pad takes them.\n"
             "interior: cells to insert between neighbours, one number or one for each axis.\n"
             "order: 'window' or 'crop'; only matters where an axis is cropped and extended.\n"
             "axes: the axes that pad_width, mode and interior speak of; all of them if None.\n"
             "out: the array to write into; it is returned.\n"
             "threads: how many threads may share the work; thread_count() if None.\n"
             "packed, shape: 'int4', 'uint4', 'int2', 'uint2', 'float4e2m1': array is a buffer of\n"
             "    bytes with packed elements, and this is the shape they have.");

/* A function with positional arguments, for the Python files. */
#define PART(name, function)                                                                       \
    {                                                                                              \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL, NULL                           \
    }

static PyObject *core_set_general(PyObject *module, PyObject *function)
{
    module_state *state = PyModule_GetState(module);
    PyObject *before = state->general;
    state->general = Py_NewRef(function);
    Py_XDECREF(before);
    return Py_NewRef(Py_None);
}

static PyObject *core_set_spec_error(PyObject *module, PyObject *type)
{
    module_state *state = PyModule_GetState(module);
    PyObject *before = state->spec_error;
    state->spec_error = Py_NewRef(type);
    Py_XDECREF(before);
    return Py_NewRef(Py_None);
}

/* thread_count(): how many threads share the work of a large array */
static PyObject *core_thread_count(PyObject *module, PyObject *unused)
{
    (void)unused;
    const module_state *state = PyModule_GetState(module);
    return PyLong_FromLong(atomic_load_explicit(&state->threads, memory_order_relaxed));
}

/* set_threads(count): None means all threads of the pool; a larger number than that means the
 * same */
static PyObject *core_set_threads(PyObject *module, PyObject *count)
{
    module_state *state = PyModule_GetState(module);
    const int most = (int)tpad_threads_count(state->pool);
    int threads = count == Py_None ? most : read_threads(state, count);
    if (threads < 0) return NULL;
    if (threads > most) threads = most;
    atomic_store_explicit(&state->threads, threads, memory_order_relaxed);
    return Py_NewRef(Py_None);
}

static PyMethodDef functions[] = {
    {"pad", (PyCFunction)(void (*)(void))core_pad, METH_FASTCALL | METH_KEYWORDS, pad_doc},
    {"set_general", core_set_general, METH_O, NULL},
    {"set_spec_error", core_set_spec_error, METH_O, NULL},
    {"thread_count", core_thread_count, METH_NOARGS,
     "thread_count($module)\n--\n\n"
     "How many threads may share the work of a large array in calls without `threads`.\n\n"
     "set_threads and TENSORPAD_THREADS in the environment change it; else it is one for each\n"
     "processor that the process may run on. 1 where the package was built without pthreadpool."},
    {"set_threads", core_set_threads, METH_O, NULL},
    PART("move", core_move),
    PART("move_packed", core_move_packed),
    PART("border", core_border),
    PART("shape", core_shape),
    PART("plan", core_plan),
    PART("plan_run", core_plan_run),
    PART("plan_box", core_plan_box),
    PART("plan_needs", core_plan_needs),
    PART("plan_sources", core_plan_sources),
    PART("plan_describe", core_plan_describe),
    PART("onnx", core_onnx),
    PART("openvino", core_openvino),
    PART("ngraph", core_ngraph),
    PART("mli", core_mli),
    {NULL, NULL, 0, NULL},
};

static int start(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (numpy == NULL) return -1;
    state->ndarray = PyObject_GetAttrString(numpy, "ndarray");
    state->empty = PyObject_GetAttrString(numpy, "empty");
    Py_DECREF(numpy);
    if (state->ndarray == NULL || state->empty == NULL) return -1;
    if (!PyType_Check(state->ndarray)) {
        PyErr_SetString(PyExc_TypeError, "numpy.ndarray is not a type");
        return -1;
    }
    const struct {
        PyObject **word;
        const char *text;
    } words[] = {
        {&state->word_array_struct, "__array_struct__"},
        {&state->word_dtype, "dtype"},
        {&state->word_hasobject, "hasobject"},
        {&state->word_mode, "mode"},
        {&state->word_constant_values, "constant_values"},
        {&state->word_out, "out"},
        {&state->word_threads, "threads"},
        {&state->word_fortran, "F"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *words[i].word = PyUnicode_InternFromString(words[i].text);
        if (*words[i].word == NULL) return -1;
    }
    /* The first run that is large enough starts the threads. If this fails, runs work on the
     * caller's thread. */
    tpad_threads_create(&state->pool, 0, NULL);
    atomic_init(&state->threads, (int)tpad_threads_count(state->pool));
    if (PyModule_AddStringConstant(module, "version", tpad_version()) != 0) return -1;
    PyObject *modes = PyDict_New();
    if (modes == NULL) return -1;
    int status = 0;
    for (int32_t mode = 0; status == 0 && mode < TPAD_MODE_COUNT; mode++) {
        PyObject *number = PyLong_FromLong(mode);
        status = number ? PyDict_SetItemString(modes, tpad_mode_name(mode), number) : -1;
        Py_XDECREF(number);
    }
    if (status == 0) status = PyModule_AddObjectRef(module, "modes", modes);
    Py_DECREF(modes);
    return status;
}

static int visit_state(PyObject *module, visitproc visit, void *arg)
{
    const module_state *state = PyModule_GetState(module);
    Py_VISIT(state->ndarray);
    Py_VISIT(state->empty);
    Py_VISIT(state->general);
    Py_VISIT(state->spec_error);
    return 0;
}

static int clear_state(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    Py_CLEAR(state->ndarray);
    Py_CLEAR(state->empty);
    Py_CLEAR(state->general);
    Py_CLEAR(state->spec_error);
    Py_CLEAR(state->word_array_struct);
    Py_CLEAR(state->word_dtype);
    Py_CLEAR(state->word_hasobject);
    Py_CLEAR(state->word_mode);
    Py_CLEAR(state->word_constant_values);
    Py_CLEAR(state->word_out);
    Py_CLEAR(state->word_threads);
    Py_CLEAR(state->word_fortran);
    return 0;
}

static void free_state(void *module)
{
    module_state *state = PyModule_GetState(module);
    clear_state(module);
    tpad_threads_destroy(state->pool);
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "tensorpad._core",
    .m_doc = "The engine behind tensorpad.",
    .m_size = sizeof(module_state),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = visit_state,
    .m_clear = clear_state,
    .m_free = free_state,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
