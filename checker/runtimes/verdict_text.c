/* Writes a verdict as one sentence.  SPDX-License-Identifier: MIT
 *
 * Names of modes, types, reasons and missing facts, and the expansion of templates. */
#include <tensorpad/openvino.h>

#include "rule.h"

/* ---- Words ----------------------------------------------------------------------------------- */

static const char *const kinds[TPAD_RULES_KINDS] = {
    "same", "unknown", "accepts", "differs", "refuses", "crashes",
};

#define WORD(name, number, word) [number] = (word),
static const char *const modes[] = {[TPAD_RULES_NO_MODE] = "another mode", TPAD_MODE_MAP(WORD)};
#undef WORD

#define WORD(name, number, word, bits) [number] = (word),
static const char *const types[] = {[TPAD_RULES_TYPE_UNKNOWN] = "unknown",
                                    TPAD_ONNX_TYPE_MAP(WORD)};
#undef WORD

/* Type names in an IR, by OpenVINO's numbers; then OpenVINO's numbers by those of ONNX. */
#define WORD(name, number, word, port, bits) [number] = (word),
static const char *const ir_words[] = {TPAD_OPENVINO_TYPE_MAP(WORD)};
#undef WORD
#define TYPE_OF(openvino, onnx) [TPAD_ONNX_##onnx] = TPAD_OPENVINO_##openvino,
static const int8_t ir_types[sizeof types / sizeof *types] = {TPAD_OPENVINO_ONNX_MAP(TYPE_OF)};
#undef TYPE_OF

static const char *const more_types[] = {"u1", "u3", "u6", "nf4"};

static const char *const reasons[TPAD_RULES_DOCUMENT_END] = {
    [TPAD_RULES_ANSWERS] = "nothing",
    [TPAD_RULES_FORBIDS_OPSET] = "an opset without Pad",
    [TPAD_RULES_FORBIDS_AXES_ATTRIBUTE] = "axes that are an attribute",
    [TPAD_RULES_FORBIDS_ATTRIBUTE_NAME] = "an attribute that this version of Pad does not have",
    [TPAD_RULES_FORBIDS_ATTRIBUTE_TYPE] = "an attribute of another type",
    [TPAD_RULES_FORBIDS_VALUE_ATTRIBUTE] = "a pad value that is an attribute",
    [TPAD_RULES_FORBIDS_PADS_ATTRIBUTE] = "pads that are an attribute",
    [TPAD_RULES_FORBIDS_INPUT_COUNT] = "an input that this version of Pad does not have",
    [TPAD_RULES_FORBIDS_DATA_MISSING] = "a Pad without data",
    [TPAD_RULES_FORBIDS_PADS_MISSING] = "a Pad without pads",
    [TPAD_RULES_FORBIDS_TYPE] = "a type that this version of Pad does not have",
    [TPAD_RULES_FORBIDS_MODE] =
        "a mode that this version of Pad does not have (exporters take opset_version=19)",
    [TPAD_RULES_FORBIDS_MODE_WORD] = "a word that is not a mode",
    [TPAD_RULES_FORBIDS_VALUE_TYPE] = "a pad value of another type than data",
    [TPAD_RULES_FORBIDS_VALUE_COUNT] = "a pad value that is not one element",
    [TPAD_RULES_FORBIDS_VALUE_RANK] = "a pad value of rank 2 or more",
    [TPAD_RULES_FORBIDS_PADS_TYPE] = "pads of another type than int64",
    [TPAD_RULES_FORBIDS_PADS_ROW] = "pads of shape [1, n]",
    [TPAD_RULES_FORBIDS_PADS_SHAPE] = "pads that are not one-dimensional",
    [TPAD_RULES_FORBIDS_AXES_TYPE] = "axes of another type than int32 and int64",
    [TPAD_RULES_FORBIDS_AXES_SHAPE] = "axes that are not one-dimensional",
    [TPAD_RULES_FORBIDS_PADS_COUNT] = "a wrong number of pads",
    [TPAD_RULES_FORBIDS_AXES_RANGE] = "an axis out of range",
    [TPAD_RULES_FORBIDS_AXES_REPEATED] = "an axis that is named twice",
    [TPAD_RULES_FORBIDS_NEGATIVE_EXTENT] = "a negative extent of the output",
    [TPAD_RULES_FORBIDS_NOTHING_LEFT] = "an axis with nothing left to repeat",
    [TPAD_RULES_FORBIDS_OTHER] = "an argument that the specification does not allow",
};

static const char *const facts_missing[TPAD_RULES_MISSING_END] = {
    [TPAD_RULES_MISSING_NOTHING] = "nothing",
    [TPAD_RULES_MISSING_OPSET] = "the opset",
    [TPAD_RULES_MISSING_TYPE] = "the type of data",
    [TPAD_RULES_MISSING_MODE] = "the mode",
    [TPAD_RULES_MISSING_RANK] = "the rank of data",
    [TPAD_RULES_MISSING_EXTENT] = "the extent of axis {axis}",
    [TPAD_RULES_MISSING_PADS] = "the numbers in pads",
    [TPAD_RULES_MISSING_AXES] = "the numbers in axes",
    [TPAD_RULES_MISSING_VALUE] = "the pad value",
    [TPAD_RULES_MISSING_DATA] = "which elements data has",
    [TPAD_RULES_MISSING_NEIGHBOURS] = "what the operators around the Pad do with it",
    [TPAD_RULES_MISSING_BRANCHES] = "whether the branches of the If give one shape",
    [TPAD_RULES_MISSING_DOCUMENT] = "whether the specification allows the node",
    [TPAD_RULES_MISSING_MEASUREMENT] = "what it does with nodes that the specification forbids",
    [TPAD_RULES_MISSING_VERSION] = "how this version behaves",
};

static const char *const missing_names[TPAD_RULES_MISSING_END] = {
    [TPAD_RULES_MISSING_OPSET] = "opset",
    [TPAD_RULES_MISSING_TYPE] = "type",
    [TPAD_RULES_MISSING_MODE] = "mode",
    [TPAD_RULES_MISSING_RANK] = "rank",
    [TPAD_RULES_MISSING_EXTENT] = "extent",
    [TPAD_RULES_MISSING_PADS] = "pads",
    [TPAD_RULES_MISSING_AXES] = "axes",
    [TPAD_RULES_MISSING_VALUE] = "value",
    [TPAD_RULES_MISSING_DATA] = "data",
    [TPAD_RULES_MISSING_NEIGHBOURS] = "neighbours",
    [TPAD_RULES_MISSING_BRANCHES] = "branches",
    [TPAD_RULES_MISSING_DOCUMENT] = "document",
    [TPAD_RULES_MISSING_MEASUREMENT] = "measurement",
    [TPAD_RULES_MISSING_VERSION] = "version",
};

const char *tpad_rules_kind_name(int32_t kind)
{
    return kind >= 0 && kind < TPAD_RULES_KINDS ? kinds[kind] : NULL;
}

const char *tpad_rules_missing_name(int32_t missing)
{
    return missing >= 0 && missing < TPAD_RULES_MISSING_END ? missing_names[missing] : NULL;
}

static const char *type_word(const tpad_rules_facts *facts)
{
    const int32_t type = facts->type, more = type - TPAD_RULES_TYPE_U1;
    if (more >= 0 && more < (int32_t)(sizeof more_types / sizeof *more_types))
        return more_types[more];
    if (type < 0 || type >= (int32_t)(sizeof types / sizeof *types)) return types[0];
    return facts->spec == TPAD_RULES_OPENVINO && ir_types[type] ? ir_words[ir_types[type]]
                                                                : types[type];
}

static const char *mode_word(int32_t mode)
{
    return mode >= 0 && mode <= TPAD_RULES_NO_MODE ? modes[mode] : "unknown";
}

/* ---- Sentences ------------------------------------------------------------------------------- */

/* The text so far. `length` counts letters that do not fit, too. */
typedef struct text {
    char *buffer;
    size_t bytes;
    size_t length;
    const tpad_rules_verdict *verdict;
    const tpad_rules_facts *facts;
} text;

static void add_letter(text *t, char letter)
{
    if (t->length + 1 < t->bytes) t->buffer[t->length] = letter;
    t->length++;
}

static void add(text *t, const char *more)
{
    while (*more) add_letter(t, *more++);
}

static void add_number(text *t, int64_t number)
{
    char digits[20];
    int32_t count = 0;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    if (number < 0) add_letter(t, '-');
    do digits[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (count) add_letter(t, digits[--count]);
}

/* "ONNX Runtime 1.31.1", or the name alone if only documents were read. */
static void add_target(text *t, const tpad_rules_target *target)
{
    add(t, target->runtime);
    if (target->version) {
        add(t, " ");
        add(t, target->version);
    }
}

static void add_runtime(text *t)
{
    add_target(t, tpad_rules_target_at(t->verdict->choice.low));
    if (t->verdict->choice.low != t->verdict->choice.high) {
        add(t, " (and ");
        add(t, tpad_rules_target_at(t->verdict->choice.high)->version);
        add(t, ")");
    }
}

static int32_t opens_with(const char *at, const char *word)
{
    while (*word && *at == *word) at++, word++;
    return *word == '\0';
}

/* Expands the "{...}" at `at`; returns its last letter. */
static const char *add_field(text *t, const char *at)
{
    const tpad_rules_verdict *v = t->verdict;
    if (opens_with(at, "{axis}"))
        add_number(t, v->axis);
    else if (opens_with(at, "{type}"))
        add(t, type_word(t->facts));
    else if (opens_with(at, "{mode}"))
        add(t, mode_word(t->facts->mode));
    else if (opens_with(at, "{opset}"))
        add_number(t, t->facts->opset);
    else if (opens_with(at, "{rank}"))
        add_number(t, t->facts->rank);
    else if (opens_with(at, "{reason}"))
        add(t, reasons[t->facts->document > 0 ? t->facts->document : 0]);
    else if (opens_with(at, "{runtime}"))
        add_runtime(t);
    else
        add_number(t, v->numbers[at[1] - '0']);
    while (*at != '}') at++;
    return at;
}

static void add_template(text *t, const char *at)
{
    for (; *at; at++) {
        if (*at == '{')
            at = add_field(t, at);
        else
            add_letter(t, *at);
    }
}

static void add_code(text *t, int64_t code)
{
    if (code == 0) return;
    add(t, " (TP");
    add_number(t, code);
    add(t, ")");
}

/* The target's rule with this code; it exists. */
static const rule *rule_of(int32_t target, int32_t code)
{
    const rule *r = rules_of_target(target)->rules;
    while (r->code != code) r++;
    return r;
}

static void add_unknown(text *t)
{
    const tpad_rules_verdict *v = t->verdict;
    if (v->missing == TPAD_RULES_MISSING_VERSION) {
        add_target(t, tpad_rules_target_at(v->choice.low));
        add(t, ": ");
        add(t, kinds[v->numbers[0]]);
        add_code(t, v->numbers[1]);
        add(t, ", ");
        add_target(t, tpad_rules_target_at(v->choice.high));
        add(t, ": ");
        add(t, kinds[v->numbers[2]]);
        add_code(t, v->numbers[3]);
        add(t, "; the versions between were not run");
        return;
    }
    if (v->missing == TPAD_RULES_MISSING_MEASUREMENT) {
        add_template(
            t,
            "the specification forbids the node; what {runtime} does with such nodes is not known");
        return;
    }
    add_template(t, facts_missing[v->missing]);
    add(t, v->missing == TPAD_RULES_MISSING_PADS || v->missing == TPAD_RULES_MISSING_AXES
               ? " are not known; they decide whether this is so: "
               : " is not known; it decides whether this is so: ");
    add_template(t, rule_of(v->choice.high, v->code)->title);
}

/* Writes "it is right if axis 2 has at least 65 cells and axis 3 ..."; ends the text and returns
 * as tpad_rules_text does. */
static size_t tpad_rules_bounds_text(char *buffer, size_t bytes, const int64_t *least, int32_t rank)
{
    text t = {buffer, bytes, 0, NULL, NULL};
    const char *between = "it is right if axis ";
    for (int32_t i = 0; i < rank; i++) {
        if (least[i] <= 1) continue;
        add(&t, between);
        add_number(&t, i);
        add(&t, " has at least ");
        add_number(&t, least[i]);
        add(&t, " cells");
        between = " and axis ";
    }
    if (bytes) buffer[t.length < bytes ? t.length : bytes - 1] = '\0';
    return t.length;
}

size_t tpad_rules_text(char *buffer, size_t bytes, const tpad_rules_verdict *verdict,
                       const tpad_rules_facts *facts)
{
    text t = {buffer, bytes, 0, verdict, facts};
    if (verdict->kind == TPAD_RULES_UNKNOWN)
        add_unknown(&t);
    else if (verdict->kind == TPAD_RULES_SAME)
        add_template(&t, verdict->measured ? "{runtime} gives the answer of the specification"
                         : verdict->choice.is_nearest
                             ? "{runtime} gives the answer of the specification"
                             : "the documentation of {runtime} allows it; it was not run");
    else
        add_template(&t, rule_of(verdict->choice.high, verdict->code)->sentence);
    if (verdict->choice.is_nearest)
        add(&t, " (the version that was asked for was not run; this is the nearest one)");
    if (bytes) buffer[t.length < bytes ? t.length : bytes - 1] = '\0';
    return t.length;
}

/* The least extents from which a runtime is right, and whether the axes are that long.
 *
 * Judges again with trial values for unknown extents. It relies on a property of all rules where
 * nothing is cut off: what is right on an axis is right on every longer one. */

enum { MOST_OPEN = 4 }; /* padded axes of unknown extent */
#define MOST_AMOUNT (INT64_C(1) << 20)
#define LONG        (INT64_C(1) << 40)

static int32_t is_same(const tpad_rules_facts *facts, tpad_rules_choice choice)
{
    tpad_rules_verdict verdict;
    rules_judge(&verdict, facts, choice);
    return verdict.kind == TPAD_RULES_SAME;
}

/* Unknown amounts are often computed from extents. */
static int32_t hangs_on_extents(const tpad_rules_verdict *verdict)
{
    return verdict->missing == TPAD_RULES_MISSING_EXTENT ||
           verdict->missing == TPAD_RULES_MISSING_PADS;
}

static int64_t size_of(int64_t amount)
{
    return amount < 0 ? -amount : amount;
}

/* The least extent of the axis that makes the verdict `same`; the other extents are set. */
static int64_t least_extent(tpad_rules_facts *facts, tpad_rules_choice choice, int32_t axis)
{
    tpad_rules_axis *asked = &facts->axis[axis];
    const int64_t most =
        asked->amounts_known ? size_of(asked->begin) + size_of(asked->end) : 2 * asked->most;
    int64_t low = 0, high = 2 * most + 2;
    while (high - low > 1) { /* `same` at high, not at low */
        asked->extent = low + (high - low) / 2;
        if (is_same(facts, choice))
            high = asked->extent;
        else
            low = asked->extent;
    }
    asked->extent = high;
    if (!is_same(facts, choice)) high = -1;
    asked->extent = LONG;
    return high;
}

int32_t tpad_rules_same_from(int64_t least[TPAD_RULES_MAX_RANK], const tpad_rules_facts *given,
                             tpad_rules_choice choice)
{
    tpad_rules_facts facts = *given;
    int32_t open[MOST_OPEN], count = 0;
    for (int32_t i = 0; i < TPAD_RULES_MAX_RANK; i++) least[i] = 1;
    /* The start of a pool's last window goes up and down with the extent. */
    for (int32_t i = 0; i < facts.reader.axes; i++)
        if (facts.mode == TPAD_RULES_CONSTANT && facts.reader.axis[i].stride > 1) return 0;
    for (int32_t i = 0; i < facts.rank; i++) {
        tpad_rules_axis *axis = &facts.axis[i];
        if (!fact_never_cut(axis)) return 0;
        if (axis->extent >= 0) continue;
        axis->extent = LONG;
        if (axis->amounts_known && axis->begin == 0 && axis->end == 0) continue;
        if ((!axis->amounts_known && axis->most < 1) || axis->most > MOST_AMOUNT ||
            size_of(axis->begin) > MOST_AMOUNT || size_of(axis->end) > MOST_AMOUNT ||
            count == MOST_OPEN)
            return 0;
        open[count++] = i;
    }
    if (count == 0 || !is_same(&facts, choice)) return 0;
    for (int32_t k = 0; k < count; k++) {
        least[open[k]] = least_extent(&facts, choice, open[k]);
        if (least[open[k]] < 0) return 0;
    }
    int32_t says_something = 0;
    for (int32_t k = 0; k < count; k++) {
        facts.axis[open[k]].extent = least[open[k]];
        says_something |= least[open[k]] > 1;
    }
    return says_something && is_same(&facts, choice);
}

/* 1 if every extent is known to be large enough for the verdict SAME. */
static int32_t is_long_enough(const tpad_rules_facts *facts, tpad_rules_choice choice)
{
    int64_t least[TPAD_RULES_MAX_RANK];
    int32_t some = 0;
    for (int32_t i = 0; i < facts->rank; i++) some |= facts->axis[i].least > 1;
    if (!some || !tpad_rules_same_from(least, facts, choice)) return 0;
    for (int32_t i = 0; i < facts->rank; i++)
        if (facts->axis[i].extent < 0 && least[i] > 1 && facts->axis[i].least < least[i]) return 0;
    return 1;
}

void tpad_rules_judge(tpad_rules_verdict *verdict, const tpad_rules_facts *facts,
                      tpad_rules_choice choice)
{
    rules_judge(verdict, facts, choice);
    if (hangs_on_extents(verdict) && is_long_enough(facts, choice))
        *verdict =
            (tpad_rules_verdict){.axis = -1, .measured = verdict->measured, .choice = choice};
}

/* A verdict with its sentence, and the codes of rules as text. */

void tpad_rules_find_out(tpad_rules_finding *finding, const tpad_rules_facts *facts,
                         tpad_rules_choice choice)
{
    tpad_rules_judge(&finding->verdict, facts, choice);
    tpad_rules_code_text(finding->code, finding->verdict.code);
    finding->text[0] = '\0';
    finding->has_bounds = 0;
    if (finding->verdict.kind == TPAD_RULES_SAME) return;
    const size_t length =
        tpad_rules_text(finding->text, sizeof finding->text, &finding->verdict, facts);
    if (!hangs_on_extents(&finding->verdict) || length + 3 > sizeof finding->text) return;
    finding->has_bounds = tpad_rules_same_from(finding->least, facts, choice);
    if (!finding->has_bounds) return;
    finding->text[length] = ';';
    finding->text[length + 1] = ' ';
    tpad_rules_bounds_text(finding->text + length + 2, sizeof finding->text - length - 2,
                           finding->least, facts->rank);
}

void tpad_rules_code_text(char letters[TPAD_RULES_CODE_BYTES], int32_t code)
{
    int32_t digits = 0;
    letters[0] = '\0';
    if (code <= 0) return;
    *letters++ = 'T';
    *letters++ = 'P';
    for (int32_t rest = code; rest; rest /= 10) digits++;
    letters[digits] = '\0';
    for (; code; code /= 10) letters[--digits] = (char)('0' + code % 10);
}

int32_t tpad_rules_code_from_text(const char *letters)
{
    int32_t code = 0;
    if ((letters[0] == 'T' || letters[0] == 't') && (letters[1] == 'P' || letters[1] == 'p'))
        letters += 2;
    for (; *letters >= '0' && *letters <= '9'; letters++) {
        if (code > (INT32_MAX - 9) / 10) return 0;
        code = 10 * code + (*letters - '0');
    }
    return *letters ? 0 : code;
}
