/* Sums of a region of grad_in. SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_ADJOINT_REGION_SUMS_H
#define TENSORPAD_ADJOINT_REGION_SUMS_H

#include "adjoint_loops.h"

/* Writes what the elements of a region get. *r is the same afterwards. */
TPAD_INTERNAL void tpad_sum_region(const adjoint *w, region *r);

#endif
