/* Memory for new outputs.  SPDX-License-Identifier: MIT
 *
 * The system clears new memory page by page, when it is written to first: half of what a pad
 * takes where pages are huge, more where they are small. NumPy asks for huge pages from 4 MB
 * on, but only whole ones come, and malloc's memory begins and ends inside one. So the package hands
 * NumPy memory that begins with a huge page, through NumPy's own interface for this (NEP 49): the
 * array owns it, and may be resized and freed as any other. malloc keeps what is freed as always. */
#include "extension.h"

#include <string.h>

enum { HUGE_PAGE = 2 << 20 }; /* with pages of 4 KiB */

#if defined(__linux__)
#include <stdlib.h>
#include <sys/mman.h>

/* As NumPy declares them; the places in its table of functions are fixed from 1.22 on. */
typedef struct numpy_handler {
    char name[127];
    uint8_t version;
    void *unused;
    void *(*malloc)(void *unused, size_t bytes);
    void *(*calloc)(void *unused, size_t count, size_t bytes);
    void *(*realloc)(void *unused, void *memory, size_t bytes);
    void (*free)(void *unused, void *memory, size_t bytes);
} numpy_handler;
enum { PLACE_OF_SET_HANDLER = 304, PLACE_OF_DEFAULT_HANDLER = 306 };

/* In front of the memory that NumPy has. */
typedef struct block {
    void *begin;
    size_t bytes;
} block;

/* The last huge page is a whole one if half of it is used. */
static void *take(void *unused, size_t bytes)
{
    (void)unused;
    const size_t page = HUGE_PAGE, alignment = bytes < page ? 64 : page;
    if (bytes > PY_SSIZE_T_MAX - 2 * page) return NULL;
    const size_t advised = bytes < page ? 0 : (bytes + page / 2) / page * page;
    const size_t room = advised > bytes ? advised : bytes;
    char *begin = malloc(sizeof(block) + alignment - 1 + room);
    if (begin == NULL) return NULL;
    const size_t past = ((uintptr_t)begin + sizeof(block)) % alignment;
    char *memory = begin + sizeof(block) + (past ? alignment - past : 0);
    if (advised) madvise(memory, advised, MADV_HUGEPAGE);
    const block told = {begin, bytes};
    memcpy(memory - sizeof told, &told, sizeof told);
    return memory;
}

static void *take_zeros(void *unused, size_t count, size_t bytes)
{
    void *memory = bytes && count > PY_SSIZE_T_MAX / bytes ? NULL : take(unused, count * bytes);
    return memory ? memset(memory, 0, count * bytes) : NULL;
}

static void give_back(void *unused, void *memory, size_t bytes)
{
    (void)unused;
    (void)bytes;
    block told = {NULL, 0};
    if (memory) memcpy(&told, (char *)memory - sizeof told, sizeof told);
    free(told.begin);
}

static void *take_other(void *unused, void *memory, size_t bytes)
{
    void *other = take(unused, bytes);
    if (memory == NULL || other == NULL) return other;
    block told;
    memcpy(&told, (char *)memory - sizeof told, sizeof told);
    memcpy(other, memory, told.bytes < bytes ? told.bytes : bytes);
    free(told.begin);
    return other;
}

static const numpy_handler handler = {"tensorpad", 1,          NULL,     take,
                                      take_zeros,  take_other, give_back};

int new_memory_start(module_state *state)
{
    const char *wanted = getenv("NUMPY_MADVISE_HUGEPAGE");
    if (wanted && strcmp(wanted, "0") == 0) return 0;
    PyObject *module = PyImport_ImportModule("numpy._core._multiarray_umath");
    PyObject *capsule = module ? PyObject_GetAttrString(module, "_ARRAY_API") : NULL;
    void **table = capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    if (table == NULL) return -1;
    memcpy(&state->set_memory, &table[PLACE_OF_SET_HANDLER], sizeof state->set_memory);
    state->numpys_memory = *(PyObject **)table[PLACE_OF_DEFAULT_HANDLER];
    state->memory = PyCapsule_New((void *)(uintptr_t)&handler, "mem_handler", NULL);
    return state->memory ? 0 : -1;
}
#else
int new_memory_start(module_state *state)
{
    (void)state;
    return 0;
}
#endif

PyObject *array_output(const module_state *state, int rank, const int64_t *shape, int item_bytes,
                       PyObject *dtype, int fortran)
{
    double bytes = item_bytes;
    for (int i = 0; i < rank; i++) bytes *= (double)shape[i];
    const int large = state->memory && bytes >= HUGE_PAGE;
    PyObject *before = large ? state->set_memory(state->memory) : NULL;
    if (before == NULL)
        return PyErr_Occurred() ? NULL : array_empty(state, rank, shape, dtype, fortran);
    /* What a program has set itself remains. */
    PyObject *ours = before == state->numpys_memory ? NULL : state->set_memory(before);
    PyObject *array = array_empty(state, rank, shape, dtype, fortran);
    if (ours == NULL) ours = state->set_memory(before);
    Py_DECREF(before);
    if (ours == NULL) Py_CLEAR(array);
    Py_XDECREF(ours);
    return array;
}
