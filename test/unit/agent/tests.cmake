foreach(module frames journal live names thinning)
  mayfly_unit_test(agent/${module} USES agent m)
endforeach()
# With the trace read back.
foreach(module catalog output recorder)
  mayfly_unit_test(agent/${module} SOURCES support/agent_trace.c USES agent trace_zstd)
endforeach()
# Against a VM that is made up.
foreach(module methods sampler vm zstd_load)
  mayfly_unit_test(agent/${module} SOURCES support/agent_trace.c support/fake_vm.c USES agent trace_zstd m)
endforeach()
# Whole recordings.
foreach(module events session writer)
  mayfly_unit_test(agent/${module} SOURCES support/agent_rig.c support/agent_trace.c support/fake_vm.c USES agent trace_zstd m)
endforeach()
mayfly_unit_test(agent/control USES agent)
mayfly_unit_test(agent/gcs SOURCES support/agent_trace.c support/perfimage.c USES agent trace_zstd)
