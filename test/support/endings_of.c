#include "support/endings_of.h"

#include "base/error.h"

static int end_object(struct site_endings *s, uint64_t size, uint64_t age, enum ending_kind kind)
{
	while (s->rows.count <= age) {
		const struct ending_row row = {.age = (uint32_t)s->rows.count};
		if (vec_push(&s->rows, row))
			return ERR_NOMEM;
	}
	quantity_add(&s->rows.at[age].of[kind], (struct quantity){1, size});
	return ERR_NONE;
}

int endings_of_truth(struct endings *e, const struct exact_truth *t)
{
	int err = ERR_NONE;
	*e = (struct endings){.from = ENDINGS_EVENTS, .young = t->gcs.count};
	for (size_t i = 0; i < t->objects.count && !err; i++) {
		const struct exact_object *o = &t->objects.at[i];
		uint64_t seen = t->gcs.count - o->born;
		bool died = o->age < seen;
		while (!err && e->sites.count <= o->site)
			err = vec_push(&e->sites, ((struct site_endings){.told = true}));
		err = err ? err
			  : end_object(&e->sites.at[o->site], o->size, died ? o->age : seen,
				    died ? ENDING_DIED : ENDING_ALIVE);
		quantity_add(&e->told, (struct quantity){1, o->size});
	}
	return err;
}
