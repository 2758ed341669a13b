#include "exact/pages.h"

#include <stdint.h>
#include <sys/mman.h>

/* A sanitizer knows nothing of the end of what is mapped: there it gets a fence. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
enum { FENCE = 4096 };
#else
#define ASAN_POISON_MEMORY_REGION(at, bytes)   ((void)(at), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
enum { FENCE = 0 };
#endif

void *pages_map(size_t bytes)
{
	void *at = mmap(NULL, bytes + FENCE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	ASAN_POISON_MEMORY_REGION((uint8_t *)at + bytes, FENCE);
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
	ASAN_UNPOISON_MEMORY_REGION((uint8_t *)at + bytes, FENCE);
	munmap(at, bytes + FENCE);
}
