/* What the formats of `tensorpad check` share: totals, the baseline, and the models to read.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "command/error_report.h"
#include "command/output.h"
#include "formats/file.h"
#include "formats/port/system.h"

int check_level(int32_t kind)
{
    switch (kind) {
    case TPAD_RULES_SAME:
        return -1;
    case TPAD_RULES_UNKNOWN:
        return 0;
    case TPAD_RULES_ACCEPTS:
        return 1;
    default:
        return 2;
    }
}

/* Truncates long names. */
static void write_escaped(FILE *out, const char *name,
                          void (*write_name)(FILE *out, const char *text))
{
    char text[1024] = "";
    picture_text_add(text, sizeof text, name);
    write_name(out, text);
}

void check_note_size(check_run *run, const char *path, const tpad_pad_node *pad)
{
    double bytes = pad->out_rank < 0 ? 0 : tpad_onnx_type_bits(pad->type) / 8.0;
    for (int32_t i = 0; i < pad->out_rank; i++)
        bytes *= pad->out_shape[i] < 0 ? 0 : (double)pad->out_shape[i];
    if (bytes <= run->most_bytes) return;
    run->most_bytes = bytes;
    run->largest = path;
}

void check_write_totals(const check_run *run, void (*write_name)(FILE *out, const char *text))
{
    const char *between = ": ";
    fprintf(run->out, "%" PRId64 " model%s, %" PRId64 " Pad node%s", run->models,
            run->models == 1 ? "" : "s", run->nodes, run->nodes == 1 ? "" : "s");
    for (int32_t kind = TPAD_RULES_KINDS - 1; kind >= 0; kind--) {
        if (run->counts[kind] == 0) continue;
        fprintf(run->out, "%s%" PRId64 " %s", between, run->counts[kind],
                tpad_rules_kind_name(kind));
        between = ", ";
    }
    if (run->accepted) fprintf(run->out, ", %" PRId64 " accepted before", run->accepted);
    if (run->most_bytes >= 0x1p32) { /* a runtime may run out of memory */
        fprintf(run->out, "; the largest output takes %.1f GiB, in ", run->most_bytes / 0x1p30);
        write_escaped(run->out, run->largest, write_name);
    }
    if (run->unreadable)
        fprintf(run->out, "; %" PRId64 " model%s cannot be checked", run->unreadable,
                run->unreadable == 1 ? "" : "s");
    for (int32_t i = 0; i < run->lacks.count; i++) {
        fprintf(run->out, "; %" PRId64 " model%s no input or dimension ",
                run->lacks.items[i].models, run->lacks.items[i].models == 1 ? " has" : "s have");
        write_escaped(run->out, run->lacks.items[i].name, write_name);
    }
    if (run->witness && run->witnesses == 0) {
        fputs("; no witness", run->out);
    } else if (run->witness) {
        fprintf(run->out, "; %" PRId64 " witness%s in ", run->witnesses,
                run->witnesses == 1 ? "" : "es");
        write_escaped(run->out, run->witness, write_name);
    }
}

void check_collect_begin(check_run *run)
{
    report_begin(&run->report, &run->targets);
}

void check_collect_model(check_run *run, const char *path, const char *error, int64_t pads)
{
    (void)pads;
    report_model_add(&run->report, path, error);
}

void check_collect_node(check_run *run, const char *path, const check_node *node)
{
    (void)path;
    report_node_add(&run->report, node->pad, node->verdicts);
}

/* The baseline: accepted findings. */

static const char heading[] = "# Findings of tensorpad check that are accepted. Made by\n"
                              "# tensorpad check --write-baseline.\n";

int check_baseline_keep(check_baseline *baseline, char *line)
{
    if (baseline->count == baseline->room) {
        const size_t room = baseline->room ? 2 * baseline->room : 64;
        char **lines = realloc(baseline->lines, room * sizeof *lines);
        if (!lines) {
            free(line);
            return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
        }
        baseline->lines = lines;
        baseline->room = room;
    }
    baseline->lines[baseline->count++] = line;
    return EXIT_DONE;
}

char *check_baseline_line(const char *path, const check_node *node, const char *target,
                          const check_verdict *verdict)
{
    system_text line;
    FILE *out = system_text_begin(&line);
    if (out) {
        write_plain(out, path);
        fputc('\t', out);
        write_pad_name(out, node->pad);
        fprintf(out, "\t%s\t%s\t%s", target, verdict->found.code,
                tpad_rules_kind_name(verdict->found.verdict.kind));
    }
    if (!system_text_end(&line)) report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    return line.text;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort(check_baseline *baseline)
{
    if (baseline->count) qsort(baseline->lines, baseline->count, sizeof *baseline->lines, compare);
}

int check_lines_read(const char *path, check_line_taker *take, void *context)
{
    tpad_bytes bytes;
    tpad_io_error error;
    int status = EXIT_DONE;
    if (tpad_bytes_open(&bytes, path, &error) != TPAD_OK) return report_io(&error, path, NULL);
    const char *at = (const char *)bytes.data, *end = at + bytes.count;
    for (long number = 1; at < end && status == EXIT_DONE; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline ? newline : end) - at);
        char *line = malloc(length + 1);
        if (!line) {
            status = report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
            break;
        }
        memcpy(line, at, length);
        line[length] = 0;
        at += length + 1;
        if (length && line[length - 1] == '\r') line[--length] = 0; /* Git may check it out so */
        status = take(context, line, strlen(line) == length, path, number);
        free(line);
    }
    tpad_bytes_close(&bytes);
    return status;
}

static int take_finding(void *context, char *line, int is_text, const char *path, long number)
{
    int tabs = 0;
    if (is_text && (!*line || *line == '#')) return EXIT_DONE;
    for (const char *at = line; *at; at++) tabs += *at == '\t';
    if (tabs == 4 && is_text) {
        char *kept = strdup(line);
        return kept ? check_baseline_keep(context, kept)
                    : report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    }
    return report_refusal(
        TPAD_E_FILE, path,
        "%s: line %ld is not a finding: MODEL, NODE, TARGET, CODE and VERDICT with "
        "tabs between (--write-baseline makes the file)",
        path, number);
}

int check_baseline_read(check_baseline *baseline, const char *path)
{
    const int status = check_lines_read(path, take_finding, baseline);
    sort(baseline);
    return status;
}

int check_baseline_has(const check_baseline *baseline, const char *line)
{
    return baseline->count && bsearch(&line, baseline->lines, baseline->count,
                                      sizeof *baseline->lines, compare) != NULL;
}

int check_baseline_write(check_baseline *baseline, const char *path, int overwrite)
{
    system_text text;
    FILE *out = system_text_begin(&text);
    sort(baseline);
    if (out) fputs(heading, out);
    for (size_t i = 0; out && i < baseline->count; i++) fprintf(out, "%s\n", baseline->lines[i]);
    const int status = system_text_end(&text)
                           ? outputs_text(path, overwrite, text.text, text.bytes)
                           : report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    free(text.text);
    return status;
}

void check_baseline_free(check_baseline *baseline)
{
    for (size_t i = 0; i < baseline->count; i++) free(baseline->lines[i]);
    free(baseline->lines);
    *baseline = (check_baseline){0};
}

/* Finding the models to check. */

enum { DEEPEST = 64, HEAD_BYTES = 1024 };

static int no_memory(void)
{
    return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
}

/* Takes ownership of `path`, which is malloc'ed; reports NULL as out of memory. */
static int keep(check_paths *paths, char *path)
{
    if (path && paths->count == paths->room) {
        const size_t room = paths->room ? 2 * paths->room : 64;
        char **items = realloc(paths->items, room * sizeof *items);
        if (items) {
            paths->items = items;
            paths->room = room;
        }
    }
    if (!path || paths->count == paths->room) {
        free(path);
        return no_memory();
    }
    paths->items[paths->count++] = path;
    return EXIT_DONE;
}

static int ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), wanted = strlen(ending);
    return length > wanted && strcmp(text + length - wanted, ending) == 0;
}

/* An .xml file may be anything: an IR has the element <net near its beginning. */
static int is_ir(const char *path)
{
    tpad_bytes bytes;
    tpad_io_error error;
    char head[HEAD_BYTES + 1] = {0};
    const int failed = tpad_bytes_start(&bytes, path, &error) != TPAD_OK ||
                       tpad_bytes_reach(&bytes, path, HEAD_BYTES, &error) != TPAD_OK;
    if (!failed)
        memcpy(head, bytes.data, bytes.count < HEAD_BYTES ? (size_t)bytes.count : HEAD_BYTES);
    tpad_bytes_close(&bytes);
    return failed || strstr(head, "<net"); /* loading it as a model reports why */
}

static int add_folder(check_paths *paths, const char *folder, int depth);

static int add_entry(check_paths *paths, const char *folder, const char *name, int depth)
{
    system_entry entry;
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);
    int status = EXIT_DONE;
    if (!path) return no_memory();
    snprintf(path, bytes, "%s%s%s", folder, ends_with(folder, "/") ? "" : "/", name);
    const int is_model = ends_with(name, ".onnx") || ends_with(name, ".xml");
    if (system_look(path, &entry) != 0) {
        /* A link that cannot be followed: loading it as a model reports why. */
        if (entry.is_link && is_model) return keep(paths, path);
        if (!entry.is_link)
            status = report_refusal(TPAD_E_IO, path, "%s: %s", path, strerror(errno));
    } else if (entry.kind == SYSTEM_FOLDER && !entry.is_link) {
        status = add_folder(paths, path, depth + 1);
    } else if (entry.kind == SYSTEM_FILE && is_model && (ends_with(name, ".onnx") || is_ir(path))) {
        return keep(paths, path);
    }
    free(path);
    return status;
}

/* Does not follow links to folders, which could form a cycle. */
static int add_folder(check_paths *paths, const char *folder, int depth)
{
    char **names;
    int status = EXIT_DONE;
    if (depth > DEEPEST)
        return report_refusal(TPAD_E_IO, folder, "%s: more than %d folders inside each other",
                              folder, DEEPEST);
    const int count = system_list(folder, &names);
    if (count < 0) return report_refusal(TPAD_E_IO, folder, "%s: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (status == EXIT_DONE) status = add_entry(paths, folder, names[i], depth);
        free(names[i]);
    }
    free(names);
    return status;
}

int check_paths_add(check_paths *paths, const char *word, int *is_folder)
{
    system_entry entry;
    if (system_look(word, &entry) != 0 || entry.kind != SYSTEM_FOLDER)
        return keep(paths, strdup(word));
    *is_folder = 1;
    return add_folder(paths, word, 0);
}

void check_paths_free(check_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++) free(paths->items[i]);
    free(paths->items);
    *paths = (check_paths){0};
}
