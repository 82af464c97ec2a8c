/* The parts of the header of an .npy file. Private to npy.c and npy_header.c.
 * SPDX-License-Identifier: MIT */
#ifndef TENSORPAD_FORMATS_NPY_HEADER_H
#define TENSORPAD_FORMATS_NPY_HEADER_H

#include "file.h"

typedef struct tpad_npy_layout {
    const char *descr; /* inside the text: the list of a record, or a kind without its quotes */
    size_t descr_length;
    int32_t is_record;
    tpad_npy_kind kind;   /* valid if the type is not a record */
    int64_t elem_bytes;   /* of one element, records summed up */
    int32_t column_major; /* fortran_order */
    int32_t rank;
    int64_t shape[TPAD_MAX_RANK];
} tpad_npy_layout;

/* Reads the dictionary, a NUL-terminated UTF-8 text. Errors name `path`: E_FILE, E_FILE_TYPE,
 * E_RANK. */
int32_t tpad_npy_parse(tpad_npy_layout *layout, const char *text, const char *path,
                       tpad_io_error *error);

#endif
