/* What the forms of `tensorpad check` share.  SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "error_report.h"
#include "formats/port/system.h"
#include "output.h"

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

/* As far as there is room. */
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
    if (run->most_bytes >= 0x1p32) { /* a runtime may have no memory for what it would do right */
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

/* The findings that a baseline accepts. */

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
    char *line = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);
    if (out) {
        write_plain(out, path);
        fputc('\t', out);
        write_pad_name(out, node->pad);
        fprintf(out, "\t%s\t%s\t%s", target, verdict->found.code,
                tpad_rules_kind_name(verdict->found.verdict.kind));
    }
    if (outputs_memory_end(out, &line)) return line;
    report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    free(line);
    return NULL;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort(check_baseline *baseline)
{
    if (baseline->count) qsort(baseline->lines, baseline->count, sizeof *baseline->lines, compare);
}

int check_baseline_read(check_baseline *baseline, const char *path)
{
    char *line = NULL;
    size_t room = 0;
    long number = 0;
    int status = EXIT_DONE;
    FILE *file = fopen(path, "r");
    if (!file) return report_refusal(TPAD_E_IO, path, "%s: %s", path, strerror(errno));
    for (ssize_t length; status == EXIT_DONE && (length = getline(&line, &room, file)) >= 0;) {
        int tabs = 0;
        number++;
        if (length && line[length - 1] == '\n') line[--length] = 0;
        if (length && line[length - 1] == '\r') line[--length] = 0; /* as Git may check it out */
        if (length == 0 || *line == '#') continue;
        for (const char *at = line; *at; at++) tabs += *at == '\t';
        if (tabs != 4 || strlen(line) != (size_t)length) {
            status = report_refusal(TPAD_E_FILE, path,
                                    "%s: line %ld is no finding: MODEL, NODE, TARGET, CODE "
                                    "and VERDICT with tabs between (--write-baseline makes the "
                                    "file)",
                                    path, number);
        } else {
            status = check_baseline_keep(baseline, line);
            line = NULL;
            room = 0;
        }
    }
    if (status == EXIT_DONE && !feof(file)) /* getline failed */
        status = report_refusal(errno == ENOMEM ? TPAD_E_MEMORY : TPAD_E_IO, path, "%s: %s", path,
                                strerror(errno));
    free(line);
    fclose(file);
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
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    sort(baseline);
    if (out) fputs(heading, out);
    for (size_t i = 0; out && i < baseline->count; i++) fprintf(out, "%s\n", baseline->lines[i]);
    const int status = outputs_memory_end(out, &text)
                           ? outputs_text(path, overwrite, text, bytes)
                           : report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    free(text);
    return status;
}

void check_baseline_free(check_baseline *baseline)
{
    for (size_t i = 0; i < baseline->count; i++) free(baseline->lines[i]);
    free(baseline->lines);
    *baseline = (check_baseline){0};
}

/* The models that `tensorpad check` reads. */

enum { DEEPEST = 64, HEAD_BYTES = 1024 };

static int no_memory(void)
{
    return report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
}

/* Takes over `path`, which is malloc'ed; NULL is reported as no memory. */
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
    char head[HEAD_BYTES + 1];
    FILE *file = fopen(path, "rb");
    if (!file) return 1; /* reading it as a model says why it cannot be read */
    head[fread(head, 1, HEAD_BYTES, file)] = 0;
    fclose(file);
    return strstr(head, "<net") != NULL;
}

static int skip_dots(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int add_folder(check_paths *paths, const char *folder, int depth);

static int add_entry(check_paths *paths, const char *folder, const char *name, int depth)
{
    struct stat found;
    const size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(bytes);
    int status = EXIT_DONE;
    if (!path) return no_memory();
    snprintf(path, bytes, "%s%s%s", folder, ends_with(folder, "/") ? "" : "/", name);
    if (lstat(path, &found) != 0) {
        if (errno != ENOENT)
            status = report_refusal(TPAD_E_IO, path, "%s: %s", path, strerror(errno));
    } else if (S_ISDIR(found.st_mode)) {
        status = add_folder(paths, path, depth + 1);
    } else if (ends_with(name, ".onnx") || ends_with(name, ".xml")) {
        const int known = stat(path, &found) == 0; /* if not, reading it as a model says why */
        if (known ? S_ISREG(found.st_mode) && (ends_with(name, ".onnx") || is_ir(path))
                  : errno != ENOENT)
            return keep(paths, path);
    }
    free(path);
    return status;
}

/* Links to folders are not followed, so that there is no circle. */
static int add_folder(check_paths *paths, const char *folder, int depth)
{
    struct dirent **entries;
    int status = EXIT_DONE;
    if (depth > DEEPEST)
        return report_refusal(TPAD_E_IO, folder, "%s: more than %d folders inside each other",
                              folder, DEEPEST);
    const int count = scandir(folder, &entries, skip_dots, alphasort);
    if (count < 0) return report_refusal(TPAD_E_IO, folder, "%s: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        if (status == EXIT_DONE) status = add_entry(paths, folder, entries[i]->d_name, depth);
        free(entries[i]);
    }
    free(entries);
    return status;
}

int check_paths_add(check_paths *paths, const char *word, int *is_folder)
{
    struct stat found;
    if (stat(word, &found) != 0 || !S_ISDIR(found.st_mode)) return keep(paths, strdup(word));
    *is_folder = 1;
    return add_folder(paths, word, 0);
}

void check_paths_free(check_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++) free(paths->items[i]);
    free(paths->items);
    *paths = (check_paths){0};
}
