#include "agent/hook_jumps.h"

#include <string.h>

#include "agent/place_key.h"
#include "agent/sought_methods.h"
#include "agent/sound_ids.h"
#include "base/error.h"
#include "base/mem.h"
#include "exact/birth_jumps.h"
#include "classfile/opcode.h"

static void refuse(struct wish *w, const char *why)
{
	w->state = WISH_REFUSED;
	w->why = why;
}

static uint64_t key_of(const struct wish *w)
{
	return place_key(slice_str(w->class_name), slice_str(w->method), slice_str(w->descriptor),
		w->bci, slice_str(w->allocates));
}

/* By the name that a file has for it. */
static bool allocates(const char *opcode)
{
	for (unsigned byte = 0; byte < 256; byte++) {
		const struct opcode *o = opcode_of((uint8_t)byte);
		if (opcode_allocates((uint8_t)byte) && strcmp(o->name, opcode) == 0)
			return true;
	}
	return false;
}

/* Judges by the method's code. */
static void judge_code(struct wish *w, struct slice code)
{
	uint64_t hash = rewrite_hash(code);
	if (w->has_hash && w->hash != hash) {
		refuse(w, "the method's code is another than the one that was decided on");
		return;
	}
	if (w->bci < 0 || (size_t)w->bci >= code.len || !opcode_allocates(code.at[w->bci])) {
		refuse(w, "no instruction there allocates");
		return;
	}
	const char *opcode = opcode_of(code.at[w->bci])->name;
	if (w->opcode && strcmp(w->opcode, opcode) != 0) {
		refuse(w, "another instruction stands there");
		return;
	}
	w->found_opcode = opcode;
	w->found_hash = hash;
	w->state = WISH_DONE;
}

/* The method's class is held. */
static void judge_held(const struct hook_jumps *h, struct wish *w, jmethodID id)
{
	jint len = 0;
	unsigned char *code = NULL;
	jvmtiEnv *e = h->vm->jvmti;
	if ((*e)->GetBytecodes(e, id, &len, &code) != JVMTI_ERROR_NONE) {
		refuse(w, "the VM does not show its code");
		return;
	}
	judge_code(w, slice(code, (size_t)len));
	w->key = place_key_in(key_of(w), h->home(h->home_arg, w->vm_method));
	vm_free(h->vm, code);
}

static void judge_method(const struct hook_jumps *h, JNIEnv *jni, struct wish *w)
{
	jmethodID id;
	jclass held = NULL;
	jvmtiEnv *e = h->vm->jvmti;
	memcpy(&id, &w->vm_method, sizeof(id));
	if (!id || !sound_id(id) ||
		(*e)->GetMethodDeclaringClass(e, id, &held) != JVMTI_ERROR_NONE) {
		refuse(w, "the VM does not tell its class, or there are several");
		return;
	}
	judge_held(h, w, id);
	(*jni)->DeleteLocalRef(jni, held);
}

static bool met(const struct hook_jumps *h, const struct wish *w)
{
	return births_met(h->births, key_of(w));
}

/* A place that was met while it ran has a method; one from a file has an opcode, or it is not known
 * whether anything will ever be born there. Whether its method's code is to be judged. */
static bool can_judge(const struct hook_jumps *h, struct wish *w)
{
	if (rewrites_touches(h->rewrites, w->class_name))
		refuse(w, "its class is rewritten");
	else if (!w->vm_method && (!w->opcode || !allocates(w->opcode)))
		refuse(w, "no instruction there is known to allocate");
	else
		return w->vm_method || met(h, w);
	return false;
}

/* Of those that have none. */
static void find_methods(
	const struct hook_jumps *h, JNIEnv *jni, struct wish **wishes, size_t count)
{
	struct sought_method *list = mem_alloc((count + 1) * sizeof(*list));
	size_t sought = 0;
	for (size_t i = 0; list && i < count; i++)
		if (!wishes[i]->vm_method)
			list[sought++] = (struct sought_method){wishes[i]->class_name,
				wishes[i]->method, wishes[i]->descriptor, .of = i};
	if (sought)
		(void)!sought_methods_find(list, sought, h->vm->jvmti, jni); /* or none */
	for (size_t i = 0; i < sought; i++)
		wishes[list[i].of]->vm_method = list[i].found;
	mem_free(list);
}

/* Of those that wait. 0 or ERR_NOMEM. */
static int judge(const struct hook_jumps *h, JNIEnv *jni, struct wish *wishes, size_t count)
{
	size_t open = 0;
	struct wish **judged = mem_alloc((count + 1) * sizeof(*judged));
	if (!judged)
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++)
		if (wishes[i].state == WISH_WAITS && can_judge(h, &wishes[i]))
			judged[open++] = &wishes[i];
	find_methods(h, jni, judged, open);
	for (size_t i = 0; i < open; i++)
		judge_method(h, jni, judged[i]);
	mem_free(judged);
	return ERR_NONE;
}

/* A class of which one place is to be rewritten is left alone. */
static void refuse_classes(struct wish *wishes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count && wishes[i].state == WISH_REFUSED; k++)
			if (wishes[k].state != WISH_REFUSED &&
				strcmp(wishes[i].class_name, wishes[k].class_name) == 0)
				refuse(&wishes[k], "its class is rewritten");
}

static int put_in_force(const struct hook_jumps *h)
{
	size_t count = 0;
	uint64_t *keys = mem_alloc((h->wishes.count + 1) * sizeof(*keys));
	if (!keys)
		return ERR_NOMEM;
	for (size_t i = 0; i < h->wishes.count && !h->rests; i++)
		if (h->wishes.at[i].state == WISH_DONE)
			keys[count++] = h->wishes.at[i].key;
	int err = births_jump(h->births, keys, count);
	mem_free(keys);
	return err;
}

static bool can(void *arg)
{
	return atomic_load(((struct hook_jumps *)arg)->on);
}

static int apply(void *arg, JNIEnv *jni, struct wish *wishes, size_t count)
{
	struct hook_jumps *h = arg;
	struct wishes copy;
	int err = judge(h, jni, wishes, count);
	if (err)
		return err;
	refuse_classes(wishes, count);
	err = wishes_copy(&copy, wishes, count);
	if (err)
		return err;
	struct wishes before = h->wishes;
	h->wishes = copy;
	err = put_in_force(h);
	if (err)
		h->wishes = before;
	wishes_release(err ? &copy : &before);
	return err;
}

static void look(void *arg, struct wish *wishes, size_t count)
{
	wishes_look(wishes, count, &((struct hook_jumps *)arg)->wishes);
}

static void methods(void *arg, JNIEnv *jni, struct wish *wishes, size_t count)
{
	const struct hook_jumps *h = arg;
	(void)jni;
	for (size_t i = 0; i < count; i++) {
		const struct wish *known = wishes_at(&h->wishes, &wishes[i]);
		if (!wishes[i].vm_method && known && known->state == WISH_DONE)
			wishes[i].vm_method = known->vm_method;
	}
}

static bool unsettled(void *arg)
{
	const struct hook_jumps *h = arg;
	for (size_t i = 0; i < h->wishes.count; i++)
		if (h->wishes.at[i].state == WISH_WAITS && met(h, &h->wishes.at[i]))
			return true;
	return false;
}

static bool settle(void *arg, JNIEnv *jni)
{
	struct hook_jumps *h = arg;
	bool refused = false;
	if (!unsettled(h) || judge(h, jni, h->wishes.at, h->wishes.count))
		return false;
	for (size_t i = 0; i < h->wishes.count; i++)
		refused = refused || h->wishes.at[i].state == WISH_REFUSED;
	put_in_force(h); /* without memory: in the next batch */
	return refused;
}

static int rest(void *arg, JNIEnv *jni, bool rests)
{
	struct hook_jumps *h = arg;
	(void)jni;
	h->rests = rests;
	return put_in_force(h);
}

static size_t end(void *arg, JNIEnv *jni)
{
	struct hook_jumps *h = arg;
	if (jni)
		births_jump(h->births, NULL, 0);
	return 0;
}

bool hook_jumps_open(struct hook_jumps *h, struct births *b, const _Atomic bool *on,
	struct rewrites *r, const struct vm *vm, hook_home *home, const void *home_arg)
{
	jvmtiCapabilities want;
	*h = (struct hook_jumps){
		.births = b, .on = on, .rewrites = r, .vm = vm, .home = home, .home_arg = home_arg};
	memset(&want, 0, sizeof(want));
	want.can_get_bytecodes = 1;
	return (*vm->jvmti)->AddCapabilities(vm->jvmti, &want) == JVMTI_ERROR_NONE;
}

void hook_jumps_close(struct hook_jumps *h)
{
	wishes_release(&h->wishes);
}

struct actuator hook_jumps(struct hook_jumps *h)
{
	return (struct actuator){.name = "births",
		.arg = h,
		.can = can,
		.apply = apply,
		.look = look,
		.methods = methods,
		.unsettled = unsettled,
		.settle = settle,
		.rest = rest,
		.end = end};
}
