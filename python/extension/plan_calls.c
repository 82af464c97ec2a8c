/* Plans as capsules, wrapped by tensorpad.Plan. SPDX-License-Identifier: MIT
 *
 * A plan belongs to a shape and strides. The capsule keeps the problem and the plan for dense
 * arrays; for other strides a plan is made on the stack, which costs less than a look-up. A capsule
 * never changes: any number of threads may use it.
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

/* Fills in a plan's memory and the extents of the input. */
static int make_plan(context *c, PyObject *shape, PyObject *axes, PyObject *bits, int64_t *extents,
                     plan_memory *memory)
{
    memory->rank = read_axes(c, axes, memory->axes);
    const long width = memory->rank < 0 ? -1 : PyLong_AsLong(bits);
    if (width < 0) return -1;
    memory->bits = (int)width;
    const int rank = read_integers(c, shape, "shape", TPAD_MAX_RANK, extents);
    if (rank < 0) return -1;
    if (rank != memory->rank) {
        PyErr_Format(PyExc_ValueError, "amounts for %d axes, but the array has %d", memory->rank,
                     rank);
        return -1;
    }
    for (int i = 0; i < rank; i++) memory->axes[i].in_extent = extents[i];
    const tpad_problem problem = dense_problem(memory->axes, rank, memory->bits);
    tpad_error error;
    if (tpad_shape(&problem, memory->out_extents, NULL, &memory->bytes, &error) == TPAD_OK &&
        tpad_plan_init(&memory->plan, sizeof memory->plan, &problem, &error) == TPAD_OK)
        return 0;
    raise_error(&error);
    return -1;
}

/* plan(shape, axes, bits): (capsule, shape, output shape) */
PyObject *core_plan(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("plan", count, 3)) return NULL;
    plan_memory *memory = malloc(sizeof *memory);
    if (memory == NULL) return PyErr_NoMemory();
    int64_t extents[TPAD_MAX_RANK];
    PyObject *capsule = NULL, *result = NULL;
    if (make_plan(&c, args[0], args[1], args[2], extents, memory) == 0)
        capsule = PyCapsule_New(memory, capsule_name, free_plan);
    if (capsule == NULL) {
        free(memory);
        return NULL;
    }
    PyObject *shape = make_integers(memory->rank, extents);
    PyObject *out_shape = shape ? make_integers(memory->rank, memory->out_extents) : NULL;
    if (out_shape) result = PyTuple_Pack(3, capsule, shape, out_shape);
    Py_XDECREF(shape);
    Py_XDECREF(out_shape);
    Py_DECREF(capsule);
    return result;
}

/* plan_axes(capsule): the (shape, axes) that it was made from */
PyObject *core_plan_axes(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    const plan_memory *plan = check_count("plan_axes", count, 1) ? open_plan(args[0]) : NULL;
    if (plan == NULL) return NULL;
    int64_t extents[TPAD_MAX_RANK];
    for (int i = 0; i < plan->rank; i++) extents[i] = plan->axes[i].in_extent;
    PyObject *shape = make_integers(plan->rank, extents);
    PyObject *axes = shape ? make_axes(plan->rank, plan->axes) : NULL;
    PyObject *result = axes ? PyTuple_Pack(2, shape, axes) : NULL;
    Py_XDECREF(axes);
    Py_XDECREF(shape);
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

/* The input, output and fill value of a run, checked against the plan. */
typedef struct run_arrays {
    operand src;
    operand dst;
    fill_values fill;
} run_arrays;

static void close_arrays(run_arrays *arrays)
{
    operand_close(&arrays->src);
    operand_close(&arrays->dst);
    values_close(&arrays->fill);
}

static int check_type(const char *what, const operand *array, PyObject *dtype)
{
    const int same =
        array->dtype == dtype ? 1 : PyObject_RichCompareBool(array->dtype, dtype, Py_EQ);
    if (same == 0)
        PyErr_Format(PyExc_TypeError, "%s has type %S, the plan is for %S", what, array->dtype,
                     dtype);
    return same > 0 ? 0 : -1;
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

/* The first arguments of plan_run and plan_box. */
typedef struct run_call {
    const plan_memory *plan;
    PyObject *fill;  /* an array of one element, or one per cell of fill_axis */
    int fill_axis;   /* of the output, or -1 */
    PyObject *dtype; /* of the plan */
    PyObject *array;
    PyObject *out;
    int threads;
} run_call;

/* Names of the arguments, in this order. */
static const parameter run_rows[] = {{"plan", 1},    {"fill", 1},    {"fill_axis", 1}, {"dtype", 1},
                                     {"array", 1},   {"out", 1},     {"threads", 1},   {"first", 1},
                                     {"extents", 1}, {"in_first", 1}};
static const signature plan_run_signature = {"plan_run", run_rows, 7, 7, 0};
static const signature plan_box_signature = {"plan_box", run_rows, 10, 10, 0};

static int read_run(const module_state *state, PyObject *const *args, run_call *call)
{
    const long axis = PyLong_AsLong(args[2]);
    if (axis == -1 && PyErr_Occurred()) return -1;
    *call = (run_call){open_plan(args[0]), args[1], (int)axis, args[3], args[4], args[5], 1};
    call->threads = call->plan ? read_threads(state, args[6]) : -1;
    return call->threads < 0 ? -1 : 0;
}

/* Opens the constants. */
static int open_fill(context *c, const run_call *call, fill_values *fill)
{
    const plan_memory *plan = call->plan;
    if (take_values(c, Py_NewRef(call->fill), fill) != 0) return -1;
    const int64_t wanted = call->fill_axis < 0 ? 1 : plan->out_extents[call->fill_axis];
    if (8 * fill->view.item_bytes != plan->bits || array_size(&fill->view) != wanted ||
        !(fill->view.flags & ARRAY_C_CONTIGUOUS)) {
        PyErr_SetString(PyExc_ValueError, "the constants are not of the plan");
        return -1;
    }
    fill->sides = 0;
    fill->axis = call->fill_axis;
    for (int i = 0; i < plan->rank; i++)
        fill->strides[i] = i == fill->axis ? fill->view.item_bytes : 0;
    return 0;
}

/* Opens a run's arrays, and makes the output if there is none. *result: a new reference. */
static int open_arrays(context *c, const run_call *call, int partial, const int64_t *out_extents,
                       run_arrays *arrays, PyObject **result)
{
    const plan_memory *plan = call->plan;
    operand *src = &arrays->src, *dst = &arrays->dst;
    *src = *dst = (operand){0};
    values_start(&arrays->fill);
    if (operand_source(c, call->array, src) != 0 ||
        check_type("the array", src, call->dtype) != 0 || open_fill(c, call, &arrays->fill) != 0 ||
        check_input(plan, &src->view, partial) != 0)
        return -1;
    if (8 * src->view.item_bytes != plan->bits || !src->movable) {
        PyErr_SetString(PyExc_ValueError, "elements are not of the size that was planned for");
        return -1;
    }
    if (Py_TYPE(call->out) != (PyTypeObject *)c->state->ndarray) {
        if (operand_make(c, call->out, src, plan->rank, out_extents, dst, result) != 0) return -1;
    } else {
        if (operand_take(c, Py_NewRef(call->out), dst) != 0 ||
            check_type("out", dst, call->dtype) != 0 ||
            check_extents("output", &dst->view, plan->rank, out_extents) != 0 ||
            array_check_output(&dst->view) != 0 || operand_separate(c, src, dst) != 0)
            return -1;
        *result = Py_NewRef(call->out);
    }
    return operand_refresh(c, src) == 0 ? operand_refresh(c, dst) : -1;
}

/* plan_run(capsule, fill, fill_axis, dtype, array, out, threads): the padded array */
PyObject *core_plan_run(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    run_call call;
    if (!check_count("plan_run", count, 7)) return NULL;
    if (is_foreign(c.state, args[4], args[5]))
        return through_door(&c, "plan_run", &plan_run_signature, args, args, count, NULL);
    if (read_run(c.state, args, &call) != 0) return NULL;
    const plan_memory *plan = call.plan;
    run_arrays arrays;
    PyObject *result = NULL;
    int status = open_arrays(&c, &call, 0, plan->out_extents, &arrays, &result);
    const array_view *src = &arrays.src.view, *dst = &arrays.dst.view;
    const tpad_fill fill = fill_of(&arrays.fill);
    /* Two cases are worth a new plan: a colour per pixel (with pixels as elements), and a large new
     * output (without streaming). */
    const int pixels = call.fill_axis == plan->rank - 1 && call.fill_axis >= 0;
    const int own_plan = pixels || (status == 0 && is_untouched(dst));
    if (status == 0 && (src->flags & dst->flags & ARRAY_C_CONTIGUOUS) && !own_plan) {
        status =
            run_plan(c.state, &plan->plan, src->data, dst->data, &fill, plan->bytes, call.threads);
    } else if (status == 0) {
        tpad_axis axes[TPAD_MAX_RANK];
        memcpy(axes, plan->axes, sizeof axes);
        status = move_elements(c.state, axes, src, dst, &fill, call.threads);
    }
    close_arrays(&arrays);
    if (status != 0) Py_CLEAR(result);
    return result;
}

/* Reads a box of the dense plan from Python arguments. */
static int box_of(context *c, const plan_memory *plan, PyObject *first, PyObject *extents,
                  tpad_box *box, int64_t *starts, int64_t *sizes)
{
    int starts_count = read_integers(c, first, "first", TPAD_MAX_RANK, starts);
    int sizes_count =
        starts_count < 0 ? -1 : read_integers(c, extents, "extents", TPAD_MAX_RANK, sizes);
    if (sizes_count < 0) return -1;
    if (starts_count != plan->rank || sizes_count != plan->rank) {
        PyErr_Format(PyExc_ValueError, "a box of this plan has %d axes", plan->rank);
        return -1;
    }
    *box = (tpad_box){.struct_size = sizeof *box, .first = starts, .extents = sizes};
    return 0;
}

/* Checks that the input, which begins at cell in_first, has all cells that a box's plan reads. */
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

/* Refuses a box that is not inside the output, before memory is allocated for it. */
static int check_box(const plan_memory *plan, const tpad_box *box)
{
    int inside = 1;
    for (int i = 0; i < plan->rank; i++)
        inside &= box->first[i] >= 0 && box->extents[i] >= 0 &&
                  box->extents[i] <= plan->out_extents[i] &&
                  box->first[i] <= plan->out_extents[i] - box->extents[i];
    if (inside) return 0;
    tpad_plan part;
    tpad_error error;
    if (tpad_plan_box(&part, sizeof part, &plan->plan, box, &error) != TPAD_OK) raise_error(&error);
    return PyErr_Occurred() ? -1 : 0;
}

/* Runs one box on arrays of its own. */
static int run_box(const module_state *state, const plan_memory *plan, tpad_box *box,
                   const run_arrays *arrays, int threads)
{
    const array_view *src = &arrays->src.view, *dst = &arrays->dst.view;
    int64_t out_strides[TPAD_MAX_RANK], in_strides[TPAD_MAX_RANK];
    for (int i = 0; i < plan->rank; i++) {
        out_strides[i] = dst->strides[i];
        in_strides[i] = src->strides[i];
    }
    box->out_strides = out_strides;
    box->in_strides = in_strides;
    tpad_plan part;
    tpad_error error;
    if (tpad_plan_box(&part, sizeof part, &plan->plan, box, &error) != TPAD_OK) {
        raise_error(&error);
        return -1;
    }
    if (check_part(&part, src, box->in_first) != 0) return -1;
    const tpad_fill fill = fill_of(&arrays->fill);
    return run_plan(state, &part, src->data, dst->data, &fill, array_size(dst) * dst->item_bytes,
                    threads);
}

/* plan_box(capsule, fill, fill_axis, dtype, array, out, threads, first, extents, in_first): the
 * box. in_first: None if the array is the whole input, else its first cell in the input */
PyObject *core_plan_box(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    run_call call;
    if (!check_count("plan_box", count, 10)) return NULL;
    if (is_foreign(c.state, args[4], args[5]))
        return through_door(&c, "plan_box", &plan_box_signature, args, args, count, NULL);
    if (read_run(c.state, args, &call) != 0) return NULL;
    const plan_memory *plan = call.plan;
    tpad_box box;
    int64_t starts[TPAD_MAX_RANK], sizes[TPAD_MAX_RANK], in_first[TPAD_MAX_RANK] = {0};
    if (box_of(&c, plan, args[7], args[8], &box, starts, sizes) != 0 || check_box(plan, &box) != 0)
        return NULL;
    const int partial = args[9] != Py_None;
    const int entries =
        partial ? read_integers(&c, args[9], "in_first", TPAD_MAX_RANK, in_first) : plan->rank;
    if (entries < 0) return NULL;
    if (entries != plan->rank)
        return PyErr_Format(PyExc_ValueError, "in_first has %d entries, the plan has %d axes",
                            entries, plan->rank);
    box.in_first = in_first;
    run_arrays arrays;
    PyObject *result = NULL;
    int status = open_arrays(&c, &call, partial, sizes, &arrays, &result);
    if (status == 0) status = run_box(c.state, plan, &box, &arrays, call.threads);
    close_arrays(&arrays);
    if (status != 0) Py_CLEAR(result);
    return result;
}

/* plan_needs(capsule, first, extents): (first, extents) of the input */
PyObject *core_plan_needs(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("plan_needs", count, 3)) return NULL;
    const plan_memory *plan = open_plan(args[0]);
    tpad_box box;
    int64_t starts[TPAD_MAX_RANK], sizes[TPAD_MAX_RANK];
    if (plan == NULL || box_of(&c, plan, args[1], args[2], &box, starts, sizes) != 0) return NULL;
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
