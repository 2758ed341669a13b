#include "classfile/step.h"

#include "base/error.h"
#include "classfile/descriptor.h"

static void fail(struct state *s, int err)
{
	if (!s->err)
		s->err = err;
}

/* An object of the class. */
static struct value object(const struct stepper *p, struct slice name, struct state *s)
{
	uint16_t n;
	if (!p->named)
		return value(VALUE_REF, 0);
	int err = pool_add_text(p->pool, POOL_CLASS, name, &n);
	if (err)
		fail(s, err);
	return err ? value(VALUE_TOP, 0) : value(VALUE_OBJECT, n);
}

static struct value of_letter(char letter)
{
	static const uint8_t tags[] = {['I' - 'A'] = VALUE_INT,
		['Z' - 'A'] = VALUE_INT,
		['B' - 'A'] = VALUE_INT,
		['C' - 'A'] = VALUE_INT,
		['S' - 'A'] = VALUE_INT,
		['F' - 'A'] = VALUE_FLOAT,
		['D' - 'A'] = VALUE_DOUBLE,
		['J' - 'A'] = VALUE_LONG,
		['N' - 'A'] = VALUE_NULL};
	return value((enum value_tag)tags[letter - 'A'], 0);
}

/* A value of the descriptor's type, which is not void. */
static struct value of_type(const struct stepper *p, struct slice type, struct state *s)
{
	if (type.at[0] == 'L' || type.at[0] == '[')
		return object(p, descriptor_class(type), s);
	return of_letter((char)type.at[0]);
}

static void push_type(const struct stepper *p, struct slice type, struct state *s)
{
	if (!type.len)
		fail(s, ERR_FORMAT);
	else if (type.at[0] != 'V')
		state_push_wide(s, of_type(p, type, s));
}

static void pop_slots(struct state *s, uint32_t slots)
{
	for (; slots > 0; slots--)
		state_pop(s);
}

static uint32_t letter_slots(char letter)
{
	return letter == 'J' || letter == 'D' ? 2 : 1;
}

/* Takes what stands before > in the effect, and gives what stands behind it. */
static const char *pop_effect(const char *effect, struct state *s)
{
	for (; *effect != '>'; effect++)
		pop_slots(s, letter_slots(*effect));
	return effect + 1;
}

static void plain(const struct insn *i, struct state *s)
{
	for (const char *at = pop_effect(i->kind->effect, s); *at; at++)
		state_push_wide(s, of_letter(*at));
}

static void shuffle(const struct insn *i, struct state *s)
{
	struct value taken[4];
	const char *at = i->kind->effect;
	for (uint32_t n = 0; *at != '>'; at++)
		taken[n++] = state_pop(s);
	for (at++; *at; at++)
		state_push(s, taken[*at - '1']);
}

static void load(const struct insn *i, struct state *s)
{
	char letter = i->kind->effect[1];
	struct value v = state_load(s, i->index);
	if (letter == 'A') {
		state_push(s, v);
		return;
	}
	if (letter_slots(letter) == 2)
		state_load(s, i->index + 1u);
	state_push_wide(s, of_letter(letter));
}

static void store(const struct insn *i, struct state *s)
{
	char letter = i->kind->effect[0];
	struct value v = state_pop(s);
	if (letter_slots(letter) == 2)
		state_pop(s);
	state_store(s, i->index, letter == 'A' ? v : of_letter(letter));
}

static void ldc(const struct stepper *p, const struct insn *i, struct state *s)
{
	static const struct {
		const char *type;
	} rows[] = {[POOL_INTEGER] = {"I"},
		[POOL_FLOAT] = {"F"},
		[POOL_LONG] = {"J"},
		[POOL_DOUBLE] = {"D"},
		[POOL_CLASS] = {"Ljava/lang/Class;"},
		[POOL_STRING] = {"Ljava/lang/String;"},
		[POOL_METHOD_HANDLE] = {"Ljava/lang/invoke/MethodHandle;"},
		[POOL_METHOD_TYPE] = {"Ljava/lang/invoke/MethodType;"}};
	enum pool_tag tag = pool_tag(p->pool, i->index);
	struct slice type = pool_member(p->pool, i->index).descriptor;
	if (tag == POOL_DYNAMIC)
		type = descriptor_take(&type);
	else
		type = tag < ARRAY_SIZE(rows) && rows[tag].type ? slice_str(rows[tag].type)
								: slice(NULL, 0);
	if (type.len && type.at[0] != 'V')
		push_type(p, type, s);
	else
		fail(s, ERR_FORMAT);
}

/* In its effect, 1 is a value of its type. */
static void field(const struct stepper *p, const struct insn *i, struct state *s)
{
	struct slice rest = pool_member(p->pool, i->index).descriptor;
	struct slice type = descriptor_take(&rest);
	const char *at = i->kind->effect;
	if (!descriptor_slots(type) || type.at[0] == 'V') {
		fail(s, ERR_FORMAT);
		return;
	}
	if (i->op == OP_putfield || i->op == OP_putstatic)
		pop_slots(s, descriptor_slots(type));
	if (at[0] == 'A')
		state_pop(s);
	if (i->op == OP_getfield || i->op == OP_getstatic)
		push_type(p, type, s);
}

static bool invoke_types(
	const struct pool *p, const struct insn *i, struct slice *arguments, struct slice *result)
{
	return descriptor_split(pool_member(p, i->index).descriptor, arguments, result);
}

bool step_argument_slots(const struct pool *p, const struct insn *i, uint32_t *slots)
{
	struct slice arguments, result, type;
	*slots = 0;
	if (!invoke_types(p, i, &arguments, &result))
		return false;
	while ((type = descriptor_take(&arguments)).len)
		*slots += descriptor_slots(type);
	return true;
}

bool step_constructs(const struct pool *p, const struct insn *i)
{
	return i->op == OP_invokespecial &&
	       slice_equal(pool_member(p, i->index).name, slice_str("<init>"));
}

/* A frame of the class file may tell any place, and the VM has not looked at it yet. */
static bool is_made_at(const struct stepper *p, uint16_t pc)
{
	enum { NEW = 3 };
	return p->code.len >= NEW && pc <= p->code.len - NEW && p->code.at[pc] == OP_new;
}

/* The object is one of its class from now on, wherever it is. */
static void initialize(const struct stepper *p, struct value v, struct state *s)
{
	uint16_t pc = value_payload(v);
	if (value_tag(v) == VALUE_UNINIT_THIS)
		state_replace(
			s, v, value_stain(value(VALUE_OBJECT, p->this_class), value_stained(v)));
	else if (value_tag(v) == VALUE_UNINIT && !is_made_at(p, pc))
		fail(s, ERR_FORMAT);
	else if (value_tag(v) == VALUE_UNINIT)
		state_replace(s, v, value(VALUE_OBJECT, code_u16(p->code.at + pc + 1)));
}

static void invoke(const struct stepper *p, const struct insn *i, struct state *s)
{
	struct slice arguments, result;
	uint32_t slots;
	if (!step_argument_slots(p->pool, i, &slots) ||
		!invoke_types(p->pool, i, &arguments, &result)) {
		fail(s, ERR_FORMAT);
		return;
	}
	pop_slots(s, slots);
	if (i->kind->effect[0] == 'A') {
		struct value receiver = state_pop(s);
		if (step_constructs(p->pool, i))
			initialize(p, receiver, s);
	}
	push_type(p, result, s);
}

/* What an earlier turn of the loop left of this `new` can't be used any more. */
static void make(const struct insn *i, struct state *s)
{
	struct value v = value(VALUE_UNINIT, (uint16_t)i->pc);
	state_replace(s, v, value(VALUE_TOP, 0));
	state_push(s, v);
}

static void make_plain_array(const struct stepper *p, const struct insn *i, struct state *s)
{
	static const char *const types[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
	uint8_t type = p->code.at[i->pc + 1];
	state_pop(s);
	if (type < 4 || type > 11)
		fail(s, ERR_FORMAT);
	else
		state_push(s, object(p, slice_str(types[type - 4]), s));
}

/* [Lx; of x, and [[I of [I. */
static struct value array_of(const struct stepper *p, struct slice name, struct state *s)
{
	struct buf b = {0};
	if (!p->named)
		return value(VALUE_REF, 0);
	bool is_array = name.len && name.at[0] == '[';
	buf_put_str(&b, is_array ? "[" : "[L");
	buf_put(&b, name.at, name.len);
	buf_put_str(&b, is_array ? "" : ";");
	if (b.failed)
		fail(s, b.failed);
	struct value v = b.failed ? value(VALUE_TOP, 0) : object(p, buf_slice(&b), s);
	buf_release(&b);
	return v;
}

static void make_array(const struct stepper *p, const struct insn *i, struct state *s)
{
	struct slice name = pool_class(p->pool, i->index);
	state_pop(s);
	if (!name.len)
		fail(s, ERR_FORMAT);
	state_push(s, array_of(p, name, s));
}

static void make_arrays(const struct stepper *p, const struct insn *i, struct state *s)
{
	pop_slots(s, p->code.at[i->pc + 3]);
	state_push(s, value(VALUE_OBJECT, i->index));
}

static void load_element(const struct stepper *p, struct state *s)
{
	state_pop(s);
	struct value array = state_pop(s);
	struct slice name = pool_class(p->pool, value_payload(array));
	if (!p->named || value_tag(array) == VALUE_NULL) {
		state_push(s, value(p->named ? VALUE_NULL : VALUE_REF, 0));
	} else if (value_tag(array) == VALUE_OBJECT && name.len > 2 && name.at[0] == '[') {
		struct slice rest = slice(name.at + 1, name.len - 1);
		push_type(p, rest, s);
	} else {
		fail(s, ERR_UNSUPPORTED);
	}
}

static void cast(const struct insn *i, struct state *s)
{
	bool stained = value_stained(state_pop(s));
	state_push(s, value_stain(value(VALUE_OBJECT, i->index), stained));
}

int step(const struct stepper *p, const struct insn *i, struct state *s)
{
	switch (i->kind->act) {
	case ACT_PLAIN:
		plain(i, s);
		break;
	case ACT_SHUFFLE:
		shuffle(i, s);
		break;
	case ACT_LOAD:
		load(i, s);
		break;
	case ACT_STORE:
		store(i, s);
		break;
	case ACT_LDC:
		ldc(p, i, s);
		break;
	case ACT_FIELD:
		field(p, i, s);
		break;
	case ACT_INVOKE:
		invoke(p, i, s);
		break;
	case ACT_NEW:
		make(i, s);
		break;
	case ACT_NEWARRAY:
		make_plain_array(p, i, s);
		break;
	case ACT_ANEWARRAY:
		make_array(p, i, s);
		break;
	case ACT_MULTI:
		make_arrays(p, i, s);
		break;
	case ACT_AALOAD:
		load_element(p, s);
		break;
	case ACT_CAST:
		cast(i, s);
		break;
	case ACT_SUBROUTINE:
		fail(s, ERR_UNSUPPORTED);
		break;
	}
	return s->err;
}

static struct value this_value(const struct stepper *p, const struct class_method *m)
{
	bool is_init = slice_equal(m->name, slice_str("<init>"));
	return value_stain(
		is_init ? value(VALUE_UNINIT_THIS, 0) : value(VALUE_OBJECT, p->this_class), true);
}

int step_enter(const struct stepper *p, const struct class_method *m, struct state *s)
{
	struct slice arguments, result, type;
	uint32_t local = 0;
	s->depth = 0;
	s->err = ERR_NONE;
	for (uint32_t i = 0; i < s->locals; i++)
		s->local[i] = value(VALUE_TOP, 0);
	if (!descriptor_split(m->descriptor, &arguments, &result))
		return ERR_FORMAT;
	if (!(m->access & ACCESS_STATIC))
		state_store(s, local++, this_value(p, m));
	while ((type = descriptor_take(&arguments)).len && !s->err) {
		state_store(s, local, of_type(p, type, s));
		local += descriptor_slots(type);
	}
	return s->err;
}
