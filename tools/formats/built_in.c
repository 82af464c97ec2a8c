/* The libraries that are built in. SPDX-License-Identifier: MIT */
#include "formats.h"

#ifdef TPAD_WITH_NANOPB
#include <pb.h>
#define NANOPB_PART ", pb and onnx (" NANOPB_VERSION ")"
#else
#define NANOPB_PART ""
#endif

#ifdef TPAD_WITH_PNG
#include <png.h>
#include <zlib.h> /* which libpng needs */
#define PNG_PART ", png (libpng-" PNG_LIBPNG_VER_STRING ", zlib-" ZLIB_VERSION ")"
#else
#define PNG_PART ""
#endif

#ifdef TPAD_WITH_EXPAT
#include <expat.h>
#define TEXT_OF(number)  TEXT_OF_(number)
#define TEXT_OF_(number) #number
#define EXPAT_PART                                                                                 \
    ", xml (expat-" TEXT_OF(XML_MAJOR_VERSION) "." TEXT_OF(XML_MINOR_VERSION) "." TEXT_OF(         \
        XML_MICRO_VERSION) ")"
#else
#define EXPAT_PART ""
#endif

const char *tpad_io_features(void)
{
    return "npy" NANOPB_PART EXPAT_PART PNG_PART;
}
