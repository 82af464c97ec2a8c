/* What an ONNX Pad node's arguments show before anything runs.  SPDX-License-Identifier: MIT
 *
 * Owns which argument says what, and what may stand in for one that is not known. Runs nothing. */
#include "reader.h"

_Static_assert(sizeof(tpad_onnx_arguments) <= sizeof(((tpad_trial *)0)->own), "room for a copy");

static void show_amounts(tpad_look *look)
{
    tpad_pad_node *shown = &look->pad->shown;
    const tpad_onnx_arguments *own = tpad_arguments_of(look->pad);
    const int64_t *list = NULL;
    int32_t count = 0;
    if (look->pad->present[IN_PADS])
        list = tpad_look_list(look, look->constants[IN_PADS], &count);
    else if (own->pads && !own->pads_computed)
        list = own->pads, count = own->pads_count;
    else if (own->paddings && !own->paddings_computed)
        list = own->paddings, count = own->paddings_count;
    if (list && count % 2 == 0) {
        shown->pads_count = count / 2;
        shown->begin = list;
        shown->end = list + count / 2;
    }
    list = tpad_look_list(look, look->constants[IN_AXES], &count);
    if (list) {
        shown->axes_count = count;
        shown->axes = list;
    }
}

void tpad_onnx_show(tpad_look *look)
{
    const tpad_graph_pad *pad = look->pad;
    const tpad_onnx_arguments *own = tpad_arguments_of(pad);
    static const float no_value;
    static const int64_t zeros[2];
    const tpad_tensor *constant = look->constants[IN_VALUE];
    show_amounts(look);
    if (pad->present[IN_VALUE]) {
        if (constant && tpad_is_single(constant))
            tpad_look_value(look, constant->type, constant->data);
    } else if (pad->shown.version && pad->shown.version < 11) {
        if (!own->value_computed)
            tpad_look_value(look, TPAD_ONNX_FLOAT, own->value ? own->value : &no_value);
    } else {
        tpad_look_value(look, pad->shown.type ? pad->shown.type : TPAD_ONNX_FLOAT, zeros);
    }
}

static void put_list(tpad_trial *t, int32_t input, const int64_t *list, int32_t count)
{
    const int64_t extent = count;
    tpad_tensor_describe(&t->tensors[input], TPAD_ONNX_INT64, 1, &extent);
    t->tensors[input].data = list;
    t->in[input] = &t->tensors[input];
}

void tpad_onnx_stand_in(tpad_trial *t, const tpad_look *look)
{
    static const float zero;
    const tpad_graph_pad *pad = look->pad;
    const tpad_pad_node *shown = &pad->shown;
    tpad_onnx_arguments *own = (tpad_onnx_arguments *)t->own.bytes;
    if (t->guessed && pad->present[IN_AXES]) t->tensors[IN_DATA].rank = 1;
    const int32_t rank = t->in[IN_DATA]->rank;
    *own = *tpad_arguments_of(pad);
    t->pad.own = own;
    const int32_t pads_computed = own->pads_computed || own->paddings_computed;
    const int32_t no_pads = pad->present[IN_PADS] && !look->constants[IN_PADS];
    const int32_t no_axes = pad->present[IN_AXES] && !look->constants[IN_AXES];
    if (own->mode_computed || pads_computed || own->value_computed) t->everything = 0;
    if (no_pads || no_axes || pads_computed) t->known = 0;
    if (no_axes && shown->pads_count > TPAD_MAX_RANK) t->in[IN_AXES] = NULL;

    const int32_t most = rank < TPAD_MAX_RANK ? rank : TPAD_MAX_RANK;
    const int32_t axes = shown->axes_count >= 0 ? shown->axes_count
                         : no_axes && shown->pads_count >= 0 && shown->pads_count <= most
                             ? shown->pads_count
                             : most;
    for (int32_t i = 0; i < TPAD_MAX_RANK; i++) t->axes[i] = i;
    if (no_axes && shown->pads_count <= TPAD_MAX_RANK) put_list(t, IN_AXES, t->axes, axes);
    if (no_pads) put_list(t, IN_PADS, t->zeros, 2 * (axes < TPAD_MAX_RANK ? axes : TPAD_MAX_RANK));
    if (own->pads_computed) own->pads = t->zeros, own->pads_count = 2 * most;
    if (own->paddings_computed) own->paddings = t->zeros, own->paddings_count = 2 * most;
    if (own->value_computed) own->value = &zero;
}
