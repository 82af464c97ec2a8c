/* Programs of a stranger, one for each of WITH_PLAN, WITH_THREADS, WITH_MLI, WITH_ORT, WITH_GPU
 * and WITH_COPY. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(WITH_PLAN)
#include <tensorpad/onnx.h>
#include <tensorpad/tensorpad.h>

int main(void)
{
    tpad_axis axes[] = {{.in_extent = 3, .before = 1, .after = 1, .mode = TPAD_WRAP}};
    char out[6] = "";
    tpad_problem problem = TPAD_PROBLEM_OF(out[0], axes); /* an element says its type */
    tpad_plan plan;
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) return 1;
    tpad_run(&plan, "abc", out, NULL);
    printf("%s %s %d\n", tpad_version(), out, (int)tpad_onnx_version_for(22)->since);
    return 0;
}

#elif defined(WITH_THREADS)
#include <tensorpad/threads.h>

int main(void)
{
    enum { BYTES = 8 << 20 };
    const unsigned char two = 2;
    tpad_axis axes[] = {{.after = BYTES}};
    tpad_problem problem = TPAD_PROBLEM_OF(unsigned char, axes);
    tpad_plan plan;
    tpad_threads *threads;
    unsigned char *out = calloc(BYTES, 1);
    if (!out || tpad_threads_create(&threads, 2, NULL) != TPAD_OK) return 1;
    if (tpad_plan_init(&plan, sizeof plan, &problem, NULL) != TPAD_OK) return 1;
    tpad_run_with(&plan, NULL, out, &two, tpad_threads_runner(threads));
    printf("%d %d %d\n", (int)tpad_threads_count(threads), out[0], out[BYTES - 1]);
    tpad_threads_destroy(threads);
    free(out);
    return 0;
}

#elif defined(WITH_MLI) /* of MLI 1.1 or 1.0, whichever target it was given */
#include <tensorpad/mli_padding2d.h>

int main(void)
{
    int8_t src[4] = {1, 2, 3, 4}, dst[6];
    mli_tensor in = {.data = src, .capacity = sizeof src, .shape = {2, 2, 1}, .rank = 3};
    mli_tensor out = {.data = dst, .capacity = sizeof dst};
    const mli_padding2d_cfg cfg = {.padding_left = 1};
    const mli_status status = mli_krn_padding2d_hwc_fx8(&in, &cfg, &out);
#ifdef TPAD_MLI_1_0
    printf("1.0");
#else
    printf("1.1");
#endif
    printf(" %d %d%d%d%d%d%d\n", (int)status, dst[0], dst[1], dst[2], dst[3], dst[4], dst[5]);
    return 0;
}

#elif defined(                                                                                     \
    WITH_ORT) /* linked, or loaded from a path; it meets an ONNX Runtime that is too old */
#include <dlfcn.h>
#include <tensorpad/onnxruntime.h>

typedef struct OrtStatus *(*entry)(struct OrtSessionOptions *, const struct OrtApiBase *);

static void *create_status(int code, const char *text)
{
    (void)code;
    puts(text);
    return create_status;
}

static const void *get_api(uint32_t version)
{
    static void *(*const table[300])(int, const char *) = {create_status};
    return version <= 16 ? table : NULL;
}

static const char *get_version(void)
{
    return "1.16.0";
}

int main(int count, char **arguments)
{
    const struct {
        const void *(*get)(uint32_t version);
        const char *(*version)(void);
    } base = {get_api, get_version};
    entry registers = tpad_ort_register;
    void *library = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library) *(void **)&registers = dlsym(library, "RegisterCustomOps");
    return (count > 1 && !library) || !registers(NULL, (const void *)&base);
}

#elif defined(WITH_GPU)
#include <tensorpad/gpu.h>

int main(void)
{
    const tpad_axis axis = {.in_extent = 3, .before = 1};
    const tpad_problem problem = TPAD_PROBLEM(32, 1, &axis);
    const tpad_gpu_pad_args args = {.struct_size = sizeof args};
    tpad_plan plan;
    tpad_gpu_launch launch;
    tpad_plan_init(&plan, sizeof plan, &problem, NULL);
    printf("%d %s\n", (int)tpad_gpu_pad(&launch, &plan, &args, NULL), launch.kernel);
    return 0;
}

#elif defined(WITH_COPY)
/* A plan that is copied to where the compiler can only see that it is a tpad_plan, and run there.
 * Compiled together with the library, as one file or at link time (scripts/check/amalgamation.sh):
 * then the compiler sees that the copy reads memory as one type which the library wrote as another,
 * and may leave the writing away if tpad_plan does not forbid it. */
#include <tensorpad/tensorpad.h>

static tpad_plan kept[4];

int main(int argc, char **argv)
{
    volatile int32_t amount = 2; /* known at run time only */
    tpad_axis axis = {.in_extent = 3, .before = amount, .after = amount, .mode = TPAD_EDGE};
    const tpad_problem problem = TPAD_PROBLEM(8, 1, &axis);
    tpad_plan plan, *keep = &kept[argc & 3];
    char out[8] = "";
    (void)argv;
    int32_t status = tpad_plan_init(&plan, sizeof plan, &problem, NULL);
    if (status == TPAD_OK) {
        *keep = plan;
        status = tpad_run(keep, "abc", out, NULL);
    }
    if (status == TPAD_OK && strcmp(out, "aaabccc") == 0) return 0;
    printf("status %d, output '%s', not 'aaabccc'\n", (int)status, out);
    return 1;
}
#endif
