#include "analyze/votes.h"

#include "base/error.h"
#include "base/jdk_name.h"

void votes_release(struct votes *v)
{
	mem_free(v->at);
	v->at = NULL;
}

static bool is_jdk(const struct model *m, uint32_t frame)
{
	return name_is_jdk(
		texts_get(&m->defs.texts, defs_frame_method(&m->defs, frame)->class_name));
}

/* Goes up from a frame of the JDK to the first that is not; 0: none. */
static uint32_t application_frame(const struct model *m, uint32_t frame)
{
	while (frame && is_jdk(m, frame))
		frame = m->defs.frames.at[frame].parent;
	return frame;
}

static bool same_place(const struct model *m, uint32_t a, uint32_t b)
{
	return m->defs.frames.at[a].location == m->defs.frames.at[b].location;
}

/*
 * Boyer and Moore's majority vote, weighted, then a count: finds the one caller that stands for
 * VOTES_SHARE, if there is one, without a table for each row.
 */
static void give(struct vote *v, const struct model *m, uint32_t frame, double weight)
{
	v->lead += same_place(m, v->frame, frame) ? weight : -weight;
	if (v->lead < 0)
		*v = (struct vote){.frame = frame, .lead = -v->lead};
}

static void count(struct vote *v, const struct model *m, uint32_t frame, double weight)
{
	v->all += weight;
	if (same_place(m, v->frame, frame))
		v->share += weight;
}

static void poll(const struct account *a, struct vote *to, const struct model *m,
	void (*each)(struct vote *, const struct model *, uint32_t, double))
{
	each(to, m, application_frame(m, m->defs.sites.at[a->site].frame),
		a->tally.alloc.bytes.sum + a->tally.born.bytes.sum);
}

int votes_find(struct votes *v, const struct model *m, const struct ledger *l,
	const uint32_t *picked, const uint32_t *row_of, size_t accounts, size_t rows)
{
	v->at = mem_zalloc(rows + 1, sizeof(*v->at));
	if (!v->at)
		return ERR_NOMEM;
	for (size_t i = 0; i < accounts; i++)
		poll(&l->accounts.at[picked[i]], &v->at[row_of[i]], m, give);
	for (size_t i = 0; i < accounts; i++)
		poll(&l->accounts.at[picked[i]], &v->at[row_of[i]], m, count);
	return ERR_NONE;
}

/* Whether the frames that tell the row are all the JDK's. */
static bool is_wanted(const struct context *c, const struct model *m)
{
	uint32_t frame;
	for (uint32_t i = 0; (frame = context_frame(c, m, i)); i++)
		if (!is_jdk(m, frame))
			return false;
	return c->frames > 0;
}

uint32_t votes_winner(const struct votes *v, const struct model *m, size_t row,
	const struct context *context, double *share)
{
	const struct vote *one = &v->at[row];
	*share = one->all > 0 ? one->share / one->all : 0;
	if (one->frame && *share >= VOTES_SHARE && is_wanted(context, m))
		return one->frame;
	*share = 0;
	return 0;
}
