/* `tensorpad pad`: its words.  SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "commands.h"
#include "output_files.h"
#include "many_files.h"
#include "pad_options.h"
#include "error_report.h"

enum { OPTION_THREADS = PAD_WORDS_END, OPTION_OUT_DIR };

static const struct option pad_words[] = {
    PAD_WORDS,
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"out-dir", required_argument, NULL, OPTION_OUT_DIR},
    {"quiet", no_argument, NULL, 'q'},
    {NULL, 0, NULL, 0},
};

static int take_word(pad_options *options, int word, const char *text)
{
    switch (word) {
    case ARGUMENT_FILE:
        options->files[options->file_count++] = text;
        return EXIT_DONE;
    case OPTION_THREADS:
        return arguments_threads(&options->threads, text);
    case OPTION_OUT_DIR:
        options->out_dir = text;
        return EXIT_DONE;
    case 'q':
        options->quiet = 1;
        return EXIT_DONE;
    default:
        return pad_words_take(options, word, text);
    }
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

static int pad(pad_options *options)
{
    int status = check_words(options);
    if (status == EXIT_DONE) status = pad_words_join(options);
    if (status != EXIT_DONE) return status;
    if (!options->threads) tpad_threads_create(&options->threads, 0, NULL);
    return options->out_dir ? pad_files(options) : pad_file(options);
}

int command_pad(int argc, char **argv)
{
    arguments words = {"pad", argc, argv, pad_words, NULL, 0};
    pad_options options = {.files = calloc((size_t)argc, sizeof(const char *))};
    int status = pad_words_start(&options, "pad");
    int word = ARGUMENT_END;
    if (!options.files) status = report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    while (status == EXIT_DONE && (word = arguments_next(&words)) != ARGUMENT_END && word != 'h')
        status = word == ARGUMENT_BAD ? EXIT_USAGE : take_word(&options, word, words.text);
    if (status == EXIT_DONE) status = word == 'h' ? help("pad") : pad(&options);
    tpad_threads_destroy(options.threads);
    pad_words_free(&options);
    free(options.files);
    return status;
}
