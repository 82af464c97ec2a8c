/* Options of `tensorpad pad`, applied to an array. SPDX-License-Identifier: MIT
 *
 * Makes a problem for the core from options and an input's type and shape. It knows files only by
 * name, for errors.
 */
#ifndef TENSORPAD_COMMAND_SPEC_PROBLEM_H
#define TENSORPAD_COMMAND_SPEC_PROBLEM_H

#include <stdint.h>
#include <tensorpad/mli.h>
#include <tensorpad/ngraph.h>

#include "arguments.h"
#include "formats/formats.h"

/* A specification of `tensorpad pad --spec`: its names, the options that it takes, and the function
 * that makes a problem from them. */

typedef struct pad_options pad_options;
typedef struct pad_problem pad_problem;

/* Options that only some specifications take. */
enum {
    TAKES_PADS = 1, /* ONNX's one list */
    TAKES_AXES = 2,
    TAKES_INTERIOR = 4, /* may be given without amounts */
    TAKES_ORDER = 8,
    TAKES_MODE_PER_AXIS = 16,
    TAKES_LENIENT = 32,
    TAKES_SIZE = 64, /* instead of amounts */
    TAKES_BORDER = 128,
    TAKES_VALUES = 256 /* a list of values, along --value-axis */
};

typedef struct spec_family {
    const char *name; /* the name, without the version */
    const char *full_name;
    int32_t default_version; /* for the bare name (INT32_MAX: the newest); 0: no versions */
    int32_t takes;
    int32_t (*make)(pad_problem *made, const pad_options *options, const tpad_tensor *input);
} spec_family;

typedef struct spec {
    const spec_family *family;
    int32_t version;
} spec;

/* The specifications that `tensorpad pad --spec` knows (specs.c). */

/* The name of a family, as a row's `word_at`. */
const char *spec_word(int32_t index);

/* Reads "onnx", "onnx-19", "plain". EXIT_DONE, or the status of the error that it reported. */
int spec_parse(spec *out, const char *text);

/* 1 if the specification takes all of the options `used` (TAKES_...). */
int spec_takes(const spec *given, int32_t used);

/* Reports one that it does not take, and a specification that does. command: "pad", for the
 * error. */
int spec_check(const spec *given, const char *command, int32_t used);

struct pad_options {
    const char *command; /* for usage errors: "pad" */
    const char *in;      /* NULL: `show --shape`, without a file */
    const char *out;
    const char **files; /* all file names, in order */
    int64_t file_count;
    const char *out_dir; /* NULL: one array, from `in` to `out` */
    spec spec;
    int is_node;    /* 1: spec comes from a node of a model, not from --spec */
    int32_t used;   /* TAKES_... of the given options */
    integers modes; /* not given: constant */
    integers pads;  /* begins, then ends; from --pads or from --begin and --end */
    integers begin;
    integers end;
    integers border; /* one number, or one for each axis */
    integers interior;
    integers axes;
    integers to; /* extents, -1 for an axis without a target */
    integers multiple;
    integers square; /* two axes */
    integers align;
    integers too_long;
    const char *value;
    integers value_axis; /* one axis */
    int32_t dtype;
    int32_t order;
    int order_given;
    tpad_threads *threads; /* not given: NULL until the options are read, then all */
    int lenient;
    int force;
    int quiet;
};

/* The problem that the options make of an input, or the reason why they cannot. It contains
 * pointers into itself, so it must not be moved. */
struct pad_problem {
    tpad_problem problem;
    tpad_fill fill; /* for tpad_run_fill */
    tpad_index fill_strides[TPAD_MAX_RANK];
    int32_t fill_axis; /* of a list of values, else -1 */
    tpad_translation translation;
    void *value_memory;
    tpad_plan plan;
    tpad_error error; /* the code of a refusal, with its numbers */
    char reason[4096];
};

void pad_problem_free(pad_problem *made);

/* How errors begin: with the file or, if there is none, the command. */
const char *pad_subject(const pad_options *options);

/* ---- For the families ---------------------------------------------------------------------------
 *
 * The functions return TPAD_OK, or the code of a refusal that they wrote into `made`. */

int32_t pad_refuse(pad_problem *made, int32_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int32_t pad_refuse_core(pad_problem *made, const tpad_error *error);

/* Reads --value as one element of like's type into made->value_memory. */
int32_t pad_parse_value(pad_problem *made, const pad_options *options, const tpad_tensor *like);

/* 1 if --value is such a list: --value-axis is given, or a picture's --value has a comma. */
int pad_values_wanted(const pad_options *options);
/* Reads --value as that list into made->fill, after pad_problem_finish. */
int32_t pad_parse_values(pad_problem *made, const pad_options *options, const tpad_tensor *input);

/* Makes the problem and the fill from the translation, with the strides of the input. */
void pad_problem_finish(pad_problem *made, const tpad_tensor *input);

/* Refuses an option's list of `got` entries where `entries` are needed. */
int32_t pad_wrong_count(pad_problem *made, int32_t code, const char *option, int32_t got,
                        int32_t entries, const char *each);

/* 1 if the input is a picture; its channels are not padded. */
int pad_is_picture(const pad_options *options);

/* Finds the input's axis `wanted`, an entry of `option`; below 0 it counts from the end. seen: bits
 * of the axes that the option has named already. */
int32_t pad_find_axis(int32_t *axis, pad_problem *made, const char *option,
                      const tpad_tensor *input, int64_t wanted, uint32_t *seen);

/* 1 if the options give a size instead of amounts. */
int pad_fit_wanted(const pad_options *options);
/* Fills in the amounts that give the input that size. places: the input's axes for the `entries` of
 * each list. */
int32_t pad_fit(pad_problem *made, const pad_options *options, const tpad_tensor *input,
                const int32_t *places, int32_t entries);

/* The `make` functions of the families. */
int32_t pad_make_ngraph(pad_problem *made, const pad_options *options, const tpad_tensor *input);
int32_t pad_make_onnx(pad_problem *made, const pad_options *options, const tpad_tensor *input);
int32_t pad_make_openvino(pad_problem *made, const pad_options *options, const tpad_tensor *input);
int32_t pad_make_mli_chw(pad_problem *made, const pad_options *options, const tpad_tensor *input);
int32_t pad_make_mli_hwc(pad_problem *made, const pad_options *options, const tpad_tensor *input);
int32_t pad_make_plain(pad_problem *made, const pad_options *options, const tpad_tensor *input);

#endif
