foreach(module defs facts gcs life live names replay)
  mayfly_unit_test(model/${module} USES model sim_support)
endforeach()
