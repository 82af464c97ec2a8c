# Pads on GPUs: src/gpu, and its kernels as text, which NVRTC, hiprtc and OpenCL compile when a program runs.
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
list(APPEND library_sources ${gpu_sources} ${PROJECT_BINARY_DIR}/generated/gpu_source.c)
