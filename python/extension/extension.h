/* Declarations that the files of the extension module share. SPDX-License-Identifier: MIT
 *
 * The extension is CPython C in the limited API of 3.11 and the public headers of tensorpad; it
 * includes no NumPy header. It sees NumPy arrays through `__array_struct__`, NumPy's documented C
 * struct, which gives address, shape and strides for every element type.
 *
 * A part may call the parts above it in this file, none below.
 */
#ifndef TENSORPAD_PYTHON_EXTENSION_EXTENSION_H
#define TENSORPAD_PYTHON_EXTENSION_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <tensorpad/fit.h>
#include <tensorpad/tensorpad.h>
#include <tensorpad/threads.h>

/* The module's state, looked up once. There are no static variables. */
typedef struct module_state {
    PyObject *ndarray; /* numpy.ndarray */
    PyObject *generic; /* numpy.generic, the type of NumPy's scalars */
    PyObject *asarray; /* numpy.asarray */
    PyObject *empty;   /* numpy.empty */
    PyObject *zeros;   /* numpy.zeros */
    PyObject *integer; /* numpy.integer, numpy.int64, numpy.uint64 and numpy.float64, types */
    PyObject *int64, *uint64, *float64;
    PyObject
        *torch; /* torch's functions for tensor_calls.c; NULL until tensorpad.torch is loaded */
    PyObject *word_array_struct;
    PyObject *word_dtype;
    PyObject *word_hasobject;
    PyObject *word_fortran;                     /* "F" */
    PyObject *word_exchange;                    /* "__dlpack_c_exchange_api__" */
    PyObject *(*set_memory)(PyObject *handler); /* NumPy's; returns the previous handler */
    PyObject *numpys_memory;                    /* NumPy's own handler, borrowed */
    PyObject *memory;                           /* the handler for large outputs; NULL: NumPy's */
    PyObject *word_new_empty, *word_requires_grad, *word_is_neg;
    struct scratch_shelf *scratch;
    tpad_threads *pool;    /* for every run; NULL: one thread */
    atomic_int threads;    /* the default number of threads of a call */
    struct gpu_state *gpu; /* cuda.c; NULL until the driver is opened */
    atomic_int
        ask_torch; /* 1: calls without `threads` first call tensorpad._threads.follow_torch */
} module_state;

/* One call. Foreign code (an argument's __index__, the package's Python) may change the
 * arrays that this call has opened. Whatever runs such code sets `foreign`; the arrays are then
 * checked again before elements are moved (operand_refresh). */
typedef struct context {
    const module_state *state;
    int foreign;
} context;

/* ---- arguments.c: errors --------------------------------------------------------------------- */

/* Raises ValueError, or MemoryError or OverflowError if that fits the error; always returns
 * NULL. */
PyObject *raise_error(const tpad_error *error);
/* The same for an item of a batch: "item 3, axis 0: ..."; a negative item is not named. */
PyObject *raise_item_error(const tpad_error *error, int64_t item);
/* Raises tensorpad.SpecError with its attributes; always returns NULL. */
PyObject *raise_spec_error(context *c, const tpad_error *error, const char *spec);
/* NULL with TypeError unless there are `wanted` arguments; else not NULL. */
const void *check_count(const char *function, Py_ssize_t count, Py_ssize_t wanted);
/* Calls a function of tensorpad.`module`: a new reference. format: as in Py_BuildValue, a tuple; a
 * NULL among the arguments is an exception. Sets c->foreign. */
PyObject *call_python(context *c, const char *module, const char *function, const char *format,
                      ...);
/* Releases a result that does not matter: 0, or -1 if it is NULL. */
int let_go(PyObject *result);

/* ---- arguments.c: from the arguments of a call to a struct ----------------------------------- */

/* The parameters of a public function are written once, as a list
 *
 *     #define UNPAD_PARAMETERS(REQUIRED, OPTIONAL, STAR)
 *         REQUIRED(array) REQUIRED(pad_width) STAR() OPTIONAL(interior, "0") OPTIONAL(axes, "None")
 *
 * which makes the fields of a struct, the table for read_call, and the signature that Python shows.
 * Parameters after STAR are keyword-only. Defaults only appear in the signature: an absent argument
 * is NULL, and its reader knows the default. */
typedef struct parameter {
    const char *name;
    int required;
} parameter;

#define FIELD_1(name)       PyObject *name;
#define FIELD_2(name, text) PyObject *name;
#define ROW_1(name)         {#name, 1},
#define ROW_2(name, text)   {#name, 0},
#define SHOWN_1(name)       ", " #name
#define SHOWN_2(name, text) ", " #name "=" text
#define SHOWN_STAR()        ", *"
#define NOTHING()

/* The fields; they borrow the references of the caller. */
#define PARAMETER_FIELDS(LIST) LIST(FIELD_1, FIELD_2, NOTHING)
/* The rows of an array of `parameter`. */
#define PARAMETER_ROWS(LIST) LIST(ROW_1, ROW_2, NOTHING)
/* "name($module, array, ...)", the first line of the docstring, and the rest. `more` is "" or
 * ", **kwargs". scripts/docs/docstrings.py reads the lines of `doc` in the source. */
#define PARAMETERS_SHOWN(name, LIST, more, doc)                                                    \
    name "($module" LIST(SHOWN_1, SHOWN_2, SHOWN_STAR) more ")\n--\n\n" doc

typedef struct signature {
    const char *name;            /* of the function, for errors */
    const parameter *parameters; /* `count` of them */
    int count;
    int positional; /* number that may be given by position */
    int takes_more; /* 1: other keywords are allowed */
} signature;

#define SIGNATURE(name, rows, positional, takes_more)                                              \
    {name, rows, sizeof(rows) / sizeof(rows)[0], positional, takes_more}

/* Fills in the fields, one per parameter; NULL for absent arguments. Returns the number of other
 * keywords (0 unless the signature takes more), or -1 with TypeError. */
int read_call(const signature *of, PyObject *const *args, Py_ssize_t count, PyObject *names,
              PyObject **fields);

/* 1 if Python opens the array or the `out` of a call (NULL and None: no `out`) and calls again with
 * what is here: NumPy arrays, and lists and tuples of numbers. array NULL: only `out` matters. */
int is_foreign(const module_state *state, PyObject *array, PyObject *out);
/* Leaves a call to tensorpad._door: a new reference. fields: from read_call; args, count, names: the
 * call's, for other keywords. */
PyObject *through_door(context *c, const char *function, const signature *of,
                       PyObject *const *fields, PyObject *const *args, Py_ssize_t count,
                       PyObject *names);

/* ---- plan_runs.c: a buffer and plans that calls reuse ------------------------ */

typedef struct scratch_shelf scratch_shelf;
/* Holds the buffer between calls; NULL with MemoryError. */
scratch_shelf *scratch_start(void);
void scratch_end(scratch_shelf *shelf);
/* Uninitialised bytes for any type; NULL with MemoryError. */
void *scratch_take(scratch_shelf *shelf, size_t bytes);
/* Returns the buffer; NULL is allowed. */
void scratch_give(scratch_shelf *shelf, void *buffer);

/* A problem and the shape of its output. Its plan is made by the second call. */
typedef struct kept_plan {
    int slot;
    enum { PLAN_NEW, PLAN_SEEN, PLAN_MADE } state;
    tpad_problem problem;
    tpad_axis axes[TPAD_MAX_RANK];
    int64_t shape[TPAD_MAX_RANK], bytes;
    tpad_plan plan;
} kept_plan;
/* Takes the kept plan of a problem, or a new one; NULL with an exception. */
kept_plan *plans_take(scratch_shelf *shelf, const tpad_problem *problem);
/* Makes its plan, if it has none; returns a status. */
int32_t plans_make(kept_plan *kept, tpad_error *error);
void plans_give(scratch_shelf *shelf, kept_plan *kept);
/* The shape and the bytes of the output of a problem that is about to run: 0, or -1 with an
 * exception. */
int plans_shape(scratch_shelf *shelf, const tpad_problem *problem, int64_t *shape, int64_t *bytes);

/* ---- arguments.c: integers and strings ------------------------------------------------------- */

/* 1 for a plain Python int whose magnitude fits in 63 bits, else 0; never an exception. */
int plain_integer(PyObject *item, int64_t *out);
/* The items of a list or tuple as a new tuple, which foreign code cannot change; NULL without an
 * exception for other types. */
PyObject *plain_items(PyObject *items);
/* The functions below take anything with __index__ as an integer. A float, a str or None raises
 * TypeError, with `what`, the argument's name, and `wanted`: "an integer", "integers" ...
 * read_index: a new reference, or NULL with an exception. */
PyObject *read_index(context *c, PyObject *item, const char *what, const char *wanted);
/* The same in 64 bits, or ValueError. Returns 0, or -1 with an exception. */
int read_integer(context *c, PyObject *item, const char *what, const char *wanted, int64_t *out);
/* The items of any iterable as a new tuple; NULL with an exception. */
PyObject *read_items(context *c, PyObject *items, const char *what, const char *wanted);
/* Reads at most `most` integers from any iterable. Returns their number, or -1 with an
 * exception. */
int read_integers(context *c, PyObject *items, const char *what, int most, int64_t *integers);
/* Reads at most TPAD_MAX_RANK extents; as in numpy.zeros, an integer is a shape of one axis.
 * Returns the rank, or -1 with an exception. */
int extents_of(context *c, PyObject *shape, const char *what, int64_t *extents);
/* A new tuple of integers. */
PyObject *make_integers(int count, const int64_t *integers);
/* The number of threads that an argument `threads` allows, at least 1, or -1 with an exception.
 * NULL and None: the default number. Call it before opening arrays. */
int read_threads(const module_state *state, PyObject *threads);
/* The number that from_name gives for a str; -1 without an exception for anything else. */
int number_of_word(PyObject *word, int32_t (*from_name)(const char *name));

/* ---- numpy_arrays.c: arrays of NumPy --------------------------------------------------------- */

/* An array as NumPy describes it. `capsule` keeps it alive; release it with array_close. */
typedef struct array_view {
    PyObject *capsule;
    char *data;
    const Py_ssize_t *shape;
    const Py_ssize_t *strides;
    int rank;
    int item_bytes;
    int flags;  /* ARRAY_... */
    int is_new; /* 1: made by this call, nothing written yet */
    char kind;  /* dtype.kind, but V for user-defined types; for tensors also KIND_... */
} array_view;

/* Types that torch has and NumPy lacks. */
enum { KIND_BFLOAT = 'E', KIND_FLOAT8 = 'Q', KIND_COMPLEX32 = 'H' };

/* Flags of NumPy's struct: names and numbers of its interface. */
enum {
    ARRAY_C_CONTIGUOUS = 0x0001,
    ARRAY_F_CONTIGUOUS = 0x0002,
    ARRAY_ALIGNED = 0x0100,
    ARRAY_NOT_SWAPPED = 0x0200,
    ARRAY_WRITEABLE = 0x0400
};

/* 1 for a scalar of one of NumPy's own types. A subclass written in Python may expose memory that
 * is not its own. */
int array_is_scalar(const module_state *state, PyObject *thing);
/* 0, or -1 with an exception. The array must be a numpy.ndarray or a NumPy scalar, else TypeError.
 * On failure the view is closed. */
int array_open(const module_state *state, PyObject *array, array_view *view);
void array_close(array_view *view); /* may be called again, and for a zeroed view */

/* 1 if elements can be moved as bytes: they hold no references to objects and have 1 to 65,536
 * bytes; 0 if not; -1 with an exception. */
int array_movable(const module_state *state, const array_view *view, PyObject *array);
/* 1 if the elements are NumPy's or torch's own numbers (also booleans, dates and complex) of at
 * most MOST_PLAIN_BYTES, for which zero is all bits zero. */
enum { MOST_PLAIN_BYTES = 16 };
int array_numeric(const array_view *view);
/* The number of elements. */
int64_t array_size(const array_view *view);
/* Its shape as a new tuple. */
PyObject *array_shape(const array_view *view);
/* A new reference to an uninitialised array. */
typedef PyObject *array_maker(const module_state *state, int rank, const int64_t *shape,
                              PyObject *dtype, int fortran);
array_maker array_empty;
/* The same of zeros. */
array_maker array_zeros;
/* The same for the output of a call; a large one begins on a huge page (numpy_arrays.c).
 */
PyObject *array_output(const module_state *state, int rank, const int64_t *shape, int item_bytes,
                       PyObject *dtype, int fortran);
/* 0, or -1 with an exception. */
int new_memory_start(module_state *state);
/* 0 if the array may be written to: it is writeable and no two of its elements share memory; else
 * -1 with ValueError. */
int array_check_output(const array_view *view);
/* 1 if the two may share memory, judged by their outermost addresses. */
int array_overlap(const array_view *a, const array_view *b);

/* ---- pad_arguments.c: axes, and entries for them --------------------------------------------- */

/* Maximum rank of NumPy arrays; the engine's is TPAD_MAX_RANK. */
enum { MOST_AXES = 64 };

/* The axes that a call names, from 0 on. */
typedef struct chosen_axes {
    int count;
    int numbers[MOST_AXES];
} chosen_axes;

/* Reads an argument that names axes of an array of `rank` (at most MOST_AXES); NULL and None: all
 * of them. what: the argument's name. Returns 0, or -1 with an exception. */
int read_chosen(context *c, PyObject *axes, const char *what, int rank, chosen_axes *chosen);

/* Reads the entry of one axis into its struct. number: the axis, or -1 if no axis belongs to the
 * entry and it is only checked for errors. Returns 0, or -1 with an exception. */
typedef int read_entry(context *c, PyObject *entry, int number, void *into);

/* Reads an argument that is a dict by axis, a list with an entry per chosen axis, or one entry for
 * all. what: the argument's name. into: `rank` structs of struct_bytes, tpad_axis or tpad_fit_axis.
 * Returns 0, or -1 with an exception. */
int read_each(context *c, PyObject *value, int rank, const chosen_axes *chosen, const char *what,
              read_entry *read, void *into, size_t struct_bytes);

/* ---- pad_arguments.c: pad_width, mode, interior, order --------------------------------------- */

/* The arguments that say how each axis is padded. NULL: the default. */
typedef struct axis_words {
    PyObject *pad_width;
    PyObject *mode;
    PyObject *interior;
    PyObject *order;
    PyObject *axes;
} axis_words;

/* Fills in before, after, interior, mode and order of `rank` axes (at most MOST_AXES) and zeroes
 * the rest. Returns 0, or -1 with an exception. */
int read_amounts(context *c, const axis_words *words, int rank, tpad_axis *axes);
/* The same with ValueError if there are more axes than the engine has. */
int read_amounts_of_engine(context *c, const axis_words *words, int rank, tpad_axis *axes);
/* The number of a mode of the engine, or -1; never an exception. */
int engine_mode(PyObject *word);
/* The same, but -1 with ValueError. */
int read_mode(context *c, PyObject *word);
/* 1 if any axis has interior cells. */
int some_interior(int rank, const tpad_axis *axes);
/* ((before, after, interior, mode, order), ...): a new tuple; and back: the rank, or -1. */
PyObject *make_axes(int rank, const tpad_axis *axes);
int read_axes(context *c, PyObject *tuple, tpad_axis *axes);

/* ---- pad_to.c: shape, multiple, align, too_long ---------------------------------------------- */

/* The arguments that give an output's size and how it is padded. Each is one value for all chosen
 * axes, a list with an entry per axis, or a dict by axis. NULL: the default, and so is None for
 * shape and multiple. */
typedef struct request_words {
    PyObject *shape;       /* integers, or None for the input's own extent */
    PyObject *multiple;    /* integers from 1 on, or None */
    PyObject *align;       /* names, or integers: the index of the input's first cell */
    PyObject *too_long;    /* words */
    PyObject *mode;        /* names of the engine's modes */
    PyObject *at_most;     /* integers or None: limits of the longest item, of pad_batch */
    PyObject *buckets;     /* integers for all chosen axes, or a dict of them by axis */
    int32_t default_align; /* TPAD_ALIGN_... where align is NULL */
} request_words;

/* `sized` of a request whose extent is a limit; resolve_request changes it to 0 or 1. */
enum { AT_MOST = 2 };

/* The extents allowed for an axis. count 0: any. */
enum { MOST_BUCKETS = 64, POWER_OF_TWO = -1 /* a count */ };
typedef struct axis_buckets {
    int count;
    int64_t *extents;           /* ascending */
    struct call_buckets *whole; /* owns them */
} axis_buckets;
/* Those of a call; must not be copied. */
typedef struct call_buckets {
    axis_buckets axes[TPAD_MAX_RANK];
    int64_t extents[MOST_BUCKETS];
    int used;
} call_buckets;

/* Applies a limit or buckets to a request. longest: the cells up to the end of the input, or of the
 * longest item, counted from the output's first cell. Returns 0, or -1 with ValueError. */
int resolve_request(int axis, int64_t longest, const axis_buckets *buckets, tpad_fit_axis *request);

/* Fills in the requests of `rank` axes (at most TPAD_MAX_RANK); axes that are not chosen get zeros:
 * as long as the input. buckets: `rank` of them. Does not check the limits of extents and offsets;
 * tpad_fit_amounts and similar functions do. Returns 0, or -1 with an exception. */
int read_requests(context *c, const request_words *words, const chosen_axes *chosen, int rank,
                  tpad_fit_axis *requests, call_buckets *buckets);

/* ---- operands.c: tensors of torch ------------------------------------------------------------ */

/* Opens a tensor of numbers in CPU memory: 1; 0 for anything else, and then there is nothing to
 * close; never an exception. The type of `tensor` must be torch.Tensor. */
int tensor_open(const module_state *state, PyObject *tensor, array_view *view);
/* The same for a tensor on a device of this kind (DLPack's numbers). *number: the device's. */
int tensor_open_on(const module_state *state, PyObject *tensor, int kind, array_view *view,
                   int *number);
/* 1 if memory holds the tensor's elements as they are and no gradient is wanted; 0 if that is
 * unknown. recorded 0: gradients are switched off. May run foreign code. */
int tensor_is_plain(const module_state *state, PyObject *tensor, const array_view *view,
                    int recorded);

/* ---- operands.c: inputs and outputs of a call ------------------------------------------------ */

/* An argument that is an array. Owns its references; operand_close releases them. */
typedef struct operand {
    PyObject *array; /* a numpy.ndarray, not a subclass; or a torch tensor */
    PyObject *dtype;
    array_view view;
    int movable;   /* as array_movable */
    int is_tensor; /* 1: a tensor opened by tensor_open */
    int gpu;       /* 1 + the number of the tensor's GPU; 0: it is on the CPU */
} operand;

/* Opens an input that is not foreign. Returns 0, or -1 with an exception; then there is nothing to
 * close. */
int operand_source(context *c, PyObject *thing, operand *out);
/* Opens a NumPy array that is not an argument; takes the reference, also on failure. */
int operand_take(context *c, PyObject *array, operand *out);
/* Makes a new output for `source`; maker: NULL and None for NumPy's, else what tensorpad._door gives
 * as `out`. *result: what the caller returns, a new reference. */
int operand_make(context *c, PyObject *maker, const operand *source, int rank, const int64_t *shape,
                 operand *out, PyObject **result);
/* Replaces the input by a contiguous copy. */
int operand_copy(context *c, operand *source);
/* The same if the output may share memory with it. */
int operand_separate(context *c, operand *source, const operand *target);
/* Checks the array again if foreign code has run since it was opened. -1 with RuntimeError if its
 * shape or type has changed. */
int operand_refresh(context *c, operand *one);
/* 1 if both have the same type, 0 if not, -1 with an exception. */
int operand_same_type(const operand *a, const operand *b);
/* 1 if the array has this shape. */
int operand_has_shape(const operand *one, int rank, const int64_t *shape);
/* Opens the `out` of a call or, if it is no array, makes an output as operand_make does. Checks
 * type, shape and that it can be written. *result: what the caller returns, a new reference. */
int operand_result(context *c, PyObject *given, const operand *src, int rank, const int64_t *shape,
                   operand *dst, PyObject **result);
void operand_close(operand *one);

/* ---- fill_values.c: constants ---------------------------------------------------------------- */

/* Fill elements: one for all sides, two per axis, or one per cell of an axis. */
typedef struct fill_values {
    const unsigned char *elements; /* in `bytes` or in `array`; NULL: zeros */
    int sides;                     /* 1: two per axis of the array, consecutive */
    int axis; /* of the output, one element per cell; -1: none; OF_ITEMS: one per item of a batch */
    tpad_index strides[TPAD_MAX_RANK]; /* of the elements along the output, if axis >= 0 */
    PyObject *array;                   /* a numpy.ndarray of the elements, or NULL */
    array_view view;
    unsigned char bytes[2 * TPAD_MAX_RANK * MOST_PLAIN_BYTES];
} fill_values;

enum { OF_ITEMS = -2 };

/* Converts a plain number as NumPy does: 1 if that cannot fail, wrap or warn, else 0. fill:
 * MOST_PLAIN_BYTES. */
int plain_fill(const array_view *like, PyObject *value, unsigned char *fill);
/* Reads numpy.pad's constant_values (NULL: 0) for an array like this one. axes: the axes that they
 * are for, NULL: all. exact: 0: convert as numpy.pad does; 1: a value that the type cannot hold is
 * an error. Returns 0, or -1 with an exception. */
int read_values(context *c, const operand *like, PyObject *values, PyObject *axes, int exact,
                fill_values *out);
/* Reads a constant per cell of an axis of an output of this shape. axis: the argument
 * constant_axis. */
int read_axis_values(context *c, const operand *like, PyObject *values, PyObject *axis, int rank,
                     const int64_t *shape, fill_values *out);
/* The result of read_values or read_axis_values, for the library. */
tpad_fill fill_of(const fill_values *values);
/* The elements as a new NumPy array: one, two for each of `rank` axes, or one per cell of an axis
 * of an output of this shape. */
PyObject *values_array(context *c, const operand *like, int rank, const int64_t *shape,
                       const fill_values *values);
/* Reads one constant, which must fit the type. function: its name, for the ValueError if there are
 * several. */
int read_one_value(context *c, const operand *like, PyObject *value, const char *function,
                   fill_values *out);
/* Takes the elements of a NumPy array of the right type; takes the reference, also on failure. */
int take_values(context *c, PyObject *array, fill_values *out);
/* Sets zeros for all sides. (No initialiser: it would clear `bytes`.) */
void values_start(fill_values *values);
void values_close(fill_values *values);

/* ---- plan_runs.c: running plans -------------------------------------------------------------- */

/* A run that writes fewer bytes ends before another thread could use the GIL. */
enum { WORTH_RELEASING = 32768 };
/* As a number of threads: only this one, keeping the GIL. */
enum { HOLD_GIL = 0 };
/* A runner for this many threads, in `room` or elsewhere; NULL for one thread. */
const tpad_runner *runner_for(const module_state *state, int threads, tpad_runner *room);
/* Runs a plan; releases the GIL if the output is large. bytes: about how many it writes. threads:
 * the maximum, from read_threads. */
int run_plan(const module_state *state, const tpad_plan *plan, const void *src, void *dst,
             const tpad_fill *fill, int64_t bytes, int threads);
/* 1 if the system still has to clear the memory of a new output. It does so in the caches, so the
 * output is then not written around them. Smaller blocks may be ones that malloc has kept. */
enum { MALLOC_KEEPS = 32 << 20 };
int is_untouched(const array_view *dst);
/* Fills in extents and strides of `axes`, which have amounts and modes, and runs. fill: NULL for
 * zeros. Returns 0, or -1 with an exception. */
int move_elements(const module_state *state, tpad_axis *axes, const array_view *src,
                  const array_view *dst, const tpad_fill *fill, int threads);
/* Pads `src` into `dst`, which must not overlap, for any type; refreshes both. values NULL: no cell
 * is filled. */
int move_operands(context *c, tpad_axis *axes, operand *src, operand *dst,
                  const fill_values *values, int threads);
/* Problems of axes with extents: dense, or with strides on both sides. */
tpad_problem dense_problem(const tpad_axis *axes, int rank, int bits);
tpad_problem strided_problem(const tpad_axis *axes, int rank, int bits);

/* ---- tensor_calls.c: torch tensors without a NumPy array ------------------------------ */

/* Fills in amounts and modes of axes with extents. Returns 0, or -1 with an exception. */
typedef int read_tensor_axes(context *c, const void *call, int rank, tpad_axis *axes);
/* Pads a tensor for which torch intercepts nothing but a gradient, if the call has no other
 * arguments. The result is a new reference; NULL without an exception: left to Python. axes:
 * TPAD_MAX_RANK, which `read` fills in from `call`; *rank: their number. value: NULL is 0. */
PyObject *tensor_padded(context *c, PyObject *tensor, read_tensor_axes *read, const void *call,
                        PyObject *value, int *rank, tpad_axis *axes);
/* How a call may access tensors: not from C, their memory only, or recording a gradient; -1 with an
 * exception. Skips lists. torch: as in module_state. */
enum { LEFT_TO_PYTHON, ONLY_READ, RECORD };
int tensors_seen(PyObject *const *tensors, Py_ssize_t count, PyObject *torch);
/* 1 if this is the tuple of torch's functions that module_state needs; else 0 with TypeError. */
int torch_is_asked(PyObject *torch);

/* ---- pad_call.c: padding once the amounts are known ------------------------------------------ */

/* The arguments besides the amounts. NULL: the default. */
typedef struct pad_words {
    PyObject *mode; /* for the error about constant_values; the modes are in the axes */
    PyObject *constant_values;
    PyObject *constant_axis;
    PyObject *axes; /* the axes that constant_values is for */
    int exact;      /* as in read_values */
    PyObject *out;
    int threads; /* from read_threads */
} pad_words;

/* 1 if tensorpad._numpy must handle a call with this mode; else 0. */
int left_to_numpy(context *c, PyObject *mode);
/* Pads an input of at most TPAD_MAX_RANK axes. axes: with amounts, modes and orders. Returns a new
 * reference. */
PyObject *pad_by_amounts(context *c, operand *src, tpad_axis *axes, const pad_words *words);

/* ---- adjoint_call.c: gradients --------------------------------------------------------------- */

/* TPAD_NUMBER_... for an array of NumPy's own numbers, or 0. */
int32_t adjoint_number(const array_view *view);
/* 0 if a gradient has the shape of the padded array; else -1 with ValueError. axes: with the
 * array's extents. */
int check_gradient(const operand *grad, int rank, const tpad_axis *axes);
/* Adds the cells of `grad` to the elements of `dst`. axes: complete but for the strides. flags: of
 * tpad_adjoint. */
int add_cells(context *c, tpad_axis *axes, int32_t number, int32_t flags, operand *grad,
              operand *dst, int threads);

/* ---- cuda.c: GPUs ---------------------------------------------------------------------------- */

void gpu_end(struct gpu_state *gpu); /* NULL is allowed */
/* DLPack's number of the kind of device whose tensors are padded on a GPU; 0: none. */
int gpu_kind(const module_state *state);
/* 1 if torch's own pads are faster for outputs of `bytes` in rows of row_bytes (gpu_switch). */
int gpu_is_small(const module_state *state, int64_t bytes, int64_t row_bytes);

/* A pad or a gradient on a GPU; the axes have its strides. */
typedef struct gpu_call {
    int number; /* 0: a pad; GPU_BORDER; else TPAD_NUMBER_... of a gradient */
    int adds;   /* as TPAD_ADJOINT_ADD */
    int device;
    uint64_t src, dst, fill;        /* device addresses; for a gradient, grad_out and grad_in */
    const void *value;              /* one element, in host memory; NULL: zeros */
    const tpad_index *fill_strides; /* of `fill`; NULL: no fill */
    uint64_t stream;
} gpu_call;
enum { GPU_BORDER = -1 };

/* Launches it. GPU_CAPTURES: nothing was done, because the stream is being captured and the kernel
 * was never loaded. GPU_FAILED: with an exception, RuntimeError if the driver or NVRTC refused. */
int gpu_run(context *c, const gpu_call *call, const tpad_axis *axes, int rank, int item_bytes);
enum { GPU_FAILED = -1, GPU_CAPTURES, GPU_LAUNCHED };

/* ---- What Python calls ----------------------------------------------------------------------- */

/* A function with positional arguments, for the Python files. */
#define FUNCTION(name) PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t count)

/* Public functions: each file has the docstring next to the code. */
#define PUBLIC_METHOD(name, function, doc)                                                         \
    {name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, doc}

extern PyMethodDef pad_method;                                        /* pad_call.c */
extern PyMethodDef pad_shape_method, unpad_method, pad_border_method; /* border_calls.c */
extern PyMethodDef pad_adjoint_method;                                /* adjoint_call.c */
extern PyMethodDef pad_to_method;                                     /* pad_to.c */
extern PyMethodDef pad_batch_method;                                  /* batch_call.c */
extern PyMethodDef pad_packed_method;                                 /* packed.c */
extern PyMethodDef onnx_pad_method, onnx_packed_method;               /* spec_call_onnx.c */
extern PyMethodDef openvino_pad_method, openvino_packed_method;       /* spec_call_openvino.c */
extern PyMethodDef ngraph_pad_method;                                 /* spec_call_ngraph_mli.c */
extern PyMethodDef mli_padding2d_method;                              /* spec_call_ngraph_mli.c */

PyObject *core_batch_axes(PyObject *module, PyObject *const *args, Py_ssize_t count,
                          PyObject *names); /* batch_call.c */
FUNCTION(core_integer);                     /* arguments.c */
FUNCTION(core_shape);
FUNCTION(core_axes);        /* pad_arguments.c */
FUNCTION(core_pad_values);  /* pad_call.c */
FUNCTION(core_fit_amounts); /* pad_to.c */
FUNCTION(core_move);        /* plan_runs.c */
FUNCTION(core_move_back);   /* adjoint_call.c */
FUNCTION(core_tensor_pad);  /* tensor_calls.c */
FUNCTION(core_tensor_call);
FUNCTION(core_tensors_seen);
FUNCTION(core_tensor_to); /* pad_to.c */
FUNCTION(core_tensor_adjoint);
FUNCTION(core_gpu_open); /* cuda.c */
FUNCTION(core_gpu_switch);
FUNCTION(core_gpu_run);
FUNCTION(core_gpu_device);
FUNCTION(core_gpu_source);
FUNCTION(core_plan); /* plan_calls.c */
FUNCTION(core_plan_axes);
FUNCTION(core_plan_run);
FUNCTION(core_plan_box);
FUNCTION(core_plan_needs);
FUNCTION(core_plan_sources);
FUNCTION(core_plan_describe);
FUNCTION(core_show); /* show_call.c */

#endif
