#include "exact/birth_doors.h"

#include <assert.h>
#include <stddef.h>

#include "exact/birth_mark.h"
#include "exact/shape.h"

enum { SITE_SHIFT = 64 - SITE_BITS }; /* in a mark */

__attribute__((visibility("hidden"))) struct birth_door_words births_doors;
__attribute__((visibility("hidden"))) _Thread_local uintptr_t births_doors_here;

/* What doors.S goes by. */
static_assert(BIRTH_DOORS_PLAIN == 384 && BIRTH_DOORS_ARRAY == 128, "how many there are");
static_assert(offsetof(struct birth_door_words, shape) == 4096, "shapes are behind the words");
static_assert(
	offsetof(struct birth_door_counts, bytes) == 4096, "and bytes as far behind the counts");

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
	for (uint32_t i = 0; i < BIRTH_DOORS; i++) {
		struct birth_door *door = &d->at[i];
		*door = (struct birth_door){.pc = door->pc, .function = door->function};
	}
	d->oracle = (struct birth_door_oracle){.code = NULL};
	door_wishes_clear(&d->wishes);
	d->open = d->refused = 0;
}

void birth_door_shut(uint16_t door)
{
	atomic_store(&births_doors.open[door], 0);
}

bool birth_door_is_open(uint32_t door)
{
	return atomic_load(&births_doors.open[door]) != 0;
}

static uint64_t shape_of(uint32_t shape)
{
	uint64_t up = births_align.bytes - 1;
	return shape ? (shape_header(shape) + up) << 8 | (shape >> SHAPE_LOG_SHIFT & 3) : 0;
}

void birth_door_open(uint32_t door, uint32_t id, const struct exact_site *s)
{
	atomic_store(&births_doors.shape[door], shape_of(s->shape));
	atomic_store(&births_doors.open[door], (uint64_t)id << SITE_SHIFT | s->klass);
}

/* An array is one by its shape, and an instance has a size; neither is one of which the VM must be
 * asked for each object. */
bool birth_door_suits(const struct exact_site *s)
{
	return s->leaf && !s->door && !s->jumps && !s->retired && (s->shape || s->bytes1);
}

void birth_doors_saw(
	struct birth_doors *d, uint32_t id, const struct exact_site *s, uint64_t objects)
{
	d->wishes.births += objects;
	if (objects && d->oracle.code && birth_door_suits(s))
		door_wishes_add(&d->wishes, id, objects);
}

static void take(struct birth_doors *d, struct birth_door_counts *c, uint32_t i,
	birth_door_visit *visit, void *arg)
{
	uint64_t objects = c->objects[i];
	if (!objects)
		return;
	visit(arg, d->at[i].site, i >= BIRTH_DOORS_PLAIN, objects, c->bytes[i]);
	d->at[i].births += objects;
	d->wishes.births += objects;
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
