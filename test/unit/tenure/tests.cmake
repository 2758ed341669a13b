foreach(module actions age_tables bracket choose costing curve_fit decisions early gauge grounds java_text levers measures old_held passage place place_set plan probing references rot round rows snapshot thresholds transition worth young_trial)
  mayfly_unit_test(tenure/${module} USES tenure)
endforeach()
# `transition` covers planner.h, proposal.h and advice.h as well.
# Against a heap that is simulated object by object; `learner` covers watch.h as well.
foreach(module early_heap forecast learner young_size)
  mayfly_unit_test(tenure/${module} USES tenure SOURCES unit/tenure/young_heap.c)
endforeach()
foreach(module controller probe)
  mayfly_unit_test(tenure/${module} USES tenure SOURCES unit/tenure/young_heap.c unit/tenure/loop.c)
endforeach()
