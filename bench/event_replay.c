/*
 * How fast a trace's events are read: chunks as the agent makes them of a run in which one object
 *in LIVES outlives a collection, and a large old generation stands by.
 *
 *	bench_event_replay [MILLIONS OF OBJECTS A COLLECTION] [COLLECTIONS] [FILE]
 *
 * Prints ns an event of CPU time, and bytes an object that stands. FILE: the trace is written there
 * too, with checkpoints, for `mayfly heap`.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "trace/codec.h"
#include "trace/heap_image.h"
#include "trace/writer.h"

enum { LIVES = 20, SITES = 5000, THREADS = 8, BUFFER = 4096, PER_CHUNK = 8000, TENURED = 4 };
#define EDEN  0x7f0000000000ull
#define OTHER 0x7f4000000000ull /* two halves: survivors */
#define OLD   0x7f8000000000ull

struct bench {
	struct heap_image image;
	struct rng rng;
	struct buf out;
	struct event_writer w;
	uint64_t in_chunk, interval, events, bytes;
	uint64_t survivors; /* in the half that is in use, 32 bytes each */
	uint64_t old;       /* objects there */
	double seconds;
	struct writer writer;
	bool writes;
	uint64_t since; /* births, of the last checkpoint */
};

static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void die(const char *what)
{
	fprintf(stderr, "bench_event_replay: %s\n", what);
	exit(1);
}

static void put_record(struct bench *b, struct record r)
{
	if (b->writes && writer_put(&b->writer, &r))
		die("the file can't be written");
}

static void write_block(struct bench *b, enum block_kind kind)
{
	if (b->writes && b->in_chunk &&
		writer_put_block(&b->writer, kind, buf_slice(&b->out), (uint32_t)b->in_chunk))
		die("the file can't be written");
}

static void define(struct bench *b)
{
	put_record(b, (struct record){.kind = RECORD_string,
			      .string = {.id = 1, .text = slice_str("com.acme.Order")}});
	put_record(b, (struct record){.kind = RECORD_class, .class = {.id = 1, .name = 1}});
	put_record(b, (struct record){.kind = RECORD_thread, .thread = {.id = 1, .name = 1}});
	put_record(b, (struct record){.kind = RECORD_collector,
			      .collector = {.id = 1, .name = 1, .role = ROLE_YOUNG}});
	for (uint64_t i = 1; i <= SITES; i++)
		put_record(b, (struct record){.kind = RECORD_site, .site = {.id = i, .class = 1}});
}

/* Reading is timed, writing is not. */
static void flush(struct bench *b)
{
	double begin = cpu_seconds();
	if (b->in_chunk && heap_image_chunk(&b->image, buf_slice(&b->out)))
		die("no memory");
	b->seconds += cpu_seconds() - begin;
	write_block(b, BLOCK_EVENTS);
	b->events += b->in_chunk;
	b->bytes += b->out.len;
	b->in_chunk = 0;
	buf_clear(&b->out);
}

static void put(struct bench *b, enum event_kind kind, uint64_t site, uint64_t at, uint64_t to)
{
	const struct event_chunk head = {.thread = kind ? 0 : 1,
		.interval = b->interval,
		.young = b->interval,
		.flags = kind ? EVENTS_CLOSED | EVENTS_OF_GC : EVENTS_CLOSED,
		.base = event_base(at),
		.kind = kind};
	if (!b->in_chunk)
		b->w = event_writer_begin(&b->out, &head);
	event_writer_put(&b->w, &(const struct event){site, at, to});
	if (++b->in_chunk == PER_CHUNK)
		flush(b);
}

/* Threads fill buffers in turn; a chunk is one thread's. */
static void births(struct bench *b, uint64_t objects)
{
	uint64_t each = objects / THREADS;
	for (uint64_t t = 0; t < THREADS; t++, flush(b))
		for (uint64_t i = 0; i < each; i++) {
			uint64_t buffer = i / BUFFER * THREADS + t;
			put(b, EVENT_BIRTHS, 1 + i * 7 % SITES,
				EDEN + 32 * (buffer * BUFFER + i % BUFFER), 0);
		}
}

/* One in LIVES of eden, and half of the survivors, move on. */
static void moves(struct bench *b, uint64_t objects)
{
	uint64_t half = 1ull << 36, from = OTHER + (b->interval & 1) * half;
	uint64_t to = OTHER + (~b->interval & 1) * half, moved = 0;
	uint64_t each = objects / THREADS * THREADS;
	for (uint64_t i = 0; i < each; i += LIVES) {
		uint64_t t = i / BUFFER % THREADS, n = i / BUFFER / THREADS * BUFFER + i % BUFFER;
		if (n < objects / THREADS && t < THREADS)
			put(b, EVENT_MOVES, 1 + n * 7 % SITES, EDEN + 32 * i, to + 32 * moved++);
	}
	for (uint64_t i = 0; i < b->survivors; i += 2) {
		const struct image_object *o = heap_image_at(&b->image, from + 32 * i);
		if (!o)
			continue;
		bool old = o->survived >= TENURED;
		put(b, EVENT_MOVES, o->site, from + 32 * i,
			old ? OLD + 32 * b->old++ : to + 32 * moved++);
	}
	flush(b);
	put(b, EVENT_SWEPT, 0, EDEN, EDEN + 32 * 2 * objects);
	if (b->survivors)
		put(b, EVENT_SWEPT, 0, from, from + 32 * b->survivors);
	flush(b);
	b->survivors = moved;
}

static int stand(void *arg, uint64_t address, const struct image_object *o)
{
	struct bench *b = arg;
	const struct event_chunk head = {.thread = heap_image_standing(&b->image),
		.interval = b->interval,
		.young = b->interval,
		.flags = EVENTS_CLOSED | EVENTS_OF_GC,
		.base = event_base(address),
		.kind = EVENT_STANDS};
	if (!b->in_chunk)
		b->w = event_writer_begin(&b->out, &head);
	event_writer_put(
		&b->w, &(const struct event){o->site, address, (uint64_t)o->survived << 3});
	if (++b->in_chunk == PER_CHUNK) {
		write_block(b, BLOCK_CHECKPOINT);
		b->in_chunk = 0;
		buf_clear(&b->out);
	}
	return 0;
}

/* The collection's records, and a checkpoint where one is due. */
static void collection(struct bench *b, uint64_t objects)
{
	uint64_t young = b->interval + 1, births = objects / SITES * SITES;
	for (uint64_t i = 1; i <= SITES; i++)
		put_record(b, (struct record){.kind = RECORD_site_births,
				      .site_births = {.young = young,
					      .site = i,
					      .objects = objects / SITES,
					      .bytes = 32 * (objects / SITES)}});
	put_record(b, (struct record){.kind = RECORD_exact_gc,
			      .exact_gc = {.young = young,
				      .kind = 3,
				      .births = births,
				      .birth_bytes = 32 * births}});
	if (b->image.totals.births - b->since >= 16 * heap_image_standing(&b->image)) {
		b->since = b->image.totals.births;
		if (heap_image_each(&b->image, stand, b))
			die("no memory");
		write_block(b, BLOCK_CHECKPOINT);
		b->in_chunk = 0;
		buf_clear(&b->out);
	}
	put_record(b, (struct record){.kind = RECORD_gc,
			      .gc = {.start = young * 1000000,
				      .end = young * 1000000,
				      .number = young,
				      .collector = 1,
				      .young = young}});
}

static void open_file(struct bench *b, const char *path, int *fd, struct codec *zstd)
{
	*fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (*fd < 0 || codec_zstd_init(zstd, 1) ||
		writer_init(&b->writer, sink_fd(fd), zstd, (struct ns){1}))
		die("the file can't be written");
	b->writes = true;
	define(b);
}

static void close_file(struct bench *b, int fd, struct codec *zstd)
{
	put_record(b, (struct record){.kind = RECORD_end, .end = {.time = b->interval * 1000000}});
	if (b->writes && writer_release(&b->writer))
		die("the file can't be written");
	codec_zstd_release(zstd);
	close(fd);
}

int main(int argc, char **argv)
{
	static struct bench b;
	uint64_t objects = (argc > 1 ? strtoul(argv[1], NULL, 10) : 4) * 1000000;
	uint64_t collections = argc > 2 ? strtoul(argv[2], NULL, 10) : 20;
	if (!objects || !collections)
		die("[MILLIONS OF OBJECTS A COLLECTION] [COLLECTIONS]");
	struct codec zstd = {0};
	int fd = -1;
	if (argc > 3)
		open_file(&b, argv[3], &fd, &zstd);
	b.image.site_ids = SITES;
	b.image.thread_ids = 1;
	for (; b.interval < collections; b.interval++) {
		births(&b, objects);
		moves(&b, objects);
		double begin = cpu_seconds();
		if (heap_image_end(&b.image))
			die("no memory");
		b.seconds += cpu_seconds() - begin;
		if (b.writes)
			collection(&b, objects);
	}
	if (b.writes)
		close_file(&b, fd, &zstd);
	for (int i = 0; i < IMAGE_ODDS; i++)
		if (b.image.odds[i])
			die(image_odd_text((enum image_odd)i, b.image.odds[i]));
	uint64_t standing = heap_image_standing(&b.image), room = 0;
	for (size_t i = 0; i < b.image.pages.list.count; i++)
		room += b.image.pages.list.at[i].objects.room * sizeof(struct image_object);
	printf("%.1f M events, %.1f MB: %.2f ns an event, %.1f M events/s\n",
		(double)b.events / 1e6, (double)b.bytes / 1e6, b.seconds * 1e9 / (double)b.events,
		(double)b.events / 1e6 / b.seconds);
	printf("%.2f M objects stand, %.1f bytes each, %.1f with the pages and all that was "
	       "kept\n",
		(double)standing / 1e6, (double)room / (double)standing,
		(double)(mem_held() - b.out.room) / (double)standing);
	printf("memory at most %.1f MB\n", (double)mem_peak() / 1e6);
	return 0;
}
