#include "agent/quiet.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "classfile/class_file.h"
#include "classfile/code.h"
#include "support/class_maker.h"
#include "support/tap.h"

/* A VM with a few classes, each with a file of which it shows what JVMTI does. */
enum { CLASSES = 6 };

struct fake_class {
	const char *name, *super; /* super NULL: Object */
	struct buf bytes;
	struct class_file file;
	bool unloaded, elsewhere; /* elsewhere: another loader has it */
};

static struct fake_class classes[CLASSES];
static size_t count;
static bool mute; /* the VM has no such capability */
static int weak;  /* references, not given back */
static char the_loader, the_text, the_finder;
static const char *asked_name;

static void *borrow(const void *bytes, size_t len)
{
	void *copy = malloc(len + 1);
	memcpy(copy, bytes, len);
	((char *)copy)[len] = '\0';
	return copy;
}

static struct fake_class *class_of(jobject k)
{
	return (struct fake_class *)(void *)k;
}

static struct fake_class *named(const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(classes[i].name, name) == 0)
			return &classes[i];
	return NULL;
}

static jvmtiError JNICALL add(jvmtiEnv *e, const jvmtiCapabilities *c)
{
	(void)e;
	EXPECT(c->can_get_bytecodes && c->can_get_constant_pool);
	return mute ? JVMTI_ERROR_NOT_AVAILABLE : JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv *e, unsigned char *at)
{
	(void)e;
	free(at);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL signature(jvmtiEnv *e, jclass k, char **out, char **generic)
{
	char text[64];
	(void)e, (void)generic;
	snprintf(text, sizeof(text), "L%s;", class_of(k)->name);
	*out = borrow(text, strlen(text));
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL methods(jvmtiEnv *e, jclass k, jint *n, jmethodID **out)
{
	struct class_file *f = &class_of(k)->file;
	jmethodID ids[8];
	(void)e;
	for (size_t i = 0; i < f->methods.count; i++)
		ids[i] = (jmethodID)(void *)&f->methods.at[i];
	*n = (jint)f->methods.count;
	*out = borrow(ids, f->methods.count * sizeof(*ids));
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL method_name(jvmtiEnv *e, jmethodID id, char **name, char **d, char **g)
{
	const struct class_method *m = (const void *)id;
	(void)e, (void)g;
	*name = borrow(m->name.at, m->name.len);
	*d = borrow(m->descriptor.at, m->descriptor.len);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL pool(jvmtiEnv *e, jclass k, jint *n, jint *len, unsigned char **out)
{
	const struct class_file *f = &class_of(k)->file;
	(void)e;
	*n = (jint)pool_count(&f->pool);
	*len = (jint)(f->pool_end - f->pool_at - 2);
	*out = borrow(f->bytes.at + f->pool_at + 2, (size_t)*len);
	return JVMTI_ERROR_NONE;
}

static struct code code_of(jmethodID id)
{
	struct code k;
	EXPECT_INT(0, code_read(&k, ((const struct class_method *)(const void *)id)->code, NULL));
	return k;
}

static jvmtiError JNICALL bytecodes(jvmtiEnv *e, jmethodID id, jint *len, unsigned char **out)
{
	struct code k = code_of(id);
	(void)e;
	*len = (jint)k.bytes.len;
	*out = borrow(k.bytes.at, k.bytes.len);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL max_locals(jvmtiEnv *e, jmethodID id, jint *out)
{
	(void)e;
	*out = code_of(id).max_locals;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL loader(jvmtiEnv *e, jclass k, jobject *out)
{
	(void)e;
	*out = class_of(k)->elsewhere ? (jobject)(void *)&the_loader : NULL;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL loaded(jvmtiEnv *e, jint *n, jclass **out)
{
	jclass all[CLASSES];
	(void)e;
	for (size_t i = 0; i < count; i++)
		all[i] = (jclass)(void *)&classes[i];
	*n = (jint)count;
	*out = borrow(all, count * sizeof(*all));
	return JVMTI_ERROR_NONE;
}

static jobject JNICALL same(JNIEnv *e, jobject o)
{
	(void)e;
	return o && class_of(o)->unloaded ? NULL : o;
}

static void JNICALL drop(JNIEnv *e, jobject o)
{
	(void)e, (void)o;
}

static jclass JNICALL super(JNIEnv *e, jclass k)
{
	const struct fake_class *c = class_of(k);
	(void)e;
	if (strcmp(c->name, "java/lang/Object") == 0)
		return NULL;
	return (jclass)(void *)named(c->super ? c->super : "java/lang/Object");
}

static jweak JNICALL new_weak(JNIEnv *e, jobject o)
{
	(void)e;
	weak++;
	return (jweak)o;
}

static void JNICALL drop_weak(JNIEnv *e, jweak o)
{
	(void)e, (void)o;
	weak--;
}

static jboolean JNICALL is_same(JNIEnv *e, jobject a, jobject b)
{
	(void)e;
	return a == b || (!b && class_of(a)->unloaded);
}

static jclass JNICALL find(JNIEnv *e, const char *name)
{
	(void)e;
	EXPECT_STR("java/lang/ClassLoader", name);
	return (jclass)(void *)&the_finder;
}

static jmethodID JNICALL find_method(JNIEnv *e, jclass k, const char *name, const char *d)
{
	(void)e, (void)k;
	EXPECT_STR("findLoadedClass0", name);
	EXPECT_STR("(Ljava/lang/String;)Ljava/lang/Class;", d);
	return (jmethodID)(void *)&the_finder;
}

static jstring JNICALL string(JNIEnv *e, const char *text)
{
	(void)e;
	asked_name = borrow(text, strlen(text));
	return (jstring)(void *)&the_text;
}

static jobject JNICALL call(JNIEnv *e, jobject o, jmethodID m, ...)
{
	(void)e, (void)o, (void)m;
	struct fake_class *found = named(asked_name);
	free((void *)(uintptr_t)asked_name);
	return found && found->elsewhere ? (jobject)(void *)found : NULL;
}

static jboolean JNICALL no(JNIEnv *e)
{
	(void)e;
	return JNI_FALSE;
}

static const struct jvmtiInterface_1_ jvmti_calls = {.AddCapabilities = add,
	.Deallocate = deallocate,
	.GetClassSignature = signature,
	.GetClassMethods = methods,
	.GetMethodName = method_name,
	.GetConstantPool = pool,
	.GetBytecodes = bytecodes,
	.GetMaxLocals = max_locals,
	.GetClassLoader = loader,
	.GetLoadedClasses = loaded};
static const struct JNINativeInterface_ jni_calls = {.NewLocalRef = same,
	.DeleteLocalRef = drop,
	.GetSuperclass = super,
	.NewWeakGlobalRef = new_weak,
	.DeleteWeakGlobalRef = drop_weak,
	.IsSameObject = is_same,
	.FindClass = find,
	.GetMethodID = find_method,
	.NewStringUTF = string,
	.CallObjectMethod = call,
	.ExceptionCheck = no};
static jvmtiEnv jvmti = &jvmti_calls;
static JNIEnv jni = &jni_calls;

static struct quiet q;

/* What a constructor does behind the call of another. */
struct made {
	const char *descriptor;
	const char *owner, *called; /* owner NULL: it calls none */
	bool shows;
};

static void put(struct class_maker *m, const struct made *c)
{
	uint8_t code[16], *to = code;
	uint16_t field = class_maker_ref(m, POOL_FIELD, "T", "last", "Ljava/lang/Object;");
	bool number = c->called && strcmp(c->called, "(I)V") == 0;
	if (c->owner) {
		uint16_t called = class_maker_ref(m, POOL_METHOD, c->owner, "<init>", c->called);
		*to++ = OP_aload_0;
		if (number)
			*to++ = OP_iconst_1;
		*to++ = OP_invokespecial;
		*to++ = (uint8_t)(called >> 8);
		*to++ = (uint8_t)called;
	}
	if (c->shows) {
		*to++ = OP_aload_0;
		*to++ = OP_putstatic;
		*to++ = (uint8_t)(field >> 8);
		*to++ = (uint8_t)field;
	}
	*to++ = OP_return;
	class_maker_method(m, "<init>", c->descriptor,
		(struct made_code){0, 4, 3, slice(code, (size_t)(to - code))});
}

/* Gives the class that code, in place of what it had. */
static void define(struct fake_class *k, const struct made *made, size_t n, bool finalized)
{
	static const uint8_t nothing[] = {OP_return};
	struct class_maker m;
	class_maker_init(&m, 49);
	for (size_t i = 0; i < n; i++)
		put(&m, &made[i]);
	if (finalized)
		class_maker_method(
			&m, "finalize", "()V", (struct made_code){4, 0, 1, slice(nothing, 1)});
	class_file_release(&k->file);
	buf_release(&k->bytes);
	k->bytes = (struct buf){0};
	class_maker_put(&m, &k->bytes);
	class_maker_release(&m);
	EXPECT_INT(0, class_file_read(&k->file, buf_slice(&k->bytes), NULL));
}

static struct fake_class *add_class(
	const char *name, const char *super, const struct made *made, size_t n, bool finalized)
{
	struct fake_class *k = &classes[count++];
	*k = (struct fake_class){.name = name, .super = super};
	define(k, made, n, finalized);
	return k;
}

static const struct made object[] = {{"()V", NULL, NULL, false}},
			 base[] = {{"()V", "java/lang/Object", "()V", false},
				 {"(I)V", "java/lang/Object", "()V", true}},
			 more[] = {{"()V", "Base", "()V", false}, {"(I)V", "Base", "(I)V", false},
				 {"(J)V", "More", "()V", false}, {"(D)V", "More", "(D)V", false},
				 {"(Z)V", "java/lang/Object", "()V", false}},
			 dies[] = {{"()V", "More", "()V", false}};

static void begin(void)
{
	q = (struct quiet){.lock = PTHREAD_MUTEX_INITIALIZER};
	count = 0;
	mute = false;
	add_class("java/lang/Object", NULL, object, 1, true);
	add_class("Base", NULL, base, ARRAY_SIZE(base), false);
	add_class("More", "Base", more, ARRAY_SIZE(more), false);
	add_class("Dies", "More", dies, 1, true);
	add_class("After", "Dies", dies, 0, false);
	quiet_open(&q, &jvmti);
}

static void end(void)
{
	quiet_close(&q, &jni);
	EXPECT_INT(0, weak);
	for (size_t i = 0; i < count; i++) {
		class_file_release(&classes[i].file);
		buf_release(&classes[i].bytes);
	}
	while (q.meddled.count)
		mem_free(q.meddled.at[--q.meddled.count]);
	vec_release(&q.meddled);
	vec_release(&q.judged);
}

static const char *constructors(const char *name)
{
	struct boot_classes boot;
	EXPECT_INT(0, boot_classes_find(&boot, &jvmti, &jni, &name, 1));
	const char *text = quiet_constructors(&q, &jni, (jclass)(void *)named("Base"), name, &boot);
	boot_classes_release(&boot, &jni);
	return text ? text : "nobody knows";
}

/* Each by what it calls: itself without end, or one past its own next class, is none. */
TEST(constructors_are_judged_with_all_that_they_call)
{
	begin();
	EXPECT_STR("()V ", constructors("java/lang/Object"));
	EXPECT_STR("()V ", constructors("Base"));
	EXPECT_STR("()V (J)V ", constructors("More"));
	EXPECT_STR("()V (J)V ", constructors("More"));
	EXPECT_INT(3, q.classes.count);
	EXPECT(quiet_holds(&q, &jni));
	end();
}

TEST(what_is_finalized_is_not_quiet)
{
	begin();
	EXPECT_STR("", constructors("Dies"));
	EXPECT_STR("", constructors("After"));
	EXPECT_INT(0, q.judged.count);
	end();
}

TEST(what_is_not_there_is_not_known)
{
	begin();
	EXPECT_STR("nobody knows", constructors("Other"));
	named("More")->elsewhere = true; /* this code would find another */
	EXPECT_STR("nobody knows", constructors("More"));
	named("Base")->elsewhere = true;
	EXPECT_STR("()V (J)V ", constructors("More"));
	end();
	begin();
	mute = true;
	quiet_open(&q, &jvmti);
	EXPECT_STR("nobody knows", constructors("More"));
	end();
}

/* Whichever of them, and whatever it gets. */
TEST(what_another_agent_touches_is_never_quiet_again)
{
	static const char *const names[] = {"java/lang/Object", "Base", "More"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		begin();
		EXPECT_STR("()V (J)V ", constructors("More"));
		EXPECT(!quiet_meddle(&q, "Dies"));
		EXPECT(quiet_holds(&q, &jni));
		EXPECT(quiet_meddle(&q, names[i]));
		EXPECT(!quiet_holds(&q, &jni));
		EXPECT_STR("nobody knows", constructors("More"));
		quiet_close(&q, &jni);
		EXPECT_STR("nobody knows", constructors("More"));
		end();
	}
}

/* Its new code may not be in force yet, when the old one is looked at. */
TEST(what_was_touched_before_is_not_judged)
{
	begin();
	EXPECT(!quiet_meddle(&q, "Base"));
	EXPECT(!quiet_meddle(&q, "Base"));
	EXPECT_STR("", constructors("More"));
	EXPECT_STR("()V ", constructors("java/lang/Object"));
	end();
}

/* An agent that transforms it once more when it is transformed. */
TEST(what_has_changed_holds_no_more)
{
	static const struct made shows[] = {{"()V", "java/lang/Object", "()V", true},
		{"(I)V", "java/lang/Object", "()V", true}};
	begin();
	EXPECT_STR("()V (J)V ", constructors("More"));
	define(named("Base"), shows, ARRAY_SIZE(shows), false);
	EXPECT(!quiet_holds(&q, &jni));
	define(named("Base"), base, ARRAY_SIZE(base), false);
	EXPECT(!quiet_holds(&q, &jni));
	end();
}

TEST(what_is_unloaded_holds)
{
	begin();
	EXPECT_STR("()V (J)V ", constructors("More"));
	EXPECT_STR("()V ", constructors("Base"));
	EXPECT_INT(2, weak);
	named("More")->unloaded = true;
	EXPECT(quiet_holds(&q, &jni));
	EXPECT_INT(1, weak); /* it is forgotten: there may come thousands of its name */
	end();
}

TEST(a_descriptor_is_found_as_a_whole)
{
	EXPECT(quiet_has("()V (I)V ", slice_str("()V")));
	EXPECT(quiet_has("()V (I)V ", slice_str("(I)V")));
	EXPECT(!quiet_has("()V (I)V ", slice_str("(I)")));
	EXPECT(!quiet_has("()V (I)V ", slice_str("I)V")));
	EXPECT(!quiet_has("", slice_str("")));
	EXPECT(!quiet_has(NULL, slice_str("()V")));
}
