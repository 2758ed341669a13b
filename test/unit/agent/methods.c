#include "agent/methods.h"

#include "agent/class_batch.h"
#include "agent/recorder_names.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/agent_trace.h"
#include "support/fake_vm.h"
#include "support/tap.h"

static struct recorder recorder;
static struct vm vm;

static void begin(void)
{
	static struct options o; /* the recorder borrows its texts */
	struct diag d;
	options_init(&o);
	fake_vm_init(17);
	vm = (struct vm){0};
	EXPECT_INT(0, vm_open(&vm, fake_vm_java(), &d));
	EXPECT_INT(0, recorder_init(&recorder, &o, 16, clock_now(), NULL));
}

static void expect_given_back(void)
{
	EXPECT_INT(0, fake_vm_breaches());
	EXPECT_INT(0, fake_vm_memory_out());
	EXPECT_INT(0, fake_vm_references_out());
}

static void end(void)
{
	recorder_release(&recorder);
	vm_close(&vm);
	expect_given_back();
	fake_vm_release();
}

static uint64_t id_of(int method)
{
	return (uint64_t)(uintptr_t)fake_vm_method(method);
}

struct kept {
	struct record_method methods[16];
	char text[64][64];
	uint64_t lines[64];
};

static void keep(void *arg, const struct record *r)
{
	struct kept *k = arg;
	if (r->kind == RECORD_method)
		k->methods[r->method.id] = r->method;
	else if (r->kind == RECORD_string)
		memcpy(k->text[r->string.id], r->string.text.at, r->string.text.len);
	else if (r->kind == RECORD_frame)
		k->lines[r->frame.id] = r->frame.line;
}

TEST(what_the_vm_tells_is_recorded)
{
	struct agent_trace t = {0};
	static struct kept k;
	begin();
	EXPECT_INT(0, methods_resolve(&vm, fake_vm_jni(), &recorder, id_of(0)));
	EXPECT_INT(0, methods_resolve(&vm, fake_vm_jni(), &recorder, id_of(7)));
	EXPECT_INT(0, methods_resolve(&vm, fake_vm_jni(), &recorder, id_of(5)));
	EXPECT_INT(0, methods_resolve(&vm, fake_vm_jni(), &recorder, id_of(1)));
	struct stack_frame at_0 = {id_of(0), 0}, at_9 = {id_of(0), 9}, at_10 = {id_of(0), 10};
	catalog_site(&recorder.catalog, (struct ns){0}, 0, &at_0, 1, false);
	catalog_site(&recorder.catalog, (struct ns){0}, 0, &at_9, 1, false);
	catalog_site(&recorder.catalog, (struct ns){0}, 0, &at_10, 1, false);
	agent_trace_drain(&t, &recorder, true);
	EXPECT(agent_trace_each(&t, keep, &k) > 0);
	EXPECT_STR("com.acme.Shop", k.text[k.methods[1].class_name]);
	EXPECT_STR("m0", k.text[k.methods[1].name]);
	EXPECT_STR("(I)V", k.text[k.methods[1].descriptor]);
	EXPECT_STR("Shop.java", k.text[k.methods[1].source]);
	EXPECT_INT(0, k.methods[1].flags);
	EXPECT_INT(METHOD_NATIVE, k.methods[2].flags);
	EXPECT_STR("com.acme.Shop$$Lambda", k.text[k.methods[3].class_name]);
	EXPECT_INT(METHOD_GENERATED, k.methods[3].flags);
	EXPECT_INT(0, k.methods[4].source); /* none is known */
	/* The VM told the lines in the wrong order. */
	EXPECT_INT(100, k.lines[1]);
	EXPECT_INT(100, k.lines[2]);
	EXPECT_INT(101, k.lines[3]);
	agent_trace_verify(&t, false);
	agent_trace_release(&t);
	end();
}

/* A VM in which classes are exchanged behind the first tables of lines that it tells. */
static struct jvmtiInterface_1_ exchanging;
static jvmtiEnv exchanging_env = &exchanging;
static jvmtiEnv *plain_env;
static int tables, exchanges; /* told so far; how many of them are followed by an exchange */
static bool amid;             /* the method is asked about in the middle of an exchange */

static jvmtiError JNICALL retransform(jvmtiEnv *e, jint count, const jclass *classes)
{
	(void)e, (void)count, (void)classes;
	if (amid)
		EXPECT_INT(0, methods_resolve(&vm, fake_vm_jni(), &recorder, id_of(0)));
	return JVMTI_ERROR_NONE;
}

static void exchange(void)
{
	EXPECT(class_batch_exchange(&exchanging_env, fake_vm_jni(), NULL, 0));
}

static jvmtiError JNICALL table_of(
	jvmtiEnv *e, jmethodID method, jint *count, jvmtiLineNumberEntry **out)
{
	(void)e;
	jvmtiError err = (*plain_env)->GetLineNumberTable(plain_env, method, count, out);
	if (++tables > exchanges)
		return err;
	for (jint i = 0; i < *count; i++)
		(*out)[i].line_number += 1000 * tables;
	if (!amid)
		exchange();
	return err;
}

static uint32_t line_resolved(int followed, bool in_the_middle)
{
	static struct kept k;
	struct agent_trace t = {0};
	begin();
	plain_env = vm.jvmti;
	exchanging = **plain_env;
	exchanging.GetLineNumberTable = table_of;
	exchanging.RetransformClasses = retransform;
	vm.jvmti = &exchanging_env;
	tables = 0;
	exchanges = followed;
	amid = in_the_middle;
	if (amid)
		exchange();
	else
		EXPECT_INT(0, methods_resolve(&vm, fake_vm_jni(), &recorder, id_of(0)));
	vm.jvmti = plain_env;
	struct stack_frame frame = {id_of(0), 0};
	catalog_site(&recorder.catalog, (struct ns){0}, 0, &frame, 1, false);
	agent_trace_drain(&t, &recorder, true);
	EXPECT(agent_trace_each(&t, keep, &k) > 0);
	agent_trace_release(&t);
	end();
	return (uint32_t)k.lines[1];
}

/* The table may be of the code before, and its indices looked up in the code behind: the VM is
 * asked once more. */
TEST(classes_are_exchanged_behind_the_table_of_lines)
{
	static const struct {
		int followed, tables;
		bool amid;
		uint32_t line;
	} rows[] = {{0, 1, false, 100}, {1, 2, false, 100}, {2, 3, false, 100},
		{100, 5, false, 5100}, {0, 2, true, 100}, {1, 3, true, 100}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		EXPECT_INT(rows[i].line, line_resolved(rows[i].followed, rows[i].amid));
		EXPECT_INT(rows[i].tables, tables);
	}
}

/* Whatever is refused, all is given back; the method is known or not, and the trace is sound. */
TEST(refused_at_every_call)
{
	for (int call = 0; call < FAKE_CALL_COUNT; call++) {
		struct agent_trace t = {0};
		uint64_t found[1];
		begin();
		fake_vm_refuse((enum fake_call)call, 1);
		int err = methods_resolve(&vm, fake_vm_jni(), &recorder, id_of(3));
		struct stack_frame frame = {id_of(3), 0};
		EXPECT_INT(err != 0, recorder_unknown_methods(&recorder, &frame, 1, found, 1));
		EXPECT(err == 0 || err == ERR_JVM);
		EXPECT_INT(call == FAKE_GetMethodName || call == FAKE_GetMethodDeclaringClass ||
				   call == FAKE_GetClassSignature,
			err != 0);
		expect_given_back();
		fake_vm_refuse((enum fake_call)call, 0);
		EXPECT_INT(0, methods_resolve(&vm, fake_vm_jni(), &recorder, id_of(3)));
		agent_trace_drain(&t, &recorder, true);
		EXPECT_INT(1, agent_trace_verify(&t, false).methods);
		agent_trace_release(&t);
		end();
	}
}

TEST(out_of_memory)
{
	for (uint64_t n = 1; n < 16; n++) {
		begin();
		mem_fail_at(n);
		int err = methods_resolve(&vm, fake_vm_jni(), &recorder, id_of(3));
		mem_fail_at(0);
		EXPECT(err == 0 || err == ERR_NOMEM || err == ERR_FULL);
		EXPECT(err || n > 1);
		end();
	}
}
