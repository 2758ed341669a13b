/* Writes the seed corpora of the targets reader, round_trip, truncate and event_columns below the
 * folder it is given. */
#include <stdio.h>
#include <string.h>

#include "support/trace_file.h"
#include "trace/event_columns.h"

static int failures;

static void save(const char *folder, const char *name, struct slice bytes)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(bytes.at, 1, bytes.len, f) != bytes.len || fclose(f) != 0) {
		perror(path);
		failures++;
	}
}

static void save_trace(
	const char *folder, const char *name, unsigned per_block, const struct codec *codec)
{
	struct draw draw = draw_seed(1);
	struct trace_file f;
	if (trace_file_make(&f, &draw, 60, per_block, codec) == 0)
		save(folder, name, buf_slice(&f.bytes));
	trace_file_release(&f);
}

/* The first blocks are a gap. */
static void save_gap(const char *folder, const char *name)
{
	struct draw draw = draw_seed(3);
	struct buf head = {0};
	struct trace_file f;
	if (trace_file_make(&f, &draw, 60, 30, NULL) == 0 && f.borders.count > 2) {
		gap_put(&head, &(const struct gap){
				       f.borders.at[2].offset - FILE_HEADER - BLOCK_HEADER, 5, 2});
		memcpy(f.bytes.at + FILE_HEADER, head.at, head.len);
		save(folder, name, buf_slice(&f.bytes));
	}
	buf_release(&head);
	trace_file_release(&f);
}

/* The first record of each kind that comes, cut where the file gets long. */
static void save_kinds(const char *folder, const char *name)
{
	struct draw draw = draw_seed(2);
	struct buf out = {0};
	struct writer w;
	struct record r;
	bool seen[256] = {false};
	int err = writer_init(&w, sink_buf(&out), NULL, (struct ns){1});
	for (int i = 0; !err && i < 1000; i++) {
		draw_record(&draw, &r);
		if (!seen[r.kind] && w.block.raw.len < 3000)
			err = writer_put(&w, &r);
		seen[r.kind] = true;
	}
	if (writer_release(&w) == 0)
		save(folder, name, slice(out.at, out.len < 4000 ? out.len : 4000));
	buf_release(&out);
}

/* A block of moves as columns of events. */
static void save_moves(const char *folder, const char *name, const struct codec *codec)
{
	struct buf out = {0}, sealed = {0};
	struct block b;
	int err = block_init(&b, BLOCK_EVENTS);
	b.columns = event_columns_new();
	trace_file_events(&b.raw, EVENT_MOVES);
	file_header_put(&out, (struct ns){1});
	if (!err && b.columns && block_seal(&b, 0, codec, &sealed) == 0) {
		buf_put(&out, sealed.at, sealed.len);
		save(folder, name, buf_slice(&out));
	}
	event_columns_free(b.columns);
	block_release(&b);
	buf_release(&out);
	buf_release(&sealed);
}

/* Of each kind that has them: columns, with the chunk's length before them, and the chunk. */
static void save_columns(const char *folder)
{
	struct event_columns *c = event_columns_new();
	for (int kind = EVENT_SWEPT; c && kind < EVENT_KINDS; kind++) {
		uint8_t columns[4096];
		char name[32];
		struct buf raw = {0}, out = {0};
		trace_file_events(&raw, (enum event_kind)kind);
		size_t len = event_columns_split(c, columns, buf_slice(&raw));
		buf_put_le16(&out, (uint16_t)raw.len);
		buf_put(&out, columns, len);
		snprintf(name, sizeof(name), "columns-%d", kind);
		if (len)
			save(folder, name, buf_slice(&out));
		buf_clear(&out);
		buf_put_le16(&out, 0);
		buf_put(&out, raw.at, raw.len);
		snprintf(name, sizeof(name), "chunk-%d", kind);
		save(folder, name, buf_slice(&out));
		buf_release(&raw);
		buf_release(&out);
	}
	event_columns_free(c);
}

/* Varints of all lengths, as choices. */
static void save_choices(const char *folder, const char *name, uint64_t seed, size_t len)
{
	struct draw draw = draw_seed(seed);
	struct buf out = {0};
	while (out.len < len)
		buf_put_varint(
			&out, draw_below(&draw, 3) ? draw_below(&draw, 100) : draw_u64(&draw));
	save(folder, name, buf_slice(&out));
	buf_release(&out);
}

int main(int argc, char **argv)
{
	char folder[4][4000];
	static const char *const targets[] = {"reader", "round_trip", "truncate", "event_columns"};
	struct codec zstd;
	if (argc != 2 || codec_zstd_init(&zstd, 3) != 0)
		return 2;
	for (int i = 0; i < 4; i++)
		snprintf(folder[i], sizeof(folder[i]), "%s/%s", argv[1], targets[i]);
	save(folder[0], "empty.mfly", slice("", 0));
	save_trace(folder[0], "stored.mfly", 100, NULL);
	save_trace(folder[0], "zstd.mfly", 150, &zstd);
	save_moves(folder[0], "columns.mfly", &zstd);
	save_columns(folder[3]);
	save_kinds(folder[0], "kinds.mfly");
	save_gap(folder[0], "gap.mfly");
	save_choices(folder[1], "short", 1, 100);
	save_choices(folder[1], "long", 2, 3000);
	save_choices(folder[2], "short", 3, 200);
	save_choices(folder[2], "long", 4, 1500);
	codec_zstd_release(&zstd);
	return failures ? 1 : 0;
}
