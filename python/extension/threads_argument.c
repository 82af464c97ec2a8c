/* How many threads a call may use.  SPDX-License-Identifier: MIT */
#include "extension.h"

/* 1 if the process may be a worker of torch's DataLoader, whose number of threads is not known yet. */
static int may_follow_torch(const module_state *state)
{
    return atomic_load_explicit(&state->ask_torch, memory_order_relaxed) &&
           atomic_load_explicit(&state->threads, memory_order_relaxed) > 1 && state->helpers &&
           PyDict_GetItemString(PyImport_GetModuleDict(), "torch.utils.data") != NULL;
}

int read_threads(const module_state *state, PyObject *threads)
{
    if (threads == NULL || threads == Py_None) {
        if (may_follow_torch(state)) {
            PyObject *none = PyObject_CallMethod(state->helpers, "follow_torch", NULL);
            if (none == NULL) return -1;
            Py_DECREF(none);
        }
        return atomic_load_explicit(&state->threads, memory_order_relaxed);
    }
    context c = {state, 0};
    int64_t wanted;
    if (read_integer(&c, threads, "threads", "an integer", &wanted) != 0) return -1;
    if (wanted < 1) {
        PyErr_Format(PyExc_ValueError, "threads has to be at least 1, got %lld", (long long)wanted);
        return -1;
    }
    return wanted > TPAD_THREADS_MOST ? TPAD_THREADS_MOST : (int)wanted;
}
