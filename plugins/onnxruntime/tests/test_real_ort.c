/* The plug-in inside ONNX Runtime, as a program in C uses it.  SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ort_api.h"
#include "pad_model.h"

/* ONNX Runtime as a program in C uses it, without its header.
 *
 * TENSORPAD_ORT_LIBRARY in the environment names libonnxruntime.so. */

typedef struct ort_env ort_env;
typedef struct ort_session ort_session;
typedef struct ort_memory ort_memory;

/* X(place, result, name, arguments) */
#define USED_FUNCTIONS(X)                                                                          \
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
    X(49, ort_status *, create_tensor,                                                             \
      (const ort_memory *memory, const void *data, size_t bytes, const int64_t *shape,             \
       size_t rank, int type, ort_value **value))                                                  \
    X(51, ort_status *, tensor_data, (ort_value * value, void **data))                             \
    X(61, ort_status *, rank_of, (const ort_shape *shape, size_t *rank))                           \
    X(62, ort_status *, extents_of, (const ort_shape *shape, int64_t *extents, size_t rank))       \
    X(65, ort_status *, shape_of, (const ort_value *value, ort_shape **shape))                     \
    X(69, ort_status *, create_memory, (int allocator, int kind, ort_memory **memory))             \
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

/* Opens the library that the environment names; NULL with a reason printed if there is none. */
static inline const ort_base *open_ort(used_api *api)
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
#define USED_TAKE(place, result, name, arguments) api->name = (result(*) arguments)functions[place];
    USED_FUNCTIONS(USED_TAKE)
#undef USED_TAKE
    return base;
}

/* Under address sanitizer, C++'s operator new ends the process where it should throw. */
#ifdef __SANITIZE_ADDRESS__
#define FAILED_NEW_THROWS 0
#else
#define FAILED_NEW_THROWS 1
#endif

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

static ort_status *try_session(ort_session **session, const ort_options *options, const char *mode)
{
    const message model = pad_model("a pad", mode);
    *session = NULL;
    return api.create_session(env, model.bytes, model.count, options, session);
}

static ort_session *new_session(int threads, const char *mode)
{
    ort_options *options = new_options(threads);
    ort_session *session;
    succeeds(api.register_library(options, PLUGIN));
    succeeds(try_session(&session, options, mode));
    api.release_options(options);
    return session;
}

/* Runs the model on a matrix; the caller releases the output. */
static ort_status *run(ort_session *session, const float *x, int64_t rows, int64_t columns,
                       const int64_t *pads, int64_t pads_count, ort_value **y)
{
    static const char *const names[] = {"x", "pads"}, *const outputs[] = {"y"};
    const int64_t shape[] = {rows, columns};
    ort_value *inputs[2] = {NULL, NULL};
    *y = NULL;
    ort_status *status = api.create_tensor(memory, x, (size_t)(rows * columns) * sizeof *x, shape,
                                           2, TPAD_ONNX_FLOAT, &inputs[0]);
    if (!status)
        status = api.create_tensor(memory, pads, (size_t)pads_count * sizeof *pads, &pads_count, 1,
                                   TPAD_ONNX_INT64, &inputs[1]);
    if (!status)
        status = api.run(session, NULL, names, (const ort_value *const *)inputs, 2, outputs, 1, y);
    for (int i = 0; i < 2; i++) api.release_value(inputs[i]);
    return status;
}

/* 1 if y is x reflected by these amounts. Asserts nothing: it also runs beside the main thread. */
static int is_reflected(ort_value *y, const float *x, int64_t rows, int64_t columns,
                        const int64_t *pads)
{
    ort_shape *shape = NULL;
    int64_t extents[2] = {0, 0};
    void *data = NULL;
    if (api.shape_of(y, &shape) || api.extents_of(shape, extents, 2) || api.tensor_data(y, &data))
        return 0;
    api.release_shape(shape);
    if (extents[0] != rows + pads[0] + pads[2] || extents[1] != columns + pads[1] + pads[3])
        return 0;
    for (int64_t i = 0; i < extents[0]; i++) {
        const float *from = x + reflected(i - pads[0], rows) * columns;
        for (int64_t k = 0; k < extents[1]; k++)
            if (((float *)data)[i * extents[1] + k] != from[reflected(k - pads[1], columns)])
                return 0;
    }
    return 1;
}

static float *numbers(int64_t count)
{
    float *x = malloc((size_t)count * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < count; i++) x[i] = (float)(i % 8191);
    return x;
}

/* Runs once and compares. */
static void check(ort_session *session, int64_t rows, int64_t columns, const int64_t *pads)
{
    float *x = numbers(rows * columns);
    ort_value *y;
    succeeds(run(session, x, rows, columns, pads, 4, &y));
    assert_true(is_reflected(y, x, rows, columns, pads));
    api.release_value(y);
    free(x);
}

static const int64_t small_pads[] = {1, 2, 3, 4};

static void test_sessions_come_and_go(void **state)
{
    enum { WARM = 40, SESSIONS = 200 };
    const int sessions = getenv("TENSORPAD_FEW_SESSIONS") ? 3 : SESSIONS;
    size_t before = 0;
    (void)state;
    for (int i = 0; i < sessions; i++) {
        if (i == WARM) before = mallinfo2().uordblks;
        ort_session *session = new_session(1, "reflect");
        check(session, 5, 6, small_pads);
        api.release_session(session);
    }
    if (sessions <= WARM) return;
    const size_t after = mallinfo2().uordblks;
    printf("%d sessions more: %zd bytes more\n", SESSIONS - WARM, (ssize_t)(after - before));
    assert_true(after < before + 65536); /* ONNX Runtime keeps some bytes of each */
}

/* ---- Threads --------------------------------------------------------------------------------- */

enum { THREADS = 8, ROUNDS = 150 };
typedef struct worker {
    pthread_t thread;
    ort_session *session;
    int number, right;
} worker;

/* Every second thread changes the shape each time; the others take turns between two. */
static void *work(void *user)
{
    worker *w = user;
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t rows = w->number % 2 ? 2 + (i * 7 + w->number) % 9 : 4 + (i / 50) % 2;
        const int64_t pads[] = {i % 3, w->number % 2 ? i % 4 : 1, 1, 2};
        float x[12 * 5];
        for (int k = 0; k < 12 * 5; k++) x[k] = (float)(k + 100 * w->number);
        ort_value *y;
        ort_status *status = run(w->session, x, rows, 5, pads, 4, &y);
        if (status) {
            puts(api.message(status));
            api.release_status(status);
            return NULL;
        }
        w->right += is_reflected(y, x, rows, 5, pads);
        api.release_value(y);
    }
    return NULL;
}

static void test_threads_share_a_session(void **state)
{
    worker workers[THREADS];
    ort_session *session = new_session(2, "reflect");
    (void)state;
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.session = session, .number = i};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < THREADS; i++) assert_int_equal(workers[i].right, ROUNDS);
    api.release_session(session);
}

static void test_two_threads_of_the_pool(void **state)
{
    static const int64_t pads[] = {7, 3, 11, 5};
    ort_session *session = new_session(2, "reflect");
    (void)state;
    for (int i = 0; i < 3; i++) check(session, 1500 + i, 2001, pads);
    api.release_session(session);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static void test_wrong_inputs_give_a_status(void **state)
{
    static const int64_t far[] = {INT64_MAX, 0, 0, 0}, crop[] = {-3, 0, -3, 0},
                         huge[] = {INT64_C(1) << 44, 0, 0, 0};
    float x[30] = {0};
    ort_value *y;
    (void)state;
    ort_session *session = new_session(1, "reflect");
    for (int i = 0; i < 3; i++) {
        fails(run(session, x, 5, 6, small_pads, 3, &y), "Pad 'a pad': pads: 3 entries");
        fails(run(session, x, 5, 6, far, 4, &y), "Pad 'a pad': axis 0: amount");
        fails(run(session, x, 5, 6, crop, 4, &y), "Pad 'a pad': axis 0: output extent -1");
        if (FAILED_NEW_THROWS)
            fails(run(session, x, 5, 6, huge, 4, &y), "'a pad'"); /* no memory is that large */
        assert_null(y);
        check(session, 5, 6, small_pads);
    }
    api.release_session(session);
    session = new_session(1, "mirror");
    fails(run(session, x, 5, 6, small_pads, 4, &y), "Pad 'a pad': mode: ");
    api.release_session(session);
}

/* ---- Registering ----------------------------------------------------------------------------- */

static void entry_is(ort_options *options, const char *wanted)
{
    char list[200];
    size_t bytes = sizeof list;
    succeeds(api.entry(options, "optimization.disable_specified_optimizers", list, &bytes));
    assert_string_equal(list, wanted);
}

static void test_registering_twice(void **state)
{
    ort_options *options = new_options(1);
    ort_session *session;
    (void)state;
    for (int i = 0; i < 3; i++) succeeds(api.register_library(options, PLUGIN));
    entry_is(options, "Pad_Fusion");
    succeeds(try_session(&session, options, "reflect"));
    check(session, 5, 6, small_pads);
    api.release_session(session);
    api.release_options(options);
}

static void test_what_the_program_switched_off_stays_off(void **state)
{
    ort_options *options = new_options(1);
    ort_session *session;
    (void)state;
    succeeds(
        api.add_entry(options, "optimization.disable_specified_optimizers", "ConstantFolding"));
    succeeds(api.register_library(options, PLUGIN));
    entry_is(options, "ConstantFolding;Pad_Fusion");
    succeeds(try_session(&session, options, "reflect"));
    check(session, 5, 6, small_pads);
    api.release_session(session);
    api.release_options(options);
}

/* Another library's Pad: of floats, and it does nothing. */
static const char *other_name(const ort_op *op)
{
    (void)op;
    return "Pad";
}
static const char *other_provider(const ort_op *op)
{
    (void)op;
    return NULL;
}
static int other_type(const ort_op *op, size_t index)
{
    (void)op;
    return index == 1 ? TPAD_ONNX_INT64 : TPAD_ONNX_FLOAT;
}
static size_t other_two(const ort_op *op)
{
    (void)op;
    return 2;
}
static size_t other_one(const ort_op *op)
{
    (void)op;
    return 1;
}
static int other_kind(const ort_op *op, size_t index)
{
    (void)op, (void)index;
    return 0;
}
static int other_version(const ort_op *op)
{
    (void)op;
    return 1;
}
static ort_status *other_create(const ort_op *op, const void *given, const ort_info *info,
                                void **kernel)
{
    (void)op, (void)given, (void)info;
    *kernel = NULL;
    return NULL;
}
static ort_status *other_compute(void *kernel, ort_context *context)
{
    (void)kernel, (void)context;
    return NULL;
}
static void other_destroy(void *kernel)
{
    (void)kernel;
}

static void test_another_library_with_a_pad(void **state)
{
    static const ort_op other = {.version = ORT_API_VERSION_USED,
                                 .name = other_name,
                                 .provider = other_provider,
                                 .input_type = other_type,
                                 .input_count = other_two,
                                 .output_type = other_type,
                                 .output_count = other_one,
                                 .destroy = other_destroy,
                                 .input_kind = other_kind,
                                 .output_kind = other_kind,
                                 .input_memory = other_kind,
                                 .create = other_create,
                                 .compute = other_compute,
                                 .first_version = other_version,
                                 .last_version = other_version};
    (void)state;
    for (int first = 0; first < 2; first++) {
        ort_options *options = new_options(1);
        ort_domain *domain = NULL;
        ort_session *session;
        if (first) succeeds(api.register_library(options, PLUGIN));
        succeeds(api.create_domain("", &domain));
        succeeds(api.domain_add(domain, &other));
        succeeds(api.add_domain(options, domain));
        if (!first) succeeds(api.register_library(options, PLUGIN));
        fails(try_session(&session, options, "reflect"), "Domain already set");
        assert_null(session);
        api.release_options(options);
        api.release_domain(domain);
    }
    ort_session *session = new_session(1, "reflect");
    check(session, 5, 6, small_pads);
    api.release_session(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sessions_come_and_go),
        cmocka_unit_test(test_threads_share_a_session),
        cmocka_unit_test(test_two_threads_of_the_pool),
        cmocka_unit_test(test_wrong_inputs_give_a_status),
        cmocka_unit_test(test_registering_twice),
        cmocka_unit_test(test_what_the_program_switched_off_stays_off),
        cmocka_unit_test(test_another_library_with_a_pad),
    };
    if (!open_ort(&api)) return 77;
    succeeds(api.create_env(4, "test", &env));
    succeeds(api.create_memory(0, 0, &memory));
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    api.release_memory(memory);
    api.release_env(env);
    return failed;
}
