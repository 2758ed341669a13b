/* The monotonic clock, the wall clock and that of CPU time, in nanoseconds. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "base/types.h"

/* CLOCK_MONOTONIC: never steps back; the origin means nothing. */
struct ns clock_now(void);
/* How long ago that was; 0 where it is still to come. */
struct ns clock_since(struct ns start);
/* CLOCK_REALTIME since the Unix epoch. */
struct ns clock_wall(void);
/* CPU time of all threads of this process, ended ones too; 0 where the system does not tell. */
struct ns clock_cpu(void);

#endif
