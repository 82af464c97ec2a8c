/* The command line.  SPDX-License-Identifier: MIT
 *
 * The lines before the first empty one are the words of the command, what follows is the file that
 * they may name: F.npy, F.pb, F.png, F.onnx or F.xml (then, after a NUL, F.bin). x.npy is an array
 * of 3 x 4 floats, also on standard input. The command is the real one; only its main is called
 * tensorpad_main.
 */
#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "target.h"

int tensorpad_main(int argc, char **argv);

enum { MOST_WORDS = 40, MOST_WORDS_BYTES = 4096, MOST_FILE_BYTES = 8 << 20 };

static const char array[] =
    "\x93NUMPY\1\0\x46\0{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }           \n"
    "aaaabbbbccccddddeeeeffffgggghhhhiiiijjjjkkkkllll";

typedef struct line {
    char text[MOST_WORDS_BYTES + 1];
    char *words[MOST_WORDS + 2];
    int count;
} line;

/* Returns where the file begins. */
static size_t split(line *out, const uint8_t *data, size_t size)
{
    size_t end = 0;
    while (end < size && !(data[end] == '\n' && (end == 0 || data[end - 1] == '\n'))) end++;
    const size_t used = end < MOST_WORDS_BYTES ? end : MOST_WORDS_BYTES;
    memcpy(out->text, data, used);
    out->text[used] = 0;
    out->words[0] = "tensorpad";
    out->count = 1;
    for (char *at = out->text; at < out->text + used && out->count <= MOST_WORDS;) {
        out->words[out->count++] = at;
        at += strcspn(at, "\n");
        *at++ = 0;
    }
    out->words[out->count] = NULL;
    return end < size ? end + 1 : size;
}

static int is_named(const line *words, const char *name)
{
    for (int i = 1; i < words->count; i++)
        if (strstr(words->words[i], name)) return 1;
    return 0;
}

/* Nothing may leave the scratch folder, and `bench` would take its time. A witness makes
 * folders, and so does `pad --out-dir`, whose threads the watch over memory does not know
 * (tests/fuzz/damaged_files.py runs it). */
static int is_harmless(const line *words)
{
    const int is_pad = words->count > 1 && strcmp(words->words[1], "pad") == 0;
    if (is_named(words, "--w") || (is_pad && is_named(words, "--ou"))) return 0;
    for (int i = 1; i < words->count; i++)
        if (strchr(words->words[i], '/')) return 0;
    return words->count < 2 || strcmp(words->words[1], "bench") != 0 || is_named(words, "--list") ||
           is_named(words, "-h");
}

static void write_files(const line *words, const uint8_t *data, size_t size)
{
    static const char *const names[] = {"F.npy", "F.pb", "F.png", "F.onnx"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_named(words, names[i])) fuzz_write(names[i], data, size);
    if (is_named(words, "x.npy")) fuzz_write("x.npy", array, sizeof array - 1);
    if (!is_named(words, "F.xml")) return;
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    const size_t text = end ? (size_t)(end - data) : size;
    fuzz_write("F.xml", data, text);
    fuzz_write("F.bin", end ? end + 1 : data, end ? size - text - 1 : 0);
}

/* 1 for y.bin where the words name y.xml. */
static int is_bin(const line *words, const char *name)
{
    const char *end = strrchr(name, '.');
    char other[NAME_MAX + 1];
    if (!end || strcmp(end, ".bin") != 0) return 0;
    snprintf(other, sizeof other, "%.*s.xml", (int)(end - name), name);
    return is_named(words, other);
}

/* What lies in the folder: files that the words name, and the .bin of an .xml. */
static int files(const line *words)
{
    int count = 0;
    DIR *all = opendir(".");
    MUST(all);
    for (struct dirent *entry; (entry = readdir(all));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        MUST(is_named(words, entry->d_name) || is_bin(words, entry->d_name));
        count++;
    }
    closedir(all);
    return count;
}

/* One line, whatever was asked; nothing where all is well. `check` says one for each model that it
 * cannot read. */
static void check_said(int status, const char *said, size_t length, int lines)
{
    MUST(status >= 0 && (status <= 3 || (status == 4 && lines > 1)));
    if (status == 0 || status == 4) {
        MUST(length == 0);
        return;
    }
    MUST(strlen(said) == length && length > 0);
    if (strncmp(said, "usage: ", 7) == 0) return;
    MUST(said[length - 1] == '\n');
    for (const char *end; *said; said = end + 1, lines--) {
        end = strchr(said, '\n');
        MUST(lines > 0);
        MUST(strncmp(said, "tensorpad: ", 11) == 0 || strncmp(said, "{\"error\":{", 10) == 0);
        for (; said < end; said++) MUST((unsigned char)*said >= ' ' && *said != 127);
    }
}

/* Standard input is the array, standard output nowhere. */
static void prepare(void)
{
    static int ready;
    if (!ready) {
        const struct rlimit limit = {MOST_FILE_BYTES, MOST_FILE_BYTES};
        fuzz_write("stdin", array, sizeof array - 1);
        const int in = open("stdin", O_RDONLY), out = open("/dev/null", O_WRONLY);
        MUST(dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0);
        MUST(close(in) == 0 && close(out) == 0 && unlink("stdin") == 0);
        MUST(setrlimit(RLIMIT_FSIZE, &limit) == 0);
        signal(SIGXFSZ, SIG_IGN);
    }
    ready = 1;
    MUST(lseek(STDIN_FILENO, 0, SEEK_SET) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static line words, given; /* the command may cut its words, and change their order */
    FILE *own = stderr;
    char *said = NULL;
    size_t length = 0;
    const size_t file = split(&words, data, size);
    if (!is_harmless(&words)) return 0;
    split(&given, data, size);
    prepare();
    write_files(&words, data + file, size - file);
    const int before = files(&words);
    optind = 0;
    stderr = open_memstream(&said, &length);
    MUST(stderr);
    const int status = tensorpad_main(given.count, given.words);
    fclose(stderr);
    stderr = own;
    const int is_check = words.count > 1 && strcmp(words.words[1], "check") == 0;
    /* A word may be a folder of all these files. */
    check_said(status, said, length, is_check ? words.count * (before + 1) : 1);
    const int after = files(&words);
    MUST(status == 0 || after == before);
    free(said);
    fuzz_clear();
    return 0;
}
