/* Memory that is released all at once.  SPDX-License-Identifier: MIT
 *
 * What a model and a job are made of. Knows no format. */
#ifndef TPAD_GRAPH_ARENA_H
#define TPAD_GRAPH_ARENA_H

#include "../arrays/file.h"

typedef struct tpad_arena {
    struct tpad_arena_block *blocks;
    int64_t used, room; /* of the newest block */
    int64_t total;      /* of all blocks */
    int64_t limit;      /* of total; 0: none */
    int32_t refused;    /* 1: a request went beyond the limit, and so every later one is refused */
} tpad_arena;

/* Zeroed memory for count items, or NULL. A request for nothing is no failure. */
void *tpad_arena_take(tpad_arena *arena, int64_t count, size_t item_bytes);
/* Text with a NUL behind it, or NULL. */
char *tpad_arena_text(tpad_arena *arena, tpad_string text);
char *tpad_arena_format(tpad_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tpad_arena_free(tpad_arena *arena);

#endif
