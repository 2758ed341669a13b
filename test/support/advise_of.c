#include "support/advise_of.h"

#include "base/error.h"
#include "trace/reader.h"

static int replay(struct advise_of *a)
{
	struct source source;
	struct reader reader;
	struct listener listener = evidence_listener(&a->log);
	int err = source_open_memory(&source, buf_slice(&a->base.bytes));
	if (err)
		return err;
	err = reader_init(&reader, &source, NULL, NULL);
	err = err ? err : replay_run(&a->model, &reader, &listener, NULL);
	reader_release(&reader);
	source_close(&source);
	return err ? err : evidence_settle(&a->log, &a->model);
}

int advise_of_sim(struct advise_of *a, const struct sim *s)
{
	*a = (struct advise_of){0};
	evidence_init(&a->log, false);
	int err = ledger_of_sim(&a->base, s, false);
	err = err ? err : model_init(&a->model);
	return err ? err : replay(a);
}

int advise_of_find(struct advise_of *a, double least)
{
	const struct advise_query q = {.split = true, .least = least, .only = -1};
	advise_release(&a->advise);
	return advise_find(&a->advise, &a->model, &a->log, &q);
}

void advise_of_release(struct advise_of *a)
{
	advise_release(&a->advise);
	evidence_release(&a->log);
	model_release(&a->model);
	ledger_of_release(&a->base);
}

const struct finding *advise_of_finding(
	const struct advise_of *a, enum rule rule, const char *class)
{
	for (size_t i = 0; i < a->advise.findings.count; i++) {
		const struct finding *f = &a->advise.findings.at[i];
		if (f->rule == rule &&
			(!class || (f->row && slice_equal(defs_class_name(
								  &a->model.defs, f->row->class),
						      slice_str(class)))))
			return f;
	}
	return NULL;
}
