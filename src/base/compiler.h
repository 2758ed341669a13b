/* Attributes, by the names the rest of the code uses for them. */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#define MF_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define MF_MUST_USE          __attribute__((warn_unused_result))
#define MF_UNUSED            __attribute__((unused))
#define MF_COLD              __attribute__((cold))
#define MF_INLINE            inline __attribute__((always_inline))
#define MF_EXPORT            __attribute__((visibility("default")))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
