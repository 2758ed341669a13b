#include "agent/jump.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "support/jvmti_memory.h"
#include "support/tap.h"

static struct decision decision(const char *class_name, const char *allocates)
{
	struct decision d = {.opcode = NULL};
	EXPECT_INT(0, decision_text(&d.at.class_name, class_name));
	EXPECT_INT(0, decision_text(&d.at.method, "run"));
	EXPECT_INT(0, decision_text(&d.at.descriptor, "()V"));
	EXPECT_INT(0, decision_text(&d.allocates, allocates));
	d.at.bci = 7;
	return d;
}

static struct jump loaded(const char *class_name, const char *allocates)
{
	struct jump j;
	struct decision d = decision(class_name, allocates);
	EXPECT_INT(0, jump_load(&j, &d));
	EXPECT(!d.at.class_name); /* it was taken over */
	return j;
}

/* Of a file: for any code, where the file does not say which. */
TEST(a_wish_is_what_the_file_says)
{
	struct jump j = loaded("com.acme.Shop", "byte[][]");
	struct wish w = jump_wish(&j);
	EXPECT(jump_wanted(&j) && !jump_unmet(&j) && !jump_untold(&j));
	EXPECT_STR("com/acme/Shop", w.class_name);
	EXPECT_STR("[[B", w.allocates);
	EXPECT_STR("run", w.method);
	EXPECT_INT(7, w.bci);
	EXPECT(!w.opcode && !w.has_hash && !w.one_loader && !w.vm_method);
	jump_release(&j);
}

TEST(which_places_are_calls)
{
	static const struct {
		const char *opcode;
		bool call;
	} cases[] = {{NULL, false}, {"new", false}, {"newarray", false}, {"invokestatic", true},
		{"invokevirtual", true}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jump j = loaded("com.acme.Shop", "byte[]");
		if (cases[i].opcode)
			EXPECT_INT(0, decision_text(&j.decision.opcode, cases[i].opcode));
		EXPECT_INT(cases[i].call, jump_is_call(&j));
		j.decision.callers = 1; /* the place is what they call */
		EXPECT(!jump_is_call(&j));
		j.decision.callers = 0;
		jump_release(&j);
	}
}

static void put_frame(struct decision_frame *f, const char *class_name, int32_t bci)
{
	EXPECT_INT(0, decision_text(&f->class_name, class_name));
	EXPECT_INT(0, decision_text(&f->method, "call"));
	EXPECT_INT(0, decision_text(&f->descriptor, "()[B"));
	f->bci = bci;
}

/* What the outermost call gives back jumps, whatever code that is in; hash and opcode are the
 * place's own. */
TEST(a_wish_with_callers_is_for_the_outermost_of_them)
{
	struct jump j;
	struct decision d = decision("Shop", "byte[]");
	put_frame(&d.caller[0], "com.acme.Near", 8);
	put_frame(&d.caller[1], "com.acme.Far", 9);
	d.callers = 2;
	d.has_hash = true;
	d.hash = 5;
	EXPECT_INT(0, decision_text(&d.opcode, "newarray"));
	EXPECT_INT(0, jump_load(&j, &d));
	struct wish w = jump_wish(&j);
	EXPECT(jump_wanted(&j));
	EXPECT_STR("com/acme/Far", w.class_name);
	EXPECT_STR("call", w.method);
	EXPECT_STR("()[B", w.descriptor);
	EXPECT_INT(9, w.bci);
	EXPECT(!w.opcode && !w.has_hash);
	w.state = WISH_DONE;
	w.found_hash = 99;
	w.found_opcode = "invokestatic";
	jump_take_outcome(&j, &w);
	EXPECT(j.done && j.decision.hash == 5);
	EXPECT_STR("newarray", j.decision.opcode);
	jump_release(&j);
}

/* Its class was running: it is done in the next run, if that has this code; but one that was to
 * have another stays as it was. */
TEST(what_waits_for_the_next_run_keeps_its_code)
{
	struct jump j = loaded("Shop", "byte[]");
	struct wish w = jump_wish(&j);
	w.state = WISH_REFUSED;
	w.why = "it runs";
	w.found_hash = 99;
	w.found_opcode = "newarray";
	jump_take_outcome(&j, &w);
	EXPECT(!j.done && j.decision.has_hash && j.decision.hash == 99);
	EXPECT_STR("newarray", j.decision.opcode);
	w.found_hash = 100;
	jump_take_outcome(&j, &w);
	EXPECT_INT(99, j.decision.hash);
	jump_release(&j);
}

/* The code that it was found in is kept with the decision, and not asked for. */
TEST(an_outcome_is_news_until_it_is_told)
{
	struct jump j = loaded("Shop", "byte[]");
	struct wish w = jump_wish(&j);
	jump_take_outcome(&j, &w);
	EXPECT(!j.done && !jump_untold(&j));
	w.state = WISH_DONE;
	w.found_hash = 99;
	w.found_opcode = "newarray";
	jump_take_outcome(&j, &w);
	EXPECT(j.done && jump_unmet(&j));
	EXPECT_INT(99, j.decision.hash);
	EXPECT_STR("newarray", j.decision.opcode);
	EXPECT(!jump_wish(&j).has_hash && !jump_wish(&j).opcode);
	j.at.place.vm_method = 5;
	EXPECT(!jump_untold(&j));
	w.state = WISH_REFUSED;
	w.why = "why";
	jump_take_outcome(&j, &w);
	EXPECT(!j.done && jump_untold(&j) && !jump_wanted(&j));
	j.told = true;
	EXPECT(!jump_untold(&j));
	jump_release(&j);
}

/* What was met while it ran has a class; what a file says may wait for its own. */
TEST(only_a_file_can_wait_for_a_class)
{
	struct jump j = loaded("Shop", "byte[]");
	struct wish w = jump_wish(&j);
	w.state = WISH_WAITS;
	jump_take_outcome(&j, &w);
	EXPECT(!j.failed);
	j.at.place.vm_method = 5;
	jump_take_outcome(&j, &w);
	EXPECT_STR("its class can't be rewritten", j.failed);
	jump_release(&j);
}

/* A VM with one method, of the class B. */
static const char *descriptor; /* NULL: it does not tell */

static jvmtiError JNICALL method_name(
	jvmtiEnv *e, jmethodID id, char **name, char **desc, char **generic)
{
	(void)e, (void)generic;
	EXPECT_INT(5, (uintptr_t)id);
	if (!descriptor)
		return JVMTI_ERROR_INVALID_METHODID;
	*name = jvmti_text("run");
	*desc = jvmti_text(descriptor);
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL declaring(jvmtiEnv *e, jmethodID id, jclass *out)
{
	(void)e, (void)id;
	*out = (jclass)&descriptor;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL signature(jvmtiEnv *e, jclass k, char **out, char **generic)
{
	(void)e, (void)k, (void)generic;
	*out = jvmti_text("LB;");
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL boot(jvmtiEnv *e, jclass k, jobject *out)
{
	(void)e, (void)k;
	*out = NULL;
	return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL lines(jvmtiEnv *e, jmethodID id, jint *count, jvmtiLineNumberEntry **out)
{
	static const jvmtiLineNumberEntry table[] = {{0, 10}, {4, 12}, {8, 11}};
	(void)e, (void)id;
	*out = jvmti_memory(sizeof(table));
	memcpy(*out, table, sizeof(table));
	*count = 3;
	return JVMTI_ERROR_NONE;
}

static void JNICALL delete_local(JNIEnv *e, jobject o)
{
	(void)e, (void)o;
}

static const struct jvmtiInterface_1_ calls = {.GetMethodName = method_name,
	.GetMethodDeclaringClass = declaring,
	.GetClassSignature = signature,
	.GetClassLoader = boot,
	.GetLineNumberTable = lines,
	.Deallocate = jvmti_memory_back};
static const struct JNINativeInterface_ jni_calls = {.DeleteLocalRef = delete_local};
static jvmtiEnv env = &calls;
static JNIEnv jni = &jni_calls;
static const struct vm vm = {.jvmti = &env};
static struct recorder recorder;

static struct jump_names ask(const struct jump *j, const char *desc)
{
	struct jump_names n;
	descriptor = desc;
	jump_ask(j, &vm, &jni, &recorder, &n);
	return n;
}

/* Told apart by its caller: the caller's code is what is asked for. */
TEST(a_place_that_was_met_is_asked_for_its_names)
{
	struct options o;
	options_init(&o);
	EXPECT_INT(0, recorder_init(&recorder, &o, 16, clock_now(), NULL));
	struct jump j = {.on = true};
	j.at = (struct place_context){.place = {.vm_method = 3, .bci = 1, .class_id = 1},
		.depth = 1,
		.caller = {{.vm_method = 5, .bci = 6}}};
	struct jump_names n = ask(&j, NULL);
	EXPECT(!n.known);
	jump_names_release(&n, &vm);
	n = ask(&j, "()V"); /* nobody learns, so that nobody knows what is made there */
	EXPECT(!n.known);
	EXPECT_INT(12, n.line);
	strcpy(n.allocates, "[J");
	EXPECT_INT(0, jump_name(&j, &n));
	jump_names_release(&n, &vm);
	EXPECT_STR("B", j.class_name);
	EXPECT_STR("B", j.decision.at.class_name);
	EXPECT_STR("[J", j.allocates);
	EXPECT_STR("long[]", j.decision.allocates);
	EXPECT_STR("run", j.decision.at.method);
	EXPECT_INT(6, j.decision.at.bci);
	EXPECT_INT(12, j.decision.at.line);
	EXPECT(j.one_loader && jump_wish(&j).vm_method == 5);
	EXPECT_INT(0, jvmti_memory_out());
	jump_release(&j);
	recorder_release(&recorder);
}

TEST(the_same_place_has_the_same_names)
{
	struct jump a = loaded("Shop", "byte[]"), b = loaded("Shop", "byte[]"),
		    c = loaded("Shop", "int[]");
	EXPECT(jump_same_place(&a, &b) && !jump_same_place(&a, &c));
	b.decision.at.bci++;
	EXPECT(!jump_same_place(&a, &b));
	jump_release(&a);
	jump_release(&b);
	jump_release(&c);
}
