#include "agent/children.h"

#include <string.h>

#include "agent/tags.h"

enum { ACC_STATIC = 0x0008 };

void children_init(struct children *c, const struct vm *vm, uint32_t recording, uint64_t seed)
{
	memset(c, 0, sizeof(*c));
	c->vm = vm;
	c->recording = recording;
	c->rng = rng_init(seed);
}

/* Those of a java.lang.ref.Reference are none that keep an object alive. */
static bool is_weak(const char *name)
{
	return strcmp(name, "referent") == 0 || strcmp(name, "discovered") == 0;
}

static bool refers(const struct vm *vm, jclass klass, jfieldID field)
{
	jvmtiEnv *jvmti = vm->jvmti;
	char *name = NULL, *type = NULL;
	jint modifiers = 0;
	if ((*jvmti)->GetFieldModifiers(jvmti, klass, field, &modifiers) != JVMTI_ERROR_NONE ||
		modifiers & ACC_STATIC)
		return false;
	if ((*jvmti)->GetFieldName(jvmti, klass, field, &name, &type, NULL) != JVMTI_ERROR_NONE)
		return false;
	bool yes = (*type == 'L' || *type == '[') && !is_weak(name);
	vm_free(vm, name);
	vm_free(vm, type);
	return yes;
}

static void add_field(struct children *c, struct children_class *k, jfieldID field)
{
	if (k->count < CHILDREN_FIELDS)
		k->field[k->count++] = field;
	else
		c->cut++;
}

static bool add_fields(struct children *c, struct children_class *k, jclass klass)
{
	jvmtiEnv *jvmti = c->vm->jvmti;
	jfieldID *fields = NULL;
	jint count = 0;
	if ((*jvmti)->GetClassFields(jvmti, klass, &count, &fields) != JVMTI_ERROR_NONE)
		return false;
	for (jint i = 0; i < count; i++)
		if (refers(c->vm, klass, fields[i]))
			add_field(c, k, fields[i]);
	vm_free(c->vm, fields);
	return true;
}

/* Its own first. The class is linked: an object of it is at hand. */
static bool ask_fields(struct children *c, JNIEnv *jni, struct children_class *k, jclass klass)
{
	bool all = true;
	jclass at = (*jni)->NewLocalRef(jni, klass);
	while (at) {
		all &= add_fields(c, k, at);
		jclass above = (*jni)->GetSuperclass(jni, at);
		(*jni)->DeleteLocalRef(jni, at);
		at = above;
	}
	return all;
}

static bool ask_class(struct children *c, JNIEnv *jni, struct children_class *k, jclass klass)
{
	char *signature = NULL;
	if ((*c->vm->jvmti)->GetClassSignature(c->vm->jvmti, klass, &signature, NULL) !=
		JVMTI_ERROR_NONE)
		return false;
	k->array = signature[0] == '[' && (signature[1] == 'L' || signature[1] == '[');
	bool all = *signature == '[' || ask_fields(c, jni, k, klass);
	vm_free(c->vm, signature);
	return all;
}

static void forget(JNIEnv *jni, struct children_class *k)
{
	if (k->klass)
		(*jni)->DeleteWeakGlobalRef(jni, k->klass);
	memset(k, 0, sizeof(*k));
}

/* A field's id means something for its own class alone. NULL: the VM does not tell. */
static const struct children_class *class_of(
	struct children *c, JNIEnv *jni, jclass klass, uint32_t id)
{
	struct children_class *k = &c->at[id % CHILDREN_CLASSES];
	if (k->klass && k->id == id && (*jni)->IsSameObject(jni, k->klass, klass))
		return k;
	forget(jni, k);
	k->id = id;
	k->klass = (*jni)->NewWeakGlobalRef(jni, klass);
	if (!k->klass)
		(*jni)->ExceptionClear(jni);
	c->asked++;
	if (k->klass && ask_class(c, jni, k, klass))
		return k;
	forget(jni, k);
	return NULL;
}

static bool is_barren(const struct children_class *k)
{
	return k && !k->array && !k->count;
}

static int64_t tag_of(const struct children *c, jobject object)
{
	jlong tag = 0;
	jvmtiEnv *jvmti = c->vm->jvmti;
	return (*jvmti)->GetTag(jvmti, object, &tag) == JVMTI_ERROR_NONE ? tag : 0;
}

/* What is a class itself has long been old. */
static void add_child(struct children *c, JNIEnv *jni, jobject child, struct family *out)
{
	int64_t tag = tag_of(c, child);
	if (tags_is_class(tag))
		return;
	jclass klass = (*jni)->GetObjectClass(jni, child);
	uint32_t id = tags_class(c->recording, tag_of(c, klass));
	const struct children_class *k = id ? class_of(c, jni, klass, id) : NULL;
	(*jni)->DeleteLocalRef(jni, klass);
	out->child[out->count++] = (struct child){tag, id, is_barren(k)};
}

static void add_elements(struct children *c, JNIEnv *jni, jobject array, struct family *out)
{
	jsize length = (*jni)->GetArrayLength(jni, array);
	for (jsize i = 0; i < CHILDREN_ELEMENTS && i < length; i++) {
		jsize at = length <= CHILDREN_ELEMENTS
				   ? i
				   : (jsize)rng_below(&c->rng, (uint64_t)length);
		jobject child = (*jni)->GetObjectArrayElement(jni, array, at);
		if (!child)
			continue;
		add_child(c, jni, child, out);
		(*jni)->DeleteLocalRef(jni, child);
	}
}

/* A copy of the class, whose entry a child's may take. */
static void add_values(struct children *c, JNIEnv *jni, struct children_class k, jobject object,
	struct family *out)
{
	for (uint32_t i = 0; i < k.count; i++) {
		jobject child = (*jni)->GetObjectField(jni, object, k.field[i]);
		if (!child)
			continue;
		add_child(c, jni, child, out);
		(*jni)->DeleteLocalRef(jni, child);
	}
}

void children_of(struct children *c, JNIEnv *jni, jobject object, struct family *out)
{
	*out = (struct family){.tag = tag_of(c, object)};
	jclass klass = (*jni)->GetObjectClass(jni, object);
	out->class_id = tags_class(c->recording, tag_of(c, klass));
	const struct children_class *k =
		out->class_id ? class_of(c, jni, klass, out->class_id) : NULL;
	(*jni)->DeleteLocalRef(jni, klass);
	out->barren = is_barren(k);
	if (!k)
		out->tag = 0; /* nothing can be said of it */
	else if (k->array)
		add_elements(c, jni, object, out);
	else
		add_values(c, jni, *k, object, out);
}

void children_end(struct children *c, JNIEnv *jni)
{
	for (uint32_t i = 0; i < CHILDREN_CLASSES; i++)
		forget(jni, &c->at[i]);
}
