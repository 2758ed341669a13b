foreach(module counts defs facts fan gcs heap_counts late life live names replay tenure)
  mayfly_unit_test(model/${module} USES model sim_support)
endforeach()
mayfly_unit_test(model/followed USES model event_support trace_zstd)
