#include "classfile/leak.h"

#include "base/error.h"
#include "classfile/descriptor.h"
#include "classfile/flow.h"

static const char *const texts[] = {
#define LEAK(name, text) [LEAK_##name] = (text),
#include "classfile/leak.def"
#undef LEAK
};

const char *leak_text(enum leak l)
{
	return texts[l];
}

struct watch {
	const struct pool *pool;
	const struct leak_judge *judge;
	bool bare;     /* there may be handlers that nobody knows of */
	uint32_t seen; /* instructions */
	enum leak found;
};

static bool any_stained(const struct state *s, uint32_t from, uint32_t count)
{
	for (uint32_t n = from; n < from + count; n++)
		if (value_stained(state_peek(s, n)))
			return true;
	return false;
}

/* Only a constructor may be called on it, and only while it is not constructed. */
static enum leak watch_receiver(
	const struct watch *w, const struct insn *i, const struct state *s, uint32_t slots)
{
	struct value receiver = state_peek(s, slots);
	struct pool_member called = pool_member(w->pool, i->index);
	if (!value_stained(receiver))
		return LEAK_NONE;
	if (!step_constructs(w->pool, i) || value_tag(receiver) != VALUE_UNINIT_THIS)
		return LEAK_CALL;
	bool safe = w->judge->is_safe(w->judge->arg, called.owner, called.descriptor);
	return safe ? LEAK_NONE : LEAK_CONSTRUCTOR;
}

static enum leak watch_call(const struct watch *w, const struct insn *i, const struct state *s)
{
	uint32_t slots;
	if (!step_argument_slots(w->pool, i, &slots))
		return LEAK_UNKNOWN;
	if (any_stained(s, 0, slots))
		return LEAK_CALL;
	bool has_receiver = i->op != OP_invokestatic && i->op != OP_invokedynamic;
	return has_receiver ? watch_receiver(w, i, s, slots) : LEAK_NONE;
}

/* What is on top of the stack goes elsewhere. */
static enum leak watch_top(const struct insn *i)
{
	switch (i->op) {
	case OP_putfield:
	case OP_putstatic:
	case OP_aastore:
		return LEAK_STORED;
	case OP_athrow:
	case OP_areturn:
		return LEAK_THROWN;
	case OP_monitorenter:
	case OP_monitorexit:
		return LEAK_LOCKED;
	default:
		return LEAK_NONE;
	}
}

/*
 * A handler begins with the locals of wherever it was thrown. Where the object is in local 0, all
 * the time and nowhere else, these are the same locals everywhere, as far as it matters.
 */
static bool moves_it(const struct insn *i, const struct state *s)
{
	return i->kind->act == ACT_STORE && (i->index == 0 || value_stained(state_peek(s, 0)));
}

static int see(void *arg, const struct insn *i, const struct state *before)
{
	struct watch *w = arg;
	w->seen++;
	if (w->found)
		return ERR_NONE;
	if (i->kind->act == ACT_INVOKE)
		w->found = watch_call(w, i, before);
	else if (value_stained(state_peek(before, 0)))
		w->found = watch_top(i);
	if (!w->found && w->bare && moves_it(i, before))
		w->found = LEAK_UNKNOWN;
	return ERR_NONE;
}

static int watch_code(struct watch *w, struct pool *pool, const struct class_method *m,
	const struct code *k, const struct marks *marks)
{
	struct stepper step = {.pool = pool, .code = k->bytes, .named = false};
	struct flow_eye eye = {.see = see, .arg = w};
	return flow_run(&step, m, k, marks, &eye);
}

/* Object has one, which does nothing. */
static bool is_finalized(const struct class_file *f)
{
	return class_file_method(f, slice_str("finalize"), slice_str("()V")) < f->methods.count &&
	       f->super.len > 0;
}

int constructor_leaks(struct class_file *f, const struct class_method *m,
	const struct leak_judge *judge, enum leak *leak)
{
	struct watch w = {.pool = &f->pool, .judge = judge};
	struct code k;
	struct marks marks = {.at = NULL};
	*leak = LEAK_UNKNOWN;
	if (!slice_equal(m->name, slice_str("<init>")) || !m->code.at ||
		code_read(&k, m->code, NULL))
		return ERR_NONE;
	int err = marks_make(&marks, &k, NULL);
	if (!err)
		err = watch_code(&w, &f->pool, m, &k, &marks);
	marks_release(&marks);
	if (!err)
		*leak = !w.found && is_finalized(f) ? LEAK_FINALIZED : w.found;
	return err == ERR_NOMEM ? err : ERR_NONE;
}

/* What no known way leads to may be a handler's, which can do anything. */
static bool sees_all(const struct watch *w, const struct code *k, const struct marks *marks)
{
	uint32_t all = 0;
	for (size_t i = 0; i < k->bytes.len; i++)
		all += (marks->at[i] & MARK_INSN) != 0;
	return w->seen == all;
}

int bare_constructor_leaks(
	const struct bare_constructor *c, const struct leak_judge *judge, enum leak *leak)
{
	struct watch w = {.pool = c->pool, .judge = judge, .bare = true};
	struct code k = {
		.max_stack = BARE_STACK_MAX, .max_locals = c->max_locals, .bytes = c->code};
	struct class_method m = {.name = slice_str("<init>"), .descriptor = c->descriptor};
	struct marks marks = {.at = NULL};
	*leak = LEAK_UNKNOWN;
	int err = marks_make(&marks, &k, NULL);
	if (!err)
		err = watch_code(&w, c->pool, &m, &k, &marks);
	if (!err && (w.found || sees_all(&w, &k, &marks)))
		*leak = w.found;
	marks_release(&marks);
	return err == ERR_NOMEM ? err : ERR_NONE;
}
