#include "trace/heap_image.h"

#include "base/error.h"

enum {
	MOVED = IMAGE_PLACES, /* in `at`, while an interval ends */
	STAYED = IMAGE_PLACES << 1,
	DISTANCE_MOST = 4095, /* that an event can tell */
};

const char *image_odd_text(enum image_odd odd, uint64_t count)
{
	static const char *const texts[IMAGE_ODDS][2] = {
#define IMAGE_ODD(name, one, more) [IMAGE_ODD_##name] = {one, more},
#include "trace/image_odd.def"
#undef IMAGE_ODD
	};
	return texts[odd][count != 1];
}

void heap_image_release(struct heap_image *h)
{
	image_pages_release(&h->pages);
	vec_release(&h->sites);
	vec_release(&h->arrivals);
	vec_release(&h->met);
	ranges_release(&h->swept);
	ranges_release(&h->forgotten);
}

static bool odd_if(struct heap_image *h, enum image_odd odd, bool is)
{
	h->odds[odd] += is;
	return is;
}

/* A second object at a place is left out. */
static void lay(struct heap_image *h, struct image_page *p)
{
	uint32_t doubles = image_pages_lay(&h->pages, p);
	h->odds[IMAGE_ODD_DOUBLE] += doubles;
	h->totals.doubles += doubles;
}

/* -- Sizes -- */

/* One that was told twice is what it was. */
static void set_size(struct heap_image *h, struct image_object *o, uint64_t bytes)
{
	uint64_t eighths = bytes >> 3;
	if (odd_if(h, IMAGE_ODD_SIZE,
		    !eighths || eighths > UINT32_MAX || (o->told && o->eighths != eighths)))
		return;
	o->eighths = (uint32_t)eighths;
	o->told = true;
}

/* Before anything moves, in a page that is laid. */
static void take_sizes(struct heap_image *h, struct image_page *p)
{
	for (size_t i = 0; i < p->events.count; i++) {
		const struct image_event *e = &p->events.at[i];
		if (e->kind != EVENT_SIZES)
			continue;
		struct image_object *o = image_pages_at(&h->pages, p, e->at);
		h->totals.sizes++;
		if (!odd_if(h, IMAGE_ODD_NOWHERE, !o))
			set_size(h, o, e->to);
	}
}

/* -- The end of an interval -- */

static int survive(
	struct heap_image *h, struct image_object *o, const struct image_event *e, uint16_t fate)
{
	odd_if(h, IMAGE_ODD_OTHER_SITE, e->site != o->site);
	if (o->survived < IMAGE_SURVIVED_MAX)
		o->survived++;
	o->at = (uint16_t)(o->at | fate);
	h->totals.moves += fate == MOVED;
	h->totals.stays += fate == STAYED;
	if (fate == STAYED)
		return ERR_NONE;
	return vec_push(&h->arrivals, ((struct image_arrival){e->to, *o}));
}

/* Moves first: of an object with both the move holds. */
static int end_survivors(struct heap_image *h, struct image_page *p, enum event_kind kind)
{
	int err = ERR_NONE;
	uint16_t fate = kind == EVENT_MOVES ? MOVED : STAYED;
	for (size_t i = 0; i < p->events.count && !err; i++) {
		const struct image_event *e = &p->events.at[i];
		if (e->kind != kind)
			continue;
		struct image_object *o = image_pages_at(&h->pages, p, e->at);
		if (odd_if(h, IMAGE_ODD_NOWHERE, !o) ||
			odd_if(h, IMAGE_ODD_AGAIN, o->at & (MOVED | STAYED)))
			continue;
		err = survive(h, o, e, fate);
	}
	return err;
}

static bool within(const struct ranges *r, enum ranges_part part, uint64_t address)
{
	return part == RANGES_WHOLE || (part == RANGES_PART && ranges_has(r, address));
}

static void leave_out(struct heap_image *h, const struct image_object *o, bool died)
{
	h->totals.deaths += died;
	h->totals.forgotten += !died;
	if (h->gone)
		h->gone(h->gone_arg, o, died);
}

/* The rest of the page: who stands, who is forgotten, who is dead. */
static void end_others(struct heap_image *h, struct image_page *p)
{
	uint64_t from = p->number << IMAGE_PAGE_BITS, last = from | ((1u << IMAGE_PAGE_BITS) - 1);
	enum ranges_part forgotten = ranges_part(&h->forgotten, from, last);
	enum ranges_part swept = ranges_part(&h->swept, from, last);
	size_t kept = 0;
	for (size_t i = 0; i < p->objects.count; i++) {
		struct image_object o = p->objects.at[i];
		uint16_t fate = o.at & (MOVED | STAYED);
		o.at &= IMAGE_PLACE_MASK;
		uint64_t address = from + 8ull * o.at;
		if (fate == MOVED)
			continue;
		if (fate != STAYED && within(&h->forgotten, forgotten, address))
			leave_out(h, &o, false);
		else if (fate != STAYED && within(&h->swept, swept, address))
			leave_out(h, &o, true);
		else
			p->objects.at[kept++] = o;
	}
	p->objects.count = kept;
}

static int end_page(struct heap_image *h, struct image_page *p)
{
	lay(h, p);
	take_sizes(h, p);
	int err = p->events.count ? end_survivors(h, p, EVENT_MOVES) : ERR_NONE;
	err = err || !p->events.count ? err : end_survivors(h, p, EVENT_STAYS);
	if (err)
		return err;
	end_others(h, p);
	image_page_shrink(p);
	return ERR_NONE;
}

static int end_pages(struct heap_image *h)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < h->pages.touched.count && !err; i++) {
		struct image_page *p = image_pages_touched(&h->pages, i);
		err = end_page(h, p);
	}
	h->pages.touched.count = 0;
	return err;
}

static int place_met(struct heap_image *h, struct image_arrival *a)
{
	if (a->to)
		return image_pages_put(&h->pages, a->to, &a->object);
	leave_out(h, &a->object, false);
	return ERR_NONE;
}

/* Who moved is put where it went, once all that went is gone; and who was met. */
static int arrive(struct heap_image *h)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < h->arrivals.count && !err; i++)
		err = image_pages_put(&h->pages, h->arrivals.at[i].to, &h->arrivals.at[i].object);
	for (size_t i = 0; i < h->met.count && !err; i++)
		err = place_met(h, &h->met.at[i]);
	for (size_t i = 0; i < h->pages.touched.count; i++) {
		struct image_page *p = image_pages_touched(&h->pages, i);
		lay(h, p);
		image_page_shrink(p);
	}
	h->pages.touched.count = 0;
	return err;
}

uint64_t heap_image_standing(const struct heap_image *h)
{
	const struct image_totals *t = &h->totals;
	return t->births + t->given - t->deaths - t->forgotten - t->doubles;
}

/* What can't be followed is let go, all of it. */
static void let_go(struct heap_image *h)
{
	h->totals.veiled++;
	h->totals.forgotten += heap_image_standing(h);
	image_pages_release(&h->pages);
}

int heap_image_end(struct heap_image *h)
{
	int err = ERR_NONE;
	if (!h->open)
		return ERR_NONE;
	h->open = false;
	h->totals.intervals++;
	if (h->veil) {
		let_go(h);
	} else {
		err = image_pages_touch_ranges(&h->pages, &h->swept);
		err = err ? err : image_pages_touch_ranges(&h->pages, &h->forgotten);
		err = err ? err : end_pages(h);
		err = err ? err : arrive(h);
	}
	h->veil = false;
	vec_release(&h->arrivals);
	vec_release(&h->met);
	h->swept.list.count = h->forgotten.list.count = 0;
	return err;
}

int heap_image_abandon(struct heap_image *h, bool *left)
{
	*left = h->swept.list.count || h->forgotten.list.count || h->met.count;
	h->totals.births -= h->met.count;
	h->totals.met -= h->met.count;
	h->met.count = 0;
	for (size_t i = 0; i < h->pages.touched.count; i++) {
		struct image_page *p = &h->pages.list.at[h->pages.touched.at[i]];
		*left |= p->events.count > 0;
		p->events.count = 0;
	}
	h->swept.list.count = h->forgotten.list.count = 0;
	return heap_image_end(h);
}

/* -- Chunks -- */

static uint32_t site_of(struct heap_image *h, uint64_t site)
{
	return odd_if(h, IMAGE_ODD_SITE, site > h->site_ids) ? 0 : (uint32_t)site;
}

static struct image_site *site_at(struct heap_image *h, uint32_t site)
{
	size_t more = site < h->sites.count ? 0 : site + 1 - h->sites.count;
	if (more && vec_reserve(&h->sites, more))
		return NULL;
	for (; more; more--)
		h->sites.at[h->sites.count++] = (struct image_site){0};
	return &h->sites.at[site];
}

static int tell_born(const struct heap_image *h, const struct image_object *o)
{
	return h->born ? h->born(h->born_arg, o) : ERR_NONE;
}

static int put_birth(struct heap_image *h, uint64_t address, struct image_object *o)
{
	struct image_site *s = site_at(h, o->site);
	if (!s)
		return ERR_NOMEM;
	s->births++;
	s->sized += o->eighths > 0;
	s->eighths += o->eighths;
	h->totals.births++;
	int err = tell_born(h, o);
	return err ? err : image_pages_put(&h->pages, address, o);
}

static uint32_t young_of(const struct event_chunk *c)
{
	return c->young < IMAGE_YOUNG_UNKNOWN ? (uint32_t)c->young : IMAGE_YOUNG_UNKNOWN;
}

/* A birth waits for the next, which tells how large it can be. <0: an error of the chunk, or
 * ERR_NOMEM. */
static int take_births(struct heap_image *h, struct event_reader *r)
{
	const struct event_chunk *c = &r->chunk;
	bool thread = !odd_if(h, IMAGE_ODD_THREAD, c->thread > h->thread_ids);
	struct image_object o = {.thread = thread ? (uint32_t)c->thread : 0, .young = young_of(c)};
	struct event e, before = {0};
	uint64_t births = h->totals.births;
	bool any = false;
	int got = 0, err = ERR_NONE;
	for (; !err && (got = event_reader_next(r, &e, NULL)) > 0; any = true) {
		uint64_t distance = (e.address - before.address) >> 3;
		o.eighths = distance - 1 < DISTANCE_MOST ? (uint32_t)distance : 0;
		if (any)
			err = put_birth(h, before.address, &o);
		o.site = site_of(h, e.site);
		before = e;
	}
	o.eighths = 0;
	if (!err && any)
		err = put_birth(h, before.address, &o);
	h->totals.open += c->flags & EVENTS_CLOSED ? 0 : h->totals.births - births;
	return err ? err : got;
}

/* What became of single objects, and their sizes. */
static int take_survivors(struct heap_image *h, struct event_reader *r)
{
	struct event e;
	int got;
	while ((got = event_reader_next(r, &e, NULL)) > 0) {
		struct image_page *p = image_pages_touch(&h->pages, e.address);
		const struct image_event kept = {
			e.to, site_of(h, e.site), image_place(e.address), (uint16_t)r->chunk.kind};
		if (!p || vec_push(&p->events, kept))
			return ERR_NOMEM;
	}
	return got;
}

/* Born in the interval, and there after it. */
static int take_met(struct heap_image *h, struct event_reader *r)
{
	const struct event_chunk *c = &r->chunk;
	struct image_object o = {.survived = 1, .young = young_of(c)};
	struct event e;
	int got = 0, err = ERR_NONE;
	while (!err && (got = event_reader_next(r, &e, NULL)) > 0) {
		o.site = site_of(h, e.site);
		o.eighths = o.told = 0;
		if (c->kind == EVENT_MET_SIZED)
			set_size(h, &o, e.to);
		h->totals.births++;
		h->totals.met++;
		const struct image_arrival met = {c->kind == EVENT_PASSED ? 0 : e.address, o};
		err = tell_born(h, &o);
		err = err ? err : vec_push(&h->met, met);
	}
	return err ? err : got;
}

static int take_ranges(struct heap_image *h, struct event_reader *r, struct ranges *to)
{
	struct event e;
	int got = 0, err = ERR_NONE;
	while (!err && (got = event_reader_next(r, &e, NULL)) > 0)
		if (!odd_if(h, IMAGE_ODD_RANGE, e.to <= e.address))
			err = ranges_add(to, e.address, e.to);
	return err ? err : got;
}

static int take_events(struct heap_image *h, struct event_reader *r)
{
	if (r->chunk.kind == EVENT_BIRTHS)
		return take_births(h, r);
	if (r->chunk.kind == EVENT_SWEPT)
		return take_ranges(h, r, &h->swept);
	if (r->chunk.kind == EVENT_FORGOTTEN)
		return take_ranges(h, r, &h->forgotten);
	if (event_met(r->chunk.kind))
		return take_met(h, r);
	if (event_stands(r->chunk.kind)) /* belongs in a block of its own */
		return ERR_UNSUPPORTED;
	return take_survivors(h, r);
}

/* 0; or ERR_USAGE: the chunk's interval is over. */
static int open_interval(struct heap_image *h, const struct event_chunk *c)
{
	if (h->any && (c->interval < h->interval || (c->interval == h->interval && !h->open)))
		return ERR_USAGE;
	if (h->open && c->interval == h->interval)
		return ERR_NONE;
	int err = heap_image_end(h);
	h->interval = c->interval;
	h->young = c->young;
	h->any = h->open = true;
	return err;
}

/* Whatever the chunk tells of, it is not known: nor is, then, what became of anything. */
static int veil(struct heap_image *h, int err)
{
	if (err == ERR_NOMEM || !err)
		return err;
	h->odds[err == ERR_UNSUPPORTED ? IMAGE_ODD_UNKNOWN : IMAGE_ODD_BROKEN]++;
	h->any = h->open = h->veil = true;
	return ERR_NONE;
}

void heap_image_await(struct heap_image *h)
{
	h->waits = true;
}

/* A checkpoint that something came into is not whole, and none to begin with. */
static void drop_begun(struct heap_image *h)
{
	if (!h->begun)
		return;
	image_pages_release(&h->pages);
	h->totals.given = 0;
	h->begun = h->any = false;
}

int heap_image_chunk(struct heap_image *h, struct slice payload)
{
	struct event_reader r;
	int err = event_reader_begin(&r, payload, NULL);
	if (h->waits) {
		drop_begun(h);
		h->totals.passed++;
		return ERR_NONE;
	}
	h->totals.chunks++;
	if (err && err != ERR_UNSUPPORTED)
		return veil(h, err);
	int late = open_interval(h, &r.chunk);
	if (odd_if(h, IMAGE_ODD_LATE, late == ERR_USAGE))
		return ERR_NONE;
	return late ? late : veil(h, err ? err : take_events(h, &r));
}

/* -- Checkpoints -- */

static uint16_t survived_of(enum event_kind kind, const struct event *e)
{
	uint64_t told = e->to >> 3;
	uint64_t survived = kind == EVENT_SIZED ? told & EVENT_SURVIVED_MAX : told;
	return survived < IMAGE_SURVIVED_MAX ? (uint16_t)survived : IMAGE_SURVIVED_MAX;
}

/* Bytes; 0: they are not told. */
static uint64_t size_of(enum event_kind kind, const struct event *e)
{
	return kind == EVENT_SIZED ? e->to >> (3 + EVENT_SURVIVED_BITS) << 3 : 0;
}

int heap_image_begin(struct heap_image *h, struct slice payload)
{
	struct event_reader r;
	struct event e;
	int err = event_reader_begin(&r, payload, NULL), got = 0;
	if (err || !event_stands(r.chunk.kind))
		return veil(h, err ? err : ERR_FORMAT);
	h->interval = r.chunk.interval;
	h->young = r.chunk.young;
	h->any = true;
	while (!err && (got = event_reader_next(&r, &e, NULL)) > 0) {
		struct image_object o = {.site = site_of(h, e.site),
			.young = IMAGE_YOUNG_UNKNOWN,
			.survived = survived_of(r.chunk.kind, &e) & 0x7fffu};
		uint64_t bytes = size_of(r.chunk.kind, &e);
		if (bytes)
			set_size(h, &o, bytes);
		h->totals.given++;
		err = image_pages_put(&h->pages, e.address, &o);
	}
	return veil(h, err ? err : got);
}

/* A chunk of the checkpoint that is waited for, or of the next. */
static int begin_awaited(struct heap_image *h, struct slice payload)
{
	struct event_reader r;
	if (event_reader_begin(&r, payload, NULL) || !event_stands(r.chunk.kind))
		return drop_begun(h), ERR_NONE;
	if (h->begun && r.chunk.interval != h->interval)
		drop_begun(h);
	h->begun = true;
	int err = heap_image_begin(h, payload);
	if (h->veil) { /* it can't be read */
		h->veil = h->open = false;
		drop_begun(h);
	} else if (!err && h->totals.given == r.chunk.thread) {
		h->waits = h->begun = false;
		h->began_young = h->young;
	}
	return err;
}

/* A checkpoint's come in any order, each from another page as like as not: so each page is put in
 * order once, and not laid for each that is asked for. */
static struct image_object *object_at(struct heap_image *h, uint64_t address)
{
	struct image_page *p = image_pages_find(&h->pages, address >> IMAGE_PAGE_BITS);
	if (!p)
		return NULL;
	if (!p->sorted)
		lay(h, p);
	image_page_sort(p);
	return image_page_search(p, image_place(address));
}

const struct image_object *heap_image_at(struct heap_image *h, uint64_t address)
{
	return object_at(h, address);
}

/* Beyond the most that a checkpoint tells, the image counts on. */
static bool stands_so(const struct image_object *o, enum event_kind kind, const struct event *e)
{
	uint16_t most = EVENT_SURVIVED_MAX, is = o->survived, told = survived_of(kind, e);
	return o->site == e->site && (is < most ? is : most) == (told < most ? told : most);
}

static void compare_object(struct heap_image *h, enum event_kind kind, const struct event *e)
{
	struct image_object *o = object_at(h, e->address);
	uint64_t bytes = size_of(kind, e);
	if (!odd_if(h, IMAGE_ODD_CHECKPOINT, !o || !stands_so(o, kind, e)) && bytes)
		set_size(h, o, bytes);
}

int heap_image_compare(struct heap_image *h, struct slice payload)
{
	struct event_reader r;
	struct event e;
	if (h->waits)
		return begin_awaited(h, payload);
	int got, err = event_reader_begin(&r, payload, NULL);
	if (odd_if(h, IMAGE_ODD_CHECKPOINT, err || !event_stands(r.chunk.kind)))
		return ERR_NONE;
	err = h->open && r.chunk.interval == h->interval ? heap_image_end(h) : ERR_NONE;
	if (err || odd_if(h, IMAGE_ODD_CHECKPOINT, h->open || r.chunk.interval != h->interval))
		return err;
	odd_if(h, IMAGE_ODD_CHECKPOINT, r.chunk.young != h->young);
	odd_if(h, IMAGE_ODD_CHECKPOINT, r.chunk.thread != heap_image_standing(h));
	while ((got = event_reader_next(&r, &e, NULL)) > 0)
		compare_object(h, r.chunk.kind, &e);
	odd_if(h, IMAGE_ODD_CHECKPOINT, got < 0);
	return ERR_NONE;
}

int heap_image_each(struct heap_image *h, image_pages_visit *visit, void *arg)
{
	return image_pages_each(&h->pages, visit, arg);
}
