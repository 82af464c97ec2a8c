/* Reading a node's attributes.  SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "kernel.h"

/* 1 if the call succeeded; a status of a failure is released. */
static int32_t worked(const ort_api *api, ort_status *status)
{
    if (status) api->release_status(status);
    return status == NULL;
}

/* A text that `get` of node_name or info_string gives; NULL if there is none. */
static char *read_name(const ort_api *api, const ort_info *info)
{
    size_t bytes = 0;
    if (!worked(api, api->node_name(info, NULL, &bytes)) || bytes == 0) return NULL;
    char *text = malloc(bytes);
    if (text && !worked(api, api->node_name(info, text, &bytes))) {
        free(text);
        text = NULL;
    }
    return text;
}

/* ONNX Runtime says of an attribute of another kind what it says of one that is absent. */
static int32_t is_there(const ort_api *api, const ort_info *info, const char *name)
{
    float real;
    int64_t integer;
    size_t count = 0;
    return worked(api, api->info_integer(info, name, &integer)) ||
           worked(api, api->info_float(info, name, &real)) ||
           worked(api, api->info_string(info, name, NULL, &count)) ||
           worked(api, api->info_integers(info, name, NULL, &count));
}

static ort_status *read_mode(pad_attributes *attributes, const ort_api *api, const ort_info *info)
{
    size_t bytes = 0;
    if (!worked(api, api->info_string(info, "mode", NULL, &bytes)))
        return is_there(api, info, "mode")
                   ? pad_fail(api, ORT_CODE_INVALID_ARGUMENT, attributes->name,
                              "attribute 'mode' must be a string")
                   : NULL;
    attributes->mode = malloc(bytes + 1);
    if (!attributes->mode)
        return pad_fail(api, ORT_CODE_RUNTIME_EXCEPTION, attributes->name, "out of memory");
    attributes->mode[bytes] = '\0';
    return api->info_string(info, "mode", attributes->mode, &bytes);
}

static ort_status *read_list(int64_t **list, int32_t *list_count, const pad_attributes *attributes,
                             const ort_api *api, const ort_info *info, const char *name)
{
    size_t count = 0;
    if (!worked(api, api->info_integers(info, name, NULL, &count)))
        return is_there(api, info, name)
                   ? pad_fail(api, ORT_CODE_INVALID_ARGUMENT, attributes->name,
                              "attributes 'pads' and 'paddings' must be lists of integers")
                   : NULL;
    if (count > INT32_MAX)
        return pad_fail(api, ORT_CODE_INVALID_ARGUMENT, attributes->name, "a list is too long");
    *list = malloc((count + 1) * sizeof **list);
    if (!*list) return pad_fail(api, ORT_CODE_RUNTIME_EXCEPTION, attributes->name, "out of memory");
    *list_count = (int32_t)count;
    return count ? api->info_integers(info, name, *list, &count) : NULL;
}

ort_status *pad_attributes_read(pad_attributes *attributes, const ort_api *api,
                                const ort_info *info)
{
    attributes->name = read_name(api, info);
    ort_status *status = read_mode(attributes, api, info);
    if (!status)
        status =
            read_list(&attributes->pads, &attributes->pads_count, attributes, api, info, "pads");
    if (!status)
        status = read_list(&attributes->paddings, &attributes->paddings_count, attributes, api,
                           info, "paddings");
    if (status) return status;
    attributes->has_value = worked(api, api->info_float(info, "value", &attributes->value));
    if (!attributes->has_value && is_there(api, info, "value"))
        return pad_fail(api, ORT_CODE_INVALID_ARGUMENT, attributes->name,
                        "attribute 'value' must be a float");
    if (is_there(api, info, "axes"))
        return pad_fail(api, ORT_CODE_INVALID_ARGUMENT, attributes->name,
                        "axes are an input, not an attribute");
    return NULL;
}

void pad_attributes_free(pad_attributes *attributes)
{
    free(attributes->name);
    free(attributes->mode);
    free(attributes->pads);
    free(attributes->paddings);
}
