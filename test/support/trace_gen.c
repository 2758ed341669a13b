#include "support/trace_gen.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"

struct draw draw_seed(uint64_t seed)
{
	return (struct draw){.rng = rng_init(seed)};
}

struct draw draw_bytes(struct slice bytes)
{
	return (struct draw){.bytes = cursor_init(bytes), .from_bytes = true};
}

uint64_t draw_u64(struct draw *d)
{
	if (d->from_bytes)
		return cursor_varint(&d->bytes);
	uint64_t shift = rng_below(&d->rng, 64);
	return rng_below(&d->rng, 16) ? rng_u64(&d->rng) >> shift : UINT64_MAX;
}

uint64_t draw_below(struct draw *d, uint64_t n)
{
	return d->from_bytes ? cursor_varint(&d->bytes) % n : rng_below(&d->rng, n);
}

static struct slice draw_text(struct draw *d)
{
	static uint8_t noise[2 * TEXT_MAX];
	if (!noise[0])
		for (size_t i = 0; i < sizeof(noise); i++)
			noise[i] = (uint8_t)(i * 131 + i / 251 + 1);
	uint64_t len = draw_below(d, draw_below(d, 8) ? 40 : TEXT_MAX + 1);
	return slice(noise + draw_below(d, TEXT_MAX), (size_t)len);
}

static void draw_u(struct draw *d, record_u *v)
{
	*v = draw_u64(d);
}

static void draw_z(struct draw *d, record_z *v)
{
	*v = zigzag_decode(draw_u64(d));
}

static void draw_s(struct draw *d, record_s *v)
{
	*v = draw_text(d);
}

static void draw_l(struct draw *d, record_l *v)
{
	v->count = (uint32_t)draw_below(d, LIST_MAX + 1);
	for (uint32_t i = 0; i < v->count; i++)
		v->at[i] = draw_u64(d);
}

#define draw_t draw_u
#define draw_a draw_u
#define draw_o draw_u

static const uint8_t kinds[] = {
#define RECORD(kind, name) kind,
#include "trace/record.def"
#undef RECORD
};
const unsigned RECORD_KINDS = ARRAY_SIZE(kinds);

uint8_t record_kind_at(unsigned n)
{
	return kinds[n];
}

void draw_record(struct draw *d, struct record *r)
{
	r->kind = kinds[draw_below(d, ARRAY_SIZE(kinds))];
	switch (r->kind) {
#define DRAW(type, field) draw_##type(d, &p->field);
#define RECORD(kind, name)                                                                         \
	case kind: {                                                                               \
		struct record_##name *p = &r->name;                                                \
		FIELDS_##name(DRAW) break;                                                         \
	}
#include "trace/record.def"
#undef RECORD
#undef DRAW
	default:
		abort();
	}
}

static bool equal_u(const record_u *a, const record_u *b)
{
	return *a == *b;
}

static bool equal_z(const record_z *a, const record_z *b)
{
	return *a == *b;
}

static bool equal_s(const record_s *a, const record_s *b)
{
	return slice_equal(*a, *b);
}

static bool equal_l(const record_l *a, const record_l *b)
{
	return a->count == b->count && memcmp(a->at, b->at, a->count * sizeof(a->at[0])) == 0;
}

#define equal_t equal_u
#define equal_a equal_u
#define equal_o equal_u

bool record_equal(const struct record *a, const struct record *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
#define EQUAL(type, field) &&equal_##type(&p->field, &q->field)
#define RECORD(kind, name)                                                                         \
	case kind: {                                                                               \
		const struct record_##name *p = &a->name, *q = &b->name;                           \
		return true FIELDS_##name(EQUAL);                                                  \
	}
#include "trace/record.def"
#undef RECORD
#undef EQUAL
	default:
		return true;
	}
}

static void dump_u(struct buf *out, const record_u *v)
{
	buf_printf(out, "%" PRIu64, *v);
}

static void dump_z(struct buf *out, const record_z *v)
{
	buf_printf(out, "%" PRId64, *v);
}

static void dump_s(struct buf *out, const record_s *v)
{
	buf_put_u8(out, '"');
	for (size_t i = 0; i < v->len; i++)
		if (v->at[i] >= ' ' && v->at[i] < 0x7f && v->at[i] != '"' && v->at[i] != '\\')
			buf_put_u8(out, v->at[i]);
		else
			buf_printf(out, "\\x%02x", v->at[i]);
	buf_put_u8(out, '"');
}

static void dump_l(struct buf *out, const record_l *v)
{
	for (uint32_t i = 0; i < v->count; i++)
		buf_printf(out, "%s%" PRIu64, i ? "," : "", v->at[i]);
}

#define dump_t dump_u
#define dump_a dump_u
#define dump_o dump_u

void record_dump(struct buf *out, const struct record *r)
{
	const char *name = record_name(r->kind);
	buf_put_str(out, name ? name : "unknown");
	switch (r->kind) {
#define DUMP(type, field)                                                                          \
	buf_put_str(out, " " #field "=");                                                          \
	dump_##type(out, &p->field);
#define RECORD(kind, name)                                                                         \
	case kind: {                                                                               \
		const struct record_##name *p = &r->name;                                          \
		FIELDS_##name(DUMP) break;                                                         \
	}
#include "trace/record.def"
#undef RECORD
#undef DUMP
	default:
		break;
	}
	buf_put_u8(out, '\n');
}

int gen_keep(void *arg, const struct record *r)
{
	struct gen_records *kept = arg;
	return vec_push(&kept->list, *r);
}

/* -- A whole trace that keeps the rules -- */

enum {
	STRINGS = 12,
	CLASSES = 3,
	METHODS = 4,
	FRAMES = 9,
	SITES_MAX = 200,
	THREADS = 3,
	ALIVE = 256
};

struct gen {
	struct draw *d;
	gen_put *put;
	void *arg;
	uint64_t sites, time, alloc, young, full, object, gcs;
	struct record_end sums;
	struct record_birth alive[ALIVE];
};

#define PUT(g, name_, ...)                                                                         \
	(g)->put((g)->arg, &(struct record){.kind = RECORD_##name_, .name_ = {__VA_ARGS__}})

static int put_names(struct gen *g)
{
	static const char *const texts[STRINGS] = {"byte[]", "java.lang.String",
		"com.acme.Order$$Lambda", "com.acme.Order$$Lambda/0x7f12", "com.acme.Order",
		"<init>", "copyOf", "()V", "Order.java", "main", "G1 young collection pauses",
		"G1 Evacuation Pause"};
	int err = 0;
	for (uint64_t i = 0; !err && i < STRINGS; i++)
		err = PUT(g, string, .id = i + 1, .text = slice_str(texts[i]));
	for (uint64_t i = 0; !err && i < CLASSES; i++)
		err = PUT(g, class, .id = i + 1, .name = i + 1, .flags = i ? i * 2 - 2 : 1,
			.raw = i == 2 ? 4 : 0);
	for (uint64_t i = 0; !err && i < METHODS; i++)
		err = PUT(g, method, .id = i + 1, .class_name = 5, .name = 6 + i % 2,
			.descriptor = 8, .source = i ? 9 : 0);
	return err;
}

static int put_places(struct gen *g)
{
	int err = 0;
	for (uint64_t i = 0; !err && i < FRAMES; i++)
		err = PUT(g, frame, .id = i + 1, .parent = draw_below(g->d, i + 1),
			.method = 1 + draw_below(g->d, METHODS), .line = draw_below(g->d, 500),
			.bci = (int64_t)i - 1);
	for (uint64_t i = 0; !err && i < g->sites; i++)
		err = PUT(g, site, .id = i + 1, .class = 1 + i % CLASSES,
			.frame = i ? 1 + i % FRAMES : 0, .flags = i ? 0 : SITE_NO_STACK);
	for (uint64_t i = 0; !err && i < THREADS; i++)
		err = PUT(g, thread, .id = i + 1, .time = i * 1000, .name = 10);
	if (!err)
		err = PUT(g, collector, .id = 1, .name = 11, .role = ROLE_YOUNG);
	return err;
}

static int put_facts(struct gen *g)
{
	int err = PUT(g, fact, .key = slice_str("engine"), .value = slice_str("sampled"));
	if (!err)
		err = PUT(g, fact, .key = slice_str("gc"), .value = slice_str("G1"));
	if (!err)
		err = PUT(g, note, .time = 5, .severity = NOTE_INFO, .text = slice_str("made up"));
	if (!err)
		err = PUT(g, config, .id = 1, .time = 1, .interval = 524288, .walk = 1, .track = 1,
			.capacity = ALIVE);
	return err;
}

static int put_alloc(struct gen *g)
{
	g->sums.samples++;
	g->sums.walked++;
	return PUT(g, alloc, .time = g->time, .alloc = g->alloc,
		.site = 1 + draw_below(g->d, g->sites), .thread = 1 + draw_below(g->d, THREADS),
		.size = 16 + 8 * draw_below(g->d, 32), .config = 1);
}

static int put_birth(struct gen *g)
{
	if (g->sums.alive == ALIVE)
		return put_alloc(g);
	struct record_birth b = {.time = g->time,
		.alloc = g->alloc,
		.object = ++g->object,
		.young = g->young,
		.full = g->full,
		.site = 1 + draw_below(g->d, g->sites),
		.thread = 1 + draw_below(g->d, THREADS),
		.size = 16 + 8 * draw_below(g->d, 32),
		.config = 1};
	g->alive[g->sums.alive++] = b;
	g->sums.samples++;
	g->sums.walked++;
	g->sums.tracked++;
	return g->put(g->arg, &(struct record){.kind = RECORD_birth, .birth = b});
}

/* Takes one out of those alive; there is one. */
static uint64_t pick_dead(struct gen *g)
{
	uint64_t n = draw_below(g->d, g->sums.alive);
	uint64_t object = g->alive[n].object;
	g->alive[n] = g->alive[--g->sums.alive];
	return object;
}

static int put_death(struct gen *g)
{
	if (g->sums.alive == 0)
		return put_birth(g);
	g->sums.died++;
	return PUT(g, death, .time = g->time, .alloc = g->alloc, .object = pick_dead(g),
		.young = g->young, .full = g->full);
}

static int put_untrack(struct gen *g)
{
	if (g->sums.alive == 0)
		return put_birth(g);
	g->sums.untracked++;
	return PUT(g, untrack, .time = g->time, .alloc = g->alloc, .object = pick_dead(g),
		.young = g->young, .full = g->full, .reason = UNTRACK_EVICTED);
}

static int put_gc(struct gen *g)
{
	uint64_t start = g->time;
	g->time += 1000000 + draw_below(g->d, 4000000);
	g->young++;
	g->full += draw_below(g->d, 10) == 0;
	struct record r = {.kind = RECORD_gc};
	r.gc = (struct record_gc){.start = start,
		.end = g->time,
		.alloc = g->alloc,
		.number = ++g->gcs,
		.collector = 1,
		.cause = 12,
		.young = g->young,
		.full = g->full,
		.pause = g->time - start,
		.tenuring = 15,
		.ages = {.count = 3, .at = {300000, 2000, 10}}};
	return g->put(g->arg, &r);
}

static int put_tick(struct gen *g)
{
	const struct record_end *s = &g->sums;
	return PUT(g, tick, .time = g->time, .alloc = g->alloc, .samples = s->samples,
		.walked = s->walked, .tracked = s->tracked, .live = s->alive, .lost = s->lost,
		.young = g->young, .full = g->full);
}

static int put_pause(struct gen *g)
{
	uint64_t start = g->time;
	g->time += 50000;
	return PUT(g, pause, .start = start, .end = g->time);
}

static int put_lost(struct gen *g)
{
	uint64_t count = 1 + draw_below(g->d, 3);
	g->sums.lost += count;
	g->sums.samples += count;
	return PUT(g, lost, .time = g->time, .what = LOST_SAMPLES, .count = count,
		.bytes = 100 * count, .reason = LOST_BUFFERS);
}

static int put_event(struct gen *g)
{
	static const struct {
		unsigned until; /* of 1000 */
		int (*put)(struct gen *);
	} mix[] = {{900, put_alloc}, {950, put_birth}, {990, put_death}, {995, put_untrack},
		{997, put_gc}, {998, put_tick}, {999, put_pause}, {1000, put_lost}};
	g->time += draw_below(g->d, 20000);
	g->alloc += draw_below(g->d, 1048576);
	uint64_t n = draw_below(g->d, 1000);
	unsigned i = 0;
	while (n >= mix[i].until)
		i++;
	return mix[i].put(g);
}

static int put_end(struct gen *g)
{
	struct record r = {.kind = RECORD_end, .end = g->sums};
	r.end.time = g->time;
	r.end.alloc = g->alloc;
	r.end.reason = END_VM;
	return g->put(g->arg, &r);
}

int gen_trace(struct draw *d, unsigned events, gen_put *put, void *arg)
{
	struct gen *g = mem_zalloc(1, sizeof(*g));
	if (!g)
		return ERR_NOMEM;
	g->d = d;
	g->sites = events / 4 < SITES_MAX ? 1 + events / 4 : SITES_MAX;
	g->put = put;
	g->arg = arg;
	int err = put_facts(g);
	if (!err)
		err = put_names(g);
	if (!err)
		err = put_places(g);
	while (!err && events--)
		err = put_event(g);
	if (!err)
		err = put_end(g);
	mem_free(g);
	return err;
}
