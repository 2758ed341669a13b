#include "exact/births.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "exact/birth_blocks.h"
#include "exact/birth_count.h"
#include "exact/birth_jumps.h"
#include "exact/birth_paths.h"
#include "exact/birth_sites.h"
#include "exact/shape.h"

static struct births the_births = {.lock = PTHREAD_MUTEX_INITIALIZER};

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

struct births *births_get(void)
{
	return &the_births;
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

static void count_line(struct births *b, struct birth_thread *t, const struct birth *e)
{
	uint32_t klass = birth_klass(e->object);
	enum caller c = caller_of(b, e->pc);
	struct birth_place p;
	find_place(b, t, e, c, &p);
	struct birth_slot *s = birth_slots_find(&t->slots, p.key, klass);
	if (!s)
		s = birth_slot_make(b, t, e, &p, klass);
	if (birth_count_asked(b, t, s, e, c))
		birth_count_log(b, t, s, e->object);
}

static void event(struct births *b, const struct birth *e)
{
	struct birth_thread *t = births_here;
	bool turn = false;
	if (!t) {
		t = birth_block_begin(b);
		turn = t && e->sp && birth_path_due(b, t);
	}
	if (!t) {
		atomic_fetch_add_explicit(&b->refused, 1, memory_order_relaxed);
		return;
	}
	if (!turn || !birth_path_count(b, t, e))
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
	if (!birth_path_count(b, births_here, &e))
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
	if (births_here && birth_path_due(&the_births, births_here)) {
		if (!birth_path_count(&the_births, births_here, &e))
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
		birth_count(s, object);
		birth_count_log(&the_births, births_here, s, object);
	} else {
		event(&the_births, &e);
	}
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
	birth_blocks_locate();
	if (site_table_init(&b->sites, b->numbers ? b->numbers : SITE_FIRST))
		return ERR_NOMEM;
	if (birth_sums_init(&b->sums)) {
		site_table_release(&b->sites);
		return ERR_NOMEM;
	}
	births_jump(b, NULL, 0);
	/* A recording that could not be closed has left its sites' numbers there. */
	birth_blocks_clear(b);
	b->oracle = *o;
	b->pool = pool;
	b->clock = (struct birth_clock){NULL, 0};
	b->refused = 0;
	b->logged = b->outside_logged = b->uncounted = false;
	b->epoch = 0;
	b->unwalked = 0;
	b->paths_stay = false;
	b->every = 0;
	b->turns = b->unplaced = b->unlined = false;
	b->wide = 0;
	birth_callers_forget();
	birth_doors_clear(&b->doors);
	return ERR_NONE;
}

void births_close(struct births *b)
{
	birth_blocks_clear(b);
	birth_doors_clear(&b->doors);
	number_on(b);
	site_table_release(&b->sites);
	birth_sums_release(&b->sums);
	births_jump(b, NULL, 0);
}

void births_set(struct births *b, enum births_state state)
{
	/* Without a pool there is nowhere to log. */
	if (state == BIRTHS_LOGGED && !b->pool)
		state = BIRTHS_COUNTED;
	if (state != BIRTHS_OFF)
		atomic_store(&b->logged, state == BIRTHS_LOGGED);
	atomic_store(&births_on,
		(uint8_t)((unsigned)state | (state && b->every ? (unsigned)BIRTHS_WALKED : 0u)));
	if (state != BIRTHS_COUNTED)
		birth_doors_shut(&b->doors);
}

void births_log_outside(struct births *b, bool log)
{
	atomic_store(&b->outside_logged, log && b->pool);
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

/* doors.S does not ask the loader. */
void births_doors_open(struct births *b, const struct birth_door_oracle *o)
{
	if (birth_blocks_fixed())
		b->doors.oracle = *o;
}

const char *births_entry(bool rdi, enum birth_header header)
{
	static const char *const entries[2][BIRTH_HEADERS][2] = {
		{{births_dynamic_rsi, births_dynamic_rdi},
			{births_dynamic_compact_rsi, births_dynamic_compact_rdi},
			{births_dynamic_wide_rsi, births_dynamic_wide_rdi}},
		{{births_entry_rsi, births_entry_rdi},
			{births_entry_compact_rsi, births_entry_compact_rdi},
			{births_entry_wide_rsi, births_entry_wide_rdi}}};
	return entries[birth_blocks_fixed()][header][rdi];
}

void births_doors_give(struct births *b)
{
	birth_doors_give(&b->doors, &b->sites, &births_on, BIRTHS_COUNTED);
}

void births_methods(const struct method_key *k)
{
	births_method_key = *k;
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

void births_unload(struct births *b)
{
	atomic_fetch_add(&b->epoch, 1);
}
