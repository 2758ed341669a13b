#include "export/pprof.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "model/fan.h"
#include "profile.pb-c.h"
#include "support/ledger_of.h"
#include "support/tap.h"

static const struct sim_site sites[] = {
	{"byte[]", {"a.B.c:1", "a.Main.main:2"}, 640, 60, 90, 1, 3},
	{"byte[]", {"a.B.c:1", "a.Other.run:9"}, 640, 10, 90, 1, 3},
	{"a.Order<script>\"\n\xff", {"a.b.C.d:30", "a.Main.main:2"}, 320, 30, 20, 1, 30},
	{"a.Kept", {NULL}, 64, 10, 0, SIM_FOREVER, 0},
};

struct scene {
	struct ledger_of l;
	struct cells cells;
	struct model model;
};

/* The ledger comes from the first replay, the cells from a second of the same bytes. */
static void scene_init(struct scene *s)
{
	struct sim sim = {.sites = sites,
		.count = 4,
		.seed = tap_seed(),
		.samples = 3000,
		.interval = 10000,
		.gc_bytes = 500000,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.untrack = 5,
		.threads = 2,
		.bytes_per_s = 1000000};
	struct source source;
	struct reader reader;
	*s = (struct scene){.cells = {.by_thread = true}};
	EXPECT_INT(0, ledger_of_sim(&s->l, &sim, true));
	EXPECT_INT(0, model_init(&s->model));
	EXPECT_INT(0, source_open_memory(&source, buf_slice(&s->l.bytes)));
	EXPECT_INT(0, reader_init(&reader, &source, NULL, NULL));
	struct listener listener = cells_listener(&s->cells);
	EXPECT_INT(0, replay_run(&s->model, &reader, &listener, NULL));
	reader_release(&reader);
	source_close(&source);
}

static void scene_release(struct scene *s)
{
	cells_release(&s->cells);
	model_release(&s->model);
	ledger_of_release(&s->l);
}

static Pprof__Profile *unpack(const struct buf *file)
{
	static uint8_t room[1 << 22];
	z_stream z = {.next_in = file->at,
		.avail_in = (unsigned)file->len,
		.next_out = room,
		.avail_out = sizeof(room)};
	EXPECT_INT(Z_OK, inflateInit2(&z, 15 + 16));
	EXPECT_INT(Z_STREAM_END, inflate(&z, Z_FINISH));
	inflateEnd(&z);
	return pprof__profile__unpack(NULL, z.total_out, room);
}

static Pprof__Profile *profile_of(const struct scene *s, enum pprof_kind kind)
{
	struct where all = {0};
	struct pprof_source source = {&s->l.model, &s->l.ledger, &s->cells, &all};
	struct buf out = {0};
	EXPECT_INT(0, pprof_put(&out, &source, kind));
	Pprof__Profile *p = unpack(&out);
	buf_release(&out);
	EXPECT(p != NULL);
	return p;
}

static double sum_of(const Pprof__Profile *p, size_t value)
{
	double sum = 0;
	for (size_t i = 0; i < p->n_sample; i++)
		sum += (double)p->sample[i]->value[value];
	return sum;
}

/* What every reader relies on. */
static void check_ids(const Pprof__Profile *p)
{
	EXPECT_STR("", p->string_table[0]);
	for (size_t i = 0; i < p->n_function; i++) {
		EXPECT_INT(i + 1, p->function[i]->id);
		EXPECT(p->function[i]->name > 0 &&
			(size_t)p->function[i]->name < p->n_string_table);
	}
	for (size_t i = 0; i < p->n_location; i++) {
		EXPECT_INT(i + 1, p->location[i]->id);
		EXPECT_INT(1, p->location[i]->n_line);
		uint64_t f = p->location[i]->line[0]->function_id;
		EXPECT(f >= 1 && f <= p->n_function);
	}
	for (size_t i = 0; i < p->n_sample; i++) {
		EXPECT_INT(p->n_sample_type, p->sample[i]->n_value);
		for (size_t k = 0; k < p->sample[i]->n_location_id; k++)
			EXPECT(p->sample[i]->location_id[k] >= 1 &&
				p->sample[i]->location_id[k] <= p->n_location);
	}
}

static struct total total_of(const struct ledger *l, size_t offset)
{
	struct total t = {0};
	for (size_t i = 0; i < l->accounts.count; i++)
		total_merge(&t, (const void *)((const char *)&l->accounts.at[i].tally + offset));
	return t;
}

TEST(the_heap_profile_is_gos)
{
	struct scene s;
	scene_init(&s);
	Pprof__Profile *p = profile_of(&s, PPROF_HEAP);
	static const char *const types[] = {
		"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"};
	EXPECT_INT(4, p->n_sample_type);
	for (size_t i = 0; i < 4; i++)
		EXPECT_STR(types[i], p->string_table[p->sample_type[i]->type]);
	EXPECT_STR("inuse_space", p->string_table[p->default_sample_type]);
	struct total alloc = total_of(&s.l.ledger, offsetof(struct tally, alloc)),
		     alive = total_of(&s.l.ledger, offsetof(struct tally, alive));
	double slack = (double)p->n_sample; /* each is rounded */
	EXPECT_NEAR(alloc.bytes.sum, sum_of(p, 1), slack);
	EXPECT_NEAR(alloc.objects.sum, sum_of(p, 0), slack);
	EXPECT_NEAR(alive.bytes.sum, sum_of(p, 3), slack);
	EXPECT_INT((int64_t)s.l.model.now.time, p->duration_nanos);
	EXPECT_INT(10000, p->period);
	check_ids(p);
	pprof__profile__free_unpacked(p, NULL);
	scene_release(&s);
}

TEST(the_lifetime_profile_is_tcmallocs)
{
	struct scene s;
	scene_init(&s);
	Pprof__Profile *p = profile_of(&s, PPROF_LIFETIME);
	struct total died = total_of(&s.l.ledger, offsetof(struct tally, died)),
		     born = total_of(&s.l.ledger, offsetof(struct tally, born));
	double slack = (double)p->n_sample;
	EXPECT_INT(6, p->n_sample_type);
	EXPECT_NEAR(born.bytes.sum, sum_of(p, 1), slack);
	EXPECT_NEAR(died.bytes.sum, sum_of(p, 3), slack);
	EXPECT_NEAR(born.bytes.sum - died.bytes.sum, sum_of(p, 5), slack);
	for (size_t i = 0; i < p->n_sample; i++) {
		EXPECT(p->sample[i]->n_label >= 5);
		EXPECT_STR("gc gen age", p->string_table[p->sample[i]->label[0]->key]);
		EXPECT(p->sample[i]->label[3]->num <= p->sample[i]->label[4]->num);
	}
	check_ids(p);
	pprof__profile__free_unpacked(p, NULL);
	scene_release(&s);
}

/* Readers refuse what is no UTF-8; protocol buffers' strings must be. */
TEST(names_are_clean)
{
	struct scene s;
	scene_init(&s);
	Pprof__Profile *p = profile_of(&s, PPROF_HEAP);
	bool found = false;
	for (size_t i = 0; i < p->n_string_table; i++)
		found |= strcmp(p->string_table[i], "a.Order<script>\"??") == 0;
	EXPECT(found);
	pprof__profile__free_unpacked(p, NULL);
	scene_release(&s);
}

TEST(out_of_memory_is_told)
{
	struct scene s;
	struct where all = {0};
	scene_init(&s);
	for (unsigned kind = 0; kind < PPROF_KINDS; kind++) {
		struct pprof_source source = {&s.l.model, &s.l.ledger, &s.cells, &all};
		int err = ERR_NOMEM;
		for (uint64_t n = 1; err && n < 20000; n += 1 + n / 16) {
			struct buf out = {0};
			mem_fail_at(n);
			err = pprof_put(&out, &source, (enum pprof_kind)kind);
			mem_fail_at(0);
			buf_release(&out);
			EXPECT(!err || err == ERR_NOMEM);
		}
		EXPECT_INT(0, err);
	}
	scene_release(&s);
}
