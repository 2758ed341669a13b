#include "hotspot/method_ids.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "support/tap.h"

enum { METHODS = 100, BITS = 6 };

/* As much of the VM's as is read. */
struct pool {
	uint64_t before;
	struct klass *holder;
};
struct const_method {
	uint64_t before;
	struct pool *pool;
	uint16_t number;
};
struct method {
	uint64_t before;
	struct const_method *at;
};
struct methods {
	int32_t length;
	struct method *at[METHODS];
};
struct klass {
	uint64_t before;
	struct methods *methods;
	uint64_t *list; /* how many there are, and the ids */
};
struct mirror {
	uint64_t before;
	struct klass *klass;
};
struct nmethod {
	uint64_t before;
	uintptr_t *data;
	int32_t bytes;
};

struct made {
	struct const_method consts[METHODS];
	struct method at[METHODS];
	struct methods methods;
	uint64_t list[1 + METHODS];
	struct klass klass;
	struct pool pool;
	struct mirror mirror, *handle;
};

static void make(struct made *c, uint64_t first)
{
	c->methods.length = METHODS;
	c->list[0] = METHODS;
	for (uint16_t i = 0; i < METHODS; i++) {
		c->consts[i] = (struct const_method){1, &c->pool, i};
		c->at[i].at = &c->consts[i];
		c->methods.at[i] = &c->at[i];
		c->list[1 + i] = first + i;
	}
	c->klass = (struct klass){1, &c->methods, c->list};
	c->pool = (struct pool){1, &c->klass};
	c->mirror = (struct mirror){1, &c->klass};
	c->handle = &c->mirror;
}

static struct method_ids numbers(uint32_t bits)
{
	struct method_ids m = {.numbers = true,
		.list = offsetof(struct klass, list),
		.methods = offsetof(struct klass, methods),
		.const_method = offsetof(struct method, at),
		.number = offsetof(struct const_method, number),
		.pool = offsetof(struct const_method, pool),
		.holder = offsetof(struct pool, holder),
		.data = offsetof(struct nmethod, data),
		.data_bytes = offsetof(struct nmethod, bytes),
		.array_length = offsetof(struct methods, length),
		.array_data = offsetof(struct methods, at),
		.klass = offsetof(struct mirror, klass)};
	EXPECT_INT(ERR_NONE, method_ids_room(&m, bits));
	return m;
}

#define EXPECT_METHOD(want, id) EXPECT_INT((uintptr_t)(want), method_ids_find(&m, id))

static struct made a, b;

TEST(a_pointer_is_followed)
{
	struct method_ids m = {.numbers = false};
	uintptr_t kept = 0x1234;
	EXPECT_METHOD(0x1234, (uint64_t)(uintptr_t)&kept);
	kept = 0;
	EXPECT_METHOD(0, (uint64_t)(uintptr_t)&kept);
	EXPECT(!method_ids_lack(&m, (uint64_t)(uintptr_t)&kept));
	kept = 0x1234;
	EXPECT(method_ids_is(&m, (uint64_t)(uintptr_t)&kept, 0x1234));
	EXPECT(!method_ids_is(&m, (uint64_t)(uintptr_t)&kept, 0x1235));
}

TEST(a_number_is_found_where_its_class_has_it)
{
	struct method_ids m = numbers(BITS);
	make(&a, 70);
	make(&b, 500);
	EXPECT(method_ids_lack(&m, 73));
	EXPECT_METHOD(0, 73);
	method_ids_learn(&m, 73, &a.handle);
	method_ids_learn(&m, 599, &b.handle);
	method_ids_learn(&m, 600, &b.handle); /* which it does not have */
	EXPECT_METHOD(&a.at[3], 73);
	EXPECT_METHOD(&b.at[99], 599);
	EXPECT_METHOD(0, 600);
	EXPECT_METHOD(0, 74);
	EXPECT_METHOD(0, 0);
	EXPECT(!method_ids_lack(&m, 73));
	EXPECT(method_ids_lack(&m, 600));
	EXPECT(!method_ids_lack(&m, 0));
	method_ids_release(&m);
}

/* A redefinition puts new methods into the class, in an order of their own. */
TEST(the_method_is_the_one_of_now)
{
	static struct const_method newer = {1, &a.pool, 3};
	static struct method method = {1, &newer};
	struct method_ids m = numbers(BITS);
	make(&a, 70);
	method_ids_learn(&m, 73, &a.handle);
	a.methods.at[3] = &a.at[9];
	a.methods.at[9] = &method;
	EXPECT_METHOD(&method, 73);
	a.methods.at[9] = &a.at[10];
	EXPECT_METHOD(0, 73);
	method_ids_release(&m);
}

/* What a redefinition left behind, and code still is of, has a number behind those of the class,
 * and an id if it was asked for. */
TEST(a_method_that_was_left_behind_is_known)
{
	static struct const_method consts = {1, &a.pool, METHODS - 1};
	static struct method method = {1, &consts};
	uint64_t id = 70 + METHODS - 1;
	uintptr_t words[100] = {8, (uintptr_t)&a.klass, (uintptr_t)&a.at[0], 0x1235};
	struct nmethod code = {1, words, sizeof(words)}, none = {1, words, 70 * sizeof(*words)};
	struct method_ids m = numbers(BITS);
	make(&a, 70);
	a.methods.length = METHODS - 1;
	words[70] = (uintptr_t)&method;
	method_ids_left(&m, id, (uintptr_t)&code); /* of which nobody told */
	EXPECT_METHOD(0, id);
	method_ids_learn(&m, id, &a.handle);
	EXPECT_METHOD(0, id);
	method_ids_left(&m, id, (uintptr_t)&none);
	EXPECT_METHOD(0, id);
	method_ids_left(&m, id, (uintptr_t)&code);
	EXPECT_METHOD(&method, id);
	consts.number = 5; /* another in its place */
	EXPECT_METHOD(0, id);
	method_ids_release(&m);
}

TEST(what_id_a_method_has)
{
	struct method_ids m = numbers(BITS);
	make(&a, 70);
	EXPECT(method_ids_is(&m, 70, (uintptr_t)&a.at[0]));
	EXPECT(!method_ids_is(&m, 71, (uintptr_t)&a.at[0]));
	EXPECT(!method_ids_is(&m, 70, 0));
	EXPECT(!method_ids_is(&m, 70, (uintptr_t)&a.klass));
	a.pool.holder = NULL;
	EXPECT(!method_ids_is(&m, 70, (uintptr_t)&a.at[0]));
	method_ids_release(&m);
}

TEST(a_class_that_went_has_no_methods)
{
	struct method_ids m = numbers(BITS);
	struct made *gone = mmap(
		NULL, sizeof(*gone), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	make(&a, 70);
	make(gone, 500);
	method_ids_learn(&m, 73, &a.handle);
	method_ids_learn(&m, 501, &gone->handle);
	EXPECT_METHOD(&gone->at[1], 501);
	munmap(gone, sizeof(*gone));
	EXPECT_METHOD(0, 501);
	EXPECT(method_ids_lack(&m, 501));
	make(&a, 170); /* another in its place */
	EXPECT_METHOD(0, 73);
	EXPECT(method_ids_lack(&m, 73));
	method_ids_release(&m);
}

/* How many of a class's are found, all of which are what they should be. */
static int found(const struct method_ids *m, const struct made *c, uint64_t first)
{
	int n = 0;
	for (uint64_t i = 0; i < METHODS; i++) {
		uintptr_t at = method_ids_find(m, first + i);
		EXPECT(at == 0 || at == (uintptr_t)&c->at[i]);
		n += at != 0;
	}
	return n;
}

TEST(what_is_told_of_last_has_room)
{
	struct method_ids m = numbers(BITS);
	make(&a, 1000);
	for (uint64_t i = 0; i < METHODS; i++) {
		method_ids_learn(&m, 1000 + i, &a.handle);
		EXPECT_METHOD(&a.at[i], 1000 + i);
	}
	int kept = found(&m, &a, 1000);
	EXPECT(kept > 1 << (BITS - 1) && kept < METHODS);
	method_ids_release(&m);
}

TEST(those_that_went_make_room)
{
	struct method_ids m = numbers(BITS + 2);
	make(&a, 1000);
	for (uint64_t i = 0; i < METHODS; i++)
		method_ids_learn(&m, 1000 + i, &a.handle);
	EXPECT_INT(METHODS, found(&m, &a, 1000));
	for (uint64_t first = 2000; first < 9000; first += 1000) {
		make(&a, first);
		for (uint64_t i = 0; i < METHODS; i++)
			method_ids_learn(&m, first + i, &a.handle);
		EXPECT_INT(METHODS, found(&m, &a, first));
		EXPECT_INT(0, found(&m, &a, first - 1000));
	}
	method_ids_release(&m);
}

TEST(nonsense_is_not_followed)
{
	struct method_ids m = numbers(BITS);
	make(&a, 70);
	a.list[0] = 1ull << 40;
	method_ids_learn(&m, 73, &a.handle);
	EXPECT_METHOD(0, 73);
	make(&a, 70);
	a.mirror.klass = (struct klass *)8;
	method_ids_learn(&m, 73, &a.handle);
	a.handle = NULL;
	method_ids_learn(&m, 73, &a.handle);
	EXPECT_METHOD(0, 73);
	make(&a, 70);
	method_ids_learn(&m, 73, &a.handle);
	a.methods.length = -1;
	EXPECT_METHOD(0, 73);
	a.methods.length = 2;
	EXPECT_METHOD(0, 73);
	method_ids_release(&m);
}

/* A redefinition exchanges the id's method while it is read, as often as `left` says; then its
 * class goes or not. */
struct reading {
	uintptr_t *place, seen;
	uintptr_t next;
	int left, calls;
	bool goes, good;
};

static bool read_once(void *arg, uintptr_t method)
{
	struct reading *r = arg;
	r->seen = method;
	r->calls++;
	if (r->left-- > 0)
		*r->place = r->next += 8;
	else if (r->goes)
		*r->place = 0;
	return r->good;
}

TEST(what_is_read_of_an_ids_method)
{
	const struct method_ids m = {.numbers = false};
	uintptr_t place = 64;
	uint64_t id = (uintptr_t)&place;
	struct reading r = {.place = &place, .next = 64, .good = true};
	EXPECT(method_ids_read(&m, id, read_once, &r) && r.seen == 64 && r.calls == 1);
	r.good = false;
	EXPECT(!method_ids_read(&m, id, read_once, &r));
	r = (struct reading){.place = &place, .next = 64, .good = true, .left = 3};
	EXPECT(method_ids_read(&m, id, read_once, &r) && r.seen == 88 && r.calls == 4);
	r = (struct reading){.place = &place, .next = 88, .good = true, .left = 1, .goes = true};
	EXPECT(!method_ids_read(&m, id, read_once, &r) && r.calls == 2);
	EXPECT(!method_ids_read(&m, id, read_once, &r) && r.calls == 2);
}
