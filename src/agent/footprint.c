#include "agent/footprint.h"

#include "base/clock.h"
#include "base/mem.h"
#include "exact/pages.h"

enum { SHARE = 200 };

void footprint_look_now(struct footprint *f)
{
	uint64_t begin = clock_now().v, pages = pages_resident(), end = clock_now().v;
	atomic_store(&f->pages, pages);
	if (pages > atomic_load(&f->pages_most))
		atomic_store(&f->pages_most, pages);
	atomic_store(&f->next, end + (end - begin) * SHARE);
}

void footprint_look(struct footprint *f)
{
	if (clock_now().v >= atomic_load(&f->next))
		footprint_look_now(f);
}

uint64_t footprint_bytes(const struct footprint *f)
{
	return mem_held() + atomic_load(&f->pages);
}

uint64_t footprint_most(const struct footprint *f)
{
	return mem_peak() + atomic_load(&f->pages_most);
}
