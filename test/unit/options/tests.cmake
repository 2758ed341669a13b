mayfly_unit_test(options/options USES options)
