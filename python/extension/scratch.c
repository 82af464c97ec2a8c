/* What one call leaves to the next: a buffer, and plans.  SPDX-License-Identifier: MIT
 *
 * Without the buffer, the C library would get its pages from the system for each call, and give them
 * back: this takes longer than the call. Plans are kept because who pads in a loop has the same
 * problems again and again. They are numbers: no array, no thread and no pointer to memory of
 * others, so any call of any thread may use them, also after fork(). A call takes things from the
 * shelf and gives them back; whoever comes meanwhile makes its own.
 */
#include "extension.h"

#include <string.h>

/* Larger buffers are not kept. */
enum { MOST_KEPT = 1 << 20 };
enum { SLOT_BITS = 3, SLOTS = 1 << SLOT_BITS };

typedef union scratch_block {
    size_t bytes; /* behind this block */
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

/* Where problems like this one lie, by extents and thread. */
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
    const tpad_problem *own = &kept->problem;
    return own->rank == problem->rank && own->elem_bits == problem->elem_bits &&
           own->flags == problem->flags &&
           memcmp(kept->axes, problem->axes, sizeof *kept->axes * (size_t)own->rank) == 0;
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
