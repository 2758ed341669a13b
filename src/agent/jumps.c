#include "agent/jumps.h"

#include <stdio.h>
#include <string.h>

#include "agent/age_class.h"
#include "agent/class_jumps.h"
#include "agent/methods.h"
#include "agent/place_key.h"
#include "agent/recorder_lessons.h"
#include "agent/recorder_names.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"

/* A class that is loaded may be linked at any time later: after so many looks for its methods, one
 * in so many turns. */
enum { LOOKS_AT_ONCE = 40, LOOKS_SELDOM = 64 };

const char jumps_strings[] = "-XX:+UseStringDeduplication passes over strings that jump";

int jumps_open(struct jumps *j, const struct vm *vm, pthread_mutex_t *lock, struct diag *d)
{
	*j = (struct jumps){.rewrites = rewrites_get(), .lock = lock};
	int err = rewrites_open(j->rewrites, vm, d);
	if (err)
		j->rewrites = NULL;
	return err;
}

int jumps_begin(struct jumps *j, JNIEnv *jni, const struct actuator *first, struct diag *d)
{
	if (!j->rewrites)
		return diag_set(d, ERR_UNSUPPORTED, "this VM does not let classes be rewritten");
	if (first)
		actuators_add(&j->by, *first);
	actuators_add(&j->by, class_jumps(j->rewrites));
	return age_class_install(jni, d);
}

static struct jump *find(struct jumps *j, const struct place_context *at)
{
	for (size_t i = 0; i < j->list.count; i++)
		if (place_context_same(&j->list.at[i].at, at))
			return &j->list.at[i];
	return NULL;
}

static struct jump *find_or_add(struct jumps *j, const struct place_context *at)
{
	struct jump *found = find(j, at);
	struct jump fresh = {.at = *at};
	if (!found && vec_push(&j->list, fresh) == ERR_NONE)
		found = &j->list.at[j->list.count - 1];
	return found;
}

void jumps_put(struct jumps *j, const struct action *a)
{
	if (a->kind == ACTION_REST || a->kind == ACTION_RESUME) {
		j->rests = a->kind == ACTION_REST;
		return;
	}
	bool on = a->kind == ACTION_TAKE || a->kind == ACTION_ADVISE;
	struct jump *jump = a->kind == ACTION_KEEP ? NULL : find_or_add(j, &a->at);
	if (!jump || jump->on == on)
		return;
	if (on && *a->reason)
		decision_text(&jump->decision.why, a->reason); /* or without */
	jump->on = on;
	j->changed = true;
}

void jumps_drop(struct jumps *j)
{
	for (size_t i = 0; i < j->list.count; i++)
		j->list.at[i].on = j->list.at[i].done = false;
	j->changed = j->rests = true;
}

/* Whether the file says that this place is not to jump. */
static bool kept_out(const struct jumps *j, const struct jump *jump)
{
	for (size_t i = 0; i < j->list.count; i++) {
		const struct jump *other = &j->list.at[i];
		if (other->decision.action == DECISION_KEEP_OUT && jump_same_place(other, jump))
			return true;
	}
	return false;
}

/*
 * HotSpot takes a string for one whose text may be shared when it comes to an age, 3 by default, or
 * is promoted below it (doc/jvm.md): never where it is of the greatest age.
 */
static const char *barred(const struct jumps *j, const struct jump *jump)
{
	bool string = strcmp(jump->allocates, "Ljava/lang/String;") == 0;
	if (kept_out(j, jump))
		return "the decisions file keeps it out";
	return j->no_strings && string ? jumps_strings : NULL;
}

static void name(struct jumps *j, size_t i, const struct vm *vm, JNIEnv *jni, struct recorder *r)
{
	struct jump *jump = &j->list.at[i];
	struct jump_names n;
	jump_ask(jump, vm, jni, r, &n);
	pthread_mutex_lock(j->lock);
	if (!n.known || jump_name(jump, &n))
		jump->failed = "the VM does not tell its names any more";
	else
		jump->failed = barred(j, jump);
	pthread_mutex_unlock(j->lock);
	jump_names_release(&n, vm);
}

static struct wish *all_wishes(const struct jumps *j, size_t *count)
{
	struct wish *w = mem_zalloc(j->list.count + 1, sizeof(*w));
	*count = 0;
	for (size_t i = 0; w && i < j->list.count; i++)
		if (jump_wanted(&j->list.at[i]))
			w[(*count)++] = jump_wish(&j->list.at[i]);
	return w;
}

static void take_outcomes(struct jumps *j, const struct wish *w)
{
	pthread_mutex_lock(j->lock);
	for (size_t i = 0, k = 0; i < j->list.count; i++)
		if (jump_wanted(&j->list.at[i]))
			jump_take_outcome(&j->list.at[i], &w[k++]);
	pthread_mutex_unlock(j->lock);
}

static void teach(const struct jumps *j, struct recorder *r)
{
	for (size_t i = 0; i < j->list.count; i++) {
		const struct jump *jump = &j->list.at[i];
		if (jump->at.place.vm_method)
			recorder_jump(r, &jump->at, jump->on && jump->done && !j->rest_now);
	}
}

static void apply(struct jumps *j, const struct vm *vm, JNIEnv *jni, struct recorder *r)
{
	size_t count;
	for (size_t i = 0; i < j->list.count; i++)
		if (jump_wanted(&j->list.at[i]) && !j->list.at[i].class_name)
			name(j, i, vm, jni, r);
	struct wish *w = j->dry ? NULL : all_wishes(j, &count);
	if (w && actuators_apply(&j->by, jni, w, count) == ERR_NONE)
		take_outcomes(j, w);
	mem_free(w);
}

/* Those from a file whose class had not come by. */
static void look_again(struct jumps *j)
{
	for (size_t i = 0; i < j->list.count; i++) {
		struct jump *jump = &j->list.at[i];
		struct wish w = jump_wish(jump);
		if (!jump_wanted(jump) || jump->done || jump->at.place.vm_method)
			continue;
		actuators_look(&j->by, &w);
		pthread_mutex_lock(j->lock);
		jump_take_outcome(jump, &w);
		pthread_mutex_unlock(j->lock);
	}
}

/* Classes that could not be turned back yet do nothing while no place is wanted. */
static bool should_rest(const struct jumps *j)
{
	bool any = false;
	for (size_t i = 0; i < j->list.count && !any; i++)
		any = jump_wanted(&j->list.at[i]);
	return j->rests || (!any && rewrites_late(j->rewrites));
}

static bool is_sought(const struct jumps *j, const struct jump *jump)
{
	bool due = jump->looks < LOOKS_AT_ONCE || j->turns % LOOKS_SELDOM == 0 || j->ends;
	return due && jump_unmet(jump);
}

static bool any_news(const struct jumps *j)
{
	bool any = false;
	for (size_t i = 0; i < j->list.count && !any; i++)
		any = is_sought(j, &j->list.at[i]) || jump_untold(&j->list.at[i]);
	return any;
}

bool jumps_pending(struct jumps *j)
{
	if (!j->rewrites)
		return false;
	j->turns++;
	j->changed = j->changed || (!j->dry && actuators_stale(&j->by));
	if (!j->changed && !j->dry)
		look_again(j);
	return actuators_unsettled(&j->by) || any_news(j) || j->changed ||
	       should_rest(j) != j->rest_now;
}

/* So that the place can be shown: it may not have been sampled yet. */
static void know_method(const struct vm *vm, JNIEnv *jni, struct recorder *r, uint64_t vm_method)
{
	uint64_t unknown;
	struct stack_frame frame = {vm_method, 0};
	if (recorder_unknown_methods(r, &frame, 1, &unknown, 1))
		methods_resolve(vm, jni, r, vm_method);
}

/* vm_method: 0: not found. */
static void meet(struct jumps *j, struct jump *jump, uint64_t vm_method, const struct vm *vm,
	JNIEnv *jni, struct recorder *r)
{
	struct place_context at = {.place.bci = jump_frame(jump)->bci,
		.place.class_id = recorder_class(r, jump->allocates),
		.place.vm_method = vm_method};
	jump->looks++;
	if (!at.place.vm_method)
		return; /* loaded, but not linked yet: the VM does not show its methods */
	know_method(vm, jni, r, at.place.vm_method);
	pthread_mutex_lock(j->lock);
	jump->at = at;
	if (!at.place.class_id)
		jump->failed = "there is no memory for its class";
	pthread_mutex_unlock(j->lock);
}

static void tell_failure(struct jump *jump, const struct jump_news *news)
{
	if (!jump->failed || jump->told)
		return;
	jump->told = true;
	news->failed(news->arg, jump);
}

/* Those that are there, but nobody has said yet where. NULL: none, or no memory. */
static struct wish *unmet_wishes(const struct jumps *j, size_t *count)
{
	*count = 0;
	for (size_t i = 0; i < j->list.count; i++)
		*count += is_sought(j, &j->list.at[i]);
	struct wish *w = *count ? mem_alloc(*count * sizeof(*w)) : NULL;
	for (size_t i = 0, k = 0; w && i < j->list.count; i++)
		if (is_sought(j, &j->list.at[i]))
			w[k++] = jump_wish(&j->list.at[i]);
	return w;
}

/* Their methods, in the order of the list; 0: not to be found. Owned by the caller; NULL: none, or
 * no memory. */
static uint64_t *unmet_methods(const struct jumps *j, JNIEnv *jni)
{
	size_t count;
	struct wish *w = unmet_wishes(j, &count);
	uint64_t *methods = w ? mem_alloc(count * sizeof(*methods)) : NULL;
	if (methods)
		actuators_methods(&j->by, jni, w, count);
	for (size_t i = 0; methods && i < count; i++)
		methods[i] = w[i].vm_method;
	mem_free(w);
	return methods;
}

static void tell_news(struct jumps *j, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	const struct jump_news *news)
{
	uint64_t *methods = unmet_methods(j, jni);
	for (size_t i = 0, k = 0; i < j->list.count; i++) {
		struct jump *jump = &j->list.at[i];
		if (methods && is_sought(j, jump)) {
			meet(j, jump, methods[k++], vm, jni, r);
			if (!jump->failed && !jump_unmet(jump))
				news->met(news->arg, jump);
		}
		tell_failure(jump, news);
	}
	mem_free(methods);
}

void jumps_act(struct jumps *j, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	const struct jump_news *news)
{
	bool changed = j->changed;
	j->changed = false;
	if (changed)
		apply(j, vm, jni, r);
	bool rests = should_rest(j);
	if (rests != j->rest_now && actuators_rest(&j->by, jni, rests) == ERR_NONE)
		j->rest_now = rests;
	actuators_settle(&j->by, jni);
	if (!j->dry)
		look_again(j);
	tell_news(j, vm, jni, r, news);
	teach(j, r);
}

bool jumps_untold(struct jumps *j)
{
	if (!j->rewrites)
		return false;
	j->ends = true;
	if (!j->dry)
		look_again(j);
	return any_news(j);
}

void jumps_tell(struct jumps *j, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	const struct jump_news *news)
{
	tell_news(j, vm, jni, r, news);
}

enum { NAMED_MOST = 6, NAMED_LEN = 380 };

static void name_one(struct jumps_some *s, const struct jump *jump)
{
	char one[DIAG_MAX];
	const struct decision_frame *f = jump_frame(jump);
	size_t have = strlen(s->named.text);
	if (++s->count > NAMED_MOST)
		return;
	int len = snprintf(one, sizeof(one), "%s%.200s.%.100s, index %d", have ? "; " : "",
		f->class_name, f->method, (int)f->bci);
	if (len > 0 && have + (size_t)len <= NAMED_LEN)
		memcpy(s->named.text + have, one, (size_t)len + 1);
}

/* The jump is taken over, or released: there is one at that place, which is to do what either says.
 */
static void join(struct jumps *j, struct jump *before, struct jump *jump)
{
	name_one(&j->twice, jump);
	if (jump->decision.action == DECISION_KEEP_OUT &&
		before->decision.action != DECISION_KEEP_OUT) {
		struct jump out = *jump;
		*jump = *before;
		*before = out;
	}
	jump_release(jump);
}

static uint64_t key_of(const struct jump *jump)
{
	struct wish w = jump_wish(jump);
	return place_key(slice_str(w.class_name), slice_str(w.method), slice_str(w.descriptor),
		w.bci, slice_str(w.allocates));
}

/* places: where each is in the list. There is room in that. */
static int load_one(struct jumps *j, struct map *places, struct decision *d)
{
	struct jump jump;
	int err = jump_load(&jump, d);
	if (err)
		return err;
	uint64_t key = key_of(&jump), *known = map_find(places, key);
	if (known && jump_same_place(&j->list.at[*known], &jump))
		return join(j, &j->list.at[*known], &jump), ERR_NONE;
	err = known ? ERR_NONE : map_put(places, key, j->list.count);
	if (err)
		jump_release(&jump);
	else
		j->list.at[j->list.count++] = jump;
	return err;
}

int jumps_load(struct jumps *j, struct decisions *d)
{
	struct map places = {0};
	int err = vec_reserve(&j->list, d->list.count);
	for (size_t i = 0; i < d->list.count && !err; i++)
		err = load_one(j, &places, &d->list.at[i]);
	for (size_t i = 0; i < j->list.count && j->no_strings; i++)
		if (j->list.at[i].on)
			j->list.at[i].failed = barred(j, &j->list.at[i]);
	j->changed = d->list.count > 0;
	map_release(&places);
	return err;
}

/* An actuator that comes before must be asked first. */
void jumps_expect(struct jumps *j)
{
	size_t count = 0;
	bool can = j->rewrites && !j->dry && j->by.count == 1;
	struct wish *w = can ? all_wishes(j, &count) : NULL;
	if (w && count)
		(void)!rewrites_expect(j->rewrites, w, count);
	mem_free(w);
}

int jumps_save(const struct jumps *j, struct decisions *d)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < j->list.count && !err; i++) {
		const struct jump *jump = &j->list.at[i];
		bool out = jump->decision.action == DECISION_KEEP_OUT;
		bool can = !jump->failed || jump->failed == rewrites_running ||
			   jump->failed == jumps_strings;
		bool told = jump->class_name && ((jump->on && can) || out);
		struct decision *to = told ? decisions_add(d) : NULL;
		if (to)
			err = decision_copy(to, &jump->decision);
	}
	return err;
}

/* Of a place that nothing was told of. */
static enum jumps_silent silence_of(const struct jumps *j, const struct jump *jump, bool over)
{
	struct wish w = jump_wish(jump);
	if (!over)
		return JUMPS_UNKNOWN;
	if (jump->done)
		return JUMPS_UNLINKED;
	if (j->changed)
		return JUMPS_UNDONE;
	actuators_look(&j->by, &w);
	return w.state == WISH_WAITS ? JUMPS_UNLOADED : JUMPS_UNKNOWN;
}

void jumps_silent(const struct jumps *j, bool over, struct jumps_some of[JUMPS_SILENTS])
{
	memset(of, 0, JUMPS_SILENTS * sizeof(*of));
	for (size_t i = 0; j->rewrites && !j->dry && i < j->list.count; i++) {
		const struct jump *jump = &j->list.at[i];
		if (!jump_wanted(jump) || jump->at.place.vm_method || !jump->class_name)
			continue;
		name_one(&of[silence_of(j, jump, over)], jump);
	}
}

struct jumps_constructed jumps_constructed(const struct jumps *j)
{
	struct jumps_constructed c = {0, 0};
	for (size_t i = 0; j->rewrites && i < j->list.count; i++) {
		const struct jump *jump = &j->list.at[i];
		const char *opcode = jump->decision.opcode;
		if (!jump_wanted(jump) || !jump->done || !opcode || strcmp(opcode, "new") != 0)
			continue;
		struct wish w = jump_wish(jump);
		rewrites_look(j->rewrites, &w, 1);
		if (w.state != WISH_DONE)
			continue; /* the exact engine's probe does it */
		c.all++;
		c.plain += w.plain;
	}
	return c;
}

size_t jumps_end(struct jumps *j, JNIEnv *jni)
{
	if (j->by.count)
		return actuators_end(&j->by, jni);
	if (!j->rewrites)
		return 0;
	rewrites_close(j->rewrites, jni != NULL); /* it has not begun */
	return jni ? rewrites_late(j->rewrites) : 0;
}

void jumps_close(struct jumps *j)
{
	for (size_t i = 0; i < j->list.count; i++)
		jump_release(&j->list.at[i]);
	vec_release(&j->list);
	*j = (struct jumps){.rewrites = NULL};
}
