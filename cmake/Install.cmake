# Where things go. The binary looks for the agent beside itself, then in ../lib/mayfly.
install(TARGETS mayfly RUNTIME DESTINATION bin)
install(TARGETS mayfly_agent LIBRARY DESTINATION lib/mayfly)
add_subdirectory(doc/man)
