#include "exact/birth_doors.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "exact/shape.h"
#include "hotspot/probe_call.h"

enum { SITE_SHIFT = 64 - SITE_BITS }; /* in a mark */

__attribute__((visibility("hidden"))) struct birth_door_words births_doors;
__attribute__((
	visibility("hidden"), tls_model("initial-exec"))) _Thread_local uintptr_t births_doors_here;

/* What doors.S goes by. */
static_assert(BIRTH_DOORS_PLAIN == 3072 && BIRTH_DOORS_ARRAY == 1024, "how many there are");
static_assert(offsetof(struct birth_door_words, shape) == 32768, "shapes are behind the words");
static_assert(
	offsetof(struct birth_door_counts, bytes) == 32768, "and bytes as far behind the counts");

void birth_doors_use(struct birth_door_counts *c)
{
	births_doors_here = c ? (uintptr_t)c->objects - (uintptr_t)births_doors.open : 0;
}

/* Those that were given, of both kinds. */
static uint32_t plain_end(const struct birth_doors *d)
{
	return atomic_load(&d->plain);
}

static uint32_t array_end(const struct birth_doors *d)
{
	return BIRTH_DOORS_PLAIN + atomic_load(&d->arrays);
}

static void shut(uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		atomic_store(&births_doors.open[i], 0);
}

void birth_doors_shut(struct birth_doors *d)
{
	shut(0, plain_end(d));
	shut(BIRTH_DOORS_PLAIN, array_end(d));
}

void birth_doors_clear(struct birth_doors *d)
{
	birth_doors_shut(d);
	for (uint32_t i = 0; i < BIRTH_DOORS; i++)
		d->at[i].site = 0;
	d->oracle = (struct birth_door_oracle){.code = NULL};
	d->wanted_count = d->open = d->refused = 0;
}

void birth_door_shut(uint16_t door)
{
	atomic_store(&births_doors.open[door], 0);
}

/* An array is one by its shape, and an instance has a size; neither is one of which the VM must be
 * asked for each object. */
static bool can_have(const struct exact_site *s)
{
	return s->leaf && !s->door && !s->jumps && !s->retired && (s->shape || s->bytes1);
}

void birth_doors_hot(
	struct birth_doors *d, uint32_t id, const struct exact_site *s, uint64_t objects)
{
	if (objects < BIRTH_DOOR_HOT || !d->oracle.code || !can_have(s) ||
		d->wanted_count == BIRTH_DOORS_AT_ONCE)
		return;
	for (uint32_t i = 0; i < d->wanted_count; i++)
		if (d->wanted[i] == id)
			return;
	d->wanted[d->wanted_count++] = id;
}

static uintptr_t code_of(uint32_t door)
{
	return (uintptr_t)births_door_code + (uintptr_t)door * BIRTH_DOOR_BYTES;
}

/* Whose code the address is; BIRTH_DOORS: nobody's. */
static uint32_t door_at(uintptr_t code)
{
	uintptr_t far = code - (uintptr_t)births_door_code;
	return far < BIRTH_DOORS * BIRTH_DOOR_BYTES && far % BIRTH_DOOR_BYTES == 0
		       ? (uint32_t)(far / BIRTH_DOOR_BYTES)
		       : BIRTH_DOORS;
}

static bool is_probe(const struct birth_doors *d, uintptr_t function)
{
	for (int i = 0; i < BIRTH_PROBES; i++)
		if (function && d->oracle.probes[i] == function)
			return true;
	return false;
}

/* One that was never given; BIRTH_DOORS: none is left. */
static uint32_t next_door(struct birth_doors *d, bool array)
{
	uint32_t plain = atomic_load(&d->plain), arrays = atomic_load(&d->arrays);
	if (array ? arrays == BIRTH_DOORS_ARRAY : plain == BIRTH_DOORS_PLAIN)
		return BIRTH_DOORS;
	atomic_store(array ? &d->arrays : &d->plain, (array ? arrays : plain) + 1);
	return array ? BIRTH_DOORS_PLAIN + arrays : plain;
}

/* The call gets a door that nobody had before. */
static uint32_t lead(struct birth_doors *d, uintptr_t pc, bool array)
{
	uint32_t door = next_door(d, array);
	if (door == BIRTH_DOORS)
		return BIRTH_DOORS;
	d->at[door] = (struct birth_door){.pc = pc};
	return probe_call_lead(pc, code_of(door), NULL) ? BIRTH_DOORS : door;
}

/* The door that the call has from before, for another class or in another recording, if it is of
 * the kind and nobody has it. */
static uint32_t again(const struct birth_doors *d, uint32_t door, uintptr_t pc, bool array)
{
	bool free = door < BIRTH_DOORS && d->at[door].pc == pc && !births_doors.open[door];
	return free && array == (door >= BIRTH_DOORS_PLAIN) ? door : BIRTH_DOORS;
}

static uint32_t door_for(struct birth_doors *d, const struct exact_site *s)
{
	uintptr_t pc = (uintptr_t)s->key, begin = d->oracle.code(d->oracle.arg, pc);
	if (!begin || pc - begin < PROBE_CALL_BYTES)
		return BIRTH_DOORS;
	uintptr_t target = probe_call_target(pc);
	return is_probe(d, target) ? lead(d, pc, s->shape != 0)
				   : again(d, door_at(target), pc, s->shape != 0);
}

static uint64_t shape_of(uint32_t shape)
{
	uint64_t header = SHAPE_HEADER_LEAST + (shape >> SHAPE_HEADER_SHIFT & 1) * 4;
	return shape ? (header + 7) << 8 | (shape >> SHAPE_LOG_SHIFT & 3) : 0;
}

/*
 * In this order, each seen by all: the word, the site's door, and then whether it should be open.
 * Who shuts it does so after what was the reason (a state, a jump): either that is seen here, or
 * the door there.
 */
static void open_door(struct birth_doors *d, uint32_t door, uint32_t id, struct exact_site *s,
	const _Atomic uint8_t *state, uint8_t counted)
{
	d->at[door].site = id;
	d->open++;
	atomic_store(&births_doors.shape[door], shape_of(s->shape));
	atomic_store(&births_doors.open[door], (uint64_t)id << SITE_SHIFT | s->klass);
	atomic_store(&s->door, (uint16_t)(door + 1));
	if (atomic_load(state) != counted || s->jumps)
		birth_door_shut((uint16_t)door);
}

static void give(struct birth_doors *d, uint32_t id, struct exact_site *s,
	const _Atomic uint8_t *state, uint8_t counted)
{
	uint32_t door = can_have(s) ? door_for(d, s) : BIRTH_DOORS;
	if (door < BIRTH_DOORS) {
		open_door(d, door, id, s, state, counted);
	} else {
		s->leaf = false; /* it is not asked again */
		d->refused++;
	}
}

void birth_doors_give(struct birth_doors *d, const struct site_table *sites,
	const _Atomic uint8_t *state, uint8_t counted)
{
	uint32_t count = d->wanted_count, before = d->open;
	d->wanted_count = 0;
	if (!count || atomic_load(state) != counted)
		return;
	for (uint32_t i = 0; i < count; i++)
		give(d, d->wanted[i], &sites->at[d->wanted[i]], state, counted);
	if (d->open != before && !code_fence())
		d->oracle.code = NULL;
}

static void take(struct birth_doors *d, struct birth_door_counts *c, uint32_t i,
	birth_door_visit *visit, void *arg)
{
	if (!c->objects[i])
		return;
	visit(arg, d->at[i].site, i >= BIRTH_DOORS_PLAIN, c->objects[i], c->bytes[i]);
	c->objects[i] = 0;
	c->bytes[i] = 0;
}

void birth_doors_take(
	struct birth_doors *d, struct birth_door_counts *c, birth_door_visit *visit, void *arg)
{
	for (uint32_t i = 0; i < plain_end(d); i++)
		take(d, c, i, visit, arg);
	for (uint32_t i = BIRTH_DOORS_PLAIN; i < array_end(d); i++)
		take(d, c, i, visit, arg);
}
