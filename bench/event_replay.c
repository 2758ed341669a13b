/*
 * How fast a trace's events are read: chunks as the agent makes them of a run in which one object
 *in LIVES outlives a collection, and a large old generation stands by.
 *
 *	bench_event_replay [MILLIONS OF OBJECTS A COLLECTION] [COLLECTIONS]
 *
 * Prints ns an event of CPU time, and bytes an object that stands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "base/rng.h"
#include "trace/heap_image.h"

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

/* Reading is timed, writing is not. */
static void flush(struct bench *b)
{
	double begin = cpu_seconds();
	if (b->in_chunk && heap_image_chunk(&b->image, buf_slice(&b->out)))
		die("no memory");
	b->seconds += cpu_seconds() - begin;
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

int main(int argc, char **argv)
{
	static struct bench b;
	uint64_t objects = (argc > 1 ? strtoul(argv[1], NULL, 10) : 4) * 1000000;
	uint64_t collections = argc > 2 ? strtoul(argv[2], NULL, 10) : 20;
	if (!objects || !collections)
		die("[MILLIONS OF OBJECTS A COLLECTION] [COLLECTIONS]");
	b.image.site_ids = SITES;
	b.image.thread_ids = 1;
	for (; b.interval < collections; b.interval++) {
		births(&b, objects);
		moves(&b, objects);
		double begin = cpu_seconds();
		if (heap_image_end(&b.image))
			die("no memory");
		b.seconds += cpu_seconds() - begin;
	}
	for (int i = 0; i < IMAGE_ODDS; i++)
		if (b.image.odds[i])
			die(image_odd_text((enum image_odd)i));
	uint64_t standing = heap_image_standing(&b.image), room = 0;
	for (size_t i = 0; i < b.image.pages.count; i++)
		room += b.image.pages.at[i].objects.room * sizeof(struct image_object);
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
