# The fake VM, and the trace that comes out of it.
add_library(agent_support STATIC support/agent_rig.c support/agent_trace.c support/asleep.c support/fake_calls.c
  support/fake_vm.c support/jvmti_memory.c support/perfimage.c)
target_link_libraries(agent_support PUBLIC agent trace_zstd test_support PRIVATE mayfly_flags)

foreach(module account_out actuator age_class boot_classes catalog children chunks class_batch collector_flag configs control cpu_share decisions_file doors events exact_accounts exact_losses exact_out exact_traps frames vm_threads gcs handover heap_fill heap_request hook_jumps in_sight journal judgements jump jumps late_classes learning live marking methods moves names
    footprint class_cache dead_in_place output own_thread pause_gate place_key primer probe_records recorder recorder_lessons recorder_names rewritten running sampler key_ids self_test sentry_post session sought_methods teller spacing stack_fetch stacks stretch tags tenure_notes tenure_records thinning tiers told_sites trial vm unsampled vm_levers waker wish_book wishes writer young_lever zstd_load)
  mayfly_unit_test(agent/${module} USES agent_support m)
endforeach()
mayfly_unit_test(agent/waiting_sites USES agent_support)
foreach(module call_path places site_code)
  mayfly_unit_test(agent/${module} SOURCES support/code_cache.c USES agent_support)
endforeach()
foreach(module quiet rewrite_class rewrites)
  mayfly_unit_test(agent/${module} SOURCES support/class_maker.c USES agent_support)
endforeach()
mayfly_unit_test(agent/any_libc SOURCES ${CMAKE_SOURCE_DIR}/src/agent/any_libc.c)
