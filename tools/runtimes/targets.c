/* The targets, and which of them a name means.  SPDX-License-Identifier: MIT */
#include "rule.h"

static const struct {
    tpad_rules_target target;
    const rule_table *rules;
} targets[] = {
    /* The versions of a family stand together, the oldest first. */
    {{"ort-1.17", "ONNX Runtime", "1.17.3", "ort", VERSION(1, 17)}, &rules_of_onnxruntime},
    {{"ort-1.20", "ONNX Runtime", "1.20.1", "ort", VERSION(1, 20)}, &rules_of_onnxruntime},
    {{"ort-1.23", "ONNX Runtime", "1.23.2", "ort", VERSION(1, 23)}, &rules_of_onnxruntime},
    {{"ort-1.31", "ONNX Runtime", "1.31.1", "ort", VERSION(1, 31)}, &rules_of_onnxruntime},
    {{"ort-1.32", "ONNX Runtime", "1.32.0", "ort", VERSION(1, 32)}, &rules_of_onnxruntime},
    {{"ort-web-1.30", "ONNX Runtime web", "1.30", "ort-web", VERSION(1, 30)},
     &rules_of_onnxruntime},
    {{"openvino-2024.6", "OpenVINO", "2024.6.0", "openvino", VERSION(2024, 6)}, &rules_of_openvino},
    {{"openvino-2025.4", "OpenVINO", "2025.4.1", "openvino", VERSION(2025, 4)}, &rules_of_openvino},
    {{"openvino-2026.4", "OpenVINO", "2026.4.1", "openvino", VERSION(2026, 4)}, &rules_of_openvino},
    {{"opencv-4.6", "OpenCV", "4.6", "opencv", VERSION(4, 6)}, &rules_of_opencv_4},
    {{"opencv-4.10", "OpenCV", "4.10", "opencv", VERSION(4, 10)}, &rules_of_opencv_4},
    {{"opencv-4.14", "OpenCV", "4.14", "opencv", VERSION(4, 14)}, &rules_of_opencv_4},
    {{"opencv-5.0", "OpenCV", "5.0", "opencv", VERSION(5, 0)}, &rules_of_opencv_5},
    {{"tract-0.21", "tract", "0.21.19", "tract", VERSION(0, 21)}, &rules_of_tract},
    {{"tract-0.22", "tract", "0.22.4", "tract", VERSION(0, 22)}, &rules_of_tract},
    {{"tract-0.23", "tract", "0.23.9", "tract", VERSION(0, 23)}, &rules_of_tract},
    {{"onnx-reference-1.23", "the ONNX reference", "1.23.2", "onnx-reference", VERSION(1, 23)},
     &rules_of_onnx_reference},
    {{"coreml", "CoreML", NULL, "coreml", 0}, &rules_of_coreml},
    {{"qnn", "QNN", NULL, "qnn", 0}, &rules_of_qnn},
    {{"webnn", "WebNN", NULL, "webnn", 0}, &rules_of_webnn},
    {{"tflite", "TFLite", NULL, "tflite", 0}, &rules_of_tflite},
    {{"tensorrt", "TensorRT", NULL, "tensorrt", 0}, &rules_of_tensorrt},
    {{"directml", "DirectML", NULL, "directml", 0}, &rules_of_directml},
};
enum { TARGETS = sizeof targets / sizeof *targets };

int32_t tpad_rules_target_count(void)
{
    return TARGETS;
}

const tpad_rules_target *tpad_rules_target_at(int32_t index)
{
    return index >= 0 && index < TARGETS ? &targets[index].target : NULL;
}

const rule_table *rules_of_target(int32_t index)
{
    return targets[index].rules;
}

/* The text behind `start`, or NULL if the name does not begin with it. */
static const char *after(const char *name, const char *start)
{
    while (*start && *name == *start) name++, start++;
    return *start ? NULL : name;
}

/* Reads "-1.31" or "-1.31.1" as VERSION(1, 31); -1 for another text. */
static int32_t read_version(const char *text)
{
    int32_t part[3] = {0, 0, 0}, parts = 0;
    if (*text != '-') return -1;
    do {
        const char *digits = ++text;
        for (; *text >= '0' && *text <= '9'; text++) {
            if (parts == 3 || text - digits == 4) return -1;
            part[parts] = 10 * part[parts] + (*text - '0');
        }
        if (text == digits) return -1;
        parts++;
    } while (*text == '.');
    return *text || parts < 2 ? -1 : VERSION(part[0], part[1]);
}

int32_t tpad_rules_find(tpad_rules_choice *choice, const char *name)
{
    *choice = (tpad_rules_choice){-1, -1, 0};
    for (int32_t i = 0; i < TARGETS; i++) {
        const tpad_rules_target *target = &targets[i].target;
        const char *rest = after(name, target->family);
        if (!rest) continue;
        if (*rest == '\0') { /* no version: the newest is the last one that comes by */
            choice->low = choice->high = i;
            continue;
        }
        const int32_t version = read_version(rest);
        if (version < 0 || target->number == 0) continue;
        if (target->number <= version) choice->low = i;
        if (target->number >= version && choice->high < 0) choice->high = i;
    }
    if (choice->low < 0 && choice->high < 0) return 0;
    choice->is_nearest = choice->low < 0 || choice->high < 0;
    if (choice->low < 0) choice->low = choice->high;
    if (choice->high < 0) choice->high = choice->low;
    return 1;
}

size_t tpad_rules_names(char *buffer, size_t bytes)
{
    size_t length = 0;
    for (int32_t i = 0; i < TARGETS; i++) {
        for (const char *name = targets[i].target.name; *name; name++, length++)
            if (length + 1 < bytes) buffer[length] = *name;
        if (i + 1 == TARGETS) break;
        if (length + 1 < bytes) buffer[length] = ' ';
        length++;
    }
    if (bytes) buffer[length < bytes ? length : bytes - 1] = '\0';
    return length;
}
