#include "classfile/sites.h"

#include <stdio.h>

#include "base/error.h"
#include "support/class_rig.h"
#include "support/tap.h"

struct found {
	struct class_rig rig;
	struct sites sites;
};

/* Numbers of the class x/Y and its constructor, in a maker that has just these. */
enum { TYPE = 6, INIT = 10 };

static void begin(struct class_maker *m)
{
	class_maker_init(m, 49);
	EXPECT_INT(TYPE, class_maker_class(m, "x/Y"));
	EXPECT_INT(INIT, class_maker_ref(m, POOL_METHOD, "x/Y", "<init>", "()V"));
}

static void find(struct found *f, struct class_maker *m, const uint8_t *code, size_t len)
{
	class_maker_method(m, "run", "(I)V", (struct made_code){0, 5, 3, slice(code, len)});
	class_rig_init(&f->rig, m);
	EXPECT_INT(0, sites_find(&f->sites, &f->rig.file, f->rig.method, &f->rig.code,
			      &f->rig.marks, NULL));
}

static void release(struct found *f)
{
	sites_release(&f->sites);
	class_rig_release(&f->rig);
}

static void expect_refusal(const uint8_t *code, size_t len, enum site_refusal want)
{
	struct class_maker m;
	struct found f;
	begin(&m);
	find(&f, &m, code, len);
	EXPECT(f.sites.all.count > 0);
	EXPECT_STR(site_refusal_text(want), site_refusal_text(f.sites.all.at[0].refusal));
	release(&f);
}

TEST(arrays_are_finished_at_once)
{
	static const uint8_t code[] = {OP_iconst_1, OP_newarray, 5, OP_pop, OP_iconst_1,
		OP_anewarray, 0, TYPE, OP_pop, OP_iconst_1, OP_multianewarray, 0, TYPE, 1, OP_pop,
		OP_return};
	static const char *const names[] = {"[C", "x/Y", "x/Y"};
	static const uint32_t bcis[] = {1, 5, 10};
	struct class_maker m;
	struct found f;
	begin(&m);
	find(&f, &m, code, sizeof(code));
	EXPECT_INT(3, f.sites.all.count);
	EXPECT_INT(3, f.sites.finishes.count);
	for (size_t i = 0; i < 3; i++) {
		EXPECT_INT(bcis[i], f.sites.all.at[i].bci);
		EXPECT(slice_equal(slice_str(names[i]), f.sites.all.at[i].named));
		EXPECT_INT(bcis[i], f.sites.finishes.at[i].pc);
		EXPECT(f.sites.finishes.at[i].on_top);
		EXPECT(sites_at(&f.sites, bcis[i]) == &f.sites.all.at[i]);
	}
	EXPECT(sites_at(&f.sites, 2) == NULL);
	release(&f);
}

TEST(objects_are_finished_by_their_constructor)
{
	static const uint8_t code[] = {OP_new, 0, TYPE, OP_dup, OP_new, 0, TYPE, OP_dup,
		OP_invokespecial, 0, INIT, OP_pop, OP_invokespecial, 0, INIT, OP_pop, OP_return};
	struct class_maker m;
	struct found f;
	begin(&m);
	find(&f, &m, code, sizeof(code));
	EXPECT_INT(2, f.sites.finishes.count);
	EXPECT_INT(4, f.sites.finishes.at[0].bci); /* the inner one is done first */
	EXPECT_INT(8, f.sites.finishes.at[0].pc);
	EXPECT_INT(0, f.sites.finishes.at[1].bci);
	EXPECT_INT(12, f.sites.finishes.at[1].pc);
	EXPECT(f.sites.finishes.at[0].on_top && f.sites.finishes.at[1].on_top);
	release(&f);
}

TEST(finished_in_a_local)
{
	static const uint8_t code[] = {
		OP_new, 0, TYPE, OP_dup, OP_astore_2, OP_invokespecial, 0, INIT, OP_return};
	struct class_maker m;
	struct found f;
	begin(&m);
	find(&f, &m, code, sizeof(code));
	EXPECT_INT(SITE_NONE, f.sites.all.at[0].refusal);
	EXPECT_INT(1, f.sites.finishes.count);
	EXPECT(!f.sites.finishes.at[0].on_top);
	EXPECT_INT(2, f.sites.finishes.at[0].local);
	release(&f);
}

/* A condition, and a call of the constructor on either way. */
TEST(finished_in_two_places)
{
	static const uint8_t code[] = {OP_new, 0, TYPE, OP_dup, OP_iload_1, OP_ifeq, 0, 9,
		OP_invokespecial, 0, INIT, OP_goto, 0, 6, OP_invokespecial, 0, INIT, OP_pop,
		OP_return};
	struct class_maker m;
	struct found f;
	begin(&m);
	find(&f, &m, code, sizeof(code));
	EXPECT_INT(SITE_NONE, f.sites.all.at[0].refusal);
	EXPECT_INT(2, f.sites.finishes.count);
	EXPECT_INT(8, f.sites.finishes.at[0].pc);
	EXPECT_INT(14, f.sites.finishes.at[1].pc);
	release(&f);
}

static int add_class(struct pool *p, uint16_t *number)
{
	char name[16];
	snprintf(name, sizeof(name), "x/%u", (unsigned)pool_count(p));
	return pool_add_text(p, POOL_CLASS, slice_str(name), number);
}

/* It would become one, and the class whole, when a call is put in. */
TEST(a_constant_beyond_those_of_the_class)
{
	static const uint8_t ops[] = {OP_new, OP_getstatic, OP_checkcast, OP_ldc_w};
	struct class_maker m;
	struct class_rig r;
	struct sites s;
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		struct diag d = {""};
		uint16_t added;
		begin(&m);
		const uint8_t code[] = {ops[i], 0, 200, OP_return};
		class_maker_method(&m, "run", "(I)V", (struct made_code){0, 5, 3, slice(code, 4)});
		class_rig_init(&r, &m);
		do
			EXPECT_INT(0, add_class(&r.file.pool, &added));
		while (added < 200);
		EXPECT_INT(ERR_FORMAT, sites_find(&s, &r.file, r.method, &r.code, &r.marks, &d));
		EXPECT_STR("a constant that the class does not have at byte 0 of the code", d.text);
		sites_release(&s);
		class_rig_release(&r);
	}
}

TEST(refused_with_a_reason)
{
	static const uint8_t dropped[] = {OP_new, 0, TYPE, OP_invokespecial, 0, INIT, OP_return},
			     buried[] = {OP_new, 0, TYPE, OP_dup, OP_iconst_0, OP_swap,
				     OP_invokespecial, 0, INIT, OP_return},
			     no_init[] = {OP_new, 0, TYPE, OP_pop, OP_return},
			     unreached[] = {OP_return, OP_new, 0, TYPE, OP_pop, OP_return},
			     subroutine[] = {OP_jsr, 0, 3, OP_new, 0, TYPE, OP_pop, OP_return},
			     broken[] = {OP_new, 0, TYPE, OP_pop, OP_pop, OP_return};
	expect_refusal(dropped, sizeof(dropped), SITE_NOT_KEPT);
	expect_refusal(buried, sizeof(buried), SITE_BURIED);
	expect_refusal(no_init, sizeof(no_init), SITE_NO_INIT);
	expect_refusal(unreached, sizeof(unreached), SITE_UNREACHED);
	expect_refusal(subroutine, sizeof(subroutine), SITE_SUBROUTINE);
	expect_refusal(broken, sizeof(broken), SITE_CODE);
}

/* One of two ways buries it: the site is refused whatever the other does. */
TEST(one_bad_place_refuses_all)
{
	static const uint8_t code[] = {OP_new, 0, TYPE, OP_dup, OP_iload_1, OP_ifeq, 0, 10,
		OP_iconst_0, OP_swap, OP_invokespecial, 0, INIT, OP_pop, OP_return,
		OP_invokespecial, 0, INIT, OP_pop, OP_return};
	uint8_t other[sizeof(code)];
	memcpy(other, code, sizeof(code));
	expect_refusal(code, sizeof(code), SITE_BURIED);
	other[5] = OP_ifne;
	expect_refusal(other, sizeof(other), SITE_BURIED);
}

TEST(an_allocation_of_no_class)
{
	static const uint8_t code[] = {OP_new, 0, INIT, OP_pop, OP_return};
	struct class_maker m;
	struct class_rig r;
	struct sites s;
	struct diag d = {""};
	begin(&m);
	class_maker_method(
		&m, "run", "()V", (struct made_code){8, 1, 0, slice(code, sizeof(code))});
	class_rig_init(&r, &m);
	EXPECT_INT(ERR_FORMAT, sites_find(&s, &r.file, r.method, &r.code, &r.marks, &d));
	EXPECT_STR("an allocation of no class at byte 0 of the code", d.text);
	sites_release(&s);
	class_rig_release(&r);
}
