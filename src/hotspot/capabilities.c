#include "hotspot/capabilities.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "hotspot/probe_call.h"

static const struct {
	const char *name, *text;
} names[CAPABILITIES] = {
#define CAPABILITY(id, name_, text_) [CAPABILITY_##id] = {name_, text_},
#include "hotspot/capabilities.def"
#undef CAPABILITY
};

const char *capability_name(enum capability id)
{
	return names[id].name;
}

const char *capability_text(enum capability id)
{
	return names[id].text;
}

struct findings {
	const struct vm_library *library;
	const struct landmarks *landmarks;
	unsigned major;
};

static void say(struct capability_answer *a, bool yes, const char *why)
{
	a->yes = yes;
	snprintf(a->why, sizeof(a->why), "%s", why);
}

/* Whether the landmark is there; if not, that is the answer's reason. */
static bool has(struct capability_answer *a, const struct findings *f, enum landmark id)
{
	enum landmark_state s = f->landmarks->found[id].state;
	const char *lack = vm_library_lack(f->library);
	if (s == LANDMARK_FOUND)
		return true;
	a->yes = false;
	if (s == LANDMARK_MISSING && *lack)
		snprintf(a->why, sizeof(a->why), "%s", lack);
	else
		snprintf(
			a->why, sizeof(a->why), "%s %s", landmark_name(id), landmark_state_text(s));
	return false;
}

/* The releases whose heap and code mayfly has been measured on. */
static bool is_known_release(struct capability_answer *a, unsigned major)
{
	static const unsigned known[] = {11, 17, 21, 25, 26, 27};
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (major == known[i])
			return true;
	a->yes = false;
	if (major)
		snprintf(a->why, sizeof(a->why), "only 11, 17, 21 and 25 to 27 are known, not %u",
			major);
	else
		say(a, false, "which release it is can't be told");
	return false;
}

enum { WIDE_SINCE = 18 }; /* a third function, and sizes of 64 bits */

/* By the VM's own probe: all that were found must do. */
static bool has_noted(struct capability_answer *a, const struct findings *f)
{
	const struct landmarks *m = f->landmarks;
	if (m->wide != (f->major >= WIDE_SINCE)) {
		say(a, false, "the notes of the VM's probe are of another release");
		return false;
	}
	for (int id = LANDMARK_ALLOC; id <= LANDMARK_ALLOC_SIZE; id++)
		if (m->found[id].state != LANDMARK_MISSING && !has(a, f, (enum landmark)id))
			return false;
	return true;
}

/* Neither by name nor by the probe: why not. */
static void say_neither(struct capability_answer *a, const struct findings *f)
{
	const char *lack = vm_library_lack(f->library);
	if (*lack && f->landmarks->why.text[0])
		snprintf(a->why, sizeof(a->why),
			"%.300s; nor will its own probe object__alloc do: %.150s", lack,
			f->landmarks->why.text);
}

static bool has_functions(struct capability_answer *a, const struct findings *f)
{
	if (f->landmarks->noted)
		return has_noted(a, f);
	bool all = has(a, f, LANDMARK_ALLOC) && has(a, f, LANDMARK_ALLOC_THREAD) &&
		   (f->major < WIDE_SINCE || has(a, f, LANDMARK_ALLOC_SIZE));
	if (!all)
		say_neither(a, f);
	return all;
}

static bool has_births(struct capability_answer *a, const struct findings *f)
{
	if (!is_known_release(a, f->major) || !has_functions(a, f))
		return false;
	if (f->landmarks->strange)
		say(a, false,
			"the VM tells allocations through functions that mayfly does not know");
	return !f->landmarks->strange;
}

static void ask_births(struct capability_answer *a, const struct findings *f)
{
	if (has_births(a, f))
		say(a, true, f->landmarks->noted ? "by the VM's own probe" : "");
}

static void ask_fast_path(struct capability_answer *a, const struct findings *f)
{
	struct fast_path path;
	struct diag d = {""};
	if (!has_births(a, f))
		return;
	bool by_itself = f->landmarks->noted && f->landmarks->wide;
	if (!by_itself && (!has(a, f, LANDMARK_FLAGS) || !has(a, f, LANDMARK_EXPAND)))
		return;
	int err = fast_path_open(&path, f->library, f->landmarks, &d);
	say(a, !err, err ? d.text : path.needed ? "by a patch" : "the VM does it by itself");
}

static void ask_attach(struct capability_answer *a, const struct findings *f)
{
	enum { RECORDS_ALWAYS = 25 };
	if (!has_births(a, f) || (f->major >= RECORDS_ALWAYS && !has(a, f, LANDMARK_DEPENDENCIES)))
		return;
	bool untold = f->major >= RECORDS_ALWAYS &&
		      f->landmarks->found[LANDMARK_TEMPLATES].state != LANDMARK_FOUND;
	say(a, true, untold ? "but for what the interpreter allocates by `new`" : "");
}

static void ask_full(struct capability_answer *a, const struct findings *f, enum landmark id)
{
	if (has_births(a, f) && has(a, f, id))
		say(a, true, "by a trap");
}

enum { APART_SINCE = 24 }; /* from there on each collection has a pause of its own */

/* Of a collector that may have young ones between several in a pause. */
static void ask_several(struct capability_answer *a, const struct findings *f, enum landmark full,
	enum landmark young)
{
	ask_full(a, f, full);
	if (a->yes && f->major < APART_SINCE && f->landmarks->found[young].state != LANDMARK_FOUND)
		say(a, true, "by a trap, but not behind two young ones in the same pause");
}

static void ask_full_serial(struct capability_answer *a, const struct findings *f)
{
	ask_several(a, f, LANDMARK_FULL_SERIAL, LANDMARK_YOUNG_SERIAL);
}

static void ask_full_parallel(struct capability_answer *a, const struct findings *f)
{
	enum { PARALLEL_ONLY_SINCE = 15 };
	ask_several(a, f, LANDMARK_FULL_PARALLEL, LANDMARK_YOUNG_PARALLEL);
	if (a->yes && f->major < PARALLEL_ONLY_SINCE) {
		size_t len = strlen(a->why);
		snprintf(a->why + len, sizeof(a->why) - len, ", not with -XX:-UseParallelOldGC");
	}
}

static void ask_full_g1(struct capability_answer *a, const struct findings *f)
{
	ask_full(a, f, LANDMARK_FULL_G1);
}

enum { COMPACT_SINCE = 24 };

static void ask_header(struct capability_answer *a, const struct findings *f)
{
	enum { BIASED_BEFORE = 15 };
	if (!has_births(a, f))
		return;
	say(a, true,
		f->major < BIASED_BEFORE    ? "with -XX:-UseBiasedLocking"
		: f->major >= COMPACT_SINCE ? "but with -XX:+UseCompactObjectHeaders"
					    : "");
}

/* C2 hands the object over in the second register. */
static bool has_probe(const struct findings *f)
{
	for (int id = LANDMARK_ALLOC; id <= LANDMARK_ALLOC_SIZE; id++)
		if (f->landmarks->found[id].state == LANDMARK_FOUND &&
			f->landmarks->found[id].object == LANDMARK_OBJECT_RSI)
			return true;
	return false;
}

static void ask_doors(struct capability_answer *a, const struct findings *f)
{
	if (!has_births(a, f))
		return;
	if (f->library->musl)
		say(a, false, "the C library is musl: a thread's counts have no fixed place");
	else if (!has_probe(f))
		say(a, false, "C2's own call of the probe is not known");
	else if (!code_fence_can())
		say(a, false, "this machine's kernel has no membarrier for code that was changed");
	else
		say(a, true,
			f->major >= COMPACT_SINCE
				? "where each object is counted only, with sites in headers"
				: "where each object is counted only");
}

void capabilities_find(struct capabilities *c, const struct vm_library *l,
	const struct landmarks *m, unsigned major)
{
	static void (*const rules[CAPABILITIES])(struct capability_answer *,
		const struct findings *) = {[CAPABILITY_BIRTHS] = ask_births,
		[CAPABILITY_FAST_PATH] = ask_fast_path,
		[CAPABILITY_ATTACH] = ask_attach,
		[CAPABILITY_FULL_SERIAL] = ask_full_serial,
		[CAPABILITY_FULL_PARALLEL] = ask_full_parallel,
		[CAPABILITY_FULL_G1] = ask_full_g1,
		[CAPABILITY_HEADER] = ask_header,
		[CAPABILITY_DOORS] = ask_doors};
	const struct findings f = {l, m, major};
	*c = (struct capabilities){.answers = {{.yes = false}}};
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		rules[i](&c->answers[i], &f);
}
