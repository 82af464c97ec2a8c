# The script that `tensorpad check --witness` writes, as a constant of C: cli/witness.py.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cli/witness.py)
file(READ cli/witness.py witness_script)
string(REPLACE "\\" "\\\\" witness_script "${witness_script}")
string(REPLACE "\"" "\\\"" witness_script "${witness_script}")
string(REPLACE "\n" "\\n\"\n    \"" witness_script "${witness_script}")
file(CONFIGURE OUTPUT generated/witness.py.h @ONLY CONTENT
     "/* Made of cli/witness.py. */\nstatic const char witness_script[] =\n    \"@witness_script@\";\n")
target_include_directories(tensorpad_command PRIVATE ${PROJECT_BINARY_DIR}/generated)
