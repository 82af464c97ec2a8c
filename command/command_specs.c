/* `tensorpad specs`: specifications and their limits, from the tables that src/specs enforces.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <tensorpad/mli.h>
#include <tensorpad/ngraph.h>
#include <tensorpad/openvino.h>

#include "arguments.h"
#include "error_report.h"
#include "help.h"
#include "json_writer.h"
#include "spec_problem.h"

enum { MOST_TYPES = 40 };

/* One specification, in common terms. */
typedef struct row {
    char name[32]; /* as --spec takes it */
    uint32_t modes;
    int32_t order;
    const char *types[MOST_TYPES];
    int type_count; /* 0: any type */
    char amounts[40];
    char mode_limits[96];
    const char *pads;          /* as inputs or attributes */
    const char *value;         /* as an input or attribute */
    const char *default_value; /* NULL: it must be given */
    const char *negative;      /* the effect of an output extent below 0 */
    int has_axes, has_interior;
} row;

#define SIGNED_AMOUNTS "signed"
static const char is_error[] = "an error";
static const char zero[] = "0, \"\" for strings, false for bool";

/* ---- The specifications ---------------------------------------------------------------------- */

static row onnx_row(const tpad_onnx_version *version)
{
    row r = {.modes = version->modes,
             .order = TPAD_CROP,
             .amounts = SIGNED_AMOUNTS,
             .mode_limits = "none",
             .pads = "input pads",
             .value = "input constant_value",
             .default_value = zero,
             .negative = is_error,
             .has_axes = version->has_axes};
    snprintf(r.name, sizeof r.name, "onnx-%d", (int)version->since);
    if (version->pads_attribute) {
        r.pads =
            strcmp(version->pads_attribute, "pads") == 0 ? "attribute pads" : "attribute paddings";
        r.value = "attribute value (float)";
    }
    for (int32_t type = 1; tpad_onnx_type_name(type); type++)
        if (version->types >> type & 1) r.types[r.type_count++] = tpad_onnx_type_name(type);
    return r;
}

/* "extent - 1" */
static void put_limit(char *text, size_t bytes, int32_t beyond)
{
    snprintf(text, bytes, beyond ? "extent %c %d" : "extent", beyond < 0 ? '-' : '+',
             (int)(beyond < 0 ? -beyond : beyond));
}

static row openvino_row(const tpad_openvino_version *version)
{
    row r = {.modes = version->modes,
             .order = version->order,
             .pads = "inputs pads_begin, pads_end",
             .value = "input pad_value",
             .default_value = zero,
             .negative = version->negative ? "becomes 0" : "cannot be"};
    snprintf(r.name, sizeof r.name, "openvino-%d", (int)version->version);
    snprintf(r.amounts, sizeof r.amounts, "%s", version->negative ? SIGNED_AMOUNTS : "0 or more");
    char reflect[24], symmetric[24];
    put_limit(reflect, sizeof reflect, version->reflect_limit);
    put_limit(symmetric, sizeof symmetric, version->symmetric_limit);
    snprintf(r.mode_limits, sizeof r.mode_limits, "reflect: amounts up to %s; symmetric: up to %s",
             reflect, symmetric);
    for (int32_t type = 1; tpad_openvino_type_name(type); type++)
        if (version->types >> type & 1) r.types[r.type_count++] = tpad_openvino_type_name(type);
    return r;
}

static row ngraph_row(void)
{
    const tpad_ngraph_limits *limits = tpad_ngraph_get_limits();
    row r = {.name = "ngraph",
             .order = limits->order,
             .amounts = SIGNED_AMOUNTS,
             .pads = "below, above, interior",
             .value = "input arg_pad_value",
             .negative = is_error,
             .has_interior = 1};
    size_t length = 0;
    for (int32_t i = 0; i < tpad_ngraph_mode_count(); i++) {
        const tpad_ngraph_mode *mode = tpad_ngraph_mode_at(i);
        r.modes |= 1u << mode->mode;
        if (mode->least_extent > 0 && length < sizeof r.mode_limits)
            length += (size_t)snprintf(r.mode_limits + length, sizeof r.mode_limits - length,
                                       "%s%s %d", length ? ", " : "least extent where it pads: ",
                                       tpad_mode_name(mode->mode), (int)mode->least_extent);
    }
    return r;
}

static row mli_row(const tpad_mli_limits *limits)
{
    row r = {.modes = limits->modes,
             .order = TPAD_WINDOW,
             .mode_limits = "height and width only, no empty tensors",
             .pads = "padding_left, _right, _top, _bottom",
             .value = "none",
             .default_value = "0",
             .negative = "cannot be"};
    snprintf(r.name, sizeof r.name, "mli-%s", limits->name);
    snprintf(r.amounts, sizeof r.amounts, "%d to %d", (int)limits->least, (int)limits->most);
    for (int32_t type = 0; tpad_mli_type_name(type); type++)
        if (limits->types >> type & 1) r.types[r.type_count++] = tpad_mli_type_name(type);
    return r;
}

static row plain_row(void)
{
    return (row){.name = "plain",
                 .modes = (1u << TPAD_MODE_COUNT) - 1,
                 .order = TPAD_WINDOW,
                 .amounts = SIGNED_AMOUNTS,
                 .mode_limits = "none",
                 .pads = "--begin, --end; --pads",
                 .value = "--value",
                 .default_value = zero,
                 .negative = is_error,
                 .has_axes = 1,
                 .has_interior = 1};
}

/* Row number `index`, in the order of the documents; 0 after the last one. */
static int row_at(row *r, int32_t index)
{
    if (index < tpad_onnx_version_count()) {
        *r = onnx_row(tpad_onnx_version_at(index));
        return 1;
    }
    index -= tpad_onnx_version_count();
    if (index < tpad_openvino_version_count()) {
        *r = openvino_row(tpad_openvino_version_at(index));
        return 1;
    }
    index -= tpad_openvino_version_count();
    if (index == 0) {
        *r = ngraph_row();
        return 1;
    }
    index--;
    if (index < tpad_mli_layout_count()) {
        *r = mli_row(tpad_mli_limits_at(index));
        return 1;
    }
    *r = plain_row();
    return index == tpad_mli_layout_count();
}

/* ---- Writing --------------------------------------------------------------------------------- */

static const char *order_name(int32_t order)
{
    return order == TPAD_CROP ? "crop" : "window";
}

/* The name of the row for a value of --spec: onnx-12 uses the row of version 11, the newest that
 * applies. */
static void name_row(char *name, size_t bytes, const spec *wanted)
{
    const char *word = wanted->family->name;
    int32_t version = 0;
    if (strcmp(word, "onnx") == 0) version = tpad_onnx_version_for(wanted->version)->since;
    if (strcmp(word, "openvino") == 0)
        version = tpad_openvino_version_for(wanted->version)->version;
    if (version > 0)
        snprintf(name, bytes, "%s-%d", word, (int)version);
    else
        snprintf(name, bytes, "%s", word);
}

static int is_wanted(const row *r, const char *only)
{
    return !*only || strcmp(r->name, only) == 0;
}

/* only: a name, or "" for all. */
static void write_json(const char *only)
{
    json out = {stdout, 0};
    row r;
    json_open(&out, '{');
    json_key(&out, "specs");
    json_open(&out, '[');
    for (int32_t i = 0; row_at(&r, i); i++) {
        if (!is_wanted(&r, only)) continue;
        json_open(&out, '{');
        json_text_field(&out, "spec", r.name);
        json_key(&out, "modes");
        json_open(&out, '[');
        for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++)
            if (r.modes >> mode & 1) json_text(&out, tpad_mode_name(mode));
        json_close(&out, ']');
        json_key(&out, "types");
        if (r.type_count == 0) json_null(&out);
        if (r.type_count > 0) {
            json_open(&out, '[');
            for (int k = 0; k < r.type_count; k++) json_text(&out, r.types[k]);
            json_close(&out, ']');
        }
        json_text_field(&out, "order", order_name(r.order));
        json_text_field(&out, "amounts", r.amounts);
        json_text_field(&out, "mode_limits", r.mode_limits);
        json_text_field(&out, "pads", r.pads);
        json_key(&out, "axes");
        json_boolean(&out, r.has_axes);
        json_key(&out, "interior");
        json_boolean(&out, r.has_interior);
        json_text_field(&out, "value", r.value);
        json_text_field(&out, "default_value", r.default_value);
        json_text_field(&out, "negative_extent", r.negative);
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_close(&out, '}');
    putchar('\n');
}

/* Prints a list of words wrapped at 80 columns. */
static void print_words(const char *label, const char *const *words, int count)
{
    int column = printf("    %-8s", label);
    for (int k = 0; k < count; k++) {
        if (column + 1 + (int)strlen(words[k]) > 80) column = printf("\n    %-8s", "") - 1;
        column += printf(" %s", words[k]);
    }
    putchar('\n');
}

static void print_text(const char *only)
{
    row r;
    for (int32_t i = 0; row_at(&r, i); i++) {
        if (!is_wanted(&r, only)) continue;
        const char *modes[TPAD_MODE_COUNT];
        int count = 0;
        for (int32_t mode = 0; mode < TPAD_MODE_COUNT; mode++)
            if (r.modes >> mode & 1) modes[count++] = tpad_mode_name(mode);
        printf("%s\n", r.name);
        print_words("modes", modes, count);
        static const char *const any[] = {"any"};
        print_words("types", r.type_count ? r.types : any, r.type_count ? r.type_count : 1);
        printf("    amounts  %s, order %s%s%s; from %s\n", r.amounts, order_name(r.order),
               r.has_axes ? ", axes" : "", r.has_interior ? ", interior" : "", r.pads);
        printf("    limits   %s\n", r.mode_limits);
        printf("    below 0  an output extent below 0: %s\n", r.negative);
        printf("    value    %s, default: %s\n", r.value,
               r.default_value ? r.default_value : "none, required");
    }
}

/* ---- The command ----------------------------------------------------------------------------- */

typedef struct specs_options {
    char only[sizeof((row *)0)->name]; /* "" for all */
    int as_json;
} specs_options;

static const option_row specs_rows[] = {
    {"json", 0, NULL, argument_flag, offsetof(specs_options, as_json), NULL,
     "one JSON object: {\"specs\": [{\"spec\", \"modes\", \"types\" (null is any), \"order\", "
     "\"amounts\", \"mode_limits\", \"pads\", \"axes\", \"interior\", \"value\", "
     "\"default_value\" (null: required), \"negative_extent\"}, ...]}"},
    {NULL, 0, NULL, NULL, 0, NULL, NULL},
};

static int take_spec(void *field, char *name)
{
    specs_options *options = field;
    spec wanted;
    if (*options->only)
        return report_usage("specs: '%s' is one spec too many: it takes one, or none", name);
    const int status = spec_parse(&wanted, name);
    if (status == EXIT_DONE) name_row(options->only, sizeof options->only, &wanted);
    return status;
}

static int list_specs(void *field)
{
    const specs_options *options = field;
    if (options->as_json)
        write_json(options->only);
    else
        print_text(options->only);
    return report_stdout_end();
}

const sub_command command_specs = {
    .name = "specs",
    .files = "[SPEC]",
    .summary = "what each specification allows",
    .about = "\n"
             "Lists every specification that --spec of tensorpad pad knows, or the one of that\n"
             "name (onnx, onnx-N, openvino, openvino-N, ngraph, mli-chw, mli-hwc, plain): its\n"
             "modes, its element types, the order of crop and pad, amounts, limits, and how\n"
             "amounts and the pad value are given. The list is made from the data that is\n"
             "enforced.\n",
    .rows = specs_rows,
    .end = "",
    .bytes = sizeof(specs_options),
    .take_file = take_spec,
    .run = list_specs,
};
