/* A project in CMake, and that of CMSIS.  SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "../frame.h"

int main(void)
{
    if (!pad_frame(TPAD_WRAP)) return 1;
    PRINT_FRAME(printf);
    return 0;
}
