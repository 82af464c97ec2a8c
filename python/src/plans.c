/* Plans, as capsules that tensorpad.Plan wraps.  SPDX-License-Identifier: MIT
 *
 * A plan belongs to a shape and to strides. The capsule keeps the problem and the plan for dense
 * arrays; for arrays with other strides a plan is made on the stack, which costs less than a
 * look-up would. A capsule never changes: any number of threads may use it.
 */
#include "extension.h"

#include <stdlib.h>
#include <string.h>

typedef struct plan_memory {
    tpad_plan plan;
    tpad_axis axes[TPAD_MAX_RANK];
    int64_t out_extents[TPAD_MAX_RANK];
    int64_t bytes;
    int rank;
    int bits;
} plan_memory;

static const char capsule_name[] = "tensorpad._core.plan";

static void free_plan(PyObject *capsule)
{
    free(PyCapsule_GetPointer(capsule, capsule_name));
}

static const plan_memory *open_plan(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, capsule_name);
}

/* plan(shape, axes, bits): (capsule, output shape) */
PyObject *core_plan(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (!check_count("plan", count, 3)) return NULL;
    plan_memory made;
    memset(&made, 0, sizeof made);
    made.rank = read_axes(args[1], made.axes);
    long bits = made.rank < 0 ? -1 : PyLong_AsLong(args[2]);
    if (bits < 0) return NULL;
    made.bits = (int)bits;
    int64_t extents[TPAD_MAX_RANK];
    int rank = read_integers(args[0], extents);
    if (rank < 0) return NULL;
    if (rank != made.rank) {
        PyErr_Format(PyExc_ValueError, "amounts for %d axes, but the array has %d", made.rank,
                     rank);
        return NULL;
    }
    for (int i = 0; i < rank; i++) made.axes[i].in_extent = extents[i];
    const tpad_problem problem = TPAD_PROBLEM(made.bits, rank, made.axes);
    tpad_error error;
    if (tpad_shape(&problem, made.out_extents, NULL, &made.bytes, &error) != TPAD_OK ||
        tpad_plan_init(&made.plan, sizeof made.plan, &problem, &error) != TPAD_OK)
        return raise_error(&error);
    plan_memory *kept = malloc(sizeof *kept);
    if (kept == NULL) return PyErr_NoMemory();
    *kept = made;
    PyObject *capsule = PyCapsule_New(kept, capsule_name, free_plan);
    if (capsule == NULL) {
        free(kept);
        return NULL;
    }
    PyObject *shape = make_integers(rank, made.out_extents);
    PyObject *result = shape ? PyTuple_Pack(2, capsule, shape) : NULL;
    Py_XDECREF(shape);
    Py_DECREF(capsule);
    return result;
}

static int check_extents(const char *what, const array_view *view, int rank, const int64_t *wanted)
{
    int same = view->rank == rank;
    for (int i = 0; same && i < rank; i++) same = view->shape[i] == wanted[i];
    if (same) return 0;
    PyObject *given = array_shape(view);
    PyObject *planned = given ? make_integers(rank, wanted) : NULL;
    if (planned)
        PyErr_Format(PyExc_ValueError, "the %s has shape %R, the plan is for %R", what, given,
                     planned);
    Py_XDECREF(given);
    Py_XDECREF(planned);
    return -1;
}

/* The input, the output and the fill value of a run, after they were checked against the plan. */
typedef struct run_arrays {
    array_view src;
    array_view dst;
    array_view fill;
} run_arrays;

static void close_arrays(run_arrays *arrays)
{
    array_close(&arrays->src);
    array_close(&arrays->dst);
    array_close(&arrays->fill);
}

/* partial: the input may be a part of the planned input. */
static int check_input(const plan_memory *plan, const array_view *src, int partial)
{
    int64_t extents[TPAD_MAX_RANK];
    for (int i = 0; i < plan->rank; i++) extents[i] = plan->axes[i].in_extent;
    if (!partial) return check_extents("input", src, plan->rank, extents);
    if (src->rank == plan->rank) return 0;
    PyErr_Format(PyExc_ValueError, "the array has %d axes, the plan has %d", src->rank, plan->rank);
    return -1;
}

static int open_arrays(const module_state *state, const plan_memory *plan, PyObject *const *args,
                       int partial, const int64_t *out_extents, run_arrays *arrays)
{
    *arrays = (run_arrays){0};
    if (array_open(state, args[0], &arrays->src) != 0 ||
        array_open(state, args[1], &arrays->dst) != 0 ||
        (args[2] != Py_None && array_open(state, args[2], &arrays->fill) != 0) ||
        check_input(plan, &arrays->src, partial) != 0 ||
        check_extents("output", &arrays->dst, plan->rank, out_extents) != 0 ||
        array_check_output(&arrays->dst) != 0)
        return -1;
    int has_in = array_has_objects(state, &arrays->src, args[0]);
    int has_out = array_has_objects(state, &arrays->dst, args[1]);
    if (has_in < 0 || has_out < 0) return -1;
    if (has_in || has_out) {
        PyErr_SetString(PyExc_TypeError, "elements that hold references cannot be moved");
        return -1;
    }
    if (8 * arrays->src.item_bytes != plan->bits || 8 * arrays->dst.item_bytes != plan->bits ||
        (arrays->fill.capsule && 8 * arrays->fill.item_bytes != plan->bits)) {
        PyErr_SetString(PyExc_ValueError, "elements are not of the size that was planned for");
        return -1;
    }
    if (array_overlap(&arrays->src, &arrays->dst)) {
        PyErr_SetString(PyExc_ValueError, "input and output share memory");
        return -1;
    }
    return 0;
}

static int run_arrays_whole(const module_state *state, const plan_memory *plan,
                            const run_arrays *arrays, int threads)
{
    if (arrays->src.flags & arrays->dst.flags & ARRAY_C_CONTIGUOUS)
        return run_plan(state, &plan->plan, arrays->src.data, arrays->dst.data, arrays->fill.data,
                        plan->bytes, threads);
    tpad_axis axes[TPAD_MAX_RANK];
    memcpy(axes, plan->axes, sizeof axes);
    return move_elements(state, axes, &arrays->src, &arrays->dst, arrays->fill.data, threads);
}

/* plan_run(src, dst, fill, capsule, threads) */
PyObject *core_plan_run(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const module_state *state = PyModule_GetState(module);
    if (!check_count("plan_run", count, 5)) return NULL;
    const plan_memory *plan = open_plan(args[3]);
    int threads = plan ? read_threads(state, args[4]) : -1;
    if (threads < 0) return NULL;
    run_arrays arrays;
    int status = open_arrays(state, plan, args, 0, plan->out_extents, &arrays);
    if (status == 0) status = run_arrays_whole(state, plan, &arrays, threads);
    close_arrays(&arrays);
    return status == 0 ? Py_NewRef(Py_None) : NULL;
}

/* A box of the dense plan, from tuples. */
static int box_of(const plan_memory *plan, PyObject *first, PyObject *extents, tpad_box *box,
                  int64_t *starts, int64_t *sizes)
{
    int starts_count = read_integers(first, starts);
    int sizes_count = starts_count < 0 ? -1 : read_integers(extents, sizes);
    if (sizes_count < 0) return -1;
    if (starts_count != plan->rank || sizes_count != plan->rank) {
        PyErr_Format(PyExc_ValueError, "a box of this plan has %d axes", plan->rank);
        return -1;
    }
    *box = (tpad_box){.struct_size = sizeof *box, .first = starts, .extents = sizes};
    return 0;
}

/* Checks that the input, which begins at cell in_first, has all cells that the plan of a box
 * reads. */
static int check_part(const tpad_plan *part, const array_view *src, const int64_t *in_first)
{
    int64_t first[TPAD_MAX_RANK], extents[TPAD_MAX_RANK];
    tpad_plan_needs(part, first, extents);
    for (int i = 0; i < src->rank; i++) {
        const int64_t end = first[i] + extents[i];
        if (extents[i] == 0 || (in_first[i] <= first[i] && end - in_first[i] <= src->shape[i]))
            continue;
        PyErr_Format(PyExc_ValueError,
                     "axis %d: the array has %zd cells of the input from cell %lld on, the box "
                     "reads cells %lld to %lld",
                     i, src->shape[i], (long long)in_first[i], (long long)first[i], (long long)end);
        return -1;
    }
    return 0;
}

/* Runs one box on arrays of its own. */
static int run_arrays_box(const module_state *state, const plan_memory *plan, tpad_box *box,
                          const run_arrays *arrays, int threads)
{
    int64_t out_strides[TPAD_MAX_RANK], in_strides[TPAD_MAX_RANK];
    int64_t bytes = plan->bits / 8;
    for (int i = 0; i < plan->rank; i++) {
        out_strides[i] = arrays->dst.strides[i];
        in_strides[i] = arrays->src.strides[i];
        bytes *= box->extents[i];
    }
    box->out_strides = out_strides;
    box->in_strides = in_strides;
    tpad_plan part;
    tpad_error error;
    if (tpad_plan_box(&part, sizeof part, &plan->plan, box, &error) != TPAD_OK) {
        raise_error(&error);
        return -1;
    }
    if (check_part(&part, &arrays->src, box->in_first) != 0) return -1;
    return run_plan(state, &part, arrays->src.data, arrays->dst.data, arrays->fill.data, bytes,
                    threads);
}

/* plan_box(src, dst, fill, capsule, first, extents, threads, in_first): dst holds the box alone;
 * in_first: None where src is the whole input, else the cell of the input that src begins with */
PyObject *core_plan_box(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const module_state *state = PyModule_GetState(module);
    if (!check_count("plan_box", count, 8)) return NULL;
    const plan_memory *plan = open_plan(args[3]);
    int threads = plan ? read_threads(state, args[6]) : -1;
    tpad_box box;
    int64_t starts[TPAD_MAX_RANK], sizes[TPAD_MAX_RANK], in_first[TPAD_MAX_RANK] = {0};
    if (threads < 0 || box_of(plan, args[4], args[5], &box, starts, sizes) != 0) return NULL;
    const int partial = args[7] != Py_None;
    int entries = partial ? read_integers(args[7], in_first) : plan->rank;
    if (entries < 0) return NULL;
    if (entries != plan->rank)
        return PyErr_Format(PyExc_ValueError, "in_first has %d entries, the plan has %d axes",
                            entries, plan->rank);
    box.in_first = in_first;
    run_arrays arrays;
    int status = open_arrays(state, plan, args, partial, sizes, &arrays);
    if (status == 0) status = run_arrays_box(state, plan, &box, &arrays, threads);
    close_arrays(&arrays);
    return status == 0 ? Py_NewRef(Py_None) : NULL;
}

/* plan_needs(capsule, first, extents): (first, extents) of the input */
PyObject *core_plan_needs(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (!check_count("plan_needs", count, 3)) return NULL;
    const plan_memory *plan = open_plan(args[0]);
    tpad_box box;
    int64_t starts[TPAD_MAX_RANK], sizes[TPAD_MAX_RANK];
    if (plan == NULL || box_of(plan, args[1], args[2], &box, starts, sizes) != 0) return NULL;
    tpad_plan part;
    tpad_error error;
    if (tpad_plan_box(&part, sizeof part, &plan->plan, &box, &error) != TPAD_OK)
        return raise_error(&error);
    int64_t in_first[TPAD_MAX_RANK], in_extents[TPAD_MAX_RANK];
    tpad_plan_needs(&part, in_first, in_extents);
    PyObject *first = make_integers(plan->rank, in_first);
    PyObject *extents = first ? make_integers(plan->rank, in_extents) : NULL;
    PyObject *result = extents ? PyTuple_Pack(2, first, extents) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(extents);
    return result;
}

/* plan_sources(capsule, axis, first, extent): one or two times (out first, out extent, in first, in
 * extent) */
PyObject *core_plan_sources(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (!check_count("plan_sources", count, 4)) return NULL;
    const plan_memory *plan = open_plan(args[0]);
    long axis = plan ? PyLong_AsLong(args[1]) : -1;
    int64_t first = axis < 0 ? -1 : PyLong_AsLongLong(args[2]);
    int64_t extent = first < 0 ? -1 : PyLong_AsLongLong(args[3]);
    tpad_source pieces[2];
    if (extent < 0 ||
        tpad_plan_sources(&plan->plan, (int32_t)axis, first, extent, pieces) != TPAD_OK) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "cells outside the output");
        return NULL;
    }
    const int two = pieces[1].out_extent > 0;
    PyObject *tuple = PyTuple_New(1 + two);
    for (int i = 0; tuple && i < 1 + two; i++) {
        const int64_t four[4] = {pieces[i].out_first, pieces[i].out_extent, pieces[i].in_first,
                                 pieces[i].in_extent};
        PyObject *item = make_integers(4, four);
        if (item == NULL || PyTuple_SetItem(tuple, i, item) != 0) Py_CLEAR(tuple);
    }
    return tuple;
}

/* plan_describe(capsule) */
PyObject *core_plan_describe(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (!check_count("plan_describe", count, 1)) return NULL;
    const plan_memory *plan = open_plan(args[0]);
    if (plan == NULL) return NULL;
    char text[8192];
    size_t length = tpad_plan_describe(&plan->plan, text, sizeof text);
    return PyUnicode_FromStringAndSize(
        text, (Py_ssize_t)(length < sizeof text ? length : sizeof text - 1));
}
