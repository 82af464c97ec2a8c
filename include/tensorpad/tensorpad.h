/* tensorpad: pads, crops and dilates tensors.  SPDX-License-Identifier: MIT
 *
 * This header is the whole interface of the core. It includes only <stddef.h> and <stdint.h> and
 * compiles as C99 and as C++11. The code after it never allocates, locks or prints, and has no
 * global variables. docs/semantics.md says what it computes.
 *
 *     tpad_axis axes[2] = {{.in_extent = 2, .before = 1, .after = 1},
 *                          {.in_extent = 3, .before = 2, .mode = TPAD_REFLECT}};
 *     tpad_problem problem = TPAD_PROBLEM_OF(float, axes);     // float elements, dense row-major
 *     tpad_error error;
 *     int32_t status = tpad_pad(&problem, src, dst, &value, &error);
 *
 * To pad many tensors of one shape, make a plan once (tpad_plan_init) and run it (tpad_run).
 *
 * Terms. An axis has an *extent* (a count of elements) and two *strides*. A *cell* is one element
 * of the output. *Dense* means row-major without gaps. Strides and offsets are signed. They count
 * bytes or, if an element has 1, 2 or 4 bits, elements. A *packed* tensor (1, 2 or 4 bits) is one
 * stream of bits that begins at the tensor's first byte; its rows may begin inside a byte.
 *
 * Threads. After a plan is made, no call changes it. Any number of threads may run it at once, as
 * long as their outputs do not overlap.
 */
#ifndef TENSORPAD_H
#define TENSORPAD_H

#include <stddef.h>
#include <stdint.h>

/* A program may keep its settings in a header of its own. The compiler's command line then needs
 * only a definition such as -DTPAD_CONFIG_FILE='"tensorpad_config.h"'. */
#if defined(TPAD_CONFIG_FILE)
#include TPAD_CONFIG_FILE
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define TPAD_VERSION_MAJOR 0
#define TPAD_VERSION_MINOR 4
#define TPAD_VERSION_PATCH 0

/* A program may define TPAD_API before it includes this header, for example as `static` if the
 * whole library is one file of the program. On Windows, define TPAD_BUILD_SHARED to compile the
 * shared library, and TPAD_USE_SHARED to call it; the CMake targets do this. */
#if defined(TPAD_API)
#elif defined(_WIN32) && defined(TPAD_BUILD_SHARED)
#define TPAD_API __declspec(dllexport)
#elif defined(_WIN32) && defined(TPAD_USE_SHARED)
#define TPAD_API __declspec(dllimport)
#elif defined(_WIN32)
#define TPAD_API
#elif defined(__GNUC__)
#define TPAD_API __attribute__((visibility("default")))
#else
#define TPAD_API
#endif

/* Limits. Every extent, amount and interior is at most TPAD_MAX_EXTENT in magnitude, so that sums
 * of three of them, and twice any of them, fit in a tpad_index. */
#ifndef TPAD_MAX_RANK
#define TPAD_MAX_RANK 16 /* 1 to 16, the same in the whole build; 144 bytes of a plan for each */
#endif
/* The bytes for tables in a plan, the same in the whole build: 0 or a multiple of 8 that is at
 * least 1,024. 0 leaves only the plain C kernels. */
#ifndef TPAD_TABLE_BYTES
#if defined(__x86_64__) || defined(_M_X64) || defined(__aarch64__) || defined(__wasm_simd128__)
#define TPAD_TABLE_BYTES 8192
#else
#define TPAD_TABLE_BYTES 0
#endif
#endif
#define TPAD_MAX_ELEM_BITS 524288 /* 65,536 bytes */

/* Extents, amounts, strides and offsets: 64 bits, or 32 in the small build. */
#if defined(TPAD_SMALL)
typedef int32_t tpad_index;
#define TPAD_INDEX_MAX  INT32_MAX
#define TPAD_MAX_EXTENT ((tpad_index)0x1FFFFFFF)
#else
typedef int64_t tpad_index;
#define TPAD_INDEX_MAX  INT64_MAX
#define TPAD_MAX_EXTENT ((tpad_index)0x1FFFFFFFFFFFFFFF)
#endif

/* The small build (TPAD_SMALL) is for firmware. It has tpad_shape, tpad_plan_init, tpad_run and
 * tpad_pad, for elements of whole bytes (docs/microcontrollers.md). It is compiled together with
 * its caller, so tpad_plan_init does not check struct_size and axis_size. In any build these
 * switches leave out what a program does not need; a problem that needs it is refused. */
#ifndef TPAD_MODES
#define TPAD_MODES 31 /* bit m: the build has mode number m */
#endif
#ifndef TPAD_INTERIOR
#define TPAD_INTERIOR 1 /* 0: interior must be 0 */
#endif
#ifndef TPAD_STRIDES
#define TPAD_STRIDES 1 /* 0: both sides are dense, without offsets; strides must be 0 */
#endif

/* The names of the small build's functions contain its settings, so that a program does not link
 * with a library that was compiled with other ones. The settings must therefore be plain numbers:
 * 31, not (1 << 5) - 1. */
#if defined(TPAD_SMALL)
#define TPAD_JOIN_NAME(name, rank, modes, interior, strides)                                       \
    name##_rank##rank##_modes##modes##_interior##interior##_strides##strides
#define TPAD_NAME_WITH(name, rank, modes, interior, strides)                                       \
    TPAD_JOIN_NAME(name, rank, modes, interior, strides)
#define TPAD_SMALL_NAME(name)                                                                      \
    TPAD_NAME_WITH(name, TPAD_MAX_RANK, TPAD_MODES, TPAD_INTERIOR, TPAD_STRIDES)
#define tpad_shape     TPAD_SMALL_NAME(tpad_shape)
#define tpad_plan_init TPAD_SMALL_NAME(tpad_plan_init)
#define tpad_run       TPAD_SMALL_NAME(tpad_run)
#define tpad_pad       TPAD_SMALL_NAME(tpad_pad)
#endif

/* ---- Status ----------------------------------------------------------------------------------
 * Every function that can fail returns one of these. The numbers never change; new ones are added
 * in the gaps between groups. */
#define TPAD_STATUS_MAP(X)                                                                         \
    X(OK, 0, "done")                                                                               \
    /* the call itself */                                                                          \
    X(E_ARGUMENT, 10, "a required argument is missing or malformed")                               \
    X(E_PLAN_SIZE, 11, "the memory for the plan is too small")                                     \
    X(E_NOT_A_PLAN, 12, "the plan was never made")                                                 \
    /* the problem */                                                                              \
    X(E_RANK, 20, "rank out of range")                                                             \
    X(E_ELEM, 21, "element width not supported")                                                   \
    X(E_EXTENT, 22, "input extent out of range")                                                   \
    X(E_AMOUNT, 23, "amount out of range")                                                         \
    X(E_INTERIOR, 24, "interior amount out of range")                                              \
    X(E_MODE, 25, "unknown mode")                                                                  \
    X(E_ORDER, 26, "unknown order")                                                                \
    X(E_NEGATIVE, 27, "output extent below zero")                                                  \
    X(E_NO_SOURCE, 28, "nothing to extend from")                                                   \
    X(E_OVERFLOW, 29, "size does not fit in 64 bits")                                              \
    X(E_BOX, 30, "box outside the output")                                                         \
    X(E_BORDER, 31, "border-only run not possible")                                                \
    X(E_TOO_LONG, 32, "longer than its target")                                                    \
    /* what a specification does not allow */                                                      \
    X(E_SPEC_VERSION, 40, "no such version of the specification")                                  \
    X(E_SPEC_TYPE, 41, "element type not allowed")                                                 \
    X(E_SPEC_MODE, 42, "mode not allowed")                                                         \
    X(E_SPEC_INPUT, 43, "input or attribute not allowed, or missing")                              \
    X(E_SPEC_PADS, 44, "pads malformed")                                                           \
    X(E_SPEC_AXES, 45, "axes malformed")                                                           \
    X(E_SPEC_VALUE, 46, "pad value malformed")                                                     \
    /* files and the system: the command and the Python package */                                 \
    X(E_IO, 60, "the system refused to read or write")                                             \
    X(E_MEMORY, 61, "out of memory")                                                               \
    X(E_EXISTS, 62, "the output exists")                                                           \
    X(E_FILE, 63, "the file is damaged or not of its kind")                                        \
    X(E_FILE_TYPE, 64, "the file format cannot hold this")                                         \
    X(E_MODEL, 65, "the model cannot be run")                                                      \
    X(E_TEXT, 66, "the text is not a value of this type")

#define TPAD_STATUS_ENTRY(name, number, text) TPAD_##name = number,
enum { TPAD_STATUS_MAP(TPAD_STATUS_ENTRY) };
#undef TPAD_STATUS_ENTRY

#if !defined(TPAD_SMALL)
/* The name of a status ("E_RANK"), or "?" if the number is not a status. Never NULL. */
TPAD_API const char *tpad_status_name(int32_t status);
/* The meaning of a status in a few words ("rank out of range"), or "unknown status". Never NULL. */
TPAD_API const char *tpad_status_text(int32_t status);
#endif

/* Why a call failed. Filled only on failure; `error` may be NULL in every call that takes one.
 * Fields that do not concern the failure are 0 (axis: -1, name: NULL). The small build sets code
 * and axis, and leaves the other fields as they are. No version adds or moves a field. */
typedef struct tpad_error {
    int32_t code;      /* the returned status */
    int32_t axis;      /* which axis of the problem, from 0, or -1 */
    tpad_index got;    /* the value that was given or computed */
    tpad_index limit;  /* the value that would have been accepted */
    tpad_index before; /* that axis's amount in front */
    tpad_index after;  /* and at the end */
    const char *name;  /* a mode or a type, or NULL; a constant or the caller's string */
    const char *text;  /* a constant template, see tpad_error_format */
} tpad_error;

#if !defined(TPAD_SMALL)
/* Writes the error as one line without a newline: the template, with %a %g %l %b %e %n replaced by
 * axis, got, limit, before, after and name, and %% by %. Without a template (text is NULL, as in a
 * zeroed error), the line is the tpad_status_text of the code. If error is NULL, it is "no error
 * was given". If bytes > 0, the text ends with a NUL. Returns the length of the whole line without
 * the NUL; a result >= bytes means that the line was cut. buffer: room for `bytes` bytes; NULL is
 * allowed if bytes is 0. */
TPAD_API size_t tpad_error_format(const tpad_error *error, char *buffer, size_t bytes);
#endif

/* ---- The problem ----------------------------------------------------------------------------- */

/* What is beyond the edges: abcd, padded by two on each side. X(NAME, number, canonical name). */
#define TPAD_MODE_MAP(X)                                                                           \
    X(CONSTANT, 0, "constant")   /* kk abcd kk   the fill value */                                 \
    X(EDGE, 1, "edge")           /* aa abcd dd */                                                  \
    X(REFLECT, 2, "reflect")     /* cb abcd cb   the edge is not repeated */                       \
    X(SYMMETRIC, 3, "symmetric") /* ba abcd dc   the edge is repeated */                           \
    X(WRAP, 4, "wrap")           /* cd abcd ab */

#define TPAD_MODE_ENTRY(name, number, word) TPAD_##name = number,
enum { TPAD_MODE_MAP(TPAD_MODE_ENTRY) TPAD_MODE_COUNT };
#undef TPAD_MODE_ENTRY

/* Which cells a mode repeats on an axis that has a negative and a positive amount. */
enum {
    TPAD_WINDOW = 0, /* the output is a window onto the endless extension of the whole input */
    TPAD_CROP = 1    /* negative amounts are cut off first, then the rest is extended */
};

/* One axis. With r = interior and n = in_extent, the dilated extent is D = n ? (n-1)(r+1)+1 : 0 and
 * the output extent is before + D + after. Negative amounts crop the dilated axis. The interior
 * cells always hold the fill value. Zero-initialised fields mean: no padding, constant, window.
 * A nonzero stride needs its flag in the problem: without it, a plan is refused (E_ARGUMENT). With
 * its flag, a stride of 0 repeats one element of the input. Strides that may put two cells of the
 * output at one place are refused (E_ARGUMENT): sorted by size, each must lead beyond everything
 * that the smaller ones reach (4 x 3 floats: 12 and 4, not 8 and 4). The small build refuses only
 * strides of 0; with others, any of the cells at one place may be written last. */
typedef struct tpad_axis {
    tpad_index in_extent; /* elements, >= 0 */
    tpad_index before;    /* cells to add in front; negative: to remove */
    tpad_index after;     /* the same at the end */
    tpad_index interior;  /* cells to insert between two neighbours, >= 0 */
    tpad_index in_stride; /* from one element of the input to the next; 0 without TPAD_IN_STRIDES */
    tpad_index out_stride; /* from one cell to the next; 0 without TPAD_OUT_STRIDES */
    int32_t mode;          /* TPAD_CONSTANT ... TPAD_WRAP */
    int32_t order;         /* TPAD_WINDOW or TPAD_CROP */
} tpad_axis;

/* Flags of a problem. 0 is the common case: both sides are dense. All other bits are refused
 * (E_ARGUMENT). The last two flags may change how the output is written, but never the result.
 * Setting both is the same as setting neither. */
enum {
    TPAD_HIGH_BITS_FIRST = 4, /* packed widths: the first element is in the high bits of a byte */
    TPAD_IN_STRIDES = 8,      /* the axes give the input's strides; without it, it is dense */
    TPAD_OUT_STRIDES = 16,    /* the axes give the output's strides; without it, it is dense */
    TPAD_OUT_READ_SOON = 32,  /* the output is read soon: keep it in the caches. Also for untouched
                                 memory, which the system clears there on first use */
    TPAD_OUT_READ_LATE = 64   /* it is not read soon: keep other data in the caches */
};

/* Structs that the caller fills begin with their size, so that later versions can add fields. A
 * library accepts every size from that of version 0.2 to its own. It refuses 0 and larger sizes
 * (E_ARGUMENT), because a larger struct may ask for something that this library does not know. */

/* The whole problem. Each output cell takes the input element that its axes select. If any axis
 * says "fill", the cell takes the fill value. Elements are moved as bits, whatever their type. */
typedef struct tpad_problem {
    size_t struct_size;    /* sizeof(tpad_problem), of version 0.2 or later */
    size_t axis_size;      /* sizeof(tpad_axis), the distance between entries of `axes` */
    const tpad_axis *axes; /* `rank` of them, outermost first; NULL allowed when rank is 0 */
    int32_t rank;          /* 0 to TPAD_MAX_RANK */
    int32_t elem_bits;     /* 1, 2, 4, or 8 times 1 to 65,536 */
    tpad_index in_offset;  /* from src to the first input element, in the unit of the strides */
    tpad_index out_offset; /* from dst to the first output element */
    int32_t flags;         /* TPAD_HIGH_BITS_FIRST ... TPAD_OUT_READ_LATE, or 0 */
    int32_t reserved;      /* 0 */
} tpad_problem;

/* The rank may be the size of a vector, which is not an int32_t. */
#if defined(__cplusplus)
#define TPAD_INT(number) static_cast<int32_t>(number)
#else
#define TPAD_INT(number) ((int32_t)(number))
#endif

/* A dense row-major problem, as an initialiser. */
#define TPAD_PROBLEM(elem_bits, rank, axes)                                                        \
    {sizeof(tpad_problem),                                                                         \
     sizeof(tpad_axis),                                                                            \
     (axes),                                                                                       \
     TPAD_INT(rank),                                                                               \
     TPAD_INT(elem_bits),                                                                          \
     0,                                                                                            \
     0,                                                                                            \
     0,                                                                                            \
     0}

/* The same for elements of a C type: `type` is the type, or an element (image[0][0]), and `axes` an
 * array of exactly as many axes as the problem has. A pointer does not compile (array of negative
 * size); neither does an array parameter, which is a pointer. Use TPAD_PROBLEM for these, for
 * packed elements and for rank 0. */
#define TPAD_PROBLEM_OF(type, axes) TPAD_PROBLEM(8 * sizeof(type), TPAD_RANK_OF(axes), axes)
/* No pointer is as large as an axis, so the remainder is 0 only for an array. */
#define TPAD_RANK_OF(axes)                                                                         \
    (sizeof(axes) / sizeof(tpad_axis) /                                                            \
     sizeof(char[sizeof(axes) % sizeof(tpad_axis) != 0 ? -1 : 1]))

/* Shape inference: makes the checks of tpad_plan_init except those of strides, but makes no plan.
 * out_extents: `rank` entries, or NULL. elems, bytes: the size of a dense output, or NULL.
 * Errors: all statuses of the group "the problem" above, and E_ARGUMENT. Nothing is written on
 * failure. */
TPAD_API int32_t tpad_shape(const tpad_problem *problem, tpad_index *out_extents, tpad_index *elems,
                            tpad_index *bytes, tpad_error *error);

/* ---- The plan -------------------------------------------------------------------------------- */

/* With tables a plan has 12,288 bytes. Some of them are a reserve, because a shared library of a
 * later version may need more than this one. */
#if defined(TPAD_SMALL)
#define TPAD_PLAN_BYTES (32 + 32 * TPAD_MAX_RANK)
#elif TPAD_TABLE_BYTES > 0
#define TPAD_PLAN_BYTES (2048 + 128 * TPAD_MAX_RANK + TPAD_TABLE_BYTES)
#else
#define TPAD_PLAN_BYTES (1112 + 144 * TPAD_MAX_RANK)
#endif

/* The library reads a plan through a struct of its own, and programs copy it as the type below. GCC
 * and clang must be told that both may alias. MSVC has no type-based alias analysis. For another
 * compiler, look for an option that turns it off (-fno-strict-aliasing or the like). */
#if defined(__GNUC__)
#define TPAD_MAY_ALIAS __attribute__((may_alias))
#else
#define TPAD_MAY_ALIAS
#endif

/* The caller's memory for a plan. A plan contains no pointer to anything outside it, so it may be
 * copied, put into read-only memory, or sent to another process of the same build. */
typedef union TPAD_MAY_ALIAS tpad_plan {
    int64_t opaque[TPAD_PLAN_BYTES / 8];
} tpad_plan;

#if !defined(TPAD_SMALL)
/* The bytes that a plan of this library needs, at most sizeof(tpad_plan) of the library's own
 * header. A caller that allocates plans may allocate that many, aligned for an int64_t. */
TPAD_API size_t tpad_plan_bytes(void);
#endif

/* Makes a plan: checks everything once, so that running cannot fail. plan_bytes: the size of the
 * caller's memory, sizeof(tpad_plan) or tpad_plan_bytes(); in the small build sizeof(tpad_plan).
 * Errors: as tpad_shape, and E_PLAN_SIZE; E_ARGUMENT also for a nonzero stride without its flag,
 * and for strides of an output whose cells may overlap (see tpad_axis); E_OVERFLOW also if strides
 * exceed 64 bits. After every failure, also E_PLAN_SIZE, the memory holds no plan: tpad_run with it
 * does nothing and returns E_NOT_A_PLAN. For this the first 4 bytes are written, whatever
 * plan_bytes is. */
TPAD_API int32_t tpad_plan_init(tpad_plan *plan, size_t plan_bytes, const tpad_problem *problem,
                                tpad_error *error);

#if !defined(TPAD_SMALL)

/* A box of the output, and where it and its input are in memory. */
typedef struct tpad_box {
    size_t struct_size;         /* sizeof(tpad_box), as in tpad_problem */
    const int64_t *first;       /* the box's first cell: one index per axis */
    const int64_t *extents;     /* its extents */
    const int64_t *out_strides; /* NULL: dst is the whole output. Otherwise dst points to the box's
                                   first cell, and the cells have these strides */
    const int64_t *in_first;    /* NULL: src is the whole input. Otherwise src points to this input
                                   element; each index is below TPAD_MAX_EXTENT */
    const int64_t *in_strides;  /* the strides of the memory that begins with in_first. NULL: the
                                   strides of `plan`, and the only choice if in_first is NULL. If
                                   `plan` is itself a box with input memory of its own, and reads
                                   only element 0 of an axis there, NULL means 0 on this axis */
} tpad_box;

/* Makes a plan of one box of the output; `plan` may itself be the plan of a box. The new plan
 * writes exactly the cells of the box. With in_first, src needs to hold only what tpad_plan_needs
 * returns for the box. Two boxes of a packed output may run at once only if they share no byte. A
 * border plan reads its input from the output, so its boxes cannot have memory of their own.
 * Errors:
 *   E_ARGUMENT    box_plan, the box, its first or its extents are missing; box_plan and plan are
 *                 the same memory (the plan stays valid); the box's struct_size is wrong;
 *                 in_strides without in_first; out_strides that may make cells overlap (see
 *                 tpad_axis)
 *   E_PLAN_SIZE, E_NOT_A_PLAN, E_BOX, E_OVERFLOW
 *   E_BORDER      out_strides or in_first with a border plan */
TPAD_API int32_t tpad_plan_box(tpad_plan *box_plan, size_t plan_bytes, const tpad_plan *plan,
                               const tpad_box *box, tpad_error *error);

/* The smallest box of the input that a plan reads: `rank` entries each. If the plan reads nothing,
 * all extents are 0.
 * Errors: E_ARGUMENT, E_NOT_A_PLAN. */
TPAD_API int32_t tpad_plan_needs(const tpad_plan *plan, int64_t *first, int64_t *extents);

/* An interval of the cells of one axis of the output, and the smallest interval of the input's
 * elements that these cells read (in_extent 0: none, they hold the fill value). No version adds a
 * field. */
typedef struct tpad_source {
    int64_t out_first, out_extent;
    int64_t in_first, in_extent;
} tpad_source;

/* Finds the elements of the input that the cells [first, first + extent) of one axis read. This is
 * more precise than tpad_plan_needs. There are two pieces, one after the other, if mode wrap passes
 * from the input's end to its beginning inside the interval, and the interval is shorter than a
 * period. Otherwise there is one, and the second entry is empty (out_extent 0).
 * A box of the output reads every combination of the pieces of its axes. A caller that keeps only
 * these elements in memory runs a box for each combination (tpad_plan_box), because a run over two
 * pieces may also load input elements between them.
 * Errors: E_NOT_A_PLAN, E_ARGUMENT (pieces missing, no such axis), E_BOX. */
TPAD_API int32_t tpad_plan_sources(const tpad_plan *plan, int32_t axis, int64_t first,
                                   int64_t extent, tpad_source pieces[2]);

/* Makes a plan that writes only the cells around and between the input's elements, for a buffer
 * that already holds these elements in place. Run it with src == dst.
 * Errors: E_BORDER if a cell that may be repeated has no place in the output (an axis crops in
 * window order, or a box cuts it off), E_OVERFLOW, E_ARGUMENT (border_plan is missing, or is the
 * memory of plan, which stays valid), E_PLAN_SIZE, E_NOT_A_PLAN. */
TPAD_API int32_t tpad_plan_border(tpad_plan *border_plan, size_t plan_bytes, const tpad_plan *plan,
                                  tpad_error *error);

/* Returns the rank of a plan's output, or -1 if it is not a plan, and writes the output's extents.
 * extents: room for them, or NULL. */
TPAD_API int32_t tpad_plan_shape(const tpad_plan *plan, int64_t *extents);

/* The size of a plan's output in bytes if it is dense, like tpad_shape's `bytes`; for a box, of the
 * box; for a border, of the whole output. -1 if it is not a plan. */
TPAD_API int64_t tpad_plan_out_bytes(const tpad_plan *plan);

/* Describes in several lines what the library chose for a plan: the loops after merging, whether a
 * list, a table, words or blocks write the output (docs/development/internals.md), and the kernels.
 * buffer, bytes and the result are as in tpad_error_format. */
TPAD_API size_t tpad_plan_describe(const tpad_plan *plan, char *buffer, size_t bytes);

#endif

/* ---- Running ----------------------------------------------------------------------------------
 * src and dst may have any alignment, and may not overlap (but see tpad_plan_border). src may be
 * NULL if the plan reads nothing, and dst if it writes nothing. value: one element, or NULL for all
 * bits zero; a packed element is in the low bits of its byte. A run reads only elements of the
 * input, and writes only cells of the output, with one exception: a run (also of a part, a box or a
 * border) that reaches the last cell of a packed output sets the unused bits after it in its byte
 * to 0 if the output is dense (out_offset 0, no gaps) or the box has such memory of its own. */

/* Writes the whole output of a plan, on the caller's thread.
 * Errors:
 *   E_NOT_A_PLAN  plan is NULL, was never made, or its making failed
 *   E_ARGUMENT    dst is NULL, and there is something to write;
 *                 src is NULL, and some cell takes an element of it;
 *                 src and dst are the same pointer, and some cell takes an element of src. This is
 *                 allowed for border plans and their boxes, for boxes with memory of their own
 *                 (out_strides or in_first), and for plans whose offsets separate the two sides:
 *                 the input ends before the output begins, or the output ends before the input
 *                 begins (including bytes between elements). The small build refuses all of these
 * On failure nothing is written. (The small build checks src when it needs the first element; fill
 * values in front of it are written by then.) */
TPAD_API int32_t tpad_run(const tpad_plan *plan, const void *src, void *dst, const void *value);

/* Pads in one call: checks the problem and runs it on the caller's thread. Use it for a tensor that
 * is padded once. An output of at most 2 KiB is written without a table and needs about 5 KB of
 * stack. A larger one is written with a table, as by a plan, and needs about 40 KB of stack. (The
 * small build needs the stack of a plan, of making it and of running it.)
 * Errors: those of tpad_plan_init except E_PLAN_SIZE, and those of tpad_run. On failure nothing is
 * written (but see tpad_run). */
TPAD_API int32_t tpad_pad(const tpad_problem *problem, const void *src, void *dst,
                          const void *value, tpad_error *error);

#if !defined(TPAD_SMALL)

/* Pads an image, or several of one size, in one call:
 *
 *     // a frame of one pixel around an image of 480 rows of 640 RGB pixels
 *     tpad_pad_2d(3, 1, 480, 640, 1, 1, 1, 1, TPAD_EDGE, src, dst, NULL, &error);
 *     // 64 planes of 28 x 28 floats get two columns of zeros on the right
 *     tpad_pad_2d(sizeof(float), 64, 28, 28, 0, 0, 0, 2, TPAD_CONSTANT, src, dst, NULL, &error);
 *
 * src: `images` dense arrays of height x width pixels, one after the other. pixel_bytes: the bytes
 * of all channels of a pixel, if they lie side by side (HWC: channels * sizeof(channel)). If each
 * channel is a plane of its own, each plane is an image (NCHW: images = N * C). dst: dense; each
 * image has top + height + bottom rows of left + width + right pixels. Negative amounts crop, in
 * window order. value: one pixel, with all its channels; NULL for all bits zero.
 * It does what tpad_pad does with three axes: images, rows and columns. An error names them as axis
 * 0, 1 and 2. Use tpad_pad for rows with gaps, for elements of less than a byte, for interior cells
 * and for other ranks.
 * Errors: those of tpad_pad. On failure nothing is written. */
TPAD_API int32_t tpad_pad_2d(int64_t pixel_bytes, int64_t images, int64_t height, int64_t width,
                             int64_t top, int64_t bottom, int64_t left, int64_t right, int32_t mode,
                             const void *src, void *dst, const void *value, tpad_error *error);

/* Runs part `part` (from 0) of `parts` (>= 1). All parts together, in any order and on any
 * threads, write the whole output. Parts are equal shares of the output. No part writes to a byte
 * that another one writes or reads. Part 0 alone therefore writes three kinds of packed outputs:
 * outputs with gaps, boxes without memory of their own, and borders whose cells are not whole
 * bytes.
 * Errors: those of tpad_run; E_ARGUMENT also if part is not between 0 and parts - 1. */
TPAD_API int32_t tpad_run_part(const tpad_plan *plan, const void *src, void *dst, const void *value,
                               int64_t part, int64_t parts);

/* The caller's parallel-for; tensorpad/threads.h has one. `run` MUST call body(user, i) exactly
 * once for every i in [0, count), from any threads in any order, and all calls MUST have finished
 * when it returns. It returns 0, or another number if it could not run them all. It MAY run them
 * all on the caller's thread:
 *
 *     int32_t serial(void *context, int64_t count, tpad_body body, void *user)
 *     { for (int64_t i = 0; i < count; i++) body(user, i); return 0; }
 */
typedef void (*tpad_body)(void *user, int64_t index);
typedef struct tpad_runner {
    size_t struct_size; /* sizeof(tpad_runner), as in tpad_problem */
    void *context;      /* passed to run */
    int64_t width;      /* the most parts of one output, >= 1: the number of threads, or a few times
                           that number if threads share their cores and may start late */
    int32_t (*run)(void *context, int64_t count, tpad_body body, void *user);
} tpad_runner;

/* Runs the plan on the caller's threads; runner NULL: on this thread. The output is cut by bytes
 * into at most `width` parts, fewer if it is small. If one part is best (today below 2 MiB), the
 * runner is not called. The result does not depend on any of this.
 * Errors: those of tpad_run; E_ARGUMENT also if the runner's struct_size is wrong, its run is NULL
 * or its width is below 1. If run does not return 0, its result is returned, and the output is
 * unfinished. */
TPAD_API int32_t tpad_run_with(const tpad_plan *plan, const void *src, void *dst, const void *value,
                               const tpad_runner *runner);

/* A fill that is an array: a value for each channel, a background. It is broadcast against the
 * whole output, for a box against the output that the box is cut from: the cell with the indices
 * i, j ... takes the value `i * strides[0] + j * strides[1] ...` after `values`, unless it takes an
 * element of the input. The values of all cells of the plan must exist, because a run may read any
 * of them. */
typedef struct tpad_fill {
    size_t struct_size; /* sizeof(tpad_fill), as in tpad_problem */
    const void *values; /* the value of cell 0, 0 ...; NULL: all bits zero for all cells */
    /* one for each axis of the output, in the unit of the problem's strides; 0 repeats the values
     * along the axis. Packed values are one stream of bits, like a packed input. NULL: `values` is
     * one value, as for tpad_run */
    const tpad_index *strides;
} tpad_fill;

/* Runs a plan with such a fill, on the caller's threads like tpad_run_with; runner NULL: on this
 * thread. fill NULL: all bits zero. dst may not overlap the values.
 *
 *     // mean colours around an image of three planes (CHW) of bytes
 *     const unsigned char mean[3] = {124, 116, 104};
 *     const tpad_index strides[3] = {1, 0, 0};
 *     const tpad_fill fill = {sizeof fill, mean, strides};
 *     tpad_run_fill(&plan, src, dst, &fill, NULL);
 *
 * It takes little longer than with one value if the values repeat along the last axes for 1.5 KiB
 * of the output or more. Otherwise filled cells are written twice. If a pixel has its channels side
 * by side (HWC), make it one element (elem_bits 24 for RGB): then it has one value. This call needs
 * about 60 KB of stack.
 * Errors: those of tpad_run_with; E_ARGUMENT also if the fill's struct_size is wrong; E_OVERFLOW if
 * its strides exceed 64 bits. */
TPAD_API int32_t tpad_run_fill(const tpad_plan *plan, const void *src, void *dst,
                               const tpad_fill *fill, const tpad_runner *runner);

/* One part of such a run; see tpad_run_part. Part 0 alone writes a packed output whose values
 * change more often than every 1.5 KiB.
 * Errors: those of tpad_run_fill and of tpad_run_part. */
TPAD_API int32_t tpad_run_fill_part(const tpad_plan *plan, const void *src, void *dst,
                                    const tpad_fill *fill, int64_t part, int64_t parts);

/* ---- Names ----------------------------------------------------------------------------------- */

/* "constant" ... "wrap", or "?" if the number is not a mode. */
TPAD_API const char *tpad_mode_name(int32_t mode);
/* The mode with that canonical name, or -1 (also for NULL). */
TPAD_API int32_t tpad_mode_from_name(const char *name);
/* "0.4.0" */
TPAD_API const char *tpad_version(void);
/* The name of the kernels for which plans are made on this machine: "plain", "avx2" ... */
TPAD_API const char *tpad_kernels_name(void);

#endif

#ifdef __cplusplus
}
#endif
#endif
