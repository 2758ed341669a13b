#include "agent/heap_request.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "agent/exact_out.h"
#include "agent/recorder_names.h"
#include "base/spare_memory.h"
#include "base/clock.h"
#include "base/error.h"

#define PATIENCE_NS 10000000000ull /* until the next collection */
#define SETTLE_NS   2000000000ull  /* for places that are not known yet, */
#define LOOK_NS     50000000ull    /* looked at so often */

enum {
	STAMPS_MOST = 1 << 25, /* objects that get a number, at most, */
	STAMP_SHARE = 4,       /* in at most one part in so many of what memory is left */
};

void heap_request_init(struct heap_request *q)
{
	*q = (struct heap_request){.busy = false};
}

static uint64_t stamps_most(void)
{
	uint64_t spare,
		most = spare_memory("/", &spare) ? spare / STAMP_SHARE / IDENTITY_VM_BYTES : 0;
	return most < STAMPS_MOST ? most : STAMPS_MOST;
}

static void refuse(struct heap_request *q, int err, const char *sentence)
{
	control_answer(&q->waiting, err, sentence, NULL);
}

/* Whether it tells of single objects, which a full collection with marks of ours would disturb. */
static bool would_disturb(const struct exact *e)
{
	return e->traces && !e->abandoned && e->pauses.objects.sites;
}

/* Why no heap can be counted here; NULL: it can. */
static const char *obstacle(const struct exact *e, bool forced, char *text, size_t room)
{
	const struct pauses *p = &e->pauses;
	const struct region_walk walk = {&p->layout, &p->objects, p->g1_objects};
	const char *why = e->why.text;
	if (e->opened && !e->began && !*why)
		snprintf(text, room, "the recording has not begun yet");
	else if (!atomic_load(&e->on))
		snprintf(text, room, "the exact engine does not count in this program%s%.300s",
			*why ? ": " : "; start the recording with --exact", why);
	else if (forced && would_disturb(e))
		snprintf(text, room,
			"this recording tells of every object, and a forced count would disturb "
			"that; ask without --gc, or stop it and see: mayfly heap FILE --at end");
	else if (forced && !region_walk_can(&walk))
		snprintf(text, room,
			"this VM's library does not name what the old generation is read with; "
			"without --gc the young one is counted");
	else
		return NULL;
	return text;
}

/* Whoever waits already goes on waiting. */
static int ask(struct heap_request *q, struct exact *e, bool forced, struct diag *d)
{
	char text[400];
	const char *why = obstacle(e, forced, text, sizeof(text));
	if (why)
		return diag_set(d, ERR_UNSUPPORTED, "%s", why);
	if (q->busy)
		return diag_set(d, ERR_BUSY, "the heap is being counted for someone else");
	int err = heap_count_ask(&e->pauses.heap, forced, forced ? stamps_most() : 0);
	return err ? diag_set(d, err, "%s", err_text(err)) : ERR_NONE;
}

bool heap_request_begin(struct heap_request *q, struct exact *e, struct control *c, bool forced)
{
	struct diag d;
	int err = ask(q, e, forced, &d);
	if (err) {
		control_answer(c, err, d.text, NULL);
		return false;
	}
	q->waiting.client = c->client;
	c->client = (struct own_fd){0};
	q->busy = true;
	q->forced = forced;
	q->seen = (struct ns){0};
	q->deadline = (struct ns){clock_now().v + PATIENCE_NS};
	return true;
}

struct ns heap_request_next(const struct heap_request *q)
{
	return (struct ns){q->busy ? clock_now().v + LOOK_NS : UINT64_MAX};
}

/* The records. */

static void write_old(struct recorder *r, struct output *o, const struct heap_counted *c,
	uint64_t site, const struct census_cell *old)
{
	struct record record = {.kind = RECORD_site_old};
	if (!old->objects)
		return;
	record.site_old = (struct record_site_old){.young = c->young,
		.full = c->full,
		.site = site,
		.objects = old->objects,
		.bytes = old->bytes};
	exact_out_put(r, o, &record);
}

static void write_young(struct recorder *r, struct output *o, const struct heap_counted *c,
	uint64_t site, const struct census_cell young[CENSUS_AGES])
{
	struct record record = {.kind = RECORD_site_young};
	struct record_site_young *y = &record.site_young;
	*y = (struct record_site_young){.young = c->young, .full = c->full, .site = site};
	uint32_t count = 0;
	for (uint32_t i = 0; i < CENSUS_AGES; i++) {
		y->objects.at[i] = young[i].objects;
		y->bytes.at[i] = young[i].bytes;
		count = young[i].objects ? i + 1 : count;
	}
	y->objects.count = y->bytes.count = count;
	if (count)
		exact_out_put(r, o, &record);
}

static bool is_empty(const struct heap_count_row *row)
{
	uint64_t any = row->old.objects;
	for (unsigned i = 0; i < CENSUS_AGES; i++)
		any |= row->young[i].objects;
	return !any;
}

static uint32_t site_count(const struct exact *e)
{
	return atomic_load(&e->pauses.births->sites.count);
}

/* Of those that this recording has. */
static uint32_t next_site(const struct exact *e, uint32_t site)
{
	return site == SITE_OTHER ? e->pauses.births->sites.first : site + 1;
}

static void write_sites(struct exact *e, struct recorder *r, struct output *o)
{
	const struct heap_count *h = &e->pauses.heap;
	for (uint32_t i = SITE_OTHER; i < site_count(e); i = next_site(e, i)) {
		const struct heap_count_row *row = &h->rows[i];
		if (is_empty(row))
			continue;
		enum place_state state;
		uint64_t site = exact_out_site(&e->told, r, o, i, &state);
		write_old(r, o, &h->result, site, &row->old);
		write_young(r, o, &h->result, site, row->young);
	}
}

static void write_class(struct recorder *r, struct output *o, const struct heap_counted *c,
	uint64_t class_id, const struct census_cell *cell)
{
	struct record record = {.kind = RECORD_class_older};
	record.class_older = (struct record_class_older){.young = c->young,
		.full = c->full,
		.class = class_id,
		.objects = cell->objects,
		.bytes = cell->bytes};
	if (cell->objects)
		exact_out_put(r, o, &record);
}

static_assert(
	(int)HEAP_NAME >= (int)NAME_READ, "a name that is cut must be the one that others cut");

/* As JVMTI has it. The VM's own name of a hidden class has a '+' where its signature has a '.'. */
static uint32_t class_id(struct recorder *r, struct output *o, const char *name)
{
	char text[1200];
	snprintf(text, sizeof(text), name[0] == '[' ? "%s" : "L%s;", name);
	char *hidden = strstr(text, "+0x");
	if (hidden)
		*hidden = '.';
	uint32_t id = recorder_class(r, text);
	if (id)
		return id;
	exact_out_room(r, o);
	return recorder_class(r, text);
}

static void write_classes(struct heap_count *h, struct recorder *r, struct output *o)
{
	struct census_cell others = h->others;
	for (uint32_t i = 0; i < HEAP_CLASSES; i++) {
		const struct heap_class *c = &h->classes[i];
		if (c->klass && c->name)
			write_class(r, o, &h->result, class_id(r, o, h->names + c->name), &c->cell);
		else if (c->klass)
			others.objects += c->cell.objects, others.bytes += c->cell.bytes;
	}
	write_class(r, o, &h->result, 0, &others);
}

static void write_head(struct recorder *r, struct output *o, const struct heap_counted *c)
{
	struct record record = {.kind = RECORD_heap_count};
	record.heap_count = (struct record_heap_count){.time = c->time - r->start.v,
		.young = c->young,
		.full = c->full,
		.kind = c->kind,
		.flags = c->flags,
		.known = c->known.objects,
		.known_bytes = c->known.bytes,
		.unknown = c->unknown.objects,
		.unknown_bytes = c->unknown.bytes,
		.used = c->used,
		.unread = c->unread,
		.stamped = c->stamped,
		.unstamped = c->unstamped,
		.cost = c->cost};
	exact_out_put(r, o, &record);
}

/* Whether all places of its sites are known. */
static bool settled(const struct exact *e)
{
	const struct heap_count *h = &e->pauses.heap;
	for (uint32_t i = SITE_OTHER; i < site_count(e); i = next_site(e, i))
		if (!is_empty(&h->rows[i]) && !atomic_load(&e->pauses.births->sites.at[i].site))
			return false;
	return true;
}

static void finish(struct heap_request *q, struct exact *e, struct recorder *r, struct output *o)
{
	struct heap_count *h = &e->pauses.heap;
	struct buf body = {0};
	struct diag d = {""};
	write_sites(e, r, o);
	write_classes(h, r, o);
	write_head(r, o, &h->result);
	int err = output_drain(o, r, true, &d);
	buf_printf(&body, "file %s\nyoung %llu\nfull %llu\n", o->path,
		(unsigned long long)h->result.young, (unsigned long long)h->result.full);
	control_answer(&q->waiting, err, d.text, &body);
	buf_release(&body);
	heap_count_release(h);
	q->busy = false;
}

/* Nobody is sent to --gc where that is refused. */
static const char *too_late(const struct heap_request *q, const struct exact *e)
{
	char why[400];
	if (q->forced)
		return "the VM did not make the collection that was asked for";
	if (!obstacle(e, true, why, sizeof(why)))
		return "no collection came within 10 s: --gc forces one";
	if (would_disturb(e))
		return "no collection came within 10 s, and none can be forced in this recording: "
		       "ask again, or stop it and see: mayfly heap FILE --at end";
	return "no collection came within 10 s, and none can be forced in this VM: ask again";
}

static void give_up(struct heap_request *q, struct exact *e)
{
	refuse(q, ERR_TIMEOUT, too_late(q, e));
	/* Else a pause is at it: it is thrown away then. */
	q->busy = !heap_count_cancel(&e->pauses.heap);
}

void heap_request_step(
	struct heap_request *q, struct exact *e, struct recorder *r, struct output *o)
{
	struct heap_count *h = &e->pauses.heap;
	uint64_t now = clock_now().v;
	if (!q->busy)
		return;
	if (atomic_load(&h->state) != HEAP_COUNT_READY) {
		if (now >= q->deadline.v)
			give_up(q, e);
		return;
	}
	if (own_fd_get(&q->waiting.client) < 0) {
		heap_count_release(h);
		q->busy = false;
		return;
	}
	if (!q->seen.v)
		q->seen.v = now;
	if (settled(e) || now - q->seen.v >= SETTLE_NS)
		finish(q, e, r, o);
}

void heap_request_end(struct heap_request *q)
{
	refuse(q, ERR_TIMEOUT,
		q->forced ? "the recording ended before the collection that was asked for: record "
			    "for longer"
			  : "the recording ended before a collection came to count the heap at: "
			    "--gc forces one at once");
	q->busy = false;
}
