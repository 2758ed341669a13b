#include "hotspot/method_ids.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "hotspot/heap_walk.h"
#include "hotspot/vm_fields.h"

enum {
	SLOT_BITS = 17,
	WINDOW = 8, /* slots that an id may be in */
	WORD = 8,
	PLACE_BITS = 48,
	METHODS_MAX = 65536
};

#define TO(field) .to = offsetof(struct method_ids, field)

static int open_fields(struct method_ids *m, const struct vm_structs *s, struct diag *d)
{
	static const struct vm_field fields[] = {
		{"InstanceKlass", "_methods_jmethod_ids", TO(list)},
		{"InstanceKlass", "_methods", TO(methods)},
		{"Method", "_constMethod", TO(const_method)},
		{"ConstMethod", "_method_idnum", TO(number)},
		{"ConstMethod", "_constants", TO(pool)},
		{"ConstantPool", "_pool_holder", TO(holder)},
		{"CodeBlob", "_mutable_data", TO(data)},
		{"CodeBlob", "_mutable_data_size", TO(data_bytes)},
		{"Array<int>", "_length", TO(array_length)},
		{"Array<Method*>", "_data", TO(array_data)},
	};
	int32_t klass = 0;
	int err = vm_fields_read(s, fields, ARRAY_SIZE(fields), m, d);
	if (err)
		return err;
	if (!vm_structs_read(s, "java_lang_Class", "_klass_offset", &klass, sizeof(klass)) ||
		klass <= 0)
		return diag_set(
			d, ERR_UNSUPPORTED, "this VM does not tell java_lang_Class::_klass_offset");
	m->klass = (uint32_t)klass;
	return ERR_NONE;
}

int method_ids_open(struct method_ids *m, const void *inside, struct diag *d)
{
	struct vm_structs s = vm_structs_of(inside);
	int32_t major;
	*m = (struct method_ids){.numbers = false};
	int err = vm_release(&s, &major, d);
	if (err)
		return err;
	m->numbers = major >= METHOD_IDS_NUMBERS_SINCE;
	err = m->numbers ? open_fields(m, &s, d) : ERR_NONE;
	if (!err && m->numbers && method_ids_room(m, SLOT_BITS))
		err = diag_set(d, ERR_NOMEM, "out of memory for methods' ids");
	return err;
}

int method_ids_room(struct method_ids *m, uint32_t bits)
{
	m->bits = bits;
	m->slots = mem_zalloc((1u << bits) + WINDOW, sizeof(*m->slots));
	return m->slots ? ERR_NONE : ERR_NOMEM;
}

void method_ids_release(struct method_ids *m)
{
	mem_free(m->slots);
	*m = (struct method_ids){.numbers = false};
}

/* 0: it can't be read. */
static uintptr_t word_at(uintptr_t at)
{
	uintptr_t v = 0;
	return heap_peek(at, &v, sizeof(v)) ? v : 0;
}

static struct method_id_slot *window(const struct method_ids *m, uint64_t id)
{
	return &m->slots[hash64(id) >> (64 - m->bits)];
}

static uint64_t place_of(uintptr_t klass, uint32_t number)
{
	return klass | (uint64_t)number << PLACE_BITS;
}

static uintptr_t klass_of(uint64_t place)
{
	return (uintptr_t)(place & ((1ull << PLACE_BITS) - 1));
}

static uint32_t number_of(uint64_t place)
{
	return (uint32_t)(place >> PLACE_BITS);
}

/* Whether the class that is there has the id for that method of its: no other class ever has. */
static bool has(const struct method_ids *m, uint64_t place, uint64_t id)
{
	uintptr_t klass = klass_of(place);
	uintptr_t list = klass ? word_at(klass + m->list) : 0;
	return list && word_at(list + WORD * (1 + (uintptr_t)number_of(place))) == id;
}

static struct method_id_slot *find_slot(const struct method_ids *m, uint64_t id)
{
	struct method_id_slot *s = window(m, id);
	for (int i = 0; i < WINDOW; i++) {
		if (atomic_load_explicit(&s[i].id, memory_order_acquire) != id)
			continue;
		if (has(m, atomic_load_explicit(&s[i].place, memory_order_acquire), id))
			return &s[i];
	}
	return NULL;
}

static bool is_numbered(const struct method_ids *m, uintptr_t method, uint32_t number)
{
	uint16_t v = 0;
	uintptr_t at = method ? word_at(method + m->const_method) : 0;
	return at && heap_peek(at + m->number, &v, sizeof(v)) && v == number;
}

/* Of a class's methods the one of that number, which mostly is that one of the list. */
static uintptr_t method_at(const struct method_ids *m, uintptr_t klass, uint32_t number)
{
	int32_t count = 0;
	uintptr_t array = word_at(klass + m->methods);
	if (!array || !heap_peek(array + m->array_length, &count, sizeof(count)) || count <= 0 ||
		count > METHODS_MAX)
		return 0;
	uintptr_t first = array + m->array_data;
	uintptr_t likely = number < (uint32_t)count ? word_at(first + WORD * (uintptr_t)number) : 0;
	if (is_numbered(m, likely, number))
		return likely;
	for (uintptr_t i = 0; i < (uintptr_t)count; i++) {
		uintptr_t method = word_at(first + WORD * i);
		if (is_numbered(m, method, number))
			return method;
	}
	return 0;
}

uintptr_t method_ids_find(const struct method_ids *m, uint64_t id)
{
	if (!m->numbers)
		return *(const volatile uintptr_t *)(uintptr_t)id;
	struct method_id_slot *s = find_slot(m, id);
	if (!s)
		return 0;
	uint64_t place = atomic_load(&s->place);
	uintptr_t method = method_at(m, klass_of(place), number_of(place));
	uintptr_t left = method ? 0 : atomic_load(&s->left);
	return left && method_ids_is(m, id, left) ? left : method;
}

bool method_ids_read(const struct method_ids *m, uint64_t id, method_ids_reader *read, void *arg)
{
	uintptr_t now;
	for (uintptr_t at = method_ids_find(m, id); at; at = now) {
		bool good = read(arg, at);
		now = method_ids_find(m, id);
		if (now == at)
			return good;
	}
	return false;
}

bool method_ids_is(const struct method_ids *m, uint64_t id, uintptr_t method)
{
	uint16_t number = 0;
	if (!m->numbers)
		return method_ids_find(m, id) == method;
	uintptr_t at = method ? word_at(method + m->const_method) : 0;
	uintptr_t pool = at ? word_at(at + m->pool) : 0;
	uintptr_t klass = pool ? word_at(pool + m->holder) : 0;
	return klass && heap_peek(at + m->number, &number, sizeof(number)) &&
	       has(m, place_of(klass, number), id);
}

bool method_ids_lack(const struct method_ids *m, uint64_t id)
{
	return m->numbers && id && !find_slot(m, id);
}

/* Which of the class's methods has the id; -1: none. */
static int search(const struct method_ids *m, uintptr_t klass, uint64_t id)
{
	enum { PART = 64 };
	uint64_t part[PART];
	uintptr_t list = word_at(klass + m->list), count = list ? word_at(list) : 0;
	for (uintptr_t i = 0; i < count && count <= METHODS_MAX; i += PART) {
		uintptr_t some = count - i < PART ? count - i : PART;
		if (!heap_peek(list + WORD * (1 + i), part, WORD * some))
			return -1;
		for (uintptr_t k = 0; k < some; k++)
			if (part[k] == id)
				return (int)(i + k);
	}
	return -1;
}

/* A collection may move the mirror between two reads: then what it is referred to by changes. */
static uintptr_t klass_of_mirror(const struct method_ids *m, const void *mirror)
{
	uintptr_t at, klass;
	do {
		at = *(const volatile uintptr_t *)mirror;
		klass = at ? word_at(at + m->klass) : 0;
	} while (at != *(const volatile uintptr_t *)mirror);
	return klass;
}

/* A free slot, or that of a class which is gone; else the last. */
static struct method_id_slot *room(const struct method_ids *m, uint64_t id)
{
	struct method_id_slot *s = window(m, id);
	for (int i = 0; i < WINDOW - 1; i++) {
		uint64_t old = atomic_load(&s[i].id);
		if (!old || old == id || !has(m, atomic_load(&s[i].place), old))
			return &s[i];
	}
	return &s[WINDOW - 1];
}

void method_ids_learn(struct method_ids *m, uint64_t id, const void *mirror)
{
	uintptr_t klass = klass_of_mirror(m, mirror);
	int number = klass ? search(m, klass, id) : -1;
	if (number < 0)
		return;
	struct method_id_slot *s = room(m, id);
	atomic_store(&s->left, 0);
	atomic_store(&s->place, place_of(klass, (uint32_t)number));
	atomic_store(&s->id, id);
}

/* Among words of which some are Methods; 0: not there. */
static uintptr_t pick(const struct method_ids *m, uint64_t id, const uintptr_t *at, uintptr_t count)
{
	for (uintptr_t i = 0; i < count; i++)
		if (at[i] % WORD == 0 && method_ids_is(m, id, at[i]))
			return at[i];
	return 0;
}

void method_ids_left(struct method_ids *m, uint64_t id, uintptr_t nmethod)
{
	enum { PART = 64, BYTES_MAX = 1 << 20 };
	uintptr_t part[PART], method = 0;
	int32_t bytes = 0;
	struct method_id_slot *s = find_slot(m, id);
	uintptr_t data = word_at(nmethod + m->data);
	if (!s || !data || !heap_peek(nmethod + m->data_bytes, &bytes, sizeof(bytes)) ||
		bytes < 0 || bytes > BYTES_MAX)
		return;
	uintptr_t count = (uintptr_t)bytes / WORD;
	for (uintptr_t i = 0; i < count && !method; i += PART) {
		uintptr_t some = count - i < PART ? count - i : PART;
		if (!heap_peek(data + WORD * i, part, WORD * some))
			return;
		method = pick(m, id, part, some);
	}
	if (method)
		atomic_store(&s->left, method);
}
