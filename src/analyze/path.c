#include "analyze/path.h"

/* A vote among callers: Boyer and Moore's, which finds a majority if there is one. */
struct vote {
	uint32_t frame;
	double lead;
};

static uint32_t location(const struct model *m, uint32_t frame)
{
	return m->defs.frames.at[frame].location;
}

/* The frame `depth` above the account's allocating one, where its stack agrees with the path so
 * far; 0: it does not, or it ends. */
static uint32_t next_frame(
	const struct model *m, const struct account *a, const struct path *p, uint32_t class)
{
	const struct site_def *s = &m->defs.sites.at[a->site];
	uint32_t frame = s->class == class ? s->frame : 0;
	for (size_t i = 0; i < p->count && frame; i++) {
		if (location(m, frame) != location(m, p->frames[i]))
			return 0;
		frame = m->defs.frames.at[frame].parent;
	}
	return frame;
}

static void cast(struct vote *v, const struct model *m, uint32_t frame, double bytes)
{
	v->lead += location(m, v->frame) == location(m, frame) ? bytes : -bytes;
	if (v->lead < 0)
		*v = (struct vote){frame, -v->lead};
}

/* The heaviest next frame, and its bytes. */
static uint32_t elect(const struct model *m, const struct ledger *l, const struct path *p,
	uint32_t class, double (*bytes_of)(const struct tally *), double *bytes)
{
	struct vote v = {0};
	for (size_t i = 0; i < l->accounts.count; i++) {
		uint32_t frame = next_frame(m, &l->accounts.at[i], p, class);
		if (frame)
			cast(&v, m, frame, bytes_of(&l->accounts.at[i].tally));
	}
	*bytes = 0;
	for (size_t i = 0; i < l->accounts.count && v.frame; i++) {
		uint32_t frame = next_frame(m, &l->accounts.at[i], p, class);
		if (frame && location(m, frame) == location(m, v.frame))
			*bytes += bytes_of(&l->accounts.at[i].tally);
	}
	return v.frame;
}

/* What is allocated at the line itself. */
static double bytes_at(const struct model *m, const struct ledger *l, uint32_t class,
	uint32_t frame, double (*bytes_of)(const struct tally *))
{
	double bytes = 0;
	for (size_t i = 0; i < l->accounts.count; i++) {
		const struct site_def *s = &m->defs.sites.at[l->accounts.at[i].site];
		if (s->class == class && location(m, s->frame) == location(m, frame))
			bytes += bytes_of(&l->accounts.at[i].tally);
	}
	return bytes;
}

struct path path_find(const struct model *m, const struct ledger *l, uint32_t class, uint32_t frame,
	double (*bytes_of)(const struct tally *))
{
	struct path p = {0};
	double all = bytes_at(m, l, class, frame, bytes_of), bytes = all;
	while (frame && all > 0 && bytes > PATH_SHARE * all && p.count < PATH_MAX_FRAMES) {
		p.frames[p.count] = frame;
		p.shares[p.count++] = bytes / all;
		frame = elect(m, l, &p, class, bytes_of, &bytes);
	}
	return p;
}
