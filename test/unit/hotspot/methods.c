#include "hotspot/methods.h"

#include <sys/mman.h>

#include "base/error.h"
#include "hotspot/heap_walk.h"
#include "support/tap.h"
#include "support/vm_method.h"

static bool is(struct slice s, const char *text)
{
	return slice_equal(s, slice_str(text));
}

TEST(names_of_a_method)
{
	struct vm_methods m = made();
	struct vm_method out;
	EXPECT_INT(0, vm_method_read(&m, (uintptr_t)&method, &out));
	EXPECT(is(out.class_name, "java/lang/String"));
	EXPECT(is(out.name, "length"));
	EXPECT(is(out.descriptor, "()I"));
	EXPECT(is(out.source_file, "String.java"));
	EXPECT(out.klass == (uintptr_t)&klass && out.code == (uintptr_t)of.code);
	EXPECT_INT(CODE, out.code_bytes);
	EXPECT(out.has_lines);
	pool.source_file = 0;
	EXPECT_INT(0, vm_method_read(&m, (uintptr_t)&method, &out));
	EXPECT_INT(0, out.source_file.len);
}

TEST(lines_of_a_method)
{
	struct vm_methods m = made();
	EXPECT_INT(7, vm_method_line(&m, (uintptr_t)&method, 0));
	EXPECT_INT(7, vm_method_line(&m, (uintptr_t)&method, 4));
	EXPECT_INT(9, vm_method_line(&m, (uintptr_t)&method, 5));
	EXPECT_INT(12, vm_method_line(&m, (uintptr_t)&method, 19));
	of.words = (int32_t)(m.header + CODE) / 8; /* no room for a table */
	EXPECT_INT(0, vm_method_line(&m, (uintptr_t)&method, 5));
	made();
	of.flags = 0x10;
	EXPECT_INT(0, vm_method_line(&m, (uintptr_t)&method, 5));
}

TEST(places_in_its_code)
{
	struct vm_methods m = made();
	uintptr_t code = (uintptr_t)of.code;
	EXPECT_INT(0, vm_method_bci(&m, (uintptr_t)&method, code));
	EXPECT_INT(CODE - 1, vm_method_bci(&m, (uintptr_t)&method, code + CODE - 1));
	EXPECT_INT(-1, vm_method_bci(&m, (uintptr_t)&method, code + CODE));
	EXPECT_INT(-1, vm_method_bci(&m, (uintptr_t)&method, code - 1));
	EXPECT_INT(-1, vm_method_bci(&m, 0, code));
}

/* Another method that has come to stand in its place. */
TEST(versions_of_its_code)
{
	struct vm_methods m = made();
	uintptr_t code = (uintptr_t)of.code;
	m.pool = offsetof(struct const_method, pool);
	m.name = offsetof(struct const_method, name);
	m.descriptor = offsetof(struct const_method, descriptor);
	uint32_t first = vm_method_version(&m, code);
	of.code[3] ^= 1;
	EXPECT_INT(first, vm_method_version(&m, code)); /* a breakpoint */
	of.name++;
	EXPECT(vm_method_version(&m, code) != first);
	of.name--;
	of.code_bytes++;
	EXPECT(vm_method_version(&m, code) != first);
	of.code_bytes--;
	of.pool = NULL;
	EXPECT(vm_method_version(&m, code) != first);
	EXPECT(first != 0);
}

/* Another method that is run in the same place. */
TEST(keys_of_methods)
{
	struct vm_methods m = made();
	uintptr_t at = (uintptr_t)&method, bcp = (uintptr_t)of.code;
	struct method_key k = {.const_method = m.const_method,
		.names = m.name,
		.pool = offsetof(struct const_method, pool),
		.holder = m.pools.holder};
	uint64_t first = method_key_at(&k, at, bcp);
	EXPECT(method_key_at(&k, at, bcp) == first);
	EXPECT(method_key_at(&k, at, bcp + 1) != first);
	struct method copy = method;
	EXPECT(method_key_at(&k, (uintptr_t)&copy, bcp) != first);
	of.name++;
	EXPECT(method_key_at(&k, at, bcp) != first);
	of.name--;
	of.descriptor++;
	EXPECT(method_key_at(&k, at, bcp) != first);
	of.descriptor--;
	pool.holder = NULL;
	EXPECT(method_key_at(&k, at, bcp) != first);
	k.const_method = 0;
	EXPECT(method_key_at(&k, at, bcp) == bcp && method_key_at(&k, 0, 0) == 0);
}

enum { LONGS = (int32_t)0x80000b03, OBJECTS = (int32_t)0x80000c02, INSTANCE = 16 };

static struct vm_klass made_class;

/* Where in the code the class of that name and layout is made, asked at bci. */
static int maker(const char *class_named, const char *name, int32_t layout, uint32_t bci)
{
	static struct vm_name text;
	struct vm_methods m = made();
	vm_name_set(&texts[4], class_named);
	vm_name_set(&text, name);
	made_class = (struct vm_klass){.layout = layout, .name = &text};
	/* 2: new, dup; 6: newarray long; 8: anewarray; 11: multianewarray, 2; 15: pop; 19: new,
	 * cut off */
	static const uint8_t code[CODE] = {0x57, 0x57, 0xbb, 0, CLASS, 0x59, 0xbc, 11, 0xbd, 0,
		CLASS, 0xc5, 0, CLASS, 2, 0x57, 0x57, 0x57, 0x57, 0xbb};
	memcpy(of.code, code, sizeof(code));
	return vm_method_maker(&m, (uintptr_t)&method, bci, (uintptr_t)&made_class);
}

TEST(what_makes_an_object)
{
	EXPECT_INT(2, maker("a/X", "a/X", INSTANCE, 2));
	EXPECT_INT(2, maker("a/X", "a/X", INSTANCE, 5)); /* behind it */
	EXPECT_INT(2, maker("a/X", "a/X", INSTANCE, 6)); /* and behind the dup */
	EXPECT_INT(-1, maker("a/X", "a/X", INSTANCE, 3));
	EXPECT_INT(-1, maker("a/X", "a/X", INSTANCE, 8));
	EXPECT_INT(-1, maker("a/X", "a/Y", INSTANCE, 2));
	EXPECT_INT(-1, maker("a/X", "a/XX", INSTANCE, 2));
	EXPECT_INT(-1, maker("a/X", "a/X", INSTANCE, CODE - 1));
	EXPECT_INT(-1, maker("a/X", "a/X", INSTANCE, CODE));
	EXPECT_INT(-1, maker("a/X", "a/X", INSTANCE, UINT32_MAX));
}

TEST(what_makes_an_array)
{
	EXPECT_INT(6, maker("a/X", "[J", LONGS, 6));
	EXPECT_INT(6, maker("a/X", "[J", LONGS, 8));
	EXPECT_INT(-1, maker("a/X", "[I", LONGS - 0x100, 6));
	EXPECT_INT(8, maker("a/X", "[La/X;", OBJECTS, 8));
	EXPECT_INT(8, maker("a/X", "[La/X;", OBJECTS, 11));
	EXPECT_INT(-1, maker("a/X", "[La/Y;", OBJECTS, 8));
	EXPECT_INT(-1, maker("a/X", "[La/XX;", OBJECTS, 8));
	EXPECT_INT(-1, maker("a/X", "[[La/X;", OBJECTS, 8));
	EXPECT_INT(-1, maker("a/X", "[La/X;", OBJECTS, 6));
	EXPECT_INT(8, maker("[I", "[[I", OBJECTS, 8));
	EXPECT_INT(-1, maker("[I", "[[J", OBJECTS, 8));
	EXPECT_INT(11, maker("[[[I", "[[[I", OBJECTS, 11));
	EXPECT_INT(11, maker("[[[I", "[[I", OBJECTS, 15));
	EXPECT_INT(-1, maker("[[[I", "[[J", OBJECTS, 11));
	EXPECT_INT(-1, maker("[[I", "[[[I", OBJECTS, 15));
}

TEST(what_makes_nothing_that_is_known)
{
	struct vm_methods m = made();
	maker("a/X", "java/lang/String", INSTANCE, 2);
	tags.data[CLASS_NAME] = 7; /* its name is none */
	EXPECT_INT(-1, vm_method_maker(&m, (uintptr_t)&method, 2, (uintptr_t)&klass));
	tags.data[CLASS_NAME] = 1;
	of.code[4] = 200; /* an index behind the pool's end */
	EXPECT_INT(-1, vm_method_maker(&m, (uintptr_t)&method, 2, (uintptr_t)&klass));
	of.code[4] = CLASS;
	EXPECT_INT(-1, vm_method_maker(&m, (uintptr_t)&method + 4, 2, (uintptr_t)&klass));
	vm_name_set(&texts[4], "java/lang/String");
	klass.layout = INSTANCE;
	EXPECT_INT(2, vm_method_maker(&m, (uintptr_t)&method, 2, (uintptr_t)&klass));
}

/* Where its code was the page is gone. */
TEST(what_a_method_makes_that_is_gone)
{
	struct vm_methods m = made();
	struct const_method *gone = mmap(
		NULL, sizeof(*gone), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct method unloaded = {.of = gone};
	EXPECT(gone != MAP_FAILED);
	EXPECT_INT(2, maker("a/X", "a/X", INSTANCE, 2));
	*gone = of;
	EXPECT_INT(2, vm_method_maker(&m, (uintptr_t)&unloaded, 2, (uintptr_t)&made_class));
	EXPECT_INT(0, mprotect(gone, sizeof(*gone), PROT_NONE));
	EXPECT_INT(-1, vm_method_maker(&m, (uintptr_t)&unloaded, 2, (uintptr_t)&made_class));
	munmap(gone, sizeof(*gone));
}

/* Where it was the page is gone. */
TEST(what_makes_objects_of_a_class_that_is_gone)
{
	struct vm_methods m = made();
	struct vm_klass *gone =
		mmap(NULL, sizeof(*gone), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char text[8];
	EXPECT(gone != MAP_FAILED);
	maker("a/X", "a/X", INSTANCE, 2);
	EXPECT_INT(-1, vm_method_maker(&m, (uintptr_t)&method, 2, (uintptr_t)gone));
	EXPECT(!heap_peek_name(&m.objects, (uintptr_t)gone, text, sizeof(text)));
	EXPECT(heap_peek_name(&m.objects, (uintptr_t)&made_class, text, sizeof(text)));
	EXPECT_STR("a/X", text);
	EXPECT(heap_peek_name(&m.objects, (uintptr_t)&made_class, text, 3));
	EXPECT_STR("a/", text);
	munmap(gone, sizeof(*gone));
}

TEST(what_is_no_method)
{
	struct vm_methods m = made();
	struct vm_method out;
	static const uint16_t names[] = {0, NUMBER, ENTRIES, UINT16_MAX};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		of.name = names[i];
		EXPECT_INT(ERR_CORRUPT, vm_method_read(&m, (uintptr_t)&method, &out));
	}
	of.name = NAME;
	pool.length = -1;
	EXPECT_INT(ERR_CORRUPT, vm_method_read(&m, (uintptr_t)&method, &out));
	EXPECT_INT(ERR_CORRUPT, vm_method_read(&m, (uintptr_t)&method + 4, &out));
	EXPECT_INT(ERR_CORRUPT, vm_method_read(&m, 0, &out));
}
