#include "agent/probes.h"

#include <dlfcn.h>

#include "base/compiler.h"
#include "base/error.h"
#include "exact/births.h"
#include "hotspot/capabilities.h"
#include "hotspot/code_patch.h"
#include "hotspot/exact_flags.h"
#include "hotspot/fast_path.h"
#include "hotspot/objects.h"

static struct probes the_probes;

struct probes *probes_get(void)
{
	return &the_probes;
}

#ifdef __x86_64__

/* They stay for good: the VM's code goes through them. */
static struct code_patch jumps[3];
static struct fast_path fast;

static const enum landmark entries[] = {LANDMARK_ALLOC, LANDMARK_ALLOC_THREAD, LANDMARK_ALLOC_SIZE};

static const char *const collectors[] = {"UseSerialGC", "UseParallelGC", "UseG1GC"};

static int check_group(const struct probes *p, unsigned group, struct diag *d)
{
	const char *why = exact_flags_lack(group, exact_flags_here, &p->flags);
	return why ? diag_set(d, ERR_UNSUPPORTED, "%s", why) : ERR_NONE;
}

static int check_flags(const struct probes *p, struct diag *d)
{
	bool known = false;
	for (size_t i = 0; i < ARRAY_SIZE(collectors); i++)
		known = known || vm_flags_bool(&p->flags, collectors[i], false);
	if (!known)
		return diag_set(d, ERR_UNSUPPORTED,
			"it needs Serial, Parallel or G1, whose collections leave marks that "
			"tell who survived");
	return check_group(p, EXACT_FLAGS_VM, d);
}

static int open_library(struct probes *p, const struct vm *vm, struct diag *d)
{
	if (p->open)
		return ERR_NONE;
	int err = vm_library_open(&p->library, vm_code(vm), d);
	if (err)
		return err;
	struct vm_structs structs = vm_structs_of(vm_code(vm));
	struct vm_constants constants = vm_constants_of(vm_code(vm));
	p->flags = vm_flags_of(&structs, &constants);
	landmarks_find(&p->landmarks, &p->library);
	vm_library_forget_symbols(&p->library);
	p->open = true;
	return ERR_NONE;
}

static int check_capability(const struct capabilities *c, enum capability id, struct diag *d)
{
	return c->answers[id].yes ? ERR_NONE
				  : diag_set(d, ERR_UNSUPPORTED, "%s: %s", capability_name(id),
					    c->answers[id].why);
}

/* The file whose code a function's jump leads into; NULL: not known. */
static const char *patched_by(const struct probes *p)
{
	Dl_info info;
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		const struct landmark_found *f = &p->landmarks.found[entries[i]];
		const void *to = f->state == LANDMARK_HOOKED ? code_patch_leads(f->at) : NULL;
		if (to && dladdr(to, &info) && info.dli_fname)
			return info.dli_fname;
	}
	return NULL;
}

/* An older mayfly's agent, or a copy from another folder, stays in the VM, and so does its patch.
 */
static int check_births(const struct probes *p, const struct capabilities *c, struct diag *d)
{
	const char *file = c->answers[CAPABILITY_BIRTHS].yes ? NULL : patched_by(p);
	if (!file)
		return check_capability(c, CAPABILITY_BIRTHS, d);
	return diag_set(d, ERR_UNSUPPORTED,
		"%.256s leads the VM's allocation probe elsewhere. If that is another copy of "
		"mayfly's agent, record with the mayfly beside it, or start the program anew",
		file);
}

static int check(struct probes *p, const struct vm *vm, struct diag *d)
{
	struct capabilities c;
	capabilities_find(&c, &p->library, &p->landmarks, (unsigned)vm->major);
	p->alloc = vm_flags_find(&p->flags, "DTraceAllocProbes");
	if (!p->alloc)
		return diag_set(d, ERR_UNSUPPORTED, "this VM has no DTraceAllocProbes");
	int err = check_group(p, EXACT_FLAGS_PROBES, d);
	if (!err)
		err = check_births(p, &c, d);
	if (!err)
		err = check_capability(&c, CAPABILITY_FAST_PATH, d);
	return !err && vm_is_live(vm) ? check_capability(&c, CAPABILITY_ATTACH, d) : err;
}

static int patch(struct probes *p, struct diag *d)
{
	int err = fast_path_open(&fast, &p->library, &p->landmarks, d);
	if (!err && fast.needed)
		err = fast_path_apply(&fast, d);
	for (size_t i = 0; i < ARRAY_SIZE(entries) && !err; i++) {
		const struct landmark_found *f = &p->landmarks.found[entries[i]];
		if (f->state != LANDMARK_FOUND || jumps[i].on)
			continue;
		err = code_patch_jump(&jumps[i], f->at,
			births_entry(f->object == LANDMARK_OBJECT_RDI, p->header), d);
	}
	return err;
}

/* One that was made before us, of a VM that does not look at the flag again. Where its code looks
 * otherwise, what it allocates so is missed, and audits tell. */
static void find_interpreter(struct probes *p, const struct vm *vm)
{
	enum { LOOKS_ONCE_SINCE = 25 };
	struct code_blobs blobs;
	struct diag d;
	if (vm_is_live(vm) && vm->major >= LOOKS_ONCE_SINCE &&
		!code_blobs_open(&blobs, vm_code(vm), &d))
		interpreter_new_open(
			&p->interpreter, landmarks_at(&p->landmarks, LANDMARK_TEMPLATES), &blobs);
}

static enum birth_header header_of(const struct vm_flags *f)
{
	if (vm_flags_bool(f, "UseCompactObjectHeaders", false))
		return BIRTH_HEADER_COMPACT;
	return vm_objects_wide(f) ? BIRTH_HEADER_WIDE : BIRTH_HEADER_NARROW;
}

int probes_install(struct probes *p, const struct vm *vm, struct diag *d)
{
	int err = open_library(p, vm, d);
	if (!err)
		err = check_flags(p, d);
	if (err || p->installed)
		return err;
	p->header = header_of(&p->flags);
	/* Before the program starts biased locking can still be turned off, and is. */
	p->sites = p->header != BIRTH_HEADER_COMPACT &&
		   !(vm_is_live(vm) && vm_flags_bool(&p->flags, "UseBiasedLocking", false));
	birth_mark_of(p->header);
	birth_align_to(vm_objects_align(&p->flags));
	err = check(p, vm, d);
	if (!err)
		err = patch(p, d);
	if (!err)
		find_interpreter(p, vm);
	p->installed = !err;
	return err;
}

#else

int probes_install(struct probes *p, const struct vm *vm, struct diag *d)
{
	(void)p, (void)vm;
	return diag_set(d, ERR_UNSUPPORTED, "only x86-64 is supported so far");
}

#endif

void probes_set(struct probes *p, bool on)
{
	struct diag d;
	if (p->alloc)
		__atomic_store_n(p->alloc, on, __ATOMIC_SEQ_CST);
	(void)interpreter_new_ask(&p->interpreter, on, &d);
}
