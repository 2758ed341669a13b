#include "hotspot/trap.h"

#include <signal.h>
#include <sys/mman.h>

#include "base/error.h"
#include "support/library_file.h"
#include "support/tap.h"

/* push %rbp; mov %rsp, %rbp; lea 1(%rdi), %eax; pop %rbp; ret, and with an endbr64 */
static const uint8_t plain[] = {0x55, 0x48, 0x89, 0xe5, 0x8d, 0x47, 0x01, 0x5d, 0xc3},
		     marked[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0x8d, 0x47, 0x01,
			     0x5d, 0xc3},
		     other[] = {0x41, 0x57, 0xc3}, breakpoint[] = {0xcc, 0xc3};

static struct library_file file;
static uint8_t *base;
static size_t size;
static uint64_t first, second, odd, foreign;
static volatile int strangers;

static void on_stranger(int signal_number)
{
	(void)signal_number;
	strangers++;
}

/* The handler is the process's, taken once: the one before it is set before the first test. */
static void set_up(void)
{
	struct sigaction earlier = {.sa_flags = 0};
	if (base)
		return;
	earlier.sa_handler = on_stranger;
	sigaction(SIGTRAP, &earlier, NULL);
	first = library_file_function(&file, "a", plain, sizeof(plain), 64);
	second = library_file_function(&file, "b", marked, sizeof(marked), 64);
	odd = library_file_function(&file, "c", other, sizeof(other), 64);
	foreign = library_file_function(&file, "d", breakpoint, sizeof(breakpoint), 64);
	base = library_file_load(&file, &size);
}

static int call(uint64_t address, int x)
{
	uintptr_t at = (uintptr_t)base + address;
	return ((int (*)(int))at)(x);
}

static void count(void *arg)
{
	(*(int *)arg)++;
}

TEST(a_trap_at_an_entry)
{
	struct trap t, u;
	int hits = 0, more = 0;
	set_up();
	EXPECT_INT(0, trap_set(&t, base + first, count, &hits, NULL));
	EXPECT_INT(0, trap_set(&u, base + second, count, &more, NULL));
	EXPECT_INT(0xcc, base[first]);
	EXPECT_INT(0xcc, base[second + 4]);
	for (int i = 0; i < 3; i++)
		EXPECT_INT(i + 1, call(first, i));
	EXPECT_INT(8, call(second, 7));
	EXPECT_INT(3, hits);
	EXPECT_INT(1, more);
	EXPECT_INT(0, trap_clear(&t, NULL));
	EXPECT_INT(0, trap_clear(&t, NULL));
	EXPECT_INT(0x55, base[first]);
	EXPECT_INT(6, call(first, 5));
	EXPECT_INT(3, hits);
	EXPECT_INT(0, trap_clear(&u, NULL));
	EXPECT_INT(0, strangers);
}

TEST(again_and_again_at_the_same_place)
{
	struct trap t;
	set_up();
	for (int i = 0; i < 2 * TRAPS_MAX; i++) {
		int hits = 0;
		EXPECT_INT(0, trap_set(&t, base + first, count, &hits, NULL));
		EXPECT_INT(2, call(first, 1));
		EXPECT_INT(1, hits);
		EXPECT_INT(0, trap_clear(&t, NULL));
	}
}

TEST(traps_of_others)
{
	struct trap t;
	int hits = 0;
	set_up();
	EXPECT_INT(0, trap_set(&t, base + first, count, &hits, NULL));
	call(foreign, 0);
	EXPECT_INT(1, strangers);
	EXPECT_INT(0, hits);
	EXPECT_INT(0, trap_clear(&t, NULL));
}

TEST(other_beginnings)
{
	struct trap t;
	struct diag d = {""};
	set_up();
	EXPECT_INT(ERR_UNSUPPORTED, trap_set(&t, base + odd, count, NULL, &d));
	EXPECT_STR("the function does not begin with push %rbp", d.text);
	EXPECT_INT(0x41, base[odd]);
	EXPECT_INT(0, trap_clear(&t, NULL));
}

static struct sigaction found; /* by the one that comes later */
static volatile int seen;

static void pass_on(int number, siginfo_t *info, void *context)
{
	seen++;
	if (found.sa_flags & SA_SIGINFO)
		found.sa_sigaction(number, info, context);
}

static void come_later(void)
{
	struct sigaction later = {.sa_flags = SA_SIGINFO};
	later.sa_sigaction = pass_on;
	sigaction(SIGTRAP, &later, &found);
}

/* It hands on what it does not know, to us; what is nobody's comes back once, and goes to the
 * first. */
TEST(a_handler_that_comes_later)
{
	struct trap t;
	int hits = 0, before = strangers;
	set_up();
	EXPECT_INT(0, trap_set(&t, base + first, count, &hits, NULL));
	for (int i = 0; i < 20; i++) {
		come_later();
		EXPECT_INT(0, trap_guard());
		EXPECT_INT(6, call(first, 5));
	}
	EXPECT_INT(20, hits);
	EXPECT_INT(0, seen);
	call(foreign, 0);
	EXPECT_INT(1, seen);
	EXPECT_INT(before + 1, strangers);
	/* Without the guard it is asked first. */
	come_later();
	EXPECT_INT(6, call(first, 5));
	EXPECT_INT(21, hits);
	EXPECT_INT(2, seen);
	EXPECT_INT(0, trap_clear(&t, NULL));
}

/* It goes, and puts back what it found before we came. */
TEST(a_handler_that_takes_ours_away)
{
	struct trap t;
	struct sigaction none = {.sa_flags = 0}, now;
	int hits = 0;
	set_up();
	EXPECT_INT(0, trap_set(&t, base + first, count, &hits, NULL));
	none.sa_handler = SIG_DFL;
	sigaction(SIGTRAP, &none, NULL);
	EXPECT_INT(0, trap_guard());
	EXPECT_INT(6, call(first, 5));
	EXPECT_INT(1, hits);
	EXPECT_INT(0, trap_clear(&t, NULL));
	/* And one that is set anew takes care by itself. */
	sigaction(SIGTRAP, &none, &now);
	EXPECT(now.sa_flags & SA_SIGINFO);
	EXPECT_INT(0, trap_set(&t, base + first, count, &hits, NULL));
	EXPECT_INT(6, call(first, 5));
	EXPECT_INT(2, hits);
	EXPECT_INT(0, trap_clear(&t, NULL));
}
