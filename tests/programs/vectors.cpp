// C++17: arrays of the standard library, the macro, an image, and what is refused.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <string>
#include <tensorpad/fit.h>
#include <tensorpad/tensorpad.h>
#include <vector>

int main()
{
    const std::vector<float> src = {1, 2, 3, 4, 5, 6};
    const std::vector<float> expected = {1, 1, 2, 3, 3, 4, 4, 5, 6, 6};
    std::vector<float> dst(10);
    tpad_axis axes[2] = {};
    axes[0].in_extent = 2;
    axes[1].in_extent = 3;
    axes[1].before = axes[1].after = 1;
    axes[1].mode = TPAD_EDGE;
    const tpad_problem problem = TPAD_PROBLEM_OF(float, axes);
    static_assert(TPAD_RANK_OF(axes) == 2, "the rank of an array is known to the compiler");
    tpad_error error;
    if (tpad_pad(&problem, src.data(), dst.data(), nullptr, &error) != TPAD_OK) return 1;
    if (dst != expected) return 1;
    if (tpad_pad(&problem, dst.data(), dst.data(), nullptr, &error) != TPAD_E_ARGUMENT) return 1;
    if (dst != expected) return 1;

    axes[0].out_stride = 20;
    std::string line(256, '\0');
    if (tpad_pad(&problem, src.data(), dst.data(), nullptr, &error) != TPAD_E_ARGUMENT) return 1;
    line.resize(tpad_error_format(&error, &line[0], line.size()));
    if (line.find("TPAD_OUT_STRIDES") == std::string::npos) return 1;

    if (tpad_pad_2d(sizeof(float), 2, 1, 3, 0, 0, 1, 1, TPAD_EDGE, src.data(), dst.data(), nullptr,
                    nullptr) != TPAD_OK)
        return 1;
    std::printf("%s\n", line.c_str());
    return dst != expected;
}
