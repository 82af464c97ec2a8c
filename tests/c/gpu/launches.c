/* Which kernels ran. SPDX-License-Identifier: MIT */
#include "launches.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t kernel_runs[TPAD_GPU_KERNELS];

bool kernels_all_ran(int first, int end)
{
    bool all = true;
    for (int k = first; k < end; k++) {
        printf("kernel %d: %" PRIu64 " launches\n", k, kernel_runs[k]);
        all = all && kernel_runs[k] > 0;
    }
    if (!all) fprintf(stderr, "a kernel never ran: the test needs more cases\n");
    return all;
}
