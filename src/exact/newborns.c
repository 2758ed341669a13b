#include "exact/newborns.h"

int newborns_init(struct newborns *n)
{
	n->sum = (struct birth_sum){0};
	return birth_sums_init(&n->of);
}

void newborns_release(struct newborns *n)
{
	birth_sums_release(&n->of);
}

static void add(struct birth_sum *to, const struct birth_sum *s)
{
	to->objects += s->objects;
	to->bytes += s->bytes;
	to->outside_objects += s->outside_objects;
	to->outside_bytes += s->outside_bytes;
}

void newborns_add(void *arg, const struct birth_sum *s)
{
	struct newborns *n = arg;
	birth_sums_add(&n->of, s);
	add(&n->sum, s);
}

uint64_t newborns_cells(const struct newborns *n)
{
	uint64_t count = n->of.count;
	for (uint32_t i = 0; i < n->of.count; i++)
		count += n->of.rows[i].outside_objects > 0;
	return count;
}

void newborns_tell(struct newborns *n, struct accounts *a)
{
	for (uint32_t i = 0; i < n->of.count; i++) {
		const struct birth_sum *s = &n->of.rows[i];
		accounts_count(a, s->site, ACCOUNT_BIRTHS, 0, s->objects, s->bytes);
		accounts_count(
			a, s->site, ACCOUNT_OUTSIDE, 0, s->outside_objects, s->outside_bytes);
	}
	birth_sums_clear(&n->of);
	n->sum = (struct birth_sum){0};
}
