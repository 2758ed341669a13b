/* VMs that are tables of flags. */
#include "agent/class_cache.h"

#include "support/tap.h"
#include "support/vm_flag_table.h"

static const char *output, *mode;
static struct vm_flag_row rows[] = {
	{&output, "AOTCacheOutput", FLAG_TEXT, 0}, {&mode, "AOTMode", FLAG_TEXT, 0}};

static bool is_made(const char *the_output, const char *the_mode)
{
	struct vm_flags f = vm_flag_table(rows, 2);
	output = the_output;
	mode = the_mode;
	return class_cache_is_made(&f);
}

TEST(by_either_flag)
{
	EXPECT(is_made("app.aot", NULL));
	EXPECT(is_made("app.aot", "auto"));
	EXPECT(is_made(NULL, "record"));
}

TEST(not_where_one_is_used)
{
	EXPECT(!is_made(NULL, NULL));
	EXPECT(!is_made("", "auto"));
	EXPECT(!is_made(NULL, "on"));
}

TEST(a_vm_that_has_no_such_flags)
{
	struct vm_flags f = vm_flag_table(rows, 0);
	EXPECT(!class_cache_is_made(&f));
}
