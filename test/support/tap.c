#include "support/tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct tap_test *first, **last = &first;
static int failures; /* of the test that runs */

void tap_register(struct tap_test *test)
{
	*last = test;
	last = &test->next;
}

uint64_t tap_seed(void)
{
	const char *text = getenv("TEST_SEED");
	return text ? strtoull(text, NULL, 0) : 20260101;
}

void tap_check(bool ok, const char *file, int line, const char *format, ...)
{
	if (ok)
		return;
	failures++;
	va_list args;
	va_start(args, format);
	printf("# %s:%d: ", file, line);
	vprintf(format, args);
	printf("\n");
	va_end(args);
}

static bool run(const struct tap_test *test, int number)
{
	failures = 0;
	test->run();
	printf("%s %d - %s\n", failures ? "not ok" : "ok", number, test->name);
	fflush(stdout);
	return failures == 0;
}

int main(int argc, char **argv)
{
	const char *only = argc > 1 ? argv[1] : NULL;
	int number = 0, bad = 0;
	for (const struct tap_test *t = first; t; t = t->next)
		if (!only || strcmp(only, t->name) == 0)
			bad += !run(t, ++number);
	printf("1..%d\n", number);
	if (bad)
		printf("# %d failed; seed %llu\n", bad, (unsigned long long)tap_seed());
	return bad || !number;
}
