/* The plug-in's way into ONNX Runtime.  SPDX-License-Identifier: MIT
 *
 * Registers Pad for every type of elements that the running version can carry: in ONNX's own
 * domain, so that models need no change, and in a domain of its own, for models that say which Pads
 * are the plug-in's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tensorpad/onnxruntime.h>

#include "../../src/port/stay_loaded.h"
#include "kernel.h"

/* ---- Types ----------------------------------------------------------------------------------- */

/* The versions in which ONNX Runtime carries a type, and its number there: up to 1.30 that of ONNX.
 * Of complex numbers no version carries tensors. */
enum { AND_LATER = INT32_MAX };
static const struct {
    int32_t type, number;
    int32_t since, until; /* minor versions of 1.x */
} carried[] = {
    {TPAD_ONNX_FLOAT, 1, 17, AND_LATER},         {TPAD_ONNX_UINT8, 2, 17, AND_LATER},
    {TPAD_ONNX_INT8, 3, 17, AND_LATER},          {TPAD_ONNX_UINT16, 4, 17, AND_LATER},
    {TPAD_ONNX_INT16, 5, 17, AND_LATER},         {TPAD_ONNX_INT32, 6, 17, AND_LATER},
    {TPAD_ONNX_INT64, 7, 17, AND_LATER},         {TPAD_ONNX_STRING, 8, 17, AND_LATER},
    {TPAD_ONNX_BOOL, 9, 17, AND_LATER},          {TPAD_ONNX_FLOAT16, 10, 17, AND_LATER},
    {TPAD_ONNX_DOUBLE, 11, 17, AND_LATER},       {TPAD_ONNX_UINT32, 12, 17, AND_LATER},
    {TPAD_ONNX_UINT64, 13, 17, AND_LATER},       {TPAD_ONNX_BFLOAT16, 16, 17, AND_LATER},
    {TPAD_ONNX_FLOAT8E4M3FN, 17, 17, AND_LATER}, {TPAD_ONNX_FLOAT8E4M3FNUZ, 18, 17, AND_LATER},
    {TPAD_ONNX_FLOAT8E5M2, 19, 17, AND_LATER},   {TPAD_ONNX_FLOAT8E5M2FNUZ, 20, 17, AND_LATER},
    {TPAD_ONNX_UINT4, 21, 19, AND_LATER},        {TPAD_ONNX_INT4, 22, 19, AND_LATER},
    {TPAD_ONNX_FLOAT4E2M1, 23, 24, AND_LATER},   {TPAD_ONNX_UINT2, 25, 24, 30},
    {TPAD_ONNX_UINT2, 24, 31, AND_LATER},        {TPAD_ONNX_INT2, 26, 24, 30},
    {TPAD_ONNX_INT2, 25, 31, AND_LATER},         {TPAD_ONNX_FLOAT8E8M0, 24, 27, 30},
    {TPAD_ONNX_FLOAT8E8M0, 26, 31, AND_LATER},
};
enum { CARRIED = sizeof carried / sizeof *carried, AXES_TYPES = 2 };

/* Up to 1.23 it reads the shape of an input that is absent, and dies, if an operator tells shapes.
 */
enum { FIRST_TO_INFER = 24 };

/* 31 of "1.31.1"; a later major version counts as newer than all. */
static int32_t minor_version(const char *version)
{
    char *end = NULL;
    if (strtol(version, &end, 10) > 1 || *end != '.') return INT32_MAX;
    return (int32_t)strtol(end + 1, NULL, 10);
}

/* ---- The operator ---------------------------------------------------------------------------- */

static const pad_op *pad_of(const ort_op *op)
{
    return (const pad_op *)op;
}

static const char *name(const ort_op *op)
{
    (void)op;
    return "Pad";
}

static const char *provider(const ort_op *op)
{
    (void)op;
    return NULL;
}

static int input_type(const ort_op *op, size_t index)
{
    if (index == 1) return TPAD_ONNX_INT64;
    return index == 3 ? pad_of(op)->axes_type : pad_of(op)->ort_type;
}

static int output_type(const ort_op *op, size_t index)
{
    (void)index;
    return pad_of(op)->ort_type;
}

static size_t four(const ort_op *op)
{
    (void)op;
    return 4;
}

static size_t one(const ort_op *op)
{
    (void)op;
    return 1;
}

/* Models before opset 11 have one input. */
static int input_kind(const ort_op *op, size_t index)
{
    (void)op;
    return index == 0 ? ORT_REQUIRED : ORT_OPTIONAL;
}

static int zero_of(const ort_op *op, size_t index)
{
    (void)op, (void)index;
    return 0;
}

static int first_version(const ort_op *op)
{
    (void)op;
    return 1;
}

static int last_version(const ort_op *op)
{
    (void)op;
    return INT32_MAX;
}

static ort_status *create(const ort_op *op, const void *api, const ort_info *info, void **kernel)
{
    const pad_op *pad = pad_of(op);
    pad_kernel *made = calloc(1, sizeof *made);
    (void)api;
    *kernel = NULL;
    if (!made) return pad_fail(pad->api, ORT_CODE_RUNTIME_EXCEPTION, NULL, "out of memory");
    made->op = pad;
    atomic_flag_clear(&made->plans.busy);
    ort_status *status = pad_attributes_read(&made->attributes, pad->api, info);
    if (status) {
        pad_attributes_free(&made->attributes);
        free(made);
        return status;
    }
    *kernel = made;
    return NULL;
}

static void destroy(void *state)
{
    pad_kernel *kernel = state;
    if (!kernel) return;
    pad_plan_drop(kernel->plans.last);
    pad_attributes_free(&kernel->attributes);
    free(kernel);
}

static const ort_op pad_of_any_type = {
    .version = ORT_API_VERSION_USED,
    .name = name,
    .provider = provider,
    .input_type = input_type,
    .input_count = four,
    .output_type = output_type,
    .output_count = one,
    .destroy = destroy,
    .input_kind = input_kind,
    .output_kind = zero_of,
    .input_memory = zero_of,
    .create = create,
    .compute = pad_compute,
    .infer = pad_infer,
    .first_version = first_version,
    .last_version = last_version,
};

/* ---- Registering ----------------------------------------------------------------------------- */

/* A copy of ONNX Runtime in this process, and what is registered with it. Sessions use it to their
 * end, so it stays, also where the program unloads that library and another one comes to its
 * address: the version and the functions tell them apart. */
typedef struct runtime {
    struct runtime *next;
    const ort_base *base;
    int32_t minor; /* of its version */
    ort_api api;
    ort_domain *onnx;     /* the domain of all models */
    ort_domain *prepared; /* that of prepared ones */
    pad_op ops[CARRIED * AXES_TYPES];
} runtime;

/* The newest one. Nobody waits for another thread: two that meet a new runtime at the same time
 * make an entry each, and both are good. */
static _Atomic(runtime *) runtimes;

static void take_functions(ort_api *api, const ort_any_function *functions)
{
#define TAKE(place, result, name, real, arguments)                                                 \
    api->name = (result(*) arguments)functions[place];
    ORT_FUNCTIONS(TAKE)
#undef TAKE
}

static ort_status *fill_domains(runtime *made)
{
    const int32_t minor = made->minor;
    ort_status *status = made->api.create_domain("", &made->onnx);
    if (!status) status = made->api.create_domain("tensorpad", &made->prepared);
    for (int32_t i = 0; i < CARRIED * AXES_TYPES && !status; i++) {
        pad_op *pad = &made->ops[i];
        const int32_t k = i / AXES_TYPES;
        if (minor < carried[k].since || minor > carried[k].until) continue;
        *pad = (pad_op){.op = pad_of_any_type,
                        .api = &made->api,
                        .type = carried[k].type,
                        .ort_type = carried[k].number,
                        .axes_type = i % AXES_TYPES ? TPAD_ONNX_INT32 : TPAD_ONNX_INT64};
        if (minor < FIRST_TO_INFER) pad->op.infer = NULL;
        status = made->api.domain_add(made->onnx, &pad->op);
        if (!status) status = made->api.domain_add(made->prepared, &pad->op);
    }
    return status;
}

/* The entry for that ONNX Runtime, made at the first call. */
static ort_status *find_runtime(runtime **out, const ort_base *base,
                                const ort_any_function *functions)
{
    const int32_t minor = minor_version(base->version());
    ort_api api;
    take_functions(&api, functions);
    for (*out = atomic_load(&runtimes); *out; *out = (*out)->next)
        if ((*out)->base == base && (*out)->minor == minor &&
            memcmp(&(*out)->api, &api, sizeof api) == 0)
            return NULL;
    runtime *made = calloc(1, sizeof *made);
    if (!made) return api.create_status(ORT_CODE_RUNTIME_EXCEPTION, "tensorpad: out of memory");
    made->base = base;
    made->minor = minor;
    made->api = api;
    ort_status *status = fill_domains(made);
    if (status) {
        if (made->onnx) api.release_domain(made->onnx);
        if (made->prepared) api.release_domain(made->prepared);
        free(made);
        return status;
    }
    made->next = atomic_load(&runtimes);
    while (!atomic_compare_exchange_weak(&runtimes, &made->next, made)) {
    } /* once more where another thread was faster */
    *out = made;
    return NULL;
}

/* The first version of the interface has nothing but the function for errors that we need. */
static struct OrtStatus *too_old(const ort_base *base)
{
    const ort_any_function *functions = base->get_api(1);
    ort_status *(*create_status)(int code, const char *text) =
        (ort_status * (*)(int, const char *)) functions[0];
    return (struct OrtStatus *)create_status(ORT_CODE_FAIL,
                                             "tensorpad needs ONNX Runtime 1.17 or newer");
}

/* ---- Options --------------------------------------------------------------------------------- */

/* ONNX Runtime itself would still merge a Pad with the pool or the convolution after it: wrongly
 * where a maximum of negative numbers is taken, and not at all where the node does not write its
 * mode. So this is switched off, along with what the program has switched off. Versions before 1.20
 * do not know the entry and ignore it. */
static ort_status *keep_pads(const ort_api *api, ort_options *options)
{
    static const char key[] = "optimization.disable_specified_optimizers";
    static const char rule[] = "Pad_Fusion";
    size_t bytes = 0;
    int there = 0;
    ort_status *status = api->has_entry(options, key, &there);
    if (status) return status;
    if (!there) return api->add_entry(options, key, rule);
    status = api->entry(options, key, NULL, &bytes);
    if (status) return status;
    char *list = malloc(bytes + sizeof rule + 1);
    if (!list) return api->create_status(ORT_CODE_RUNTIME_EXCEPTION, "tensorpad: out of memory");
    status = api->entry(options, key, list, &bytes);
    if (!status) {
        strcat(strcat(list, ";"), rule);
        status = api->add_entry(options, key, list);
    }
    free(list);
    return status;
}

struct OrtStatus *tpad_ort_register(struct OrtSessionOptions *given,
                                    const struct OrtApiBase *given_base)
{
    static const char mark[] = "tensorpad.pad", only_prepared[] = "tensorpad.only_prepared";
    const ort_base *base = (const ort_base *)given_base;
    ort_options *options = (ort_options *)given;
    const ort_any_function *functions = base->get_api(ORT_API_VERSION_USED);
    runtime *found = NULL;
    int there = 0, is_prepared = 0;
    if (!functions) return too_old(base);
    stay_loaded();
    ort_status *status = find_runtime(&found, base, functions);
    if (!status) status = found->api.has_entry(options, mark, &there);
    if (status || there) return (struct OrtStatus *)status;
    status = found->api.has_entry(options, only_prepared, &is_prepared);
    if (!status) status = found->api.add_domain(options, found->prepared);
    if (!status) status = found->api.add_entry(options, mark, tpad_version());
    if (status || is_prepared) return (struct OrtStatus *)status;
    status = found->api.add_domain(options, found->onnx);
    if (!status) status = keep_pads(&found->api, options);
    return (struct OrtStatus *)status;
}

struct OrtStatus *RegisterCustomOps(struct OrtSessionOptions *options,
                                    const struct OrtApiBase *base)
{
    return tpad_ort_register(options, base);
}

/* Reading a node's attributes. */

/* 1 if the call succeeded; a status of a failure is released. */
static int32_t worked(const ort_api *api, ort_status *status)
{
    if (status) api->release_status(status);
    return status == NULL;
}

/* A text that `get` of node_name or info_string gives; NULL if there is none. */
static char *read_name(const ort_api *api, const ort_info *info)
{
    size_t bytes = 0;
    if (!worked(api, api->node_name(info, NULL, &bytes)) || bytes == 0) return NULL;
    char *text = malloc(bytes);
    if (text && !worked(api, api->node_name(info, text, &bytes))) {
        free(text);
        text = NULL;
    }
    return text;
}

/* ONNX Runtime says of an attribute of another kind what it says of one that is absent. */
static int32_t is_there(const ort_api *api, const ort_info *info, const char *name)
{
    float real;
    int64_t integer;
    size_t count = 0;
    return worked(api, api->info_integer(info, name, &integer)) ||
           worked(api, api->info_float(info, name, &real)) ||
           worked(api, api->info_string(info, name, NULL, &count)) ||
           worked(api, api->info_integers(info, name, NULL, &count));
}

static ort_status *read_mode(pad_attributes *attributes, const ort_api *api, const ort_info *info)
{
    size_t bytes = 0;
    if (!worked(api, api->info_string(info, "mode", NULL, &bytes)))
        return is_there(api, info, "mode")
                   ? pad_fail(api, ORT_CODE_INVALID_ARGUMENT, attributes->name,
                              "attribute 'mode' must be a string")
                   : NULL;
    attributes->mode = malloc(bytes + 1);
    if (!attributes->mode)
        return pad_fail(api, ORT_CODE_RUNTIME_EXCEPTION, attributes->name, "out of memory");
    attributes->mode[bytes] = '\0';
    return api->info_string(info, "mode", attributes->mode, &bytes);
}

static ort_status *read_list(int64_t **list, int32_t *list_count, const pad_attributes *attributes,
                             const ort_api *api, const ort_info *info, const char *name)
{
    size_t count = 0;
    if (!worked(api, api->info_integers(info, name, NULL, &count)))
        return is_there(api, info, name)
                   ? pad_fail(api, ORT_CODE_INVALID_ARGUMENT, attributes->name,
                              "attributes 'pads' and 'paddings' must be lists of integers")
                   : NULL;
    if (count > INT32_MAX)
        return pad_fail(api, ORT_CODE_INVALID_ARGUMENT, attributes->name, "a list is too long");
    *list = malloc((count + 1) * sizeof **list);
    if (!*list) return pad_fail(api, ORT_CODE_RUNTIME_EXCEPTION, attributes->name, "out of memory");
    *list_count = (int32_t)count;
    return count ? api->info_integers(info, name, *list, &count) : NULL;
}

ort_status *pad_attributes_read(pad_attributes *attributes, const ort_api *api,
                                const ort_info *info)
{
    attributes->name = read_name(api, info);
    ort_status *status = read_mode(attributes, api, info);
    if (!status)
        status =
            read_list(&attributes->pads, &attributes->pads_count, attributes, api, info, "pads");
    if (!status)
        status = read_list(&attributes->paddings, &attributes->paddings_count, attributes, api,
                           info, "paddings");
    if (status) return status;
    attributes->has_value = worked(api, api->info_float(info, "value", &attributes->value));
    if (!attributes->has_value && is_there(api, info, "value"))
        return pad_fail(api, ORT_CODE_INVALID_ARGUMENT, attributes->name,
                        "attribute 'value' must be a float");
    if (is_there(api, info, "axes"))
        return pad_fail(api, ORT_CODE_INVALID_ARGUMENT, attributes->name,
                        "axes are an input, not an attribute");
    return NULL;
}

void pad_attributes_free(pad_attributes *attributes)
{
    free(attributes->name);
    free(attributes->mode);
    free(attributes->pads);
    free(attributes->paddings);
}

/* Shapes before a model runs.
 *
 * ONNX Runtime tells an operator the shapes of its inputs and its attributes, but no elements of
 * its inputs. So of the output follow the type and the rank and, before opset 11, the extents.
 * Other extents get names, because ONNX Runtime would take -1 for an extent. */

enum { NAME_BYTES = 40 };

/* Types with higher numbers are not told: up to 1.30, ONNX Runtime takes the number that it gives
 * here for another type when it gets it back, and refuses the model. */
enum { LAST_TYPE = TPAD_ONNX_FLOAT4E2M1 };

/* Each extent that is not known has a name of its own: the same name would say that two are equal.
 */
static atomic_uint_least64_t names_given;

/* The amounts that an attribute gives: 1, or 0 if it does not give one for each axis. */
static int32_t read_amounts(int64_t *amounts, size_t rank, const ort_api *api,
                            const ort_inference *context, const char *name)
{
    const ort_attribute *attribute = NULL;
    const size_t bytes = 2 * rank * sizeof *amounts;
    size_t needed = 0;
    ort_status *status = api->inference_attribute(context, name, &attribute);
    if (!status && attribute)
        status = api->read_attribute(attribute, ORT_ATTRIBUTE_INTS, amounts, bytes, &needed);
    const int32_t found = !status && attribute && needed == bytes;
    if (status) api->release_status(status);
    return found;
}

/* Sets the extents that are known; the others are -1. */
static void add_amounts(int64_t *extents, size_t rank, const ort_api *api,
                        const ort_inference *context)
{
    int64_t amounts[2 * TPAD_MAX_RANK];
    const int32_t known = read_amounts(amounts, rank, api, context, "pads") ||
                          read_amounts(amounts, rank, api, context, "paddings");
    for (size_t i = 0; i < rank; i++) {
        int64_t sum;
        if (!known || extents[i] < 0 || __builtin_add_overflow(extents[i], amounts[i], &sum) ||
            __builtin_add_overflow(sum, amounts[rank + i], &extents[i]) || extents[i] < 0)
            extents[i] = -1;
    }
}

static ort_status *give(const ort_api *api, const ort_inference *context, int type,
                        const int64_t *extents, size_t rank)
{
    char names[TPAD_MAX_RANK][NAME_BYTES] = {{0}};
    const char *pointers[TPAD_MAX_RANK];
    ort_shape *shape = NULL;
    for (size_t i = 0; i < rank; i++) {
        pointers[i] = names[i];
        if (extents[i] < 0)
            snprintf(names[i], NAME_BYTES, "tensorpad_%llu",
                     (unsigned long long)atomic_fetch_add(&names_given, 1));
    }
    ort_status *status = api->create_shape(&shape);
    if (status) return status;
    status = api->set_type(shape, type);
    if (!status) status = api->set_extents(shape, extents, rank);
    if (!status) status = api->set_names(shape, pointers, rank);
    if (!status) status = api->inference_give(context, 0, shape);
    api->release_shape(shape);
    return status;
}

ort_status *pad_infer(const ort_op *op, ort_inference *context)
{
    const ort_api *api = ((const pad_op *)op)->api;
    ort_shape *data = NULL;
    int64_t extents[TPAD_MAX_RANK];
    size_t rank = 0;
    int type = 0;
    ort_status *status = api->inference_shape(context, 0, &data);
    if (!status) status = api->type_of(data, &type); /* `op` may be of another type */
    if (!status) status = api->rank_of(data, &rank);
    /* Rank 0 stands for an unknown rank too: then the output's rank must stay unknown. */
    if (status || rank == 0 || rank > TPAD_MAX_RANK || type > LAST_TYPE) return status;
    status = api->extents_of(data, extents, rank);
    if (status) return status;
    add_amounts(extents, rank, api, context);
    return give(api, context, type, extents, rank);
}
