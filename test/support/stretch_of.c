#include "support/stretch_of.h"

#include "support/tap.h"
#include "trace/events.h"
#include "trace/reader.h"
#include "trace/source.h"
#include "trace/writer.h"

enum { SITES = 4096 };

struct making {
	struct stretch_of *s;
	struct reader r;
	struct writer w;
	uint64_t begin; /* offset of the checkpoint's first block */
	struct {
		uint64_t objects, bytes;
	} sites[SITES];
};

static struct making making;

static bool is_definition(uint8_t kind)
{
	return kind <= RECORD_config;
}

/* The first block of the n-th checkpoint, or 0. */
static uint64_t find(struct source *source, const struct codec *codec, uint64_t n)
{
	struct reader r;
	struct event_reader e;
	uint64_t interval = UINT64_MAX, found = 0;
	EXPECT_INT(0, reader_init(&r, source, codec, NULL));
	while (!found && reader_next_block(&r, NULL) > 0) {
		if (r.block.kind != BLOCK_CHECKPOINT)
			continue;
		EXPECT_INT(0, event_reader_begin(&e, buf_slice(&r.raw), NULL));
		if (e.chunk.interval != interval && n-- == 0)
			found = r.block.offset;
		interval = e.chunk.interval;
	}
	reader_release(&r);
	return found;
}

static void count(struct making *m, const struct record *r)
{
	struct record_segment *s = &m->s->segment;
	uint64_t *counts[256] = {
		[RECORD_death] = &s->died, [RECORD_untrack] = &s->untracked, [RECORD_gc] = &s->gcs};
	if (counts[r->kind])
		++*counts[r->kind];
	s->walked += r->kind == RECORD_alloc || r->kind == RECORD_birth;
	s->tracked += r->kind == RECORD_birth;
	if (r->kind == RECORD_gc) {
		s->young = r->gc.young;
		s->full = r->gc.full;
		s->time = r->gc.end;
		s->alloc = r->gc.alloc;
	}
	if (r->kind == RECORD_site_births && r->site_births.site < SITES) {
		m->sites[r->site_births.site].objects += r->site_births.objects;
		m->sites[r->site_births.site].bytes += r->site_births.bytes;
		m->s->objects += r->site_births.objects;
		m->s->bytes += r->site_births.bytes;
	}
}

/* Sums up what is to be forgotten. */
static void survey(struct making *m)
{
	struct record r;
	while (reader_next_block(&m->r, NULL) > 0 && m->r.block.offset < m->begin) {
		m->s->blocks++;
		while (reader_next_in_block(&m->r, &r, NULL) > 0)
			count(m, &r);
	}
}

static void put_before(struct making *m)
{
	struct record r = {.kind = RECORD_segment, .segment = m->s->segment};
	EXPECT_INT(0, writer_put(&m->w, &r));
}

static void put_sites(struct making *m)
{
	for (uint64_t i = 0; i < SITES; i++) {
		struct record r = {.kind = RECORD_site_before,
			.site_before = {i, m->sites[i].objects, m->sites[i].bytes}};
		if (m->sites[i].objects)
			EXPECT_INT(0, writer_put(&m->w, &r));
	}
	EXPECT_INT(0, writer_flush(&m->w));
}

static void copy(struct making *m)
{
	struct record r;
	bool told = false;
	while (reader_next_block(&m->r, NULL) > 0) {
		bool kept = m->r.block.offset >= m->begin;
		if (kept && !told)
			put_sites(m);
		told = kept;
		if (m->r.block.kind != BLOCK_RECORDS && kept)
			EXPECT_INT(0, writer_put_block(&m->w, (enum block_kind)m->r.block.kind,
					      buf_slice(&m->r.raw), m->r.block.records));
		while (reader_next_in_block(&m->r, &r, NULL) > 0)
			if (kept || is_definition(r.kind))
				EXPECT_INT(0, writer_put(&m->w, &r));
		EXPECT_INT(0, writer_flush(&m->w));
	}
}

static void begin(struct making *m, struct source *source, const struct codec *codec)
{
	reader_release(&m->r);
	EXPECT_INT(0, reader_init(&m->r, source, codec, NULL));
}

bool stretch_of_make(struct stretch_of *s, struct slice whole, const struct codec *codec,
	uint64_t n, struct buf *out)
{
	struct making *m = &making;
	struct source source;
	*s = (struct stretch_of){.blocks = 0};
	*m = (struct making){.s = s};
	EXPECT_INT(0, source_open_memory(&source, whole));
	m->begin = find(&source, codec, n);
	if (m->begin) {
		begin(m, &source, codec);
		survey(m);
		begin(m, &source, codec);
		/* As long as what was there, so that it is a hole like any. */
		EXPECT_INT(0, writer_init(&m->w, sink_buf(out), NULL, m->r.wall));
		s->gap = m->begin - FILE_HEADER;
		gap_put(out, &(const struct gap){
				     s->gap - BLOCK_HEADER, s->segment.time, (uint32_t)s->blocks});
		for (uint64_t i = BLOCK_HEADER; i < s->gap; i++)
			buf_put_u8(out, 0);
		m->w.sequence = (uint32_t)s->blocks;
		put_before(m);
		copy(m);
		EXPECT_INT(0, writer_release(&m->w));
	}
	reader_release(&m->r);
	source_close(&source);
	return m->begin > 0;
}
