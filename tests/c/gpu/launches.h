/* Runs launches without a GPU: as functions of C (emulated.c) or by OpenCL on the processor
 * (opencl.c). SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_GPU_LAUNCHES_H
#define TENSORPAD_TESTS_GPU_LAUNCHES_H

#include <stdbool.h>
#include <stdint.h>

#include <tensorpad/gpu.h>

/* What runs them; NULL, after it has printed why, if there is nothing here. */
const char *launches_open(void);

/* Runs all threads. Prints what is wrong and returns false if that failed. */
bool launch_run(const tpad_gpu_launch *launch, const void *src, void *dst, const void *fill);

/* kernel.c: of indices of 32 bits and of 64. fields: those of a tpad_gpu_axis. */
int64_t element_0(const int64_t *fields, int64_t i);
int64_t element_1(const int64_t *fields, int64_t i);
int64_t taker_0(const int64_t *fields, int64_t e, int64_t m);
int64_t taker_1(const int64_t *fields, int64_t e, int64_t m);

/* clang-format off */
#define EACH_KERNEL(X) \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) \
    X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27)
/* clang-format on */
#define KERNEL_RUN(number)                                                                         \
    void run_##number(const void *src, void *dst, const void *fill, const void *params,            \
                      uint64_t threads);
EACH_KERNEL(KERNEL_RUN)
#undef KERNEL_RUN

/* How often each kernel ran. */
extern uint64_t kernel_runs[TPAD_GPU_KERNELS];

/* Prints kernel_runs of [first, end). Returns false, and says which, if one of them never ran. */
bool kernels_all_ran(int first, int end);

#endif
