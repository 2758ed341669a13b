/* A made-up method in the test's own memory: java.lang.String.length, of an old pool. */
#ifndef SUPPORT_VM_METHOD_H
#define SUPPORT_VM_METHOD_H

#include "base/compiler.h"
#include "hotspot/methods.h"
#include "support/vm_heap.h"

enum { NAME = 3, DESCRIPTOR, FILE_NAME, NUMBER, CLASS, CLASS_NAME, ENTRIES, CODE = 20 };

struct u1s {
	int32_t length;
	uint8_t data[12];
};
struct pool {
	const struct u1s *tags;
	const struct vm_klass *holder;
	int32_t length;
	uint16_t source_file, gap;
	const struct vm_name *entries[ENTRIES];
};
struct const_method {
	const struct pool *pool;
	int32_t words;
	uint16_t flags, code_bytes, name, descriptor;
	uint32_t gap;
	uint8_t code[40]; /* and lines: line 7 from 0, 9 from 5, 12 from 15 */
};
struct method {
	void *functions;
	const struct const_method *of;
};

static struct vm_name texts[5];
static struct vm_klass klass = {.name = &texts[3]};
static struct u1s tags;
static struct pool pool;
static struct const_method of;
static struct method method = {.of = &of};

static inline struct vm_methods made(void)
{
	static const uint8_t lines[] = {0x07, 0x2a, 0x53, 0x00, 0xff};
	static const char *const all[] = {
		"length", "()I", "String.java", "java/lang/String", "a/X"};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		vm_name_set(&texts[i], all[i]);
	tags = (struct u1s){ENTRIES, {0, 1, 1, 1, 1, 1, 3, 7, 1}};
	pool = (struct pool){&tags, &klass, ENTRIES, FILE_NAME, 0,
		{NULL, NULL, NULL, &texts[0], &texts[1], &texts[2], NULL,
			(const void *)((uintptr_t)CLASS_NAME << 16), &texts[4]}};
	of = (struct const_method){.pool = &pool,
		.words = sizeof(of) / 8,
		.flags = 0x11,
		.code_bytes = CODE,
		.name = NAME,
		.descriptor = DESCRIPTOR};
	memcpy(&of.code[CODE], lines, sizeof(lines));
	return (struct vm_methods){.objects = vm_objects_made(&klass, false),
		.pools = {.holder = offsetof(struct pool, holder),
			.length = offsetof(struct pool, length),
			.bytes = offsetof(struct pool, entries),
			.array_data = 4},
		.numbers = UNSIGNED5_NO_ZERO,
		.const_method = offsetof(struct method, of),
		.words = offsetof(struct const_method, words),
		.flags = offsetof(struct const_method, flags),
		.code_bytes = offsetof(struct const_method, code_bytes),
		.name = offsetof(struct const_method, name),
		.descriptor = offsetof(struct const_method, descriptor),
		.header = offsetof(struct const_method, code),
		.line_flag = 1,
		.source_file = offsetof(struct pool, source_file)};
}

#endif
