/* Models whose Pads are shared out between ONNX Runtime and the plug-in, for Python.
 * SPDX-License-Identifier: MIT */
#include "lowering/lowering.h"
#include "models_shared.h"

#include <stdlib.h>

/* Without the GIL. */
static int32_t write_file(const tpad_model *model, const uint8_t *ours, const char *path,
                          tpad_io_error *error)
{
    tpad_output *output = NULL;
    int32_t status = tpad_output_begin(&output, path, NULL, 1, error);
    if (!status) status = tpad_plugin_write(output, model, ours, error);
    if (!status) return tpad_output_commit(output, error);
    tpad_output_discard(output);
    return status;
}

/* prepare(model, name of a version of ONNX Runtime, path as bytes): a list with True for each Pad node that
 * the plug-in is to run. */
PyObject *models_prepare(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *capsule, *name;
    const char *path;
    models_target target;
    tpad_io_error error;
    int32_t status;
    if (!PyArg_ParseTuple(arguments, "OOy", &capsule, &name, &path)) return NULL;
    tpad_model *model = PyCapsule_GetPointer(capsule, models_capsule);
    if (model == NULL || models_find_target(&target, name) != 0) return NULL;
    const int64_t count = tpad_model_pad_count(model);
    uint8_t *ours = calloc((size_t)count + 1, 1);
    if (ours == NULL) return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS
    tpad_plugin_choose(ours, model, &target.choice);
    status = write_file(model, ours, path, &error);
    Py_END_ALLOW_THREADS
    PyObject *list = status ? models_raise(&error) : PyList_New(0);
    for (int64_t i = 0; list && i < count; i++)
        if (PyList_Append(list, ours[i] ? Py_True : Py_False) != 0) Py_CLEAR(list);
    free(ours);
    return list;
}
