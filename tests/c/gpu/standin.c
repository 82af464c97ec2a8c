/* A driver of CUDA and an NVRTC without a GPU: kernels are functions of C on the memory of the host. Each
 * call is checked as a GPU, or a careful reader of CUDA's documents, would; a breach is an error whose text
 * says what it was. SPDX-License-Identifier: MIT
 *
 * There are two devices, 0 (sm_90) and 1 (sm_75). A stream above 2 belongs to the device of its last four
 * bits. `standin_...` are for the tests: what is captured, which memory is on device 1, what was called. */
#include "launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct function {
    int number, context;
} function;

typedef struct launch {
    function *of;
    unsigned blocks;
    void *addresses[3];
    char params[4096];
} launch;

enum { INVALID_VALUE = 1, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, IN_CAPTURE = 900, MOST = 64 };
static const int architectures[] = {90, 75};
static char contexts[MOST]; /* of device 0, of device 1, and so on */
static _Thread_local char *current;
static function functions[MOST];
static int function_count, captured_count, generation;
static launch captured[MOST];
static void *captured_stream;
static char *device_1, *device_1_end;
static char calls[1 << 16], breach[256];
static char failing[40];

static int note(const char *call)
{
    const size_t used = strlen(calls);
    if (used + 80 < sizeof calls) snprintf(calls + used, sizeof calls - used, "%s\n", call);
    return 0;
}

static int wrong(int status, const char *what)
{
    snprintf(breach, sizeof breach, "%s", what);
    return status;
}

#define REQUIRE(holds, status, what)                                                               \
    if (!(holds)) return wrong(status, what)
#define MAY_FAIL(name)                                                                             \
    if (strcmp(failing, name) == 0) return wrong(999, "the test wants it to fail")

/* ---- For the tests --------------------------------------------------------------------------- */

/* What was called since, a line a call. */
const char *standin_calls(void)
{
    static char taken[sizeof calls];
    memcpy(taken, calls, sizeof calls);
    calls[0] = 0;
    return taken;
}

/* From here on the devices have other contexts, without kernels. */
void standin_forget(void)
{
    generation += 2;
    function_count = 0;
}

/* A function that fails from here on; NULL: none. */
void standin_fail(const char *name)
{
    snprintf(failing, sizeof failing, "%s", name ? name : "");
}

/* Begins the capture of a stream; NULL ends it. */
void standin_capture(void *stream)
{
    captured_stream = stream;
    if (stream) captured_count = 0;
}

void standin_device_1(void *memory, uint64_t bytes)
{
    device_1 = memory;
    device_1_end = device_1 + bytes;
}

static void run(const launch *l)
{
    static void (*const runs[])(const void *, void *, const void *, const void *, uint64_t) = {
#define RUN(number) run_##number,
        EACH_KERNEL(RUN)
#undef RUN
    };
    runs[l->of->number](l->addresses[0], l->addresses[1], l->addresses[2], l->params,
                        (uint64_t)l->blocks * TPAD_GPU_THREADS);
}

void standin_replay(void)
{
    for (int k = 0; k < captured_count; k++) run(&captured[k]);
}

/* ---- The driver ------------------------------------------------------------------------------ */

int cuCtxGetCurrent(void **context)
{
    *context = current;
    return 0;
}

int cuCtxSetCurrent(void *context)
{
    current = context;
    return note(context ? "context" : "no context");
}

int cuCtxGetDevice(int *device)
{
    REQUIRE(current, INVALID_CONTEXT, "no context is current");
    *device = (int)(current - contexts) % 2;
    return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    REQUIRE(device == 0 || device == 1, 101, "no such device");
    *context = contexts + generation + device;
    return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    REQUIRE(attribute == 75 || attribute == 76, INVALID_VALUE, "an attribute nobody needs");
    *value = attribute == 75 ? architectures[device] / 10 : architectures[device] % 10;
    return 0;
}

static int device_of(const void *memory)
{
    return (const char *)memory >= device_1 && (const char *)memory < device_1_end;
}

int cuPointerGetAttribute(void *value, int attribute, uint64_t pointer)
{
    MAY_FAIL("cuPointerGetAttribute");
    REQUIRE(attribute == 9 && pointer, INVALID_VALUE, "an attribute nobody needs");
    *(int *)value = device_of((void *)(uintptr_t)pointer);
    return 0;
}

int cuModuleLoadData(void **module, const char *image)
{
    char target[16];
    function *const f = &functions[function_count];
    MAY_FAIL("cuModuleLoadData");
    REQUIRE(!captured_stream, IN_CAPTURE, "a module is loaded while a graph is captured");
    REQUIRE(current, INVALID_CONTEXT, "no context is current");
    REQUIRE(function_count < MOST, INVALID_VALUE, "a kernel is loaded again and again");
    REQUIRE(sscanf(image, "standin %15s -DTPAD_GPU_KERNEL=%d", target, &f->number) == 2,
            INVALID_IMAGE, "no code");
    f->context = (int)(current - contexts);
    char own[16];
    snprintf(own, sizeof own, "sm_%d", architectures[f->context % 2]);
    REQUIRE(strcmp(target, own) == 0, 209, "code for another architecture");
    for (int k = 0; k < function_count; k++)
        REQUIRE(functions[k].number != f->number || functions[k].context != f->context,
                INVALID_VALUE, "a kernel is loaded twice");
    function_count++;
    *module = f;
    return note("load");
}

int cuModuleGetFunction(void **out, function *module, const char *name)
{
    static const char *const kinds[] = {"pad_w0",      "pad_w1",       "pad_w2",      "pad_w4",
                                        "pad_w8",      "pad_w16",      "adjoint_f32", "adjoint_f64",
                                        "adjoint_f16", "adjoint_bf16", "adjoint_i8",  "adjoint_i16",
                                        "adjoint_i32", "adjoint_i64"};
    char own[32];
    snprintf(own, sizeof own, "tpad_%s_i%d", kinds[module->number / 2],
             module->number % 2 ? 64 : 32);
    REQUIRE(strcmp(name, own) == 0, 500, "the module has no such function");
    *out = module;
    return 0;
}

int cuStreamIsCapturing(void *stream, int *status)
{
    *status = captured_stream && stream == captured_stream;
    return 0;
}

int cuLaunchKernel(function *f, unsigned x, unsigned y, unsigned z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared, void *stream,
                   void **arguments, void **extra)
{
    static const unsigned widths[] = {1, 1, 2, 4, 8, 16, 4, 8, 2, 2, 1, 2, 4, 8};
    const uintptr_t id = (uintptr_t)stream;
    MAY_FAIL("cuLaunchKernel");
    REQUIRE(current, INVALID_CONTEXT, "no context is current");
    const int device = (int)(current - contexts) % 2;
    REQUIRE(f->context == (int)(current - contexts), 400, "a function of another context");
    REQUIRE(id <= 2 || (int)(id & 15) == device, 400, "a stream of another device");
    REQUIRE(x > 0 && x <= INT32_MAX && y == 1 && z == 1, INVALID_VALUE, "the grid");
    REQUIRE(block_x == 256 && block_y == 1 && block_z == 1 && !shared && !extra, INVALID_VALUE,
            "the block");
    launch l = {.of = f, .blocks = x};
    for (int k = 0; k < 3; k++) {
        memcpy(&l.addresses[k], arguments[k], sizeof(void *));
        REQUIRE((uintptr_t)l.addresses[k] % widths[f->number / 2] == 0, 716, "misaligned address");
        REQUIRE(!l.addresses[k] || device_of(l.addresses[k]) == device, 700,
                "memory of another device");
    }
    memcpy(l.params, arguments[3], TPAD_GPU_PARAM_BYTES);
    char line[80];
    snprintf(line, sizeof line, "launch %d on %d, stream %llu", f->number, device,
             (unsigned long long)id);
    if (captured_stream && stream == captured_stream && captured_count < MOST)
        captured[captured_count++] = l;
    else
        run(&l);
    return note(line);
}

int cuGetErrorString(int status, const char **text)
{
    (void)status;
    *text = breach;
    return 0;
}

/* ---- NVRTC ----------------------------------------------------------------------------------- */

typedef struct program {
    char code[128];
    int is_text;
} program;

int nvrtcVersion(int *major, int *minor)
{
    *major = 13, *minor = 2;
    return 0;
}

int nvrtcGetNumSupportedArchs(int *count)
{
    *count = 2;
    return 0;
}

int nvrtcGetSupportedArchs(int *archs)
{
    archs[0] = 75, archs[1] = 90;
    return 0;
}

int nvrtcCreateProgram(program **out, const char *text, const char *name, int headers,
                       const char **sources, const char **names)
{
    if (!strstr(text, "TPAD_KERNEL(tpad_adjoint)") || !name || headers || sources || names)
        return 3;
    *out = calloc(1, sizeof **out);
    return 0;
}

int nvrtcCompileProgram(program *p, int count, const char **options)
{
    const char *target = strchr(options[0], '=');
    if (strcmp(failing, "nvrtcCompileProgram") == 0) return 6;
    if (count != 3 || strcmp(options[1], "--fmad=false") != 0 || !target) return 5;
    snprintf(p->code, sizeof p->code, "standin %s %s", target + 1, options[2]);
    return note("compile");
}

int nvrtcGetProgramLogSize(program *p, size_t *bytes)
{
    (void)p;
    *bytes = sizeof "an error of syntax";
    return 0;
}

int nvrtcGetProgramLog(program *p, char *log)
{
    (void)p;
    strcpy(log, "an error of syntax");
    return 0;
}

int nvrtcGetCUBINSize(program *p, size_t *bytes)
{
    *bytes = sizeof p->code;
    return 0;
}

int nvrtcGetCUBIN(program *p, char *code)
{
    memcpy(code, p->code, sizeof p->code);
    return 0;
}

int nvrtcDestroyProgram(program **p)
{
    free(*p);
    *p = NULL;
    return 0;
}
