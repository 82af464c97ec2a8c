/* What runtimes do with the pad of the page, for JavaScript.  SPDX-License-Identifier: MIT
 *
 * JavaScript (runtimes.js) writes a node into `asked` and calls judge_node() for each target. The
 * node is one of a model with nothing else in it: data is an input of known type and shape, and all
 * other arguments are initializers, or attributes where the version has no such input. */
#include "rules/rules.h"
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

enum { MAX_RANK = TPAD_RULES_MAX_RANK, WORD_BYTES = 16 };

/* One node, as runtimes.js writes it: its offsets are there, too. */
static struct {
    double shape[MAX_RANK];
    double pads[2 * MAX_RANK]; /* all begins, then all ends */
    double axes[MAX_RANK];
    uint64_t value; /* the bits of the element; a float's where the value is an attribute */
    int32_t spec;   /* TPAD_RULES_ONNX, TPAD_RULES_OPENVINO */
    int32_t opset;
    int32_t rank;
    int32_t pads_count;
    int32_t axes_count; /* -1: absent */
    int32_t value_given;
    char type[WORD_BYTES]; /* ONNX's name, also of a layer's */
    char mode[WORD_BYTES];
} asked;

_Static_assert(sizeof asked == 8 * 65 + 4 * 6 + 2 * WORD_BYTES, "the offsets in runtimes.js");

void *EXPORT(asked_node)(void);
void *asked_node(void)
{
    return &asked;
}

static tpad_rules_facts facts;
static int64_t shape[MAX_RANK], pads[2 * MAX_RANK], axes[MAX_RANK];

/* ---- What the document says ------------------------------------------------------------------ */

static float as_float(uint64_t code)
{
    const union {
        uint32_t code;
        float number;
    } element = {(uint32_t)code};
    return element.number;
}

static int32_t translate_node(const tpad_onnx_version *version, tpad_error *error)
{
    const int64_t pads_count = asked.pads_count, axes_count = asked.axes_count;
    const tpad_onnx_tensor pads_input = {TPAD_ONNX_INT64, 1, &pads_count, pads};
    const tpad_onnx_tensor axes_input = {TPAD_ONNX_INT64, 1, &axes_count, axes};
    const tpad_onnx_tensor value_input = {facts.type, 0, NULL, &asked.value};
    const float attribute_value = as_float(asked.value);
    tpad_translation made;
    tpad_onnx_pad pad = {
        .struct_size = sizeof pad,
        .opset = asked.opset,
        .data = {facts.type, asked.rank, shape, NULL},
        .axes = asked.axes_count >= 0 ? &axes_input : NULL,
        .mode = asked.mode,
    };
    if (!version->pads_attribute) {
        pad.pads = &pads_input;
        pad.value = asked.value_given ? &value_input : NULL;
    } else {
        pad.attribute_value = asked.value_given ? &attribute_value : NULL;
        if (version->since == 1) {
            pad.attribute_paddings = pads;
            pad.attribute_paddings_count = asked.pads_count;
        } else {
            pad.attribute_pads = pads;
            pad.attribute_pads_count = asked.pads_count;
        }
    }
    return tpad_onnx_translate(&made, sizeof made, &pad, error);
}

/* Why the document forbids a node, or TPAD_RULES_ANSWERS; the first reason in rules.h. */
static int32_t node_document(void)
{
    const tpad_onnx_version *version = tpad_onnx_version_for(facts.opset);
    tpad_error error;
    if (!version) return TPAD_RULES_FORBIDS_OPSET;
    if (translate_node(version, &error) == TPAD_OK) return TPAD_RULES_ANSWERS;
    if (asked.axes_count >= 0 && !version->has_axes) return TPAD_RULES_FORBIDS_INPUT_COUNT;
    if (!(version->types >> facts.type & 1)) return TPAD_RULES_FORBIDS_TYPE;
    if (facts.mode == TPAD_RULES_NO_MODE || facts.mode == TPAD_RULES_SYMMETRIC)
        return TPAD_RULES_FORBIDS_MODE_WORD;
    switch (error.code) {
    case TPAD_E_SPEC_MODE:
        return TPAD_RULES_FORBIDS_MODE;
    case TPAD_E_SPEC_PADS:
        return TPAD_RULES_FORBIDS_PADS_COUNT;
    case TPAD_E_SPEC_AXES:
        return error.axis >= 0 ? TPAD_RULES_FORBIDS_AXES_REPEATED : TPAD_RULES_FORBIDS_AXES_RANGE;
    case TPAD_E_NEGATIVE:
        return TPAD_RULES_FORBIDS_NEGATIVE_EXTENT;
    case TPAD_E_NO_SOURCE:
        return TPAD_RULES_FORBIDS_NOTHING_LEFT;
    default:
        return TPAD_RULES_FORBIDS_OTHER;
    }
}

/* OpenVINO's number of a type; 0 for one that it does not have. */
static int32_t layer_type(void)
{
    static const uint8_t types[] = {
        [TPAD_ONNX_FLOAT] = TPAD_OPENVINO_F32,     [TPAD_ONNX_UINT8] = TPAD_OPENVINO_U8,
        [TPAD_ONNX_INT8] = TPAD_OPENVINO_I8,       [TPAD_ONNX_UINT16] = TPAD_OPENVINO_U16,
        [TPAD_ONNX_INT16] = TPAD_OPENVINO_I16,     [TPAD_ONNX_INT32] = TPAD_OPENVINO_I32,
        [TPAD_ONNX_INT64] = TPAD_OPENVINO_I64,     [TPAD_ONNX_BOOL] = TPAD_OPENVINO_BOOLEAN,
        [TPAD_ONNX_FLOAT16] = TPAD_OPENVINO_F16,   [TPAD_ONNX_DOUBLE] = TPAD_OPENVINO_F64,
        [TPAD_ONNX_UINT32] = TPAD_OPENVINO_U32,    [TPAD_ONNX_UINT64] = TPAD_OPENVINO_U64,
        [TPAD_ONNX_BFLOAT16] = TPAD_OPENVINO_BF16,
    };
    return facts.type < (int32_t)sizeof types ? types[facts.type] : 0;
}

/* The same of a layer of an IR. */
static int32_t layer_document(void)
{
    const int32_t type = layer_type();
    const int64_t count = asked.pads_count / 2;
    const tpad_openvino_tensor begin = {TPAD_OPENVINO_I64, 1, &count, pads};
    const tpad_openvino_tensor end = {TPAD_OPENVINO_I64, 1, &count, pads + count};
    const tpad_openvino_tensor value = {type, 0, NULL, &asked.value};
    const tpad_openvino_pad layer = {
        .struct_size = sizeof layer,
        .opset = asked.opset,
        .data = {type, asked.rank, shape, NULL},
        .begin = &begin,
        .end = &end,
        .value = asked.value_given ? &value : NULL,
        .mode = asked.mode,
    };
    tpad_translation made;
    tpad_error error;
    if (tpad_openvino_translate(&made, sizeof made, &layer, &error) == TPAD_OK)
        return TPAD_RULES_ANSWERS;
    switch (error.code) {
    case TPAD_E_SPEC_VERSION:
        return TPAD_RULES_FORBIDS_OPSET;
    case TPAD_E_SPEC_TYPE:
        return TPAD_RULES_FORBIDS_TYPE;
    case TPAD_E_SPEC_MODE:
        return facts.mode == TPAD_RULES_NO_MODE ? TPAD_RULES_FORBIDS_MODE_WORD
                                                : TPAD_RULES_FORBIDS_MODE;
    case TPAD_E_SPEC_PADS: /* of an axis: an amount */
        return error.axis >= 0 ? TPAD_RULES_FORBIDS_OTHER : TPAD_RULES_FORBIDS_PADS_COUNT;
    case TPAD_E_SPEC_VALUE:
        return TPAD_RULES_FORBIDS_VALUE_TYPE;
    case TPAD_E_NEGATIVE:
        return TPAD_RULES_FORBIDS_NEGATIVE_EXTENT;
    case TPAD_E_NO_SOURCE:
        return TPAD_RULES_FORBIDS_NOTHING_LEFT;
    default:
        return TPAD_RULES_FORBIDS_OTHER;
    }
}

/* ---- Facts ----------------------------------------------------------------------------------- */

/* The modes of the library and of the rules have the same numbers. */
static int32_t mode_fact(void)
{
    const int32_t mode = tpad_mode_from_name(asked.mode);
    return mode < 0 ? TPAD_RULES_NO_MODE : mode;
}

static void read_lists(void)
{
    for (int32_t i = 0; i < asked.rank; i++) shape[i] = (int64_t)asked.shape[i];
    for (int32_t i = 0; i < asked.pads_count; i++) pads[i] = (int64_t)asked.pads[i];
    for (int32_t i = 0; i < asked.axes_count; i++) axes[i] = (int64_t)asked.axes[i];
}

static void describe_amounts(void)
{
    const int32_t count = asked.axes_count >= 0 ? asked.axes_count : asked.rank;
    for (int32_t i = 0; i < asked.rank; i++)
        facts.axis[i].amounts_known = asked.pads_count % 2 == 0;
    if (asked.pads_count != 2 * count) return;
    for (int32_t i = 0; i < count; i++) {
        int64_t axis = asked.axes_count >= 0 ? axes[i] : i;
        if (axis < 0) axis += asked.rank;
        if (axis < 0 || axis >= asked.rank) continue;
        facts.axis[axis].begin = pads[i];
        facts.axis[axis].end = pads[count + i];
    }
}

static void describe_data(void)
{
    facts.rank = asked.rank;
    facts.rank_open = 0;
    for (int32_t i = 0; i < asked.rank; i++) {
        facts.axis[i].extent = shape[i];
        facts.axis[i].open = 0;
    }
    facts.before = TPAD_RULES_NO_OPERATOR;
    facts.behind = TPAD_RULES_NO_OPERATOR;
}

static void describe_node(void)
{
    const tpad_onnx_version *version = tpad_onnx_version_for(facts.opset);
    const int32_t has_inputs = version && !version->pads_attribute;
    facts.pads_given = has_inputs ? TPAD_RULES_INITIALIZER : TPAD_RULES_ATTRIBUTE;
    facts.pads_type = has_inputs ? TPAD_ONNX_INT64 : TPAD_RULES_TYPE_UNKNOWN;
    if (asked.axes_count >= 0) {
        facts.axes_given = TPAD_RULES_INITIALIZER;
        facts.axes_type = TPAD_ONNX_INT64;
        facts.axes_count = asked.axes_count;
        for (int32_t i = 0; i < asked.axes_count; i++) facts.axes[i] = (int32_t)axes[i];
    }
    if (!asked.value_given) return;
    if (has_inputs) {
        facts.value_given = TPAD_RULES_INITIALIZER;
        facts.value_type = facts.type;
        facts.value_rank = 0;
        facts.value_count = 1;
        facts.value_bits = tpad_rules_element(facts.type, asked.value);
    } else {
        facts.value_bits = tpad_rules_element(TPAD_ONNX_FLOAT, asked.value);
        if (facts.value_bits) facts.value_given = TPAD_RULES_ATTRIBUTE;
    }
}

static void describe_layer(void)
{
    facts.pads_given = TPAD_RULES_INITIALIZER;
    if (!asked.value_given) return;
    facts.value_given = TPAD_RULES_INITIALIZER;
    facts.value_bits = tpad_rules_element(facts.type, asked.value);
}

/* Makes the facts of the node that stands in `asked`. */
void EXPORT(describe_asked)(void);
void describe_asked(void)
{
    if (asked.opset == 0) asked.opset = tpad_onnx_version_at(tpad_onnx_version_count() - 1)->since;
    read_lists();
    tpad_rules_facts_unknown(&facts);
    facts.spec = asked.spec;
    facts.opset = asked.opset;
    facts.type = tpad_onnx_type_from_name(asked.type);
    facts.mode = mode_fact();
    facts.value_known = 1;
    describe_data();
    describe_amounts();
    if (asked.spec == TPAD_RULES_OPENVINO) {
        const tpad_openvino_version *version = tpad_openvino_version_for(asked.opset);
        facts.opset = version ? version->version : 0;
        facts.document = layer_document();
        describe_layer();
    } else {
        facts.document = node_document();
        describe_node();
    }
}

/* ---- Verdicts -------------------------------------------------------------------------------- */

static tpad_rules_finding found;

/* What target number `index` does with it; the functions below give its words. 0: no such target. */
int32_t EXPORT(judge_asked)(int32_t index);
int32_t judge_asked(int32_t index)
{
    if (!tpad_rules_target_at(index)) return 0;
    tpad_rules_find_out(&found, &facts, (tpad_rules_choice){index, index});
    return 1;
}

/* The words of the last verdict. */
const char *EXPORT(judged_kind)(void);
const char *judged_kind(void)
{
    return tpad_rules_kind_name(found.verdict.kind);
}

const char *EXPORT(judged_code)(void);
const char *judged_code(void)
{
    return found.code;
}

const char *EXPORT(judged_text)(void);
const char *judged_text(void)
{
    return found.text;
}

int32_t EXPORT(judged_by_running)(void);
int32_t judged_by_running(void)
{
    return found.verdict.measured;
}

/* The words of its target. */
const char *EXPORT(judged_target)(void);
const char *judged_target(void)
{
    return tpad_rules_target_at(found.verdict.choice.low)->name;
}

const char *EXPORT(judged_runtime)(void);
const char *judged_runtime(void)
{
    return tpad_rules_target_at(found.verdict.choice.low)->runtime;
}

/* Of a target of which only documents were read: NULL. */
const char *EXPORT(judged_version)(void);
const char *judged_version(void)
{
    return tpad_rules_target_at(found.verdict.choice.low)->version;
}

/* What to do about it; NULL if no rule decides. */
const char *EXPORT(judged_ways_out)(void);
const char *judged_ways_out(void)
{
    tpad_rules_page page;
    return tpad_rules_page_of(&page, found.verdict.code) ? page.ways_out : NULL;
}
