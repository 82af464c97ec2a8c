/* Witnesses of `tensorpad check`: what shows that a runtime differs. SPDX-License-Identifier: MIT
 *
 * A witness is a folder: the node alone as a model, an input, the document's answer, in the layout
 * of ONNX's own tests, and the verdicts that it shows. One script beside them runs the runtime. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "check_results.h"
#include "commands.h"
#include "error_report.h"
#include "output_signals.h"
#include "port/system.h"
#include "witness.py.h"

enum { PATH_BYTES = 4096, NAME_BYTES = 100, LARGEST = 1 << 26, NUMBER_BYTES = 32 };

/* The end of a name, with a dash for each byte that might mean something in a path. */
static void add_name(char *out, size_t bytes, const char *name)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
    const size_t length = strlen(name), used = strlen(out);
    const char *from = length > NAME_BYTES ? name + length - NAME_BYTES : name;
    char *at = out + used;
    for (; *from && at + 1 < out + bytes; from++, at++) {
        const int hides = *from == '.' && at == out;
        *at = strchr(plain, *from) && !hides ? *from : '-';
    }
    *at = 0;
}

static int make_folder(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return EXIT_DONE;
    return report_refusal(TPAD_E_IO, path, "%s: %s", path, strerror(errno));
}

/* A number that is exact in the type and differs from its neighbours; 64-bit ones need all their
 * digits. */
static void number_text(char text[NUMBER_BYTES], int32_t type, int32_t bits, int64_t index)
{
    const char *sign = index % 2 && (type == TPAD_ONNX_FLOAT || type == TPAD_ONNX_DOUBLE ||
                                     type == TPAD_ONNX_FLOAT16 || type == TPAD_ONNX_INT32)
                           ? "-"
                           : "";
    const int64_t span = bits < 8    ? (1 << (bits - 1)) - (bits > 1)
                         : bits == 8 ? 7
                                     : (bits == 16 ? 200 : INT64_C(1) << 20);
    const int64_t number = index % (span > 0 ? span : 1) + 1;
    if (type == TPAD_ONNX_BOOL)
        snprintf(text, NUMBER_BYTES, "%d", (int)(index * index / 2 + index + 1) % 2);
    else if (type == TPAD_ONNX_INT64 || type == TPAD_ONNX_UINT64)
        snprintf(text, NUMBER_BYTES, "%" PRId64, number + (INT64_C(1) << 40));
    else if (type == TPAD_ONNX_DOUBLE)
        snprintf(text, NUMBER_BYTES, "%s%" PRId64 ".1", sign, number);
    else
        snprintf(text, NUMBER_BYTES, "%s%" PRId64, sign, number);
}

static int32_t fill(unsigned char *data, const tpad_tensor *like, int64_t count,
                    tpad_io_error *error)
{
    const int32_t bits = like->elem_bits;
    char text[NUMBER_BYTES];
    int32_t status = TPAD_OK;
    for (int64_t i = 0; i < count && !status; i++) {
        unsigned char element[16] = {0};
        number_text(text, like->type, bits, i);
        status = tpad_value_parse(element, text, like, error);
        if (bits < 8)
            data[i * bits / 8] |= (unsigned char)(element[0] << (i * bits % 8));
        else
            memcpy(data + i * (bits / 8), element, (size_t)bits / 8);
    }
    return status;
}

static int write_input(const char *path, const tpad_pad_node *pad)
{
    tpad_tensor like;
    tpad_output *output;
    tpad_io_error error;
    int64_t count = 1;
    tpad_tensor_describe(&like, pad->type, pad->in_rank, pad->in_shape);
    for (int32_t axis = 0; axis < pad->in_rank; axis++) count *= pad->in_shape[axis];
    int32_t status = outputs_begin(&output, path, &like, 1, &error);
    if (status) return report_io(&error, path, NULL);
    memset(tpad_output_data(output), 0, (size_t)(count * like.elem_bits + 7) / 8);
    status = fill(tpad_output_data(output), &like, count, &error);
    if (status) outputs_discard(output);
    if (!status) status = outputs_commit(output, &error);
    return status ? report_io(&error, path, NULL) : EXIT_DONE;
}

static int write_model(const char *path, const check_node *node)
{
    tpad_output *output;
    tpad_io_error error;
    int32_t status = outputs_begin(&output, path, NULL, 1, &error);
    if (status) return report_io(&error, path, NULL);
    status = tpad_pad_write_model(node->pad, node->facts->opset, output, &error);
    if (status) outputs_discard(output);
    if (!status) status = outputs_commit(output, &error);
    return status ? report_io(&error, path, NULL) : EXIT_DONE;
}

/* The document's answer is what `tensorpad run` computes. */
static int write_answer(char *model, const char *input, const char *output)
{
    char in[PATH_BYTES + 16], out[PATH_BYTES + 16];
    char *words[] = {"run", "-q", "-f", in, out, "--", model, NULL};
    snprintf(in, sizeof in, "--input=x=%s", input);
    snprintf(out, sizeof out, "--output=y=%s", output);
    return sub_command_run(&command_run, (int)(sizeof words / sizeof *words) - 1, words);
}

static int write_verdicts(const char *path, const check_run *run, const check_node *node)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    for (int32_t k = 0; out && k < run->targets.count; k++)
        if (node->verdicts[k].found.verdict.kind == TPAD_RULES_DIFFERS)
            fprintf(out, "%s differs %s %s\n", run->targets.items[k].name,
                    node->verdicts[k].found.code, node->verdicts[k].found.text);
    const int status = outputs_memory_end(out, &text)
                           ? outputs_text(path, 1, text, bytes)
                           : report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    free(text);
    return status;
}

/* 1 if some target differs on the node alone, without its neighbours. */
static int differs_alone(const check_run *run, const check_node *node)
{
    tpad_rules_facts alone = *node->facts;
    alone.before = alone.behind = TPAD_RULES_NO_OPERATOR;
    alone.perm_count = alone.inside = 0;
    for (int32_t k = 0; k < run->targets.count; k++) {
        tpad_rules_verdict verdict;
        tpad_rules_judge(&verdict, &alone, run->targets.items[k].choice);
        if (verdict.kind == TPAD_RULES_DIFFERS) return 1;
    }
    return 0;
}

/* 1 if the node alone shows the difference: everything of it is known, and it is not too large. */
static int is_possible(const check_run *run, const check_node *node)
{
    const tpad_pad_node *pad = node->pad;
    int64_t cells = 16;
    if (strcmp(pad->spec, "onnx") != 0 || !pad->type || !pad->mode || !pad->value ||
        pad->pads_count < 0 || pad->in_rank < 0 || pad->out_rank != pad->in_rank ||
        pad->type == TPAD_ONNX_STRING || node->facts->document != TPAD_RULES_ANSWERS ||
        !differs_alone(run, node))
        return 0;
    for (int32_t axis = 0; axis < pad->in_rank; axis++) {
        if (pad->in_shape[axis] < 0 || pad->out_shape[axis] < 0) return 0;
        if (pad->in_shape[axis] && cells > LARGEST / pad->in_shape[axis]) return 0;
        cells *= pad->in_shape[axis];
    }
    return 1;
}

static int folder_exists(const char *folder)
{
    return report_refusal(TPAD_E_EXISTS, folder, "%s: the folder exists; name a new one", folder);
}

/* Makes the folder of all witnesses, with the script that compares them. */
static int make_all(const char *folder)
{
    char script[PATH_BYTES];
    snprintf(script, sizeof script, "%.3900s/compare.py", folder);
    if (mkdir(folder, 0777) != 0)
        return errno == EEXIST
                   ? folder_exists(folder)
                   : report_refusal(TPAD_E_IO, folder, "%s: %s", folder, strerror(errno));
    return outputs_text(script, 0, witness_script, sizeof witness_script - 1);
}

int check_witness_write(check_run *run, const char *path, const check_node *node)
{
    const char *folder = run->witness;
    char place[PATH_BYTES], data[PATH_BYTES], model[PATH_BYTES], input[PATH_BYTES];
    char output[PATH_BYTES], verdicts[PATH_BYTES], name[3 * NAME_BYTES + 16];
    if (!is_possible(run, node)) return EXIT_DONE;
    snprintf(name, sizeof name, "test_%04" PRId64 "_", run->nodes);
    add_name(name, sizeof name, path);
    snprintf(name + strlen(name), 2, "_");
    add_name(name, sizeof name, node->name);
    if (strlen(folder) + sizeof name + sizeof "/test_data_set_0/output_0.pb" > PATH_BYTES)
        return report_refusal(TPAD_E_IO, folder, "%s: the path is too long", folder);
    snprintf(place, sizeof place, "%s/%s", folder, name);
    snprintf(data, sizeof data, "%.3900s/test_data_set_0", place);
    snprintf(model, sizeof model, "%.3900s/model.onnx", place);
    snprintf(verdicts, sizeof verdicts, "%.3900s/verdicts.txt", place);
    snprintf(input, sizeof input, "%.3950s/input_0.pb", data);
    snprintf(output, sizeof output, "%.3950s/output_0.pb", data);
    int status = run->witnesses ? EXIT_DONE : make_all(folder);
    if (status == EXIT_DONE) status = make_folder(place);
    if (status == EXIT_DONE) status = make_folder(data);
    if (status == EXIT_DONE) status = write_model(model, node);
    if (status == EXIT_DONE) status = write_input(input, node->pad);
    if (status == EXIT_DONE) status = write_answer(model, input, output);
    if (status == EXIT_DONE) status = write_verdicts(verdicts, run, node);
    if (status == EXIT_DONE) run->witnesses++;
    return status;
}

int check_witness_begin(const check_run *run)
{
    const char *folder = run->witness;
    struct stat found;
    if (strlen(folder) + sizeof "/compare.py" > PATH_BYTES)
        return report_refusal(TPAD_E_IO, folder, "%s: the path is too long", folder);
    if (lstat(folder, &found) == 0) return folder_exists(folder);
    return errno == ENOENT ? EXIT_DONE
                           : report_refusal(TPAD_E_IO, folder, "%s: %s", folder, strerror(errno));
}
