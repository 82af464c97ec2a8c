/* What the application needs of Zephyr.  SPDX-License-Identifier: MIT */
#include <stdio.h>

#define printk printf
