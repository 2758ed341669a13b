/* The rules of advice, as advise.c applies them. */
#ifndef ANALYZE_RULES_H
#define ANALYZE_RULES_H

#include "analyze/advise.h"

/* One rule asked about one place, or about the run. */
struct trial {
	const struct model *model;
	const struct advise *advise; /* run and lists are set */
	const struct evidence_log *log;
	const struct row *row;             /* NULL: the run */
	const struct evidence_site *place; /* of the row */
	double threshold;
	struct finding *out;
	struct buf facts, todo, outcome, option; /* the sentences of `out` */
};

struct rule_row {
	const char *word, *title;
	enum rule_list list;
	int family;
	double threshold;
	/* Whether it holds. Then share, sure, bytes and gc of the finding are set, and its texts.
	 */
	bool (*find)(struct trial *t);
};
const struct rule_row *rule_row(enum rule r);

/* What rules have in common. */
#define FIT_POOR 0.67 /* the VM copied less than that of what ages say: they say too much */
#define LOW_OFTEN                                                                                  \
	0.5 /* of what is born: promoted below the VM's bound, for survivors don't fit             \
	     */
#define MEGABYTE 1048576.0
enum { RULE_SAMPLES = 10 }; /* the least */

const struct advise_run *trial_run(const struct trial *t);
/* Sets the finding's share and how sure it is: whether it is over the rule's threshold. */
bool trial_judge(struct trial *t, struct estimate e);
/* Whether there are enough samples of it, or objects that were counted. */
bool trial_enough(const struct total *t);
/* It is no surer than that. */
void trial_at_best(struct trial *t, enum sure s);
/* Of what was born. */
double trial_per_second(const struct trial *t, double amount);
/* Of the bytes that eden was filled with, the row's share. */
double trial_share_of_eden(const struct trial *t);
/* Of pauses, over all that was recorded. */
double trial_pause_per_second(const struct trial *t, double pause);
/* Sets bytes and GC time of the finding: of all that the row made and its part in filling eden; of
 * what anything else made, or copied, and its share of all. */
void trial_cost_of_filling(struct trial *t);
void trial_cost_of_making(struct trial *t, const struct total *made, double share);
void trial_cost_of_copying(struct trial *t, double bytes, double share);
/* Sets the bound of GC time: of the collections that large objects asked for, by its share of their
 * bytes. */
void trial_cost_of_large(struct trial *t, double share);
/* Of what the run allocated. */
struct estimate trial_share_of_all(const struct trial *t, const struct total *part);
/* "12.1 MB/s allocated, 3 % of all" */
void trial_put_made(struct trial *t, const struct total *part);
struct slice trial_class(const struct trial *t);
/* Whether anything can be said of how long the row lives, in collections of the young generation.
 */
bool trial_lives_known(const struct trial *t);
/* The shape of its lives, as the young generation sees them. */
bool trial_has_shape(const struct trial *t, enum shape shape);
/* "12 %", "0.3 %"; "12.1 MB/s". */
void rule_put_share(struct buf *out, double share);
/* The same behind "at least": rounded down. */
void rule_put_least(struct buf *out, double share);
void rule_put_rate(struct buf *out, double bytes_per_s);

#define RULE(name, word, list, family, threshold, find, title) bool find(struct trial *t);
#include "analyze/rules.def"
#undef RULE

#endif
