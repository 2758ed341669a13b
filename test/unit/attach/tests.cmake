foreach(module attach attach_listen attach_reply attach_socket identity target)
  mayfly_unit_test(attach/${module} SOURCES support/fake_process.c USES attach)
endforeach()
