/* A buffer that one call leaves to the next.  SPDX-License-Identifier: MIT
 *
 * Without it, the C library would get the pages of a buffer from the system for each call, and give
 * them back: this takes longer than the call.
 */
#include "extension.h"

/* Larger buffers are not kept. */
enum { MOST_KEPT = 1 << 20 };

typedef union scratch_block {
    size_t bytes; /* behind this block */
    max_align_t aligned;
} scratch_block;

struct scratch_shelf {
    _Atomic(scratch_block *) kept;
};

scratch_shelf *scratch_start(void)
{
    scratch_shelf *shelf = PyMem_Malloc(sizeof *shelf);
    if (shelf == NULL) {
        PyErr_NoMemory();
    } else {
        atomic_init(&shelf->kept, NULL);
    }
    return shelf;
}

void scratch_end(scratch_shelf *shelf)
{
    if (shelf != NULL) PyMem_Free(atomic_load(&shelf->kept));
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
