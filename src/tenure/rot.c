#include "tenure/rot.h"

#define KEPT   0.5 /* from round to round, of what was seen */
#define SWAY   1.5 /* times what was foretold */
#define LITTLE 0.1 /* of what is copied */
#define BLIND  0.5 /* the same where nothing was foretold */

/* Bytes for each byte allocated that may die early. */
static double allowed(const struct rot_before *b, const struct round *r)
{
	double copied = round_total(r, ROUND_COPIED) / round_total(r, ROUND_ALLOCATED);
	return b->copied > 0 ? SWAY * b->early + LITTLE * copied : BLIND * copied;
}

/* What is not known compares as false. */
enum rot_verdict rot_round(struct rot *rot, const struct early *found, const struct round *r,
	const struct rot_before *before)
{
	double error, births = round_total(r, ROUND_ALLOCATED) / r->count;
	double stretch = before->births > 0 ? births / before->births : 1;
	early_decay(&rot->early, KEPT);
	early_add(&rot->early, found);
	double rate = early_rate(&rot->early, &before->held, stretch, &error);
	double most = allowed(before, r) * births / before->fit;
	if (rate - 3 * error > most)
		return ROT_YES;
	return rate - error > most ? ROT_MAYBE : ROT_NO;
}
