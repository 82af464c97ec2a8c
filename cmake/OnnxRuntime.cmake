# Pad inside ONNX Runtime: a library that ONNX Runtime loads, and the same for programs that link it.
# It needs no header of ONNX Runtime. TENSORPAD_ORT_INCLUDE names the folder of onnxruntime_c_api.h, if
# there is one, to compare our own declaration with it.
set(TENSORPAD_ORT_INCLUDE "" CACHE PATH "Folder of onnxruntime_c_api.h, to check against it")

file(GLOB ort_sources CONFIGURE_DEPENDS plugins/onnxruntime/*.c)
if(NOT TENSORPAD_ORT_INCLUDE)
  list(FILTER ort_sources EXCLUDE REGEX "/api_check\\.c$")
endif()
add_library(tensorpad_ort_static STATIC ${ort_sources})
add_library(tensorpad_ort MODULE ${ort_sources})
foreach(library tensorpad_ort_static tensorpad_ort)
  target_include_directories(${library} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PRIVATE tensorpad $<BUILD_INTERFACE:tensorpad_options>)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME tensorpad_ort POSITION_INDEPENDENT_CODE ON
                        ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  if(TENSORPAD_ORT_INCLUDE)
    target_include_directories(${library} SYSTEM PRIVATE ${TENSORPAD_ORT_INCLUDE})
  endif()
endforeach()
set_target_properties(tensorpad_ort_static PROPERTIES EXPORT_NAME ort)
if(WIN32)
  set(ort_plugin tensorpad_ort.dll)
elseif(APPLE)
  set(ort_plugin libtensorpad_ort.dylib)
else()
  set(ort_plugin libtensorpad_ort.so)
endif()
set_target_properties(tensorpad_ort PROPERTIES PREFIX "" OUTPUT_NAME ${ort_plugin} SUFFIX "")
add_library(tensorpad::ort ALIAS tensorpad_ort_static)
# The library that is loaded shows its two functions, and none of tensorpad's own. It stays loaded:
# ONNX Runtime would unload it with the last session and leave what was registered after it. On Windows and
# macOS src/port/stay_loaded.h sees to this.
target_compile_definitions(tensorpad_ort PRIVATE TPAD_BUILD_SHARED)
if(UNIX AND NOT APPLE)
  set(ort_exports ${CMAKE_CURRENT_LIST_DIR}/../plugins/onnxruntime/exports.map)
  target_link_options(tensorpad_ort PRIVATE -Wl,--version-script=${ort_exports} -Wl,-z,nodelete)
  set_property(TARGET tensorpad_ort APPEND PROPERTY LINK_DEPENDS ${ort_exports})
endif()
