/* The arguments of an ONNX Pad node before anything runs.  SPDX-License-Identifier: MIT
 *
 * Knows the meaning of each argument, and the placeholder for an argument that is not known. Runs
 * nothing. */
#include "onnx_file.h"

_Static_assert(sizeof(tpad_onnx_attributes) <= sizeof(((tpad_probe *)0)->attributes),
               "room for a copy");

static void describe_amounts(tpad_inspection *inspection)
{
    tpad_pad_node *info = &inspection->pad->info;
    const tpad_onnx_attributes *attributes = tpad_attributes_of(inspection->pad);
    const int64_t *list = NULL;
    int32_t count = 0;
    if (inspection->pad->present[IN_PADS])
        list = tpad_inspect_list(inspection, inspection->constants[IN_PADS], &count);
    else if (attributes->pads && !attributes->pads_computed)
        list = attributes->pads, count = attributes->pads_count;
    else if (attributes->paddings && !attributes->paddings_computed)
        list = attributes->paddings, count = attributes->paddings_count;
    if (list && count % 2 == 0) {
        info->pads_count = count / 2;
        info->begin = list;
        info->end = list + count / 2;
    }
    list = tpad_inspect_list(inspection, inspection->constants[IN_AXES], &count);
    if (list) {
        info->axes_count = count;
        info->axes = list;
    }
}

void tpad_onnx_describe_pad(tpad_inspection *inspection)
{
    const tpad_graph_pad *pad = inspection->pad;
    const tpad_onnx_attributes *attributes = tpad_attributes_of(pad);
    static const float no_value;
    static const int64_t zeros[2];
    const tpad_tensor *constant = inspection->constants[IN_VALUE];
    describe_amounts(inspection);
    if (pad->present[IN_VALUE]) {
        if (constant && tpad_is_single(constant))
            tpad_inspect_value(inspection, constant->type, constant->data);
    } else if (pad->info.version && pad->info.version < 11) {
        if (!attributes->value_computed)
            tpad_inspect_value(inspection, TPAD_ONNX_FLOAT,
                               attributes->value ? attributes->value : &no_value);
    } else {
        tpad_inspect_value(inspection, pad->info.type ? pad->info.type : TPAD_ONNX_FLOAT, zeros);
    }
}

static void put_list(tpad_probe *probe, int32_t input, const int64_t *list, int32_t count)
{
    const int64_t extent = count;
    tpad_tensor_describe(&probe->tensors[input], TPAD_ONNX_INT64, 1, &extent);
    probe->tensors[input].data = list;
    probe->in[input] = &probe->tensors[input];
}

/* Amounts of which some are known: the others are zeros, and their axes are not known. */
static void put_amounts(tpad_probe *probe, const tpad_pad_node *info, const tpad_value *pads,
                        int32_t axes)
{
    const int32_t count = pads && pads->rank == 1 && pads->element_count == 2 * axes ? axes : 0;
    uint32_t unsure = count ? 0 : UINT32_MAX;
    for (int32_t i = 0; i < count; i++) {
        const tpad_element *begin = &pads->elements[i], *end = &pads->elements[axes + i];
        const int64_t axis = info->axes_count < 0 ? i : info->axes[i];
        if (begin->known) probe->zeros[i] = begin->integer;
        if (end->known) probe->zeros[axes + i] = end->integer;
        if (begin->known && end->known) continue;
        const int32_t at = tpad_axis_from_front(axis, probe->in[IN_DATA]->rank);
        unsure |= at < 0 ? UINT32_MAX : 1u << at;
    }
    probe->known &= ~unsure;
    put_list(probe, IN_PADS, probe->zeros, 2 * axes);
}

void tpad_onnx_fill_placeholders(tpad_probe *probe, const tpad_inspection *inspection)
{
    static const float zero;
    const tpad_graph_pad *pad = inspection->pad;
    const tpad_pad_node *info = &pad->info;
    tpad_onnx_attributes *attributes = (tpad_onnx_attributes *)probe->attributes.bytes;
    if (probe->guessed && pad->present[IN_AXES]) probe->tensors[IN_DATA].rank = 1;
    const int32_t rank = probe->in[IN_DATA]->rank;
    *attributes = *tpad_attributes_of(pad);
    probe->pad.attributes = attributes;
    const int32_t pads_computed = attributes->pads_computed || attributes->paddings_computed;
    const int32_t no_pads = pad->present[IN_PADS] && !inspection->constants[IN_PADS];
    const int32_t no_axes = pad->present[IN_AXES] && !inspection->constants[IN_AXES];
    if (attributes->mode_computed || pads_computed || attributes->value_computed)
        probe->complete = 0;
    if (no_axes || pads_computed) probe->known = 0;
    if (no_axes && info->pads_count > TPAD_MAX_RANK) probe->in[IN_AXES] = NULL;

    const int32_t most = rank < TPAD_MAX_RANK ? rank : TPAD_MAX_RANK;
    const int32_t axes = info->axes_count >= 0 ? info->axes_count
                         : no_axes && info->pads_count >= 0 && info->pads_count <= most
                             ? info->pads_count
                             : most;
    for (int32_t i = 0; i < TPAD_MAX_RANK; i++) probe->axes[i] = i;
    if (no_axes && info->pads_count <= TPAD_MAX_RANK) put_list(probe, IN_AXES, probe->axes, axes);
    if (no_pads)
        put_amounts(probe, info, pad->inputs[IN_PADS], axes < TPAD_MAX_RANK ? axes : TPAD_MAX_RANK);
    if (attributes->pads_computed)
        attributes->pads = probe->zeros, attributes->pads_count = 2 * most;
    if (attributes->paddings_computed)
        attributes->paddings = probe->zeros, attributes->paddings_count = 2 * most;
    if (attributes->value_computed) attributes->value = &zero;
}
