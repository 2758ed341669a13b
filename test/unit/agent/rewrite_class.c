#include "agent/rewrite_class.h"

#include <stdio.h>

#include "agent/age_class.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/insn.h"
#include "classfile/marks.h"
#include "support/class_maker.h"
#include "support/tap.h"

extern const unsigned char age_class_bytes[];
extern const size_t age_class_bytes_len;

/* Numbers of constants in a maker that has just these: x/Y, its constructor, and a call. */
enum { TYPE = 6, INIT = 10, CALL = 14 };

static const uint8_t two_code[] = {
	OP_iconst_1, OP_newarray, 8, OP_pop, OP_iconst_2, OP_newarray, 9, OP_pop, OP_return};
static const uint8_t one_code[] = {OP_new, U2(TYPE), OP_dup, OP_invokespecial, U2(INIT), OP_pop,
	OP_iconst_3, OP_anewarray, U2(TYPE), OP_areturn};
static const uint8_t call_code[] = {OP_invokestatic, U2(CALL), OP_areturn};

/* Class T with the methods `two`, `one` and `call`. Release it. */
static struct buf make(void)
{
	struct class_maker m;
	struct buf out = {0};
	class_maker_init(&m, 49);
	EXPECT_INT(TYPE, class_maker_class(&m, "x/Y"));
	EXPECT_INT(INIT, class_maker_ref(&m, POOL_METHOD, "x/Y", "<init>", "()V"));
	EXPECT_INT(CALL, class_maker_ref(&m, POOL_METHOD, "x/Y", "get", "()Ljava/lang/Object;"));
	class_maker_method(&m, "two", "()V",
		(struct made_code){ACCESS_STATIC, 2, 0, slice(two_code, sizeof(two_code))});
	class_maker_method(&m, "one", "()Ljava/lang/Object;",
		(struct made_code){ACCESS_STATIC, 3, 0, slice(one_code, sizeof(one_code))});
	class_maker_method(&m, "call", "()Ljava/lang/Object;",
		(struct made_code){ACCESS_STATIC, 2, 0, slice(call_code, sizeof(call_code))});
	class_maker_put(&m, &out);
	class_maker_release(&m);
	return out;
}

static struct wish wish(const char *method, const char *descriptor, int32_t bci, const char *made)
{
	return (struct wish){.class_name = "T",
		.method = method,
		.descriptor = descriptor,
		.bci = bci,
		.allocates = made};
}

static struct wish in_two(int32_t bci, const char *made)
{
	return wish("two", "()V", bci, made);
}

static struct wish in_one(int32_t bci, const char *made)
{
	return wish("one", "()Ljava/lang/Object;", bci, made);
}

/* A method's code, out of a class file that is read anew. */
struct read {
	struct class_file file;
	struct code code;
	struct marks marks;
};

static void read_method(
	struct read *r, struct slice file, struct slice name, struct slice descriptor)
{
	struct diag d = {0};
	EXPECT_INT(0, class_file_read(&r->file, file, &d));
	size_t method = class_file_method(&r->file, name, descriptor);
	EXPECT(method < r->file.methods.count);
	EXPECT_INT(0, code_read(&r->code, r->file.methods.at[method].code, &d));
	EXPECT_INT(0, marks_make(&r->marks, &r->code, &d));
}

static void release_read(struct read *r)
{
	marks_release(&r->marks);
	class_file_release(&r->file);
}

/* The constants that the new code names stand behind the old ones: what is left without the calls
 * must be the old code, each instruction where the table says. */
static void expect_moved(struct slice old_file, struct slice new_file, const struct moved_method *m)
{
	struct read was, now;
	size_t next = 0, added = 0;
	read_method(&was, old_file, m->name, m->descriptor);
	read_method(&now, new_file, m->name, m->descriptor);
	EXPECT_INT(m->len, now.code.bytes.len);
	for (uint32_t i = 0; i < now.code.bytes.len; i++) {
		if (!(now.marks.at[i] & MARK_INSN))
			continue;
		if (next == m->count || m->moved[next].now != i) {
			added++;
			continue;
		}
		uint32_t from = m->moved[next++].was;
		EXPECT(was.marks.at[from] & MARK_INSN);
		EXPECT_INT(was.code.bytes.at[from], now.code.bytes.at[i]);
	}
	EXPECT_INT(m->count, next);
	for (size_t i = 0; i < was.code.bytes.len; i++)
		next -= (was.marks.at[i] & MARK_INSN) != 0;
	EXPECT_INT(0, next);
	EXPECT(added >= 2);
	release_read(&was);
	release_read(&now);
}

/* What the inserted call is given to. */
static void expect_call(
	struct slice file, const struct moved_method *m, uint32_t at, const char *name)
{
	struct read r;
	struct pool_member member;
	read_method(&r, file, m->name, m->descriptor);
	const uint8_t *code = r.code.bytes.at;
	EXPECT_INT(OP_dup, code[at]);
	uint32_t call = code[at + 1] == OP_ldc_w ? at + 4 : at + 1;
	EXPECT_INT(OP_invokestatic, code[call]);
	member = pool_member(&r.file.pool, (uint32_t)(code[call + 1] << 8 | code[call + 2]));
	EXPECT(slice_equal(member.owner, slice_str(AGE_CLASS)));
	EXPECT(slice_equal(member.name, slice_str(name)));
	release_read(&r);
}

static struct rewriting rewrite(const struct buf *file, struct wish *w, size_t count)
{
	struct rewriting out;
	EXPECT_INT(0, rewrite_class(slice(file->at, file->len), w, count, &out));
	return out;
}

TEST(objects_are_given_to_it_where_they_are_finished)
{
	struct buf file = make();
	struct wish w[] = {in_two(1, "[B"), in_two(5, "[S"), in_one(0, "Lx/Y;"),
		in_one(9, "[Lx/Y;"), wish("call", "()Ljava/lang/Object;", 0, "[B")};
	static const struct {
		const char *method, *call;
		uint32_t at;
	} calls[] = {{"two", "store", 3}, {"two", "store", 11}, {"one", "swap", 7},
		{"one", "store", 16}, {"call", "result", 3}};
	struct rewriting out = rewrite(&file, w, ARRAY_SIZE(w));
	struct slice was = slice(file.at, file.len), now = slice(out.bytes.at, out.bytes.len);
	EXPECT_INT(3, out.method_count);
	for (size_t i = 0; i < ARRAY_SIZE(w); i++)
		EXPECT_INT(WISH_DONE, w[i].state);
	EXPECT_STR("newarray", w[0].found_opcode);
	EXPECT_STR("new", w[2].found_opcode);
	EXPECT_STR("invokestatic", w[4].found_opcode);
	for (size_t i = 0; i < out.method_count; i++) {
		expect_moved(was, now, &out.methods[i]);
		for (size_t k = 0; k < ARRAY_SIZE(calls); k++)
			if (slice_equal(out.methods[i].name, slice_str(calls[k].method)))
				expect_call(now, &out.methods[i], calls[k].at, calls[k].call);
	}
	rewriting_release(&out);
	buf_release(&file);
}

TEST(a_quiet_constructor_needs_no_swap)
{
	static const struct {
		const char *quiet, *call;
	} rows[] = {{NULL, "swap"}, {"", "swap"}, {"(I)V ", "swap"}, {"()V ", "fresh"},
		{"(I)V ()V (J)V ", "fresh"}};
	struct buf file = make();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct wish w[] = {in_one(0, "Lx/Y;"), in_one(9, "[Lx/Y;")};
		w[0].quiet = w[1].quiet = rows[i].quiet;
		struct rewriting out = rewrite(&file, w, 2);
		expect_call(slice(out.bytes.at, out.bytes.len), &out.methods[0], 7, rows[i].call);
		expect_call(slice(out.bytes.at, out.bytes.len), &out.methods[0], 16, "store");
		EXPECT_INT(strcmp(rows[i].call, "fresh") == 0, w[0].plain);
		EXPECT(!w[1].plain);
		rewriting_release(&out);
	}
	buf_release(&file);
}

TEST(only_what_is_wished_for_is_touched)
{
	struct buf file = make();
	struct wish w[] = {in_two(5, "[S")};
	struct rewriting out = rewrite(&file, w, 1);
	EXPECT_INT(1, out.method_count);
	EXPECT_INT(WISH_DONE, w[0].state);
	EXPECT_INT(sizeof(two_code) + 4, out.methods[0].len);
	rewriting_release(&out);
	buf_release(&file);
}

TEST(what_can_not_be_done_is_refused_and_the_class_stays)
{
	struct buf file = make();
	struct wish opcode = in_two(1, "[B"), hash = opcode;
	opcode.opcode = "anewarray";
	hash.has_hash = true;
	hash.hash = rewrite_hash(slice(two_code, sizeof(two_code))) + 1;
	struct {
		struct wish wish;
		const char *why;
	} cases[] = {
		{wish("three", "()V", 1, "[B"), "the class has no such method"},
		{wish("two", "()I", 1, "[B"), "the class has no such method"},
		{in_two(2, "[B"), "no instruction begins there"},
		{in_two(-1, "[B"), "no instruction begins there"},
		{in_two(9, "[B"), "no instruction begins there"},
		{opcode, "another instruction stands there"},
		{hash, "the method's code is another than the one that was decided on"},
		{in_two(1, "[S"), "the instruction there makes objects of another class"},
		{in_one(0, "Lx/Z;"), "the instruction there makes objects of another class"},
		{in_one(9, "Lx/Y;"), "the instruction there makes objects of another class"},
		{in_two(3, "[B"), "the code there can't be changed"},
		{wish("call", "()Ljava/lang/Object;", 0, "Lx/Y;"),
			"it is made in a call, and its class can't be named there"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rewriting out = rewrite(&file, &cases[i].wish, 1);
		EXPECT_INT(WISH_REFUSED, cases[i].wish.state);
		EXPECT_STR(cases[i].why, cases[i].wish.why);
		EXPECT_INT(0, out.bytes.len);
		EXPECT_INT(0, out.method_count);
		rewriting_release(&out);
	}
	buf_release(&file);
}

/* FNV-1a, computed here once more, and mixed. */
TEST(the_hash_is_of_the_code)
{
	struct buf file = make();
	uint64_t want = 14695981039346656037u;
	for (size_t i = 0; i < sizeof(two_code); i++)
		want = (want ^ two_code[i]) * 1099511628211u;
	want = hash64(want);
	EXPECT(rewrite_hash(slice(two_code, sizeof(two_code))) == want);
	struct wish w = in_two(1, "[B");
	w.has_hash = true;
	w.hash = want;
	struct rewriting out = rewrite(&file, &w, 1);
	EXPECT_INT(WISH_DONE, w.state);
	EXPECT(w.found_hash == want);
	rewriting_release(&out);
	buf_release(&file);
}

TEST(what_is_no_class_file_is_refused)
{
	static const uint8_t bytes[] = {1, 2, 3, 4, 5};
	struct wish w = in_two(1, "[B");
	struct rewriting out;
	EXPECT_INT(0, rewrite_class(slice(bytes, sizeof(bytes)), &w, 1, &out));
	EXPECT_INT(WISH_REFUSED, w.state);
	EXPECT_STR("its class file can't be read", w.why);
	rewriting_release(&out);
}

/* A real class that makes nothing: each byte of each method is refused, for some reason. */
TEST(nothing_is_found_where_nothing_is_made)
{
	struct class_file file;
	struct slice bytes = slice(age_class_bytes, age_class_bytes_len);
	char name[64], descriptor[128];
	EXPECT_INT(0, class_file_read(&file, bytes, NULL));
	EXPECT(slice_equal(file.name, slice_str(AGE_CLASS)));
	EXPECT(file.methods.count >= 5);
	for (size_t i = 0; i < file.methods.count; i++) {
		const struct class_method *m = &file.methods.at[i];
		snprintf(name, sizeof(name), "%.*s", (int)m->name.len, (const char *)m->name.at);
		snprintf(descriptor, sizeof(descriptor), "%.*s", (int)m->descriptor.len,
			(const char *)m->descriptor.at);
		for (int32_t bci = 0; bci < 80; bci++) {
			struct rewriting out;
			struct wish w = wish(name, descriptor, bci, "[B");
			EXPECT_INT(0, rewrite_class(bytes, &w, 1, &out));
			EXPECT(w.state == WISH_REFUSED || out.bytes.len > bytes.len);
			EXPECT(w.state != WISH_REFUSED || (w.why && out.bytes.len == 0));
			rewriting_release(&out);
		}
	}
	class_file_release(&file);
}
