# What tests/CMakeLists.txt describes tests with.

# What the first tier runs, and the programs that it does not run, and does not build
add_custom_target(quick_tests)
add_custom_target(full_tests)

# Adds a test with a label, which says what the tiers of tests/runners/run.py do with it. In `make test`
# `quick` tests run whole, `share` tests do a share of their work. The second tier runs `share` and
# `full` tests whole and a part of `sample` tests, `make test-all` the whole of `sample` and `all`
# tests. Under sanitizers the first tier has only what drives the core, once for each variant, and
# the stored inputs of the fuzzers.
function(add_labelled_test label name) # and its command
  if(TENSORPAD_SANITIZE AND NOT name MATCHES "^replay_")
    string(REGEX REPLACE "^quick$" full label ${label})
    string(REGEX REPLACE "^share$" sample label ${label})
  endif()
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${label})
  list(TRANSFORM ARGN REPLACE "^\\$<TARGET_FILE:(.*)>$" "\\1")
  foreach(word ${ARGN})
    if(TARGET ${word} AND label MATCHES "^(quick|share)")
      add_dependencies(quick_tests ${word})
    endif()
  endforeach()
endfunction()

# The variants of the kernels. A machine that cannot run one skips its tests.
set(variants plain)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND variants ssse3 avx2 avx512bw avx512)
  if(TENSORPAD_COVERAGE) # to the plans it is a smaller avx2
    list(REMOVE_ITEM variants ssse3)
  endif()
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  list(APPEND variants neon)
endif()

# The oracle and the helpers of the random tests. They see the public header only.
set(support_sources guard.c oracle.c random_main.c random_problem.c)
list(TRANSFORM support_sources PREPEND ${PROJECT_SOURCE_DIR}/tests/support/)
add_library(test_support STATIC ${support_sources})
target_compile_definitions(test_support PUBLIC _GNU_SOURCE)
target_link_libraries(test_support PUBLIC tensorpad PRIVATE tensorpad_options)
set_target_properties(test_support PROPERTIES TENSORPAD_UNCOUNTED ON)

# A test in C:
#
#     c_test(NAME LABEL SOURCE... [EACH_KERNEL] [LIBRARIES ...] [DEFINITIONS ...] [ARGUMENTS ...] [WRAPS ...])
#
# WRAPS are functions that it replaces. The linker of macOS cannot do this, so that the test is left out there.
# It links test_support, or in its place LIBRARIES. Status 77 says that it is skipped. With EACH_KERNEL it
# moves data: if the build lets the environment select the kernels, it runs once for each variant, as
# NAME.VARIANT with the label LABEL.VARIANT.
function(c_test name label)
  cmake_parse_arguments(PARSE_ARGV 2 its EACH_KERNEL "" "LIBRARIES;DEFINITIONS;ARGUMENTS;WRAPS")
  set_property(GLOBAL APPEND PROPERTY tested_sources ${its_UNPARSED_ARGUMENTS})
  if(its_WRAPS AND APPLE)
    return()
  endif()
  if(NOT its_LIBRARIES)
    set(its_LIBRARIES test_support)
  endif()
  add_executable(${name} ${its_UNPARSED_ARGUMENTS})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE ${its_DEFINITIONS})
  target_link_libraries(${name} PRIVATE ${its_LIBRARIES} PkgConfig::CMOCKA Threads::Threads m
                        tensorpad_options)
  list(TRANSFORM its_WRAPS PREPEND -Wl,--wrap=)
  target_link_options(${name} PRIVATE ${its_WRAPS})
  set_target_properties(${name} PROPERTIES TENSORPAD_UNCOUNTED ON)
  if(as_released AND "selectable" IN_LIST its_LIBRARIES) # it compiles the library again
    set(label full)
  endif()
  if(label MATCHES "^(full|all)$")
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_dependencies(full_tests ${name})
  endif()
  set(names ${name})
  if(its_EACH_KERNEL AND TENSORPAD_KERNELS_ENV)
    list(TRANSFORM variants PREPEND ${name}. OUTPUT_VARIABLE names)
    foreach(variant ${variants})
      add_labelled_test(${label}.${variant} ${name}.${variant}
          ${PROJECT_SOURCE_DIR}/tests/support/forced.sh $<TARGET_FILE:test_kernels> ${variant}
          $<TARGET_FILE:${name}> ${its_ARGUMENTS})
    endforeach()
  else()
    add_labelled_test(${label} ${name} ${name} ${its_ARGUMENTS})
  endif()
  set_tests_properties(${names} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# The library with the helpers of the tests and with the pool: the environment selects the kernels, and the
# pool makes no pause.
function(selectable_library name)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/src/threads/threads.c)
  target_compile_definitions(${name} PUBLIC _GNU_SOURCE PRIVATE TPAD_LONGEST_PAUSE_NS=0)
  target_link_libraries(${name} PUBLIC Threads::Threads m PRIVATE tensorpad_options)
  set_target_properties(${name} PROPERTIES TENSORPAD_UNCOUNTED ON)
  if(TENSORPAD_KERNELS_ENV)
    target_link_libraries(${name} PUBLIC test_support)
  else()
    target_sources(${name} PRIVATE ${library_sources} ${support_sources})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include)
    target_compile_definitions(${name} PRIVATE TPAD_KERNELS_ENV)
  endif()
endfunction()

# A test of the core, by each variant, and as released also with a library without tables, as it is on
# machines without vectors.
function(core_test name label) # and c_test's arguments
  c_test(${name} ${label} c/core/${name}.c EACH_KERNEL ${ARGN})
  if(as_released)
    c_test(${name}_without_tables full c/core/${name}.c LIBRARIES without_tables)
  endif()
endfunction()

# A test of the core with the tables of AVX-512, on any processor: its kernels are replaced by plain C.
function(pretended_test name label) # and its arguments
  c_test(${name}_pretended ${label} c/core/${name}.c c/kernels/pretended.c ARGUMENTS ${ARGN})
endfunction()

# Ends where one of the sources that these patterns find is of no test.
function(check_sources)
  get_property(tested GLOBAL PROPERTY tested_sources)
  file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${ARGN})
  list(REMOVE_ITEM sources ${tested})
  if(sources)
    message(FATAL_ERROR "tests/CMakeLists.txt has no test of ${sources}")
  endif()
endfunction()

# An example in C: it has to print its part of examples/outputs.txt. 01_quickstart becomes example_quickstart.
function(example_test file) # and its libraries
  string(REGEX REPLACE "^[0-9]+" "example" name ${file})
  add_executable(${name} ../examples/${file}.c)
  target_link_libraries(${name} PRIVATE ${ARGN} tensorpad_options)
  add_labelled_test(quick ${name} ${PROJECT_SOURCE_DIR}/tests/support/example.sh $<TARGET_FILE:${name}>
                    ${file})
  set_property(GLOBAL APPEND PROPERTY tested_sources ../examples/${file}.c)
endfunction()

# A test by pytest, in build/venv: paths from tests/, and options. As released there is NAME.rest
# too: what the first tier leaves out of a quick test (conftest.py).
function(pytest_test name label)
  list(TRANSFORM ARGN REPLACE "^([a-z.].*)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1" OUTPUT_VARIABLE arguments)
  set(command ${PROJECT_SOURCE_DIR}/build/venv/bin/python -m pytest -q -rs -p no:cacheprovider
      ${arguments})
  add_labelled_test(${label} ${name} ${command})
  set(names ${name})
  if(as_released AND label STREQUAL "quick" AND NOT name STREQUAL "pytest_faults") # has no such tests
    add_labelled_test(full ${name}.rest ${command} -m "long or share")
    list(APPEND names ${name}.rest)
  endif()
  set(environment TENSORPAD=${PROJECT_BINARY_DIR}/tensorpad TENSORPAD_FAULTS=$<TARGET_FILE:faults>
      TENSORPAD_DATA=${PROJECT_SOURCE_DIR}/build/data)
  set_tests_properties(${names} PROPERTIES ENVIRONMENT "${environment}")
endfunction()
