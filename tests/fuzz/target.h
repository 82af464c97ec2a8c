/* What the fuzz targets share.  SPDX-License-Identifier: MIT
 *
 * A target is one file with LLVMFuzzerTestOneInput. It is linked with libFuzzer, or with replay.c,
 * which runs it on files. Inputs become files of a scratch folder in memory, which is the current
 * folder: what the library reads is named plainly ("in.npy"). */
#ifndef TENSORPAD_TESTS_FUZZ_TARGET_H
#define TENSORPAD_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program, and says where, if the condition does not hold. */
#define MUST(condition) ((condition) ? (void)0 : fuzz_failed(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_failed(const char *file, int line, const char *condition);

/* The largest block that can be had here (max_allocation_size_mb in target.c). */
enum { FUZZ_BLOCK_BYTES = 24 << 20 };

/* Makes (or replaces) a file of the scratch folder. */
void fuzz_write(const char *name, const void *bytes, size_t count);

/* The bytes of such a file, for the caller to free. */
typedef struct content {
    uint8_t *bytes;
    size_t count;
} content;
content fuzz_read(const char *name);

/* Removes everything in the scratch folder. */
void fuzz_clear(void);

/* The most memory that was allocated at once since `fuzz_memory_begin`, beside what there was then.
 * 0 in builds without the address sanitizer, which is who knows. */
void fuzz_memory_begin(void);
size_t fuzz_memory_peak(void);

#endif
