# The padding2d functions of embARC MLI, each library a single file that holds the engine too:
# tensorpad_mli for the tensors of MLI 1.1, tensorpad_mli_1_0 for those of 1.0.
foreach(library tensorpad_mli tensorpad_mli_1_0)
  string(REPLACE tensorpad_ "" word ${library})
  add_library(${library} STATIC src/firmware/mli_functions.c)
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${word} C_VISIBILITY_PRESET default
                        ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                        POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${library} PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:tensorpad_options>)
  add_library(tensorpad::${word} ALIAS ${library})
endforeach()
target_compile_definitions(tensorpad_mli_1_0 PUBLIC TPAD_MLI_1_0)
