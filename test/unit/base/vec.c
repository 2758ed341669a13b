#include "base/vec.h"

#include "support/tap.h"

TEST(grows_and_keeps)
{
	VEC(int) v = {0};
	for (int i = 0; i < 1000; i++)
		EXPECT_INT(0, vec_push(&v, i));
	EXPECT_INT(1000, v.count);
	for (int i = 0; i < 1000; i++)
		EXPECT_INT(i, v.at[i]);
	vec_release(&v);
	EXPECT_INT(0, v.count);
}

TEST(out_of_memory_keeps_the_old)
{
	VEC(int) v = {0};
	EXPECT_INT(0, vec_push(&v, 7));
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, vec_reserve(&v, 1000));
	mem_fail_at(0);
	EXPECT_INT(7, v.at[0]);
	vec_release(&v);
	VEC(long) w = {0};
	EXPECT_INT(ERR_NOMEM, vec_reserve(&w, SIZE_MAX / 2));
}

TEST(no_more_room_than_asked_for)
{
	VEC(int) v = {0};
	EXPECT_INT(0, vec_reserve_only(&v, 3));
	EXPECT_INT(3, v.room);
	for (int i = 0; i < 4; i++)
		EXPECT_INT(0, vec_push(&v, i));
	EXPECT(v.room > 4);
	EXPECT_INT(0, vec_reserve_only(&v, 1));
	vec_fit(&v);
	EXPECT_INT(4, v.room);
	EXPECT_INT(3, v.at[3]);
	v.count = 0;
	vec_fit(&v);
	EXPECT_INT(0, v.room);
	EXPECT(!v.at);
	VEC(long) w = {0};
	EXPECT_INT(ERR_NOMEM, vec_reserve_only(&w, SIZE_MAX / 2));
}

TEST(what_cannot_be_given_back_stays)
{
	VEC(int) v = {0};
	EXPECT_INT(0, vec_reserve(&v, 100));
	EXPECT_INT(0, vec_push(&v, 7));
	size_t room = v.room;
	mem_fail_at(1);
	vec_fit(&v);
	EXPECT_INT(ERR_NOMEM, vec_reserve_only(&v, 1000));
	mem_fail_at(0);
	EXPECT_INT(room, v.room);
	EXPECT_INT(7, v.at[0]);
	vec_release(&v);
}
