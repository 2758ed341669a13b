#include "agent/age_class.h"

#include "base/compiler.h"
#include "base/error.h"
#include "exact/births.h"
#include "support/tap.h"

/*
 * A VM with a class that sets ages, as far as this test takes it: one object at a time. What is
 * wrong with it is set beforehand.
 */
static struct {
	bool defined, rejects, ages_elsewhere, throws;
	int collections; /* still to come, one between any two calls */
	long long jump;
	int age;
	bool pending;
	bool sure, doubt;
} vm;

static char the_class, the_method, the_setter, the_field, the_object, the_sure, the_doubt;

static void collect(void)
{
	if (vm.collections > 0)
		vm.collections--, vm.age += vm.age < 15;
}

static jclass JNICALL find(JNIEnv *jni, const char *name)
{
	(void)jni;
	if (strcmp(name, "java/lang/Class") == 0)
		return (jclass)(void *)&the_class;
	EXPECT_STR(AGE_CLASS, name);
	vm.pending = !vm.defined;
	return vm.defined ? (jclass)(void *)&the_class : NULL;
}

static jclass JNICALL define(JNIEnv *jni, const char *name, jobject loader, const jbyte *b, jsize n)
{
	(void)jni;
	EXPECT_STR(AGE_CLASS, name);
	EXPECT(loader == NULL);
	EXPECT(n > 100 && (uint8_t)b[0] == 0xca && (uint8_t)b[1] == 0xfe);
	EXPECT(!vm.pending);
	vm.defined = !vm.rejects;
	vm.pending = vm.rejects;
	return vm.defined ? (jclass)(void *)&the_class : NULL;
}

static jmethodID JNICALL method(JNIEnv *jni, jclass k, const char *name, const char *descriptor)
{
	(void)jni, (void)k, (void)descriptor;
	return strcmp(name, "age") == 0 ? (jmethodID)(void *)&the_method
					: (jmethodID)(void *)&the_setter;
}

static jfieldID JNICALL field(JNIEnv *jni, jclass k, const char *name, const char *descriptor)
{
	(void)jni, (void)k;
	if (strcmp(name, "jump") == 0) {
		EXPECT_STR("J", descriptor);
		return (jfieldID)(void *)&the_field;
	}
	EXPECT_STR("Z", descriptor);
	return (jfieldID)(void *)(strcmp(name, "sure") == 0 ? &the_sure : &the_doubt);
}

static void JNICALL set_bool(JNIEnv *jni, jclass k, jfieldID id, jboolean value)
{
	(void)jni;
	EXPECT((void *)k == (void *)&the_class);
	if ((void *)id == (void *)&the_sure)
		vm.sure = value;
	else
		vm.doubt = value;
}

static jobject JNICALL keep(JNIEnv *jni, jobject o)
{
	(void)jni;
	return o;
}

static void JNICALL set_field(JNIEnv *jni, jclass k, jfieldID id, jlong value)
{
	(void)jni, (void)k, (void)id;
	vm.jump = value;
}

static jbyteArray JNICALL make(JNIEnv *jni, jsize len)
{
	(void)jni, (void)len;
	vm.age = 0;
	collect();
	return (jbyteArray)(void *)&the_object;
}

static void JNICALL set_age(JNIEnv *jni, jclass k, jmethodID id, ...)
{
	(void)jni, (void)k, (void)id;
	if (vm.age == 0 && !vm.ages_elsewhere)
		vm.age = (int)(vm.jump >> 3) & 15;
	vm.pending = vm.throws;
	collect();
}

static jint JNICALL get_age(JNIEnv *jni, jclass k, jmethodID id, ...)
{
	(void)jni, (void)k, (void)id;
	return vm.age;
}

static jboolean JNICALL is_pending(JNIEnv *jni)
{
	(void)jni;
	return vm.pending;
}

static void JNICALL clear(JNIEnv *jni)
{
	(void)jni;
	vm.pending = false;
}

static void JNICALL drop(JNIEnv *jni, jobject o)
{
	(void)jni, (void)o;
}

static jstring JNICALL text(JNIEnv *jni, const char *bytes)
{
	(void)jni;
	EXPECT_STR("java.lang.MayflyAge", bytes);
	return (jstring)(void *)&the_object;
}

static jobject given; /* NULL: an exception */

static jobject JNICALL for_name(JNIEnv *jni, jclass k, jmethodID id, ...)
{
	(void)jni, (void)k, (void)id;
	vm.pending = !given;
	return given;
}

static jboolean JNICALL same(JNIEnv *jni, jobject a, jobject b)
{
	(void)jni;
	EXPECT(!vm.pending);
	return a == b;
}

static const struct JNINativeInterface_ calls = {.FindClass = find,
	.DefineClass = define,
	.GetStaticMethodID = method,
	.GetStaticFieldID = field,
	.SetStaticLongField = set_field,
	.SetStaticBooleanField = set_bool,
	.NewGlobalRef = keep,
	.NewByteArray = make,
	.CallStaticVoidMethod = set_age,
	.CallStaticIntMethod = get_age,
	.NewStringUTF = text,
	.CallStaticObjectMethod = for_name,
	.IsSameObject = same,
	.ExceptionCheck = is_pending,
	.ExceptionClear = clear,
	.DeleteLocalRef = drop};
static JNIEnv jni = &calls;

static int install(struct diag *d)
{
	*d = (struct diag){.text = ""};
	return age_class_install(&jni, d);
}

TEST(it_is_defined_once_and_works)
{
	struct diag d;
	memset(&vm, 0, sizeof(vm));
	EXPECT_INT(0, install(&d));
	EXPECT(vm.defined);
	EXPECT_INT(BIRTH_JUMPED, vm.jump);
	vm.rejects = true; /* a second time it would not be taken */
	EXPECT_INT(0, install(&d));
}

TEST(what_is_sure_may_be_doubted)
{
	struct diag d;
	memset(&vm, 0, sizeof(vm));
	EXPECT_INT(0, install(&d));
	EXPECT(!vm.sure && !vm.doubt);
	age_class_sure(&jni, true);
	EXPECT(vm.sure && !vm.doubt);
	age_class_doubt(&jni);
	age_class_sure(&jni, false);
	EXPECT(!vm.sure && vm.doubt);
}

TEST(a_rest_is_an_age_of_nothing)
{
	struct diag d;
	memset(&vm, 0, sizeof(vm));
	EXPECT_INT(0, install(&d));
	EXPECT_INT(0, age_class_rest(&jni, true));
	EXPECT_INT(0, vm.jump);
	EXPECT_INT(0, install(&d)); /* as a second recording does */
	EXPECT_INT(BIRTH_JUMPED, vm.jump);
}

/* In a busy program a collection comes between making an object and setting its age. */
TEST(collections_in_between_say_nothing)
{
	for (int collections = 1; collections < 20; collections++) {
		struct diag d;
		memset(&vm, 0, sizeof(vm));
		vm.collections = collections;
		EXPECT_INT(0, install(&d));
	}
}

TEST(a_vm_without_ages_there_is_told_of)
{
	struct diag d;
	memset(&vm, 0, sizeof(vm));
	vm.ages_elsewhere = true;
	EXPECT_INT(ERR_UNSUPPORTED, install(&d));
	EXPECT(strstr(d.text, "has no age where it is looked for"));
}

TEST(what_the_vm_does_not_take_is_told_of)
{
	struct diag d;
	memset(&vm, 0, sizeof(vm));
	vm.rejects = true;
	EXPECT_INT(ERR_UNSUPPORTED, install(&d));
	EXPECT(strstr(d.text, "does not take a class of mayfly's"));
	EXPECT(!vm.pending);
	memset(&vm, 0, sizeof(vm));
	vm.throws = true;
	EXPECT_INT(ERR_UNSUPPORTED, install(&d));
	EXPECT(!vm.pending);
}

TEST(a_loader_may_give_it_or_not)
{
	static char loader, other;
	struct diag d;
	memset(&vm, 0, sizeof(vm));
	EXPECT_INT(0, install(&d));
	EXPECT(age_class_given(&jni, NULL));
	given = (jobject)(void *)&the_class;
	EXPECT(age_class_given(&jni, (jobject)(void *)&loader));
	given = (jobject)(void *)&other;
	EXPECT(!age_class_given(&jni, (jobject)(void *)&loader));
	given = NULL;
	EXPECT(!age_class_given(&jni, (jobject)(void *)&loader));
	EXPECT(!vm.pending);
}
