/* A stranger's program for embARC MLI 1.1 or 1.0, whichever target it was given.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/mli_padding2d.h>

int main(void)
{
    int8_t src[4] = {1, 2, 3, 4}, dst[6];
    mli_tensor in = {.data = src, .capacity = sizeof src, .shape = {2, 2, 1}, .rank = 3};
    mli_tensor out = {.data = dst, .capacity = sizeof dst};
    const mli_padding2d_cfg cfg = {.padding_left = 1};
    const mli_status status = mli_krn_padding2d_hwc_fx8(&in, &cfg, &out);
#ifdef TPAD_MLI_1_0
    printf("1.0");
#else
    printf("1.1");
#endif
    printf(" %d %d%d%d%d%d%d\n", (int)status, dst[0], dst[1], dst[2], dst[3], dst[4], dst[5]);
    return 0;
}
