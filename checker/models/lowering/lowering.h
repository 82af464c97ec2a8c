/* Pads rewritten as other operators, or left to a plug-in.  SPDX-License-Identifier: MIT
 *
 * The only header of this folder for others. Not installed. A Pad that a target does not run as
 * documented is rewritten into operators that every target runs correctly. runtimes/runtimes.h says
 * which Pads and which operators these are. */
#ifndef TENSORPAD_LOWERING_LOWERING_H
#define TENSORPAD_LOWERING_LOWERING_H

#include "models/models.h"

struct tpad_rules_choice;
struct tpad_rules_finding;

enum {
    TPAD_LOWER_KEPT,      /* every target runs the node correctly */
    TPAD_LOWER_REWRITTEN, /* or left to the plug-in */
    TPAD_LOWER_CANNOT,    /* it must be rewritten but cannot be, or the document forbids it */
    TPAD_LOWER_FOLDED     /* it is removed: part of the node after it, or it added nothing */
};

/* The outcome for one Pad node. The lowering owns everything. */
typedef struct tpad_lowered_node {
    int32_t outcome; /* TPAD_LOWER_KEPT, ... */
    int32_t target;  /* index of the target with the worst verdict; -1 if KEPT, or if the plug-in
                        is only faster */
    const struct tpad_rules_finding
        *finding;           /* that verdict; NULL if KEPT, or if the plug-in is only faster */
    const char *operators;  /* REWRITTEN: "Slice x2, Pad", in their order */
    const char *reason;     /* CANNOT: one line */
    const char *into;       /* FOLDED: "Conv conv_1"; empty if it added nothing */
    const char *not_folded; /* with TPAD_LOWER_FOLD: why it is not FOLDED, one line; else NULL */
} tpad_lowered_node;

/* tpad_rules_find_out for a Pad node, by its index. It also gives bounds of axes as bounds of the
 * inputs' dimensions, as --assume takes them. */
void tpad_model_find_out(struct tpad_rules_finding *finding, const tpad_model *model, int64_t index,
                         struct tpad_rules_choice choice);

/* Decides the outcome for each Pad node of the model, and writes nothing. targets: from
 * tpad_rules_find, with their names; 1 to 64 of them. The lowering uses the model, which must be
 * freed after it, and copies the targets. A node that cannot be lowered is not an error here. Input
 * shapes given to the model are used only if some node cannot be lowered without them.
 * ways: TPAD_LOWER_LENIENT | TPAD_LOWER_FOR_PLUGIN, or TPAD_LOWER_LENIENT | TPAD_LOWER_FOLD.
 * Errors: E_MEMORY; for the plug-in and for folding E_FILE_TYPE (an OpenVINO IR); for the plug-in
 * E_ARGUMENT (a target is not ONNX Runtime). */
enum {
    /* An ONNX Pad with a mode that only newer versions have (torch writes wrap at opset 18) means
     * what it means in those, and is rewritten for every target. */
    TPAD_LOWER_LENIENT = 1,
    /* For sessions of ONNX Runtime with the plug-in (plugins/onnxruntime), which also has Pad in
     * its own domain, `tensorpad`. Pads that a target gets wrong, refuses or runs slower than the
     * plug-in get this domain. The others stay ONNX Runtime's, which may make them part of a Conv
     * or move a Transpose past them. No node is CANNOT. */
    TPAD_LOWER_FOR_PLUGIN = 2,
    /* First of all, Pads become attributes of the Conv or pool after them, or join the Pad after
     * them, where the result stays the same and every target was measured to run such a node
     * correctly. Pads that add nothing are removed. */
    TPAD_LOWER_FOLD = 4
};
typedef struct tpad_lowering tpad_lowering;
typedef struct tpad_lower_target {
    const char *name;
    const struct tpad_rules_choice *choice;
} tpad_lower_target;
int32_t tpad_lowering_plan(tpad_lowering **lowering, tpad_model *model,
                           const tpad_lower_target *targets, int32_t count, int32_t ways,
                           tpad_io_error *error);
void tpad_lowering_free(tpad_lowering *lowering);
/* The node of tpad_model_pad_at(index). */
const tpad_lowered_node *tpad_lowering_at(const tpad_lowering *lowering, int64_t index);
/* 1 if it is valid only for the given input shapes: the written model has them. */
int32_t tpad_lowering_is_shaped(const tpad_lowering *lowering);

/* Checks that the lowered model may be written to `path`. *weights: NULL for ONNX; for an IR the
 * path of its .bin beside `path`, for the caller to free. Errors: E_FILE_TYPE (an ending other than
 * .onnx or, for an IR, .xml), E_ARGUMENT (`path` or its .bin is a file of the model; a model in
 * memory has external data), E_IO, E_MEMORY. */
int32_t tpad_lowered_place(char **weights, const tpad_model *model, const char *path,
                           tpad_io_error *error);

/* External data is named relative to the folder of an ONNX model. If `path` is in another folder,
 * copies the files there, with the same names. A file that is already there must be equal, and
 * stays as it is.
 * calls: the functions for outputs (formats/formats.h). *made: what was written, for
 * tpad_lowered_data_end, or NULL.
 * Errors: E_EXISTS (another file has the name), E_ARGUMENT (`path` has it), E_FILE (a name that
 * leads out of the model's folder or begins with a dot), E_IO, E_MEMORY; then no copy is left. */
typedef struct tpad_output_calls {
    int32_t (*begin)(tpad_output **output, const char *path, const tpad_tensor *like,
                     int32_t overwrite, tpad_io_error *error);
    int32_t (*commit)(tpad_output *output, tpad_io_error *error);
    void (*discard)(tpad_output *output);
} tpad_output_calls;
typedef struct tpad_data_copy tpad_data_copy;
int32_t tpad_lowered_data(tpad_data_copy **made, const tpad_model *model, const char *path,
                          const tpad_output_calls *calls, tpad_io_error *error);
/* is_kept 0: removes what was made. NULL is allowed. */
void tpad_lowered_data_end(tpad_data_copy *made, int32_t is_kept);

/* Writes the model with the TPAD_LOWER_REWRITTEN nodes replaced, and with the shapes of its inputs
 * (tpad_lowering_is_shaped); everything else stays as it is, byte for byte. It reads the model's
 * file while it writes, so the output must be another file. output: begun without `like`. weights:
 * NULL for ONNX; for an IR the output for its .bin, begun in the same way. The caller commits or
 * discards both.
 * Errors: E_IO, E_MEMORY, E_FILE_TYPE (an ONNX model would become larger than 2 GiB). */
int32_t tpad_lowering_write(const tpad_lowering *lowering, tpad_output *output,
                            tpad_output *weights, tpad_io_error *error);

#endif
