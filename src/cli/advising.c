#include "cli/advising.h"

#include "base/error.h"

enum { LIMIT_DEFAULT = 10 };

struct advise_query advising_query(void)
{
	return (struct advise_query){
		.split = true, .least = ADVISE_LEAST, .limit = LIMIT_DEFAULT, .only = -1};
}

void advising_init(struct advising *a, const struct advise_query *q, bool by_thread)
{
	*a = (struct advising){.query = *q};
	evidence_init(&a->log, by_thread);
}

void advising_release(struct advising *a)
{
	advise_release(&a->advise);
	evidence_release(&a->log);
	notes_release(&a->notes);
}

struct listener advising_listener(struct advising *a)
{
	return evidence_listener(&a->log);
}

/* What can't be judged, and why. */
static int add_notes(struct notes *n, const struct advise_run *r, const struct model *m)
{
	int err = ERR_NONE;
	if (!m->gcs.list.count)
		return ERR_NONE;
	if (r->collector == COLLECTOR_OTHER)
		return notes_add(n, "This collector has no survivor spaces, or the VM does not "
				    "tell young deaths apart: copying, promotion and short lives "
				    "were not judged.");
	if (!r->ages_known)
		return notes_add(n, "Too little was seen to judge copying and promotion.");
	if (!r->cost_known && r->vm_known)
		err = notes_add(n, "What copying costs can't be told: pauses do not grow with what "
				   "is copied, or there were too few. Times in GC are upper "
				   "bounds.");
	else if (!r->cost_known)
		err = notes_add(n, "The VM told no heap sizes: what copying costs can't be told. "
				   "Times in GC are upper bounds.");
	if (!err && !model_full(m))
		err = notes_add(n, "A leak can't be told from garbage that no such collection "
				   "looked for.");
	return err;
}

int advising_find(struct advising *a, const struct model *m)
{
	int err = evidence_settle(&a->log, m);
	err = err ? err : advise_find(&a->advise, m, &a->log, &a->query);
	err = err ? err : notes_find(&a->notes, m);
	err = err ? err : leaves_notes(&a->notes, &a->log.ledger);
	return err ? err : add_notes(&a->notes, &a->advise.run, m);
}

struct advise_view advising_view(const struct advising *a, const struct model *m, const char *path)
{
	return (struct advise_view){.view = {.model = m, .notes = &a->notes, .file = path},
		.advise = &a->advise,
		.ledger = &a->log.ledger,
		.least = a->query.least,
		.narrowed = a->query.only >= 0 || a->query.where.count};
}
