/* The findings that a baseline accepts.  SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check_results.h"
#include "error_report.h"
#include "output_signals.h"
#include "port/system.h"

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
