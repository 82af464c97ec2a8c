/* The plug-in inside ONNX Runtime, as a program in C uses it.  SPDX-License-Identifier: MIT */
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pad_model.h"
#include "real_ort.h"

/* Under address sanitizer, C++'s operator new ends the process where it should throw. */
#ifdef __SANITIZE_ADDRESS__
#define FAILED_NEW_THROWS 0
#else
#define FAILED_NEW_THROWS 1
#endif

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
    if (!open_ort()) return 77;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close_ort();
    return failed;
}
