#!/bin/sh
# Compiles nanopb, expat, zlib and libpng for TARGET into build/platforms/TARGET, as static libraries, from
# the sources that platforms.sh fetched.
# Usage: platform_libraries.sh TARGET        one of platforms.sh
# SPDX-License-Identifier: MIT
set -eu
target=$1
cd "$(dirname "$0")/../../build/platforms"
zig=$PWD/bin/zig-$target
to=$PWD/$target
[ ! -f "$to/done" ] || exit 0
mkdir -p "$to/include" "$to/lib" "$to/objects"

# library NAME OPTIONS SOURCE...    TARGET_OS_MAC means Mac OS 9 to zlib and libpng.
library() {
    name=$1
    options=$2
    shift 2
    objects=
    for source; do
        object=$to/objects/$name-$(basename "$source" .c).o
        "$zig-cc" -O2 -w -UTARGET_OS_MAC -I "$to/include" $options -c "$source" -o "$object"
        objects="$objects $object"
    done
    rm -f "$to/lib/lib$name.a"
    "$zig-ar" rcs "$to/lib/lib$name.a" $objects
}

mkdir -p "$to/include/nanopb"
cp sources/nanopb/pb*.h "$to/include/nanopb"
library protobuf-nanopb "" sources/nanopb/pb_common.c sources/nanopb/pb_encode.c sources/nanopb/pb_decode.c

# What expat's configure would find out: the source of random numbers is rand_s or arc4random.
expat=sources/expat/expat/lib
[ -d $expat ] || expat=sources/expat/lib
mkdir -p "$to/configured"
cat > "$to/configured/expat_config.h" << 'END'
#define BYTEORDER 1234
#define HAVE_MEMMOVE 1
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1
#if defined(__APPLE__)
#define HAVE_ARC4RANDOM_BUF 1
#endif
END
cp $expat/expat.h $expat/expat_external.h "$to/include"
library expat "-DXML_STATIC -I$to/configured" $expat/xmlparse.c $expat/xmlrole.c $expat/xmltok.c

cp sources/zlib/zlib.h sources/zlib/zconf.h "$to/include"
library z "-DHAVE_UNISTD_H" $(printf "sources/zlib/%s.c " adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil)

png=sources/libpng1.6
cp $png/png.h $png/pngconf.h "$to/include"
cp $png/scripts/pnglibconf.h.prebuilt "$to/include/pnglibconf.h"
library png "-DPNG_ARM_NEON_OPT=0 -DPNG_INTEL_SSE_OPT=0" $(printf "$png/png%s.c " "" error get mem pread read rio rtran rutil set trans wio write wtran wutil)
touch "$to/done"
