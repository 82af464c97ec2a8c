/* The findings of `tensorpad check` as commands of GitHub's workflows. SPDX-License-Identifier: MIT
 *
 * One line for each finding: "::error file=PATH,title=TP104 ort-1.31::NODE: TEXT". */
#include <string.h>

#include "check_results.h"

/* Without the characters that would end the line, or in a property the property, and those that would
 * change how the line looks. */
static void write_escaped(FILE *out, const char *text, int in_property)
{
    while (*text) {
        const unsigned char c = (unsigned char)*text;
        char piece[TPAD_PRINTABLE_BYTES];
        if (c < ' ' || c == 127 || c == '%' || (in_property && (c == ':' || c == ','))) {
            fprintf(out, "%%%02X", (unsigned)c);
            text++;
        } else {
            text += tpad_printable_next(piece, text, strlen(text));
            fputs(piece, out);
        }
    }
}

static void github_node(check_run *run, const char *path, const check_node *node)
{
    static const char *const words[] = {"notice", "warning", "error"};
    for (int32_t k = 0; k < run->targets.count; k++) {
        const check_verdict *verdict = &node->verdicts[k];
        const int level = check_level(verdict->found.verdict.kind);
        if (level < 0 || verdict->accepted) continue;
        fprintf(run->out, "::%s file=", words[level]);
        write_escaped(run->out, path, 1);
        fprintf(run->out, ",title=%s%s", verdict->found.code, *verdict->found.code ? " " : "");
        write_escaped(run->out, run->targets.items[k].name, 1);
        fputs("::", run->out);
        if (*node->pad->graph) write_escaped(run->out, node->pad->graph, 0);
        if (*node->pad->graph) fputc('/', run->out);
        write_escaped(run->out, node->name, 0);
        fprintf(run->out, ": %s: ", tpad_rules_kind_name(verdict->found.verdict.kind));
        write_escaped(run->out, verdict->found.text, 0);
        fputc('\n', run->out);
    }
}

const check_format check_github = {"github", NULL, NULL, github_node, NULL, NULL};
