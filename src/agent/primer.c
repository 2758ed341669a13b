#include "agent/primer.h"

#include "base/error.h"

void primer_release(struct primer *p)
{
	for (size_t i = 0; i < p->blocks.count; i++) {
		block_release(p->blocks.at[i].block);
		mem_free(p->blocks.at[i].block);
	}
	vec_release(&p->blocks);
	vec_release(&p->sites);
	*p = (struct primer){.failed = false};
}

bool primer_wants(uint8_t kind)
{
	return kind <= RECORD_config || kind == RECORD_config_again;
}

static struct block *add_block(struct primer *p, struct ns now)
{
	struct block *b = mem_zalloc(1, sizeof(*b));
	if (b && !block_init(b, BLOCK_RECORDS) &&
		!vec_push(&p->blocks, ((struct primer_block){b}))) {
		block_reset(b, now);
		return b;
	}
	if (b)
		block_release(b);
	mem_free(b);
	return NULL;
}

static int append(struct primer *p, struct ns now, const struct record *r)
{
	struct block *b = p->blocks.count ? p->blocks.at[p->blocks.count - 1].block : NULL;
	int err = b ? block_append(b, r) : ERR_FULL;
	if (err != ERR_FULL)
		return err;
	b = add_block(p, now);
	return b ? block_append(b, r) : ERR_NOMEM;
}

void primer_put(struct primer *p, struct ns now, const struct record *r)
{
	if (r->kind == RECORD_config_again) {
		p->again = r->config_again;
		return;
	}
	if (r->kind == RECORD_config)
		p->again.config = 0;
	p->failed = append(p, now, r) || p->failed;
}

/* Behind the last block, where it does not end with it. */
static bool copy_in_force(const struct primer *p, struct block *out)
{
	const struct record r = {.kind = RECORD_config_again, .config_again = p->again};
	block_reset(out, (struct ns){p->again.time});
	return p->again.config && block_append(out, &r) == ERR_NONE;
}

bool primer_copy(const struct primer *p, size_t i, struct block *out)
{
	if (i == p->blocks.count)
		return copy_in_force(p, out);
	if (i > p->blocks.count)
		return false;
	const struct block *b = p->blocks.at[i].block;
	block_reset(out, (struct ns){b->first_time});
	buf_put(&out->raw, b->raw.at, b->raw.len);
	out->deltas = b->deltas;
	out->last_time = b->last_time;
	out->records = b->records;
	return true;
}

void primer_count(struct primer *p, uint64_t site, uint64_t objects, uint64_t bytes)
{
	while (p->sites.count <= site)
		if (vec_push(&p->sites, (struct primer_sum){0})) {
			p->failed = true;
			return;
		}
	p->sites.at[site].objects += objects;
	p->sites.at[site].bytes += bytes;
}

bool primer_sums(const struct primer *p, size_t *site, struct block *out)
{
	for (; *site < p->sites.count; ++*site) {
		const struct primer_sum *s = &p->sites.at[*site];
		const struct record r = {.kind = RECORD_site_before,
			.site_before = {.site = *site, .objects = s->objects, .bytes = s->bytes}};
		if (s->objects && block_append(out, &r))
			break;
	}
	return out->records > 0;
}
