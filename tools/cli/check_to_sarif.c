/* The findings of `tensorpad check` as SARIF 2.1.0.  SPDX-License-Identifier: MIT
 *
 * The form that services which show findings in source code read. A model is an artifact, a node a
 * logical location in it. */
#include <string.h>

#include "check_results.h"
#include "port/system.h"

static const char *level_word(int level)
{
    return level == 2 ? "error" : level == 1 ? "warning" : "note";
}

/* A member that holds an object with the one member "text". */
static void text_object(json *writer, const char *name, const char *text)
{
    json_key(writer, name);
    json_open(writer, '{');
    json_text_field(writer, "text", text);
    json_close(writer, '}');
}

static void write_rule(json *writer, const tpad_rules_page *page)
{
    char code[TPAD_RULES_CODE_BYTES];
    tpad_rules_code_text(code, page->code);
    json_open(writer, '{');
    json_text_field(writer, "id", code);
    text_object(writer, "shortDescription", page->title);
    text_object(writer, "fullDescription", page->text);
    text_object(writer, "help", page->ways_out);
    json_key(writer, "defaultConfiguration");
    json_open(writer, '{');
    json_text_field(writer, "level", level_word(check_level(page->kind)));
    json_close(writer, '}');
    json_close(writer, '}');
}

static void begin_sarif(check_run *run)
{
    json *writer = &run->writer;
    tpad_rules_page page;
    *writer = (json){run->out, 0};
    json_open(writer, '{');
    json_text_field(writer, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_text_field(writer, "version", "2.1.0");
    json_key(writer, "runs");
    json_open(writer, '[');
    json_open(writer, '{');
    json_key(writer, "tool");
    json_open(writer, '{');
    json_key(writer, "driver");
    json_open(writer, '{');
    json_text_field(writer, "name", "tensorpad");
    json_text_field(writer, "version", tpad_version());
    json_key(writer, "rules");
    json_open(writer, '[');
    for (int32_t i = 0; tpad_rules_page_at(&page, i); i++) write_rule(writer, &page);
    json_close(writer, ']');
    json_close(writer, '}');
    json_close(writer, '}');
    json_key(writer, "results");
    json_open(writer, '[');
}

enum { PATH_BYTES = 4096 }; /* a file that was opened has no longer path */

/* A path as a URI: / is between its parts, and what is not allowed in one is written as %XX. */
static void as_uri(char uri[3 * PATH_BYTES + 1], const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-._~";
    for (int i = 0; i < PATH_BYTES && path[i]; i++) {
        if (strchr(system_slashes, path[i])) {
            *uri++ = '/';
        } else if (strchr(plain, path[i])) {
            *uri++ = path[i];
        } else {
            uri += sprintf(uri, "%%%02X", (unsigned)(unsigned char)path[i]);
        }
    }
    *uri = 0;
}

static void write_location(json *writer, const char *path, const check_node *node)
{
    char uri[3 * PATH_BYTES + 1];
    as_uri(uri, path);
    json_key(writer, "locations");
    json_open(writer, '[');
    json_open(writer, '{');
    json_key(writer, "physicalLocation");
    json_open(writer, '{');
    json_key(writer, "artifactLocation");
    json_open(writer, '{');
    json_text_field(writer, "uri", uri);
    json_close(writer, '}');
    json_close(writer, '}');
    json_key(writer, "logicalLocations");
    json_open(writer, '[');
    json_open(writer, '{');
    json_text_field(writer, "name", node->name);
    json_text_field(writer, "kind", "element");
    if (*node->pad->graph) json_text_field(writer, "decoratedName", node->pad->graph);
    json_close(writer, '}');
    json_close(writer, ']');
    json_close(writer, '}');
    json_close(writer, ']');
}

static void write_result(json *writer, const char *path, const check_node *node, const char *target,
                         const check_verdict *verdict)
{
    char message[TPAD_RULES_TEXT_BYTES + 128];
    snprintf(message, sizeof message, "%s %s: %s", target,
             tpad_rules_kind_name(verdict->found.verdict.kind), verdict->found.text);
    json_open(writer, '{');
    if (*verdict->found.code) json_text_field(writer, "ruleId", verdict->found.code);
    json_text_field(writer, "level", level_word(check_level(verdict->found.verdict.kind)));
    text_object(writer, "message", message);
    write_location(writer, path, node);
    json_close(writer, '}');
}

static void write_node(check_run *run, const char *path, const check_node *node)
{
    for (int32_t k = 0; k < run->targets.count; k++)
        if (check_level(node->verdicts[k].found.verdict.kind) >= 0 && !node->verdicts[k].accepted)
            write_result(&run->writer, path, node, run->targets.items[k].name, &node->verdicts[k]);
}

static void end_sarif(check_run *run)
{
    json *writer = &run->writer;
    json_close(writer, ']');
    json_close(writer, '}');
    json_close(writer, ']');
    json_close(writer, '}');
    fputc('\n', run->out);
}

const check_format check_sarif = {"sarif", begin_sarif, NULL, write_node, NULL, end_sarif};
