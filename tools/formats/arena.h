/* Memory that is released all at once.  SPDX-License-Identifier: MIT
 *
 * Models and jobs consist of this memory. Knows no format. */
#ifndef TENSORPAD_FORMATS_ARENA_H
#define TENSORPAD_FORMATS_ARENA_H

#include "file.h"

typedef struct tpad_arena {
    struct tpad_arena_block *blocks;
    int64_t used, room; /* of the newest block */
    int64_t total;      /* of all blocks */
    int64_t limit;      /* the most that total may become; 0: no limit */
    int32_t refused;    /* 1: a request exceeded the limit; all later ones are refused */
    int32_t failed;     /* 1: the system had no memory for a request */
} tpad_arena;

/* Zeroed memory for count items, or NULL. A request for 0 items does not fail. */
void *tpad_arena_take(tpad_arena *arena, int64_t count, size_t item_bytes);
/* The text with a NUL after it, or NULL. */
char *tpad_arena_text(tpad_arena *arena, tpad_string text);
char *tpad_arena_format(tpad_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tpad_arena_free(tpad_arena *arena);

/* What was taken after a mark can be given back, all of it at once. */
typedef struct tpad_arena_mark {
    struct tpad_arena_block *blocks;
    int64_t used, room, total;
} tpad_arena_mark;
tpad_arena_mark tpad_arena_here(const tpad_arena *arena);
void tpad_arena_back(tpad_arena *arena, tpad_arena_mark mark);

#endif
