/* What is checked before gradients are summed. SPDX-License-Identifier: MIT */
#include "check_call.h"

#include <tensorpad/adjoint.h>

#include "../core/checked.h"
#include "../core/error.h"

/* The bits of an element of this kind; 0 if there is no such kind. */
static int32_t bits_of_number(int32_t number)
{
    switch (number) {
#define NUMBER_CASE(name, value, bits)                                                             \
    case value:                                                                                    \
        return bits;
        TPAD_NUMBER_MAP(NUMBER_CASE)
#undef NUMBER_CASE
    default:
        return 0;
    }
}

int32_t tpad_adjoint_check(const plan *p, int32_t number, int32_t flags, tpad_error *error)
{
    if (!p) return TPAD_FAIL(error, TPAD_E_NOT_A_PLAN, 0, 0, "the plan was never made");
    if (p->flags & PLAN_BORDER)
        return TPAD_FAIL(error, TPAD_E_BORDER, 0, 0,
                         "a border plan has no gradient: use the plan that it was made from");
    const int32_t bits = bits_of_number(number);
    if (bits == 0) return TPAD_FAIL(error, TPAD_E_ELEM, number, 0, "there are no numbers %g");
    if (bits != p->elem_bits)
        return TPAD_FAIL(error, TPAD_E_ELEM, bits, p->elem_bits,
                         "these numbers have %g bits, but elements of the plan have %l");
    if (flags & ~TPAD_ADJOINT_ADD)
        return TPAD_FAIL(error, TPAD_E_ARGUMENT, flags, TPAD_ADJOINT_ADD,
                         "flags %g are not known here; TPAD_ADJOINT_ADD is %l");
    return TPAD_OK;
}

int32_t tpad_adjoint_check_apart(const plan *p, const int64_t *counts, const int64_t *strides,
                                 tpad_error *error)
{
    int32_t order[TPAD_MAX_RANK], sorted = 0;
    int64_t sizes[TPAD_MAX_RANK], reach = p->elem_bits / 8;
    for (int32_t i = 0; i < p->rank; i++) {
        int32_t at = sorted;
        if (counts[i] == 1) continue;
        sizes[i] = tpad_magnitude(strides[i]);
        for (; at > 0 && sizes[order[at - 1]] > sizes[i]; at--) order[at] = order[at - 1];
        order[at] = i;
        sorted++;
    }
    for (int32_t k = 0; k < sorted; k++) {
        const int32_t i = order[k];
        if (sizes[i] < reach)
            return tpad_fail(error, (tpad_error){TPAD_E_ARGUMENT, i, strides[i], reach, 0, 0, NULL,
                                                 "axis %a: with stride %g the results may overlap; "
                                                 "%l and more would keep them apart"});
        reach += (counts[i] - 1) * sizes[i];
    }
    return TPAD_OK;
}
