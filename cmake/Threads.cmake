# Threads for programs that have none. It is an archive of its own, so that the core depends on nothing.
# It calls no function of the core. tensorpad::threads is the archive with the static library,
# tensorpad::threads_shared the same archive with the shared one.
option(TENSORPAD_WITH_THREADS "A pool of threads; it needs POSIX threads or Windows" ON)
if(TENSORPAD_WITH_THREADS)
  if(WIN32)
    set(threads_libraries "")
  else()
    set(threads_libraries -pthread) # also for tensorpad-threads.pc
  endif()
  # Some processors of 32 bits have the atomic operations on 64 in a library.
  include(CheckCSourceCompiles)
  check_c_source_compiles("#include <stdatomic.h>
      int main(void) { static _Atomic(unsigned long long) n; return (int)atomic_fetch_add(&n, 1); }"
      TENSORPAD_ATOMICS_ON_64_BITS)
  if(NOT TENSORPAD_ATOMICS_ON_64_BITS)
    string(APPEND threads_libraries " -latomic")
  endif()
  separate_arguments(threads_options UNIX_COMMAND "${threads_libraries}")
  add_library(tensorpad_threads STATIC src/threads/threads.c)
  target_link_libraries(tensorpad_threads PRIVATE ${threads_options})
else()
  set(threads_libraries "")
  add_library(tensorpad_threads STATIC src/threads/one_thread.c)
endif()
target_include_directories(tensorpad_threads PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_definitions(tensorpad_threads PRIVATE _GNU_SOURCE $<$<BOOL:${SKBUILD}>:TPAD_API=>)
target_link_libraries(tensorpad_threads PRIVATE $<BUILD_INTERFACE:tensorpad_options>)
set_target_properties(tensorpad_threads PROPERTIES EXPORT_NAME threads_archive
                      ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} POSITION_INDEPENDENT_CODE ON)
add_library(tensorpad_with_threads INTERFACE)
target_link_libraries(tensorpad_with_threads INTERFACE tensorpad_threads tensorpad)
set_target_properties(tensorpad_with_threads PROPERTIES EXPORT_NAME threads)
add_library(tensorpad::threads ALIAS tensorpad_with_threads)
add_library(tensorpad_shared_with_threads INTERFACE)
target_link_libraries(tensorpad_shared_with_threads INTERFACE tensorpad_threads tensorpad_shared)
set_target_properties(tensorpad_shared_with_threads PROPERTIES EXPORT_NAME threads_shared)
add_library(tensorpad::threads_shared ALIAS tensorpad_shared_with_threads)

# The archive as a shared library, for bench/rivals.py, which loads it by name. It is not installed.
get_target_property(threads_sources tensorpad_threads SOURCES)
add_library(tensorpad_threads_shared SHARED EXCLUDE_FROM_ALL ${threads_sources})
target_compile_definitions(tensorpad_threads_shared PRIVATE _GNU_SOURCE)
target_link_libraries(tensorpad_threads_shared PRIVATE tensorpad_threads)
set_target_properties(tensorpad_threads_shared PROPERTIES OUTPUT_NAME tensorpad_threads
                      C_VISIBILITY_PRESET default LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
