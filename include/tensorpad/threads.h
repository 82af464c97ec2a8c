/* A pool of threads, for programs that have none of their own. SPDX-License-Identifier: MIT
 *
 * The pool is a runner for tpad_run_with. It is a separate library, libtensorpad_threads, so that
 * the core depends on nothing. A program that has its own parallel-for does not need this library:
 * it fills a tpad_runner (tensorpad.h).
 *
 *     tpad_threads *threads;
 *     tpad_threads_create(&threads, 0, NULL);
 *     tpad_run_with(&plan, src, dst, value, tpad_threads_runner(threads));
 *     tpad_threads_destroy(threads);
 *
 * If tensorpad was built without threads, these functions exist and offer one thread.
 */
#ifndef TENSORPAD_THREADS_H
#define TENSORPAD_THREADS_H

#include <tensorpad/tensorpad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest count that may be requested. */
#define TPAD_THREADS_MOST 1024

typedef struct tpad_threads tpad_threads;

/* Makes a pool. count: how many threads work, including the caller's; 0: one for each processor
 * that the process may run on. A pool has at most four threads for each processor, because more
 * would only wait for each other. The first run in a process, also in a child after fork(), counts
 * the processors again, and uses fewer threads if there are fewer. The caller releases *threads
 * with tpad_threads_destroy. The call is cheap: runs that are large enough to be split start the
 * threads, with the priority and the processors of the thread that runs. The threads take no
 * signals, and they sleep between runs.
 * Errors: E_ARGUMENT (count is outside 0 to TPAD_THREADS_MOST, or above 1 in a build without
 * threads; `limit` in the error is the highest count allowed), E_MEMORY. On failure *threads is
 * NULL. Every function below accepts NULL: it then means the caller's thread alone. */
int32_t tpad_threads_create(tpad_threads **threads, int32_t count, tpad_error *error);

/* Waits until the threads have ended, and releases the pool. No run may be in progress. NULL is
 * allowed. */
void tpad_threads_destroy(tpad_threads *threads);

/* The most threads that work on a run. Returns 1 for NULL. */
int32_t tpad_threads_count(const tpad_threads *threads);

/* The runner of the pool; it lives as long as `threads`. Returns NULL for NULL. It never fails and
 * never waits for another run: one run at a time has all the threads, and a run that starts
 * meanwhile uses its caller's thread alone. Any number of threads may therefore use the runner at
 * once, and the body of a run may itself run plans with it. If the system grants no threads, a run
 * also uses its caller's thread alone, and a later run tries to start them again. The number of
 * threads changes no byte of the result.
 * After fork() the child starts threads of its own. A child that is forked in the body of a run
 * must not return from this body. A caller that is cancelled (pthread_cancel) while its run has
 * the threads ends after the run.
 * A run waits only for parts that another thread has begun. If all processors are busy, the system
 * may stop such a thread within its part. A run has lost time if it took longer than its parts take
 * on one processor. The next runs then use their caller's thread alone, for 64 times the lost time,
 * but at most for a second. The losses of consecutive runs are added, and the time that earlier
 * runs gained is subtracted. Windows has no clock for this; there a run always has the threads. */
const tpad_runner *tpad_threads_runner(tpad_threads *threads);

/* The system's threads that the pool uses, for --version: "pthreads", "Windows" or "none". */
const char *tpad_threads_features(void);

#ifdef __cplusplus
}
#endif
#endif
