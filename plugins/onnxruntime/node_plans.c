/* The plans of a node.  SPDX-License-Identifier: MIT
 *
 * A session may run a node on several threads at once. They share the last plan: whoever uses it
 * counts as one of its users, and the last user frees it. Nobody waits for another thread: one that
 * finds `last` busy makes a plan of its own, which is not kept. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

/* 1 if nobody else holds `last`, for some instructions only: then release() gives it back. */
static int32_t hold(pad_plans *plans)
{
    return !atomic_flag_test_and_set_explicit(&plans->busy, memory_order_acquire);
}

static void release(pad_plans *plans)
{
    atomic_flag_clear_explicit(&plans->busy, memory_order_release);
}

static int32_t same_key(const pad_key *a, const pad_key *b)
{
    return a->count == b->count &&
           memcmp(a->numbers, b->numbers, (size_t)a->count * sizeof *a->numbers) == 0;
}

pad_planned *pad_plan_find(pad_plans *plans, const pad_key *key)
{
    if (!hold(plans)) return NULL;
    pad_planned *planned = plans->last;
    if (planned && same_key(&planned->key, key))
        atomic_fetch_add(&planned->users, 1);
    else
        planned = NULL;
    release(plans);
    return planned;
}

void pad_plan_keep(pad_plans *plans, pad_planned *planned)
{
    if (!hold(plans)) return;
    pad_planned *old = plans->last;
    atomic_fetch_add(&planned->users, 1);
    plans->last = planned;
    release(plans);
    pad_plan_drop(old);
}

void pad_plan_drop(pad_planned *planned)
{
    if (planned && atomic_fetch_sub(&planned->users, 1) == 1) free(planned);
}
