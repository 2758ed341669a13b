#include "agent/journal.h"

#include "base/cursor.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

/* A record by which its place in the row is known again. */
static struct record numbered(uint64_t n)
{
	struct record r = {.kind = RECORD_tick};
	r.tick.samples = n;
	r.tick.time = n;
	return r;
}

/* Reads the block's records and expects them to count on from *next. */
static void expect_row(const struct block *b, uint64_t *next)
{
	struct cursor c = cursor_init(buf_slice(&b->raw));
	struct record_deltas d = record_deltas_init(b->first_time);
	uint32_t count = 0;
	for (; cursor_left(&c); count++) {
		struct record r;
		EXPECT_INT(0, record_decode(&c, &d, &r));
		EXPECT_INT(*next, r.tick.samples);
		EXPECT_INT(*next, r.tick.time);
		++*next;
	}
	EXPECT_INT(b->records, count);
}

TEST(records_come_out_in_order)
{
	static struct journal j;
	struct rng r = rng_init(tap_seed());
	uint64_t put = 0, got = 0;
	EXPECT_INT(0, journal_init(&j, (struct ns){0}));
	while (put < 400000) {
		struct record record = numbered(put);
		struct block *b;
		if (rng_below(&r, 20000))
			put += journal_put(&j, (struct ns){put}, &record) == 0;
		else
			journal_push(&j, (struct ns){put});
		if (rng_below(&r, 2000) == 0 && (b = journal_take(&j))) {
			expect_row(b, &got);
			journal_give_back(&j, b);
		}
		EXPECT(j.full_count + j.free_count <= JOURNAL_BLOCKS - 1);
	}
	journal_push(&j, (struct ns){put});
	for (struct block *b; (b = journal_take(&j));) {
		expect_row(b, &got);
		journal_give_back(&j, b);
	}
	EXPECT_INT(put, got);
	EXPECT_INT(JOURNAL_BLOCKS - 1, j.free_count);
	journal_release(&j);
}

/* Nobody takes blocks: samples are refused first, names while the reserve is whole, and the rest
 * when nothing is free. */
TEST(full)
{
	static struct journal j;
	uint64_t n = 0, refused_at = 0, names_at = 0;
	EXPECT_INT(0, journal_init(&j, (struct ns){0}));
	for (;; n++) {
		struct record record = numbered(n);
		if (!refused_at && !journal_has_room(&j))
			refused_at = n;
		if (!names_at && !journal_has_name_room(&j))
			names_at = n;
		int err = journal_put(&j, (struct ns){0}, &record);
		if (err) {
			EXPECT_INT(ERR_FULL, err);
			break;
		}
	}
	EXPECT(refused_at > 0 && refused_at < names_at && names_at < n);
	EXPECT_INT(0, j.free_count);
	journal_push(&j, (struct ns){0}); /* nowhere to go on: nothing happens */
	EXPECT_INT(JOURNAL_BLOCKS - 1, j.full_count);
	struct block *b = journal_take(&j);
	journal_give_back(&j, b);
	EXPECT(!journal_has_room(&j));
	struct record record = numbered(n);
	EXPECT_INT(0, journal_put(&j, (struct ns){0}, &record));
	journal_release(&j);
}

TEST(nothing_to_push_or_take)
{
	static struct journal j;
	EXPECT_INT(0, journal_init(&j, (struct ns){0}));
	journal_push(&j, (struct ns){7});
	EXPECT(journal_take(&j) == NULL);
	EXPECT_INT(JOURNAL_BLOCKS - 1, j.free_count);
	journal_release(&j);
}

/* Whoever is late writes nothing behind it. */
TEST(the_end_record_is_the_last)
{
	static struct journal j;
	struct record end = {.kind = RECORD_end}, late = numbered(1);
	EXPECT_INT(0, journal_init(&j, (struct ns){0}));
	EXPECT(journal_has_room(&j));
	EXPECT_INT(0, journal_put(&j, (struct ns){1}, &end));
	EXPECT(!journal_has_room(&j));
	EXPECT_INT(ERR_FULL, journal_put(&j, (struct ns){2}, &late));
	EXPECT_INT(1, j.current->records);
	journal_release(&j);
}

/* Its memory is there from the start: appending takes none. */
TEST(out_of_memory)
{
	static struct journal j;
	uint64_t held = mem_held();
	for (uint64_t n = 1; n <= JOURNAL_BLOCKS; n++) {
		mem_fail_at(n);
		EXPECT_INT(ERR_NOMEM, journal_init(&j, (struct ns){0}));
		mem_fail_at(0);
		EXPECT_INT(held, mem_held());
	}
	EXPECT_INT(0, journal_init(&j, (struct ns){0}));
	mem_fail_at(1);
	uint64_t n = 0;
	struct record record = numbered(0);
	while (journal_put(&j, (struct ns){0}, &record) == 0)
		record = numbered(++n);
	EXPECT(n > 100000);
	mem_fail_at(0);
	journal_release(&j);
	EXPECT_INT(held, mem_held());
}

/* What must be told is let in where samples are not any more, but not into the last block. */
TEST(the_last_room)
{
	static struct journal j;
	uint64_t put = 0, last = 0;
	EXPECT_INT(0, journal_init(&j, (struct ns){0}));
	EXPECT(journal_has_room(&j) && journal_has_last_room(&j));
	for (; journal_has_last_room(&j); put++) {
		struct record record = numbered(put);
		EXPECT_INT(0, journal_put(&j, (struct ns){put}, &record));
		last += !journal_has_room(&j);
	}
	EXPECT(last > 0 && last < put);
	struct record record = numbered(put);
	EXPECT_INT(0, journal_put(&j, (struct ns){put}, &record));
	EXPECT_INT(0, j.free_count);
	journal_release(&j);
	EXPECT_INT(0, journal_init(&j, (struct ns){0}));
	EXPECT_INT(0, journal_put(&j, (struct ns){0}, &(struct record){.kind = RECORD_end}));
	EXPECT(!journal_has_last_room(&j));
	journal_release(&j);
}
