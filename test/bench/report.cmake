add_executable(report_big ${CMAKE_CURRENT_LIST_DIR}/report_big.c)
target_link_libraries(report_big PRIVATE mayfly_flags sim_support trace_zstd)
set_target_properties(report_big PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test EXCLUDE_FROM_ALL ON)
