#include "agent/judgements.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"

void judgements_release(struct judgements *j)
{
	for (size_t i = 0; i < j->list.count; i++)
		mem_free(j->list.at[i].made);
	vec_release(&j->list);
}

/* "Ljava/util/HashMap;" and "java/util/HashMap". */
static bool names(const char *signature, const char *name)
{
	size_t len = strlen(name);
	return signature[0] == 'L' && strncmp(signature + 1, name, len) == 0 &&
	       signature[1 + len] == ';';
}

const struct judgement *judgements_find(const struct judgements *j, jclass k, const char *allocates)
{
	for (size_t i = 0; i < j->list.count; i++)
		if (j->list.at[i].k == k && names(allocates, j->list.at[i].made))
			return &j->list.at[i];
	return NULL;
}

static void want(struct judgements *j, jclass k, const struct wish *w)
{
	if (!wish_constructs(w) || judgements_find(j, k, w->allocates))
		return;
	struct judgement fresh = {
		.k = k, .made = mem_strndup(w->allocates + 1, strlen(w->allocates) - 2)};
	if (!fresh.made || vec_push(&j->list, fresh))
		mem_free(fresh.made);
}

void judgements_want(struct judgements *j, jclass k, const struct wishes *own)
{
	for (size_t i = 0; i < own->count; i++)
		want(j, k, &own->at[i]);
}

void judgements_make(struct judgements *j, struct quiet *q, JNIEnv *jni)
{
	for (size_t i = 0; i < j->list.count; i++) {
		struct judgement *one = &j->list.at[i];
		one->quiet = quiet_constructors(q, jni, one->k, one->made);
	}
}

void judgements_take(const struct judgements *j, jclass k, struct wishes *own)
{
	for (size_t i = 0; i < own->count; i++) {
		const struct judgement *one = judgements_find(j, k, own->at[i].allocates);
		own->at[i].quiet = one ? one->quiet : NULL;
		if (one && one->quiet)
			own->at[i].asked = WISH_ASKED_MOST;
	}
}
