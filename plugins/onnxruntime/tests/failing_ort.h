/* ONNX Runtime, of whose functions the plug-in's call with a certain number fails.
 * SPDX-License-Identifier: MIT
 *
 * The plug-in gets a copy of ONNX Runtime's table, whose functions count the calls and then call
 * the real ones. The call with the number `fails_at` fails, also of malloc and calloc, which are
 * linked with --wrap. */
#ifndef TENSORPAD_PLUGINS_ONNXRUNTIME_TESTS_FAILING_ORT_H
#define TENSORPAD_PLUGINS_ONNXRUNTIME_TESTS_FAILING_ORT_H

#include <tensorpad/onnxruntime.h>

#include "../kernel.h"
#include "real_ort.h"

#define AT(place, result, name, real, arguments) AT_##name = (place),
enum { ORT_FUNCTIONS(AT) PLACES = 275 };
#undef AT

static const ort_base *real_base;
static int counting, fails_at, calls; /* counted from 1 */
static int allocations;               /* of the plug-in */
static int made, released, handed;    /* statuses: also by ONNX Runtime; given to ONNX Runtime */
static int shapes, domains, blocks;   /* that live; blocks of the plug-in's memory */
static int added, inferring;          /* operators; those that tell shapes */
static pad_kernel *kernel;            /* the last one */
static ort_op plugs;                  /* the plug-in's functions */
static int axes_type;                 /* of models */
static void (*meanwhile)(void);       /* called once while a domain is made */
static void (*after)(int place, const uintptr_t *arguments);

static int fails_now(void)
{
    return counting && ++calls == fails_at;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

void __real_free(void *block);
void __wrap_free(void *block);

void *__wrap_malloc(size_t bytes)
{
    if (fails_now()) return NULL;
    allocations++, blocks++;
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    if (fails_now()) return NULL;
    allocations++, blocks++;
    return __real_calloc(count, bytes);
}

void __wrap_free(void *block)
{
    blocks -= block != NULL;
    __real_free(block);
}

/* What the plug-in gives to ONNX Runtime. */
static ort_status *hand(ort_status *status)
{
    handed += status != NULL;
    return status;
}

static ort_status *counted_create(const ort_op *op, const void *given, const ort_info *info,
                                  void **out)
{
    ort_status *status = hand(plugs.create(op, given, info, out));
    assert_true((status == NULL) == (*out != NULL));
    kernel = *out;
    return status;
}

static ort_status *counted_compute(void *state, ort_context *context)
{
    return hand(plugs.compute(state, context));
}

static ort_status *counted_infer(const ort_op *op, ort_inference *context)
{
    return hand(plugs.infer(op, context));
}

static void add(ort_op *op)
{
    added++;
    inferring += op->infer != NULL;
    if (op->create == counted_create) return; /* it is in two domains */
    plugs = *op;
    op->create = counted_create;
    op->compute = counted_compute;
    if (op->infer) op->infer = counted_infer;
    if (plugs.infer == NULL) plugs.infer = pad_infer;
}

/* No function of the table has more arguments, and none takes or gives a floating-point number. */
typedef uintptr_t any_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e);

static uintptr_t call(int place, const uintptr_t *a)
{
    const ort_any_function *functions = real_base->get_api(ORT_API_VERSION_USED);
    const int releases =
        place == AT_release_status || place == AT_release_shape || place == AT_release_domain;
    if (place != AT_create_status && !releases && fails_now()) {
        made++;
        return (uintptr_t)api.create_status(ORT_CODE_FAIL, "as told");
    }
    if (place == AT_create_domain && meanwhile) {
        void (*now)(void) = meanwhile;
        meanwhile = NULL;
        now();
    }
    if (place == AT_domain_add) add((ort_op *)a[1]);
    const uintptr_t status = ((any_call *)functions[place])(a[0], a[1], a[2], a[3], a[4]);
    if (releases) {
        released += place == AT_release_status;
        shapes -= place == AT_release_shape;
        domains -= place == AT_release_domain;
        return 0;
    }
    made += status != 0;
    shapes += !status && (place == AT_create_shape || place == AT_shape_of);
    domains += !status && place == AT_create_domain;
    if (after) after(place, a);
    return status;
}

#define STAND_IN(place, result, name, real, arguments)                                             \
    static uintptr_t call_##name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e)  \
    {                                                                                              \
        return call(place, (const uintptr_t[]){a, b, c, d, e});                                    \
    }
ORT_FUNCTIONS(STAND_IN)
#undef STAND_IN

static ort_any_function table[PLACES];
static const char *version;
static int is_old;

static const ort_any_function *give_table(uint32_t number)
{
    return is_old ? number == 1 ? real_base->get_api(1) : NULL : table;
}

static const char *give_version(void)
{
    return version;
}

/* Another place in memory, so that the plug-in has not seen this ONNX Runtime yet. */
static const struct OrtApiBase *new_base(void)
{
    static ort_base bases[400];
    static size_t given;
    assert_in_range(given, 0, sizeof bases / sizeof *bases - 1);
    bases[given] = (ort_base){give_table, give_version};
    return (const struct OrtApiBase *)&bases[given++];
}

static int reset(void **state)
{
    (void)state;
#define PUT(place, result, name, real, arguments) table[place] = (ort_any_function)call_##name;
    ORT_FUNCTIONS(PUT)
#undef PUT
    counting = fails_at = calls = made = released = handed = added = inferring = 0;
    domains = blocks = 0;
    is_old = 0;
    axes_type = TPAD_ONNX_INT64;
    after = NULL;
    version = real_base->version();
    return 0;
}

/* What calls made is released or handed on. */
static void nothing_lives(void)
{
    assert_int_equal(made, released + handed);
    assert_int_equal(shapes, 0);
    assert_int_equal(2 * blocks, domains); /* a block and two domains of each runtime stay */
}

static ort_status *register_with(ort_options *options, const struct OrtApiBase *base)
{
    return hand((ort_status *)RegisterCustomOps((struct OrtSessionOptions *)options, base));
}

#endif
