#include "trace/record.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"
#include "support/trace_gen.h"

enum { ROUNDS = 30000 };

/* A record by its bytes. */
static void put_raw(struct buf *out, uint8_t kind, struct slice body)
{
	buf_put_u8(out, kind);
	buf_put_varint(out, body.len);
	buf_put(out, body.at, body.len);
}

/* Decodes bytes that hold one record. */
static int decode(struct slice bytes, struct record *r, size_t *left)
{
	struct cursor c = cursor_init(bytes);
	struct record_deltas d = {0};
	int err = record_decode(&c, &d, r);
	*left = cursor_left(&c);
	return err;
}

static int decode_raw(uint8_t kind, struct slice body, struct record *r)
{
	struct buf b = {0};
	size_t left;
	put_raw(&b, kind, body);
	/* Texts of r point into b, and are not looked at. */
	int err = decode(buf_slice(&b), r, &left);
	EXPECT(err || left == 0);
	buf_release(&b);
	return err;
}

static struct record zeros(uint8_t kind)
{
	struct record r;
	memset(&r, 0, sizeof(r));
	r.kind = kind;
	return r;
}

TEST(every_kind_round_trips)
{
	struct draw draw = draw_seed(tap_seed());
	struct buf b = {0};
	struct record_deltas in = {0}, out = {0};
	bool seen[256] = {false};
	struct record want, got = {0};
	for (int i = 0; i < ROUNDS; i++) {
		draw_record(&draw, &want);
		seen[want.kind] = true;
		buf_clear(&b);
		EXPECT_INT(0, record_encode(&b, &in, &want));
		EXPECT(b.len <= RECORD_ROOM);
		struct cursor c = cursor_init(buf_slice(&b));
		EXPECT_INT(0, record_decode(&c, &out, &got));
		EXPECT_INT(0, cursor_left(&c));
		EXPECT(record_equal(&want, &got));
		EXPECT(memcmp(&in, &out, sizeof(in)) == 0);
	}
	for (unsigned i = 0; i < RECORD_KINDS; i++)
		EXPECT(seen[record_kind_at(i)]);
	buf_release(&b);
}

TEST(known_bytes)
{
	static const uint8_t want[] = {0x22, 7, 0x14, 0xc8, 0x01, 0x05, 0x02, 0x80, 0x01};
	struct record r = {.kind = RECORD_death,
		.death = {.time = 20, .alloc = 100, .object = 7, .young = 2, .full = 128}};
	struct record_deltas d = {.t = 10, .a = 0, .o = 10};
	struct buf b = {0};
	EXPECT_INT(0, record_encode(&b, &d, &r));
	EXPECT(slice_equal(slice(want, sizeof(want)), buf_slice(&b)));
	EXPECT_INT(20, d.t);
	EXPECT_INT(20, d.top);
	EXPECT_INT(100, d.a);
	EXPECT_INT(7, d.o);
	buf_release(&b);
}

TEST(top_is_the_greatest_time)
{
	struct record r = {.kind = RECORD_pause, .pause = {.start = 500, .end = 300}};
	struct record_deltas d = record_deltas_init(400), back = record_deltas_init(400);
	struct buf b = {0};
	EXPECT_INT(0, record_encode(&b, &d, &r));
	EXPECT_INT(300, d.t);
	EXPECT_INT(500, d.top);
	struct cursor c = cursor_init(buf_slice(&b));
	EXPECT_INT(0, record_decode(&c, &back, &r));
	EXPECT_INT(500, back.top);
	buf_release(&b);
}

TEST(longer_records_are_read_and_the_rest_ignored)
{
	struct draw draw = draw_seed(tap_seed());
	struct buf plain = {0}, longer = {0};
	for (int i = 0; i < 2000; i++) {
		struct record want, got;
		struct record_deltas d = {0};
		size_t left;
		draw_record(&draw, &want);
		buf_clear(&plain);
		buf_clear(&longer);
		EXPECT_INT(0, record_encode(&plain, &d, &want));
		struct cursor c = cursor_init(slice(plain.at + 1, plain.len - 1));
		uint64_t len = cursor_varint(&c);
		EXPECT_INT(len, cursor_left(&c));
		buf_put_u8(&longer, want.kind);
		buf_put_varint(&longer, len + 3);
		buf_put(&longer, c.at, (size_t)len);
		buf_put_str(&longer, "\xff\xff\xff"
				     "next");
		EXPECT_INT(0, decode(buf_slice(&longer), &got, &left));
		EXPECT_INT(4, left);
		EXPECT(record_equal(&want, &got));
	}
	buf_release(&plain);
	buf_release(&longer);
}

TEST(missing_fields_read_as_0)
{
	for (unsigned i = 0; i < RECORD_KINDS; i++) {
		struct record got, want = zeros(record_kind_at(i));
		memset(&got, 0xee, sizeof(got));
		EXPECT_INT(0, decode_raw(want.kind, slice("", 0), &got));
		EXPECT(record_equal(&want, &got));
	}
}

TEST(missing_fields_after_some)
{
	static const uint8_t body[] = {0x14, 0xc8, 0x01, 5};
	struct record got, want = zeros(RECORD_birth);
	memset(&got, 0xee, sizeof(got));
	want.birth.time = 10;
	want.birth.alloc = 100;
	want.birth.object = (uint64_t)-3;
	EXPECT_INT(0, decode_raw(RECORD_birth, slice(body, sizeof(body)), &got));
	EXPECT(record_equal(&want, &got));
}

TEST(a_missing_delta_does_not_become_the_last_one)
{
	struct buf b = {0};
	struct record r;
	put_raw(&b, RECORD_pause, slice("\x14", 1)); /* start 10, no end */
	put_raw(&b, RECORD_pause, slice("\x02\x02", 2));
	struct cursor c = cursor_init(buf_slice(&b));
	struct record_deltas d = {0};
	EXPECT_INT(0, record_decode(&c, &d, &r));
	EXPECT_INT(10, r.pause.start);
	EXPECT_INT(0, r.pause.end);
	EXPECT_INT(0, record_decode(&c, &d, &r));
	EXPECT_INT(11, r.pause.start);
	EXPECT_INT(12, r.pause.end);
	buf_release(&b);
}

/* A body cut inside a field is refused; cut between fields, the fields before it are right. */
TEST(a_body_cut_at_any_byte)
{
	struct draw draw = draw_seed(tap_seed());
	struct buf b = {0}, whole = {0}, part = {0};
	for (int i = 0; i < 300; i++) {
		struct record want, got;
		struct record_deltas d = {0};
		draw_record(&draw, &want);
		buf_clear(&b);
		buf_clear(&whole);
		EXPECT_INT(0, record_encode(&b, &d, &want));
		record_dump(&whole, &want);
		struct cursor c = cursor_init(slice(b.at + 1, b.len - 1));
		size_t len = (size_t)cursor_varint(&c);
		for (size_t cut = 0; cut < len && cut < 300; cut++) {
			struct buf raw = {0};
			size_t left;
			put_raw(&raw, want.kind, slice(c.at, cut));
			int err = decode(buf_slice(&raw), &got, &left);
			EXPECT(err == 0 || err == ERR_TRUNCATED);
			buf_clear(&part);
			if (!err)
				record_dump(&part, &got);
			/* What is behind the last good field reads as 0 or nothing. */
			size_t same = 0;
			while (same < part.len && same < whole.len &&
				part.at[same] == whole.at[same])
				same++;
			for (size_t k = same; k < part.len; k++)
				EXPECT(part.at[k] != '=' ||
					strchr("0\" \n", part.at[k + 1]) != NULL);
			buf_release(&raw);
		}
	}
	buf_release(&b);
	buf_release(&whole);
	buf_release(&part);
}

/* Decodes the record at the front of `all`, of which the first `len` bytes are there. */
static int decode_front(
	const struct buf *all, size_t len, struct record_deltas *d, struct record *r, size_t *used)
{
	struct cursor c = cursor_init(slice(all->at, len));
	int err = record_decode(&c, d, r);
	*used = (size_t)(c.at - all->at);
	return err;
}

/* Whatever follows a record, it reads the same: there are two ways, by how much does. */
static void expect_the_same(struct buf *bytes)
{
	struct record tight, loose;
	struct record_deltas before = {.t = 7, .a = 1 << 20, .o = 99, .top = 1000};
	struct record_deltas d = before, e = before;
	size_t len = bytes->len, used, used_loose;
	memset(&tight, 0, sizeof(tight));
	loose = tight;
	buf_put(bytes, (const uint8_t[256]){0}, 256);
	int err = decode_front(bytes, len, &d, &tight, &used);
	int err_loose = decode_front(bytes, bytes->len, &e, &loose, &used_loose);
	EXPECT_INT(err, err_loose);
	EXPECT_INT(used, used_loose);
	EXPECT(err || memcmp(&d, &e, sizeof(d)) == 0);
	EXPECT(err || record_equal(&tight, &loose));
}

/* Bodies of any bytes, of which most are numbers of one to four. */
TEST(the_quick_way_is_the_other_way)
{
	static const uint8_t kinds[] = {RECORD_alloc, RECORD_birth, RECORD_death, RECORD_gc};
	struct draw draw = draw_seed(tap_seed());
	struct buf b = {0};
	for (int i = 0; i < 200000; i++) {
		uint8_t body[100];
		size_t len = (size_t)draw_below(&draw, i % 50 ? 30 : sizeof(body));
		uint64_t continues = draw_below(&draw, 100);
		for (size_t k = 0; k < len; k++)
			body[k] = (uint8_t)(draw_below(&draw, 128) |
					    (draw_below(&draw, 100) < continues ? 0x80 : 0));
		buf_clear(&b);
		put_raw(&b, kinds[draw_below(&draw, ARRAY_SIZE(kinds))], slice(body, len));
		expect_the_same(&b);
	}
	buf_release(&b);
}

TEST(unknown_kinds_are_skipped)
{
	struct buf b = {0};
	struct record r = zeros(RECORD_alloc);
	struct record_deltas d = {.t = 5, .a = 6, .o = 7}, before = d;
	put_raw(&b, 0x7e, slice("whatever", 8));
	struct cursor c = cursor_init(buf_slice(&b));
	EXPECT_INT(0, record_decode(&c, &d, &r));
	EXPECT_INT(0x7e, r.kind);
	EXPECT_INT(0, cursor_left(&c));
	EXPECT(memcmp(&d, &before, sizeof(d)) == 0);
	EXPECT(record_name(0x7e) == NULL);
	EXPECT_INT(ERR_USAGE, record_encode(&b, &d, &r));
	buf_release(&b);
}

TEST(too_long_is_refused_and_changes_nothing)
{
	static uint8_t text[TEXT_MAX + 1];
	struct record ok = {
		.kind = RECORD_note, .note = {.time = 9, .text = slice(text, TEXT_MAX)}};
	struct record over = ok;
	struct record_deltas d = {.t = 4, .top = 4};
	struct buf b = {0};
	over.note.text.len++;
	buf_put_str(&b, "kept");
	EXPECT_INT(ERR_LIMIT, record_encode(&b, &d, &over));
	EXPECT_INT(4, b.len);
	EXPECT_INT(4, d.t);
	EXPECT_INT(4, d.top);
	EXPECT_INT(0, record_encode(&b, &d, &ok));
	over = zeros(RECORD_gc);
	over.gc.ages.count = LIST_MAX + 1;
	size_t len = b.len;
	EXPECT_INT(ERR_LIMIT, record_encode(&b, &d, &over));
	EXPECT_INT(len, b.len);
	EXPECT_INT(9, d.t);
	buf_release(&b);
}

/* Lengths of one, two and three bytes. */
TEST(the_longest_records)
{
	static uint8_t text[TEXT_MAX];
	static const size_t lens[] = {0, 1, 100, 122, 123, 124, 125, 126, 8000, TEXT_MAX};
	struct buf b = {0};
	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < ARRAY_SIZE(lens); i++) {
		struct record got, want = {.kind = RECORD_fact,
					   .fact = {slice(text, lens[i]),
						   slice(text + 1, lens[i] ? lens[i] - 1 : 0)}};
		struct record_deltas d = {0};
		size_t left;
		buf_clear(&b);
		EXPECT_INT(0, record_encode(&b, &d, &want));
		EXPECT_INT(0, decode(buf_slice(&b), &got, &left));
		EXPECT_INT(0, left);
		EXPECT(record_equal(&want, &got));
	}
	EXPECT(b.len > 0x4000);
	buf_release(&b);
}

TEST(too_long_is_not_read)
{
	struct buf b = {0};
	struct record r;
	size_t left;
	buf_put_u8(&b, 1);
	buf_put_varint(&b, TEXT_MAX + 1);
	buf_reserve(&b, TEXT_MAX + 1);
	memset(b.at + b.len, 'x', TEXT_MAX + 1);
	b.len += TEXT_MAX + 1;
	EXPECT_INT(ERR_LIMIT, decode_raw(RECORD_string, buf_slice(&b), &r));
	buf_clear(&b);
	for (int i = 0; i < 3; i++)
		buf_put_u8(&b, 1);
	buf_put_u8(&b, LIST_MAX + 1);
	for (int i = 0; i < LIST_MAX + 1; i++)
		buf_put_u8(&b, 1);
	EXPECT_INT(ERR_LIMIT, decode_raw(RECORD_site_ages, buf_slice(&b), &r));
	buf_clear(&b);
	buf_put_u8(&b, 0x7e);
	buf_put_varint(&b, RECORD_MAX + 1);
	buf_reserve(&b, RECORD_MAX + 1);
	memset(b.at + b.len, 0, RECORD_MAX + 1);
	b.len += RECORD_MAX + 1;
	EXPECT_INT(ERR_LIMIT, decode(buf_slice(&b), &r, &left));
	buf_release(&b);
}

TEST(not_well_formed)
{
	struct record r;
	size_t left;
	EXPECT_INT(ERR_TRUNCATED, decode(slice("", 0), &r, &left));
	EXPECT_INT(ERR_TRUNCATED, decode(slice("\x20", 1), &r, &left));
	EXPECT_INT(ERR_TRUNCATED, decode(slice("\x20\x05"
					       "abcd",
						 6),
					  &r, &left));
	EXPECT_INT(ERR_TRUNCATED, decode_raw(RECORD_string,
					  slice("\x01\x05"
						"abcd",
						  6),
					  &r));
	EXPECT_INT(ERR_TRUNCATED, decode_raw(RECORD_string, slice("\x81", 1), &r));
	EXPECT_INT(ERR_TRUNCATED, decode_raw(RECORD_site_ages, slice("\1\1\1\3\1\1", 6), &r));
	/* As many bytes as numbers, but not as many numbers. */
	EXPECT_INT(ERR_TRUNCATED, decode_raw(RECORD_site_ages, slice("\1\1\1\3\201\1\1", 7), &r));
	EXPECT_INT(ERR_FORMAT, decode_raw(RECORD_string,
				       slice("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10), &r));
}

TEST(out_of_memory_leaves_all_as_it_was)
{
	struct buf b = {0};
	struct record r = zeros(RECORD_alloc);
	struct record_deltas d = {0};
	r.alloc.time = 77;
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, record_encode(&b, &d, &r));
	mem_fail_at(0);
	EXPECT_INT(0, b.len);
	EXPECT_INT(0, d.t);
	EXPECT_INT(ERR_NOMEM, b.failed);
	buf_release(&b);
}

/* -- record.def against the tables of doc/trace-format.md -- */

struct row {
	unsigned kind;
	const char *name, *fields;
};

static const struct row rows[] = {
#define FIELD(type, field) " " #type " " #field
#define RECORD(kind, name) {kind, #name, FIELDS_##name(FIELD)},
#include "trace/record.def"
#undef RECORD
#undef FIELD
};

/* From "`u` id, `s` text (so)" to " u id s text". */
static void field_list(const char *cell, char *out, size_t room)
{
	size_t n = 0;
	for (const char *p = cell; (p = strchr(p, '`')) && n + 4 < room; p += 3) {
		if (p[1] == '\0' || p[2] != '`' || p[3] != ' ')
			break;
		n += (size_t)snprintf(out + n, room - n, " %c %.*s", p[1],
			(int)strspn(p + 4, "abcdefghijklmnopqrstuvwxyz_"), p + 4);
	}
	out[n < room ? n : room - 1] = '\0';
}

/* The row of record.def for a line of a table of kinds, or NULL for another line. */
static const struct row *check_line(char *line)
{
	static char fields[1024];
	char name[64];
	unsigned kind;
	if (sscanf(line, "| 0x%x | %63[a-z_] |", &kind, name) != 2)
		return NULL;
	const char *cell = strchr(strchr(line + 1, '|') + 1, '|') + 1;
	field_list(cell, fields, sizeof(fields));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].kind != kind)
			continue;
		EXPECT_STR(rows[i].name, name);
		EXPECT_STR(rows[i].name, record_name((uint8_t)kind));
		EXPECT_STR(rows[i].fields, fields);
		return &rows[i];
	}
	tap_check(false, __FILE__, __LINE__, "0x%02x %s is not in record.def", kind, name);
	return NULL;
}

TEST(record_def_agrees_with_the_document)
{
	static char line[4096];
	FILE *doc = fopen(TRACE_FORMAT_MD, "r");
	int seen[ARRAY_SIZE(rows)] = {0};
	EXPECT(doc != NULL);
	while (doc && fgets(line, sizeof(line), doc)) {
		const struct row *row = check_line(line);
		if (row)
			seen[row - rows]++;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		tap_check(seen[i] == 1, __FILE__, __LINE__, "%s: %d rows in the document",
			rows[i].name, seen[i]);
	if (doc)
		fclose(doc);
}
