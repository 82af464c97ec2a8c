/* `tensorpad pad`: its words.  SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "commands.h"
#include "error_report.h"
#include "many_files.h"
#include "output_signals.h"
#include "pad_options.h"

static const option_row own_rows[] = {
    {"threads", 0, "N", argument_threads, offsetof(pad_options, threads), NULL,
     "how many threads work; default all there are, 1: one"},
    {"out-dir", 0, "DIR", argument_text, offsetof(pad_options, out_dir), NULL,
     "pad many files into DIR; what is there already is skipped"},
    {"force", 'f', NULL, argument_flag, offsetof(pad_options, force), NULL, "overwrite"},
    {"quiet", 'q', NULL, argument_flag, offsetof(pad_options, quiet), NULL, "errors only"},
    {"json", 0, NULL, NULL, 0, NULL, "errors as JSON objects"},
    {NULL, 0, NULL, NULL, 0, NULL, NULL},
};

static int start(void *field, int argc)
{
    pad_options *options = field;
    options->files = calloc((size_t)argc, sizeof *options->files);
    if (!options->files) return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    return pad_words_start(options, "pad");
}

static int take_file(void *field, char *name)
{
    pad_options *options = field;
    options->files[options->file_count++] = name;
    return EXIT_DONE;
}

/* IN and OUT, or any number of files for --out-dir. */
static int check_files(pad_options *options)
{
    const int64_t count = options->file_count;
    if (options->out_dir) {
        if (count == 0)
            return report_usage("pad: no file is named: tensorpad pad [options] --out-dir DIR "
                                "FILE...");
        if (*options->out_dir == 0)
            return report_usage("pad: --out-dir '' is no folder; . is the current one");
        return EXIT_DONE;
    }
    if (count < 2)
        return report_usage("pad: %s missing: tensorpad pad [options] IN OUT (see tensorpad pad "
                            "--help)",
                            count ? "OUT is" : "IN and OUT are");
    if (count > 2)
        return report_usage("pad: '%s' is one file too many: IN and OUT are all it takes; several "
                            "files need --out-dir DIR",
                            options->files[2]);
    options->in = options->files[0];
    options->out = options->files[1];
    return EXIT_DONE;
}

/* Refuses options that may not stand together. */
static int check_words(pad_options *options)
{
    int status = check_files(options);
    if (status == EXIT_DONE) status = pad_words_check(options);
    if (status != EXIT_DONE || options->out_dir) return status;
    status = outputs_check_input(options->out, options->in);
    return status ? status : outputs_check_terminal(options->out);
}

static int pad(void *field)
{
    pad_options *options = field;
    int status = check_words(options);
    if (status == EXIT_DONE) status = pad_words_join(options);
    if (status != EXIT_DONE) return status;
    if (!options->threads) tpad_threads_create(&options->threads, 0, NULL);
    return options->out_dir ? pad_files(options) : pad_file(options);
}

static void free_options(void *field)
{
    pad_options *options = field;
    tpad_threads_destroy(options->threads);
    pad_words_free(options);
    free(options->files);
}

const sub_command command_pad = {
    .name = "pad",
    .files = "IN OUT | --out-dir DIR IN...",
    .summary = "pad, crop or dilate arrays",
    .about = "",
    .rows = own_rows,
    .shared = pad_rows,
    .end = "\n"
           "IN, OUT: .npy, .pb (an ONNX TensorProto), .png (height x width x channels), or\n"
           "- for an .npy through a pipe. OUT keeps the type and byte order of IN.\n"
           "exit status: 0 done, 1 failed (also: OUT exists), 2 wrong usage, 3 refused\n"
           "\n"
           "  tensorpad pad --spec onnx-19 --mode wrap --pads 2,1,1,1 in.npy out.npy\n"
           "  tensorpad pad --to 640,640 --axes 0,1 --out-dir padded photos/*.png\n",
    .bytes = sizeof(pad_options),
    .start = start,
    .take_file = take_file,
    .run = pad,
    .free_options = free_options,
};
