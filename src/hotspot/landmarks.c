#include "hotspot/landmarks.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/alloc_notes.h"
#include "hotspot/code_patch.h"
#include "hotspot/empty_function.h"
#include "hotspot/endbr64.h"

enum kind { ENTRY, TOLD, CODE, VARIABLE };
enum { NAMES_MAX = 3, HEAD = 8, PATCHED_MAX = ENDBR64_LEN + CODE_PATCH_JUMP };

static const struct row {
	const char *text;
	enum kind kind;
	uint64_t least;
	const char *names[NAMES_MAX];
} rows[] = {
#define LANDMARK(id, text, kind, least, ...) [LANDMARK_##id] = {text, kind, least, {__VA_ARGS__}},
#include "hotspot/landmarks.def"
#undef LANDMARK
};

static const struct {
	const char *name, *text;
} states[LANDMARK_STATES] = {
	[LANDMARK_FOUND] = {"found", "is there"},
	[LANDMARK_MISSING] = {"missing", "is not in the library's symbols"},
	[LANDMARK_AMBIGUOUS] = {"ambiguous", "is there more than once"},
	[LANDMARK_SMALL] = {"small", "is smaller than it can be"},
	[LANDMARK_PROLOGUE] = {"prologue", "does not begin as expected"},
	[LANDMARK_HOOKED] = {"hooked", "begins with a jump or a trap: another tool has patched it"},
	[LANDMARK_SHARED] = {"shared", "does nothing and shares its bytes with another function"},
};

/* What the functions of allocation are called, whatever their parameters. */
static const char *const families[] = {"_ZN13SharedRuntime19dtrace_object_allocE",
	"_ZN13SharedRuntime24dtrace_object_alloc_baseE"};

static bool begins(struct slice text, const char *with)
{
	size_t len = strlen(with);
	return text.len >= len && memcmp(text.at, with, len) == 0;
}

enum landmark_object landmark_object_of(struct slice mangled)
{
	static const struct {
		const char *parameters;
		enum landmark_object object;
	} forms[] = {{"P7oopDesc", LANDMARK_OBJECT_RDI}, {"P6ThreadP7oopDesc", LANDMARK_OBJECT_RSI},
		{"P10JavaThreadP7oopDesc", LANDMARK_OBJECT_RSI}};
	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		if (!begins(mangled, families[i]))
			continue;
		size_t skip = strlen(families[i]);
		struct slice rest = slice(mangled.at + skip, mangled.len - skip);
		for (size_t k = 0; k < ARRAY_SIZE(forms); k++)
			if (begins(rest, forms[k].parameters))
				return forms[k].object;
	}
	return LANDMARK_OBJECT_NONE;
}

static enum landmark_state judge_entry(struct slice head)
{
	static const struct {
		uint8_t len, bytes[2];
		enum landmark_state state;
	} heads[] = {{1, {0x55}, LANDMARK_FOUND}, {1, {0xe9}, LANDMARK_HOOKED},
		{2, {0xff, 0x25}, LANDMARK_HOOKED}, {2, {0x48, 0xb8}, LANDMARK_HOOKED},
		{1, {0xcc}, LANDMARK_HOOKED}};
	size_t mark = endbr64_len(head);
	head = slice(head.at + mark, head.len - mark);
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		if (memcmp(head.at, heads[i].bytes, heads[i].len) == 0)
			return heads[i].state;
	return LANDMARK_PROLOGUE;
}

/* Functions that begin where the patch would stand; 1: this one alone. */
static size_t count_within(const struct symbols *all, uint64_t address)
{
	size_t count = 0;
	for (size_t i = 0; i < all->count; i++) {
		struct symbol s = symbols_at(all, i);
		count += s.function && s.address - address < PATCHED_MAX;
	}
	return count;
}

/* What does nothing, and may be smaller than its patch: nothing may be behind it that someone runs.
 * Where it is not what it was, somebody has been there before. */
static enum landmark_state judge_small(const struct symbol *s, const struct vm_library *l)
{
	size_t size = s->size > PATCHED_MAX ? s->size : PATCHED_MAX;
	struct slice code = vm_library_code(l, s->address, size);
	if (code.len >= HEAD && judge_entry(slice(code.at, HEAD)) == LANDMARK_HOOKED)
		return LANDMARK_HOOKED;
	if (!empty_function_is(code, s->size))
		return LANDMARK_SMALL;
	return count_within(&l->symbols, s->address) == 1 ? LANDMARK_FOUND : LANDMARK_SHARED;
}

static enum landmark_state judge(
	const struct row *r, const struct symbol *s, const struct vm_library *l)
{
	if (s->function != (r->kind != VARIABLE))
		return LANDMARK_MISSING;
	if (s->size < r->least)
		return r->kind == TOLD ? judge_small(s, l) : LANDMARK_SMALL;
	if (r->kind == VARIABLE)
		return LANDMARK_FOUND;
	struct slice code = vm_library_code(l, s->address, s->size);
	if (code.len < HEAD)
		return LANDMARK_PROLOGUE;
	return r->kind == CODE ? LANDMARK_FOUND : judge_entry(slice(code.at, HEAD));
}

static bool is_number(struct slice text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.at[i] < '0' || text.at[i] > '9')
			return false;
	return text.len > 0;
}

/* Of all that a compiler numbered: what has more behind its number is a part of such a part. */
static size_t find_numbered(const struct symbols *all, const char *stem, struct symbol *out)
{
	size_t count = 0, len = strlen(stem);
	struct symbol s;
	*out = (struct symbol){.size = 0};
	if (!symbols_find(all, stem, true, &s))
		return 0;
	for (size_t i = 0; i < all->count; i++) {
		s = symbols_at(all, i);
		if (!begins(s.name, stem) || !is_number(slice(s.name.at + len, s.name.len - len)))
			continue;
		*out = s;
		count++;
	}
	return count;
}

static size_t find_name(const struct symbols *all, const char *name, struct symbol *out)
{
	bool numbered = name[strlen(name) - 1] == '.';
	return numbered ? find_numbered(all, name, out) : symbols_find(all, name, false, out);
}

static void find(struct landmark_found *f, const struct row *r, const struct vm_library *l)
{
	struct symbol s, one = {.size = 0};
	size_t count = 0;
	for (int i = 0; i < NAMES_MAX && r->names[i]; i++) {
		size_t more = find_name(&l->symbols, r->names[i], &s);
		one = more ? s : one;
		count += more;
	}
	*f = (struct landmark_found){.state = count ? LANDMARK_AMBIGUOUS : LANDMARK_MISSING};
	if (count != 1)
		return;
	f->state = judge(r, &one, l);
	f->object = landmark_object_of(one.name);
	f->address = one.address;
	f->size = one.size;
	f->at = vm_library_at(l, one.address);
}

/* Functions, not the clones of some: those have a dot in their name. */
static size_t count_family(const struct vm_library *l, const char *family)
{
	size_t count = 0;
	struct symbol s;
	if (!symbols_find(&l->symbols, family, true, &s))
		return 0;
	for (size_t i = 0; i < l->symbols.count; i++) {
		s = symbols_at(&l->symbols, i);
		count +=
			s.function && begins(s.name, family) && !memchr(s.name.at, '.', s.name.len);
	}
	return count;
}

static enum landmark slot_of(const struct alloc_note *n, bool wide)
{
	if (n->object == 0)
		return LANDMARK_ALLOC;
	return wide && n->words >= 0 ? LANDMARK_ALLOC_SIZE : LANDMARK_ALLOC_THREAD;
}

/* A function that was found by its note; false: it is none of the table's, or there twice. */
static bool put_noted(
	struct landmarks *out, const struct alloc_note *n, bool wide, const struct vm_library *l)
{
	enum landmark id = slot_of(n, wide);
	struct landmark_found *f = &out->found[id];
	const struct symbol s = {.address = n->address, .size = n->size, .function = true};
	if (n->object > 1 || f->state != LANDMARK_MISSING)
		return false;
	*f = (struct landmark_found){.state = judge(&rows[id], &s, l),
		.object = n->object == 0 ? LANDMARK_OBJECT_RDI : LANDMARK_OBJECT_RSI,
		.address = n->address,
		.size = n->size,
		.at = vm_library_at(l, n->address)};
	return true;
}

/* What the VM's probe tells where the names are gone: births, and nothing else. */
static void find_noted(struct landmarks *out, const struct vm_library *l)
{
	struct alloc_notes notes;
	out->noted = alloc_notes_find(&notes, l, &out->why) == ERR_NONE;
	out->wide = out->noted && notes.wide;
	for (size_t i = 0; out->noted && i < notes.count; i++)
		out->noted = put_noted(out, &notes.at[i], notes.wide, l);
	if (out->noted)
		return;
	for (int id = LANDMARK_ALLOC; id <= LANDMARK_ALLOC_SIZE; id++)
		out->found[id] = (struct landmark_found){.state = LANDMARK_MISSING};
	if (!out->why.text[0])
		snprintf(out->why.text, sizeof(out->why.text),
			"its functions are none that mayfly knows");
}

void landmarks_find(struct landmarks *out, const struct vm_library *l)
{
	*out = (struct landmarks){.strange = 0};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		find(&out->found[i], &rows[i], l);
	size_t all = 0, known = 0;
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		all += count_family(l, families[i]);
	for (int id = LANDMARK_ALLOC; id <= LANDMARK_ALLOC_SIZE; id++)
		known += out->found[id].object != LANDMARK_OBJECT_NONE;
	out->strange = all > known ? all - known : 0;
	if (!l->symbols.whole && !known)
		find_noted(out, l);
}

uint8_t *landmarks_at(const struct landmarks *m, enum landmark id)
{
	return m->found[id].state == LANDMARK_FOUND ? m->found[id].at : NULL;
}

const char *landmark_name(enum landmark id)
{
	return rows[id].text;
}

const char *landmark_state_name(enum landmark_state s)
{
	return states[s].name;
}

const char *landmark_state_text(enum landmark_state s)
{
	return states[s].text;
}
