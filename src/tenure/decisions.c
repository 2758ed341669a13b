#include "tenure/decisions.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"

const char *const decision_action_texts[DECISION_ACTIONS] = {
	[DECISION_JUMP] = "jump",
	[DECISION_KEEP_OUT] = "keep out",
};

const char *const decision_young_texts[2] = {"keep out", "set"};

int decision_text(char **to, const char *text)
{
	char *copy = mem_strndup(text, strlen(text));
	if (!copy)
		return ERR_NOMEM;
	mem_free(*to);
	*to = copy;
	return ERR_NONE;
}

static void release_frame(struct decision_frame *f)
{
	mem_free(f->class_name);
	mem_free(f->method);
	mem_free(f->descriptor);
}

void decision_release(struct decision *d)
{
	release_frame(&d->at);
	mem_free(d->opcode);
	mem_free(d->allocates);
	mem_free(d->why);
	for (uint32_t i = 0; i < d->callers; i++)
		release_frame(&d->caller[i]);
}

void decisions_release(struct decisions *d)
{
	for (size_t i = 0; i < d->list.count; i++)
		decision_release(&d->list.at[i]);
	vec_release(&d->list);
	mem_free(d->jdk);
	mem_free(d->gc);
	memset(d, 0, sizeof(*d));
}

static int copy_frame(struct decision_frame *to, const struct decision_frame *from)
{
	int err = from->class_name ? decision_text(&to->class_name, from->class_name) : ERR_NONE;
	if (!err && from->method)
		err = decision_text(&to->method, from->method);
	if (!err && from->descriptor)
		err = decision_text(&to->descriptor, from->descriptor);
	to->bci = from->bci;
	to->line = from->line;
	return err;
}

int decision_copy(struct decision *to, const struct decision *from)
{
	int err = copy_frame(&to->at, &from->at);
	if (!err && from->opcode)
		err = decision_text(&to->opcode, from->opcode);
	if (!err && from->allocates)
		err = decision_text(&to->allocates, from->allocates);
	if (!err && from->why)
		err = decision_text(&to->why, from->why);
	to->has_hash = from->has_hash;
	to->hash = from->hash;
	to->action = from->action;
	while (!err && to->callers < from->callers) {
		err = copy_frame(&to->caller[to->callers], &from->caller[to->callers]);
		to->callers++;
	}
	return err;
}

struct decision *decisions_add(struct decisions *d)
{
	bool full = d->list.count >= DECISIONS_MOST;
	d->beyond += full;
	if (full || vec_push(&d->list, (struct decision){0}))
		return NULL;
	return &d->list.at[d->list.count - 1];
}

bool decisions_do(const struct decisions *d)
{
	bool does = d->has_threshold || (d->young.there && d->young.set);
	for (size_t i = 0; i < d->list.count && !does; i++)
		does = d->list.at[i].action == DECISION_JUMP;
	return does;
}

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

uint32_t decisions_trusted(const struct decisions *d, const char *jdk, const char *gc)
{
	bool tested = is_same(d->jdk, jdk) && is_same(d->gc, gc);
	for (size_t i = 0; i < d->list.count && tested; i++)
		tested = d->list.at[i].action != DECISION_JUMP || d->list.at[i].has_hash;
	return tested ? d->trusted : 0;
}
