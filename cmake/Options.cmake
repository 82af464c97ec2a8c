# The options for our own code: warnings, and the sanitizers or counters that were asked for. Targets
# with the property TENSORPAD_UNCOUNTED have no counters of their own and may be optimized.
add_library(tensorpad_options INTERFACE)
target_compile_options(tensorpad_options INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror=implicit-function-declaration)
if(TENSORPAD_SANITIZE)
  target_compile_options(tensorpad_options INTERFACE
      -fsanitize=${TENSORPAD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(tensorpad_options INTERFACE -fsanitize=${TENSORPAD_SANITIZE})
  target_compile_definitions(tensorpad_options INTERFACE TPAD_CHECKED) # rules that the code checks itself
endif()
if(TENSORPAD_FUZZ)
  target_compile_options(tensorpad_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(TENSORPAD_COVERAGE)
  set(uncounted $<BOOL:$<TARGET_PROPERTY:TENSORPAD_UNCOUNTED>>)
  target_compile_options(tensorpad_options INTERFACE
      $<${uncounted}:-O2> $<$<NOT:${uncounted}>:--coverage> $<$<NOT:${uncounted}>:-fprofile-update=atomic>)
  target_link_options(tensorpad_options INTERFACE --coverage)
endif()
