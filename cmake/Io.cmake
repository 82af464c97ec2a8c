# The file formats. Each foreign library is optional; what is missing is said here and by --version.
file(GLOB io_sources CONFIGURE_DEPENDS src/io/*.c src/io/model/*.c)

option(TENSORPAD_WITH_NANOPB "Read .pb and .onnx files, if nanopb is there" ON)
option(TENSORPAD_WITH_PNG "Read and write .png files, if libpng is there" ON)

find_program(NANOPB_GENERATOR NAMES nanopb_generator.py nanopb_generator)
find_library(NANOPB_LIBRARY NAMES protobuf-nanopb)
find_path(NANOPB_INCLUDE pb_decode.h PATH_SUFFIXES nanopb)
if(TENSORPAD_WITH_NANOPB AND NANOPB_GENERATOR AND NANOPB_LIBRARY AND NANOPB_INCLUDE)
  set(with_nanopb ON)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  file(MAKE_DIRECTORY ${generated})
  add_custom_command(
      OUTPUT ${generated}/onnx.pb.c ${generated}/onnx.pb.h
      COMMAND ${NANOPB_GENERATOR} -q -I ${PROJECT_SOURCE_DIR}/src/io/onnx -D ${generated} onnx.proto
      DEPENDS src/io/onnx/onnx.proto src/io/onnx/onnx.options
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/src/io/onnx
      VERBATIM)
  file(GLOB onnx_sources CONFIGURE_DEPENDS src/io/onnx/*.c)
  list(APPEND io_sources ${onnx_sources} ${generated}/onnx.pb.c)
else()
  set(with_nanopb OFF)
  message(STATUS "without nanopb: no .pb and .onnx files")
endif()

if(TENSORPAD_WITH_PNG)
  find_package(PNG QUIET)
endif()
if(NOT PNG_FOUND)
  message(STATUS "without libpng: no .png files")
endif()

add_library(tensorpad_io STATIC ${io_sources})
target_include_directories(tensorpad_io PUBLIC ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(tensorpad_io PRIVATE _GNU_SOURCE)
target_link_libraries(tensorpad_io PUBLIC tensorpad PRIVATE m tensorpad_options)
if(with_nanopb)
  target_include_directories(tensorpad_io PRIVATE ${generated} ${PROJECT_SOURCE_DIR}/src/io/onnx)
  target_include_directories(tensorpad_io SYSTEM PRIVATE ${NANOPB_INCLUDE})
  target_compile_definitions(tensorpad_io PRIVATE TPAD_WITH_NANOPB)
  target_link_libraries(tensorpad_io PRIVATE ${NANOPB_LIBRARY})
  set_source_files_properties(${generated}/onnx.pb.c PROPERTIES COMPILE_OPTIONS "-w")
endif()
if(PNG_FOUND)
  target_compile_definitions(tensorpad_io PRIVATE TPAD_WITH_PNG)
  target_link_libraries(tensorpad_io PRIVATE PNG::PNG)
endif()
