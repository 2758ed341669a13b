foreach(module context lifespans lifetime tree where)
  mayfly_unit_test(analyze/${module} USES analyze sim_support SOURCES support/ledger_of.c)
endforeach()
