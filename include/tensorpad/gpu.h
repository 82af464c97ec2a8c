/* Pads on GPUs: a plan becomes a kernel and its parameters. SPDX-License-Identifier: MIT
 *
 * In libraries that were built with TENSORPAD_GPU=ON. These functions call no driver, allocate
 * nothing and touch no memory of a device: the caller compiles the text of tpad_gpu_source once for
 * each kernel (NVRTC, hiprtc, clBuildProgram), and launches it. docs/gpu.md shows how.
 *
 *     tpad_gpu_launch launch;
 *     status = tpad_gpu_pad(&launch, &plan, src, dst, &value, 0, NULL, &error);
 *     // kernel(src, dst, fill, params): `launch.blocks` blocks of TPAD_GPU_THREADS threads
 *     void *args[] = {&src, &dst, &fill, launch.params};
 *     cuLaunchKernel(function_of(launch.kernel), (unsigned)launch.blocks, 1, 1, TPAD_GPU_THREADS,
 *                    1, 1, 0, stream, args, NULL);
 *
 * One launch writes the whole output of a plan: of any plan, also of a box or a border. It reads
 * and writes what tpad_run does, with one exception: where elements have 1 or 2 bytes, it may also
 * read bytes between the elements of the input. There are no atomics and no synchronisation, and
 * launches may run at once as runs may (tensorpad.h).
 */
#ifndef TENSORPAD_GPU_H
#define TENSORPAD_GPU_H

#include <tensorpad/tensorpad.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TPAD_GPU_THREADS = 256, TPAD_GPU_PARAM_BYTES = 3264 };

/* A launch, without pointers: it may be copied and kept. Only addresses that are equal modulo 16 to
 * those with which it was made may be used with it. No version adds or moves a field. */
typedef struct tpad_gpu_launch {
    char kernel[24]; /* the name of the function: "tpad_pad_w4_i32" */
    char option[24]; /* for its compiler, the only one that is needed: "-DTPAD_GPU_KERNEL=6" */
    int64_t blocks;  /* of TPAD_GPU_THREADS threads, at most 2^31 - 1; 0: there is nothing to do */
    int32_t param_bytes; /* of params */
    int32_t reads_fill;  /* 1: `fill` must be the array on the device; 0: it may be NULL */
    /* The last argument: in CUDA and HIP by value, in OpenCL a __constant buffer. */
    int64_t params[TPAD_GPU_PARAM_BYTES / 8];
} tpad_gpu_launch;

/* The text of all kernels, which needs no header: CUDA C, HIP and OpenCL C 1.2 in one. Compile it
 * once for each kernel, with launch.option. Kernels of gradients also need --fmad=false (CUDA),
 * -ffp-contract=off (HIP), and no relaxed arithmetic. A constant that ends with a NUL. */
TPAD_API const char *tpad_gpu_source(void);

/* Writes to *launch what tpad_run, or with fill_strides tpad_run_fill, does with the plan.
 * src, dst: addresses on the device, as in tpad_run. Nothing is read there: only their remainders
 * by 16 count. In OpenCL 1.2, where a tensor is a buffer, 0; the problem's offsets say where in the
 * buffer it begins. value: one element in the caller's memory, which is copied, or NULL for all
 * bits zero. fill, fill_strides: the address on the device and the strides of an array of fill
 * values, as in a tpad_fill; fill_strides NULL: there is none, and fill is ignored.
 * Errors, after which *launch says that there is nothing to do:
 *   E_ARGUMENT   launch is NULL (nothing is written)
 *   E_NOT_A_PLAN
 *   E_ELEM       one value of more than 16 bytes (an array may have such values); packed elements
 *                in a border, in an output with gaps, or in one whose first or last byte has bits
 *                of other cells
 *   E_OVERFLOW   fill_strides exceed 64 bits; more than 2^31 - 1 blocks, which is beyond 500 GB */
TPAD_API int32_t tpad_gpu_pad(tpad_gpu_launch *launch, const tpad_plan *plan, uint64_t src,
                              uint64_t dst, const void *value, uint64_t fill,
                              const tpad_index *fill_strides, tpad_error *error);

/* Writes to *launch what tpad_adjoint does with the plan: kernel(grad_out, grad_in, NULL, params).
 * Where no element has two cells and nothing is added, that is a crop by the kernels of pads.
 * The sums are the same to the bit, but for the bits of a NaN. An element that very many cells took
 * (the corner of an edge pad of a thousand cells a side: a million) is summed by one thread.
 * number, flags: as in tpad_adjoint. grad_out, grad_in: addresses on the device, as src and dst
 * above.
 * Errors, after which *launch says that there is nothing to do:
 *   E_NOT_A_PLAN
 *   E_ELEM       no such number, or elements of the plan have another width
 *   E_BORDER     a border plan
 *   E_ARGUMENT   launch is NULL (nothing is written); flags that are not known; two elements of
 *                grad_in may lie at one place, as tpad_adjoint says; a number (of a complex one,
 *                each half) does not lie at a multiple of its size
 *   E_OVERFLOW   more than 2^31 - 1 blocks */
TPAD_API int32_t tpad_gpu_adjoint(tpad_gpu_launch *launch, const tpad_plan *plan, int32_t number,
                                  int32_t flags, uint64_t grad_out, uint64_t grad_in,
                                  tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
