/* Witnesses of `tensorpad check`: proof that a runtime differs. SPDX-License-Identifier: MIT
 *
 * A witness is a folder: the node's arguments, and those of a pool after it where that decides, an
 * input, the document's answer, in the layout of ONNX's own tests, and the verdicts that it
 * proves. One script beside the folders makes the model and runs the runtime. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "command/arguments.h"
#include "command/error_report.h"
#include "command/help.h"
#include "command/json_writer.h"
#include "command/output.h"
#include "formats/port/system.h"
#include "witness.py.h"

enum { PATH_BYTES = 4096, NAME_BYTES = 100, LARGEST = 1 << 26, NUMBER_BYTES = 32 };
enum { LARGEST_AMOUNT = 64, LARGEST_WINDOW = 1024, FIRST_WITH_INPUTS = 11 };

/* Appends the end of a name, with a dash for each byte that is special in a path. */
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
    if (system_make_folder(path) == 0 || errno == EEXIST) return EXIT_DONE;
    return report_refusal(TPAD_E_IO, path, "%s: %s", path, strerror(errno));
}

/* Number of distinct values that a witness uses for a type. */
static int64_t count_of_numbers(int32_t type, int32_t bits)
{
    if (type == TPAD_ONNX_BOOL) return 2;
    if (type == TPAD_ONNX_FLOAT4E2M1 || type == TPAD_ONNX_FLOAT8E8M0) return 3;
    if (bits < 8) return (1 << bits) - 1;
    return bits == 8 ? 7 : bits == 16 ? 200 : INT64_C(1) << 20;
}

/* A number that is exact in the type, differs from the previous one and is not 0, except for bool.
 * It comes from the sum of the index's digits, so that rows of any width differ and a wrong answer
 * shows. 64-bit types get values that need all their digits. */
static void number_text(char text[NUMBER_BYTES], int32_t type, int32_t bits, int64_t index)
{
    const char *sign = index % 2 && (type == TPAD_ONNX_FLOAT || type == TPAD_ONNX_DOUBLE ||
                                     type == TPAD_ONNX_FLOAT16 || type == TPAD_ONNX_INT32)
                           ? "-"
                           : "";
    const int64_t count = count_of_numbers(type, bits);
    int64_t digits = 0;
    for (int64_t rest = index; rest; rest /= count) digits += rest % count;
    int64_t number = digits % count + 1;
    if (type == TPAD_ONNX_FLOAT4E2M1 || type == TPAD_ONNX_FLOAT8E8M0) number = 1 << (number - 1);
    if ((type == TPAD_ONNX_INT2 || type == TPAD_ONNX_INT4) && number > count / 2)
        number -= count + 1;
    if (type == TPAD_ONNX_BOOL)
        snprintf(text, NUMBER_BYTES, "%d", number == 1);
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

/* ---- Choosing the model ---------------------------------------------------------------------- */

/* The node alone, or with a pool after it. */
typedef struct witness {
    int is_ir;
    const char *pool; /* "MaxPool" or "AveragePool", on all axes but the first two; NULL: none */
    int64_t kernel[TPAD_MAX_RANK];
    int32_t with_pads; /* 1: the pool has the attribute pads, of zeros */
} witness;

/* The facts of the node in the witness: everything is known when the model is loaded. */
static tpad_rules_facts facts_of(const check_node *node, const witness *what)
{
    tpad_rules_facts facts = *node->facts;
    const tpad_pad_node *pad = node->pad;
    const int32_t value_input = what->is_ir ? 3 : 2;
    const int32_t form =
        pad->arguments[1] && pad->inputs[1] ? TPAD_RULES_INITIALIZER : TPAD_RULES_ATTRIBUTE;
    facts.before = TPAD_RULES_NO_OPERATOR;
    if (!what->pool) tpad_rules_facts_apart(&facts, TPAD_RULES_NO_OPERATOR);
    facts.perm_count = facts.made_by = facts.data_returned = 0;
    facts.reader = (tpad_rules_reader){facts.reader.op, .has_pads = facts.reader.has_pads != 0};
    for (int32_t i = 0; i < pad->in_rank - 2 && i < TPAD_RULES_WINDOW_AXES; i++) {
        facts.reader.axis[i] = (tpad_rules_window_axis){(int32_t)what->kernel[i], 1, 1, 0, 0};
        facts.reader.axes = i + 1;
    }
    facts.inside = TPAD_RULES_INSIDE_GRAPH;
    facts.data_from = facts.data_constant = facts.data_known = facts.data_not_negative = 0;
    tpad_rules_facts_close(&facts);
    facts.pads_given = form;
    if (facts.axes_given != TPAD_RULES_ABSENT) facts.axes_given = form;
    if (facts.value_given != TPAD_RULES_ABSENT && pad->inputs[value_input])
        facts.value_given = TPAD_RULES_INITIALIZER;
    return facts;
}

/* 1 if some target differs on it. */
static int is_shown_by(const check_run *run, const check_node *node, const witness *what)
{
    const tpad_rules_facts facts = facts_of(node, what);
    for (int32_t k = 0; k < run->targets.count; k++) {
        tpad_rules_verdict verdict;
        tpad_rules_judge(&verdict, &facts, run->targets.items[k].choice);
        if (verdict.kind == TPAD_RULES_DIFFERS) return 1;
    }
    return 0;
}

/* 1 if everything about the node is known and it is not too large. */
static int is_known(const check_node *node)
{
    const tpad_pad_node *pad = node->pad;
    int64_t cells = 16;
    if (!pad->type || !pad->mode || !pad->value || pad->pads_count < 0 || pad->in_rank < 0 ||
        pad->in_rank > TPAD_RULES_MAX_RANK || pad->out_rank != pad->in_rank ||
        pad->type == TPAD_ONNX_STRING || node->facts->document != TPAD_RULES_ANSWERS)
        return 0;
    for (int32_t axis = 0; axis < pad->in_rank; axis++) {
        if (pad->in_shape[axis] < 0 || pad->out_shape[axis] < 0) return 0;
        if (pad->in_shape[axis] && cells > LARGEST / pad->in_shape[axis]) return 0;
        cells *= pad->in_shape[axis];
    }
    return 1;
}

/* Chooses the smallest kernel wider than the amounts; for an average a power of two, so that the
 * answers are exact. 0: there is none, or pool_answer does not cover the node's arguments. */
static int choose_pool(witness *what, const tpad_pad_node *pad, const tpad_rules_facts *facts)
{
    const int is_max = facts->reader.op == TPAD_RULES_MAX_POOL;
    int64_t cells = 1;
    if ((!is_max && facts->reader.op != TPAD_RULES_AVERAGE_POOL) || pad->in_rank < 3 ||
        pad->in_rank > TPAD_RULES_WINDOW_AXES + 2 || facts->reader.passes || pad->axes_count >= 0 ||
        strcmp(pad->mode, "constant") != 0 || strcmp(pad->value, "0") != 0 ||
        (pad->type != TPAD_ONNX_FLOAT && pad->type != TPAD_ONNX_DOUBLE &&
         pad->type != TPAD_ONNX_FLOAT16))
        return 0;
    for (int32_t axis = 0; axis < pad->in_rank; axis++) {
        const int64_t begin = pad->begin[axis], end = pad->end[axis];
        const int64_t most = begin > end ? begin : end;
        int64_t width = 1;
        if (begin < 0 || end < 0 || most > LARGEST_AMOUNT || (axis < 2 && most > 0)) return 0;
        while (width <= most) width = is_max ? width + 1 : 2 * width;
        if (width > pad->out_shape[axis]) return 0;
        if (axis >= 2) what->kernel[axis - 2] = width;
        cells *= width;
        if (cells > LARGEST_WINDOW) return 0;
    }
    what->pool = is_max ? "MaxPool" : "AveragePool";
    what->with_pads = facts->reader.has_pads;
    return 1;
}

/* 1 if the node, alone or with a pool after it, proves that some target differs. */
static int choose(witness *what, const check_run *run, const check_node *node)
{
    *what = (witness){.is_ir = strcmp(node->pad->spec, "onnx") != 0};
    if (!is_known(node)) return 0;
    if (is_shown_by(run, node, what)) return 1;
    return !what->is_ir && choose_pool(what, node->pad, node->facts) &&
           is_shown_by(run, node, what);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* The value as the bytes of the model's constant, or before Pad-11, of an attribute, in hex. */
static int write_value(json *out, const tpad_pad_node *pad, int is_attribute, tpad_io_error *error)
{
    unsigned char element[2 * sizeof(tpad_string)] = {0};
    char hex[4 * sizeof(tpad_string) + 1] = "";
    tpad_tensor like;
    tpad_tensor_describe(&like, is_attribute ? TPAD_ONNX_FLOAT : pad->type, 0, NULL);
    const int32_t status = tpad_value_parse(element, pad->value, &like, error);
    for (int32_t i = 0; i < (like.elem_bits + 7) / 8; i++)
        snprintf(hex + 2 * i, 3, "%02x", element[i]);
    json_text_field(out, "value", hex);
    return status;
}

/* What the script makes the model of, beside the types and shapes of the data. */
static int write_node(const char *path, const check_node *node, const witness *what)
{
    const tpad_pad_node *pad = node->pad;
    const int has_attributes = !what->is_ir && node->facts->opset < FIRST_WITH_INPUTS;
    tpad_io_error error;
    system_text text;
    int32_t status = TPAD_OK;
    json out = {system_text_begin(&text), 0};
    if (out.out) {
        json_open(&out, '{');
        json_text_field(&out, "spec", pad->spec);
        json_integer_field(&out, "opset", 1, what->is_ir ? pad->version : node->facts->opset);
        json_text_field(&out, "type", pad->type_name);
        json_text_field(&out, "mode", pad->mode);
        json_integers_field(&out, "begin", pad->pads_count, pad->begin, 0);
        json_integers_field(&out, "end", pad->pads_count, pad->end, 0);
        json_integers_field(&out, "axes", pad->axes_count, pad->axes, 0);
        if (has_attributes || pad->inputs[what->is_ir ? 3 : 2])
            status = write_value(&out, pad, has_attributes, &error);
        if (what->pool) {
            json_text_field(&out, "pool", what->pool);
            json_integers_field(&out, "kernel", pad->in_rank - 2, what->kernel, 0);
            json_integer_field(&out, "pool_pads", 1, what->with_pads);
        }
        json_close(&out, '}');
        fputc('\n', out.out);
    }
    const int is_whole = system_text_end(&text);
    const int done = !is_whole ? report_refusal(TPAD_E_MEMORY, NULL, "out of memory")
                     : status  ? report_io(&error, path, NULL)
                               : outputs_text(path, 1, text.text, text.bytes);
    free(text.text);
    return done;
}

/* ---- Answers --------------------------------------------------------------------------------- */

static void add_numbers(char *out, size_t bytes, const int64_t *numbers, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        const size_t used = strlen(out);
        snprintf(out + used, bytes - used, "%s%" PRId64, out[used - 1] == '=' ? "" : ",",
                 numbers[i]);
    }
}

/* The document's answer is what `tensorpad pad` computes. */
static int write_answer(char *input, char *output, const check_node *node, int is_ir)
{
    const tpad_pad_node *pad = node->pad;
    enum { LIST_BYTES = TPAD_MAX_RANK * 21 + 16 };
    char version[NUMBER_BYTES], mode[NUMBER_BYTES], value[NAME_BYTES];
    char begin[LIST_BYTES] = "--begin=", end[LIST_BYTES] = "--end=", axes[LIST_BYTES] = "--axes=";
    char *words[12] = {"pad", "-q", "-f", version, mode, begin, end};
    int count = 7;
    snprintf(version, sizeof version, "--spec=%s-%d", pad->spec,
             (int)(is_ir ? pad->version : node->facts->opset));
    snprintf(mode, sizeof mode, "--mode=%s", pad->mode);
    snprintf(value, sizeof value, "--value=%s", pad->value);
    add_numbers(begin, sizeof begin, pad->begin, pad->pads_count);
    add_numbers(end, sizeof end, pad->end, pad->pads_count);
    add_numbers(axes, sizeof axes, pad->axes, pad->axes_count);
    if (pad->axes_count >= 0) words[count++] = axes;
    if (strcmp(pad->mode, "constant") == 0) words[count++] = value;
    words[count++] = "--";
    words[count++] = input;
    words[count++] = output;
    return sub_command_run(&command_pad, count, words);
}

static int write_node_data(char *input, char *output, const check_node *node, int is_ir)
{
    const int status = write_input(input, node->pad);
    return status == EXIT_DONE ? write_answer(input, output, node, is_ir) : status;
}

static int write_verdicts(const char *path, const check_run *run, const check_node *node)
{
    system_text text;
    FILE *out = system_text_begin(&text);
    for (int32_t k = 0; out && k < run->targets.count; k++)
        if (node->verdicts[k].found.verdict.kind == TPAD_RULES_DIFFERS)
            fprintf(out, "%s differs %s %s\n", run->targets.items[k].name,
                    node->verdicts[k].found.code, node->verdicts[k].found.text);
    const int status = system_text_end(&text)
                           ? outputs_text(path, 1, text.text, text.bytes)
                           : report_refusal(TPAD_E_MEMORY, NULL, "out of memory");
    free(text.text);
    return status;
}

/* The pool's answer at a place, for data that is -1 (MaxPool) or 1 (AveragePool) everywhere: it
 * depends only on how much of the window lies in the data. */
static double pool_answer(const witness *what, const tpad_pad_node *pad, const int64_t *place)
{
    double share = 1;
    for (int32_t axis = 2; axis < pad->in_rank; axis++) {
        const int64_t width = what->kernel[axis - 2], first = place[axis - 2] - pad->begin[axis];
        const int64_t from = first > 0 ? first : 0;
        const int64_t end =
            first + width < pad->in_shape[axis] ? first + width : pad->in_shape[axis];
        share *= end > from ? (double)(end - from) / (double)width : 0;
    }
    if (strcmp(what->pool, "MaxPool") != 0) return share;
    return share < 1 ? 0 : -1;
}

/* Fills a file with `number` or, if that is NULL, with the pool's answers. */
static int write_numbers(const char *path, int32_t type, int32_t rank, const int64_t *shape,
                         const witness *what, const tpad_pad_node *pad, const char *number)
{
    tpad_tensor like;
    tpad_output *output;
    tpad_io_error error;
    char text[NUMBER_BYTES];
    int64_t place[TPAD_MAX_RANK] = {0}, count = 1;
    tpad_tensor_describe(&like, type, rank, shape);
    for (int32_t axis = 0; axis < rank; axis++) count *= shape[axis];
    int32_t status = outputs_begin(&output, path, &like, 1, &error);
    if (status) return report_io(&error, path, NULL);
    unsigned char *at = tpad_output_data(output);
    for (int64_t i = 0; i < count && !status; i++, at += like.elem_bits / 8) {
        int64_t rest = i;
        for (int32_t axis = rank - 1; axis >= 2; axis--) {
            place[axis - 2] = rest % shape[axis];
            rest /= shape[axis];
        }
        if (!number) snprintf(text, sizeof text, "%.15g", pool_answer(what, pad, place));
        status = tpad_value_parse(at, number ? number : text, &like, &error);
    }
    if (status) outputs_discard(output);
    if (!status) status = outputs_commit(output, &error);
    return status ? report_io(&error, path, NULL) : EXIT_DONE;
}

static int write_pool_data(const char *input, const char *output, const witness *what,
                           const tpad_pad_node *pad)
{
    int64_t shape[TPAD_MAX_RANK];
    const char *number = strcmp(what->pool, "MaxPool") == 0 ? "-1" : "1";
    for (int32_t axis = 0; axis < pad->in_rank; axis++)
        shape[axis] = pad->out_shape[axis] - (axis >= 2 ? what->kernel[axis - 2] - 1 : 0);
    const int status =
        write_numbers(input, pad->type, pad->in_rank, pad->in_shape, what, pad, number);
    if (status != EXIT_DONE) return status;
    return write_numbers(output, pad->type, pad->in_rank, shape, what, pad, NULL);
}

/* ---- Folders --------------------------------------------------------------------------------- */

static int folder_exists(const char *folder)
{
    return report_refusal(TPAD_E_EXISTS, folder, "%s: the folder exists; name a new one", folder);
}

/* Makes the folder of all witnesses and the script that compares them. */
static int make_all(const char *folder)
{
    char script[PATH_BYTES];
    snprintf(script, sizeof script, "%.3900s/compare.py", folder);
    if (system_make_folder(folder) != 0)
        return errno == EEXIST
                   ? folder_exists(folder)
                   : report_refusal(TPAD_E_IO, folder, "%s: %s", folder, strerror(errno));
    return outputs_text(script, 0, witness_script, sizeof witness_script);
}

int check_witness_write(check_run *run, const char *path, const check_node *node)
{
    const char *folder = run->witness;
    char place[PATH_BYTES], data[PATH_BYTES], arguments[PATH_BYTES], input[PATH_BYTES];
    char output[PATH_BYTES], verdicts[PATH_BYTES], name[3 * NAME_BYTES + 16];
    witness what;
    if (!choose(&what, run, node)) return EXIT_DONE;
    snprintf(name, sizeof name, "test_%04" PRId64 "_", run->nodes);
    add_name(name, sizeof name, path);
    snprintf(name + strlen(name), 2, "_");
    add_name(name, sizeof name, node->name);
    if (strlen(folder) + sizeof name + sizeof "/test_data_set_0/output_0.pb" > PATH_BYTES)
        return report_refusal(TPAD_E_IO, folder, "%s: the path is too long", folder);
    snprintf(place, sizeof place, "%s/%s", folder, name);
    snprintf(data, sizeof data, "%.3900s/test_data_set_0", place);
    snprintf(arguments, sizeof arguments, "%.3900s/node.json", place);
    snprintf(verdicts, sizeof verdicts, "%.3900s/verdicts.txt", place);
    snprintf(input, sizeof input, "%.3950s/input_0.pb", data);
    snprintf(output, sizeof output, "%.3950s/output_0.pb", data);
    int status = run->witnesses ? EXIT_DONE : make_all(folder);
    if (status == EXIT_DONE) status = make_folder(place);
    if (status == EXIT_DONE) status = make_folder(data);
    if (status == EXIT_DONE) status = write_node(arguments, node, &what);
    if (status == EXIT_DONE && what.pool)
        status = write_pool_data(input, output, &what, node->pad);
    else if (status == EXIT_DONE)
        status = write_node_data(input, output, node, what.is_ir);
    if (status == EXIT_DONE) status = write_verdicts(verdicts, run, node);
    if (status == EXIT_DONE) run->witnesses++;
    return status;
}

int check_witness_begin(const check_run *run)
{
    const char *folder = run->witness;
    system_entry entry;
    if (strlen(folder) + sizeof "/compare.py" > PATH_BYTES)
        return report_refusal(TPAD_E_IO, folder, "%s: the path is too long", folder);
    if (system_look(folder, &entry) != 0)
        return report_refusal(TPAD_E_IO, folder, "%s: %s", folder, strerror(errno));
    return entry.kind == SYSTEM_ABSENT && !entry.is_link ? EXIT_DONE : folder_exists(folder);
}
