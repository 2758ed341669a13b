#include "exact/audits.h"

enum {
	DISTRUST_MAX = 30,   /* audits after an attach, while code is compiled anew */
	UNAUDITED_MAX = 300, /* collections: a program may be full for a while, and young again */
	JUDGE_FROM = 100000, /* objects walked before audits judge */
	SLACK = 400,         /* objects that one audit may be off by, however small it is */
	WORST = 1000,        /* one part in so many may be off */
};

static bool apart(const struct account_audit *a, uint64_t audits)
{
	uint64_t by = a->walked > a->seen ? a->walked - a->seen : a->seen - a->walked;
	return by > a->walked / WORST + SLACK * audits;
}

bool audits_hold(const struct account_audit *audit)
{
	return audit->walked > 0 && !apart(audit, 1);
}

bool audits_try(struct audits *a, const struct account_audit *audit, bool last)
{
	a->trusted = !last && audits_hold(audit);
	a->distrusted += !a->trusted && audit->walked > 0;
	a->unaudited += !last && audit->walked == 0;
	if (a->trusted)
		a->sum = (struct account_audit){0};
	else if (audit->walked)
		a->sum = *audit; /* to be told of, if it comes to that */
	return a->trusted;
}

void audits_add(struct audits *a, const struct account_audit *audit)
{
	a->sum.walked += audit->walked;
	a->sum.seen += audit->seen;
	a->count += audit->walked > 0;
}

bool audits_off(const struct audits *a)
{
	if (!a->trusted)
		return a->distrusted > DISTRUST_MAX || a->unaudited > UNAUDITED_MAX;
	return a->sum.walked >= JUDGE_FROM && apart(&a->sum, a->count);
}
