/* `tensorpad pad`.  SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_report.h"
#include "formats/port/system.h"
#include "help.h"
#include "json_writer.h"
#include "options.h"
#include "output.h"
#include "spec_problem.h"
#include "specs.h"

/* The work of `tensorpad pad`, after its options have been read and checked. */

/* Pads options->in into options->out. Returns EXIT_DONE, or the status of the error that it
 * reported. */
static int pad_file(const pad_options *options);

/* Pads options->files into the folder options->out_dir, on several threads. Returns EXIT_DONE,
 * EXIT_FAILED if some files failed, or the status of an error that concerns all files. All errors
 * have been reported. */
static int pad_files(const pad_options *options);

/* One file. */

/* A smaller output is done before progress would show. */
enum { WORTH_WATCHING_BYTES = 16 << 20 };

static int write_output(const pad_options *options, const pad_problem *made,
                        const tpad_tensor *input, const tpad_tensor *like, int64_t bytes)
{
    tpad_output *output = NULL;
    tpad_io_error error;
    progress shown;
    if (outputs_begin(&output, options->out, like, options->force, &error) != TPAD_OK)
        return report_io(&error, options->out, NULL);
    const tpad_runner *threads = tpad_threads_runner(options->threads);
    const tpad_runner *watched = progress_begin(&shown, options->quiet, threads);
    int32_t code = tpad_run_fill(&made->plan, input->data, tpad_output_data(output), &made->fill,
                                 bytes >= WORTH_WATCHING_BYTES ? watched : threads);
    progress_end(&shown);
    if (code != TPAD_OK) {
        outputs_discard(output);
        return report_refusal(code, options->in, "%s: the plan did not run", options->in);
    }
    if (outputs_commit(output, &error) != TPAD_OK) return report_io(&error, options->out, NULL);
    outputs_remark(options->quiet, options->out, like, input);
    return EXIT_DONE;
}

static int pad_tensor(const pad_options *options, const tpad_tensor *input)
{
    pad_problem made;
    tpad_tensor like = *input;
    int64_t bytes = 0;
    int status = pad_problem_make(&made, options, input);
    like.data = NULL;
    if (status == EXIT_DONE) {
        tpad_shape(&made.problem, like.shape, NULL, &bytes,
                   NULL); /* cannot fail after the plan was made */
        status = write_output(options, &made, input, &like, bytes);
    }
    pad_problem_free(&made);
    return status;
}

static int pad_file(const pad_options *options)
{
    tpad_tensor input = {0};
    tpad_io_error error;
    if (tpad_tensor_load(&input, options->in, options->dtype, &error) != TPAD_OK)
        return report_io(&error, options->in, NULL);
    const int status = pad_tensor(options, &input);
    tpad_tensor_free(&input);
    return status;
}

/* Many files. Errors that concern all files are found before the first is read; after that each
 * file is on its own. Only file names are kept in memory. */

/* The outcome of a file. */
enum { PADDED, SKIPPED, FAILED, OUTCOMES };

typedef struct work {
    const pad_options *options;
    atomic_llong count[OUTCOMES];
} work;

static int no_memory(void)
{
    return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* The last part of a path; "" if it ends with a slash, as only folders do. */
static const char *name_of(const char *path)
{
    const char *slash = system_last_slash(path);
    return slash ? slash + 1 : path;
}

/* The path of a file's output, freed by the caller; NULL: out of memory. */
static char *target_of(const pad_options *options, const char *path)
{
    const char *folder = options->out_dir;
    char *target;
    const char *between = strchr(SYSTEM_SLASHES, folder[strlen(folder) - 1]) ? "" : "/";
    return asprintf(&target, "%s%s%s", folder, between, name_of(path)) < 0 ? NULL : target;
}

static int by_name(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return system_compare_names(name_of(*left), name_of(*right));
}

static int refuse_same_name(const char *first, const char *second)
{
    return report_usage("pad: '%s' and '%s' would both become '%s' in the folder of --out-dir: pad "
                        "them in two calls, into two folders",
                        first, second, name_of(first));
}

static int check_names(const pad_options *options)
{
    int status = EXIT_DONE;
    const size_t count = (size_t)options->file_count;
    const char **sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL) return no_memory();
    memcpy(sorted, options->files, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 0; status == EXIT_DONE && i < count; i++) {
        if (strcmp(sorted[i], "-") == 0)
            status = report_usage("pad: standard input has no name for --out-dir: name files");
        else if (i > 0 && *name_of(sorted[i]) && by_name(&sorted[i - 1], &sorted[i]) == 0)
            status = refuse_same_name(sorted[i - 1], sorted[i]);
    }
    free(sorted);
    return status;
}

/* ---- The folder ------------------------------------------------------------------------------ */

/* Makes a folder and its missing parents. Returns 0, or -1 with errno. */
static int make_folders(char *path)
{
    system_entry entry;
    if (system_look(path, &entry) != 0) return -1;
    if (entry.kind != SYSTEM_ABSENT) {
        errno = ENOTDIR;
        return entry.kind == SYSTEM_FOLDER ? 0 : -1;
    }
    char *slash = system_last_slash(path);
    if (slash && slash > path && strchr(SYSTEM_SLASHES, *slash)) {
        const char kept = *slash;
        *slash = 0;
        const int result = make_folders(path);
        *slash = kept;
        if (result != 0) return -1;
    }
    /* Another program may have made it meanwhile. A dangling link also counts as existing. */
    if (system_make_folder(path) == 0) return 0;
    const int number = errno;
    const int there = number == EEXIST && system_look(path, &entry) == 0;
    errno = number;
    return there && entry.kind != SYSTEM_ABSENT ? 0 : -1;
}

static int make_out_dir(const pad_options *options)
{
    char *path = strdup(options->out_dir);
    if (path == NULL) return no_memory();
    const int is_there = make_folders(path) == 0;
    free(path);
    if (is_there) return EXIT_DONE;
    return report_refusal(TPAD_E_IO, options->out_dir, "%s: cannot be the folder of --out-dir: %s",
                          options->out_dir, strerror(errno));
}

/* ---- Inputs and outputs apart ---------------------------------------------------------------- */

/* A file that exists. */
typedef struct place {
    uint64_t device, number;
    const char *path; /* of the input, as it was given */
    int is_output;
} place;

static int by_place(const void *a, const void *b)
{
    const place *left = a, *right = b;
    if (left->device != right->device) return left->device < right->device ? -1 : 1;
    if (left->number != right->number) return left->number < right->number ? -1 : 1;
    return right->is_output - left->is_output;
}

static size_t add_place(place *places, size_t count, const char *at, const char *path,
                        int is_output)
{
    system_entry entry;
    if (system_look(at, &entry) != 0 || entry.kind != SYSTEM_FILE) return count;
    places[count] = (place){entry.device, entry.number, path, is_output};
    return count + 1;
}

static int refuse_same_file(const pad_options *options, const place *first, const place *second)
{
    if (first->path == second->path)
        return report_refusal(TPAD_E_ARGUMENT, first->path,
                              "'%s' would be input and output: --out-dir must be another folder, "
                              "also with -f",
                              first->path);
    char *target = target_of(options, first->path),
         *other_target = target_of(options, second->path);
    int status;
    if (target == NULL || other_target == NULL)
        status = no_memory();
    else
        status =
            report_refusal(TPAD_E_ARGUMENT, target,
                           "'%s', the output of '%s', and '%s' are the same file: --out-dir "
                           "must be another folder, also with -f",
                           target, first->path, second->is_output ? other_target : second->path);
    free(target);
    free(other_target);
    return status;
}

/* No output may be an input or another output, even through links. Only files that exist can be. */
static int check_places(const pad_options *options)
{
    int status = EXIT_DONE;
    size_t count = 0;
    place *places = malloc(2 * (size_t)options->file_count * sizeof *places);
    if (places == NULL) return no_memory();
    for (int64_t i = 0; status == EXIT_DONE && i < options->file_count; i++) {
        const char *path = options->files[i];
        char *target = target_of(options, path);
        if (target == NULL) status = no_memory();
        if (target) count = add_place(places, count, target, path, 1);
        count = add_place(places, count, path, path, 0);
        free(target);
    }
    qsort(places, count, sizeof *places, by_place);
    for (size_t i = 1; status == EXIT_DONE && i < count; i++) {
        const place *previous = &places[i - 1], *next = &places[i];
        if (previous->is_output && previous->device == next->device &&
            previous->number == next->number)
            status = refuse_same_file(options, previous, next);
    }
    free(places);
    return status;
}

/* ---- One of the files ------------------------------------------------------------------------ */

/* An input must be a regular file: reading a pipe might wait for ever. */
static int check_input(const char *path)
{
    system_entry entry;
    if (system_look(path, &entry) != 0 || entry.kind == SYSTEM_ABSENT || entry.kind == SYSTEM_FILE)
        return EXIT_DONE; /* or opening it fails */
    if (entry.kind == SYSTEM_FOLDER)
        return report_refusal(TPAD_E_IO, path,
                              "%s: is a folder: name the files in it, as DIR/*.png", path);
    return report_refusal(TPAD_E_IO, path,
                          "%s: is not a regular file: pad it alone, without --out-dir", path);
}

static int pad_into(const pad_options *options, const char *path, const char *target)
{
    pad_options file_options = *options;
    system_entry entry;
    if (check_input(path) != EXIT_DONE) return FAILED;
    if (system_look(target, &entry) == 0 && entry.kind != SYSTEM_ABSENT) {
        if (entry.kind != SYSTEM_FILE) {
            report_refusal(TPAD_E_EXISTS, target, "%s: exists and is not a regular file", target);
            return FAILED;
        }
        if (!options->force) return SKIPPED;
    }
    file_options.in = path;
    file_options.out = target;
    file_options.quiet = 1;
    return pad_file(&file_options) == EXIT_DONE ? PADDED : FAILED;
}

static void pad_at(void *context, int64_t index)
{
    work *all = context;
    const char *path = all->options->files[index];
    char *target = target_of(all->options, path);
    if (target == NULL) no_memory();
    const int outcome = target ? pad_into(all->options, path, target) : FAILED;
    free(target);
    atomic_fetch_add(&all->count[outcome], 1);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static int write_summary(const pad_options *options, work *all)
{
    if (options->quiet) return EXIT_DONE;
    long long counts[OUTCOMES];
    for (int i = 0; i < OUTCOMES; i++) counts[i] = atomic_load(&all->count[i]);
    if (!report_is_json()) {
        write_plain(stderr, options->out_dir);
        fprintf(stderr, ": padded %lld %s, skipped %lld that %s, failed %lld\n", counts[PADDED],
                counts[PADDED] == 1 ? "file" : "files", counts[SKIPPED],
                counts[SKIPPED] == 1 ? "exists" : "exist", counts[FAILED]);
        return EXIT_DONE;
    }
    json writer = {stdout, 0};
    json_open(&writer, '{');
    json_text_field(&writer, "out_dir", options->out_dir);
    json_key(&writer, "padded");
    json_integer(&writer, counts[PADDED]);
    json_key(&writer, "skipped");
    json_integer(&writer, counts[SKIPPED]);
    json_key(&writer, "failed");
    json_integer(&writer, counts[FAILED]);
    json_close(&writer, '}');
    putchar('\n');
    return report_stdout_end();
}

/* Each thread takes one file after the other. A run in such a thread finds the pool in use and uses
 * only this thread; a single file uses all threads. */
static int pad_files(const pad_options *options)
{
    work all = {.options = options};
    progress shown;
    int status = check_names(options);
    if (status == EXIT_DONE) status = check_places(options);
    if (status == EXIT_DONE) status = make_out_dir(options);
    if (status != EXIT_DONE) return status;
    const tpad_runner *runner = progress_begin_counting(
        &shown, options->quiet, tpad_threads_runner(options->threads), "files");
    if (runner)
        runner->run(runner->context, options->file_count, pad_at, &all);
    else
        for (int64_t i = 0; i < options->file_count; i++) pad_at(&all, i);
    progress_end(&shown);
    status = write_summary(options, &all);
    return atomic_load(&all.count[FAILED]) > 0 ? EXIT_FAILED : status;
}

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
            return report_usage("pad: --out-dir '' is not a folder; . is the current one");
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

/* Refuses options that exclude each other. */
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
