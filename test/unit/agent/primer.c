#include "agent/primer.h"

#include "base/cursor.h"
#include "base/error.h"
#include "support/tap.h"
#include "trace/writer.h"

enum { TEXTS = 2000 };

static struct record text_of(uint64_t id)
{
	static char text[TEXT_MAX];
	memset(text, 'a' + (int)(id % 26), sizeof(text));
	struct record r = {.kind = RECORD_string};
	r.string.id = id;
	r.string.text = slice(text, id % 1000);
	return r;
}

/* The records of a block, one after the other, from an id on; the next id. */
static uint64_t verify(const struct block *b, uint64_t id)
{
	struct cursor c = cursor_init(buf_slice(&b->raw));
	struct record_deltas deltas = record_deltas_init(b->first_time);
	for (uint32_t i = 0; i < b->records; i++, id++) {
		struct record r, want = text_of(id);
		EXPECT_INT(0, record_decode(&c, &deltas, &r));
		EXPECT_INT(id, r.string.id);
		EXPECT(slice_equal(want.string.text, r.string.text));
	}
	EXPECT_INT(0, cursor_left(&c));
	return id;
}

TEST(definitions_come_out_as_they_went_in)
{
	struct primer p = {.failed = false};
	struct block b;
	EXPECT_INT(0, block_init(&b, BLOCK_RECORDS));
	EXPECT(!primer_copy(&p, 0, &b));
	for (uint64_t id = 1; id <= TEXTS; id++) {
		struct record r = text_of(id);
		primer_put(&p, (struct ns){id}, &r);
		if (id % 100)
			continue;
		uint64_t next = 1;
		for (size_t i = 0; primer_copy(&p, i, &b); i++)
			next = verify(&b, next);
		EXPECT_INT(id + 1, next);
	}
	EXPECT(p.blocks.count > 3 && !p.failed);
	block_release(&b);
	primer_release(&p);
}

TEST(what_segments_begin_with)
{
	static const uint8_t no[] = {RECORD_segment, RECORD_alloc, RECORD_gc, RECORD_end,
		RECORD_site_births, RECORD_site_before};
	static const uint8_t yes[] = {RECORD_string, RECORD_site, RECORD_thread, RECORD_collector,
		RECORD_fact, RECORD_note, RECORD_config, RECORD_config_again};
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		EXPECT(!primer_wants(no[i]));
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		EXPECT(primer_wants(yes[i]));
}

static void put_config(struct primer *p, uint64_t id)
{
	struct record r = {.kind = RECORD_config};
	r.config.id = id;
	r.config.time = id;
	primer_put(p, (struct ns){id}, &r);
}

/* The record of the last block; kind 0: no such block. */
static struct record last_of(const struct primer *p, size_t i, struct block *b)
{
	struct record r = {.kind = 0};
	if (!primer_copy(p, i, b))
		return r;
	EXPECT_INT(1, b->records);
	struct cursor c = cursor_init(buf_slice(&b->raw));
	struct record_deltas deltas = record_deltas_init(b->first_time);
	EXPECT_INT(0, record_decode(&c, &deltas, &r));
	return r;
}

/* However often they come again, it takes one record, the last: what is in force. */
TEST(configs_that_come_again)
{
	struct primer p = {.failed = false};
	struct block b;
	EXPECT_INT(0, block_init(&b, BLOCK_RECORDS));
	EXPECT_INT(0, last_of(&p, 0, &b).kind);
	put_config(&p, 1);
	put_config(&p, 2);
	EXPECT_INT(0, last_of(&p, 1, &b).kind);
	for (uint64_t i = 0; i < 100000; i++) {
		struct record r = {.kind = RECORD_config_again};
		r.config_again.time = 10 + i;
		r.config_again.config = 1 + i % 2;
		primer_put(&p, (struct ns){10 + i}, &r);
	}
	EXPECT_INT(1, p.blocks.count);
	EXPECT_INT(2, p.blocks.at[0].block->records);
	struct record last = last_of(&p, 1, &b);
	EXPECT_INT(RECORD_config_again, last.kind);
	EXPECT_INT(100009, last.config_again.time);
	EXPECT_INT(2, last.config_again.config);
	EXPECT(!primer_copy(&p, 2, &b));
	put_config(&p, 3); /* which says by its place that it is in force */
	EXPECT_INT(0, last_of(&p, 1, &b).kind);
	block_release(&b);
	primer_release(&p);
}

TEST(sums_of_sites)
{
	enum { SITES = 70000 };
	struct primer p = {.failed = false};
	struct block b;
	size_t site = 0, blocks = 0;
	uint64_t next = 1;
	EXPECT_INT(0, block_init(&b, BLOCK_RECORDS));
	for (uint64_t i = 1; i < SITES; i += 2)
		for (int twice = 0; twice < 2; twice++)
			primer_count(&p, i, i, 100 * i);
	for (; block_reset(&b, (struct ns){7}), primer_sums(&p, &site, &b); blocks++) {
		struct cursor c = cursor_init(buf_slice(&b.raw));
		struct record_deltas deltas = record_deltas_init(b.first_time);
		for (uint32_t i = 0; i < b.records; i++, next += 2) {
			struct record r;
			EXPECT_INT(0, record_decode(&c, &deltas, &r));
			EXPECT_INT(next, r.site_before.site);
			EXPECT_INT(2 * next, r.site_before.objects);
			EXPECT_INT(200 * next, r.site_before.bytes);
		}
	}
	EXPECT(blocks > 1);
	EXPECT_INT(SITES + 1, next);
	block_release(&b);
	primer_release(&p);
}

TEST(out_of_memory)
{
	uint64_t held = mem_held();
	for (uint64_t n = 1; n < 5; n++) {
		struct primer p = {.failed = false};
		struct record r = text_of(1);
		mem_fail_at(n);
		primer_put(&p, (struct ns){0}, &r);
		primer_count(&p, 3, 1, 1);
		mem_fail_at(0);
		EXPECT(p.failed);
		primer_release(&p);
		EXPECT_INT(held, mem_held());
	}
}
