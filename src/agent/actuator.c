#include "agent/actuator.h"

#include "base/error.h"
#include "base/mem.h"

static bool can(const struct actuator *a)
{
	return a->can(a->arg);
}

void actuators_add(struct actuators *a, struct actuator one)
{
	a->could[a->count] = can(&one);
	a->at[a->count++] = one;
}

/* The wishes that nobody has taken yet, and where they stand among all. */
struct left {
	struct wish *wishes;
	size_t *at, count;
};

static int left_init(struct left *l, size_t count)
{
	l->wishes = mem_zalloc(count + 1, sizeof(*l->wishes));
	l->at = mem_zalloc(count + 1, sizeof(*l->at));
	return l->wishes && l->at ? ERR_NONE : ERR_NOMEM;
}

static void left_release(struct left *l)
{
	mem_free(l->wishes);
	mem_free(l->at);
}

static void left_take(struct left *l, const struct wish *all, size_t count)
{
	l->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (all[i].state == WISH_DONE)
			continue;
		l->wishes[l->count] = all[i];
		l->wishes[l->count].state = WISH_WAITS;
		l->at[l->count++] = i;
	}
}

/* Which of `all` are still to be given to the next one. */
static void left_keep_refused(struct left *l)
{
	size_t kept = 0;
	for (size_t i = 0; i < l->count; i++)
		if (l->wishes[i].state == WISH_REFUSED) {
			l->wishes[kept] = l->wishes[i];
			l->wishes[kept].state = WISH_WAITS;
			l->at[kept++] = l->at[i];
		}
	l->count = kept;
}

static void left_tell(const struct left *l, struct wish *all)
{
	for (size_t i = 0; i < l->count; i++)
		all[l->at[i]] = l->wishes[i];
}

/* One that can't do anything is asked for nothing: it takes back what there was. */
static int apply_one(struct actuators *a, size_t i, JNIEnv *jni, struct left *l, struct wish *all)
{
	const struct actuator *one = &a->at[i];
	a->could[i] = can(one);
	if (!a->could[i])
		return one->apply(one->arg, jni, NULL, 0);
	int err = one->apply(one->arg, jni, l->wishes, l->count);
	if (err)
		return err;
	left_tell(l, all);
	left_keep_refused(l);
	return ERR_NONE;
}

int actuators_apply(struct actuators *a, JNIEnv *jni, struct wish *wishes, size_t count)
{
	struct left l;
	int err = left_init(&l, count);
	if (!err)
		left_take(&l, wishes, count);
	a->stale = false;
	for (size_t i = 0; i < a->count && !err; i++)
		err = apply_one(a, i, jni, &l, wishes);
	left_release(&l);
	return err;
}

void actuators_look(const struct actuators *a, struct wish *wish)
{
	for (size_t i = 0; i < a->count && wish->state != WISH_DONE; i++) {
		wish->state = WISH_WAITS; /* whoever refused it left it to the next one */
		if (can(&a->at[i]))
			a->at[i].look(a->at[i].arg, wish, 1);
	}
}

void actuators_methods(const struct actuators *a, JNIEnv *jni, struct wish *wishes, size_t count)
{
	for (size_t i = 0; i < a->count; i++)
		if (can(&a->at[i]))
			a->at[i].methods(a->at[i].arg, jni, wishes, count);
}

bool actuators_unsettled(const struct actuators *a)
{
	bool any = false;
	for (size_t i = 0; i < a->count; i++)
		any = any || (can(&a->at[i]) && a->at[i].unsettled(a->at[i].arg));
	return any;
}

void actuators_settle(struct actuators *a, JNIEnv *jni)
{
	for (size_t i = 0; i < a->count; i++)
		if (can(&a->at[i]) && a->at[i].settle(a->at[i].arg, jni))
			a->stale = true;
}

int actuators_rest(const struct actuators *a, JNIEnv *jni, bool rests)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < a->count && !err; i++)
		err = a->at[i].rest(a->at[i].arg, jni, rests);
	return err;
}

size_t actuators_end(const struct actuators *a, JNIEnv *jni)
{
	size_t left = 0;
	for (size_t i = 0; i < a->count; i++)
		left += a->at[i].end(a->at[i].arg, jni);
	return left;
}

bool actuators_stale(const struct actuators *a)
{
	bool stale = a->stale;
	for (size_t i = 0; i < a->count; i++)
		stale = stale || a->could[i] != can(&a->at[i]);
	return stale;
}
