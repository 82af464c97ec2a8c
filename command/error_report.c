/* The command's errors and its exit status.  SPDX-License-Identifier: MIT */
#include "error_report.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "json_writer.h"

enum { LINE_BYTES = 8192 };

static int as_json;
static const char *words_file; /* NULL: the command line */
static long words_line;

void report_as_json(int wanted)
{
    as_json = wanted;
}
int report_is_json(void)
{
    return as_json;
}

void report_words_of(const char *file, long line)
{
    words_file = file;
    words_line = line;
}

/* Held while writing to standard error. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static int progress_shown;

static void remove_progress(void)
{
    if (progress_shown) fputs("\r\033[K", stderr);
    progress_shown = 0;
}

void report_progress(const char *line)
{
    pthread_mutex_lock(&one_at_a_time);
    remove_progress();
    if (line) fputs(line, stderr);
    progress_shown = line != NULL;
    pthread_mutex_unlock(&one_at_a_time);
}

void write_plain(FILE *out, const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        char piece[TPAD_PRINTABLE_BYTES];
        const size_t length = tpad_printable_next(piece, text, left);
        fputs(piece, out);
        text += length;
        left -= length;
    }
}

typedef struct failure {
    int status;
    const char *code;
    const char *text;
    const char *file;
    const char *node;
    const tpad_error *numbers; /* NULL: only a text */
} failure;

/* 1 if the error's template uses that number; otherwise the number is meaningless. */
static int speaks_of(const tpad_error *error, const char *mark)
{
    return error && error->text && strstr(error->text, mark) != NULL;
}

static void write_text(const failure *what)
{
    fputs("tensorpad: ", stderr);
    write_plain(stderr, what->text);
}

static void write_object(const failure *what)
{
    const tpad_error *numbers = what->numbers;
    json writer = {stderr, 0};
    json_open(&writer, '{');
    json_key(&writer, "error");
    json_open(&writer, '{');
    json_key(&writer, "status");
    json_integer(&writer, what->status);
    json_text_field(&writer, "code", what->code);
    json_text_field(&writer, "text", what->text);
    json_text_field(&writer, "file", what->file);
    json_text_field(&writer, "node", what->node);
    json_integer_field(&writer, "axis", numbers && numbers->axis >= 0, numbers ? numbers->axis : 0);
    json_integer_field(&writer, "got", speaks_of(numbers, "%g"), numbers ? numbers->got : 0);
    json_integer_field(&writer, "limit", speaks_of(numbers, "%l"), numbers ? numbers->limit : 0);
    json_close(&writer, '}');
    json_close(&writer, '}');
}

static int report(const failure *what)
{
    pthread_mutex_lock(&one_at_a_time);
    remove_progress();
    if (as_json)
        write_object(what);
    else
        write_text(what);
    fputc('\n', stderr);
    pthread_mutex_unlock(&one_at_a_time);
    return what->status;
}

static int status_of(int32_t code)
{
    switch (code) {
    case TPAD_E_IO:
    case TPAD_E_MEMORY:
    case TPAD_E_EXISTS:
        return EXIT_FAILED;
    default:
        return EXIT_REFUSED;
    }
}

int report_usage(const char *format, ...)
{
    char line[LINE_BYTES];
    int used = 0;
    va_list list;
    if (words_file)
        used = snprintf(line, sizeof line, "%.4096s: line %ld: ", words_file, words_line);
    va_start(list, format);
    vsnprintf(line + used, sizeof line - (size_t)used, format, list);
    va_end(list);
    return report(&(failure){.status = words_file ? EXIT_REFUSED : EXIT_USAGE,
                             .code = words_file ? tpad_status_name(TPAD_E_FILE) : "USAGE",
                             .text = line,
                             .file = words_file});
}

int report_io(const tpad_io_error *error, const char *file, const char *node)
{
    return report(&(failure){.status = status_of(error->code),
                             .code = tpad_status_name(error->code),
                             .text = error->text,
                             .file = file,
                             .node = node});
}

int report_numbers(const tpad_error *error, const char *file, const char *text)
{
    return report(&(failure){.status = status_of(error->code),
                             .code = tpad_status_name(error->code),
                             .text = text,
                             .file = file,
                             .numbers = error});
}

int report_core(const tpad_error *error, const char *about)
{
    char line[LINE_BYTES];
    int used = snprintf(line, sizeof line, "%s: ", about);
    if (used > 0 && (size_t)used < sizeof line)
        tpad_error_format(error, line + used, sizeof line - (size_t)used);
    return report_numbers(error, about, line);
}

int report_refusal(int32_t code, const char *file, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    return report(&(failure){
        .status = status_of(code), .code = tpad_status_name(code), .text = line, .file = file});
}

int report_without_checker(void)
{
    return report_usage("this tensorpad was built without the checker, which reads models: build "
                        "it with -DTENSORPAD_CHECKER=ON, and with nanopb (.onnx) or expat (.xml)");
}

int report_stdout_end(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_DONE;
    return report_refusal(TPAD_E_IO, NULL, "standard output: not everything could be written (%s)",
                          strerror(errno));
}
