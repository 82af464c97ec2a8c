/* What each runtime does with a Pad.  SPDX-License-Identifier: MIT
 *
 * The only header of this folder for others. A reader of models fills in tpad_rules_facts, the
 * facts of one Pad node as plain numbers. tpad_rules_judge() compares them with the rules of a
 * runtime and returns a verdict: a kind, the code of a rule, an axis and numbers. tpad_rules_text()
 * writes it as one sentence. Nothing here allocates memory, reads files, or needs a C library. */
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
    /* with the numbers of the library: */
    TPAD_RULES_CONSTANT = TPAD_CONSTANT,
    TPAD_RULES_EDGE = TPAD_EDGE,
    TPAD_RULES_REFLECT = TPAD_REFLECT,
    TPAD_RULES_SYMMETRIC = TPAD_SYMMETRIC,
    TPAD_RULES_WRAP = TPAD_WRAP,
    TPAD_RULES_NO_MODE = TPAD_MODE_COUNT /* the node names a mode that does not exist */
};

/* How an argument reaches the node. */
enum {
    TPAD_RULES_ABSENT,
    TPAD_RULES_ATTRIBUTE,
    TPAD_RULES_INITIALIZER,      /* also a Const layer of an IR */
    TPAD_RULES_OVERRIDABLE,      /* an initializer that is also an input of the graph */
    TPAD_RULES_CONSTANT_NODE,    /* with the attribute value */
    TPAD_RULES_CONSTANT_NUMBERS, /* a Constant node with value_int, value_ints, value_float ... */
    TPAD_RULES_FOLDED,           /* other nodes compute it, from constants alone */
    TPAD_RULES_FROM_SHAPES, /* other nodes compute it, from shapes that the model leaves open */
    TPAD_RULES_GRAPH_INPUT,
    TPAD_RULES_COMPUTED,      /* other nodes compute it from inputs of the graph */
    TPAD_RULES_FROM_CONSTANTS /* other nodes compute it from constants alone; known only to runtimes
                                 that fold constants */
};

/* What the document says about the node. */
enum {
    TPAD_RULES_DOCUMENT_UNKNOWN = -1, /* it depends on a missing fact */
    TPAD_RULES_ANSWERS,
    /* It forbids the node, for the first of these reasons that holds: */
    TPAD_RULES_FORBIDS_OPSET,           /* no version of Pad belongs to the opset */
    TPAD_RULES_FORBIDS_AXES_ATTRIBUTE,  /* axes are an input */
    TPAD_RULES_FORBIDS_ATTRIBUTE_NAME,  /* an attribute that this version does not have */
    TPAD_RULES_FORBIDS_ATTRIBUTE_TYPE,  /* such as a mode that is an integer */
    TPAD_RULES_FORBIDS_VALUE_ATTRIBUTE, /* where this version has an input */
    TPAD_RULES_FORBIDS_PADS_ATTRIBUTE,  /* where this version has an input */
    TPAD_RULES_FORBIDS_INPUT_COUNT,     /* inputs that this version does not have */
    TPAD_RULES_FORBIDS_DATA_MISSING,
    TPAD_RULES_FORBIDS_PADS_MISSING,
    TPAD_RULES_FORBIDS_TYPE,      /* a type that this version does not have */
    TPAD_RULES_FORBIDS_MODE,      /* a mode that only another version has */
    TPAD_RULES_FORBIDS_MODE_WORD, /* a mode that no version has */
    TPAD_RULES_FORBIDS_VALUE_TYPE,
    TPAD_RULES_FORBIDS_VALUE_COUNT, /* not exactly one element */
    TPAD_RULES_FORBIDS_VALUE_RANK,  /* one element, but rank 2 or more */
    TPAD_RULES_FORBIDS_PADS_TYPE,
    TPAD_RULES_FORBIDS_PADS_ROW,   /* pads of shape [1, n] */
    TPAD_RULES_FORBIDS_PADS_SHAPE, /* pads whose rank is not 1, except such a row */
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

/* Properties of at least one element, as bits; for data and for the pad value. */
enum {
    TPAD_RULES_NOT_ZERO = 1,
    TPAD_RULES_NEGATIVE = 2,
    TPAD_RULES_MINUS_ZERO = 4,
    TPAD_RULES_BEYOND_FLOAT32 = 8, /* a number that a float cannot hold exactly */
    TPAD_RULES_BEYOND_INT32 = 16,  /* an integer outside int32 */
    TPAD_RULES_NAN_PAYLOAD = 32,   /* a NaN other than the quiet one without payload */
    TPAD_RULES_NAN = 64,           /* any NaN */
    TPAD_RULES_INFINITE = 128,
    TPAD_RULES_BEYOND_UINT8 = 256, /* an integer above 255 */
    TPAD_RULES_FRACTION = 512,     /* a float with a fraction */
    TPAD_RULES_SUBNORMAL = 1024,
    TPAD_RULES_OUTSIDE_INT8 = 2048, /* a float below -128 or above 127 */
    TPAD_RULES_OUTSIDE_BYTE = 4096  /* a float below 0 or above 255 */
};

/* Operators next to a Pad that matter to some rule. */
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

/* Where the Pad is. */
enum {
    TPAD_RULES_INSIDE_GRAPH,
    TPAD_RULES_INSIDE_BODY,     /* of a Loop or several Scans, whatever is around or in it */
    TPAD_RULES_INSIDE_FUNCTION, /* whatever is around or in it */
    TPAD_RULES_INSIDE_BRANCH,   /* of an If, or of several */
    TPAD_RULES_INSIDE_SCAN      /* of one Scan, and of Ifs */
};

/* Types have ONNX's numbers (TensorProto.DataType); these are OpenVINO's types that ONNX lacks. */
enum {
    TPAD_RULES_TYPE_UNKNOWN = 0,
    TPAD_RULES_TYPE_U1 = 101,
    TPAD_RULES_TYPE_U3 = 102,
    TPAD_RULES_TYPE_U6 = 103,
    TPAD_RULES_TYPE_NF4 = 104
};

/* Forms of the names of open extents (dim_param). Some runtimes read them as formulas. */
enum {
    TPAD_RULES_NAMES_SIMPLE, /* a name, or a formula of names, numbers, + - * /, min and max without
                                two operators of one kind in a row: "2*h + 1" */
    TPAD_RULES_NAMES_CHAINED, /* a formula with "a + b + c", floor, or a dot in a name */
    TPAD_RULES_NAMES_OTHER    /* anything else, such as "Max(1, h)" and "h//2" */
};

/* Nodes that compute arguments, and that tensorpad can follow but some runtimes cannot. */
enum {
    /* a Reshape to a constant shape with -1, and an input of the model has an open extent */
    TPAD_RULES_BY_OPEN_RESHAPE = 1,
    TPAD_RULES_BY_OPEN_SHAPE = 2, /* a Shape, and an input of the model has an open extent */
    TPAD_RULES_BY_REMAINDER = 4,  /* a Mod of an extent made negative */
    TPAD_RULES_BY_UNARY = 8,      /* arithmetic with one input: Neg, Abs, Floor ... */
    TPAD_RULES_BY_IDENTITY = 16,
    TPAD_RULES_BY_EXTERNAL = 32, /* pads or axes are in another file, possibly behind Identities */
    TPAD_RULES_BY_INTEGER_UNARY = 64, /* Neg of int32; Abs, Relu or Sign of int32 or int64 */
    TPAD_RULES_BY_NUMBERS = 128, /* a Constant node with value_int, value_ints, value_float ... */
    TPAD_RULES_BY_EXTERNAL_VALUE = 256, /* as BY_EXTERNAL, for the pad value */
    TPAD_RULES_BY_SCATTER = 512,
    TPAD_RULES_BY_QUANTISE = 1024, /* a QuantizeLinear */
    /* a node on open extents whose result may not depend on them: a product with 0, a difference of
       two shapes, a comparison */
    TPAD_RULES_BY_CANCELLING = 4096,
    TPAD_RULES_BY_EXTERNAL_SHAPE = 2048 /* a node with its shape argument in another file: the shape
                                           of a Reshape, the axes of a Squeeze ... */
};

/* How data was computed. */
enum {
    /* by a QuantizeLinear and a DequantizeLinear of 8 bits, or a FakeQuantize, possibly followed by
       nodes that OpenVINO moves the scale and zero point past */
    TPAD_RULES_FROM_QUANTISED = 1,
    TPAD_RULES_FROM_INTEGERS = 2,   /* the integers are still those that were quantised */
    TPAD_RULES_FROM_INT8 = 4,       /* they have a sign */
    TPAD_RULES_FROM_ZERO_POINT = 8, /* the zero point is not known to be 0 */
    TPAD_RULES_FROM_CAST = 16,      /* int64 that a Cast made, or computed from such */
    /* the rank is that of an input without one, or of a Reshape to a shape that is computed when
       the model runs */
    TPAD_RULES_FROM_OPEN_RANK = 32,
    TPAD_RULES_FROM_COMPUTED_RANK = 64, /* the same; the shape is known earlier */
    TPAD_RULES_FROM_LOOP = 128,         /* the output of a Loop */
    /* quantised integers: */
    TPAD_RULES_FROM_CHANNELS = 256, /* scale and zero point differ by channel */
    TPAD_RULES_FROM_SCALES = 512,   /* the scale differs by channel, the zero point does not */
    TPAD_RULES_FROM_SHARED = 1024,  /* other nodes read the zero point, too */
    TPAD_RULES_FROM_UNSURE = 2048   /* sign, zero point and channels may differ in OpenVINO */
};

/* One axis of the images of a Conv or pool; larger numbers in a file count as the largest int32. */
typedef struct tpad_rules_window_axis {
    int32_t kernel; /* -1 unknown */
    int32_t stride, dilation;
    int32_t begin, end; /* its own pads */
} tpad_rules_window_axis;

/* Nodes between a Pad and the Conv or pool, as bits. */
enum {
    TPAD_RULES_PASSES_CAST = 1,      /* a Cast to another type */
    TPAD_RULES_PASSES_TRANSPOSE = 2, /* Transposes that cancel with those before the Pad */
    TPAD_RULES_PASSES_SINGLE = 8,    /* a Concat, Max or Sum of one input */
    TPAD_RULES_PASSES_IF = 16,       /* an If that is decided when the model runs, before a
                                        Conv, pool or Cast; `op` is none of them */
    TPAD_RULES_PASSES_STILL = 32,    /* one Transpose that moves nothing */
    TPAD_RULES_PASSES_AXES = 64,     /* an Unsqueeze and its Squeeze */
    TPAD_RULES_PASSES_SHAPE = 128,   /* a Shape of open extents also reads one of these values */
    TPAD_RULES_PASSES_PAD = 4        /* Pads by zeros; the pads of the reader include them */
};

/* The Conv or pool that reads the output once nodes that change nothing are removed: Identity,
 * Dropout, a Cast to the same type, x + 0, x * 1, Transposes that cancel, and those in `passes`. */
enum { TPAD_RULES_WINDOW_AXES = 3 };
/* "ceil" of an IR: a last window that begins in the pads at the end is not left out. */
enum { TPAD_RULES_CEIL_KEEPS = 2 };
typedef struct tpad_rules_reader {
    /* as `after`; TPAD_RULES_OTHER_OPERATOR also if its pads are not numbers; -1 unknown */
    int32_t op;
    int32_t passes;      /* TPAD_RULES_PASSES_CAST | ... */
    int32_t is_same;     /* 1: auto_pad is SAME_UPPER or SAME_LOWER */
    int32_t is_valid;    /* 1: it is VALID, of an AveragePool or an integer Conv */
    int32_t has_pads;    /* 1: it has the attribute pads; 2: and some are not 0 */
    int32_t counts_pads; /* 1: it has the attribute count_include_pad=1 */
    int32_t is_ceil;     /* 1: ceil_mode=1, in an IR ceil_torch; or TPAD_RULES_CEIL_KEEPS */
    int32_t is_shifted;  /* 1: its integers have a zero point that is not known to be 0 */
    int32_t is_reshaped; /* 1: instead, a Reshape joins several axes into one */
    int32_t is_weighted; /* 1: instead, it is the weight of a Conv, and these are the Conv's pads */
    int32_t axes;        /* of its images; 0: unknown, or more than `axis` holds */
    tpad_rules_window_axis axis[TPAD_RULES_WINDOW_AXES];
} tpad_rules_reader;

typedef struct tpad_rules_axis {
    int64_t extent;        /* when the node runs; -1 if unknown, and then assumed at least 1 */
    int64_t least;         /* a lower bound of an unknown extent; 0: none */
    int64_t begin, end;    /* the amounts; 0 if `axes` does not name this axis; like the extent, at
                              most 2^61 in magnitude */
    int32_t amounts_known; /* 0: begin and end mean nothing */
    /* Unknown amounts: */
    int32_t never_cut; /* 1: none is below zero */
    int32_t never_far; /* 1: both are below the extent whenever the node runs */
    int64_t most;      /* none is larger; 0: no such bound is known */
    int32_t open;      /* 1: the model leaves the extent open until it runs. A runtime does not know
                          it at load time, even if the caller does (--input-shape) */
} tpad_rules_axis;

/* All zero is not a valid node; tpad_rules_facts_unknown() sets every fact to "unknown" or
 * "absent". For a node that the document forbids, the facts hold what its arguments still tell;
 * amounts they do not tell (a wrong number of pads, an axis that data lacks) are 0 and known. */
typedef struct tpad_rules_facts {
    int32_t spec;  /* TPAD_RULES_ONNX: ...; TPAD_RULES_OPENVINO: a layer of an IR */
    int32_t opset; /* of the default domain; OpenVINO: the version of Pad, 1 or 12; 0 unknown */
    int32_t ir_version; /* of an ONNX file; 0 unknown or absent */
    int32_t ml_opset;   /* the newest of ai.onnx.ml that the file imports; 0 none */
    int32_t own_opset;  /* the same for ONNX Runtime's own domains (com.microsoft ...) */
    /* 1: some input of the file has no shape, or an open extent whose name is not a formula */
    int32_t inputs_unnamed;
    int32_t extent_names; /* TPAD_RULES_NAMES_SIMPLE, ...: the hardest to read in the file */
    int32_t document;     /* TPAD_RULES_ANSWERS, ... */
    int32_t type;         /* of data */
    int32_t mode;
    int32_t rank; /* -1 unknown, and then assumed at least 1; at most TPAD_RULES_MAX_RANK */
    /* 1: the model does not give the rank, even if the caller does; -1: unknown; a runtime that
       infers shapes may know the rank */
    int32_t rank_open;
    tpad_rules_axis axis[TPAD_RULES_MAX_RANK];

    int32_t pads_given, axes_given; /* TPAD_RULES_ABSENT, ... */
    int32_t value_given;            /* an attribute with its default 0 counts as absent */
    /* TPAD_RULES_TYPE_UNKNOWN if absent or an attribute */
    int32_t pads_type, axes_type, value_type;
    int32_t axes_count;                /* -1 unknown or absent */
    int32_t axes[TPAD_RULES_MAX_RANK]; /* axes_count of them, as written, possibly negative */
    int32_t value_rank;                /* -1 unknown or absent */
    int32_t value_count;               /* elements; -1 unknown or absent */
    int32_t made_by;        /* TPAD_RULES_BY_...: nodes that compute pads, axes and value */
    int32_t value_nameless; /* 1: the input value is present, but its name is empty */
    int32_t value_known;    /* 0: value_bits means nothing */
    int32_t value_bits;     /* TPAD_RULES_NOT_ZERO | ... */

    int32_t data_constant; /* 1: data is a constant of the model */
    int32_t data_known;    /* 0, the usual case: data_bits means nothing */
    int32_t data_bits;
    /* 1: reader is a MaxPool, and the operators that compute data leave no number below zero */
    int32_t data_not_negative;

    int32_t data_from; /* TPAD_RULES_FROM_QUANTISED | ... */

    int32_t before; /* the operator that computes data; -1 unknown */
    /* the only operator that uses the output; TPAD_RULES_NO_OPERATOR if the output is an output of
       the graph; TPAD_RULES_OTHER_OPERATOR if several use it; -1 unknown */
    int32_t after;
    int32_t perm_count; /* before and after are Transposes: the number of axes; else 0 */
    int32_t perm[TPAD_RULES_MAX_RANK]; /* of the one before */
    tpad_rules_reader reader;
    /* 1: besides the Pad, data has one reader: an Identity that makes an output of the graph, and
       that ONNX Runtime visits after the Pad */
    int32_t data_returned;
    int32_t inside; /* TPAD_RULES_INSIDE_GRAPH, ... */
    /* Inside branches; 1: the condition of an If around the Pad is a constant with its element in
       int32_data, not in raw_data */
    int32_t condition_listed;
    int32_t branches_differ;   /* 1: the branches of such an If give different shapes; -1 unknown */
    int32_t end_without_shape; /* 1: an input or output of the graph or of a branch has no shape */
} tpad_rules_facts;

void tpad_rules_facts_unknown(tpad_rules_facts *facts);
/* The same node, followed by another operator that is not a Conv or pool. */
void tpad_rules_facts_apart(tpad_rules_facts *facts, int32_t after);
/* The same node in a model that gives its rank and all extents that are known here. */
void tpad_rules_facts_close(tpad_rules_facts *facts);

/* A dialect's refusal of the node. Its checks are in another order than the reasons above. */
typedef struct tpad_rules_refusal {
    int32_t code;   /* TPAD_E_..., or TPAD_OK */
    int32_t axis;   /* of the error; negative: none */
    uint32_t types; /* ONNX: bit t set: the version has type number t */
    int32_t form;   /* ONNX: a reason in the attributes or the set of inputs; or ANSWERS */
    int32_t input;  /* ONNX: a reason in types and shapes of the inputs; or ANSWERS */
} tpad_rules_refusal;

/* The document's decision: TPAD_RULES_ANSWERS or the first reason that holds. facts: spec, type
 * and mode are set. */
int32_t tpad_rules_document(const tpad_rules_facts *facts, const tpad_rules_refusal *refusal);

/* The properties of one element of a type of at most 64 bits, TPAD_RULES_NOT_ZERO | ...; code: its
 * bits as an integer. Types other than integers, IEEE 754 floats and bfloat16 get at most
 * TPAD_RULES_NOT_ZERO. */
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
const tpad_rules_target *tpad_rules_target_at(int32_t index); /* NULL outside 0 to count - 1 */

/* The targets that a name means. "ort-1.31" is a target; "ort" is the newest of its family;
 * "ort-1.25" is between two; "ort-1.99" is newer than all, and is judged as the newest, its nearest
 * one. low and high are indices of targets, equal for one target. Returns 0 if the name is not a
 * target: an unknown name, or a version of a runtime that has no versions. */
typedef struct tpad_rules_choice {
    int32_t low;
    int32_t high;
    int32_t is_nearest; /* 1: the requested version is outside the range of those that were run */
} tpad_rules_choice;
int32_t tpad_rules_find(tpad_rules_choice *choice, const char *name);

/* Writes the names of all targets, separated by spaces. Ends the text and returns as
 * tpad_rules_text does. */
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

/* The missing fact if the kind is TPAD_RULES_UNKNOWN. */
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
    int32_t code;     /* of the rule that decides: 104 is TP104. SAME: 0. UNKNOWN: of the first rule
                         that depends on the missing fact */
    int32_t axis;     /* -1 if the rule is not about an axis */
    int32_t missing;  /* TPAD_RULES_MISSING_..., for UNKNOWN */
    int32_t measured; /* 1: observed by running the runtime; 0: only documented */
    tpad_rules_choice choice;
    int64_t numbers[TPAD_RULES_NUMBERS]; /* for the sentence */
} tpad_rules_verdict;

/* Judges one node. The rules of a runtime are in the order of its own checks, and the first one
 * that holds decides. A rule that depends on a missing fact makes the verdict UNKNOWN, unless the
 * verdict is the same whether it holds or not. choice: from tpad_rules_find, or any pair of targets
 * of one family. The verdict is SAME if all unknown extents are known to be at least the bounds of
 * tpad_rules_same_from. */
void tpad_rules_judge(tpad_rules_verdict *verdict, const tpad_rules_facts *facts,
                      tpad_rules_choice choice);

/* If the verdict depends on unknown extents, and nothing is cut off: the least extent of each axis
 * from which the verdict is SAME, 1 if every extent will do. Returns 0 if there is no such bound,
 * or if something else is unknown.
 * least: 1 or more; without meaning for axes of known extent. */
int32_t tpad_rules_same_from(int64_t least[TPAD_RULES_MAX_RANK], const tpad_rules_facts *facts,
                             tpad_rules_choice choice);

/* Writes the sentence of a verdict, such as "axis 2: reflect by 5, where 3 cells are left: ONNX
 * Runtime 1.31 refuses more than 2". For UNKNOWN it says which fact is missing and what it decides.
 * The text always ends with NUL if bytes > 0. Returns the length of the whole sentence without NUL,
 * as snprintf does. */
size_t tpad_rules_text(char *buffer, size_t bytes, const tpad_rules_verdict *verdict,
                       const tpad_rules_facts *facts);

/* ---- Operators that replace a Pad ------------------------------------------------------------ */

/* The operators that may replace a Pad. A Slice with steps of -1 counts as an operator of its own,
 * and so do a Cast to another type and the Cast back as a pair, because runtimes differ on them. */
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
    int32_t type;      /* of the elements it moves; CAST_AND_BACK: before and after */
    int32_t carrier;   /* CAST_AND_BACK: the type between; otherwise TPAD_RULES_TYPE_UNKNOWN */
    int32_t rank;      /* the largest of its operands and its result; -1 unknown */
    int32_t is_empty;  /* 1: an operand or the result has no elements */
    int32_t is_open;   /* 1: the model leaves the extents of an operand open until it runs */
    int32_t cuts_open; /* 1: a Slice is along such an axis */
    int32_t bits;      /* TPAD_RULES_NOT_ZERO | ...: known properties of the elements */
} tpad_rules_use;

/* 1 if every target of the choice was observed to run the operator correctly on such operands; 0 if
 * one failed, or if nobody has run it there. */
int32_t tpad_rules_may_use(const tpad_rules_use *use, tpad_rules_choice choice);

/* ---- Operators that add cells by themselves -------------------------------------------------- */

/* Operators over windows. Their attribute pads may replace a Pad before them. */
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

/* 1 if every target of the choice was observed to run the operator correctly with pads (in a pool,
 * pads shorter than the kernel); 0 if one failed, or if nobody has run it there. */
int32_t tpad_rules_takes_pads(const tpad_rules_window *window, tpad_rules_choice choice);

/* ---- Findings -------------------------------------------------------------------------------- */

enum { TPAD_RULES_CODE_BYTES = 14, TPAD_RULES_TEXT_BYTES = 512 };

/* A verdict and its texts. */
typedef struct tpad_rules_finding {
    tpad_rules_verdict verdict;
    char code[TPAD_RULES_CODE_BYTES]; /* "TP104"; empty if no rule decides */
    char text[TPAD_RULES_TEXT_BYTES]; /* the sentence; empty if the kind is SAME */
    /* For UNKNOWN: result of tpad_rules_same_from; has_bounds 0: `least` means nothing. */
    int32_t has_bounds;
    int64_t least[TPAD_RULES_MAX_RANK];
} tpad_rules_finding;

/* Judges one node and writes its texts. */
void tpad_rules_find_out(tpad_rules_finding *finding, const tpad_rules_facts *facts,
                         tpad_rules_choice choice);

/* "TP104" for 104, an empty text for 0. */
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
    uint32_t targets;     /* bit i: the rule applies to tpad_rules_target_at(i) */
} tpad_rules_page;

/* The rules in the order of their codes. Both return 1, or 0 if there is no such rule. */
int32_t tpad_rules_page_at(tpad_rules_page *page, int32_t index); /* 0, 1, 2 ... */
int32_t tpad_rules_page_of(tpad_rules_page *page, int32_t code);

#ifdef __cplusplus
}
#endif

#endif
