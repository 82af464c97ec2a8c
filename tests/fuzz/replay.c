/* Runs a fuzz target on files instead of libFuzzer.  SPDX-License-Identifier: MIT
 *
 *     replay_NAME FOLDER_OR_FILE...
 *     replay_NAME --made COUNT      so many files that contradict themselves (contradict.h)
 *
 * Says how many inputs there were; a crash names the one that caused it.
 */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contradict.h"
#include "target.h"

extern __typeof__(fuzz_contradict) fuzz_contradict __attribute__((weak));

static char current[PATH_MAX];
static long inputs;

/* Anything that ends the program in the middle ends it by this signal or by exit. */
static void tell(void)
{
    if (*current &&
        (write(STDERR_FILENO, "input: ", 7) < 0 ||
         write(STDERR_FILENO, current, strlen(current)) < 0 || write(STDERR_FILENO, "\n", 1) < 0))
        _exit(1);
}

static void on_signal(int number)
{
    tell();
    signal(number, SIG_DFL);
    raise(number);
}

/* The sanitizers', where there is one; they do not end a program by exit. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void replay_made(long count)
{
    enum { MOST_BYTES = 4096 };
    for (long i = 0; i < count && fuzz_contradict; i++) {
        uint8_t room[MOST_BYTES];
        const size_t size = fuzz_contradict(room, sizeof room, (uint32_t)i);
        uint8_t *data = malloc(size); /* a block of just that size */
        if (size) memcpy(data, room, size);
        snprintf(current, sizeof current, "number %ld of --made", i);
        if (size) LLVMFuzzerTestOneInput(data, size);
        *current = 0;
        inputs += size > 0;
        free(data);
    }
}

static void replay_file(const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &status) != 0) {
        perror(path);
        exit(1);
    }
    /* A block of just that size. */
    const size_t size = (size_t)status.st_size;
    uint8_t *data = malloc(size);
    if ((size && !data) || fread(data, 1, size, file) != size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    snprintf(current, sizeof current, "%s", path);
    LLVMFuzzerTestOneInput(data, size);
    *current = 0;
    inputs++;
    free(data);
}

static void replay(const char *path)
{
    struct stat status;
    struct dirent **entries;
    if (stat(path, &status) != 0) return; /* a target without regressions */
    if (!S_ISDIR(status.st_mode)) {
        replay_file(path);
        return;
    }
    const int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char inner[PATH_MAX];
        snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') replay(inner);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
}

int main(int argc, char **argv)
{
    LLVMFuzzerInitialize(&argc, &argv);
    atexit(tell);
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(tell);
    signal(SIGABRT, on_signal);
    signal(SIGALRM, on_signal);
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--made") == 0 && i + 1 < argc)
            replay_made(atol(argv[++i]));
        else
            replay(argv[i]);
    fprintf(stderr, "%ld inputs\n", inputs);
    return inputs > 0 ? 0 : 1;
}
