/* What each runtime does with a Pad.  SPDX-License-Identifier: MIT
 *
 * The one header of this folder. A reader of models fills in tpad_rules_facts, the facts of one Pad
 * node as plain numbers. tpad_rules_judge() compares them with the rules of a runtime and gives a
 * verdict: a kind, the code of a rule, an axis and numbers. tpad_rules_text() makes one sentence of
 * it. Nothing here allocates memory, reads files, or needs a C library. */
#ifndef TENSORPAD_RUNTIMES_RUNTIMES_H
#define TENSORPAD_RUNTIMES_RUNTIMES_H

#include <stddef.h>
#include <stdint.h>
#include <tensorpad/tensorpad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The facts of one Pad -------------------------------------------------------------------- */

enum { TPAD_RULES_MAX_RANK = 16, TPAD_RULES_NUMBERS = 4 };

/* The specification that the node follows. */
enum { TPAD_RULES_ONNX, TPAD_RULES_OPENVINO };

enum {
    TPAD_RULES_MODE_UNKNOWN = -1,
    /* The modes have the numbers of the library. */
    TPAD_RULES_CONSTANT = TPAD_CONSTANT,
    TPAD_RULES_EDGE = TPAD_EDGE,
    TPAD_RULES_REFLECT = TPAD_REFLECT,
    TPAD_RULES_SYMMETRIC = TPAD_SYMMETRIC,
    TPAD_RULES_WRAP = TPAD_WRAP,
    TPAD_RULES_NO_MODE = TPAD_MODE_COUNT /* a word that is no mode */
};

/* How an argument reaches the node. */
enum {
    TPAD_RULES_ABSENT,
    TPAD_RULES_ATTRIBUTE,
    TPAD_RULES_INITIALIZER,      /* also a Const layer of an IR */
    TPAD_RULES_OVERRIDABLE,      /* an initializer that is an input of the graph, too */
    TPAD_RULES_CONSTANT_NODE,    /* with the attribute value */
    TPAD_RULES_CONSTANT_NUMBERS, /* a Constant node with value_int, value_ints, value_float ... */
    TPAD_RULES_FOLDED,           /* other nodes compute it, from constants alone */
    TPAD_RULES_FROM_SHAPES, /* other nodes compute it, from shapes that the model leaves open */
    TPAD_RULES_GRAPH_INPUT,
    TPAD_RULES_COMPUTED,      /* other nodes compute it from inputs of the graph */
    TPAD_RULES_FROM_CONSTANTS /* other nodes compute it from constants alone; the result is not known
                                 here, but to runtimes that fold constants */
};

/* What the document says of the node. */
enum {
    TPAD_RULES_DOCUMENT_UNKNOWN = -1, /* a fact that is missing decides */
    TPAD_RULES_ANSWERS,
    /* It forbids the node, because of the first of these that holds: */
    TPAD_RULES_FORBIDS_OPSET,           /* no version of Pad belongs to the opset */
    TPAD_RULES_FORBIDS_AXES_ATTRIBUTE,  /* axes are an input */
    TPAD_RULES_FORBIDS_ATTRIBUTE_NAME,  /* an attribute that no version, or another one, has */
    TPAD_RULES_FORBIDS_ATTRIBUTE_TYPE,  /* such as a mode that is an integer */
    TPAD_RULES_FORBIDS_VALUE_ATTRIBUTE, /* where this version has an input */
    TPAD_RULES_FORBIDS_PADS_ATTRIBUTE,  /* where this version has an input */
    TPAD_RULES_FORBIDS_INPUT_COUNT,     /* inputs that this version does not have */
    TPAD_RULES_FORBIDS_DATA_MISSING,
    TPAD_RULES_FORBIDS_PADS_MISSING,
    TPAD_RULES_FORBIDS_TYPE,      /* a type that this version does not have */
    TPAD_RULES_FORBIDS_MODE,      /* a mode that this version does not have, but another one */
    TPAD_RULES_FORBIDS_MODE_WORD, /* a word that is no mode */
    TPAD_RULES_FORBIDS_VALUE_TYPE,
    TPAD_RULES_FORBIDS_VALUE_COUNT, /* more or fewer elements than one */
    TPAD_RULES_FORBIDS_VALUE_RANK,  /* one element, but rank 2 or more */
    TPAD_RULES_FORBIDS_PADS_TYPE,
    TPAD_RULES_FORBIDS_PADS_ROW,   /* pads of shape [1, n] */
    TPAD_RULES_FORBIDS_PADS_SHAPE, /* pads of another rank than 1, and no such row */
    TPAD_RULES_FORBIDS_AXES_TYPE,
    TPAD_RULES_FORBIDS_AXES_SHAPE,
    TPAD_RULES_FORBIDS_PADS_COUNT,
    TPAD_RULES_FORBIDS_AXES_RANGE,
    TPAD_RULES_FORBIDS_AXES_REPEATED,
    TPAD_RULES_FORBIDS_NEGATIVE_EXTENT, /* of the output */
    TPAD_RULES_FORBIDS_NOTHING_LEFT,    /* nothing to repeat in mode edge, reflect, or wrap */
    TPAD_RULES_FORBIDS_OTHER,
    TPAD_RULES_DOCUMENT_END
};

/* What is true of some element of a tensor, as bits. Used for data and for the pad value. */
enum {
    TPAD_RULES_NOT_ZERO = 1,
    TPAD_RULES_NEGATIVE = 2,
    TPAD_RULES_MINUS_ZERO = 4,
    TPAD_RULES_BEYOND_FLOAT32 = 8, /* a number that a float cannot hold exactly */
    TPAD_RULES_BEYOND_INT32 = 16,  /* an integer outside of int32 */
    TPAD_RULES_NAN_PAYLOAD = 32,   /* a NaN other than the quiet one without payload */
    TPAD_RULES_NAN = 64,           /* any NaN */
    TPAD_RULES_INFINITE = 128,
    TPAD_RULES_BEYOND_UINT8 = 256, /* an integer above 255 */
    TPAD_RULES_FRACTION = 512,     /* a float that is no integer */
    TPAD_RULES_SUBNORMAL = 1024,
    TPAD_RULES_OUTSIDE_INT8 = 2048, /* a float below -128 or above 127 */
    TPAD_RULES_OUTSIDE_BYTE = 4096  /* a float below 0 or above 255 */
};

/* The operators beside a Pad that decide something. */
enum {
    TPAD_RULES_NO_OPERATOR, /* an input or output of the graph, or a constant */
    TPAD_RULES_OTHER_OPERATOR,
    TPAD_RULES_MAX_POOL,
    TPAD_RULES_AVERAGE_POOL,
    TPAD_RULES_CONV,
    TPAD_RULES_TRANSPOSE,
    TPAD_RULES_PAD,
    TPAD_RULES_INTEGER_CONV /* ConvInteger, QLinearConv */
};

/* Where the Pad stands. */
enum {
    TPAD_RULES_INSIDE_GRAPH,
    TPAD_RULES_INSIDE_BODY,     /* of a Loop or several Scans, whatever is around or in it */
    TPAD_RULES_INSIDE_FUNCTION, /* whatever is around or in it */
    TPAD_RULES_INSIDE_BRANCH,   /* of an If, or of several */
    TPAD_RULES_INSIDE_SCAN      /* of one Scan, and of Ifs */
};

/* Types have the numbers of ONNX (TensorProto.DataType). OpenVINO's types that ONNX does not have
 * get these. */
enum {
    TPAD_RULES_TYPE_UNKNOWN = 0,
    TPAD_RULES_TYPE_U1 = 101,
    TPAD_RULES_TYPE_U3 = 102,
    TPAD_RULES_TYPE_U6 = 103,
    TPAD_RULES_TYPE_NF4 = 104
};

/* What the names of open extents (dim_param) look like. Some runtimes read them as formulas. */
enum {
    TPAD_RULES_NAMES_SIMPLE, /* a word, or a formula of words, numbers, + - * /, min and max, in which
                                 no two operators of one kind follow each other: "2*h + 1" */
    TPAD_RULES_NAMES_CHAINED, /* a formula with "a + b + c", floor, or a dot in a word */
    TPAD_RULES_NAMES_OTHER    /* anything else, such as "Max(1, h)" and "h//2" */
};

/* Nodes that compute arguments which tensorpad can follow, but not every runtime. */
enum {
    TPAD_RULES_BY_OPEN_RESHAPE =
        1, /* a Reshape to a constant shape with -1, and an input of the model
                                       has an open extent */
    TPAD_RULES_BY_OPEN_SHAPE = 2, /* a Shape, and an input of the model has an open extent */
    TPAD_RULES_BY_REMAINDER = 4,  /* a Mod of an extent made negative */
    TPAD_RULES_BY_UNARY = 8,      /* a node of arithmetic with one input: Neg, Abs, Floor ... */
    TPAD_RULES_BY_IDENTITY = 16,
    TPAD_RULES_BY_EXTERNAL = 32, /* pads or axes are elements in another file, through Identities */
    TPAD_RULES_BY_INTEGER_UNARY = 64, /* Neg of int32; Abs, Relu or Sign of int32 or int64 */
    TPAD_RULES_BY_NUMBERS = 128, /* a Constant node with value_int, value_ints, value_float ... */
    TPAD_RULES_BY_EXTERNAL_VALUE = 256, /* the same as BY_EXTERNAL, of the pad value */
    TPAD_RULES_BY_SCATTER = 512,
    TPAD_RULES_BY_QUANTISE = 1024, /* a QuantizeLinear */
    /* Of open extents, a node whose result may be the same for all: a product with 0, a difference
       of two shapes, a comparison */
    TPAD_RULES_BY_CANCELLING = 4096,
    TPAD_RULES_BY_EXTERNAL_SHAPE = 2048 /* a node that another file gives its shape: the shape of a
                                           Reshape, the axes of a Squeeze ... */
};

/* How data comes about. */
enum {
    TPAD_RULES_FROM_QUANTISED =
        1, /* from a QuantizeLinear and a DequantizeLinear of 8 bits, or a FakeQuantize,
              and nodes through which OpenVINO moves their scale and zero point */
    TPAD_RULES_FROM_INTEGERS = 2,   /* the integers stay those that were quantised */
    TPAD_RULES_FROM_INT8 = 4,       /* they have a sign */
    TPAD_RULES_FROM_ZERO_POINT = 8, /* the zero point is not known to be 0 */
    TPAD_RULES_FROM_CAST = 16,      /* int64 that a Cast made, or that are computed from such */
    TPAD_RULES_FROM_OPEN_RANK =
        32, /* the rank is that of an input without one, or of a Reshape to a shape
                                       that is computed when the model runs */
    TPAD_RULES_FROM_COMPUTED_RANK = 64, /* the same; the shape is known before */
    TPAD_RULES_FROM_LOOP = 128,         /* a Loop gives them */
    /* of quantised integers: */
    TPAD_RULES_FROM_CHANNELS = 256, /* scale and zero point are several, along the channels */
    TPAD_RULES_FROM_SCALES = 512,   /* the scale is several, the zero point is one */
    TPAD_RULES_FROM_SHARED = 1024,  /* other nodes read the zero point, too */
    TPAD_RULES_FROM_UNSURE = 2048   /* sign, zero point and channels may be others in OpenVINO */
};

/* One axis of the images of a Conv or pool; what a file may say beyond int32 counts as the largest.
 */
typedef struct tpad_rules_window_axis {
    int32_t kernel; /* -1 unknown */
    int32_t stride, dilation;
    int32_t begin, end; /* its own pads */
} tpad_rules_window_axis;

/* What stands between a Pad and the Conv or pool, as bits. */
enum {
    TPAD_RULES_PASSES_CAST = 1,      /* a Cast to another type */
    TPAD_RULES_PASSES_TRANSPOSE = 2, /* Transposes that cancel with those before the Pad */
    TPAD_RULES_PASSES_SINGLE = 8,    /* a Concat, Max or Sum of one input */
    TPAD_RULES_PASSES_IF = 16,       /* an If that is decided when the model runs, before a
                                        Conv, pool or Cast; `op` is none of them */
    TPAD_RULES_PASSES_STILL = 32,    /* one Transpose, which moves nothing */
    TPAD_RULES_PASSES_AXES = 64,     /* an Unsqueeze and its Squeeze */
    TPAD_RULES_PASSES_SHAPE = 128,   /* a Shape of open extents reads something on the way, too */
    TPAD_RULES_PASSES_PAD = 4 /* Pads by zeros, whose amounts the pads of the reader include */
};

/* The Conv or pool that reads the output when the nodes are gone that change nothing: Identity,
 * Dropout, a Cast to the same type, x + 0, x * 1, Transposes that cancel, and what `passes` names.
 */
enum { TPAD_RULES_WINDOW_AXES = 3 };
/* "ceil" of an IR: a last window that begins in the pads at the end is not left out. */
enum { TPAD_RULES_CEIL_KEEPS = 2 };
typedef struct tpad_rules_reader {
    int32_t
        op; /* as `after`, TPAD_RULES_OTHER_OPERATOR also where pads are no numbers; -1 unknown */
    int32_t passes;      /* TPAD_RULES_PASSES_CAST | ... */
    int32_t is_same;     /* 1: auto_pad is SAME_UPPER or SAME_LOWER */
    int32_t is_valid;    /* 1: it is VALID, of an AveragePool or an integer Conv */
    int32_t has_pads;    /* 1: it has the attribute pads; 2: of which some are not 0 */
    int32_t counts_pads; /* 1: it has the attribute count_include_pad=1 */
    int32_t is_ceil;     /* 1: it has ceil_mode=1, an IR ceil_torch; or TPAD_RULES_CEIL_KEEPS */
    int32_t is_shifted;  /* 1: its integers have a zero point that is not known to be 0 */
    int32_t is_reshaped; /* 1: instead, a Reshape makes one axis of several */
    int32_t is_weighted; /* 1: instead, it is the weight of a Conv, of which these are the pads */
    int32_t axes;        /* of its images; 0: not known, or more than there are here */
    tpad_rules_window_axis axis[TPAD_RULES_WINDOW_AXES];
} tpad_rules_reader;

typedef struct tpad_rules_axis {
    int64_t extent;        /* when the node runs; -1 if unknown, and then taken as at least 1 */
    int64_t least;         /* what an extent that is unknown is at least; 0: nothing is known */
    int64_t begin;         /* the amounts; 0 where `axes` does not name this axis; like the extent,
                              of at most 2^61 in size */
    int64_t end;           /* */
    int32_t amounts_known; /* 0: begin and end mean nothing */
    /* Of amounts that are not known: */
    int32_t never_cut; /* 1: none is below zero */
    int32_t never_far; /* 1: both are below the extent whenever the node runs */
    int64_t most;      /* none is larger; 0: no such bound is known */
    int32_t open;      /* 1: the model leaves the extent open until it runs. A runtime does not
                          know it then, also if the caller does (--input-shape) */
} tpad_rules_axis;

/* All zero is no valid node; tpad_rules_facts_unknown() sets every fact to "unknown" or "absent".
 * Where the document forbids a node, the facts are those that its arguments still tell; amounts
 * that they do not tell (a wrong number of pads, an axis that data does not have) are 0 and known.
 */
typedef struct tpad_rules_facts {
    int32_t spec;  /* TPAD_RULES_ONNX: ...; TPAD_RULES_OPENVINO: a layer of an IR */
    int32_t opset; /* of the default domain; OpenVINO: the version of Pad, 1 or 12; 0 unknown */
    int32_t ir_version; /* of an ONNX file; 0 unknown or absent */
    int32_t ml_opset;   /* the newest that the file imports of ai.onnx.ml; 0 none */
    /* the same of the domains that ONNX Runtime brings along (com.microsoft ...) */
    int32_t own_opset;
    /* 1: some input of the file has no shape, or an open extent without a name that is a formula
       (below) */
    int32_t inputs_unnamed;
    int32_t extent_names; /* TPAD_RULES_NAMES_SIMPLE, ...: the hardest to read in the file */
    int32_t document;     /* TPAD_RULES_ANSWERS, ... */
    int32_t type;         /* of data */
    int32_t mode;
    int32_t rank; /* -1 unknown, and then taken as at least 1; at most TPAD_RULES_MAX_RANK */
    /* 1: the model does not say the rank, also if the caller does; -1: not known, a runtime that
       infers shapes may know the rank */
    int32_t rank_open;
    tpad_rules_axis axis[TPAD_RULES_MAX_RANK];

    int32_t pads_given;                /* TPAD_RULES_ABSENT, ... */
    int32_t axes_given;                /* */
    int32_t value_given;               /* an attribute that holds its default 0 counts as absent */
    int32_t pads_type;                 /* TPAD_RULES_TYPE_UNKNOWN if absent or an attribute */
    int32_t axes_type;                 /* the same */
    int32_t value_type;                /* the same */
    int32_t axes_count;                /* -1 unknown or absent */
    int32_t axes[TPAD_RULES_MAX_RANK]; /* as written, also negative; axes_count of them */
    int32_t value_rank;                /* -1 unknown or absent */
    int32_t value_count;               /* elements; -1 unknown or absent */
    /* TPAD_RULES_BY_...: what is among the nodes that compute pads, axes and value */
    int32_t made_by;
    int32_t value_nameless; /* 1: the node has an input value, whose name is empty */
    int32_t value_known;    /* 0: value_bits means nothing */
    int32_t value_bits;     /* TPAD_RULES_NOT_ZERO | ... */

    int32_t data_constant; /* 1: data is a constant of the model */
    int32_t data_known;    /* 0: data_bits means nothing, which is the usual case */
    int32_t data_bits;
    /* 1: reader is a MaxPool, and the operators that compute data show that none is below zero */
    int32_t data_not_negative;

    int32_t data_from; /* TPAD_RULES_FROM_QUANTISED | ... */

    int32_t before; /* the operator that computes data; -1 unknown */
    int32_t
        after; /* the only operator that uses the output; TPAD_RULES_NO_OPERATOR if the output is an
                   output of the graph; TPAD_RULES_OTHER_OPERATOR if several use it; -1 unknown */
    int32_t perm_count; /* before and after are Transposes: the number of axes; else 0 */
    int32_t perm[TPAD_RULES_MAX_RANK]; /* of the one before */
    tpad_rules_reader reader;
    /* 1: beside the Pad, data has one reader, an Identity that makes an output of the graph and
       comes after the Pad where ONNX Runtime walks the graph */
    int32_t data_returned;
    int32_t inside; /* TPAD_RULES_INSIDE_GRAPH, ... */
    /* Inside branches: of the Ifs around. */
    /* 1: the condition of one is a constant whose element is in int32_data, not in raw_data */
    int32_t condition_listed;
    int32_t branches_differ;   /* 1: the branches of one give different shapes; -1 unknown */
    int32_t end_without_shape; /* 1: an input or output of the graph or of a branch has no shape */
} tpad_rules_facts;

void tpad_rules_facts_unknown(tpad_rules_facts *facts);
/* The same node with another one after it, which is no Conv or pool. */
void tpad_rules_facts_apart(tpad_rules_facts *facts, int32_t after);
/* The same node in a model that says its rank and all extents that are known here. */
void tpad_rules_facts_close(tpad_rules_facts *facts);

/* A dialect's refusal of the node. The dialect checks in another order than the reasons above
 * stand. */
typedef struct tpad_rules_refusal {
    int32_t code;   /* TPAD_E_..., or TPAD_OK */
    int32_t axis;   /* of the error; below 0: none */
    uint32_t types; /* ONNX: bit t set: the version has type number t */
    int32_t form;   /* ONNX: the reason in attributes or in which inputs there are; or ANSWERS */
    int32_t input;  /* ONNX: the reason in types and shapes of the inputs; or ANSWERS */
} tpad_rules_refusal;

/* What the document says, TPAD_RULES_ANSWERS or the first reason that holds. facts: spec, type and
 * mode are set. */
int32_t tpad_rules_document(const tpad_rules_facts *facts, const tpad_rules_refusal *refusal);

/* What is true of one element of a type of at most 64 bits, TPAD_RULES_NOT_ZERO | ...; code: its
 * bits as an integer. Of a type that is neither an integer nor a float of IEEE 754 or bfloat16,
 * only TPAD_RULES_NOT_ZERO is told. */
int32_t tpad_rules_element(int32_t type, uint64_t code);

/* ---- Targets --------------------------------------------------------------------------------- */

typedef struct tpad_rules_target {
    const char *name;    /* "ort-1.31" */
    const char *runtime; /* "ONNX Runtime" */
    const char *version; /* "1.31.1", the release that was run; NULL if only documents were read */
    const char *family;  /* "ort": the targets of a family are versions of one runtime */
    int32_t number;      /* major * 10000 + minor; 0 without version */
} tpad_rules_target;

int32_t tpad_rules_target_count(void);
const tpad_rules_target *tpad_rules_target_at(int32_t index); /* NULL outside of 0 to count - 1 */

/* Which targets a name means. "ort-1.31" is a target; "ort" is the newest of its family; "ort-1.25"
 * lies between two; "ort-1.99" is newer than all, and is judged as the newest, the nearest one. low
 * and high are indices of targets, the same for one target. Returns 0 if the name is no target: an
 * unknown word, or a version of a runtime that has none. */
typedef struct tpad_rules_choice {
    int32_t low;
    int32_t high;
    int32_t is_nearest; /* 1: the version that was asked for lies outside of those that were run */
} tpad_rules_choice;
int32_t tpad_rules_find(tpad_rules_choice *choice, const char *name);

/* Writes the names of all targets, with a space between two. Ends and returns as tpad_rules_text.
 */
size_t tpad_rules_names(char *buffer, size_t bytes);

/* ---- Verdicts -------------------------------------------------------------------------------- */

enum { /* in the order of --fail-on */
       TPAD_RULES_SAME,
       TPAD_RULES_UNKNOWN,
       TPAD_RULES_ACCEPTS, /* answers what the document forbids */
       TPAD_RULES_DIFFERS,
       TPAD_RULES_REFUSES,
       TPAD_RULES_CRASHES,
       TPAD_RULES_KINDS
};
const char *tpad_rules_kind_name(int32_t kind); /* "same" ...; NULL for another number */

/* The fact that is missing where the kind is TPAD_RULES_UNKNOWN. */
enum {
    TPAD_RULES_MISSING_NOTHING,
    TPAD_RULES_MISSING_OPSET,
    TPAD_RULES_MISSING_TYPE,
    TPAD_RULES_MISSING_MODE,
    TPAD_RULES_MISSING_RANK,
    TPAD_RULES_MISSING_EXTENT, /* of the axis */
    TPAD_RULES_MISSING_PADS,
    TPAD_RULES_MISSING_AXES,
    TPAD_RULES_MISSING_VALUE,
    TPAD_RULES_MISSING_DATA, /* which elements data has */
    TPAD_RULES_MISSING_NEIGHBOURS,
    TPAD_RULES_MISSING_BRANCHES,    /* which shapes the branches of an If give */
    TPAD_RULES_MISSING_DOCUMENT,    /* whether the document allows the node */
    TPAD_RULES_MISSING_MEASUREMENT, /* nobody has run a node that the document forbids */
    TPAD_RULES_MISSING_VERSION,     /* the version lies between two with different verdicts */
    TPAD_RULES_MISSING_END
};
/* "extent" ...; NULL for TPAD_RULES_MISSING_NOTHING and for another number. */
const char *tpad_rules_missing_name(int32_t missing);

typedef struct tpad_rules_verdict {
    int32_t kind;     /* TPAD_RULES_SAME, ... */
    int32_t code;     /* of the rule that decides: 104 is TP104. 0 if the kind is SAME. If it is
                         UNKNOWN: of the first rule that the missing fact leaves open */
    int32_t axis;     /* -1 if the rule is not about an axis */
    int32_t missing;  /* TPAD_RULES_MISSING_..., for UNKNOWN */
    int32_t measured; /* 1: seen by running the runtime; 0: only documented */
    tpad_rules_choice choice;
    int64_t numbers[TPAD_RULES_NUMBERS]; /* for the sentence */
} tpad_rules_verdict;

/* Judges one node. The rules of a runtime are in the order of its own checks, and the first one
 * that holds decides. A rule that a missing fact leaves open makes the verdict UNKNOWN, unless what
 * comes out is the same whether it holds or not. choice: from tpad_rules_find, or any pair of
 * targets of one family. What is right from some extent on (tpad_rules_same_from) is SAME where
 * extents are at least that. */
void tpad_rules_judge(tpad_rules_verdict *verdict, const tpad_rules_facts *facts,
                      tpad_rules_choice choice);

/* Where extents that are not known decide, and nothing is cut off: the least extent of each axis
 * from which on the verdict is SAME, 1 where every extent will do. Returns 0 if there is no such
 * bound, or if something else is not known.
 * least: 1 or more; of axes whose extent is known it says nothing. */
int32_t tpad_rules_same_from(int64_t least[TPAD_RULES_MAX_RANK], const tpad_rules_facts *facts,
                             tpad_rules_choice choice);

/* Writes the sentence of a verdict, such as "axis 2: reflect by 5, where 3 cells are left: ONNX
 * Runtime 1.31 refuses more than 2". For UNKNOWN it says which fact is missing and what it decides.
 * Always ends the text with NUL if bytes > 0. Returns the length of the whole sentence without NUL,
 * as snprintf does. */
size_t tpad_rules_text(char *buffer, size_t bytes, const tpad_rules_verdict *verdict,
                       const tpad_rules_facts *facts);

/* ---- Operators that stand in for a Pad ------------------------------------------------------- */

/* The operators of which a rewritten Pad may consist. A Slice with steps of -1 counts as an
 * operator of its own, and so do a Cast to another type and the Cast back as one, because runtimes
 * differ on them. */
enum {
    TPAD_RULES_USE_IDENTITY,
    TPAD_RULES_USE_CONSTANT, /* of any shape */
    TPAD_RULES_USE_RESHAPE,
    TPAD_RULES_USE_EXPAND,
    TPAD_RULES_USE_SLICE,      /* with steps of 1 */
    TPAD_RULES_USE_SLICE_BACK, /* with steps of -1 */
    TPAD_RULES_USE_CONCAT,
    TPAD_RULES_USE_GATHER, /* with constant indices of rank 1 */
    TPAD_RULES_USE_WHERE,  /* with a constant condition */
    TPAD_RULES_USE_CAST_AND_BACK,
    TPAD_RULES_USES
};
const char *tpad_rules_use_name(int32_t op); /* "Slice" ...; NULL for another number */

/* One operator as a rewrite would use it. */
typedef struct tpad_rules_use {
    int32_t spec;      /* TPAD_RULES_ONNX, ... */
    int32_t opset;     /* of the default domain; OpenVINO: the version of Pad */
    int32_t op;        /* TPAD_RULES_USE_IDENTITY, ... */
    int32_t type;      /* of the elements that it moves; CAST_AND_BACK: before and after */
    int32_t carrier;   /* CAST_AND_BACK: the type between; else TPAD_RULES_TYPE_UNKNOWN */
    int32_t rank;      /* the largest of its operands and its result; -1 unknown */
    int32_t is_empty;  /* 1: an operand or the result has no elements */
    int32_t is_open;   /* 1: the model leaves the extents of an operand open until it runs */
    int32_t cuts_open; /* 1: a Slice is along such an axis */
    int32_t bits;      /* TPAD_RULES_NOT_ZERO | ...: what is known to be among the elements */
} tpad_rules_use;

/* 1 if every target of the choice was seen to run the operator right for such operands; 0 if one
 * was seen to fail, or if nobody has run it there. */
int32_t tpad_rules_may_use(const tpad_rules_use *use, tpad_rules_choice choice);

/* ---- Operators that add cells by themselves -------------------------------------------------- */

/* Operators over windows, whose attribute pads may stand in for a Pad before them. */
enum {
    TPAD_RULES_WINDOW_CONV,
    TPAD_RULES_WINDOW_QLINEAR_CONV,
    TPAD_RULES_WINDOW_CONV_INTEGER,
    TPAD_RULES_WINDOW_MAX_POOL,
    TPAD_RULES_WINDOW_AVERAGE_POOL /* with count_include_pad */
};
typedef struct tpad_rules_window {
    int32_t op;   /* TPAD_RULES_WINDOW_CONV, ... */
    int32_t type; /* of the data */
    int32_t axes; /* of its images */
} tpad_rules_window;

/* 1 if every target of the choice was seen to run the operator with pads right, which in a pool are
 * shorter than the kernel; 0 if one was seen to fail, or if nobody has run it there. */
int32_t tpad_rules_takes_pads(const tpad_rules_window *window, tpad_rules_choice choice);

/* ---- Findings -------------------------------------------------------------------------------- */

enum { TPAD_RULES_CODE_BYTES = 14, TPAD_RULES_TEXT_BYTES = 512 };

/* A verdict and its words. */
typedef struct tpad_rules_finding {
    tpad_rules_verdict verdict;
    char code[TPAD_RULES_CODE_BYTES]; /* "TP104"; empty if no rule decides */
    char text[TPAD_RULES_TEXT_BYTES]; /* the sentence; empty if the kind is SAME */
    /* Of UNKNOWN: as tpad_rules_same_from says; has_bounds 0: it says nothing. */
    int32_t has_bounds;
    int64_t least[TPAD_RULES_MAX_RANK];
} tpad_rules_finding;

/* Judges one node and says it in words. */
void tpad_rules_find_out(tpad_rules_finding *finding, const tpad_rules_facts *facts,
                         tpad_rules_choice choice);

/* "TP104" for 104, and an empty text for 0. */
void tpad_rules_code_text(char text[TPAD_RULES_CODE_BYTES], int32_t code);
/* 104 for "TP104", "tp104" and "104"; 0 for any other text. */
int32_t tpad_rules_code_from_text(const char *text);

/* ---- Rules at length ------------------------------------------------------------------------- */

/* A rule at length, for `explain`. All texts are constants. */
typedef struct tpad_rules_page {
    int32_t code;
    int32_t kind;
    const char *title;    /* one line, without numbers */
    const char *text;     /* what happens and why, one paragraph */
    const char *example;  /* the smallest example, one line */
    const char *ways_out; /* what to do, one paragraph */
    const char *source;   /* NULL if measured; else the document that says it */
    uint32_t targets;     /* bit i: the rule holds for tpad_rules_target_at(i) */
} tpad_rules_page;

/* The rules in the order of their codes. Both functions return 1, or 0 if there is no such rule. */
int32_t tpad_rules_page_at(tpad_rules_page *page, int32_t index); /* 0, 1, 2 ... */
int32_t tpad_rules_page_of(tpad_rules_page *page, int32_t code);

#ifdef __cplusplus
}
#endif

#endif
