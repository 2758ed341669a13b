mayfly_fuzz(analyze USES trace_support report)
mayfly_fuzz_seeds(analyze USES trace_support sim_support event_support
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/seed_check.c)
