/* Must not compile, as C and as C++: TPAD_PROBLEM_OF with a pointer, which knows no rank; or, with
 * PARAMETER, with the array parameter of a function, which is a pointer.
 * SPDX-License-Identifier: MIT */
#include <tensorpad/tensorpad.h>

#if defined(PARAMETER)
tpad_problem made(const tpad_axis axes[2]);
tpad_problem made(const tpad_axis axes[2])
#else
tpad_problem made(const tpad_axis *axes);
tpad_problem made(const tpad_axis *axes)
#endif
{
#if defined(GOOD) /* what the compiler says is about the macro: this compiles */
    tpad_problem problem = TPAD_PROBLEM(32, 2, axes);
#else
    tpad_problem problem = TPAD_PROBLEM_OF(float, axes);
#endif
    return problem;
}
