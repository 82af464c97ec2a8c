/* Running plans on arrays; a buffer and plans that calls reuse.  SPDX-License-Identifier: MIT */
#include "extension.h"

#include <string.h>

/* ---- A buffer and plans that calls reuse ----------------------------------------------------- */

/* Without the buffer, the C library would get pages from the system and return them in each call,
 * which takes longer than the call. Plans are kept because a loop has the same problems again and
 * again. They are plain numbers (no array, thread or pointer to foreign memory), so any thread may
 * use them, also after fork(). A call takes things from the shelf and returns them; concurrent
 * calls make their own. */

/* Larger buffers are not kept. */
enum { MOST_KEPT = 1 << 20 };
enum { SLOT_BITS = 3, SLOTS = 1 << SLOT_BITS };

typedef union scratch_block {
    size_t bytes; /* after this block */
    max_align_t aligned;
} scratch_block;

struct scratch_shelf {
    _Atomic(scratch_block *) kept;
    _Atomic(kept_plan *) plans[SLOTS];
};

scratch_shelf *scratch_start(void)
{
    scratch_shelf *shelf = PyMem_Malloc(sizeof *shelf);
    if (shelf == NULL) {
        PyErr_NoMemory();
    } else {
        atomic_init(&shelf->kept, NULL);
        for (int i = 0; i < SLOTS; i++) atomic_init(&shelf->plans[i], NULL);
    }
    return shelf;
}

void scratch_end(scratch_shelf *shelf)
{
    if (shelf != NULL) PyMem_Free(atomic_load(&shelf->kept));
    for (int i = 0; shelf && i < SLOTS; i++) PyMem_Free(atomic_load(&shelf->plans[i]));
    PyMem_Free(shelf);
}

void *scratch_take(scratch_shelf *shelf, size_t bytes)
{
    scratch_block *block = atomic_exchange(&shelf->kept, NULL);
    if (block == NULL || block->bytes < bytes) {
        PyMem_Free(block);
        block =
            bytes <= PY_SSIZE_T_MAX - sizeof *block ? PyMem_Malloc(sizeof *block + bytes) : NULL;
        if (block == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        block->bytes = bytes;
    }
    return block + 1;
}

void scratch_give(scratch_shelf *shelf, void *buffer)
{
    if (buffer == NULL) return;
    scratch_block *block = (scratch_block *)buffer - 1;
    PyMem_Free(block->bytes <= MOST_KEPT ? atomic_exchange(&shelf->kept, block) : block);
}

/* ---- Plans ----------------------------------------------------------------------------------- */

/* The slot of a problem, by extents and thread. */
static int slot_of(const tpad_problem *problem)
{
    uint64_t sum = PyThread_get_thread_ident() + (uint64_t)(problem->elem_bits + problem->flags);
    for (int i = 0; i < problem->rank; i++) {
        const tpad_axis *a = &problem->axes[i];
        sum = 31 * sum + (uint64_t)a->in_extent + 7 * (uint64_t)a->before +
              (uint64_t)a->out_stride + (uint64_t)a->mode;
    }
    return (int)(sum * UINT64_C(0x9E3779B97F4A7C15) >> (64 - SLOT_BITS));
}

static int is_of(const kept_plan *kept, const tpad_problem *problem)
{
    const tpad_problem *kept_problem = &kept->problem;
    return kept_problem->rank == problem->rank && kept_problem->elem_bits == problem->elem_bits &&
           kept_problem->flags == problem->flags && kept_problem->in_offset == problem->in_offset &&
           kept_problem->out_offset == problem->out_offset &&
           memcmp(kept->axes, problem->axes, sizeof *kept->axes * (size_t)kept_problem->rank) == 0;
}

kept_plan *plans_take(scratch_shelf *shelf, const tpad_problem *problem)
{
    const int slot = slot_of(problem);
    kept_plan *kept = atomic_exchange(&shelf->plans[slot], NULL);
    if (kept && is_of(kept, problem)) return kept;
    if (kept == NULL) kept = PyMem_Malloc(sizeof *kept);
    if (kept == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    kept->slot = slot;
    kept->state = PLAN_NEW;
    kept->problem = *problem;
    kept->problem.axes = kept->axes;
    memcpy(kept->axes, problem->axes, sizeof *kept->axes * (size_t)problem->rank);
    tpad_error error;
    if (tpad_shape(problem, kept->shape, NULL, &kept->bytes, &error) == TPAD_OK) return kept;
    PyMem_Free(kept);
    raise_error(&error);
    return NULL;
}

int32_t plans_make(kept_plan *kept, tpad_error *error)
{
    if (kept->state == PLAN_MADE) return TPAD_OK;
    const int32_t status = tpad_plan_init(&kept->plan, sizeof kept->plan, &kept->problem, error);
    if (status == TPAD_OK) kept->state = PLAN_MADE;
    return status;
}

void plans_give(scratch_shelf *shelf, kept_plan *kept)
{
    PyMem_Free(atomic_exchange(&shelf->plans[kept->slot], kept));
}

int plans_shape(scratch_shelf *shelf, const tpad_problem *problem, int64_t *shape, int64_t *bytes)
{
    kept_plan *kept = plans_take(shelf, problem);
    if (kept == NULL) return -1;
    memcpy(shape, kept->shape, sizeof *shape * (size_t)problem->rank);
    *bytes = kept->bytes;
    plans_give(shelf, kept);
    return 0;
}

/* ---- Running plans on arrays ----------------------------------------------------------------- */

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
    if (bytes < WORTH_RELEASING || threads == HOLD_GIL) {
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

/* 1 if the last axis, with fill values along it, can become part of the elements: it is not padded
 * and is contiguous. A pixel is then one element with one value. */
static int has_pixels(const tpad_problem *problem, const array_view *src, const array_view *dst,
                      const tpad_fill *fill)
{
    const int last = problem->rank - 1;
    const int64_t item = problem->elem_bits / 8;
    if (last < 0 || !fill || !fill->strides || fill->strides[last] != item) return 0;
    const tpad_axis *axis = &problem->axes[last];
    return axis->before == 0 && axis->after == 0 && axis->interior == 0 &&
           src->strides[last] == item && dst->strides[last] == item &&
           src->shape[last] == dst->shape[last] && axis->in_extent > 0 &&
           axis->in_extent <= TPAD_MAX_ELEM_BITS / problem->elem_bits;
}

int is_untouched(const array_view *dst)
{
    return dst->is_new && array_size(dst) >= MALLOC_KEEPS / dst->item_bytes;
}

/* Refuses an output that does not have the problem's shape. */
static int check_shape(const kept_plan *kept, const Py_ssize_t *extents)
{
    for (int i = 0; i < kept->problem.rank; i++) {
        if (kept->shape[i] == extents[i]) continue;
        PyErr_Format(PyExc_ValueError, "axis %d of the output array has extent %zd, not %lld", i,
                     extents[i], (long long)kept->shape[i]);
        return -1;
    }
    return 0;
}

/* Runs a problem whose output has these extents. Makes a plan only for a repeated or large one. */
static int run_problem(const module_state *state, const tpad_problem *problem, const void *src,
                       void *dst, const Py_ssize_t *extents, const tpad_fill *fill, int64_t bytes,
                       int threads)
{
    kept_plan *kept = plans_take(state->scratch, problem);
    if (kept == NULL) return -1;
    const int once = kept->state == PLAN_NEW && bytes < WORTH_RELEASING && !(fill && fill->strides);
    tpad_error error;
    int32_t code = TPAD_OK;
    int status = check_shape(kept, extents);
    if (status == 0 && once) {
        code = tpad_pad(problem, src, dst, fill ? fill->values : NULL, &error);
        kept->state = PLAN_SEEN;
    } else if (status == 0) {
        code = plans_make(kept, &error);
    }
    if (code != TPAD_OK) {
        raise_error(&error);
        status = -1;
    }
    if (status == 0 && !once) status = run_plan(state, &kept->plan, src, dst, fill, bytes, threads);
    plans_give(state->scratch, kept);
    return status;
}

int move_elements(const module_state *state, tpad_axis *axes, const array_view *src,
                  const array_view *dst, const tpad_fill *fill, int threads)
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
    const int dense = (src->flags & dst->flags & ARRAY_C_CONTIGUOUS) != 0;
    for (int i = 0; i < src->rank; i++) {
        axes[i].in_extent = src->shape[i];
        axes[i].in_stride = dense ? 0 : src->strides[i];
        axes[i].out_stride = dense ? 0 : dst->strides[i];
    }
    const int bits = 8 * src->item_bytes;
    tpad_problem problem =
        dense ? dense_problem(axes, src->rank, bits) : strided_problem(axes, src->rank, bits);
    if (is_untouched(dst)) problem.flags |= TPAD_OUT_READ_SOON;
    tpad_fill pixel;
    if (has_pixels(&problem, src, dst, fill)) {
        problem.rank--;
        problem.elem_bits *= (int32_t)axes[problem.rank].in_extent;
        pixel = (tpad_fill){sizeof pixel, fill->values, NULL};
        fill = &pixel;
    }
    return run_problem(state, &problem, src->data, dst->data, dst->shape, fill,
                       array_size(dst) * dst->item_bytes, threads);
}

/* ---- A value for each side ------------------------------------------------------------------- */

/* Part of an output: cells [first, end) of each axis. */
typedef struct part {
    int64_t first[TPAD_MAX_RANK];
    int64_t end[TPAD_MAX_RANK];
} part;

/* Writes one element to all cells of a part. */
static int fill_part(const module_state *state, const array_view *dst, const part *of,
                     const void *element, int threads)
{
    tpad_axis axes[TPAD_MAX_RANK];
    Py_ssize_t extents[TPAD_MAX_RANK];
    char *begin = dst->data;
    int64_t bytes = dst->item_bytes;
    for (int i = 0; i < dst->rank; i++) {
        extents[i] = (Py_ssize_t)(of->end[i] - of->first[i]);
        axes[i] = (tpad_axis){.before = extents[i], .out_stride = dst->strides[i]};
        begin += of->first[i] * dst->strides[i];
        bytes *= axes[i].before;
    }
    const tpad_problem problem = strided_problem(axes, dst->rank, 8 * dst->item_bytes);
    const tpad_fill fill = {sizeof fill, element, NULL};
    return bytes == 0 ? 0
                      : run_problem(state, &problem, NULL, begin, extents, &fill, bytes, threads);
}

/* Moves all but the sides of constant axes to their place in the output, `inside`. */
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
    place.flags &= ~ARRAY_C_CONTIGUOUS;
    return cells == 0 ? 0 : move_elements(state, cut, src, &place, NULL, threads);
}

/* As in numpy.pad, the sides of an axis have their values over the whole extent of earlier axes. */
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

/* For elements that are not plain bytes: NumPy moves them as the engine tells it. */
static int move_objects(context *c, const tpad_axis *axes, const operand *src, const operand *dst,
                        const fill_values *values, int threads)
{
    PyObject *amounts = make_axes(src->view.rank, axes);
    const int status = let_go(
        call_python(c, "_arrays", "move_objects", "(OOOOii)", src->array, dst->array, amounts,
                    values->array ? values->array : Py_None, values->axis, threads));
    Py_XDECREF(amounts);
    return status;
}

/* Moves elements as bytes. */
static int move_bytes(const module_state *state, tpad_axis *axes, const array_view *src,
                      const array_view *dst, const fill_values *values, int threads)
{
    if (values->sides) return move_with_sides(state, axes, src, dst, values, threads);
    const tpad_fill fill = fill_of(values);
    return move_elements(state, axes, src, dst, &fill, threads);
}

/* Moves object references to an aligned, gapless output. Holds the GIL, so that no object is freed
 * before it is counted. */
static int move_references(const module_state *state, tpad_axis *axes, const array_view *src,
                           const array_view *dst, const fill_values *values)
{
    const size_t count = (size_t)array_size(dst), bytes = count * sizeof(PyObject *);
    PyObject **objects = (PyObject **)(void *)dst->data;
    PyObject **before = scratch_take(state->scratch, bytes);
    if (before == NULL) return -1;
    memcpy(before, objects, bytes);
    const int status = move_bytes(state, axes, src, dst, values, HOLD_GIL);
    size_t left = 0;
    if (status != 0) memcpy(objects, before, bytes);
    for (size_t i = 0; status == 0 && i < count; i++) {
        Py_XINCREF(objects[i]);
        if (before[i] == Py_None) { /* as in a new array */
            Py_DECREF(Py_None);
        } else {
            before[left++] = before[i];
        }
    }
    /* May run foreign code, so only when the array is complete. */
    for (size_t i = 0; i < left; i++) Py_XDECREF(before[i]);
    scratch_give(state->scratch, before);
    return status;
}

int move_operands(context *c, tpad_axis *axes, operand *src, operand *dst,
                  const fill_values *values, int threads)
{
    if (operand_refresh(c, src) != 0 || operand_refresh(c, dst) != 0) return -1;
    const int flags = dst->view.flags, is_object = src->view.kind == 'O';
#ifdef Py_GIL_DISABLED /* another thread may replace an object before it is counted */
    const int is_whole = 0 & flags;
#else
    const int is_whole =
        (flags & ARRAY_ALIGNED) && (flags & (ARRAY_C_CONTIGUOUS | ARRAY_F_CONTIGUOUS));
#endif
    if (!src->movable && !(is_object && is_whole))
        return move_objects(c, axes, src, dst, values, threads);
    return is_object ? move_references(c->state, axes, &src->view, &dst->view, values)
                     : move_bytes(c->state, axes, &src->view, &dst->view, values, threads);
}

/* move(src, dst, axes, values, threads): NumPy arrays; `values` has their type */
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
