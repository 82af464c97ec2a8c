/* Models in files: ONNX, or with OF_IR OpenVINO IR, where the text up to the first NUL is the .xml,
 * the rest the .bin.  SPDX-License-Identifier: MIT
 *
 * FUZZ_LOAD: tpad_model_read, or with folding tpad_model_load_shaped. */
#include "models/folding/folding.h"
#include "runtimes/runtimes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

enum { MOST_INPUTS = 16, MOST_ELEMENTS = 4096, MOST_OUTPUT = 1 << 20, MOST_JOBS = 12 };

/* Memory that a model may take: a node's own description, and a share for each byte. */
enum { SMALL_CHANGE = 5 << 18, RATIO = 64 };

static size_t sum;

static void read_text(const char *text)
{
    if (text) sum += strlen(text);
}

static void read_numbers(const int64_t *numbers, int32_t count)
{
    for (int32_t i = 0; i < count; i++) sum += (size_t)numbers[i];
}

static void read_node(const tpad_pad_node *node)
{
    MUST(node->name && node->graph && node->spec);
    const char *const texts[] = {node->name, node->graph, node->spec,  node->type_name,
                                 node->mode, node->value, node->output};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) read_text(texts[i]);
    for (int i = 0; i < 4; i++) {
        read_text(node->inputs[i]);
        read_text(node->arguments[i]);
    }
    read_numbers(node->in_shape, node->in_rank);
    read_numbers(node->out_shape, node->out_rank);
    read_numbers(node->begin, node->pads_count);
    read_numbers(node->end, node->pads_count);
    read_numbers(node->axes, node->axes_count);
    for (int32_t i = 0; i < node->computed_count; i++) read_text(node->computed[i]);
    for (int32_t i = 0; i < node->findings_count; i++) read_text(node->findings[i]);
}

/* ---- Judging --------------------------------------------------------------------------------- */

static void judge(const tpad_rules_facts *facts, tpad_rules_choice choice)
{
    tpad_rules_finding finding;
    tpad_rules_page page;
    tpad_rules_find_out(&finding, facts, choice);
    const int32_t kind = finding.verdict.kind, code = finding.verdict.code;
    const size_t length = tpad_rules_text(NULL, 0, &finding.verdict, facts);
    MUST(kind >= 0 && kind < TPAD_RULES_KINDS && length < sizeof finding.text);
    MUST(!strchr(finding.text, '\n') && !strchr(finding.text, '{'));
    MUST(kind == TPAD_RULES_SAME || finding.has_bounds || strlen(finding.text) == length);
    MUST(tpad_rules_code_from_text(finding.code) == code);
    MUST(code ? tpad_rules_page_of(&page, code) : kind == TPAD_RULES_SAME);
}

/* For every target, and between it and the oldest of its family. */
static void judge_all(const tpad_rules_facts *facts)
{
    int32_t oldest = 0;
    for (int32_t i = 0; i < tpad_rules_target_count(); i++) {
        if (strcmp(tpad_rules_target_at(oldest)->family, tpad_rules_target_at(i)->family) != 0)
            oldest = i;
        judge(facts, (tpad_rules_choice){i, i, 0});
        judge(facts, (tpad_rules_choice){oldest, i, 0});
    }
}

/* ---- Running --------------------------------------------------------------------------------- */

typedef struct memory {
    void *outputs[64];
    size_t bytes[64];
    int types[64];
} memory;

static int32_t allocate(void *context, int32_t index, const tpad_tensor *like, void **data,
                        tpad_io_error *error)
{
    memory *m = context;
    int64_t bits = like->elem_bits;
    for (int32_t i = 0; i < like->rank; i++)
        if (__builtin_mul_overflow(bits, like->shape[i], &bits)) bits = INT64_MAX;
    if (index >= 64 || bits / 8 > MOST_OUTPUT) {
        *error = (tpad_io_error){TPAD_E_MEMORY, "too large for a fuzz target"};
        return TPAD_E_MEMORY;
    }
    MUST(m->outputs[index] == NULL);
    m->bytes[index] = (size_t)(bits + 7) / 8;
    m->types[index] = like->type;
    *data = m->outputs[index] = malloc(m->bytes[index] + (m->bytes[index] == 0));
    MUST(*data);
    return TPAD_OK;
}

static void read_outputs(const memory *m)
{
    for (int i = 0; i < 64; i++) {
        const unsigned char *bytes = m->outputs[i];
        if (!bytes) continue;
        if (m->types[i] != TPAD_ONNX_STRING) {
            for (size_t k = 0; k < m->bytes[i]; k++) sum += bytes[k];
            continue;
        }
        const tpad_string *strings = m->outputs[i];
        for (size_t k = 0; k < m->bytes[i] / sizeof *strings; k++)
            for (int64_t c = 0; c < strings[k].length; c++)
                sum += (unsigned char)strings[k].text[c];
    }
}

/* Some array for an input; false if one would be too large. Small numbers, which may be amounts. */
static int make_input(tpad_tensor *tensor, const tpad_port *port)
{
    int64_t shape[TPAD_MAX_RANK], elems = 1;
    const int32_t type = port->type ? port->type : TPAD_ONNX_FLOAT;
    const int32_t rank = port->rank < 0 ? 2 : port->rank;
    for (int32_t i = 0; i < rank; i++) {
        shape[i] = port->rank < 0 || port->shape[i] < 0 ? 4 : port->shape[i];
        if (__builtin_mul_overflow(elems, shape[i], &elems) || elems > MOST_ELEMENTS) return 0;
    }
    tpad_tensor_describe(tensor, type, rank, shape);
    size_t bytes = ((size_t)elems * (size_t)tensor->elem_bits + 7) / 8;
    unsigned char *data = calloc(bytes + (bytes == 0), 1);
    MUST(data);
    if (type != TPAD_ONNX_STRING)
        for (size_t i = 0; i < bytes; i += (size_t)(tensor->elem_bits + 7) / 8)
            data[i] = (unsigned char)(i / 8 % 3);
    tensor->data = data;
    return 1;
}

static void run(tpad_model *model, const char *node, int32_t lenient)
{
    tpad_io_error error = {0};
    tpad_job *job = NULL;
    tpad_tensor inputs[MOST_INPUTS] = {0};
    const tpad_tensor *given[MOST_INPUTS];
    memory m = {0};
    int32_t status = tpad_job_open(&job, model, node, &error);
    if (status) {
        MUST(job == NULL && error.code == status && !strchr(error.text, '\n'));
        MUST(status != TPAD_E_MEMORY);
        return;
    }
    const int32_t count = tpad_job_input_count(job);
    int ready = count <= MOST_INPUTS;
    for (int32_t i = 0; ready && i < count; i++) {
        read_text(tpad_job_input(job, i)->name);
        ready = make_input(&inputs[i], tpad_job_input(job, i));
        given[i] = &inputs[i];
    }
    for (int32_t i = 0; i < tpad_job_output_count(job); i++)
        read_text(tpad_job_output(job, i)->name);
    if (ready) {
        const tpad_job_run how = {
            .inputs = given, .lenient = lenient, .allocate = allocate, .context = &m};
        status = tpad_job_execute(job, &how, &error);
        if (status)
            MUST(error.code == status && !strchr(error.text, '\n'));
        else
            read_outputs(&m);
    }
    for (int32_t i = 0; i < MOST_INPUTS; i++) free((void *)(uintptr_t)inputs[i].data);
    for (int i = 0; i < 64; i++) free(m.outputs[i]);
    tpad_job_free(job);
}

/* With the shape of an input, its extents or bounds, more follows. Seeds call their input x. */
static void load_shaped(const char *path, const tpad_input_shape *given, int32_t count,
                        size_t file_bytes)
{
    tpad_model *model;
    tpad_io_error error = {0};
    fuzz_memory_begin();
    const int32_t status = FUZZ_LOAD(&model, path, given, count, &error);
    MUST(fuzz_memory_peak() <= SMALL_CHANGE + file_bytes * RATIO);
    MUST(status != TPAD_E_MEMORY);
    for (int64_t i = 0; !status && i < tpad_model_pad_count(model); i++) {
        read_node(tpad_model_pad_at(model, i));
        judge_all(tpad_model_facts_at(model, i));
    }
    tpad_model_free(model);
}

/* Reads a model, looks at all that it says, and runs it and each of its Pad nodes. */
static void check_file(const char *path, size_t file_bytes)
{
    tpad_model *model;
    tpad_io_error error = {0};
    fuzz_memory_begin();
    int32_t status = FUZZ_LOAD(&model, path, NULL, 0, &error);
    MUST(fuzz_memory_peak() <= SMALL_CHANGE + file_bytes * RATIO);
    if (status != TPAD_OK) {
        MUST(model == NULL && error.code == status && status != TPAD_E_MEMORY);
        MUST(strlen(error.text) > 0 && !strchr(error.text, '\n'));
        return;
    }
    run(model, NULL, file_bytes % 2 == 1);
    for (int64_t i = 0; i < tpad_model_pad_count(model); i++) {
        const tpad_pad_node *node = tpad_model_pad_at(model, i);
        char name[4096];
        read_node(node);
        judge_all(tpad_model_facts_at(model, i));
        if (i >= MOST_JOBS) continue;
        const char *own = *node->name ? node->name : node->output ? node->output : "";
        snprintf(name, sizeof name, "%s%s%s", node->graph, *node->graph ? "/" : "", own);
        run(model, name, i % 2 == 1);
    }
    tpad_model_free(model);
    static const int64_t extents[] = {2, 3, 4}, far[] = {INT64_MAX};
    static const tpad_input_shape shape = {.name = "x", .rank = 3, .shape = extents};
    static const tpad_input_shape dimensions[] = {
        {.name = "x:0", .rank = 1, .shape = extents, .says = TPAD_SAYS_EXTENT},
        {.name = "x:1", .rank = 1, .shape = extents + 1, .says = TPAD_SAYS_LEAST},
        {.name = "x:2", .rank = 1, .shape = far, .says = TPAD_SAYS_LEAST},
    };
    load_shaped(path, &shape, 1, file_bytes);
    load_shaped(path, dimensions, 1 + (int32_t)(file_bytes % 3), file_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
#ifdef OF_IR
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    const size_t text = end ? (size_t)(end - data) : size;
    fuzz_write("in.xml", data, text);
    fuzz_write("in.bin", end ? end + 1 : data, end ? size - text - 1 : 0);
    check_file("in.xml", size);
#else
    static const unsigned char weights[64] = {1, 0, 1, 0, 2};
    fuzz_write("weights.bin", weights, sizeof weights);
    fuzz_write("in.onnx", data, size);
    check_file("in.onnx", size);
#endif
    return 0;
}
