/* Launches by OpenCL on this machine's processor (pocl), in the tests' own guarded memory: there
 * kernels may use any address of the process. SPDX-License-Identifier: MIT
 *
 * Without a header of OpenCL: its library is opened if it is there. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "launches.h"

enum {
    DEVICE_TYPE_CPU = 2,
    DEVICE_NAME = 0x102B,
    PROGRAM_BUILD_LOG = 0x1183,
    MEM_READ_ONLY = 4,
    MEM_COPY_HOST_PTR = 32
};

/* X(function, what it returns, its arguments): those of OpenCL 2.0 that are called. */
#define EACH_CALL(X)                                                                               \
    X(clGetPlatformIDs, int32_t, (uint32_t, void **, uint32_t *))                                  \
    X(clGetDeviceIDs, int32_t, (void *, uint64_t, uint32_t, void **, uint32_t *))                  \
    X(clGetDeviceInfo, int32_t, (void *, uint32_t, size_t, void *, size_t *))                      \
    X(clCreateContext, void *, (const void *, uint32_t, void **, void *, void *, int32_t *))       \
    X(clCreateCommandQueue, void *, (void *, void *, uint64_t, int32_t *))                         \
    X(clCreateProgramWithSource, void *,                                                           \
      (void *, uint32_t, const char **, const size_t *, int32_t *))                                \
    X(clBuildProgram, int32_t, (void *, uint32_t, void **, const char *, void *, void *))          \
    X(clGetProgramBuildInfo, int32_t, (void *, void *, uint32_t, size_t, void *, size_t *))        \
    X(clCreateKernel, void *, (void *, const char *, int32_t *))                                   \
    X(clCreateBuffer, void *, (void *, uint64_t, size_t, void *, int32_t *))                       \
    X(clSetKernelArg, int32_t, (void *, uint32_t, size_t, const void *))                           \
    X(clSetKernelArgSVMPointer, int32_t, (void *, uint32_t, const void *))                         \
    X(clEnqueueNDRangeKernel, int32_t,                                                             \
      (void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, void *, \
       void *))                                                                                    \
    X(clFinish, int32_t, (void *))                                                                 \
    X(clReleaseMemObject, int32_t, (void *))

#define CALL(name, result, arguments) result(*name) arguments;
static struct {
    EACH_CALL(CALL)
} cl;
#undef CALL

static void *device, *context, *queue, *kernels[TPAD_GPU_KERNELS];
static char device_name[200];

static const char *missing(const char *what)
{
    printf("skipped: %s\n", what);
    return NULL;
}

const char *launches_open(void)
{
    void *platform = NULL, *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (!library) return missing("libOpenCL.so.1 is not here (package ocl-icd-libopencl1)");
#define CALL(name, result, arguments)                                                              \
    *(void **)&cl.name = dlsym(library, #name);                                                    \
    if (!cl.name) return missing("libOpenCL.so.1 is older than OpenCL 2.0");
    EACH_CALL(CALL)
#undef CALL
    if (cl.clGetPlatformIDs(1, &platform, NULL) != 0 ||
        cl.clGetDeviceIDs(platform, DEVICE_TYPE_CPU, 1, &device, NULL) != 0)
        return missing("no OpenCL for a processor is here (package pocl-opencl-icd)");
    cl.clGetDeviceInfo(device, DEVICE_NAME, sizeof device_name - 1, device_name, NULL);
    if (strncmp(device_name, "pthread", 7) != 0 && strncmp(device_name, "cpu", 3) != 0)
        return missing("the first OpenCL of a processor is not pocl");
    context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = cl.clCreateCommandQueue(context, device, 0, NULL);
    return queue ? device_name : missing("OpenCL has no queue");
}

static void *build_kernel(const tpad_gpu_launch *launch)
{
    const char *text = tpad_gpu_source();
    void *program = cl.clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (cl.clBuildProgram(program, 1, &device, launch->option, NULL, NULL) != 0) {
        static char log[20000];
        cl.clGetProgramBuildInfo(program, device, PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s: %s\n", launch->kernel, log);
        return NULL;
    }
    return cl.clCreateKernel(program, launch->kernel, NULL);
}

bool launch_run(const tpad_gpu_launch *launch, const void *src, void *dst, const void *fill)
{
    const void *arguments[] = {src, dst, launch->reads_fill ? fill : NULL};
    if (launch->blocks == 0) return true;
    const int32_t number = launch->number;
    if (!kernels[number]) kernels[number] = build_kernel(launch);
    void *kernel = kernels[number], *no_buffer = NULL;
    if (!kernel) return false;
    kernel_runs[number]++;
    tpad_gpu_launch copy = *launch;
    void *params = cl.clCreateBuffer(context, MEM_READ_ONLY | MEM_COPY_HOST_PTR,
                                     (size_t)copy.param_bytes, copy.params, NULL);
    int32_t status = params ? 0 : 1;
    for (uint32_t k = 0; k < 3; k++)
        status |= arguments[k] ? cl.clSetKernelArgSVMPointer(kernel, k, arguments[k])
                               : cl.clSetKernelArg(kernel, k, sizeof no_buffer, &no_buffer);
    status |= cl.clSetKernelArg(kernel, 3, sizeof params, &params);
    const size_t threads = (size_t)launch->blocks * TPAD_GPU_THREADS, block = TPAD_GPU_THREADS;
    status |= cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &threads, &block, 0, NULL, NULL);
    status |= cl.clFinish(queue);
    cl.clReleaseMemObject(params);
    if (status != 0) fprintf(stderr, "OpenCL: status %d\n", (int)status);
    return status == 0;
}
