# Release builds are optimised across files where the compiler can: the loop over a trace's records
# spans four rooms. -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF builds without.
if(CMAKE_BUILD_TYPE MATCHES "Rel" AND NOT MAYFLY_SANITIZE AND NOT DEFINED CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT CMAKE_INTERPROCEDURAL_OPTIMIZATION LANGUAGES C)
endif()
