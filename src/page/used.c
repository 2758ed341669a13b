#include "page/used.h"

#include "base/error.h"

void used_release(struct used *u)
{
	struct numbering *all[] = {
		&u->texts, &u->classes, &u->methods, &u->frames, &u->sites, &u->threads};
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		numbering_release(all[i]);
}

static int init(struct used *u, const struct model *m)
{
	const struct defs *d = &m->defs;
	*u = (struct used){0};
	/* Texts are numbered from 1; 0 is the empty one. */
	int err = numbering_init(&u->texts, d->texts.table.strings.count + 1);
	err = err ? err : numbering_init(&u->classes, d->classes.count);
	err = err ? err : numbering_init(&u->methods, d->methods.count);
	err = err ? err : numbering_init(&u->frames, d->frames.count);
	err = err ? err : numbering_init(&u->sites, d->sites.count);
	return err ? err : numbering_init(&u->threads, d->threads.count);
}

static void mark_class(struct used *u, const struct model *m, uint32_t class)
{
	if (numbering_mark(&u->classes, class))
		numbering_mark(&u->texts, m->defs.classes.at[class].name);
}

static void mark_method(struct used *u, const struct model *m, uint32_t method)
{
	if (!numbering_mark(&u->methods, method))
		return;
	numbering_mark(&u->texts, m->defs.methods.at[method].class_name);
	numbering_mark(&u->texts, m->defs.methods.at[method].name);
}

static void mark_site(struct used *u, const struct model *m, uint32_t site)
{
	const struct site_def *s = &m->defs.sites.at[site];
	numbering_mark(&u->sites, site);
	mark_class(u, m, s->class);
	/* A frame that is known already has its callers with it. */
	for (uint32_t f = s->frame; numbering_mark(&u->frames, f); f = m->defs.frames.at[f].parent)
		mark_method(u, m, m->defs.frames.at[f].method);
}

static void mark_gc(struct used *u, const struct model *m, const struct gc *gc)
{
	numbering_mark(&u->texts, gc->cause);
	numbering_mark(&u->texts, m->defs.collectors.at[gc->collector].name);
}

static int settle(struct used *u)
{
	struct numbering *all[] = {
		&u->texts, &u->classes, &u->methods, &u->frames, &u->sites, &u->threads};
	int err = ERR_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(all) && !err; i++)
		err = numbering_settle(all[i]);
	return err;
}

int used_find(struct used *u, const struct model *m, const struct ledger *l,
	const struct samples *s, const uint32_t *gcs, size_t gc_count)
{
	int err = init(u, m);
	for (size_t i = 0; i < l->allocs.count && !err; i++)
		mark_site(u, m, l->accounts.at[i].site);
	for (size_t i = 0; i < s->list.count && !err; i++)
		if (numbering_mark(&u->threads, s->list.at[i].thread))
			numbering_mark(&u->texts, m->defs.threads.at[s->list.at[i].thread].name);
	for (size_t i = 0; i < gc_count && !err; i++)
		mark_gc(u, m, &m->gcs.list.at[gcs[i]]);
	err = err ? err : settle(u);
	if (err)
		used_release(u);
	return err;
}
