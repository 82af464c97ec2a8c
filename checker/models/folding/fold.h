/* Facts about a model before it runs: small tensors and shapes.  SPDX-License-Identifier: MIT
 *
 * Private to this folder. Files that begin with fold_ know what operators do; files that begin with
 * a format's name know how a file writes an operator. The function of an operator reads the facts
 * about a node's inputs and gives facts about its outputs. If it is not sure it gives none: a wrong
 * number would be worse.
 *
 * To add an operator: write its function (or use an existing one) and add a line to the format's
 * table (onnx_operators.c, ir_operators.c). */
#ifndef TENSORPAD_FOLDING_FOLD_H
#define TENSORPAD_FOLDING_FOLD_H

#include "folding.h"
#include "models/graph/model.h"

/* Limits: elements of a computed tensor, and entries of an attribute. */
enum { FOLD_ELEMENTS = 1024, FOLD_LIST = 64 };

/* Facts about a tensor. `elements`, if not NULL, are all of them in row-major order, and then the
 * whole shape is known. Use tpad_inferred_at for computed indices. */
typedef struct tpad_inferred {
    int32_t type;                 /* TPAD_ONNX_..., 0 if unknown */
    int32_t rank;                 /* -1 if unknown */
    int64_t shape[TPAD_MAX_RANK]; /* unknown extents as tpad_extent_from makes them */
    const tpad_element *elements;
    int64_t element_count; /* 0 without elements */
} tpad_inferred;

/* Data kept with a model, as model->folding. */
struct tpad_folding {
    struct tpad_sizes *sizes; /* fold_sizes.c */
    tpad_arena facts;         /* computed facts; when it is full, there are no more */
    int64_t steps;            /* remaining steps */
    int32_t depth;            /* of nested function calls */
    int32_t final;            /* 1: calls are no longer counted */
    int32_t order;            /* of the last function that was called */
    int64_t function_count;
    struct tpad_function_name *function_names; /* sorted (fold_graph.c) */
};

/* A node whose outputs are being computed. */
typedef struct tpad_fold {
    tpad_model *model;
    tpad_graph *graph;
    const tpad_node *node;
    const tpad_graph *from_graph; /* the graph of `from` */
    const tpad_node *from; /* reads the inputs: this node, or the one that makes its sequence */
    int32_t opset;
    int32_t unsure;                   /* 1: an attribute is unknown, so no output is known */
    tpad_element room[FOLD_ELEMENTS]; /* for the elements of one output */
} tpad_fold;

/* A line of a format's table. `argument` distinguishes operators that share a function. */
typedef struct tpad_operator {
    const char *name;
    void (*apply)(tpad_fold *fold, int32_t argument);
    int32_t argument;
} tpad_operator;

/* onnx_operators.c, ir_operators.c. The line for a node, or NULL. */
const tpad_operator *tpad_onnx_operator(const tpad_graph *graph, const tpad_node *node);
const tpad_operator *tpad_ir_operator(const tpad_graph *graph, const tpad_node *node);

/* ---- fold_facts.c: inputs and outputs -------------------------------------------------------- */

int32_t tpad_fold_has(const tpad_fold *fold, int32_t index);
/* The facts about an input: type and shape; `..._value` adds its elements. A missing input has an
 * unknown rank. */
tpad_inferred tpad_fold_in(const tpad_fold *fold, int32_t index);
tpad_inferred tpad_fold_value(const tpad_fold *fold, int32_t index);
/* 1 if some elements of the input may be known, so that loading them is worthwhile. */
int32_t tpad_fold_may_know(const tpad_fold *fold, int32_t index);
/* Sets the facts about an output. Unknown ones stay as the file has them. */
void tpad_fold_give(tpad_fold *fold, int32_t index, const tpad_inferred *fact);

/* Attributes: the default if absent. One that only the caller of a function gives, or of another
 * kind, makes the fold unsure. */
int64_t tpad_fold_int(tpad_fold *fold, const char *name, int64_t absent);
/* The number of entries, or -1 if absent. list has room for FOLD_LIST. */
int32_t tpad_fold_ints(tpad_fold *fold, const char *name, int64_t *list);
int32_t tpad_fold_real(tpad_fold *fold, const char *name, double *number); /* 0 if absent */
int32_t tpad_fold_reals(tpad_fold *fold, const char *name, double *list);
/* A text; 0 if absent. */
int32_t tpad_fold_text(tpad_fold *fold, const char *name, tpad_string *text);
/* 1 if the attribute is this text; `absent` if there is none. */
int32_t tpad_fold_word(tpad_fold *fold, const char *name, const char *word, int32_t absent);

/* A list of integers from an input, entry by entry. */
typedef struct tpad_fold_list {
    int32_t count; /* -1 if unknown */
    int64_t items[FOLD_LIST];
    uint8_t known[FOLD_LIST];
    int32_t size[FOLD_LIST]; /* as in tpad_element */
} tpad_fold_list;
/* Reads an input of rank 0 or 1, or an attribute; 0 if it is absent. */
int32_t tpad_fold_list_in(tpad_fold_list *list, const tpad_fold *fold, int32_t index);
int32_t tpad_fold_list_attribute(tpad_fold_list *list, tpad_fold *fold, const char *name);
/* 1 if the count and every entry are known. */
int32_t tpad_fold_list_complete(const tpad_fold_list *list);

/* The entry as an extent; -1 if it is below zero or unknown. */
int64_t tpad_fold_list_extent(const tpad_fold *fold, const tpad_fold_list *list, int32_t index);

/* ---- fold_facts.c: facts --------------------------------------------------------------------- */

tpad_inferred tpad_inferred_none(int32_t type);
/* A list of one axis. */
tpad_inferred tpad_inferred_vector(int32_t type, int64_t count);
/* The number of elements, or -1 if it is unknown or does not fit in 64 bits. */
int64_t tpad_inferred_count(const tpad_inferred *fact);
/* An element; unknown if there are no elements, or the index is out of range. */
tpad_element tpad_inferred_at(const tpad_inferred *fact, int64_t index);
/* Gives the fact, whose shape is set, these elements if their number is right; else none. */
void tpad_inferred_put(tpad_inferred *fact, const tpad_element *elements, int64_t count);
/* fold->room, with all elements unknown, if the fact's elements fit; else NULL. */
tpad_element *tpad_fold_room(tpad_fold *fold, const tpad_inferred *fact);
/* The shape of two tensors after broadcasting; the type is a's. */
tpad_inferred tpad_fold_broadcast(const tpad_inferred *a, const tpad_inferred *b);
/* The index in `part` of the element `index` of `whole`; -1 if part's shape cannot be broadcast to
 * whole's. */
int64_t tpad_fold_broadcast_index(const tpad_inferred *whole, const tpad_inferred *part,
                                  int64_t index);
/* The facts that hold for both. */
tpad_inferred tpad_inferred_join(const tpad_inferred *a, const tpad_inferred *b);
int32_t tpad_element_same(int32_t type, tpad_element a, tpad_element b);

/* ---- fold_facts.c: elements of the types ----------------------------------------------------- */

/* Converts an element; unknown if documents leave the result open. */
tpad_element tpad_element_cast(tpad_element element, int32_t from, int32_t to);
/* The number if the type can hold it; else unknown. Rounds to float once. */
tpad_element tpad_element_integer(int32_t type, int64_t integer);
tpad_element tpad_element_real(int32_t type, double real);

/* ---- fold_arithmetic.c: element by element --------------------------------------------------- */

enum {
    OF_ADD,
    OF_SUB,
    OF_MUL,
    OF_DIV,
    OF_EXACT_DIV, /* unknown where rounding down and towards zero differ */
    OF_MOD_FLOOR, /* with the sign of the divisor */
    OF_MOD_TRUNC, /* with the sign of the dividend */
    OF_MIN,
    OF_MAX,
    OF_AND,
    OF_OR,
    OF_XOR,
    OF_EQUAL,
    OF_NOT_EQUAL,
    OF_LESS,
    OF_LESS_OR_EQUAL,
    OF_GREATER,
    OF_GREATER_OR_EQUAL,
    OF_NEG,
    OF_ABS,
    OF_FLOOR,
    OF_CEIL,
    OF_ROUND,
    OF_SQRT,
    OF_RECIPROCAL,
    OF_RELU,
    OF_SIGN,
    OF_NOT,
    OF_OTHER /* shape and type of the first input; no elements */
};
/* Two inputs with broadcasting; any number of them, of the input's type; one input. */
void tpad_fold_binary(tpad_fold *fold, int32_t operation);
void tpad_fold_variadic(tpad_fold *fold, int32_t operation);
void tpad_fold_unary(tpad_fold *fold, int32_t operation);
/* Two elements of one type. */
tpad_element tpad_fold_combine(const tpad_fold *fold, int32_t type, const tpad_element *a,
                               const tpad_element *b, int32_t operation);
/* The same for facts. The type and shape of *out are set. */
void tpad_fold_pair(tpad_fold *fold, tpad_inferred *out, const tpad_inferred *a,
                    const tpad_inferred *b, int32_t operation);
/* The input limited by two facts of one element each; NULL: no limit. */
void tpad_fold_clip(tpad_fold *fold, const tpad_inferred *low, const tpad_inferred *high);
/* (code - zero point) * scale, with one scale for all; the zero point is the input after the
 * scale. */
void tpad_fold_dequantize(tpad_fold *fold, int32_t scale_input);
/* The input's elements as another type. */
void tpad_fold_cast(tpad_fold *fold, int32_t type);
/* Inputs: condition, then, else. */
void tpad_fold_where(tpad_fold *fold, int32_t argument);
/* Passes the first input to the first output unchanged. */
void tpad_fold_same(tpad_fold *fold, int32_t input);

/* ---- fold_move.c: elements to other places --------------------------------------------------- */

void tpad_fold_shape_of(tpad_fold *fold, int32_t type, int64_t start, int64_t end);
void tpad_fold_gather(tpad_fold *fold, int64_t axis);
/* Slices the first input. `axes` count from 0 by default, `steps` are 1. */
void tpad_fold_slice(tpad_fold *fold, const tpad_fold_list *starts, const tpad_fold_list *ends,
                     const tpad_fold_list *axes, const tpad_fold_list *steps);
void tpad_fold_concat(tpad_fold *fold, int64_t axis);
/* sizes NULL: into `parts` equal parts, the last one smaller if necessary. */
void tpad_fold_split(tpad_fold *fold, int64_t axis, const tpad_fold_list *sizes, int64_t parts);
void tpad_fold_transpose(tpad_fold *fold, const tpad_fold_list *order);
void tpad_fold_expand(tpad_fold *fold, const tpad_fold_list *target);
void tpad_fold_tile(tpad_fold *fold, const tpad_fold_list *repeats);
void tpad_fold_range(tpad_fold *fold, int32_t type);
/* A tensor of one element, repeated. */
void tpad_fold_fill(tpad_fold *fold, const tpad_fold_list *shape, int32_t type,
                    tpad_element element);

/* ---- fold_move.c: the same elements in another shape ----------------------------------------- */

/* Entries: 0 copies the input's extent (unless zero_is_zero); -1 is computed from the others. */
void tpad_fold_reshape(tpad_fold *fold, const tpad_fold_list *target, int32_t zero_is_zero);
/* axes NULL: every axis of extent 1. */
void tpad_fold_squeeze(tpad_fold *fold, const tpad_fold_list *axes);
void tpad_fold_unsqueeze(tpad_fold *fold, const tpad_fold_list *axes);
void tpad_fold_flatten(tpad_fold *fold, int64_t axis);

/* ---- fold_arithmetic.c: shapes only ---------------------------------------------------------- */

/* A convolution or a pool. Lists: one entry for each spatial axis; pads all begins, then all
 * ends. */
typedef struct tpad_window {
    int32_t axes;
    int64_t kernel[TPAD_MAX_RANK]; /* -1 where unknown */
    int64_t stride[TPAD_MAX_RANK], dilation[TPAD_MAX_RANK];
    int64_t before[TPAD_MAX_RANK], after[TPAD_MAX_RANK];
    int32_t same;  /* 1: the number of windows is extent / stride, rounded up */
    int32_t upper; /* 1: a last, cut window also counts */
} tpad_window;
/* The number of windows on an axis; unknown ones as tpad_extent_sized makes them. */
int64_t tpad_window_count(const tpad_fold *fold, const tpad_window *window, int32_t axis,
                          int64_t extent);
/* channels -1: unknown. */
void tpad_fold_window(tpad_fold *fold, const tpad_window *window, int64_t channels);
/* A transposed convolution. extra: additional cells at the end. fixed: the extents, or NULL. */
void tpad_fold_window_back(tpad_fold *fold, const tpad_window *window, int64_t channels,
                           const int64_t *extra, const int64_t *fixed);
/* second: the index of the second matrix. */
void tpad_fold_matmul(tpad_fold *fold, int32_t second, int32_t turn_a, int32_t turn_b);
/* axes NULL: all. Elements only for integers, with OF_ADD, OF_MUL, OF_MIN and OF_MAX. */
void tpad_fold_reduce(tpad_fold *fold, const tpad_fold_list *axes, int32_t keep, int32_t operation);
/* The output extent for an input extent times a factor. */
int64_t tpad_fold_scale(const tpad_fold *fold, int64_t extent, double factor);

/* ---- fold_sizes.c: unknown sizes ------------------------------------------------------------- */

/* A size has a number; 0 is not a size: nothing is known, and all that is computed from it is 0,
 * too. SIZE_NOT_NEGATIVE is a real number known only not to be negative. */
enum { SIZE_NOT_NEGATIVE = -1 };
#define SIZE_LEAST INT64_MIN /* no lower bound */
#define SIZE_MOST  INT64_MAX
struct tpad_sizes *tpad_sizes_make(void); /* NULL: no memory */
void tpad_sizes_free(struct tpad_sizes *sizes);
/* A new integer between two bounds; that of an input's dimension: one for each name. */
int32_t tpad_size_open(struct tpad_sizes *sizes, int64_t least, int64_t most);
int32_t tpad_size_named(struct tpad_sizes *sizes, tpad_string name, int64_t least);
int32_t tpad_size_number(struct tpad_sizes *sizes, int64_t number);
int32_t tpad_size_is_number(const struct tpad_sizes *sizes, int32_t size, int64_t *number);
/* fa * a + fb * b; size / by, rounded down. */
int32_t tpad_size_sum(struct tpad_sizes *sizes, int32_t a, int64_t fa, int32_t b, int64_t fb);
int32_t tpad_size_quotient(struct tpad_sizes *sizes, int32_t size, int64_t by);
/* The greater of two sizes, the lesser, or either of them. */
enum { SIZE_GREATER = 2, SIZE_LESSER, SIZE_EITHER };
int32_t tpad_size_choice(struct tpad_sizes *sizes, int32_t a, int32_t b, int32_t kind);
void tpad_size_bounds(const struct tpad_sizes *sizes, int32_t size, int64_t *least, int64_t *most);
/* The input dimension that alone decides a size, and its least value for a size of at least
 * `least`; 0: there is no such dimension. */
int32_t tpad_size_needs(const struct tpad_sizes *sizes, int32_t size, int64_t least,
                        tpad_string *name, int64_t *needed);
/* The size of any extent. The reverse: -1 if the size may be below zero. is_open: it is computed
 * from open extents, so it is open, too, even if it is known. */
int32_t tpad_size_of_extent(const tpad_fold *fold, int64_t extent);
int64_t tpad_size_as_extent(const tpad_fold *fold, int32_t size, int32_t is_open);

/* ---- fold_open.c: arithmetic with unknown elements ------------------------------------------- */

/* An extent as an element. */
tpad_element tpad_open_extent(const tpad_fold *fold, int32_t type, int64_t extent);
/* 1 if the element is known not to be below zero. */
int32_t tpad_element_not_negative(const tpad_fold *fold, int32_t type, tpad_element element);
tpad_element tpad_open_pair(const tpad_fold *fold, int32_t type, const tpad_element *a,
                            const tpad_element *b, int32_t operation);
tpad_element tpad_open_single(const tpad_fold *fold, int32_t type, const tpad_element *a,
                              int32_t operation);
tpad_element tpad_open_cast(const tpad_fold *fold, tpad_element element, int32_t from, int32_t to);
/* An element that is either of both. */
tpad_element tpad_open_either(const tpad_fold *fold, int32_t type, const tpad_element *a,
                              const tpad_element *b);

/* As bound_amounts of tpad_model. */
int64_t tpad_bound_amounts(tpad_model *model, tpad_amount_bounds *bounds, int64_t extent,
                           const tpad_element amounts[2]);

/* ---- fold_graph.c: graphs and functions ------------------------------------------------------ */

/* Prepares the functions to be called. E_FILE: two of them have the same name. */
int32_t tpad_fold_functions(tpad_model *model, tpad_io_error *error);
/* Computes the facts about a node's outputs, after those of its inputs and subgraphs. If it calls a
 * function, computes the function's body with the arguments of this call. 0 when a limit is
 * reached. */
int32_t tpad_fold_node(tpad_model *model, tpad_graph *graph, const tpad_node *node);
/* The order for inspecting functions: from high to low, callers come before the functions that they
 * call. */
int32_t tpad_fold_order(const tpad_graph *function);

/* ---- fold_facts.c: values -------------------------------------------------------------------- */

/* Makes model->folding. Errors: E_MEMORY. */
int32_t tpad_folding_make(tpad_model *model, tpad_io_error *error);

/* The facts about a value, with its elements. */
tpad_inferred tpad_fold_of(tpad_model *model, tpad_value *value);
/* Sets the facts about a value. A constant stays as the file has it. */
void tpad_fold_set(tpad_model *model, tpad_value *value, const tpad_inferred *fact);
#endif
