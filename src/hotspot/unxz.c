#include "hotspot/unxz.h"

#include <dlfcn.h>
#include <lzma.h>
#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"

enum { CHUNK = 16 << 10 };

struct lzma {
	void *library;
	lzma_ret (*open)(lzma_stream *s, uint64_t memory_max, uint32_t flags);
	lzma_ret (*code)(lzma_stream *s, lzma_action action);
	void (*end)(lzma_stream *s);
};

/* dlsym's object pointer as a function pointer, which ISO C has no cast for. */
static int find(void *library, const char *name, void *slot)
{
	void *symbol = dlsym(library, name);
	memcpy(slot, &symbol, sizeof(symbol));
	return symbol ? ERR_NONE : ERR_NOT_FOUND;
}

static int load(struct lzma *z, struct diag *d)
{
	z->library = dlopen("liblzma.so.5", RTLD_NOW | RTLD_LOCAL);
	bool all = z->library && !find(z->library, "lzma_stream_decoder", &z->open) &&
		   !find(z->library, "lzma_code", &z->code) &&
		   !find(z->library, "lzma_end", &z->end);
	if (all)
		return ERR_NONE;
	if (z->library)
		dlclose(z->library);
	return diag_set(d, ERR_UNSUPPORTED, "liblzma.so.5 is not there to unpack them");
}

static void *take(void *context, size_t count, size_t size)
{
	(void)context;
	return mem_zalloc(count, size);
}

static void give(void *context, void *at)
{
	(void)context;
	mem_free(at);
}

static int tell(lzma_ret answer, struct diag *d)
{
	static const struct {
		lzma_ret answer;
		int err;
		const char *text;
	} rows[] = {{LZMA_MEM_ERROR, ERR_NOMEM, "there is no memory to unpack them"},
		{LZMA_MEMLIMIT_ERROR, ERR_LIMIT, "unpacking them would take too much memory"},
		{LZMA_BUF_ERROR, ERR_TRUNCATED, "they end too early"}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].answer == answer)
			return diag_set(d, rows[i].err, "%s", rows[i].text);
	return diag_set(d, ERR_CORRUPT, "they are damaged");
}

/* One chunk, whether it is full or not. */
static lzma_ret next(const struct lzma *z, lzma_stream *s, struct buf *out)
{
	uint8_t chunk[CHUNK];
	s->next_out = chunk;
	s->avail_out = sizeof(chunk);
	lzma_ret answer = z->code(s, LZMA_FINISH);
	buf_put(out, chunk, sizeof(chunk) - s->avail_out);
	return answer;
}

static int unpack(const struct lzma *z, lzma_stream *s, struct buf *out, struct diag *d)
{
	size_t before = out->len;
	lzma_ret answer = z->open(s, UNXZ_MEMORY_MAX, 0);
	while (answer == LZMA_OK) {
		answer = next(z, s, out);
		if (out->len - before > UNXZ_OUTPUT_MAX)
			return diag_set(d, ERR_LIMIT, "they are too large");
		if (out->failed)
			return tell(LZMA_MEM_ERROR, d);
	}
	return answer == LZMA_STREAM_END ? ERR_NONE : tell(answer, d);
}

int unxz(struct buf *out, struct slice packed, struct diag *d)
{
	struct lzma z;
	static const lzma_allocator memory = {.alloc = take, .free = give};
	lzma_stream s = LZMA_STREAM_INIT;
	int err = load(&z, d);
	if (err)
		return err;
	s.allocator = &memory;
	s.next_in = packed.at;
	s.avail_in = packed.len;
	err = unpack(&z, &s, out, d);
	z.end(&s);
	dlclose(z.library);
	return err;
}
