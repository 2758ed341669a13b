#include "classfile/pool.h"

#include "base/error.h"

/* Bytes of a constant behind its tag; 0 where the tag is none. Utf8 has as many more as it says. */
static const uint8_t sizes[] = {[POOL_UTF8] = 2,
	[POOL_INTEGER] = 4,
	[POOL_FLOAT] = 4,
	[POOL_LONG] = 8,
	[POOL_DOUBLE] = 8,
	[POOL_CLASS] = 2,
	[POOL_STRING] = 2,
	[POOL_FIELD] = 4,
	[POOL_METHOD] = 4,
	[POOL_INTERFACE_METHOD] = 4,
	[POOL_NAME_AND_TYPE] = 4,
	[POOL_METHOD_HANDLE] = 3,
	[POOL_METHOD_TYPE] = 2,
	[POOL_DYNAMIC] = 4,
	[POOL_INVOKE_DYNAMIC] = 4,
	[POOL_MODULE] = 2,
	[POOL_PACKAGE] = 2};

static bool takes_two(uint8_t tag)
{
	return tag == POOL_LONG || tag == POOL_DOUBLE;
}

/* Steps over one constant and gives its tag; 0 where there is none such. */
static uint8_t step_over(struct cursor *c)
{
	uint8_t tag = cursor_u8(c);
	uint8_t size = tag < ARRAY_SIZE(sizes) ? sizes[tag] : 0;
	if (tag == POOL_UTF8)
		cursor_bytes(c, cursor_be16(c));
	else
		cursor_bytes(c, size);
	return size ? tag : 0;
}

static int read_constant(struct pool *p, uint32_t count, struct cursor *c, struct diag *d)
{
	uint32_t at = (uint32_t)(c->at - p->bytes.at);
	uint8_t tag = step_over(c);
	if (c->err)
		return diag_set(d, c->err, "constant %zu at byte %u: %s", p->at.count, at,
			err_text(c->err));
	if (!tag)
		return diag_set(
			d, ERR_FORMAT, "constant %zu at byte %u has no known tag", p->at.count, at);
	if (takes_two(tag) && p->at.count + 1 >= count)
		return diag_set(d, ERR_FORMAT, "constant %zu at byte %u has no second half",
			p->at.count, at);
	int err = vec_push(&p->at, at);
	return err || !takes_two(tag) ? err : vec_push(&p->at, 0);
}

int pool_read(struct pool *p, struct slice file, struct cursor *c, struct diag *d)
{
	*p = (struct pool){.bytes = file};
	uint32_t count = cursor_be16(c);
	if (c->err || count == 0)
		return diag_set(d, c->err ? c->err : ERR_FORMAT, "there is no constant pool");
	int err = vec_reserve(&p->at, count);
	if (!err)
		err = vec_push(&p->at, 0);
	while (!err && p->at.count < count)
		err = read_constant(p, count, c, d);
	p->own = count;
	return err;
}

void pool_release(struct pool *p)
{
	vec_release(&p->at);
	buf_release(&p->added);
	map_release(&p->by_bytes);
}

/* The constant and all behind it; empty where there is none. */
static struct slice constant(const struct pool *p, uint32_t n)
{
	if (n == 0 || n >= p->at.count || (n < p->own && p->at.at[n] == 0))
		return slice(NULL, 0);
	struct slice all = n < p->own ? p->bytes : buf_slice(&p->added);
	uint32_t at = p->at.at[n];
	return at < all.len ? slice(all.at + at, all.len - at) : slice(NULL, 0);
}

enum pool_tag pool_tag(const struct pool *p, uint32_t n)
{
	struct slice s = constant(p, n);
	return s.len ? (enum pool_tag)s.at[0] : POOL_NONE;
}

/* The n-th number of two bytes behind the tag, of a constant that has it. */
static uint16_t part(struct slice constant, uint32_t n)
{
	struct cursor c = cursor_init(constant);
	cursor_bytes(&c, 1 + (size_t)2 * n);
	return cursor_be16(&c);
}

struct slice pool_utf8(const struct pool *p, uint32_t n)
{
	struct slice s = constant(p, n);
	if (pool_tag(p, n) != POOL_UTF8)
		return slice(NULL, 0);
	struct cursor c = cursor_init(s);
	cursor_u8(&c);
	return cursor_bytes(&c, cursor_be16(&c));
}

struct slice pool_class(const struct pool *p, uint32_t n)
{
	if (pool_tag(p, n) != POOL_CLASS)
		return slice(NULL, 0);
	return pool_utf8(p, part(constant(p, n), 0));
}

struct pool_member pool_member(const struct pool *p, uint32_t n)
{
	struct pool_member m = {.owner = slice(NULL, 0)};
	enum pool_tag tag = pool_tag(p, n);
	bool owned = tag >= POOL_FIELD && tag <= POOL_INTERFACE_METHOD;
	if (!owned && tag != POOL_DYNAMIC && tag != POOL_INVOKE_DYNAMIC)
		return m;
	struct slice s = constant(p, n);
	uint16_t name_and_type = part(s, 1);
	if (owned)
		m.owner = pool_class(p, part(s, 0));
	if (pool_tag(p, name_and_type) != POOL_NAME_AND_TYPE)
		return m;
	s = constant(p, name_and_type);
	m.name = pool_utf8(p, part(s, 0));
	m.descriptor = pool_utf8(p, part(s, 1));
	return m;
}

static bool is_added(const struct pool *p, uint64_t n, struct slice bytes)
{
	struct slice s = constant(p, (uint32_t)n);
	return s.len >= bytes.len && memcmp(s.at, bytes.at, bytes.len) == 0;
}

/* Makes room for all that adding changes, so that nothing is half added. */
static int reserve(struct pool *p, size_t len)
{
	int err = vec_reserve(&p->at, 2);
	if (!err)
		err = buf_reserve(&p->added, len);
	p->added.failed = 0; /* what is in it is whole */
	return err;
}

static int add(struct pool *p, struct slice bytes, uint16_t *out)
{
	uint64_t hash = hash_bytes(bytes.at, bytes.len);
	uint64_t *known = map_find(&p->by_bytes, hash);
	if (known && is_added(p, *known, bytes)) {
		*out = (uint16_t)*known;
		return ERR_NONE;
	}
	uint32_t takes = takes_two(bytes.at[0]) ? 2 : 1, n = pool_count(p);
	if (n + takes > POOL_COUNT_MAX)
		return ERR_FULL;
	int err = reserve(p, bytes.len);
	if (err || (err = map_put(&p->by_bytes, hash, n)))
		return err;
	for (uint32_t i = 0; i < takes; i++)
		p->at.at[p->at.count++] = i ? UINT32_MAX : (uint32_t)p->added.len;
	buf_put(&p->added, bytes.at, bytes.len);
	*out = (uint16_t)n;
	return ERR_NONE;
}

static int add_buf(struct pool *p, struct buf *b, uint16_t *out)
{
	int err = b->failed ? ERR_NOMEM : add(p, buf_slice(b), out);
	buf_release(b);
	return err;
}

int pool_add_utf8(struct pool *p, struct slice text, uint16_t *out)
{
	struct buf b = {0};
	if (text.len > UINT16_MAX)
		return ERR_LIMIT;
	buf_put_u8(&b, POOL_UTF8);
	buf_put_be16(&b, (uint16_t)text.len);
	buf_put(&b, text.at, text.len);
	return add_buf(p, &b, out);
}

static int add_pair(struct pool *p, enum pool_tag tag, uint16_t a, uint16_t b, uint16_t *out)
{
	uint8_t bytes[] = {
		(uint8_t)tag, (uint8_t)(a >> 8), (uint8_t)a, (uint8_t)(b >> 8), (uint8_t)b};
	return add(p, slice(bytes, sizeof(bytes)), out);
}

int pool_add_text(struct pool *p, enum pool_tag tag, struct slice text, uint16_t *out)
{
	uint16_t n;
	int err = pool_add_utf8(p, text, &n);
	if (err)
		return err;
	uint8_t bytes[] = {(uint8_t)tag, (uint8_t)(n >> 8), (uint8_t)n};
	return add(p, slice(bytes, sizeof(bytes)), out);
}

int pool_add_member(struct pool *p, enum pool_tag tag, const struct pool_member *m, uint16_t *out)
{
	uint16_t owner, name, descriptor, both;
	int err = pool_add_text(p, POOL_CLASS, m->owner, &owner);
	if (err || (err = pool_add_utf8(p, m->name, &name)) ||
		(err = pool_add_utf8(p, m->descriptor, &descriptor)) ||
		(err = add_pair(p, POOL_NAME_AND_TYPE, name, descriptor, &both)))
		return err;
	return add_pair(p, tag, owner, both, out);
}

int pool_add_bits(struct pool *p, enum pool_tag tag, uint64_t bits, uint16_t *out)
{
	size_t size = takes_two((uint8_t)tag) ? 8 : 4;
	uint8_t bytes[9] = {(uint8_t)tag};
	for (size_t i = 0; i < size; i++)
		bytes[1 + i] = (uint8_t)(bits >> (8 * (size - 1 - i)));
	return add(p, slice(bytes, 1 + size), out);
}
