#include "exact/unloading.h"

#include <stddef.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "hotspot/java_stack.h"
#include "support/tap.h"
#include "support/vm_entries.h"

/* As the VM has it, as much as is looked at. */
struct loader {
	uint64_t other;
	struct loader *next;
};

enum { APP, PLUGIN, LOADERS, SITES = 4 };

static struct loader loaders[LOADERS], *head;
static struct births births;
static struct unloading unloading;
static unsigned answer;
static int asked, asked_unloaded;

static unsigned look(void *arg, bool unloaded)
{
	(void)arg;
	asked++;
	asked_unloaded += unloaded;
	return answer;
}

/* The code of the last site is another's. */
static bool replaced(void *arg, const struct exact_site *s)
{
	(void)arg;
	return s->key == SITES;
}

static void open_loaders(struct loaders *l)
{
	const struct vm_entry entries[] = {{.type = "ClassLoaderDataGraph",
						   .field = "_head",
						   .is_static = 1,
						   .address = &head},
		{.type = "ClassLoaderData",
			.field = "_next",
			.offset = offsetof(struct loader, next)},
		{.type = "Klass", .field = "_class_loader_data", .offset = 0}, VM_END};
	struct vm_structs s = vm_entries(entries);
	EXPECT_INT(0, loaders_open(l, &s));
}

static struct exact_site *site(uint32_t number)
{
	return &births.sites.at[SITE_FIRST + number];
}

static void house(uint32_t number, struct site_homes homes)
{
	site_table_house(&births.sites, site(number), &homes);
}

/* Sites of no class loader, all of which are there, and no thread that has counted any. */
static void begin(void)
{
	int fresh;
	births = (struct births){.epoch = 0};
	EXPECT_INT(0, site_table_init(&births.sites, SITE_FIRST));
	for (uint32_t i = 0; i < SITES; i++)
		site_table_find(&births.sites, i + 1, 1, SITES_MAX, &fresh);
	unloading =
		(struct unloading){.births = &births, .code = {.look = look, .replaced = replaced}};
	unloading.code_changes = java_code_changes();
	loaders[APP].next = &loaders[PLUGIN];
	loaders[PLUGIN].next = NULL;
	head = &loaders[APP];
	open_loaders(&unloading.loaders);
	answer = 0;
	asked = asked_unloaded = 0;
}

static void end(void)
{
	unloading_release(&unloading);
	site_table_release(&births.sites);
}

static unsigned retired(void)
{
	unsigned count = 0;
	for (uint32_t i = 0; i < SITES; i++)
		count += site(i)->retired ? 1u << i : 0;
	return count;
}

TEST(sites_go_with_a_loader_of_theirs)
{
	begin();
	house(0, (struct site_homes){.loader = (uintptr_t)&loaders[APP]});
	house(1, (struct site_homes){.loader = (uintptr_t)&loaders[PLUGIN]});
	house(2, (struct site_homes){.home = (uintptr_t)&loaders[PLUGIN]});
	house(3, (struct site_homes){.callers = {0, 0, (uintptr_t)&loaders[PLUGIN]}});
	unloading_look(&unloading);
	EXPECT_INT(0, retired());
	EXPECT_INT(0, births.epoch);
	loaders[APP].next = NULL;
	unloading_look(&unloading);
	EXPECT_INT(0xe, retired());
	EXPECT_INT(1, births.epoch);
	end();
}

/* What is asked of code next may not look at that of any. */
TEST(sites_of_loaders_that_are_too_many_go)
{
	struct loader *more = mem_zalloc(LOADERS_MAX, sizeof(*more));
	begin();
	house(1, (struct site_homes){.home = (uintptr_t)&loaders[PLUGIN]});
	for (size_t i = 0; i < LOADERS_MAX; i++) {
		more[i].next = head;
		head = &more[i];
	}
	unloading_look(&unloading);
	EXPECT_INT(2, retired());
	EXPECT_INT(1, asked_unloaded);
	end();
	mem_free(more);
}

/* Behind a collection that nobody told of: PLUGIN may be another. */
TEST(loaders_whose_place_may_be_anothers_go)
{
	volatile int64_t classes = 7;
	begin();
	head = &loaders[PLUGIN];
	loaders[PLUGIN].next = &loaders[APP]; /* the VM's own, then */
	loaders[APP].next = NULL;
	unloading_count(&unloading, &classes);
	house(0, (struct site_homes){.loader = (uintptr_t)&loaders[APP]});
	house(1, (struct site_homes){.home = (uintptr_t)&loaders[PLUGIN]});
	unloading_look_late(&unloading);
	EXPECT_INT(0, retired()); /* none was unloaded */
	EXPECT_INT(1, asked);
	classes = 8;
	unloading_look(&unloading);
	unloading_look_late(&unloading);
	EXPECT_INT(0, retired()); /* since the last look */
	classes = 9;
	unloading_look_late(&unloading);
	EXPECT_INT(2, retired());
	EXPECT_INT(2, asked_unloaded);
	EXPECT_INT(1, births.epoch);
	house(2, (struct site_homes){.home = (uintptr_t)&loaders[PLUGIN]});
	unloading_look_late(&unloading);
	EXPECT_INT(2, retired());
	unloading_count(&unloading, NULL); /* that is not known */
	unloading_look_late(&unloading);
	EXPECT_INT(6, retired());
	end();
}

/* Which of them it was is not known. */
TEST(a_path_of_many_loaders_goes_with_any)
{
	begin();
	unloading_look(&unloading);
	house(1, (struct site_homes){.many = true});
	unloading_look(&unloading);
	EXPECT_INT(0, retired());
	loaders[APP].next = NULL;
	unloading_look(&unloading);
	EXPECT_INT(2, retired());
	end();
}

TEST(code_is_asked_for_where_some_came_or_went)
{
	begin();
	unloading_look_code(&unloading);
	EXPECT_INT(0, asked);
	java_code_changed();
	unloading_look_code(&unloading);
	unloading_look_code(&unloading);
	EXPECT_INT(1, asked);
	EXPECT_INT(0, asked_unloaded);
	unloading_look(&unloading); /* whenever classes may have gone */
	EXPECT_INT(2, asked);
	EXPECT_INT(1, asked_unloaded);
	EXPECT_INT(0, retired());
	end();
}

TEST(sites_of_replaced_code_go)
{
	begin();
	answer = CODE_GONE;
	unloading_look(&unloading);
	EXPECT_INT(1u << (SITES - 1), retired());
	EXPECT_INT(0, births.epoch); /* addresses mean what they meant */
	answer = CODE_GONE | CODE_REDEFINED;
	unloading_look(&unloading);
	EXPECT_INT(1, births.epoch);
	end();
}

TEST(nobody_knows_of_code)
{
	begin();
	unloading.code.look = NULL;
	java_code_changed();
	unloading_look_code(&unloading);
	unloading_look(&unloading);
	EXPECT_INT(0, retired());
	end();
}
