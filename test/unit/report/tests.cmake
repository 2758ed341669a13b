foreach(module bars csv exact_view number quote short story_line table text)
  mayfly_unit_test(report/${module} USES report)
endforeach()
