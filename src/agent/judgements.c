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

static int find_boot(
	const struct judgements *j, struct boot_classes *boot, jvmtiEnv *env, JNIEnv *jni)
{
	const char **names = mem_alloc((j->list.count + 1) * sizeof(*names));
	*boot = (struct boot_classes){.at = NULL};
	if (!names)
		return ERR_NOMEM;
	for (size_t i = 0; i < j->list.count; i++)
		names[i] = j->list.at[i].made;
	int err = boot_classes_find(boot, env, jni, names, j->list.count);
	mem_free(names);
	return err;
}

void judgements_make(struct judgements *j, struct quiet *q, JNIEnv *jni)
{
	struct boot_classes boot;
	bool can = q->can && j->list.count;
	if (can && find_boot(j, &boot, q->env, jni) == ERR_NONE)
		for (size_t i = 0; i < j->list.count; i++) {
			struct judgement *one = &j->list.at[i];
			one->quiet = quiet_constructors(q, jni, one->k, one->made, &boot);
		}
	if (can)
		boot_classes_release(&boot, jni);
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
