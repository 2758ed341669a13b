#include "classfile/turn_frames.h"

#include "base/error.h"
#include "classfile/step.h"

/* A walk along the code, with the types that are there, from frame to frame. */
struct walk {
	struct stepper step;
	struct frames frames;
	struct state now;
	bool known; /* what is there */
	bool ahead; /* frames.now is a frame to come */
	struct turn_frames *found;
};

static int next_frame(struct walk *w)
{
	int err = stackmap_next(&w->frames);
	w->ahead = !err;
	return err == ERR_NOT_FOUND ? ERR_NONE : err;
}

static int take_frame(struct walk *w, uint32_t pc)
{
	if (!w->ahead || w->frames.now.bci != pc)
		return ERR_NONE;
	int err = frame_to_state(&w->frames.now, &w->now);
	w->known = true;
	return err ? err : next_frame(w);
}

/* Behind a turned condition, where no frame is. */
static int add_frame(struct walk *w, uint32_t bci)
{
	struct frame f;
	if (w->ahead && w->frames.now.bci == bci)
		return ERR_NONE;
	if (!w->known)
		return ERR_UNSUPPORTED;
	int err = frame_of_state(&f, bci, &w->now);
	if (!err)
		err = vec_push(&w->found->all, f);
	if (err)
		frame_release(&f);
	return err;
}

static int walk_insn(struct walk *w, const struct insn *i, bool wide)
{
	int err = take_frame(w, i->pc);
	if (!err && w->known)
		err = step(&w->step, i, &w->now);
	if (i->kind->flow == FLOW_END)
		w->known = false;
	return !err && wide && opcode_inverse(i->op) ? add_frame(w, i->pc + i->len) : err;
}

static int walk_code(struct walk *w, const struct layout *l, struct slice code)
{
	struct insn i;
	int err = next_frame(w);
	for (uint32_t pc = 0; pc < code.len && !err; pc += i.len) {
		insn_decode(code, pc, &i);
		err = walk_insn(w, &i, l->wide[pc]);
	}
	return err;
}

int turn_frames_find(
	struct turn_frames *t, const struct rewrite *r, const struct layout *l, struct slice table)
{
	struct walk w = {.known = true, .found = t};
	w.step = (struct stepper){.pool = &r->file->pool,
		.code = r->code->bytes,
		.this_class = r->file->this_class,
		.named = true};
	*t = (struct turn_frames){.all = {0}};
	int err = state_init(&w.now, r->code->max_locals, r->code->max_stack);
	if (!err)
		err = step_enter(&w.step, r->method, &w.now);
	if (!err)
		err = stackmap_open(&w.frames, table, &w.now);
	if (!err)
		err = walk_code(&w, l, r->code->bytes);
	state_release(&w.now);
	stackmap_release(&w.frames);
	return err;
}

void turn_frames_release(struct turn_frames *t)
{
	for (size_t i = 0; i < t->all.count; i++)
		frame_release(&t->all.at[i]);
	vec_release(&t->all);
}
