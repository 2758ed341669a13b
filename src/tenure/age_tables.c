#include "tenure/age_tables.h"

#include <math.h>

enum { SLACK = 16, OLDER = 64, LEAST = 1 /* byte */ };

static uint64_t from(const struct age_table *t, uint32_t age)
{
	uint64_t sum = 0;
	for (; age < TENURE_AGES; age++)
		sum += t->bytes[age];
	return sum;
}

bool age_tables_tells(const struct age_tables_turn *c)
{
	if (!c->before->known || !c->after->known)
		return false;
	uint64_t copied = from(c->after, 0) + c->promoted;
	return c->promoted <= from(c->before, c->threshold) + copied / SLACK;
}

static void count(struct age_tables *a, uint32_t age, uint64_t came, uint64_t stood)
{
	a->came[age] += (double)came;
	a->stood[age] += (double)(stood < came ? stood : came);
}

/* What came of age at the threshold was promoted; which of them lived is known where hardly any
 * were older. */
static void count_promoted(struct age_tables *a, const struct age_tables_turn *c)
{
	uint64_t came = c->before->bytes[c->threshold];
	if (from(c->before, c->threshold + 1) <= came / OLDER)
		count(a, c->threshold, came, c->promoted);
}

void age_tables_add(struct age_tables *a, const struct age_tables_turn *c)
{
	uint32_t most = c->threshold < c->whole ? c->threshold : c->whole;
	for (uint32_t age = 1; age < most; age++)
		count(a, age, c->before->bytes[age], c->after->bytes[age + 1]);
	if (c->threshold && c->threshold < c->whole)
		count_promoted(a, c);
}

void age_tables_decay(struct age_tables *a, double factor)
{
	for (uint32_t age = 0; age < TENURE_AGES; age++) {
		if (a->came[age] * factor < LEAST)
			continue;
		a->came[age] *= factor;
		a->stood[age] *= factor;
	}
}

uint32_t age_tables_known(const struct age_tables *a)
{
	uint32_t age = 1;
	while (age < TENURE_AGES && a->came[age] > 0)
		age++;
	return age > 1 ? age : 0;
}

double age_tables_passed(const struct age_tables *a, uint32_t age)
{
	return fmin(a->stood[age] / a->came[age], 1);
}
