/* Applies a runtime's rules to the facts of a node.  SPDX-License-Identifier: MIT
 *
 * A runtime is a table of rules, in the order of the runtime's own checks. A rule holds if all of
 * its conditions hold. A condition answers YES, NO or MAYBE: MAYBE if the file does not tell, such
 * as for an extent that is open until the model runs. The answer for a rule is the least answer of
 * its conditions, where NO < MAYBE < YES.
 *
 * The first rule that holds gives the verdict; without one it is "same". If rules before it may
 * hold (MAYBE), the verdict is unknown, unless they would all give that verdict, too. So "same"
 * means that no rule can hold, whatever the open facts turn out to be.
 *
 * An example, for OpenVINO: data [?, 3], reflect, 3 cells before axis 1. The rule "reflect adds at
 * most one cell less than there are" has two conditions: the mode is reflect (YES), and some axis
 * adds more than its extent - 1. Axis 0 adds nothing (NO, though its extent is open), axis 1 adds 3
 * to 3 (YES). The rule holds: the verdict is "refuses", with axis 1 and both numbers for the
 * sentence. If axis 1 were open, the condition would be MAYBE, and the verdict unknown: an extent
 * is missing. */
#include "rule.h"

void tpad_rules_facts_unknown(tpad_rules_facts *facts)
{
    static const tpad_rules_facts nothing = {
        .document = TPAD_RULES_DOCUMENT_UNKNOWN,
        .mode = TPAD_RULES_MODE_UNKNOWN,
        .rank = -1,
        .rank_open = -1,
        .axes_count = -1,
        .value_rank = -1,
        .value_count = -1,
        .before = -1,
        .after = -1,
        .reader.op = -1,
    };
    *facts = nothing;
    for (int32_t i = 0; i < TPAD_RULES_MAX_RANK; i++) {
        facts->axis[i].extent = -1;
        facts->axis[i].open = 1;
    }
}

void tpad_rules_facts_apart(tpad_rules_facts *facts, int32_t after)
{
    facts->after = facts->reader.op = after;
    facts->data_returned = 0;
}

void tpad_rules_facts_close(tpad_rules_facts *facts)
{
    facts->rank_open = 0;
    for (int32_t i = 0; i < facts->rank; i++)
        if (facts->axis[i].extent >= 0) facts->axis[i].open = 0;
}

/* Whether a rule holds; q records the axis, or the missing fact. */
static int32_t ask(question *q, const rule *r)
{
    int32_t answer = YES;
    for (condition *const *each = r->conditions; *each && answer != NO; each++) {
        const int32_t holds = (*each)(q);
        if (holds < answer) answer = holds;
    }
    return answer;
}

static int32_t is_of_version(const rule *r, int32_t version)
{
    return version >= r->since && (!r->until || version <= r->until);
}

/* The verdict if the rule holds. Any answer to a forbidden node counts as ACCEPTS. */
static int32_t kind_of(const rule *r, const tpad_rules_facts *facts)
{
    return r->kind == TPAD_RULES_DIFFERS && facts->document > TPAD_RULES_ANSWERS
               ? TPAD_RULES_ACCEPTS
               : r->kind;
}

static void keep(tpad_rules_verdict *verdict, int32_t kind, const rule *r, const question *q)
{
    verdict->kind = kind;
    verdict->code = r->code;
    verdict->axis = q->axis;
    for (int32_t i = 0; i < TPAD_RULES_NUMBERS; i++) verdict->numbers[i] = q->numbers[i];
}

/* The verdict for one target. */
static void judge_one(tpad_rules_verdict *verdict, const tpad_rules_facts *facts, int32_t target)
{
    const rule_table *table = rules_of_target(target);
    const tpad_rules_target *about = tpad_rules_target_at(target);
    int32_t open_kind = TPAD_RULES_SAME;
    *verdict = (tpad_rules_verdict){.axis = -1, .measured = table->source == NULL};
    tpad_rules_verdict open = *verdict; /* of the first rule that may hold */
    for (int32_t i = 0; i < table->count; i++) {
        const rule *r = &table->rules[i];
        if (!is_of_version(r, about->number)) continue;
        question q = {.facts = facts, .version = about->number, .axis = -1, .missing_axis = -1};
        const int32_t holds = ask(&q, r);
        const int32_t kind = kind_of(r, facts);
        if (holds == YES) {
            keep(verdict, kind, r, &q);
            break;
        }
        if (holds == MAYBE && (open.kind == TPAD_RULES_SAME || open_kind == kind)) {
            if (open.kind != TPAD_RULES_SAME) continue;
            q.axis = q.missing_axis;
            keep(&open, TPAD_RULES_UNKNOWN, r, &q);
            open.missing = q.missing;
            open_kind = kind;
        } else if (holds == MAYBE) {
            open_kind = TPAD_RULES_KINDS; /* two rules may hold, with different verdicts */
        }
    }
    if (open.kind != TPAD_RULES_SAME && open_kind != verdict->kind) *verdict = open;
}

static void judge_choice(tpad_rules_verdict *verdict, const tpad_rules_facts *facts,
                         tpad_rules_choice choice)
{
    tpad_rules_verdict older;
    judge_one(verdict, facts, choice.high);
    judge_one(&older, facts, choice.low);
    if (older.kind != verdict->kind) {
        const tpad_rules_verdict newer = *verdict;
        *verdict = (tpad_rules_verdict){
            .kind = TPAD_RULES_UNKNOWN,
            .code = older.code ? older.code : newer.code,
            .axis = -1,
            .missing = TPAD_RULES_MISSING_VERSION,
            .measured = older.measured & newer.measured,
            .numbers = {older.kind, older.code, newer.kind, newer.code},
        };
    }
    verdict->choice = choice;
    if (choice.is_nearest) verdict->measured = 0;
}

/* Extents and amounts beyond 2^60 count as 2^60, so that sums of three do not overflow. */
static int64_t within_sums(int64_t number)
{
    const int64_t most = INT64_C(1) << 60;
    if (number > most) return most;
    return number < -most ? -most : number;
}

void rules_judge(tpad_rules_verdict *verdict, const tpad_rules_facts *given,
                 tpad_rules_choice choice)
{
    tpad_rules_facts facts = *given;
    for (int32_t i = 0; i < TPAD_RULES_MAX_RANK; i++) {
        facts.axis[i].extent = within_sums(facts.axis[i].extent);
        facts.axis[i].begin = within_sums(facts.axis[i].begin);
        facts.axis[i].end = within_sums(facts.axis[i].end);
    }
    judge_choice(verdict, &facts, choice);
}

/* ---- The rules, one by one ------------------------------------------------------------------- */

/* Fills the page of the rule with the lowest code from `code` on; 0 if there is none. */
static int32_t next_page(tpad_rules_page *page, int32_t code)
{
    const rule *lowest = NULL;
    for (int32_t target = 0; target < tpad_rules_target_count(); target++) {
        const rule_table *table = rules_of_target(target);
        const int32_t version = tpad_rules_target_at(target)->number;
        for (int32_t i = 0; i < table->count; i++) {
            const rule *r = &table->rules[i];
            if (r->code < code || (lowest && r->code > lowest->code)) continue;
            if (!lowest || r->code < lowest->code)
                *page = (tpad_rules_page){r->code,    r->kind,     r->title,      r->text,
                                          r->example, r->ways_out, table->source, 0};
            lowest = r;
            if (is_of_version(r, version)) page->targets |= UINT32_C(1) << target;
        }
    }
    return lowest != NULL;
}

int32_t tpad_rules_page_at(tpad_rules_page *page, int32_t index)
{
    int32_t exists = index >= 0 && next_page(page, 0);
    for (; exists && index > 0; index--) exists = next_page(page, page->code + 1);
    return exists;
}

int32_t tpad_rules_page_of(tpad_rules_page *page, int32_t code)
{
    return next_page(page, code) && page->code == code;
}

/* The targets, and the lookup of their names. */

static const struct {
    tpad_rules_target target;
    const rule_table *rules;
} targets[] = {
    /* The versions of a family are adjacent, the oldest first. */
    {{"ort-1.17", "ONNX Runtime", "1.17.3", "ort", VERSION(1, 17)}, &rules_of_onnxruntime},
    {{"ort-1.20", "ONNX Runtime", "1.20.1", "ort", VERSION(1, 20)}, &rules_of_onnxruntime},
    {{"ort-1.23", "ONNX Runtime", "1.23.2", "ort", VERSION(1, 23)}, &rules_of_onnxruntime},
    {{"ort-1.31", "ONNX Runtime", "1.31.1", "ort", VERSION(1, 31)}, &rules_of_onnxruntime},
    {{"ort-1.32", "ONNX Runtime", "1.32.0", "ort", VERSION(1, 32)}, &rules_of_onnxruntime},
    {{"ort-web-1.30", "ONNX Runtime web", "1.30", "ort-web", VERSION(1, 30)},
     &rules_of_onnxruntime},
    {{"openvino-2024.6", "OpenVINO", "2024.6.0", "openvino", VERSION(2024, 6)}, &rules_of_openvino},
    {{"openvino-2025.4", "OpenVINO", "2025.4.1", "openvino", VERSION(2025, 4)}, &rules_of_openvino},
    {{"openvino-2026.4", "OpenVINO", "2026.4.1", "openvino", VERSION(2026, 4)}, &rules_of_openvino},
    {{"opencv-4.6", "OpenCV", "4.6", "opencv", VERSION(4, 6)}, &rules_of_opencv_4},
    {{"opencv-4.10", "OpenCV", "4.10", "opencv", VERSION(4, 10)}, &rules_of_opencv_4},
    {{"opencv-4.14", "OpenCV", "4.14", "opencv", VERSION(4, 14)}, &rules_of_opencv_4},
    {{"opencv-5.0", "OpenCV", "5.0", "opencv", VERSION(5, 0)}, &rules_of_opencv_5},
    {{"tract-0.21", "tract", "0.21.19", "tract", VERSION(0, 21)}, &rules_of_tract},
    {{"tract-0.22", "tract", "0.22.4", "tract", VERSION(0, 22)}, &rules_of_tract},
    {{"tract-0.23", "tract", "0.23.9", "tract", VERSION(0, 23)}, &rules_of_tract},
    {{"onnx-reference-1.23", "the ONNX reference", "1.23.2", "onnx-reference", VERSION(1, 23)},
     &rules_of_onnx_reference},
    {{"coreml", "CoreML", NULL, "coreml", 0}, &rules_of_coreml},
    {{"qnn", "QNN", NULL, "qnn", 0}, &rules_of_qnn},
    {{"webnn", "WebNN", NULL, "webnn", 0}, &rules_of_webnn},
    {{"tflite", "TFLite", NULL, "tflite", 0}, &rules_of_tflite},
    {{"tensorrt", "TensorRT", NULL, "tensorrt", 0}, &rules_of_tensorrt},
    {{"directml", "DirectML", NULL, "directml", 0}, &rules_of_directml},
};
enum { TARGETS = sizeof targets / sizeof *targets };

int32_t tpad_rules_target_count(void)
{
    return TARGETS;
}

const tpad_rules_target *tpad_rules_target_at(int32_t index)
{
    return index >= 0 && index < TARGETS ? &targets[index].target : NULL;
}

const rule_table *rules_of_target(int32_t index)
{
    return targets[index].rules;
}

/* The text after `start`, or NULL if the name does not begin with it. */
static const char *after(const char *name, const char *start)
{
    while (*start && *name == *start) name++, start++;
    return *start ? NULL : name;
}

/* Reads "-1.31" or "-1.31.1" as VERSION(1, 31); -1 for any other text. */
static int32_t read_version(const char *text)
{
    int32_t part[3] = {0, 0, 0}, parts = 0;
    if (*text != '-') return -1;
    do {
        const char *digits = ++text;
        for (; *text >= '0' && *text <= '9'; text++) {
            if (parts == 3 || text - digits == 4) return -1;
            part[parts] = 10 * part[parts] + (*text - '0');
        }
        if (text == digits) return -1;
        parts++;
    } while (*text == '.');
    return *text || parts < 2 ? -1 : VERSION(part[0], part[1]);
}

int32_t tpad_rules_find(tpad_rules_choice *choice, const char *name)
{
    *choice = (tpad_rules_choice){-1, -1, 0};
    for (int32_t i = 0; i < TARGETS; i++) {
        const tpad_rules_target *target = &targets[i].target;
        const char *rest = after(name, target->family);
        if (!rest) continue;
        if (*rest == '\0') { /* no version: the newest, which is the last of its family */
            choice->low = choice->high = i;
            continue;
        }
        const int32_t version = read_version(rest);
        if (version < 0 || target->number == 0) continue;
        if (target->number <= version) choice->low = i;
        if (target->number >= version && choice->high < 0) choice->high = i;
    }
    if (choice->low < 0 && choice->high < 0) return 0;
    choice->is_nearest = choice->low < 0 || choice->high < 0;
    if (choice->low < 0) choice->low = choice->high;
    if (choice->high < 0) choice->high = choice->low;
    return 1;
}

size_t tpad_rules_names(char *buffer, size_t bytes)
{
    size_t length = 0;
    for (int32_t i = 0; i < TARGETS; i++) {
        for (const char *name = targets[i].target.name; *name; name++, length++)
            if (length + 1 < bytes) buffer[length] = *name;
        if (i + 1 == TARGETS) break;
        if (length + 1 < bytes) buffer[length] = ' ';
        length++;
    }
    if (bytes) buffer[length < bytes ? length : bytes - 1] = '\0';
    return length;
}
