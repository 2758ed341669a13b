foreach(module bars short table text)
  mayfly_unit_test(report/${module} USES report)
endforeach()
