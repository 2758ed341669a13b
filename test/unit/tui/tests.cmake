foreach(module grid keys scroll state strip)
  mayfly_unit_test(tui/${module} USES tui)
endforeach()
foreach(module detail listing scene)
  mayfly_unit_test(tui/${module} USES tui sim_support
    SOURCES support/ledger_of.c support/advise_of.c unit/tui/golden_grid.c unit/tui/sight_of.c)
  target_compile_definitions(unit_tui_${module} PRIVATE TUI_GOLDENS="${CMAKE_CURRENT_LIST_DIR}/golden")
endforeach()
