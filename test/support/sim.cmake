# A made-up program, for the tests of the analyses, the golden screens and the bench.
add_library(sim_support STATIC ${CMAKE_CURRENT_LIST_DIR}/sim.c ${CMAKE_CURRENT_LIST_DIR}/exact_sim.c
  ${CMAKE_CURRENT_LIST_DIR}/tenure_sim.c)
target_link_libraries(sim_support PUBLIC trace stat PRIVATE mayfly_flags)
target_include_directories(sim_support PUBLIC ${CMAKE_SOURCE_DIR}/test)

# Objects followed through the collections of a made-up heap, and traces of them.
add_library(event_support STATIC ${CMAKE_CURRENT_LIST_DIR}/sim_heap.c ${CMAKE_CURRENT_LIST_DIR}/sim_follow.c
  ${CMAKE_CURRENT_LIST_DIR}/event_trace.c ${CMAKE_CURRENT_LIST_DIR}/stretch_of.c)
target_link_libraries(event_support PUBLIC exact test_support PRIVATE mayfly_flags)
target_include_directories(event_support PUBLIC ${CMAKE_SOURCE_DIR}/test)
