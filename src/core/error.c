/* Names of statuses and modes, and errors as text. SPDX-License-Identifier: MIT */
#include "error.h"
#include "text.h"

int32_t tpad_fail(tpad_error *error, tpad_error value)
{
    if (error) *error = value;
    return value.code;
}

const char *tpad_status_name(int32_t status)
{
    switch (status) {
#define STATUS_NAME(name, number, text)                                                            \
    case number:                                                                                   \
        return #name;
        TPAD_STATUS_MAP(STATUS_NAME)
#undef STATUS_NAME
    default:
        return "?";
    }
}

const char *tpad_status_text(int32_t status)
{
    switch (status) {
#define STATUS_TEXT(name, number, text)                                                            \
    case number:                                                                                   \
        return text;
        TPAD_STATUS_MAP(STATUS_TEXT)
#undef STATUS_TEXT
    default:
        return "unknown status";
    }
}

size_t tpad_error_format(const tpad_error *error, char *buffer, size_t bytes)
{
    text out = tpad_text_begin(buffer, bytes);
    const char *p = "no error was given";
    if (error) p = error->text ? error->text : tpad_status_text(error->code);
    for (; *p; p++) {
        switch (*p == '%' ? p[1] : 0) {
        case 'a':
            tpad_text_number(&out, error->axis);
            break;
        case 'g':
            tpad_text_number(&out, error->got);
            break;
        case 'l':
            tpad_text_number(&out, error->limit);
            break;
        case 'b':
            tpad_text_number(&out, error->before);
            break;
        case 'e':
            tpad_text_number(&out, error->after);
            break;
        case 'n':
            tpad_text_put(&out, error->name ? error->name : "?");
            break;
        case '%':
            tpad_text_char(&out, '%');
            break;
        default:
            tpad_text_char(&out, *p);
            continue;
        }
        p++;
    }
    return out.length;
}

#define MODE_NAME(name, number, word) [number] = word,
static const char *const mode_names[] = {TPAD_MODE_MAP(MODE_NAME)};
#undef MODE_NAME

const char *tpad_mode_name(int32_t mode)
{
    return mode >= 0 && mode < TPAD_MODE_COUNT ? mode_names[mode] : "?";
}

int32_t tpad_mode_from_name(const char *name)
{
    for (int32_t mode = 0; name && mode < TPAD_MODE_COUNT; mode++) {
        const char *a = mode_names[mode], *b = name;
        while (*a && *a == *b) a++, b++;
        if (*a == *b) return mode;
    }
    return -1;
}

#define VERSION_TEXT(major, minor, patch)   #major "." #minor "." #patch
#define VERSION_EXPAND(major, minor, patch) VERSION_TEXT(major, minor, patch)

const char *tpad_version(void)
{
    return VERSION_EXPAND(TPAD_VERSION_MAJOR, TPAD_VERSION_MINOR, TPAD_VERSION_PATCH);
}
