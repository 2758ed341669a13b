foreach(module bars number short table text)
  mayfly_unit_test(report/${module} USES report)
endforeach()
