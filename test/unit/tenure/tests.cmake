foreach(module choose controller decisions forecast learner)
  mayfly_unit_test(tenure/${module} USES tenure SOURCES unit/tenure/young_heap.c)
endforeach()
