#include "exact/births.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/map.h"
#include "exact/birth_jumps.h"
#include "exact/pages.h"
#include "exact/shape.h"

static struct births the_births = {.lock = PTHREAD_MUTEX_INITIALIZER};

__attribute__((visibility("hidden"),
	tls_model("initial-exec"))) _Thread_local struct birth_thread *births_here;
__attribute__((visibility("hidden"))) _Atomic uint8_t births_on;
__attribute__((visibility("hidden"))) struct method_key births_method_key;

/* What entry.S goes by. */
static_assert(offsetof(struct birth_thread, log.at) == 32768 &&
		      offsetof(struct birth_thread, log.limit) == 32768 + 8 &&
		      offsetof(struct birth_thread, log.last) == 32768 + 16,
	"the log is behind the sets");
static_assert(offsetof(struct birth_thread, countdown) == 32768 + 64 && BIRTHS_WALKED == 4,
	"the countdown is behind the log");
static_assert(offsetof(struct birth_thread, slots.sets) == 32768 + 72 &&
		      offsetof(struct birth_thread, slots.mask) == 32768 + 80,
	"the table is behind the countdown");
static_assert(EVENT_DISTANCE_BITS == 12 && (int)SITE_NUMBERS <= 1 << EVENT_SITE_BITS, "an event");
static_assert(
	offsetof(struct method_key, const_method) == 0 && offsetof(struct method_key, names) == 4 &&
		offsetof(struct method_key, pool) == 8 && offsetof(struct method_key, holder) == 12,
	"what tells methods apart");
static_assert(BIRTHS_LOGGED == 2 && BIRTHS_OFF == 0, "states");
static_assert(sizeof(struct birth_slot) == 32 && sizeof(birth_set) == 64, "a set is a cache line");
static_assert(offsetof(struct birth_slot, tag) == 0 && offsetof(struct birth_slot, site) == 12 &&
		      offsetof(struct birth_slot, objects) == 16 &&
		      offsetof(struct birth_slot, bytes) == 24,
	"a slot");
static_assert(SITE_BITS == 22 && SHAPE_LOG_SHIFT == 22 && SHAPE_HEADER_SHIFT == 30 &&
		      SHAPE_HEADER_LEAST == 12,
	"shifts");
static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;

struct births *births_get(void)
{
	return &the_births;
}

/* The thread ends: its block goes to the next one that begins, with what it has counted. */
static void let_go(void *arg)
{
	struct birth_thread *t = arg;
	births_here = NULL;
	birth_doors_use(NULL);
	atomic_store_explicit(&t->taken, false, memory_order_release);
}

static void prepare(void)
{
	pthread_key_create(&ending, let_go);
}

static struct birth_thread *find_free(struct births *b)
{
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next) {
		bool taken = false;
		if (atomic_compare_exchange_strong(&t->taken, &taken, true))
			return t;
	}
	return NULL;
}

/* The first of a thread's births that is walked is as far off as any next one. */
static void seed_thread(const struct births *b, struct birth_thread *t)
{
	static _Atomic uint64_t count;
	t->random = hash64_pair(b->seed, atomic_fetch_add(&count, 1)) | 1;
	t->countdown = b->every ? stride_next(&b->stride, &t->random) : 0;
}

static struct birth_thread *make(struct births *b)
{
	struct birth_thread *t = pages_map(sizeof(*t));
	if (!t)
		return NULL;
	t->taken = true;
	birth_slots_use(&t->slots, t->narrow, t->narrow_used, BIRTH_SETS);
	seed_thread(b, t);
	t->next = atomic_load(&b->threads);
	atomic_store(&b->threads, t);
	return t;
}

/* This thread's block; NULL: no memory. Under the lock. */
static struct birth_thread *own(struct births *b)
{
	pthread_once(&once, prepare);
	struct birth_thread *t = find_free(b);
	if (t && t->log.thread)
		event_log_own(&t->log, 0); /* who had it is gone */
	if (!t)
		t = make(b);
	if (t)
		pthread_setspecific(ending, t);
	births_here = t;
	birth_doors_use(t ? &t->doors : NULL);
	return t;
}

static void count(struct birth_slot *s, uintptr_t object)
{
	s->objects++;
	if (s->site & SHAPE_ARRAY)
		s->bytes += shape_bytes(s->site, birth_length(object));
	birth_stamp(object, s->site);
}

static uint64_t sum_bytes(const struct births *b, const struct birth_slot *s)
{
	return s->site & SHAPE_ARRAY ? s->bytes
				     : s->objects * b->sites.at[s->site & SITE_MASK].bytes1;
}

/* What the slot holds goes to its site. Under the lock. */
static void flush(struct births *b, struct birth_slot *s)
{
	struct exact_site *site = &b->sites.at[s->site & SITE_MASK];
	site->objects += s->objects;
	site->bytes += sum_bytes(b, s);
	s->objects = s->bytes = 0;
}

static enum caller caller_of(struct births *b, uintptr_t pc)
{
	bool known;
	enum caller c = birth_caller_known(pc, &known);
	if (known)
		return c;
	c = b->oracle.caller(b->oracle.arg, pc);
	if (c != CALLER_COMPILED) {
		pthread_mutex_lock(&b->lock);
		birth_caller_keep(pc, c);
		pthread_mutex_unlock(&b->lock);
	}
	return c;
}

/* The Method of an interpreter's frame. */
static uintptr_t method_of(uintptr_t fp)
{
	uintptr_t method;
	memcpy(&method, (const void *)(fp - 24), sizeof(method));
	return method;
}

/* In place: a copy of what was just written would wait for it. */
static void find_place(struct births *b, struct birth_thread *t, const struct birth *e,
	enum caller c, struct birth_place *p)
{
	*p = (struct birth_place){.caller = c, .key = e->pc, .leaf = c == CALLER_COMPILED};
	if (c == CALLER_STUB)
		memcpy(&p->key, (const void *)(e->fp + 8), sizeof(uintptr_t));
	if (c == CALLER_INTERPRETER) {
		p->bcp = e->bcp;
		p->method = method_of(e->fp);
		p->key = method_key_at(&births_method_key, p->method, p->bcp);
	}
	if (c == CALLER_VM) {
		p->key = 0;
		b->oracle.walk(b->oracle.arg, e, &t->code, p);
	}
}

/* The site, made where it is new; 0: of a path, for which there is no room. Its definition may ask
 * the trace's tables, so it is made without our lock; another thread that meets the site meanwhile
 * finds no size, and asks for it. */
static uint32_t site_of(
	struct births *b, const struct birth *e, const struct birth_place *p, uint32_t klass)
{
	int fresh;
	pthread_mutex_lock(&b->lock);
	uint32_t id =
		site_table_find(&b->sites, p->key, klass, p->stack ? PATHS_MAX : SITES_MAX, &fresh);
	pthread_mutex_unlock(&b->lock);
	if (fresh)
		b->sites.at[id].leaf = p->leaf;
	if (fresh)
		b->oracle.define(b->oracle.arg, &b->sites.at[id], e, p);
	return id;
}

/* Not so java.lang.Class: its objects differ in size without being arrays; nor a site that another
 * thread is just defining. */
static bool sized(const struct exact_site *s)
{
	return s->shape || s->bytes1;
}

/* What a slot has of it. Under the lock. */
static uint32_t word_of(const struct births *b, uint32_t id)
{
	const struct exact_site *s = &b->sites.at[id];
	return id | s->shape | (s->jumps ? (uint32_t)SHAPE_JUMPS : 0u);
}

/*
 * The newcomer goes first in its set, and the last one out. A slot without a tag is never met on
 * the fast path. Returns its slot. Whether its site is sized is asked before its shape is
 * read: it may be defined meanwhile, and an array's slot is to have both or no tag.
 */
static struct birth_slot *put_first(
	struct births *b, struct birth_slots *s, uint64_t key, uint32_t klass, uint32_t id)
{
	uint64_t tag = birth_tag(key, klass);
	uint32_t at = birth_slots_at(s, tag);
	struct birth_slot *set = s->sets[at], *last = &set[BIRTH_WAYS - 1];
	pthread_mutex_lock(&b->lock);
	bool empty = !set[0].site;
	s->crowded += last->site != 0;
	if (last->site)
		flush(b, last);
	memmove(set + 1, set, (BIRTH_WAYS - 1) * sizeof(*set));
	set[0] = (struct birth_slot){.tag = sized(&b->sites.at[id]) ? tag : 0};
	set[0].site = word_of(b, id);
	pthread_mutex_unlock(&b->lock);
	if (empty)
		birth_slots_began(s, at);
	return set;
}

/* Whether there is room for it among the threads. Under the lock. */
static bool may_widen(struct births *b, struct birth_thread *t)
{
	if (b->wide >= BIRTHS_WIDE_MOST)
		return false;
	t->wide = t->wide ? t->wide : pages_map(sizeof(*t->wide));
	return t->wide;
}

/* Where there is no room it is asked again after as many. */
static void widen(struct births *b, struct birth_thread *t)
{
	pthread_mutex_lock(&b->lock);
	t->slots.crowded = 0;
	if (may_widen(b, t)) {
		birth_slots_widen(&t->slots, t->wide);
		b->wide++;
	}
	pthread_mutex_unlock(&b->lock);
}

static struct birth_slot *fill(struct births *b, struct birth_thread *t, const struct birth *e,
	const struct birth_place *p, uint32_t klass)
{
	struct birth_slots *s = &t->slots;
	uint32_t id = site_of(b, e, p, klass);
	if (s->crowded >= BIRTH_CROWDED && !birth_slots_wide(s))
		widen(b, t);
	return put_first(b, s, p->key, klass, id);
}

/* What a thread's slot can't say of a birth: counted in the table. */
static void count_site(struct births *b, uint32_t site, uint64_t bytes, bool outside)
{
	struct exact_site *s = &b->sites.at[site & SITE_MASK];
	pthread_mutex_lock(&b->lock);
	s->objects++;
	s->bytes += bytes;
	s->outside_objects += outside;
	s->outside_bytes += outside ? bytes : 0;
	pthread_mutex_unlock(&b->lock);
}

/* False: it is none of those that are counted. */
static bool count_slow(struct births *b, struct birth_thread *t, struct birth_slot *s,
	const struct birth *e, enum caller c)
{
	bool odd = !s->tag;
	uint64_t bytes = c == CALLER_VM || odd ? b->oracle.bytes(b->oracle.arg, e->object) : 0;
	if (odd && !bytes) {
		atomic_store_explicit(&b->uncounted, true, memory_order_relaxed);
		return false;
	}
	if (bytes && b->oracle.outside(b->oracle.arg, e->object, bytes)) {
		count_site(b, s->site, bytes, true);
		birth_stamp_outside(e->object, s->site);
		return true;
	}
	if (c == CALLER_VM)
		birth_again_put(&t->again, &b->clock, e->object, s->site);
	if (!odd) {
		count(s, e->object);
		return true;
	}
	count_site(b, s->site, bytes, false);
	birth_stamp(e->object, s->site);
	return true;
}

static void log_birth(
	struct births *b, struct birth_thread *t, const struct birth_slot *s, uintptr_t object)
{
	if (atomic_load_explicit(&births_on, memory_order_relaxed) & BIRTHS_LOGGED)
		event_log_put(&t->log, b->pool, s->site & SITE_MASK, object);
}

/* -- Births by call path -- */

/* Where it is remembered that there was no room for the path. */
static uint64_t *refusal_of(struct birth_walks *w, uint64_t tag)
{
	return &w->refused[(tag ^ tag >> 32) & (PATHS_REFUSED - 1)];
}

static struct birth_slot *fill_path(
	struct births *b, struct birth_walks *w, const struct birth *e, bool vm, uint32_t klass)
{
	const struct birth_place p = {.caller = vm ? CALLER_VM : CALLER_COMPILED,
		.key = w->stack.hash,
		.leaf = w->stack.probe,
		.stack = &w->stack};
	uint64_t tag = birth_tag(p.key, klass), *refusal = refusal_of(w, tag);
	if (*refusal == tag)
		return NULL;
	b->oracle.stack(b->oracle.arg, e, &w->code, true, &w->stack);
	uint32_t id = site_of(b, e, &p, klass);
	if (id)
		return put_first(b, &w->slots, p.key, klass, id);
	*refusal = tag;
	return NULL;
}

static void grow(_Atomic uint64_t *total)
{
	atomic_store_explicit(
		total, atomic_load_explicit(total, memory_order_relaxed) + 1, memory_order_relaxed);
}

static void use_table(struct birth_walks *w)
{
	birth_slots_use(&w->slots, w->table.sets, w->table.used, BIRTH_WIDE_SETS);
}

static struct birth_walks *walks_of(struct birth_thread *t)
{
	struct birth_walks *w = t->walks;
	if (w)
		return w;
	w = pages_map(sizeof(*w));
	if (w)
		use_table(w);
	t->walks = w;
	return w;
}

/* Whether it was counted by its path; where there is none, or no room, its line does. */
static bool count_path(struct births *b, struct birth_thread *t, const struct birth *e)
{
	struct birth_walks *w = walks_of(t);
	if (!w) {
		atomic_fetch_add_explicit(&b->unwalked, 1, memory_order_relaxed);
		return false;
	}
	bool vm = b->oracle.stack(b->oracle.arg, e, &w->code, false, &w->stack);
	grow(&w->totals.walks);
	grow(&w->totals.ends[w->stack.end]);
	if (!w->stack.any)
		return false;
	uint32_t klass = birth_klass(e->object);
	struct birth_slot *s = birth_slots_find(&w->slots, w->stack.hash, klass);
	if (!s)
		s = fill_path(b, w, e, vm, klass);
	if (!s) {
		grow(&w->totals.refused);
		return false;
	}
	if (count_slow(b, t, s, e, vm ? CALLER_VM : CALLER_COMPILED))
		log_birth(b, t, s, e->object);
	return true;
}

/* -- */

static void count_line(struct births *b, struct birth_thread *t, const struct birth *e)
{
	uint32_t klass = birth_klass(e->object);
	enum caller c = caller_of(b, e->pc);
	struct birth_place p;
	find_place(b, t, e, c, &p);
	struct birth_slot *s = birth_slots_find(&t->slots, p.key, klass);
	if (!s)
		s = fill(b, t, e, &p, klass);
	if (count_slow(b, t, s, e, c))
		log_birth(b, t, s, e->object);
}

/* NULL: no memory. */
static struct birth_thread *begin_thread(struct births *b)
{
	pthread_mutex_lock(&b->lock);
	struct birth_thread *t = own(b);
	pthread_mutex_unlock(&b->lock);
	return t;
}

/* Whether it is this one's turn; the next one's is set then. */
static bool is_turn(const struct births *b, struct birth_thread *t)
{
	if (!(atomic_load_explicit(&births_on, memory_order_relaxed) & BIRTHS_WALKED) ||
		--t->countdown)
		return false;
	t->countdown = stride_next(&b->stride, &t->random);
	return true;
}

static void event(struct births *b, const struct birth *e)
{
	struct birth_thread *t = births_here;
	bool turn = false;
	if (!t) {
		t = begin_thread(b);
		turn = t && e->sp && is_turn(b, t);
	}
	if (!t) {
		atomic_fetch_add_explicit(&b->refused, 1, memory_order_relaxed);
		return;
	}
	if (!turn || !count_path(b, t, e))
		count_line(b, t, e);
}

__attribute__((used, visibility("hidden"))) int births_slow(uintptr_t object, uintptr_t sp,
	uintptr_t fp, uintptr_t bcp, uintptr_t java_thread, uintptr_t thread)
{
	const struct birth e = {object, *(const uintptr_t *)sp, fp, bcp, java_thread, thread,
		sp + sizeof(uintptr_t)};
	event(&the_births, &e);
	return 0;
}

__attribute__((used, visibility("hidden"))) int births_path(uintptr_t object, uintptr_t sp,
	uintptr_t fp, uintptr_t bcp, uintptr_t java_thread, uintptr_t thread)
{
	const struct birth e = {object, *(const uintptr_t *)sp, fp, bcp, java_thread, thread,
		sp + sizeof(uintptr_t)};
	struct births *b = &the_births;
	births_here->countdown = stride_next(&b->stride, &births_here->random);
	if (!count_path(b, births_here, &e))
		count_line(b, births_here, &e);
	return 0;
}

__attribute__((used, visibility("hidden"))) int births_far(
	struct birth_thread *t, uint32_t site, uint64_t at)
{
	event_log_far(&t->log, the_births.pool, site, at);
	return 0;
}

void births_event(uintptr_t object, uintptr_t pc, uintptr_t fp, uintptr_t bcp,
	uintptr_t java_thread, uintptr_t thread, uintptr_t sp)
{
	const struct birth e = {object, pc, fp, bcp, java_thread, thread, sp};
	if (!atomic_load_explicit(&births_on, memory_order_relaxed))
		return;
	if (births_here && is_turn(&the_births, births_here)) {
		if (!count_path(&the_births, births_here, &e))
			count_line(&the_births, births_here, &e);
		return;
	}
	struct birth_slot *s =
		births_here ? birth_slots_find(&births_here->slots, pc, birth_klass(object)) : NULL;
	if (births_here && !s && pc == births_stub)
		s = birth_slots_find(
			&births_here->slots, *(const uintptr_t *)(fp + 8), birth_klass(object));
	if (births_here && !s && (pc == births_templates[0] || pc == births_templates[1]))
		s = birth_slots_find(&births_here->slots,
			method_key_at(&births_method_key, method_of(fp), bcp), birth_klass(object));
	if (s) {
		count(s, object);
		log_birth(&the_births, births_here, s, object);
	} else {
		event(&the_births, &e);
	}
}

static void clear_walks(struct birth_walks *w)
{
	pages_clear(&w->table, sizeof(w->table));
	use_table(w);
	memset(w->refused, 0, sizeof(w->refused));
	memset(&w->totals, 0, sizeof(w->totals));
}

static void clear_thread(struct birth_thread *t)
{
	/* Not `taken`: the thread may end right now. */
	pages_clear(t->narrow, sizeof(t->narrow));
	pages_clear(t->wide, sizeof(*t->wide));
	pages_clear(&t->doors, sizeof(t->doors));
	t->again.count = 0;
	birth_slots_use(&t->slots, t->narrow, t->narrow_used, BIRTH_SETS);
	t->log = (struct event_log){.thread = t->log.thread};
	if (t->walks)
		clear_walks(t->walks);
}

static void clear_threads(struct births *b)
{
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next)
		clear_thread(t);
}

/* What has a number of the last recording is to be told from what this one makes. */
static void number_on(struct births *b)
{
	if (!b->sites.at)
		return;
	b->numbers = site_table_next(&b->sites);
	b->renumbered |= b->numbers == SITE_FIRST && b->sites.count > SITE_FIRST;
}

int births_open(struct births *b, const struct birth_oracle *o, struct chunk_pool *pool)
{
	number_on(b);
	int err = site_table_init(&b->sites, b->numbers ? b->numbers : SITE_FIRST);
	if (err)
		return err;
	births_jump(b, NULL, 0);
	/* A recording that could not be closed has left its sites' numbers there. */
	clear_threads(b);
	b->oracle = *o;
	b->pool = pool;
	b->clock = (struct birth_clock){NULL, 0};
	b->refused = 0;
	b->uncounted = false;
	b->epoch = 0;
	b->unwalked = 0;
	b->every = 0;
	b->turns = false;
	b->wide = 0;
	atomic_store(&births_unstamped, 0);
	birth_callers_forget();
	birth_doors_clear(&b->doors);
	return ERR_NONE;
}

void births_close(struct births *b)
{
	clear_threads(b);
	birth_doors_clear(&b->doors);
	number_on(b);
	site_table_release(&b->sites);
	births_jump(b, NULL, 0);
}

void births_set(struct births *b, enum births_state state)
{
	/* Without a pool there is nowhere to log. */
	if (state == BIRTHS_LOGGED && !b->pool)
		state = BIRTHS_COUNTED;
	atomic_store(&births_on,
		(uint8_t)((unsigned)state | (state && b->every ? (unsigned)BIRTHS_WALKED : 0u)));
	if (state != BIRTHS_COUNTED)
		birth_doors_shut(&b->doors);
}

void births_clock(struct births *b, const uint32_t *collections)
{
	b->clock = (struct birth_clock){collections, *collections};
}

void births_again(struct births *b, bool missed)
{
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next) {
		t->again.count = missed ? 0 : t->again.count;
		birth_again_stamp(&t->again);
	}
}

void births_seen(struct births *b)
{
	if (b->clock.now)
		b->clock.seen = *b->clock.now;
}

void births_doors_open(struct births *b, const struct birth_door_oracle *o)
{
	b->doors.oracle = *o;
}

void births_doors_give(struct births *b)
{
	birth_doors_give(&b->doors, &b->sites, &births_on, BIRTHS_COUNTED);
}

void births_walk(struct births *b, uint64_t every, uint64_t seed)
{
	b->every = every;
	b->seed = seed;
	if (every)
		stride_init(&b->stride, every);
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next)
		seed_thread(b, t);
}

void births_methods(const struct method_key *k)
{
	births_method_key = *k;
}

static void sum_up(struct walk_totals *sum, const struct walk_totals *t)
{
	sum->walks += atomic_load_explicit(&t->walks, memory_order_relaxed);
	sum->refused += atomic_load_explicit(&t->refused, memory_order_relaxed);
	for (int i = 0; i < STACK_ENDS; i++)
		sum->ends[i] += atomic_load_explicit(&t->ends[i], memory_order_relaxed);
}

void births_walked(struct births *b, struct walk_totals *sum)
{
	*sum = (struct walk_totals){.refused = b->unwalked};
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next) {
		const struct birth_walks *w = t->walks;
		if (w)
			sum_up(sum, &w->totals);
	}
}

void births_name(uint64_t thread)
{
	if (births_here && births_here->log.thread != thread)
		event_log_own(&births_here->log, thread);
}

void births_logs(struct births *b, birth_log *visit, void *arg)
{
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next)
		visit(arg, &t->log);
}

static void take_slot(struct births *b, struct birth_slot *s, birth_visit *visit, void *arg)
{
	if (!s->objects)
		return;
	visit(arg, &(struct birth_sum){s->site & SITE_MASK, s->objects, sum_bytes(b, s), 0, 0});
	birth_doors_saw(
		&b->doors, s->site & SITE_MASK, &b->sites.at[s->site & SITE_MASK], s->objects);
	s->objects = s->bytes = 0;
}

static void take_slots(struct births *b, struct birth_slots *s, birth_visit *visit, void *arg)
{
	for (uint32_t i = 0; i < s->used_count; i++)
		for (int way = 0; way < BIRTH_WAYS; way++)
			take_slot(b, &s->sets[s->used[i]][way], visit, arg);
}

struct taker {
	struct births *births;
	birth_visit *visit;
	void *arg;
};

static void take_door(void *arg, uint32_t site, bool array, uint64_t objects, uint64_t bytes)
{
	const struct taker *t = arg;
	if (!array)
		bytes = objects * t->births->sites.at[site].bytes1;
	t->visit(t->arg, &(struct birth_sum){site, objects, bytes, 0, 0});
}

static void take_thread(struct births *b, struct birth_thread *t, birth_visit *visit, void *arg)
{
	struct birth_walks *w = t->walks;
	birth_doors_take(&b->doors, &t->doors, take_door, &(struct taker){b, visit, arg});
	take_slots(b, &t->slots, visit, arg);
	if (w)
		take_slots(b, &w->slots, visit, arg);
}

/* What came of slots that had to go, or was counted here at once. */
static void take_site(struct births *b, uint32_t id, birth_visit *visit, void *arg)
{
	struct exact_site *s = &b->sites.at[id];
	if (!s->objects)
		return;
	visit(arg, &(struct birth_sum){
			   id, s->objects, s->bytes, s->outside_objects, s->outside_bytes});
	birth_doors_saw(&b->doors, id, s, s->objects - s->outside_objects);
	s->objects = s->bytes = s->outside_objects = s->outside_bytes = 0;
}

void births_take(struct births *b, birth_visit *visit, void *arg)
{
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next)
		take_thread(b, t, visit, arg);
	uint32_t count = atomic_load_explicit(&b->sites.count, memory_order_acquire);
	take_site(b, SITE_OTHER, visit, arg);
	for (uint32_t i = b->sites.first; i < count; i++)
		take_site(b, i, visit, arg);
}

static bool retire_all(struct births *b, birth_gone *gone, void *arg)
{
	bool any = false;
	uint32_t count = atomic_load_explicit(&b->sites.count, memory_order_acquire);
	for (uint32_t i = b->sites.first; i < count; i++) {
		if (b->sites.at[i].retired || !gone(arg, &b->sites.at[i]))
			continue;
		site_table_retire(&b->sites, i);
		if (b->sites.at[i].door)
			birth_door_shut((uint16_t)(b->sites.at[i].door - 1));
		any = true;
	}
	return any;
}

/* A slot without a tag is never met. */
static void drop_retired(struct births *b, struct birth_slot *s)
{
	if (!s->site || !b->sites.at[s->site & SITE_MASK].retired)
		return;
	flush(b, s);
	s->tag = 0;
}

static void drop_from(struct births *b, struct birth_slots *s)
{
	for (uint32_t i = 0; i < s->used_count; i++)
		for (int way = 0; way < BIRTH_WAYS; way++)
			drop_retired(b, &s->sets[s->used[i]][way]);
}

bool births_forget(struct births *b, birth_gone *gone, void *arg)
{
	if (!retire_all(b, gone, arg))
		return false;
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next) {
		struct birth_walks *w = t->walks;
		drop_from(b, &t->slots);
		if (w)
			drop_from(b, &w->slots);
	}
	return true;
}

void births_unload(struct births *b)
{
	atomic_fetch_add(&b->epoch, 1);
}
