/* What runtimes do with the pad of the page, for JavaScript.  SPDX-License-Identifier: MIT
 *
 * solve.js has the engine make the problem, which leaves its arguments in the slate, and then asks
 * for each target. The pad is judged as if it were a model with nothing else in it: data is an
 * input of known type and shape, and all other arguments are initializers, or attributes where the
 * version has no such input. */
#include "../../engine/slate.h"
#include "runtimes/runtimes.h"
#include <tensorpad/onnx.h>
#include <tensorpad/openvino.h>

int32_t make_onnx(void);
int32_t make_openvino(void);

static tpad_rules_facts facts;

/* ---- What the document says ------------------------------------------------------------------ */

static int32_t node_document(const tpad_onnx_version *version)
{
    const int32_t code = make_onnx();
    const tpad_rules_refusal refusal = {
        .code = code,
        .axis = engine_slate.error_axis,
        .types = version ? version->types : 0,
        .form = !version                                 ? TPAD_RULES_FORBIDS_OPSET
                : facts.axes_given && !version->has_axes ? TPAD_RULES_FORBIDS_INPUT_COUNT
                                                         : TPAD_RULES_ANSWERS,
    };
    return tpad_rules_document(&facts, &refusal);
}

static int32_t layer_document(void)
{
    const int32_t code = make_openvino();
    const tpad_rules_refusal refusal = {.code = code, .axis = engine_slate.error_axis};
    return tpad_rules_document(&facts, &refusal);
}

/* ---- Facts ----------------------------------------------------------------------------------- */

/* ONNX's number of OpenVINO's type, or a number of runtimes.h. */
static int32_t type_of_layer(int32_t type)
{
    static const uint8_t types[] = {
#define TYPE_OF(openvino, onnx) [TPAD_OPENVINO_##openvino] = TPAD_ONNX_##onnx,
        TPAD_OPENVINO_ONNX_MAP(TYPE_OF)
#undef TYPE_OF
            [TPAD_OPENVINO_U1] = TPAD_RULES_TYPE_U1,
        [TPAD_OPENVINO_NF4] = TPAD_RULES_TYPE_NF4,
    };
    return type >= 0 && type < (int32_t)sizeof types ? types[type] : TPAD_RULES_TYPE_UNKNOWN;
}

/* What is true of the constant, an element of `bits` bits whose type is ONNX's number. */
static int32_t describe_constant(int32_t type, int32_t bits)
{
    uint64_t code = 0;
    for (int32_t i = 0; i < 8 && 8 * i < bits; i++)
        code |= (uint64_t)engine_slate.value[i] << 8 * i;
    return tpad_rules_element(type, code);
}

/* count: how many axes the amounts are for. */
static void describe_amounts(int32_t count, const double *begin, const double *end)
{
    for (int32_t i = 0; i < count; i++) {
        double axis = facts.axes_given ? engine_slate.interior[i] : i;
        if (axis < 0) axis += facts.rank;
        if (axis < 0 || axis >= facts.rank) continue;
        facts.axis[(int32_t)axis].begin = (int64_t)begin[i];
        facts.axis[(int32_t)axis].end = (int64_t)end[i];
    }
}

static void describe_data(int32_t spec, int32_t type)
{
    tpad_rules_facts_unknown(&facts);
    facts.spec = spec;
    facts.opset = engine_slate.version;
    facts.type = type;
    facts.rank = engine_slate.rank;
    facts.rank_open = 0;
    facts.before = TPAD_RULES_NO_OPERATOR;
    tpad_rules_facts_apart(&facts, TPAD_RULES_NO_OPERATOR);
    facts.value_known = 1;

    facts.mode = engine_slate.has_word ? tpad_mode_from_name(engine_slate.word) : TPAD_CONSTANT;
    if (facts.mode < 0) facts.mode = TPAD_RULES_NO_MODE;
    for (int32_t i = 0; i < facts.rank; i++) {
        facts.axis[i].extent = (int64_t)engine_slate.extents[i];
        facts.axis[i].open = 0;
        facts.axis[i].amounts_known = 1;
    }
}

static void describe_node(const tpad_onnx_version *version)
{
    const slate *from = &engine_slate;
    const int32_t has_inputs = version && !version->pads_attribute;
    const int32_t type = has_inputs ? facts.type : TPAD_ONNX_FLOAT;
    facts.pads_given = has_inputs ? TPAD_RULES_INITIALIZER : TPAD_RULES_ATTRIBUTE;
    facts.pads_type = has_inputs ? TPAD_ONNX_INT64 : TPAD_RULES_TYPE_UNKNOWN;
    if (from->interior_count >= 0) {
        facts.axes_given = TPAD_RULES_INITIALIZER;
        facts.axes_type = TPAD_ONNX_INT64;
        facts.axes_count = from->interior_count;
        for (int32_t i = 0; i < facts.axes_count; i++) facts.axes[i] = (int32_t)from->interior[i];
    }
    const int32_t count = facts.axes_given ? facts.axes_count : facts.rank;
    if (from->before_count == 2 * count)
        describe_amounts(count, from->before, from->before + count);
    if (from->value_type < 0) return;
    facts.value_bits = describe_constant(type, tpad_onnx_type_bits(type));
    if (has_inputs) {
        facts.value_given = TPAD_RULES_INITIALIZER;
        facts.value_type = type;
        facts.value_rank = 0;
        facts.value_count = 1;
    } else if (facts.value_bits) {
        facts.value_given = TPAD_RULES_ATTRIBUTE;
    }
}

static void describe_layer(void)
{
    const slate *from = &engine_slate;
    facts.pads_given = TPAD_RULES_INITIALIZER;
    if (from->before_count == facts.rank && from->after_count == facts.rank)
        describe_amounts(facts.rank, from->before, from->after);
    if (from->value_type < 0) return;
    facts.value_given = TPAD_RULES_INITIALIZER;
    facts.value_bits = describe_constant(facts.type, tpad_openvino_type_bits(from->type));
}

/* Makes the facts of what make_onnx or make_openvino was called for last. Returns 0 if the rank or
 * the number of axes is larger than rules know, so that nothing can be judged. */
int32_t EXPORT(describe_onnx)(void);
int32_t describe_onnx(void)
{
    const tpad_onnx_version *version = tpad_onnx_version_for(engine_slate.version);
    if (engine_slate.rank > TPAD_RULES_MAX_RANK ||
        engine_slate.interior_count > TPAD_RULES_MAX_RANK)
        return 0;
    describe_data(TPAD_RULES_ONNX, engine_slate.type);
    describe_node(version);
    facts.document = node_document(version);
    return 1;
}

int32_t EXPORT(describe_openvino)(void);
int32_t describe_openvino(void)
{
    if (engine_slate.rank > TPAD_RULES_MAX_RANK) return 0;
    describe_data(TPAD_RULES_OPENVINO, type_of_layer(engine_slate.type));
    describe_layer();
    facts.document = layer_document();
    return 1;
}

/* ---- Verdicts -------------------------------------------------------------------------------- */

static tpad_rules_finding found;

/* What target number `index` does with it; the functions below give its words. 0: no such target.
 */
int32_t EXPORT(judge)(int32_t index);
int32_t judge(int32_t index)
{
    if (!tpad_rules_target_at(index)) return 0;
    tpad_rules_find_out(&found, &facts, (tpad_rules_choice){.low = index, .high = index});
    return 1;
}

static const tpad_rules_target *judged_target(void)
{
    return tpad_rules_target_at(found.verdict.choice.low);
}

/* Text number `number` of the last verdict, NULL if there is none: kind, code, sentence, what to
 * do, the target's name, its runtime and the version that was run. */
const char *EXPORT(judged_text)(int32_t number);
const char *judged_text(int32_t number)
{
    tpad_rules_page page;
    switch (number) {
    case 0:
        return tpad_rules_kind_name(found.verdict.kind);
    case 1:
        return found.code;
    case 2:
        return found.text;
    case 3:
        return tpad_rules_page_of(&page, found.verdict.code) ? page.ways_out : NULL;
    case 4:
        return judged_target()->name;
    case 5:
        return judged_target()->runtime;
    default:
        return judged_target()->version;
    }
}

/* 1 if the last verdict was seen by running the runtime; 0: its documents say so. */
int32_t EXPORT(judged_measured)(void);
int32_t judged_measured(void)
{
    return found.verdict.measured;
}
