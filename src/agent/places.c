#include "agent/places.h"

#include <stdio.h>
#include <string.h>

#include "agent/place_key.h"
#include "base/compiler.h"
#include "base/error.h"
#include "exact/birth_jumps.h"
#include "exact/shape.h"
#include "hotspot/region.h"
#include "hotspot/vm_structs.h"

enum {
	STUBS_MAX = 4, /* frames of the VM's own between it and Java */
	FRAME_METHOD = -3,
	FRAME_BCP = -8, /* words from an interpreter frame's rbp */
	SIGNATURE_MAX = NAME_MAX_LEN,
	LINES_MAX = 1024,
	THREAD_BYTES = 1 << 16, /* more than a JavaThread has */
};

static uintptr_t word(uintptr_t at)
{
	uintptr_t v;
	memcpy(&v, (const void *)at, sizeof(v));
	return v;
}

static int read_offsets(struct places *p, const struct vm_structs *s, struct diag *d)
{
	uint64_t anchor, sp, pc, fp;
	if (!vm_structs_offset(s, "JavaThread", "_anchor", &anchor) ||
		!vm_structs_offset(s, "JavaFrameAnchor", "_last_Java_sp", &sp) ||
		!vm_structs_offset(s, "JavaFrameAnchor", "_last_Java_pc", &pc))
		return diag_set(
			d, ERR_UNSUPPORTED, "the VM does not tell where its Java frames are");
	p->anchor = (uint32_t)anchor;
	p->last_sp = (uint32_t)sp;
	p->last_pc = (uint32_t)pc;
	p->has_fp = vm_structs_offset(s, "JavaFrameAnchor", "_last_Java_fp", &fp);
	p->last_fp = p->has_fp ? (uint32_t)fp : 0;
	return ERR_NONE;
}

/* Where in a JavaThread its JNIEnv is: java.lang.Thread has the address of its own. */
static int read_env(struct places *p, const struct vm *vm, JNIEnv *jni, struct diag *d)
{
	jthread thread = NULL;
	jlong at = 0;
	if ((*vm->jvmti)->GetCurrentThread(vm->jvmti, &thread) == JVMTI_ERROR_NONE && thread) {
		jclass base = (*jni)->FindClass(jni, "java/lang/Thread");
		jfieldID field = base ? (*jni)->GetFieldID(jni, base, "eetop", "J") : NULL;
		at = field ? (*jni)->GetLongField(jni, thread, field) : 0;
		(*jni)->ExceptionClear(jni);
		(*jni)->DeleteLocalRef(jni, base);
		(*jni)->DeleteLocalRef(jni, thread);
	}
	p->java = vm->java;
	p->env_at = (uintptr_t)jni - (uintptr_t)at;
	return at && p->env_at < THREAD_BYTES
		       ? ERR_NONE
		       : diag_set(d, ERR_UNSUPPORTED, "the VM does not tell where its threads are");
}

/* This thread's, as the VM has it; 0: it is none of Java's. GetEnv asks nothing but the thread. */
static uintptr_t own_thread(const struct places *p)
{
	void *env = NULL;
	return (*p->java)->GetEnv(p->java, &env, JNI_VERSION_10) == JNI_OK && env
		       ? (uintptr_t)env - p->env_at
		       : 0;
}

int places_init(struct places *p, struct recorder *r, struct births *b, struct code_map *code,
	const struct vm *vm, JNIEnv *jni, struct diag *d)
{
	const void *inside = vm_code(vm);
	struct vm_structs s = vm_structs_of(inside);
	*p = (struct places){.recorder = r, .births = b, .code = code};
	pthread_mutex_init(&p->lock, NULL);
	int err = read_offsets(p, &s, d);
	if (!err)
		err = read_env(p, vm, jni, d);
	if (!err)
		err = code_blobs_open(&p->blobs, inside, d);
	if (!err)
		err = vm_methods_open(&p->methods, inside, d);
	if (err)
		return err;
	p->records = (struct probe_records){.code = code,
		.blobs = &p->blobs,
		.methods = &p->methods,
		.epoch = &b->epoch,
		.stale_here = vm->major == 11};
	return inline_alloc_open(&p->records.alloc, &s, d);
}

int places_walk(struct places *p, uint64_t depth, const struct vm *vm, struct diag *d)
{
	int err = java_stacks_open(&p->stacks, vm_code(vm), &p->blobs, &p->methods, d);
	if (!err && depth < JAVA_STACK_MAX)
		p->stacks.depth = (uint32_t)depth;
	return err;
}

void places_release(struct places *p)
{
	for (uint32_t i = 0; i < p->waiting_count; i++)
		mem_free(p->waiting[i].path);
	pthread_mutex_destroy(&p->lock);
}

/* Who calls. */

static enum caller caller(void *arg, uintptr_t pc)
{
	struct places *p = arg;
	struct code_blob blob;
	if (code_blob_find(&p->blobs, pc, &blob))
		return CALLER_VM;
	if (blob.is_nmethod)
		return CALLER_COMPILED;
	return strcmp(blob.name, "Interpreter") == 0 ? CALLER_INTERPRETER : CALLER_STUB;
}

/* A frame of the stack that is walked, from the last Java frame on. */
struct frame {
	uintptr_t pc, sp, fp;
};

static bool is_native(struct places *p, uintptr_t method)
{
	struct vm_method m;
	return vm_method_read(&p->methods, method, &m) == ERR_NONE && m.code_bytes == 0;
}

/* Whether the place was found: else the frame is a native method's, and *f its caller's. */
static bool at_interpreted(struct places *p, struct frame *f, struct birth_place *out)
{
	uintptr_t method = word(f->fp + 8 * (uintptr_t)FRAME_METHOD);
	uintptr_t bcp = word(f->fp + 8 * (uintptr_t)FRAME_BCP);
	if (vm_method_bci(&p->methods, method, bcp) < 0 && is_native(p, method) && !out->native) {
		out->native = method;
		*f = (struct frame){word(f->fp + 8), f->fp + 16, word(f->fp)};
		return false;
	}
	out->method = method;
	out->key = method;
	if (vm_method_bci(&p->methods, method, bcp) >= 0) {
		out->bcp = bcp;
		out->key = method_key_at(&p->methods.key, method, bcp);
	}
	return true;
}

static void leave(struct frame *f, const struct code_blob *blob)
{
	f->sp += blob->frame_bytes;
	f->pc = word(f->sp - 8);
	f->fp = word(f->sp - 16);
}

static bool at_compiled(const struct code_blob *blob, struct frame *f, struct birth_place *out)
{
	if (!out->native && blob->frame_bytes && blob->is_native) {
		out->native = blob->method;
		leave(f, blob);
		return false;
	}
	out->key = f->pc;
	return true;
}

/* One step; whether the walk has ended, with a place or without. */
static bool step(struct places *p, struct frame *f, struct birth_place *out)
{
	struct code_blob blob;
	if (code_blob_find(&p->blobs, f->pc, &blob))
		return true;
	if (blob.is_nmethod)
		return at_compiled(&blob, f, out);
	if (strcmp(blob.name, "Interpreter") == 0)
		return !f->fp || at_interpreted(p, f, out);
	if (!blob.frame_bytes)
		return true;
	leave(f, &blob);
	return false;
}

/* From the last Java frame out of the VM's stubs, and out of a native method, to who called. */
static void walk(void *arg, const struct birth *b, struct birth_place *out)
{
	struct places *p = arg;
	uintptr_t java_thread = b->thread ? b->thread : own_thread(p);
	uintptr_t anchor = java_thread + p->anchor,
		  sp = java_thread ? word(anchor + p->last_sp) : 0;
	if (!sp)
		return;
	struct frame f = {.pc = word(anchor + p->last_pc), .sp = sp};
	f.pc = f.pc ? f.pc : word(sp - 8);
	f.fp = p->has_fp ? word(anchor + p->last_fp) : 0;
	for (int i = 0; i < STUBS_MAX && !step(p, &f, out); i++) {
	}
}

static bool stack(void *arg, const struct birth *b, struct java_code_cache *cache, bool again,
	struct java_stack *out)
{
	struct places *p = arg;
	bool vm = !java_code_holds(&p->stacks, cache, b->pc);
	struct java_stack_start start = {.pc = b->pc,
		.sp = b->sp,
		.fp = b->fp,
		.bcp = b->bcp,
		.thread = b->thread ? b->thread : b->java_thread};
	if (vm && !b->thread)
		start.thread = own_thread(p);
	java_stack_walk(&p->stacks, cache, &start, again, out);
	return vm;
}

static uint64_t bytes(void *arg, uintptr_t object)
{
	const struct vm_objects *o = &((struct places *)arg)->methods.objects;
	uintptr_t klass = object_klass(o, object);
	return klass_is_chunk(o, klass) ? 0 : object_bytes(o, object, klass);
}

static bool outside(void *arg, uintptr_t object, uint64_t size)
{
	const struct places *p = arg;
	return (p->large && size > p->large) || object < p->young_low || object >= p->young_high;
}

/* Names. */

/* The VM's own name of a hidden class has a '+' where its signature has a '.'. */
static void mend_hidden(char *name)
{
	char *at = strstr(name, "+0x");
	if (at)
		*at = '.';
}

static void fill_signature(const struct vm_objects *o, uintptr_t klass, char *out)
{
	char name[SIGNATURE_MAX - 2];
	klass_name(o, klass, name, sizeof(name));
	mend_hidden(name);
	snprintf(out, SIGNATURE_MAX, name[0] == '[' ? "%s" : "L%s;", name);
}

static void set_text(
	char *to, size_t room, struct slice text, const char *before, const char *after)
{
	snprintf(to, room, "%s%.*s%s", before, (int)(text.len < room - 3 ? text.len : room - 3),
		(const char *)text.at, after);
}

/* Adds a method that is not known yet; frames of those that can't be told are left out. */
static void add_method(struct places *p, uint64_t id, uintptr_t method)
{
	struct vm_method m;
	char owner[SIGNATURE_MAX], name[256], descriptor[512], source[256];
	if (!method || vm_method_read(&p->methods, method, &m))
		return;
	struct line_entry entries[LINES_MAX];
	struct method_line lines[LINES_MAX];
	uint32_t count = (uint32_t)vm_method_lines(&p->methods, method, entries, LINES_MAX);
	for (uint32_t i = 0; i < count; i++)
		lines[i] = (struct method_line){entries[i].bci, entries[i].line};
	set_text(owner, sizeof(owner), m.class_name, "L", ";");
	mend_hidden(owner);
	set_text(name, sizeof(name), m.name, "", "");
	set_text(descriptor, sizeof(descriptor), m.descriptor, "", "");
	set_text(source, sizeof(source), m.source_file, "", "");
	struct method_facts facts = {.vm_id = id,
		.class_signature = owner,
		.name = name,
		.descriptor = descriptor,
		.source = *source ? source : NULL,
		.lines = lines,
		.line_count = count,
		.native = m.code_bytes == 0};
	if (recorder_add_method(p->recorder, &facts))
		recorder_refuse_method(p->recorder, id);
}

static uint64_t method_id(const struct places *p, uintptr_t method)
{
	return call_path_method(&p->records, method);
}

/* Any other id is a jmethodID, which is where the VM keeps the Method; NULL there once its class is
 * gone. */
static uintptr_t method_of(const struct places *p, const struct birth_place *place, uint64_t id)
{
	if (place && id == method_id(p, place->method))
		return place->method;
	if (place && id == method_id(p, place->native))
		return place->native;
	return word((uintptr_t)id);
}

/* 0: not told. */
static uintptr_t home_of(const struct places *p, uintptr_t method)
{
	struct vm_method m;
	return method && vm_method_read(&p->methods, method, &m) == ERR_NONE
		       ? loaders_of(p->loaders, m.klass)
		       : 0;
}

static uint32_t define_site(struct places *p, struct exact_site *s, const struct birth_place *place,
	const struct code_frame *frames, uint32_t depth)
{
	struct stack_frame stack[CODE_MAP_DEPTH + 1];
	uint64_t unknown[CODE_MAP_DEPTH + 1];
	for (uint32_t i = 0; i < depth; i++)
		stack[i] = (struct stack_frame){frames[i].method, frames[i].bci};
	uint32_t count =
		recorder_unknown_methods(p->recorder, stack, depth, unknown, CODE_MAP_DEPTH + 1);
	for (uint32_t i = 0; i < count; i++)
		add_method(p, unknown[i], method_of(p, place, unknown[i]));
	return recorder_exact_site(p->recorder, s->class_id, stack, depth);
}

/* So that its objects can be made to jump over their ages, whatever code the place is compiled to.
 */
static void tell_place(struct places *p, const struct exact_site *s, uintptr_t method, int32_t bci)
{
	const struct vm_objects *o = &p->methods.objects;
	struct vm_method m;
	char allocates[SIGNATURE_MAX];
	if (!method || bci < 0 || vm_method_read(&p->methods, method, &m))
		return;
	fill_signature(o, narrow_klass_address(o, s->klass), allocates);
	uint64_t named = place_key(m.class_name, m.name, m.descriptor, bci, slice_str(allocates));
	births_place(p->births, (uint32_t)(s - p->births->sites.at), named,
		place_key_in(named, loaders_of(p->loaders, m.klass)));
}

#define LINED (1u << 31) /* of exact_site.site: the place has a line */

static void set_site(struct exact_site *s, uint32_t id, const struct code_frame *leaf)
{
	if (id)
		atomic_store(&s->site, id | (leaf && leaf->bci >= 0 ? LINED : 0));
}

/* The native method between the VM and the place, if there is one, before its frames. */
static uint32_t put_native(uint64_t native, struct code_frame *frames)
{
	if (native)
		frames[0] = (struct code_frame){native, -1};
	return native ? 1 : 0;
}

/*
 * Whether what the map says of the key is still of the code that stands there: the VM tells of code
 * that went, and of what came in its place, a moment late.
 */
static bool is_current(struct places *p, const struct exact_site *s, uint64_t method)
{
	struct code_blob blob;
	return code_blob_find(&p->blobs, (uintptr_t)s->key, &blob) == ERR_NONE && blob.is_nmethod &&
	       blob.method == word((uintptr_t)method);
}

/* leaf: the key is where a probe in the compiler's own code returns to. */
static uint32_t frames_at(struct places *p, const struct exact_site *s, bool leaf,
	struct code_frame *frames, uint64_t *method)
{
	uintptr_t klass = narrow_klass_address(&p->methods.objects, s->klass);
	return leaf ? probe_records_find(&p->records, (uintptr_t)s->key, klass, frames, method)
		    : code_map_frames(p->code, (uintptr_t)s->key, false, frames, method);
}

/* place: where the thread is in the code right now; NULL: later, when it has been told of. */
static bool place_compiled(
	struct places *p, const struct place_waiting *w, const struct birth_place *place)
{
	struct exact_site *s = &p->births->sites.at[w->site];
	struct code_frame frames[CODE_MAP_DEPTH + 1];
	uint64_t method;
	uint32_t native = put_native(w->native, frames);
	uint32_t depth = frames_at(p, s, w->leaf, frames + native, &method);
	if (!depth || (place && !is_current(p, s, method)))
		return false;
	s->home = home_of(p, word((uintptr_t)method));
	if (!native)
		tell_place(p, s, word((uintptr_t)frames[0].method), frames[0].bci);
	set_site(s, define_site(p, s, place, frames, depth + native), &frames[native]);
	return true;
}

static void place_interpreted(
	struct places *p, struct exact_site *s, const struct birth_place *place)
{
	struct code_frame frames[2];
	uint32_t native = put_native(method_id(p, place->native), frames);
	s->home = home_of(p, place->method);
	frames[native] = (struct code_frame){
		method_id(p, place->method), vm_method_bci(&p->methods, place->method, place->bcp)};
	if (!native)
		tell_place(p, s, place->method, frames[0].bci);
	set_site(s, define_site(p, s, place, frames, native + 1), &frames[native]);
}

/* -- Call paths -- */

/* A Method that stands on this thread's stack is named by its address. */
static bool is_on_stack(const struct call_path *path, uint64_t id)
{
	for (uint32_t i = 0; i < path->count; i++)
		if (path->frames[i].method == id)
			return true;
	return false;
}

/* All methods of the frames become known as far as they can. here: the thread is in them now. */
static void learn_all(struct places *p, const struct call_path *path,
	const struct stack_frame *frames, uint32_t depth, bool here)
{
	enum { SOME = 64 };
	uint64_t unknown[SOME];
	for (uint32_t i = 0; i < depth; i += SOME) {
		uint32_t part = depth - i < SOME ? depth - i : SOME;
		uint32_t count =
			recorder_unknown_methods(p->recorder, frames + i, part, unknown, SOME);
		for (uint32_t k = 0; k < count; k++) {
			bool address = is_on_stack(path, unknown[k]);
			if (!address || here)
				add_method(p, unknown[k],
					address ? call_path_address(unknown[k])
						: word((uintptr_t)unknown[k]));
		}
	}
}

/* Its objects jump where those of its line do. */
static void tell_path(struct places *p, const struct exact_site *s, const struct call_path *path,
	const struct stack_frame *leaf, bool here)
{
	bool address = is_on_stack(path, leaf->vm_method);
	if (leaf->vm_method && (!address || here))
		tell_place(p, s,
			address ? call_path_address(leaf->vm_method)
				: word((uintptr_t)leaf->vm_method),
			leaf->bci);
}

/* The trace's id of the path, as far as it is known; 0: the allocating line isn't yet, or there is
 * no room. */
static uint32_t path_site(struct places *p, const struct exact_site *s,
	const struct call_path *path, bool here, bool *lined)
{
	struct stack_frame frames[JAVA_STACK_MAX];
	bool cut;
	uint32_t depth = call_path_frames(path, &p->records, p->stacks.depth, frames, &cut, lined);
	if (!depth)
		return 0;
	learn_all(p, path, frames, depth, here);
	tell_path(p, s, path, &frames[0], here);
	return recorder_walked_site(p->recorder, s->class_id, frames, depth, cut);
}

static bool place_path(
	struct places *p, struct exact_site *s, const struct call_path *path, bool here)
{
	bool lined = false;
	if (call_path_waits(path))
		return false;
	uint32_t id = path_site(p, s, path, here, &lined);
	if (call_path_lost(path))
		atomic_fetch_add(&p->unnamed, 1);
	if (!id) /* of its class alone, then */
		id = recorder_exact_site(p->recorder, s->class_id, NULL, 0);
	if (id)
		atomic_store(&s->site, id | (lined ? LINED : 0));
	return true;
}

static bool keep_waiting(struct places *p, struct place_waiting w)
{
	pthread_mutex_lock(&p->lock);
	bool room = p->waiting_count < PLACES_WAITING;
	if (room)
		p->waiting[p->waiting_count++] = w;
	pthread_mutex_unlock(&p->lock);
	return room;
}

/* It waits no more; whoever took it meanwhile frees it. */
static void drop_waiting(struct places *p, const struct call_path *path)
{
	bool mine = false;
	pthread_mutex_lock(&p->lock);
	for (uint32_t i = 0; i < p->waiting_count && !mine; i++) {
		mine = p->waiting[i].path == path;
		if (mine)
			p->waiting[i] = p->waiting[--p->waiting_count];
	}
	pthread_mutex_unlock(&p->lock);
	if (mine)
		mem_free((void *)(uintptr_t)path);
}

/* Named as far as it is known: there is no room to wait. */
static void place_part(struct places *p, struct exact_site *s, const struct call_path *path)
{
	bool lined = false;
	atomic_fetch_add(&p->unnamed, 1);
	uint32_t id = path_site(p, s, path, true, &lined);
	if (id)
		atomic_store(&s->site, id | (lined ? LINED : 0));
}

/* Whether it waits now, by a copy of its own; *path may come to know more meanwhile, and then it
 * does not. */
static bool wait_for_path(struct places *p, struct exact_site *s, struct call_path *path)
{
	struct place_waiting w = {
		.site = (uint32_t)(s - p->births->sites.at), .path = call_path_copy(path)};
	if (!w.path || !keep_waiting(p, w)) {
		mem_free(w.path);
		place_part(p, s, path);
		return true;
	}
	/* What it waits for may have been told of before it was seen to wait. */
	if (!call_path_again(path, &p->records))
		return true;
	drop_waiting(p, w.path);
	return false;
}

static void define_path(struct places *p, struct exact_site *s, const struct birth_place *place)
{
	struct call_path_room room;
	struct call_path *path = call_path_of(&room, place->stack, &p->records,
		narrow_klass_address(&p->methods.objects, s->klass));
	if (place_path(p, s, path, true))
		return;
	struct stack_frame known[JAVA_STACK_MAX];
	learn_all(p, path, known, call_path_methods(path, known), true);
	while (!wait_for_path(p, s, path) && !place_path(p, s, path, true)) {
	}
}

static void place_nowhere(struct places *p, struct exact_site *s)
{
	set_site(s, recorder_exact_site(p->recorder, s->class_id, NULL, 0), NULL);
}

/* Whether the recorder knows the method from now on: its class may be gone when it is asked for. */
static bool learn(struct places *p, uint64_t native, const struct birth_place *place)
{
	struct stack_frame frame = {native, -1};
	uint64_t unknown;
	if (recorder_unknown_methods(p->recorder, &frame, 1, &unknown, 1))
		add_method(p, native, place->native);
	return !recorder_unknown_methods(p->recorder, &frame, 1, &unknown, 1);
}

/* Keeps the site until its code is told of; where there is no room its births have no line. */
static void wait_for_code(struct places *p, struct place_waiting w, const struct birth_place *place)
{
	if (w.native && !learn(p, w.native, place))
		w.native = 0;
	pthread_mutex_lock(&p->lock);
	if (p->waiting_count < PLACES_WAITING)
		p->waiting[p->waiting_count++] = w;
	pthread_mutex_unlock(&p->lock);
}

static void place_later(struct places *p, struct place_waiting w, const struct birth_place *place)
{
	wait_for_code(p, w, place);
	/* It may have been told of before the site was seen to wait. */
	place_compiled(p, &w, place);
}

/* -- Code that goes -- */

static void note_compiled(struct places *p, struct exact_site *s, uint64_t pc)
{
	struct code_blob blob;
	s->code = (uintptr_t)pc;
	if (pc && code_blob_find(&p->blobs, s->code, &blob) == ERR_NONE)
		s->version = blob.compilation;
}

static void note_bytecode(struct places *p, struct exact_site *s, uintptr_t method, uintptr_t bcp)
{
	int bci = vm_method_bci(&p->methods, method, bcp);
	if (bci < 0 || !home_of(p, method)) /* then nobody can tell whether it is there */
		return;
	s->code = bcp;
	s->into = (uint32_t)bci + 1;
	s->version = vm_method_version(&p->methods, bcp - (uintptr_t)bci);
}

/* Whether the loader was there, or has found room. */
static bool add_home(struct exact_site *s, uintptr_t home)
{
	if (!home || home == s->home)
		return true;
	if (!s->home) {
		s->home = home;
		return true;
	}
	for (int i = 0; i < SITE_HOMES; i++) {
		if (s->callers[i] == home || !s->callers[i]) {
			s->callers[i] = home;
			return true;
		}
	}
	return false;
}

/* What is compiled in a path makes it another when it goes (java_stack.h). */
static void note_path(struct places *p, struct exact_site *s, const struct java_stack *stack)
{
	for (uint32_t i = 0; i < stack->count; i++)
		if (stack->frames[i].method && !add_home(s, home_of(p, stack->frames[i].method)))
			s->many = true;
	if (stack->count && stack->frames[0].method)
		note_bytecode(p, s, stack->frames[0].method, stack->frames[0].at);
}

static void note_code(struct places *p, struct exact_site *s, const struct birth_place *place)
{
	if (place->stack)
		note_path(p, s, place->stack);
	else if (place->method)
		note_bytecode(p, s, place->method, place->bcp);
	else
		note_compiled(p, s, place->key);
}

uintptr_t places_home(const void *places, uint64_t vm_method)
{
	return home_of(places, word((uintptr_t)vm_method));
}

bool places_replaced(void *places, const struct exact_site *s)
{
	struct places *p = places;
	struct code_blob blob;
	if (!s->version)
		return false;
	if (s->into)
		return vm_method_version(&p->methods, s->code - (s->into - 1)) != s->version;
	return code_blob_find(&p->blobs, s->code, &blob) || blob.compilation != s->version;
}

static void define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *place)
{
	struct places *p = arg;
	const struct vm_objects *o = &p->methods.objects;
	char signature[SIGNATURE_MAX];
	uintptr_t klass = object_klass(o, b->object);
	int32_t layout = klass_layout(o, klass);
	struct place_waiting w = {(uint32_t)(s - p->births->sites.at), place->leaf,
		method_id(p, place->native), NULL};
	bool odd = klass == o->class_klass || klass_is_chunk(o, klass);
	s->shape = shape_of_array(layout);
	s->bytes1 = odd ? 0 : shape_instance(layout);
	note_code(p, s, place);
	fill_signature(o, klass, signature);
	s->class_id = recorder_class(p->recorder, signature);
	s->loader = loaders_of(p->loaders, klass);
	if (place->stack)
		define_path(p, s, place);
	else if (!place->key)
		place_nowhere(p, s);
	else if (place->method)
		place_interpreted(p, s, place);
	else if (!place_compiled(p, &w, place))
		place_later(p, w, place);
}

struct birth_oracle places_oracle(struct places *p)
{
	return (struct birth_oracle){.arg = p,
		.caller = caller,
		.walk = walk,
		.stack = stack,
		.define = define,
		.bytes = bytes,
		.outside = outside};
}

static bool waits_for(
	struct places *p, const struct place_waiting *w, uintptr_t begin, uintptr_t end)
{
	uint64_t key = p->births->sites.at[w->site].key;
	return w->path ? call_path_waits_in(w->path, p->code, begin, end)
		       : key >= begin && key <= end;
}

/* Takes the next from *at on that waits for code between the addresses; false: there is none. */
static bool take_waiting(
	struct places *p, uint32_t *at, uintptr_t begin, uintptr_t end, struct place_waiting *out)
{
	bool found = false;
	pthread_mutex_lock(&p->lock);
	for (; *at < p->waiting_count && !found; ++*at) {
		if (!waits_for(p, &p->waiting[*at], begin, end))
			continue;
		found = true;
		*out = p->waiting[*at];
		p->waiting[(*at)--] = p->waiting[--p->waiting_count];
	}
	pthread_mutex_unlock(&p->lock);
	return found;
}

/* Further code of the path may have to be waited for. */
static void place_told(struct places *p, struct exact_site *s, struct place_waiting w,
	uintptr_t begin, uintptr_t end)
{
	call_path_told(w.path, p->code, begin, end);
	if (place_path(p, s, w.path, false) || !keep_waiting(p, w))
		mem_free(w.path);
}

void places_added(void *places, uintptr_t begin, uintptr_t end)
{
	struct places *p = places;
	struct place_waiting w;
	uint32_t at = 0;
	while (take_waiting(p, &at, begin, end, &w)) {
		struct exact_site *s = &p->births->sites.at[w.site];
		if (w.path)
			place_told(p, s, w, begin, end);
		else if (!atomic_load(&s->site) && !s->retired) /* else its code has gone */
			place_compiled(p, &w, NULL);
	}
}

/* Of a path that still waits, what is known. 0: nothing, or it does not wait. */
static uint32_t site_so_far(struct places *p, uint32_t site, bool *lined)
{
	struct call_path *path = NULL;
	pthread_mutex_lock(&p->lock);
	for (uint32_t i = 0; i < p->waiting_count && !path; i++)
		if (p->waiting[i].site == site && p->waiting[i].path)
			path = call_path_copy(p->waiting[i].path);
	pthread_mutex_unlock(&p->lock);
	uint32_t id = path ? path_site(p, &p->births->sites.at[site], path, false, lined) : 0;
	mem_free(path);
	return id;
}

uint32_t places_site(struct places *p, uint32_t site, enum place_state *state)
{
	struct exact_site *s = &p->births->sites.at[site];
	uint32_t id = atomic_load(&s->site);
	bool lined = false;
	*state = !id ? PLACE_WAITS : id & LINED ? PLACE_KNOWN : PLACE_WITHOUT_LINE;
	if (id)
		return id & ~LINED;
	id = site_so_far(p, site, &lined);
	if (lined)
		*state = PLACE_KNOWN;
	return id ? id : recorder_exact_site(p->recorder, s->class_id, NULL, 0);
}
