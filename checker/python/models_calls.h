/* Functions of models_calls.c for models_module.c.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_PYTHON_EXTENSION_MODELS_MODELS_CALLS_H
#define TENSORPAD_PYTHON_EXTENSION_MODELS_MODELS_CALLS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "models/models.h"
#include "runtimes/runtimes.h"

extern const char models_capsule[]; /* the name of the capsules from load() */

/* Text from a file: bytes that are not UTF-8 are replaced. NULL becomes None. */
PyObject *models_text(const char *text);
/* A tuple; None if count is below 0. In a shape, extents below 0 become None: unknown. */
PyObject *models_integers(int32_t count, const int64_t *items, int extents);
/* Sets a member of a dict; 0 or -1. Takes the reference to `value`, also on failure. */
int models_put(PyObject *dict, const char *name, PyObject *value);
/* Sets a Pad node's mode, type, shapes, amounts and value. Not 0 with an exception. */
int models_put_pad(PyObject *dict, const tpad_pad_node *node);

/* Sets an exception for an error of models.h; returns NULL. */
PyObject *models_raise(const tpad_io_error *error);

/* A target as the caller names it; the name lives as long as the caller's object. */
typedef struct models_target {
    const char *name;
    tpad_rules_choice choice;
} models_target;
/* 0, or -1 with an exception. */
int models_find_target(models_target *found, PyObject *name);

/* Methods of the module. */
PyObject *models_check(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *models_rule(PyObject *module, PyObject *code);

enum { MODELS_TARGETS_MOST = 64 };
PyObject *models_lower(PyObject *module, PyObject *arguments);

#endif
