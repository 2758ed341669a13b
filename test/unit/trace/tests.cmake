foreach(module block check events ids lives reader record sink source writer)
  mayfly_unit_test(trace/${module} USES trace_support)
endforeach()
mayfly_unit_test(trace/codec_zstd USES trace_support trace_zstd)
target_compile_definitions(unit_trace_record PRIVATE
  TRACE_FORMAT_MD="${CMAKE_SOURCE_DIR}/doc/trace-format.md")
mayfly_unit_test(trace/ahead USES trace_support trace_zstd)
target_compile_definitions(unit_trace_ahead PRIVATE GOLDEN_FOLDER="${CMAKE_SOURCE_DIR}/test/golden")
