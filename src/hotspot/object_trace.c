#include "hotspot/object_trace.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "hotspot/x86_step.h"

/* The same in all of 11 to 25: Klass::_name, Symbol::_body; where an object has its class. */
enum { MARK_AT = 0, CLASS_AT = 8, NAME_AT = 24, TEXT_AT = 6, WORD_SHIFT = 3 };

/* What a register holds, of which argument; 0: not known. Smaller than any of the others. */
enum held { UNKNOWN, ARGUMENT, HALF, CLASS, NAME, TEXT, BYTES };
enum { ARGUMENT_BITS = 3, ARGUMENT_MASK = 7 };

struct state {
	bool reached;
	bool fails;                  /* the next call does not come back */
	uint8_t held[X86_REGISTERS]; /* what, and the argument's number in the last bits */
};

static uint8_t pack(enum held what, uint8_t like)
{
	return (uint8_t)(what << ARGUMENT_BITS | (like & ARGUMENT_MASK));
}

static enum held what(uint8_t held)
{
	return (enum held)(held >> ARGUMENT_BITS);
}

static uint8_t load(uint8_t from, const struct x86_step *s)
{
	if (what(from) == ARGUMENT && (s->number == CLASS_AT || s->number == MARK_AT))
		return pack(CLASS, from);
	if (what(from) == CLASS && s->number == NAME_AT && s->wide)
		return pack(NAME, from);
	return 0;
}

static uint8_t sum(uint8_t from, const struct x86_step *s)
{
	if (s->number == 0 && s->wide)
		return from;
	return what(from) == NAME && s->number == TEXT_AT && s->wide ? pack(TEXT, from) : 0;
}

/* A class stays one with the base or the shift of its encoding. */
static uint8_t add(uint8_t to, uint8_t from)
{
	return what(to) == CLASS ? to : what(from) == CLASS ? from : 0;
}

static uint8_t shift(uint8_t to, const struct x86_step *s)
{
	bool is_argument = what(to) == ARGUMENT || what(to) == HALF;
	if (what(to) == CLASS)
		return to;
	return is_argument && s->number == WORD_SHIFT ? pack(BYTES, to) : 0;
}

/* Of an address only the whole will do; a class may be narrow, and sizes are small. */
static uint8_t copy(uint8_t from, const struct x86_step *s)
{
	if (s->wide || what(from) == CLASS || what(from) == HALF || what(from) == BYTES)
		return from;
	return what(from) == ARGUMENT ? pack(HALF, from) : 0;
}

static uint8_t value_of(const struct state *st, const struct x86_step *s)
{
	uint8_t from = s->from >= 0 ? st->held[s->from] : 0, to = st->held[s->to];
	switch (s->value) {
	case X86_COPY:
		return copy(from, s);
	case X86_LOAD:
		return load(from, s);
	case X86_SUM:
		return sum(from, s);
	case X86_ADD:
		return add(to, from);
	case X86_SHIFT:
		return shift(to, s);
	case X86_NONE:
		break;
	}
	return 0;
}

static struct state after(const struct state *before, const struct x86_step *s)
{
	struct state st = *before;
	for (int r = 0; r < X86_REGISTERS; r++)
		if (s->changes >> r & 1)
			st.held[r] = 0;
	if (s->value != X86_NONE)
		st.held[s->to] = value_of(before, s);
	return st;
}

/* What holds on this path and on those before. Whether that was new. */
static bool join(struct state *all, const struct state *one)
{
	bool fails = one->fails && (!all->reached || all->fails);
	bool changed = !all->reached || fails != all->fails;
	all->fails = fails;
	for (int r = 0; r < X86_REGISTERS; r++) {
		uint8_t held = !all->reached || all->held[r] == one->held[r] ? one->held[r] : 0;
		changed = changed || held != all->held[r];
		all->held[r] = held;
	}
	all->reached = true;
	return changed;
}

/* Goes on at `at`; what lies outside is another function's. */
static bool lead(struct state *states, size_t len, uint64_t at, const struct state *st)
{
	return at < len && join(&states[at], st);
}

/*
 * HotSpot's guarantee() and fatal() write an X where it keeps the registers, and then call what
 * ends the process: movb $'X', (register). Compilers put anything behind that call.
 */
static bool is_last_word(struct slice code)
{
	return code.len >= 3 && code.at[0] == 0xc6 && code.at[1] < 8 && code.at[1] != 4 &&
	       code.at[1] != 5 && code.at[2] == 'X';
}

static bool step(struct state *states, struct slice code, size_t at, bool *changed)
{
	struct x86_step s;
	struct slice rest = slice(code.at + at, code.len - at);
	if (!x86_step(rest, &s))
		return false;
	if (s.flow == X86_CALL && states[at].fails)
		return true;
	struct state st = after(&states[at], &s);
	st.fails = st.fails || is_last_word(rest);
	uint64_t next = at + s.len, target = next + (uint64_t)(int64_t)s.distance;
	if (s.flow != X86_END && s.flow != X86_JUMP)
		*changed = lead(states, code.len, next, &st) || *changed;
	if (s.flow == X86_BRANCH || s.flow == X86_JUMP)
		*changed = lead(states, code.len, target, &st) || *changed;
	return true;
}

/* Each round goes over all that is reached, until nothing changes: a register of a place changes
 * twice at most. */
static int run(struct state *states, struct slice code, struct diag *why)
{
	bool changed = true;
	while (changed) {
		changed = false;
		for (size_t at = 0; at < code.len; at++)
			if (states[at].reached && !step(states, code, at, &changed))
				return diag_set(why, ERR_UNSUPPORTED,
					"one of its functions has code that mayfly can't follow");
	}
	return ERR_NONE;
}

static void enter(struct state *first)
{
	static const int arguments[] = {X86_RDI, X86_RSI, X86_RDX, X86_RCX, 8, 9};
	first->reached = true;
	for (unsigned i = 0; i < ARRAY_SIZE(arguments); i++)
		first->held[arguments[i]] = pack(ARGUMENT, (uint8_t)i);
}

/* The number of the argument that the probe's n-th value was made of, if it is that. */
static int origin(const struct state *st, struct slice arguments, unsigned n, enum held wanted)
{
	struct sdt_argument a = sdt_argument(arguments, n);
	uint8_t held = a.size ? st->held[a.reg] : 0;
	return what(held) == wanted ? held & ARGUMENT_MASK : OBJECT_TRACE_NONE;
}

static int read_probe(
	struct object_trace *out, const struct state *st, struct slice arguments, struct diag *why)
{
	enum { CLASS_NAME = 1, SIZE = 3 };
	out->object = st->reached ? origin(st, arguments, CLASS_NAME, TEXT) : OBJECT_TRACE_NONE;
	out->words = st->reached ? origin(st, arguments, SIZE, BYTES) : OBJECT_TRACE_NONE;
	return out->object == OBJECT_TRACE_NONE
		       ? diag_set(why, ERR_UNSUPPORTED,
				 "it can't be told where one of its functions gets the object")
		       : ERR_NONE;
}

int object_trace_find(struct object_trace *out, struct slice code, uint64_t probe,
	struct slice arguments, struct diag *why)
{
	*out = (struct object_trace){OBJECT_TRACE_NONE, OBJECT_TRACE_NONE};
	if (code.len > OBJECT_TRACE_CODE_MAX || probe >= code.len)
		return diag_set(why, ERR_UNSUPPORTED, "one of its functions is too large");
	struct state *states = mem_zalloc(code.len, sizeof(*states));
	if (!states)
		return diag_set(why, ERR_NOMEM, "there is no memory to look at it");
	enter(&states[0]);
	int err = run(states, code, why);
	if (!err)
		err = read_probe(out, &states[probe], arguments, why);
	mem_free(states);
	return err;
}
