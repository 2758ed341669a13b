#include <stddef.h>

#include "exact/birth_doors.h"

#include "hotspot/probe_call.h"

/* Instead of a door: the place can't have one; it can, but all are others'. */
enum { NEVER = BIRTH_DOORS, NOT_NOW };

/* What one pause has led, in the order of it. */
struct led {
	uint32_t site, door;
	bool fresh; /* its call went to the VM's function before */
};

struct round {
	struct birth_doors *doors;
	struct site_table *sites;
	struct led led[BIRTH_DOORS_AT_ONCE];
	uint32_t count, fresh;
};

/* A call and its door. */

static uintptr_t code_of(const struct birth_doors *d, uint32_t door)
{
	const char *first = d->oracle.wide ? births_door_code_wide : births_door_code;
	return (uintptr_t)first + (uintptr_t)door * BIRTH_DOOR_BYTES;
}

/* Whose code the address is; BIRTH_DOORS: nobody's. */
static uint32_t door_at(const struct birth_doors *d, uintptr_t code)
{
	uintptr_t far = code - code_of(d, 0);
	return far < (uintptr_t)BIRTH_DOORS * BIRTH_DOOR_BYTES && far % BIRTH_DOOR_BYTES == 0
		       ? (uint32_t)(far / BIRTH_DOOR_BYTES)
		       : BIRTH_DOORS;
}

/* Where the call goes that returns to pc; 0: there is none in compiled Java code, or not any more.
 */
static uintptr_t target_of(const struct birth_doors *d, uintptr_t pc)
{
	uintptr_t begin = d->oracle.code(d->oracle.arg, pc);
	return begin && pc - begin >= PROBE_CALL_BYTES ? probe_call_target(pc) : 0;
}

static bool is_probe(const struct birth_doors *d, uintptr_t function)
{
	for (int i = 0; i < BIRTH_PROBES; i++)
		if (function && d->oracle.probes[i] == function)
			return true;
	return false;
}

/*
 * The call goes to the VM's function again, and the door is nobody's. Where the code went it is
 * called by nobody, and what stands there now is left alone. False: it may still be called.
 */
static bool lead_back(struct birth_doors *d, uint32_t door)
{
	struct birth_door *was = &d->at[door];
	if (target_of(d, was->pc) == code_of(d, door) &&
		probe_call_lead(was->pc, was->function, NULL))
		return false;
	*was = (struct birth_door){.pc = 0};
	return true;
}

/* Its site goes the ordinary way from now on, and may want one again. */
static bool take_back(struct round *r, uint32_t door)
{
	uint32_t id = r->doors->at[door].site;
	struct exact_site *s = &r->sites->at[id];
	birth_door_shut((uint16_t)door);
	if (id && s->door == door + 1)
		atomic_store(&s->door, 0);
	r->doors->at[door].site = 0;
	return lead_back(r->doors, door);
}

/* Which one. */

/* One of the kind that is nobody's, else the coldest. */
static uint32_t find(const struct birth_doors *d, bool array)
{
	uint32_t from = array ? BIRTH_DOORS_PLAIN : 0, best = from;
	uint32_t to = array ? BIRTH_DOORS : BIRTH_DOORS_PLAIN;
	for (uint32_t i = from; i < to && d->at[best].pc; i++)
		if (!d->at[i].pc || d->at[i].heat < d->at[best].heat)
			best = i;
	return best;
}

/* One that is nobody's, or not any more. */
static uint32_t make_room(struct round *r, bool array, uint64_t objects)
{
	uint32_t door = find(r->doors, array);
	const struct birth_door *d = &r->doors->at[door];
	if (!d->pc)
		return door;
	return d->heat * BIRTH_DOOR_COLDER < objects && take_back(r, door) ? door : NOT_NOW;
}

static void give_first_time(struct birth_doors *d, uint32_t door)
{
	bool array = door >= BIRTH_DOORS_PLAIN;
	uint32_t end = door + 1 - (array ? BIRTH_DOORS_PLAIN : 0);
	_Atomic uint32_t *most = array ? &d->arrays : &d->plain;
	if (*most < end)
		atomic_store(most, end);
}

/* A call that could not be led is as it was, and so is the door: it is the next one's. */
static uint32_t lead(
	struct round *r, uintptr_t pc, uintptr_t function, bool array, uint64_t objects)
{
	struct birth_doors *d = r->doors;
	uint32_t door = make_room(r, array, objects);
	if (door >= BIRTH_DOORS)
		return door;
	int err = probe_call_lead(pc, code_of(d, door), NULL);
	if (err && probe_call_target(pc) == function)
		return NEVER;
	d->at[door] = (struct birth_door){.pc = pc, .function = function};
	give_first_time(d, door);
	return err ? (uint32_t)NEVER : door;
}

/* The door that the call has from before, for another class or in another recording, if it is of
 * the kind and nobody has it. */
static uint32_t again(const struct birth_doors *d, uint32_t door, uintptr_t pc, bool array)
{
	bool free = door < BIRTH_DOORS && d->at[door].pc == pc && !birth_door_is_open(door);
	return free && array == (door >= BIRTH_DOORS_PLAIN) ? door : (uint32_t)NEVER;
}

static uint32_t door_for(struct round *r, const struct exact_site *s, uint64_t objects, bool *fresh)
{
	uintptr_t pc = (uintptr_t)s->key, target = target_of(r->doors, pc);
	*fresh = is_probe(r->doors, target);
	return *fresh ? lead(r, pc, target, s->shape != 0, objects)
		      : again(r->doors, door_at(r->doors, target), pc, s->shape != 0);
}

/* One that can't have it is not asked again. */
static void grant(struct round *r, const struct door_wish *w)
{
	struct exact_site *s = &r->sites->at[w->site];
	bool fresh;
	uint32_t door = birth_door_suits(s) ? door_for(r, s, w->objects, &fresh) : NEVER;
	if (door < BIRTH_DOORS) {
		r->doors->at[door].heat = w->objects;
		r->led[r->count++] = (struct led){w->site, door, fresh};
		r->fresh += fresh;
	} else if (door == NEVER) {
		s->leaf = false;
		r->doors->refused++;
	}
}

/*
 * In this order, each seen by all: the word, the site's door, and then whether it should be open.
 * Who shuts it does so after what was the reason (a state, a jump): either that is seen here, or
 * the door there.
 */
static void open_door(
	struct round *r, const struct led *l, const _Atomic uint8_t *state, uint8_t counted)
{
	struct exact_site *s = &r->sites->at[l->site];
	r->doors->at[l->door].site = l->site;
	r->doors->open++;
	birth_door_open(l->door, l->site, s);
	atomic_store(&s->door, (uint16_t)(l->door + 1));
	if (atomic_load(state) != counted || s->jumps)
		birth_door_shut((uint16_t)l->door);
}

/*
 * Not every thread can be told to read the calls anew: they are led back. Nobody has executed them
 * since, so whatever of them a processor has read ahead is as they are now; or leads to a door that
 * is shut, and no door is given any more before a later fence.
 */
static void undo(struct round *r)
{
	for (uint32_t i = r->count; i-- > 0;)
		if (r->led[i].fresh)
			lead_back(r->doors, r->led[i].door);
	r->doors->oracle.code = NULL;
}

static void cool(struct birth_doors *d)
{
	for (uint32_t i = 0; i < BIRTH_DOORS; i++) {
		d->at[i].heat = (d->at[i].heat + d->at[i].births) / 2;
		d->at[i].births = 0;
	}
}

void birth_doors_give(struct birth_doors *d, struct site_table *sites, const _Atomic uint8_t *state,
	uint8_t counted)
{
	struct door_wish wishes[BIRTH_DOORS_AT_ONCE];
	struct round r = {.doors = d, .sites = sites};
	if (!d->wishes.births)
		return;
	uint32_t count = door_wishes_take(&d->wishes, wishes, BIRTH_DOORS_AT_ONCE);
	cool(d);
	if (atomic_load(state) != counted)
		return;
	for (uint32_t i = 0; i < count; i++)
		grant(&r, &wishes[i]);
	if (r.fresh && !code_fence()) {
		undo(&r);
		return;
	}
	for (uint32_t i = 0; i < r.count; i++)
		open_door(&r, &r.led[i], state, counted);
}
