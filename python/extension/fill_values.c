/* The constants that fill cells.  SPDX-License-Identifier: MIT
 *
 * Plain numbers are converted here if NumPy's conversion cannot fail, wrap or warn. All others go
 * through Python, which lets NumPy assign them.
 */
#include "extension.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Converts a number to 16 bits with `fraction` bits of fraction, rounding to nearest even: 1; 0 if
 * it is too large, subnormal or zero. */
static int plain_half(double number, int fraction, unsigned char *fill)
{
    int exponent;
    const int one = 1 << fraction, bias = (1 << (14 - fraction)) - 1;
    const double scaled = frexp(fabs(number), &exponent) * 2 * one; /* [one, 2 * one) */
    if (!isfinite(number) || number == 0 || exponent < 2 - bias) return 0;
    if (exponent > bias + 1 || (exponent == bias + 1 && scaled > 2 * one - 1)) return 0;
    int digits = (int)scaled;
    const double rest = scaled - digits;
    digits += rest > 0.5 || (rest == 0.5 && digits % 2 != 0); /* may carry into the next power */
    const int magnitude = (exponent - 2 + bias) * one + digits;
    const uint16_t half = (uint16_t)(magnitude | (signbit(number) ? 0x8000 : 0));
    memcpy(fill, &half, 2);
    return 1;
}

int plain_fill(const array_view *like, PyObject *value, unsigned char *fill)
{
    int64_t integer = 0;
    double number = 0;
    if (!array_numeric(like)) return 0;
    const int is_integer = plain_integer(value, &integer);
    if (!is_integer) {
        if (!PyFloat_CheckExact(value)) return 0;
        number = PyFloat_AsDouble(value);
    } else if (integer == 0) {
        memset(fill, 0, (size_t)like->item_bytes);
        return 1;
    }
    if (!(like->flags & ARRAY_NOT_SWAPPED)) return 0;
    if (like->kind == 'f' || like->kind == KIND_BFLOAT) {
        if (is_integer) {
            if (integer > INT64_C(1) << 53 || integer < -(INT64_C(1) << 53)) return 0;
            number = (double)integer;
        }
        if (like->item_bytes == 8) {
            memcpy(fill, &number, 8);
            return 1;
        }
        if (like->kind == KIND_BFLOAT) /* through float32, as torch does */
            return fabs(number) <= 0x1.FEp127 && plain_half((double)(float)number, 7, fill);
        if (like->item_bytes == 2) return plain_half(number, 10, fill);
        if (like->item_bytes != 4 || (fabs(number) > FLT_MAX && isfinite(number))) return 0;
        const float single = (float)number;
        memcpy(fill, &single, 4);
        return 1;
    }
    if (!is_integer || (like->kind != 'i' && like->kind != 'u')) return 0;
    const int bits = 8 * like->item_bytes;
    const int64_t least = like->kind == 'u' ? 0 : -(INT64_C(1) << (bits - 2)) * 2;
    const int64_t half = INT64_C(1) << (bits - 2);
    const int64_t most = like->kind == 'u' && bits < 64 ? 4 * half - 1 : half - 1 + half;
    if (integer < least || integer > most) return 0;
    const uint8_t byte = (uint8_t)integer;
    const uint16_t two = (uint16_t)integer;
    const uint32_t four = (uint32_t)integer;
    const void *from[9] = {[1] = &byte, [2] = &two, [4] = &four, [8] = &integer};
    memcpy(fill, from[like->item_bytes], (size_t)like->item_bytes);
    return 1;
}

/* Takes a NumPy scalar that has the type already: 1, 0, or -1 with an exception. */
static int same_fill(context *c, const array_view *like, PyObject *value, unsigned char *fill)
{
    array_view view;
    if (!array_numeric(like) || strchr("biufc", like->kind) == NULL ||
        !array_is_scalar(c->state, value))
        return 0;
    if (array_open(c->state, value, &view) != 0) return -1;
    const int same = view.kind == like->kind && view.item_bytes == like->item_bytes &&
                     (view.flags & like->flags & ARRAY_NOT_SWAPPED);
    if (same) memcpy(fill, view.data, (size_t)view.item_bytes);
    array_close(&view);
    return same != 0;
}

void values_start(fill_values *values)
{
    values->elements = NULL;
    values->sides = 0;
    values->axis = -1;
    values->array = NULL;
    values->view.capsule = NULL;
}

/* Reads one value without a helper: 1, 0, or -1 with an exception. NULL is 0. */
static int read_plain(context *c, const operand *like, PyObject *value, fill_values *out)
{
    values_start(out);
    if (value == NULL) return array_numeric(&like->view);
    int understood = plain_fill(&like->view, value, out->bytes);
    if (!understood) understood = same_fill(c, &like->view, value, out->bytes);
    if (understood > 0) out->elements = out->bytes;
    return understood;
}

int take_values(context *c, PyObject *array, fill_values *out)
{
    out->array = array;
    if (array == NULL) return -1;
    if (array_open(c->state, array, &out->view) != 0) {
        values_close(out);
        return -1;
    }
    const int64_t count = array_size(&out->view);
    out->elements = count > 0 ? (const unsigned char *)out->view.data : NULL;
    out->sides = count > 1;
    return 0;
}

/* Reads (1, 2) or ((1, 2), (3, 4)) of plain numbers, for all axes: 1, else 0. */
static int plain_sides(const array_view *like, PyObject *values, fill_values *out)
{
    PyObject *items = plain_items(values);
    const Py_ssize_t count = items ? PyTuple_Size(items) : 0;
    const size_t width = (size_t)like->item_bytes;
    int understood = count > 0 && (count == 2 || count == like->rank) && array_numeric(like);
    int pairs = 0;
    for (Py_ssize_t i = 0; understood && i < count; i++) {
        PyObject *value = PyTuple_GetItem(items, i);
        PyObject *pair = plain_items(value);
        unsigned char *to = out->bytes + 2 * (size_t)i * width;
        if (pair == NULL && count == 2) {
            understood = plain_fill(like, value, out->bytes + (size_t)i * width);
        } else {
            pairs++;
            understood = pair && PyTuple_Size(pair) == 2 && count == like->rank &&
                         plain_fill(like, PyTuple_GetItem(pair, 0), to) &&
                         plain_fill(like, PyTuple_GetItem(pair, 1), to + width);
        }
        Py_XDECREF(pair);
    }
    Py_XDECREF(items);
    if (!understood || (pairs != 0 && pairs != count)) return 0;
    for (int i = 1; pairs == 0 && i < like->rank; i++)
        memcpy(out->bytes + 2 * (size_t)i * width, out->bytes, 2 * width);
    out->elements = out->bytes;
    out->sides = 1;
    return 1;
}

int read_values(context *c, const operand *like, PyObject *values, PyObject *axes, int exact,
                fill_values *out)
{
    const int understood = read_plain(c, like, values, out);
    if (understood != 0) return understood < 0 ? -1 : 0;
    if (values != NULL && (axes == NULL || axes == Py_None) &&
        plain_sides(&like->view, values, out))
        return 0;
    if (PyErr_Occurred()) return -1;
    if (values == NULL)
        return take_values(c, call_python(c, "_arguments", "zero", "(O)", like->dtype), out);
    return take_values(c,
                       call_python(c, "_arguments", "values", "(OOOii)", like->dtype, values,
                                   axes ? axes : Py_None, like->view.rank, exact),
                       out);
}

/* Takes an array of `extent` elements of that type: 1, 0, or -1 with an exception. */
static int same_array(context *c, const array_view *like, PyObject *values, int64_t extent,
                      fill_values *out)
{
    array_view view;
    if (Py_TYPE(values) != (PyTypeObject *)c->state->ndarray) return 0;
    if (array_open(c->state, values, &view) != 0) return -1;
    const int same = view.rank == 1 && view.shape[0] == extent && view.kind == like->kind &&
                     view.item_bytes == like->item_bytes &&
                     view.flags & like->flags & ARRAY_NOT_SWAPPED;
    for (int64_t i = 0; same && i < extent; i++)
        memcpy(out->bytes + i * view.item_bytes, view.data + i * view.strides[0],
               (size_t)view.item_bytes);
    array_close(&view);
    return same;
}

/* Reads a few values along an axis without a helper into out->bytes: 1, 0, or -1 with an exception.
 */
static int read_plain_list(context *c, const array_view *like, PyObject *values, int64_t extent,
                           fill_values *out)
{
    if (!array_numeric(like) || strchr("biufc", like->kind) == NULL || extent < 1 ||
        extent > (int64_t)sizeof out->bytes / like->item_bytes)
        return 0;
    PyObject *items = plain_items(values);
    if (items == NULL) return PyErr_Occurred() ? -1 : same_array(c, like, values, extent, out);
    int understood = PyTuple_Size(items) == extent;
    for (Py_ssize_t i = 0; understood && i < extent; i++)
        understood = plain_fill(like, PyTuple_GetItem(items, i), out->bytes + i * like->item_bytes);
    Py_DECREF(items);
    return understood;
}

int read_axis_values(context *c, const operand *like, PyObject *values, PyObject *axis, int rank,
                     const int64_t *shape, fill_values *out)
{
    chosen_axes chosen;
    values_start(out);
    if (values == NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "constant_axis is for constant_values, which are missing");
        return -1;
    }
    if (read_chosen(c, axis, "constant_axis", rank, &chosen) != 0) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_Format(PyExc_TypeError, "constant_axis has to be an integer, got %R", axis);
        return -1;
    }
    if (chosen.count != 1) {
        PyErr_Format(PyExc_ValueError, "constant_axis has to be one axis, got %R", axis);
        return -1;
    }
    const int number = chosen.numbers[0];
    const int understood = read_plain_list(c, &like->view, values, shape[number], out);
    if (understood < 0) return -1;
    if (understood) {
        out->elements = out->bytes;
    } else {
        if (take_values(c,
                        call_python(c, "_arguments", "axis_values", "(OOiL)", like->dtype, values,
                                    number, (long long)shape[number]),
                        out) != 0)
            return -1;
    }
    out->sides = 0;
    out->axis = number;
    for (int i = 0; i < rank; i++) out->strides[i] = i == number ? like->view.item_bytes : 0;
    return 0;
}

tpad_fill fill_of(const fill_values *values)
{
    return (tpad_fill){sizeof(tpad_fill), values->elements,
                       values->axis < 0 ? NULL : values->strides};
}

PyObject *values_array(context *c, const operand *like, int rank, const int64_t *shape,
                       const fill_values *values)
{
    if (values->array) return Py_NewRef(values->array);
    const int64_t extents[2] = {values->sides              ? rank
                                : values->axis == OF_ITEMS ? shape[0]
                                : values->axis >= 0        ? shape[values->axis]
                                                           : 1,
                                2};
    const int axes = 1 + values->sides;
    operand filled = {0};
    PyObject *result = NULL;
    if (operand_take(c, array_zeros(c->state, axes, extents, like->dtype, 0), &filled) == 0) {
        if (values->elements)
            memcpy(filled.view.data, values->elements,
                   (size_t)(array_size(&filled.view) * filled.view.item_bytes));
        result = Py_NewRef(filled.array);
    }
    operand_close(&filled);
    return result;
}

int read_one_value(context *c, const operand *like, PyObject *value, const char *function,
                   fill_values *out)
{
    const int understood = read_plain(c, like, value, out);
    if (understood != 0) return understood < 0 ? -1 : 0;
    PyObject *zero = value == NULL ? PyLong_FromLong(0) : Py_XNewRef(value);
    PyObject *array =
        call_python(c, "_arguments", "one_value", "(OOs)", like->dtype, zero, function);
    Py_XDECREF(zero);
    return take_values(c, array, out);
}

void values_close(fill_values *values)
{
    array_close(&values->view);
    Py_CLEAR(values->array);
}
