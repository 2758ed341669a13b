#include "support/agent_trace.h"

#include <stdio.h>

#include "base/error.h"
#include "support/tap.h"
#include "trace/check.h"

void agent_trace_release(struct agent_trace *t)
{
	buf_release(&t->bytes);
	t->sequence = 0;
}

void agent_trace_drain(struct agent_trace *t, struct recorder *r, bool push)
{
	struct buf sealed = {0};
	if (t->bytes.len == 0)
		file_header_put(&t->bytes, (struct ns){1});
	for (struct block *b = recorder_take(r, push); b; b = recorder_take(r, false)) {
		EXPECT_INT(0, block_seal(b, t->sequence++, NULL, &sealed));
		buf_put(&t->bytes, sealed.at, sealed.len);
		recorder_give_back(r, b);
	}
	buf_release(&sealed);
}

bool agent_trace_load(struct agent_trace *t, const char *path)
{
	uint8_t chunk[65536];
	FILE *f = fopen(path, "rb");
	agent_trace_release(t);
	if (!f)
		return false;
	for (size_t n; (n = fread(chunk, 1, sizeof(chunk), f));)
		buf_put(&t->bytes, chunk, n);
	fclose(f);
	return true;
}

/* Compressed traces are read too. */
static const struct codec *codec(void)
{
	static struct codec zstd;
	if (!zstd.ctx && codec_zstd_init(&zstd, 1))
		return NULL;
	return &zstd;
}

long agent_trace_each(
	const struct agent_trace *t, void (*each)(void *arg, const struct record *r), void *arg)
{
	struct source source;
	struct reader reader;
	struct record record;
	struct diag d = {0};
	long count = 0;
	int err = -1;
	if (source_open_memory(&source, buf_slice(&t->bytes)))
		return -1;
	if (reader_init(&reader, &source, codec(), &d) == 0) {
		for (; (err = reader_next(&reader, &record, &d)) > 0; count++)
			each(arg, &record);
		reader_release(&reader);
	}
	source_close(&source);
	EXPECT_STR("", d.text);
	return err ? -1 : count;
}

static void problem(void *arg, uint64_t offset, const char *text)
{
	(void)arg;
	tap_check(false, __FILE__, __LINE__, "trace at %llu: %s", (unsigned long long)offset, text);
}

static void check(const struct agent_trace *t, bool complete)
{
	struct source source;
	struct check_result result = {0};
	struct check_listener listener = {.problem = problem};
	struct diag d = {0};
	EXPECT_INT(0, source_open_memory(&source, buf_slice(&t->bytes)));
	EXPECT_INT(0, check_run(&source, codec(), &listener, &result, &d));
	EXPECT_STR("", d.text);
	EXPECT_INT(0, result.problems);
	if (complete)
		EXPECT(result.complete && !result.cut);
	source_close(&source);
}

static void count(void *arg, const struct record *r)
{
	struct agent_totals *n = arg;
	switch (r->kind) {
#define COUNT(kind, field)                                                                         \
	case RECORD_##kind:                                                                        \
		n->field++;                                                                        \
		break;
		COUNT(alloc, allocs)
		COUNT(birth, births)
		COUNT(death, deaths)
		COUNT(untrack, untracks)
		COUNT(gc, gcs)
		COUNT(pause, pauses)
		COUNT(tick, ticks)
		COUNT(note, notes)
		COUNT(fact, facts)
		COUNT(segment, segments)
		COUNT(string, strings)
		COUNT(class, classes)
		COUNT(method, methods)
		COUNT(frame, frames)
		COUNT(site, sites)
		COUNT(thread, threads)
		COUNT(collector, collectors)
#undef COUNT
	case RECORD_config:
		n->configs++;
		n->config = r->config;
		break;
	case RECORD_config_again:
		n->again++;
		break;
	case RECORD_lost:
		n->lost += r->lost.what == LOST_SAMPLES ? r->lost.count : 0;
		n->lost_deaths += r->lost.what == LOST_DEATHS ? r->lost.count : 0;
		n->lost_untracks += r->lost.what == LOST_UNTRACKS ? r->lost.count : 0;
		break;
	case RECORD_end:
		n->ended = true;
		n->end = r->end;
		break;
	default:
		EXPECT_INT(-1, r->kind);
	}
}

struct agent_totals agent_trace_verify(const struct agent_trace *t, bool complete)
{
	struct agent_totals n = {0};
	EXPECT(agent_trace_each(t, count, &n) >= 0);
	check(t, complete);
	if (!n.ended)
		return n;
	EXPECT_INT(n.allocs + n.births, n.end.walked);
	EXPECT_INT(n.births, n.end.tracked);
	EXPECT_INT(n.deaths, n.end.died);
	EXPECT_INT(n.untracks, n.end.untracked);
	EXPECT_INT(n.lost, n.end.lost);
	EXPECT_INT(n.end.tracked, n.end.died + n.end.untracked + n.end.alive);
	EXPECT(n.end.samples >= n.end.walked + n.end.lost);
	return n;
}
