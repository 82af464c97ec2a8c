/* Turns pad options into a problem, for each --spec.  SPDX-License-Identifier: MIT */
#include "specs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_report.h"
#include "help.h"
#include "spec_problem.h"

/* 1 if the specification and the core accept the options. Otherwise `made` holds the reason. */
static int accepts(pad_problem *made, const pad_options *options, const char *name, int lenient,
                   const tpad_tensor *input)
{
    pad_options spec_options = *options;
    tpad_error error;
    spec_options.lenient = lenient;
    *made = (pad_problem){0};
    if (name) spec_parse(&spec_options.spec, name);
    if (!spec_takes(&spec_options.spec, spec_options.used)) return 0;
    if (spec_options.spec.family->make(made, &spec_options, input) != TPAD_OK) return 0;
    if (tpad_plan_init(&made->plan, sizeof made->plan, &made->problem, &error) == TPAD_OK) return 1;
    pad_refuse_core(made, &error);
    return 0;
}

/* Writes what would accept it: " (--lenient and --spec plain accept it)"; "" if nothing does.
 * Leaves out --spec plain if the reason names it already. */
static void write_ways(char *text, size_t bytes, const char *reason, const pad_options *options,
                       const tpad_tensor *input)
{
    const spec *now = &options->spec;
    const int may_name = !options->is_node;
    const struct {
        int possible;
        const char *option, *spec; /* spec: with --spec, another one */
    } ways[] = {{may_name, "--spec ", now->family->name},
                {(now->family->takes & TAKES_LENIENT) && !options->lenient, "--lenient", NULL},
                {may_name && !strstr(reason, "--spec plain"), "--spec ", "plain"}};
    enum { WAYS = sizeof ways / sizeof *ways };
    int accepting[WAYS], count = 0;
    size_t used = 0;
    for (int i = 0; i < WAYS; i++) {
        pad_problem tried;
        if (!ways[i].possible) continue;
        if (accepts(&tried, options, ways[i].spec, options->lenient || !ways[i].spec, input))
            accepting[count++] = i;
        pad_problem_free(&tried);
    }
    *text = 0;
    for (int k = 0; k < count; k++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s%s",
                                 k == 0           ? " ("
                                 : k + 1 == count ? " and "
                                                  : ", ",
                                 ways[accepting[k]].option,
                                 ways[accepting[k]].spec ? ways[accepting[k]].spec : "");
    if (count > 0) snprintf(text + used, bytes - used, " accept%s it)", count == 1 ? "s" : "");
}

int pad_problem_make(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    char ways[128] = "", line[8192];
    if (accepts(made, options, NULL, options->lenient, input)) return EXIT_DONE;
    if (made->error.code != TPAD_E_MEMORY)
        write_ways(ways, sizeof ways, made->reason, options, input);
    snprintf(line, sizeof line, "%s: %s%s", pad_subject(options), made->reason, ways);
    return report_numbers(&made->error, options->in, line);
}

int32_t pad_problem_try(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    return accepts(made, options, NULL, options->lenient, input) ? TPAD_OK : made->error.code;
}

/* The specifications that `tensorpad pad --spec` knows. */

static const spec_family families[] = {
    {"onnx", "ONNX Pad", INT32_MAX, TAKES_PADS | TAKES_AXES | TAKES_LENIENT, pad_make_onnx},
    {"openvino", "OpenVINO Pad", INT32_MAX, TAKES_LENIENT, pad_make_openvino},
    {"mli-chw", "MLI padding2d", 0, 0, pad_make_mli_chw},
    {"mli-hwc", "MLI padding2d", 0, 0, pad_make_mli_hwc},
    {"plain", "--spec plain", 0,
     TAKES_PADS | TAKES_AXES | TAKES_INTERIOR | TAKES_ORDER | TAKES_MODE_PER_AXIS | TAKES_SIZE |
         TAKES_BORDER | TAKES_VALUES,
     pad_make_plain},
    {"ngraph", "nGraph Pad", 0, TAKES_INTERIOR, pad_make_ngraph},
};
enum { FAMILY_COUNT = sizeof families / sizeof families[0] };

/* The options of each bit of `takes`. */
static const struct {
    int32_t bit;
    const char *words;
} option_names[] = {
    {TAKES_PADS, "--pads"},
    {TAKES_AXES, "--axes"},
    {TAKES_ORDER, "--order"},
    {TAKES_MODE_PER_AXIS, "--mode with a mode for each axis"},
    {TAKES_INTERIOR, "--interior"},
    {TAKES_LENIENT, "--lenient"},
    {TAKES_SIZE, "--to, --multiple or --square"},
    {TAKES_BORDER, "--border"},
    {TAKES_VALUES, "--value-axis"},
};
enum { OPTION_COUNT = sizeof option_names / sizeof option_names[0] };

const char *spec_word(int32_t index)
{
    return index < FAMILY_COUNT ? families[index].name : NULL;
}

/* The number after the dash; 0 if there is none or it is not a version. */
static int32_t parse_version(const char *text)
{
    char *end;
    if (text[0] != '-' || text[1] < '1' || text[1] > '9') return 0;
    errno = 0;
    long number = strtol(text + 1, &end, 10);
    return *end == 0 && errno == 0 && number <= INT32_MAX ? (int32_t)number : 0;
}

int spec_parse(spec *out, const char *text)
{
    for (int i = 0; i < FAMILY_COUNT; i++) {
        const spec_family *family = &families[i];
        const size_t length = strlen(family->name);
        if (strncmp(text, family->name, length) != 0) continue;
        *out =
            (spec){family, text[length] ? parse_version(text + length) : family->default_version};
        if (text[length] == 0 || (out->version > 0 && family->default_version > 0))
            return EXIT_DONE;
    }
    return report_usage("unknown spec '%s': onnx, onnx-N, openvino, openvino-N (N is an opset, "
                        "from 1), mli-chw, mli-hwc, ngraph or plain",
                        text);
}

/* The index in `option_names` of the first that the specification does not take, or
 * OPTION_COUNT. */
static int find_lacking(const spec *given, int32_t used)
{
    int k = 0;
    while (k < OPTION_COUNT && !(used & option_names[k].bit & ~given->family->takes)) k++;
    return k;
}

int spec_takes(const spec *given, int32_t used)
{
    return find_lacking(given, used) == OPTION_COUNT;
}

int spec_check(const spec *given, const char *command, int32_t used)
{
    const int k = find_lacking(given, used);
    int i = 0;
    if (k == OPTION_COUNT) return EXIT_DONE;
    while (!(families[i].takes & option_names[k].bit)) i++;
    return report_usage("%s: %s has no %s: --spec %s has it", command, given->family->full_name,
                        option_names[k].words, families[i].name);
}

/* --spec plain: the options as the engine takes them. */

/* The entries of a list, for errors. */
static const char *entries_of(const pad_options *options)
{
    if (options->axes.given) return "of --axes";
    if (!pad_is_picture(options)) return "axis";
    return options->border.given ? "of height and width"
                                 : "of height, width and channels; --axes 0,1 leaves the channels "
                                   "alone";
}

static int32_t check_counts(pad_problem *made, const pad_options *options, const tpad_tensor *input,
                            int32_t entries)
{
    const struct {
        const char *option;
        const integers *list;
        int32_t code;
        int each;    /* entries for each */
        int for_all; /* 1: a single entry is for all */
    } lists[] = {{"--begin", &options->begin, TPAD_E_SPEC_PADS, 1, 0},
                 {"--end", &options->end, TPAD_E_SPEC_PADS, 1, 0},
                 {"--pads", &options->pads, TPAD_E_SPEC_PADS, 2, 0},
                 {"--border", &options->border, TPAD_E_SPEC_PADS, 1, 1},
                 {"--interior", &options->interior, TPAD_E_INTERIOR, 1, 0},
                 {"--mode", &options->modes, TPAD_E_MODE, 1, 1}};
    if (options->axes.count > input->rank)
        return pad_refuse(made, TPAD_E_SPEC_AXES,
                          "--axes has %d entries, but there are only %d axes",
                          (int)options->axes.count, (int)input->rank);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        char each[128];
        const int32_t count = lists[i].list->count, needed = lists[i].each * entries;
        if (!lists[i].list->given || count == needed || (lists[i].for_all && count == 1)) continue;
        snprintf(each, sizeof each, "%s for each %s%s", lists[i].each == 1 ? "one" : "two",
                 entries_of(options), lists[i].for_all ? ", or one for all" : "");
        return pad_wrong_count(made, lists[i].code, lists[i].option, count, needed, each);
    }
    return TPAD_OK;
}

/* The number of axes that the lists are for: a border leaves a picture's channels alone. */
static int32_t count_axes(const pad_options *options, const tpad_tensor *input)
{
    if (options->axes.given) return options->axes.count;
    return input->rank - (options->border.given && pad_is_picture(options));
}

int32_t pad_make_plain(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    tpad_translation *translation = &made->translation;
    const int32_t entries = count_axes(options, input);
    int32_t places[TPAD_MAX_RANK];
    uint32_t seen = 0;
    int32_t code = check_counts(made, options, input, entries);

    for (int32_t i = 0; i < input->rank; i++)
        translation->axes[i] = (tpad_axis){.in_extent = input->shape[i], .order = options->order};
    for (int32_t k = 0; code == TPAD_OK && k < entries; k++) {
        const int64_t wanted = options->axes.given ? options->axes.items[k] : k;
        code = pad_find_axis(&places[k], made, "--axes", input, wanted, &seen);
        if (code != TPAD_OK) break;
        tpad_axis *axis = &translation->axes[places[k]];
        if (options->pads.given) {
            axis->before = options->pads.items[k];
            axis->after = options->pads.items[entries + k];
        }
        if (options->border.given)
            axis->before = axis->after = options->border.items[options->border.count > 1 ? k : 0];
        if (options->interior.given) axis->interior = options->interior.items[k];
        if (options->modes.given)
            axis->mode = (int32_t)options->modes.items[options->modes.count > 1 ? k : 0];
    }
    if (code == TPAD_OK && pad_fit_wanted(options))
        code = pad_fit(made, options, input, places, entries);
    const int is_list = pad_values_wanted(options);
    if (code == TPAD_OK && options->value && !is_list) code = pad_parse_value(made, options, input);
    translation->rank = input->rank;
    translation->elem_bits = input->elem_bits;
    translation->value = made->value_memory;
    pad_problem_finish(made, input);
    return code == TPAD_OK && is_list ? pad_parse_values(made, options, input) : code;
}

/* --spec onnx: the options as arguments of an ONNX Pad node. */

static void reverse_bytes(unsigned char *bytes, int32_t count)
{
    for (int32_t i = 0; i < count / 2; i++) {
        unsigned char byte = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = byte;
    }
}

int32_t pad_make_onnx(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    const tpad_onnx_version *version = tpad_onnx_version_for(options->spec.version);
    const int64_t pads_count = options->pads.count, axes_count = options->axes.count;
    const tpad_onnx_tensor pads = {TPAD_ONNX_INT64, 1, &pads_count, options->pads.items};
    const tpad_onnx_tensor axes = {TPAD_ONNX_INT64, 1, &axes_count, options->axes.items};
    tpad_onnx_tensor value = {input->type, 0, NULL, NULL};
    tpad_error error;
    int by_attributes = version->pads_attribute != NULL;
    int32_t code = TPAD_OK;

    if (input->type == 0)
        return pad_refuse(
            made, TPAD_E_SPEC_TYPE,
            "elements of type '%s' do not exist in ONNX; --dtype names what raw bytes "
            "are",
            tpad_tensor_type_text(input));
    tpad_onnx_pad pad = {
        .struct_size = sizeof pad,
        .opset = options->spec.version,
        .flags = options->lenient ? TPAD_ONNX_LENIENT : 0,
        .data = {input->type, input->rank, input->shape, NULL},
        .axes = options->axes.given ? &axes : NULL,
        .string_bytes = sizeof(tpad_string),
    };
    if (options->modes.given) pad.mode = tpad_mode_name((int32_t)options->modes.items[0]);
    if (options->value) {
        tpad_tensor like = *input;
        if (by_attributes) tpad_tensor_describe(&like, TPAD_ONNX_FLOAT, 0, NULL);
        code = pad_parse_value(made, options, &like);
        if (code != TPAD_OK) return code;
    }
    value.data = made->value_memory;
    if (!by_attributes) {
        pad.pads = &pads;
        if (options->value) pad.value = &value;
    } else {
        pad.attribute_value = made->value_memory;
        if (strcmp(version->pads_attribute, "paddings") == 0) {
            pad.attribute_paddings = options->pads.items;
            pad.attribute_paddings_count = options->pads.count;
        } else {
            pad.attribute_pads = options->pads.items;
            pad.attribute_pads_count = options->pads.count;
        }
    }
    if (tpad_onnx_translate(&made->translation, sizeof made->translation, &pad, &error) != TPAD_OK)
        return pad_refuse_core(made, &error);

    /* A value given as a tensor was parsed in the file's byte order; this one is in native order,
     * from src/specs. */
    if (by_attributes && input->big_endian)
        reverse_bytes(made->translation.fill, made->translation.fill_bytes);
    pad_problem_finish(made, input);
    return TPAD_OK;
}

/* --spec openvino: the options as arguments of an OpenVINO Pad layer. */

int32_t pad_make_openvino(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    const int64_t count = options->pads.count / 2;
    const tpad_openvino_tensor begin = {TPAD_OPENVINO_I64, 1, &count, options->pads.items};
    const tpad_openvino_tensor end = {TPAD_OPENVINO_I64, 1, &count, options->pads.items + count};
    const int32_t type = tpad_type_to_openvino(input->type);
    tpad_error error;
    int32_t code = TPAD_OK;
    if (type == 0)
        return pad_refuse(made, TPAD_E_SPEC_TYPE,
                          "elements of type '%s' do not exist in OpenVINO; --dtype names what raw "
                          "bytes are",
                          tpad_tensor_type_text(input));
    if (options->value) code = pad_parse_value(made, options, input);
    if (code != TPAD_OK) return code;
    const tpad_openvino_tensor value = {type, 0, NULL, made->value_memory};
    const tpad_openvino_pad pad = {
        .struct_size = sizeof pad,
        .opset = options->spec.version,
        .flags = options->lenient ? TPAD_OPENVINO_LENIENT : 0,
        .data = {type, input->rank, input->shape, NULL},
        .begin = &begin,
        .end = &end,
        .value = options->value ? &value : NULL,
        .mode = options->modes.given ? tpad_mode_name((int32_t)options->modes.items[0])
                                     : tpad_mode_name(TPAD_CONSTANT),
        .string_bytes = sizeof(tpad_string),
    };
    if (tpad_openvino_translate(&made->translation, sizeof made->translation, &pad, &error) !=
        TPAD_OK)
        return pad_refuse_core(made, &error);
    pad_problem_finish(made, input);
    return TPAD_OK;
}

/* --spec ngraph: the options as arguments of an nGraph Pad. */

/* The document's name of a mode, or NULL if it does not have the mode. */
static const char *mode_word(int32_t mode)
{
    for (int32_t i = 0; i < tpad_ngraph_mode_count(); i++)
        if (tpad_ngraph_mode_at(i)->mode == mode) return tpad_ngraph_mode_at(i)->word;
    return NULL;
}

int32_t pad_make_ngraph(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    const int64_t zeros[TPAD_MAX_RANK] = {0};
    tpad_ngraph_tensor value = {input->type, 0, NULL, NULL};
    tpad_error error;
    const int32_t mode = options->modes.given ? (int32_t)options->modes.items[0] : TPAD_CONSTANT;

    if (input->type == TPAD_ONNX_STRING)
        return pad_refuse(made, TPAD_E_SPEC_TYPE, "nGraph has no elements of type string");
    if (options->value == NULL)
        return pad_refuse(
            made, TPAD_E_SPEC_INPUT,
            "nGraph Pad requires arg_pad_value in every mode, it has no default: give "
            "--value");
    if (mode_word(mode) == NULL) {
        char modes[MODES_BYTES];
        modes_list(modes, modes_of_ngraph(), "and");
        return pad_refuse(made, TPAD_E_SPEC_MODE, "nGraph Pad has no mode '%s': it has %s",
                          tpad_mode_name(mode), modes);
    }
    const int32_t code = pad_parse_value(made, options, input);
    if (code != TPAD_OK) return code;
    value.data = made->value_memory;

    tpad_ngraph_pad pad = {
        .struct_size = sizeof pad,
        .arg = {input->type, input->rank, input->shape, NULL},
        .arg_pad_value = &value,
        .padding_below = zeros,
        .padding_above = zeros,
        .padding_below_count = input->rank,
        .padding_above_count = input->rank,
        .padding_interior = options->interior.items,
        .padding_interior_count = options->interior.count,
        .elem_bits = input->elem_bits,
        .pad_mode = mode_word(mode),
    };
    if (options->pads.given) {
        const int32_t count = options->pads.count / 2;
        pad.padding_below = options->pads.items;
        pad.padding_above = options->pads.items + count;
        pad.padding_below_count = pad.padding_above_count = count;
    }
    if (tpad_ngraph_translate(&made->translation, sizeof made->translation, &pad, &error) !=
        TPAD_OK)
        return pad_refuse_core(made, &error);

    pad_problem_finish(made, input);
    return TPAD_OK;
}

/* --spec mli-chw, mli-hwc: the options as a call of MLI's padding2d. */

/* Refuses what the document does not have: modes and values other than zeros. */
static int32_t check_zeros(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    const int32_t mode = options->modes.given ? (int32_t)options->modes.items[0] : TPAD_CONSTANT;
    int32_t code = TPAD_OK;
    if (mode != TPAD_CONSTANT)
        return pad_refuse(made, TPAD_E_SPEC_MODE,
                          "mode '%s': MLI pads with zeros only; --spec plain has the other modes",
                          tpad_mode_name(mode));
    if (!options->value) return TPAD_OK;
    code = pad_parse_value(made, options, input);
    const unsigned char *value = made->value_memory;
    for (int32_t i = 0; code == TPAD_OK && i < input->elem_bits / 8; i++)
        if (value[i] != 0)
            code =
                pad_refuse(made, TPAD_E_SPEC_VALUE,
                           "value %s: MLI pads with zeros only; --spec plain pads with any value",
                           options->value);
    return code;
}

static int32_t find_type(int32_t *type, pad_problem *made, const tpad_tensor *input)
{
    if (input->type == TPAD_ONNX_INT8 || input->type == TPAD_ONNX_INT16) {
        *type = input->type == TPAD_ONNX_INT8 ? TPAD_MLI_FX8 : TPAD_MLI_FX16;
        return TPAD_OK;
    }
    return pad_refuse(made, TPAD_E_SPEC_TYPE,
                      "elements of type '%s': MLI's padding2d has fx8 (int8) and fx16 (int16); "
                      "--spec plain pads any type",
                      tpad_tensor_type_text(input));
}

/* Reads the amounts. Two entries in a list are height and width, as in MLI's configuration; three
 * are one per axis. The channels are never padded. */
static int32_t read_amounts(tpad_mli_padding2d *call, pad_problem *made, const pad_options *options,
                            const tpad_mli_limits *limits)
{
    const int32_t count = options->pads.count / 2, each = count == 3;
    const int64_t *begin = options->pads.items, *end = begin + count;
    if (count != 2 && count != limits->rank)
        return pad_refuse(made, TPAD_E_SPEC_PADS,
                          "--begin and --end have %d entries, but MLI takes 2 (height, width) or 3 "
                          "(one for each axis, 0 for the channels)",
                          (int)count);
    if (each && (begin[limits->channels] != 0 || end[limits->channels] != 0))
        return pad_refuse(
            made, TPAD_E_AMOUNT,
            "axis %d: the channels (before %lld, after %lld) cannot be padded in MLI: "
            "0 is all they take; --spec plain pads every axis",
            (int)limits->channels, (long long)begin[limits->channels],
            (long long)end[limits->channels]);
    call->top = begin[each ? limits->height : 0];
    call->bottom = end[each ? limits->height : 0];
    call->left = begin[each ? limits->width : 1];
    call->right = end[each ? limits->width : 1];
    return TPAD_OK;
}

static int32_t make(pad_problem *made, const pad_options *options, const tpad_tensor *input,
                    int32_t layout)
{
    tpad_error error;
    tpad_mli_padding2d call = {
        .struct_size = sizeof call, .layout = layout, .rank = input->rank, .shape = input->shape};
    int32_t code = find_type(&call.type, made, input);
    if (code == TPAD_OK) code = check_zeros(made, options, input);
    if (code == TPAD_OK) code = read_amounts(&call, made, options, tpad_mli_limits_at(layout));
    if (code != TPAD_OK) return code;
    if (tpad_mli_translate(&made->translation, sizeof made->translation, &call, &error) != TPAD_OK)
        return pad_refuse_core(made, &error);
    pad_problem_finish(made, input);
    return TPAD_OK;
}

int32_t pad_make_mli_chw(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    return make(made, options, input, TPAD_MLI_CHW);
}

int32_t pad_make_mli_hwc(pad_problem *made, const pad_options *options, const tpad_tensor *input)
{
    return make(made, options, input, TPAD_MLI_HWC);
}
