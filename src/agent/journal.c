#include "agent/journal.h"

#include "base/compiler.h"
#include "base/error.h"

int journal_init(struct journal *j, struct ns now)
{
	*j = (struct journal){0};
	for (int i = 0; i < JOURNAL_BLOCKS; i++) {
		if (block_init(&j->blocks[i], BLOCK_RECORDS)) {
			journal_release(j);
			return ERR_NOMEM;
		}
		j->free[j->free_count++] = &j->blocks[i];
	}
	j->current = j->free[--j->free_count];
	block_reset(j->current, now);
	return ERR_NONE;
}

void journal_release(struct journal *j)
{
	for (int i = 0; i < JOURNAL_BLOCKS; i++)
		block_release(&j->blocks[i]);
	*j = (struct journal){0};
}

bool journal_has_room(const struct journal *j)
{
	return j->free_count >= JOURNAL_RESERVE + JOURNAL_NAMES && !j->ended;
}

bool journal_has_name_room(const struct journal *j)
{
	return j->free_count >= JOURNAL_RESERVE && !j->ended;
}

bool journal_has_last_room(const struct journal *j)
{
	return j->free_count > 0 && !j->ended;
}

void journal_push(struct journal *j, struct ns now)
{
	if (j->current->records == 0 || j->free_count == 0)
		return;
	j->full[j->full_count++] = j->current;
	j->current = j->free[--j->free_count];
	block_reset(j->current, now);
}

static int append(struct journal *j, struct ns now, const struct record *r)
{
	if (j->ended)
		return ERR_FULL;
	j->ended = r->kind == RECORD_end;
	int err = block_append(j->current, r);
	if (err != ERR_FULL || j->free_count == 0)
		return err;
	journal_push(j, now);
	return block_append(j->current, r);
}

int journal_put(struct journal *j, struct ns now, const struct record *r)
{
	int err = append(j, now, r);
	if (!err && j->primer && primer_wants(r->kind))
		primer_put(j->primer, now, r);
	return err;
}

struct block *journal_take(struct journal *j)
{
	if (j->full_count == 0)
		return NULL;
	struct block *oldest = j->full[0];
	j->full_count--;
	for (uint32_t i = 0; i < j->full_count; i++)
		j->full[i] = j->full[i + 1];
	return oldest;
}

void journal_give_back(struct journal *j, struct block *b)
{
	j->free[j->free_count++] = b;
}
