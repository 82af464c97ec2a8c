# What a module and an application need of Zephyr's build, on this machine. ZEPHYR_MODULE is the folder that
# zephyr/module.yml names, AUTOCONF the header that Kconfig wrote.
file(STRINGS ${AUTOCONF} settings REGEX "^#define CONFIG_")
foreach(setting ${settings})
  string(REGEX MATCH "(CONFIG_[A-Z_]+) (.*)" found ${setting})
  set(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()
enable_language(C)
add_executable(app)
add_library(zephyr_interface INTERFACE)
target_include_directories(zephyr_interface INTERFACE ${CMAKE_CURRENT_LIST_DIR}/include)
target_compile_options(zephyr_interface INTERFACE -imacros ${AUTOCONF} -Wall -Wextra -Werror)
target_link_libraries(app PRIVATE zephyr_interface)

function(zephyr_include_directories)
  foreach(path ${ARGN})
    get_filename_component(path ${path} ABSOLUTE)
    target_include_directories(zephyr_interface INTERFACE ${path})
  endforeach()
endfunction()

macro(zephyr_library)
  set(ZEPHYR_CURRENT_LIBRARY module)
  add_library(${ZEPHYR_CURRENT_LIBRARY} STATIC)
  target_link_libraries(${ZEPHYR_CURRENT_LIBRARY} PRIVATE zephyr_interface)
  target_link_libraries(app PRIVATE ${ZEPHYR_CURRENT_LIBRARY})
endmacro()

macro(zephyr_library_sources)
  target_sources(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGN})
endmacro()

add_subdirectory(${ZEPHYR_MODULE} module)
