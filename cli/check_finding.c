/* One finding of `tensorpad check`.  SPDX-License-Identifier: MIT */
#include "check.h"
#include "report.h"

void check_judge(check_verdict *verdict, const tpad_rules_facts *facts, const check_target *target)
{
    *verdict = (check_verdict){.accepted = 0};
    tpad_rules_judge(&verdict->rule, facts, target->choice);
    if (verdict->rule.kind == TPAD_RULES_SAME) return;
    tpad_rules_text(verdict->text, sizeof verdict->text, &verdict->rule, facts);
    if (verdict->rule.code)
        snprintf(verdict->code, sizeof verdict->code, "TP%d", (int)verdict->rule.code);
}

int check_level(int32_t kind)
{
    switch (kind) {
    case TPAD_RULES_SAME:
        return -1;
    case TPAD_RULES_UNKNOWN:
        return 0;
    case TPAD_RULES_ACCEPTS:
        return 1;
    default:
        return 2;
    }
}

void check_write_name(FILE *out, const check_node *node)
{
    if (*node->pad->graph) write_plain(out, node->pad->graph);
    if (*node->pad->graph) fputc('/', out);
    write_plain(out, node->name);
}
