#include "export/pprof.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "export/gzip.h"
#include "profile.pb-c.h"
#include "report/text.h"

enum { VALUES_MAX = 6, LABELS_MAX = 6 };

struct value_type {
	const char *type, *unit;
};

/* Sample types in their order; the default one is by name. */
static const struct kind {
	const char *word, *usual;
	struct value_type types[VALUES_MAX];
	size_t count;
} kinds[PPROF_KINDS] = {
	[PPROF_HEAP] = {"heap", "inuse_space",
		{{"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"},
			{"inuse_space", "bytes"}},
		4},
	[PPROF_LIFETIME] = {"lifetime", "deallocated_space",
		{{"allocated_objects", "count"}, {"allocated_space", "bytes"},
			{"deallocated_objects", "count"}, {"deallocated_space", "bytes"},
			{"censored_allocated_objects", "count"},
			{"censored_allocated_space", "bytes"}},
		6},
};

const char *pprof_word(unsigned kind)
{
	return kinds[kind].word;
}

struct profile {
	const struct pprof_source *s;
	const struct kind *kind;
	struct intern strings; /* string n of the format is number n here; 0 is the empty one */
	struct map functions;  /* method or class (bit 32) → id */
	struct map locations;  /* frame or class (bit 32) → id */
	VEC(Pprof__Function *) function;
	VEC(Pprof__Location *) location;
	VEC(Pprof__Sample *) sample;
	VEC(char *) string;
	struct buf scratch;
	int err; /* the first failure; after it nothing is added */
};

static void *keep(struct profile *p, void *at)
{
	if (!at)
		p->err = p->err ? p->err : ERR_NOMEM;
	return at;
}

static int64_t string_id(struct profile *p, struct slice text)
{
	if (!text.len || p->err)
		return 0;
	buf_clear(&p->scratch);
	text_clean(&p->scratch, text);
	uint32_t id = p->scratch.failed ? 0 : intern_add(&p->strings, buf_slice(&p->scratch), NULL);
	if (!id)
		p->err = ERR_NOMEM;
	return (int64_t)id;
}

static int64_t word_id(struct profile *p, const char *word)
{
	return string_id(p, slice_str(word));
}

#define CLASS_KEY (1ull << 32)

/* A number that was given before; else 0. */
static uint64_t known(const struct map *m, uint64_t key)
{
	const uint64_t *id = map_find(m, key);
	return id ? *id : 0;
}

static uint64_t add_function(struct profile *p, uint64_t key, int64_t name, int64_t filename)
{
	Pprof__Function *f = keep(p, mem_zalloc(1, sizeof(*f)));
	if (!f)
		return 0;
	pprof__function__init(f);
	f->id = p->function.count + 1;
	f->name = f->system_name = name;
	f->filename = filename;
	if (vec_push(&p->function, f) || map_put(&p->functions, key, f->id)) {
		p->err = ERR_NOMEM;
		if (!p->function.count || p->function.at[p->function.count - 1] != f)
			mem_free(f);
	}
	return p->err ? 0 : p->function.at[p->function.count - 1]->id;
}

static uint64_t function_of_class(struct profile *p, uint32_t class)
{
	uint64_t id = known(&p->functions, CLASS_KEY | class);
	struct slice name = defs_class_name(&p->s->model->defs, class);
	return id ? id
		  : add_function(p, CLASS_KEY | class,
			    string_id(p, name.len ? name : slice_str("(unknown)")), 0);
}

static uint64_t function_of_method(struct profile *p, uint32_t method)
{
	const struct defs *d = &p->s->model->defs;
	const struct method_def *m = &d->methods.at[method];
	uint64_t id = known(&p->functions, method);
	struct buf name = {0};
	if (id)
		return id;
	struct slice class = texts_get(&d->texts, m->class_name),
		     own = texts_get(&d->texts, m->name);
	buf_put(&name, class.at, class.len);
	buf_put_str(&name, class.len ? "." : "");
	buf_put(&name, own.at, own.len);
	if (name.failed)
		p->err = ERR_NOMEM;
	id = add_function(p, method,
		string_id(p, name.len ? buf_slice(&name) : slice_str("(unknown)")),
		string_id(p, texts_get(&d->texts, m->source)));
	buf_release(&name);
	return id;
}

static uint64_t add_location(struct profile *p, uint64_t key, uint64_t function, uint32_t line)
{
	struct place {
		Pprof__Location location;
		Pprof__Line line, *lines[1];
	} *at = function ? keep(p, mem_zalloc(1, sizeof(*at))) : NULL;
	if (!at)
		return 0;
	pprof__location__init(&at->location);
	pprof__line__init(&at->line);
	at->line.function_id = function;
	at->line.line = line;
	at->lines[0] = &at->line;
	at->location.line = at->lines;
	at->location.n_line = 1;
	at->location.id = p->location.count + 1;
	if (vec_push(&p->location, &at->location)) {
		p->err = ERR_NOMEM;
		mem_free(at);
		return 0;
	}
	uint64_t id = p->location.count;
	if (map_put(&p->locations, key, id))
		p->err = ERR_NOMEM;
	return id;
}

static uint64_t location_of_class(struct profile *p, uint32_t class)
{
	uint64_t id = known(&p->locations, CLASS_KEY | class);
	return id ? id : add_location(p, CLASS_KEY | class, function_of_class(p, class), 0);
}

static uint64_t location_of_frame(struct profile *p, uint32_t frame)
{
	const struct frame_def *f = &p->s->model->defs.frames.at[frame];
	/* All frames of one line are one location. */
	uint64_t id = known(&p->locations, f->location);
	return id ? id : add_location(p, f->location, function_of_method(p, f->method), f->line);
}

/* A sample with its own memory in one piece. */
struct piece {
	Pprof__Sample sample;
	Pprof__Label labels[LABELS_MAX], *label_at[LABELS_MAX];
	int64_t values[VALUES_MAX];
	uint64_t locations[];
};

static struct piece *add_sample(struct profile *p, uint32_t site)
{
	const struct defs *d = &p->s->model->defs;
	const struct site_def *s = &d->sites.at[site];
	size_t depth = d->frames.at[s->frame].depth + 1, n = 0;
	struct piece *piece =
		keep(p, mem_zalloc(1, sizeof(*piece) + depth * sizeof(piece->locations[0])));
	if (!piece)
		return NULL;
	pprof__sample__init(&piece->sample);
	piece->locations[n++] = location_of_class(p, s->class);
	for (uint32_t f = s->frame; f && n < depth; f = d->frames.at[f].parent)
		piece->locations[n++] = location_of_frame(p, f);
	piece->sample.location_id = piece->locations;
	piece->sample.n_location_id = n;
	piece->sample.value = piece->values;
	piece->sample.n_value = p->kind->count;
	piece->sample.label = piece->label_at;
	if (p->err || vec_push(&p->sample, &piece->sample)) {
		p->err = ERR_NOMEM;
		mem_free(piece);
		return NULL;
	}
	return piece;
}

static Pprof__Label *add_label(struct profile *p, struct piece *piece, const char *key)
{
	Pprof__Label *l = &piece->labels[piece->sample.n_label];
	pprof__label__init(l);
	l->key = word_id(p, key);
	piece->label_at[piece->sample.n_label++] = l;
	return l;
}

static void add_number(
	struct profile *p, struct piece *piece, const char *key, double value, const char *unit)
{
	Pprof__Label *l = add_label(p, piece, key);
	l->num = (int64_t)value;
	l->num_unit = word_id(p, unit);
}

static void add_thread(struct profile *p, struct piece *piece, uint32_t thread)
{
	const struct defs *d = &p->s->model->defs;
	struct slice name = texts_get(&d->texts, d->threads.at[thread].name);
	if (thread && name.len)
		add_label(p, piece, "thread")->str = string_id(p, name);
}

static int64_t whole(double value)
{
	return value < 9e18 ? llround(value) : INT64_MAX;
}

static bool passes(struct profile *p, uint32_t site, uint32_t thread)
{
	bool pass = where_account(p->s->where, p->s->model, site, thread, &p->scratch);
	if (p->scratch.failed)
		p->err = ERR_NOMEM;
	return pass && !p->err;
}

static void add_heap(struct profile *p)
{
	const struct ledger *l = p->s->ledger;
	for (size_t i = 0; i < l->accounts.count && !p->err; i++) {
		const struct account *a = &l->accounts.at[i];
		struct piece *piece = passes(p, a->site, a->thread) ? add_sample(p, a->site) : NULL;
		if (!piece)
			continue;
		piece->values[0] = whole(a->tally.alloc.objects.sum);
		piece->values[1] = whole(a->tally.alloc.bytes.sum);
		piece->values[2] = whole(a->tally.alive.objects.sum);
		piece->values[3] = whole(a->tally.alive.bytes.sum);
		add_thread(p, piece, a->thread);
	}
}

static void add_cell(struct profile *p, const struct cell *c)
{
	struct piece *piece = add_sample(p, c->site);
	if (!piece)
		return;
	int64_t objects = whole(c->objects), bytes = whole(c->bytes);
	size_t fate = c->fate == CELL_DIED ? 2 : 4;
	piece->values[0] = piece->values[fate] = objects;
	piece->values[1] = piece->values[fate + 1] = bytes;
	add_number(p, piece, "gc gen age", c->age, "collections");
	if (!c->samples) {
		add_thread(p, piece, c->thread);
		return;
	}
	add_number(p, piece, "avg_lifetime", cell_mean(c), "nanoseconds");
	add_number(p, piece, "stddev_lifetime", cell_deviation(c), "nanoseconds");
	add_number(p, piece, "min_lifetime", (double)c->ns_least, "nanoseconds");
	add_number(p, piece, "max_lifetime", (double)c->ns_most, "nanoseconds");
	add_thread(p, piece, c->thread);
}

static void add_lifetimes(struct profile *p)
{
	const struct cells *c = p->s->cells;
	for (size_t i = 0; i < c->list.count && !p->err; i++)
		if (passes(p, c->list.at[i].site, c->list.at[i].thread))
			add_cell(p, &c->list.at[i]);
}

/* NUL-terminated copies in their order, the empty one first. */
static void make_strings(struct profile *p)
{
	for (uint32_t i = 0; i <= p->strings.strings.count && !p->err; i++) {
		struct slice s = intern_get(&p->strings, i);
		char *copy = keep(p, mem_strndup(s.len ? (const char *)s.at : "", s.len));
		if (copy && vec_push(&p->string, copy)) {
			p->err = ERR_NOMEM;
			mem_free(copy);
		}
	}
}

static void set_types(struct profile *p, Pprof__Profile *message, Pprof__ValueType *types,
	Pprof__ValueType **at, Pprof__ValueType *period)
{
	for (size_t i = 0; i < p->kind->count; i++) {
		pprof__value_type__init(&types[i]);
		types[i].type = word_id(p, p->kind->types[i].type);
		types[i].unit = word_id(p, p->kind->types[i].unit);
		at[i] = &types[i];
	}
	pprof__value_type__init(period);
	period->type = word_id(p, "space");
	period->unit = word_id(p, "bytes");
	message->sample_type = at;
	message->n_sample_type = p->kind->count;
	message->period_type = period;
	message->default_sample_type = word_id(p, p->kind->usual);
}

static void set_times(const struct model *m, Pprof__Profile *message)
{
	const struct config_def *c = facts_in_force(&m->facts);
	message->time_nanos = (int64_t)m->wall.v;
	message->duration_nanos = (int64_t)m->now.time;
	message->period = c->valid ? (int64_t)c->interval : 0;
}

static int pack(struct profile *p, const Pprof__Profile *message, struct buf *out)
{
	size_t size = pprof__profile__get_packed_size(message);
	uint8_t *bytes = size > INT32_MAX ? NULL : mem_alloc(size + 1);
	if (size > INT32_MAX)
		return ERR_LIMIT;
	if (!keep(p, bytes))
		return ERR_NOMEM;
	pprof__profile__pack(message, bytes);
	int err = gzip_put(out, slice(bytes, size));
	mem_free(bytes);
	return err;
}

static int write_out(struct profile *p, struct buf *out)
{
	Pprof__Profile message = PPROF__PROFILE__INIT;
	Pprof__ValueType types[VALUES_MAX], *at[VALUES_MAX], period;
	set_types(p, &message, types, at, &period);
	set_times(p->s->model, &message);
	make_strings(p);
	if (p->err)
		return p->err;
	message.sample = p->sample.at;
	message.n_sample = p->sample.count;
	message.location = p->location.at;
	message.n_location = p->location.count;
	message.function = p->function.at;
	message.n_function = p->function.count;
	message.string_table = p->string.at;
	message.n_string_table = p->string.count;
	return pack(p, &message, out);
}

static void release(struct profile *p)
{
	/* Each is the first member of the piece of memory that holds it. */
	for (size_t i = 0; i < p->sample.count; i++)
		mem_free(p->sample.at[i]);
	for (size_t i = 0; i < p->location.count; i++)
		mem_free(p->location.at[i]);
	for (size_t i = 0; i < p->function.count; i++)
		mem_free(p->function.at[i]);
	for (size_t i = 0; i < p->string.count; i++)
		mem_free(p->string.at[i]);
	vec_release(&p->sample);
	vec_release(&p->location);
	vec_release(&p->function);
	vec_release(&p->string);
	map_release(&p->functions);
	map_release(&p->locations);
	intern_release(&p->strings);
	buf_release(&p->scratch);
}

int pprof_put(struct buf *out, const struct pprof_source *s, enum pprof_kind kind)
{
	struct profile p = {.s = s, .kind = &kinds[kind]};
	if (kind == PPROF_HEAP)
		add_heap(&p);
	else
		add_lifetimes(&p);
	int err = p.err ? p.err : write_out(&p, out);
	release(&p);
	return err;
}
