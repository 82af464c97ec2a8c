/* Models in files.  SPDX-License-Identifier: MIT
 *
 * Not installed, like formats/formats.h, which says how functions fail. Formats: .onnx, .xml with
 * its .bin (OpenVINO IR).
 */
#ifndef TPAD_MODELS_H
#define TPAD_MODELS_H

#include "formats/formats.h"

/* ---- Models ---------------------------------------------------------------------------------- */

typedef struct tpad_model tpad_model;

/* The shape of an input of the model, which the file leaves open. */
typedef struct tpad_input_shape {
    const char *name;
    int32_t rank;
    const int64_t *shape; /* rank extents, 0 or more */
} tpad_input_shape;

/* Reads a model. A path that ends in .xml is an OpenVINO IR, whose weights are in the .bin file of
 * the same name. Any other path is an ONNX model, whose external data must lie in its own folder.
 * Weights stay in the mapped files. Of its Pad nodes is known what the file says, and what the
 * shapes of its inputs say that are given here; folding/folding.h loads models with all that
 * follows. The caller frees the model with tpad_model_free (NULL is allowed).
 * Errors: E_IO, E_MEMORY, E_FILE, E_FILE_TYPE; of shapes: E_MODEL (no such input; a shape that
 * contradicts the file or an earlier one), E_RANK. */
int32_t tpad_model_read(tpad_model **model, const char *path, const tpad_input_shape *shapes,
                        int32_t count, tpad_io_error *error);
void tpad_model_free(tpad_model *model);

/* One Pad node, as far as it is known before the model runs. The model owns everything. */
typedef struct tpad_pad_node {
    const char *name;            /* as in the file, may be "" */
    const char *graph;           /* "" for the top graph, else a path such as "if_0/then_branch" or
                                    "function:domain:name" */
    const char *spec;            /* "onnx" or "openvino" */
    int32_t version;             /* of Pad, 0 if the opset has none */
    int32_t type;                /* TPAD_ONNX_..., 0 if unknown or not a type of ONNX */
    const char *type_name;       /* its name in the specification, NULL if unknown */
    const char *mode;            /* as written, NULL if computed at run time */
    int32_t in_rank;             /* -1 if unknown */
    int32_t out_rank;            /* -1 if unknown */
    const int64_t *in_shape;     /* in_rank extents, -1 where unknown */
    const int64_t *out_shape;    /* out_rank extents, -1 where unknown */
    int32_t pads_count;          /* entries in begin and in end; -1 if unknown */
    int32_t axes_count;          /* entries in axes; -1 if absent or unknown */
    const int64_t *begin;        /* one for each entry of axes, or for each axis if axes are
                                    absent */
    const int64_t *end;          /* */
    const int64_t *axes;         /* as written, also negative */
    const char *value;           /* the pad value as text, NULL if unknown */
    const char *const *computed; /* names of arguments known only at run time: "pads" ... */
    int32_t computed_count;      /* */
    int32_t findings_count;      /* */
    const char *const *findings; /* one sentence each: what the specification forbids here, and
                                    where runtimes are known to differ or fail */
    const char *inputs[4];       /* names of the node's inputs, NULL where absent */
    const char *arguments[4];    /* the names of these inputs in the specification */
    uint8_t folded[4];           /* 1: the input is no constant of the file, but follows from it */
    const char *output;          /* */
} tpad_pad_node;

/* Every Pad node of the top graph, of subgraphs and of local functions, in file order. */
int64_t tpad_model_pad_count(const tpad_model *model);
const tpad_pad_node *tpad_model_pad_at(const tpad_model *model, int64_t index);

/* The Pad node that `name` names, as tpad_job_open says, or the only one if name is NULL. The model
 * owns it. Errors, which list the nodes there are: E_MODEL (no such node; several). */
int32_t tpad_model_find_pad(const tpad_model *model, const char *name, const tpad_pad_node **pad,
                            tpad_io_error *error);

/* The node's name or, where it has none, its output's; "" without both. */
const char *tpad_pad_name(const tpad_pad_node *pad);

/* The facts of that node that tools/runtimes/runtimes.h judges; its header has the struct. */
struct tpad_rules_facts;
const struct tpad_rules_facts *tpad_model_facts_at(const tpad_model *model, int64_t index);

/* Writes the node alone as an ONNX model: the input x, the output y, the arguments as initializers
 * or, before opset 11, as attributes. Everything of the node must be known, and it must be a node of
 * ONNX. output: begun without `like`; the caller commits or discards it.
 * Errors: E_MODEL (something is not known), E_MEMORY, E_IO. */
int32_t tpad_pad_write_model(const tpad_pad_node *pad, int32_t opset, tpad_output *output,
                             tpad_io_error *error);

/* ---- Lowering --------------------------------------------------------------------------------
 *
 * A Pad that a target does not run as the document says is rewritten into operators that every
 * target runs right. tools/runtimes/runtimes.h says which Pads and which operators these are. */

struct tpad_rules_choice;
struct tpad_rules_finding;

enum {
    TPAD_LOWER_KEPT,      /* every target runs the node right */
    TPAD_LOWER_REWRITTEN, /* */
    TPAD_LOWER_CANNOT     /* it must be rewritten and cannot be, or the document forbids it */
};

/* What becomes of one Pad node. The lowering owns everything. */
typedef struct tpad_lowered_node {
    int32_t outcome;                          /* TPAD_LOWER_KEPT, ... */
    int32_t target;                           /* index of the target with the worst verdict; -1 if
                                                 KEPT */
    const struct tpad_rules_finding *finding; /* that verdict; NULL if KEPT */
    const char *operators;                    /* REWRITTEN: "Slice x2, Pad", in their order */
    const char *reason;                       /* CANNOT: one line */
} tpad_lowered_node;

/* Decides for each Pad node of the model what becomes of it, and writes nothing. targets: from
 * tpad_rules_find, with their names; 1 to 64 of them. The lowering uses the model, which must be
 * freed after it, and copies the targets. A node that cannot be lowered is no error here.
 * Errors: E_MEMORY. */
typedef struct tpad_lowering tpad_lowering;
typedef struct tpad_lower_target {
    const char *name;
    const struct tpad_rules_choice *choice;
} tpad_lower_target;
int32_t tpad_lowering_plan(tpad_lowering **lowering, tpad_model *model,
                           const tpad_lower_target *targets, int32_t count, tpad_io_error *error);
void tpad_lowering_free(tpad_lowering *lowering);
/* The node of tpad_model_pad_at(index). */
const tpad_lowered_node *tpad_lowering_at(const tpad_lowering *lowering, int64_t index);

/* Whether the lowered model may be written to `path`. *weights: NULL for ONNX; for an IR the path of
 * its .bin, which lies beside `path`, for the caller to free. Errors: E_FILE_TYPE (another ending
 * than .onnx or, for an IR, .xml), E_ARGUMENT (`path` or its .bin is a file of the model; an
 * ONNX model with external data would leave its folder), E_IO, E_MEMORY. */
int32_t tpad_lowered_place(char **weights, const tpad_model *model, const char *path,
                           tpad_io_error *error);

/* The path of a file beside the model that holds elements of it (external data of ONNX, the .bin of
 * an IR), or NULL. A copy of an ONNX model reads that file only in the same folder. */
const char *tpad_model_weights_path(const tpad_model *model);

/* Writes the model with the nodes that are TPAD_LOWER_REWRITTEN replaced; all else stays as it is,
 * byte for byte. It reads the model's file while it writes, so that must be another file. output:
 * begun without `like`. weights: NULL for ONNX; for an IR the output for its .bin, begun in the same
 * way. The caller commits or discards both.
 * Errors: E_IO, E_MEMORY, E_FILE_TYPE (an ONNX model would become larger than 2 GiB). */
int32_t tpad_lowering_write(const tpad_lowering *lowering, tpad_output *output,
                            tpad_output *weights, tpad_io_error *error);

/* A named input or output of a model or of one node. */
typedef struct tpad_port {
    const char *name;
    const int64_t *shape; /* rank extents, -1 where free */
    int32_t type;         /* TPAD_ONNX_..., 0 if unknown */
    int32_t rank;         /* -1 if unknown */
    /* The names of an input of one node in the specification, such as "pads"; NULL after the last.
     * There are several if one array is several inputs of the node, and none for outputs and for
     * inputs of a whole model. */
    const char *arguments[4];
} tpad_port;

/* What will be run: the whole model (node NULL), or one Pad node of it, by its name or, where it
 * has none, by its output's name; "graph/name" tells nodes of subgraphs apart. Lists the inputs
 * that must be given (those without a constant or initializer) and the outputs. The job uses the
 * model, which must be freed after it. Errors: E_MODEL (the model has another node than Pad, which
 * the text names; no such node; more than one), E_MEMORY. */
typedef struct tpad_job tpad_job;
int32_t tpad_job_open(tpad_job **job, tpad_model *model, const char *node, tpad_io_error *error);
void tpad_job_free(tpad_job *job);
int32_t tpad_job_input_count(const tpad_job *job);
int32_t tpad_job_output_count(const tpad_job *job);
const tpad_port *tpad_job_input(const tpad_job *job, int32_t index);
const tpad_port *tpad_job_output(const tpad_job *job, int32_t index);

/* How a job is run. allocate may be NULL where the job has no outputs. */
typedef struct tpad_job_run {
    const tpad_tensor *const *inputs; /* one for each input, in the job's order; NULL: not given */
    int32_t lenient;                  /* as TPAD_ONNX_LENIENT */
    const tpad_runner *runner;        /* threads, or NULL */
    /* Called for the memory of output `index`, which is dense, as `like` says. Sets *data. */
    int32_t (*allocate)(void *context, int32_t index, const tpad_tensor *like, void **data,
                        tpad_io_error *error);
    void *context;
} tpad_job_run;

/* Runs a job. Strings in outputs point into the inputs and the model. If another node also uses an
 * output, the job reads it again, so its memory must not change until the run ends. Only one job of
 * a model may run at a time.
 * Errors: E_MODEL, E_MEMORY, those of the specification and of the core with the node's name in the
 * text, and those that `allocate` returns. */
int32_t tpad_job_execute(tpad_job *job, const tpad_job_run *run, tpad_io_error *error);

#endif
