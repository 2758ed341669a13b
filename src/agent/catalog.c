#include "agent/catalog.h"

#include <string.h>

#include "base/jdk_name.h"
#include "trace/record.h"

enum {
	TEXT_KEPT = NAME_MAX_LEN,
	/* Beyond, the ids are forgotten and asked for again: */
	VM_METHODS_MAX = 1 << 15,
	LINES_MAX = 1 << 18,
	REFUSED_MAX = 4096, /* beyond, they are asked for each time */
};

void catalog_init(struct catalog *c, struct journal *j, const char *include, const char *exclude,
	uint64_t memory_max)
{
	*c = (struct catalog){.journal = j,
		.include = include,
		.exclude = exclude,
		.memory_max = memory_max,
		.threads_max = UINT32_MAX};
}

void catalog_release(struct catalog *c)
{
	intern_release(&c->strings);
	vec_release(&c->classes);
	key_ids_release(&c->definitions);
	map_release(&c->vm_methods);
	map_release(&c->refused);
	vec_release(&c->methods);
	vec_release(&c->lines);
	frames_release(&c->frames);
	key_ids_release(&c->sites);
	stacks_release(&c->stacks);
}

bool catalog_scarce(const struct catalog *c)
{
	return mem_held() > c->memory_max / 4 * 3;
}

/* Whether there is memory left for new definitions. */
static bool may_grow(struct catalog *c)
{
	if (mem_held() > c->memory_max)
		c->full = true;
	return !c->full;
}

/* Writes the definition, and only then counts it. */
static uint32_t define(struct catalog *c, struct ns now, const struct record *r, uint32_t *count)
{
	return journal_put(c->journal, now, r) ? 0 : ++*count;
}

/* Makes sure that it can be remembered. */
static int define_key(struct catalog *c, struct ns now, const struct record *r, struct key_ids *ids)
{
	return key_ids_reserve(ids) ? ERR_NOMEM : journal_put(c->journal, now, r);
}

uint32_t catalog_string(struct catalog *c, struct ns now, struct slice text)
{
	if (text.len > TEXT_KEPT)
		text.len = TEXT_KEPT;
	uint32_t id = intern_find(&c->strings, text);
	if (id || !may_grow(c) || intern_reserve(&c->strings, text.len))
		return id;
	struct record r = {.kind = RECORD_string};
	r.string.id = c->strings.strings.count + 1;
	r.string.text = text;
	return journal_put(c->journal, now, &r) ? 0 : intern_add(&c->strings, text, NULL);
}

static uint32_t catalog_text(struct catalog *c, struct ns now, const char *text)
{
	return text && *text ? catalog_string(c, now, slice_str(text)) : 0;
}

static uint32_t class_flags(const struct name *n)
{
	return (n->array ? (uint32_t)CLASS_ARRAY : 0) |
	       (n->normalised ? (uint32_t)CLASS_NORMALISED : 0) |
	       (n->hidden ? (uint32_t)CLASS_HIDDEN : 0);
}

/* The class of the name, which is a string; NULL: no memory. */
static uint32_t *class_named(struct catalog *c, uint32_t name)
{
	while (c->classes.count <= name)
		if (vec_push(&c->classes, 0))
			return NULL;
	return &c->classes.at[name];
}

uint32_t catalog_class(struct catalog *c, struct ns now, const char *signature)
{
	struct name n;
	name_of_signature(&n, signature);
	uint32_t name = catalog_text(c, now, n.text);
	uint32_t *known = name ? class_named(c, name) : NULL;
	if (!known || *known || !may_grow(c))
		return known ? *known : 0;
	struct record r = {.kind = RECORD_class};
	r.class.id = c->class_count + 1;
	r.class.name = name;
	r.class.flags = class_flags(&n);
	r.class.raw = n.normalised ? catalog_text(c, now, signature) : 0;
	return *known = define(c, now, &r, &c->class_count);
}

uint32_t catalog_thread(struct catalog *c, struct ns now, const char *name, uint32_t flags)
{
	struct record r = {.kind = RECORD_thread};
	c->threads_full = c->threads_full || c->thread_count >= c->threads_max;
	if (c->threads_full)
		return 0;
	r.thread.id = c->thread_count + 1;
	r.thread.time = now.v;
	r.thread.name = catalog_text(c, now, name);
	r.thread.flags = flags;
	return define(c, now, &r, &c->thread_count);
}

uint32_t catalog_collector(struct catalog *c, struct ns now, const char *name, uint32_t role)
{
	struct record r = {.kind = RECORD_collector};
	r.collector.id = c->collector_count + 1;
	r.collector.name = catalog_text(c, now, name);
	r.collector.role = role;
	return define(c, now, &r, &c->collector_count);
}

static bool listed(const uint64_t *ids, uint32_t count, uint64_t id)
{
	for (uint32_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static const struct method *method_of(const struct catalog *c, uint64_t vm_id)
{
	uint64_t *index = map_find(&c->vm_methods, vm_id);
	return index ? &c->methods.at[*index] : NULL;
}

static bool is_held(const struct catalog *c, uint64_t vm_id, uint32_t ticks)
{
	const struct method *m = method_of(c, vm_id);
	return m && c->ticks - m->asked < ticks;
}

uint32_t catalog_methods_to_ask(const struct catalog *c, const struct stack_frame *stack,
	uint32_t depth, uint32_t held, uint64_t *vm_ids, uint32_t room)
{
	uint32_t count = 0;
	if (c->full)
		return 0; /* none can be added */
	for (uint32_t i = 0; i < depth && count < room; i++)
		if (!is_held(c, stack[i].vm_method, held) &&
			!map_find(&c->refused, stack[i].vm_method) &&
			!listed(vm_ids, count, stack[i].vm_method))
			vm_ids[count++] = stack[i].vm_method;
	return count;
}

uint32_t catalog_unknown_methods(const struct catalog *c, const struct stack_frame *stack,
	uint32_t depth, uint64_t *vm_ids, uint32_t room)
{
	return catalog_methods_to_ask(c, stack, depth, METHOD_HELD_FOR_GOOD, vm_ids, room);
}

void catalog_refuse_method(struct catalog *c, uint64_t vm_id)
{
	/* Without memory it is asked for again. */
	if (c->refused.count < REFUSED_MAX && map_put(&c->refused, vm_id, 0))
		return;
}

void catalog_tick(struct catalog *c)
{
	map_release(&c->refused);
	if (++c->ticks % METHOD_HELD_BY_SAMPLES == 0)
		stacks_release(&c->stacks);
}

static uint32_t method_definition(struct catalog *c, struct ns now,
	const struct method_facts *facts, const struct name *class_name)
{
	uint32_t owner = catalog_text(c, now, class_name->text);
	uint32_t name = catalog_text(c, now, facts->name);
	uint32_t descriptor = catalog_text(c, now, facts->descriptor);
	if (!owner || !name)
		return 0;
	uint64_t key = hash64_pair((uint64_t)owner << 32 | name, descriptor);
	uint32_t known = key_ids_find(&c->definitions, key);
	if (known)
		return known;
	struct record r = {.kind = RECORD_method};
	r.method.id = c->definitions.keys.count + 1;
	r.method.class_name = owner;
	r.method.name = name;
	r.method.descriptor = descriptor;
	r.method.source = catalog_text(c, now, facts->source);
	r.method.flags = (facts->native ? (uint64_t)METHOD_NATIVE : 0) |
			 (class_name->hidden ? (uint64_t)METHOD_GENERATED : 0);
	return define_key(c, now, &r, &c->definitions) ? 0 : key_ids_add(&c->definitions, key);
}

static bool wanted(const struct catalog *c, const char *class_name)
{
	if (*c->exclude && name_in_globs(c->exclude, class_name))
		return false;
	return !*c->include || name_in_globs(c->include, class_name);
}

/* A program that makes hidden classes without end must not make us grow without end. */
static void forget_vm_methods(struct catalog *c)
{
	map_release(&c->vm_methods);
	c->methods.count = 0;
	c->lines.count = 0;
}

static int remember_method(struct catalog *c, const struct method_facts *facts, struct method m)
{
	m.lines_at = (uint32_t)c->lines.count;
	m.lines = facts->line_count;
	if (vec_reserve(&c->lines, facts->line_count) || vec_push(&c->methods, m))
		return ERR_NOMEM;
	if (facts->line_count)
		memcpy(c->lines.at + c->lines.count, facts->lines,
			facts->line_count * sizeof(*facts->lines));
	c->lines.count += facts->line_count;
	int err = map_put(&c->vm_methods, facts->vm_id, c->methods.count - 1);
	if (err) {
		c->methods.count--;
		c->lines.count -= facts->line_count;
	}
	return err;
}

/* Whether it is what was told before. */
static bool is_same(const struct catalog *c, const struct method *was, const struct method *is,
	const struct method_facts *facts)
{
	return was->definition == is->definition && was->native == is->native &&
	       was->lines == facts->line_count &&
	       (!was->lines || memcmp(c->lines.at + was->lines_at, facts->lines,
				       was->lines * sizeof(*facts->lines)) == 0);
}

/* The old entry and its lines stay behind until all is forgotten. */
static int renew_method(struct catalog *c, const struct method_facts *facts, struct method m)
{
	uint64_t *index = map_find(&c->vm_methods, facts->vm_id);
	if (!index || !is_same(c, &c->methods.at[*index], &m, facts))
		return remember_method(c, facts, m);
	c->methods.at[*index].asked = m.asked;
	return ERR_NONE;
}

int catalog_add_method(struct catalog *c, struct ns now, const struct method_facts *facts)
{
	struct name class_name;
	if (!may_grow(c))
		return ERR_FULL;
	if (c->methods.count >= VM_METHODS_MAX || c->lines.count + facts->line_count > LINES_MAX)
		forget_vm_methods(c);
	name_of_signature(&class_name, facts->class_signature);
	struct method m = {
		.definition = method_definition(c, now, facts, &class_name),
		.asked = c->ticks,
		.native = facts->native,
		.application = !name_is_jdk(slice_str(class_name.text)),
		.wanted = wanted(c, class_name.text),
	};
	return m.definition ? renew_method(c, facts, m) : ERR_FULL;
}

/* The line of the last entry at or before the bci; 0 unknown. */
static uint32_t line_of(const struct catalog *c, const struct method *m, int32_t bci)
{
	const struct line_entry *lines = m->lines ? c->lines.at + m->lines_at : NULL;
	uint32_t low = 0,
		 high = bci < 0 ? 0 : m->lines; /* those before low are, from high on not */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (lines[middle].bci <= (uint32_t)bci)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? lines[low - 1].line : 0;
}

static uint32_t frame(
	struct catalog *c, struct ns now, uint32_t parent, const struct method *m, int32_t bci)
{
	const struct frame_node node = {
		parent, m->definition, m->native ? -1 : bci, line_of(c, m, bci)};
	uint32_t id = frames_find(&c->frames, node);
	if (id || !may_grow(c) || frames_reserve(&c->frames))
		return id;
	struct record r = {.kind = RECORD_frame};
	r.frame.id = c->frames.nodes.count + 1;
	r.frame.parent = parent;
	r.frame.method = m->definition;
	r.frame.line = node.line;
	r.frame.bci = node.bci;
	return journal_put(c->journal, now, &r) ? 0 : frames_add(&c->frames, node);
}

/* How many frames, from the leaf on, are of methods that are known. */
static uint32_t known_depth(
	const struct catalog *c, const struct stack_frame *stack, uint32_t depth)
{
	uint32_t known = 0;
	while (known < depth && method_of(c, stack[known].vm_method))
		known++;
	return known;
}

/* From the root to the leaf, as far as all are known: who called one that is not did not call what
 * that called. 0 where there is no stack, or no room for it. whole: none was left out. */
static uint32_t frames_of(struct catalog *c, struct ns now, const struct stack_frame *stack,
	uint32_t depth, bool *whole)
{
	uint32_t at = 0, known = known_depth(c, stack, depth);
	*whole = known == depth;
	for (uint32_t i = known; i-- > 0;) {
		at = frame(c, now, at, method_of(c, stack[i].vm_method), stack[i].bci);
		*whole = *whole && at;
		if (!at)
			return 0;
	}
	return at;
}

/* The record of one that is not there. ERR_FULL, ERR_NOMEM: it can't come. */
static int define_site(
	struct catalog *c, struct ns now, uint32_t class_id, uint32_t leaf, uint64_t flags)
{
	struct record r = {.kind = RECORD_site};
	if (!may_grow(c))
		return ERR_FULL;
	r.site.id = c->sites.keys.count + 1;
	r.site.class = class_id;
	r.site.frame = leaf;
	r.site.flags = flags | (leaf ? 0 : (uint64_t)SITE_NO_STACK);
	return define_key(c, now, &r, &c->sites);
}

static uint32_t site_at(
	struct catalog *c, struct ns now, uint32_t class_id, uint32_t leaf, uint64_t flags)
{
	uint64_t exact = flags & SITE_EXACT ? 1u << 31 : 0;
	uint64_t walked = flags & SITE_WALKED ? 1u << 30 : 0;
	uint64_t cut = flags & SITE_WALKED && flags & SITE_CUT ? 1u << 29 : 0;
	uint64_t key = (uint64_t)class_id << 32 | exact | walked | cut | leaf;
	uint32_t known = key_ids_find(&c->sites, key);
	if (known || define_site(c, now, class_id, leaf, flags))
		return known;
	return key_ids_add(&c->sites, key);
}

uint32_t catalog_site(struct catalog *c, struct ns now, uint32_t class_id,
	const struct stack_frame *stack, uint32_t depth, bool cut)
{
	bool whole;
	uint32_t leaf = frames_of(c, now, stack, depth, &whole);
	uint64_t flags = leaf && (cut || !whole) ? (uint64_t)SITE_CUT : 0;
	c->parts += !c->full && known_depth(c, stack, depth) < depth;
	uint32_t site = site_at(c, now, class_id, leaf, flags);
	if (whole && site)
		stacks_keep(&c->stacks, stacks_key(class_id, stack, depth, cut), site);
	return site;
}

uint32_t catalog_exact_site(struct catalog *c, struct ns now, uint32_t class_id,
	const struct stack_frame *stack, uint32_t depth)
{
	bool whole;
	return site_at(c, now, class_id, frames_of(c, now, stack, depth, &whole), SITE_EXACT);
}

uint32_t catalog_walked_site(struct catalog *c, struct ns now, uint32_t class_id,
	const struct stack_frame *stack, uint32_t depth, bool cut)
{
	bool whole;
	uint32_t leaf = frames_of(c, now, stack, depth, &whole);
	uint64_t flags = SITE_EXACT | SITE_WALKED;
	return site_at(c, now, class_id, leaf, flags | (cut || !whole ? (uint64_t)SITE_CUT : 0));
}

uint32_t catalog_bare_site(struct catalog *c, struct ns now, uint32_t class_id)
{
	return define_site(c, now, class_id, 0, SITE_EXACT) ? 0 : key_ids_skip(&c->sites);
}

int catalog_site_place(struct catalog *c, struct ns now, uint32_t site, uint32_t as)
{
	struct record r = {.kind = RECORD_site_place};
	r.site_place = (struct record_site_place){.site = site, .as = as};
	return journal_put(c->journal, now, &r);
}

bool catalog_wants(const struct catalog *c, const struct stack_frame *stack, uint32_t depth)
{
	if (!*c->include && !*c->exclude)
		return true;
	for (uint32_t i = 0; i < depth; i++) {
		const struct method *m = method_of(c, stack[i].vm_method);
		if (m && m->application)
			return m->wanted;
	}
	return !*c->include;
}
