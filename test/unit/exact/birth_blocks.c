/* Threads and their blocks. */
#include "exact/birth_blocks.h"

#include <pthread.h>

#include "support/tap.h"

static struct births *begin(uint64_t every)
{
	static const struct birth_oracle oracle;
	struct births *b = births_get();
	EXPECT_INT(0, births_open(b, &oracle, NULL));
	births_walk(b, every, 1);
	return b;
}

struct visit {
	struct birth_thread *block;
	uint64_t objects; /* that it found in its first slot */
	uintptr_t doors;
};

/* A thread that counts one birth in its block's first slot. */
static void *visit(void *arg)
{
	struct visit *v = arg;
	EXPECT(!births_here && !births_doors_here);
	v->block = birth_block_begin(births_get());
	EXPECT(v->block && births_here == v->block && v->block->taken);
	v->objects = v->block->narrow[0][0].objects++;
	v->doors = births_doors_here;
	return NULL;
}

static struct visit in_a_thread(void)
{
	struct visit v = {.block = NULL};
	pthread_t thread;
	EXPECT_INT(0, pthread_create(&thread, NULL, visit, &v));
	pthread_join(thread, NULL);
	EXPECT(!v.block->taken);
	return v;
}

TEST(the_next_thread_goes_on_in_the_block_of_one_that_ended)
{
	struct births *b = begin(0);
	struct visit first = in_a_thread(), second = in_a_thread();
	EXPECT(first.block == second.block);
	EXPECT_INT(0, first.objects);
	EXPECT_INT(1, second.objects);
	EXPECT(first.doors && first.doors == second.doors);
	/* This thread's is another as long as one has it. */
	first.block->taken = true;
	struct birth_thread *mine = birth_block_begin(b);
	EXPECT(mine && mine != first.block && mine == births_here);
	first.block->taken = false;
	births_close(b);
}

TEST(cleared_blocks_stay_their_threads)
{
	struct births *b = begin(0);
	struct birth_thread *t = births_here ? births_here : birth_block_begin(b);
	struct birth_walks *w = birth_block_walks(t);
	EXPECT(w && birth_block_walks(t) == w);
	EXPECT(w->slots.sets == w->table.sets && w->slots.used_count == 0);
	t->narrow[3][1].objects = 7;
	t->doors.objects[5] = 7;
	t->again.count = 1;
	t->log.thread = 7;
	w->table.sets[9][0].objects = 7;
	w->refused[4] = 7;
	atomic_store(&w->totals.walks, 7);
	birth_slots_began(&w->slots, 9);
	birth_slots_began(&t->slots, 3);
	birth_blocks_clear(b);
	EXPECT(t->taken && births_here == t);
	EXPECT(!t->narrow[3][1].objects && !t->doors.objects[5] && !t->again.count);
	EXPECT_INT(0, t->log.thread); /* what the next recording calls it is not known yet */
	EXPECT(!w->table.sets[9][0].objects && !w->refused[4] && !w->totals.walks);
	EXPECT(!w->slots.used_count && !t->slots.used_count);
	EXPECT(birth_block_walks(t) == w);
	births_close(b);
}

TEST(threads_walk_at_turns_of_their_own)
{
	struct births *b = begin(1000);
	struct birth_thread one = {.countdown = 0}, other = {.countdown = 0};
	birth_block_seed(b, &one);
	birth_block_seed(b, &other);
	EXPECT(one.countdown && other.countdown && one.random != other.random);
	births_walk(b, 0, 1);
	birth_block_seed(b, &one);
	EXPECT_INT(0, one.countdown);
	births_close(b);
}
