/* Arrays and models in files.  SPDX-License-Identifier: MIT
 *
 * This header is not installed: the command, the Python package, the fuzz targets and the tests are
 * built together with it, so it may change and its structs have no sizes.
 *
 * It is the only part of tensorpad that allocates memory and that reads files. Formats: .npy, .pb
 * (an ONNX TensorProto), .png (an array of height x width x channels), .onnx, .xml with its .bin
 * (OpenVINO IR).
 * Inputs are mapped where the system can, so arrays may be larger than memory. Outputs are written
 * to a mapped temporary file beside the target and renamed at the end: a failure leaves no trace.
 *
 * Functions that can fail return a status of tensorpad.h (TPAD_OK or TPAD_E_...). On failure they
 * also write one line of text, which says what went wrong, where, the value, the limit and what to
 * do.
 */
#ifndef TPAD_MODELS_H
#define TPAD_MODELS_H

#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>
#include <tensorpad/tensorpad.h>

typedef struct tpad_io_error {
    int32_t code;
    char text[1020]; /* one line without a newline, escaped as tpad_printable_next does */
} tpad_io_error;

/* ---- Text from files -------------------------------------------------------------------------
 *
 * Names in models and paths may contain any bytes. Control characters would change the state of a
 * terminal, and characters that reverse the reading direction or are invisible would mislead a
 * reader. The structs here hold such text as it is in the file. Code that shows it to people
 * escapes it with these functions. */

/* The first code point of `count` bytes of UTF-8, and how many bytes it takes. Returns 0 if these
 * bytes are not valid (also if overlong or a surrogate) or if count is 0. */
size_t tpad_utf8_next(const char *text, size_t count, uint32_t *code);

/* 1 for a code point that must not reach a terminal: control characters, line and paragraph
 * separators, format characters (among them those that reverse the reading direction, the byte
 * order mark and tags) and other characters that show nothing (fillers, variation selectors). */
int32_t tpad_utf8_is_unsafe(uint32_t code);

/* The first character of `count` >= 1 bytes as a text that is safe on one line: the character
 * itself, or \x0a, \u202e or \U000e0041 for an unsafe one, or \xff for a byte that is not UTF-8.
 * Returns how many bytes of `text` the character takes. */
enum { TPAD_PRINTABLE_BYTES = 11 };
size_t tpad_printable_next(char piece[TPAD_PRINTABLE_BYTES], const char *text, size_t count);

/* The libraries that are built in, for --version: "npy, pb and onnx (nanopb 0.4.7), xml (...), png
 * (...)". */
const char *tpad_io_features(void);

/* 1 if a block of that size can be allocated. It is asked before every allocation whose size a file
 * decides, because systems promise memory that they do not have. Returns 0 if size_t cannot hold
 * the size, and for more than half of the memory that the system says is left. */
int32_t tpad_fits_memory(int64_t bytes);

/* ---- Tensors --------------------------------------------------------------------------------- */

/* An element of a string tensor. The tensor (or value) that it came from owns the bytes. */
typedef struct tpad_string {
    const char *text; /* not NUL-terminated; may be NULL when length is 0 */
    int64_t length;   /* bytes */
} tpad_string;

/* An array as a file holds it. Without data, it describes an output that is to be made. */
typedef struct tpad_tensor {
    int32_t type;       /* TPAD_ONNX_..., or 0 if ONNX has no such type (dates, records, raw) */
    int32_t elem_bits;  /* 1 to 524288; strings: 8 * sizeof(tpad_string) */
    int32_t big_endian; /* 1: elements of more than a byte are stored high byte first */
    int32_t rank;       /* at most TPAD_MAX_RANK */
    int64_t shape[TPAD_MAX_RANK];
    int64_t strides[TPAD_MAX_RANK]; /* in bytes (packed types: in elements), as in tpad_axis */
    const void *data;               /* the first element; any alignment */
    char *name;                     /* the name in a TensorProto, or NULL; owned */
    char *npy_descr;                /* the type in the spelling of the .npy header, or NULL;
                                       owned */
    void *memory;                   /* the memory that holds the data; private */
} tpad_tensor;

/* Reads an array. path: ends in .npy, .pb or .png, or is "-" (an .npy on standard input). type: 0,
 * or the type of the elements (--dtype) for files that cannot name it. The file must then hold that
 * type, or raw bytes (V1, V2 ...) of its width, or, for bfloat16 and the float8 types, unsigned
 * integers of its width. On success the caller releases the tensor with tpad_tensor_free. It never
 * allocates more than the file's own size times a small constant.
 * Errors: E_IO, E_MEMORY, E_FILE, E_FILE_TYPE, E_RANK. */
int32_t tpad_tensor_load(tpad_tensor *tensor, const char *path, int32_t type, tpad_io_error *error);

/* Releases what a tensor owns and sets the tensor to zero. A zeroed tensor is allowed. */
void tpad_tensor_free(tpad_tensor *tensor);

/* Makes `like` the description of a dense tensor of this type in native byte order, without data
 * and names. */
void tpad_tensor_describe(tpad_tensor *like, int32_t type, int32_t rank, const int64_t *shape);

/* The name of the type for messages: "float", "int4", or the .npy spelling ("<M8[ns]"). */
const char *tpad_tensor_type_text(const tpad_tensor *tensor);

/* The type with a name of ONNX ("float16", "bfloat16", "int4"), of NumPy ("float32", "complex64"),
 * or a short name ("f32", "bf16", "u8", "i4", "c64", "f8e4m3fn", "f4e2m1"); 0 for any other
 * word. */
int32_t tpad_type_from_text(const char *text);

/* The OpenVINO type that has the same elements as an ONNX type, and the reverse; 0 if there is
 * none. */
int32_t tpad_type_to_openvino(int32_t type);
int32_t tpad_type_from_openvino(int32_t type);

/* ---- Values ---------------------------------------------------------------------------------- */

/* Reads text as one element of like's type, in like's byte order: 1.5 1e-3 inf nan 0x1p-3 -7 true
 * 1.5-2j, or the text itself for strings. A packed element goes into the low bits of its byte. An
 * integer that the type cannot hold exactly is an error. A float is rounded once, to nearest even;
 * it is an error if a finite number is too large for a type that has no infinity. value: room for
 * elem_bits rounded up to bytes. An element of a string tensor points to `text`.
 * Errors: E_TEXT. */
int32_t tpad_value_parse(void *value, const char *text, const tpad_tensor *like,
                         tpad_io_error *error);

/* Writes one element of that ONNX type, in native byte order, as text (%.9g for float ...); strings
 * are quoted. Returns as snprintf does. */
int tpad_value_format(char *buffer, size_t bytes, int32_t type, const void *value);

/* ---- Outputs --------------------------------------------------------------------------------- */

typedef struct tpad_output tpad_output;

/* Begins an output file. `like` gives type, byte order, rank, shape, name and .npy spelling; its
 * strides are ignored, since an output is dense. path: its ending decides the format as in
 * tpad_tensor_load; "-" writes an .npy to standard output. If the path exists and is not a regular
 * file (a pipe, a device), it is written directly. overwrite 0: E_EXISTS if the path exists. The
 * space on the disk is reserved in this call. `like` NULL: the file is no array, its ending means
 * nothing, and its bytes are those that tpad_output_write adds.
 * Errors: E_EXISTS, E_IO, E_MEMORY, E_FILE_TYPE (the format cannot hold this type or shape). */
int32_t tpad_output_begin(tpad_output **output, const char *path, const tpad_tensor *like,
                          int32_t overwrite, tpad_io_error *error);

/* The memory for the elements, which the caller writes: dense, in like's type and byte order. */
void *tpad_output_data(tpad_output *output);

/* Adds bytes to an output that was begun without `like`. After a failure (E_IO) the caller discards
 * the output. */
int32_t tpad_output_write(tpad_output *output, const void *bytes, int64_t count,
                          tpad_io_error *error);

/* Completes the file, gives it its name and releases the output. On failure no file is left. */
int32_t tpad_output_commit(tpad_output *output, tpad_io_error *error);

/* Removes the temporary file and releases the output. NULL is allowed. */
void tpad_output_discard(tpad_output *output);

/* The path of the temporary file, which a signal handler has to remove, or NULL. */
const char *tpad_output_temporary(const tpad_output *output);

/* 1 if both paths exist and are the same regular file, 0 if not, -1 if the system cannot tell
 * (errno says why). */
int32_t tpad_same_file(const char *a, const char *b);

/* ---- Models ---------------------------------------------------------------------------------- */

typedef struct tpad_model tpad_model;

/* Reads a model. A path that ends in .xml is an OpenVINO IR, whose weights are in the .bin file of
 * the same name. Any other path is an ONNX model, whose external data must lie in its own folder.
 * Weights stay in the mapped files. The caller frees the model with tpad_model_free (NULL is
 * allowed).
 * Errors: E_IO, E_MEMORY, E_FILE, E_FILE_TYPE. */
int32_t tpad_model_load(tpad_model **model, const char *path, tpad_io_error *error);
void tpad_model_free(tpad_model *model);

/* The shape of an input of the model, which the file leaves open. */
typedef struct tpad_input_shape {
    const char *name;
    int32_t rank;
    const int64_t *shape; /* rank extents, 0 or more */
} tpad_input_shape;

/* tpad_model_load with shapes of inputs: what follows from them is known of the Pad nodes.
 * Errors: also E_MODEL (no such input; a shape that contradicts the file or an earlier one),
 * E_RANK. */
int32_t tpad_model_load_shaped(tpad_model **model, const char *path,
                               const tpad_input_shape *shapes, int32_t count,
                               tpad_io_error *error);

/* One Pad node, as far as it is known before the model runs: from the file, from what follows from
 * its constants and shapes (tools/folding/fold.h), and from the shapes of inputs that were given. The
 * model owns everything. */
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
