# Threads for programs that have none. It is a library of its own, so that the core depends on nothing.
# It calls no function of the core, so it works with the static and with the shared library.
option(TENSORPAD_WITH_PTHREADPOOL "Threads from pthreadpool, if it is there" ON)

find_library(PTHREADPOOL_LIBRARY NAMES pthreadpool)
find_path(PTHREADPOOL_INCLUDE pthreadpool.h)
if(TENSORPAD_WITH_PTHREADPOOL AND PTHREADPOOL_LIBRARY AND PTHREADPOOL_INCLUDE)
  set(with_pthreadpool ON)
  set(threads_libraries -lpthreadpool -pthread) # for tensorpad-threads.pc
  add_library(tensorpad_threads STATIC src/threads/threads.c)
  target_include_directories(tensorpad_threads SYSTEM PRIVATE ${PTHREADPOOL_INCLUDE})
  target_link_libraries(tensorpad_threads PRIVATE
      $<BUILD_INTERFACE:${PTHREADPOOL_LIBRARY}> $<INSTALL_INTERFACE:pthreadpool> -pthread)
else()
  set(with_pthreadpool OFF)
  set(threads_libraries "")
  message(STATUS "without pthreadpool: one thread")
  add_library(tensorpad_threads STATIC src/threads/one_thread.c)
endif()
string(REPLACE ";" " " threads_libraries "${threads_libraries}")

target_include_directories(tensorpad_threads PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_definitions(tensorpad_threads PRIVATE _GNU_SOURCE)
target_link_libraries(tensorpad_threads PRIVATE $<BUILD_INTERFACE:tensorpad_options>)
set_target_properties(tensorpad_threads PROPERTIES EXPORT_NAME threads
                      ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} POSITION_INDEPENDENT_CODE ON)
add_library(tensorpad::threads ALIAS tensorpad_threads)

# The same as a shared library, for bench/rivals.py, which loads it by name. It is not installed.
get_target_property(threads_sources tensorpad_threads SOURCES)
add_library(tensorpad_threads_shared SHARED EXCLUDE_FROM_ALL ${threads_sources})
if(with_pthreadpool)
  target_include_directories(tensorpad_threads_shared SYSTEM PRIVATE ${PTHREADPOOL_INCLUDE})
endif()
target_compile_definitions(tensorpad_threads_shared PRIVATE _GNU_SOURCE)
target_link_libraries(tensorpad_threads_shared PRIVATE tensorpad_threads)
set_target_properties(tensorpad_threads_shared PROPERTIES OUTPUT_NAME tensorpad_threads
                      C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
