/* Models with facts computed from their constants and shapes.  SPDX-License-Identifier: MIT
 *
 * The only header of this folder for others. Not installed. Many models compute the amounts of a
 * Pad and the shapes of its data from constants and shapes of other tensors. Loading a model
 * computes what can be known before it runs. */
#ifndef TENSORPAD_FOLDING_FOLDING_H
#define TENSORPAD_FOLDING_FOLDING_H

#include "models/models.h"

/* tpad_model_read, with computed facts about the Pad nodes. */
int32_t tpad_model_load_shaped(tpad_model **model, const char *path, const tpad_input_shape *shapes,
                               int32_t count, tpad_io_error *error);

/* The same from a file or from memory. */
int32_t tpad_model_load_from(tpad_model **model, const tpad_model_source *source,
                             const tpad_input_shape *shapes, int32_t count, tpad_io_error *error);

struct tpad_graph_pad;
/* The input dimension that alone decides the extent of an axis of a Pad's data, and its least value
 * for `least` cells there; 0: there is none. */
int32_t tpad_model_needs(const tpad_model *model, const struct tpad_graph_pad *pad, int32_t axis,
                         int64_t least, tpad_string *name, int64_t *needed);

/* The elements of a value that is not a constant of the file (models/graph/model.h), as a tensor in
 * the model's memory; NULL if they are not all known. Sets *failed if there is no memory. */
struct tpad_value;
const tpad_tensor *tpad_fold_tensor(tpad_model *model, struct tpad_value *value, int32_t *failed);

#endif
