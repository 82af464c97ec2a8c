# The file formats, the readers of models, and what is built on them: each a library that knows only those
# above it. Each foreign library is optional. This file and --version say which one is missing.
file(GLOB_RECURSE formats_sources CONFIGURE_DEPENDS formats/*.c checker/protobuf/*.c)
file(GLOB readers_sources CONFIGURE_DEPENDS checker/models/*.c checker/models/graph/*.c
     checker/models/onnx/*.c checker/models/openvino/*.c)
file(GLOB models_sources CONFIGURE_DEPENDS checker/models/folding/*.c checker/models/lowering/*.c)

option(TENSORPAD_WITH_NANOPB "Read .pb and .onnx files, if nanopb is there" ON)
option(TENSORPAD_WITH_EXPAT "Read .xml files of OpenVINO, if expat is there" ON)
option(TENSORPAD_WITH_PNG "Read and write .png files, if libpng is there" ON)

# What a missing library takes away: its sources, which begin with a name of their own.
set(all_sources formats_sources readers_sources models_sources)

find_program(NANOPB_GENERATOR NAMES nanopb_generator.py nanopb_generator)
find_library(NANOPB_LIBRARY NAMES protobuf-nanopb)
find_path(NANOPB_INCLUDE pb_decode.h PATH_SUFFIXES nanopb)
if(TENSORPAD_WITH_NANOPB AND NANOPB_GENERATOR AND NANOPB_LIBRARY AND NANOPB_INCLUDE)
  set(with_nanopb ON)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  file(MAKE_DIRECTORY ${generated})
  add_custom_command(
      OUTPUT ${generated}/onnx.pb.c ${generated}/onnx.pb.h
      COMMAND ${NANOPB_GENERATOR} -q -I ${PROJECT_SOURCE_DIR}/checker/protobuf -D ${generated} onnx.proto
      DEPENDS checker/protobuf/onnx.proto checker/protobuf/onnx.options
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/checker/protobuf
      VERBATIM)
  list(APPEND formats_sources ${generated}/onnx.pb.c)
else()
  set(with_nanopb OFF)
  foreach(sources ${all_sources})
    list(FILTER ${sources} EXCLUDE REGEX "/(protobuf|models/onnx)/|/onnx_[a-z]+\\.c$")
  endforeach()
  message(STATUS "without nanopb: no .pb and .onnx files")
endif()

if(TENSORPAD_WITH_EXPAT)
  find_package(EXPAT QUIET)
endif()
if(NOT EXPAT_FOUND)
  foreach(sources ${all_sources})
    list(FILTER ${sources} EXCLUDE REGEX "/models/openvino/|/ir_[a-z_]+\\.c$")
  endforeach()
  message(STATUS "without expat: no .xml files")
endif()

if(TENSORPAD_WITH_PNG)
  find_package(PNG QUIET)
endif()
if(NOT PNG_FOUND)
  message(STATUS "without libpng: no .png files")
endif()

# A static library of these sources, which knows the foreign libraries, and links what follows.
function(add_tools_library name sources)
  add_library(${name} STATIC ${${sources}})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}
                             ${PROJECT_SOURCE_DIR}/checker)
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE _FILE_OFFSET_BITS=64)
  target_link_libraries(${name} PUBLIC ${ARGN} PRIVATE m tensorpad_options)
  if(TENSORPAD_SANITIZE OR TENSORPAD_COVERAGE)
    target_compile_definitions(${name} PRIVATE TPAD_ARENA_BLOCK_BYTES=1)
  endif()
  if(with_nanopb)
    target_include_directories(${name} PRIVATE ${generated})
    target_include_directories(${name} SYSTEM PRIVATE ${NANOPB_INCLUDE})
    target_compile_definitions(${name} PRIVATE TPAD_WITH_NANOPB)
    target_link_libraries(${name} PRIVATE ${NANOPB_LIBRARY})
  endif()
  if(EXPAT_FOUND)
    target_compile_definitions(${name} PRIVATE TPAD_WITH_EXPAT)
    target_link_libraries(${name} PRIVATE EXPAT::EXPAT)
  endif()
  if(PNG_FOUND)
    target_compile_definitions(${name} PRIVATE TPAD_WITH_PNG)
    target_link_libraries(${name} PRIVATE PNG::PNG)
  endif()
endfunction()
if(WIN32)
  set(system_libraries shell32 shlwapi pthread)
endif()
if(with_nanopb)
  set_source_files_properties(${generated}/onnx.pb.c PROPERTIES COMPILE_OPTIONS "-w")
endif()
add_tools_library(tensorpad_formats formats_sources tensorpad ${system_libraries})
add_tools_library(tensorpad_readers readers_sources tensorpad_formats tensorpad_rules)
add_tools_library(tensorpad_models models_sources tensorpad_readers)
