#include "agent/lookout.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "agent/recorder_lessons.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"

enum {
	BATCH = 32,  /* objects between two looks at the clock */
	ENOUGH = 64, /* objects of a place, in effect, after which others are more worth looking at
		      */
	TAGS = 1 + CHILDREN_FIELDS
};

int lookout_init(struct lookout *l, const struct vm *vm)
{
	*l = (struct lookout){.vm = vm,
		.in_sight = mem_zalloc(1, sizeof(*l->in_sight)),
		.children = mem_zalloc(1, sizeof(*l->children))};
	if (!l->in_sight || !l->children || references_init(&l->references)) {
		lookout_release(l);
		return ERR_NOMEM;
	}
	lookout_want(l, true);
	return ERR_NONE;
}

void lookout_release(struct lookout *l)
{
	references_release(&l->references);
	mem_free(l->in_sight);
	mem_free(l->children);
	memset(l, 0, sizeof(*l));
}

void lookout_want(struct lookout *l, bool wanted)
{
	l->wanted = wanted && l->in_sight;
	if (l->in_sight)
		in_sight_want(l->in_sight, wanted);
}

bool lookout_wants(const struct lookout *l)
{
	return l->wanted;
}

static uint64_t own_cpu(void)
{
	struct timespec now;
	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now))
		return 0;
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool is_nowhere(const struct place *p)
{
	return !p->class_id;
}

/* What is not followed itself is known by its class; of what was never sampled nothing is. */
static void note_family(struct lookout *l, const struct family *f, const struct place *at)
{
	struct place child[CHILDREN_FIELDS];
	uint32_t count = 0;
	if (is_nowhere(&at[0]))
		return;
	for (uint32_t i = 0; i < f->count; i++) {
		bool followed = !is_nowhere(&at[1 + i]);
		struct place p = followed ? at[1 + i] : references_class(f->child[i].class_id);
		l->counts.followed += followed;
		if (!is_nowhere(&p))
			child[count++] = p;
	}
	l->counts.objects++;
	l->counts.children += f->count;
	references_look(&l->references, &at[0], child, count);
	/* Other places of that class come into sight again at the round's end. */
	if (references_looks(&l->references, &at[0]) >= ENOUGH)
		in_sight_pass_over(l->in_sight, f->class_id, true);
}

/* With the recorder's lock for no longer than one family needs. */
static void place_family(struct lookout *l, struct recorder *r, const struct family *f)
{
	int64_t tag[TAGS] = {f->tag};
	struct place at[TAGS];
	for (uint32_t i = 0; i < f->count; i++)
		tag[1 + i] = f->child[i].tag;
	recorder_places(r, tag, 1 + f->count, at);
	note_family(l, f, at);
}

static bool is_barren(const struct lookout *l, uint32_t class_id)
{
	return class_id < IN_SIGHT_CLASSES && l->barren[class_id / 64] >> class_id % 64 & 1;
}

static void set_barren(struct lookout *l, uint32_t class_id)
{
	if (class_id < IN_SIGHT_CLASSES)
		l->barren[class_id / 64] |= 1ull << class_id % 64;
	in_sight_pass_over(l->in_sight, class_id, true);
}

static void note_barren(struct lookout *l, const struct family *f)
{
	if (f->barren)
		set_barren(l, f->class_id);
	for (uint32_t i = 0; i < f->count; i++)
		if (f->child[i].barren)
			set_barren(l, f->child[i].class_id);
}

/* Whether there was one. */
static bool look_at_one(struct lookout *l, JNIEnv *jni, struct recorder *r, uint64_t young)
{
	struct family f;
	jobject object = in_sight_take(l->in_sight, jni, &l->from, young);
	if (!object)
		return false;
	children_of(l->children, jni, object, &f);
	(*jni)->DeleteLocalRef(jni, object);
	note_barren(l, &f);
	if (f.tag)
		place_family(l, r, &f);
	return true;
}

static bool look_at_some(struct lookout *l, JNIEnv *jni, struct recorder *r, uint64_t young)
{
	for (int i = 0; i < BATCH; i++)
		if (!look_at_one(l, jni, r, young))
			return false;
	return true;
}

void lookout_look(struct lookout *l, JNIEnv *jni, struct recorder *r, uint64_t young,
	bool (*stop)(void *arg), void *arg)
{
	uint64_t began = own_cpu();
	if (!l->children->vm)
		children_init(l->children, l->vm, l->in_sight->recording, clock_now().v);
	references_fade(&l->references);
	for (int n = 0; n < LOOKOUT_OBJECTS && !stop(arg); n += BATCH)
		if (!look_at_some(l, jni, r, young) || own_cpu() - began > LOOKOUT_NS)
			break;
	if (l->from >= IN_SIGHT_ROOM)
		l->from = 0;
	l->counts.rounds++;
	l->counts.ns += own_cpu() - began;
}

/* Whether to look at its objects would say something new. */
static bool is_unknown(const struct lookout *l, const struct snapshot_row *row)
{
	return !(row->flags & (SNAPSHOT_LEAF | SNAPSHOT_REFUSE)) &&
	       row->passage.objects.stood[0] > 0 &&
	       references_looks(&l->references, &row->at.place) < ENOUGH;
}

/* Classes that have nothing new to say make room for the others. */
static void pass_over(struct lookout *l, const struct snapshot *s, bool over)
{
	for (size_t i = 0; i < s->places; i++)
		if (is_unknown(l, &s->rows[i]) != over)
			in_sight_pass_over(l->in_sight, s->rows[i].at.place.class_id, over);
}

/* By what was seen, as well as by name. */
static void mark_leaves(const struct lookout *l, struct snapshot *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (is_barren(l, s->rows[i].at.place.class_id))
			s->rows[i].flags |= SNAPSHOT_LEAF;
}

const struct choose_edge *lookout_edges(struct lookout *l, struct snapshot *s, size_t *count)
{
	*count = 0;
	if (!l->wanted)
		return NULL;
	mark_leaves(l, s);
	references_mark(&l->references, s);
	pass_over(l, s, true);
	pass_over(l, s, false);
	if (references_edges(&l->references, s))
		return NULL;
	*count = l->references.edge_count;
	return l->references.edges;
}

static void tell(const struct lookout *l, struct recorder *r)
{
	char text[320];
	const struct lookout_counts *n = &l->counts;
	const struct references *k = &l->references;
	uint64_t left = k->lost.parents + k->lost.pairs + k->lost.edges;
	snprintf(text, sizeof(text),
		"objects=%llu children=%llu followed=%llu rounds=%llu ns=%llu places=%u pairs=%u "
		"edges=%u left=%llu",
		(unsigned long long)n->objects, (unsigned long long)n->children,
		(unsigned long long)n->followed, (unsigned long long)n->rounds,
		(unsigned long long)n->ns, k->parent_count, k->pair_count, k->edge_count,
		(unsigned long long)left);
	recorder_fact(r, "tenure.references", text);
}

void lookout_end(struct lookout *l, JNIEnv *jni, struct recorder *r)
{
	if (!l->in_sight)
		return;
	lookout_want(l, false);
	if (jni) {
		in_sight_end(l->in_sight, jni);
		children_end(l->children, jni);
	}
	if (l->counts.rounds)
		tell(l, r);
}
