#include "hotspot/old_code.h"

#include <stddef.h>

#include "support/tap.h"

/* The VM's GrowableArray, as much of it as is read. */
static struct array {
	int32_t length, room;
	uintptr_t *data;
} array;
static const struct array *list;

static void once(uintptr_t *data, int32_t length)
{
	const struct old_code o = {(const uintptr_t *)(const void *)&list,
		offsetof(struct array, length), offsetof(struct array, data)};
	array = (struct array){length, length, data};
	list = &array;
	old_code_once(&o);
}

TEST(each_is_in_it_once)
{
	uintptr_t data[] = {30, 10, 20, 10, 30, 40, 10};
	once(data, 7);
	EXPECT_INT(4, array.length);
	for (uintptr_t i = 0; i < 4; i++)
		EXPECT_INT(10 * (i + 1), data[i]);
}

TEST(what_is_in_it_once_stays)
{
	uintptr_t data[] = {10, 20, 30};
	once(data, 3);
	EXPECT_INT(3, array.length);
	once(data, 1);
	EXPECT_INT(1, array.length);
	once(data, 0);
	EXPECT_INT(0, array.length);
}

TEST(there_need_be_no_list)
{
	const struct old_code unknown = {NULL, 0, 0},
			      none = {(const uintptr_t *)(const void *)&list, 0, 8};
	list = NULL;
	old_code_once(&unknown);
	old_code_once(&none);
}
