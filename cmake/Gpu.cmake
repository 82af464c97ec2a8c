# Pads on GPUs, an archive beside the static library, of which it uses the inside: src/gpu, and its kernels as
# text, which NVRTC, hiprtc and OpenCL compile when a program runs.
file(GLOB gpu_sources CONFIGURE_DEPENDS src/gpu/*.c)
set(kernels "")
foreach(part language parameters axis_kernel pad_kernel adjoint_kernel)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/gpu/${part}.h)
  file(READ src/gpu/${part}.h text)
  string(REGEX REPLACE "#include \"[a-z_]+\\.h\"\n" "" text "${text}")
  string(APPEND kernels "${text}")
endforeach()
string(HEX "${kernels}" kernels) # numbers, because ISO C has no string of more than 4,095 bytes
string(REGEX REPLACE "(................................)" "\\1\n" kernels "${kernels}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," kernels "${kernels}")
file(CONFIGURE OUTPUT generated/gpu_source.c @ONLY CONTENT
"/* Made of the headers in src/gpu. */
#include <tensorpad/gpu.h>
static const char text[] = {
@kernels@0};
const char *tpad_gpu_source(void)
{
    return text;
}
")
list(APPEND gpu_sources ${PROJECT_BINARY_DIR}/generated/gpu_source.c)
add_library(tensorpad_gpu STATIC ${gpu_sources})
target_link_libraries(tensorpad_gpu PUBLIC tensorpad PRIVATE $<BUILD_INTERFACE:tensorpad_options>)
target_compile_definitions(tensorpad_gpu PRIVATE $<$<BOOL:${SKBUILD}>:TPAD_API=>)
set_target_properties(tensorpad_gpu PROPERTIES EXPORT_NAME gpu POSITION_INDEPENDENT_CODE ON
                      ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
add_library(tensorpad::gpu ALIAS tensorpad_gpu)
