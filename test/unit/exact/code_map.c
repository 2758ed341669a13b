#include "exact/code_map.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

static struct code_map map;

static void begin(void)
{
	code_map_init(&map);
}

/* All is given back. */
static void end(void)
{
	code_map_release(&map);
	EXPECT_INT(0, mem_held());
}

static void expect_frames(uintptr_t pc, bool after, const struct code_frame *want, uint32_t count)
{
	struct code_frame got[CODE_MAP_DEPTH];
	uint64_t method = 0;
	uint32_t depth = code_map_frames(&map, pc, after, got, &method);
	EXPECT_INT(count, depth);
	EXPECT((method != 0) == (depth != 0));
	for (uint32_t i = 0; i < count && i < depth; i++)
		EXPECT(got[i].method == want[i].method && got[i].bci == want[i].bci);
}

static void expect_one(uintptr_t pc, bool after, uint64_t method, int32_t bci)
{
	expect_frames(pc, after, &(struct code_frame){method, bci}, 1);
}

static void expect_nothing(uintptr_t pc)
{
	expect_frames(pc, false, NULL, 0);
	expect_frames(pc, true, NULL, 0);
}

TEST(which_record)
{
	begin();
	static const struct code_frame a[] = {{1, 10}}, b[] = {{2, 20}, {1, 11}}, c[] = {{1, 12}};
	const struct code_place places[] = {{0x1010, a, 1}, {0x1020, b, 2}, {0x1030, c, 1}};
	EXPECT_INT(0, code_map_add(&map, 0x1000, 0x100, 1, places, 3));
	expect_one(0x1000, false, 1, 10);
	expect_one(0x1010, false, 1, 10);  /* at it */
	expect_frames(0x1010, true, b, 2); /* behind it */
	expect_frames(0x1011, false, b, 2);
	expect_frames(0x101f, true, b, 2);
	expect_one(0x1020, true, 1, 12);
	expect_one(0x1030, false, 1, 12);
	expect_one(0x1030, true, 1, 12); /* none is behind it: the last */
	expect_one(0x10ff, false, 1, 12);
	expect_nothing(0xfff);
	expect_nothing(0x1100);
	end();
}

static void expect_near(uintptr_t pc, int step, uint64_t method, int32_t bci)
{
	struct code_frame got[CODE_MAP_DEPTH];
	bool common = false;
	EXPECT_INT(method ? 1 : 0, code_map_near(&map, pc, step, got, &common));
	if (method)
		EXPECT(got[0].method == method && got[0].bci == bci);
}

TEST(records_around)
{
	begin();
	static const struct code_frame a[] = {{1, 10}}, b[] = {{2, 20}}, c[] = {{3, 30}};
	const struct code_place places[] = {{0x1010, a, 1}, {0x1020, b, 1}, {0x1030, c, 1}};
	EXPECT_INT(0, code_map_add(&map, 0x1000, 0x100, 1, places, 3));
	EXPECT_INT(0, code_map_add(&map, 0x1100, 0x100, 1, NULL, 0));
	expect_near(0x1020, 0, 2, 20);
	expect_near(0x1020, 1, 3, 30);
	expect_near(0x1020, -1, 1, 10);
	expect_near(0x101f, 0, 2, 20);
	expect_near(0x1021, 0, 3, 30);
	expect_near(0x1021, -1, 2, 20);
	expect_near(0x1021, -3, 0, 0);
	expect_near(0x1021, 1, 0, 0);
	expect_near(0x1040, 0, 0, 0);
	expect_near(0x1040, -1, 3, 30);
	expect_near(0x1040, INT32_MAX, 0, 0);
	expect_near(0x1040, INT32_MIN, 0, 0);
	expect_near(0x1150, 0, 0, 0);
	expect_near(0x1150, -1, 0, 0);
	expect_near(0x1200, 0, 0, 0);
	end();
}

static void expect_next(uintptr_t pc, uintptr_t want, int32_t bci)
{
	struct code_frame got[CODE_MAP_DEPTH];
	uintptr_t at = 0;
	EXPECT_INT(want ? 1 : 0, code_map_next(&map, pc, &at, got));
	EXPECT_INT(want, at);
	if (want)
		EXPECT_INT(bci, got[0].bci);
}

TEST(records_in_order)
{
	begin();
	static const struct code_frame a[] = {{1, 10}}, b[] = {{2, 20}};
	const struct code_place places[] = {{0x1010, a, 1}, {0x1020, b, 1}};
	EXPECT_INT(0, code_map_add(&map, 0x1000, 0x100, 1, places, 2));
	EXPECT_INT(0, code_map_add(&map, 0x1100, 0x100, 1, NULL, 0));
	expect_next(0x1000, 0x1010, 10);
	expect_next(0x1010, 0x1010, 10);
	expect_next(0x1011, 0x1020, 20);
	expect_next(0x1020, 0x1020, 20);
	expect_next(0x1021, 0, 0);
	expect_next(0x1100, 0, 0);
	expect_next(0x1200, 0, 0);
	expect_next(0xfff, 0, 0);
	end();
}

TEST(code_without_places)
{
	begin();
	static const struct code_frame a[] = {{1, 10}};
	const struct code_place none[] = {{0x2010, a, 0}, {0x1fff, a, 1}, {0x2101, a, 1}};
	EXPECT_INT(0, code_map_add(&map, 0x1000, 0x100, 7, NULL, 0));
	EXPECT_INT(0, code_map_add(&map, 0x2000, 0x100, 8, none, 3)); /* none is any good */
	expect_one(0x1050, false, 7, -1);
	expect_one(0x2050, true, 8, -1);
	EXPECT_INT(0, map.record_count);
	end();
}

TEST(deep_stacks_keep_their_leaves)
{
	begin();
	struct code_frame frames[100];
	for (int32_t i = 0; i < 100; i++)
		frames[i] = (struct code_frame){(uint64_t)i + 1, i};
	struct code_place place = {0x1010, frames, 100};
	EXPECT_INT(0, code_map_add(&map, 0x1000, 0x100, 1, &place, 1));
	expect_frames(0x1010, false, frames, CODE_MAP_DEPTH);
	place = (struct code_place){0x2010, frames, CODE_MAP_DEPTH};
	EXPECT_INT(0, code_map_add(&map, 0x2000, 0x100, 1, &place, 1));
	expect_frames(0x2010, false, frames, CODE_MAP_DEPTH);
	EXPECT_INT(CODE_MAP_DEPTH + 1, map.nodes.count); /* the same ones */
	end();
}

/* Callers are shared, but not between different leaves. */
TEST(frames_are_shared)
{
	begin();
	struct code_frame deep[] = {{1, 1}, {2, 2}, {3, 3}}, other[] = {{4, 1}, {2, 2}, {3, 3}},
			  upside[] = {{3, 3}, {2, 2}, {1, 1}};
	const struct code_place places[] = {
		{0x1001, deep, 3}, {0x1002, other, 3}, {0x1003, deep, 3}, {0x1004, upside, 3}};
	EXPECT_INT(0, code_map_add(&map, 0x1000, 0x10, 3, places, 4));
	EXPECT_INT(1 + 3 + 1 + 3, map.nodes.count);
	expect_frames(0x1001, false, deep, 3);
	expect_frames(0x1002, false, other, 3);
	expect_frames(0x1003, false, deep, 3);
	expect_frames(0x1004, false, upside, 3);
	end();
}

/* A method has hundreds of places, and what is inlined there has them again and again. */
TEST(places_of_one_body_share_its_node)
{
	begin();
	enum { BODY = 300 };
	static struct code_frame frames[BODY][2];
	static struct code_place places[BODY];
	for (int32_t i = 0; i < BODY; i++) {
		frames[i][0] = (struct code_frame){1, i};
		frames[i][1] = (struct code_frame){2, i < BODY / 2 ? 5 : 9}; /* inlined twice */
		places[i] = (struct code_place){0x1000 + (uintptr_t)i, frames[i], 2};
	}
	EXPECT_INT(0, code_map_add(&map, 0x1000, BODY, 2, places, BODY));
	EXPECT_INT(1 + 1 + 2, map.nodes.count);
	for (uint32_t i = 0; i < BODY; i++)
		expect_frames(places[i].pc, false, frames[i], 2);
	end();
}

/* What the compiler gives to much of a method's code: the same position, not the same body only. */
TEST(frames_that_mean_nothing)
{
	begin();
	enum { BODY = 20 };
	static struct code_frame frames[BODY];
	static struct code_place places[BODY];
	struct code_frame got[CODE_MAP_DEPTH];
	bool common = true;
	for (int32_t i = 0; i < BODY; i++) {
		frames[i] = (struct code_frame){1, i < BODY / 2 ? i : 100};
		places[i] = (struct code_place){0x1000 + (uintptr_t)i, &frames[i], 1};
	}
	EXPECT_INT(0, code_map_add(&map, 0x1000, BODY, 1, places, BODY));
	EXPECT_INT(1, code_map_near(&map, places[3].pc, 0, got, &common));
	EXPECT(!common);
	EXPECT_INT(1, code_map_near(&map, places[BODY - 3].pc, 0, got, &common));
	EXPECT(common);
	end();
}

enum { STAND = 50, PLACES = 100, DEEP = 30, TIMES = 400, NODES = PLACES * (DEEP - 2) }; /* each */

/* Code number n: no two of its frames, and none of another's, are the same, but for the root. */
static void put_code(uint32_t n, struct code_place *places, struct code_frame *frames)
{
	for (uint32_t p = 0; p < PLACES; p++) {
		struct code_frame *f = frames + p * DEEP;
		for (uint32_t d = 0; d < DEEP; d++)
			f[d] = (struct code_frame){n + 1, (int32_t)(p * DEEP + d)};
		f[DEEP - 1] = (struct code_frame){1, 1};
		places[p] = (struct code_place){0x1000 * (n % STAND + 1) + p, f, DEEP};
	}
	EXPECT_INT(0, code_map_add(&map, 0x1000 * (n % STAND + 1), 0x1000, n, places, PLACES));
}

/* Of a program that compiles, and throws away, without end. */
TEST(frames_of_code_that_is_gone_are_let_go)
{
	static struct code_place places[PLACES];
	static struct code_frame frames[PLACES * DEEP];
	_Static_assert(TIMES * NODES > 2 * CODE_MAP_NODES, "twice as many as there may be");
	begin();
	for (uint32_t n = 0; n < TIMES; n++)
		put_code(n, places, frames);
	EXPECT_INT(0, map.refused);
	EXPECT_INT(STAND * PLACES, map.record_count);
	EXPECT(map.nodes.count < CODE_MAP_NODES);
	for (uint32_t n = TIMES - STAND; n < TIMES; n++) {
		put_code(n, places, frames); /* finds all that it needs */
		EXPECT_INT(0, map.refused);
		for (uint32_t p = 0; p < PLACES; p++)
			expect_frames(places[p].pc, false, places[p].frames, DEEP);
	}
	end();
}

/* Without memory for it they stay, and what is known is known still. */
TEST(what_can_not_be_let_go_stays)
{
	static struct code_place places[PLACES];
	static struct code_frame frames[PLACES * DEEP];
	uint32_t n = 0;
	begin();
	while (map.nodes.count < CODE_MAP_NODES / 8 * 7)
		put_code(n++, places, frames);
	size_t before = map.nodes.count;
	mem_fail_at(1);
	EXPECT(code_map_add(&map, 0x900000, 0x10, 1, NULL, 0) == 0);
	mem_fail_at(0);
	EXPECT_INT(before, map.nodes.count);
	expect_frames(places[7].pc, false, places[7].frames, DEEP);
	EXPECT_INT(0, code_map_add(&map, 0x900000, 0x10, 1, NULL, 0));
	EXPECT(map.nodes.count < before);
	expect_frames(places[7].pc, false, places[7].frames, DEEP);
	end();
}

TEST(what_comes_replaces_what_was_there)
{
	begin();
	for (uintptr_t i = 0; i < 10; i++)
		EXPECT_INT(0, code_map_add(&map, 0x1000 + i * 0x100, 0x100, i + 1, NULL, 0));
	EXPECT_INT(0, code_map_add(&map, 0x1180, 0x200, 99, NULL, 0)); /* over 2, 3 and 4 */
	expect_one(0x10ff, false, 1, -1);
	expect_nothing(0x1100);
	expect_one(0x1180, false, 99, -1);
	expect_one(0x137f, false, 99, -1);
	expect_nothing(0x1380);
	expect_one(0x1400, false, 5, -1);
	code_map_remove(&map, 0x1181); /* none begins there */
	expect_one(0x1180, false, 99, -1);
	code_map_remove(&map, 0x1180);
	expect_nothing(0x1200);
	expect_one(0x1400, false, 5, -1);
	end();
}

/* Against a plain list. */

enum { CODES = 40, SPACE = 4000, RECORDS = 12 };

struct plain {
	uintptr_t begin, end;
	uint64_t method;
	struct code_frame frames[RECORDS][3];
	struct code_place places[RECORDS];
	uint32_t count;
};

static struct plain plains[CODES];

static void plain_make(struct plain *p, struct rng *r, uint64_t method)
{
	*p = (struct plain){.begin = 0x10000 + rng_below(r, SPACE), .method = method};
	p->end = p->begin + 1 + rng_below(r, 200);
	uintptr_t pc = p->begin;
	while (p->count < RECORDS && (pc += rng_below(r, 30)) <= p->end) {
		uint32_t depth = 1 + (uint32_t)rng_below(r, 3);
		for (uint32_t i = 0; i < depth; i++)
			p->frames[p->count][i] =
				(struct code_frame){rng_below(r, 20), (int32_t)rng_below(r, 5)};
		p->places[p->count] = (struct code_place){pc, p->frames[p->count], depth};
		p->count++;
		pc++;
	}
}

static void plain_add(struct rng *r, uint64_t method)
{
	struct plain p, *free = NULL;
	plain_make(&p, r, method);
	for (int i = 0; i < CODES; i++) {
		struct plain *q = &plains[i];
		if (q->begin < p.end && p.begin < q->end)
			*q = (struct plain){.begin = 0};
		if (!q->end)
			free = q;
	}
	if (!free)
		return;
	EXPECT_INT(0, code_map_add(&map, p.begin, p.end - p.begin, method, p.places, p.count));
	*free = p;
	for (uint32_t i = 0; i < p.count; i++)
		free->places[i].frames = free->frames[i];
}

static void plain_remove(struct rng *r)
{
	struct plain *p = &plains[rng_below(r, CODES)];
	code_map_remove(&map, p->begin);
	*p = (struct plain){.begin = 0};
}

static void plain_expect(uintptr_t pc, bool after)
{
	for (int i = 0; i < CODES; i++) {
		const struct plain *p = &plains[i];
		if (pc < p->begin || pc >= p->end)
			continue;
		const struct code_place *found = p->count ? &p->places[p->count - 1] : NULL;
		for (uint32_t k = p->count; k-- > 0;)
			if (p->places[k].pc >= pc + after)
				found = &p->places[k];
		if (found)
			expect_frames(pc, after, found->frames, found->depth);
		else
			expect_one(pc, after, p->method, -1);
		return;
	}
	expect_frames(pc, after, NULL, 0);
}

TEST(against_a_list)
{
	begin();
	struct rng r = rng_init(tap_seed());
	memset(plains, 0, sizeof(plains));
	for (uint64_t step = 0; step < 3000; step++) {
		if (rng_below(&r, 3))
			plain_add(&r, step + 1000);
		else
			plain_remove(&r);
		for (int i = 0; i < 10; i++)
			plain_expect(0x10000 + rng_below(&r, SPACE + 300), rng_below(&r, 2) == 1);
	}
	uint32_t records = 0;
	for (int i = 0; i < CODES; i++)
		records += plains[i].count;
	EXPECT_INT(records, map.record_count);
	EXPECT_INT(0, map.refused);
	end();
}

/* Bounds. */

TEST(more_places_than_there_is_room_for)
{
	begin();
	enum { EACH = 1 << 16 };
	static const struct code_frame frame = {1, 1};
	struct code_place *places = mem_zalloc(EACH, sizeof(*places));
	for (uintptr_t code = 0; code < CODE_MAP_RECORDS / EACH; code++) {
		for (uint32_t i = 0; i < EACH; i++)
			places[i] = (struct code_place){code * EACH + i, &frame, 1};
		EXPECT_INT(0, code_map_add(&map, code * EACH, EACH, 1, places, EACH));
	}
	EXPECT_INT(CODE_MAP_RECORDS, map.record_count);
	places[0].pc = 1ull << 40;
	EXPECT_INT(ERR_FULL, code_map_add(&map, 1ull << 40, 100, 2, places, 1));
	EXPECT_INT(1, map.refused);
	expect_nothing(1ull << 40);
	/* Without places it is no matter. */
	EXPECT_INT(0, code_map_add(&map, 1ull << 40, 100, 2, NULL, 0));
	code_map_remove(&map, 0);
	EXPECT_INT(0, code_map_add(&map, 1ull << 40, 100, 2, places, 1));
	mem_free(places);
	end();
}

TEST(more_frames_than_there_is_room_for)
{
	begin();
	enum { EACH = 1 << 14 };
	struct code_place *places = mem_zalloc(EACH, sizeof(*places));
	struct code_frame *frames = mem_zalloc(EACH, sizeof(*frames));
	uintptr_t code = 0;
	for (; code <= CODE_MAP_NODES / EACH; code++) {
		for (uint32_t i = 0; i < EACH; i++) {
			frames[i] = (struct code_frame){code * EACH + i + 1, 1};
			places[i] = (struct code_place){code * EACH + i, &frames[i], 1};
		}
		EXPECT_INT(0, code_map_add(&map, code * EACH, EACH, 5, places, EACH));
	}
	EXPECT_INT(CODE_MAP_NODES, map.nodes.count);
	EXPECT_INT(2, map.refused); /* the last but one lacks one frame */
	expect_one((code - 3) * EACH, false, (code - 3) * (uint64_t)EACH + 1, 1);
	expect_nothing((code - 1) * EACH);
	mem_free(places);
	mem_free(frames);
	end();
}

TEST(without_memory)
{
	static const struct code_frame frames[] = {{1, 1}, {2, 2}};
	const struct code_place place = {0x1001, frames, 2};
	for (uint64_t n = 1; n < 6; n++) {
		begin();
		mem_fail_at(n);
		int err = code_map_add(&map, 0x1000, 0x10, 1, &place, 1);
		mem_fail_at(0);
		EXPECT(err == 0 || err == ERR_NOMEM);
		if (err)
			expect_nothing(0x1001);
		EXPECT_INT(err != 0, map.ranges.count == 0);
		end();
	}
}
