#include "model/defs.h"

#include "base/error.h"
#include "support/tap.h"

static struct record text(uint64_t id, const char *s)
{
	struct record r = {.kind = RECORD_string};
	r.string.id = id;
	r.string.text = slice_str(s);
	return r;
}

static struct record frame(uint64_t id, uint64_t parent, uint64_t method, uint64_t line)
{
	struct record r = {.kind = RECORD_frame};
	r.frame.id = id;
	r.frame.parent = parent;
	r.frame.method = method;
	r.frame.line = line;
	return r;
}

static struct record method(uint64_t id, uint64_t class_name, uint64_t name, uint64_t descriptor)
{
	struct record r = {.kind = RECORD_method};
	r.method.id = id;
	r.method.class_name = class_name;
	r.method.name = name;
	r.method.descriptor = descriptor;
	return r;
}

static void take(struct defs *d, struct odds *o, struct record r)
{
	EXPECT_INT(1, defs_read(d, &r, o));
}

TEST(ids_become_indices_dense_or_not)
{
	struct defs d;
	struct odds o = {{0}};
	EXPECT_INT(0, defs_init(&d));
	take(&d, &o, text(1, "a.B"));
	take(&d, &o, text(900, "run"));
	take(&d, &o, method(1, 1, 900, 0));
	take(&d, &o, method(77, 1, 900, 1));
	EXPECT_INT(1, defs_index(&d.method_ids, 1, ODD_UNDEFINED_METHOD, &o));
	EXPECT_INT(2, defs_index(&d.method_ids, 77, ODD_UNDEFINED_METHOD, &o));
	EXPECT_INT(0, o.count[ODD_UNDEFINED_METHOD]);
	EXPECT_INT(0, defs_index(&d.method_ids, 2, ODD_UNDEFINED_METHOD, &o));
	EXPECT_INT(1, o.count[ODD_UNDEFINED_METHOD]);
	EXPECT_INT(0, defs_index(&d.method_ids, 0, ODD_UNDEFINED_METHOD, &o));
	EXPECT_INT(1, o.count[ODD_UNDEFINED_METHOD]);
	defs_release(&d);
}

TEST(overloads_on_a_line_are_one_location)
{
	struct defs d;
	struct odds o = {{0}};
	EXPECT_INT(0, defs_init(&d));
	take(&d, &o, text(1, "a.B"));
	take(&d, &o, text(2, "run"));
	take(&d, &o, method(1, 1, 2, 1));
	take(&d, &o, method(2, 1, 2, 2));
	take(&d, &o, frame(1, 0, 1, 5));
	take(&d, &o, frame(2, 1, 2, 5));
	take(&d, &o, frame(3, 1, 2, 6));
	EXPECT_INT(d.frames.at[1].location, d.frames.at[2].location);
	EXPECT(d.frames.at[1].location != d.frames.at[3].location);
	EXPECT_INT(2, d.frames.at[3].depth);
	defs_release(&d);
}

TEST(the_first_definition_holds)
{
	struct defs d;
	struct odds o = {{0}};
	EXPECT_INT(0, defs_init(&d));
	take(&d, &o, text(1, "first"));
	take(&d, &o, text(1, "first"));
	EXPECT_INT(0, o.count[ODD_REDEFINED]);
	take(&d, &o, text(1, "second"));
	EXPECT_INT(1, o.count[ODD_REDEFINED]);
	take(&d, &o, frame(1, 0, 0, 5));
	take(&d, &o, frame(1, 0, 0, 5));
	EXPECT_INT(1, o.count[ODD_REDEFINED]);
	take(&d, &o, frame(1, 0, 0, 6));
	take(&d, &o, frame(0, 0, 0, 6));
	EXPECT_INT(3, o.count[ODD_REDEFINED]);
	EXPECT_INT(5, d.frames.at[1].line);
	EXPECT_INT(2, d.frames.count);
	defs_release(&d);
}

/* A parent that comes later is unknown, so no stack can run in a circle; a stack that is too deep
 * is cut. */
TEST(stacks_end)
{
	struct defs d;
	struct odds o = {{0}};
	EXPECT_INT(0, defs_init(&d));
	take(&d, &o, frame(1, 2, 0, 1));
	EXPECT_INT(1, o.count[ODD_UNDEFINED_FRAME]);
	EXPECT_INT(0, d.frames.at[1].parent);
	for (uint64_t i = 2; i <= STACK_MAX + 1; i++)
		take(&d, &o, frame(i, i - 1, 0, 1));
	EXPECT_INT(1, o.count[ODD_STACK_DEEP]);
	EXPECT_INT(STACK_MAX, d.frames.at[STACK_MAX].depth);
	EXPECT_INT(1, d.frames.at[STACK_MAX + 1].depth);
	defs_release(&d);
}

static struct record site(uint64_t id, uint64_t at, uint64_t flags)
{
	return (struct record){
		.kind = RECORD_site, .site = {.id = id, .frame = at, .flags = flags}};
}

static struct record place(uint64_t of, uint64_t as)
{
	return (struct record){.kind = RECORD_site_place, .site_place = {of, as}};
}

/* However often both are repeated, as in a cyclic trace; the last place holds. */
TEST(a_site_whose_place_comes_later)
{
	struct defs d;
	struct odds o = {{0}};
	EXPECT_INT(0, defs_init(&d));
	take(&d, &o, frame(1, 0, 0, 5));
	take(&d, &o, frame(2, 0, 0, 6));
	for (int i = 0; i < 2; i++) {
		take(&d, &o, site(1, 0, SITE_EXACT | SITE_NO_STACK));
		take(&d, &o, site(2, 1, SITE_EXACT | SITE_CUT));
		take(&d, &o, site(3, 2, SITE_EXACT));
		take(&d, &o, place(1, 2));
		EXPECT_INT(1, d.sites.at[1].frame);
		EXPECT_INT(SITE_EXACT | SITE_CUT, d.sites.at[1].flags);
		take(&d, &o, place(1, 3));
		EXPECT_INT(2, d.sites.at[1].frame);
	}
	EXPECT_INT(4, d.sites.count);
	EXPECT_INT(0, o.count[ODD_REDEFINED]);
	take(&d, &o, site(1, 2, SITE_EXACT));
	EXPECT_INT(1, o.count[ODD_REDEFINED]);
	take(&d, &o, place(7, 2));
	take(&d, &o, place(1, 7));
	EXPECT_INT(2, o.count[ODD_UNDEFINED_SITE]);
	EXPECT_INT(2, d.sites.at[1].frame);
	EXPECT_INT(0, d.sites.at[0].frame);
	defs_release(&d);
}

TEST(out_of_memory_at_every_allocation)
{
	for (uint64_t n = 1;; n++) {
		struct defs d;
		struct odds o = {{0}};
		mem_fail_at(n);
		int err = defs_init(&d);
		const struct record records[] = {
			text(1, "a.B"), method(1, 1, 1, 1), frame(1, 0, 1, 3), site(1, 1, 0)};
		for (size_t i = 0; i < ARRAY_SIZE(records) && err >= 0; i++)
			err = defs_read(&d, &records[i], &o);
		mem_fail_at(0);
		EXPECT(err == ERR_NOMEM || err == 1);
		if (n == 1)
			EXPECT_INT(ERR_NOMEM, err);
		defs_release(&d);
		if (err == 1)
			break;
	}
}
