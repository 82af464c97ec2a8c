/* A stranger's program with the library for ONNX Runtime, linked or loaded from the path that it is
 * given. ONNX Runtime itself is played here: a table of functions, at the places of its header.
 * SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <tensorpad/onnxruntime.h>

typedef void (*function)(void);
typedef struct OrtStatus *(*entry)(struct OrtSessionOptions *, const struct OrtApiBase *);

static int operators, domains, entries;
static char marks[8][80], values[8][80];

static void *create_status(int code, const char *text)
{
    static char status[200];
    snprintf(status, sizeof status, "%d %s", code, text);
    return status;
}

static void *create_domain(const char *name, void **domain)
{
    *domain = &domains;
    return name[0] && strcmp(name, "tensorpad") ? create_status(1, "another domain") : NULL;
}

static void *add_operator(void *domain, const void *op)
{
    (void)domain, (void)op;
    operators++;
    return NULL;
}

static void *add_domain(void *options, void *domain)
{
    (void)options, (void)domain;
    domains++;
    return NULL;
}

static int find(const char *key)
{
    for (int i = 0; i < entries; i++)
        if (strcmp(marks[i], key) == 0) return i;
    return -1;
}

static void *has_entry(const void *options, const char *key, int *found)
{
    (void)options;
    *found = find(key) >= 0;
    return NULL;
}

static void *add_entry(void *options, const char *key, const char *value)
{
    const int found = find(key), i = found >= 0 ? found : entries++;
    (void)options;
    snprintf(marks[i], sizeof marks[i], "%s", key);
    snprintf(values[i], sizeof values[i], "%s", value);
    return NULL;
}

static void *get_entry(const void *options, const char *key, char *value, size_t *bytes)
{
    const char *text = values[find(key)];
    (void)options;
    if (value) memcpy(value, text, *bytes);
    *bytes = strlen(text) + 1;
    return NULL;
}

static const function *get_api(uint32_t version)
{
    static function table[300];
    table[0] = (function)create_status;
    table[26] = (function)create_domain;
    table[27] = (function)add_operator;
    table[28] = (function)add_domain;
    table[130] = (function)add_entry;
    table[237] = (function)has_entry;
    table[238] = (function)get_entry;
    return version <= 31 ? table : NULL;
}

static const function *get_old_api(uint32_t version)
{
    return version <= 16 ? get_api(version) : NULL;
}

static const char *newest(void)
{
    return "1.31.1";
}

int main(int count, char **arguments)
{
    const struct {
        const function *(*get)(uint32_t version);
        const char *(*version)(void);
    } base = {get_api, newest}, old = {get_old_api, newest};
    entry registers = tpad_ort_register;
    if (count > 1) {
        void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            puts(dlerror());
            return 1;
        }
        *(void **)&registers = dlsym(library, "RegisterCustomOps");
    }
    add_entry(NULL, "optimization.disable_specified_optimizers", "Another");
    for (int i = 0; i < 2; i++)
        if (registers(NULL, (const struct OrtApiBase *)(const void *)&base)) return 1;
    printf("%d %d %s\n", operators, domains, values[0]);
    puts((const char *)registers(NULL, (const struct OrtApiBase *)(const void *)&old));
    return 0;
}
