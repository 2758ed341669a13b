foreach(module buf crc32c cursor decimal diag full_path hist intern jdk_name json_reader map mem nearest own_fd proc_status quoting real_path rng slots spare_memory surrogates task_name units vec)
  mayfly_unit_test(base/${module} USES base)
endforeach()
# The test asks for more than there is: AddressSanitizer must answer as malloc does.
set_tests_properties(unit/base/mem PROPERTIES ENVIRONMENT "ASAN_OPTIONS=allocator_may_return_null=1")
