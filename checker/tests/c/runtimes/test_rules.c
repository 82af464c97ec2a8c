/* The rules by hand: targets, verdicts between versions, missing facts, sentences; from a
 * refusal by src/specs to the document's reason. */
#include "runtimes/runtimes.h"
#include "tensorpad/onnx.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_names_of_targets(void **state)
{
    (void)state;
    tpad_rules_choice choice;
    assert_true(tpad_rules_find(&choice, "ort-1.31"));
    assert_int_equal(choice.low, choice.high);
    assert_string_equal(tpad_rules_target_at(choice.low)->name, "ort-1.31");
    assert_true(tpad_rules_find(&choice, "ort"));
    assert_string_equal(tpad_rules_target_at(choice.low)->name, "ort-1.32");
    assert_true(tpad_rules_find(&choice, "ort-1.21.5"));
    assert_string_equal(tpad_rules_target_at(choice.low)->name, "ort-1.20");
    assert_string_equal(tpad_rules_target_at(choice.high)->name, "ort-1.23");
    assert_int_equal(choice.is_nearest, 0);
    assert_true(tpad_rules_find(&choice, "ort-1.99"));
    assert_string_equal(tpad_rules_target_at(choice.low)->name, "ort-1.32");
    assert_int_equal(choice.low, choice.high);
    assert_int_equal(choice.is_nearest, 1);
    assert_true(tpad_rules_find(&choice, "ort-1.16"));
    assert_string_equal(tpad_rules_target_at(choice.high)->name, "ort-1.17");
    assert_int_equal(choice.is_nearest, 1);
    assert_true(tpad_rules_find(&choice, "opencv-4.1000"));
    assert_string_equal(tpad_rules_target_at(choice.low)->name, "opencv-4.14");
    assert_string_equal(tpad_rules_target_at(choice.high)->name, "opencv-5.0");
    assert_true(tpad_rules_find(&choice, "ort-web"));
    assert_string_equal(tpad_rules_target_at(choice.high)->name, "ort-web-1.30");
    assert_true(tpad_rules_find(&choice, "coreml"));
    assert_null(tpad_rules_target_at(choice.high)->version);
    const char *const wrong[] = {"",         "or",        "ort-",       "ort-1",
                                 "ort-1.2x", "ortx",      "coreml-1.0", "ort-1.31.1.1",
                                 "ort-.1",   "ort-1.31.", "ort 1.31",   "ort-1.999999",
                                 NULL};
    for (int i = 0; wrong[i]; i++) assert_false(tpad_rules_find(&choice, wrong[i]));
}

static void test_list_of_names(void **state)
{
    (void)state;
    char names[1024], cut[12];
    const size_t length = tpad_rules_names(names, sizeof names);
    assert_int_equal(length, strlen(names));
    assert_memory_equal(names, "ort-1.17 ort-1.20 ", 18);
    assert_string_equal(names + length - 18, " tensorrt directml");
    assert_int_equal(tpad_rules_names(cut, sizeof cut), length);
    assert_string_equal(cut, "ort-1.17 or");
    assert_int_equal(tpad_rules_names(NULL, 0), length);
}

static void test_codes_as_text(void **state)
{
    (void)state;
    char text[TPAD_RULES_CODE_BYTES];
    const char *const wrong[] = {"",     "TP",      "T104",         "TP104 ",           "TP-104",
                                 " 104", "TP0x104", "TP2147483648", "TP99999999999999", NULL};
    tpad_rules_code_text(text, 104);
    assert_string_equal(text, "TP104");
    tpad_rules_code_text(text, INT32_MAX);
    assert_string_equal(text, "TP2147483647");
    tpad_rules_code_text(text, 0);
    assert_string_equal(text, "");
    assert_int_equal(tpad_rules_code_from_text("TP104"), 104);
    assert_int_equal(tpad_rules_code_from_text("tp104"), 104);
    assert_int_equal(tpad_rules_code_from_text("104"), 104);
    for (int i = 0; wrong[i]; i++) assert_int_equal(tpad_rules_code_from_text(wrong[i]), 0);
}

static void test_finding(void **state)
{
    (void)state;
    tpad_rules_facts facts;
    tpad_rules_choice choice;
    tpad_rules_finding finding;
    tpad_rules_facts_unknown(&facts);
    facts.opset = 19;
    facts.document = TPAD_RULES_ANSWERS;
    facts.type = 1;
    facts.mode = TPAD_RULES_REFLECT;
    facts.rank = 1;
    facts.axis[0] = (tpad_rules_axis){.extent = 3, .begin = 3, .amounts_known = 1};
    facts.pads_given = TPAD_RULES_INITIALIZER;
    facts.value_known = 1;
    assert_true(tpad_rules_find(&choice, "ort-1.31"));
    tpad_rules_find_out(&finding, &facts, choice);
    assert_int_equal(finding.verdict.kind, TPAD_RULES_REFUSES);
    assert_string_equal(finding.code, "TP104");
    assert_string_equal(finding.text,
                        "axis 0: reflect adds 3 cells to the 3 there are; ONNX Runtime "
                        "1.31.1 adds at most one less than there are");
    facts.axis[0].begin = 2;
    tpad_rules_find_out(&finding, &facts, choice);
    assert_int_equal(finding.verdict.kind, TPAD_RULES_SAME);
    assert_string_equal(finding.code, "");
    assert_string_equal(finding.text, "");
}

static void test_sentences_of_unknown_verdicts(void **state)
{
    (void)state;
    tpad_rules_facts facts;
    tpad_rules_choice choice;
    tpad_rules_finding finding;
    tpad_rules_facts_unknown(&facts);
    facts.opset = 18;
    facts.type = 1;
    facts.mode = TPAD_RULES_REFLECT;
    facts.rank = 1;
    facts.document = TPAD_RULES_ANSWERS;
    facts.pads_given = TPAD_RULES_INITIALIZER;
    facts.axis[0].begin = 3;
    facts.axis[0].amounts_known = 1;
    assert_true(tpad_rules_find(&choice, "ort-1.31"));
    tpad_rules_find_out(&finding, &facts, choice);
    assert_int_equal(finding.verdict.kind, TPAD_RULES_UNKNOWN);
    assert_string_equal(finding.text,
                        "the extent of axis 0 is not known; it decides whether this is "
                        "so: reflect adds as many cells as there are, or more; it is right if "
                        "axis 0 has at least 4 cells");
    assert_int_equal(finding.has_bounds, 1);
    assert_int_equal(finding.least[0], 4);
    facts.axis[0].extent = 3;
    assert_true(tpad_rules_find(&choice, "ort-1.18"));
    tpad_rules_find_out(&finding, &facts, choice);
    assert_int_equal(finding.verdict.kind, TPAD_RULES_DIFFERS);
    assert_non_null(strstr(finding.text, "; ONNX Runtime 1.17.3 (and 1.20.1) answers with"));
    facts.document = TPAD_RULES_FORBIDS_TYPE;
    facts.axis[0].begin = 1;
    assert_true(tpad_rules_find(&choice, "coreml"));
    tpad_rules_find_out(&finding, &facts, choice);
    assert_int_equal(finding.verdict.kind, TPAD_RULES_UNKNOWN);
    assert_string_equal(
        finding.text,
        "the specification forbids the node; what CoreML does with such nodes is not known");
    tpad_rules_page page;
    assert_true(tpad_rules_page_of(&page, finding.verdict.code));
    assert_int_equal(page.kind, TPAD_RULES_UNKNOWN);
}

/* A wrong cell needs a cell. */
static void test_value_in_mode_edge_on_tract(void **state)
{
    (void)state;
    tpad_rules_facts facts;
    tpad_rules_choice choice;
    tpad_rules_finding finding;
    tpad_rules_facts_unknown(&facts);
    facts.opset = 21;
    facts.type = 1;
    facts.mode = TPAD_RULES_EDGE;
    facts.rank = 2;
    facts.document = TPAD_RULES_ANSWERS;
    facts.pads_given = facts.value_given = TPAD_RULES_INITIALIZER;
    facts.value_rank = 0;
    facts.rank_open = 0;
    facts.axis[0].open = facts.axis[1].open = 0;
    facts.axis[0].begin = 7;
    facts.axis[0].extent = facts.axis[1].extent = 5;
    facts.axis[0].amounts_known = facts.axis[1].amounts_known = 1;
    assert_true(tpad_rules_find(&choice, "tract"));
    tpad_rules_find_out(&finding, &facts, choice);
    assert_string_equal(finding.code, "TP411");
    facts.axis[1].extent = 0;
    tpad_rules_find_out(&finding, &facts, choice);
    assert_int_equal(finding.verdict.kind, TPAD_RULES_SAME);
}

/* Other modes, types, amounts and arguments than most models have: targets that only documents tell,
 * and where a version ends a rule. */
static void test_rare_pads(void **state)
{
    (void)state;
    enum { FILL = TPAD_RULES_CONSTANT, REFLECT = TPAD_RULES_REFLECT };
    enum { STORED = TPAD_RULES_INITIALIZER, INT8 = 3 };
    const struct {
        const char *target, *code;
        int32_t type, mode, rank, begin, given, forbidden_type; /* of pads */
    } rows[] = {
        {"coreml", "", 1, FILL, 4, 1, STORED, 0},
        {"coreml", "", 10, REFLECT, 4, 2, TPAD_RULES_CONSTANT_NODE, 0},
        {"coreml", "TP601", 1, TPAD_RULES_EDGE, 4, 1, STORED, 0},
        {"coreml", "TP604", 6, FILL, 4, 1, STORED, 0},
        {"coreml", "TP605", 1, FILL, 4, -1, STORED, 0},
        {"coreml", "TP606", 1, REFLECT, 4, 3, STORED, 0},
        {"coreml", "TP607", 1, FILL, 4, 1, TPAD_RULES_GRAPH_INPUT, 0},
        {"qnn", "", 6, TPAD_RULES_EDGE, 5, -1, STORED, 0},
        {"qnn", "TP654", 1, FILL, 6, 1, STORED, 0},
        {"qnn", "TP655", 1, REFLECT, 4, -1, STORED, 0},
        {"qnn", "TP656", 1, REFLECT, 4, 3, STORED, 0},
        {"qnn", "TP657", 1, FILL, 4, 1, TPAD_RULES_COMPUTED, 0},
        {"webnn", "", 1, FILL, 6, -1, TPAD_RULES_ATTRIBUTE, 0},
        {"webnn", "TP702", 1, REFLECT, 4, 3, STORED, 0},
        {"webnn", "TP703", 1, FILL, 4, 1, TPAD_RULES_GRAPH_INPUT, 0},
        {"tensorrt", "TP803", 1, FILL, 4, -1, STORED, 0},
        {"tensorrt", "", 1, TPAD_RULES_WRAP, 4, -1, TPAD_RULES_COMPUTED, 0},
        {"directml", "", 11, TPAD_RULES_EDGE, 6, 9, STORED, 0},
        {"directml", "TP851", 1, FILL, 4, -1, STORED, 0},
        {"directml", "TP852", 1, TPAD_RULES_WRAP, 4, 1, STORED, 0},
        {"directml", "TP853", 1, FILL, 4, 1, TPAD_RULES_GRAPH_INPUT, 0},
        {"directml", "TP854", 16, FILL, 4, 1, STORED, 0},
        {"opencv-4.10", "TP316", 1, FILL, 1, 1, STORED, INT8},
        {"opencv-4.14", "TP357", 1, FILL, 1, 1, STORED, INT8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tpad_rules_facts facts;
        tpad_rules_choice choice;
        tpad_rules_finding finding;
        tpad_rules_facts_unknown(&facts);
        facts.document = TPAD_RULES_ANSWERS;
        if (rows[i].forbidden_type) {
            facts.document = TPAD_RULES_FORBIDS_PADS_TYPE;
            facts.pads_type = rows[i].forbidden_type;
        }
        facts.rank_open = 0;
        facts.opset = 19;
        facts.type = rows[i].type;
        facts.mode = rows[i].mode;
        facts.rank = rows[i].rank;
        facts.pads_given = rows[i].given;
        for (int32_t axis = 0; axis < facts.rank; axis++)
            facts.axis[axis] = (tpad_rules_axis){.extent = 3, .amounts_known = 1};
        facts.axis[facts.rank - 1].begin = rows[i].begin;
        assert_true(tpad_rules_find(&choice, rows[i].target));
        tpad_rules_find_out(&finding, &facts, choice);
        assert_string_equal(finding.code, rows[i].code);
    }
}

static void test_pages(void **state)
{
    (void)state;
    tpad_rules_page page, same;
    int32_t code = 0, count = 0;
    for (; tpad_rules_page_at(&page, count); count++) {
        assert_true(page.code > code); /* so no code is given twice */
        code = page.code;
        assert_true(page.targets != 0);
        assert_non_null(tpad_rules_kind_name(page.kind));
        assert_true(tpad_rules_page_of(&same, code));
        assert_string_equal(same.title, page.title);
        const char *const texts[] = {page.title, page.text, page.example, page.ways_out};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            assert_true(strlen(texts[i]) > 5 && !strpbrk(texts[i], "{}"));
    }
    assert_true(count > 100);
    assert_false(tpad_rules_page_at(&page, -1));
    assert_false(tpad_rules_page_of(&page, 1));
    assert_false(tpad_rules_page_of(&page, code + 1));
}

static void test_kinds(void **state)
{
    (void)state;
    for (int32_t kind = 0; kind < TPAD_RULES_KINDS; kind++)
        assert_non_null(tpad_rules_kind_name(kind));
    assert_null(tpad_rules_kind_name(-1));
    assert_null(tpad_rules_kind_name(TPAD_RULES_KINDS));
    assert_null(tpad_rules_missing_name(-1));
    assert_null(tpad_rules_missing_name(TPAD_RULES_MISSING_NOTHING));
    assert_null(tpad_rules_missing_name(TPAD_RULES_MISSING_END));
    assert_string_equal(tpad_rules_missing_name(TPAD_RULES_MISSING_VERSION), "version");
    for (int32_t missing = 1; missing < TPAD_RULES_MISSING_END; missing++)
        assert_non_null(tpad_rules_missing_name(missing));
    const tpad_rules_verdict verdict = {
        .kind = TPAD_RULES_REFUSES, .code = 106, .choice = {.low = 3, .high = 3}};
    tpad_rules_facts facts;
    char text[200];
    tpad_rules_facts_unknown(&facts);
    const int32_t modes[] = {TPAD_RULES_MODE_UNKNOWN, TPAD_RULES_NO_MODE + 1};
    for (int32_t i = 0; i < 2; i++) {
        facts.mode = modes[i];
        tpad_rules_text(text, sizeof text, &verdict, &facts);
        assert_non_null(strstr(text, "in mode unknown"));
    }
    assert_null(tpad_rules_target_at(-1));
    assert_null(tpad_rules_target_at(tpad_rules_target_count()));
}

/* Sums of such amounts would overflow. Sanitizers see it, if they do. */
static void test_amounts_that_are_too_large(void **state)
{
    (void)state;
    const int64_t amounts[] = {INT64_MIN, INT64_MAX};
    for (int32_t i = 0; i < 8 * TPAD_RULES_NO_MODE * tpad_rules_target_count(); i++) {
        const int32_t target = i / 8 / TPAD_RULES_NO_MODE;
        tpad_rules_facts facts;
        tpad_rules_finding finding;
        tpad_rules_facts_unknown(&facts);
        facts.spec = i & 4 ? TPAD_RULES_OPENVINO : TPAD_RULES_ONNX;
        facts.opset = 19;
        facts.document = TPAD_RULES_ANSWERS;
        facts.type = 1;
        facts.mode = i / 8 % TPAD_RULES_NO_MODE;
        facts.rank = 1;
        facts.axis[0] = (tpad_rules_axis){.extent = INT64_MAX, .amounts_known = 1};
        facts.axis[0].begin = amounts[i & 1];
        facts.axis[0].end = amounts[i >> 1 & 1];
        facts.pads_given = TPAD_RULES_INITIALIZER;
        facts.value_known = 1;
        tpad_rules_find_out(&finding, &facts, (tpad_rules_choice){.low = target, .high = target});
        assert_in_range(finding.verdict.kind, 0, TPAD_RULES_KINDS - 1);
    }
}

/* ---- Refusals of the documents ------------------------------------------------------------------ */

enum { FLOAT = 1, INT4 = 22, TYPES = 1 << FLOAT };

static int32_t document(int32_t spec, int32_t type, int32_t mode, tpad_rules_refusal refusal)
{
    tpad_rules_facts facts;
    tpad_rules_facts_unknown(&facts);
    facts.spec = spec;
    facts.type = type;
    facts.mode = mode;
    refusal.types = TYPES;
    return tpad_rules_document(&facts, &refusal);
}

static void onnx_says(int32_t expected, int32_t type, int32_t mode, tpad_rules_refusal refusal)
{
    assert_int_equal(document(TPAD_RULES_ONNX, type, mode, refusal), expected);
}

static void test_onnx(void **state)
{
    (void)state;
    const int32_t form = TPAD_RULES_FORBIDS_PADS_MISSING, input = TPAD_RULES_FORBIDS_PADS_TYPE;
    const int32_t edge = TPAD_RULES_EDGE, none = TPAD_RULES_NO_MODE;
    onnx_says(TPAD_RULES_ANSWERS, FLOAT, edge, (tpad_rules_refusal){0});
    /* The dialect has not seen what an input still to come has. */
    onnx_says(input, FLOAT, edge, (tpad_rules_refusal){.input = input});
    /* Each reason before those that stand after it. */
    const int32_t code = TPAD_E_SPEC_MODE;
    onnx_says(form, INT4, none, (tpad_rules_refusal){.code = code, .form = form, .input = input});
    onnx_says(TPAD_RULES_FORBIDS_TYPE, INT4, none,
              (tpad_rules_refusal){.code = code, .input = input});
    onnx_says(TPAD_RULES_FORBIDS_MODE_WORD, FLOAT, none,
              (tpad_rules_refusal){.code = code, .input = input});
    onnx_says(TPAD_RULES_FORBIDS_MODE_WORD, FLOAT, TPAD_RULES_SYMMETRIC,
              (tpad_rules_refusal){.code = code});
    onnx_says(TPAD_RULES_FORBIDS_MODE, FLOAT, TPAD_RULES_WRAP,
              (tpad_rules_refusal){.code = code, .input = input});
    onnx_says(input, FLOAT, edge, (tpad_rules_refusal){.code = TPAD_E_SPEC_PADS, .input = input});
    onnx_says(TPAD_RULES_FORBIDS_PADS_COUNT, 0, edge,
              (tpad_rules_refusal){.code = TPAD_E_SPEC_PADS});
    onnx_says(TPAD_RULES_FORBIDS_AXES_REPEATED, FLOAT, edge,
              (tpad_rules_refusal){.code = TPAD_E_SPEC_AXES, .axis = 0});
    onnx_says(TPAD_RULES_FORBIDS_AXES_RANGE, FLOAT, edge,
              (tpad_rules_refusal){.code = TPAD_E_SPEC_AXES, .axis = -1});
}

static void test_openvino(void **state)
{
    (void)state;
    const struct {
        int32_t code, axis, mode, expected;
    } cases[] = {
        {TPAD_OK, -1, TPAD_RULES_EDGE, TPAD_RULES_ANSWERS},
        {TPAD_E_SPEC_INPUT, -1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_INPUT_COUNT},
        {TPAD_E_SPEC_PADS, -1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_PADS_COUNT},
        {TPAD_E_SPEC_PADS, 1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_OTHER},
        {TPAD_E_SPEC_VALUE, -1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_VALUE_TYPE},
        {TPAD_E_SPEC_TYPE, -1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_TYPE},
        {TPAD_E_SPEC_MODE, -1, TPAD_RULES_WRAP, TPAD_RULES_FORBIDS_MODE},
        {TPAD_E_SPEC_MODE, -1, TPAD_RULES_NO_MODE, TPAD_RULES_FORBIDS_MODE_WORD},
        {TPAD_E_SPEC_VERSION, -1, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_OPSET},
        {TPAD_E_NEGATIVE, 0, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_NEGATIVE_EXTENT},
        {TPAD_E_NO_SOURCE, 0, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_NOTHING_LEFT},
        {TPAD_E_AMOUNT, 0, TPAD_RULES_EDGE, TPAD_RULES_FORBIDS_OTHER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tpad_rules_refusal refusal = {.code = cases[i].code, .axis = cases[i].axis};
        assert_int_equal(document(TPAD_RULES_OPENVINO, INT4, cases[i].mode, refusal),
                         cases[i].expected);
    }
}

static void test_elements(void **state)
{
    (void)state;
    enum {
        ANY = TPAD_RULES_NOT_ZERO,
        BELOW = TPAD_RULES_NOT_ZERO | TPAD_RULES_NEGATIVE,
        LARGE = TPAD_RULES_NOT_ZERO | TPAD_RULES_BEYOND_UINT8,
        HUGE = LARGE | TPAD_RULES_BEYOND_INT32
    };
    static const struct {
        int32_t type;
        uint64_t code;
        int32_t expected;
    } cases[] = {
        {TPAD_ONNX_UINT64, UINT64_C(1) << 63, HUGE},
        {TPAD_ONNX_UINT64, (UINT64_C(1) << 24) + 1, LARGE | TPAD_RULES_BEYOND_FLOAT32},
        {TPAD_ONNX_UINT32, UINT32_C(1) << 31, HUGE},
        {TPAD_ONNX_UINT16, 0x8000, LARGE},
        {TPAD_ONNX_UINT8, 0x80, ANY},
        {TPAD_ONNX_UINT4, 0x8, ANY},
        {TPAD_ONNX_UINT2, 0x2, ANY},
        {TPAD_ONNX_INT64, UINT64_C(1) << 63, BELOW | TPAD_RULES_BEYOND_INT32},
        {TPAD_ONNX_INT32, UINT32_C(1) << 31, BELOW},
        {TPAD_ONNX_INT32, 0x100, LARGE},
        {TPAD_ONNX_INT16, 0x8000, BELOW},
        {TPAD_ONNX_INT8, 0x80, BELOW},
        {TPAD_ONNX_INT4, 0x8, BELOW},
        {TPAD_ONNX_INT2, 0x2, BELOW},
        {TPAD_ONNX_FLOAT16, 0x8000, TPAD_RULES_MINUS_ZERO},
        {TPAD_ONNX_FLOAT16, 0x0001, ANY | TPAD_RULES_SUBNORMAL},
        {TPAD_ONNX_BFLOAT16, 0xFF80, BELOW | TPAD_RULES_INFINITE},
        {TPAD_ONNX_BFLOAT16, 0x7FC0, ANY | TPAD_RULES_NAN},
        {TPAD_ONNX_BFLOAT16, 0x7FC1, ANY | TPAD_RULES_NAN | TPAD_RULES_NAN_PAYLOAD},
        {TPAD_ONNX_DOUBLE, 0x3FF0000000000001, ANY | TPAD_RULES_BEYOND_FLOAT32},
        {TPAD_ONNX_DOUBLE, 0x3FF0000000000000, ANY},
        {TPAD_ONNX_FLOAT, 0x3F000000, ANY | TPAD_RULES_FRACTION},
        {TPAD_ONNX_FLOAT, 0x43000000, ANY | TPAD_RULES_OUTSIDE_INT8},
        {TPAD_ONNX_FLOAT, 0xBF800000, BELOW | TPAD_RULES_OUTSIDE_BYTE},
        {TPAD_ONNX_BOOL, 1, ANY},
        {TPAD_ONNX_BOOL, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (tpad_rules_element(cases[i].type, cases[i].code) != cases[i].expected)
            fail_msg("case %d: %d", (int)i, tpad_rules_element(cases[i].type, cases[i].code));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_names_of_targets),
        cmocka_unit_test(test_list_of_names),
        cmocka_unit_test(test_codes_as_text),
        cmocka_unit_test(test_finding),
        cmocka_unit_test(test_sentences_of_unknown_verdicts),
        cmocka_unit_test(test_value_in_mode_edge_on_tract),
        cmocka_unit_test(test_rare_pads),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_amounts_that_are_too_large),
        cmocka_unit_test(test_onnx),
        cmocka_unit_test(test_openvino),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
