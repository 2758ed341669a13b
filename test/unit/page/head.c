#include "page/head.h"

#include "base/error.h"
#include "support/exact_of.h"
#include "support/page_of.h"
#include "support/page_sim.h"
#include "support/tap.h"

enum { LONG = 8192 };

static const char *word(const struct page_read *r, const char *key)
{
	return json_string_value(json_object_get(r->document, key));
}

TEST(what_a_trace_says_of_itself)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = page_sim(&rng, 300);
	static const struct sim_text facts[][3] = {
		{{"deaths", "collection"}, {"tenuring.max", "7"}, {NULL, NULL}},
		{{"deaths", "old"}, {"follow.max", "524288"}, {NULL, NULL}},
		{{"deaths", "none"}, {NULL, NULL}}};
	static const char *const lives[] = {"each", "old", "none"};
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		struct page_of p;
		struct page_read r;
		s.facts = facts[i];
		EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
		EXPECT_INT(0, page_read_data(&r, buf_slice(&p.bytes)));
		json_t *trace = json_object_get(r.document, "trace");
		EXPECT_INT(1, json_integer_value(json_object_get(r.document, "page")));
		EXPECT_STR("orders.mfly", json_string_value(json_object_get(trace, "file")));
		EXPECT_INT(1763712000123, json_integer_value(json_object_get(trace, "wall_ms")));
		EXPECT_INT(300, json_integer_value(json_object_get(trace, "samples")));
		EXPECT_STR(lives[i], word(&r, "lives"));
		EXPECT_STR(i == 1 ? "full" : "young", word(&r, "clock"));
		json_t *tenuring = json_object_get(r.document, "tenuring");
		EXPECT_INT(i == 0 ? 7 : 15, json_integer_value(tenuring));
		json_t *large = json_object_get(r.document, "large");
		EXPECT_INT(i == 1 ? 524288 : 0, large ? json_integer_value(large) : 0);
		EXPECT(json_number_value(json_object_get(r.document, "thinned")) == 1);
		EXPECT_INT(1, json_integer_value(json_object_get(r.document, "thinned_lives")));
		EXPECT_INT(1, json_integer_value(json_object_get(r.document, "thinned_gcs")));
		EXPECT(json_array_size(json_object_get(r.document, "notes")) > 0);
		EXPECT_STR("", page_read_text(&r, 0));
		EXPECT(!json_object_get(r.document, "churn"));
		page_read_release(&r);
		page_of_release(&p);
	}
}

/* The longest that a trace can hold, of all bytes there are. */
TEST(hostile_names_make_sound_documents)
{
	struct rng rng = rng_init(tap_seed());
	static char names[3][LONG + 1];
	for (int round = 0; round < 30; round++) {
		for (size_t n = 0; n < ARRAY_SIZE(names); n++)
			for (size_t i = 0; i < LONG; i++)
				names[n][i] = (char)(1 + rng_below(&rng, 255));
		const struct sim_site site = {names[0], {"a.b:1"}, 64, 1, 50, 1, 3};
		const char *const notes[] = {names[1], NULL};
		const struct sim_text facts[] = {{"jdk.version", names[2]}, {NULL, NULL}};
		struct sim s = page_sim(&rng, 20);
		s.sites = &site;
		s.count = 1;
		s.notes = notes;
		s.facts = facts;
		struct page_of p;
		struct page_read r;
		EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
		EXPECT_INT(0, page_read_data(&r, buf_slice(&p.bytes)));
		double *name = page_read_column(&r, "class.name");
		const char *text = name ? page_read_text(&r, name[1]) : NULL;
		EXPECT(text && strlen(text) >= LONG / 4);
		for (size_t i = 0; text && text[i]; i++)
			EXPECT((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
		mem_free(name);
		page_read_release(&r);
		page_of_release(&p);
	}
}

TEST(documents_of_other_commands)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = page_sim(&rng, 50);
	struct page_of p;
	struct page_read r;
	EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
	struct data_part parts[] = {
		{"churn", slice_str("{\"churn\":[1]}")}, {"advice", slice("", 0)}};
	struct sink sink = sink_buf(&p.bytes);
	p.data.parts = parts;
	p.data.part_count = ARRAY_SIZE(parts);
	buf_clear(&p.bytes);
	EXPECT_INT(0, data_put(&p.data, &sink));
	EXPECT_INT(0, page_read_data(&r, buf_slice(&p.bytes)));
	EXPECT(json_object_get(json_object_get(r.document, "churn"), "churn") != NULL);
	EXPECT(!json_object_get(r.document, "advice"));
	page_read_release(&r);
	page_of_release(&p);
}

/* One stack in 16 was walked for a while: as coarse as that, and as the page is thinned. */
TEST(the_coarsest_samples_are_told_of)
{
	struct rng rng = rng_init(tap_seed());
	struct sim s = page_sim(&rng, 50);
	struct page_of p;
	struct page_read r;
	const struct record config = {.kind = RECORD_config,
		.config = {.id = 99, .interval = 4096, .walk = 16, .track = 1}};
	EXPECT_INT(0, page_of_sim(&p, &s, 1000, 1000));
	struct facts *f = &p.model.facts;
	EXPECT_INT(1, facts_read(f, &p.model.defs.texts, &config, &p.model.odds));
	for (unsigned times = 0; times < 2; times++) {
		f->configs.at[f->configs.count - 1].samples = times ? 3 : 2;
		buf_clear(&p.bytes);
		struct sink sink = sink_buf(&p.bytes);
		EXPECT_INT(0, data_put(&p.data, &sink));
		EXPECT_INT(0, page_read_data(&r, buf_slice(&p.bytes)));
		json_t *coarse = json_object_get(r.document, "coarse");
		EXPECT_NEAR(times ? 16 : 0, json_number_value(json_object_get(coarse, "odds")), 0);
		page_read_release(&r);
	}
	page_of_release(&p);
}

static double member(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

static void read_again(struct page_of *p, struct page_read *r)
{
	struct sink sink = sink_buf(&p->bytes);
	buf_clear(&p->bytes);
	EXPECT_INT(0, data_put(&p->data, &sink));
	EXPECT_INT(0, page_read_data(r, buf_slice(&p->bytes)));
}

/* In six digits, as the page has numbers. */
static double six_digits(uint64_t ns)
{
	char text[32];
	snprintf(text, sizeof(text), "%.6g", (double)ns / 1e6);
	return strtod(text, NULL);
}

static void expect_told(struct page_of *p)
{
	struct page_read r;
	read_again(p, &r);
	json_t *told = json_object_get(r.document, "told");
	EXPECT_NEAR(six_digits(model_births_from(&p->model)), member(told, "from_ms"), 1e-9);
	EXPECT_NEAR(six_digits(model_births_until(&p->model)), member(told, "to_ms"), 1e-9);
	page_read_release(&r);
}

/* Rates are over the time of which births are told: from a late begin, and up to a cut. */
TEST(when_what_was_counted_was_born)
{
	struct exact_sim x = exact_of_program(tap_seed());
	struct exact_truth truth;
	struct buf trace = {0};
	struct page_of p;
	EXPECT_INT(0, exact_sim_write(&x, &trace, &truth));
	EXPECT_INT(0, page_of_bytes(&p, buf_slice(&trace), 100, 1000));
	expect_told(&p);
	p.model.facts.exact_from = p.model.begin.time + p.model.now.time / 3;
	EXPECT(model_births_from(&p.model) > 0);
	expect_told(&p);
	p.model.complete = false;
	EXPECT(model_births_until(&p.model) < p.model.now.time);
	expect_told(&p);
	page_of_release(&p);
	exact_truth_release(&truth);
	buf_release(&trace);
}

static bool has_note(const struct page_of *p, const char *text)
{
	struct page_read r;
	size_t i;
	json_t *note;
	bool found = false;
	EXPECT_INT(0, page_read_data(&r, buf_slice(&p->bytes)));
	json_array_foreach(json_object_get(r.document, "notes"), i, note) found |=
		strstr(json_string_value(note), text) != NULL;
	page_read_release(&r);
	return found;
}

static double allocated(const struct page_of *p)
{
	struct page_read r;
	EXPECT_INT(0, page_read_data(&r, buf_slice(&p->bytes)));
	double bytes = member(json_object_get(r.document, "trace"), "alloc_bytes");
	page_read_release(&r);
	return bytes;
}

static void find_again(struct page_of *p)
{
	struct page_read r;
	data_release(&p->data);
	EXPECT_INT(0, data_find(&p->data, 1000));
	read_again(p, &r);
	page_read_release(&r);
}

/* Samples where nothing was counted come on top; and events tell of deaths, but not here. */
TEST(what_is_not_counted_is_told)
{
	struct exact_sim x = exact_of_program(tap_seed());
	static const struct endings told = {.from = ENDINGS_EVENTS, .told = {5, 500}};
	static const struct {
		struct endings endings;
		const char *text;
	} unsound = {{.from = ENDINGS_UNSOUND}, "not taken from the events: they contradict"};
	static const char events[] = "are not in this page", top[] = "on top of the exact total";
	struct exact_truth truth;
	struct buf trace = {0};
	struct page_of p;
	EXPECT_INT(0, exact_sim_write(&x, &trace, &truth));
	EXPECT_INT(0, page_of_bytes(&p, buf_slice(&trace), 100, 1000));
	EXPECT(!has_note(&p, events) && !has_note(&p, top));
	p.collect.ledger.endings = &told;
	p.collect.ledger.leaves.uncounted.bytes.sum = 7;
	p.collect.ledger.accounts.at[0].tally.alloc.bytes.sum += 7;
	find_again(&p);
	EXPECT_NEAR((double)p.model.exact.births.bytes, allocated(&p), 0.5);
	EXPECT(has_note(&p, events) && has_note(&p, top));
	EXPECT(!has_note(&p, "Deaths are counted") && !has_note(&p, unsound.text));
	p.collect.ledger.endings = &unsound.endings;
	find_again(&p);
	EXPECT(has_note(&p, unsound.text));
	p.collect.ledger.endings = NULL;
	page_of_release(&p);
	exact_truth_release(&truth);
	buf_release(&trace);
}

/* What was counted is told as it is, however few samples there are; of samples alone nothing. */
TEST(what_was_counted)
{
	for (int i = 0; i < 3; i++) {
		struct exact_sim x = exact_of_program(tap_seed());
		struct exact_truth truth;
		struct buf trace = {0};
		struct page_of p;
		struct page_read r;
		double all = 0, met = 0, outlived = 0;
		x.interval = i ? 1u << 20 : 4096;
		x.sampled_only = i == 2;
		EXPECT_INT(0, exact_sim_write(&x, &trace, &truth));
		EXPECT_INT(0, page_of_bytes(&p, buf_slice(&trace), 100, 1000));
		EXPECT_INT(0, page_read_data(&r, buf_slice(&p.bytes)));
		for (size_t k = 0; k < truth.objects.count; k++) {
			const struct exact_object *o = &truth.objects.at[k];
			struct exact_fate fate = exact_fate_of(&truth, o);
			all += (double)o->size;
			met += fate.met ? (double)o->size : 0;
			outlived += fate.copies ? (double)o->size : 0;
		}
		json_t *told = json_object_get(r.document, "outlived");
		EXPECT(!told == (i == 2));
		EXPECT(!json_object_get(r.document, "told") == (i == 2));
		if (told) {
			EXPECT_NEAR(all,
				member(json_object_get(r.document, "trace"), "alloc_bytes"), 0.5);
			EXPECT_NEAR(outlived / met, member(told, "share"), 1e-6);
			EXPECT_NEAR(outlived / met, member(told, "lo"), 1e-6);
			EXPECT_NEAR(outlived / met, member(told, "hi"), 1e-6);
		}
		page_read_release(&r);
		page_of_release(&p);
		exact_truth_release(&truth);
		buf_release(&trace);
	}
}
