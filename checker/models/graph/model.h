/* A model in memory: graphs, nodes, values, Pad nodes.  SPDX-License-Identifier: MIT
 *
 * Every model format is read into these structs, and provides the functions of tpad_format. Private
 * to models/: the readers of the formats (models/onnx ...) fill it, and the files of this folder
 * inspect its Pad nodes and run them. */
#ifndef TENSORPAD_MODELS_GRAPH_MODEL_H
#define TENSORPAD_MODELS_GRAPH_MODEL_H

#include "formats/file.h"
#include "models/models.h"

/* The inputs of Pad, in their order. The format defines the inputs after the data. */
enum { IN_DATA, IN_COUNT = 4 };

/* Kinds of nodes for running a whole model. */
enum {
    NODE_OTHER, /* cannot be run */
    NODE_PAD,
    NODE_SILENT /* nothing to run: a constant, or another name for a value */
};

typedef struct tpad_node {
    tpad_string name, op_type, domain;
    tpad_string overload; /* of the function that it calls */
    tpad_string output;   /* the name of its first output; empty if it has none */
    int32_t kind;
    struct tpad_graph *subgraphs; /* a list, in file order */
    const void *payload;          /* of the format: the node as the file has it */
} tpad_node;

/* An unknown extent is -1 - n: n has the extent's lower bound in its low bits, and above them the
 * number of its size (models/folding/fold.h), or 0. */
#define TPAD_LEAST_BITS 47
static inline int64_t tpad_extent_sized(int64_t least, int32_t size)
{
    const int64_t top = (INT64_C(1) << TPAD_LEAST_BITS) - 1;
    return -1 - (least < 0 ? 0 : least < top ? least : top) - ((int64_t)size << TPAD_LEAST_BITS);
}

static inline int64_t tpad_extent_from(int64_t least)
{
    return tpad_extent_sized(least, 0);
}

/* The lower bound of an extent. */
static inline int64_t tpad_extent_least(int64_t extent)
{
    return extent < 0 ? (-1 - extent) & ((INT64_C(1) << TPAD_LEAST_BITS) - 1) : extent;
}

static inline int32_t tpad_extent_size(int64_t extent)
{
    return extent < 0 ? (int32_t)((-1 - extent) >> TPAD_LEAST_BITS) : 0;
}

/* A name in a graph, and what the file says about it. */
typedef struct tpad_value {
    tpad_string name;
    int32_t type;                   /* TPAD_ONNX_..., 0 if unknown */
    int32_t rank;                   /* -1 if unknown */
    const int64_t *shape;           /* unknown extents as tpad_extent_from makes them */
    int64_t producer;               /* index of the node, or -1 */
    const void *payload;            /* of the format: where the elements are, or what the type is */
    const tpad_string *axis_names;  /* of an input whose shape the file gives: the names of extents,
                                       empty if there is none; or NULL */
    const tpad_tensor *small;       /* the elements of a constant, NULL before the first request; of
                                       another value, the computed ones if all are known */
    const tpad_element *elements;   /* known facts about them, set by models/folding; or NULL */
    int64_t element_count;          /* 0 without elements */
    struct tpad_graph_pad *pad;     /* the Pad that makes it (pad_neighbours.c), or NULL */
    const struct tpad_node *reader; /* the last node that reads it, and its graph */
    const struct tpad_graph *reader_graph;
    const struct tpad_value *returned;  /* the output of an Identity of it that only a graph returns
                                           or other such Identities read; or NULL */
    int64_t shapes;                     /* how many of its readers are Shapes */
    const struct tpad_graph_pad *needs; /* pad_reader.c's mark: the Pad whose result it needs */
    int64_t readers;        /* how often nodes and ends of graphs read it (pad_neighbours.c) */
    int64_t order;          /* its position in reading order */
    uint32_t nameless;      /* bit i: the file gives axis i neither an extent nor a name that is a
                               word or a formula */
    uint8_t is_input;       /* of its graph or function */
    uint8_t is_initializer; /* even if it cannot be read */
    uint8_t is_constant;    /* its elements are in the file */
    uint8_t is_declared;    /* the file also declares its shape */
    uint8_t is_external;    /* its elements are in another file */
    uint8_t is_listed;      /* its elements are numbers to be decoded, not bytes as in memory */
} tpad_value;

/* An input or output of a graph. */
typedef struct tpad_end {
    tpad_string name;
    tpad_value *value;
} tpad_end;

/* A node that calls a function, and its graph; NULL: none. */
typedef struct tpad_call {
    const struct tpad_graph *graph;
    const tpad_node *node;
} tpad_call;

typedef struct tpad_graph {
    struct tpad_graph *parent; /* NULL: the top graph or a function */
    const tpad_node *holder;   /* the parent's node that holds it */
    tpad_string label;         /* its name in that node, or the function's */
    tpad_string domain;        /* of a function */
    tpad_string overload;      /* of a function */
    int64_t label_index;       /* in a list of graphs, or -1 */
    int32_t is_function;
    int32_t has_open_end; /* 1: an input or output has no shape in the file */
    int32_t is_hidden;    /* of a function: nodes with its name and domain are operators */
    int32_t depth;
    int32_t opset;    /* the version for Pad, if all nodes share one; else 0 */
    const char *path; /* as in tpad_pad_node; NULL before the first request */
    tpad_node *nodes;
    int64_t node_count;
    tpad_end *inputs, *outputs; /* in the file's order */
    int64_t input_count, output_count;
    tpad_value *values;
    int64_t value_count;
    const tpad_call *caller;          /* of a function: the call whose attributes it has, or NULL */
    struct tpad_folded_graph *folded; /* of models/folding, or NULL */
    struct tpad_graph *next;          /* the next graph of its list */
} tpad_graph;

/* A Pad node: the public part, and the data needed to run it. */
typedef struct tpad_graph_pad {
    tpad_pad_node info;
    tpad_graph *graph;
    const tpad_node *node;
    tpad_value *inputs[IN_COUNT]; /* NULL: absent, or there is no such value */
    tpad_value *output;           /* or NULL */
    uint8_t present[IN_COUNT];    /* 1: the node names an input */
    const char *computed[4];      /* attributes known only at run time, up to the first NULL */
    int32_t unused;               /* 1: no output of the model needs it */
    int32_t never_cut;            /* 1: the user says that no amount is below zero */
    const char *trouble;          /* why its attributes and inputs cannot be a Pad's, or NULL */
    const void *attributes;       /* of the format */
    const void *value;            /* the pad value if an attribute has it, one element; or NULL */
    int32_t value_type;           /* its type: TPAD_ONNX_... */
    struct tpad_rules_facts *facts;
    int64_t users; /* how often nodes read its output */
    int32_t is_graph_output;
    const tpad_node *user; /* the last of these nodes */
    const tpad_graph *user_graph;
} tpad_graph_pad;

struct tpad_inspection;
struct tpad_probe;
struct tpad_rules_facts;

typedef struct tpad_amount_bounds {
    int32_t never_cut, never_far;
    int64_t most;
} tpad_amount_bounds;

/* An attribute of a node. */
enum { WANT_INT, WANT_INTS, WANT_REAL, WANT_REALS, WANT_WORD, WANT_ENTRIES = 64 };
typedef struct tpad_attribute {
    int32_t want;
    int64_t ints[WANT_ENTRIES]; /* WANT_INT: the first */
    double reals[WANT_ENTRIES]; /* WANT_REAL: the first */
    int32_t count;
    tpad_string word;
} tpad_attribute;

/* In `types` below: the type of the data. */
enum { TYPE_OF_DATA = -1 };

enum { FORMAT_ONNX, FORMAT_IR, FORMATS };

/* The functions of a format for a model that it has read. */
typedef struct tpad_format {
    int32_t kind;                    /* FORMAT_... */
    const char *title;               /* "ONNX" */
    const char *runnable;            /* nodes that are allowed when a whole model runs */
    const char *arguments[IN_COUNT]; /* the specification's names of Pad's inputs */
    int32_t value_input;             /* which of them is the pad value */
    int32_t types[IN_COUNT];         /* their types, if the file does not have them; 0: unknown */
    const char *runtimes[3];         /* targets of runtimes.h for findings, up to the first NULL */
    /* The elements of a constant, for tpad_constant_load, which compares type and shape. */
    int32_t (*load)(tpad_tensor *tensor, tpad_model *model, const tpad_value *value,
                    tpad_io_error *error);
    /* in: dense and native, NULL if absent; the data without elements. */
    int32_t (*translate)(tpad_translation *out, const tpad_graph_pad *pad,
                         const tpad_tensor *const in[IN_COUNT], int32_t lenient, tpad_error *error);
    /* Reads a Pad node from its node's payload; its graph and node are set. */
    int32_t (*read_pad)(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error);
    /* See pads.h. Fills in the known amounts, axes and value of pad->info, adds findings about
     * them, and puts placeholders into a probe. */
    void (*describe_pad)(struct tpad_inspection *inspection);
    void (*fill_placeholders)(struct tpad_probe *probe, const struct tpad_inspection *inspection);
    /* See pads.h. Adds facts that only the format knows: the opset, how the arguments are given,
     * the pad value, and the sentence of its document behind a refusal. */
    void (*describe_facts)(struct tpad_rules_facts *facts, const struct tpad_inspection *inspection,
                           const tpad_error *refusal);
    /* For any node: its number of inputs, and its input or output with that index, or NULL. Its
     * attribute: 1 if present, 0 if not, -1 if it is unknown or of another kind. */
    int64_t (*input_count)(const tpad_node *node);
    tpad_value *(*node_input)(const tpad_graph *graph, const tpad_node *node, int64_t index);
    tpad_value *(*node_output)(const tpad_graph *graph, const tpad_node *node, int64_t index);
    int32_t (*attribute)(tpad_attribute *attribute, const tpad_graph *graph, const tpad_node *node,
                         const char *name);
} tpad_format;

/* A file that the model names for elements. */
typedef struct tpad_named_file {
    char *path;
    struct tpad_named_file *next;
} tpad_named_file;

struct tpad_model {
    const tpad_format *format;
    tpad_arena arena;
    tpad_bytes bytes;
    uint8_t *lacks;    /* for each given shape: 1 if the model has no such input or dimension */
    int32_t in_memory; /* 1: the bytes are the caller's, and there is no file */
    char *path;
    tpad_graph *top;
    int32_t ir_version;      /* of an ONNX file; 0: none */
    int32_t ml_opset;        /* the newest imported version of ai.onnx.ml; 0: none */
    int32_t own_opset;       /* the newest version of ONNX Runtime's domains; 0: none */
    int32_t extent_names;    /* TPAD_RULES_NAMES_...: of the name of an extent hardest to read */
    int32_t inputs_are_open; /* 1: callers of the model may replace initializers that are inputs */
    tpad_graph *functions;   /* a list, in file order */
    tpad_graph_pad *pads;
    int64_t pad_count;
    struct tpad_weights *weights; /* other files that hold elements and were read */
    tpad_named_file *named_files; /* all files with elements, read or not */
    tpad_named_file *last_named;  /* the end of that list */
    /* The data of models/folding, and its function that releases them; or NULL. */
    struct tpad_folding *folding;
    void (*free_folding)(struct tpad_folding *folding);
    /* Sets its bounds of the two amounts of an axis, for runtimes.h; returns the output's extent.
     * Or NULL. */
    int64_t (*bound_amounts)(struct tpad_model *model, tpad_amount_bounds *bounds, int64_t extent,
                             const tpad_element amounts[2]);
    /* If shapes of inputs were given: the same file without them; owned. */
    struct tpad_model *plain;
};

/* The formats: each reads the model at model->path, and sets its format. without_readers.c replaces
 * those whose library is missing. */
int32_t tpad_onnx_read(tpad_model *model, tpad_io_error *error);
int32_t tpad_ir_read(tpad_model *model, tpad_io_error *error);

/* model.c. 1 for a path that names an OpenVINO IR. */
int32_t tpad_path_is_ir(const char *path);
/* The .bin for such a path, the file beside it with the same name; the caller frees it. NULL: no
 * memory. */
char *tpad_bin_path(const char *path);
/* Opens the file at model->path, and limits the model's memory. */
int32_t tpad_model_open(tpad_model *model, tpad_io_error *error);
/* Reports why the arena had no memory: the system has none, or the model's limit is reached. */
int32_t tpad_no_memory(const tpad_model *model, tpad_io_error *error);
/* Adds a NUL to a name; E_FILE if the name contains a NUL. */
int32_t tpad_name_text(const char **text, tpad_model *model, tpad_string name,
                       tpad_io_error *error);
/* Fills graph->path. */
int32_t tpad_graph_name(tpad_model *model, tpad_graph *graph, tpad_io_error *error);
/* Maps another file. A file is mapped once, even if it holds many tensors. Takes over `path`, which
 * is malloc'ed. */
int32_t tpad_weights_open(const tpad_bytes **bytes, tpad_model *model, char *path,
                          tpad_io_error *error);
/* Loads the elements of a constant, which must match its type and shape. The caller frees the
 * tensor with tpad_tensor_free before the model, even on failure. */
int32_t tpad_constant_load(tpad_tensor *tensor, tpad_model *model, const tpad_value *value,
                           tpad_io_error *error);
/* Loads a constant of at most TPAD_SMALL elements. The model owns it and loads it once, even if
 * many nodes share it. */
enum { TPAD_SMALL = 64 };
int32_t tpad_constant_small(const tpad_tensor **tensor, tpad_model *model, tpad_value *value,
                            tpad_io_error *error);

/* The node that makes a value, and its graph; NULL if no node makes it, or a caller's node. graph:
 * where the value is read. */
const tpad_node *tpad_maker(const tpad_graph **holder, const tpad_graph *graph,
                            const tpad_value *value);
/* The axis counted from the front; -1 if the rank is unknown or has no such axis. */
int32_t tpad_axis_from_front(int64_t axis, int32_t rank);
/* Writes "[1,?,224]", cut if it does not fit. */
void tpad_shape_text(char *text, size_t bytes, int32_t rank, const int64_t *shape);

/* given_shapes.c. Gives shapes, extents and bounds to the inputs of the top graph. */
int32_t tpad_input_shapes_apply(tpad_model *model, const tpad_input_shape *shapes, int32_t count,
                                tpad_io_error *error);
/* The value of input `index` of the top graph if the file left its shape open and one was given;
 * else NULL. */
const tpad_value *tpad_input_shaped(const tpad_model *model, int64_t index);

/* pad_inspection.c. Makes model->pads: where each Pad node is. */
int32_t tpad_pads_list(tpad_model *model, tpad_io_error *error);
/* Reads a node of model->pads; then describes it by the facts about its inputs. */
int32_t tpad_pad_read(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error);
int32_t tpad_pad_describe(tpad_model *model, tpad_graph_pad *pad, tpad_io_error *error);
/* pad_neighbours.c. Describes the neighbours of all Pads, after the nodes themselves; or of one
 * Pad, or a copy with other neighbours. */
void tpad_describe_neighbours(tpad_model *model);
void tpad_look_around(tpad_model *model, const tpad_graph_pad *pad);

/* load.c. Reads a model like tpad_model_read, but `describe` reads and describes the nodes of
 * model->pads, which lists them in file order. */
int32_t tpad_model_make(tpad_model **model, const tpad_model_source *source,
                        const tpad_input_shape *shapes, int32_t count,
                        int32_t (*describe)(tpad_model *model, tpad_io_error *error),
                        tpad_io_error *error);

/* pad_inspection.c. The name of a node in errors: its own name, or its output's. */
tpad_string tpad_node_label(const tpad_node *node);
/* The Pad node that `text` names, as for tpad_job_open. E_MODEL: none, or several. */
int32_t tpad_named_pad(const tpad_model *model, const char *text, const tpad_graph_pad **chosen,
                       tpad_io_error *error);

#endif
