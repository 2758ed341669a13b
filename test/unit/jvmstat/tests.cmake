foreach(module collectors counter cycle_mark cycles heap_counters perfdata perffile tenuring vm_thread)
  mayfly_unit_test(jvmstat/${module} SOURCES support/perfimage.c USES jvmstat)
endforeach()
