/* A folder of its own for a test of files, and a few bytes in it.  SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_TESTS_SUPPORT_SCRATCH_H
#define TENSORPAD_TESTS_SUPPORT_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* Made by scratch_make, the current folder until scratch_remove: tests name files plainly. */
static char scratch_folder[] = "/tmp/tensorpad-test-XXXXXX";

static int scratch_make(void **state)
{
    (void)state;
    return mkdtemp(scratch_folder) && chdir(scratch_folder) == 0 ? 0 : -1;
}

static int scratch_remove(void **state)
{
    char command[sizeof scratch_folder + 16];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", scratch_folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static inline void scratch_write(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

/* Reads at most `room` bytes, returns how many. */
static inline size_t scratch_read(const char *path, void *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t count = fread(bytes, 1, room, file);
    fclose(file);
    return count;
}

/* How many entries the folder has: temporary files would be counted. */
static inline int scratch_entries(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

#endif
