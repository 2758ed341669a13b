foreach(module bars csv exact_view number quote short table text)
  mayfly_unit_test(report/${module} USES report)
endforeach()
