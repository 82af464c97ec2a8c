/* Threads, for hosts that have none of their own.  SPDX-License-Identifier: MIT
 *
 * A runner for tpad_run_with on a pool of threads (pthreadpool). A library of its own,
 * libtensorpad_threads, so that the core depends on nothing; a host with a parallel-for of its own
 * needs a tpad_runner (tensorpad.h) and not this.
 *
 *     tpad_threads *threads;
 *     tpad_threads_create(&threads, 0, NULL);
 *     tpad_run_with(&plan, src, dst, value, tpad_threads_runner(threads));
 *     tpad_threads_destroy(threads);
 *
 * Where tensorpad was built without pthreadpool these functions are there too and offer one thread.
 */
#ifndef TENSORPAD_THREADS_H
#define TENSORPAD_THREADS_H

#include <tensorpad/tensorpad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most threads that may be asked for. */
#define TPAD_THREADS_MOST 1024

typedef struct tpad_threads tpad_threads;

/* count: how many threads work, the caller's own among them; 0: one for each processor that the
 * process may run on. There are never more than four for each: more would stand in each other's way.
 * The caller releases *threads with tpad_threads_destroy. It is cheap: the threads are started by
 * the first run that is large enough to be split. They take no signals, and sleep between runs.
 * Errors: E_ARGUMENT (count outside of 0 to TPAD_THREADS_MOST, or above 1 in a build without
 * pthreadpool: `limit` tells), E_MEMORY. On failure *threads is NULL, which every function below
 * takes for the caller's thread alone. */
int32_t tpad_threads_create(tpad_threads **threads, int32_t count, tpad_error *error);

/* Ends the threads and releases everything; no run may be under way. NULL is fine. */
void tpad_threads_destroy(tpad_threads *threads);

/* How many threads work at most. 1 for NULL. */
int32_t tpad_threads_count(const tpad_threads *threads);

/* The runner; it lives as long as `threads` does. NULL for NULL. It never fails and never waits for
 * another run: one run at a time has all the threads, and whoever comes meanwhile works on the
 * caller's thread alone. So any number of threads may use it at once, and the body of a run may
 * itself run plans with it. So does a run for which the system grants no threads, and after fork()
 * the child starts threads of its own. Which thread does what changes no byte of the result. */
const tpad_runner *tpad_threads_runner(tpad_threads *threads);

/* What was built in, for --version: "pthreadpool" or "none". */
const char *tpad_threads_features(void);

#ifdef __cplusplus
}
#endif
#endif
