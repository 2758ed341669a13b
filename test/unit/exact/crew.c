#include "exact/crew.h"

#include <stdatomic.h>

#include "support/tap.h"

enum { ROUNDS = 2000 };

struct sheet {
	_Atomic unsigned by[CREW_MAX + 1];
};

static void sign(void *arg, uint32_t worker)
{
	struct sheet *s = arg;
	atomic_fetch_add(&s->by[worker], 1);
}

/* Each has been there once when crew_work returns. */
static void run(uint32_t count)
{
	struct crew crew;
	struct sheet sheet = {{0}};
	crew_start(&crew, count);
	for (unsigned i = 1; i <= ROUNDS; i++) {
		crew_work(&crew, sign, &sheet);
		for (uint32_t w = 0; w <= crew.count; w++)
			EXPECT_INT(i, sheet.by[w]);
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
