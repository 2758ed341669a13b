#include "agent/children.h"

#include <stdlib.h>
#include <string.h>

#include "agent/tags.h"
#include "base/mem.h"
#include "support/tap.h"

enum { RECORDING = 3, OBJECTS = 64, FIELDS = 24, ACC_STATIC = 8 };

/* Classes and objects of a VM, by their addresses; all references are plain pointers. */
struct fake_field {
	const char *name, *type;
	jint modifiers;
};
struct fake_class {
	const char *signature;
	struct fake_class *above;
	struct fake_field field[FIELDS];
	int count;
	jlong tag;
};
struct fake_object {
	struct fake_class *klass;
	jlong tag;
	struct fake_object *value[FIELDS]; /* by field, those above first; or elements */
	jsize length;
};

static struct fake_class base, item, weak_one, plain, bytes, items, same_name;
static struct fake_object object[OBJECTS];
static struct children c;
static int locals, weaks, asked_fields;
static bool refuse;

static struct fake_class *class_at(const void *at)
{
	struct fake_class *all[] = {&base, &item, &weak_one, &plain, &bytes, &items, &same_name};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i] == at)
			return all[i];
	return NULL;
}

static jvmtiError JNICALL get_tag(jvmtiEnv *e, jobject o, jlong *out)
{
	(void)e;
	struct fake_class *k = class_at(o);
	*out = k ? k->tag : ((struct fake_object *)(void *)o)->tag;
	return JVMTI_ERROR_NONE;
}

static char *copy(const char *text)
{
	char *out = malloc(strlen(text) + 1);
	return out ? strcpy(out, text) : NULL;
}

static jvmtiError JNICALL get_signature(jvmtiEnv *e, jclass k, char **out, char **generic)
{
	(void)e;
	(void)generic;
	*out = copy(class_at(k)->signature);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_fields(jvmtiEnv *e, jclass k, jint *count, jfieldID **out)
{
	(void)e;
	struct fake_class *at = class_at(k);
	asked_fields++;
	if (refuse)
		return JVMTI_ERROR_OUT_OF_MEMORY;
	*count = at->count;
	*out = malloc((size_t)(at->count + 1) * sizeof(**out));
	for (int i = 0; i < at->count; i++)
		(*out)[i] = (jfieldID)(void *)&at->field[i];
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_modifiers(jvmtiEnv *e, jclass k, jfieldID f, jint *out)
{
	(void)e;
	(void)k;
	*out = ((struct fake_field *)(void *)f)->modifiers;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL get_field_name(
	jvmtiEnv *e, jclass k, jfieldID f, char **name, char **type, char **generic)
{
	(void)e;
	(void)k;
	(void)generic;
	*name = copy(((struct fake_field *)(void *)f)->name);
	*type = copy(((struct fake_field *)(void *)f)->type);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv *e, unsigned char *at)
{
	(void)e;
	free(at);
	return JVMTI_ERROR_NONE;
}

static jobject JNICALL new_local(JNIEnv *e, jobject o)
{
	(void)e;
	locals += o != NULL;
	return o;
}

static void JNICALL delete_local(JNIEnv *e, jobject o)
{
	(void)e;
	locals -= o != NULL;
}

static jweak JNICALL new_weak(JNIEnv *e, jobject o)
{
	(void)e;
	weaks++;
	return o;
}

static void JNICALL delete_weak(JNIEnv *e, jweak o)
{
	(void)e;
	(void)o;
	weaks--;
}

static jboolean JNICALL same(JNIEnv *e, jobject a, jobject b)
{
	(void)e;
	return a == b;
}

static jclass JNICALL class_of(JNIEnv *e, jobject o)
{
	return new_local(e, (jobject)(void *)((struct fake_object *)(void *)o)->klass);
}

static jclass JNICALL above(JNIEnv *e, jclass k)
{
	return new_local(e, (jobject)(void *)class_at(k)->above);
}

/* A field of another class would be read from some other place: here too. */
static jobject JNICALL get_field(JNIEnv *e, jobject o, jfieldID f)
{
	struct fake_object *at = (void *)o;
	int before = at->klass->above ? at->klass->above->count : 0;
	struct fake_field *field = (void *)f;
	if (field >= at->klass->field && field < at->klass->field + FIELDS)
		return new_local(
			e, (jobject)(void *)at->value[before + (field - at->klass->field)]);
	EXPECT(at->klass->above && field >= at->klass->above->field &&
		field < at->klass->above->field + FIELDS);
	return new_local(e, (jobject)(void *)at->value[field - at->klass->above->field]);
}

static jsize JNICALL length(JNIEnv *e, jarray o)
{
	(void)e;
	return ((struct fake_object *)(void *)o)->length;
}

static jobject JNICALL element(JNIEnv *e, jobjectArray o, jsize i)
{
	EXPECT(i >= 0 && i < ((struct fake_object *)(void *)o)->length);
	return new_local(e, (jobject)(void *)((struct fake_object *)(void *)o)->value[i % FIELDS]);
}

static const struct JNINativeInterface_ jni_calls = {.NewLocalRef = new_local,
	.DeleteLocalRef = delete_local,
	.NewWeakGlobalRef = new_weak,
	.DeleteWeakGlobalRef = delete_weak,
	.IsSameObject = same,
	.GetObjectClass = class_of,
	.GetSuperclass = above,
	.GetObjectField = get_field,
	.GetArrayLength = length,
	.GetObjectArrayElement = element};
static const struct jvmtiInterface_1_ jvmti_calls = {.GetTag = get_tag,
	.GetClassSignature = get_signature,
	.GetClassFields = get_fields,
	.GetFieldModifiers = get_modifiers,
	.GetFieldName = get_field_name,
	.Deallocate = deallocate};
static JNIEnv jni = &jni_calls;
static jvmtiEnv jvmti = &jvmti_calls;
static const struct vm vm = {.jvmti = &jvmti};

static void begin(void)
{
	memset(object, 0, sizeof(object));
	locals = weaks = asked_fields = 0;
	refuse = false;
	base = (struct fake_class){"Lacme/Base;", NULL, {{"up", "Lacme/Base;", 0}}, 1, 0};
	item = (struct fake_class){"Lacme/Item;", &base,
		{{"count", "J", 0}, {"all", "Lacme/Item;", ACC_STATIC}, {"text", "[B", 0},
			{"next", "Lacme/Item;", 0}},
		4, 0};
	weak_one = (struct fake_class){"Lacme/Weak;", &base,
		{{"referent", "Ljava/lang/Object;", 0}, {"queue", "Lacme/Item;", 0}}, 2, 0};
	plain = (struct fake_class){"Lacme/Plain;", NULL, {{"a", "I", 0}}, 1, 0};
	bytes = (struct fake_class){"[B", NULL, {{0}}, 0, 0};
	items = (struct fake_class){"[Lacme/Item;", NULL, {{0}}, 0, 0};
	same_name = (struct fake_class){"Lacme/Item;", NULL, {{"other", "[B", 0}}, 1, 0};
	struct fake_class *all[] = {&base, &item, &weak_one, &plain, &bytes, &items};
	for (uint32_t i = 0; i < ARRAY_SIZE(all); i++)
		all[i]->tag = tags_of_class(RECORDING, i + 1);
	same_name.tag = item.tag;
	children_init(&c, &vm, RECORDING, tap_seed());
}

static void end(void)
{
	children_end(&c, &jni);
	EXPECT_INT(0, locals);
	EXPECT_INT(0, weaks);
}

static struct family look(struct fake_object *o)
{
	struct family f;
	children_of(&c, &jni, (jobject)(void *)o, &f);
	return f;
}

static void make(int i, struct fake_class *k)
{
	object[i] = (struct fake_object){.klass = k, .tag = 100 + i};
}

/* Its own fields and those above, not statics, numbers or what is null. */
TEST(fields_are_followed)
{
	begin();
	make(0, &item);
	make(1, &bytes);
	make(2, &item);
	object[2].tag = 0;
	object[0].value[0] = &object[2]; /* up */
	object[0].value[2] = &object[1]; /* where a static field is no value of an object */
	object[0].value[3] = &object[1]; /* text */
	struct family f = look(&object[0]);
	EXPECT_INT(100, f.tag);
	EXPECT_INT(2, f.class_id);
	EXPECT(!f.barren);
	EXPECT_INT(2, f.count);
	EXPECT_INT(101, f.child[0].tag);
	EXPECT_INT(5, f.child[0].class_id);
	EXPECT(f.child[0].barren);
	EXPECT_INT(0, f.child[1].tag);
	EXPECT_INT(2, f.child[1].class_id);
	EXPECT(!f.child[1].barren);
	end();
}

TEST(a_class_is_asked_once)
{
	begin();
	make(0, &item);
	for (int i = 0; i < 10; i++)
		look(&object[0]);
	EXPECT_INT(2, asked_fields); /* its own, and those above */
	EXPECT_INT(1, c.asked);
	end();
}

/* Of another loader: its fields are others, though its id is the same. */
TEST(a_class_of_the_same_name_is_another)
{
	begin();
	make(0, &item);
	make(1, &same_name);
	make(2, &bytes);
	object[0].value[3] = object[1].value[0] = &object[2];
	for (int i = 0; i < 4; i++)
		EXPECT_INT(1, look(&object[i % 2]).count);
	EXPECT_INT(5, c.asked); /* four times these, once the bytes */
	end();
}

TEST(what_a_weak_reference_means_is_no_child)
{
	begin();
	make(0, &weak_one);
	make(1, &item);
	object[0].value[1] = &object[1];
	EXPECT_INT(0, look(&object[0]).count);
	object[0].value[2] = &object[1];
	EXPECT_INT(1, look(&object[0]).count);
	end();
}

TEST(some_have_nothing_to_refer_with)
{
	begin();
	make(0, &plain);
	make(1, &bytes);
	make(2, &items);
	EXPECT(look(&object[0]).barren);
	EXPECT(look(&object[1]).barren);
	EXPECT(!look(&object[2]).barren);
	end();
}

TEST(a_few_elements_of_an_array)
{
	begin();
	make(0, &items);
	make(1, &item);
	object[0].length = 3;
	object[0].value[0] = object[0].value[2] = &object[1];
	EXPECT_INT(2, look(&object[0]).count);
	object[0].length = 100000;
	for (int i = 0; i < FIELDS; i++)
		object[0].value[i] = &object[1];
	EXPECT_INT(CHILDREN_ELEMENTS, look(&object[0]).count);
	end();
}

TEST(no_more_fields_than_there_is_room_for)
{
	begin();
	item.count = FIELDS;
	for (int i = 0; i < FIELDS; i++)
		item.field[i] = (struct fake_field){"x", "Lacme/Item;", 0};
	base.count = 0;
	make(0, &item);
	for (int i = 0; i < FIELDS; i++)
		object[0].value[i] = &object[0];
	EXPECT_INT(CHILDREN_FIELDS, look(&object[0]).count);
	EXPECT_INT(FIELDS - CHILDREN_FIELDS, c.cut);
	end();
}

/* Nothing is said of what the VM does not tell, or of another recording's classes. */
TEST(what_is_not_told_is_not_guessed)
{
	begin();
	make(0, &item);
	refuse = true;
	struct family f = look(&object[0]);
	EXPECT(!f.tag && !f.count && !f.barren);
	refuse = false;
	EXPECT_INT(100, look(&object[0]).tag);
	item.tag = tags_of_class(RECORDING + 1, 2);
	EXPECT_INT(0, look(&object[0]).tag);
	end();
}
