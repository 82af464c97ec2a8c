/* tensorpad._core, the extension module.  SPDX-License-Identifier: MIT
 *
 * The functions for users, and those that the package's Python files call. All state is module
 * state, so every interpreter has its own.
 */
#include "extension.h"
#include "slots.h"
#include "spec_calls.h"

#include <tensorpad/onnx.h>

/* A function with positional arguments, for the Python files. */
#define PART(name, function) {name, (PyCFunction)(void (*)(void))function, METH_FASTCALL, NULL}

/* set_torch(asked): the tuple described in tensor_calls.c */
static PyObject *core_set_torch(PyObject *module, PyObject *asked)
{
    module_state *state = PyModule_GetState(module);
    PyObject *before = state->torch;
    if (!torch_is_asked(asked)) return NULL;
    state->torch = Py_NewRef(asked);
    Py_XDECREF(before);
    return Py_NewRef(Py_None);
}

static PyObject *core_thread_count(PyObject *module, PyObject *unused)
{
    (void)unused;
    const int threads = read_threads(PyModule_GetState(module), NULL);
    return threads < 0 ? NULL : PyLong_FromLong(threads);
}

#define THREAD_COUNT_PARAMETERS(REQUIRED, OPTIONAL, STAR)

PyDoc_STRVAR(
    thread_count_doc,
    PARAMETERS_SHOWN(
        "thread_count", THREAD_COUNT_PARAMETERS, "",
        "How many threads may share the work of a large array in calls without `threads`.\n"
        "\n"
        "set_threads changes it, and so do TENSORPAD_THREADS and OMP_NUM_THREADS in the\n"
        "environment. By default it is one for each processor that the process may run on.\n"
        "It is 1 if the package was built without threads."));

/* set_threads(count): None, or a number larger than the pool: all threads of the pool */
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

/* ask_torch(whether): whether calls without `threads` first call follow_torch */
static PyObject *core_ask_torch(PyObject *module, PyObject *whether)
{
    module_state *state = PyModule_GetState(module);
    const int ask = PyObject_IsTrue(whether);
    if (ask < 0) return NULL;
    atomic_store_explicit(&state->ask_torch, ask, memory_order_relaxed);
    return Py_NewRef(Py_None);
}

static PyMethodDef functions[] = {
    {"batch_axes", (PyCFunction)(void (*)(void))core_batch_axes, METH_FASTCALL | METH_KEYWORDS,
     NULL},
    {"set_torch", core_set_torch, METH_O, NULL},
    {"thread_count", core_thread_count, METH_NOARGS, thread_count_doc},
    {"set_threads", core_set_threads, METH_O, NULL},
    {"ask_torch", core_ask_torch, METH_O, NULL},
    PART("integer", core_integer),
    PART("shape", core_shape),
    PART("move", core_move),
    PART("move_back", core_move_back),
    PART("tensor_pad", core_tensor_pad),
    PART("tensor_call", core_tensor_call),
    PART("tensor_to", core_tensor_to),
    PART("tensors_seen", core_tensors_seen),
    PART("tensor_adjoint", core_tensor_adjoint),
    PART("gpu_open", core_gpu_open),
    PART("gpu_switch", core_gpu_switch),
    PART("gpu_run", core_gpu_run),
    PART("gpu_device", core_gpu_device),
    PART("gpu_source", core_gpu_source),
    PART("axes", core_axes),
    PART("pad_values", core_pad_values),
    PART("fit_amounts", core_fit_amounts),
    PART("plan", core_plan),
    PART("plan_axes", core_plan_axes),
    PART("plan_run", core_plan_run),
    PART("plan_box", core_plan_box),
    PART("plan_needs", core_plan_needs),
    PART("plan_sources", core_plan_sources),
    PART("plan_describe", core_plan_describe),
    PART("show", core_show),
    {NULL, NULL, 0, NULL},
};

/* Adds the public functions: each belongs to a module of the package, and is called with this
 * module's state. */
static int add_public(PyObject *module)
{
    const struct {
        const char *attribute; /* of this module */
        const char *belongs_to;
        PyMethodDef *method;
    } all[] = {
        {"pad", "tensorpad", &pad_method},
        {"pad_to", "tensorpad", &pad_to_method},
        {"pad_adjoint", "tensorpad", &pad_adjoint_method},
        {"pad_shape", "tensorpad", &pad_shape_method},
        {"unpad", "tensorpad", &unpad_method},
        {"pad_border", "tensorpad", &pad_border_method},
        {"pad_batch", "tensorpad", &pad_batch_method},
        {"pad_packed", "tensorpad", &pad_packed_method},
        {"onnx_pad", "tensorpad.onnx", &onnx_pad_method},
        {"onnx_pad_packed", "tensorpad.onnx", &onnx_packed_method},
        {"openvino_pad", "tensorpad.openvino", &openvino_pad_method},
        {"openvino_pad_packed", "tensorpad.openvino", &openvino_packed_method},
        {"ngraph_pad", "tensorpad.ngraph", &ngraph_pad_method},
        {"mli_padding2d", "tensorpad.mli", &mli_padding2d_method},
    };
    int status = 0;
    for (size_t i = 0; status == 0 && i < sizeof all / sizeof all[0]; i++) {
        PyObject *name = PyUnicode_FromString(all[i].belongs_to);
        PyObject *function = name ? PyCFunction_NewEx(all[i].method, module, name) : NULL;
        status = function ? PyModule_AddObjectRef(module, all[i].attribute, function) : -1;
        Py_XDECREF(function);
        Py_XDECREF(name);
    }
    return status;
}

/* Adds a dict to the module as `name` and takes its reference; NULL with an exception. */
static int add_dict(PyObject *module, const char *name, PyObject *dict)
{
    const int status = dict ? PyModule_AddObjectRef(module, name, dict) : -1;
    Py_XDECREF(dict);
    return status;
}

/* Sets dict[key] and takes the value's reference; a NULL value is an exception. */
static int put(PyObject *dict, const char *key, PyObject *value)
{
    const int status = dict && value ? PyDict_SetItemString(dict, key, value) : -1;
    Py_XDECREF(value);
    return status;
}

static PyObject *make_modes(void)
{
    PyObject *modes = PyDict_New();
    for (int32_t mode = 0; modes && mode < TPAD_MODE_COUNT; mode++)
        if (put(modes, tpad_mode_name(mode), PyLong_FromLong(mode)) != 0) Py_CLEAR(modes);
    return modes;
}

/* OpenVINO's type names by ONNX's. */
static PyObject *make_openvino_types(void)
{
    PyObject *types = PyDict_New();
    for (int32_t type = 1; types && tpad_onnx_type_name(type); type++) {
        const char *word = openvino_word(type);
        if (word && put(types, tpad_onnx_type_name(type), PyUnicode_FromString(word)) != 0)
            Py_CLEAR(types);
    }
    return types;
}

static int start(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (numpy == NULL) return -1;
    state->ndarray = PyObject_GetAttrString(numpy, "ndarray");
    state->asarray = PyObject_GetAttrString(numpy, "asarray");
    state->empty = PyObject_GetAttrString(numpy, "empty");
    state->zeros = PyObject_GetAttrString(numpy, "zeros");
    state->integer = PyObject_GetAttrString(numpy, "integer");
    state->int64 = PyObject_GetAttrString(numpy, "int64");
    state->uint64 = PyObject_GetAttrString(numpy, "uint64");
    state->float64 = PyObject_GetAttrString(numpy, "float64");
    state->generic = PyObject_GetAttrString(numpy, "generic");
    Py_DECREF(numpy);
    if (state->ndarray == NULL || state->generic == NULL || state->asarray == NULL ||
        state->empty == NULL || state->zeros == NULL || state->integer == NULL ||
        state->int64 == NULL || state->uint64 == NULL || state->float64 == NULL)
        return -1;
    if (!PyType_Check(state->ndarray) || !PyType_Check(state->generic) ||
        !PyType_Check(state->integer)) {
        PyErr_SetString(PyExc_TypeError,
                        "numpy.ndarray, numpy.generic and numpy.integer have to be types");
        return -1;
    }
    if (add_public(module) != 0) return -1;
    const struct {
        PyObject **word;
        const char *text;
    } words[] = {
        {&state->word_array_struct, "__array_struct__"},
        {&state->word_dtype, "dtype"},
        {&state->word_hasobject, "hasobject"},
        {&state->word_fortran, "F"},
        {&state->word_exchange, "__dlpack_c_exchange_api__"},
        {&state->word_new_empty, "new_empty"},
        {&state->word_requires_grad, "requires_grad"},
        {&state->word_is_neg, "is_neg"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *words[i].word = PyUnicode_InternFromString(words[i].text);
        if (*words[i].word == NULL) return -1;
    }
    state->scratch = scratch_start();
    if (state->scratch == NULL || new_memory_start(state) != 0) return -1;
    /* The first run that is large enough starts the threads. If this fails, runs use the caller's
     * thread. */
    tpad_threads_create(&state->pool, 0, NULL);
    atomic_init(&state->threads, (int)tpad_threads_count(state->pool));
    atomic_init(&state->ask_torch, 0);
    if (PyModule_AddStringConstant(module, "version", tpad_version()) != 0) return -1;
    if (add_dict(module, "modes", make_modes()) != 0) return -1;
    return add_dict(module, "openvino_types", make_openvino_types());
}

static int visit_state(PyObject *module, visitproc visit, void *arg)
{
    const module_state *state = PyModule_GetState(module);
    Py_VISIT(state->ndarray);
    Py_VISIT(state->asarray);
    Py_VISIT(state->empty);
    Py_VISIT(state->zeros);
    Py_VISIT(state->integer);
    Py_VISIT(state->int64);
    Py_VISIT(state->uint64);
    Py_VISIT(state->float64);
    Py_VISIT(state->generic);
    Py_VISIT(state->torch);
    return 0;
}

static int clear_state(PyObject *module)
{
    module_state *state = PyModule_GetState(module);
    Py_CLEAR(state->ndarray);
    Py_CLEAR(state->asarray);
    Py_CLEAR(state->empty);
    Py_CLEAR(state->zeros);
    Py_CLEAR(state->integer);
    Py_CLEAR(state->int64);
    Py_CLEAR(state->uint64);
    Py_CLEAR(state->float64);
    Py_CLEAR(state->generic);
    Py_CLEAR(state->torch);
    Py_CLEAR(state->memory);
    Py_CLEAR(state->word_array_struct);
    Py_CLEAR(state->word_dtype);
    Py_CLEAR(state->word_hasobject);
    Py_CLEAR(state->word_fortran);
    Py_CLEAR(state->word_exchange);
    Py_CLEAR(state->word_new_empty);
    Py_CLEAR(state->word_requires_grad);
    Py_CLEAR(state->word_is_neg);
    return 0;
}

static void free_state(void *module)
{
    module_state *state = PyModule_GetState(module);
    clear_state(module);
    scratch_end(state->scratch);
    tpad_threads_destroy(state->pool);
    gpu_end(state->gpu);
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
