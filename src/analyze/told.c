#include "analyze/told.h"

#include <string.h>

#include "base/error.h"

enum { AGE_LAST = COUNTS_AGES - 1 };

void told_release(struct told *t)
{
	vec_release(&t->sites);
}

/* Differences of sums that only rise: they may pass zero on the way. */
static void add(struct quantity *to, struct quantity q, bool less)
{
	to->objects += less ? 0 - q.objects : q.objects;
	to->bytes += less ? 0 - q.bytes : q.bytes;
}

static struct quantity died_at(const struct age_counts *age)
{
	struct quantity out = age->survived;
	quantity_add(&out, age->promoted);
	return quantity_less(age->risk, out);
}

/* Where 15 collections survived can't be told from more, those that died are in no age: they count
 * as 15. */
static void add_site(struct told_site *to, const struct site_counts *s, bool less)
{
	struct quantity rest = s->died;
	for (size_t k = 0; k < s->ages.count; k++) {
		struct quantity died = died_at(&s->ages.at[k]);
		add(&to->dead[life_group_of(k)], died, less);
		rest = quantity_less(rest, died);
	}
	add(&to->dead[life_group_of(AGE_LAST)], rest, less);
}

static int add_all(struct told *t, const struct counts *c, bool less)
{
	size_t more = c->sites.count > t->sites.count ? c->sites.count - t->sites.count : 0;
	if (more && vec_reserve(&t->sites, more))
		return ERR_NOMEM;
	if (more)
		memset(t->sites.at + t->sites.count, 0, more * sizeof(*t->sites.at));
	t->sites.count += more;
	for (size_t i = 0; i < c->sites.count; i++)
		add_site(&t->sites.at[i], &c->sites.at[i], less);
	return ERR_NONE;
}

int told_open(struct told *t, const struct counts *c)
{
	if (t->open)
		return ERR_NONE;
	t->open = true;
	return add_all(t, c, true);
}

int told_close(struct told *t, const struct counts *c)
{
	if (!t->open)
		return ERR_NONE;
	t->open = false;
	return add_all(t, c, false);
}

static struct quantity sum_of(const struct told_site *s, int group)
{
	struct quantity all = {0};
	for (int g = 0; g < GROUPS; g++)
		if (group == GROUPS || group == g)
			quantity_add(&all, s->dead[g]);
	return all;
}

static int put_site(struct counts *out, uint32_t site, const struct told_site *s, int group)
{
	struct site_counts one = {.site = site};
	struct age_counts first = {.risk = s->dead[GROUP_0]};
	bool young = group == GROUPS || group == GROUP_0;
	one.births = one.died = sum_of(s, group);
	if (young && first.risk.objects && vec_push(&one.ages, first))
		return ERR_NOMEM;
	if (!vec_push(&out->sites, one))
		return ERR_NONE;
	vec_release(&one.ages);
	return ERR_NOMEM;
}

int told_deaths(const struct told *t, const struct counts *c, int group, struct counts *out)
{
	int err = ERR_NONE;
	*out = (struct counts){0};
	for (size_t i = 0; i < c->sites.count && !err; i++) {
		const struct told_site none = {{{0}}};
		err = put_site(out, c->sites.at[i].site,
			i < t->sites.count ? &t->sites.at[i] : &none, group);
	}
	if (err)
		counts_release(out);
	return err;
}
