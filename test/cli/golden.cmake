# Screens as a person reads them: cases.txt, compared with golden/NAME.txt by golden.py.
add_executable(make_trace ${CMAKE_CURRENT_LIST_DIR}/make_trace.c)
target_link_libraries(make_trace PRIVATE mayfly_flags sim_support)
set_target_properties(make_trace PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test)
mayfly_cli_test(golden)
set_property(TEST cli/golden APPEND PROPERTY ENVIRONMENT "MAKE_TRACE=$<TARGET_FILE:make_trace>")
mayfly_cli_test(contract)
set_property(TEST cli/contract APPEND PROPERTY ENVIRONMENT "MAKE_TRACE=$<TARGET_FILE:make_trace>")
