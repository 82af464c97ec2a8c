/* Output files that leave no temporary file behind: the signal handlers delete the files in a list.
 * SPDX-License-Identifier: MIT */
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "error_report.h"
#include "formats/port/system.h"

static int is_pipe(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* 1 for a device or a named pipe, which is written directly. */
static int is_special(const char *path)
{
    system_entry entry;
    return !is_pipe(path) && system_look(path, &entry) == 0 && entry.kind != SYSTEM_ABSENT &&
           entry.kind != SYSTEM_FILE;
}

/* ---- Temporary files and signals ------------------------------------------------------------- */

/* A signal handler must not call the library, so the names are copied here. */
typedef struct temporary {
    struct temporary *next;
    const tpad_output *output;
    char path[];
} temporary;

static temporary *temporaries;

/* A thread creates a temporary file and changes the list only inside a section, where the signals
 * that end the process are blocked for it. A handler in another thread waits until no thread is
 * inside; from then on, a thread that wants to enter sleeps until the process ends. */
static atomic_int inside;    /* number of threads */
static atomic_int is_ending; /* 1: a handler removes the temporary files */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER; /* the list; held inside only */
static _Thread_local int am_inside;

static void remove_temporaries(void)
{
    const struct timespec moment = {0, 1000000};
    /* SIGBUS may come inside a section, which this thread will not leave. */
    if (am_inside) atomic_fetch_sub(&inside, 1);
    atomic_store(&is_ending, 1);
    while (atomic_load(&inside) > 0) nanosleep(&moment, NULL);
    for (const temporary *at = temporaries; at; at = at->next) system_remove_at_end(at->path);
}

static void end_by_signal(int number)
{
    remove_temporaries();
    system_end(number);
}

/* If a mapped input becomes shorter, its disk fails, or the disk of a mapped output is full, the
 * system sends SIGBUS, at any instruction. */
static void end_by_lost_file(int number)
{
#define LOST_FILE                                                                                  \
    "a mapped file failed: an input became shorter or unreadable, or the disk of an output is "    \
    "full"
    static const char plain[] = "tensorpad: " LOST_FILE "\n";
    static const char object[] =
        "{\"error\":{\"status\":1,\"code\":\"E_IO\",\"text\":\"" LOST_FILE
        "\",\"file\":null,\"node\":null,\"axis\":null,\"got\":null,\"limit\":null}}\n";
    /* Several threads may get the signal at once. The first one reports the error and ends the
     * process. */
    static atomic_flag told = ATOMIC_FLAG_INIT;
    const char *text = report_is_json() ? object : plain;
    (void)number;
    if (atomic_flag_test_and_set(&told)) system_sleep();
    remove_temporaries();
    if (write(STDERR_FILENO, text, strlen(text)) < 0) _exit(EXIT_FAILED);
    _exit(EXIT_FAILED);
}

void outputs_handle_signals(void)
{
    system_on_signals(end_by_signal, end_by_lost_file);
}

static void section_enter(void)
{
    system_hold_signals();
    atomic_fetch_add(&inside, 1);
    am_inside = 1;
    if (!atomic_load(&is_ending)) return;
    am_inside = 0;
    atomic_fetch_sub(&inside, 1);
    system_sleep();
}

static void section_leave(void)
{
    am_inside = 0;
    atomic_fetch_sub(&inside, 1);
    system_release_signals();
}

static int32_t remember(tpad_output *output, tpad_io_error *error)
{
    const char *path = tpad_output_temporary(output);
    if (path == NULL) return TPAD_OK;
    size_t bytes = strlen(path) + 1;
    temporary *entry = malloc(sizeof *entry + bytes);
    if (entry == NULL) {
        error->code = TPAD_E_MEMORY;
        snprintf(error->text, sizeof error->text, "out of memory");
        return TPAD_E_MEMORY;
    }
    memcpy(entry->path, path, bytes);
    entry->output = output;
    pthread_mutex_lock(&one_at_a_time);
    entry->next = temporaries;
    temporaries = entry;
    pthread_mutex_unlock(&one_at_a_time);
    return TPAD_OK;
}

static temporary *find(const tpad_output *output)
{
    section_enter();
    pthread_mutex_lock(&one_at_a_time);
    temporary *at = temporaries;
    while (at && at->output != output) at = at->next;
    pthread_mutex_unlock(&one_at_a_time);
    section_leave();
    return at;
}

static void forget(temporary *entry)
{
    if (entry == NULL) return;
    section_enter();
    pthread_mutex_lock(&one_at_a_time);
    temporary **at = &temporaries;
    while (*at != entry) at = &(*at)->next;
    *at = entry->next;
    pthread_mutex_unlock(&one_at_a_time);
    section_leave();
    free(entry);
}

int32_t outputs_begin(tpad_output **output, const char *path, const tpad_tensor *like,
                      int32_t overwrite, tpad_io_error *error)
{
    /* A device or a pipe has no temporary file, and opening it may wait for a reader. A signal must
     * then end the process at once. */
    if (is_special(path)) return tpad_output_begin(output, path, like, overwrite, error);
    section_enter();
    int32_t code = tpad_output_begin(output, path, like, overwrite, error);
    if (code == TPAD_OK) {
        code = remember(*output, error);
        if (code != TPAD_OK) {
            tpad_output_discard(*output);
            *output = NULL;
        }
    }
    section_leave();
    return code;
}

int32_t outputs_commit(tpad_output *output, tpad_io_error *error)
{
    /* Not inside a section: a commit may wait for a pipe's reader for ever. */
    temporary *entry = find(output);
    int32_t code = tpad_output_commit(output, error);
    forget(entry);
    return code;
}

void outputs_discard(tpad_output *output)
{
    if (output == NULL) return;
    temporary *entry = find(output);
    tpad_output_discard(output);
    forget(entry);
}

/* ---- Outputs and inputs apart ---------------------------------------------------------------- */

/* Reports that two paths cannot be compared; errno says why. */
static int cannot_compare(int32_t code, const char *out, const char *other)
{
    return report_refusal(code, out, "%s: cannot find out whether it is the same file as '%s': %s",
                          out, other, strerror(errno));
}

int outputs_check_input(const char *out, const char *in)
{
    if (is_pipe(out) || is_pipe(in)) return EXIT_DONE;
    if (strcmp(out, in) == 0)
        return report_usage("'%s' is input and output: the output needs another name, also with -f",
                            out);
    const int same = tpad_same_file(in, out);
    if (same < 0) return cannot_compare(TPAD_E_IO, out, in);
    if (same)
        return report_refusal(TPAD_E_ARGUMENT, out,
                              "'%s' and '%s' are the same file: the output must be another one, "
                              "also with -f",
                              in, out);
    return EXIT_DONE;
}

/* The folder of a path. The last part of the path need not exist. */
static int32_t folder_of(const char *path, system_entry *folder, const char **last)
{
    const char *slash = system_last_slash(path);
    char *name;
    *last = slash ? slash + 1 : path;
    if (asprintf(&name, "%.*s.", (int)(*last - path), path) < 0) return TPAD_E_MEMORY;
    const int failed = system_look(name, folder);
    free(name);
    return failed ? TPAD_E_IO : TPAD_OK;
}

/* Determines whether two paths would make the same file. */
static int32_t same_place(const char *one, const char *other, int *same)
{
    system_entry folder_one, folder_other;
    const char *last_one, *last_other;
    int32_t code = folder_of(one, &folder_one, &last_one);
    if (code == TPAD_OK) code = folder_of(other, &folder_other, &last_other);
    *same = code == TPAD_OK && folder_one.kind != SYSTEM_ABSENT &&
            folder_other.kind != SYSTEM_ABSENT && system_compare_names(last_one, last_other) == 0 &&
            folder_one.device == folder_other.device && folder_one.number == folder_other.number;
    return code;
}

int outputs_check_pair(const char *one, const char *other)
{
    /* Devices and named pipes take any number of outputs, standard output only one. */
    if (is_special(one)) return EXIT_DONE;
    if (strcmp(one, other) == 0)
        return report_usage("'%s' is given for two outputs: each needs a file of its own", one);
    int same = tpad_same_file(one, other);
    const int32_t code = same < 0 ? TPAD_E_IO : same ? TPAD_OK : same_place(one, other, &same);
    if (code != TPAD_OK) return cannot_compare(code, one, other);
    if (same)
        return report_refusal(TPAD_E_ARGUMENT, one,
                              "'%s' and '%s' are the same file: each output needs its own", one,
                              other);
    return EXIT_DONE;
}

int outputs_check_terminal(const char *out)
{
    if (!is_pipe(out) || !system_is_terminal(STDOUT_FILENO)) return EXIT_DONE;
    return report_usage("standard output is a terminal: redirect it, or name a file instead of -");
}

/* ---- Remarks --------------------------------------------------------------------------------- */

/* The path for messages. */
static const char *outputs_display(const char *path)
{
    return is_pipe(path) ? "standard output" : path;
}

static void write_shape(FILE *out, const tpad_tensor *tensor)
{
    fputc('[', out);
    for (int32_t i = 0; i < tensor->rank; i++)
        fprintf(out, "%s%" PRId64, i ? "," : "", tensor->shape[i]);
    fputc(']', out);
}

void outputs_remark(int quiet, const char *path, const tpad_tensor *like, const tpad_tensor *was)
{
    if (!progress_wanted(quiet)) return;
    write_plain(stderr, outputs_display(path));
    fputs(": ", stderr);
    write_plain(stderr, tpad_tensor_type_text(like));
    fputc(' ', stderr);
    write_shape(stderr, like);
    if (was) {
        fputs(" (was ", stderr);
        write_shape(stderr, was);
        fputc(')', stderr);
    }
    fputc('\n', stderr);
}

int outputs_text(const char *path, int32_t overwrite, const char *text, size_t bytes)
{
    tpad_output *output;
    tpad_io_error error;
    int32_t status = outputs_begin(&output, path, NULL, overwrite, &error);
    if (status == TPAD_OK) {
        status = tpad_output_write(output, text, (int64_t)bytes, &error);
        if (status != TPAD_OK) outputs_discard(output);
    }
    if (status == TPAD_OK) status = outputs_commit(output, &error);
    return status == TPAD_OK ? EXIT_DONE : report_io(&error, path, NULL);
}

/* Pictures in files, and their texts. */

static int ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

int picture_check_name(const char *path)
{
    if (ends_in(path, ".svg")) return EXIT_DONE;
    return report_usage("show: -o '%s': a picture is an .svg, by the ending of its name", path);
}

int picture_commit(tpad_output *output, const char *path, tpad_drawing *drawing)
{
    tpad_written written = {0};
    tpad_io_error error;
    const int32_t status = tpad_drawing_svg(drawing, &written);
    tpad_drawing_free(drawing);
    int result = EXIT_DONE;
    if (status != TPAD_OK) {
        outputs_discard(output);
        return report_refusal(status, path, "%s: the picture cannot be made: %s", path,
                              tpad_status_text(status));
    }
    if (tpad_output_write(output, written.bytes, (int64_t)written.length, &error) != TPAD_OK) {
        outputs_discard(output);
        result = report_io(&error, path, NULL);
    } else if (outputs_commit(output, &error) != TPAD_OK) {
        result = report_io(&error, path, NULL);
    }
    free(written.bytes);
    return result;
}

void picture_text_add(char *text, size_t bytes, const char *more)
{
    size_t used = strlen(text), left = strlen(more);
    while (left > 0) {
        char piece[TPAD_PRINTABLE_BYTES];
        const size_t length = tpad_printable_next(piece, more, left);
        if (used + strlen(piece) >= bytes) return;
        used += (size_t)snprintf(text + used, bytes - used, "%s", piece);
        more += length;
        left -= length;
    }
}

/* Progress on a terminal. */

enum { PARTS = 256, LINE_BYTES = 80 };

static const double first_after = 1, next_after = 0.05; /* seconds */

int progress_wanted(int quiet)
{
    return !quiet && !report_is_json() && system_is_terminal(STDERR_FILENO);
}

static double seconds_since(const struct timespec *begun)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begun->tv_sec) + 1e-9 * (double)(now.tv_nsec - begun->tv_nsec);
}

static void run_part(void *context, int64_t index)
{
    progress *shown = context;
    shown->body(shown->user, index);
    const long long done = atomic_fetch_add(&shown->done, 1) + 1;
    /* Only the caller's thread writes, so the figures never decrease. */
    if (!pthread_equal(pthread_self(), shown->caller)) return;
    const double now = seconds_since(&shown->begun);
    if (now < first_after || now < shown->told + next_after) return;
    char line[LINE_BYTES];
    if (shown->unit)
        snprintf(line, sizeof line, "padding: %lld of %lld %s", done, (long long)shown->count,
                 shown->unit);
    else
        snprintf(line, sizeof line, "padding: %3d %%", (int)(100 * done / shown->count));
    report_progress(line);
    shown->told = now;
}

static int32_t run_parts(void *context, int64_t count, tpad_body body, void *user)
{
    progress *shown = context;
    shown->body = body;
    shown->user = user;
    shown->count = count;
    atomic_store(&shown->done, 0);
    if (shown->threads) return shown->threads->run(shown->threads->context, count, run_part, shown);
    for (int64_t i = 0; i < count; i++) run_part(shown, i);
    return 0;
}

const tpad_runner *progress_begin_counting(progress *shown, int quiet, const tpad_runner *threads,
                                           const char *unit)
{
    *shown = (progress){.runner = {sizeof(tpad_runner), shown, PARTS, run_parts},
                        .threads = threads,
                        .caller = pthread_self(),
                        .unit = unit};
    clock_gettime(CLOCK_MONOTONIC, &shown->begun);
    return progress_wanted(quiet) ? &shown->runner : threads;
}

const tpad_runner *progress_begin(progress *shown, int quiet, const tpad_runner *threads)
{
    return progress_begin_counting(shown, quiet, threads, NULL);
}

void progress_end(progress *shown)
{
    if (shown->told > 0) report_progress(NULL);
    shown->told = 0;
}
