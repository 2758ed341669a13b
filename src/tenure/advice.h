/* Options of the VM that would do as well as what is done, or better: for the user to set. */
#ifndef TENURE_ADVICE_H
#define TENURE_ADVICE_H

#include "base/diag.h"
#include "tenure/levers.h"
#include "tenure/plan.h"
#include "tenure/view.h"
#include "tenure/worth.h"
#include "tenure/young_size.h"

struct advice {
	struct diag flag;         /* a sentence; "": there is none */
	uint32_t flag_bound;      /* that it sets */
	struct young_offer young; /* the last one that was worth it; bytes 0: none was */
	uint32_t young_missed;    /* looks in a row that found none */
	uint64_t young_told;      /* bytes that were advised; 0: none were */
};

/* What the plan says of a plain flag; worth: what it must be to be named. Whether one is named that
 * was not before. */
bool advice_note_flag(
	struct advice *a, const struct plan *p, const struct view *v, const struct worth *worth);
void advice_forget_flag(struct advice *a);
/* Whether there is a young generation that would be worth it, beside that bound of the threshold.
 * It stands until some looks in a row find none. */
void advice_look_young(struct advice *a, const struct view *v, const struct held *held,
	uint32_t bound, const struct cost *cost, const struct worth *worth);
/* As actions: the flag that is noted; a larger young generation, once. */
void advice_give_flag(
	const struct advice *a, struct actions *to, const struct plan *p, const struct view *v);
void advice_give_young(struct advice *a, struct actions *to, const struct view *v);

#endif
