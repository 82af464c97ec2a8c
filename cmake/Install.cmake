# Installs what other projects use: headers, libraries, find_package(tensorpad) and pkg-config, the licence, and
# the command's page for `man`.
include(CMakePackageConfigHelpers)

set(libraries tensorpad tensorpad_shared tensorpad_threads tensorpad_with_threads
    tensorpad_shared_with_threads)
if(TENSORPAD_MLI)
  list(APPEND libraries tensorpad_mli tensorpad_mli_1_0)
endif()
if(TENSORPAD_ORT)
  list(APPEND libraries tensorpad_ort_static)
  # In a folder of its own, so that linkers do not take it for a shared library.
  install(TARGETS tensorpad_ort DESTINATION ${CMAKE_INSTALL_LIBDIR}/tensorpad)
endif()
if(TENSORPAD_GPU)
  list(APPEND libraries tensorpad_gpu)
endif()
install(TARGETS ${libraries} EXPORT tensorpad)
# Not CMAKE_INSTALL_DOCDIR: in a project that contains tensorpad, that is the folder of the project.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/tensorpad)
if(TENSORPAD_COMMAND)
  set(TENSORPAD_HOST_COMMAND "" CACHE FILEPATH
      "For builds for another system: a tensorpad of this version that runs here, for the page of man")
  set(man_page ${PROJECT_BINARY_DIR}/tensorpad.1)
  add_custom_command(OUTPUT ${man_page} DEPENDS tensorpad_command cmake/man_page.cmake VERBATIM
      COMMAND ${CMAKE_COMMAND} -DCOMMAND=$<TARGET_FILE:tensorpad_command> -DPAGE=${man_page}
              -DNATIVE=${PROJECT_BINARY_DIR}/native -DTENSORPAD_HOST_COMMAND=${TENSORPAD_HOST_COMMAND}
              -P ${PROJECT_SOURCE_DIR}/cmake/man_page.cmake)
  add_custom_target(tensorpad_man_page ALL DEPENDS ${man_page})
  install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
if(NOT TENSORPAD_GPU)
  set(not_built PATTERN gpu.h EXCLUDE)
endif()
install(DIRECTORY include/tensorpad DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${not_built})
install(EXPORT tensorpad NAMESPACE tensorpad:: FILE tensorpad-config.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tensorpad)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tensorpad-config-version.cmake
                                 COMPATIBILITY ${compatibility})
install(FILES ${PROJECT_BINARY_DIR}/tensorpad-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tensorpad)
# The .pc files name folders relative to their own place, so that they stay right after
# `cmake --install --prefix` and after the folder was moved.
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_to_prefix ${pc_to_prefix})
cmake_path(APPEND pc_libdir "\${prefix}" ${CMAKE_INSTALL_LIBDIR})
cmake_path(APPEND pc_includedir "\${prefix}" ${CMAKE_INSTALL_INCLUDEDIR})
# package: its description, its libraries, and more lines
function(install_pc package description libraries)
  string(JOIN "\n" more ${ARGN})
  configure_file(cmake/package.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
install_pc(tensorpad "${PROJECT_DESCRIPTION}" -ltensorpad)
string(STRIP "-ltensorpad_threads ${threads_libraries}" threads)
install_pc(tensorpad-threads "Threads for tensorpad" "${threads}" "Requires: tensorpad")
if(TENSORPAD_ORT)
  install_pc(tensorpad-ort "Pad inside ONNX Runtime" -ltensorpad_ort "Requires: tensorpad"
             "plugin=\${libdir}/tensorpad/${ort_plugin}")
endif()
