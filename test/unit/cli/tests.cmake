foreach(module args child control draft ferry input jdk launch outcome overwrite place progress recording shrunk watch)
  mayfly_unit_test(cli/${module} USES cli pthread)
endforeach()
