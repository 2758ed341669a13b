#include "hotspot/method_peek.h"

#include <sys/mman.h>

#include "hotspot/heap_walk.h"
#include "support/tap.h"
#include "support/vm_method.h"

static bool is(const struct buf *b, const char *text)
{
	return slice_equal(buf_slice(b), slice_str(text));
}

static bool is_text(const struct vm_methods *m, const struct method_peek *p, uint32_t constant,
	const char *text)
{
	struct buf b = {.at = NULL};
	bool yes = method_peek_text(m, p, constant, &b) && is(&b, text);
	buf_release(&b);
	return yes;
}

static void expect_names(const struct vm_methods *m, const struct method_peek *p)
{
	struct method_names n;
	EXPECT(method_peek_names(m, p, &n));
	EXPECT(is(&n.class_name, "java/lang/String"));
	EXPECT(is(&n.name, "length"));
	EXPECT(is(&n.descriptor, "()I"));
	method_names_release(&n);
}

TEST(names_of_a_method)
{
	struct vm_methods m = made();
	struct method_peek p;
	EXPECT(method_peek(&m, (uintptr_t)&method, &p));
	EXPECT(p.klass == (uintptr_t)&klass && p.code == (uintptr_t)of.code);
	EXPECT_INT(CODE, p.code_bytes);
	expect_names(&m, &p);
	EXPECT(is_text(&m, &p, p.source_file, "String.java"));
	pool.source_file = 0;
	EXPECT(method_peek(&m, (uintptr_t)&method, &p));
	EXPECT(!is_text(&m, &p, p.source_file, ""));
}

/* Plain loads, where nothing can go, say the same. */
TEST(names_of_a_method_that_is_held)
{
	struct vm_methods m = made();
	struct method_peek p;
	heap_hold_meta(true);
	EXPECT(method_peek(&m, (uintptr_t)&method, &p));
	expect_names(&m, &p);
	EXPECT(!method_peek(&m, 0, &p) && !method_peek(&m, (uintptr_t)&method + 1, &p));
	heap_hold_meta(false);
	EXPECT(!method_peek(&m, 8, &p)); /* which a load would not survive */
}

/* 11 has the file's name in the class. */
TEST(file_of_its_class)
{
	struct vm_methods m = made();
	struct method_peek p;
	m.source_file = 0;
	m.klass_source_file = offsetof(struct vm_klass, gap);
	klass.gap = FILE_NAME;
	EXPECT(method_peek(&m, (uintptr_t)&method, &p));
	EXPECT(is_text(&m, &p, p.source_file, "String.java"));
	m.klass_source_file = 0;
	EXPECT(method_peek(&m, (uintptr_t)&method, &p) && !p.source_file);
}

TEST(texts_of_constants)
{
	struct vm_methods m = made();
	struct method_peek p;
	struct buf b = {.at = NULL};
	EXPECT(method_peek(&m, (uintptr_t)&method, &p));
	EXPECT(method_peek_class_text(&m, &p, CLASS, &b) && is(&b, "a/X"));
	EXPECT(!method_peek_class_text(&m, &p, NUMBER, &b));
	EXPECT(!method_peek_text(&m, &p, NUMBER, &b));
	EXPECT(!method_peek_text(&m, &p, ENTRIES, &b));
	EXPECT(!method_peek_text(&m, &p, 0, &b));
	EXPECT(method_peek_text(&m, &p, NAME, &b) && is(&b, "a/Xlength"));
	buf_release(&b);
}

TEST(its_code)
{
	struct vm_methods m = made();
	struct method_peek p;
	uint8_t code[2];
	of.code[CODE - 1] = 7;
	EXPECT(method_peek(&m, (uintptr_t)&method, &p));
	EXPECT(method_peek_code(&p, CODE - 2, code, 2) && code[1] == 7);
	EXPECT(!method_peek_code(&p, CODE - 1, code, 2));
	EXPECT(!method_peek_code(&p, UINT32_MAX, code, 2));
	EXPECT(!method_peek_code(&p, 0, code, CODE + 1));
}

TEST(its_lines)
{
	struct vm_methods m = made();
	struct method_peek p;
	struct buf b = {.at = NULL};
	EXPECT(method_peek(&m, (uintptr_t)&method, &p));
	EXPECT(method_peek_lines(&p, &b));
	EXPECT_INT(9, line_table_line(buf_slice(&b), m.numbers, 5));
	buf_clear(&b);
	of.flags = 0x10;
	EXPECT(method_peek(&m, (uintptr_t)&method, &p));
	EXPECT(method_peek_lines(&p, &b) && b.len == 0);
	made();
	of.words = (int32_t)(m.header + CODE) / 8 - 1; /* less than its code */
	EXPECT(method_peek(&m, (uintptr_t)&method, &p) && p.line_bytes == 0);
	buf_release(&b);
}

TEST(what_is_no_method)
{
	struct vm_methods m = made();
	struct method_peek p;
	struct method_names n;
	EXPECT(!method_peek(&m, 0, &p));
	EXPECT(!method_peek(&m, (uintptr_t)&method + 4, &p));
	static const uint16_t names[] = {0, NUMBER, ENTRIES, UINT16_MAX};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		of.name = names[i];
		EXPECT(method_peek(&m, (uintptr_t)&method, &p) && !method_peek_names(&m, &p, &n));
		method_names_release(&n);
	}
	pool.holder = NULL;
	EXPECT(!method_peek(&m, (uintptr_t)&method, &p));
	of.pool = NULL;
	EXPECT(!method_peek(&m, (uintptr_t)&method, &p));
}

/* All of a method's in one page, which goes after a step of the reading or other. */
struct loaded {
	struct method method;
	struct const_method of;
	struct pool pool;
	struct u1s tags;
	struct vm_klass klass;
};

static struct loaded *load(void)
{
	struct loaded *l =
		mmap(NULL, sizeof(*l), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(l != MAP_FAILED);
	*l = (struct loaded){method, of, pool, tags, klass};
	l->method.of = &l->of;
	l->of.pool = &l->pool;
	l->pool.tags = &l->tags;
	l->pool.holder = &l->klass;
	return l;
}

TEST(a_method_whose_class_goes)
{
	struct vm_methods m = made();
	struct loaded *l = load();
	struct method_peek p;
	struct method_names n;
	struct buf lines = {.at = NULL};
	uint8_t code[2];
	EXPECT(method_peek(&m, (uintptr_t)&l->method, &p));
	expect_names(&m, &p);
	EXPECT_INT(0, mprotect(l, sizeof(*l), PROT_NONE));
	EXPECT(!method_peek_names(&m, &p, &n));
	EXPECT(!method_peek_lines(&p, &lines) && !method_peek_code(&p, 0, code, 2));
	EXPECT(!method_peek(&m, (uintptr_t)&l->method, &p));
	method_names_release(&n);
	buf_release(&lines);
	munmap(l, sizeof(*l));
}
