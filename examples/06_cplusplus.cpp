// C++17: vectors own the memory, and a refused problem is an exception. SPDX-License-Identifier: MIT
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <tensorpad/fit.h>
#include <vector>

static void check(int32_t status, const tpad_error &error)
{
    char line[256];
    if (status == TPAD_OK) return;
    tpad_error_format(&error, line, sizeof line);
    throw std::invalid_argument(line);
}

// src has as many elements as the axes say.
template <typename T>
std::vector<T> padded(const std::vector<T> &src, const std::vector<tpad_axis> &axes, T value)
{
    const tpad_problem problem = TPAD_PROBLEM(8 * sizeof(T), axes.size(), axes.data());
    tpad_error error;
    int64_t cells = 0;
    check(tpad_shape(&problem, nullptr, &cells, nullptr, &error), error);
    std::vector<T> dst(static_cast<std::size_t>(cells));
    check(tpad_pad(&problem, src.data(), dst.data(), &value, &error), error);
    return dst;
}

int main()
{
    const std::vector<float> src = {1, 2, 3, 4, 5, 6};
    std::vector<tpad_axis> axes(2); // without padding
    axes[0].in_extent = 2;
    axes[1].in_extent = 3;
    std::vector<tpad_fit_axis> sizes(2);
    sizes[1].sized = 1; // instead of amounts
    sizes[1].extent = 5;
    sizes[1].align = TPAD_ALIGN_CENTER;
    sizes[1].mode = TPAD_EDGE;
    const tpad_fit fit = TPAD_FIT(sizes.size(), sizes.data());
    if (tpad_fit_amounts(&fit, nullptr, axes.data(), nullptr) != TPAD_OK) return 1;
    for (double cell : padded(src, axes, 0.0f)) std::printf("%g ", cell);

    // An array of the language knows how many axes it has.
    tpad_axis rows[1] = {};
    rows[0].in_extent = 3;
    rows[0].after = -1;
    const tpad_problem problem = TPAD_PROBLEM_OF(float[2], rows); // pairs of floats
    std::vector<float> first(4);
    if (tpad_pad(&problem, src.data(), first.data(), nullptr, nullptr) != TPAD_OK) return 1;
    std::printf("\n");
    for (double number : first) std::printf("%g ", number);

    axes[1].after = -5;
    try {
        padded(src, axes, 0.0f);
    } catch (const std::invalid_argument &refused) {
        std::printf("\n%s\n", refused.what());
    }
}
