/* The scratch folder and the watch over memory.  SPDX-License-Identifier: MIT
 * See target.h for what it owns and must not know. */
#include "target.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Noreturn void fuzz_failed(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

/* ---- The scratch folder ---------------------------------------------------------------------- */

static char folder[200];

static void remove_folder(void)
{
    fuzz_clear();
    if (chdir("/") != 0 || rmdir(folder) != 0) perror(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *parent = getenv("TMPDIR");
    if (!parent) parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/tensorpad-fuzz-XXXXXX", parent);
    if (!mkdtemp(folder) || chdir(folder) != 0) {
        perror(folder);
        exit(1);
    }
    atexit(remove_folder);
    return 0;
}

void fuzz_write(const char *name, const void *bytes, size_t count)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    MUST(fd >= 0);
    MUST(count == 0 || write(fd, bytes, count) == (ssize_t)count);
    MUST(close(fd) == 0);
}

content fuzz_read(const char *name)
{
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    struct stat status;
    MUST(fd >= 0 && fstat(fd, &status) == 0);
    content c = {malloc((size_t)status.st_size + 1), (size_t)status.st_size};
    MUST(c.bytes && read(fd, c.bytes, c.count) == (ssize_t)c.count);
    MUST(close(fd) == 0);
    return c;
}

void fuzz_clear(void)
{
    DIR *all = opendir(folder);
    if (!all) return;
    for (struct dirent *entry; (entry = readdir(all));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(all), entry->d_name, 0);
    closedir(all);
}

/* ---- Mapped files ---------------------------------------------------------------------------- */

/* A mapping ends with a page, a file does not: what is read after the file's end would go unseen.
 * So a mapped input is a copy on the heap, where the sanitizer sees each byte (linked with
 * --wrap=mmap,--wrap=munmap). Outputs, which are shared mappings, are mapped as ever. */

enum { COPIES = 64 };
static void *copies[COPIES];

void *__real_mmap(void *at, size_t bytes, int rights, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int rights, int flags, int fd, off_t offset);
int __real_munmap(void *at, size_t bytes);
int __wrap_munmap(void *at, size_t bytes);

void *__wrap_mmap(void *at, size_t bytes, int rights, int flags, int fd, off_t offset)
{
    int slot = 0;
    while (slot < COPIES && copies[slot]) slot++;
    if (fd < 0 || !(flags & MAP_PRIVATE) || rights != PROT_READ || slot == COPIES)
        return __real_mmap(at, bytes, rights, flags, fd, offset);
    char *copy = malloc(bytes);
    if (!copy) return MAP_FAILED;
    MUST(pread(fd, copy, bytes, offset) == (ssize_t)bytes);
    return copies[slot] = copy;
}

int __wrap_munmap(void *at, size_t bytes)
{
    for (int slot = 0; slot < COPIES; slot++) {
        if (copies[slot] != at) continue;
        copies[slot] = NULL;
        free(at);
        return 0;
    }
    return __real_munmap(at, bytes);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

#if defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#endif
#endif

#if defined(WATCHED)
/* Of the sanitizers' allocator interface; gcc comes without its header. */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *memory);

static int64_t live, peak;
static int installed;

static void on_malloc(const volatile void *memory, size_t bytes)
{
    (void)memory;
    live += (int64_t)bytes;
    if (live > peak) peak = live;
}

static void on_free(const volatile void *memory)
{
    if (memory) live -= (int64_t)__sanitizer_get_allocated_size(memory);
}

void fuzz_memory_begin(void)
{
    if (!installed) installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    live = peak = 0;
}

size_t fuzz_memory_peak(void)
{
    return (size_t)peak;
}

/* A small machine: what asks for more than this at once gets nothing, and has to say so. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "max_allocation_size_mb=24:allocator_may_return_null=1:detect_leaks=1:"
           "detect_stack_use_after_return=1";
}

#else

void fuzz_memory_begin(void) {}

size_t fuzz_memory_peak(void)
{
    return 0;
}

#endif
