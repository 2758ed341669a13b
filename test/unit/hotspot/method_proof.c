#include "hotspot/method_proof.h"

#include <sys/mman.h>
#include <unistd.h>

#include "support/tap.h"

enum { FUNCTIONS = 9 };

/* The VM's: a table of functions in the library, its copy in an archive, and one of another class.
 */
static uintptr_t table[FUNCTIONS] = {10, 20, 30, 40, 50, 60, 70, 80, 90};
static uintptr_t copy[FUNCTIONS] = {10, 20, 30, 40, 50, 60, 70, 80, 90};
static uintptr_t others[FUNCTIONS] = {10, 20, 31, 40, 50, 60, 70, 80, 90};
struct metadata {
	uintptr_t *functions;
	uintptr_t more;
};
static struct metadata of_library = {table, 1}, of_archive = {copy, 2}, other = {others, 3};

static uint64_t id_of(struct metadata **cell)
{
	return (uint64_t)(uintptr_t)cell;
}

static struct method_proof learned(void)
{
	struct method_proof p;
	struct metadata *sure = &of_library;
	EXPECT(method_proof_learn(&p, id_of(&sure)));
	return p;
}

TEST(methods_of_any_table_hold)
{
	struct method_proof p = learned();
	struct metadata *a = &of_library, *b = &of_archive, *c = &other;
	EXPECT(method_proof_holds(&p, id_of(&a)));
	EXPECT(method_proof_holds(&p, id_of(&b)));
	EXPECT(!method_proof_holds(&p, id_of(&c)));
}

/* The VM clears the ids of a class that goes, and says so when it is asked. */
TEST(one_that_is_cleared_holds)
{
	struct method_proof p = learned();
	uintptr_t cleared = 0, free_method = 55, neither = 56;
	EXPECT(method_proof_holds(&p, (uint64_t)(uintptr_t)&cleared));
	EXPECT(method_proof_holds(&p, (uint64_t)(uintptr_t)&free_method));
	EXPECT(!method_proof_holds(&p, (uint64_t)(uintptr_t)&neither));
}

TEST(what_cannot_be_read_does_not_hold)
{
	struct method_proof p = learned();
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *gone = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct metadata wild = {(uintptr_t *)(void *)gone, 1}, *to_wild = &wild;
	struct metadata *to_gone = (struct metadata *)(void *)gone;
	EXPECT(!method_proof_holds(&p, 0));
	EXPECT(!method_proof_holds(&p, 0x5a5a5a5a5a5a5a5aull));
	EXPECT(!method_proof_holds(&p, (uint64_t)(uintptr_t)gone));
	EXPECT(!method_proof_holds(&p, id_of(&to_gone)));
	EXPECT(!method_proof_holds(&p, id_of(&to_wild)));
	EXPECT(!method_proof_learn(&p, (uint64_t)(uintptr_t)gone));
	EXPECT(!method_proof_learn(&p, id_of(&to_wild)));
	munmap(gone, page);
}
