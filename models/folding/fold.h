/* What follows from a model before it runs: small tensors and shapes.  SPDX-License-Identifier: MIT
 *
 * Private to this folder. Its files that begin with fold_ know what operators do; those that begin
 * with a format's name know how a file writes an operator down. The function of an operator reads
 * what is known of a node's inputs and says what follows for its outputs. It says nothing where it
 * is not sure: a wrong number would be worse than none.
 *
 * To add an operator: write its function (or use one that is here) and add a line to the format's
 * table (onnx_operators.c, ir_operators.c). */
#ifndef TENSORPAD_FOLDING_FOLD_H
#define TENSORPAD_FOLDING_FOLD_H

#include "folding.h"
#include "models/graph/model.h"

/* Limits: elements of a tensor that is worked out, and entries of an attribute. */
enum { FOLD_ELEMENTS = 1024, FOLD_LIST = 64 };

/* What is known of a tensor. `elements`, where not NULL, are all of them in row-major order, and
 * the whole shape is known. An index that is worked out is read by tpad_inferred_at. */
typedef struct tpad_inferred {
    int32_t type;                 /* TPAD_ONNX_..., 0 if unknown */
    int32_t rank;                 /* -1 if unknown */
    int64_t shape[TPAD_MAX_RANK]; /* where unknown as tpad_extent_from says */
    const tpad_element *elements;
    int64_t element_count; /* 0 without elements */
} tpad_inferred;

/* What is kept with a model: it hangs on model->folding. */
struct tpad_folding {
    struct tpad_sizes *sizes; /* fold_sizes.c */
    tpad_arena facts;         /* what is worked out; when it is full, nothing more is */
    int64_t steps;            /* how many may still be taken */
    int32_t depth;            /* functions that call each other */
    int32_t final;            /* 1: calls are no longer counted */
    int32_t order;            /* of the functions that were called so far */
    int64_t function_count;
    struct tpad_function_name *function_names; /* sorted (fold_graph.c) */
};

/* A node while its outputs are worked out. */
typedef struct tpad_fold {
    tpad_model *model;
    tpad_graph *graph;
    const tpad_node *node;
    const tpad_graph *from_graph; /* whose inputs are read: the node's own, or those of the node */
    const tpad_node *from;        /* that makes a sequence for it */
    int32_t opset;
    int32_t unsure;                   /* 1: an attribute is not known, so nothing is */
    tpad_element room[FOLD_ELEMENTS]; /* for the elements of one output */
} tpad_fold;

/* A line of a format's table. `argument` tells apart the operators that share a function. */
typedef struct tpad_operator {
    const char *name;
    void (*apply)(tpad_fold *fold, int32_t argument);
    int32_t argument;
} tpad_operator;

/* onnx_operators.c, ir_operators.c. The line for a node, or NULL. */
const tpad_operator *tpad_onnx_operator(const tpad_graph *graph, const tpad_node *node);
const tpad_operator *tpad_ir_operator(const tpad_graph *graph, const tpad_node *node);

/* ---- fold_facts.c: what operators read and give ---------------------------------------------- */

int32_t tpad_fold_has(const tpad_fold *fold, int32_t index);
/* What is known of an input: type and shape; with `..._value` its elements too. A missing input is
 * a fact of unknown rank. */
tpad_inferred tpad_fold_in(const tpad_fold *fold, int32_t index);
tpad_inferred tpad_fold_value(const tpad_fold *fold, int32_t index);
/* 1 if some elements of the input may be known: loading them is worth while. */
int32_t tpad_fold_may_know(const tpad_fold *fold, int32_t index);
/* Says what follows for an output. What the fact does not say stays as the file has it. */
void tpad_fold_give(tpad_fold *fold, int32_t index, const tpad_inferred *fact);

/* Attributes: the default if absent. What only the caller of a function gives, or what is of
 * another kind, makes the fold unsure. */
int64_t tpad_fold_int(tpad_fold *fold, const char *name, int64_t absent);
/* The number of entries, or -1 if absent. list has room for FOLD_LIST. */
int32_t tpad_fold_ints(tpad_fold *fold, const char *name, int64_t *list);
int32_t tpad_fold_real(tpad_fold *fold, const char *name, double *number); /* 0 if absent */
int32_t tpad_fold_reals(tpad_fold *fold, const char *name, double *list);
/* A text; 0 if absent. */
int32_t tpad_fold_text(tpad_fold *fold, const char *name, tpad_string *text);
/* 1 if the attribute is this word; `absent` if there is none. */
int32_t tpad_fold_word(tpad_fold *fold, const char *name, const char *word, int32_t absent);

/* A list of integers from an input, entry by entry. */
typedef struct tpad_fold_list {
    int32_t count; /* -1 if unknown */
    int64_t items[FOLD_LIST];
    uint8_t known[FOLD_LIST];
    int32_t size[FOLD_LIST]; /* as elements have it */
} tpad_fold_list;
/* Of an input of rank 0 or 1; of an attribute; of numbers. An absent one has present 0. */
int32_t tpad_fold_list_in(tpad_fold_list *list, const tpad_fold *fold, int32_t index);
int32_t tpad_fold_list_attribute(tpad_fold_list *list, tpad_fold *fold, const char *name);
/* 1 if the count and every entry are known. */
int32_t tpad_fold_list_complete(const tpad_fold_list *list);

/* The entry as an extent; -1 if it is below zero or not known. */
int64_t tpad_fold_list_extent(const tpad_fold *fold, const tpad_fold_list *list, int32_t index);

/* ---- fold_facts.c: facts --------------------------------------------------------------------- */

tpad_inferred tpad_inferred_none(int32_t type);
/* A list of one axis. */
tpad_inferred tpad_inferred_vector(int32_t type, int64_t count);
/* The number of elements, or -1 if it is unknown or does not fit in 64 bits. */
int64_t tpad_inferred_count(const tpad_inferred *fact);
/* An element; unknown if there are no elements, or no such one. */
tpad_element tpad_inferred_at(const tpad_inferred *fact, int64_t index);
/* Gives the fact, whose shape is set, its elements if they are as many; else none. */
void tpad_inferred_put(tpad_inferred *fact, const tpad_element *elements, int64_t count);
/* fold->room if the fact's elements fit there, all unknown; else NULL. */
tpad_element *tpad_fold_room(tpad_fold *fold, const tpad_inferred *fact);
/* The shape of two tensors that are broadcast together; the type is a's. */
tpad_inferred tpad_fold_broadcast(const tpad_inferred *a, const tpad_inferred *b);
/* Where the element `index` of `whole` comes from in `part`; -1 if that has a shape that is not
 * broadcast to whole's. */
int64_t tpad_fold_broadcast_index(const tpad_inferred *whole, const tpad_inferred *part,
                                  int64_t index);
/* What holds for both. */
tpad_inferred tpad_inferred_join(const tpad_inferred *a, const tpad_inferred *b);
int32_t tpad_element_same(int32_t type, tpad_element a, tpad_element b);

/* ---- fold_facts.c: elements of the types ----------------------------------------------------- */

/* An element of one type as another; unknown if documents leave the result open. */
tpad_element tpad_element_cast(tpad_element element, int32_t from, int32_t to);
/* Keeps a number if the type can hold it; else unknown. Rounds to float once. */
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
    OF_OTHER /* the shape and type of its first input; no elements */
};
/* Two inputs that are broadcast; any number of them, of the input's type; one input. */
void tpad_fold_binary(tpad_fold *fold, int32_t operation);
void tpad_fold_variadic(tpad_fold *fold, int32_t operation);
void tpad_fold_unary(tpad_fold *fold, int32_t operation);
/* Two elements of one type. */
tpad_element tpad_fold_combine(const tpad_fold *fold, int32_t type, const tpad_element *a,
                               const tpad_element *b, int32_t operation);
/* Facts: type and shape are set. */
void tpad_fold_pair(tpad_fold *fold, tpad_inferred *out, const tpad_inferred *a,
                    const tpad_inferred *b, int32_t operation);
/* The input between two limits of one element each; NULL: none. */
void tpad_fold_clip(tpad_fold *fold, const tpad_inferred *low, const tpad_inferred *high);
/* (code - zero point) * scale, with one scale for all; the zero point is the input after it. */
void tpad_fold_dequantize(tpad_fold *fold, int32_t scale_input);
/* The input's elements as another type. */
void tpad_fold_cast(tpad_fold *fold, int32_t type);
/* Inputs: condition, then, else. */
void tpad_fold_where(tpad_fold *fold, int32_t argument);
/* The first input as it is, to the first output. */
void tpad_fold_same(tpad_fold *fold, int32_t input);

/* ---- fold_move.c: elements to other places --------------------------------------------------- */

void tpad_fold_shape_of(tpad_fold *fold, int32_t type, int64_t start, int64_t end);
void tpad_fold_gather(tpad_fold *fold, int64_t axis);
/* Of the first input. Entries that are missing in `axes` count from 0, steps are 1. */
void tpad_fold_slice(tpad_fold *fold, const tpad_fold_list *starts, const tpad_fold_list *ends,
                     const tpad_fold_list *axes, const tpad_fold_list *steps);
void tpad_fold_concat(tpad_fold *fold, int64_t axis);
/* sizes NULL: into `parts` equal parts, the last one smaller if need be. */
void tpad_fold_split(tpad_fold *fold, int64_t axis, const tpad_fold_list *sizes, int64_t parts);
void tpad_fold_transpose(tpad_fold *fold, const tpad_fold_list *order);
void tpad_fold_expand(tpad_fold *fold, const tpad_fold_list *target);
void tpad_fold_tile(tpad_fold *fold, const tpad_fold_list *repeats);
void tpad_fold_range(tpad_fold *fold, int32_t type);
/* A tensor of one element, repeated. */
void tpad_fold_fill(tpad_fold *fold, const tpad_fold_list *shape, int32_t type,
                    tpad_element element);

/* ---- fold_move.c: the same elements in another shape ----------------------------------------- */

/* Entries: 0 copies the input's extent (unless zero_is_zero), -1 follows from the others. */
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
    int32_t same;  /* 1: as many windows as strides fit */
    int32_t upper; /* 1: a last window that is cut counts, too */
} tpad_window;
/* The number of windows on an axis; where unknown as tpad_extent_sized says. */
int64_t tpad_window_count(const tpad_fold *fold, const tpad_window *window, int32_t axis,
                          int64_t extent);
/* channels -1: unknown. */
void tpad_fold_window(tpad_fold *fold, const tpad_window *window, int64_t channels);
/* The reverse of a convolution. extra: cells more at the end. fixed: the extents, or NULL. */
void tpad_fold_window_back(tpad_fold *fold, const tpad_window *window, int64_t channels,
                           const int64_t *extra, const int64_t *fixed);
/* second: which input is the second matrix. */
void tpad_fold_matmul(tpad_fold *fold, int32_t second, int32_t turn_a, int32_t turn_b);
/* axes NULL: all. Elements of integers under OF_ADD, OF_MUL, OF_MIN and OF_MAX. */
void tpad_fold_reduce(tpad_fold *fold, const tpad_fold_list *axes, int32_t keep, int32_t operation);
/* One output extent for each input extent times a factor. */
int64_t tpad_fold_scale(const tpad_fold *fold, int64_t extent, double factor);

/* ---- fold_sizes.c: sizes that are not known -------------------------------------------------- */

/* A size has a number; 0 is no size, of which nothing is known, and what follows from it is 0, too.
 * SIZE_NOT_NEGATIVE stands for a real number of which only this is known. */
enum { SIZE_NOT_NEGATIVE = -1 };
#define SIZE_LEAST INT64_MIN /* no lower bound */
#define SIZE_MOST  INT64_MAX
struct tpad_sizes *tpad_sizes_make(void); /* NULL: no memory */
void tpad_sizes_free(struct tpad_sizes *sizes);
/* An integer between two bounds; that of an input's dimension: the same one for each name. */
int32_t tpad_size_open(struct tpad_sizes *sizes, int64_t least, int64_t most);
int32_t tpad_size_named(struct tpad_sizes *sizes, tpad_string name, int64_t least);
int32_t tpad_size_number(struct tpad_sizes *sizes, int64_t number);
int32_t tpad_size_is_number(const struct tpad_sizes *sizes, int32_t size, int64_t *number);
/* fa * a + fb * b; size / by, rounded down. */
int32_t tpad_size_sum(struct tpad_sizes *sizes, int32_t a, int64_t fa, int32_t b, int64_t fb);
int32_t tpad_size_quotient(struct tpad_sizes *sizes, int32_t size, int64_t by);
/* The greater one of two sizes, the lesser one, or one of both. */
enum { SIZE_GREATER = 2, SIZE_LESSER, SIZE_EITHER };
int32_t tpad_size_choice(struct tpad_sizes *sizes, int32_t a, int32_t b, int32_t kind);
void tpad_size_bounds(const struct tpad_sizes *sizes, int32_t size, int64_t *least, int64_t *most);
/* The dimension of the inputs that alone decides a size, and what it must be at least for a size of
 * `least`; 0: there is no such dimension. */
int32_t tpad_size_needs(const struct tpad_sizes *sizes, int32_t size, int64_t least,
                        tpad_string *name, int64_t *needed);
/* Of any extent. The reverse: -1 if the size may be below zero. is_open: it follows from extents
 * that are open, so it is open, too, also where it is known. */
int32_t tpad_size_of_extent(const tpad_fold *fold, int64_t extent);
int64_t tpad_size_as_extent(const tpad_fold *fold, int32_t size, int32_t is_open);

/* ---- fold_open.c: arithmetic of elements that are not all known ------------------------------ */

/* An extent as an element. */
tpad_element tpad_open_extent(const tpad_fold *fold, int32_t type, int64_t extent);
/* 1 if the element is known not to be below zero. */
int32_t tpad_element_not_negative(const tpad_fold *fold, int32_t type, tpad_element element);
tpad_element tpad_open_pair(const tpad_fold *fold, int32_t type, const tpad_element *a,
                            const tpad_element *b, int32_t operation);
tpad_element tpad_open_single(const tpad_fold *fold, int32_t type, const tpad_element *a,
                              int32_t operation);
tpad_element tpad_open_cast(const tpad_fold *fold, tpad_element element, int32_t from, int32_t to);
/* What is one of both. */
tpad_element tpad_open_either(const tpad_fold *fold, int32_t type, const tpad_element *a,
                              const tpad_element *b);

/* As tpad_model says. */
int64_t tpad_bound_amounts(tpad_model *model, tpad_amount_bounds *bounds, int64_t extent,
                           const tpad_element amounts[2]);

/* ---- fold_graph.c: graphs and functions ------------------------------------------------------ */

/* Prepares the functions to be called. E_FILE: two of them have one name. */
int32_t tpad_fold_functions(tpad_model *model, tpad_io_error *error);
/* Works out the outputs of a node whose inputs and subgraphs are done. If it calls a function, the
 * function's body is worked out with the arguments of this call. 0 when a limit is reached. */
int32_t tpad_fold_node(tpad_model *model, tpad_graph *graph, const tpad_node *node);
/* The order in which functions are to be inspected: from high to low, callers come before the
 * functions that they call. */
int32_t tpad_fold_order(const tpad_graph *function);

/* ---- fold_facts.c: values -------------------------------------------------------------------- */

/* Makes model->folding. Errors: E_MEMORY. */
int32_t tpad_folding_make(tpad_model *model, tpad_io_error *error);

/* What is known of a value, with its elements. */
tpad_inferred tpad_fold_of(tpad_model *model, tpad_value *value);
/* Says of a value what a fact says. A constant stays as the file has it. */
void tpad_fold_set(tpad_model *model, tpad_value *value, const tpad_inferred *fact);
#endif
