/* The common language of the kernels: CUDA C, HIP and OpenCL C for GPUs, C11 for tests without one.
 * SPDX-License-Identifier: MIT
 *
 * The kernels are text that is compiled at run time (tpad_gpu_source), one kernel at a time:
 * TPAD_GPU_KERNEL is 2 * kind, plus 1 for indices of 64 bits. The build joins language.h,
 * parameters.h, axis_kernel.h, pad_kernel.h and adjoint_kernel.h. */
#ifndef TPAD_GPU_LANGUAGE_H
#define TPAD_GPU_LANGUAGE_H

#if defined(__OPENCL_VERSION__)
#define TPAD_KERNEL(name) __kernel void TPAD_NAME(name, TPAD_KIND)
#define TPAD_GLOBAL       __global
#define TPAD_DEVICE       static inline
#define TPAD_CONST        __constant /* where parameters are */
#define TPAD_PARAMS(type) __constant type *p
#define TPAD_OPEN(type)   (void)0
#define TPAD_THREAD       get_global_id(0)
#define TPAD_HIGH32(a, b) mul_hi((tpad_u32)(a), (tpad_u32)(b))
#define TPAD_HIGH64(a, b) mul_hi((tpad_u64)(a), (tpad_u64)(b))
#define TPAD_ONCE         /* a loop that is not unrolled */
#define TPAD_UNROLLED     /* a loop that is */
#if defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef uchar tpad_u8;
typedef ushort tpad_u16;
typedef uint tpad_u32;
typedef ulong tpad_u64;
typedef int tpad_i32;
typedef long tpad_i64;
typedef uint4 tpad_vec;
#elif defined(__CUDACC_RTC__) || defined(__CUDACC__) || defined(__HIP__) || defined(__HIPCC_RTC__)
#define TPAD_KERNEL(name)                                                                          \
    extern "C" __global__ __launch_bounds__(256) void TPAD_NAME(name, TPAD_KIND)
#define TPAD_GLOBAL
#define TPAD_DEVICE static __device__ __forceinline__ __attribute__((unused))
#define TPAD_CONST  const
#if defined(__HIP__) || defined(__HIPCC_RTC__)
#define TPAD_PARAMS(type) const type given
#else
#define TPAD_PARAMS(type) const __grid_constant__ type given
#define TPAD_PTX
#endif
#define TPAD_OPEN(type)   const type *const p = &given
#define TPAD_THREAD       ((tpad_udx)blockIdx.x * 256u + threadIdx.x)
#define TPAD_HIGH32(a, b) __umulhi(a, b)
#define TPAD_HIGH64(a, b) __umul64hi(a, b)
#define TPAD_ONCE         _Pragma("unroll 1")
#define TPAD_UNROLLED     _Pragma("unroll")
typedef unsigned char tpad_u8;
typedef unsigned short tpad_u16;
typedef unsigned int tpad_u32;
typedef unsigned long long tpad_u64;
typedef int tpad_i32;
typedef long long tpad_i64;
typedef uint4 tpad_vec;
#else /* a kernel is a function for one thread, `thread` */
#include <stdint.h>
#define TPAD_KERNEL(name) static void TPAD_NAME(name, TPAD_KIND)
#define TPAD_GLOBAL
#define TPAD_DEVICE       static inline
#define TPAD_CONST        const
#define TPAD_PARAMS(type) const type *p, uint64_t thread
#define TPAD_OPEN(type)   (void)0
#define TPAD_THREAD       thread
#define TPAD_HIGH32(a, b) ((uint32_t)((uint64_t)(a) * (b) >> 32))
#define TPAD_HIGH64(a, b) ((uint64_t)((tpad_u128)(a) * (b) >> 64))
#define TPAD_ONCE
#define TPAD_UNROLLED
__extension__ typedef unsigned __int128 tpad_u128;
typedef uint8_t tpad_u8;
typedef uint16_t tpad_u16;
typedef uint32_t tpad_u32;
typedef uint64_t tpad_u64;
typedef int32_t tpad_i32;
typedef int64_t tpad_i64;
typedef struct tpad_vec {
    tpad_u32 x, y, z, w;
} tpad_vec;
#endif

#if TPAD_GPU_KERNEL % 2
typedef tpad_i64 tpad_idx;
typedef tpad_u64 tpad_udx;
#define TPAD_HIGH              TPAD_HIGH64
#define TPAD_NAME_(name, kind) name##_##kind##_i64
#else
typedef tpad_i32 tpad_idx;
typedef tpad_u32 tpad_udx;
#define TPAD_HIGH              TPAD_HIGH32
#define TPAD_NAME_(name, kind) name##_##kind##_i32
#endif
#define TPAD_NAME(name, kind) TPAD_NAME_(name, kind)

/* 16 bytes at once, from an address that is a multiple of 16. nvcc for sm_100 splits a plain load
 * into four if another branch has four, so this is a line of PTX. */
TPAD_DEVICE tpad_vec tpad_load_vector(TPAD_GLOBAL const void *from)
{
#if defined(TPAD_PTX)
    tpad_vec v;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from));
    return v;
#else
    return *(TPAD_GLOBAL const tpad_vec *)from;
#endif
}

#endif
