foreach(module ages change coarse curve fisher holm interval late late_ages lifetime median product scan shape share spans special spread survival total trend turnbull weight)
  mayfly_unit_test(stat/${module} USES stat)
endforeach()
# Coverage and error rates, by simulation.
foreach(module conflict logrank coverage)
  mayfly_unit_test(stat/${module} USES stat SOURCES unit/stat/sim.c)
endforeach()
