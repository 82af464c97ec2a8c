# What a component and an application need of ESP-IDF's build, on this machine. EXTRA_COMPONENT_DIRS has the
# component, CONFIG_FOLDER the header that Kconfig wrote.
set(ESP_PLATFORM 1)
add_compile_definitions(ESP_PLATFORM)
include_directories(${CONFIG_FOLDER})

macro(idf_component_register)
  cmake_parse_arguments(component "" "" "SRCS;INCLUDE_DIRS;REQUIRES" ${ARGN})
  get_filename_component(name ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  add_library(${name} STATIC ${component_SRCS})
  target_include_directories(${name} PUBLIC ${component_INCLUDE_DIRS})
  target_link_libraries(${name} PUBLIC ${component_REQUIRES})
endmacro()

macro(project name)
  _project(${name} LANGUAGES C)
  foreach(component ${EXTRA_COMPONENT_DIRS})
    add_subdirectory(${component} component)
  endforeach()
  add_subdirectory(main)
  file(WRITE ${CMAKE_BINARY_DIR}/start.c "void app_main(void);\nint main(void) { app_main(); }\n")
  add_executable(app ${CMAKE_BINARY_DIR}/start.c)
  target_link_libraries(app PRIVATE main)
endmacro()
