#include "agent/methods.h"

#include <stdlib.h>

#include "agent/class_batch.h"
#include "agent/recorder_names.h"
#include "agent/rewrites.h"
#include "agent/sound_ids.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"

enum {
	ACC_NATIVE = 0x100,
	AGAIN_MOST = 4, /* each is another exchange of classes while one method is asked about */
};

/* What JVMTI hands out for one method, to be given back. */
struct answers {
	char *name, *descriptor, *class_signature, *source;
	jvmtiLineNumberEntry *entries;
	jint entry_count;
	jint modifiers;
	struct line_entry *lines; /* the entries, by the indices that frames have; owned */
	uint32_t line_count;
};

static void give_back(const struct vm *vm, struct answers *a)
{
	vm_free(vm, a->name);
	vm_free(vm, a->descriptor);
	vm_free(vm, a->class_signature);
	vm_free(vm, a->source);
	vm_free(vm, a->entries);
	mem_free(a->lines);
}

/* On failure JVMTI leaves the out pointers undefined: they count only after JVMTI_ERROR_NONE. */
static int ask_class(const struct vm *vm, JNIEnv *jni, jmethodID method, struct answers *a)
{
	jclass owner = NULL;
	if ((*vm->jvmti)->GetMethodDeclaringClass(vm->jvmti, method, &owner) != JVMTI_ERROR_NONE)
		return ERR_JVM;
	char *text = NULL;
	if ((*vm->jvmti)->GetClassSignature(vm->jvmti, owner, &text, NULL) == JVMTI_ERROR_NONE)
		a->class_signature = text;
	if ((*vm->jvmti)->GetSourceFileName(vm->jvmti, owner, &text) == JVMTI_ERROR_NONE)
		a->source = text;
	(*jni)->DeleteLocalRef(jni, owner);
	return a->class_signature ? ERR_NONE : ERR_JVM;
}

static int ask(const struct vm *vm, JNIEnv *jni, jmethodID method, struct answers *a)
{
	char *name = NULL, *descriptor = NULL;
	if ((*vm->jvmti)->GetMethodName(vm->jvmti, method, &name, &descriptor, NULL) !=
		JVMTI_ERROR_NONE)
		return ERR_JVM;
	a->name = name;
	a->descriptor = descriptor;
	if ((*vm->jvmti)->GetMethodModifiers(vm->jvmti, method, &a->modifiers) != JVMTI_ERROR_NONE)
		a->modifiers = 0;
	return ask_class(vm, jni, method, a);
}

static int by_bci(const void *a, const void *b)
{
	const struct line_entry *x = a, *y = b;
	return (x->bci > y->bci) - (x->bci < y->bci);
}

static void ask_table(const struct vm *vm, jmethodID method, struct answers *a)
{
	jvmtiLineNumberEntry *entries = NULL;
	jint count = 0;
	vm_free(vm, a->entries);
	jvmtiError err = (*vm->jvmti)->GetLineNumberTable(vm->jvmti, method, &count, &entries);
	a->entries = err == JVMTI_ERROR_NONE ? entries : NULL;
	a->entry_count = err == JVMTI_ERROR_NONE ? count : 0;
}

static uint64_t table_hash(const struct answers *a)
{
	uint64_t hash = (uint64_t)a->entry_count;
	for (jint i = 0; i < a->entry_count; i++)
		hash = hash64_pair(hash64_pair(hash, (uint64_t)a->entries[i].start_location),
			(uint64_t)a->entries[i].line_number);
	return hash;
}

/* By the indices that frames have: those of the class file, whatever tenure has made of it. */
static int translate(uint64_t vm_id, struct answers *a)
{
	size_t room = a->entry_count > 0 ? (size_t)a->entry_count : 1;
	mem_free(a->lines);
	a->line_count = 0;
	a->lines = mem_alloc(room * sizeof(*a->lines));
	if (!a->lines)
		return ERR_NOMEM;
	for (jint i = 0; i < a->entry_count; i++)
		a->lines[a->line_count++] = (struct line_entry){
			(uint32_t)rewrites_bci(vm_id, (int32_t)a->entries[i].start_location),
			(uint32_t)a->entries[i].line_number};
	qsort(a->lines, a->line_count, sizeof(*a->lines), by_bci);
	return ERR_NONE;
}

/* Classes may be exchanged between the VM's table and the look at what stands at its indices:
 * tables that are the same before and after were translated by the code they are of. */
static int ask_lines(const struct vm *vm, uint64_t vm_id, struct answers *a)
{
	uint64_t was = 0;
	for (uint32_t i = 0; i <= AGAIN_MOST; i++) {
		uint32_t moment = class_batch_moment();
		ask_table(vm, (jmethodID)(uintptr_t)vm_id, a);
		if (i && table_hash(a) == was)
			break;
		if (translate(vm_id, a))
			return ERR_NOMEM;
		if (class_batch_holds(moment))
			break;
		was = table_hash(a);
	}
	return ERR_NONE;
}

static int add(struct recorder *r, uint64_t vm_id, const struct answers *a)
{
	struct method_facts facts = {
		.vm_id = vm_id,
		.class_signature = a->class_signature,
		.name = a->name,
		.descriptor = a->descriptor,
		.source = a->source,
		.lines = a->lines,
		.line_count = a->line_count,
		.native = (a->modifiers & ACC_NATIVE) != 0,
	};
	return recorder_add_method(r, &facts);
}

int methods_resolve(const struct vm *vm, JNIEnv *jni, struct recorder *r, uint64_t vm_id)
{
	struct answers a = {0};
	jmethodID method = (jmethodID)(uintptr_t)vm_id;
	int err = sound_id(method) ? ask(vm, jni, method, &a) : ERR_JVM;
	if (!err)
		err = ask_lines(vm, vm_id, &a);
	if (!err)
		err = add(r, vm_id, &a);
	give_back(vm, &a);
	return err;
}
