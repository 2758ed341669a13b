# What every target is compiled with. GCC knows a few warnings that clang does not.
add_library(mayfly_flags INTERFACE)
target_compile_definitions(mayfly_flags INTERFACE _GNU_SOURCE MAYFLY_VERSION="${PROJECT_VERSION}")
target_include_directories(mayfly_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(mayfly_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wcast-align
  -Wundef -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Wvla -Wformat=2
  -Wnull-dereference -Wdouble-promotion -fstack-protector-strong -fno-omit-frame-pointer)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_compile_options(mayfly_flags INTERFACE -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wjump-misses-init)
endif()
if(MAYFLY_WERROR)
  target_compile_options(mayfly_flags INTERFACE -Werror)
endif()
if(MAYFLY_SANITIZE)
  target_compile_options(mayfly_flags INTERFACE -fsanitize=${MAYFLY_SANITIZE} -fno-sanitize-recover=undefined)
  target_link_options(mayfly_flags INTERFACE -fsanitize=${MAYFLY_SANITIZE})
endif()
if(MAYFLY_FUZZ)
  target_compile_options(mayfly_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(CMAKE_BUILD_TYPE MATCHES "Rel" AND NOT MAYFLY_SANITIZE)
  target_compile_options(mayfly_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()
