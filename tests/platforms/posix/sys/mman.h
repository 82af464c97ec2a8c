/* See posix.h.  SPDX-License-Identifier: MIT */
#include "../posix.h"
