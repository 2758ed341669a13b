#include "agent/cpu_share.h"

enum { WINDOW_NS = 1000000000 };

void cpu_share_init(struct cpu_share *s, struct ns time, struct ns cpu)
{
	*s = (struct cpu_share){.time = time, .cpu = cpu, .share = 1};
}

static double share_of(uint64_t cpu, uint64_t time)
{
	return cpu < time ? (double)cpu / (double)time : 1;
}

double cpu_share_update(struct cpu_share *s, struct ns time, struct ns cpu)
{
	uint64_t passed = time.v > s->time.v ? time.v - s->time.v : 0;
	if (passed < WINDOW_NS)
		return s->share;
	s->share = cpu.v > s->cpu.v ? share_of(cpu.v - s->cpu.v, passed) : !cpu.v;
	s->time = time;
	s->cpu = cpu;
	return s->share;
}
