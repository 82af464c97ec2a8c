/* Running plans on arrays.  SPDX-License-Identifier: MIT */
#include "extension.h"

const tpad_runner *runner_for(const module_state *state, int threads, tpad_runner *room)
{
    const tpad_runner *with = threads > 1 ? tpad_threads_runner(state->pool) : NULL;
    if (with == NULL || threads >= tpad_threads_count(state->pool)) return with;
    *room = *with;
    room->width = threads;
    return room;
}

int run_plan(const module_state *state, const tpad_plan *plan, const void *src, void *dst,
             const tpad_fill *fill, int64_t bytes, int threads)
{
    tpad_runner room;
    const tpad_runner *with = runner_for(state, threads, &room);
    tpad_error error = {.axis = -1};
    if (bytes < WORTH_RELEASING) {
        error.code = tpad_run_fill(plan, src, dst, fill, NULL);
    } else {
        Py_BEGIN_ALLOW_THREADS
        error.code = tpad_run_fill(plan, src, dst, fill, with);
        Py_END_ALLOW_THREADS
    }
    if (error.code == TPAD_OK) return 0;
    raise_error(&error);
    return -1;
}

/* Makes a plan of the problem, or for a small output with one value none, and runs it. */
static int run_problem(const module_state *state, const tpad_problem *problem, const void *src,
                       void *dst, const tpad_fill *fill, int64_t bytes, int threads)
{
    tpad_error error;
    tpad_plan plan;
    const int small = bytes < WORTH_RELEASING && !(fill && fill->strides);
    const int32_t status = small ? tpad_pad(problem, src, dst, fill ? fill->values : NULL, &error)
                                 : tpad_plan_init(&plan, sizeof plan, problem, &error);
    if (status != TPAD_OK) {
        raise_error(&error);
        return -1;
    }
    return small ? 0 : run_plan(state, &plan, src, dst, fill, bytes, threads);
}

tpad_problem dense_problem(const tpad_axis *axes, int rank, int bits)
{
    const tpad_problem problem = TPAD_PROBLEM(bits, rank, axes);
    return problem;
}

tpad_problem strided_problem(const tpad_axis *axes, int rank, int bits)
{
    tpad_problem problem = dense_problem(axes, rank, bits);
    problem.flags = TPAD_IN_STRIDES | TPAD_OUT_STRIDES;
    return problem;
}

/* Refuses arrays that the core cannot describe, and an output that has not the right shape. */
static int check_views(const tpad_problem *problem, const array_view *src, const array_view *dst)
{
    int64_t shape[TPAD_MAX_RANK];
    tpad_error error;
    if (src->rank != dst->rank || src->item_bytes != dst->item_bytes) {
        PyErr_SetString(PyExc_ValueError, "input and output differ in rank or element size");
        return -1;
    }
    if (tpad_shape(problem, shape, NULL, NULL, &error) != TPAD_OK) {
        raise_error(&error);
        return -1;
    }
    for (int i = 0; i < dst->rank; i++) {
        if (shape[i] == dst->shape[i]) continue;
        PyErr_Format(PyExc_ValueError, "axis %d of the output array has extent %zd, not %lld", i,
                     dst->shape[i], (long long)shape[i]);
        return -1;
    }
    return 0;
}

/* 1 if the last axis of a problem whose fill has values along it can be a part of the elements: it
 * is not padded, and its elements lie together. Then a pixel is one element and has one value. */
static int has_pixels(const tpad_problem *problem, const tpad_fill *fill)
{
    const int last = problem->rank - 1;
    const int64_t item = problem->elem_bits / 8;
    if (last < 0 || !fill || !fill->strides || fill->strides[last] != item) return 0;
    const tpad_axis *axis = &problem->axes[last];
    return axis->before == 0 && axis->after == 0 && axis->interior == 0 &&
           axis->in_stride == item && axis->out_stride == item && axis->in_extent > 0 &&
           axis->in_extent <= TPAD_MAX_ELEM_BITS / problem->elem_bits;
}

int is_untouched(const array_view *dst)
{
    return dst->is_new && array_size(dst) >= MALLOC_KEEPS / dst->item_bytes;
}

int move_elements(const module_state *state, tpad_axis *axes, const array_view *src,
                  const array_view *dst, const tpad_fill *fill, int threads)
{
    if (src->rank > TPAD_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "arrays of more than %d axes are not supported, got %d",
                     TPAD_MAX_RANK, src->rank);
        return -1;
    }
    for (int i = 0; i < src->rank; i++) {
        axes[i].in_extent = src->shape[i];
        axes[i].in_stride = src->strides[i];
        axes[i].out_stride = i < dst->rank ? dst->strides[i] : 0;
    }
    tpad_problem problem = strided_problem(axes, src->rank, 8 * src->item_bytes);
    if (is_untouched(dst)) problem.flags |= TPAD_OUT_READ_SOON;
    if (check_views(&problem, src, dst) != 0) return -1;
    tpad_fill pixel;
    if (has_pixels(&problem, fill)) {
        problem.rank--;
        problem.elem_bits *= (int32_t)axes[problem.rank].in_extent;
        pixel = (tpad_fill){sizeof pixel, fill->values, NULL};
        fill = &pixel;
    }
    return run_problem(state, &problem, src->data, dst->data, fill,
                       array_size(dst) * dst->item_bytes, threads);
}

/* ---- A value for each side ------------------------------------------------------------------- */

/* A part of an output: cells [first, end) of each axis. */
typedef struct part {
    int64_t first[TPAD_MAX_RANK];
    int64_t end[TPAD_MAX_RANK];
} part;

/* Writes one element to all cells of a part. */
static int fill_part(const module_state *state, const array_view *dst, const part *of,
                     const void *element, int threads)
{
    tpad_axis axes[TPAD_MAX_RANK];
    char *begin = dst->data;
    int64_t bytes = dst->item_bytes;
    for (int i = 0; i < dst->rank; i++) {
        axes[i] = (tpad_axis){.before = of->end[i] - of->first[i], .out_stride = dst->strides[i]};
        begin += of->first[i] * dst->strides[i];
        bytes *= axes[i].before;
    }
    const tpad_problem problem = strided_problem(axes, dst->rank, 8 * dst->item_bytes);
    const tpad_fill fill = {sizeof fill, element, NULL};
    return bytes == 0 ? 0 : run_problem(state, &problem, NULL, begin, &fill, bytes, threads);
}

/* Moves all but the sides of constant axes to their place in the output, and shows this place. */
static int move_inside(const module_state *state, const tpad_axis *axes, const array_view *src,
                       const array_view *dst, part *inside, int threads)
{
    tpad_axis cut[TPAD_MAX_RANK];
    Py_ssize_t shape[TPAD_MAX_RANK];
    array_view place = *dst;
    int64_t cells = 1;
    for (int i = 0; i < dst->rank; i++) {
        const int64_t before = axes[i].before, after = axes[i].after, extent = dst->shape[i];
        cut[i] = axes[i];
        inside->first[i] = 0;
        inside->end[i] = extent;
        if (axes[i].mode == TPAD_CONSTANT) {
            const int64_t low = before < 0 ? 0 : before < extent ? before : extent;
            int64_t high = before + src->shape[i];
            if (high > extent) high = extent;
            inside->first[i] = low;
            inside->end[i] = high > low ? high : low;
            cut[i].before = before < 0 ? before : 0;
            cut[i].after = after < 0 ? after : 0;
        }
        place.data += inside->first[i] * dst->strides[i];
        shape[i] = (Py_ssize_t)(inside->end[i] - inside->first[i]);
        cells *= shape[i];
    }
    place.shape = shape;
    return cells == 0 ? 0 : move_elements(state, cut, src, &place, NULL, threads);
}

/* As numpy.pad: the sides of an axis have their values over the whole extent of earlier axes. */
static int move_with_sides(const module_state *state, const tpad_axis *axes, const array_view *src,
                           const array_view *dst, const fill_values *values, int threads)
{
    part inside, side;
    if (move_inside(state, axes, src, dst, &inside, threads) != 0) return -1;
    side = inside;
    for (int i = 0; i < dst->rank; i++) {
        const unsigned char *pair = values->elements + (size_t)(2 * i * dst->item_bytes);
        if (axes[i].mode == TPAD_CONSTANT) {
            side.first[i] = 0;
            side.end[i] = inside.first[i];
            if (fill_part(state, dst, &side, pair, threads) != 0) return -1;
            side.first[i] = inside.end[i];
            side.end[i] = dst->shape[i];
            if (fill_part(state, dst, &side, pair + dst->item_bytes, threads) != 0) return -1;
        }
        side.first[i] = 0;
        side.end[i] = dst->shape[i];
    }
    return 0;
}

/* ---- Any type -------------------------------------------------------------------------------- */

/* Elements that are no plain bytes: NumPy moves them, to where the engine tells it. */
static int move_objects(context *c, const tpad_axis *axes, const operand *src, const operand *dst,
                        const fill_values *values, int threads)
{
    PyObject *module = helpers(c);
    PyObject *amounts = module ? make_axes(src->view.rank, axes) : NULL;
    PyObject *none =
        amounts ? PyObject_CallMethod(module, "move_objects", "(OOOOii)", src->array, dst->array,
                                      amounts, values->array ? values->array : Py_None,
                                      values->axis, threads)
                : NULL;
    Py_XDECREF(amounts);
    Py_XDECREF(none);
    return none ? 0 : -1;
}

int move_operands(context *c, tpad_axis *axes, operand *src, operand *dst,
                  const fill_values *values, int threads)
{
    if (!src->movable) return move_objects(c, axes, src, dst, values, threads);
    if (operand_refresh(c, src) != 0 || operand_refresh(c, dst) != 0) return -1;
    if (values->sides)
        return move_with_sides(c->state, axes, &src->view, &dst->view, values, threads);
    const tpad_fill fill = fill_of(values);
    return move_elements(c->state, axes, &src->view, &dst->view, &fill, threads);
}

/* move(src, dst, axes, values, threads): arrays of NumPy; `values` has their type */
PyObject *core_move(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("move", count, 5)) return NULL;
    tpad_axis axes[TPAD_MAX_RANK];
    const int rank = read_axes(&c, args[2], axes);
    const int threads = rank < 0 ? -1 : read_threads(c.state, args[4]);
    operand src = {0}, dst = {0};
    fill_values values;
    int status = -1;
    values_start(&values);
    if (threads < 0 || operand_take(&c, Py_NewRef(args[0]), &src) != 0 ||
        operand_take(&c, Py_NewRef(args[1]), &dst) != 0 ||
        take_values(&c, Py_NewRef(args[3]), &values) != 0)
        goto done;
    if (!src.movable || !dst.movable || values.view.item_bytes != src.view.item_bytes) {
        PyErr_SetString(PyExc_TypeError, "elements that hold references cannot be moved");
    } else if (rank != src.view.rank || (values.sides && array_size(&values.view) != 2 * rank)) {
        PyErr_SetString(PyExc_ValueError, "amounts and values are not for this array");
    } else if (array_overlap(&src.view, &dst.view)) {
        PyErr_SetString(PyExc_ValueError, "input and output share memory");
    } else if (array_check_output(&dst.view) == 0) {
        status = move_operands(&c, axes, &src, &dst, &values, threads);
    }
done:
    operand_close(&src);
    operand_close(&dst);
    values_close(&values);
    return status == 0 ? Py_NewRef(Py_None) : NULL;
}
