foreach(module ages curve holm interval lifetime product shape spans special survival total turnbull weight)
  mayfly_unit_test(stat/${module} USES stat)
endforeach()
# Coverage and error rates, by simulation.
foreach(module conflict logrank coverage)
  mayfly_unit_test(stat/${module} USES stat SOURCES unit/stat/sim.c)
endforeach()
