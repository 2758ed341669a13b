#include "agent/hook_jumps.h"

#include <string.h>

#include "agent/place_key.h"
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
	if (!id || (*e)->GetMethodDeclaringClass(e, id, &held) != JVMTI_ERROR_NONE) {
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
 * whether anything will ever be born there. */
static void judge(const struct hook_jumps *h, JNIEnv *jni, struct wish *w)
{
	if (rewrites_touches(h->rewrites, w->class_name))
		refuse(w, "its class is rewritten");
	else if (w->vm_method)
		judge_method(h, jni, w);
	else if (!w->opcode || !allocates(w->opcode))
		refuse(w, "no instruction there is known to allocate");
	else if (met(h, w)) {
		w->vm_method = rewrites_only_method(h->rewrites, jni, w);
		judge_method(h, jni, w);
	}
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
	for (size_t i = 0; i < count; i++)
		judge(h, jni, &wishes[i]);
	refuse_classes(wishes, count);
	int err = wishes_copy(&copy, wishes, count);
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

static uint64_t method(void *arg, JNIEnv *jni, const struct wish *wish)
{
	const struct wish *known = wishes_at(&((struct hook_jumps *)arg)->wishes, wish);
	(void)jni;
	return known && known->state == WISH_DONE ? known->vm_method : 0;
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
	bool refused = false, any = unsettled(h);
	for (size_t i = 0; i < h->wishes.count && any; i++) {
		struct wish *w = &h->wishes.at[i];
		if (w->state == WISH_WAITS)
			judge(h, jni, w);
		refused = refused || w->state == WISH_REFUSED;
	}
	if (any)
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
		.method = method,
		.unsettled = unsettled,
		.settle = settle,
		.rest = rest,
		.end = end};
}
