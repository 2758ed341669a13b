#include "exact/crew.h"

#include <stdatomic.h>

#include "support/tap.h"

enum { ROUNDS = 2000, PIECES = 50 };

struct sheet {
	_Atomic unsigned next, inside;
	unsigned done[PIECES];
};

static void take(void *arg, uint32_t worker)
{
	struct sheet *s = arg;
	unsigned piece;
	(void)worker;
	atomic_fetch_add(&s->inside, 1);
	while ((piece = atomic_fetch_add(&s->next, 1)) < PIECES)
		s->done[piece]++;
	atomic_fetch_sub(&s->inside, 1);
}

/* All is done once when crew_work returns, and nobody is at it. */
static void run(uint32_t count)
{
	struct crew crew;
	crew_start(&crew, count);
	for (unsigned i = 1; i <= ROUNDS; i++) {
		struct sheet sheet = {0};
		unsigned done = 0;
		crew_work(&crew, take, &sheet);
		EXPECT_INT(0, sheet.inside);
		for (unsigned p = 0; p < PIECES; p++)
			done += sheet.done[p] == 1;
		EXPECT_INT(PIECES, done);
	}
	EXPECT(crew.count <= count);
	crew_stop(&crew);
	EXPECT_INT(0, crew.count);
	crew_stop(&crew); /* nobody is there */
}

TEST(nobody)
{
	run(0);
}

TEST(a_few)
{
	run(3);
}

TEST(no_more_than_there_is_room_for)
{
	struct crew crew;
	crew_start(&crew, 1000);
	EXPECT(crew.count <= CREW_MAX);
	crew_stop(&crew);
}

/* The crew comes to it while the caller holds its piece. */
struct meeting {
	sem_t came;
};

static void meet(void *arg, uint32_t worker)
{
	struct meeting *m = arg;
	if (worker)
		sem_post(&m->came);
	else
		sem_wait(&m->came);
}

TEST(they_do_come)
{
	struct crew crew;
	struct meeting m;
	sem_init(&m.came, 0, 0);
	crew_start(&crew, 1);
	EXPECT_INT(1, crew.count);
	for (int i = 0; i < ROUNDS; i++)
		crew_work(&crew, meet, &m);
	crew_stop(&crew);
	sem_destroy(&m.came);
}
