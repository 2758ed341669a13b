/*
 * Bytes as a class file: it is read, written with nothing inserted (which must be the same bytes),
 * then with a call behind each allocation (once with branches that reach ten bytes, so that many
 * are made wide), and what was written is read again and has the same sites and its calls.
 */
#include <stdint.h>

#include "base/error.h"
#include "classfile/class_edit.h"
#include "classfile/leak.h"
#include "fuzz/fuzz.h"

enum { METHODS_MAX = 64, SITES_MAX = 256 };

static size_t sites_of(struct class_edit *e, size_t method, int *err)
{
	const struct sites *s;
	struct diag d = {""};
	*err = class_edit_sites(e, method, &s, &d);
	FUZZ_CHECK(!*err || d.text[0]);
	return *err ? 0 : s->all.count;
}

static void check_same(struct class_edit *e)
{
	struct buf out = {0};
	FUZZ_CHECK(class_edit_write(e, &out) == ERR_NONE);
	FUZZ_CHECK(slice_equal(e->file.bytes, buf_slice(&out)));
	buf_release(&out);
}

static bool never_safe(void *arg, struct slice owner, struct slice descriptor)
{
	(void)arg;
	return owner.len > descriptor.len;
}

static void judge(struct class_edit *e, size_t method)
{
	static const struct leak_judge judge = {never_safe, NULL};
	enum leak leak;
	FUZZ_CHECK(constructor_leaks(&e->file, &e->file.methods.at[method], &judge, &leak) == 0);
	FUZZ_CHECK(leak < LEAKS);
}

/* Behind each allocation of the method; how many were taken. */
static void insert_all(struct class_edit *e, size_t method, const struct snippet *call)
{
	int err;
	size_t count = sites_of(e, method, &err);
	for (size_t n = 0; n < count && n < SITES_MAX; n++) {
		struct site site = e->methods[method].sites.all.at[n];
		struct diag d = {""};
		err = class_edit_insert_after(e, method, site.bci, site.op, call, &d);
		FUZZ_CHECK(!err == !site.refusal || err == ERR_FULL);
		FUZZ_CHECK(!err || d.text[0]);
	}
}

/* Each insertion stands at its new place. */
static void check_calls(const struct class_edit *e, struct class_edit *again, size_t method)
{
	const struct method_edit *m = &e->methods[method];
	struct layout l;
	if (m->err || !m->insertions.all.count)
		return;
	FUZZ_CHECK(layout_make(&l, m->code.bytes, &m->insertions, e->reach) == ERR_NONE);
	FUZZ_CHECK(again->methods[method].code.bytes.len == l.len);
	for (size_t i = 0; i < m->insertions.all.count; i++) {
		const struct insertion *in = &m->insertions.all.at[i];
		bool last = i + 1 == m->insertions.all.count ||
			    m->insertions.all.at[i + 1].before != in->before;
		const uint8_t *at =
			again->methods[method].code.bytes.at + l.at[in->before] - in->len;
		FUZZ_CHECK(!last || memcmp(at, m->insertions.bytes.at + in->at, in->len) == 0);
	}
	layout_release(&l);
}

static void read_again(const struct class_edit *e, struct slice bytes)
{
	struct class_edit again;
	struct diag d = {""};
	FUZZ_CHECK(class_edit_begin(&again, bytes, &d) == ERR_NONE);
	FUZZ_CHECK(again.file.methods.count == e->file.methods.count);
	for (size_t i = 0; i < again.file.methods.count && i < METHODS_MAX; i++) {
		int err;
		size_t count = sites_of(&again, i, &err);
		if (!e->methods[i].opened)
			continue;
		FUZZ_CHECK(err == ERR_NONE && count == e->methods[i].sites.all.count);
		check_calls(e, &again, i);
	}
	class_edit_release(&again);
}

static void edit(struct slice bytes, uint32_t reach)
{
	struct class_edit e;
	struct snippet_call call;
	struct diag d = {""};
	struct buf out = {0};
	snippet_call_init(&call, "x/H", "made");
	int err = class_edit_begin(&e, bytes, &d);
	FUZZ_CHECK(!err || d.text[0]);
	if (!err) {
		e.reach = reach;
		check_same(&e);
		for (size_t i = 0; i < e.file.methods.count && i < METHODS_MAX; i++) {
			insert_all(&e, i, &call.snippet);
			judge(&e, i);
		}
		FUZZ_CHECK(class_edit_write(&e, &out) == ERR_NONE);
		read_again(&e, buf_slice(&out));
	}
	class_edit_release(&e);
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	edit(slice(data, size), BRANCH_REACH);
	edit(slice(data, size), 10);
	return 0;
}
