/* tensorpad.pad_to and its arguments, which pad_batch shares.  SPDX-License-Identifier: MIT */
#include "extension.h"

#include <string.h>

/* ---- shape, multiple, align, too_long and mode ----------------------------------------------- */

/* Integers and names are checked here, so that errors can name the argument. The library checks the
 * limits of extents and offsets. */

/* An entry's name in errors: "axis 1: shape". */
enum { NAME_BYTES = 64 };
static const char *entry_name(int number, const char *what, char name[NAME_BYTES])
{
    if (number < 0) return what;
    PyOS_snprintf(name, NAME_BYTES, "axis %d: %s", number, what);
    return name;
}

/* Reads one integer of an argument. what: its name. expected: accepted types, for the TypeError. */
static int read_request(context *c, PyObject *entry, int number, const char *what,
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

static int read_extent(context *c, PyObject *entry, int number, const char *what, int64_t *extent)
{
    if (read_request(c, entry, number, what, "integers or None", extent) != 0) return -1;
    if (*extent >= 0) return 0;
    char name[NAME_BYTES];
    PyErr_Format(PyExc_ValueError, "%s has to be at least 0, got %lld: None keeps the extent",
                 entry_name(number, what, name), (long long)*extent);
    return -1;
}

static int read_shape(context *c, PyObject *entry, int number, void *into)
{
    tpad_fit_axis *request = into;
    request->sized = entry != Py_None;
    request->extent = 0;
    return request->sized ? read_extent(c, entry, number, "shape", &request->extent) : 0;
}

static int read_at_most(context *c, PyObject *entry, int number, void *into)
{
    tpad_fit_axis *request = into;
    if (entry == Py_None) return 0;
    if (request->sized) {
        PyErr_SetString(PyExc_ValueError, "an axis takes shape or at_most, not both");
        return -1;
    }
    request->sized = AT_MOST;
    return read_extent(c, entry, number, "at_most", &request->extent);
}

static int read_multiple(context *c, PyObject *entry, int number, void *into)
{
    tpad_fit_axis *request = into;
    request->multiple = 0;
    if (entry == Py_None) return 0;
    if (PyUnicode_Check(entry) && PyUnicode_CompareWithASCIIString(entry, "power_of_two") == 0) {
        request->multiple = POWER_OF_TWO;
        return 0;
    }
    if (read_request(c, entry, number, "multiple", "integers, 'power_of_two' or None",
                     &request->multiple) != 0)
        return -1;
    if (request->multiple > 0) return 0;
    char name[NAME_BYTES];
    PyErr_Format(PyExc_ValueError, "%s has to be at least 1, got %lld",
                 entry_name(number, "multiple", name), (long long)request->multiple);
    return -1;
}

/* Raises a ValueError with a suggestion; returns -1. */
static int refuse_word(context *c, const char *function, PyObject *word)
{
    return let_go(call_python(c, "_arguments", function, "(O)", word));
}

static int read_align(context *c, PyObject *entry, int number, void *into)
{
    tpad_fit_axis *request = into;
    request->align = number_of_word(entry, tpad_align_from_name);
    request->offset = 0;
    if (request->align >= 0 && request->align != TPAD_ALIGN_OFFSET) return 0;
    if (PyUnicode_Check(entry)) return refuse_word(c, "refuse_align", entry);
    request->align = TPAD_ALIGN_OFFSET;
    return read_request(c, entry, number, "align", "words or integers", &request->offset);
}

static int read_too_long(context *c, PyObject *entry, int number, void *into)
{
    tpad_fit_axis *request = into;
    if (PyUnicode_Check(entry) && PyUnicode_CompareWithASCIIString(entry, "crop") == 0) {
        request->too_long = TPAD_TOO_LONG_CROP_END; /* the end opposite to the alignment */
        if (number >= 0 && request->align == TPAD_ALIGN_CENTER)
            request->too_long = TPAD_TOO_LONG_CROP_CENTER;
        if (number >= 0 && request->align == TPAD_ALIGN_END)
            request->too_long = TPAD_TOO_LONG_CROP_START;
        return 0;
    }
    request->too_long = number_of_word(entry, tpad_too_long_from_name);
    return request->too_long >= 0 ? 0 : refuse_word(c, "refuse_too_long", entry);
}

static int read_buckets(context *c, PyObject *entry, int number, void *into)
{
    (void)number;
    axis_buckets *buckets = into;
    call_buckets *whole = buckets->whole;
    const int room = MOST_BUCKETS - whole->used;
    if (PySequence_Check(entry) && PySequence_Size(entry) > room) {
        PyErr_Format(PyExc_ValueError, "buckets has %zd extents, at most %d are supported",
                     PySequence_Size(entry) + whole->used, MOST_BUCKETS);
        return -1;
    }
    int64_t *extents = whole->extents + whole->used;
    const int count = read_integers(c, entry, "buckets", room, extents);
    if (count == 0) PyErr_SetString(PyExc_ValueError, "buckets has no extents");
    for (int i = 0; i < count; i++) {
        const int64_t extent = extents[i];
        if (extent < 0) {
            PyErr_Format(PyExc_ValueError, "buckets have to be at least 0, got %lld",
                         (long long)extent);
            return -1;
        }
        int place = i;
        for (; place > 0 && extents[place - 1] > extent; place--)
            extents[place] = extents[place - 1];
        extents[place] = extent;
    }
    if (count <= 0) return -1;
    whole->used += count;
    buckets->count = count;
    buckets->extents = extents;
    return 0;
}

/* Reads the argument buckets and its equivalents. */
static int read_all_buckets(context *c, PyObject *given, const chosen_axes *chosen, int rank,
                            tpad_fit_axis *requests, call_buckets *buckets)
{
    axis_buckets all = {0, NULL, buckets};
    buckets->used = 0;
    for (int i = 0; i < rank; i++) buckets->axes[i] = all;
    if (given && PyDict_Check(given)) {
        if (read_each(c, given, rank, chosen, "buckets", read_buckets, buckets->axes,
                      sizeof *buckets->axes) != 0)
            return -1;
    } else if (given && given != Py_None) {
        if (read_buckets(c, given, -1, &all) != 0) return -1;
        for (int i = 0; i < chosen->count; i++) buckets->axes[chosen->numbers[i]] = all;
    }
    for (int i = 0; i < rank; i++) {
        const int is_power = requests[i].multiple == POWER_OF_TWO;
        if (buckets->axes[i].count && (requests[i].multiple || requests[i].sized == 1)) {
            PyErr_Format(PyExc_ValueError, "axis %d takes buckets, or shape and multiple, not both",
                         i);
            return -1;
        }
        if (is_power) buckets->axes[i].count = POWER_OF_TWO;
        if (is_power) requests[i].multiple = 0;
    }
    return 0;
}

int resolve_request(int axis, int64_t longest, const axis_buckets *buckets, tpad_fit_axis *request)
{
    if (request->align == TPAD_ALIGN_OFFSET &&
        __builtin_add_overflow(longest, request->offset, &longest))
        longest = INT64_MAX; /* the library refuses it */
    if (longest < 0) longest = 0;
    const int is_kept = request->too_long == TPAD_TOO_LONG_KEEP;
    if (request->sized == AT_MOST) request->sized = longest > request->extent;
    if (!request->sized) request->extent = 0; /* unused */
    if (buckets->count == 0) return 0;
    int64_t extent = request->sized ? request->extent : longest;
    if (is_kept && longest > extent) extent = longest;
    int64_t power = 1;
    for (int i = 0; buckets->count > 0 && (i == 0 || power < extent) && i < buckets->count; i++)
        power = buckets->extents[i];
    while (buckets->count < 0 && power < extent && power <= INT64_MAX / 2) power *= 2;
    if (power < extent && request->too_long == TPAD_TOO_LONG_ERROR) {
        PyErr_Format(PyExc_ValueError,
                     "axis %d: %lld cells do not fit into the largest of buckets, %lld: add a "
                     "larger one, or choose a too_long that crops",
                     axis, (long long)extent, (long long)power);
        return -1;
    }
    request->extent = power < extent && is_kept ? extent : power;
    request->sized = 1;
    return 0;
}

static int read_mode_of(context *c, PyObject *entry, int number, void *into)
{
    (void)number;
    tpad_fit_axis *request = into;
    request->mode = read_mode(c, entry);
    return request->mode >= 0 ? 0 : -1;
}

int read_requests(context *c, const request_words *words, const chosen_axes *chosen, int rank,
                  tpad_fit_axis *requests, call_buckets *buckets)
{
    const struct {
        const char *name;
        PyObject *given;
        read_entry *read;
    } all[] = {
        {"shape", words->shape, read_shape},          {"at_most", words->at_most, read_at_most},
        {"multiple", words->multiple, read_multiple}, {"align", words->align, read_align},
        {"mode", words->mode, read_mode_of},          {"too_long", words->too_long, read_too_long},
    };
    memset(requests, 0, sizeof *requests * (size_t)rank);
    for (int i = 0; i < chosen->count; i++)
        requests[chosen->numbers[i]].align = words->default_align;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].given && read_each(c, all[i].given, rank, chosen, all[i].name, all[i].read,
                                      requests, sizeof *requests) != 0)
            return -1;
    return read_all_buckets(c, words->buckets, chosen, rank, requests, buckets);
}

/* ---- tensorpad.pad_to ------------------------------------------------------------------------ */

/* The library finds the amounts, and pad_by_amounts does the rest. Calls that NumPy computes go to
 * tensorpad._numpy.pad_to, which gets the amounts from here. */

#define PAD_TO_PARAMETERS(REQUIRED, OPTIONAL, STAR)                                                \
    REQUIRED(x)                                                                                    \
    OPTIONAL(shape, "None")                                                                        \
    STAR()                                                                                         \
    OPTIONAL(multiple, "None")                                                                     \
    OPTIONAL(buckets, "None")                                                                      \
    OPTIONAL(square, "None")                                                                       \
    OPTIONAL(axes, "None")                                                                         \
    OPTIONAL(align, "'center'")                                                                    \
    OPTIONAL(too_long, "'error'")                                                                  \
    OPTIONAL(mode, "'constant'")                                                                   \
    OPTIONAL(constant_values, "0")                                                                 \
    OPTIONAL(constant_axis, "None")                                                                \
    OPTIONAL(out, "None")                                                                          \
    OPTIONAL(threads, "None")                                                                      \
    OPTIONAL(return_amounts, "False")

typedef struct pad_to_call {
    PARAMETER_FIELDS(PAD_TO_PARAMETERS)
} pad_to_call;

static const parameter pad_to_rows[] = {PARAMETER_ROWS(PAD_TO_PARAMETERS)};
static const signature pad_to_signature = SIGNATURE("pad_to", pad_to_rows, 2, 0);

/* Reads the two axes that get equal extents. */
static int read_square(context *c, const pad_to_call *call, const chosen_axes *chosen,
                       tpad_fit *fit)
{
    if (call->square == NULL || call->square == Py_None) return 0;
    chosen_axes pair;
    if (read_chosen(c, call->square, "square", fit->rank, &pair) != 0) return -1;
    if (pair.count != 2) {
        PyErr_Format(PyExc_ValueError, "square has to name two axes, got %R", call->square);
        return -1;
    }
    for (int side = 0; side < 2; side++) {
        int is_chosen = 0;
        for (int i = 0; i < chosen->count; i++)
            is_chosen |= chosen->numbers[i] == pair.numbers[side];
        if (!is_chosen) {
            PyErr_Format(PyExc_ValueError, "square names axis %d, which is not among the axes %R",
                         pair.numbers[side], call->axes);
            return -1;
        }
        fit->aspect_axes[side] = pair.numbers[side];
        fit->aspect[side] = 1;
    }
    return 0;
}

/* Fills in the amounts and modes of all axes, which have extents. */
static int find_amounts(context *c, const pad_to_call *call, int rank, tpad_axis *axes)
{
    tpad_fit_axis requests[TPAD_MAX_RANK];
    tpad_fit fit = TPAD_FIT(rank, requests);
    chosen_axes chosen;
    const request_words words = {call->shape, call->multiple, call->align,   call->too_long,
                                 call->mode,  NULL,           call->buckets, TPAD_ALIGN_CENTER};
    call_buckets buckets;
    if (read_chosen(c, call->axes, "axes", rank, &chosen) != 0 ||
        read_requests(c, &words, &chosen, rank, requests, &buckets) != 0 ||
        read_square(c, call, &chosen, &fit) != 0)
        return -1;
    for (int i = 0; i < rank; i++)
        if (resolve_request(i, axes[i].in_extent, &buckets.axes[i], &requests[i]) != 0) return -1;
    tpad_error error;
    if (tpad_fit_amounts(&fit, NULL, axes, &error) == TPAD_OK) return 0;
    raise_error(&error);
    return -1;
}

/* ((before, after), ...): a new tuple. */
static PyObject *make_amounts(int rank, const tpad_axis *axes)
{
    PyObject *amounts = PyTuple_New(rank);
    for (int i = 0; amounts && i < rank; i++) {
        PyObject *pair = make_integers(2, (int64_t[2]){axes[i].before, axes[i].after});
        if (pair == NULL || PyTuple_SetItem(amounts, i, pair) != 0) Py_CLEAR(amounts);
    }
    return amounts;
}

/* (padded, amounts); takes the reference to `padded`. */
static PyObject *and_amounts(PyObject *padded, int rank, const tpad_axis *axes)
{
    PyObject *amounts = make_amounts(rank, axes);
    PyObject *both = amounts ? PyTuple_Pack(2, padded, amounts) : NULL;
    Py_XDECREF(amounts);
    Py_DECREF(padded);
    return both;
}

/* fit_amounts(extents, shape, multiple, square, axes, align, too_long, buckets or nothing): the
 * amounts that pad_to returns */
PyObject *core_fit_amounts(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (count != 8 && !check_count("fit_amounts", count, 7)) return NULL;
    int64_t extents[TPAD_MAX_RANK];
    const int rank = read_integers(&c, args[0], "an extent", TPAD_MAX_RANK, extents);
    const pad_to_call call = {.shape = args[1],
                              .multiple = args[2],
                              .square = args[3],
                              .axes = args[4],
                              .align = args[5],
                              .too_long = args[6],
                              .buckets = count > 7 ? args[7] : NULL};
    tpad_axis axes[TPAD_MAX_RANK];
    for (int i = 0; i < rank; i++) axes[i] = (tpad_axis){.in_extent = extents[i]};
    return rank >= 0 && find_amounts(&c, &call, rank, axes) == 0 ? make_amounts(rank, axes) : NULL;
}

/* Pads an input of any rank; returns a new reference. */
static PyObject *fit_source(context *c, const pad_to_call *call, operand *src, int threads,
                            int with_amounts)
{
    const int rank = src->view.rank;
    if (rank > TPAD_MAX_RANK) {
        PyErr_Format(PyExc_ValueError, "at most %d axes are supported, got %d", TPAD_MAX_RANK,
                     rank);
        return NULL;
    }
    tpad_axis axes[TPAD_MAX_RANK];
    for (int i = 0; i < rank; i++) axes[i] = (tpad_axis){.in_extent = src->view.shape[i]};
    const pad_words words = {
        call->mode, call->constant_values, call->constant_axis, call->axes, 1, call->out, threads};
    if (find_amounts(c, call, rank, axes) != 0) return NULL;
    PyObject *padded = pad_by_amounts(c, src, axes, &words);
    return padded && with_amounts ? and_amounts(padded, rank, axes) : padded;
}

static int read_tensor(context *c, const void *call, int rank, tpad_axis *axes)
{
    return find_amounts(c, call, rank, axes);
}

/* Pads a torch tensor, if the only arguments are sizes and a number; returns as tensor_padded. */
static PyObject *fit_tensor(context *c, const pad_to_call *call, int with_amounts)
{
    tpad_axis axes[TPAD_MAX_RANK];
    int rank;
    PyObject *padded =
        tensor_padded(c, call->x, read_tensor, call, call->constant_values, &rank, axes);
    return padded && with_amounts ? and_amounts(padded, rank, axes) : padded;
}

/* tensor_to(x, shape, multiple, square, axes, align, too_long, mode, value, return_amounts,
 * buckets): pad_to of a tensor if it is a plain call; else None */
PyObject *core_tensor_to(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    context c = {PyModule_GetState(module), 0};
    if (!check_count("tensor_to", count, 11)) return NULL;
    const pad_to_call call = {.x = args[0],
                              .shape = args[1],
                              .multiple = args[2],
                              .square = args[3],
                              .axes = args[4],
                              .align = args[5],
                              .too_long = args[6],
                              .mode = args[7],
                              .constant_values = args[8],
                              .buckets = args[10]};
    PyObject *padded = fit_tensor(&c, &call, args[9] == Py_True);
    return padded || PyErr_Occurred() ? padded : Py_NewRef(Py_None);
}

static PyObject *core_pad_to(PyObject *module, PyObject *const *args, Py_ssize_t count,
                             PyObject *names)
{
    context c = {PyModule_GetState(module), 0};
    pad_to_call call;
    if (read_call(&pad_to_signature, args, count, names, (PyObject **)&call) < 0) return NULL;
    if (call.x == Py_None) {
        PyErr_SetString(PyExc_TypeError, "x has to be an array, got None");
        return NULL;
    }
    const int with_amounts = call.return_amounts ? PyObject_IsTrue(call.return_amounts) : 0;
    const int plain = !call.out && !call.threads && !call.constant_axis &&
                      !(call.mode && (call.constant_values || engine_mode(call.mode) < 0));
    PyObject *padded = plain && with_amounts >= 0 ? fit_tensor(&c, &call, with_amounts) : NULL;
    if (padded || PyErr_Occurred()) return padded;
    if (left_to_numpy(&c, call.mode) || is_foreign(c.state, call.x, call.out))
        return through_door(&c, "pad_to", &pad_to_signature, (PyObject **)&call, args, count, NULL);
    const int threads = with_amounts < 0 ? -1 : read_threads(c.state, call.threads);
    operand src;
    if (threads < 0 || operand_source(&c, call.x, &src) != 0) return NULL;
    PyObject *result = fit_source(&c, &call, &src, threads, with_amounts);
    operand_close(&src);
    return result;
}

PyDoc_STRVAR(
    pad_to_doc,
    PARAMETERS_SHOWN(
        "pad_to", PAD_TO_PARAMETERS, "",
        "Pad an array to a size, to multiples or to a square; or crop it.\n"
        "\n"
        "x: the array, as `pad` takes it.\n"
        "shape: the extents of the result; an axis with None keeps its extent. One integer is\n"
        "    for all axes, also for colours: axes=(0, 1) leaves them as they are.\n"
        "multiple: the extents are then rounded up to multiples of this, or with 'power_of_two'\n"
        "    to a power of two.\n"
        "buckets: in place of shape and multiple: the extents to choose from, in any order, at\n"
        "    most 64; the smallest one that is large enough is taken. One list is for all axes, a\n"
        "    dict has a list by axis. too_long says what becomes of an axis longer than all.\n"
        "square: two axes, which get the same extent: the smallest one that is large enough for\n"
        "    both and a multiple of both of their multiples.\n"
        "axes: the axes to which shape, multiple, align, too_long and mode apply; None: all\n"
        "    axes. Each of these arguments is one value for all these axes, a list with an\n"
        "    entry for each, or a dict by axis. The other axes stay as they are.\n"
        "align: where the data lies: 'start', 'center' (an odd cell goes after), 'end', or the\n"
        "    index of its first cell, an integer. A negative index cuts cells off.\n"
        "too_long: what happens to an axis that is longer than the result: 'error', 'crop' (on\n"
        "    the sides where align would pad), 'crop_end', 'crop_start', 'crop_center' (an odd\n"
        "    cell is cut off at the end), or 'keep': it stays as long as it is, and is rounded\n"
        "    up to multiple. If align is an index, it decides which cells are cut off, and the\n"
        "    words that crop only permit it.\n"
        "mode, constant_values, constant_axis, out, threads: as `pad` takes them. A mode that\n"
        "    NumPy computes does not crop.\n"
        "return_amounts: if true, the result is (array, ((before, after), ...)) with the\n"
        "    amounts of all axes, as `pad` and `unpad` take them. A negative amount counts\n"
        "    cropped cells; `unpad` refuses it.\n"
        "\n"
        "Raises ValueError if an axis is too long, and the errors of `pad`."));

PyMethodDef pad_to_method = PUBLIC_METHOD("pad_to", core_pad_to, pad_to_doc);
