#include "agent/handover.h"

#include <stdio.h>

#include "agent/jumps.h"
#include "agent/rewrites.h"
#include "base/error.h"
#include "base/full_path.h"

/* A file of which one place in so many is not to be found is another program's. */
enum { STRANGE = 4 };

void handover_read(struct handover *h, const char *path)
{
	struct diag why = {""};
	*h = (struct handover){.path = ""};
	if (*path)
		(void)full_path(path, h->path, sizeof(h->path)); /* as it is, where it must be */
	h->was = decisions_file_stamp(h->path);
	int err = *path ? decisions_file_read(h->path, &h->decisions, &why) : ERR_NONE;
	h->bounds = !err && h->decisions.has_threshold;
	h->bound = h->decisions.threshold;
	if (!err)
		return;
	decisions_release(&h->decisions);
	diag_set(&h->unread, err, "%.400s; tenure begins without it, and leaves it as it is",
		*why.text ? why.text : err_text(err));
	fprintf(stderr, "mayfly: %s\n", h->unread.text);
}

static size_t jumps_of(const struct decisions *d)
{
	size_t count = 0;
	for (size_t i = 0; i < d->list.count; i++)
		count += d->list.at[i].action == DECISION_JUMP;
	return count;
}

void handover_trust(
	struct handover *h, struct controller *c, const char *jdk, const char *collector)
{
	h->loaded = (uint32_t)jumps_of(&h->decisions);
	controller_trust(c, decisions_trusted(&h->decisions, jdk, collector));
}

void handover_miss(struct handover *h, struct controller *c, const struct jump *j)
{
	if (j->one_loader || j->failed == rewrites_running || j->failed == jumps_strings)
		return;
	if (++h->strange * STRANGE >= h->loaded)
		controller_doubt(c);
}

/* Some are saved that were not: their code was running. */
bool handover_tested(const struct decisions *d, size_t in_force)
{
	size_t saved = jumps_of(d);
	return saved <= in_force || (saved - in_force) * STRANGE < saved;
}

bool handover_overtaken(const struct handover *h)
{
	struct decisions_stamp is = decisions_file_stamp(h->path);
	return is.there && !decisions_stamp_same(&is, &h->was);
}

int handover_write(const struct handover *h, struct decisions *d, const char *jdk,
	const char *collector, struct diag *diag)
{
	int err = *jdk ? decision_text(&d->jdk, jdk) : ERR_NONE;
	if (!err)
		err = decision_text(&d->gc, collector);
	return err ? diag_set(diag, err, "out of memory while saving the decisions")
		   : decisions_file_write(h->path, d, diag);
}

void handover_release(struct handover *h)
{
	decisions_release(&h->decisions);
}
