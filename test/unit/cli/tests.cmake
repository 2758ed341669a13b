foreach(module args child control ferry jdk launch outcome place recording watch)
  mayfly_unit_test(cli/${module} USES cli pthread)
endforeach()
