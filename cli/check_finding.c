/* What the forms of `tensorpad check` share.  SPDX-License-Identifier: MIT */
#include "check.h"
#include "report.h"

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
