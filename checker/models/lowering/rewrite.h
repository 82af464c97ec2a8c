/* A rewrite of a Pad: steps in running order.  SPDX-License-Identifier: MIT
 *
 * Private to this folder. A step reads operands and makes one. Only onnx_rewritten.c and
 * ir_rewritten.c know how a file writes an operator.
 *
 * rewrite_choice.c chooses a rewrite for a node: it tries the methods of rewrite_methods.c from the
 * simplest, and takes the first that every target runs correctly, according to runtimes/. */
#ifndef TENSORPAD_LOWERING_REWRITE_H
#define TENSORPAD_LOWERING_REWRITE_H

#include "lowering.h"
#include "models/graph/model.h"
#include "runtimes/runtimes.h"

/* Kinds of operands. */
enum {
    OPERAND_DATA,     /* the Pad's first input */
    OPERAND_VALUE,    /* the Pad's input with the pad value: one element, of rank 0 or 1 */
    OPERAND_CONSTANT, /* elements that the rewrite adds */
    OPERAND_STEP      /* the result of a step */
};

typedef struct tpad_operand {
    int32_t kind;
    int32_t type;     /* TPAD_ONNX_... */
    int32_t rank;     /* -1 if unknown */
    int64_t *shape;   /* rank extents, -1 where unknown */
    const void *data; /* CONSTANT: dense elements in native byte order; packed types as in ONNX, the
                         first element in the low bits; strings as tpad_string */
} tpad_operand;

/* The operators of steps. Numbers below TPAD_RULES_USES are those of runtimes.h, without
 * CAST_AND_BACK. */
enum { STEP_CAST = TPAD_RULES_USES, STEP_PAD };

/* Every list is in the lowering's arena. Axes count from the front. */
typedef struct tpad_step {
    int32_t op;
    int32_t input_count;
    const int32_t *inputs; /* indices of operands. WHERE: condition, then, else. PAD: data and, in
                              mode constant, the value (default: 0). CONSTANT: one of kind
                              CONSTANT */
    int32_t output;        /* the operand that it makes; it has CAST's type, and the shape of
                              EXPAND and RESHAPE */
    int32_t axis;          /* CONCAT, GATHER */
    int32_t count;         /* entries of each list below */
    const int64_t *axes;   /* SLICE, SLICE_BACK; PAD: NULL for none, else an input `axes` */
    const int64_t *starts; /* SLICE, SLICE_BACK: as ONNX's Slice, which clamps them */
    const int64_t *ends;
    const int64_t *begin; /* PAD: one for each axis, or for each entry of `axes` */
    const int64_t *end;
    const int64_t *list; /* GATHER: the indices, all in range. RESHAPE: the shape with at most one
                            -1, and with 0 for "as in the operand". EXPAND: the shape, with 1
                            for "as in the operand" */
    const char *mode;    /* PAD */
    int32_t is_open;     /* PAD: 1: takes the node's inputs pads and axes */
} tpad_step;

typedef struct tpad_rewrite {
    const tpad_graph_pad *pad; /* the node, with the amounts of Pads that were folded into it */
    tpad_operand *operands;    /* operand 0 is the data */
    int32_t operand_count;
    const tpad_step *steps;
    int32_t step_count; /* at least 1; the last one makes the Pad's output */
} tpad_rewrite;

struct tpad_folded_window;

/* A Pad that is TPAD_LOWER_FOLDED. */
typedef struct tpad_folded {
    struct tpad_folded_window *window; /* NULL: it is part of another Pad, or added nothing */
    const tpad_value *source; /* the value read in place of its output, if already found; or NULL */
} tpad_folded;

struct tpad_lowering {
    tpad_model *model;
    tpad_arena arena;
    const tpad_lower_target *targets;
    int32_t target_count;
    int32_t ways;             /* TPAD_LOWER_LENIENT | ... */
    tpad_lowered_node *nodes; /* one for each Pad node of the model */
    tpad_folded *folds;       /* the same; for nodes that are FOLDED */
    tpad_rewrite *rewrites;   /* the same; without steps if the node stays as it is */
    const char *prefix;       /* no name of the model begins with it (output_place.c) */
    int64_t constant_bytes;   /* of all rewrites */
    int32_t lacks_memory;     /* 1: out of memory during a decision about folding */
};

/* rewrite_choice.c. Chooses a rewrite for rewrites[index].pad: sets `rewrites[index]` and
 * `nodes[index]`. Errors: E_MEMORY. */
int32_t tpad_recipe_choose(tpad_lowering *lowering, int64_t index, tpad_io_error *error);

/* lowering_plan.c. Decides about the node of that index for TPAD_LOWER_FOR_PLUGIN. worst: the
 * verdict of the target nodes[index].target, or SAME. */
void tpad_plugin_decide(tpad_lowering *lowering, int64_t index, const tpad_rules_finding *worst);

/* onnx_folds.c. Decides whether the node of that index is FOLDED for TPAD_LOWER_FOLD, and notes why
 * not. The nodes of higher indices must be decided already. Errors: E_MEMORY. */
int32_t tpad_folded_decide(tpad_lowering *lowering, int64_t index, tpad_io_error *error);
/* onnx_data.c. 1 if that Pad of the model is FOLDED. */
int32_t tpad_is_folded(const tpad_lowering *lowering, const tpad_graph_pad *pad);
/* The value that stands for a value in the written model: another one if folded Pads made it. */
const tpad_value *tpad_folded_source(const tpad_lowering *lowering, const tpad_value *value);

/* output_place.c. Sets lowering->prefix: "lowered" and as many "_" as needed. Errors: E_MEMORY. */
int32_t tpad_lowering_prefix(tpad_lowering *lowering, tpad_io_error *error);

/* Writes the name of tensor `number` of that node's rewrite: nothing in the model has it. */
enum { LOWERED_NAME_EXTRA = 48 };
void tpad_lowered_name(char *name, size_t bytes, const tpad_lowering *lowering, int64_t index,
                       int32_t number);

/* onnx_rewritten.c, ir_rewritten.c. Writes the file with the rewritten nodes. */
int32_t tpad_onnx_write_lowered(const tpad_lowering *lowering, tpad_output *output,
                                tpad_output *weights, tpad_io_error *error);
int32_t tpad_ir_write_lowered(const tpad_lowering *lowering, tpad_output *output,
                              tpad_output *weights, tpad_io_error *error);
/* onnx_rewritten.c. Writes the file with the plug-in's domain in the rewritten nodes. */
int32_t tpad_onnx_write_prepared(const tpad_lowering *lowering, tpad_output *output,
                                 tpad_io_error *error);
/* ir_rewritten.c. Why the format cannot write that node as other operators, or NULL. */
const char *tpad_ir_why_not_lowered(const tpad_model *model, const tpad_graph_pad *pad);

/* Building one rewrite.
 *
 * Private to this folder. axis_pieces.c says where the cells of an axis come from; rewrite_steps.c
 * adds a step if every target runs it correctly; rewrite_methods.c has the ways to pad without the
 * Pad; rewrite_choice.c tries them, also on fewer axes.
 *
 * Functions that add a step return the operand that it makes, or NO_OPERAND: a target is not known
 * to run it correctly, a fact is unknown, or there is no memory. A step on NO_OPERAND is
 * NO_OPERAND. */

enum { NO_OPERAND = -1, MOST_PIECES = 64 };

/* Obstacles, from the least to the most informative. */
enum { TROUBLE_NONE, TROUBLE_OPERATOR, TROUBLE_SIZE, TROUBLE_EXTENT, TROUBLE_MEMORY };

typedef struct tpad_trouble {
    int32_t kind;
    int32_t target;     /* OPERATOR: the first target not known to run one correctly */
    uint32_t operators; /* OPERATOR: bit i: operator i; bit STEP_PAD: a Pad */
    int32_t is_empty;   /* OPERATOR: 1: on tensors without elements */
    int32_t axis;       /* EXTENT */
} tpad_trouble;

/* Facts about an operand besides its type and shape. */
typedef struct tpad_trait {
    int32_t is_open; /* for runtimes/ */
    int32_t bits;    /* for runtimes/ */
    int32_t is_read; /* of a finished rewrite */
} tpad_trait;

typedef struct tpad_recipe {
    tpad_lowering *lowering;
    const tpad_graph_pad *pad;
    const tpad_rules_facts *facts;
    int32_t carrier;  /* the type of the cells while they are moved */
    int32_t is_open;  /* 1: amounts are known when the model runs, and a Pad keeps its inputs */
    int32_t reshaped; /* 1: the axes differ from the node's, and more steps follow a method's */
    tpad_operand *operands;
    tpad_trait *traits;
    tpad_step *steps;
    int32_t operand_count, step_count, room; /* room: of each of the three lists */
    int32_t value;                           /* the pad value as an operand, or NO_OPERAND */
    int64_t constant_bytes;                  /* of all constants */
    tpad_trouble trouble;
} tpad_recipe;

/* A tensor to be padded. */
typedef struct tpad_view {
    int32_t data; /* operand */
    int32_t rank;
    tpad_rules_axis axis[TPAD_RULES_MAX_RANK]; /* amounts are known, or recipe->is_open */
} tpad_view;

/* ---- axis_pieces.c --------------------------------------------------------------------------- */

/* Cells of an output axis that come from the input in the same way. */
enum { PIECE_FILL, PIECE_FORWARD, PIECE_BACK, PIECE_REPEAT };
typedef struct tpad_piece {
    int32_t kind;
    int64_t first; /* input cell; below 0: from the end of an axis with unknown extent (-1: last) */
    int64_t count;
} tpad_piece;

/* 1 if the rank and all amounts are known. */
int32_t tpad_amounts_are_known(const tpad_rules_facts *facts);
/* 1 if the document applies the negative amounts before it extends the rest. */
int32_t tpad_cuts_first(const tpad_rules_facts *facts);
/* The extent of the output; -1 if unknown. */
int64_t tpad_out_extent(const tpad_rules_facts *facts, const tpad_rules_axis *axis);
int32_t tpad_axis_grows(const tpad_rules_axis *axis);
int32_t tpad_axis_is_cut(const tpad_rules_axis *axis);
/* 1 if it is known that negative amounts remove all input cells of the axis. */
int32_t tpad_nothing_is_left(const tpad_rules_axis *axis);
/* Applies the negative amounts to the extent, and makes them 0. */
void tpad_cut_axis(tpad_rules_axis *axis);
/* The piece at output cell `at` of an axis with known extent. */
tpad_piece tpad_piece_at(const tpad_rules_facts *facts, const tpad_rules_axis *axis, int64_t at);
/* The least extent of an axis so that no amount goes around all of it. */
int64_t tpad_needed_cells(int32_t mode, const tpad_rules_axis *axis);
/* All pieces of an axis. Its extent may be unknown if no amount goes around all of it. Returns
 * their number; -1 if there are more than MOST_PIECES or the extent is missing. */
int32_t tpad_pieces(tpad_piece pieces[MOST_PIECES], const tpad_rules_facts *facts,
                    const tpad_rules_axis *axis);

/* ---- rewrite_steps.c ------------------------------------------------------------------------- */

/* The bits of elements. Unknown elements may have all digits that the type holds, but not NaN,
 * infinity or -0, as when runtimes/ judges a Pad. */
int32_t tpad_possible_bits(const tpad_rules_facts *facts, int32_t known, int32_t bits);

/* Begins a rewrite, whose only operand is the data. 0: no memory. */
int32_t tpad_recipe_begin(tpad_recipe *recipe);
/* Removes the steps whose results nothing reads. `result` becomes the last one. */
void tpad_recipe_finish(tpad_recipe *recipe, int32_t result);

/* Memory for constants; NULL: none, or too much. bytes: -1: beyond all limits. */
void *tpad_recipe_constant(tpad_recipe *recipe, int64_t bytes);
int32_t tpad_recipe_no_memory(tpad_recipe *recipe);
int32_t tpad_recipe_no_extent(tpad_recipe *recipe, int32_t axis);

/* An operand of kind CONSTANT; data stays the caller's. */
int32_t tpad_operand_constant(tpad_recipe *recipe, int32_t type, int32_t rank, const int64_t *shape,
                              const void *data);
/* Notes that a target is not known to run an operator correctly. */
void tpad_recipe_refuse(tpad_recipe *recipe, int32_t target, int32_t op, int32_t is_empty);
/* The bytes of one element; 1 for packed types. */
int64_t tpad_element_bytes(int32_t type);
/* The elements of a shape; -1 if an extent is unknown, or if there are too many. */
int64_t tpad_shape_elements(int32_t rank, const int64_t *shape);
/* The pad value as an input of the node. */
int32_t tpad_operand_value(tpad_recipe *recipe);
/* Adds a step without asking runtimes/. result: type and shape of its output. */
int32_t tpad_step_add(tpad_recipe *recipe, tpad_step step, tpad_operand result);
/* 1 if every target runs the operator, which only changes extents, correctly on that operand. */
int32_t tpad_recipe_may(tpad_recipe *recipe, int32_t op, int32_t operand);

/* Steps of one operand that keep its shape. A CONSTANT step has an operand of kind CONSTANT. */
int32_t tpad_step_same(tpad_recipe *recipe, int32_t op, int32_t operand);
int32_t tpad_step_cast(tpad_recipe *recipe, int32_t operand, int32_t type);
/* EXPAND, RESHAPE. shape: of the result; list: as in tpad_step. */
int32_t tpad_step_shape(tpad_recipe *recipe, int32_t op, int32_t operand, int32_t rank,
                        const int64_t *shape, const int64_t *list);
/* The cells of one axis from `first` on, forwards or backwards. */
int32_t tpad_step_cells(tpad_recipe *recipe, int32_t operand, int32_t axis, tpad_piece piece);
/* Applies the negative amounts. */
int32_t tpad_step_cut(tpad_recipe *recipe, const tpad_view *view);
int32_t tpad_step_concat(tpad_recipe *recipe, const int32_t *operands, int32_t count, int32_t axis);
/* indices: from tpad_recipe_constant; NULL is NO_OPERAND. */
int32_t tpad_step_gather(tpad_recipe *recipe, int32_t operand, int32_t axis, const int64_t *indices,
                         int64_t count);
/* mask: true where `then` is taken, with the rank of `then`. The result has the shape of `then`. */
int32_t tpad_step_where(tpad_recipe *recipe, int32_t mask, int32_t then, int32_t otherwise);

/* ---- pad_value.c ----------------------------------------------------------------------------- */

/* The pad value in the carrier's type. */
int32_t tpad_recipe_value(tpad_recipe *recipe);
/* The pad value as a constant of rank 0 in the type of the data, if it is known. */
int32_t tpad_recipe_known_value(tpad_recipe *recipe);
/* A constant whose elements are 0. */
int32_t tpad_recipe_zeros(tpad_recipe *recipe, int32_t rank, const int64_t *shape);
/* A tensor full of the pad value. */
int32_t tpad_recipe_block(tpad_recipe *recipe, int32_t rank, const int64_t *shape);

/* ---- pad_value.c: smaller Pads --------------------------------------------------------------- */

/* A Pad of the view, in the first form that every target runs correctly: with pads for all axes, or
 * with `axes`; with the value by its name, or as a constant. with_value 0: pads by 0. is_last: it
 * makes the method's result. */
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

/* ---- rewrite_choice.c: fewer axes ------------------------------------------------------------ */

enum {
    SHAPE_AS_IS,
    SHAPE_MERGED,     /* neighbours without amounts become one axis */
    SHAPE_ONE_BY_ONE, /* one axis after another, each as the middle one of three */
    SHAPES
};
int32_t tpad_shape_run(tpad_recipe *recipe, int32_t shape, int32_t method, const tpad_view *view);

/* ---- reason_text.c --------------------------------------------------------------------------- */

/* "Slice, Pad": the operators of the steps. NULL: no memory. */
const char *tpad_recipe_operators(const tpad_recipe *recipe);
/* Why no rewrite of the node can be correct, whatever its steps; NULL: no obstacle is known, or
 * there is no memory, which recipe->trouble says. */
const char *tpad_recipe_hopeless(tpad_recipe *recipe);
/* Why no rewrite was found, from recipe->trouble. NULL: no memory. */
const char *tpad_recipe_reason(const tpad_recipe *recipe);

/* ---- rewrite_choice.c ------------------------------------------------------------------------ */

/* Makes one rewrite; 0 if it cannot be made. The recipe's lowering and pad are set. */
int32_t tpad_recipe_build(tpad_recipe *recipe, int32_t carrier, int32_t shape, int32_t method);

#endif
