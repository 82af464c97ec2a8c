# A toolchain: zig for the system and processor ZIG_TARGET, as scripts/setup/platforms.sh installs it.
#
#     cmake --toolchain cmake/zig.cmake -DZIG_TARGET=x86_64-windows-gnu
if(ZIG_TARGET MATCHES "windows")
  set(CMAKE_SYSTEM_NAME Windows)
else()
  set(CMAKE_SYSTEM_NAME Darwin)
endif()
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR ${ZIG_TARGET})
set(zig ${CMAKE_CURRENT_LIST_DIR}/../build/platforms/bin/zig-${ZIG_TARGET})
set(CMAKE_C_COMPILER ${zig}-cc)
set(CMAKE_AR ${zig}-ar)
set(CMAKE_RANLIB ${zig}-ranlib)
set(CMAKE_RC_COMPILER ${zig}-rc)
# The libraries below are static. The compilers of the other builds do not have the warning.
set(CMAKE_C_FLAGS_INIT "-DXML_STATIC -Wno-error=enum-float-conversion -Wno-error=unterminated-string-initialization")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZIG_TARGET)
# Libraries of that system, from the same script, and none of this one.
set(CMAKE_FIND_ROOT_PATH ${CMAKE_CURRENT_LIST_DIR}/../build/platforms/${ZIG_TARGET})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
