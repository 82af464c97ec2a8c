/* A verdict with its words, and the codes of rules as text.  SPDX-License-Identifier: MIT */
#include "rule.h"

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
    if (finding->verdict.missing != TPAD_RULES_MISSING_EXTENT || length + 3 > sizeof finding->text)
        return;
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
    if ((letters[0] == 'T' || letters[0] == 't') && (letters[1] == 'P' || letters[1] == 'p')) letters += 2;
    for (; *letters >= '0' && *letters <= '9'; letters++) {
        if (code > (INT32_MAX - 9) / 10) return 0;
        code = 10 * code + (*letters - '0');
    }
    return *letters ? 0 : code;
}
