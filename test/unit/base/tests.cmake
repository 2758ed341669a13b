foreach(module buf crc32c cursor diag hist intern map mem nearest proc_status rng units vec)
  mayfly_unit_test(base/${module} USES base)
endforeach()
