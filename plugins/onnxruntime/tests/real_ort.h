/* ONNX Runtime as a program in C uses it, without its header.  SPDX-License-Identifier: MIT
 *
 * TENSORPAD_ORT_LIBRARY in the environment names libonnxruntime.so. */
#ifndef TENSORPAD_PLUGINS_ONNXRUNTIME_TESTS_REAL_ORT_H
#define TENSORPAD_PLUGINS_ONNXRUNTIME_TESTS_REAL_ORT_H

#include <dlfcn.h>
#include <stdlib.h>

#include "../../../tests/support/onnx_bytes.h"
#include "../ort_api.h"

typedef struct ort_env ort_env;
typedef struct ort_session ort_session;
typedef struct ort_memory ort_memory;
typedef struct ort_allocator ort_allocator;

/* X(place, result, name, arguments) */
#define USED_FUNCTIONS(X)                                                                          \
    X(0, ort_status *, create_status, (int code, const char *text))                                \
    X(2, const char *, message, (const ort_status *status))                                        \
    X(3, ort_status *, create_env, (int level, const char *name, ort_env **env))                   \
    X(8, ort_status *, create_session,                                                             \
      (const ort_env *env, const void *model, size_t bytes, const ort_options *options,            \
       ort_session **session))                                                                     \
    X(9, ort_status *, run,                                                                        \
      (ort_session * session, const void *options, const char *const *names,                       \
       const ort_value *const *inputs, size_t count, const char *const *output_names,              \
       size_t outputs_count, ort_value **outputs))                                                 \
    X(10, ort_status *, create_options, (ort_options * *options))                                  \
    X(24, ort_status *, set_threads, (ort_options * options, int count))                           \
    X(26, ort_status *, create_domain, (const char *name, ort_domain **domain))                    \
    X(27, ort_status *, domain_add, (ort_domain * domain, const ort_op *op))                       \
    X(28, ort_status *, add_domain, (ort_options * options, ort_domain * domain))                  \
    X(48, ort_status *, create_strings,                                                            \
      (ort_allocator * allocator, const int64_t *shape, size_t rank, int type, ort_value **value)) \
    X(49, ort_status *, create_tensor,                                                             \
      (const ort_memory *memory, const void *data, size_t bytes, const int64_t *shape,             \
       size_t rank, int type, ort_value **value))                                                  \
    X(51, ort_status *, tensor_data, (ort_value * value, void **data))                             \
    X(52, ort_status *, fill_strings, (ort_value * value, const char *const *texts, size_t count)) \
    X(53, ort_status *, strings_length, (const ort_value *value, size_t *bytes))                   \
    X(54, ort_status *, strings,                                                                   \
      (const ort_value *value, void *text, size_t bytes, size_t *offsets, size_t count))           \
    X(61, ort_status *, rank_of, (const ort_shape *shape, size_t *rank))                           \
    X(62, ort_status *, extents_of, (const ort_shape *shape, int64_t *extents, size_t rank))       \
    X(65, ort_status *, shape_of, (const ort_value *value, ort_shape **shape))                     \
    X(69, ort_status *, create_memory, (int allocator, int kind, ort_memory **memory))             \
    X(78, ort_status *, get_allocator, (ort_allocator * *allocator))                               \
    X(92, void, release_env, (ort_env * env))                                                      \
    X(93, void, release_status, (ort_status * status))                                             \
    X(94, void, release_memory, (ort_memory * memory))                                             \
    X(95, void, release_session, (ort_session * session))                                          \
    X(96, void, release_value, (ort_value * value))                                                \
    X(99, void, release_shape, (ort_shape * shape))                                                \
    X(100, void, release_options, (ort_options * options))                                         \
    X(101, void, release_domain, (ort_domain * domain))                                            \
    X(130, ort_status *, add_entry, (ort_options * options, const char *key, const char *value))   \
    X(228, ort_status *, register_library, (ort_options * options, const char *path))              \
    X(238, ort_status *, entry,                                                                    \
      (const ort_options *options, const char *key, char *value, size_t *bytes))

typedef struct used_api {
#define USED_MEMBER(place, result, name, arguments) result(*name) arguments;
    USED_FUNCTIONS(USED_MEMBER)
#undef USED_MEMBER
} used_api;

static used_api api;
static ort_env *env;
static ort_memory *memory;

/* Asserts that there is no status; says its message. */
static void succeeds(ort_status *status)
{
    if (status) fail_msg("%s", api.message(status));
}

/* Asserts that there is a status whose message has the words, and releases it. */
static void fails(ort_status *status, const char *words)
{
    assert_non_null(status);
    if (!strstr(api.message(status), words))
        fail_msg("'%s' has no '%s'", api.message(status), words);
    api.release_status(status);
}

static ort_options *new_options(int threads)
{
    ort_options *options = NULL;
    succeeds(api.create_options(&options));
    succeeds(api.set_threads(options, threads));
    return options;
}

/* Opens the library that the environment names; NULL with a reason printed if there is none. */
static const ort_base *open_ort(void)
{
    const char *path = getenv("TENSORPAD_ORT_LIBRARY");
    if (!path || !*path) {
        puts("skipped: ONNX Runtime is not installed (TENSORPAD_ORT_LIBRARY names no library)");
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const ort_base *(*get_base)(void) = NULL;
    if (library) *(void **)&get_base = dlsym(library, "OrtGetApiBase");
    if (!get_base) {
        printf("skipped: %s\n", dlerror());
        return NULL;
    }
    const ort_base *base = get_base();
    const ort_any_function *functions = base->get_api(ORT_API_VERSION_USED);
#define USED_TAKE(place, result, name, arguments) api.name = (result(*) arguments)functions[place];
    USED_FUNCTIONS(USED_TAKE)
#undef USED_TAKE
    succeeds(api.create_env(4, "test", &env));
    succeeds(api.create_memory(0, 0, &memory));
    return base;
}

static void close_ort(void)
{
    api.release_memory(memory);
    api.release_env(env);
}

#endif
