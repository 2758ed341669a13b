#include "exact/pages.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/compiler.h"
#include "base/mem.h"

/* A sanitizer knows nothing of the end of what is mapped: there it gets a fence. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
enum { FENCE = 4096 };
#else
#define ASAN_POISON_MEMORY_REGION(at, bytes)   ((void)(at), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
enum { FENCE = 0 };
#endif

enum { PAGE = 4096 };

/* Behind each table, in a page of its own: what is cleared goes by whole pages. All are in a list.
 */
struct mapping {
	struct mapping *next, **before;
	void *at;
	size_t bytes; /* itself included */
};

static struct mapping *mappings;
static size_t mapping_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t mapping_at(size_t bytes)
{
	return (bytes + FENCE + PAGE - 1) / PAGE * PAGE;
}

static void enlist(struct mapping *m)
{
	pthread_mutex_lock(&lock);
	m->next = mappings;
	m->before = &mappings;
	if (m->next)
		m->next->before = &m->next;
	mappings = m;
	mapping_count++;
	pthread_mutex_unlock(&lock);
}

static void strike(struct mapping *m)
{
	pthread_mutex_lock(&lock);
	*m->before = m->next;
	if (m->next)
		m->next->before = m->before;
	mapping_count--;
	pthread_mutex_unlock(&lock);
}

void *pages_map(size_t bytes)
{
	size_t all = mapping_at(bytes) + sizeof(struct mapping);
	void *at = mmap(NULL, all, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	ASAN_POISON_MEMORY_REGION((uint8_t *)at + bytes, FENCE);
	struct mapping *m = (void *)((uint8_t *)at + mapping_at(bytes));
	*m = (struct mapping){.at = at, .bytes = all};
	enlist(m);
	return at;
}

void pages_clear(void *at, size_t bytes)
{
	if (at)
		madvise(at, bytes, MADV_DONTNEED);
}

void pages_unmap(void *at, size_t bytes)
{
	if (!at)
		return;
	struct mapping *m = (void *)((uint8_t *)at + mapping_at(bytes));
	strike(m);
	ASAN_UNPOISON_MEMORY_REGION((uint8_t *)at + bytes, FENCE);
	munmap(at, m->bytes);
}

/* -- What of them is there -- */

struct range {
	uint8_t *at;
	size_t bytes;
};

enum { LOOK_PAGES = 4096 };

/* Of a range that has gone meanwhile: none. */
static uint64_t count_resident(const struct range *r)
{
	unsigned char there[LOOK_PAGES];
	uint64_t count = 0;
	for (size_t done = 0; done < r->bytes; done += (size_t)LOOK_PAGES * PAGE) {
		size_t pages = (r->bytes - done + PAGE - 1) / PAGE;
		pages = pages < LOOK_PAGES ? pages : LOOK_PAGES;
		if (mincore(r->at + done, pages * PAGE, there))
			return count;
		for (size_t i = 0; i < pages; i++)
			count += there[i] & 1;
	}
	return count;
}

/* A copy of the list, so that nobody who maps waits for the kernel. Returns how many. */
static size_t list(struct range *to, size_t room)
{
	size_t n = 0;
	pthread_mutex_lock(&lock);
	for (const struct mapping *m = mappings; m && n < room; m = m->next)
		to[n++] = (struct range){m->at, m->bytes};
	pthread_mutex_unlock(&lock);
	return n;
}

static size_t mapped(void)
{
	pthread_mutex_lock(&lock);
	size_t count = mapping_count;
	pthread_mutex_unlock(&lock);
	return count;
}

uint64_t pages_resident(void)
{
	size_t room = mapped();
	struct range *ranges = room ? mem_zalloc(room, sizeof(*ranges)) : NULL;
	size_t n = ranges ? list(ranges, room) : 0;
	uint64_t pages = 0;
	for (size_t i = 0; i < n; i++)
		pages += count_resident(&ranges[i]);
	mem_free(ranges);
	return pages * PAGE;
}
