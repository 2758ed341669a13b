#include "model/fan.h"

#include "base/error.h"
#include "support/tap.h"

enum { CALLS_MAX = 32 };

/* What was called, in order: who, and a letter for what. */
static struct {
	char who, what;
} calls[CALLS_MAX];
static size_t count;
static char fails; /* who */

static int note(void *arg, char what)
{
	const char *who = arg;
	if (count < CALLS_MAX) {
		calls[count].who = *who;
		calls[count++].what = what;
	}
	return *who == fails ? ERR_IO : ERR_NONE;
}

#define LISTEN(name, letter, type)                                                                 \
	static int name(void *arg, const struct model *m, const type *x)                           \
	{                                                                                          \
		EXPECT(m &&x);                                                                     \
		return note(arg, letter);                                                          \
	}
#define LISTEN_LIFE(name, letter)                                                                  \
	static int name(                                                                           \
		void *arg, const struct model *m, const struct object *o, const struct life *l)    \
	{                                                                                          \
		EXPECT(m &&o &&l);                                                                 \
		return note(arg, letter);                                                          \
	}
LISTEN(on_sample, 's', struct sample)
LISTEN(on_birth, 'b', struct object)
LISTEN_LIFE(on_death, 'd')
LISTEN_LIFE(on_alive, 'a')
LISTEN(on_gc, 'g', struct gc)
LISTEN(on_pause, 'p', struct record_pause)
LISTEN(on_tick, 't', struct record_tick)
LISTEN(on_lost, 'l', struct record_lost)
LISTEN(on_accounts, 'e', struct record_exact_gc)
LISTEN(on_accounted, 'f', struct record_exact_gc)

static int on_untrack(void *arg, const struct model *m, const struct object *o,
	const struct life *l, uint64_t reason)
{
	EXPECT(m && o && l);
	EXPECT_INT(7, reason);
	return note(arg, 'u');
}

static struct listener all_of(char *who)
{
	return (struct listener){who, on_sample, on_birth, on_death, on_untrack, on_alive, on_gc,
		on_pause, on_tick, on_lost, on_accounts, on_accounted};
}

/* Calls every function once; the first error. */
static int call_all(const struct listener *l)
{
	static struct model m;
	const struct object o = {0};
	const struct life life = {0};
	const int results[] = {l->on_sample(l->arg, &m, &(struct sample){0}),
		l->on_birth(l->arg, &m, &o), l->on_death(l->arg, &m, &o, &life),
		l->on_untrack(l->arg, &m, &o, &life, 7), l->on_alive(l->arg, &m, &o, &life),
		l->on_gc(l->arg, &m, &(struct gc){0}),
		l->on_pause(l->arg, &m, &(struct record_pause){0}),
		l->on_tick(l->arg, &m, &(struct record_tick){0}),
		l->on_lost(l->arg, &m, &(struct record_lost){0}),
		l->on_accounts(l->arg, &m, &(struct record_exact_gc){0}),
		l->on_accounted(l->arg, &m, &(struct record_exact_gc){0})};
	for (size_t i = 0; i < ARRAY_SIZE(results); i++)
		if (results[i])
			return results[i];
	return ERR_NONE;
}

TEST(each_is_told_in_order)
{
	char a = 'A', b = 'B';
	struct fan f = {.to = {all_of(&a), all_of(&b)}, .count = 2};
	struct listener l = fan_listener(&f);
	count = 0;
	fails = 0;
	EXPECT_INT(ERR_NONE, call_all(&l));
	EXPECT_INT(22, count);
	for (size_t i = 0; i < count; i++) {
		EXPECT_INT(i % 2 ? 'B' : 'A', calls[i].who);
		EXPECT_INT("sbduagptlef"[i / 2], calls[i].what);
	}
}

TEST(who_does_not_listen_is_passed_over)
{
	char a = 'A', b = 'B';
	struct fan f = {.to = {{.arg = &a, .on_gc = on_gc}, all_of(&b)}, .count = 2};
	struct listener l = fan_listener(&f);
	count = 0;
	fails = 0;
	EXPECT_INT(ERR_NONE, call_all(&l));
	EXPECT_INT(12, count);
}

TEST(the_first_error_ends_the_round)
{
	char a = 'A', b = 'B', c = 'C';
	struct fan f = {.to = {all_of(&a), all_of(&b), all_of(&c)}, .count = 3};
	struct listener l = fan_listener(&f);
	count = 0;
	fails = 'B';
	EXPECT_INT(ERR_IO, l.on_gc(l.arg, &(struct model){0}, &(struct gc){0}));
	EXPECT_INT(2, count);
}
