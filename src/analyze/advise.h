/*
 * What of a recording is worth changing: findings, each with where, how much, how sure, what to do,
 * and what it would come to. The rules are rows of rules.def, their texts and evidence in
 * rules_*.c; doc/metrics.md, "Findings".
 */
#ifndef ANALYZE_ADVISE_H
#define ANALYZE_ADVISE_H

#include "analyze/advise_run.h"
#include "analyze/lifetime.h"

enum rule {
#define RULE(name, word, list, family, threshold, find, title) RULE_##name,
#include "analyze/rules.def"
#undef RULE
	RULES
};
/* What a rule is asked about: the run, or each row of a list. */
enum rule_list { LIST_ALLOC, LIST_SURVIVED, LIST_ALIVE, LISTS, LIST_RUN = LISTS };

/* By where the interval of the quantity that the rule has a threshold on lies. */
enum sure {
	SURE_POSSIBLE, /* the estimate is over it */
	SURE_LIKELY,   /* the lower limit is over half of it */
	SURE_SURE,     /* the lower limit is over it */
};

struct finding {
	enum rule rule;
	const struct row *row; /* borrowed; NULL: of the run */
	struct estimate share; /* what the rule's threshold is on */
	double bytes;          /* a second: allocated, or copied, as the rule goes */
	double gc;             /* ns of pauses a second; NaN: not known */
	double gc_most;        /* a bound of it, by its share; NaN: none */
	enum sure sure;
	/* Sentences in ASCII, owned; outcome: what would come of it; option: of the VM. The last
	 * two may be empty. */
	char *facts, *todo, *outcome, *option;
};

struct advise_query {
	struct where where; /* rows only, where it is not empty */
	bool split;
	double least; /* share of the time in pauses: what is worth less is left out */
	size_t limit; /* 0: all */
	int only;     /* enum rule; -1: all */
};
#define ADVISE_LEAST 0.005 /* doc/metrics.md, "Findings" */

struct advise {
	struct advise_run run;
	struct lifetimes lists[LISTS]; /* what findings' rows point into; owned */
	VEC(struct finding) findings;  /* owned; the gravest first */
	size_t hidden;                 /* that are there, but over the limit, */
	size_t small;                  /* or worth less than was asked for */
};

/* "mid-life", as in --rule; "Objects that die in middle age". */
const char *rule_word(enum rule r);
const char *rule_title(enum rule r);
const char *sure_word(enum sure s);

/* *out is overwritten, to be given to advise_release. 0 or ERR_NOMEM. */
int advise_find(struct advise *out, const struct model *m, const struct evidence_log *e,
	const struct advise_query *q);
void advise_release(struct advise *a);

#endif
