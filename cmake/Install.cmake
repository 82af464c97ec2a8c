# What other projects use: headers, libraries, find_package(tensorpad) and pkg-config.
include(CMakePackageConfigHelpers)

install(TARGETS tensorpad tensorpad_shared EXPORT tensorpad)
install(FILES include/tensorpad/tensorpad.h include/tensorpad/onnx.h
              include/tensorpad/openvino.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tensorpad)
install(EXPORT tensorpad NAMESPACE tensorpad:: FILE tensorpad-config.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tensorpad)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tensorpad-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tensorpad-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tensorpad)
configure_file(cmake/tensorpad.pc.in ${PROJECT_BINARY_DIR}/tensorpad.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tensorpad.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
