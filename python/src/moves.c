/* Running plans on arrays.  SPDX-License-Identifier: MIT */
#include "extension.h"

/* A run that writes fewer bytes is over before another thread could use the GIL. */
enum { WORTH_RELEASING = 32768 };

int run_plan(const module_state *state, const tpad_plan *plan, const void *src, void *dst,
             const void *fill, int64_t bytes, int threads)
{
    tpad_runner runner;
    const tpad_runner *with = threads > 1 ? tpad_threads_runner(state->pool) : NULL;
    if (bytes < WORTH_RELEASING) {
        tpad_run(plan, src, dst, fill);
        return 0;
    }
    if (with && threads < tpad_threads_count(state->pool)) {
        runner = *with;
        runner.width = threads;
        with = &runner;
    }
    Py_BEGIN_ALLOW_THREADS tpad_run_with(plan, src, dst, fill, with);
    Py_END_ALLOW_THREADS return 0;
}

static int64_t size_of(int rank, const Py_ssize_t *shape, int64_t item)
{
    for (int i = 0; i < rank; i++) item *= shape[i];
    return item;
}

/* Refuses arrays that the core cannot describe. */
static int check_views(const array_view *src, const array_view *dst)
{
    if (src->rank > TPAD_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "arrays of more than %d axes are not supported, got %d",
                     TPAD_MAX_RANK, src->rank);
        return -1;
    }
    if (src->rank != dst->rank || src->item_bytes != dst->item_bytes) {
        PyErr_SetString(PyExc_ValueError, "input and output differ in rank or element size");
        return -1;
    }
    return 0;
}

/* Raises if the array does not have the shape of the plan's output. */
static int check_shape(const tpad_plan *plan, const array_view *dst)
{
    int64_t shape[TPAD_MAX_RANK];
    tpad_plan_shape(plan, shape);
    for (int i = 0; i < dst->rank; i++) {
        if (shape[i] == dst->shape[i]) continue;
        PyErr_Format(PyExc_ValueError, "axis %d of the output array has extent %zd, not %lld", i,
                     dst->shape[i], (long long)shape[i]);
        return -1;
    }
    return 0;
}

int move_elements(const module_state *state, tpad_axis *axes, const array_view *src,
                  const array_view *dst, const void *fill, int threads)
{
    if (check_views(src, dst) != 0) return -1;
    for (int i = 0; i < src->rank; i++) {
        axes[i].in_extent = src->shape[i];
        axes[i].in_stride = src->strides[i];
        axes[i].out_stride = dst->strides[i];
    }
    const tpad_problem problem = {.struct_size = sizeof problem,
                                  .axis_size = sizeof(tpad_axis),
                                  .axes = axes,
                                  .rank = src->rank,
                                  .elem_bits = 8 * src->item_bytes,
                                  .flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES};
    tpad_plan plan;
    tpad_error error;
    if (tpad_plan_init(&plan, sizeof plan, &problem, &error) != TPAD_OK) {
        raise_error(&error);
        return -1;
    }
    if (check_shape(&plan, dst) != 0) return -1;
    return run_plan(state, &plan, src->data, dst->data, fill,
                    size_of(dst->rank, dst->shape, dst->item_bytes), threads);
}

/* ---- What Python calls ----------------------------------------------------------------------- */

/* Opens both arrays: the input, and the output, which must be writeable and must not overlap the
 * input. */
static int open_pair(const module_state *state, PyObject *source, PyObject *target, array_view *src,
                     array_view *dst)
{
    if (array_open(state, source, src) != 0) return -1;
    int has = array_has_objects(state, src, source);
    if (has == 0 && array_open(state, target, dst) == 0) {
        has = array_has_objects(state, dst, target);
        if (has == 0 && array_check_output(dst) == 0) return 0;
        array_close(dst);
    }
    array_close(src);
    if (has > 0) PyErr_SetString(PyExc_TypeError, "elements that hold references cannot be moved");
    return -1;
}

/* Finds the one element of `fill`, an array of the same element size; NULL for None. */
static int open_fill(const module_state *state, PyObject *fill, const array_view *like,
                     array_view *view)
{
    *view = (array_view){0};
    if (fill == Py_None) return 0;
    if (array_open(state, fill, view) != 0) return -1;
    if (view->item_bytes != like->item_bytes || size_of(view->rank, view->shape, 1) != 1) {
        PyErr_SetString(PyExc_ValueError, "the fill value is not one element of the array's type");
        array_close(view);
        return -1;
    }
    return 0;
}

/* move(src, dst, axes, fill, threads) */
PyObject *core_move(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const module_state *state = PyModule_GetState(module);
    if (!check_count("move", count, 5)) return NULL;
    tpad_axis axes[TPAD_MAX_RANK];
    int rank = read_axes(args[2], axes);
    int threads = rank < 0 ? -1 : read_threads(state, args[4]);
    if (threads < 0) return NULL;
    array_view src, dst, fill;
    if (open_pair(state, args[0], args[1], &src, &dst) != 0) return NULL;
    int status = -1;
    if (rank != src.rank) {
        PyErr_Format(PyExc_ValueError, "amounts for %d axes, but the array has %d", rank, src.rank);
    } else if (array_overlap(&src, &dst)) {
        PyErr_SetString(PyExc_ValueError, "input and output share memory");
    } else if (open_fill(state, args[3], &src, &fill) == 0) {
        status = move_elements(state, axes, &src, &dst, fill.data, threads);
        array_close(&fill);
    }
    array_close(&src);
    array_close(&dst);
    return status == 0 ? Py_NewRef(Py_None) : NULL;
}

/* A dense problem of the axes that read_axes has read. */
static tpad_problem dense(const tpad_axis *axes, int rank, int bits, int flags)
{
    const tpad_problem problem = TPAD_PROBLEM(bits, rank, axes);
    tpad_problem made = problem;
    made.flags |= flags;
    return made;
}

static int set_extents(tpad_axis *axes, int rank, PyObject *shape)
{
    int64_t extents[TPAD_MAX_RANK];
    int count = read_integers(shape, extents);
    if (count < 0) return -1;
    if (count != rank) {
        PyErr_Format(PyExc_ValueError, "amounts for %d axes, but the array has %d", rank, count);
        return -1;
    }
    for (int i = 0; i < rank; i++) axes[i].in_extent = extents[i];
    return 0;
}

/* shape(shape, axes): the extents of the output */
PyObject *core_shape(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (!check_count("shape", count, 2)) return NULL;
    tpad_axis axes[TPAD_MAX_RANK];
    int rank = read_axes(args[1], axes);
    if (rank < 0 || set_extents(axes, rank, args[0]) != 0) return NULL;
    const tpad_problem problem = dense(axes, rank, 8, 0);
    int64_t extents[TPAD_MAX_RANK];
    tpad_error error;
    if (tpad_shape(&problem, extents, NULL, NULL, &error) != TPAD_OK) return raise_error(&error);
    return make_integers(rank, extents);
}

/* move_packed(src, shape, dst, axes, fill, bits, high_first, threads): arrays of bytes that hold
 * `bits` wide elements; fill is an integer */
PyObject *core_move_packed(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const module_state *state = PyModule_GetState(module);
    if (!check_count("move_packed", count, 8)) return NULL;
    tpad_axis axes[TPAD_MAX_RANK];
    int rank = read_axes(args[3], axes);
    if (rank < 0 || set_extents(axes, rank, args[1]) != 0) return NULL;
    long fill = PyLong_AsLong(args[4]);
    long bits = PyLong_AsLong(args[5]);
    long high_first = PyLong_AsLong(args[6]);
    int threads = read_threads(state, args[7]);
    if (threads < 0 || PyErr_Occurred()) return NULL;
    const tpad_problem problem =
        dense(axes, rank, (int)bits, high_first ? TPAD_HIGH_BITS_FIRST : 0);
    tpad_plan plan;
    tpad_error error;
    int64_t bytes;
    if (tpad_shape(&problem, NULL, NULL, &bytes, &error) != TPAD_OK ||
        tpad_plan_init(&plan, sizeof plan, &problem, &error) != TPAD_OK)
        return raise_error(&error);
    int64_t in_elems = 1;
    for (int i = 0; i < rank; i++) {
        if (axes[i].in_extent && in_elems > TPAD_MAX_EXTENT / axes[i].in_extent) {
            PyErr_SetString(PyExc_ValueError, "the shape has more elements than memory can hold");
            return NULL;
        }
        in_elems *= axes[i].in_extent;
    }
    array_view src, dst;
    if (open_pair(state, args[0], args[2], &src, &dst) != 0) return NULL;
    int64_t in_bytes = in_elems / 8 * bits + (in_elems % 8 * bits + 7) / 8;
    int fits = (src.flags & dst.flags & ARRAY_C_CONTIGUOUS) && !array_overlap(&src, &dst) &&
               size_of(src.rank, src.shape, src.item_bytes) >= in_bytes &&
               size_of(dst.rank, dst.shape, dst.item_bytes) >= bytes;
    int status = -1;
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "packed buffers have to be contiguous, apart from each "
                                          "other and large enough");
    } else {
        const unsigned char value = (unsigned char)fill;
        status = run_plan(state, &plan, src.data, dst.data, &value, bytes, threads);
    }
    array_close(&src);
    array_close(&dst);
    return status == 0 ? Py_NewRef(Py_None) : NULL;
}

/* border(dst, shape, axes, fill, threads): `shape` is that of the input, already in its place */
PyObject *core_border(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const module_state *state = PyModule_GetState(module);
    if (!check_count("border", count, 5)) return NULL;
    tpad_axis axes[TPAD_MAX_RANK];
    int rank = read_axes(args[2], axes);
    if (rank < 0 || set_extents(axes, rank, args[1]) != 0) return NULL;
    int threads = read_threads(state, args[4]);
    array_view src, dst, fill;
    if (threads < 0 || open_pair(state, args[0], args[0], &src, &dst) != 0) return NULL;
    int status = -1;
    if (rank != dst.rank) {
        PyErr_Format(PyExc_ValueError, "amounts for %d axes, but the array has %d", rank, dst.rank);
    } else if (open_fill(state, args[3], &dst, &fill) == 0) {
        for (int i = 0; i < rank; i++) {
            axes[i].in_stride = dst.strides[i];
            axes[i].out_stride = dst.strides[i];
        }
        tpad_problem problem = dense(axes, rank, 8 * dst.item_bytes, 0);
        problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
        tpad_plan plan, border;
        tpad_error error;
        if (tpad_plan_init(&plan, sizeof plan, &problem, &error) != TPAD_OK ||
            tpad_plan_border(&border, sizeof border, &plan, &error) != TPAD_OK) {
            raise_error(&error);
        } else if (check_shape(&plan, &dst) == 0) {
            status = run_plan(state, &border, dst.data, dst.data, fill.data,
                              size_of(dst.rank, dst.shape, dst.item_bytes), threads);
        }
        array_close(&fill);
    }
    array_close(&src);
    array_close(&dst);
    return status == 0 ? Py_NewRef(Py_None) : NULL;
}
