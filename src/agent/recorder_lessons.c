#include "agent/recorder_lessons.h"

#include <string.h>

void recorder_learn(struct recorder *r, struct learning *l)
{
	pthread_mutex_lock(&r->lock);
	r->learning = l;
	pthread_mutex_unlock(&r->lock);
}

/* Under the lock. Else what a full collection does to the young one before it in its pause would be
 * lost between two rounds. */
static bool has_passed(const struct recorder *r, uint32_t collections)
{
	return r->learning && !r->learning->in_pause && r->learning->round_count >= collections;
}

bool recorder_round(struct recorder *r, uint32_t collections, struct snapshot *s, struct round *out)
{
	pthread_mutex_lock(&r->lock);
	bool over = has_passed(r, collections);
	if (over)
		learning_round(r->learning, s, out);
	pthread_mutex_unlock(&r->lock);
	return over;
}

bool recorder_round_is_over(struct recorder *r, uint32_t collections)
{
	pthread_mutex_lock(&r->lock);
	bool over = has_passed(r, collections);
	pthread_mutex_unlock(&r->lock);
	return over;
}

uint32_t recorder_round_so_far(struct recorder *r)
{
	pthread_mutex_lock(&r->lock);
	uint32_t count = r->learning ? r->learning->round_count : 0;
	pthread_mutex_unlock(&r->lock);
	return count;
}

bool recorder_peek(struct recorder *r, uint32_t than, struct snapshot *s, struct round *out)
{
	pthread_mutex_lock(&r->lock);
	bool more = has_passed(r, than + 1);
	if (more)
		learning_peek(r->learning, s, out);
	pthread_mutex_unlock(&r->lock);
	return more;
}

bool recorder_end_round(struct recorder *r, struct snapshot *s, struct round *out)
{
	pthread_mutex_lock(&r->lock);
	bool over = has_passed(r, 0);
	if (over)
		learning_cut(r->learning, s, out);
	pthread_mutex_unlock(&r->lock);
	return over;
}

void recorder_jump(struct recorder *r, const struct place_context *at, bool on)
{
	pthread_mutex_lock(&r->lock);
	if (r->learning)
		learner_jump(r->learning->learner, at, on);
	pthread_mutex_unlock(&r->lock);
}

void recorder_pass(struct recorder *r, uint64_t vm_method)
{
	pthread_mutex_lock(&r->lock);
	if (r->learning)
		learning_pass(r->learning, vm_method);
	pthread_mutex_unlock(&r->lock);
}

void recorder_call(struct recorder *r, const struct place *at)
{
	pthread_mutex_lock(&r->lock);
	if (r->learning)
		learning_call(r->learning, at);
	pthread_mutex_unlock(&r->lock);
}

void recorder_places(struct recorder *r, const int64_t *tags, uint32_t count, struct place *out)
{
	pthread_mutex_lock(&r->lock);
	for (uint32_t i = 0; i < count; i++)
		if (!r->learning || !live_follows(&r->live, tags[i]) ||
			!learner_place(r->learning->learner, live_slot_of(tags[i]), &out[i]))
			out[i] = (struct place){0};
	pthread_mutex_unlock(&r->lock);
}

bool recorder_signature(struct recorder *r, uint32_t class_id, char *out, size_t room)
{
	pthread_mutex_lock(&r->lock);
	const char *found = r->learning ? learning_signature(r->learning, class_id) : NULL;
	size_t len = found ? strlen(found) : room;
	if (len < room)
		memcpy(out, found, len + 1);
	pthread_mutex_unlock(&r->lock);
	return len < room;
}

/* Looked for without the lock, since that reads files. */
void recorder_find_threads(struct recorder *r)
{
	pthread_mutex_lock(&r->lock);
	struct learning *l = r->learning;
	struct vm_threads found = l ? l->threads : (struct vm_threads){.count = 0};
	pthread_mutex_unlock(&r->lock);
	vm_threads_find(&found);
	pthread_mutex_lock(&r->lock);
	if (l && r->learning == l && found.count > l->threads.count)
		l->threads = found;
	pthread_mutex_unlock(&r->lock);
}
