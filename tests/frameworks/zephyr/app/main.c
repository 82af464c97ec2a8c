/* An application of Zephyr.  SPDX-License-Identifier: MIT */
#include <zephyr/kernel.h>

#include "../../frame.h"

int main(void)
{
    if (!pad_frame(TPAD_CONSTANT)) return 1;
    PRINT_FRAME(printk);
    return pad_frame(TPAD_REFLECT); /* which these settings leave out */
}
