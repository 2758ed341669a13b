#include "agent/methods.h"

#include <stdlib.h>

#include "agent/recorder_names.h"
#include "agent/rewrites.h"
#include "base/error.h"
#include "base/mem.h"

enum { ACC_NATIVE = 0x100 };

/* What JVMTI hands out for one method, to be given back. */
struct answers {
	char *name, *descriptor, *class_signature, *source;
	jvmtiLineNumberEntry *entries;
	jint entry_count;
	jint modifiers;
};

static void give_back(const struct vm *vm, struct answers *a)
{
	vm_free(vm, a->name);
	vm_free(vm, a->descriptor);
	vm_free(vm, a->class_signature);
	vm_free(vm, a->source);
	vm_free(vm, a->entries);
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
	jvmtiLineNumberEntry *entries = NULL;
	jint count = 0;
	if ((*vm->jvmti)->GetLineNumberTable(vm->jvmti, method, &count, &entries) ==
		JVMTI_ERROR_NONE) {
		a->entries = entries;
		a->entry_count = count;
	}
	return ask_class(vm, jni, method, a);
}

static int by_bci(const void *a, const void *b)
{
	const struct line_entry *x = a, *y = b;
	return (x->bci > y->bci) - (x->bci < y->bci);
}

/* By the indices that frames have: those of the class file, whatever tenure has made of it. */
static uint32_t sorted_lines(uint64_t vm_id, const struct answers *a, struct line_entry *lines)
{
	uint32_t count = 0;
	for (jint i = 0; i < a->entry_count; i++)
		lines[count++] = (struct line_entry){
			(uint32_t)rewrites_bci(vm_id, (int32_t)a->entries[i].start_location),
			(uint32_t)a->entries[i].line_number};
	qsort(lines, count, sizeof(*lines), by_bci);
	return count;
}

static int add(struct recorder *r, uint64_t vm_id, const struct answers *a)
{
	size_t room = a->entry_count > 0 ? (size_t)a->entry_count : 1;
	struct line_entry *lines = mem_alloc(room * sizeof(*lines));
	if (!lines)
		return ERR_NOMEM;
	struct method_facts facts = {
		.vm_id = vm_id,
		.class_signature = a->class_signature,
		.name = a->name,
		.descriptor = a->descriptor,
		.source = a->source,
		.lines = lines,
		.line_count = sorted_lines(vm_id, a, lines),
		.native = (a->modifiers & ACC_NATIVE) != 0,
	};
	int err = recorder_add_method(r, &facts);
	mem_free(lines);
	return err;
}

int methods_resolve(const struct vm *vm, JNIEnv *jni, struct recorder *r, uint64_t vm_id)
{
	struct answers a = {0};
	jmethodID method = (jmethodID)(uintptr_t)vm_id;
	int err = ask(vm, jni, method, &a);
	if (!err)
		err = add(r, vm_id, &a);
	give_back(vm, &a);
	return err;
}
