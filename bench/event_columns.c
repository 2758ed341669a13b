/*
 * What packing a trace's events takes: for each kind of chunk its bytes and CPU time an event, by
 * zstd at the agent's level of the chunk as it is, and of its columns (trace/event_columns.h), and
 * the ways back. Each block is packed alone, as in the agent.
 *
 *	bench_event_columns TRACE	of mayfly record --exact=trace
 */
#include <stdio.h>
#include <time.h>

#include "trace/event_columns.h"
#include "trace/events.h"
#include "trace/reader.h"

enum { AGENT_LEVEL = -1 };
enum way { PLAIN, PLAIN_BACK, SPLIT, COLUMNS, COLUMNS_BACK, JOIN, WAYS };

struct tally {
	uint64_t events, plain_bytes, bytes;
	double ns[WAYS];
};

static struct tally tallies[EVENT_KINDS];
static const char *const names[EVENT_KINDS] = {
	"births", "swept", "moves", "stays", "forgotten", "stands", "sizes", "sized"};
static uint8_t columns[BLOCK_RAW_MAX], packed[BLOCK_RAW_MAX + 1024], back[BLOCK_RAW_MAX + 1];

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* There and back by zstd. Returns the bytes. */
static size_t by_zstd(
	const struct codec *c, struct slice in, struct tally *t, enum way there, enum way again)
{
	double start = now_ns();
	size_t len = c->compress(c->ctx, packed, sizeof(packed), in.at, in.len);
	double middle = now_ns();
	c->decompress(c->ctx, back, sizeof(back), packed, len);
	t->ns[there] += middle - start;
	t->ns[again] += now_ns() - middle;
	return len;
}

static void by_columns(
	struct event_columns *e, const struct codec *c, struct slice raw, struct tally *t)
{
	double start = now_ns();
	size_t len = event_columns_split(e, columns, raw);
	t->ns[SPLIT] += now_ns() - start;
	if (!len)
		return;
	t->bytes += by_zstd(c, slice(columns, len), t, COLUMNS, COLUMNS_BACK);
	start = now_ns();
	if (!event_columns_join(e, back, raw.len, slice(columns, len)) ||
		!slice_equal(raw, slice(back, raw.len)))
		fprintf(stderr, "columns that don't come back as they were\n");
	t->ns[JOIN] += now_ns() - start;
}

static void measure(struct event_columns *e, const struct codec *c, const struct reader *r)
{
	struct event_reader chunk;
	struct slice raw = buf_slice(&r->raw);
	if ((r->block.kind != BLOCK_EVENTS && r->block.kind != BLOCK_CHECKPOINT &&
		    r->block.kind != BLOCK_SIZES) ||
		event_reader_begin(&chunk, raw, NULL))
		return;
	struct tally *t = &tallies[chunk.chunk.kind];
	t->events += r->block.records;
	t->plain_bytes += by_zstd(c, raw, t, PLAIN, PLAIN_BACK);
	by_columns(e, c, raw, t);
}

static void print(void)
{
	printf("%-9s %10s  %24s  %42s\n", "", "", "zstd", "columns, zstd");
	printf("%-9s %10s  %8s %7s %7s  %8s %7s %7s %9s %7s\n", "an event", "events", "bytes", "ns",
		"back", "bytes", "split", "ns", "back", "join");
	for (int k = 0; k < EVENT_KINDS; k++) {
		const struct tally *t = &tallies[k];
		double n = (double)t->events;
		if (!t->events)
			continue;
		printf("%-9s %10.0f  %8.2f %7.1f %7.1f", names[k], n, (double)t->plain_bytes / n,
			t->ns[PLAIN] / n, t->ns[PLAIN_BACK] / n);
		if (t->bytes)
			printf("  %8.2f %7.1f %7.1f %9.1f %7.1f", (double)t->bytes / n,
				t->ns[SPLIT] / n, t->ns[COLUMNS] / n, t->ns[COLUMNS_BACK] / n,
				t->ns[JOIN] / n);
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	struct source source;
	struct codec read = {0}, write = {0};
	struct reader r;
	struct diag d = {""};
	struct event_columns *e = event_columns_new();
	if (argc != 2 || !e || codec_zstd_init(&read, 1) || codec_zstd_init(&write, AGENT_LEVEL) ||
		source_open_file(&source, argv[1], &d) || reader_init(&r, &source, &read, &d)) {
		fprintf(stderr, "bench_event_columns TRACE: %s\n", d.text);
		return 2;
	}
	int got;
	while ((got = reader_next_block(&r, &d)) > 0)
		measure(e, &write, &r);
	if (got < 0)
		fprintf(stderr, "%s\n", d.text);
	print();
	reader_release(&r);
	source_close(&source);
	codec_zstd_release(&read);
	codec_zstd_release(&write);
	event_columns_free(e);
	return got < 0;
}
