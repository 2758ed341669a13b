# A room is one static library a folder; what it links is what it may use (doc/architecture.md).
function(mayfly_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES" ${ARGN})
  add_library(${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(${name} PUBLIC ${ROOM_USES} PRIVATE mayfly_flags)
endfunction()

# A unit test: test/unit/ROOM/NAME.c, linked with the rooms it names.
function(mayfly_unit_test name)
  cmake_parse_arguments(TEST "" "" "USES;SOURCES" ${ARGN})
  string(REPLACE "/" "_" target unit_${name})
  add_executable(${target} unit/${name}.c ${TEST_SOURCES})
  target_link_libraries(${target} PRIVATE mayfly_flags test_support ${TEST_USES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test)
  add_test(NAME unit/${name} COMMAND ${target})
  set_tests_properties(unit/${name} PROPERTIES LABELS unit)
endfunction()
