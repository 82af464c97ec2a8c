/* Pictures of what a pad does, for tensorpad.show.  SPDX-License-Identifier: MIT */
#include "extension.h"

#include <stdlib.h>
#include <string.h>

#include "drawing/drawing.h"

/* The texts of a list, which must outlive them. *texts: NULL for None. */
static int read_texts(PyObject *list, const char ***texts)
{
    *texts = NULL;
    if (list == Py_None) return 0;
    const Py_ssize_t count = PyList_Size(list);
    if (count < 0) return -1;
    *texts = calloc((size_t)count + 1, sizeof **texts);
    if (*texts == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        (*texts)[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        if ((*texts)[i] == NULL) return -1;
    }
    return 0;
}

static PyObject *write_picture(const tpad_shown *shown, const char *form)
{
    tpad_written written = {0};
    tpad_drawing *drawing = NULL;
    int32_t status = TPAD_OK;
    if (strcmp(form, "text") == 0) {
        status = tpad_shown_text(shown, 0, &written);
    } else {
        status = tpad_shown_draw(shown, &drawing);
        if (status == TPAD_OK) status = tpad_drawing_svg(drawing, &written);
        tpad_drawing_free(drawing);
    }
    PyObject *result = NULL;
    if (status == TPAD_OK)
        result = PyBytes_FromStringAndSize(written.bytes, (Py_ssize_t)written.length);
    else
        PyErr_NoMemory();
    free(written.bytes);
    return result;
}

/* show(shape, axes, labels, fill, fills, fill_axis, form): the picture as bytes. labels: a list of
 * a text per element, or None; fills: one per cell of the output along fill_axis, or None; form:
 * "text" or "svg". */
PyObject *core_show(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    tpad_axis axes[TPAD_MAX_RANK];
    int64_t extents[TPAD_MAX_RANK];
    if (!check_count("show", count, 7)) return NULL;
    const int rank = read_axes(&c, args[1], axes);
    if (rank < 0 || read_integers(&c, args[0], "an extent", TPAD_MAX_RANK, extents) < 0)
        return NULL;
    for (int i = 0; i < rank; i++) axes[i].in_extent = extents[i];
    const char *fill = PyUnicode_AsUTF8AndSize(args[3], NULL);
    const char *form = fill ? PyUnicode_AsUTF8AndSize(args[6], NULL) : NULL;
    const long fill_axis = PyLong_AsLong(args[5]);
    const char **labels = NULL, **fills = NULL;
    tpad_shown *shown = NULL;
    PyObject *result = NULL;
    tpad_error error;
    if (form && !PyErr_Occurred() && read_texts(args[2], &labels) == 0 &&
        read_texts(args[4], &fills) == 0) {
        const tpad_problem problem = dense_problem(axes, rank, 8);
        const tpad_shown_words words = {
            .fill = fill, .labels = labels, .fills = fills, .fill_axis = (int32_t)fill_axis};
        if (tpad_shown_make(&shown, &problem, &words, &error) == TPAD_OK)
            result = write_picture(shown, form);
        else
            raise_error(&error);
    }
    tpad_shown_free(shown);
    free(labels);
    free(fills);
    return result;
}
