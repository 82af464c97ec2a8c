/* The initial slots of the package's extension modules. SPDX-License-Identifier: MIT
 *
 * For a module's one file that defines `start`.
 */
#ifndef TENSORPAD_PYTHON_EXTENSION_SLOTS_H
#define TENSORPAD_PYTHON_EXTENSION_SLOTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

static int start(PyObject *module);

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)start},
/* Both slots are newer than the limited API of 3.11. They exist if the module is built for one
 * newer Python, such as one without the GIL, which cannot load abi3 modules. */
#ifdef Py_mod_multiple_interpreters
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_SUPPORTED},
#endif
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

#endif
