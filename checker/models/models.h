/* Models in files.  SPDX-License-Identifier: MIT
 *
 * Not installed, like formats/formats.h, which says how functions fail. Formats: .onnx, .xml with
 * its .bin (OpenVINO IR).
 */
#ifndef TENSORPAD_MODELS_MODELS_H
#define TENSORPAD_MODELS_MODELS_H

#include "formats/formats.h"

/* ---- Models ---------------------------------------------------------------------------------- */

typedef struct tpad_model tpad_model;

/* Shapes for inputs of the model that the file leaves open. A dimension is given by its name in the
 * file, for all inputs that have it, or as "INPUT:AXIS", with an axis from 0 on. */
enum {
    TPAD_SAYS_SHAPE,  /* the shape of the input `name` */
    TPAD_SAYS_EXTENT, /* the extent of the dimension `name` */
    TPAD_SAYS_LEAST   /* the least extent of that dimension in any run; or, for "NODE.pads", 0: no
                         amount of the Pad node is below zero */
};
typedef struct tpad_input_shape {
    const char *name;
    int32_t rank;         /* 1, except for TPAD_SAYS_SHAPE */
    const int64_t *shape; /* rank numbers, 0 or more */
    int32_t says;         /* TPAD_SAYS_... */
    int32_t may_lack;     /* 1: a model without such an input or dimension is not an error */
} tpad_input_shape;

/* The source of a model: a file or, if `bytes` is not NULL, memory. */
typedef struct tpad_model_source {
    const char *path;  /* with bytes: the model's name in errors */
    const void *bytes; /* NULL, or an ONNX model that must not change while the model is used. Its
                          external data cannot be read, because it has no folder. */
    int64_t count;     /* of bytes */
} tpad_model_source;

/* Reads a model. A path that ends in .xml is an OpenVINO IR, whose weights are in the .bin file of
 * the same name. Any other path is an ONNX model, whose external data must be in its own folder.
 * Weights stay in the mapped files. Its Pad nodes are described by what the file says and by the
 * input shapes given here; folding/folding.h adds all that can be computed from these. The caller
 * frees the model with tpad_model_free (NULL is allowed).
 * Errors: E_IO, E_MEMORY, E_FILE, E_FILE_TYPE; of shapes: E_MODEL (no such input or dimension; a
 * number that contradicts the file or an earlier one), E_RANK. */
int32_t tpad_model_read(tpad_model **model, const char *path, const tpad_input_shape *shapes,
                        int32_t count, tpad_io_error *error);
void tpad_model_free(tpad_model *model);
/* 1 if the model has no such input or dimension as shapes[index] names. */
int32_t tpad_model_lacks(const tpad_model *model, int32_t index);

/* The known facts about a Pad node before the model runs. The model owns everything. */
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
    const int64_t *begin, *end;  /* one for each entry of axes, or for each axis if axes are
                                    absent */
    const int64_t *axes;         /* as written, also negative */
    const char *value;           /* the pad value as text, NULL if unknown */
    const char *const *computed; /* names of arguments known only at run time: "pads" ... */
    int32_t computed_count;      /* entries in computed */
    int32_t findings_count;      /* entries in findings */
    const char *const *findings; /* one sentence each: what the specification forbids here, and
                                    where runtimes are known to differ or fail */
    const char *inputs[4];       /* names of the node's inputs, NULL where absent */
    const char *arguments[4];    /* the names of these inputs in the specification */
    uint8_t folded[4];           /* 1: the input is not a constant of the file but computed */
    const char *output;          /* name of the node's output */
} tpad_pad_node;

/* Every Pad node of the top graph, of subgraphs and of local functions, in file order. */
int64_t tpad_model_pad_count(const tpad_model *model);
const tpad_pad_node *tpad_model_pad_at(const tpad_model *model, int64_t index);

/* The Pad node with that name, as for tpad_job_open, or the only one if name is NULL. The model
 * owns it. Errors, which list the nodes: E_MODEL (no such node; several). */
int32_t tpad_model_find_pad(const tpad_model *model, const char *name, const tpad_pad_node **pad,
                            tpad_io_error *error);

/* The node's name or, if it has none, its output's; "" without both. */
const char *tpad_pad_name(const tpad_pad_node *pad);

/* The facts of that node that runtimes/runtimes.h judges; its header has the struct. */
struct tpad_rules_facts;
const struct tpad_rules_facts *tpad_model_facts_at(const tpad_model *model, int64_t index);

/* The path of a file beside the model that holds some of its elements (external data of ONNX, the
 * .bin of an IR), or NULL. A copy of an ONNX model reads that file only in the same folder. */
const char *tpad_model_weights_path(const tpad_model *model);

/* ---- Jobs ------------------------------------------------------------------------------------ */

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

/* A job runs the whole model (node NULL), or one Pad node of it, given by its name or, if it has
 * none, by its output's name; "graph/name" distinguishes nodes of subgraphs. Lists the inputs that
 * must be given (those without a constant or initializer) and the outputs. The job uses the model,
 * which must be freed after it. Errors: E_MODEL (the model has a node other than Pad, named in the
 * text; no such node; more than one), E_MEMORY. */
typedef struct tpad_job tpad_job;
int32_t tpad_job_open(tpad_job **job, tpad_model *model, const char *node, tpad_io_error *error);
void tpad_job_free(tpad_job *job);
int32_t tpad_job_input_count(const tpad_job *job);
int32_t tpad_job_output_count(const tpad_job *job);
const tpad_port *tpad_job_input(const tpad_job *job, int32_t index);
const tpad_port *tpad_job_output(const tpad_job *job, int32_t index);

/* How to run a job. allocate may be NULL if the job has no outputs. */
typedef struct tpad_job_run {
    const tpad_tensor *const *inputs; /* one for each input, in the job's order; NULL: not given */
    int32_t lenient;                  /* as TPAD_ONNX_LENIENT */
    const tpad_runner *runner;        /* threads, or NULL */
    /* Allocates memory for output `index`: dense, described by `like`. Sets *data. */
    int32_t (*allocate)(void *context, int32_t index, const tpad_tensor *like, void **data,
                        tpad_io_error *error);
    void *context;
    int32_t *lenient_accepts; /* NULL, or set to 1 if only the strict form refuses a node */
    int64_t most_bytes;       /* of all results, also between nodes; 0: a quarter of the memory */
} tpad_job_run;

/* Runs a job. Strings in outputs point into the inputs and the model. If another node also uses an
 * output, the job reads it again, so its memory must not change until the run ends. Only one job of
 * a model may run at a time.
 * Errors: E_MODEL (also for most_bytes), E_MEMORY, those of the specification and of the core with
 * the node's name in the text, and those that `allocate` returns. */
int32_t tpad_job_execute(tpad_job *job, const tpad_job_run *run, tpad_io_error *error);

#endif
