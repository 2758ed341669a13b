#include "hotspot/parallel_threshold.h"

#include "base/error.h"

#define NAME "_ZN10PSScavenge19_tenuring_thresholdE"

int parallel_threshold_find(struct parallel_threshold *p, const struct vm_library *l)
{
	struct symbol s;
	*p = (struct parallel_threshold){.at = NULL};
	bool one = symbols_find(&l->symbols, NAME, false, &s) == 1;
	if (one && !s.function && s.size == sizeof(*p->at))
		p->at = vm_library_at(l, s.address);
	return p->at ? ERR_NONE : ERR_NOT_FOUND;
}

static uint32_t load(const struct parallel_threshold *p)
{
	return __atomic_load_n(p->at, __ATOMIC_RELAXED);
}

static void store(const struct parallel_threshold *p, uint32_t value)
{
	__atomic_store_n(p->at, value, __ATOMIC_RELAXED);
}

void parallel_threshold_hold(struct parallel_threshold *p, uint32_t most)
{
	if (!p->at)
		return;
	if (!p->held)
		p->before = load(p);
	p->held = true;
	p->most = most;
	store(p, p->before < most ? p->before : most);
}

void parallel_threshold_keep(const struct parallel_threshold *p)
{
	if (p->at && p->held && load(p) > p->most)
		store(p, p->most);
}

void parallel_threshold_release(struct parallel_threshold *p)
{
	if (p->at && p->held)
		store(p, p->before);
	p->held = false;
}
