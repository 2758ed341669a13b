#include "hotspot/fast_path.h"

#include <stdatomic.h>

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/code_scan.h"

/* The beginning of C2's Node, the same on 11 and 17. */
struct node {
	void *functions;
	struct node **in, **out;
	uint32_t in_count, in_max, out_count, out_max;
};
enum { CONTROL = 0, MEMORY = 2, DISPLACEMENT = 4 };

typedef void expand_function(void *macro, void *allocate, struct node *object,
	struct node **control, struct node **memory);
typedef void grow_function(struct node *n, uint32_t size);

/* Set before the patch that leads compiler threads here, and never again. */
static expand_function *part;
static grow_function *grow;
static atomic_uint_least64_t mended, missed;

uint64_t fast_path_mended(void)
{
	return atomic_load_explicit(&mended, memory_order_relaxed);
}

uint64_t fast_path_missed(void)
{
	return atomic_load_explicit(&missed, memory_order_relaxed);
}

/* As Node::add_out. */
static void add_out(struct node *n, struct node *user)
{
	if (!n->out)
		return; /* the top node: it keeps no users */
	if (n->out_count == n->out_max)
		grow(n, n->out_count);
	n->out[n->out_count++] = user;
}

/*
 * 17 gives the call of the probe the control as its memory, where upstream gives it the memory that
 * was before. Nothing else has been linked to the control since, so the call is its last user.
 */
static bool mend(struct node *call, struct node *control, struct node *memory)
{
	bool expected = call && memory && call->in_count > MEMORY && call->in[MEMORY] == control &&
			control->out && control->out_count &&
			control->out[control->out_count - 1] == call;
	if (!expected)
		return false;
	control->out_count--;
	call->in[MEMORY] = memory;
	add_out(memory, call);
	return true;
}

static void expand_probe(void *macro, void *allocate, struct node *object, struct node **control,
	struct node **memory)
{
	struct node *old_control = *control, *old_memory = *memory;
	part(macro, allocate, object, control, memory);
	struct node *call = (*memory)->in[CONTROL]; /* the projection's own node */
	bool done = mend(call, old_control, old_memory);
	atomic_fetch_add_explicit(done ? &mended : &missed, 1, memory_order_relaxed);
}

static int need(const struct landmarks *m, enum landmark id, struct diag *d)
{
	enum landmark_state s = m->found[id].state;
	return s == LANDMARK_FOUND ? ERR_NONE
				   : diag_set(d, ERR_NOT_FOUND, "%s %s", landmark_name(id),
					     landmark_state_text(s));
}

static struct slice code_of(const struct vm_library *l, const struct landmarks *m, enum landmark id)
{
	return vm_library_code(l, m->found[id].address, m->found[id].size);
}

/*
 * Where the one displacement `from` is that shall become `to`. Only one byte may differ, so that a
 * compiler thread sees the old one or the new.
 */
static int find_read(struct slice code, uint32_t from, uint32_t to, size_t *at, struct diag *d)
{
	size_t count = code_scan_reads(code, from, at);
	if (count != 1)
		return diag_set(d, ERR_UNSUPPORTED,
			"C2's expansion of allocations reads the flag at +0x%x at %zu places, not "
			"at one",
			(unsigned)from, count);
	if ((from ^ to) > UINT8_MAX)
		return diag_set(d, ERR_UNSUPPORTED,
			"the flags at +0x%x and +0x%x differ in more than one byte", (unsigned)from,
			(unsigned)to);
	return ERR_NONE;
}

static int find_displacements(struct fast_path *f, struct slice code, uint64_t address,
	uint32_t extended, uint32_t alloc, struct diag *d)
{
	uint32_t method = alloc - 1;
	size_t alloc_at = 0, extended_at = 0;
	int err = find_read(code, alloc, method, &alloc_at, d);
	if (!err)
		err = find_read(code, extended, alloc, &extended_at, d);
	f->alloc_at = address + alloc_at;
	f->alloc_byte = (uint8_t)method;
	f->extended_at = address + extended_at;
	f->extended_byte = (uint8_t)alloc;
	return err;
}

/* 17: the probe's expansion has a function of its own, of which the compiler made two. */
static int find_call(struct fast_path *f, struct slice code, uint64_t address,
	const struct landmarks *m, struct diag *d)
{
	const struct landmark_found *entry = &m->found[LANDMARK_PROBE];
	size_t at = 0, count;
	int err = need(m, LANDMARK_PROBE_PART, d);
	if (!err)
		err = need(m, LANDMARK_OUT_GROW, d);
	if (err)
		return err;
	f->part = m->found[LANDMARK_PROBE_PART].address;
	f->grow = m->found[LANDMARK_OUT_GROW].address;
	f->entry = entry->address;
	count = code_scan_calls(code, address, f->part, &at);
	if (count != 1 || code_scan_calls(code, address, f->entry, &at) != 0)
		return diag_set(d, ERR_UNSUPPORTED,
			"C2's expansion of allocations calls that of the probe at %zu places, not "
			"at one",
			count);
	code_scan_calls(code, address, f->part, &at);
	f->call_at = address + at;
	int64_t distance = (int64_t)(f->entry - (f->call_at + DISPLACEMENT));
	f->distance = (int32_t)distance;
	return f->distance == distance ? ERR_NONE
				       : diag_set(d, ERR_UNSUPPORTED, "%s is too far away",
						 landmark_name(LANDMARK_PROBE));
}

static int find_flags(struct slice code, uint32_t *extended, uint32_t *alloc, struct diag *d)
{
	enum { OLDEST = 3 }; /* 11: extended, monitor, method, alloc; 17: extended, method, alloc */
	bool some = code_scan_writes(code, extended, alloc);
	if (some && *alloc - *extended >= 1 && *alloc - *extended <= OLDEST)
		return ERR_NONE;
	return diag_set(d, ERR_UNSUPPORTED, "%s writes other fields than expected",
		landmark_name(LANDMARK_FLAGS));
}

int fast_path_open(
	struct fast_path *f, const struct vm_library *l, const struct landmarks *m, struct diag *d)
{
	uint32_t extended, alloc;
	*f = (struct fast_path){.base = l->base};
	if (m->noted && m->wide) /* nothing to read it in, and from 19 on nothing to do */
		return ERR_NONE;
	int err = need(m, LANDMARK_FLAGS, d);
	if (!err)
		err = need(m, LANDMARK_EXPAND, d);
	if (!err)
		err = find_flags(code_of(l, m, LANDMARK_FLAGS), &extended, &alloc, d);
	if (err || alloc - extended == 1) /* two flags: without the extended one */
		return err;
	struct slice code = code_of(l, m, LANDMARK_EXPAND);
	uint64_t address = m->found[LANDMARK_EXPAND].address;
	err = find_displacements(f, code, address, extended, alloc, d);
	f->wraps = m->found[LANDMARK_PROBE].state != LANDMARK_MISSING;
	if (!err && f->wraps)
		err = need(m, LANDMARK_PROBE, d);
	if (!err && f->wraps)
		err = find_call(f, code, address, m, d);
	f->needed = !err;
	return err;
}

/* Through integers: C does not turn pointers to objects into pointers to functions. */
static void set_functions(const struct fast_path *f)
{
	uintptr_t base = (uintptr_t)f->base;
	part = (expand_function *)(base + f->part);
	grow = (grow_function *)(base + f->grow);
}

/* Both lie in what nobody runs as long as the extended flag is off. */
static int lead_call(struct fast_path *f, struct diag *d)
{
	uintptr_t wrapper = (uintptr_t)&expand_probe;
	set_functions(f);
	int err = code_patch_jump(&f->jump, f->base + f->entry, (const void *)wrapper, d);
	if (!err)
		err = code_patch_bytes(
			&f->call, f->base + f->call_at, &f->distance, sizeof(f->distance), d);
	return err;
}

static void undo_all(struct fast_path *f)
{
	struct code_patch *const all[] = {&f->alloc, &f->extended, &f->call, &f->jump};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		code_patch_undo(all[i], NULL);
}

int fast_path_apply(struct fast_path *f, struct diag *d)
{
	if (!f->needed || f->alloc.on)
		return ERR_NONE;
	if (!f->base)
		return diag_set(d, ERR_USAGE, "the library is not loaded here");
	/* After fast_path_undo the call is led already. */
	int err = f->wraps && !f->call.on ? lead_call(f, d) : ERR_NONE;
	if (!err)
		err = code_patch_bytes(
			&f->extended, f->base + f->extended_at, &f->extended_byte, 1, d);
	if (!err)
		err = code_patch_bytes(&f->alloc, f->base + f->alloc_at, &f->alloc_byte, 1, d);
	if (err)
		undo_all(f);
	return err;
}

int fast_path_undo(struct fast_path *f, struct diag *d)
{
	/* In this order the fast path is never without its probe. */
	int err = code_patch_undo(&f->alloc, d), other = code_patch_undo(&f->extended, d);
	return err ? err : other;
}
