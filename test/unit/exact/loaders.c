#include "exact/loaders.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"
#include "support/vm_entries.h"

/* As the VM has them, as much as is looked at. */
struct loader {
	uint64_t other;
	struct loader *next;
};

struct klass {
	uint64_t other[3];
	struct loader *loader;
};

static struct loader *head;

static int open_loaders(struct loaders *l, const char *field)
{
	const struct vm_entry entries[] = {{.type = "ClassLoaderDataGraph",
						   .field = "_head",
						   .is_static = 1,
						   .address = &head},
		{.type = "ClassLoaderData",
			.field = field,
			.offset = offsetof(struct loader, next)},
		{.type = "Klass",
			.field = "_class_loader_data",
			.offset = offsetof(struct klass, loader)},
		VM_END};
	struct vm_structs s = vm_entries(entries);
	return loaders_open(l, &s);
}

static uintptr_t name(const struct loader *l)
{
	return (uintptr_t)l;
}

static void chain(struct loader *all, size_t count, size_t step)
{
	head = NULL;
	for (size_t i = 0; i < count; i += step) {
		all[i].next = head;
		head = &all[i];
	}
}

TEST(those_in_the_list_are_alive)
{
	enum { MANY = 5000 };
	static struct loader all[MANY];
	struct loaders l;
	EXPECT_INT(0, open_loaders(&l, "_next"));
	for (size_t step = 1; step < 4; step++) {
		uint64_t sum = l.sum;
		chain(all, MANY, step);
		EXPECT(loaders_read(&l));
		EXPECT(l.sum != sum);
		sum = l.sum;
		EXPECT(loaders_read(&l));
		EXPECT_INT(sum, l.sum);
		for (size_t i = 0; i < MANY; i++)
			EXPECT_INT(i % step == 0, loaders_alive(&l, name(&all[i])));
		EXPECT(loaders_alive(&l, 0));
	}
	const struct klass k = {.loader = &all[7]};
	EXPECT(loaders_of(&l, (uintptr_t)&k) == name(&all[7]));
	EXPECT_INT(0, loaders_of(&l, 0));
	EXPECT(loaders_peek(&l, (uintptr_t)&k) == name(&all[7]));
	EXPECT_INT(0, loaders_peek(&l, 0));
	EXPECT_INT(0, loaders_peek(&l, 8)); /* nothing is there */
	loaders_release(&l);
}

TEST(the_oldest_alone)
{
	static struct loader all[3];
	struct loaders l;
	EXPECT_INT(0, open_loaders(&l, "_next"));
	chain(all, 0, 1);
	EXPECT(!loaders_read_oldest(&l));
	chain(all, 3, 1);
	EXPECT(loaders_read_oldest(&l));
	EXPECT(loaders_alive(&l, name(&all[0])) && loaders_alive(&l, 0));
	EXPECT(!loaders_alive(&l, name(&all[1])) && !loaders_alive(&l, name(&all[2])));
	loaders_release(&l);
}

TEST(more_than_there_is_room_for)
{
	struct loader *all = mem_alloc((LOADERS_MAX + 1) * sizeof(*all));
	struct loaders l;
	EXPECT_INT(0, open_loaders(&l, "_next"));
	chain(all, LOADERS_MAX, 1);
	EXPECT(loaders_read(&l));
	EXPECT(loaders_alive(&l, name(&all[LOADERS_MAX - 1])));
	chain(all, LOADERS_MAX + 1, 1);
	EXPECT(loaders_read(&l));
	EXPECT(!loaders_alive(&l, name(&all[0])));
	EXPECT(loaders_alive(&l, 0));
	chain(all, LOADERS_MAX, 1);
	EXPECT(loaders_read(&l));
	EXPECT(loaders_alive(&l, name(&all[0])));
	loaders_release(&l);
	mem_free(all);
}

TEST(a_vm_that_does_not_tell)
{
	static struct loader one;
	struct loaders l;
	const struct klass k = {.loader = &one};
	EXPECT_INT(0, open_loaders(&l, "_following"));
	chain(&one, 1, 1);
	EXPECT(!loaders_read(&l));
	EXPECT_INT(0, loaders_of(&l, (uintptr_t)&k));
	EXPECT_INT(0, loaders_peek(&l, (uintptr_t)&k));
	loaders_release(&l);
}
