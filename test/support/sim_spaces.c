#include "support/sim_spaces.h"

#include "exact/aged_mark.h"

enum { LIVES_LONG = 3 };

static struct vm_name name;
static struct vm_klass klass;
static const void *const functions[] = {&name};
/* One behind the other, as the VM has them. */
static _Alignas(64) uint64_t old_memory[2 * SPACES_OBJECTS * SPACES_WORDS];
static _Alignas(64) uint64_t eden_memory[SPACES_OBJECTS * SPACES_WORDS];
static _Alignas(64) uint64_t kept_memory[2][SPACES_KEPT * SPACES_WORDS];

static struct vm_space space(uint64_t *memory, size_t objects)
{
	uintptr_t at = (uintptr_t)memory;
	return (struct vm_space){at, at, at + objects * SPACES_WORDS * sizeof(uint64_t)};
}

void sim_spaces_init(struct sim_spaces *s, uint64_t seed)
{
	*s = (struct sim_spaces){.rng = rng_init(seed), .threshold = 15};
	vm_name_set(&name, "Thing");
	klass = (struct vm_klass){
		.functions = functions, .layout = SPACES_WORDS * sizeof(uint64_t), .name = &name};
	s->objects = vm_objects_made(&klass, false);
	s->vm.eden = space(eden_memory, SPACES_OBJECTS);
	s->vm.survivor[0] = space(kept_memory[0], SPACES_KEPT);
	s->vm.survivor[1] = space(kept_memory[1], SPACES_KEPT);
	s->vm.tenured =
		space(old_memory, (size_t)SPACES_OBJECTS / 4 + rng_below(&s->rng, SPACES_OBJECTS));
	s->thread_list = &s->no_threads;
	s->layout = vm_spaces_layout(&s->vm, HEAP_PARALLEL);
}

/* The object's mark, wherever it is. */
static bool is_locked(const struct spaces_object *o)
{
	return (*o->at & 3) == 0;
}

static uint64_t *mark_of(struct spaces_object *o)
{
	return is_locked(o) ? &o->lock : o->at;
}

static bool take(struct vm_space *s, uint64_t **at)
{
	size_t bytes = SPACES_WORDS * sizeof(uint64_t);
	if (s->end - s->top < bytes)
		return false;
	*at = (uint64_t *)s->top;
	s->top += bytes;
	return true;
}

/* Some have a hash already, some are to jump over their ages, some are locked. */
static void make(struct sim_spaces *s, uint64_t *at)
{
	struct spaces_object *o = &s->all[s->count++];
	uint32_t site = SITE_FIRST + (uint32_t)rng_below(&s->rng, SPACES_SITES);
	*o = (struct spaces_object){.at = at, .site = site};
	vm_object_put(&s->objects, at, &klass, 0);
	uint64_t hash = rng_below(&s->rng, 6) ? 0 : 1 + rng_below(&s->rng, 1000);
	*at |= (uint64_t)site << SITE_SHIFT | hash << s->objects.hash_shift;
	*at |= rng_below(&s->rng, 10) ? 0 : BIRTH_JUMPED;
	if (rng_below(&s->rng, 10) == 0) {
		o->lock = *at;
		*at = (uintptr_t)&o->lock;
	}
}

void sim_spaces_make(struct sim_spaces *s, unsigned percent)
{
	uintptr_t most = s->vm.eden.bottom + (s->vm.eden.end - s->vm.eden.bottom) / 100 * percent;
	uint64_t *at;
	while (s->vm.eden.top < most && s->count < SPACES_MOST && take(&s->vm.eden, &at))
		make(s, at);
}

void sim_spaces_drop(struct sim_spaces *s, unsigned one_in)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct spaces_object o = s->all[i];
		bool locked = is_locked(&o);
		if (rng_below(&s->rng, o.old ? LIVES_LONG : one_in) == 0) {
			s->all[kept] = o;
			*o.at = locked ? (uintptr_t)&s->all[kept].lock : *o.at;
			kept++;
		} else if (locked) {
			*o.at = o.lock;
		}
	}
	s->count = kept;
}

static bool within(const struct vm_space *s, const uint64_t *at)
{
	return (uintptr_t)at >= s->bottom && (uintptr_t)at < s->end;
}

/* A young collection. */

static void move(struct spaces_object *o, uint64_t *to)
{
	memcpy(to, o->at, SPACES_WORDS * sizeof(uint64_t));
	*o->at = (uintptr_t)to | MARK_FORWARDED;
	o->at = to;
}

static bool copy(struct sim_spaces *s, struct spaces_object *o)
{
	uint32_t age = (uint32_t)(*mark_of(o) & BIRTH_AGES) / AGE_ONE;
	uint64_t *to;
	if (age < s->threshold && take(s->vm.young[2], &to)) {
		move(o, to);
		*mark_of(o) = aged_on(*mark_of(o));
		return true;
	}
	if (!take(s->vm.old[0], &to))
		return false;
	move(o, to);
	return true;
}

/* Without a lock or a hash its mark is made anew. */
static void renew(struct sim_spaces *s, struct spaces_object *o)
{
	if (is_locked(o) || mark_hash(&s->objects, *o->at))
		return;
	*o->at = 1;
	o->site = 0;
}

/* All forwarding marks become plain ones, those of the originals too. */
static void unforward(struct vm_space *space)
{
	for (uintptr_t at = space->bottom; at < space->top; at += SPACES_WORDS * sizeof(uint64_t))
		if ((*(uint64_t *)at & 3) == MARK_FORWARDED)
			*(uint64_t *)at = 1;
}

static void clean_up(struct sim_spaces *s)
{
	unforward(s->vm.young[0]);
	unforward(s->vm.young[1]);
	for (size_t i = 0; i < s->count; i++)
		if (within(s->vm.young[0], s->all[i].at) || within(s->vm.young[1], s->all[i].at))
			renew(s, &s->all[i]);
}

static void swap(struct sim_spaces *s)
{
	struct vm_space *from = s->vm.young[1];
	s->vm.young[0]->top = s->vm.young[0]->bottom;
	from->top = from->bottom;
	s->vm.young[1] = s->vm.young[2];
	s->vm.young[2] = from;
}

bool sim_spaces_young(struct sim_spaces *s)
{
	bool all = true;
	s->vm.heap.collections++;
	if (s->young_begins)
		s->young_begins(s->arg);
	for (size_t i = 0; i < s->count; i++) {
		struct spaces_object *o = &s->all[i];
		if (within(s->vm.young[0], o->at) || within(s->vm.young[1], o->at))
			all &= copy(s, o);
	}
	if (all)
		swap(s);
	else
		clean_up(s);
	return all;
}

/* A full collection: what lives goes to the bottom of the old space, what finds no room there to
 * that of eden. What is old already finds room. */

static void settle(struct spaces_object *o, const uint64_t *words, struct sim_spaces *s)
{
	uint64_t *to = NULL;
	if (!take(&s->vm.tenured, &to))
		take(&s->vm.eden, &to);
	memcpy(to, words, SPACES_WORDS * sizeof(uint64_t));
	o->at = to;
}

static void compact(struct sim_spaces *s)
{
	static uint64_t words[SPACES_MOST][SPACES_WORDS];
	static bool old[SPACES_MOST];
	for (size_t i = 0; i < s->count; i++) {
		renew(s, &s->all[i]);
		old[i] = within(&s->vm.tenured, s->all[i].at);
		memcpy(words[i], s->all[i].at, sizeof(words[i]));
	}
	for (int i = 0; i < 3; i++)
		s->vm.young[i]->top = s->vm.young[i]->bottom;
	s->vm.tenured.top = s->vm.tenured.bottom;
	for (int young = 0; young < 2; young++)
		for (size_t i = 0; i < s->count; i++)
			if (old[i] == !young)
				settle(&s->all[i], words[i], s);
}

void sim_spaces_full(struct sim_spaces *s)
{
	if (s->full_begins)
		s->full_begins(s->arg);
	s->vm.heap.collections++;
	s->vm.heap.full++;
	compact(s);
}

static void count(struct spaces_counts *counts, const struct spaces_object *o, bool old)
{
	uint32_t age = o->age < SPACES_AGES ? o->age : SPACES_AGES;
	if (o->site)
		counts->of[o->site - SITE_FIRST][age - 1][old]++;
	else
		counts->unknown++;
}

void sim_spaces_end(struct sim_spaces *s, struct spaces_counts *counts)
{
	for (size_t i = 0; i < s->count; i++) {
		struct spaces_object *o = &s->all[i];
		bool old = within(&s->vm.tenured, o->at);
		o->age++;
		if (!o->old)
			count(counts, o, old);
		o->old |= old;
	}
}
