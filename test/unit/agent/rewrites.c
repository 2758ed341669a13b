#include "agent/rewrites.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "classfile/class_file.h"
#include "classfile/code.h"
#include "classfile/insn.h"
#include "support/class_maker.h"
#include "support/jvmti_memory.h"
#include "support/tap.h"

/*
 * A VM of two classes of one name, by two loaders, with different code. It does what a VM does that
 * exchanges a class: ids go over to the new versions, and an old one gets an id of its own. Each
 * instruction of each version that there ever was must be where its class file has it, at any time:
 * before a batch, between the exchange and its end, and after it.
 */
enum { CLASSES = 2, METHODS = 2, IDS = 4096, BCIS = 64 };

/* No code of these has a dup or an invokestatic but what is inserted. */
static const uint8_t m_code[] = {OP_iconst_1, OP_newarray, 8, OP_pop, OP_iconst_2, OP_newarray, 9,
	OP_pop, OP_return},
		     n_code[] = {OP_iconst_3, OP_newarray, 8, OP_pop, OP_return},
		     b_code[] = {OP_iconst_1, OP_newarray, 10, OP_pop, OP_iconst_2, OP_newarray, 8,
			     OP_pop, OP_iconst_2, OP_newarray, 9, OP_pop, OP_return};
static const struct slice codes[CLASSES][METHODS] = {
	{{m_code, sizeof(m_code)}, {n_code, sizeof(n_code)}},
	{{b_code, sizeof(b_code)}, {n_code, sizeof(n_code)}}};
static const char *const names[METHODS] = {"m", "n"};

struct id {
	struct fake_class *owner;
	int method;
	bool obsolete;
	uint8_t code[BCIS];
	uint32_t len;
};

static struct fake_class {
	int loader; /* 1, 2; 0 is the boot loader's */
	bool loaded, linked, fixed;
	int asked;               /* times, for its methods */
	struct buf file, now;    /* in the file; as the VM has it */
	struct id *ids[METHODS]; /* of what it has */
} classes[CLASSES];

static struct id ids[IDS]; /* none is ever given out twice, as in a VM */
static size_t id_count;
static jvmtiEventCallbacks callbacks;
static bool listens, refuses;
static bool strict,
	throws;   /* loaders give nothing that they don't know; what they throw is there */
static int asked; /* loaders */
static struct fake_class *works; /* has a method at the top of a stack; NULL: none */
static long references_out;
static int listings; /* of the loaded classes */
static int compared; /* references */
static JNIEnv jni;

static jobject reference(void *to)
{
	references_out++;
	return to;
}

static jvmtiError JNICALL allocate(jvmtiEnv *e, jlong len, unsigned char **out)
{
	(void)e;
	*out = jvmti_memory((size_t)len + 1);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL add_capabilities(jvmtiEnv *e, const jvmtiCapabilities *want)
{
	(void)e;
	EXPECT(want->can_get_bytecodes);
	EXPECT(want->can_retransform_classes != want->can_get_constant_pool);
	/* What constructors show is not judged here (quiet.c). */
	return want->can_get_constant_pool ? JVMTI_ERROR_NOT_AVAILABLE : JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_callbacks(jvmtiEnv *e, const jvmtiEventCallbacks *c, jint size)
{
	(void)e;
	memcpy(&callbacks, c, (size_t)size);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL set_mode(
	jvmtiEnv *e, jvmtiEventMode mode, jvmtiEvent event, jthread thread, ...)
{
	(void)e, (void)thread;
	EXPECT(event == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK || event == JVMTI_EVENT_CLASS_PREPARE);
	if (event == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK)
		listens = mode == JVMTI_ENABLE;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL loaded(jvmtiEnv *e, jint *count, jclass **out)
{
	unsigned char *at;
	listings++;
	allocate(e, sizeof(**out) * CLASSES, &at);
	*out = (jclass *)(void *)at;
	*count = 0;
	for (int i = 0; i < CLASSES; i++)
		if (classes[i].loaded)
			(*out)[(*count)++] = reference(&classes[i]);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL signature(jvmtiEnv *e, jclass k, char **out, char **generic)
{
	(void)e, (void)k, (void)generic;
	*out = jvmti_text("LT;");
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL loader_of(jvmtiEnv *e, jclass k, jobject *out)
{
	struct fake_class *c = (void *)k;
	(void)e;
	*out = c->loader ? reference(&c->loader) : NULL;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL hash_of(jvmtiEnv *e, jobject o, jint *out)
{
	(void)e;
	*out = 1000 + *(int *)(void *)o;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL modifiable(jvmtiEnv *e, jclass k, jboolean *out)
{
	(void)e;
	*out = !((struct fake_class *)(void *)k)->fixed;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL status_of(jvmtiEnv *e, jclass k, jint *out)
{
	(void)e;
	*out = ((struct fake_class *)(void *)k)->linked
		       ? JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED
		       : 0;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL methods_of(jvmtiEnv *e, jclass k, jint *count, jmethodID **out)
{
	struct fake_class *c = (void *)k;
	unsigned char *at;
	c->asked++;
	if (!c->linked)
		return JVMTI_ERROR_CLASS_NOT_PREPARED;
	allocate(e, sizeof(**out) * METHODS, &at);
	memcpy(at, c->ids, sizeof(c->ids));
	*out = (jmethodID *)(void *)at;
	*count = METHODS;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL stacks(jvmtiEnv *e, jint most, jvmtiStackInfo **out, jint *count)
{
	struct {
		jvmtiStackInfo info;
		jvmtiFrameInfo frame;
	} * block;
	unsigned char *at;
	(void)most;
	allocate(e, sizeof(*block), &at);
	block = (void *)at;
	memset(block, 0, sizeof(*block));
	*out = &block->info;
	*count = works != NULL;
	if (works) {
		block->frame.method = (jmethodID)(void *)works->ids[0];
		block->info = (jvmtiStackInfo){.thread = reference(works),
			.frame_buffer = &block->frame,
			.frame_count = 1};
	}
	return JVMTI_ERROR_NONE;
}

static struct id *id_of(jmethodID id)
{
	return (struct id *)(void *)id;
}

static jvmtiError JNICALL method_name(
	jvmtiEnv *e, jmethodID id, char **name, char **descriptor, char **generic)
{
	(void)e, (void)generic;
	*name = jvmti_text(names[id_of(id)->method]);
	*descriptor = jvmti_text("()V");
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL declaring(jvmtiEnv *e, jmethodID id, jclass *out)
{
	(void)e;
	*out = reference(id_of(id)->owner);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL location(jvmtiEnv *e, jmethodID id, jlocation *start, jlocation *end)
{
	(void)e;
	*start = 0;
	*end = id_of(id)->len - 1;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL bytecodes(jvmtiEnv *e, jmethodID id, jint *len, unsigned char **out)
{
	allocate(e, id_of(id)->len, out);
	memcpy(*out, id_of(id)->code, id_of(id)->len);
	*len = (jint)id_of(id)->len;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL obsolete(jvmtiEnv *e, jmethodID id, jboolean *out)
{
	(void)e;
	*out = id_of(id)->obsolete;
	return JVMTI_ERROR_NONE;
}

static void read_code(struct slice file, struct fake_class *c, int method, struct id *out)
{
	struct class_file f;
	struct code code;
	struct diag d;
	EXPECT_INT(0, class_file_read(&f, file, &d));
	size_t at = class_file_method(&f, slice_str(names[method]), slice_str("()V"));
	EXPECT_INT(0, code_read(&code, f.methods.at[at].code, &d));
	*out = (struct id){.owner = c, .method = method, .len = (uint32_t)code.bytes.len};
	EXPECT(code.bytes.len <= BCIS);
	memcpy(out->code, code.bytes.at, code.bytes.len);
	class_file_release(&f);
}

/* The class is given that file. What changes goes on under an id of its own. */
static void exchange(struct fake_class *c, struct slice file)
{
	for (int m = 0; m < METHODS; m++) {
		struct id now;
		read_code(file, c, m, &now);
		if (c->ids[m] && (now.len != c->ids[m]->len ||
					 memcmp(now.code, c->ids[m]->code, now.len) != 0)) {
			EXPECT(id_count < IDS);
			ids[id_count] = *c->ids[m];
			ids[id_count++].obsolete = true;
		}
		if (!c->ids[m])
			c->ids[m] = &ids[id_count++];
		*c->ids[m] = now;
	}
	c->now.len = 0;
	buf_put(&c->now, file.at, file.len);
}

/* Of the instructions that were not inserted, the n-th of what there is now is the n-th of the
 * file. */
static void expect_whereabouts(const struct id *id)
{
	struct slice now = slice(id->code, id->len), was = codes[id->owner - classes][id->method];
	struct insn i, k;
	uint32_t from = 0;
	for (uint32_t pc = 0; pc < now.len; pc += i.len) {
		EXPECT_INT(0, insn_decode(now, pc, &i));
		if (i.op == OP_dup || i.op == OP_invokestatic)
			continue;
		EXPECT_INT(0, insn_decode(was, from, &k));
		EXPECT_INT(k.op, i.op);
		EXPECT_INT(from, rewrites_bci((uint64_t)(uintptr_t)id, (int32_t)pc));
		from += k.len;
	}
	EXPECT_INT(was.len, from);
	EXPECT_INT(-1, rewrites_bci((uint64_t)(uintptr_t)id, -1));
}

static void expect_all(void)
{
	for (size_t i = 0; i < id_count; i++)
		expect_whereabouts(&ids[i]);
}

/* As the hook gives it, or as it is in the file. */
static struct slice given(struct fake_class *c, jclass redefined, unsigned char **bytes)
{
	jint len = 0;
	*bytes = NULL;
	if (listens)
		callbacks.ClassFileLoadHook(NULL, &jni, redefined,
			c->loader ? (jobject)(void *)&c->loader : NULL, "T", NULL,
			(jint)c->file.len, c->file.at, &len, bytes);
	return *bytes ? slice(*bytes, (size_t)len) : slice(c->file.at, c->file.len);
}

/* What the VM's own Java code loads before it asks about a class comes by with that one. */
static void load_meanwhile(jclass redefined)
{
	jint len = 0;
	unsigned char *bytes = NULL;
	int compared_before = compared;
	if (listens)
		callbacks.ClassFileLoadHook(NULL, &jni, redefined, NULL, "Other", NULL,
			(jint)classes[0].file.len, classes[0].file.at, &len, &bytes);
	EXPECT(!bytes);
	EXPECT_INT(compared_before, compared); /* it is taken for none of ours */
}

static jvmtiError JNICALL retransform(jvmtiEnv *e, jint count, const jclass *which)
{
	for (jint i = 0; i < count; i++) {
		struct fake_class *c = (void *)which[i];
		unsigned char *bytes;
		EXPECT(c->linked || !slice_equal(buf_slice(&c->now), buf_slice(&c->file)));
		load_meanwhile(which[i]);
		struct slice file = given(c, which[i], &bytes);
		expect_all();
		if (!refuses)
			exchange(c, file);
		expect_all();
		jvmti_memory_back(e, bytes);
	}
	return refuses ? JVMTI_ERROR_FAILS_VERIFICATION : JVMTI_ERROR_NONE;
}

static void JNICALL delete_local(JNIEnv *e, jobject o)
{
	(void)e;
	references_out -= o != NULL;
}

static jobject JNICALL new_local(JNIEnv *e, jobject o)
{
	(void)e;
	return reference(o);
}

static char age_class; /* nobody has installed it here: any is taken for it */

static jboolean JNICALL is_same(JNIEnv *e, jobject a, jobject b)
{
	(void)e;
	compared++;
	return a == b || a == (void *)&age_class;
}

/* What is asked of Java: Class.forName, with the loader. */

static char class_class, for_name;

static jclass JNICALL find(JNIEnv *e, const char *name)
{
	(void)e;
	EXPECT_STR("java/lang/Class", name);
	return reference(&class_class);
}

static jmethodID JNICALL static_method(JNIEnv *e, jclass k, const char *name, const char *type)
{
	(void)e, (void)type;
	EXPECT((void *)k == &class_class);
	EXPECT_STR("forName", name);
	return (jmethodID)(void *)&for_name;
}

static jstring JNICALL new_string(JNIEnv *e, const char *text)
{
	(void)e;
	EXPECT_STR("java.lang.MayflyAge", text);
	return reference(&for_name);
}

static jobject JNICALL call_static(JNIEnv *e, jclass k, jmethodID id, ...)
{
	(void)e, (void)k, (void)id;
	asked++;
	throws = strict;
	return strict ? NULL : reference(&age_class);
}

static jboolean JNICALL is_thrown(JNIEnv *e)
{
	(void)e;
	return throws;
}

static void JNICALL clear(JNIEnv *e)
{
	(void)e;
	throws = false;
}

static const struct jvmtiInterface_1_ jvmti_calls = {.AddCapabilities = add_capabilities,
	.SetEventCallbacks = set_callbacks,
	.SetEventNotificationMode = set_mode,
	.GetLoadedClasses = loaded,
	.GetClassSignature = signature,
	.GetClassLoader = loader_of,
	.GetObjectHashCode = hash_of,
	.IsModifiableClass = modifiable,
	.GetClassMethods = methods_of,
	.GetAllStackTraces = stacks,
	.GetClassStatus = status_of,
	.GetMethodName = method_name,
	.GetMethodDeclaringClass = declaring,
	.GetMethodLocation = location,
	.GetBytecodes = bytecodes,
	.IsMethodObsolete = obsolete,
	.RetransformClasses = retransform,
	.Allocate = allocate,
	.Deallocate = jvmti_memory_back};
static const struct JNINativeInterface_ jni_calls = {.DeleteLocalRef = delete_local,
	.NewLocalRef = new_local,
	.DeleteGlobalRef = delete_local,
	.NewGlobalRef = new_local,
	.IsSameObject = is_same,
	.FindClass = find,
	.GetStaticMethodID = static_method,
	.NewStringUTF = new_string,
	.CallStaticObjectMethod = call_static,
	.ExceptionCheck = is_thrown,
	.ExceptionClear = clear};
static jvmtiEnv jvmti = &jvmti_calls;
static JNIEnv jni = &jni_calls;

static jint JNICALL get_env(JavaVM *java, void **out, jint version)
{
	(void)java;
	*out = version == JVMTI_VERSION_1_2 ? (void *)&jvmti : (void *)&jni;
	return JNI_OK;
}

static const struct JNIInvokeInterface_ java_calls = {.GetEnv = get_env};
static JavaVM java = &java_calls;
static struct vm vm = {.java = &java, .jvmti = &jvmti};

static void make(struct fake_class *c, int index)
{
	struct class_maker m;
	class_maker_init(&m, 49);
	for (int i = 0; i < METHODS; i++)
		class_maker_method(&m, names[i], "()V",
			(struct made_code){ACCESS_STATIC, 2, 0, codes[index][i]});
	c->file.len = 0;
	class_maker_put(&m, &c->file);
	class_maker_release(&m);
}

static struct rewrites *begin(void)
{
	struct diag d;
	refuses = strict = false;
	for (int i = 0; i < CLASSES; i++) {
		struct buf file = classes[i].file, now = classes[i].now;
		classes[i] = (struct fake_class){
			.loader = i, .loaded = true, .linked = true, .file = file, .now = now};
		make(&classes[i], i);
		exchange(&classes[i], slice(classes[i].file.at, classes[i].file.len));
	}
	EXPECT_INT(0, rewrites_open(rewrites_get(), &vm, &d));
	return rewrites_get();
}

static bool is_plain(const struct fake_class *c)
{
	return slice_equal(buf_slice(&c->now), buf_slice(&c->file));
}

static void end(struct rewrites *r)
{
	EXPECT_INT(0, rewrites_apply(r, &jni, NULL, 0));
	for (int i = 0; i < CLASSES; i++)
		EXPECT(is_plain(&classes[i]));
	rewrites_close(r, true);
	expect_all();
	EXPECT(!listens);
	EXPECT_INT(0, jvmti_memory_out());
	EXPECT_INT(0, references_out);
}

/* Where it is done; 0. */
static uint64_t method_of(struct rewrites *r, struct wish w)
{
	rewrites_methods(r, &jni, &w, 1);
	return w.vm_method;
}

/* loader: -1: whichever. */
static struct wish wish(const char *method, int32_t bci, const char *made, int loader)
{
	return (struct wish){.class_name = "T",
		.method = method,
		.descriptor = "()V",
		.bci = bci,
		.allocates = made,
		.one_loader = loader >= 0,
		.loader = loader > 0 ? 1000 + loader : 0};
}

/* Places, of them some that only one class has, and some that neither has. */
static struct wish any(struct rng *g)
{
	static const struct {
		const char *method, *made;
		int32_t bci;
	} places[] = {{"m", "[B", 1}, {"m", "[S", 5}, {"m", "[B", 5}, {"m", "[S", 9},
		{"m", "[I", 1}, {"n", "[B", 1}, {"n", "[S", 1}};
	size_t i = rng_below(g, ARRAY_SIZE(places));
	return wish(places[i].method, places[i].bci, places[i].made, (int)rng_below(g, 3) - 1);
}

static bool has_place(const struct fake_class *c, const struct wish *w)
{
	struct slice code = codes[c - classes][w->method[0] == 'n'];
	uint8_t letter = w->allocates[1] == 'B' ? 8 : w->allocates[1] == 'S' ? 9 : 10;
	return (!w->one_loader || w->loader == (c->loader ? 1000 + c->loader : 0)) &&
	       (uint32_t)w->bci + 1 < code.len && code.at[w->bci] == OP_newarray &&
	       code.at[w->bci + 1] == letter;
}

static bool same_place(const struct wish *a, const struct wish *b)
{
	return strcmp(a->method, b->method) == 0 && a->bci == b->bci &&
	       strcmp(a->allocates, b->allocates) == 0;
}

/* What the class must be: rewritten from its file once, for the wishes that it can grant. */
static void expect_bytes(const struct fake_class *c, const struct wish *wishes, size_t count)
{
	struct wish own[16];
	struct rewriting want;
	size_t n = 0;
	for (size_t i = 0; i < count; i++) {
		bool there = !has_place(c, &wishes[i]);
		for (size_t k = 0; k < n; k++)
			there = there || same_place(&own[k], &wishes[i]);
		if (!there)
			own[n++] = wishes[i];
	}
	EXPECT_INT(0, rewrite_class(buf_slice(&c->file), own, n, &want));
	struct id now[METHODS], wanted[METHODS];
	for (int m = 0; m < METHODS; m++) {
		read_code(buf_slice(&c->now), (struct fake_class *)(uintptr_t)c, m, &now[m]);
		read_code(n ? buf_slice(&want.bytes) : buf_slice(&c->file),
			(struct fake_class *)(uintptr_t)c, m, &wanted[m]);
		EXPECT_INT(wanted[m].len, now[m].len);
		for (uint32_t pc = 0; pc < now[m].len && pc < wanted[m].len; pc++)
			if (now[m].code[pc] != wanted[m].code[pc])
				/* The number of the call's constant. */
				EXPECT(now[m].code[pc - 1] == OP_invokestatic ||
					now[m].code[pc - 2] == OP_invokestatic);
	}
	EXPECT(n || is_plain(c));
	rewriting_release(&want);
}

static void expect_state(const struct wish *w)
{
	bool done = has_place(&classes[0], w) || has_place(&classes[1], w);
	EXPECT_INT(done ? WISH_DONE : WISH_REFUSED, w->state);
	EXPECT(done ? strcmp(w->found_opcode, "newarray") == 0 : w->why != NULL);
}

TEST(batch_after_batch_each_version_is_where_its_class_file_has_it)
{
	struct rng g = rng_init(tap_seed());
	for (int recording = 0; recording < 5; recording++) {
		struct rewrites *r = begin();
		for (int batch = 0; batch < 20; batch++) {
			struct wish wishes[6];
			size_t count = rng_below(&g, 7);
			for (size_t i = 0; i < count; i++)
				wishes[i] = any(&g);
			EXPECT_INT(0, rewrites_apply(r, &jni, wishes, count));
			for (size_t i = 0; i < count; i++)
				expect_state(&wishes[i]);
			for (int i = 0; i < CLASSES; i++)
				expect_bytes(&classes[i], wishes, count);
			expect_all();
		}
		end(r);
	}
}

/* What a reader of the tests should see of it: one place, one more, the first taken back. */
TEST(a_place_is_taken_back_while_another_stays)
{
	struct rewrites *r = begin();
	struct wish first = wish("m", 1, "[B", 0), both[] = {first, wish("m", 5, "[S", 0)},
		    second = both[1];
	size_t before = id_count;
	EXPECT_INT(0, rewrites_apply(r, &jni, &first, 1));
	EXPECT_INT(sizeof(m_code) + 4, classes[0].ids[0]->len);
	EXPECT_INT(OP_dup, classes[0].ids[0]->code[3]);
	EXPECT_INT(0, rewrites_apply(r, &jni, both, 2));
	EXPECT_INT(sizeof(m_code) + 8, classes[0].ids[0]->len);
	EXPECT_INT(0, rewrites_apply(r, &jni, &second, 1));
	EXPECT_INT(sizeof(m_code) + 4, classes[0].ids[0]->len);
	EXPECT_INT(OP_pop, classes[0].ids[0]->code[3]);
	EXPECT(is_plain(&classes[1]));
	EXPECT_INT(before + 3, id_count); /* the file's version, and two */
	expect_all();
	end(r);
}

/* Its code would not find the class that it is to call. The boot loader has it, and is not asked.
 */
TEST(a_class_whose_loader_gives_only_what_it_knows_stays)
{
	for (int on_its_way = 0; on_its_way < 2; on_its_way++) {
		struct rewrites *r = begin();
		struct wish w[] = {wish("m", 1, "[B", 0), wish("m", 1, "[I", 1)};
		unsigned char *bytes = NULL;
		strict = true;
		asked = 0;
		if (on_its_way) {
			EXPECT_INT(0, rewrites_expect(r, w, 2));
			given(&classes[1], NULL, &bytes);
			EXPECT(!bytes);
		}
		EXPECT_INT(0, rewrites_apply(r, &jni, w, 2));
		EXPECT_INT(WISH_DONE, w[0].state);
		EXPECT_INT(WISH_REFUSED, w[1].state);
		EXPECT_STR("its class loader does not give it the class that sets ages", w[1].why);
		EXPECT(!is_plain(&classes[0]) && is_plain(&classes[1]));
		EXPECT(asked > 0 && !throws);
		end(r);
	}
}

/* Before the first batch: what comes by is rewritten already, and what is there waits for it. */
TEST(what_is_expected_is_rewritten_on_its_way_in)
{
	struct rewrites *r = begin();
	unsigned char *bytes;
	struct wish w[] = {wish("m", 1, "[B", 0), wish("m", 1, "[I", 1)};
	classes[1].loaded = false;
	memset(classes[1].ids, 0, sizeof(classes[1].ids));
	EXPECT_INT(0, rewrites_expect(r, w, 2));
	exchange(&classes[1], given(&classes[1], NULL, &bytes));
	jvmti_memory_back(&jvmti, bytes);
	classes[1].loaded = true;
	rewrites_look(r, w, 2);
	EXPECT(w[0].state == WISH_WAITS && w[1].state == WISH_DONE);
	expect_all();
	EXPECT(is_plain(&classes[0]));
	expect_bytes(&classes[1], w, 2);
	size_t before = id_count;
	EXPECT_INT(0, rewrites_apply(r, &jni, w, 2));
	EXPECT(w[0].state == WISH_DONE && w[1].state == WISH_DONE);
	expect_bytes(&classes[0], w, 2);
	EXPECT_INT(before + 1, id_count); /* the other is not exchanged once more */
	expect_all();
	end(r);
}

/* Loaded after the wish; its methods are not shown before it is linked. */
TEST(a_class_that_is_loaded_late)
{
	struct rewrites *r = begin();
	unsigned char *bytes;
	struct fake_class *c = &classes[1];
	struct wish w = wish("m", 5, "[B", -1);
	c->loaded = c->linked = false;
	memset(c->ids, 0, sizeof(c->ids));
	EXPECT_INT(0, rewrites_apply(r, &jni, &w, 1));
	EXPECT_INT(WISH_REFUSED, w.state);
	exchange(c, given(c, NULL, &bytes));
	jvmti_memory_back(&jvmti, bytes);
	c->loaded = true;
	rewrites_look(r, &w, 1);
	EXPECT_INT(WISH_DONE, w.state);
	EXPECT_INT(0, method_of(r, w));
	EXPECT(rewrites_unsettled(r));
	rewrites_settle(r, &jni);
	expect_all();
	c->linked = true;
	expect_all();
	rewrites_settle(r, &jni);
	expect_all();
	EXPECT(method_of(r, w) == (uint64_t)(uintptr_t)c->ids[0]);
	for (int i = 0; i < 4; i++)
		rewrites_settle(r, &jni);
	EXPECT(!rewrites_unsettled(r));
	end(r);
}

/* There may be thousands of its name, which the VM can't unload meanwhile. */
TEST(a_class_that_is_known_is_not_asked_while_another_waits)
{
	struct rewrites *r = begin();
	unsigned char *bytes;
	struct wish w[] = {wish("m", 1, "[B", 0), wish("m", 1, "[I", 1)};
	struct fake_class *c = &classes[1];
	c->loaded = c->linked = false;
	memset(c->ids, 0, sizeof(c->ids));
	EXPECT_INT(0, rewrites_apply(r, &jni, w, 2));
	exchange(c, given(c, NULL, &bytes));
	jvmti_memory_back(&jvmti, bytes);
	c->loaded = true;
	classes[0].asked = c->asked = 0;
	rewrites_settle(r, &jni);
	EXPECT_INT(0, c->asked); /* it is on its way */
	rewrites_settle(r, &jni);
	EXPECT_INT(0, classes[0].asked);
	EXPECT_INT(1, c->asked);
	c->linked = true;
	rewrites_settle(r, &jni);
	EXPECT_INT(0, classes[0].asked);
	expect_all();
	end(r);
}

/* Then nobody has to look for it among all that there are. */
TEST(a_class_is_shown_as_it_is_linked)
{
	struct rewrites *r = begin();
	unsigned char *bytes;
	struct fake_class *c = &classes[1];
	struct wish w = wish("m", 1, "[I", 1);
	c->loaded = c->linked = false;
	memset(c->ids, 0, sizeof(c->ids));
	EXPECT_INT(0, rewrites_apply(r, &jni, &w, 1));
	for (int i = 0; i < 4; i++)
		rewrites_settle(r, &jni);
	exchange(c, given(c, NULL, &bytes));
	jvmti_memory_back(&jvmti, bytes);
	c->loaded = c->linked = true;
	EXPECT(rewrites_unsettled(r));
	callbacks.ClassPrepare(&jvmti, &jni, NULL, (jclass)(void *)c);
	listings = 0;
	rewrites_settle(r, &jni);
	EXPECT_INT(0, listings);
	expect_all();
	end(r);
}

/* A VM lists its classes once for all of them, which takes milliseconds; those that are not done,
 * and one that has a method, are left alone. */
TEST(the_methods_of_many_places_are_found_at_once)
{
	struct rewrites *r = begin();
	struct wish w[] = {wish("m", 1, "[B", 0), wish("m", 5, "[S", -1), wish("n", 1, "[B", 1),
		wish("n", 1, "[B", 0), wish("m", 1, "[I", -1), wish("m", 1, "[S", -1),
		wish("n", 1, "[B", -1)};
	const struct id *want[] = {classes[0].ids[0], classes[0].ids[0], classes[1].ids[1],
		classes[0].ids[1], classes[1].ids[0], NULL, (const struct id *)(uintptr_t)8};
	EXPECT_INT(0, rewrites_apply(r, &jni, w, ARRAY_SIZE(w)));
	EXPECT_INT(WISH_REFUSED, w[5].state);
	w[6].vm_method = 8;
	listings = 0;
	rewrites_methods(r, &jni, w, ARRAY_SIZE(w));
	EXPECT_INT(1, listings);
	for (size_t i = 0; i < ARRAY_SIZE(w); i++)
		EXPECT(w[i].vm_method == (uint64_t)(uintptr_t)want[i]);
	rewrites_methods(r, &jni, w, 5); /* they have theirs */
	EXPECT_INT(1, listings);
	end(r);
}

/* A class that came by before the wishes were there, and was not loaded yet when they were. */
TEST(a_class_that_was_missed_is_found)
{
	struct rewrites *r = begin();
	struct wish w = wish("m", 1, "[I", 1);
	classes[1].loaded = false;
	EXPECT_INT(0, rewrites_apply(r, &jni, &w, 1));
	EXPECT_INT(WISH_WAITS, w.state);
	classes[1].loaded = true;
	rewrites_settle(r, &jni);
	rewrites_look(r, &w, 1);
	EXPECT_INT(WISH_DONE, w.state);
	expect_bytes(&classes[1], &w, 1);
	expect_all();
	end(r);
}

static uint64_t hash_in(const struct fake_class *c, int method)
{
	return rewrite_hash(slice(c->ids[method]->code, c->ids[method]->len));
}

/* Neither rewritten nor turned back while its code is at work; the other class of its name is. */
TEST(a_class_that_runs_is_left_alone)
{
	struct rewrites *r = begin();
	struct wish first = wish("m", 1, "[B", 0), both[] = {first, wish("n", 1, "[B", -1)};
	works = &classes[0];
	both[0].vm_method = (uintptr_t)classes[0].ids[0];
	EXPECT_INT(0, rewrites_apply(r, &jni, both, 2));
	EXPECT(both[0].state == WISH_REFUSED && both[0].why == rewrites_running);
	EXPECT_STR("newarray", both[0].found_opcode);
	EXPECT(both[0].found_hash == hash_in(&classes[0], 0));
	EXPECT_INT(WISH_DONE, both[1].state);
	EXPECT(is_plain(&classes[0]) && !is_plain(&classes[1]));
	EXPECT_INT(0, rewrites_late(r));
	works = NULL;
	EXPECT_INT(0, rewrites_apply(r, &jni, NULL, 0));
	first.state = WISH_WAITS;
	EXPECT_INT(0, rewrites_apply(r, &jni, &first, 1));
	EXPECT_INT(WISH_DONE, first.state);
	works = &classes[0];
	EXPECT_INT(0, rewrites_apply(r, &jni, NULL, 0));
	expect_bytes(&classes[0], &first, 1);
	EXPECT_INT(1, rewrites_late(r));
	expect_all();
	works = NULL;
	EXPECT_INT(0, rewrites_apply(r, &jni, NULL, 0));
	EXPECT_INT(0, rewrites_late(r));
	end(r);
}

/* Else the VM may crash: another thread may be linking it. */
TEST(a_class_is_rewritten_again_only_once_it_is_linked)
{
	struct rewrites *r = begin();
	struct wish w = wish("m", 1, "[I", -1);
	classes[1].linked = false;
	EXPECT_INT(0, rewrites_apply(r, &jni, &w, 1));
	for (int i = 0; i < 5; i++)
		rewrites_settle(r, &jni);
	rewrites_look(r, &w, 1);
	EXPECT(is_plain(&classes[1]) && !rewrites_unsettled(r));
	classes[1].linked = true;
	callbacks.ClassPrepare(&jvmti, &jni, NULL, (jclass)(void *)&classes[1]);
	EXPECT(rewrites_unsettled(r));
	rewrites_settle(r, &jni);
	rewrites_look(r, &w, 1);
	EXPECT_INT(WISH_DONE, w.state);
	expect_bytes(&classes[1], &w, 1);
	expect_all();
	end(r);
}

TEST(what_a_vm_does_not_take_is_refused_and_stays)
{
	struct rewrites *r = begin();
	struct wish w = wish("m", 1, "[B", -1);
	refuses = true;
	EXPECT_INT(0, rewrites_apply(r, &jni, &w, 1));
	EXPECT_INT(WISH_REFUSED, w.state);
	EXPECT_STR("the VM does not take the rewritten class", w.why);
	expect_all();
	refuses = false;
	classes[0].fixed = true;
	struct wish fixed = wish("n", 1, "[B", 0);
	EXPECT_INT(0, rewrites_apply(r, &jni, &fixed, 1));
	EXPECT_INT(WISH_REFUSED, fixed.state);
	EXPECT_STR("its class can't be rewritten", fixed.why);
	expect_all();
	end(r);
	for (int i = 0; i < CLASSES; i++) {
		buf_release(&classes[i].file);
		buf_release(&classes[i].now);
	}
}
