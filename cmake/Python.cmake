# The Python package, built by scikit-build-core (pyproject.toml): the extension modules, the command
# and the plug-in for ONNX Runtime, all installed into the package's folder as the component `python`.
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module ${SKBUILD_SABI_COMPONENT})
set(sabi)
if(SKBUILD_SABI_VERSION)
  set(sabi USE_SABI ${SKBUILD_SABI_VERSION})
endif()

file(GLOB python_core_sources CONFIGURE_DEPENDS python/src/*.c)
python_add_library(python_core MODULE ${sabi} WITH_SOABI ${python_core_sources})
set_target_properties(python_core PROPERTIES OUTPUT_NAME _core)
target_link_libraries(python_core PRIVATE tensorpad_threads tensorpad tensorpad_options)
install(TARGETS python_core DESTINATION tensorpad COMPONENT python)
install(TARGETS tensorpad_command DESTINATION tensorpad/bin COMPONENT python)

file(GLOB python_models_sources CONFIGURE_DEPENDS python/src/models/*.c)
python_add_library(python_models MODULE ${sabi} WITH_SOABI ${python_models_sources})
set_target_properties(python_models PROPERTIES OUTPUT_NAME _models)
target_link_libraries(python_models PRIVATE tensorpad_models tensorpad_threads tensorpad tensorpad_options)
install(TARGETS python_models DESTINATION tensorpad COMPONENT python)
set_target_properties(tensorpad_models PROPERTIES POSITION_INDEPENDENT_CODE ON)

# The plug-in for ONNX Runtime, which is no extension module.
install(TARGETS tensorpad_ort DESTINATION tensorpad/lib COMPONENT python)
