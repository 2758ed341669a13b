#include "agent/catalog.h"

#include <stdio.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/agent_trace.h"
#include "support/tap.h"

enum { LOTS = 1 << 30 };

struct fixture {
	struct journal journal;
	struct catalog catalog;
	struct agent_trace trace;
};

static struct fixture *begin(const char *include, const char *exclude, uint64_t memory)
{
	static struct fixture f;
	f.trace = (struct agent_trace){0};
	EXPECT_INT(0, journal_init(&f.journal, (struct ns){0}));
	catalog_init(&f.catalog, &f.journal, include, exclude, mem_held() + memory);
	return &f;
}

static void drain(struct fixture *f)
{
	struct buf sealed = {0};
	if (f->trace.bytes.len == 0)
		file_header_put(&f->trace.bytes, (struct ns){1});
	for (int round = 0; round < 2; round++) {
		for (struct block *b; (b = journal_take(&f->journal));) {
			EXPECT_INT(0, block_seal(b, f->trace.sequence++, NULL, &sealed));
			buf_put(&f->trace.bytes, sealed.at, sealed.len);
			journal_give_back(&f->journal, b);
		}
		journal_push(&f->journal, (struct ns){0});
	}
	buf_release(&sealed);
}

/* Verifies what was written: ids dense, in order, defined before use. */
static struct agent_totals end(struct fixture *f)
{
	drain(f);
	struct agent_totals n = agent_trace_verify(&f->trace, false);
	catalog_release(&f->catalog);
	journal_release(&f->journal);
	agent_trace_release(&f->trace);
	return n;
}

static const struct ns now = {5};

/* Method `n` of class C(n / 8), with a line table of its own; every eighth native. */
static int add_method(struct catalog *c, uint64_t n)
{
	char signature[64], name[32];
	snprintf(signature, sizeof(signature), "Lcom/acme/C%d;", (int)(n / 8));
	snprintf(name, sizeof(name), "m%d", (int)n);
	struct line_entry lines[] = {{0, 100}, {10, 101}, {20, (uint32_t)(200 + n)}};
	struct method_facts facts = {.vm_id = n + 1,
		.class_signature = signature,
		.name = name,
		.descriptor = "()V",
		.source = n % 3 ? "C.java" : NULL,
		.lines = lines,
		.line_count = 3,
		.native = n % 8 == 0};
	return catalog_add_method(c, now, &facts);
}

TEST(the_same_thing_has_one_id)
{
	struct fixture *f = begin("", "", LOTS);
	struct catalog *c = &f->catalog;
	EXPECT_INT(1, catalog_string(c, now, slice_str("a")));
	EXPECT_INT(2, catalog_string(c, now, slice_str("b")));
	EXPECT_INT(1, catalog_string(c, now, slice_str("a")));
	uint32_t list = catalog_class(c, now, "Ljava/util/List;");
	EXPECT_INT(1, list);
	EXPECT_INT(2, catalog_class(c, now, "[I"));
	EXPECT_INT(1, catalog_class(c, now, "Ljava/util/List;"));
	uint32_t lambda = catalog_class(c, now, "LFoo$$Lambda.0x0001;");
	EXPECT_INT(lambda, catalog_class(c, now, "LFoo$$Lambda.0x0002;"));
	EXPECT_INT(lambda, catalog_class(c, now, "LFoo$$Lambda$7/123;"));
	EXPECT(lambda != catalog_class(c, now, "[LFoo$$Lambda.0x0001;"));
	EXPECT_INT(1, catalog_thread(c, now, "main", 0));
	EXPECT_INT(2, catalog_thread(c, now, "main", THREAD_DAEMON)); /* two threads of one name */
	EXPECT_INT(3, catalog_thread(c, now, "", 0));
	EXPECT_INT(1, catalog_collector(c, now, "G1 young collection pauses", ROLE_YOUNG));
	struct agent_totals n = end(f);
	EXPECT_INT(4, n.classes);
	EXPECT_INT(3, n.threads);
	EXPECT_INT(1, n.collectors);
}

static void keep_class(void *arg, const struct record *r)
{
	struct record_class *classes = arg;
	if (r->kind == RECORD_class)
		classes[r->class.id] = r->class;
}

TEST(class_flags)
{
	struct fixture *f = begin("", "", LOTS);
	struct record_class classes[8] = {0};
	catalog_class(&f->catalog, now, "Ljava/util/List;");
	catalog_class(&f->catalog, now, "[I");
	catalog_class(&f->catalog, now, "LFoo$$Lambda.0x0001;");
	catalog_class(&f->catalog, now, "[LFoo$$Lambda.0x0001;");
	drain(f);
	EXPECT(agent_trace_each(&f->trace, keep_class, classes) > 0);
	EXPECT_INT(0, classes[1].flags);
	EXPECT_INT(0, classes[1].raw);
	EXPECT_INT(CLASS_ARRAY, classes[2].flags);
	EXPECT_INT(CLASS_NORMALISED | CLASS_HIDDEN, classes[3].flags);
	EXPECT(classes[3].raw && classes[3].raw != classes[3].name);
	EXPECT_INT(CLASS_ARRAY | CLASS_NORMALISED | CLASS_HIDDEN, classes[4].flags);
	end(f);
}

struct lines {
	uint64_t line[64];
	int64_t bci[64];
};

static void keep_line(void *arg, const struct record *r)
{
	struct lines *l = arg;
	if (r->kind == RECORD_frame) {
		l->line[r->frame.id] = r->frame.line;
		l->bci[r->frame.id] = r->frame.bci;
	}
}

/* The last entry at or before the bci; none before the first or without a bci. */
TEST(lines)
{
	struct fixture *f = begin("", "", LOTS);
	struct lines l = {0};
	static const int32_t bcis[] = {0, 9, 10, 19, 20, 4000, -1};
	static const uint64_t want[] = {100, 100, 101, 101, 201, 201, 0};
	EXPECT_INT(0, add_method(&f->catalog, 1));
	EXPECT_INT(0, add_method(&f->catalog, 8)); /* native */
	for (size_t i = 0; i < ARRAY_SIZE(bcis); i++)
		EXPECT_INT(i + 1, catalog_site(&f->catalog, now, 0,
					  &(struct stack_frame){2, bcis[i]}, 1, false));
	EXPECT(catalog_site(&f->catalog, now, 0, &(struct stack_frame){9, 12}, 1, false));
	drain(f);
	EXPECT(agent_trace_each(&f->trace, keep_line, &l) > 0);
	for (size_t i = 0; i < ARRAY_SIZE(bcis); i++) {
		EXPECT_INT(want[i], l.line[i + 1]);
		EXPECT_INT(bcis[i], l.bci[i + 1]);
	}
	EXPECT_INT(-1, l.bci[8]);
	end(f);
}

/* A class of that name that was made without lines, and the one that has them: each its own. */
TEST(lines_of_a_class_made_twice)
{
	struct fixture *f = begin("", "", LOTS);
	struct lines l = {0};
	struct method_facts plain = {
		.vm_id = 77, .class_signature = "Lcom/acme/C0;", .name = "m1", .descriptor = "()V"};
	EXPECT_INT(0, catalog_add_method(&f->catalog, now, &plain));
	EXPECT_INT(0, add_method(&f->catalog, 1));
	for (uint32_t i = 1; i <= 2; i++) { /* each is there the second time */
		EXPECT_INT(1,
			catalog_site(&f->catalog, now, 0, &(struct stack_frame){77, 9}, 1, false));
		EXPECT_INT(2,
			catalog_site(&f->catalog, now, 0, &(struct stack_frame){2, 9}, 1, false));
	}
	drain(f);
	EXPECT(agent_trace_each(&f->trace, keep_line, &l) > 0);
	EXPECT_INT(0, l.line[1]);
	EXPECT_INT(100, l.line[2]);
	end(f);
}

/* A stack whose frames we know, by the model: the trace's tree walked from the site back to the
 * root. */
struct tree {
	uint64_t parent[8192], method[8192], leaf[8192], flags[8192];
	int64_t bci[8192];
};

static void keep_tree(void *arg, const struct record *r)
{
	struct tree *t = arg;
	if (r->kind == RECORD_frame) {
		t->parent[r->frame.id] = r->frame.parent;
		t->method[r->frame.id] = r->frame.method;
		t->bci[r->frame.id] = r->frame.bci;
	} else if (r->kind == RECORD_site) {
		t->leaf[r->site.id] = r->site.frame;
		t->flags[r->site.id] = r->site.flags;
	}
}

enum { STACKS = 500, DEPTH = 6, METHODS = 40 };

struct drawn {
	struct stack_frame at[STACKS][DEPTH];
	uint32_t depth[STACKS], site[STACKS];
	bool cut[STACKS];
};

static void random_stack(struct rng *r, struct drawn *s, int i)
{
	s->depth[i] = (uint32_t)rng_below(r, DEPTH + 1);
	s->cut[i] = rng_below(r, 4) == 0;
	for (uint32_t k = 0; k < s->depth[i]; k++) {
		/* The methods divisible by 10 are never resolved. Native ones have no bci. */
		uint64_t m = rng_below(r, METHODS);
		s->at[i][k] = (struct stack_frame){m + 1, m % 8 ? (int32_t)rng_below(r, 3) : -1};
	}
}

static bool known(struct stack_frame f)
{
	return (f.vm_method - 1) % 10 != 0;
}

/* Behind one that is not known there is nothing: it would seem to have called what it did not. */
static uint32_t depth_known(const struct drawn *s, int i)
{
	uint32_t k = 0;
	while (k < s->depth[i] && known(s->at[i][k]))
		k++;
	return k;
}

static void expect_path(
	const struct tree *t, const struct drawn *s, int i, const uint32_t *definitions)
{
	uint64_t at = t->leaf[s->site[i]];
	uint32_t depth = depth_known(s, i);
	for (uint32_t k = 0; k < depth; k++) {
		EXPECT_INT(definitions[s->at[i][k].vm_method - 1], t->method[at]);
		EXPECT_INT(s->at[i][k].bci, t->bci[at]);
		at = t->parent[at];
	}
	EXPECT_INT(0, at);
}

TEST(stacks_come_back)
{
	static struct drawn s;
	static struct tree t;
	struct fixture *f = begin("", "", LOTS);
	struct rng r = rng_init(tap_seed());
	uint32_t definitions[METHODS] = {0}, next = 0;
	uint64_t parts = 0;
	for (uint64_t m = 0; m < METHODS; m++)
		if (m % 10 && add_method(&f->catalog, m) == 0)
			definitions[m] = ++next;
	for (int i = 0; i < STACKS; i++) {
		random_stack(&r, &s, i);
		s.site[i] = catalog_site(&f->catalog, now, 0, s.at[i], s.depth[i], s.cut[i]);
		EXPECT(s.site[i] > 0);
		EXPECT_INT(s.site[i],
			catalog_site(&f->catalog, now, 0, s.at[i], s.depth[i], s.cut[i]));
	}
	drain(f);
	EXPECT(agent_trace_each(&f->trace, keep_tree, &t) > 0);
	for (int i = 0; i < STACKS; i++) {
		expect_path(&t, &s, i, definitions);
		EXPECT_INT(t.leaf[s.site[i]] == 0, (t.flags[s.site[i]] & SITE_NO_STACK) != 0);
		parts += depth_known(&s, i) < s.depth[i] ? 2 : 0; /* each is told twice */
	}
	EXPECT_INT(parts, f->catalog.parts);
	end(f);
}

TEST(a_stack_goes_as_far_as_it_is_known)
{
	static struct tree t;
	struct fixture *f = begin("", "", LOTS);
	struct stack_frame stack[] = {{2, 0}, {9, 0}, {3, 1}};
	EXPECT_INT(0, add_method(&f->catalog, 1));
	EXPECT_INT(0, add_method(&f->catalog, 2));
	uint32_t part = catalog_site(&f->catalog, now, 0, stack, 3, false);
	uint32_t none = catalog_site(&f->catalog, now, 0, stack + 1, 2, false);
	uint32_t exact = catalog_exact_site(&f->catalog, now, 0, stack + 1, 2);
	uint32_t walked = catalog_walked_site(&f->catalog, now, 0, stack, 3, false);
	EXPECT_INT(2, f->catalog.parts);
	drain(f);
	EXPECT(agent_trace_each(&f->trace, keep_tree, &t) > 0);
	EXPECT_INT(0, t.parent[t.leaf[part]]);
	EXPECT_INT(SITE_CUT, t.flags[part]);
	EXPECT_INT(SITE_NO_STACK, t.flags[none]);
	EXPECT_INT(SITE_NO_STACK | SITE_EXACT, t.flags[exact]);
	EXPECT_INT(SITE_EXACT | SITE_WALKED | SITE_CUT, t.flags[walked]);
	EXPECT_INT(t.leaf[part], t.leaf[walked]);
	end(f);
}

TEST(unknown_methods_are_listed_once)
{
	struct fixture *f = begin("", "", LOTS);
	struct stack_frame stack[] = {{5, 0}, {6, 0}, {5, 3}, {7, 0}, {6, 1}};
	uint64_t ids[8];
	EXPECT_INT(3, catalog_unknown_methods(&f->catalog, stack, 5, ids, 8));
	EXPECT_INT(5, ids[0]);
	EXPECT_INT(6, ids[1]);
	EXPECT_INT(7, ids[2]);
	EXPECT_INT(2, catalog_unknown_methods(&f->catalog, stack, 5, ids, 2));
	EXPECT_INT(0, add_method(&f->catalog, 5));
	EXPECT_INT(0, add_method(&f->catalog, 5));
	EXPECT_INT(2, catalog_unknown_methods(&f->catalog, stack, 5, ids, 8));
	EXPECT_INT(1, end(f).methods);
}

static void pass(struct catalog *c, int seconds)
{
	while (seconds--)
		catalog_tick(c);
}

static int add_at(struct catalog *c, uint32_t line)
{
	const struct line_entry lines[] = {{0, line}};
	const struct method_facts facts = {.vm_id = 5,
		.class_signature = "LW;",
		.name = "make",
		.descriptor = "()V",
		.lines = lines,
		.line_count = 1};
	return catalog_add_method(c, now, &facts);
}

static uint32_t to_ask(const struct catalog *c, const struct stack_frame *at, uint64_t *id)
{
	return catalog_methods_to_ask(c, at, 1, METHOD_HELD_BY_SAMPLES, id, 1);
}

/* Another agent, or a debugger, exchanges a class, and the method keeps its id. */
TEST(what_was_told_long_ago_is_asked_for_again)
{
	struct fixture *f = begin("", "", LOTS);
	struct catalog *c = &f->catalog;
	const struct stack_frame at = {5, 3};
	uint64_t id = 0;
	EXPECT_INT(0, add_at(c, 2));
	uint32_t before = catalog_site(c, now, 0, &at, 1, false);
	EXPECT_INT(before, stacks_find(&c->stacks, stacks_key(0, &at, 1, false)));
	pass(c, 15);
	EXPECT_INT(0, to_ask(c, &at, &id));
	EXPECT_INT(1, catalog_methods_to_ask(c, &at, 1, METHOD_HELD_BY_CODE, &id, 1));
	pass(c, 1);
	EXPECT_INT(1, to_ask(c, &at, &id));
	EXPECT_INT(5, id);
	EXPECT_INT(0, catalog_unknown_methods(c, &at, 1, &id, 1));
	EXPECT_INT(0, stacks_find(&c->stacks, stacks_key(0, &at, 1, false)));
	EXPECT_INT(0, add_at(c, 2));
	EXPECT_INT(0, to_ask(c, &at, &id));
	EXPECT_INT(before, catalog_site(c, now, 0, &at, 1, false));
	EXPECT_INT(1, c->methods.count); /* what has not changed takes nothing */
	EXPECT_INT(1, c->lines.count);
	pass(c, 16);
	EXPECT_INT(0, add_at(c, 42));
	EXPECT(catalog_site(c, now, 0, &at, 1, false) > before);
	EXPECT_INT(1, end(f).methods);
}

/* Hidden classes made anew: one definition for all, whatever the VM's ids are. */
TEST(methods_of_one_name_share_a_definition)
{
	struct fixture *f = begin("", "", LOTS);
	for (uint64_t i = 0; i < 50; i++) {
		char signature[64];
		snprintf(signature, sizeof(signature), "LFoo$$Lambda.0x%016llx;",
			(unsigned long long)i);
		struct method_facts facts = {.vm_id = 1000 + i,
			.class_signature = signature,
			.name = "run",
			.descriptor = "()V"};
		EXPECT_INT(0, catalog_add_method(&f->catalog, now, &facts));
	}
	EXPECT_INT(50, f->catalog.vm_methods.count);
	EXPECT_INT(1, end(f).methods);
}

/* The nearest frame outside of the JDK decides. */
TEST(filters)
{
	static const struct {
		const char *include, *exclude;
		bool shop, order, jdk_only;
	} rows[] = {
		{"", "", true, true, true},
		{"com.acme.Shop", "", true, false, false},
		{"com.acme.*", "", true, true, false},
		{"com.acme.*", "com.acme.Order", true, false, false},
		{"", "com.acme.Shop", false, true, true},
		{"org.*", "", false, false, false},
	};
	static const char *const classes[] = {
		"Ljava/util/ArrayList;", "Lcom/acme/Shop;", "Lcom/acme/Order;"};
	struct stack_frame shop[] = {{1, 0}, {2, 0}, {3, 0}}, order[] = {{3, 0}, {2, 0}},
			   jdk[] = {{1, 0}, {99, 0}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fixture *f = begin(rows[i].include, rows[i].exclude, LOTS);
		for (uint64_t k = 0; k < 3; k++) {
			struct method_facts facts = {.vm_id = k + 1,
				.class_signature = classes[k],
				.name = "m",
				.descriptor = "()V"};
			EXPECT_INT(0, catalog_add_method(&f->catalog, now, &facts));
		}
		EXPECT_INT(rows[i].shop, catalog_wants(&f->catalog, shop, 3));
		EXPECT_INT(rows[i].order, catalog_wants(&f->catalog, order, 2));
		EXPECT_INT(rows[i].jdk_only, catalog_wants(&f->catalog, jdk, 2));
		EXPECT_INT(rows[i].jdk_only, catalog_wants(&f->catalog, NULL, 0));
		end(f);
	}
}

TEST(texts_are_cut)
{
	struct fixture *f = begin("", "", LOTS);
	char text[3000];
	memset(text, 'x', sizeof(text));
	uint32_t id = catalog_string(&f->catalog, now, slice(text, sizeof(text)));
	EXPECT_INT(NAME_MAX_LEN, intern_get(&f->catalog.strings, id).len);
	EXPECT_INT(id, catalog_string(&f->catalog, now, slice(text, 2000)));
	end(f);
}

/* Beyond the memory bound nothing new is defined, what is known stays known, and it is said. */
TEST(memory_bound)
{
	struct fixture *f = begin("", "", 256 * 1024);
	uint32_t i = 0, known_id = catalog_string(&f->catalog, now, slice_str("known"));
	for (; !f->catalog.full && i < 1000000; i++) {
		char text[64];
		snprintf(text, sizeof(text), "string %u with some length to it", i);
		catalog_string(&f->catalog, now, slice_str(text));
		if (f->journal.full_count)
			drain(f);
	}
	EXPECT(f->catalog.full);
	EXPECT(i > 1000 && i < 20000);
	EXPECT_INT(known_id, catalog_string(&f->catalog, now, slice_str("known")));
	EXPECT_INT(0, catalog_string(&f->catalog, now, slice_str("new")));
	EXPECT_INT(0, catalog_class(&f->catalog, now, "Lnew;"));
	EXPECT_INT(ERR_FULL, add_method(&f->catalog, 1));
	EXPECT_INT(0, catalog_site(&f->catalog, now, 1, NULL, 0, false));
	end(f);
}

/* It is scarce before it is full, and not from the beginning. */
TEST(memory_gets_scarce)
{
	struct fixture *f = begin("", "", 16 << 20);
	uint64_t last = 0; /* held when it was not scarce */
	for (uint32_t i = 0; !f->catalog.full && i < 1000000; i++) {
		char text[64];
		last = catalog_scarce(&f->catalog) ? last : mem_held();
		snprintf(text, sizeof(text), "string %u with some length to it", i);
		catalog_string(&f->catalog, now, slice_str(text));
		if (f->journal.full_count)
			drain(f);
	}
	EXPECT(f->catalog.full && catalog_scarce(&f->catalog));
	EXPECT(last > 0 && last <= f->catalog.memory_max / 4 * 3);
	end(f);
}

/* As many as the exact engine can tell apart: two for each frame. */
TEST(sites_take_48_bytes_each_with_a_frame_of_their_own)
{
	enum { MADE = 2000, BCIS = 125 };
	struct fixture *f = begin("", "", LOTS);
	uint64_t before = mem_held();
	for (uint64_t i = 0; i < MADE * BCIS; i++) {
		struct stack_frame frame = {8 * (i / BCIS) + 2, (int32_t)(i % BCIS)};
		if (i % BCIS == 0)
			EXPECT_INT(0, add_method(&f->catalog, frame.vm_method - 1));
		EXPECT_INT(i + 1, catalog_exact_site(&f->catalog, now, 1, &frame, 1));
		if (f->journal.full_count)
			drain(f);
		f->trace.bytes.len = 0; /* nobody reads it */
	}
	EXPECT((mem_held() - before) / (MADE * BCIS) <= 48);
	catalog_release(&f->catalog);
	journal_release(&f->journal);
	agent_trace_release(&f->trace);
}

/* The names are 15 bytes long, and what else there is of them should not be many times that. */
TEST(classes_with_a_method_take_128_bytes_each)
{
	enum { CLASSES = 100000 };
	struct fixture *f = begin("", "", LOTS);
	uint64_t before = mem_held();
	for (uint32_t i = 0; i < CLASSES; i++) {
		char signature[32];
		snprintf(signature, sizeof(signature), "Lcom/acme/C%05u;", i);
		EXPECT_INT(i + 1, catalog_class(&f->catalog, now, signature));
		EXPECT_INT(0, catalog_add_method(&f->catalog, now,
				      &(struct method_facts){.vm_id = i + 1,
					      .class_signature = signature,
					      .name = "run",
					      .descriptor = "()V"}));
		if (f->journal.full_count)
			drain(f);
		f->trace.bytes.len = 0; /* nobody reads it */
	}
	EXPECT((mem_held() - before) / CLASSES <= 128);
	catalog_release(&f->catalog);
	journal_release(&f->journal);
	agent_trace_release(&f->trace);
}

/* Those of a class that is loaded again and again take no more and more. */
TEST(methods_that_were_and_their_lines_are_let_go)
{
	enum { TIMES = 100000, LINES = 16 };
	struct fixture *f = begin("", "", LOTS);
	struct line_entry lines[LINES];
	uint64_t before = mem_held();
	for (uint32_t i = 0; i < LINES; i++)
		lines[i] = (struct line_entry){i, 100 + i};
	struct method_facts facts = {.class_signature = "LPlugin;",
		.name = "run",
		.descriptor = "()V",
		.lines = lines,
		.line_count = LINES};
	uint32_t site = 0;
	for (facts.vm_id = 1; facts.vm_id <= TIMES; facts.vm_id++) {
		struct stack_frame frame = {facts.vm_id, 5};
		EXPECT_INT(0, catalog_add_method(&f->catalog, now, &facts));
		uint32_t id = catalog_exact_site(&f->catalog, now, 0, &frame, 1);
		EXPECT(id && (!site || id == site));
		site = id;
	}
	EXPECT(mem_held() - before < 6 << 20);
	EXPECT_INT(1, f->catalog.frames.nodes.count);
	EXPECT_INT(105, f->catalog.frames.nodes.at[0].line);
	end(f);
}

/* A journal without room: no id is given out that has no definition. */
TEST(journal_full)
{
	struct fixture *f = begin("", "", LOTS);
	char text[1000];
	memset(text, 'x', sizeof(text));
	uint64_t n = 0;
	for (; n < 100000; n++) {
		memcpy(text, &n, sizeof(n));
		if (!catalog_string(&f->catalog, now, slice(text, sizeof(text))))
			break;
	}
	EXPECT(n > 1000 && n < 100000);
	EXPECT_INT(n, f->catalog.strings.strings.count);
	/* Small definitions still fit into what is left of the last block, until they don't. */
	uint32_t threads = 0;
	while (catalog_thread(&f->catalog, now, "", 0))
		threads++;
	EXPECT_INT(threads, f->catalog.thread_count);
	EXPECT_INT(0, catalog_collector(&f->catalog, now, "", 0));
	struct agent_totals totals = end(f);
	EXPECT_INT(n, totals.strings);
	EXPECT_INT(threads, totals.threads);
}

static void all_kinds(struct catalog *c, uint64_t n)
{
	char signature[64];
	snprintf(signature, sizeof(signature), "Lcom/acme/K%d;", (int)n);
	uint32_t class_id = catalog_class(c, now, signature);
	add_method(c, n);
	struct stack_frame stack[] = {{n + 1, 0}, {n, 10}};
	catalog_site(c, now, class_id, stack, 2, false);
	catalog_thread(c, now, signature, 0);
}

/* Whatever allocation fails, and all after it, or it alone: what is written stays a sound trace. */
TEST(out_of_memory)
{
	uint64_t held = mem_held();
	for (uint64_t at = 1; at < 60; at++) {
		struct fixture *f = begin("", "", LOTS);
		mem_fail_at(at);
		for (uint64_t n = 0; n < 100; n++) {
			all_kinds(&f->catalog, n);
			if (n == 60)
				mem_fail_at(0);
		}
		struct agent_totals n = end(f);
		EXPECT(n.classes <= 200 && n.sites <= 101);
		EXPECT_INT(held, mem_held());
	}
}
