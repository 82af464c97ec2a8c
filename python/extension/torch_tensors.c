/* Tensors of torch, seen without a call of Python's.  SPDX-License-Identifier: MIT
 *
 * From version 1.3 on, DLPack has a table of C functions, which the type of the tensors holds in a
 * capsule; one of them describes a tensor. Names and layout here are those of DLPack 1.
 */
#include "extension.h"

#include <string.h>

enum { DL_MAJOR = 1, DL_CPU = 1 };
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_COMPLEX = 5, DL_BOOL = 6 };

typedef struct dl_tensor {
    char *data;
    int32_t device_type;
    int32_t device_id;
    int32_t ndim;
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
    const int64_t *shape;
    const int64_t *strides; /* in elements */
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_exchange {
    uint32_t major;
    uint32_t minor;
    const struct dl_exchange *older;
    void *managed[3]; /* three functions that hand over the memory, too */
    int (*describe)(void *tensor, dl_tensor *out);
    void *work_stream;
} dl_exchange;

/* As dtype.kind of the types that NumPy has, else 0. */
static char kind_of(const dl_tensor *seen)
{
    static const char kinds[] = {
        [DL_INT] = 'i', [DL_UINT] = 'u', [DL_FLOAT] = 'f', [DL_COMPLEX] = 'c', [DL_BOOL] = 'b'};
    if (seen->lanes != 1 || seen->code >= sizeof kinds) return 0;
    if (seen->bits < (seen->code == DL_FLOAT ? 16 : seen->code == DL_COMPLEX ? 64 : 8)) return 0;
    return kinds[seen->code];
}

/* Fills in the view. The capsule is memory of its own, for shape and strides. */
static int show(const dl_tensor *seen, array_view *view)
{
    const Py_ssize_t rank = seen->ndim;
    PyObject *memory = PyBytes_FromStringAndSize(NULL, 2 * rank * (Py_ssize_t)sizeof(Py_ssize_t));
    if (memory == NULL) return 0;
    Py_ssize_t *integers = (Py_ssize_t *)(void *)PyBytes_AsString(memory);
    for (Py_ssize_t i = 0; i < rank; i++) {
        integers[i] = (Py_ssize_t)seen->shape[i];
        integers[rank + i] = (Py_ssize_t)(seen->strides[i] * (seen->bits / 8));
    }
    *view = (array_view){.capsule = memory,
                         .data = seen->data ? seen->data + seen->byte_offset : NULL,
                         .shape = integers,
                         .strides = integers + rank,
                         .rank = (int)rank,
                         .item_bytes = seen->bits / 8,
                         .flags = ARRAY_NOT_SWAPPED,
                         .kind = kind_of(seen)};
    return 1;
}

int tensor_open(const module_state *state, PyObject *tensor, array_view *view)
{
    view->capsule = NULL;
    PyObject *capsule = PyObject_GetAttr((PyObject *)Py_TYPE(tensor), state->word_exchange);
    const dl_exchange *table =
        capsule ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;
    Py_XDECREF(capsule); /* the type holds it */
    dl_tensor seen;
    const int shown = table && table->major == DL_MAJOR && table->describe(tensor, &seen) == 0 &&
                      seen.device_type == DL_CPU && kind_of(&seen) && seen.strides &&
                      show(&seen, view);
    if (!shown) PyErr_Clear();
    return shown;
}

/* Whether an attribute, or what a method returns, is false. */
static int says_no(PyObject *tensor, const char *attribute, int is_method)
{
    PyObject *answer = is_method ? PyObject_CallMethod(tensor, attribute, NULL)
                                 : PyObject_GetAttrString(tensor, attribute);
    const int no = answer == Py_False;
    if (answer == NULL) PyErr_Clear();
    Py_XDECREF(answer);
    return no;
}

int tensor_is_plain(PyObject *tensor, const array_view *view)
{
    if (strchr("biu", view->kind)) return 1; /* such types are nothing else */
    return view->kind == 'f' && says_no(tensor, "requires_grad", 0) && says_no(tensor, "is_neg", 1);
}
