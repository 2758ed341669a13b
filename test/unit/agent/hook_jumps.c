/* The probe's actuator with the real births, and a VM that shows one method's bytecode. */
#include "agent/hook_jumps.h"

#include <string.h>

#include "agent/place_key.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "exact/birth_jumps.h"
#include "classfile/opcode.h"
#include "support/tap.h"

/* 0: new, 3: newarray, 5: invokestatic, 8: anewarray, 11: multianewarray, 15: return. */
static const uint8_t code[] = {OP_new, 0, 1, OP_newarray, 8, OP_invokestatic, 0, 2, OP_anewarray, 0,
	3, OP_multianewarray, 0, 4, 2, OP_return};
enum { METHOD = 0x1234, KLASS = 7, HOME = 0x7000 };

static _Atomic bool on;
static struct hook_jumps hook;
static struct actuator by;
static bool hides, lacks, gone;
static int out;               /* memory that was not given back, and classes that are held */
static uintptr_t loader_born; /* of the class of what is born */

static jvmtiError JNICALL get_bytecodes(
	jvmtiEnv *env, jmethodID method, jint *len, unsigned char **bytes)
{
	(void)env;
	EXPECT_INT(METHOD, (uintptr_t)method);
	if (hides)
		return JVMTI_ERROR_NATIVE_METHOD;
	*len = sizeof(code);
	*bytes = mem_alloc(sizeof(code));
	memcpy(*bytes, code, sizeof(code));
	out++;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv *env, unsigned char *at)
{
	(void)env;
	out -= at != NULL;
	mem_free(at);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_class(jvmtiEnv *env, jmethodID method, jclass *held)
{
	(void)env;
	EXPECT_INT(METHOD, (uintptr_t)method);
	if (gone)
		return JVMTI_ERROR_INVALID_METHODID;
	*held = (jclass)&out;
	out++;
	return JVMTI_ERROR_NONE;
}

static int listings; /* of the loaded classes: of one, which has one method */

static unsigned char *memory(const char *text)
{
	out++;
	return (unsigned char *)mem_strndup(text, strlen(text));
}

static jvmtiError JNICALL loaded(jvmtiEnv *e, jint *count, jclass **found)
{
	(void)e;
	listings++;
	out++; /* the class */
	*count = 1;
	*found = (jclass *)(void *)memory("a reference");
	(*found)[0] = (jclass)&out;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL signature(jvmtiEnv *e, jclass k, char **text, char **generic)
{
	(void)e, (void)generic;
	EXPECT(k == (jclass)&out);
	*text = (char *)memory("La/A;");
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL loader(jvmtiEnv *e, jclass k, jobject *found)
{
	(void)e, (void)k;
	*found = NULL;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL methods_of(jvmtiEnv *e, jclass k, jint *count, jmethodID **found)
{
	(void)e, (void)k;
	*count = 1;
	*found = (jmethodID *)(void *)memory("a method's id");
	(*found)[0] = (jmethodID)METHOD;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL method_name(
	jvmtiEnv *e, jmethodID id, char **name, char **descriptor, char **generic)
{
	(void)e, (void)generic;
	EXPECT_INT(METHOD, (uintptr_t)id);
	*name = (char *)memory("m");
	*descriptor = (char *)memory("()V");
	return JVMTI_ERROR_NONE;
}

static void JNICALL let_go(JNIEnv *jni, jobject held)
{
	(void)jni;
	out -= held == (jobject)&out;
}

static uintptr_t home(const void *arg, uint64_t vm_method)
{
	EXPECT(arg == &out && vm_method == METHOD && out == 2); /* held, and its code there */
	return HOME;
}

static jvmtiError JNICALL add_capabilities(jvmtiEnv *env, const jvmtiCapabilities *want)
{
	(void)env;
	EXPECT(want->can_get_bytecodes);
	return lacks ? JVMTI_ERROR_NOT_AVAILABLE : JVMTI_ERROR_NONE;
}

static const struct jvmtiInterface_1_ calls = {.GetBytecodes = get_bytecodes,
	.Deallocate = deallocate,
	.GetMethodDeclaringClass = get_class,
	.GetLoadedClasses = loaded,
	.GetClassSignature = signature,
	.GetClassLoader = loader,
	.GetClassMethods = methods_of,
	.GetMethodName = method_name,
	.AddCapabilities = add_capabilities};
static jvmtiEnv env = &calls;
static const struct vm vm = {.jvmti = &env};
static const struct JNINativeInterface_ jni_calls = {.DeleteLocalRef = let_go};
static JNIEnv jni = &jni_calls;

/* Objects are born at a key that is so far above their place's bytecode index, all of one class. */
enum { KEYS = 1000 };

static struct wish wish_at(int32_t bci)
{
	return (struct wish){.class_name = "a/A",
		.method = "m",
		.descriptor = "()V",
		.bci = bci,
		.allocates = "La/B;",
		.vm_method = METHOD};
}

static enum caller compiled(void *arg, uintptr_t pc)
{
	(void)arg, (void)pc;
	return CALLER_COMPILED;
}

static void define(
	void *arg, struct exact_site *s, const struct birth *b, const struct birth_place *p)
{
	struct births *all = births_get();
	struct wish w = wish_at((int32_t)p->key - KEYS);
	(void)arg, (void)b;
	s->bytes1 = 16;
	uint64_t named = place_key(slice_str(w.class_name), slice_str(w.method),
		slice_str(w.descriptor), w.bci, slice_str(w.allocates));
	births_place(all, (uint32_t)(s - all->sites.at), named, place_key_in(named, loader_born));
}

static bool jumps(int32_t bci)
{
	struct {
		_Alignas(16) uint64_t mark;
		uint32_t klass, length;
	} o = {.mark = 1, .klass = KLASS};
	births_event((uintptr_t)&o, (uintptr_t)(KEYS + bci), 0, 0, 0, 0, 0);
	return birth_jumped(o.mark);
}

static void begin(void)
{
	static const struct birth_oracle oracle = {.caller = compiled, .define = define};
	hides = lacks = gone = false;
	loader_born = HOME;
	on = true;
	EXPECT_INT(0, births_open(births_get(), &oracle, NULL));
	births_set(births_get(), BIRTHS_COUNTED);
	EXPECT(hook_jumps_open(&hook, births_get(), &on, rewrites_get(), &vm, home, &out));
	by = hook_jumps(&hook);
}

static void end(void)
{
	EXPECT_INT(0, by.end(by.arg, &jni));
	hook_jumps_close(&hook);
	births_set(births_get(), BIRTHS_OFF);
	births_close(births_get());
	EXPECT_INT(0, out);
}

static int apply(struct wish *w, size_t count)
{
	return by.apply(by.arg, &jni, w, count);
}

/* The state of one wish alone. */
static enum wish_state alone(struct wish w)
{
	EXPECT_INT(0, apply(&w, 1));
	return w.state;
}

/* As the actuator tells it of a place of which it is not known yet; 0. */
static uint64_t method_of(struct wish w)
{
	w.vm_method = 0;
	by.methods(by.arg, &jni, &w, 1);
	return w.vm_method;
}

TEST(objects_of_chosen_places_jump)
{
	begin();
	struct wish w[] = {wish_at(0), wish_at(3)};
	EXPECT_INT(0, apply(w, ARRAY_SIZE(w)));
	EXPECT(w[0].state == WISH_DONE && w[1].state == WISH_DONE);
	EXPECT_STR("new", w[0].found_opcode);
	EXPECT_STR("newarray", w[1].found_opcode);
	EXPECT(w[0].found_hash == rewrite_hash(slice(code, sizeof(code))));
	struct wish other = wish_at(3);
	EXPECT_INT(METHOD, method_of(other));
	EXPECT(jumps(0) && jumps(3) && !jumps(8));
	EXPECT_INT(0, apply(&w[1], 1)); /* the other one is taken back */
	EXPECT(!jumps(0) && jumps(3));
	EXPECT_INT(0, apply(NULL, 0));
	EXPECT(!jumps(3));
	end();
}

TEST(what_is_no_allocation_is_refused)
{
	static const struct {
		int32_t bci;
		enum wish_state want;
	} rows[] = {{0, WISH_DONE}, {3, WISH_DONE}, {5, WISH_REFUSED}, {8, WISH_DONE},
		{11, WISH_DONE}, {15, WISH_REFUSED}, {-1, WISH_REFUSED}, {16, WISH_REFUSED}};
	begin();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT_INT(rows[i].want, alone(wish_at(rows[i].bci)));
	end();
}

TEST(another_method_is_refused)
{
	begin();
	struct wish w = wish_at(0);
	w.has_hash = true;
	w.hash = rewrite_hash(slice(code, sizeof(code)));
	w.opcode = "new";
	EXPECT_INT(WISH_DONE, alone(w));
	w.hash++;
	EXPECT_INT(WISH_REFUSED, alone(w));
	EXPECT(!jumps(0));
	w.hash--;
	w.opcode = "newarray";
	EXPECT_INT(WISH_REFUSED, alone(w));
	w.opcode = NULL;
	hides = true;
	EXPECT_INT(WISH_REFUSED, alone(w));
	hides = false;
	gone = true;
	EXPECT_INT(WISH_REFUSED, alone(w));
	EXPECT_INT(0, method_of(w));
	end();
}

/* Nobody has judged that class's code. */
TEST(a_class_of_another_loader_is_left_alone)
{
	begin();
	EXPECT_INT(WISH_DONE, alone(wish_at(0)));
	loader_born = HOME + 8;
	EXPECT(!jumps(0));
	end();
	begin();
	EXPECT_INT(WISH_DONE, alone(wish_at(0)));
	EXPECT(jumps(0));
	end();
}

/* Indices in a class that is rewritten are others. */
TEST(a_class_is_taken_whole_or_not_at_all)
{
	begin();
	struct wish w[] = {wish_at(0), wish_at(5), wish_at(3)};
	w[2].class_name = "a/C";
	EXPECT_INT(0, apply(w, ARRAY_SIZE(w)));
	EXPECT_INT(WISH_REFUSED, w[0].state);
	EXPECT_INT(WISH_REFUSED, w[1].state);
	EXPECT_INT(WISH_DONE, w[2].state);
	EXPECT(!jumps(0));
	end();
}

/* One from a file waits until something is born there, if anything can be. */
TEST(a_place_of_which_only_the_file_tells)
{
	begin();
	struct wish w = wish_at(0), seen = wish_at(0);
	w.vm_method = 0;
	EXPECT_INT(WISH_REFUSED, alone(w));
	w.opcode = "invokestatic";
	EXPECT_INT(WISH_REFUSED, alone(w));
	w.opcode = "new";
	EXPECT_INT(WISH_WAITS, alone(w));
	EXPECT(!by.unsettled(by.arg));
	EXPECT(!jumps(3) && !by.unsettled(by.arg));
	EXPECT(!jumps(0) && by.unsettled(by.arg));
	/* It is looked for by its names, which no class here has; then it is found. */
	hook.wishes.at[0].vm_method = METHOD;
	EXPECT(!by.settle(by.arg, &jni));
	EXPECT(!by.unsettled(by.arg));
	by.look(by.arg, &seen, 1);
	EXPECT_INT(WISH_DONE, seen.state);
	EXPECT(jumps(0));
	end();
}

/* A VM lists its classes once for all that something was born at. */
TEST(places_of_a_file_are_found_at_once)
{
	begin();
	struct wish w[] = {wish_at(0), wish_at(3), wish_at(8)};
	for (size_t i = 0; i < ARRAY_SIZE(w); i++) {
		w[i].vm_method = 0;
		w[i].opcode = opcode_of(code[w[i].bci])->name;
	}
	EXPECT_INT(0, apply(w, ARRAY_SIZE(w)));
	EXPECT(!jumps(0) && !jumps(3));
	listings = 0;
	EXPECT(!by.settle(by.arg, &jni));
	EXPECT_INT(1, listings);
	EXPECT(jumps(0) && jumps(3) && !jumps(8));
	EXPECT_INT(METHOD, method_of(w[1]));
	EXPECT_INT(0, method_of(w[2]));
	end();
}

TEST(who_refuses_late_says_so)
{
	begin();
	struct wish w = wish_at(0);
	w.vm_method = 0;
	w.opcode = "new";
	EXPECT_INT(WISH_WAITS, alone(w));
	EXPECT(!jumps(0));
	hook.wishes.at[0].vm_method = METHOD;
	hides = true;
	EXPECT(by.settle(by.arg, &jni));
	EXPECT(!jumps(0));
	end();
}

TEST(a_rest)
{
	begin();
	EXPECT_INT(WISH_DONE, alone(wish_at(0)));
	EXPECT(jumps(0));
	EXPECT_INT(0, by.rest(by.arg, NULL, true));
	EXPECT(!jumps(0));
	EXPECT_INT(WISH_DONE, alone(wish_at(0)));
	EXPECT(!jumps(0));
	EXPECT_INT(0, by.rest(by.arg, NULL, false));
	EXPECT(jumps(0));
	end();
}

TEST(only_while_the_engine_is_on)
{
	begin();
	EXPECT(by.can(by.arg));
	on = false;
	EXPECT(!by.can(by.arg));
	lacks = true;
	EXPECT(!hook_jumps_open(&hook, births_get(), &on, rewrites_get(), &vm, home, &out));
	end();
}
