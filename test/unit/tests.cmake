# One test for each module: unit/ROOM/NAME.c.
include(unit/base/tests.cmake)
include(unit/options/tests.cmake)
include(unit/stat/tests.cmake)
include(unit/trace/tests.cmake)
include(unit/jvmstat/tests.cmake)
include(unit/attach/tests.cmake)
include(unit/agent/tests.cmake)
