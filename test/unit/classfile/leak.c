#include "classfile/leak.h"

#include "base/error.h"
#include "support/class_rig.h"
#include "support/tap.h"

/* Numbers of constants in a maker that has just these. */
struct numbers {
	uint16_t super, field, set, take, type, make, taking, other;
};

static void begin(struct class_maker *m, struct numbers *n)
{
	class_maker_init(m, 49);
	n->super = class_maker_ref(m, POOL_METHOD, "java/lang/Object", "<init>", "()V");
	n->field = class_maker_ref(m, POOL_FIELD, "T", "f", "I");
	n->set = class_maker_ref(m, POOL_FIELD, "T", "o", "Ljava/lang/Object;");
	n->take = class_maker_ref(m, POOL_METHOD, "T", "take", "(Ljava/lang/Object;)V");
	n->type = class_maker_class(m, "x/Y");
	n->make = class_maker_ref(m, POOL_METHOD, "x/Y", "<init>", "()V");
	n->taking = class_maker_ref(m, POOL_METHOD, "x/Y", "<init>", "(Ljava/lang/Object;)V");
	n->other = class_maker_ref(m, POOL_METHOD, "T", "<init>", "(J)V");
}

static bool only_object(void *arg, struct slice owner, struct slice descriptor)
{
	(void)arg;
	return slice_equal(owner, slice_str("java/lang/Object")) &&
	       slice_equal(descriptor, slice_str("()V"));
}

static void expect(struct class_maker *m, const char *name, struct made_code code, enum leak want)
{
	static const struct leak_judge judge = {only_object, NULL};
	struct class_rig r;
	enum leak got;
	class_maker_method(m, name, "(I)V", code);
	class_rig_init(&r, m);
	EXPECT_INT(0, constructor_leaks(&r.file, r.method, &judge, &got));
	EXPECT_STR(leak_text(want), leak_text(got));
	class_rig_release(&r);
}

#define SUPER OP_aload_0, OP_invokespecial, U2(n.super)
/* A constructor that calls Object's, and then does that. */
#define EXPECT_LEAK(want, ...)                                                                     \
	do {                                                                                       \
		struct class_maker m_;                                                             \
		struct numbers n;                                                                  \
		begin(&m_, &n);                                                                    \
		const uint8_t code_[] = {SUPER, __VA_ARGS__, OP_return};                           \
		expect(&m_, "<init>", (struct made_code){0, 6, 3, slice(code_, sizeof(code_))},    \
			want);                                                                     \
	} while (0)

/* The same code with the same handlers left out, as a VM shows it. */
static void expect_bare(struct class_maker *m, struct made_code code, enum leak want)
{
	static const struct leak_judge judge = {only_object, NULL};
	struct class_rig r;
	enum leak got;
	class_maker_method(m, "<init>", "(I)V", code);
	class_rig_init(&r, m);
	struct bare_constructor bare = {.pool = &r.file.pool,
		.code = r.code.bytes,
		.descriptor = r.method->descriptor,
		.max_locals = r.code.max_locals};
	EXPECT_INT(0, bare_constructor_leaks(&bare, &judge, &got));
	EXPECT_STR(leak_text(want), leak_text(got));
	class_rig_release(&r);
}

#define EXPECT_BARE(want, ...)                                                                     \
	do {                                                                                       \
		struct class_maker m_;                                                             \
		struct numbers n;                                                                  \
		begin(&m_, &n);                                                                    \
		const uint8_t code_[] = {SUPER, __VA_ARGS__, OP_return};                           \
		expect_bare(&m_, (struct made_code){0, 6, 3, slice(code_, sizeof(code_))}, want);  \
	} while (0)

TEST(fields_are_its_own)
{
	EXPECT_LEAK(LEAK_NONE, OP_nop);
	EXPECT_LEAK(LEAK_NONE, OP_aload_0, OP_iload_1, OP_putfield, U2(n.field));
	EXPECT_LEAK(LEAK_NONE, OP_aload_0, OP_astore_2, OP_aload_2, OP_aconst_null, OP_putfield,
		U2(n.set));
	EXPECT_LEAK(LEAK_NONE, OP_aload_0, OP_new, U2(n.type), OP_dup, OP_invokespecial, U2(n.make),
		OP_putfield, U2(n.set));
	EXPECT_LEAK(LEAK_NONE, OP_aload_0, OP_ifnull, 0, 3);
}

TEST(what_shows_it)
{
	EXPECT_LEAK(LEAK_CALL, OP_aload_0, OP_aconst_null, OP_invokevirtual, U2(n.take));
	EXPECT_LEAK(LEAK_CALL, OP_aload_0, OP_invokestatic, U2(n.take));
	EXPECT_LEAK(LEAK_CALL, OP_new, U2(n.type), OP_dup, OP_aload_0, OP_invokespecial,
		U2(n.taking), OP_pop);
	EXPECT_LEAK(LEAK_STORED, OP_aload_0, OP_putstatic, U2(n.set));
	EXPECT_LEAK(LEAK_STORED, OP_aload_0, OP_dup, OP_putfield, U2(n.set));
	EXPECT_LEAK(LEAK_STORED, OP_aconst_null, OP_iconst_0, OP_aload_0, OP_aastore);
	EXPECT_LEAK(LEAK_LOCKED, OP_aload_0, OP_monitorenter);
	EXPECT_LEAK(LEAK_THROWN, OP_aload_0, OP_athrow);
	EXPECT_LEAK(LEAK_STORED, OP_aload_0, OP_checkcast, U2(n.type), OP_putstatic, U2(n.set));
}

/* Where it may be this or something else, it counts as this. */
TEST(what_may_be_it)
{
	EXPECT_LEAK(LEAK_STORED, OP_aconst_null, OP_astore_2, OP_iload_1, OP_ifeq, 0, 5, OP_aload_0,
		OP_astore_2, OP_aload_2, OP_putstatic, U2(n.set));
	EXPECT_LEAK(LEAK_NONE, OP_aconst_null, OP_astore_2, OP_iload_1, OP_ifeq, 0, 5,
		OP_aconst_null, OP_astore_2, OP_aload_2, OP_putstatic, U2(n.set));
}

TEST(other_constructors_are_asked_for)
{
	struct class_maker m;
	struct numbers n;
	begin(&m, &n);
	const uint8_t code[] = {OP_aload_0, OP_lconst_0, OP_invokespecial, U2(n.other), OP_return};
	expect(&m, "<init>", (struct made_code){0, 3, 2, slice(code, sizeof(code))},
		LEAK_CONSTRUCTOR);
}

TEST(subroutines_are_a_leak)
{
	EXPECT_LEAK(LEAK_UNKNOWN, OP_jsr, 0, 3);
}

TEST(what_is_not_known_is_a_leak)
{
	struct class_maker m;
	struct numbers n;
	static const uint8_t broken[] = {OP_pop, OP_return}, fine[] = {OP_return};
	begin(&m, &n);
	expect(&m, "<init>", (struct made_code){0, 3, 2, slice(broken, sizeof(broken))},
		LEAK_UNKNOWN);
	begin(&m, &n);
	expect(&m, "other", (struct made_code){0, 3, 2, slice(fine, sizeof(fine))}, LEAK_UNKNOWN);
}

TEST(a_finalizer_is_a_leak)
{
	static const uint8_t fine[] = {OP_return};
	struct class_maker m;
	struct numbers n;
	begin(&m, &n);
	const uint8_t code[] = {SUPER, OP_return};
	class_maker_method(&m, "finalize", "()V", (struct made_code){0, 0, 1, slice(fine, 1)});
	expect(&m, "<init>", (struct made_code){0, 1, 2, slice(code, sizeof(code))},
		LEAK_FINALIZED);
}

TEST(without_handlers_the_same_is_seen)
{
	EXPECT_BARE(LEAK_NONE, OP_nop);
	EXPECT_BARE(LEAK_NONE, OP_aload_0, OP_iload_1, OP_putfield, U2(n.field));
	EXPECT_BARE(LEAK_NONE, OP_aconst_null, OP_astore_2, OP_iconst_0, OP_istore_1);
	EXPECT_BARE(LEAK_NONE, OP_iload_1, OP_ifeq, 0, 8, OP_aload_0, OP_iload_1, OP_putfield,
		U2(n.field));
	EXPECT_BARE(LEAK_STORED, OP_aload_0, OP_putstatic, U2(n.set));
	EXPECT_BARE(LEAK_CALL, OP_aload_0, OP_invokestatic, U2(n.take));
	EXPECT_BARE(LEAK_UNKNOWN, OP_jsr, 0, 3);
}

/* What stands behind the return may be a handler, that stores it. */
TEST(code_that_may_be_a_handlers_is_a_leak)
{
	EXPECT_BARE(LEAK_UNKNOWN, OP_return, OP_pop);
	EXPECT_BARE(LEAK_UNKNOWN, OP_goto, 0, 6, OP_pop, OP_nop, OP_nop);
}

/* A handler may find it there. */
TEST(another_local_is_a_leak_where_handlers_are_not_known)
{
	EXPECT_BARE(LEAK_UNKNOWN, OP_aload_0, OP_astore_2);
	EXPECT_BARE(LEAK_UNKNOWN, OP_aload_0, OP_astore, 2);
	EXPECT_BARE(LEAK_UNKNOWN, OP_aconst_null, OP_astore_0);
	EXPECT_BARE(LEAK_UNKNOWN, OP_iconst_0, OP_istore, 0);
	EXPECT_BARE(LEAK_UNKNOWN, OP_dconst_0, OP_dstore_0);
}

TEST(what_takes_too_much_stack_is_a_leak)
{
	uint8_t code[BARE_STACK_MAX + 2 + 4];
	struct class_maker m;
	struct numbers n;
	begin(&m, &n);
	const uint8_t super[] = {SUPER};
	memcpy(code, super, sizeof(super));
	memset(code + sizeof(super), OP_iconst_0, sizeof(code) - sizeof(super) - 1);
	code[sizeof(code) - 1] = OP_return;
	expect_bare(&m, (struct made_code){0, BARE_STACK_MAX + 9, 3, slice(code, sizeof(code))},
		LEAK_UNKNOWN);
}
