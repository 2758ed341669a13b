#include "tenure/rot.h"

#define KEPT   0.5 /* from round to round, of what was seen */
#define SWAY   1.5 /* times what was foretold */
#define LITTLE 0.1 /* of what is copied */
#define BLIND  0.5 /* the same where nothing was foretold, or before says nothing */
#define KNOWN  0.5 /* of the collections before: what must have left young what was looked at */

/* Bytes for each byte allocated that may die early. */
static double allowed(const struct rot_before *b, const struct round *r)
{
	double copied = round_total(r, ROUND_COPIED) / round_total(r, ROUND_ALLOCATED);
	return b->copied > 0 ? SWAY * b->early + LITTLE * copied : BLIND * copied;
}

/*
 * Survivor spaces short of room have a threshold of 1, and then nothing that is looked at would
 * have been young. As a program's start has them: what it does later is not told by that, when
 * survivors are fewer and eden is larger. So it is held to no threshold, as where nothing is known
 * of before. most: bytes that may by what is.
 */
static bool may_rot(const struct rot *rot, const struct round *r, const struct rot_before *before,
	double stretch, double most)
{
	static const struct held none = {.share = {0}};
	double error, rate = early_rate(&rot->early, &none, 1, &error);
	double half = BLIND * round_total(r, ROUND_COPIED) / r->count / before->fit;
	return before->copied > 0 && early_known(&rot->early, &before->held, stretch) < KNOWN &&
	       rate - 3 * error > (half > most ? half : most);
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
		return before->copied > 0 ? ROT_YES : ROT_LOOK;
	if (may_rot(rot, r, before, stretch, most))
		return ROT_LOOK;
	return rate - error > most ? ROT_MAYBE : ROT_NO;
}
