/*
 * What event mode costs, without a VM: a birth in the probe, an object in the scan at a
 * collection's end, by the kind of object, and a chunk's way into the trace. The oracle is as cheap
 * as the agent's: it reads a mark.
 *
 *	bench_event_mode [MILLIONS OF OBJECTS] [WORKERS]
 *
 * Prints ns an object, the least of ROUNDS.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "exact/chunk_seal.h"
#include "exact/follow.h"
#include "exact/follow_checkpoint.h"
#include "exact/pages.h"
#include "hotspot/objects.h"

enum { ROUNDS = 5, BYTES = 32, SURVIVES = 20, EDEN = 0, TO = 1, OLD = 3, SITES = 1000 };

struct rig {
	struct heap_layout layout;
	struct region before_at[4], after_at[4];
	struct heap_regions before, after;
	struct chunk_pool pool;
	struct follow follow;
	struct event_log log;
	char *memory;
	size_t objects, survivors;
	uint32_t workers;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void die(const char *what)
{
	fprintf(stderr, "bench_event_mode: %s\n", what);
	exit(1);
}

static uintptr_t where(void *arg, enum region_fate fate, uint32_t site, uintptr_t address)
{
	(void)arg;
	(void)fate;
	(void)site;
	return mark_forwarded(object_mark(address));
}

static uint32_t identify(void *arg, uint32_t site, uintptr_t address, uint32_t proposed)
{
	(void)site;
	(void)arg;
	uint64_t mark = object_mark(address);
	if (mark >> 8 & 0x7fffffff)
		return (uint32_t)(mark >> 8) & 0x7fffffff;
	*(uint64_t *)address = mark | (uint64_t)proposed << 8;
	return proposed;
}

static bool same(void *arg, uint32_t site, uintptr_t address)
{
	(void)arg;
	(void)site;
	(void)address;
	return true;
}

/* As the agent's, in exact/witness.c. */
static uint64_t skip(void *arg, struct chunk_cursor *c, uintptr_t top)
{
	uint64_t skipped = 0;
	(void)arg;
	for (; c->at < c->end; c->at++, skipped++) {
		uint64_t distance = *c->at & EVENT_DISTANCE_MAX, next = c->last + distance;
		if (!distance || next >= top >> 3)
			break;
		if ((object_mark(next << 3) & 3) == MARK_FORWARDED)
			break;
		c->last = next;
	}
	return skipped;
}

static uint32_t known[SITES];

static uint64_t trace_site(void *arg, uint32_t site)
{
	(void)arg;
	return known[site] = site + 5u;
}

static void region(struct region *r, char *from, size_t bytes, enum region_kind kind)
{
	*r = (struct region){
		(uintptr_t)from, (uintptr_t)from, (uintptr_t)from + bytes, 0, (uint8_t)kind, false};
}

static void prepare(struct rig *rig)
{
	size_t bytes = rig->objects * BYTES;
	rig->layout.collector = HEAP_SERIAL;
	rig->memory = pages_map(3 * bytes);
	if (!rig->memory)
		die("no memory");
	region(&rig->before_at[EDEN], rig->memory, bytes, REGION_EDEN);
	region(&rig->before_at[TO], rig->memory + bytes, bytes, REGION_SURVIVOR);
	region(&rig->before_at[2], rig->memory + 2 * bytes, 0, REGION_SURVIVOR);
	region(&rig->before_at[OLD], rig->memory + 2 * bytes, bytes, REGION_OLD);
	rig->before = (struct heap_regions){.at = rig->before_at, .count = 4};
	rig->after = (struct heap_regions){.at = rig->after_at, .count = 4, .collections = 1};
	const struct follow_oracle oracle = {
		.where = where, .identify = identify, .same = same, .skip = skip};
	const struct follow_bounds bounds = {.residents = rig->objects * 2,
		.identities = rig->objects,
		.regions = 4,
		.base = (uintptr_t)rig->memory};
	uint32_t chunks = (uint32_t)(rig->objects / CHUNK_WORDS * 5 + 64);
	if (chunk_pool_init(&rig->pool, chunks, 0, CHUNK_WORDS) ||
		follow_init(&rig->follow, &rig->pool, &oracle, &bounds, 0))
		die("no memory");
}

/* Marks, with every n-th object forwarded. */
static void mark(struct rig *rig, char *from, size_t count, size_t n, char *to)
{
	rig->survivors = 0;
	for (size_t i = 0; i < count; i++) {
		bool lives = i % n == 0;
		uint64_t m = lives ? (uintptr_t)(to + BYTES * rig->survivors) | 3 : 1;
		memcpy(from + i * BYTES, &m, sizeof(m));
		rig->survivors += lives;
	}
}

static double log_births(struct rig *rig, char *from, size_t count)
{
	double begin = now();
	for (size_t i = 0; i < count; i++)
		event_log_put(&rig->log, &rig->pool, (uint32_t)(i % SITES),
			(uintptr_t)(from + i * BYTES));
	return (now() - begin) / (double)count;
}

static void *help(void *arg)
{
	struct rig *rig = arg;
	follow_work(&rig->follow, 1);
	return NULL;
}

static void work(struct rig *rig)
{
	pthread_t helper;
	if (rig->workers > 1 && pthread_create(&helper, NULL, help, rig))
		die("no thread");
	follow_work(&rig->follow, 0);
	if (rig->workers > 1)
		pthread_join(helper, NULL);
}

/* A young collection of one space, into another. ns an object. */
static double young(struct rig *rig, int from, int to, size_t count)
{
	memcpy(rig->after_at, rig->before_at, sizeof(rig->after_at));
	rig->before_at[from].top = rig->before_at[from].bottom + count * BYTES;
	rig->after_at[to].top = rig->after_at[to].end;
	double begin = now();
	follow_log(&rig->follow, &rig->log);
	if (!follow_evacuation(&rig->follow, &rig->layout, PAUSE_YOUNG, &rig->before, &rig->after))
		die("no step");
	work(rig);
	follow_end(&rig->follow, 1);
	double ns = (now() - begin) / (double)count;
	rig->before_at[from].top = rig->before_at[from].bottom;
	return ns;
}

static double full(struct rig *rig, int from, int to, double *found_ns)
{
	double begin = now(), stamped, found, count = (double)rig->survivors;
	rig->before_at[from].top = rig->before_at[from].end;
	follow_stamping(&rig->follow, &rig->before);
	work(rig);
	stamped = now();
	char *at = (char *)rig->before_at[from].bottom;
	for (size_t i = 0; i < rig->survivors; i++)
		follow_found(&rig->follow,
			(uint32_t)(object_mark((uintptr_t)at + i * BYTES) >> 8) & 0x7fffffff,
			rig->before_at[to].bottom + i * BYTES);
	memcpy(rig->after_at, rig->before_at, sizeof(rig->after_at));
	follow_compaction(&rig->follow, &rig->after);
	work(rig);
	follow_end(&rig->follow, 1);
	found = now();
	*found_ns = (found - stamped) / count;
	memcpy((char *)rig->before_at[to].bottom, at, rig->survivors * BYTES);
	rig->before_at[from].top = rig->before_at[from].bottom;
	return (stamped - begin) / count;
}

static double seal(struct rig *rig, uint64_t *bytes)
{
	const struct chunk_sites sites = {.known = known, .ask = trace_site};
	struct buf out = {0};
	uint64_t events = 0;
	*bytes = 0;
	double begin = now();
	for (struct chunk *c = chunk_pool_ready(&rig->pool), *next; c; c = next) {
		next = c->next;
		events += c->events;
		buf_clear(&out);
		chunk_seal(c, &sites, &out);
		*bytes += out.len;
		c->next = NULL;
		chunk_pool_give(&rig->pool, c);
	}
	buf_release(&out);
	return (now() - begin) / (double)events;
}

static double checkpoint(struct rig *rig)
{
	chunk_pool_give(&rig->pool, chunk_pool_ready(&rig->pool));
	uint64_t alive = follow_alive(&rig->follow);
	double begin = now();
	if (!follow_checkpoint(&rig->follow))
		die("no checkpoint");
	double ns = (now() - begin) / (double)alive;
	chunk_pool_give(&rig->pool, chunk_pool_ready(&rig->pool));
	return ns;
}

struct results {
	double append, births, residents, seal, checkpoint, stamp, found, again, found_again;
};

static void least(double *at, double value)
{
	if (value < *at || *at == 0)
		*at = value;
}

static void round_of(struct rig *rig, struct results *r, uint64_t *bytes)
{
	char *eden = (char *)rig->before_at[EDEN].bottom, *to = (char *)rig->before_at[TO].bottom,
	     *old = (char *)rig->before_at[OLD].bottom;
	double found;
	mark(rig, eden, rig->objects, SURVIVES, to);
	least(&r->append, log_births(rig, eden, rig->objects));
	least(&r->births, young(rig, EDEN, TO, rig->objects));
	size_t survivors = rig->survivors;
	least(&r->seal, seal(rig, bytes));
	mark(rig, to, survivors, 2, old);
	least(&r->residents, young(rig, TO, OLD, survivors));
	follow_forget(&rig->follow);
	follow_end(&rig->follow, 1);
	/* Objects that all live, for a full collection. */
	mark(rig, eden, rig->objects / 2, 1, to);
	log_births(rig, eden, rig->objects / 2);
	young(rig, EDEN, TO, rig->objects / 2);
	least(&r->checkpoint, checkpoint(rig));
	for (size_t i = 0; i < rig->survivors; i++)
		memcpy(to + i * BYTES, &(uint64_t){1}, 8);
	least(&r->stamp, full(rig, TO, OLD, &found));
	least(&r->found, found);
	least(&r->again, full(rig, OLD, TO, &found));
	least(&r->found_again, found);
	follow_forget(&rig->follow);
	follow_end(&rig->follow, 1);
	chunk_pool_give(&rig->pool, chunk_pool_ready(&rig->pool));
	rig->before_at[TO].top = rig->before_at[TO].bottom;
}

int main(int argc, char **argv)
{
	static struct rig rig;
	struct results r = {0};
	uint64_t bytes;
	rig.objects = (argc > 1 ? strtoul(argv[1], NULL, 10) : 4) * 1000000;
	rig.workers = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
	if (!rig.objects || rig.workers < 1 || rig.workers > 2)
		die("[MILLIONS OF OBJECTS] [WORKERS, 1 or 2]");
	prepare(&rig);
	event_log_own(&rig.log, 1);
	for (int i = 0; i < ROUNDS; i++)
		round_of(&rig, &r, &bytes);
	printf("append          %6.2f ns a birth\n", r.append);
	printf("scan, births    %6.2f ns a birth, 1 in %d lives\n", r.births, SURVIVES);
	printf("scan, residents %6.2f ns a resident, 1 in 2 lives\n", r.residents);
	printf("seal            %6.2f ns an event, %.2f bytes a birth\n", r.seal,
		(double)bytes / (double)rig.objects);
	printf("checkpoint      %6.2f ns a resident\n", r.checkpoint);
	printf("stamp           %6.2f ns a resident\n", r.stamp);
	printf("find and tell   %6.2f ns a resident\n", r.found);
	printf("  the next time %6.2f and %.2f ns\n", r.again, r.found_again);
	if (rig.follow.totals.lost || rig.follow.totals.refused)
		die("some were lost");
	return 0;
}
