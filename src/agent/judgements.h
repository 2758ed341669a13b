/*
 * What the code of the classes of a batch would find of the constructors of the classes that it
 * makes objects of (quiet.h). Of the thread that applies, and only while the batch is under way.
 */
#ifndef AGENT_JUDGEMENTS_H
#define AGENT_JUDGEMENTS_H

#include <jni.h>

#include "agent/quiet.h"
#include "agent/wishes.h"
#include "base/vec.h"

struct judgement {
	jclass k;          /* borrowed, of the batch: by it classes are known */
	char *made;        /* the class of the objects, java/util/HashMap; owned */
	const char *quiet; /* as quiet_constructors says; borrowed */
};

struct judgements {
	VEC(struct judgement) list;
};

void judgements_release(struct judgements *j);
/* What the wishes for class k want to know is to be found out; without the memory it is not. */
void judgements_want(struct judgements *j, jclass k, const struct wishes *own);
/* Finds it out. As quiet_constructors. */
void judgements_make(struct judgements *j, struct quiet *q, JNIEnv *jni);
/* Of objects of that signature made by code of class k; NULL: nobody has judged it. */
const struct judgement *judgements_find(
	const struct judgements *j, jclass k, const char *allocates);
/* What is known goes into wishes for class k, as long as the judgements last. Those whose
 * constructors are known are not looked for again. */
void judgements_take(const struct judgements *j, jclass k, struct wishes *own);

#endif
