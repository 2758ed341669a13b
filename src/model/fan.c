#include "model/fan.h"

#include "base/error.h"

/* Calls `on` of each that has it. */
#define TELL_ALL(on, ...)                                                                          \
	const struct fan *f = arg;                                                                 \
	int err = ERR_NONE;                                                                        \
	for (size_t i = 0; i < f->count && !err; i++)                                              \
		if (f->to[i].on)                                                                   \
			err = f->to[i].on(f->to[i].arg, m, __VA_ARGS__);                           \
	return err

static int on_sample(void *arg, const struct model *m, const struct sample *s)
{
	TELL_ALL(on_sample, s);
}

static int on_birth(void *arg, const struct model *m, const struct object *o)
{
	TELL_ALL(on_birth, o);
}

static int on_death(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	TELL_ALL(on_death, o, l);
}

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	TELL_ALL(on_untrack, o, l, reason);
}

static int on_alive(void *arg, const struct model *m, const struct object *o, const struct life *l)
{
	TELL_ALL(on_alive, o, l);
}

static int on_gc(void *arg, const struct model *m, const struct gc *gc)
{
	TELL_ALL(on_gc, gc);
}

static int on_pause(void *arg, const struct model *m, const struct record_pause *p)
{
	TELL_ALL(on_pause, p);
}

static int on_tick(void *arg, const struct model *m, const struct record_tick *t)
{
	TELL_ALL(on_tick, t);
}

static int on_lost(void *arg, const struct model *m, const struct record_lost *l)
{
	TELL_ALL(on_lost, l);
}

static int on_accounts(void *arg, const struct model *m, const struct record_exact_gc *r)
{
	TELL_ALL(on_accounts, r);
}

static int on_accounted(void *arg, const struct model *m, const struct record_exact_gc *r)
{
	TELL_ALL(on_accounted, r);
}

struct listener fan_listener(struct fan *f)
{
	return (struct listener){.arg = f,
		.on_sample = on_sample,
		.on_birth = on_birth,
		.on_death = on_death,
		.on_untrack = on_untrack,
		.on_alive = on_alive,
		.on_gc = on_gc,
		.on_pause = on_pause,
		.on_tick = on_tick,
		.on_lost = on_lost,
		.on_accounts = on_accounts,
		.on_accounted = on_accounted};
}
