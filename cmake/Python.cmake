# The Python package, built by scikit-build-core (pyproject.toml): the extension modules, the command
# and the plug-in for ONNX Runtime, installed as the component `python`: into the package's folder, but the
# command, which goes where Python's environment has its programs.
set(component Development.Module)
if(SKBUILD_SABI_COMPONENT)
  set(component ${SKBUILD_SABI_COMPONENT})
endif()
find_package(Python COMPONENTS Interpreter ${component})
if(NOT Python_FOUND)
  message(FATAL_ERROR "Python.h was not found: install python3-dev (Debian, Ubuntu) or python3-devel (Fedora)")
endif()
if(WIN32 AND CMAKE_CROSSCOMPILING) # FindPython adds libraries of the interpreter that builds
  set_property(TARGET Python::SABIModule PROPERTY INTERFACE_LINK_LIBRARIES "")
endif()
if(NOT Python_SOABI)
  set(Python_SOABI ${SKBUILD_SOABI}) # a build for another system cannot ask the interpreter
endif()
set(sabi)
if(SKBUILD_SABI_VERSION)
  set(sabi USE_SABI ${SKBUILD_SABI_VERSION})
endif()

file(GLOB python_core_sources CONFIGURE_DEPENDS python/extension/*.c)
python_add_library(python_core MODULE ${sabi} WITH_SOABI ${python_core_sources})
set_target_properties(python_core PROPERTIES OUTPUT_NAME _core)
target_link_libraries(python_core PRIVATE tensorpad_pictures tensorpad_threads tensorpad_gpu tensorpad tensorpad_options)
install(TARGETS python_core DESTINATION tensorpad COMPONENT python)
install(TARGETS tensorpad_command DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)

file(GLOB python_models_sources CONFIGURE_DEPENDS checker/python/*.c)
python_add_library(python_models MODULE ${sabi} WITH_SOABI ${python_models_sources})
set_target_properties(python_models PROPERTIES OUTPUT_NAME _models)
target_link_libraries(python_models PRIVATE tensorpad_models tensorpad_threads tensorpad tensorpad_options)
install(TARGETS python_models DESTINATION tensorpad COMPONENT python)

if(UNIX AND NOT APPLE)
  set(python_exports ${CMAKE_CURRENT_LIST_DIR}/../python/extension/exports.map)
  foreach(module python_core python_models)
    target_link_options(${module} PRIVATE -Wl,--version-script=${python_exports})
    set_property(TARGET ${module} APPEND PROPERTY LINK_DEPENDS ${python_exports})
  endforeach()
endif()

# The plug-in for ONNX Runtime, which is no extension module.
install(TARGETS tensorpad_ort DESTINATION tensorpad/lib COMPONENT python)

# What tensorpad.verify shares with the programs that measure the runtimes: the processes in which these run.
install(FILES conformance/worker.py DESTINATION tensorpad/_kit COMPONENT python)
foreach(module __init__ json_arrays runtimes)
  install(FILES conformance/kit/${module}.py DESTINATION tensorpad/_kit/kit COMPONENT python)
endforeach()
foreach(runtime onnx_reference onnxruntime opencv openvino tract)
  install(FILES conformance/adapters/${runtime}.py DESTINATION tensorpad/_kit/adapters COMPONENT python)
endforeach()

# Of the libraries that are linked into the package, where it is built to be handed on.
set(TENSORPAD_LICENSES "" CACHE PATH "Folder of licences that the wheel holds besides our own")
if(TENSORPAD_LICENSES)
  install(DIRECTORY ${TENSORPAD_LICENSES}/ DESTINATION ${SKBUILD_METADATA_DIR}/licenses
          COMPONENT python)
endif()
