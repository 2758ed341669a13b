#include "export/feed.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/exact_of.h"
#include "support/export_of.h"
#include "support/tap.h"

/* The numbers of a row; texts only by their length, for they don't outlive the call. */
struct kept {
	enum relation_id id;
	struct value values[FIELDS_MAX];
};

struct keeper {
	VEC(struct kept) rows;
	uint64_t fail_at; /* 0: never */
};

static int keep(void *arg, enum relation_id id, const struct value *values)
{
	struct keeper *k = arg;
	struct kept row = {.id = id};
	if (k->fail_at && k->rows.count + 1 == k->fail_at)
		return ERR_IO;
	size_t count = 0;
	while (relation_at(id)->fields[count].name)
		count++;
	memcpy(row.values, values, count * sizeof(*values));
	return vec_push(&k->rows, row);
}

static const struct value *field_of(const struct kept *row, const char *name)
{
	const struct field *f = relation_at(row->id)->fields;
	size_t i = 0;
	while (f[i].name && strcmp(f[i].name, name) != 0)
		i++;
	EXPECT(f[i].name);
	return &row->values[i];
}

static double number_of(const struct kept *row, const char *name)
{
	const struct field *f = relation_at(row->id)->fields;
	size_t i = 0;
	while (strcmp(f[i].name, name) != 0)
		i++;
	return f[i].type == FIELD_NUMBER ? row->values[i].number : (double)row->values[i].count;
}

/* Sums a field over a relation's rows; NULL: counts them. */
static double sum(const struct keeper *k, enum relation_id id, const char *name)
{
	double total = 0;
	for (size_t i = 0; i < k->rows.count; i++)
		if (k->rows.at[i].id == id)
			total += name ? number_of(&k->rows.at[i], name) : 1;
	return total;
}

/* The numbers are the program's, as on all screens. */
TEST(collections_of_a_last_stretch_keep_their_numbers)
{
	struct keeper k = {0};
	struct feed f = {.rows = {keep, &k}, .relations = 1u << RELATION_gcs};
	struct model m;
	struct gc gc = {.young = 193};
	EXPECT_INT(0, model_init(&m));
	m.begin.gcs = 191;
	struct listener l = feed_listener(&f);
	EXPECT_INT(0, l.on_gc(l.arg, &m, &gc));
	EXPECT_INT(0, l.on_gc(l.arg, &m, &gc));
	EXPECT_INT(2, k.rows.count);
	EXPECT_NEAR(192, number_of(&k.rows.at[0], "gc"), 0);
	EXPECT_NEAR(193, number_of(&k.rows.at[1], "gc"), 0);
	vec_release(&k.rows);
	model_release(&m);
}

struct fed {
	struct export_of x;
	struct keeper keeper;
	struct feed feed;
	int err;
};

static void feed_sim(
	struct fed *f, const struct sim *s, unsigned relations, const char *term, bool by_thread)
{
	static struct where where;
	where = (struct where){0};
	if (term)
		EXPECT_INT(ERR_NONE, where_add(&where, term, NULL));
	*f = (struct fed){.keeper = {.fail_at = f->keeper.fail_at}};
	f->feed = (struct feed){.rows = {keep, &f->keeper},
		.relations = relations,
		.where = &where,
		.file = "a.mfly"};
	struct listener l = feed_listener(&f->feed);
	f->err = export_of_sim(&f->x, s, by_thread, &l);
	if (!f->err)
		f->err =
			feed_settled(&f->feed, &f->x.model, &f->x.ledger, &f->x.cells, &f->x.notes);
}

static void release(struct fed *f)
{
	feed_release(&f->feed);
	vec_release(&f->keeper.rows);
	export_of_release(&f->x);
}

TEST(relations_say_the_same)
{
	struct fed f = {0};
	feed_sim(&f, &export_of_hostile, RELATIONS_ALL, NULL, false);
	const struct keeper *k = &f.keeper;
	double alloc = 0, died = 0;
	EXPECT_INT(ERR_NONE, f.err);
	for (size_t i = 0; i < f.x.ledger.accounts.count; i++) {
		alloc += f.x.ledger.accounts.at[i].tally.alloc.bytes.sum;
		died += f.x.ledger.accounts.at[i].tally.died.bytes.sum;
	}
	EXPECT_INT(f.x.model.tallies.born, sum(k, RELATION_objects, NULL));
	EXPECT_INT(f.x.model.tallies.born, sum(k, RELATION_sites, "followed"));
	EXPECT_INT(f.x.model.tallies.born, sum(k, RELATION_ages, "samples"));
	EXPECT_INT(f.x.model.gcs.list.count, sum(k, RELATION_gcs, NULL));
	EXPECT_INT(f.x.model.defs.classes.count - 1, sum(k, RELATION_classes, NULL));
	EXPECT_INT(f.x.model.defs.methods.count - 1, sum(k, RELATION_methods, NULL));
	EXPECT_INT(f.x.model.defs.frames.count - 1, sum(k, RELATION_frames, NULL));
	EXPECT_NEAR(alloc, sum(k, RELATION_sites, "alloc_bytes"), alloc * 1e-9);
	EXPECT_NEAR(died, sum(k, RELATION_sites, "died_bytes"), died * 1e-9);
	EXPECT(alloc > 0 && died > 0);
	release(&f);
}

static bool is_text(const struct value *v, const char *text)
{
	return slice_equal(v->text, slice_str(text));
}

/* Kaplan and Meier's product, from the objects' own rows, by bytes. */
static double naive_survival(const struct keeper *k, uint64_t site, uint64_t t)
{
	double p = 1;
	for (uint64_t age = 0; age < t; age++) {
		double risk = 0, dead = 0;
		for (size_t i = 0; i < k->rows.count; i++) {
			const struct kept *row = &k->rows.at[i];
			if (row->id != RELATION_objects || field_of(row, "site")->count != site)
				continue;
			double bytes = number_of(row, "weight") * number_of(row, "size");
			bool died = is_text(field_of(row, "fate"), "died");
			uint64_t own = field_of(row, "age_young")->count;
			risk += own > age || (own == age && died) ? bytes : 0;
			dead += own == age && died ? bytes : 0;
		}
		p *= risk > 0 ? 1 - dead / risk : 1;
	}
	return p;
}

TEST(survival_follows_from_the_objects)
{
	struct fed f = {0};
	struct sim s = export_of_hostile;
	s.seed = tap_seed();
	feed_sim(&f, &s, RELATIONS_ALL, NULL, false);
	size_t points = 0;
	for (size_t i = 0; i < f.keeper.rows.count; i++) {
		const struct kept *row = &f.keeper.rows.at[i];
		if (row->id != RELATION_survival)
			continue;
		double want = naive_survival(
			&f.keeper, field_of(row, "site")->count, field_of(row, "t")->count);
		EXPECT_NEAR(want, number_of(row, "p"), 1e-9);
		EXPECT(number_of(row, "lo") <= want + 1e-9 && number_of(row, "hi") >= want - 1e-9);
		points++;
	}
	EXPECT(points > 15);
	release(&f);
}

TEST(only_what_is_wanted)
{
	for (int id = 0; id < RELATIONS; id++) {
		struct fed f = {0};
		feed_sim(&f, &export_of_hostile, 1u << id, NULL, false);
		EXPECT(f.keeper.rows.count > 0 || id == RELATION_counts); /* nothing was counted */
		EXPECT_INT(f.keeper.rows.count, sum(&f.keeper, (enum relation_id)id, NULL));
		release(&f);
	}
}

TEST(filters_and_threads)
{
	struct fed all = {0}, one = {0}, threads = {0};
	unsigned wanted = 1u << RELATION_objects | 1u << RELATION_sites | 1u << RELATION_ages;
	feed_sim(&all, &export_of_hostile, wanted, NULL, false);
	feed_sim(&one, &export_of_hostile, wanted, "class=<script>*", false);
	feed_sim(&threads, &export_of_hostile, wanted, NULL, true);
	double objects = sum(&one.keeper, RELATION_objects, NULL);
	EXPECT_INT(1, sum(&one.keeper, RELATION_sites, NULL));
	EXPECT(objects > 0 && objects < sum(&all.keeper, RELATION_objects, NULL));
	EXPECT_INT(objects, sum(&one.keeper, RELATION_ages, "samples"));
	/* Sites are told once, whatever the threads. */
	EXPECT_INT(
		sum(&all.keeper, RELATION_sites, NULL), sum(&threads.keeper, RELATION_sites, NULL));
	EXPECT_INT(sum(&all.keeper, RELATION_sites, "samples"),
		sum(&threads.keeper, RELATION_sites, "samples"));
	EXPECT(sum(&all.keeper, RELATION_ages, NULL) < sum(&threads.keeper, RELATION_ages, NULL));
	release(&all);
	release(&one);
	release(&threads);
}

TEST(what_is_not_known_is_null)
{
	struct fed f = {0};
	feed_sim(&f, &export_of_hostile, RELATIONS_ALL, NULL, false);
	for (size_t i = 0; i < f.keeper.rows.count; i++) {
		const struct kept *row = &f.keeper.rows.at[i];
		if (row->id == RELATION_objects)
			EXPECT_INT(is_text(field_of(row, "fate"), "died"),
				field_of(row, "ms_most")->known);
		if (row->id == RELATION_sites)
			EXPECT_INT(field_of(row, "frame_id")->known, field_of(row, "stack")->known);
	}
	release(&f);
}

TEST(errors_of_the_taker)
{
	for (uint64_t n = 1; n < 400; n += 37) {
		struct fed f = {.keeper = {.fail_at = n}};
		feed_sim(&f, &export_of_hostile, RELATIONS_ALL, NULL, false);
		EXPECT_INT(ERR_IO, f.err);
		release(&f);
	}
}

TEST(out_of_memory)
{
	struct fed f = {0};
	bool failed = false;
	feed_sim(&f, &export_of_hostile, 0, NULL, true);
	for (uint64_t n = 1; n < 40; n++) {
		f.feed.relations = 1u << RELATION_sites | 1u << RELATION_survival;
		mem_fail_at(n);
		int err = feed_settled(&f.feed, &f.x.model, &f.x.ledger, &f.x.cells, &f.x.notes);
		mem_fail_at(0);
		EXPECT(err == ERR_NOMEM || err == ERR_NONE);
		failed |= err == ERR_NOMEM;
	}
	EXPECT(failed);
	release(&f);
}

TEST(names_of_relations)
{
	for (int id = 0; id < RELATIONS; id++) {
		const struct relation *r = relation_at((enum relation_id)id);
		size_t count = 0;
		while (r->fields[count].name)
			count++;
		EXPECT(count > 0 && count <= FIELDS_MAX);
		EXPECT_INT(id, relation_named(r->name));
	}
	EXPECT_INT(RELATIONS, relation_named("paper"));
}

/* -- What the exact engine counted -- */

static void feed_exact(struct fed *f, const struct exact_sim *x, unsigned relations)
{
	static const struct where all;
	struct exact_of o;
	struct ledger ledger = {.clocks = 1u << CLOCK_YOUNG};
	struct cells none = {0};
	*f = (struct fed){.feed = {.relations = relations, .where = &all, .file = "a.mfly"}};
	f->feed.rows = (struct rows){keep, &f->keeper};
	struct listener l = ledger_listener(&ledger);
	EXPECT_INT(0, exact_of_sim(&o, x, &l));
	EXPECT_INT(0, ledger_settle(&ledger, &o.model));
	EXPECT_INT(0, leaves_lay(&ledger, &o.model));
	EXPECT_INT(0, feed_settled(&f->feed, &o.model, &ledger, &none, &f->x.notes));
	double born = 0, died = 0, promoted = 0;
	for (size_t i = 0; i < o.truth.objects.count; i++) {
		const struct exact_object *object = &o.truth.objects.at[i];
		struct exact_fate fate = exact_fate_of(&o.truth, object);
		born += (double)object->size;
		died += fate.died ? (double)object->size : 0;
		promoted += fate.promoted ? (double)object->size : 0;
	}
	const struct keeper *k = &f->keeper;
	EXPECT_NEAR(born, sum(k, RELATION_counts, "born_bytes"), 0);
	EXPECT_NEAR(born, sum(k, RELATION_sites, "alloc_bytes"), 1e-6 * born);
	/* Of ages that are told together it is not known in which they died. */
	if (!x->miss_every && !x->sim.full_every && x->sim.promote < 15) {
		EXPECT_NEAR(died, sum(k, RELATION_counts, "died_bytes"), 0);
		EXPECT_NEAR(promoted, sum(k, RELATION_counts, "promoted_bytes"), 0);
	}
	exact_of_release(&o);
	ledger_release(&ledger);
}

TEST(counts_are_the_truth_and_sum_up)
{
	for (int i = 0; i < 4; i++) {
		struct exact_sim x = exact_of_program(tap_seed());
		struct fed f;
		x.sim.full_every = i == 1 ? 9 : 0;
		x.miss_every = i == 2 ? 7 : 0;
		x.sim.promote = i == 3 ? 30 : 6;
		feed_exact(&f, &x, 1u << RELATION_counts | 1u << RELATION_sites);
		static const char *const out[] = {"died_bytes", "promoted_bytes", "young_bytes",
			"lost_bytes", "outside_bytes"};
		double parts = 0;
		for (size_t k = 0; k < ARRAY_SIZE(out); k++)
			parts += sum(&f.keeper, RELATION_counts, out[k]);
		EXPECT_NEAR(sum(&f.keeper, RELATION_counts, "born_bytes"),
			parts - sum(&f.keeper, RELATION_counts, "found_bytes"), 0);
		release(&f);
	}
}
