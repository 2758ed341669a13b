#include "exact/pages.h"

#include <sys/mman.h>

void *pages_map(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return at == MAP_FAILED ? NULL : at;
}

void pages_clear(void *at, size_t bytes)
{
	if (at)
		madvise(at, bytes, MADV_DONTNEED);
}

void pages_unmap(void *at, size_t bytes)
{
	if (at)
		munmap(at, bytes);
}
