/* The variants of the kernels in this build, and the choice among them. SPDX-License-Identifier: MIT */
#include "kernels.h"

static const tpad_kernels *const variants[] = {&tpad_kernels_plain};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

const tpad_kernels *tpad_kernels_at(int index)
{
    return index >= 0 && index < VARIANT_COUNT ? variants[index] : NULL;
}

const tpad_kernels *tpad_kernels_best(void)
{
    return variants[VARIANT_COUNT - 1];
}
