#include "base/clock.h"

#include <time.h>

static struct ns read_clock(clockid_t id)
{
	struct timespec t = {0};
	clock_gettime(id, &t);
	return (struct ns){(uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec};
}

struct ns clock_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

struct ns clock_since(struct ns start)
{
	struct ns now = clock_now();
	return (struct ns){now.v > start.v ? now.v - start.v : 0};
}

struct ns clock_wall(void)
{
	return read_clock(CLOCK_REALTIME);
}

struct ns clock_cpu(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
