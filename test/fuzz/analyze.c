/*
 * Bytes as a trace, and bytes as choices of records in any order and with any ids: whatever is
 * replayed, nothing crashes, every life that began is told of once, and sums over rows are the
 * sums over records; what tenure did can be told, and its rounds ascend.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/lifetime.h"
#include "base/error.h"
#include "report/json.h"
#include "report/screen.h"
#include "report/story_view.h"
#include "support/trace_gen.h"
#include "trace/writer.h"

enum { RECORDS_MAX = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool is_so)
{
	if (!is_so)
		abort();
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-6 * (fabs(a) + fabs(b)) + 1e-6;
}

static void check_rows(const struct model *m, const struct ledger *l, enum by by)
{
	struct lifetimes found;
	struct notes notes = {0};
	struct query q = {.by = by, .split = true, .clocks = CLOCKS_ALL};
	double alloc = 0;
	uint64_t born = 0;
	demand(lifetimes_find(&found, m, l, &q) == 0 && notes_find(&notes, m) == 0);
	for (size_t i = 0; i < found.rows.count; i++) {
		const struct tally *t = &found.rows.at[i].tally;
		alloc += t->alloc.bytes.sum;
		born += t->born.n;
		demand(t->born.n == t->died.n + t->alive.n + t->untracked.n);
	}
	demand(born == m->tallies.born && near(alloc, found.alloc.bytes.sum));
	struct view v = {.lifetimes = &found,
		.model = m,
		.notes = &notes,
		.file = "fuzz",
		.look = {.utf8 = true, .width = 80}};
	struct buf out = {0};
	demand(screen_put(&out, &v) == 0 && json_put(&out, &v) == 0);
	buf_release(&out);
	notes_release(&notes);
	lifetimes_release(&found);
}

static void check_rounds(const struct model *m)
{
	for (size_t i = 1; i < m->tenure.rounds.count; i++) {
		const struct tenure_round *r = &m->tenure.rounds.at[i];
		demand(r->round > r[-1].round && r->young >= r[-1].young && r->time >= r[-1].time);
	}
	for (size_t i = 0; i < m->tenure.decisions.count; i++)
		demand(m->tenure.decisions.at[i].site < m->defs.sites.count);
}

static void check_story(const struct model *m)
{
	struct story s;
	struct notes notes = {0};
	struct buf out = {0};
	check_rounds(m);
	demand(story_find(&s, m) == 0 && notes_find(&notes, m) == 0);
	demand(s.before.rounds + s.after.rounds <= m->tenure.rounds.count);
	demand(s.in_force <= s.places.count);
	struct story_view v = {.view = {.model = m,
				       .notes = &notes,
				       .file = "fuzz",
				       .look = {.utf8 = true, .width = 80}},
		.story = &s,
		.limit = 3};
	demand(story_screen_put(&out, &v) == 0 && story_json_put(&out, &v) == 0);
	buf_release(&out);
	notes_release(&notes);
	story_release(&s);
}

/* Of a site that is told nothing is missing. */
static void check_endings(const struct model *m, const struct endings *e)
{
	for (size_t i = 0; i < m->exact.sites.count; i++) {
		const struct site_counts *s = &m->exact.sites.at[i];
		const struct site_endings *told = endings_of(e, s->site);
		struct quantity sum = {0};
		for (size_t k = 0; told && k < told->rows.count; k++)
			for (int j = 0; j < ENDINGS; j++)
				quantity_add(&sum, told->rows.at[k].of[j]);
		demand(!told || (sum.objects == s->births.objects && sum.bytes == s->births.bytes));
	}
}

static void replay(struct slice bytes)
{
	struct source source;
	struct reader reader;
	struct model m;
	struct endings e = {.from = ENDINGS_NONE};
	struct ledger l = {.by_thread = bytes.len % 2, .clocks = CLOCKS_ALL, .endings = &e};
	demand(source_open_memory(&source, bytes) == 0 && model_init(&m) == 0);
	int err = reader_init(&reader, &source, NULL, NULL);
	struct listener listener = ledger_listener(&l);
	const struct block_info first = {.offset = reader.next, .sequence = reader.next_sequence};
	if (!err && replay_run(&m, &reader, &listener, NULL) == 0) {
		reader_seek(&reader, &first);
		demand(endings_read(&e, &reader, &m, NULL) == 0);
		check_endings(&m, &e);
		demand(m.tallies.born == m.tallies.died + m.tallies.untracked + m.tallies.alive);
		demand(ledger_settle(&l, &m) == 0 && leaves_lay(&l, &m) == 0);
		check_rows(&m, &l, (enum by)(bytes.len % BY_COUNT));
		check_story(&m);
	}
	reader_release(&reader);
	source_close(&source);
	ledger_release(&l);
	endings_release(&e);
	model_release(&m);
}

/* Ids made small, so that they meet: else each record would stand alone. */
static void tame(struct record *r, struct draw *d)
{
	uint64_t small = 1 + draw_below(d, 4);
	switch (r->kind) {
	case RECORD_birth:
		r->birth.object = small;
		r->birth.site %= 4;
		r->birth.config = 1;
		r->birth.young %= 16;
		break;
	case RECORD_death:
		r->death.object = small;
		r->death.young %= 16;
		break;
	case RECORD_untrack:
		r->untrack.object = small;
		break;
	case RECORD_alloc:
		r->alloc.config = 1;
		r->alloc.site %= 4;
		break;
	case RECORD_config:
		r->config = (struct record_config){
			.id = 1, .interval = r->config.interval >> 20, .walk = 1, .track = small};
		break;
	case RECORD_site:
		r->site = (struct record_site){.id = small, .class = 1, .frame = r->site.frame % 8};
		break;
	case RECORD_frame:
		r->frame.id %= 8;
		r->frame.parent %= 8;
		break;
	case RECORD_site_births:
		r->site_births.site %= 4;
		break;
	case RECORD_site_ages:
		r->site_ages.site %= 4;
		break;
	case RECORD_exact_gc:
		r->exact_gc.young %= 16;
		r->exact_gc.kind %= 4;
		break;
	case RECORD_round:
		r->round.round %= 64;
		r->round.young %= 256;
		r->round.jumps %= 4;
		break;
	case RECORD_decision:
		r->decision.round %= 64;
		r->decision.site %= 4;
		r->decision.lever %= TENURE_LEVERS + 1;
		r->decision.action %= TENURE_ACTIONS + 1;
		break;
	case RECORD_outcome:
		r->outcome.lever %= TENURE_LEVERS + 1;
		break;
	default:
		break;
	}
}

static void replay_choices(struct slice bytes)
{
	struct draw d = draw_bytes(bytes);
	struct buf out = {0};
	struct writer w;
	demand(writer_init(&w, sink_buf(&out), NULL, (struct ns){1}) == 0);
	for (int i = 0; i < RECORDS_MAX && cursor_left(&d.bytes); i++) {
		struct record r;
		draw_record(&d, &r);
		tame(&r, &d);
		demand(writer_put(&w, &r) == 0);
	}
	demand(writer_release(&w) == 0);
	replay(buf_slice(&out));
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0] % 2)
		replay_choices(slice(data + 1, size - 1));
	else
		replay(slice(data + 1, size - 1));
	return 0;
}
