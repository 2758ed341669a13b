#include "classfile/sites.h"

#include "base/error.h"
#include "classfile/flow.h"

static const char *const texts[] = {
#define SITE_REFUSAL(name, text) [SITE_##name] = (text),
#include "classfile/site.def"
#undef SITE_REFUSAL
};

const char *site_refusal_text(enum site_refusal r)
{
	return texts[r];
}

static struct slice named(const struct pool *p, const struct insn *i, struct slice code)
{
	static const char *const types[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
	uint8_t type = code.at[i->pc + 1];
	if (i->op != OP_newarray)
		return pool_class(p, i->index);
	return type >= 4 && type <= 11 ? slice_str(types[type - 4]) : slice(NULL, 0);
}

/* What lies beyond the class's own constants would become one as others are added. */
static bool is_beyond(const struct pool *p, const struct insn *i)
{
	enum opcode_form form = i->kind->form;
	return form >= FORM_POOL1 && form <= FORM_POOL2_2 && i->index >= p->own;
}

static int list(struct sites *s, const struct pool *p, struct slice code, struct diag *d)
{
	struct insn i;
	for (uint32_t pc = 0; pc < code.len; pc += i.len) {
		insn_decode(code, pc, &i);
		if (is_beyond(p, &i))
			return diag_set(d, ERR_FORMAT,
				"a constant that the class does not have at byte %u of the code",
				pc);
		if (!opcode_allocates(i.op))
			continue;
		struct site site = {.bci = pc,
			.op = i.op,
			.refusal = i.op == OP_new ? SITE_UNREACHED : SITE_NONE,
			.named = named(p, &i, code)};
		if (!site.named.len)
			return diag_set(d, ERR_FORMAT,
				"an allocation of no class at byte %u of the code", pc);
		struct finish at = {.bci = pc, .pc = pc, .on_top = true};
		if (vec_push(&s->all, site) || (i.op != OP_new && vec_push(&s->finishes, at)))
			return ERR_NOMEM;
	}
	return ERR_NONE;
}

/* Sites are in order: a binary search. */
struct site *sites_at(const struct sites *s, uint32_t bci)
{
	size_t low = 0, high = s->all.count;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (s->all.at[mid].bci < bci)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->all.count && s->all.at[low].bci == bci ? &s->all.at[low] : NULL;
}

struct search {
	struct sites *sites;
	const struct pool *pool;
};

/* The least local that has it; false: none. */
static bool find_local(const struct state *s, struct value v, uint16_t *out)
{
	for (uint32_t i = 0; i < s->locals; i++)
		if (value_equal(s->local[i], v)) {
			*out = (uint16_t)i;
			return true;
		}
	return false;
}

static bool is_on_stack(const struct state *s, struct value v, uint32_t from)
{
	for (uint32_t n = from; n < s->depth; n++)
		if (value_equal(state_peek(s, n), v))
			return true;
	return false;
}

/* Where the object is left by the call whose receiver lies below `slots` of arguments. */
static enum site_refusal place(
	const struct state *s, uint32_t slots, struct value v, struct finish *out)
{
	out->on_top = slots + 1 < s->depth && value_equal(state_peek(s, slots + 1), v);
	if (out->on_top || find_local(s, v, &out->local))
		return SITE_NONE;
	return is_on_stack(s, v, slots + 1) ? SITE_BURIED : SITE_NOT_KEPT;
}

static int see_construction(struct search *f, const struct insn *i, const struct state *s)
{
	uint32_t slots;
	if (!step_argument_slots(f->pool, i, &slots))
		return ERR_FORMAT;
	struct value v = state_peek(s, slots);
	if (value_tag(v) != VALUE_UNINIT)
		return ERR_NONE;
	struct finish at = {.bci = value_payload(v), .pc = i->pc};
	struct site *site = sites_at(f->sites, at.bci);
	enum site_refusal refusal = place(s, slots, v, &at);
	if (site && (site->refusal == SITE_NO_INIT || site->refusal == SITE_UNREACHED || refusal))
		site->refusal = refusal;
	return vec_push(&f->sites->finishes, at);
}

static int see(void *arg, const struct insn *i, const struct state *before)
{
	struct search *f = arg;
	struct site *site = i->op == OP_new ? sites_at(f->sites, i->pc) : NULL;
	if (site && site->refusal == SITE_UNREACHED)
		site->refusal = SITE_NO_INIT;
	return step_constructs(f->pool, i) ? see_construction(f, i, before) : ERR_NONE;
}

static void refuse_all(struct sites *s, enum site_refusal r)
{
	for (size_t i = 0; i < s->all.count; i++)
		if (s->all.at[i].op == OP_new)
			s->all.at[i].refusal = r;
}

static int follow(struct sites *s, struct class_file *f, const struct class_method *m,
	const struct code *k, const struct marks *marks)
{
	struct search search = {.sites = s, .pool = &f->pool};
	struct stepper step = {
		.pool = &f->pool, .code = k->bytes, .this_class = f->this_class, .named = false};
	struct flow_eye eye = {.see = see, .arg = &search};
	int err = flow_run(&step, m, k, marks, &eye);
	if (err == ERR_UNSUPPORTED)
		refuse_all(s, SITE_SUBROUTINE);
	else if (err == ERR_LIMIT)
		refuse_all(s, SITE_LARGE);
	else if (err == ERR_FORMAT)
		refuse_all(s, SITE_CODE);
	return err == ERR_NOMEM ? err : ERR_NONE;
}

static bool has_new(const struct sites *s)
{
	for (size_t i = 0; i < s->all.count; i++)
		if (s->all.at[i].op == OP_new)
			return true;
	return false;
}

int sites_find(struct sites *s, struct class_file *f, const struct class_method *m,
	const struct code *k, const struct marks *marks, struct diag *d)
{
	*s = (struct sites){.all = {0}};
	int err = list(s, &f->pool, k->bytes, d);
	return err || !has_new(s) ? err : follow(s, f, m, k, marks);
}

void sites_release(struct sites *s)
{
	vec_release(&s->all);
	vec_release(&s->finishes);
}
