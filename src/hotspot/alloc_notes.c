#include "hotspot/alloc_notes.h"

#include "base/error.h"
#include "hotspot/code_scan.h"
#include "hotspot/object_trace.h"
#include "hotspot/sdt_note.h"
#include "hotspot/unwind_table.h"

/* Each of them takes a look through the whole table of ranges. */
enum { PLACES_MAX = 16, JUMPS_MAX = 16 };
enum { SIZE_VALUE = 3, WIDE = 8, FUNCTIONS_BEFORE_18 = 2, FUNCTIONS_SINCE_18 = 3 };

static int say(struct diag *why, const char *text)
{
	return diag_set(why, ERR_UNSUPPORTED, "%s", text);
}

/* The function with the probe; where the table begins it, not at a part of it. */
static int read_function(struct alloc_note *out, const struct vm_library *l,
	const struct sdt_note *note, struct diag *why)
{
	struct unwind_range r;
	struct object_trace t;
	if (unwind_table_find(&l->elf, note->address, &r) != ERR_NONE)
		return say(why, "it can't be told where one of its functions begins");
	int err = object_trace_find(&t, vm_library_code(l, r.address, r.size),
		note->address - r.address, note->arguments, why);
	*out = (struct alloc_note){r.address, r.size, t.object, t.words};
	return err;
}

/* A function may have the probe more than once; then all must agree. */
static int keep(struct alloc_notes *out, const struct alloc_note *one, struct diag *why)
{
	for (size_t i = 0; i < out->count; i++) {
		const struct alloc_note *old = &out->at[i];
		if (old->address != one->address)
			continue;
		return old->object == one->object && old->words == one->words
			       ? ERR_NONE
			       : say(why, "its places do not agree");
	}
	if (out->count == ALLOC_NOTES_MAX)
		return say(why, "it is in more functions than mayfly knows");
	out->at[out->count++] = *one;
	return ERR_NONE;
}

static int read_notes(struct alloc_notes *out, const struct vm_library *l, struct diag *why)
{
	struct sdt_notes notes;
	struct sdt_note note;
	struct alloc_note one;
	size_t places = 0;
	int err = sdt_notes_open(&notes, &l->elf);
	while (!err && sdt_notes_next(&notes, &note)) {
		if (!slice_equal(note.provider, slice_str("hotspot")) ||
			!slice_equal(note.name, slice_str("object__alloc")))
			continue;
		if (places++ == PLACES_MAX)
			return say(why, "it is in more places than mayfly knows");
		err = read_function(&one, l, &note, why);
		err = err ? err : keep(out, &one, why);
		out->wide = sdt_argument(note.arguments, SIZE_VALUE).size == WIDE;
	}
	if (err == ERR_NOT_FOUND || (!err && !out->count))
		return diag_set(why, ERR_NOT_FOUND, "it has no notes of it");
	return err;
}

/* Jumps to the function from other functions, `most` at most. */
static size_t count_jumps(const struct vm_library *l, const struct alloc_note *to, size_t most)
{
	struct slice all = l->code.bytes;
	struct unwind_range r;
	size_t count = 0, looks = 0, at;
	for (size_t from = 0; count < most && looks < JUMPS_MAX &&
			      code_scan_jump(all, l->code.address, to->address, from, &at);
		from = at + 1) {
		if (l->code.address + at - to->address < to->size)
			continue;
		looks++;
		count += unwind_table_find(&l->elf, l->code.address + at, &r) == ERR_NONE;
	}
	return count;
}

/* The sources have two or three functions: those without a probe of their own are jumps. */
static int check_all(const struct alloc_notes *n, const struct vm_library *l, struct diag *why)
{
	size_t expected = n->wide ? FUNCTIONS_SINCE_18 : FUNCTIONS_BEFORE_18, all = n->count;
	for (size_t i = 0; all < expected && i < n->count; i++)
		all += count_jumps(l, &n->at[i], expected - all);
	return all < expected ? say(why, "its functions seem to call each other") : ERR_NONE;
}

int alloc_notes_find(struct alloc_notes *out, const struct vm_library *l, struct diag *why)
{
	*out = (struct alloc_notes){.count = 0};
	int err = read_notes(out, l, why);
	return err ? err : check_all(out, l, why);
}
