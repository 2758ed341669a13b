#include "exact/birth_blocks.h"

#include <string.h>

#include "base/map.h"
#include "exact/pages.h"

_Thread_local struct birth_thread *births_here;
uintptr_t births_here_at, births_doors_here_at;

static pthread_key_t ending;
static bool able; /* to tell when a thread ends */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The thread ends: its block goes to the next one that begins, with what it has counted. */
static void let_go(void *arg)
{
	struct birth_thread *t = arg;
	births_here = NULL;
	birth_doors_use(NULL);
	atomic_store_explicit(&t->taken, false, memory_order_release);
}

static void prepare(void)
{
	able = pthread_key_create(&ending, let_go) == 0;
}

/*
 * The loader's descriptor is two words, a function and what that goes by: with glibc and musl alike
 * the distance itself where it is the same for all threads, else an address. glibc has some room of
 * that kind for libraries that are loaded later; musl has none.
 */
static bool is_fixed(uintptr_t distance)
{
#ifdef __x86_64__
	uintptr_t descriptor = births_here_descriptor();
	return descriptor == distance || ((const uintptr_t *)descriptor)[1] == distance;
#else
	(void)distance;
	return true;
#endif
}

static uintptr_t distance(void)
{
#ifdef __x86_64__
	return births_here_distance();
#else
	return 0;
#endif
}

bool birth_blocks_fixed(void)
{
	return is_fixed(distance());
}

void birth_blocks_locate(void)
{
	births_here_at = distance();
	births_doors_here_at =
		births_here_at + ((uintptr_t)&births_doors_here - (uintptr_t)&births_here);
}

bool birth_blocks_able(void)
{
	pthread_once(&once, prepare);
	return able;
}

static struct birth_thread *find_free(struct births *b)
{
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next) {
		bool taken = false;
		if (atomic_compare_exchange_strong(&t->taken, &taken, true))
			return t;
	}
	return NULL;
}

void birth_block_seed(const struct births *b, struct birth_thread *t)
{
	static _Atomic uint64_t count;
	t->random = hash64_pair(b->seed, atomic_fetch_add(&count, 1)) | 1;
	t->countdown = b->every ? stride_next(&b->stride, &t->random) : 0;
}

static struct birth_thread *make(struct births *b)
{
	struct birth_thread *t = pages_map(sizeof(*t));
	if (!t)
		return NULL;
	t->taken = true;
	birth_slots_use(&t->slots, t->narrow, t->narrow_used, BIRTH_SETS);
	birth_block_seed(b, t);
	t->next = atomic_load(&b->threads);
	atomic_store(&b->threads, t);
	return t;
}

/* This thread's block; NULL: no memory. Under the lock. */
static struct birth_thread *own(struct births *b)
{
	if (!birth_blocks_able())
		return NULL;
	struct birth_thread *t = find_free(b);
	if (t && t->log.thread)
		event_log_own(&t->log, 0); /* who had it is gone */
	if (!t)
		t = make(b);
	if (t)
		pthread_setspecific(ending, t);
	births_here = t;
	birth_doors_use(t ? &t->doors : NULL);
	return t;
}

struct birth_thread *birth_block_begin(struct births *b)
{
	pthread_mutex_lock(&b->lock);
	struct birth_thread *t = own(b);
	pthread_mutex_unlock(&b->lock);
	return t;
}

static void use_table(struct birth_walks *w)
{
	birth_slots_use(&w->slots, w->table.sets, w->table.used, BIRTH_WIDE_SETS);
}

struct birth_walks *birth_block_walks(struct birth_thread *t)
{
	struct birth_walks *w = t->walks;
	if (w)
		return w;
	w = pages_map(sizeof(*w));
	if (w)
		use_table(w);
	t->walks = w;
	return w;
}

static void clear_walks(struct birth_walks *w)
{
	pages_clear(&w->table, sizeof(w->table));
	use_table(w);
	memset(w->refused, 0, sizeof(w->refused));
	memset(&w->totals, 0, sizeof(w->totals));
}

static void clear_thread(struct birth_thread *t)
{
	/* Not `taken`: the thread may end right now. */
	pages_clear(t->narrow, sizeof(t->narrow));
	pages_clear(t->wide, sizeof(*t->wide));
	pages_clear(&t->doors, sizeof(t->doors));
	t->again.count = 0;
	birth_slots_use(&t->slots, t->narrow, t->narrow_used, BIRTH_SETS);
	/* Nor its thread's name, which was the last recording's: the sampler names it anew. */
	t->log = (struct event_log){.thread = 0};
	if (t->walks)
		clear_walks(t->walks);
}

void birth_blocks_clear(struct births *b)
{
	for (struct birth_thread *t = atomic_load(&b->threads); t; t = t->next)
		clear_thread(t);
}
