# How CMake builds for a wheel: with the zig that TENSORPAD_ZIG names, for the system that
# TENSORPAD_TARGET names (x86_64-linux-gnu.2.28 is Linux with glibc 2.28 or later), and with no
# library of the machine that builds. All variables come from the environment, so that every check
# of CMake sees them.
if($ENV{TENSORPAD_TARGET} MATCHES "windows")
  set(CMAKE_SYSTEM_NAME Windows)
elseif($ENV{TENSORPAD_TARGET} MATCHES "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR $ENV{TENSORPAD_TARGET})
set(CMAKE_C_COMPILER $ENV{TENSORPAD_ZIG} cc)
set(CMAKE_C_COMPILER_TARGET $ENV{TENSORPAD_TARGET})
set(CMAKE_AR $ENV{TENSORPAD_WORK}/ar)
set(CMAKE_RANLIB $ENV{TENSORPAD_WORK}/ranlib)
set(CMAKE_RC_COMPILER $ENV{TENSORPAD_WORK}/rc)

set(CMAKE_FIND_ROOT_PATH $ENV{TENSORPAD_WORK}/prefix)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)

# Small: sections that nothing uses are left out, and so are names. Optimizing while linking (-flto)
# would make the programs a sixth larger and not faster. TENSORPAD_CPU_MODEL is a part of clang's
# run-time library (make.sh). For exceptions, which C has not, Linux needs no tables.
set(CMAKE_C_FLAGS_INIT "-ffunction-sections -fdata-sections -fomit-frame-pointer -DXML_STATIC")
set(left_out -Wl,--gc-sections)
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
  string(APPEND CMAKE_C_FLAGS_INIT " -fno-unwind-tables")
endif()
if(CMAKE_SYSTEM_NAME STREQUAL Darwin)
  set(left_out -Wl,-dead_strip)
endif()
foreach(kind EXE MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "$ENV{TENSORPAD_CPU_MODEL} -s ${left_out}")
endforeach()
if(CMAKE_SYSTEM_NAME STREQUAL Darwin) # zig does not know -bundle; Python loads a dylib as well
  string(APPEND CMAKE_MODULE_LINKER_FLAGS_INIT " -dynamiclib")
endif()
