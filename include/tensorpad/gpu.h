/* Pads on GPUs: a plan becomes a kernel and its parameters. SPDX-License-Identifier: MIT
 *
 * A separate library: tensorpad::gpu, libtensorpad_gpu.a. These functions call no driver, allocate
 * nothing and touch no device memory: the caller compiles the text of tpad_gpu_source once for each
 * kernel (NVRTC, hiprtc, clBuildProgram), and launches it. docs/gpu.md shows how.
 *
 *     const tpad_gpu_pad_args args = {.struct_size = sizeof args, .src = src, .dst = dst};
 *     tpad_gpu_launch launch;
 *     status = tpad_gpu_pad(&launch, &plan, &args, &error);
 *     // kernel(src, dst, fill, params): `launch.blocks` blocks of TPAD_GPU_THREADS threads
 *     void *arguments[] = {&src, &dst, &fill, launch.params};
 *     cuLaunchKernel(functions[launch.number], (unsigned)launch.blocks, 1, 1, TPAD_GPU_THREADS,
 *                    1, 1, 0, stream, arguments, NULL);
 *
 * One launch writes the whole output of a plan, also of a box or a border. It reads and writes what
 * tpad_run does, with one exception: if elements have 1 or 2 bytes, it may also read bytes between
 * the elements of the input. There are no atomics and no synchronisation, and launches may run
 * concurrently wherever runs may (tensorpad.h). On the caller's stack, tpad_gpu_pad needs 6 KB and
 * tpad_gpu_adjoint 16 KB.
 */
#ifndef TENSORPAD_GPU_H
#define TENSORPAD_GPU_H

#include <tensorpad/tensorpad.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TPAD_GPU_THREADS = 256, TPAD_GPU_PARAM_BYTES = 3264, TPAD_GPU_KERNELS = 28 };

/* A launch, without pointers: it may be copied and kept. It may be used only with addresses equal
 * modulo 16 to those it was made with: tpad_gpu_suits. No version adds or moves a field. */
typedef struct tpad_gpu_launch {
    char kernel[24]; /* the name of the function: "tpad_pad_w4_i32" */
    char option[24]; /* the only compiler option needed: "-DTPAD_GPU_KERNEL=6" */
    int64_t blocks;  /* of TPAD_GPU_THREADS threads, at most 2^31 - 1; 0: there is nothing to do */
    int32_t param_bytes; /* of params */
    int32_t reads_fill;  /* 1: `fill` must be the array on the device; 0: it may be NULL */
    int32_t number;      /* of the kernel, below TPAD_GPU_KERNELS: for a table of functions */
    int32_t remainders;  /* for tpad_gpu_suits */
    /* The last argument: in CUDA and HIP by value, in OpenCL a __constant buffer. */
    int64_t params[TPAD_GPU_PARAM_BYTES / 8];
} tpad_gpu_launch;

/* The text of all kernels, which needs no header: CUDA C, HIP and OpenCL C 1.2 in one. Compile it
 * once for each kernel, with launch.option. Gradient kernels also need --fmad=false (CUDA),
 * -ffp-contract=off (HIP), and no relaxed arithmetic. A constant that ends with a NUL. */
TPAD_API const char *tpad_gpu_source(void);

/* Identifies this version of the text: its 64-bit FNV-1a hash, computed in each call. Code compiled
 * from the text may be cached under this number, launch.option, and the version, the target and the
 * other options of the compiler. */
TPAD_API uint64_t tpad_gpu_source_id(void);

/* 1 if a launch may be used with these addresses: each is equal modulo 16 to the one that the
 * launch was made with, or there is nothing to do. src, dst: for a gradient, grad_out and grad_in.
 * fill: ignored unless launch->reads_fill. */
TPAD_API int32_t tpad_gpu_suits(const tpad_gpu_launch *launch, uint64_t src, uint64_t dst,
                                uint64_t fill);

/* A pad as by tpad_run or, with fill_strides, by tpad_run_fill. Addresses are device addresses;
 * only their remainders modulo 16 are used. In OpenCL 1.2, where a tensor is a buffer, they are 0;
 * the problem's offsets say where in the buffer the tensor begins. */
typedef struct tpad_gpu_pad_args {
    size_t struct_size; /* sizeof(tpad_gpu_pad_args), as in tpad_problem */
    uint64_t src, dst;
    const void *value; /* one element in the caller's memory, copied; NULL: all bits zero */
    uint64_t fill;     /* an array of fill values; ignored if fill_strides is NULL */
    const tpad_index *fill_strides; /* its strides as in a tpad_fill; NULL: there is no array */
} tpad_gpu_pad_args;

/* Writes to *launch the launch of this pad: kernel(src, dst, fill, params).
 * Errors, after which *launch says that there is nothing to do:
 *   E_ARGUMENT   launch is NULL (nothing is written); args is NULL, or its struct_size is wrong
 *   E_NOT_A_PLAN
 *   E_ELEM       one value of more than 16 bytes (an array may have such values); packed elements
 *                in a border, in an output with gaps, or in one whose first or last byte has bits
 *                of other cells
 *   E_OVERFLOW   fill_strides exceed 64 bits; more than 2^31 - 1 blocks (beyond 500 GB) */
TPAD_API int32_t tpad_gpu_pad(tpad_gpu_launch *launch, const tpad_plan *plan,
                              const tpad_gpu_pad_args *args, tpad_error *error);

/* A gradient as by tpad_adjoint. */
typedef struct tpad_gpu_adjoint_args {
    size_t struct_size;         /* sizeof(tpad_gpu_adjoint_args) */
    int32_t number, flags;      /* as in tpad_adjoint */
    uint64_t grad_out, grad_in; /* addresses, as above */
} tpad_gpu_adjoint_args;

/* Writes to *launch the launch of this gradient: kernel(grad_out, grad_in, NULL, params).
 * If no element has two cells and nothing is added, it is a crop by a pad kernel.
 * The sums are bit-identical, except for the bits of a NaN. One thread sums all cells that took an
 * element, however many (for the corner of an edge pad of a thousand cells a side: a million).
 * Errors, after which *launch says that there is nothing to do:
 *   E_NOT_A_PLAN
 *   E_ELEM       no such number, or elements of the plan have another width
 *   E_BORDER     a border plan
 *   E_ARGUMENT   launch is NULL (nothing is written); args is NULL, or its struct_size is wrong;
 *                unknown flags; two elements of grad_in may share a place (see tpad_adjoint); a
 *                number (each half of a complex one) is not aligned to its size
 *   E_OVERFLOW   more than 2^31 - 1 blocks */
TPAD_API int32_t tpad_gpu_adjoint(tpad_gpu_launch *launch, const tpad_plan *plan,
                                  const tpad_gpu_adjoint_args *args, tpad_error *error);

#ifdef __cplusplus
}
#endif
#endif
