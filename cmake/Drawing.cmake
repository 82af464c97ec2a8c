# Pictures of what a pad does: SVG and text.
file(GLOB pictures_sources CONFIGURE_DEPENDS drawing/*.c)
add_library(tensorpad_pictures STATIC ${pictures_sources})
set_target_properties(tensorpad_pictures PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(tensorpad_pictures PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(tensorpad_pictures PUBLIC tensorpad PRIVATE m tensorpad_options)
target_compile_definitions(tensorpad_pictures PRIVATE _GNU_SOURCE)
