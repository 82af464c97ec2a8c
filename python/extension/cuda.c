/* Pads and gradients on NVIDIA GPUs: one kernel launch each, through the driver's functions.
 * SPDX-License-Identifier: MIT
 *
 * tensorpad._gpu opens the driver's library and passes the addresses of its functions: nothing of
 * CUDA is included or linked. It also compiles the kernels (gpu_kernel there); here they are
 * loaded, once per context. Names and numbers are those of CUDA's driver API. */
#include "extension.h"

#include <string.h>
#include <tensorpad/adjoint.h>
#include <tensorpad/gpu.h>

typedef int cuda_status; /* 0: success */
typedef void *cuda_handle;

enum { CUDA_MAJOR = 75, CUDA_MINOR = 76, CUDA_ORDINAL_OF_POINTER = 9, MOST_CONTEXTS = 32 };

/* The functions, in the order of tensorpad._gpu.FUNCTIONS. */
typedef struct driver {
    cuda_status (*context_get)(cuda_handle *context);
    cuda_status (*context_set)(cuda_handle context);
    cuda_status (*context_device)(int *device);
    cuda_status (*primary_context)(cuda_handle *context, int device);
    cuda_status (*device_attribute)(int *value, int attribute, int device);
    cuda_status (*pointer_attribute)(void *value, int attribute, uint64_t pointer);
    cuda_status (*module_load)(cuda_handle *module, const void *image);
    cuda_status (*module_function)(cuda_handle *function, cuda_handle module, const char *name);
    cuda_status (*is_capturing)(cuda_handle stream, int *status);
    cuda_status (*launch)(cuda_handle function, unsigned x, unsigned y, unsigned z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                          cuda_handle stream, void **arguments, void **extra);
    cuda_status (*error_text)(cuda_status status, const char **text);
} driver;

enum { DRIVER_FUNCTIONS = 11 };

/* A context of the driver, and the kernels that were loaded into it. */
typedef struct gpu_context {
    _Atomic(cuda_handle) context; /* NULL: unused, and so are those after it */
    int device;
    _Atomic(cuda_handle) kernels[TPAD_GPU_KERNELS];
} gpu_context;

struct gpu_state {
    driver driver;
    int kind; /* DLPack's number of the devices whose tensors are padded here; 0: none */
    int64_t few_bytes, short_row;
    PyThread_type_lock loading; /* held to add contexts and kernels */
    gpu_context contexts[MOST_CONTEXTS];
};

void gpu_end(struct gpu_state *gpu)
{
    if (gpu && gpu->loading) PyThread_free_lock(gpu->loading);
    PyMem_Free(gpu);
}

/* gpu_open(addresses): the functions of the driver as integers; later calls do nothing */
PyObject *core_gpu_open(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    module_state *state = PyModule_GetState(module);
    if (!check_count("gpu_open", count, 1)) return NULL;
    if (state->gpu) return Py_NewRef(Py_None);
    uintptr_t addresses[DRIVER_FUNCTIONS];
    if (!PyTuple_Check(args[0]) || PyTuple_Size(args[0]) != DRIVER_FUNCTIONS) {
        PyErr_Format(PyExc_TypeError, "gpu_open needs a tuple of %d addresses", DRIVER_FUNCTIONS);
        return NULL;
    }
    for (int i = 0; i < DRIVER_FUNCTIONS; i++)
        addresses[i] = (uintptr_t)PyLong_AsUnsignedLongLong(PyTuple_GetItem(args[0], i));
    if (PyErr_Occurred()) return NULL;
    struct gpu_state *gpu = PyMem_Calloc(1, sizeof *gpu);
    if (gpu) gpu->loading = PyThread_allocate_lock();
    if (gpu == NULL || gpu->loading == NULL) {
        gpu_end(gpu);
        return PyErr_NoMemory();
    }
    _Static_assert(sizeof addresses == sizeof gpu->driver, "a function has the size of an integer");
    memcpy(&gpu->driver, addresses, sizeof addresses);
    state->gpu = gpu;
    return Py_NewRef(Py_None);
}

static int is_open(const module_state *state)
{
    if (state->gpu == NULL) PyErr_SetString(PyExc_RuntimeError, "the driver was not opened");
    return state->gpu != NULL;
}

/* gpu_switch(kind, few_bytes, short_row): tensors on devices of this kind (2: CUDA, 0: none) are
 * padded here from now on. few_bytes, short_row: for gpu_is_small */
PyObject *core_gpu_switch(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    int64_t numbers[3];
    if (!check_count("gpu_switch", count, 3)) return NULL;
    for (int i = 0; i < 3; i++)
        if (read_integer(&c, args[i], "gpu_switch", "integers", &numbers[i]) != 0) return NULL;
    if (c.state->gpu == NULL) return Py_NewRef(Py_None);
    c.state->gpu->few_bytes = numbers[1];
    c.state->gpu->short_row = numbers[2];
    c.state->gpu->kind = (int)numbers[0];
    return Py_NewRef(Py_None);
}

int gpu_kind(const module_state *state)
{
    return state->gpu ? state->gpu->kind : 0;
}

int gpu_is_small(const module_state *state, int64_t bytes, int64_t row_bytes)
{
    return bytes < state->gpu->few_bytes || row_bytes <= state->gpu->short_row;
}

/* Raises RuntimeError with the driver's text for a status; returns -1. */
static int refused(const driver *cuda, const char *what, cuda_status status)
{
    const char *text = NULL;
    if (cuda->error_text(status, &text) != 0 || text == NULL) text = "unknown error";
    PyErr_Format(PyExc_RuntimeError, "%s: the CUDA driver says \"%s\" (%d)", what, text, status);
    return -1;
}

/* ---- Contexts and kernels -------------------------------------------------------------------- */

static void lock(struct gpu_state *gpu)
{
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(gpu->loading, WAIT_LOCK);
    Py_END_ALLOW_THREADS
}

/* The entry of a context, or the first free one; NULL if there is none. */
static gpu_context *place_of(struct gpu_state *gpu, cuda_handle handle)
{
    for (int i = 0; i < MOST_CONTEXTS; i++) {
        const cuda_handle there = atomic_load(&gpu->contexts[i].context);
        if (there == handle || there == NULL) return &gpu->contexts[i];
    }
    return NULL;
}

/* The entry of the current context; NULL with an exception. */
static gpu_context *find_context(struct gpu_state *gpu, cuda_handle handle)
{
    gpu_context *of = place_of(gpu, handle);
    if (of && atomic_load(&of->context)) return of;
    int device = 0;
    const cuda_status status = gpu->driver.context_device(&device);
    if (status != 0) {
        refused(&gpu->driver, "the device of the context", status);
        return NULL;
    }
    lock(gpu);
    of = place_of(gpu, handle);
    if (of && atomic_load(&of->context) == NULL) {
        of->device = device;
        atomic_store(&of->context, handle);
    }
    PyThread_release_lock(gpu->loading);
    if (of == NULL)
        PyErr_Format(PyExc_RuntimeError, "more than %d contexts of CUDA in a process",
                     MOST_CONTEXTS);
    return of;
}

/* Makes a context of this device current, unless one is. *before: the previous context. */
static gpu_context *enter(struct gpu_state *gpu, int device, cuda_handle *before)
{
    const driver *const cuda = &gpu->driver;
    cuda_handle primary = NULL;
    cuda_status status = cuda->context_get(before);
    gpu_context *of = NULL;
    if (status == 0 && *before != NULL && (of = find_context(gpu, *before)) == NULL) return NULL;
    if (of && of->device == device) return of;
    if (status == 0) status = cuda->primary_context(&primary, device);
    if (status == 0) status = cuda->context_set(primary);
    if (status == 0) return find_context(gpu, primary);
    refused(cuda, "a context of the device", status);
    return NULL;
}

/* Loads a kernel; tensorpad._gpu provides its code. */
static cuda_handle load(context *c, struct gpu_state *gpu, gpu_context *of,
                        const tpad_gpu_launch *prepared)
{
    const driver *const cuda = &gpu->driver;
    cuda_handle code = NULL, kernel = NULL;
    int major = 0, minor = 0;
    cuda_status status = cuda->device_attribute(&major, CUDA_MAJOR, of->device);
    if (status == 0) status = cuda->device_attribute(&minor, CUDA_MINOR, of->device);
    PyObject *image = status == 0 ? call_python(c, "_gpu", "gpu_kernel", "(ssii)", prepared->kernel,
                                                prepared->option, major, minor)
                                  : NULL;
    const char *bytes = image ? PyBytes_AsString(image) : NULL;
    if (bytes) {
        status = cuda->module_load(&code, bytes);
        if (status == 0) status = cuda->module_function(&kernel, code, prepared->kernel);
    }
    Py_XDECREF(image);
    if (status != 0) refused(cuda, "to load a kernel", status);
    if (status == 0 && kernel) atomic_store(&of->kernels[prepared->number], kernel);
    return kernel;
}

static int launch(context *c, struct gpu_state *gpu, gpu_context *of, tpad_gpu_launch *prepared,
                  const gpu_call *call)
{
    const driver *const cuda = &gpu->driver;
    const cuda_handle stream = (cuda_handle)(uintptr_t)call->stream;
    uint64_t src = call->src, dst = call->dst, fill = call->fill;
    cuda_handle kernel = atomic_load(&of->kernels[prepared->number]);
    if (kernel == NULL) {
        int status = 0;
        if (cuda->is_capturing(stream, &status) != 0 || status != 0) return GPU_CAPTURES;
        lock(gpu);
        kernel = atomic_load(&of->kernels[prepared->number]);
        if (kernel == NULL) kernel = load(c, gpu, of, prepared);
        PyThread_release_lock(gpu->loading);
        if (kernel == NULL) return GPU_FAILED;
    }
    void *arguments[] = {&src, &dst, &fill, prepared->params};
    cuda_status status;
    Py_BEGIN_ALLOW_THREADS /* launching blocks if about a thousand launches are queued */
    status = cuda->launch(kernel, (unsigned)prepared->blocks, 1, 1, TPAD_GPU_THREADS, 1, 1, 0,
                          stream, arguments, NULL);
    Py_END_ALLOW_THREADS
    return status == 0 ? GPU_LAUNCHED : refused(cuda, "to launch a kernel", status);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* Fills in the launch of a problem: 0, or -1 with an exception. */
static int make_launch(context *c, const gpu_call *call, const tpad_problem *problem,
                       tpad_gpu_launch *prepared)
{
    tpad_error error;
    kept_plan *kept = plans_take(c->state->scratch, problem);
    if (kept == NULL) return -1;
    int32_t status = plans_make(kept, &error);
    tpad_plan border;
    const tpad_plan *plan = &kept->plan;
    if (status == TPAD_OK && call->number == GPU_BORDER) {
        status = tpad_plan_border(&border, sizeof border, &kept->plan, &error);
        plan = &border;
    }
    if (status == TPAD_OK && call->number > 0) {
        const tpad_gpu_adjoint_args args = {
            sizeof args, call->number, call->adds ? TPAD_ADJOINT_ADD : 0, call->src, call->dst};
        status = tpad_gpu_adjoint(prepared, plan, &args, &error);
    } else if (status == TPAD_OK) {
        const tpad_gpu_pad_args args = {sizeof args, call->src,  call->dst,
                                        call->value, call->fill, call->fill_strides};
        status = tpad_gpu_pad(prepared, plan, &args, &error);
    }
    plans_give(c->state->scratch, kept);
    if (status != TPAD_OK) raise_error(&error);
    return status == TPAD_OK ? 0 : -1;
}

int gpu_run(context *c, const gpu_call *call, const tpad_axis *axes, int rank, int item_bytes)
{
    struct gpu_state *const gpu = c->state->gpu;
    const tpad_problem problem = strided_problem(axes, rank, 8 * item_bytes);
    tpad_gpu_launch prepared;
    if (make_launch(c, call, &problem, &prepared) != 0) return GPU_FAILED;
    if (prepared.blocks == 0) return GPU_LAUNCHED;
    cuda_handle before = NULL;
    gpu_context *of = enter(gpu, call->device, &before);
    const int done = of ? launch(c, gpu, of, &prepared, call) : GPU_FAILED;
    if (of == NULL || atomic_load(&of->context) != before) gpu->driver.context_set(before);
    return done;
}

/* Reads (address, strides), the strides in units of `unit` bytes: the rank, or -1 with an
 * exception. */
static int read_array(context *c, PyObject *pair, int64_t unit, uint64_t *address, int64_t *strides)
{
    PyObject *steps;
    unsigned long long parsed;
    if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "KO", &parsed, &steps)) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "an array is a tuple");
        return -1;
    }
    *address = parsed;
    const int rank = read_integers(c, steps, "a stride", TPAD_MAX_RANK, strides);
    for (int i = 0; i < rank; i++) strides[i] = (int64_t)((uint64_t)strides[i] * (uint64_t)unit);
    return rank;
}

/* gpu_run(number, add, shape, axes, item_bytes, unit, src, dst, fill, device, stream): True once it
 * is launched; False if the stream is being captured and the kernel was never loaded.
 *
 * number: 0: a pad, -1: a border, else TPAD_NUMBER_... of a gradient; add: as TPAD_ADJOINT_ADD
 * shape, axes: of the array that is padded, without its gradient
 * src, dst: (address, strides), the strides in `unit` bytes; of a gradient, grad_out and grad_in
 * fill: None for zeros, one element as bytes, or (address, strides) of elements on the device */
PyObject *core_gpu_run(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("gpu_run", count, 11) || !is_open(c.state)) return NULL;
    int64_t numbers[4], extents[TPAD_MAX_RANK], from[TPAD_MAX_RANK], to[TPAD_MAX_RANK];
    PyObject *const integers[] = {args[0], args[4], args[5], args[9]};
    for (int i = 0; i < 4; i++)
        if (read_integer(&c, integers[i], "gpu_run", "integers", &numbers[i]) != 0) return NULL;
    gpu_call call = {
        .number = (int)numbers[0], .adds = args[1] == Py_True, .device = (int)numbers[3]};
    int64_t fill_strides[TPAD_MAX_RANK];
    tpad_axis axes[TPAD_MAX_RANK];
    const int rank = read_axes(&c, args[3], axes);
    int same = rank >= 0 && extents_of(&c, args[2], "shape", extents) == rank &&
               read_array(&c, args[6], numbers[2], &call.src, from) == rank &&
               read_array(&c, args[7], numbers[2], &call.dst, to) == rank && numbers[1] > 0;
    if (same && PyTuple_Check(args[8])) {
        same = read_array(&c, args[8], numbers[2], &call.fill, fill_strides) == rank;
        call.fill_strides = fill_strides;
    } else if (same && PyBytes_Check(args[8])) {
        same = PyBytes_Size(args[8]) == numbers[1];
        call.value = PyBytes_AsString(args[8]);
    }
    call.stream = PyLong_AsUnsignedLongLong(args[10]);
    if (PyErr_Occurred()) return NULL;
    if (!same) {
        PyErr_SetString(PyExc_ValueError, "gpu_run: shapes, strides or elements differ");
        return NULL;
    }
    for (int i = 0; i < rank; i++) {
        axes[i].in_extent = extents[i];
        axes[i].in_stride = call.number > 0 ? to[i] : from[i];
        axes[i].out_stride = call.number > 0 ? from[i] : to[i];
    }
    const int done = gpu_run(&c, &call, axes, rank, (int)numbers[1]);
    return done == GPU_FAILED ? NULL : PyBool_FromLong(done == GPU_LAUNCHED);
}

/* gpu_device(address): the number of this memory's device */
PyObject *core_gpu_device(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const module_state *state = PyModule_GetState(module);
    if (!check_count("gpu_device", count, 1) || !is_open(state)) return NULL;
    const unsigned long long address = PyLong_AsUnsignedLongLong(args[0]);
    if (PyErr_Occurred()) return NULL;
    int device = 0;
    const cuda_status status =
        state->gpu->driver.pointer_attribute(&device, CUDA_ORDINAL_OF_POINTER, address);
    if (status == 0) return PyLong_FromLong(device);
    refused(&state->gpu->driver, "to which device the array belongs", status);
    return NULL;
}

/* gpu_source(): the text of the kernels, bytes */
PyObject *core_gpu_source(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    (void)args;
    return check_count("gpu_source", count, 0) ? PyBytes_FromString(tpad_gpu_source()) : NULL;
}
