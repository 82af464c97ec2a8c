/* OpenVINO IR that is lowered: the text up to the first NUL is the .xml, the rest the .bin.
 * SPDX-License-Identifier: MIT
 *
 * Any model that loads is planned for OpenVINO and written. The output must load again and differ
 * from the input only in its Pad layers, which a walk of our own finds out, and the .bin only in
 * what follows its old bytes; no rewritten Pad may leave one after that is wrong. */
#include "models/folding/folding.h"
#include "models/lowering/lowering.h"
#include "runtimes/runtimes.h"
#include <expat.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "target.h"

/* ---- A walk through both texts --------------------------------------------------------------- */

enum { MOST_PADS = 4096, MOST_DEPTH = 300 };

/* A layer: in which graph of the file, counted from the first, and its id. */
typedef struct place {
    int graph;
    long long id;
} place;

/* What is left of a text without its Pads, blanks between elements, and edges to Pads. */
typedef struct walk {
    XML_Parser parser;
    content rest;
    int depth, skipped;     /* skipped: the depth of the element that is left out, or 0 */
    int graphs[MOST_DEPTH]; /* the graph at each depth */
    int in_layers[MOST_DEPTH], in_edges[MOST_DEPTH];
    int graph_count;
    const place *pads; /* of the old text; NULL: this is the old one */
    place *found;
    size_t pad_count;
    long long last_id; /* of the old text */
} walk;

static const char *find(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0) return attributes[1];
    return "";
}

static int is_pad(const walk *w, place p)
{
    const place *pads = w->pads ? w->pads : w->found;
    for (size_t i = 0; i < w->pad_count; i++)
        if (pads[i].graph == p.graph && pads[i].id == p.id) return 1;
    return w->pads && p.id > w->last_id;
}

static int is_left_out(walk *w, const char *name, const char **attributes)
{
    place p = {w->graphs[w->depth], 0};
    if (w->in_layers[w->depth] && strcmp(name, "layer") == 0) {
        p.id = atoll(find(attributes, "id"));
        if (!w->pads && p.id > w->last_id) w->last_id = p.id;
        if (!w->pads && strcasecmp(find(attributes, "type"), "Pad") == 0 &&
            w->pad_count < MOST_PADS)
            w->found[w->pad_count++] = p;
        return is_pad(w, p);
    }
    p.id = atoll(find(attributes, "to-layer"));
    return w->in_edges[w->depth] && strcmp(name, "edge") == 0 && is_pad(w, p);
}

static int ends_in_body(const char *name)
{
    const size_t length = strlen(name);
    return length >= 4 && strcmp(name + length - 4, "body") == 0;
}

static void XMLCALL on_begin(void *context, const char *name, const char **attributes)
{
    walk *w = context;
    MUST(w->depth + 1 < MOST_DEPTH);
    if (!w->skipped && w->depth && is_left_out(w, name, attributes)) w->skipped = w->depth + 1;
    w->graphs[w->depth + 1] = w->graphs[w->depth];
    if (w->depth == 0 || (!w->skipped && ends_in_body(name)))
        w->graphs[w->depth + 1] = ++w->graph_count;
    w->depth++;
    w->in_layers[w->depth] = strcmp(name, "layers") == 0;
    w->in_edges[w->depth] = strcmp(name, "edges") == 0;
    if (!w->skipped) XML_DefaultCurrent(w->parser);
}

static void XMLCALL on_end(void *context, const char *name)
{
    walk *w = context;
    (void)name;
    if (!w->skipped) XML_DefaultCurrent(w->parser);
    if (w->skipped == w->depth) w->skipped = 0;
    w->depth--;
}

/* Whatever is no tag, and tags that the functions above pass on. */
static void XMLCALL on_text(void *context, const char *text, int length)
{
    walk *w = context;
    for (int i = 0; i < length && !w->skipped; i++)
        if (!strchr(" \t\r\n", text[i])) w->rest.bytes[w->rest.count++] = (uint8_t)text[i];
}

static void take_rest(walk *w, content text)
{
    w->rest.bytes = malloc(3 * text.count + 1); /* it becomes UTF-8 */
    w->parser = XML_ParserCreate(NULL);
    MUST(w->rest.bytes && w->parser);
    XML_SetUserData(w->parser, w);
    XML_SetElementHandler(w->parser, on_begin, on_end);
    XML_SetDefaultHandler(w->parser, on_text);
    MUST(XML_Parse(w->parser, (const char *)text.bytes, (int)text.count, 1) == XML_STATUS_OK);
    XML_ParserFree(w->parser);
}

static void compare(content before, content after)
{
    static place pads[MOST_PADS];
    walk old = {.found = pads}, lowered = {.pads = pads};
    take_rest(&old, before);
    if (old.pad_count < MOST_PADS) {
        lowered.pad_count = old.pad_count;
        lowered.last_id = old.last_id;
        take_rest(&lowered, after);
        MUST(old.rest.count == lowered.rest.count &&
             memcmp(old.rest.bytes, lowered.rest.bytes, old.rest.count) == 0);
    }
    free(old.rest.bytes);
    free(lowered.rest.bytes);
}

/* ---- Lowering -------------------------------------------------------------------------------- */

static void write_model(const tpad_lowering *lowering, content written[2])
{
    tpad_io_error error = {0};
    tpad_output *outputs[2];
    const char *const names[] = {"out.xml", "out.bin"};
    for (int i = 0; i < 2; i++)
        MUST(tpad_output_begin(&outputs[i], names[i], NULL, 1, &error) == TPAD_OK);
    MUST(tpad_lowering_write(lowering, outputs[0], outputs[1], &error) == TPAD_OK);
    for (int i = 0; i < 2; i++) {
        MUST(tpad_output_commit(outputs[i], &error) == TPAD_OK);
        written[i] = fuzz_read(names[i]);
    }
}

/* How many Pads of a model are known to be wrong. */
static int64_t count_wrong(const tpad_model *model, tpad_rules_choice choice)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < tpad_model_pad_count(model); i++) {
        tpad_rules_verdict verdict;
        tpad_rules_judge(&verdict, tpad_model_facts_at(model, i), choice);
        wrong += verdict.kind != TPAD_RULES_SAME && verdict.kind != TPAD_RULES_UNKNOWN;
    }
    return wrong;
}

static void check(tpad_model *model, const tpad_lowering *lowering, tpad_rules_choice choice)
{
    content before[] = {fuzz_read("in.xml"), fuzz_read("in.bin")}, first[2], second[2];
    int64_t rewritten = 0, left = 0;
    for (int64_t i = 0; i < tpad_model_pad_count(model); i++) {
        const tpad_lowered_node *node = tpad_lowering_at(lowering, i);
        MUST((node->operators != NULL) == (node->outcome == TPAD_LOWER_REWRITTEN));
        MUST((node->reason != NULL) == (node->outcome == TPAD_LOWER_CANNOT));
        rewritten += node->outcome == TPAD_LOWER_REWRITTEN;
        left += node->outcome == TPAD_LOWER_CANNOT;
    }
    write_model(lowering, first);
    write_model(lowering, second);
    for (int i = 0; i < 2; i++) {
        MUST(first[i].count == second[i].count);
        MUST(memcmp(first[i].bytes, second[i].bytes, first[i].count) == 0);
        MUST(rewritten || first[i].count == before[i].count);
        MUST(i == 0 && rewritten
                 ? 1
                 : first[i].count >= before[i].count &&
                       memcmp(first[i].bytes, before[i].bytes, before[i].count) == 0);
    }
    if (rewritten) {
        tpad_io_error error = {0};
        tpad_model *again;
        compare(before[0], first[0]);
        MUST(tpad_model_load_shaped(&again, "out.xml", NULL, 0, &error) == TPAD_OK);
        MUST(count_wrong(again, choice) <= left);
        tpad_model_free(again);
    }
    for (int i = 0; i < 2; i++) {
        free(before[i].bytes);
        free(first[i].bytes);
        free(second[i].bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    const size_t text = end ? (size_t)(end - data) : size;
    tpad_io_error error = {0};
    tpad_model *model;
    tpad_lowering *lowering;
    tpad_rules_choice choice;
    MUST(tpad_rules_find(&choice, "openvino"));
    const tpad_lower_target target = {"openvino", &choice};
    fuzz_write("in.xml", data, text);
    fuzz_write("in.bin", end ? end + 1 : data, end ? size - text - 1 : 0);
    if (tpad_model_load_shaped(&model, "in.xml", NULL, 0, &error) != TPAD_OK) return 0;
    MUST(tpad_lowering_plan(&lowering, model, &target, 1, 0, &error) == TPAD_OK);
    check(model, lowering, choice);
    tpad_lowering_free(lowering);
    tpad_model_free(model);
    return 0;
}
