/* An ONNX Pad node as an inference runtime would run it: translate once, plan once, run often.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <tensorpad/onnx.h>

int main(void)
{
    const float data[3][2] = {{1.0f, 1.2f}, {2.3f, 3.4f}, {4.5f, 5.7f}};
    const int64_t shape[2] = {3, 2}, amounts[4] = {2, 1, 1, 1}, count[1] = {4};
    const tpad_onnx_tensor pads = {TPAD_ONNX_INT64, 1, count, amounts};
    tpad_onnx_pad node = {.struct_size = sizeof node,
                          .opset = 19,
                          .data = {TPAD_ONNX_FLOAT, 2, shape, NULL},
                          .pads = &pads,
                          .mode = "wrap"};
    tpad_translation translated;
    tpad_plan plan;
    tpad_error error;
    char line[200];

    /* An older opset has no wrap, and says which one has. */
    node.opset = 18;
    if (tpad_onnx_translate(&translated, sizeof translated, &node, &error) == TPAD_OK) return 1;
    tpad_error_format(&error, line, sizeof line);
    puts(line);
    if (!strstr(line, "Pad-19")) return 1;

    node.opset = 19;
    int64_t extents[2];
    if (tpad_onnx_translate(&translated, sizeof translated, &node, &error) != TPAD_OK) return 1;
    const tpad_problem problem = tpad_translation_problem(&translated);
    if (tpad_plan_init(&plan, sizeof plan, &problem, &error) != TPAD_OK) return 1;
    tpad_plan_shape(&plan, extents);
    printf("output shape [%d, %d]\n", (int)extents[0], (int)extents[1]);

    float out[6][4];
    tpad_run(&plan, data, out, tpad_translation_value(&translated));
    for (int row = 0; row < 6; row++)
        printf("%.1f %.1f %.1f %.1f\n", (double)out[row][0], (double)out[row][1],
               (double)out[row][2], (double)out[row][3]);
    return out[0][0] == 3.4f && out[5][3] == 1.0f ? 0 : 1;
}
