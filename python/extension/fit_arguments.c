/* shape, multiple, align, too_long and mode as wishes for each axis. SPDX-License-Identifier: MIT
 *
 * What an integer or a word may be is checked here, so that an error can name the argument. The
 * limits of extents and offsets are the library's.
 */
#include "extension.h"

#include <string.h>

/* The name of an entry in errors: "axis 1: shape". */
enum { NAME_BYTES = 64 };
static const char *entry_name(int number, const char *what, char name[NAME_BYTES])
{
    if (number < 0) return what;
    PyOS_snprintf(name, NAME_BYTES, "axis %d: %s", number, what);
    return name;
}

/* Reads one integer of an argument. what: its name. expected: what it takes, for the TypeError. */
static int read_wish(context *c, PyObject *entry, int number, const char *what,
                     const char *expected, int64_t *out)
{
    if (plain_integer(entry, out)) return 0;
    if (!PyBool_Check(entry)) {
        char name[NAME_BYTES];
        return read_integer(c, entry, entry_name(number, what, name), expected, out);
    }
    PyErr_Format(PyExc_TypeError, "%s has to be %s, got %R", what, expected, entry);
    return -1;
}

static int read_shape(context *c, PyObject *entry, int number, void *into)
{
    tpad_fit_axis *wish = into;
    wish->sized = entry != Py_None;
    if (!wish->sized) return 0;
    if (read_wish(c, entry, number, "shape", "integers or None", &wish->extent) != 0) return -1;
    if (wish->extent >= 0) return 0;
    char name[NAME_BYTES];
    PyErr_Format(PyExc_ValueError, "%s has to be at least 0, got %lld: None keeps the extent",
                 entry_name(number, "shape", name), (long long)wish->extent);
    return -1;
}

static int read_multiple(context *c, PyObject *entry, int number, void *into)
{
    tpad_fit_axis *wish = into;
    wish->multiple = 0;
    if (entry == Py_None) return 0;
    if (read_wish(c, entry, number, "multiple", "integers or None", &wish->multiple) != 0)
        return -1;
    if (wish->multiple > 0) return 0;
    char name[NAME_BYTES];
    PyErr_Format(PyExc_ValueError, "%s has to be at least 1, got %lld",
                 entry_name(number, "multiple", name), (long long)wish->multiple);
    return -1;
}

/* Raises a ValueError that says what else may be meant; returns -1. */
static int refuse_word(context *c, const char *function, PyObject *word)
{
    PyObject *module = helpers(c);
    PyObject *none = module ? PyObject_CallMethod(module, function, "(O)", word) : NULL;
    Py_XDECREF(none);
    return -1;
}

static int read_align(context *c, PyObject *entry, int number, void *into)
{
    tpad_fit_axis *wish = into;
    wish->align = number_of_word(entry, tpad_align_from_name);
    if (wish->align >= 0 && wish->align != TPAD_ALIGN_OFFSET) return 0;
    if (PyUnicode_Check(entry)) return refuse_word(c, "refuse_align", entry);
    wish->align = TPAD_ALIGN_OFFSET;
    return read_wish(c, entry, number, "align", "words or integers", &wish->offset);
}

static int read_too_long(context *c, PyObject *entry, int number, void *into)
{
    (void)number;
    tpad_fit_axis *wish = into;
    wish->too_long = number_of_word(entry, tpad_too_long_from_name);
    return wish->too_long >= 0 ? 0 : refuse_word(c, "refuse_too_long", entry);
}

static int read_mode_of(context *c, PyObject *entry, int number, void *into)
{
    (void)number;
    tpad_fit_axis *wish = into;
    wish->mode = read_mode(c, entry);
    return wish->mode >= 0 ? 0 : -1;
}

int read_wishes(context *c, const wish_words *words, const chosen_axes *chosen, int rank,
                tpad_fit_axis *wishes)
{
    const struct {
        const char *name;
        PyObject *given;
        read_entry *read;
    } all[] = {
        {"shape", words->shape, read_shape},          {"multiple", words->multiple, read_multiple},
        {"align", words->align, read_align},          {"mode", words->mode, read_mode_of},
        {"too_long", words->too_long, read_too_long},
    };
    memset(wishes, 0, sizeof *wishes * (size_t)rank);
    for (int i = 0; i < chosen->count; i++) wishes[chosen->numbers[i]].align = words->default_align;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].given && read_each(c, all[i].given, rank, chosen, all[i].name, all[i].read,
                                      wishes, sizeof *wishes) != 0)
            return -1;
    return 0;
}
