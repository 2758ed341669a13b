# Whether the agent is linked for C libraries that are older than this machine's, and for musl (doc/decisions/0023-old-c-libraries.md, 0025-one-agent-for-musl-too.md).
# Elsewhere than on x86-64 all names began with 2.17; and before 2.34, when there were more libraries, the agent asks for what it was built with.
include(CheckCSourceCompiles)
check_c_source_compiles("#include <features.h>\n#if !__GLIBC_PREREQ(2, 34)\n#error older\n#endif\nint main(void) { return 0; }" MAYFLY_GLIBC_2_34)
set(MAYFLY_OLD_LIBC 0)
if(MAYFLY_GLIBC_2_34 AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64 AND NOT MAYFLY_SANITIZE)
  set(MAYFLY_OLD_LIBC 1)
endif()
