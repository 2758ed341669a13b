/*
 * Plays a trace through a model and tells a listener what happened, with what belongs together
 * joined: a death comes with its birth and the life between them.
 */
#ifndef MODEL_REPLAY_H
#define MODEL_REPLAY_H

#include "model/model.h"
#include "trace/reader.h"

/* A sampled allocation, whether its life is followed or not. */
struct sample {
	uint64_t time, alloc, size;
	uint32_t site, thread, config; /* indices; 0 unknown */
	bool tracked;                  /* a birth follows */
	double weight;                 /* allocations it stands for, at least 1 */
};

/*
 * Each may be NULL. A result other than 0 ends the replay with that error. Pointers live as long
 * as the call; the model is as of that moment. born = died + untracked + alive calls, always.
 */
struct listener {
	void *arg;
	int (*on_sample)(void *arg, const struct model *m, const struct sample *s);
	int (*on_birth)(void *arg, const struct model *m, const struct object *o);
	int (*on_death)(
		void *arg, const struct model *m, const struct object *o, const struct life *l);
	/* No longer followed, alive as far as known. reason: enum untrack_reason. */
	int (*on_untrack)(void *arg, const struct model *m, const struct object *o,
		const struct life *l, uint64_t reason);
	/* Still followed when the trace ended. */
	int (*on_alive)(
		void *arg, const struct model *m, const struct object *o, const struct life *l);
	int (*on_gc)(void *arg, const struct model *m, const struct gc *gc);
	int (*on_pause)(void *arg, const struct model *m, const struct record_pause *p);
	int (*on_tick)(void *arg, const struct model *m, const struct record_tick *t);
	int (*on_lost)(void *arg, const struct model *m, const struct record_lost *l);
	/* The accounts of a collection were told; they are not yet part of model.exact. */
	int (*on_accounts)(void *arg, const struct model *m, const struct record_exact_gc *r);
	/* They are now; of a trace whose begin is forgotten those that open it too. */
	int (*on_accounted)(void *arg, const struct model *m, const struct record_exact_gc *r);
};

/*
 * Reads all there is. 0 also where the trace is cut or damaged: what was whole has been told of,
 * and model.cut, model.damage and model.odds say the rest. ERR_NOMEM, ERR_IO, ERR_LIMIT (more
 * objects followed than can be) and the listener's errors end it, with a sentence in d.
 */
int replay_run(struct model *m, struct reader *r, const struct listener *l, struct diag *d);

#endif
