/* One rewrite while it is made.  SPDX-License-Identifier: MIT
 *
 * Private to this folder. rewrite_steps.c adds steps and asks runtimes/ of each one, axis_pieces.c
 * says where the cells of an axis come from, rewrite_methods.c has the ways to pad without the Pad,
 * reshaped.c gives a method fewer axes to work on, and rewrite_choice.c tries them.
 *
 * Functions that add a step return the operand that it makes, or NO_OPERAND: a target is not known to
 * run it right, something is not known, or there is no memory. A step on NO_OPERAND is NO_OPERAND. */
#ifndef TENSORPAD_LOWERING_RECIPE_H
#define TENSORPAD_LOWERING_RECIPE_H

#include "rewrite.h"

enum { NO_OPERAND = -1, MOST_PIECES = 64 };

/* What stood in the way, from the least to the most telling. */
enum { TROUBLE_NONE, TROUBLE_OPERATOR, TROUBLE_SIZE, TROUBLE_EXTENT, TROUBLE_MEMORY };

typedef struct tpad_trouble {
    int32_t kind;
    int32_t target;     /* OPERATOR: the first target that was not known to run one right */
    uint32_t operators; /* OPERATOR: bit i: it was operator i; bit STEP_PAD: a Pad */
    int32_t is_empty;   /* OPERATOR: 1: of tensors without elements */
    int32_t axis;       /* EXTENT */
} tpad_trouble;

/* What there is to know of an operand beside its type and shape. */
typedef struct tpad_trait {
    int32_t is_open; /* for runtimes/ */
    int32_t bits;    /* */
    int32_t is_read; /* of a finished rewrite */
} tpad_trait;

typedef struct tpad_recipe {
    tpad_lowering *lowering;
    const tpad_graph_pad *pad;
    const tpad_rules_facts *facts;
    int32_t carrier;  /* the type in which the cells are moved */
    int32_t reshaped; /* 1: the axes are not those of the node, and more steps follow a method's */
    tpad_operand *operands;
    tpad_trait *traits;
    tpad_step *steps;
    int32_t operand_count, step_count, room; /* room: of each of the three lists */
    int32_t value;                           /* the pad value as an operand, or NO_OPERAND */
    int64_t constant_bytes;                  /* of all constants */
    tpad_trouble trouble;
} tpad_recipe;

/* A tensor that is to be padded. */
typedef struct tpad_view {
    int32_t data; /* operand */
    int32_t rank;
    tpad_rules_axis axis[TPAD_RULES_MAX_RANK]; /* amounts are known */
} tpad_view;

/* ---- axis_pieces.c ----------------------------------------------------------------------------- */

/* Cells of an output axis that come from the input in the same way. */
enum { PIECE_FILL, PIECE_FORWARD, PIECE_BACK, PIECE_REPEAT };
typedef struct tpad_piece {
    int32_t kind;
    int64_t
        first; /* the cell of the input; below 0: counted from the end of an axis whose extent is
                      unknown, -1 is the last one */
    int64_t count;
} tpad_piece;

/* Whether the document cuts the negative amounts off before it extends the rest. */
int32_t tpad_cuts_first(const tpad_rules_facts *facts);
/* The extent of the output; -1 if unknown. */
int64_t tpad_out_extent(const tpad_rules_facts *facts, const tpad_rules_axis *axis);
int32_t tpad_axis_grows(const tpad_rules_axis *axis);
int32_t tpad_axis_is_cut(const tpad_rules_axis *axis);
/* 1 if it is known that no cell of the input is left of the axis. */
int32_t tpad_nothing_is_left(const tpad_rules_axis *axis);
/* Makes the extent what is left without the negative amounts, which become 0. */
void tpad_cut_axis(tpad_rules_axis *axis);
/* The piece that begins at cell `at` of the output of an axis whose extent is known. */
tpad_piece tpad_piece_at(const tpad_rules_facts *facts, const tpad_rules_axis *axis, int64_t at);
/* How many cells an axis whose extent is unknown needs so that no amount goes round the whole of it. */
int64_t tpad_needed_cells(int32_t mode, const tpad_rules_axis *axis);
/* All runs of an axis. Its extent may be unknown if no amount goes round the whole of it. Returns how
 * many; -1 if there are more than MOST_PIECES or the extent is missing. */
int32_t tpad_pieces(tpad_piece pieces[MOST_PIECES], const tpad_rules_facts *facts,
                    const tpad_rules_axis *axis);

/* ---- rewrite_steps.c ------------------------------------------------------------------------- */

/* The bits of elements. Of those that are not known all digits are possible that the type holds, but
 * no NaN, infinity or -0: as where runtimes/ judges a Pad. */
int32_t tpad_possible_bits(const tpad_rules_facts *facts, int32_t known, int32_t bits);

/* Begins a rewrite: its only operand is the data. 0: no memory. */
int32_t tpad_recipe_begin(tpad_recipe *recipe);
/* Removes the steps whose results nobody reads. `result` becomes the last one. */
void tpad_recipe_finish(tpad_recipe *recipe, int32_t result);

/* Memory for constants; NULL: none, or too much. bytes: -1: beyond all limits. */
void *tpad_recipe_constant(tpad_recipe *recipe, int64_t bytes);
int32_t tpad_recipe_no_memory(tpad_recipe *recipe);
int32_t tpad_recipe_no_extent(tpad_recipe *recipe, int32_t axis);

/* An operand of kind CONSTANT; data stays the caller's. */
int32_t tpad_operand_constant(tpad_recipe *recipe, int32_t type, int32_t rank, const int64_t *shape,
                              const void *data);
/* Notes that a target is not known to run an operator right. */
void tpad_recipe_refuse(tpad_recipe *recipe, int32_t target, int32_t op, int32_t is_empty);
/* The bytes of one element; of packed types 1. */
int64_t tpad_element_bytes(int32_t type);
/* The elements of a shape; -1 if an extent is unknown, or if there are too many. */
int64_t tpad_shape_elements(int32_t rank, const int64_t *shape);
/* The pad value that is an input of the node. */
int32_t tpad_operand_value(tpad_recipe *recipe);
/* Adds a step without asking; result: type and shape of what it makes. */
int32_t tpad_step_add(tpad_recipe *recipe, tpad_step step, tpad_operand result);
/* 1 if every target runs the operator right on that operand, which it does not change but in its
 * extents. */
int32_t tpad_recipe_may(tpad_recipe *recipe, int32_t op, int32_t operand);

/* Steps of one operand that keep its shape. A CONSTANT step has an operand of kind CONSTANT. */
int32_t tpad_step_same(tpad_recipe *recipe, int32_t op, int32_t operand);
int32_t tpad_step_cast(tpad_recipe *recipe, int32_t operand, int32_t type);
/* EXPAND, RESHAPE. shape: of the result; list: as in tpad_step. */
int32_t tpad_step_shape(tpad_recipe *recipe, int32_t op, int32_t operand, int32_t rank,
                        const int64_t *shape, const int64_t *list);
/* The cells from `first` on of one axis, forwards or back. */
int32_t tpad_step_cells(tpad_recipe *recipe, int32_t operand, int32_t axis, tpad_piece piece);
/* Cuts the negative amounts off. */
int32_t tpad_step_cut(tpad_recipe *recipe, const tpad_view *view);
int32_t tpad_step_concat(tpad_recipe *recipe, const int32_t *operands, int32_t count, int32_t axis);
/* indices: from tpad_recipe_constant; NULL is NO_OPERAND. */
int32_t tpad_step_gather(tpad_recipe *recipe, int32_t operand, int32_t axis, const int64_t *indices,
                         int64_t count);
/* mask: true where `then` is taken. It has the rank of `then`, whose shape the result has. */
int32_t tpad_step_where(tpad_recipe *recipe, int32_t mask, int32_t then, int32_t otherwise);

/* ---- pad_value.c ----------------------------------------------------------------------------- */

/* The pad value in the carrier. */
int32_t tpad_recipe_value(tpad_recipe *recipe);
/* The pad value as a constant of rank 0 in the type of the data, if it is known. */
int32_t tpad_recipe_known_value(tpad_recipe *recipe);
/* A constant whose elements are 0. */
int32_t tpad_recipe_zeros(tpad_recipe *recipe, int32_t rank, const int64_t *shape);
/* A tensor full of the pad value. */
int32_t tpad_recipe_block(tpad_recipe *recipe, int32_t rank, const int64_t *shape);

/* ---- inner_pads.c ---------------------------------------------------------------------------- */

/* A Pad of the view, in the first form that every target runs right: with pads for all axes, or with
 * `axes`; with the value by its name, or as a constant. with_value 0: pads by 0. is_last: its result
 * is what the method makes. */
int32_t tpad_step_pad(tpad_recipe *recipe, const tpad_view *view, int32_t with_value,
                      int32_t is_last);

/* ---- rewrite_methods.c ----------------------------------------------------------------------- */

enum {
    METHOD_IDENTITY,
    METHOD_EMPTY,
    METHOD_PAD,
    METHOD_FILL,
    METHOD_SLICE,
    METHOD_SLICE_PAD,
    METHOD_PAD_SLICE,
    METHOD_CONCAT,
    METHOD_GATHER,
    METHOD_GATHER_WHERE,
    METHOD_PAD_WHERE,
    METHOD_CUT_CONSTANT,
    METHODS
};
/* Pads the view. */
int32_t tpad_method_run(tpad_recipe *recipe, int32_t method, const tpad_view *view);

/* ---- reshaped.c ------------------------------------------------------------------------------ */

enum {
    SHAPE_AS_IS,
    SHAPE_MERGED,     /* neighbours without amounts become one axis */
    SHAPE_ONE_BY_ONE, /* one axis after the other, as the middle one of three */
    SHAPES
};
int32_t tpad_shape_run(tpad_recipe *recipe, int32_t shape, int32_t method, const tpad_view *view);

/* ---- reason_text.c --------------------------------------------------------------------------- */

/* "Slice, Pad": the operators of the steps. NULL: no memory. */
const char *tpad_recipe_operators(const tpad_recipe *recipe);
/* Why no rewrite of the node can be right, whatever it is made of; NULL: nothing is known to be in the
 * way, or there is no memory, which recipe->trouble says. */
const char *tpad_recipe_hopeless(tpad_recipe *recipe);
/* Why no rewrite came out, from recipe->trouble. NULL: no memory. */
const char *tpad_recipe_reason(const tpad_recipe *recipe);

/* ---- rewrite_choice.c ------------------------------------------------------------------------ */

/* Makes one rewrite; 0 if it cannot be made. The recipe's lowering and pad are set. */
int32_t tpad_recipe_build(tpad_recipe *recipe, int32_t carrier, int32_t shape, int32_t method);

#endif
