# The script that `tensorpad check --witness` writes, as a constant of C, in ${generated}/witness.py.h.
set(witness ${CMAKE_CURRENT_LIST_DIR}/witness.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${witness})
file(READ ${witness} witness_script HEX)
string(REGEX REPLACE "(..)" "0x\\1," witness_script "${witness_script}")
file(CONFIGURE OUTPUT ${generated}/witness.py.h @ONLY CONTENT
     "/* Made of checker/command/witness.py. */\nstatic const char witness_script[] = {@witness_script@};\n")
