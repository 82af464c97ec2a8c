/* The settings of the small build, the same for the library and for its callers. They come from
 * Kconfig (Zephyr, ESP-IDF), from -D for the whole project, or from this file. Each one is a plain
 * number.  SPDX-License-Identifier: MIT */
#if !defined(TPAD_SMALL)
#define TPAD_SMALL
#endif
#if defined(ESP_PLATFORM)
#include "sdkconfig.h"
#endif

#if defined(CONFIG_TENSORPAD_MODES)
#define TPAD_MAX_RANK CONFIG_TENSORPAD_MAX_RANK
#define TPAD_MODES    CONFIG_TENSORPAD_MODES
#if !defined(CONFIG_TENSORPAD_INTERIOR)
#define TPAD_INTERIOR 0
#endif
#if !defined(CONFIG_TENSORPAD_STRIDES)
#define TPAD_STRIDES 0
#endif
#elif !defined(TPAD_MAX_RANK)
#define TPAD_MAX_RANK 5
#endif
