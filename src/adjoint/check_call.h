/* What is checked before gradients are summed. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_ADJOINT_CHECK_CALL_H
#define TENSORPAD_ADJOINT_CHECK_CALL_H

#include "../core/plan.h"

/* p: the plan, or NULL if there was none. Errors: E_NOT_A_PLAN, E_BORDER, E_ELEM, E_ARGUMENT. */
TPAD_INTERNAL int32_t tpad_adjoint_check(const plan *p, int32_t number, int32_t flags,
                                         tpad_error *error);

/* Checks that no two of the results lie at one place. counts, strides: one for each axis, none of the
 * counts 0. Errors: E_ARGUMENT. */
TPAD_INTERNAL int32_t tpad_adjoint_check_apart(const plan *p, const int64_t *counts,
                                               const int64_t *strides, tpad_error *error);

#endif
