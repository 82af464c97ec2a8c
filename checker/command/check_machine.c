/* The findings of `tensorpad check` as one JSON object, for programs. SPDX-License-Identifier: MIT
 *
 * docs/check.schema.json describes it. A change that breaks older readers increments
 * CHECK_SCHEMA. */
#include <string.h>

#include "check.h"
#include "formats/port/system.h"

enum { CHECK_SCHEMA = 1 };

static void begin_json(check_run *run)
{
    run->writer = (json){run->out, 0};
    json_open(&run->writer, '{');
    json_integer_field(&run->writer, "schema", 1, CHECK_SCHEMA);
    json_key(&run->writer, "models");
    json_open(&run->writer, '[');
}

static void model_begin(check_run *run, const char *path, const char *error, int64_t pads)
{
    (void)pads;
    json_open(&run->writer, '{');
    json_text_field(&run->writer, "path", path);
    json_text_field(&run->writer, "error", error);
    json_key(&run->writer, "skipped");
    json_open(&run->writer, '[');
    for (int32_t i = 0; i < run->model_lacks.count; i++)
        json_text(&run->writer, run->model_lacks.items[i].name);
    json_close(&run->writer, ']');
    json_key(&run->writer, "nodes");
    json_open(&run->writer, '[');
}

/* Extents that would make an unknown verdict `same`, or null. */
static void write_bounds(json *writer, const tpad_rules_finding *finding, int32_t rank)
{
    json_key(writer, "same_if");
    if (!finding->has_bounds) {
        json_null(writer);
        return;
    }
    json_open(writer, '[');
    for (int32_t axis = 0; axis < rank; axis++) {
        if (finding->least[axis] <= 1) continue;
        json_open(writer, '{');
        json_key(writer, "axis");
        json_integer(writer, axis);
        json_key(writer, "least");
        json_integer(writer, finding->least[axis]);
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

static void write_verdict(json *writer, const char *target, const check_verdict *verdict,
                          int32_t rank)
{
    json_open(writer, '{');
    json_text_field(writer, "target", target);
    json_text_field(writer, "verdict", tpad_rules_kind_name(verdict->found.verdict.kind));
    json_text_field(writer, "code", *verdict->found.code ? verdict->found.code : NULL);
    json_key(writer, "measured");
    json_boolean(writer, verdict->found.verdict.measured);
    json_key(writer, "accepted");
    json_boolean(writer, verdict->accepted);
    json_text_field(writer, "missing", tpad_rules_missing_name(verdict->found.verdict.missing));
    json_integer_field(writer, "axis", verdict->found.verdict.axis >= 0,
                       verdict->found.verdict.axis);
    json_text_field(writer, "text", verdict->found.text);
    write_bounds(writer, &verdict->found, rank);
    json_close(writer, '}');
}

static void json_node(check_run *run, const char *path, const check_node *node)
{
    json *writer = &run->writer;
    const tpad_pad_node *pad = node->pad;
    (void)path;
    json_open(writer, '{');
    json_text_field(writer, "name", node->name);
    json_text_field(writer, "graph", pad->graph);
    json_integer_field(writer, "opset", node->facts->opset > 0, node->facts->opset);
    json_text_field(writer, "mode", pad->mode);
    json_text_field(writer, "type", pad->type_name);
    json_integers_field(writer, "input_shape", pad->in_rank, pad->in_shape, 1);
    json_integers_field(writer, "output_shape", pad->out_rank, pad->out_shape, 1);
    json_integers_field(writer, "begin", pad->pads_count, pad->begin, 0);
    json_integers_field(writer, "end", pad->pads_count, pad->end, 0);
    json_integers_field(writer, "axes", pad->axes_count, pad->axes, 0);
    json_text_field(writer, "value", pad->value);
    json_key(writer, "verdicts");
    json_open(writer, '[');
    for (int32_t k = 0; k < run->targets.count; k++)
        write_verdict(writer, run->targets.items[k].name, &node->verdicts[k], node->facts->rank);
    json_close(writer, ']');
    json_close(writer, '}');
}

static void model_end(check_run *run)
{
    json_close(&run->writer, ']');
    json_close(&run->writer, '}');
}

static void end_json(check_run *run)
{
    json_close(&run->writer, ']');
    json_close(&run->writer, '}');
    fputc('\n', run->out);
}

const check_format check_json = {"json", begin_json, model_begin, json_node, model_end, end_json};

/* The findings of `tensorpad check` as SARIF 2.1.0.
 *
 * The format read by services that annotate source code. A model is an artifact, a node a logical
 * location in it. */

static const char *level_word(int level)
{
    return level == 2 ? "error" : level == 1 ? "warning" : "note";
}

/* A member that is an object whose only member is "text". */
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

enum { PATH_BYTES = 4096 }; /* the longest path that can be opened */

/* A path as a URI: separated by /, with other characters escaped as %XX. */
static void as_uri(char uri[3 * PATH_BYTES + 1], const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789-._~";
    for (int i = 0; i < PATH_BYTES && path[i]; i++) {
        if (strchr(SYSTEM_SLASHES, path[i])) {
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

/* The findings of `tensorpad check` as GitHub workflow commands, one line each:
 * "::error file=PATH,title=TP104 ort-1.31::NODE: TEXT". */

/* Escapes characters that would end the line (in a property: the property) or garble it. */
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
    static const char *const levels[] = {"notice", "warning", "error"};
    for (int32_t k = 0; k < run->targets.count; k++) {
        const check_verdict *verdict = &node->verdicts[k];
        const int level = check_level(verdict->found.verdict.kind);
        if (level < 0 || verdict->accepted) continue;
        fprintf(run->out, "::%s file=", levels[level]);
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
