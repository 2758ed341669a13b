#include "base/mem.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic uint64_t held;
static _Atomic uint64_t peak;
static _Atomic uint64_t fail_countdown; /* 0: off; 1: every allocation fails */

static int must_fail(void)
{
	uint64_t n = atomic_load_explicit(&fail_countdown, memory_order_relaxed);
	if (n == 0)
		return 0;
	if (n == 1)
		return 1;
	atomic_store_explicit(&fail_countdown, n - 1, memory_order_relaxed);
	return 0;
}

static void *count_in(void *at)
{
	if (!at)
		return NULL;
	uint64_t size = malloc_usable_size(at);
	uint64_t now = atomic_fetch_add_explicit(&held, size, memory_order_relaxed) + size;
	uint64_t top = atomic_load_explicit(&peak, memory_order_relaxed);
	while (now > top && !atomic_compare_exchange_weak_explicit(
				    &peak, &top, now, memory_order_relaxed, memory_order_relaxed)) {
	}
	return at;
}

static void count_out(uint64_t size)
{
	atomic_fetch_sub_explicit(&held, size, memory_order_relaxed);
}

void *mem_alloc(size_t size)
{
	return must_fail() ? NULL : count_in(malloc(size ? size : 1));
}

void *mem_zalloc(size_t count, size_t size)
{
	return must_fail() ? NULL : count_in(calloc(count ? count : 1, size ? size : 1));
}

void *mem_realloc(void *at, size_t size)
{
	if (must_fail())
		return NULL;
	uint64_t before = at ? malloc_usable_size(at) : 0;
	void *moved = realloc(at, size ? size : 1);
	if (!moved)
		return NULL;
	count_out(before);
	return count_in(moved);
}

char *mem_strndup(const char *text, size_t len)
{
	char *copy = mem_alloc(len + 1);
	if (!copy)
		return NULL;
	if (len) /* of nothing there may be no address */
		memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

void mem_free(void *at)
{
	if (!at)
		return;
	count_out(malloc_usable_size(at));
	free(at);
}

uint64_t mem_held(void)
{
	return atomic_load_explicit(&held, memory_order_relaxed);
}

uint64_t mem_peak(void)
{
	return atomic_load_explicit(&peak, memory_order_relaxed);
}

void mem_fail_at(uint64_t n)
{
	atomic_store_explicit(&fail_countdown, n, memory_order_relaxed);
}
