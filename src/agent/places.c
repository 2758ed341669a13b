#include "agent/places.h"

#include <string.h>

#include "agent/place_key.h"
#include "agent/recorder_names.h"
#include "agent/vm_names.h"
#include "base/compiler.h"
#include "base/error.h"
#include "exact/birth_jumps.h"
#include "exact/shape.h"
#include "hotspot/heap_walk.h"
#include "hotspot/method_peek.h"
#include "hotspot/vm_structs.h"

enum { THREAD_BYTES = 1 << 16 }; /* more than a JavaThread has */

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
	const struct method_ids *ids, const struct vm *vm, JNIEnv *jni, struct diag *d)
{
	const void *inside = vm_code(vm);
	struct vm_structs s = vm_structs_of(inside);
	*p = (struct places){.recorder = r, .births = b, .code = code};
	waiting_sites_init(&p->waiting);
	int err = read_env(p, vm, jni, d);
	if (!err)
		err = code_blobs_open(&p->blobs, inside, d);
	if (!err)
		err = vm_methods_open(&p->methods, inside, d);
	if (!err)
		err = last_frames_open(&p->last, inside, &p->blobs, &p->methods, d);
	if (err)
		return err;
	p->records = (struct probe_records){.code = code,
		.blobs = &p->blobs,
		.methods = &p->methods,
		.ids = ids,
		.epoch = &b->epoch,
		.stale_here = vm->major == 11};
	err = inline_alloc_open(&p->records.alloc, &s, d);
	if (!err && code_watch_init(&p->watch, &p->blobs, &p->methods))
		err = diag_set(d, ERR_NOMEM, "out of memory for the exact engine's tables");
	return err;
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
	waiting_sites_release(&p->waiting);
	code_watch_release(&p->watch);
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

/* From the last Java frame out of the VM's stubs, and out of a native method, to who called. */
static void walk(
	void *arg, const struct birth *b, struct code_blob_memo *m, struct birth_place *out)
{
	struct places *p = arg;
	uintptr_t java_thread = b->thread ? b->thread : own_thread(p);
	if (!java_thread)
		return;
	struct last_frame f = last_frame_of(&p->last, m, java_thread);
	out->native = f.native;
	out->method = f.method;
	out->bcp = f.bcp;
	if (f.pc)
		out->key = f.pc;
	else
		out->key = f.bcp ? method_key_at(&p->methods.key, f.method, f.bcp) : f.method;
}

static bool stack(void *arg, const struct birth *b, struct java_code_cache *cache, bool told,
	struct java_stack *out)
{
	struct places *p = arg;
	bool vm = !java_code_holds(&p->stacks.code, &cache->codes, b->pc);
	struct java_stack_start start = {.pc = b->pc,
		.sp = b->sp,
		.fp = b->fp,
		.bcp = b->bcp,
		.thread = b->thread ? b->thread : b->java_thread};
	if (vm && !b->thread)
		start.thread = own_thread(p);
	java_stack_walk(&p->stacks, cache, &start, told, out);
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

static struct site_code site_code(struct places *p)
{
	return (struct site_code){&p->blobs, &p->methods, p->loaders, &p->watch};
}

/* A method that this thread is in has its address, any other goes by its id. */
struct method_ref {
	uint64_t id;
	uintptr_t address;
};

/* What is asked of a method. */
struct whose {
	const struct places *places;
	struct method_peek at;
	uintptr_t home; /* its class's loader */
	struct method_names names;
};

static bool read_home(void *arg, uintptr_t method)
{
	struct whose *w = arg;
	if (!method_peek(&w->places->methods, method, &w->at))
		return false;
	w->home = loaders_peek(w->places->loaders, w->at.klass);
	return true;
}

static bool read_names(void *arg, uintptr_t method)
{
	struct whose *w = arg;
	method_names_release(&w->names);
	return read_home(w, method) && method_peek_names(&w->places->methods, &w->at, &w->names);
}

static bool ask(struct whose *w, struct method_ref method, method_ids_reader *read)
{
	return method.address
		       ? read(w, method.address)
		       : method.id && method_ids_read(w->places->records.ids, method.id, read, w);
}

static uintptr_t home_of(const struct places *p, struct method_ref method)
{
	struct whose w = {.places = p};
	return ask(&w, method, read_home) ? w.home : 0;
}

/* One that is not known yet. */
static void add_method(struct places *p, struct method_ref method)
{
	if (method.address)
		vm_name_method(p->recorder, &p->methods, method.id, method.address);
	else
		vm_name_method_by_id(p->recorder, &p->methods, p->records.ids, method.id);
}

static uint64_t method_id(const struct places *p, uintptr_t method)
{
	return call_path_method(&p->records, method);
}

/* Any other id is a jmethodID. */
static struct method_ref method_of(
	const struct places *p, const struct birth_place *place, uint64_t id)
{
	struct method_ref of = {.id = id};
	if (place && id == method_id(p, place->method))
		of.address = place->method;
	else if (place && id == method_id(p, place->native))
		of.address = place->native;
	return of;
}

/* held: as catalog_methods_to_ask. */
static void ask_for(struct places *p, const struct birth_place *place,
	const struct stack_frame *stack, uint32_t depth, uint32_t held)
{
	uint64_t ids[CODE_MAP_DEPTH + 1];
	uint32_t count =
		recorder_methods_to_ask(p->recorder, stack, depth, held, ids, CODE_MAP_DEPTH + 1);
	for (uint32_t i = 0; i < count; i++)
		add_method(p, method_of(p, place, ids[i]));
}

/* native: how many native ones are before the place's own. */
static uint32_t define_site(struct places *p, struct exact_site *s, const struct birth_place *place,
	const struct code_frame *frames, uint32_t native, uint32_t depth)
{
	struct stack_frame stack[CODE_MAP_DEPTH + 1];
	for (uint32_t i = 0; i < depth; i++)
		stack[i] = (struct stack_frame){frames[i].method, frames[i].bci};
	/* Its class may have been exchanged since; the code is there, and so is what it is of. */
	ask_for(p, place, stack + native, 1, METHOD_HELD_BY_CODE);
	ask_for(p, place, stack, depth, METHOD_HELD_FOR_GOOD);
	uint32_t id = recorder_exact_site(p->recorder, s->class_id, stack, depth);
	if (!id)
		atomic_fetch_add(&p->unwritten, 1);
	return id;
}

static uintptr_t class_of(const struct places *p, const struct exact_site *s)
{
	const struct vm_objects *o = &p->methods.objects;
	return o->wide ? (uintptr_t)s->klass_upper << 32 | s->klass : narrow_klass(o, s->klass);
}

static void put_place(
	struct places *p, const struct exact_site *s, const struct whose *w, int32_t bci)
{
	char allocates[VM_SIGNATURE_MAX];
	const struct method_names *n = &w->names;
	/* Its class may go while this thread is told of code, or have gone where no pause told. */
	if (!vm_signature_peek(&p->methods.objects, class_of(p, s), allocates))
		return;
	uint64_t named = place_key(buf_slice(&n->class_name), buf_slice(&n->name),
		buf_slice(&n->descriptor), bci, slice_str(allocates));
	births_place(p->births, (uint32_t)(s - p->births->sites.at), named,
		place_key_in(named, w->home));
}

/* So that its objects can be made to jump over their ages, whatever code the place is compiled to.
 */
static void tell_place(
	struct places *p, const struct exact_site *s, struct method_ref method, int32_t bci)
{
	struct whose w = {.places = p};
	if (!p->acts || s->retired || bci < 0) /* retired: nobody is born there */
		return;
	if (ask(&w, method, read_names))
		put_place(p, s, &w, bci);
	method_names_release(&w.names);
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
	       method_ids_is(p->records.ids, method, blob.method);
}

/* leaf: the key is where a probe in the compiler's own code returns to. */
static uint32_t frames_at(struct places *p, const struct exact_site *s, bool leaf,
	struct code_frame *frames, uint64_t *method)
{
	return leaf ? probe_records_find(
			      &p->records, (uintptr_t)s->key, class_of(p, s), frames, method)
		    : code_map_frames(p->code, (uintptr_t)s->key, false, frames, method);
}

static struct exact_site *site_that_waits(struct places *p, const struct waiting_site *w)
{
	return &p->births->sites.at[w->site];
}

/* place: where the thread is in the code right now; NULL: later, when it has been told of. */
static bool place_compiled(
	struct places *p, const struct waiting_site *w, const struct birth_place *place)
{
	struct exact_site *s = site_that_waits(p, w);
	struct code_frame frames[CODE_MAP_DEPTH + 1];
	uint64_t method;
	uint32_t native = put_native(w->native, frames);
	uint32_t depth = frames_at(p, s, w->leaf, frames + native, &method);
	if (!depth || (place && !is_current(p, s, method)))
		return false;
	site_table_move(&p->births->sites, s, home_of(p, (struct method_ref){method, 0}));
	if (!native)
		tell_place(p, s, (struct method_ref){frames[0].method, 0}, frames[0].bci);
	set_site(s, define_site(p, s, place, frames, native, native + depth), &frames[native]);
	return true;
}

static void place_interpreted(
	struct places *p, struct exact_site *s, const struct birth_place *place)
{
	struct code_frame frames[2];
	uint32_t native = put_native(method_id(p, place->native), frames);
	struct method_ref method = {method_id(p, place->method), place->method};
	site_table_move(&p->births->sites, s, home_of(p, method));
	int bci = place->whole ? -1 : vm_method_bci(&p->methods, place->method, place->bcp);
	frames[native] = (struct code_frame){method.id, bci};
	if (!native && !place->whole)
		tell_place(p, s, method, frames[0].bci);
	set_site(s, define_site(p, s, place, frames, native, native + 1), &frames[native]);
}

/* -- Call paths -- */

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
			/* A Method that stands on this thread's stack is named by its address. */
			uintptr_t address = call_path_address(path, unknown[k]);
			if (!address || here)
				add_method(p, (struct method_ref){unknown[k], address});
		}
	}
}

/* Its objects jump where those of its line do. */
static void tell_path(struct places *p, const struct exact_site *s, const struct call_path *path,
	const struct stack_frame *leaf, bool here)
{
	uintptr_t address = leaf->vm_method ? call_path_address(path, leaf->vm_method) : 0;
	if (leaf->vm_method && (!address || here))
		tell_place(p, s, (struct method_ref){leaf->vm_method, address}, leaf->bci);
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

/* Named as far as it is known: there is no room to wait. */
static void place_part(struct places *p, struct exact_site *s, const struct call_path *path)
{
	bool lined = false;
	atomic_fetch_add(&p->unnamed, 1);
	uint32_t id = path_site(p, s, path, true, &lined);
	if (id)
		atomic_store(&s->site, id | (lined ? LINED : 0));
}

/* Whether there was room; then the path is theirs. */
static bool put_waiting(struct places *p, struct waiting_site w)
{
	atomic_store(&site_that_waits(p, &w)->waits, true);
	if (waiting_sites_put(&p->waiting, w))
		return true;
	atomic_store(&site_that_waits(p, &w)->waits, false);
	return false;
}

/* Whether it waits now, by a copy of its own; *path may come to know more meanwhile, and then it
 * does not. */
static bool wait_for_path(struct places *p, struct exact_site *s, struct call_path *path)
{
	struct waiting_site w = {
		.site = (uint32_t)(s - p->births->sites.at), .path = call_path_copy(path)};
	if (!w.path || !put_waiting(p, w)) {
		mem_free(w.path);
		place_part(p, s, path);
		return true;
	}
	/* What it waits for may have been told of before it was seen to wait. */
	if (!call_path_again(path, &p->records))
		return true;
	waiting_sites_drop(&p->waiting, w.path);
	return false;
}

static void define_path(struct places *p, struct exact_site *s, const struct birth_place *place)
{
	struct call_path_room room;
	struct call_path *path = call_path_of(&room, place->stack, &p->records, class_of(p, s));
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
		add_method(p, (struct method_ref){native, place->native});
	return !recorder_unknown_methods(p->recorder, &frame, 1, &unknown, 1);
}

/* Keeps the site until its code is told of; where there is no room its births have no line. */
static void wait_for_code(struct places *p, struct waiting_site w, const struct birth_place *place)
{
	if (w.native && !learn(p, w.native, place))
		w.native = 0;
	w.compilation = code_blob_compilation(&p->blobs, (uintptr_t)w.key);
	put_waiting(p, w);
}

static void place_later(struct places *p, struct waiting_site w, const struct birth_place *place)
{
	wait_for_code(p, w, place);
	/* It may have been told of before the site was seen to wait. */
	place_compiled(p, &w, place);
}

uintptr_t places_home(const void *places, uint64_t vm_method)
{
	const struct places *p = places;
	return home_of(p, (struct method_ref){vm_method, 0});
}

static unsigned look(void *places, bool unloaded)
{
	struct places *p = places;
	return code_watch_look(&p->watch, unloaded ? p->loaders : NULL);
}

static bool replaced(void *places, const struct exact_site *s)
{
	struct site_code c = site_code(places);
	return site_code_replaced(&c, s);
}

struct code_oracle places_code(struct places *p)
{
	return (struct code_oracle){p, look, replaced};
}

static void define_all(struct places *p, struct exact_site *s, const struct birth *b,
	const struct birth_place *place)
{
	const struct vm_objects *o = &p->methods.objects;
	char signature[VM_SIGNATURE_MAX];
	uintptr_t klass = object_klass(o, b->object);
	int32_t layout = klass_layout(o, klass);
	struct waiting_site w = {.site = (uint32_t)(s - p->births->sites.at),
		.leaf = place->leaf,
		.key = s->key,
		.native = method_id(p, place->native)};
	struct site_code code = site_code(p);
	bool odd = klass == o->class_klass || klass_is_chunk(o, klass);
	s->klass_upper = (uint32_t)(klass >> 32);
	s->shape = shape_of_array(layout);
	s->bytes1 = odd ? 0 : shape_instance(layout);
	struct site_homes homes = {.loader = loaders_of(p->loaders, klass)};
	site_code_note(&code, s, &homes, place);
	site_table_house(&p->births->sites, s, &homes);
	vm_signature(o, klass, signature);
	s->class_id = recorder_class(p->recorder, signature);
	if (place->stack)
		define_path(p, s, place);
	else if (!place->key)
		place_nowhere(p, s);
	else if (place->method)
		place_interpreted(p, s, place);
	else if (!place_compiled(p, &w, place))
		place_later(p, w, place);
}

/* The thread is in the methods that it tells of, and no pause begins until it goes on. */
static void define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *place)
{
	heap_hold_meta(true);
	define_all(arg, s, b, place);
	heap_hold_meta(false);
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

/* Further code of the path may have to be waited for. */
static void path_told(struct places *p, struct waiting_site w, uintptr_t begin, uintptr_t end)
{
	struct exact_site *s = site_that_waits(p, &w);
	call_path_told(w.path, &p->records, begin, end);
	if (!place_path(p, s, w.path, false) && put_waiting(p, w))
		return;
	mem_free(w.path);
	atomic_store(&s->waits, false);
}

/* What is told of may have come to where its code was. Code outlives the class of what is made
 * there, which then is retired; but for a probe, which knows the class. */
static void code_told(struct places *p, const struct waiting_site *w)
{
	struct exact_site *s = site_that_waits(p, w);
	bool same = code_blob_compilation(&p->blobs, (uintptr_t)w->key) == w->compilation;
	bool gone = s->retired && (w->leaf || !w->compilation);
	if (!atomic_load(&s->site) && same && !gone)
		place_compiled(p, w, NULL);
	atomic_store(&s->waits, false);
}

void places_added(void *places, uintptr_t begin, uintptr_t end)
{
	struct places *p = places;
	struct waiting_site w;
	uint32_t at = 0;
	while (waiting_sites_take(&p->waiting, &at, p->code, begin, end, &w)) {
		if (w.path)
			path_told(p, w, begin, end);
		else
			code_told(p, &w);
	}
}

/* Of a path that still waits, what is known. 0: nothing, or it does not wait. */
static uint32_t site_so_far(struct places *p, uint32_t site, bool *lined)
{
	struct call_path *path = waiting_sites_path(&p->waiting, site);
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
	return id;
}
