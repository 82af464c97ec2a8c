/* ONNX models that are lowered.  SPDX-License-Identifier: MIT
 *
 * Any model that loads is planned for two targets and written. The output must load again and
 * differ from the input only in its Pad nodes, which a walk of our own finds out; where a Pad was
 * rewritten, what is there now must be right for both targets. */
#include "models/folding/folding.h"
#include "models/lowering/lowering.h"
#include "runtimes/runtimes.h"
#include <stdlib.h>
#include <string.h>

#include "target.h"

/* ---- A walk through both files --------------------------------------------------------------- */

/* The messages around nodes. */
enum { MODEL, GRAPH, FUNCTION, NODE, ATTRIBUTE, OTHER };

typedef struct slice {
    const uint8_t *at, *end;
} slice;

typedef struct field {
    uint64_t number;
    slice whole, payload; /* the payload of a field with a length */
} field;

static uint64_t varint(slice *rest)
{
    uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
        MUST(rest->at < rest->end);
        const uint8_t byte = *rest->at++;
        if (shift < 64) number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) return number;
    }
}

static field next_field(slice *rest)
{
    field out = {.whole = *rest};
    const uint64_t tag = varint(rest), kind = tag & 7;
    uint64_t bytes = kind == 1 ? 8 : kind == 5 ? 4 : 0;
    out.number = (uint32_t)tag >> 3;
    if (kind == 0) varint(rest);
    if (kind == 2) bytes = (uint32_t)varint(rest);
    MUST(bytes <= (uint64_t)(rest->end - rest->at));
    if (kind == 2) out.payload = (slice){rest->at, rest->at + bytes};
    rest->at += bytes;
    out.whole.end = rest->at;
    return out;
}

static int same(slice a, slice b)
{
    const size_t bytes = (size_t)(a.end - a.at);
    return bytes == (size_t)(b.end - b.at) && (bytes == 0 || memcmp(a.at, b.at, bytes) == 0);
}

/* The first or the last field of that number. */
static slice text_of(slice node, uint64_t number, int last)
{
    slice found = {0};
    while (node.at < node.end) {
        const field part = next_field(&node);
        if (part.number == number && (last || !found.at)) found = part.payload;
    }
    return found;
}

static int is_pad(slice node)
{
    const slice op = text_of(node, 4, 1);
    return op.end - op.at == 3 && memcmp(op.at, "Pad", 3) == 0;
}

static int inside(int message, uint64_t number)
{
    switch (message) {
    case MODEL:
        return number == 7 ? GRAPH : number == 25 ? FUNCTION : OTHER;
    case GRAPH:
        return number == 1 ? NODE : OTHER;
    case FUNCTION:
        return number == 7 ? NODE : OTHER;
    case NODE:
        return number == 5 ? ATTRIBUTE : OTHER;
    default:
        return number == 6 || number == 11 ? GRAPH : OTHER;
    }
}

/* Both are the same, but for Pads: in place of each there may be several nodes, of which the last
 * one has its output. Other nodes may differ in graphs that they hold, or be gone. */
static void compare(slice a, slice b, int message)
{
    field lowered = {0};
    int has_next = 0; /* 1: `lowered` was compared with nothing yet */
    while (a.at < a.end) {
        const field old = next_field(&a);
        const int kind = inside(message, old.number);
        if (!has_next && b.at < b.end) {
            lowered = next_field(&b);
            has_next = 1;
        }
        if (kind == NODE && !is_pad(old.payload) &&
            (!has_next || lowered.number != old.number ||
             !same(text_of(old.payload, 2, 0), text_of(lowered.payload, 2, 0))))
            continue;
        MUST(has_next && lowered.number == old.number);
        has_next = 0;
        if (same(old.whole, lowered.whole)) continue;
        MUST(kind != OTHER);
        if (kind == NODE && is_pad(old.payload)) {
            const slice output = text_of(old.payload, 2, 0);
            while (!same(text_of(lowered.payload, 2, 0), output)) {
                lowered = next_field(&b);
                MUST(lowered.number == old.number);
            }
        } else {
            compare(old.payload, lowered.payload, kind);
        }
    }
    MUST(!has_next && b.at == b.end);
}

/* ---- Lowering -------------------------------------------------------------------------------- */

enum { TARGETS = 2 };

/* 1 if a Pad with this output came out that way. Graphs may have the same names in them. */
static int has_outcome(tpad_model *model, const tpad_lowering *lowering, const char *output,
                       int32_t outcome)
{
    int found = 0;
    for (int64_t i = 0; i < tpad_model_pad_count(model); i++)
        found |= strcmp(tpad_model_pad_at(model, i)->output, output) == 0 &&
                 tpad_lowering_at(lowering, i)->outcome == outcome;
    return found;
}

/* 1 if the file does not say what the Pad's data is. It may have followed from another Pad, but it
 * does not follow from operators with an input that the file does not say enough of. */
static int is_unknown(const tpad_rules_facts *facts)
{
    return facts->type == TPAD_RULES_TYPE_UNKNOWN || facts->rank < 0;
}

/* What decides and is missing: an extent for the same reason; a value after a Cast of a type that
 * is not folded. */
static int follows_less(int32_t missing)
{
    return missing == TPAD_RULES_MISSING_EXTENT || missing == TPAD_RULES_MISSING_VALUE;
}

/* No memory holds its output. In a wider type it may have more bytes than the format can say. */
static int is_beyond_memory(const tpad_rules_facts *facts)
{
    enum { BITS = 48 };
    for (int32_t i = 0; i < facts->rank; i++)
        if (facts->axis[i].begin >> BITS > 0 || facts->axis[i].end >> BITS > 0 ||
            facts->axis[i].extent >> BITS > 0)
            return 1;
    return 0;
}

/* Judges the Pads of the new file. One that was kept may have new neighbours, of which less is
 * known. */
static void judge(tpad_model *old, const tpad_lowering *lowering, const tpad_lower_target *targets)
{
    tpad_io_error error = {0};
    tpad_model *model;
    MUST(tpad_model_load_shaped(&model, "out.onnx", NULL, 0, &error) == TPAD_OK);
    for (int64_t i = 0; i < tpad_model_pad_count(model); i++) {
        const char *output = tpad_model_pad_at(model, i)->output;
        const tpad_rules_facts *facts = tpad_model_facts_at(model, i);
        if (has_outcome(old, lowering, output, TPAD_LOWER_CANNOT) || is_unknown(facts) ||
            is_beyond_memory(facts))
            continue;
        const int was_kept = has_outcome(old, lowering, output, TPAD_LOWER_KEPT);
        for (int32_t k = 0; k < TARGETS; k++) {
            tpad_rules_verdict verdict;
            tpad_rules_judge(&verdict, facts, *targets[k].choice);
            if (verdict.kind == TPAD_RULES_SAME) continue;
            MUST(verdict.kind == TPAD_RULES_UNKNOWN);
            MUST(was_kept || follows_less(verdict.missing));
        }
    }
    tpad_model_free(model);
}

/* Returns the file's bytes, for the caller to free. */
static slice write_model(const tpad_lowering *lowering)
{
    tpad_io_error error = {0};
    tpad_output *output;
    MUST(tpad_output_begin(&output, "out.onnx", NULL, 1, &error) == TPAD_OK);
    MUST(tpad_lowering_write(lowering, output, NULL, &error) == TPAD_OK);
    MUST(tpad_output_commit(output, &error) == TPAD_OK);
    const content written = fuzz_read("out.onnx");
    return (slice){written.bytes, written.bytes + written.count};
}

/* Folds the model, which must give the same bytes twice, and a model that can be read. */
static void fold(tpad_model *model, const tpad_lower_target targets[TARGETS])
{
    tpad_io_error error = {0};
    tpad_lowering *lowering;
    tpad_model *folded;
    MUST(tpad_lowering_plan(&lowering, model, targets, TARGETS, TPAD_LOWER_FOLD, &error) ==
         TPAD_OK);
    for (int64_t i = 0; i < tpad_model_pad_count(model); i++) {
        const tpad_lowered_node *node = tpad_lowering_at(lowering, i);
        MUST((node->into != NULL) == (node->outcome == TPAD_LOWER_FOLDED));
        MUST((node->not_folded == NULL) == (node->outcome == TPAD_LOWER_FOLDED));
    }
    slice first = write_model(lowering), second = write_model(lowering);
    MUST(same(first, second));
    MUST(tpad_model_load_shaped(&folded, "out.onnx", NULL, 0, &error) == TPAD_OK);
    tpad_model_free(folded);
    free((void *)(uintptr_t)first.at);
    free((void *)(uintptr_t)second.at);
    tpad_lowering_free(lowering);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char weights[64] = {1, 0, 1, 0, 2};
    tpad_io_error error = {0};
    tpad_model *model;
    tpad_lowering *lowering;
    tpad_rules_choice choices[TARGETS];
    tpad_lower_target targets[TARGETS];
    uint32_t hash = 0;
    for (size_t i = 0; i < size; i++) hash = hash * 31 + data[i];
    for (int32_t i = 0; i < TARGETS; i++) {
        int32_t index = (int32_t)(hash >> 8 * i & 0xFF) % tpad_rules_target_count();
        while (!tpad_rules_target_at(index)->version) index--; /* those that were measured */
        choices[i] = (tpad_rules_choice){.low = index, .high = index};
        targets[i] = (tpad_lower_target){tpad_rules_target_at(index)->name, &choices[i]};
    }
    fuzz_write("weights.bin", weights, sizeof weights);
    fuzz_write("in.onnx", data, size);
    if (tpad_model_load_shaped(&model, "in.onnx", NULL, 0, &error) != TPAD_OK) return 0;
    MUST(tpad_lowering_plan(&lowering, model, targets, TARGETS,
                            (int32_t)(hash & TPAD_LOWER_LENIENT), &error) == TPAD_OK);
    for (int64_t i = 0; i < tpad_model_pad_count(model); i++) {
        const tpad_lowered_node *node = tpad_lowering_at(lowering, i);
        MUST((node->target < 0) == (node->outcome == TPAD_LOWER_KEPT));
        MUST((node->operators != NULL) == (node->outcome == TPAD_LOWER_REWRITTEN));
        MUST((node->reason != NULL) == (node->outcome == TPAD_LOWER_CANNOT));
    }
    slice first = write_model(lowering), second = write_model(lowering);
    MUST(same(first, second));
    compare((slice){data, data + size}, first, MODEL);
    judge(model, lowering, targets);
    fold(model, targets);
    free((void *)(uintptr_t)first.at);
    free((void *)(uintptr_t)second.at);
    tpad_lowering_free(lowering);
    tpad_model_free(model);
    return 0;
}
