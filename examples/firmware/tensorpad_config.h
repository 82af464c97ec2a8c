/* The small build with what this program needs.  SPDX-License-Identifier: MIT */
#define TPAD_SMALL
#define TPAD_MAX_RANK 3
#define TPAD_MODES    1
#define TPAD_INTERIOR 0
#define TPAD_STRIDES  0
