#include "agent/zstd_load.h"

#include <dlfcn.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "trace/format.h"

enum { LEVEL = 1, HURRY = -1 }; /* the host's processor is not ours to spend */

struct zstd {
	void *library;
	void *context;
	int level;
	void *(*create)(void);
	size_t (*destroy)(void *context);
	size_t (*compress)(
		void *context, void *out, size_t room, const void *in, size_t len, int level);
	unsigned (*is_error)(size_t result);
};

/* dlsym's object pointer as a function pointer, which ISO C has no cast for. */
static int find(void *library, const char *name, void *slot)
{
	void *symbol = dlsym(library, name);
	memcpy(slot, &symbol, sizeof(symbol));
	return symbol ? ERR_NONE : ERR_NOT_FOUND;
}

static int find_all(struct zstd *z)
{
	if (find(z->library, "ZSTD_createCCtx", &z->create) ||
		find(z->library, "ZSTD_freeCCtx", &z->destroy) ||
		find(z->library, "ZSTD_compressCCtx", &z->compress) ||
		find(z->library, "ZSTD_isError", &z->is_error))
		return ERR_NOT_FOUND;
	z->context = z->create();
	return z->context ? ERR_NONE : ERR_NOMEM;
}

static size_t compress(void *ctx, void *out, size_t room, const void *in, size_t len)
{
	struct zstd *z = ctx;
	size_t n = z->compress(z->context, out, room, in, len, z->level);
	return z->is_error(n) ? 0 : n;
}

static void zstd_free(struct zstd *z)
{
	if (z->context)
		z->destroy(z->context);
	dlclose(z->library);
	mem_free(z);
}

int zstd_load(struct codec *c)
{
	*c = (struct codec){0};
	void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return ERR_NOT_FOUND;
	struct zstd *z = mem_zalloc(1, sizeof(*z));
	if (!z) {
		dlclose(library);
		return ERR_NOMEM;
	}
	z->library = library;
	z->level = LEVEL;
	int err = find_all(z);
	if (err) {
		zstd_free(z);
		return err;
	}
	*c = (struct codec){.id = CODEC_ZSTD, .compress = compress, .ctx = z};
	return ERR_NONE;
}

void zstd_hurry(struct codec *c, bool hurry)
{
	struct zstd *z = c->ctx;
	if (z)
		z->level = hurry ? HURRY : LEVEL;
}

void zstd_unload(struct codec *c)
{
	if (c->ctx)
		zstd_free(c->ctx);
	*c = (struct codec){0};
}
