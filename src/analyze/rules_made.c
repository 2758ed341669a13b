/* Rules about what is allocated. */
#include "analyze/rules.h"

#include <math.h>
#include <string.h>

#include "base/quoting.h"
#include "base/units.h"
#include "stat/share.h"

static bool is_array(struct slice class)
{
	return class.len > 2 && class.at[class.len - 1] == ']';
}

static bool ends_with(struct slice text, const char *end)
{
	size_t n = strlen(end);
	return text.len >= n && memcmp(text.at + text.len - n, end, n) == 0;
}

static bool starts_with(struct slice text, const char *start)
{
	size_t n = strlen(start);
	return text.len >= n && memcmp(text.at, start, n) == 0;
}

/* "Without it: 120 young GCs instead of 173." */
static void trial_put_without(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	double fewer = trial_share_of_eden(t) * (double)r->filled;
	char a[UNITS_MAX], b[UNITS_MAX];
	if (r->collector == COLLECTOR_OTHER || r->young < 2 || fewer < 0.5)
		return;
	buf_printf(&t->outcome, "Without it: about %s young GCs instead of %s.",
		units_count((uint64_t)llround((double)r->young - fewer), a),
		units_count(r->young, b));
}

bool find_churn(struct trial *t)
{
	const struct total *made = &t->row->tally.alloc;
	struct estimate e = trial_share_of_all(t, made);
	double one = trial_lives_known(t) ? curve_at(&t->row->by_bytes[CLOCK_YOUNG], 1).p : 1;
	if (!trial_has_shape(t, SHAPE_CHURN) || !trial_judge(t, e))
		return false;
	trial_cost_of_filling(t);
	trial_put_made(t, made);
	buf_put_str(&t->facts, "; ");
	rule_put_share(&t->facts, 1 - one);
	buf_put_str(&t->facts,
		" of it dies by the next GC. It is never copied, but each GC that it "
		"brings about costs.");
	buf_put_str(
		&t->todo, is_array(trial_class(t))
				  ? "Make fewer or smaller ones: reuse the array, read into one "
				    "that is there, or leave the copy out."
				  : "Make fewer of them: move it out of the loop, hand over what "
				    "is there, or use a form that needs no object.");
	trial_put_without(t);
	return true;
}

static const char *const boxes[] = {"java.lang.Integer", "java.lang.Long", "java.lang.Double",
	"java.lang.Float", "java.lang.Short", "java.lang.Byte", "java.lang.Character",
	"java.lang.Boolean"};

static bool is_one_of(struct slice text, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (slice_equal(text, slice_str(list[i])))
			return true;
	return false;
}

static void put_objects(struct trial *t)
{
	char a[UNITS_MAX];
	double n = trial_per_second(t, t->row->tally.alloc.objects.sum);
	buf_printf(&t->facts, "%s objects/s: ", units_count((uint64_t)llround(n), a));
	trial_put_made(t, &t->row->tally.alloc);
	buf_put_str(&t->facts, ".");
}

bool find_boxed(struct trial *t)
{
	struct estimate e = trial_share_of_all(t, &t->row->tally.alloc);
	if (!is_one_of(trial_class(t), boxes, ARRAY_SIZE(boxes)) || !trial_judge(t, e))
		return false;
	trial_cost_of_filling(t);
	put_objects(t);
	buf_put_str(&t->todo,
		"Keep it a primitive: a primitive field, array or stream (IntStream), "
		"or a collection of primitives; look at the caller for a generic "
		"container or varargs.");
	trial_put_without(t);
	return true;
}

/* java.lang.ref and what is built on it, and what has a finalizer by nature. */
static bool is_reference(struct slice class)
{
	static const char *const ends[] = {"WeakReference", "SoftReference", "PhantomReference",
		"java.lang.ref.Finalizer", "WeakHashMap$Entry", "ThreadLocalMap$Entry",
		"PhantomCleanableRef", "jdk.internal.ref.Cleaner"};
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (ends_with(class, ends[i]))
			return true;
	return false;
}

#define REFERENCES_RATE 1000.0 /* a second, that outlive a GC */

bool find_references(struct trial *t)
{
	if (!is_reference(trial_class(t)) || !trial_lives_known(t))
		return false;
	struct estimate n = total_objects(&t->row->tally.alloc);
	struct curve_point one = curve_at(&t->row->by_bytes[CLOCK_YOUNG], 1);
	struct estimate e = {trial_per_second(t, n.value * one.p) / REFERENCES_RATE,
		trial_per_second(t, n.lo * one.lo) / REFERENCES_RATE,
		trial_per_second(t, n.hi * one.hi) / REFERENCES_RATE};
	char a[UNITS_MAX];
	if (!trial_judge(t, e))
		return false;
	t->out->bytes = trial_per_second(t, t->row->tally.alloc.bytes.sum);
	put_objects(t);
	buf_printf(&t->facts,
		" %s/s outlive a GC, which visits each one; a finalizer keeps what it "
		"is of for another.",
		units_count((uint64_t)llround(e.value * REFERENCES_RATE), a));
	buf_put_str(&t->todo, starts_with(trial_class(t), "java.lang.ref.Finalizer")
				      ? "Close what has a finalizer, or use a class without one."
				      : "Keep one for each object that lives long, none for what "
					"dies at once: close "
					"explicitly (try-with-resources), or share one reference.");
	return true;
}

/* Names of methods that make something larger. */
static bool grows(struct slice method)
{
	static const char *const starts[] = {"grow", "resize", "rehash", "ensureCapacity",
		"ensureExplicit", "expand", "enlarge"};
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (starts_with(method, starts[i]))
			return true;
	return false;
}

enum { GROWING_FRAMES = 4, GROWING_SIZES = 3 };

static bool in_growing_method(const struct trial *t)
{
	const struct model *m = t->model;
	uint32_t frame = m->defs.sites.at[t->row->context.site].frame;
	for (int i = 0; i < GROWING_FRAMES && frame; i++) {
		if (grows(texts_get(&m->defs.texts, defs_frame_method(&m->defs, frame)->name)))
			return true;
		frame = m->defs.frames.at[frame].parent;
	}
	return false;
}

/*
 * Sizes that double: a row of neighbouring powers of two, each with no more objects than the one
 * below. Each array of a size stands for one of half that size which was thrown away for it.
 * `waste`: bytes of those, at least.
 */
static int doubling(const struct evidence_site *s, double *waste)
{
	int best = 0, run = 0;
	*waste = 0;
	for (int i = 0; i < EVIDENCE_SIZES; i++) {
		bool follows = i && run && s->objects[i] > 0 && s->objects[i] <= s->objects[i - 1];
		run = s->objects[i] > 0 ? (follows ? run + 1 : 1) : 0;
		best = run > best ? run : best;
		if (follows)
			*waste += s->objects[i] * ldexp(1, i - 1);
	}
	return best;
}

bool find_resized(struct trial *t)
{
	double waste, all = t->row->tally.alloc.bytes.sum;
	struct estimate e = trial_share_of_all(t, &t->row->tally.alloc);
	int sizes = doubling(t->place, &waste);
	if (!is_array(trial_class(t)) || sizes < GROWING_SIZES || !in_growing_method(t) ||
		!trial_judge(t, e))
		return false;
	trial_at_best(t, sizes > GROWING_SIZES ? SURE_LIKELY : SURE_POSSIBLE);
	trial_cost_of_filling(t);
	trial_put_made(t, &t->row->tally.alloc);
	buf_printf(&t->facts,
		", in sizes over %d powers of two, the larger the rarer: grown when full, and the "
		"smaller one thrown away.",
		sizes);
	buf_put_str(&t->todo, "Make it as large as it will be: new ArrayList<>(n), new "
			      "StringBuilder(n), new HashMap<>(n); or reuse one that has grown.");
	buf_put_str(&t->outcome, "At full size at once: at least ");
	rule_put_rate(&t->outcome, trial_per_second(t, fmin(waste, all)));
	buf_put_str(&t->outcome, " less.");
	return true;
}

#define REGION_MOST   32.0 /* MB: G1's largest */
#define REGIONS_LEAST 64.0

/* A size of regions, in MB, at which objects of that size are no longer large; 0: there is none. */
static unsigned region_for(const struct trial *t, double size)
{
	const struct advise_run *r = trial_run(t);
	double region = 1;
	while (region <= REGION_MOST && region * MEGABYTE / 2 <= size)
		region *= 2;
	bool fits = region <= REGION_MOST && r->heap_max >= REGIONS_LEAST * region * MEGABYTE;
	return fits && flag_known(FLAG_REGION, r->collector, r->jdk) ? (unsigned)region : 0;
}

/* The upper end of the largest bin of sizes that it has. */
static double largest_of(const struct evidence_site *s)
{
	int i = EVIDENCE_SIZES - 1;
	while (i && !(s->objects[i] > 0))
		i--;
	return ldexp(1, i + 1) - 1;
}

/* "100 of 105 young GCs began because one was asked for." */
static void put_for_large(struct trial *t)
{
	const struct advise_run *r = trial_run(t);
	char a[UNITS_MAX], b[UNITS_MAX];
	if (!r->for_large)
		return;
	buf_printf(&t->facts, " %s of %s young GCs began because such an object was asked for.",
		units_count(r->for_large, a), units_count(r->young, b));
	trial_cost_of_large(t, t->place->large.bytes.sum / r->large.bytes.sum);
}

bool find_humongous(struct trial *t)
{
	const struct total *large = &t->place->large;
	struct estimate e = trial_share_of_all(t, large);
	char a[UNITS_MAX], b[UNITS_MAX];
	if (trial_run(t)->collector != COLLECTOR_G1 || !trial_enough(large) || !trial_judge(t, e))
		return false;
	t->out->bytes = trial_per_second(t, large->bytes.sum);
	trial_put_made(t, large);
	buf_printf(&t->facts,
		", in objects of more than %s, %s on average: each takes whole regions, and they "
		"fill the old generation at once.",
		units_bytes((double)t->model->facts.follow_max, a),
		units_bytes(large->bytes.sum / large->objects.sum, b));
	put_for_large(t);
	buf_put_str(&t->todo, "Work in smaller pieces, or reuse the large ones.");
	unsigned region = region_for(t, largest_of(t->place));
	if (region) {
		flag_put(&t->option, FLAG_REGION, region);
		buf_printf(&t->outcome, "With regions of %u MB none of them is too large.", region);
	}
	return true;
}

enum { THREADS_LEAST = 4 };

static void put_look_at(struct buf *out, struct slice thread)
{
	struct buf name = {0};
	buf_put(&name, thread.at, thread.len);
	buf_put_str(out, "Start with what it does: mayfly report -w thread=");
	quoting_put(out, buf_text(&name));
	buf_put_str(out, ".");
	out->failed = name.failed ? name.failed : out->failed;
	buf_release(&name);
}

/* Of all threads by samples: their sum may be counted, but how it divides is not. */
static struct estimate share_of_threads(const struct trial *t, const struct total *one)
{
	struct total all = {0};
	for (size_t i = 0; i < t->log->threads.count; i++)
		total_merge(&all, &t->log->threads.at[i]);
	return share_bytes(one, &all);
}

bool find_threads(struct trial *t)
{
	const struct total *top = NULL;
	size_t count = 0, index = 0;
	for (size_t i = 1; i < t->log->threads.count; i++) {
		const struct total *one = &t->log->threads.at[i];
		count += one->n > 0;
		if (!top || one->bytes.sum > top->bytes.sum) {
			top = one;
			index = i;
		}
	}
	if (!top || count < THREADS_LEAST || !trial_enough(top) ||
		!trial_judge(t, share_of_threads(t, top)))
		return false;
	struct slice name = texts_get(&t->model->defs.texts, t->model->defs.threads.at[index].name);
	trial_cost_of_making(t, top, t->out->share.value);
	trial_put_made(t, top);
	buf_printf(&t->facts, ", by the thread \"%.*s\", one of %zu.", (int)name.len,
		(const char *)name.at, count);
	put_look_at(&t->todo, name);
	return true;
}
