/* An image, or a stack of planes, in one call: amounts for rows and columns, a fill value for a
 * whole pixel. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <tensorpad/tensorpad.h>

int main(void)
{
    const char pixels[2][2][3] = {{"RGB", "rgb"},
                                  {"CMY", "cmy"}}; /* rows of pixels of 3 channels */
    const char planes[2][2][3] = {{"abc", "def"}, {"ghi", "jkl"}}; /* 2 planes of 2 rows */
    char framed[4][4][3], wider[2][2][5];

    /* One pixel around an image of 2 rows of 2 pixels of 3 bytes. */
    if (tpad_pad_2d(3, 1, 2, 2, 1, 1, 1, 1, TPAD_CONSTANT, pixels, framed, "xyz", NULL) != TPAD_OK)
        return 1;
    for (int row = 0; row < 4; row++) printf("%.12s\n", framed[row][0]);

    /* One column on each side of 2 planes of 2 rows of 3 bytes. */
    if (tpad_pad_2d(1, 2, 2, 3, 0, 0, 1, 1, TPAD_REFLECT, planes, wider, NULL, NULL) != TPAD_OK)
        return 1;
    for (int row = 0; row < 4; row++) printf("%.5s\n", wider[row / 2][row % 2]);
    return 0;
}
