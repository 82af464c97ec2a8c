/* The operators that stand in for a Pad, and where they were seen to be right.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

const char *tpad_rules_use_name(int32_t operator)
{
    static const char *const names[TPAD_RULES_USES] = {
        [TPAD_RULES_USE_IDENTITY] = "Identity", [TPAD_RULES_USE_CONSTANT] = "Constant",
        [TPAD_RULES_USE_RESHAPE] = "Reshape",   [TPAD_RULES_USE_EXPAND] = "Expand",
        [TPAD_RULES_USE_SLICE] = "Slice",       [TPAD_RULES_USE_SLICE_BACK] = "Slice by -1",
        [TPAD_RULES_USE_CONCAT] = "Concat",     [TPAD_RULES_USE_GATHER] = "Gather",
        [TPAD_RULES_USE_WHERE] = "Where",       [TPAD_RULES_USE_CAST_AND_BACK] = "Cast and back",
    };
    return operator>= 0 && operator<TPAD_RULES_USES ? names[operator] : NULL;
}

int32_t tpad_rules_may_use(const tpad_rules_use *use, tpad_rules_choice choice)
{
    return use->operator>= 0 && tpad_rules_target_at(choice.low)->version != NULL;
}
