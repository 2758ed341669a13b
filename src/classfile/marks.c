#include "classfile/marks.h"

#include "base/error.h"

static int bad(struct diag *d, int err, const char *what, uint32_t pc)
{
	return diag_set(d, err, "%s at byte %u of the code", what, pc);
}

static int mark_insns(struct marks *m, struct slice code, struct diag *d)
{
	struct insn i;
	for (uint32_t pc = 0; pc < code.len; pc += i.len) {
		int err = insn_decode(code, pc, &i);
		if (err)
			return bad(d, err, "no whole instruction", pc);
		m->at[pc] = MARK_INSN;
	}
	return ERR_NONE;
}

static int mark_targets(struct marks *m, struct slice code, struct diag *d)
{
	struct insn i;
	for (uint32_t pc = 0; pc < code.len; pc += i.len) {
		insn_decode(code, pc, &i);
		for (uint32_t n = 0; n < i.targets; n++) {
			int64_t to = insn_target(&i, code, n);
			if (to < 0 || to >= (int64_t)code.len || !m->at[to])
				return bad(d, ERR_FORMAT, "a branch to no instruction", pc);
			m->at[to] |= MARK_TARGET;
		}
	}
	return ERR_NONE;
}

static int mark_handlers(struct marks *m, const struct code *k, struct diag *d)
{
	for (uint32_t n = 0; n < k->handler_count; n++) {
		struct handler h = code_handler(k, n);
		if (h.start >= h.end || h.end > k->bytes.len || h.target >= k->bytes.len ||
			!m->at[h.start] || !m->at[h.target] ||
			(h.end < k->bytes.len && !m->at[h.end]))
			return bad(d, ERR_FORMAT, "a handler amid instructions", h.start);
		m->at[h.start] |= MARK_RANGE;
		m->at[h.target] |= MARK_HANDLER;
	}
	return ERR_NONE;
}

int marks_make(struct marks *m, const struct code *k, struct diag *d)
{
	m->at = mem_zalloc(k->bytes.len + 1, 1);
	if (!m->at)
		return ERR_NOMEM;
	int err = mark_insns(m, k->bytes, d);
	if (!err)
		err = mark_targets(m, k->bytes, d);
	return err ? err : mark_handlers(m, k, d);
}

void marks_release(struct marks *m)
{
	mem_free(m->at);
	m->at = NULL;
}
