# A made-up program, for the tests of the analyses, the golden screens and the bench.
add_library(sim_support STATIC ${CMAKE_CURRENT_LIST_DIR}/sim.c ${CMAKE_CURRENT_LIST_DIR}/exact_sim.c)
target_link_libraries(sim_support PUBLIC trace stat PRIVATE mayfly_flags)
target_include_directories(sim_support PUBLIC ${CMAKE_SOURCE_DIR}/test)
