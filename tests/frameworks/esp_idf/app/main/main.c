/* An application of ESP-IDF.  SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "../../../frame.h"

void app_main(void);

void app_main(void)
{
    if (pad_frame(TPAD_REFLECT)) PRINT_FRAME(printf);
}
