mayfly_fuzz(analyze USES trace_support report)
mayfly_fuzz_seeds(analyze USES trace_support sim_support)
