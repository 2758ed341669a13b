/*
 * The test harness: TEST(name) { … } in any number, no main. Each test runs in this process,
 * in order; a failed EXPECT is reported and the test goes on. Output is TAP, so that ctest
 * and prove both understand it. TEST_SEED in the environment sets the seed of seeded tests.
 */
#ifndef SUPPORT_TAP_H
#define SUPPORT_TAP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

struct tap_test {
	const char *name;
	void (*run)(void);
	struct tap_test *next;
};

void tap_register(struct tap_test *test);
void tap_check(bool ok, const char *file, int line, const char *format, ...) MF_PRINTF(4, 5);
/* The seed of this run, printed when a test fails. */
uint64_t tap_seed(void);

#define TEST(name)                                                                                 \
	static void test_##name(void);                                                             \
	static struct tap_test entry_##name = {#name, test_##name, NULL};                          \
	__attribute__((constructor)) static void register_##name(void)                             \
	{                                                                                          \
		tap_register(&entry_##name);                                                       \
	}                                                                                          \
	static void test_##name(void)

#define EXPECT(cond) tap_check((cond), __FILE__, __LINE__, "%s", #cond)
#define EXPECT_INT(want, got)                                                                      \
	do {                                                                                       \
		long long want_ = (long long)(want), got_ = (long long)(got);                      \
		tap_check(want_ == got_, __FILE__, __LINE__, "%s: want %lld, got %lld", #got,      \
			want_, got_);                                                              \
	} while (0)
#define EXPECT_STR(want, got)                                                                      \
	do {                                                                                       \
		const char *want_ = (want), *got_ = (got);                                         \
		tap_check(got_ &&strcmp(want_, got_) == 0, __FILE__, __LINE__,                     \
			"%s:\n#   want \"%s\"\n#   got  \"%s\"", #got, want_,                      \
			got_ ? got_ : "(null)");                                                   \
	} while (0)
#define EXPECT_NEAR(want, got, tolerance)                                                          \
	do {                                                                                       \
		double want_ = (want), got_ = (got), tol_ = (tolerance);                           \
		tap_check(got_ >= want_ - tol_ && got_ <= want_ + tol_, __FILE__, __LINE__,        \
			"%s: want %.9g +- %.3g, got %.9g", #got, want_, tol_, got_);               \
	} while (0)

#endif
