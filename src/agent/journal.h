/*
 * The blocks between the callbacks and the writer thread. Callbacks append records to the
 * current block; full ones queue up; the writer takes them, and gives them back empty. The
 * number of blocks is fixed at the start, so that memory is bounded (what was never written to
 * takes none): where the writer can't keep up, samples are refused before they begin, and counted.
 *
 *   callbacks → [current] → full queue → writer (seal, write) → free → …
 *
 * Everything here is protected by the recorder's lock, but for a block that journal_take gave
 * out: that is the writer's alone until journal_give_back.
 */
#ifndef AGENT_JOURNAL_H
#define AGENT_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/primer.h"
#include "trace/block.h"

enum {
	JOURNAL_BLOCKS = 36,
	JOURNAL_RESERVE = 3, /* kept back from all else, so that what must be written finds room */
	/* Kept back from samples: all sites of the exact engine, of a frame each, which a start may
	 * bring faster than they are written, and what is counted of them. */
	JOURNAL_NAMES = 24,
};

struct journal {
	struct block blocks[JOURNAL_BLOCKS];
	struct block *current;
	struct block *full[JOURNAL_BLOCKS]; /* oldest first */
	struct block *free[JOURNAL_BLOCKS];
	uint32_t full_count, free_count;
	struct primer *primer; /* takes definitions too; borrowed; NULL: nobody wants them */
	bool ended;            /* the end record is in it */
};

int journal_init(struct journal *j, struct ns now);
void journal_release(struct journal *j);

/* Whether a sample may begin: all records it can bring will find room. */
bool journal_has_room(const struct journal *j);
/* The same of what is told once, as names are, or sums up much. */
bool journal_has_name_room(const struct journal *j);
/* The same of what is seldom and must be told, and takes of what is kept back, but for a block. */
bool journal_has_last_room(const struct journal *j);
/* Appends, opening a fresh block where needed. Nothing follows the end record. 0, ERR_FULL (no
 * block is free, or it has ended), ERR_LIMIT. */
int journal_put(struct journal *j, struct ns now, const struct record *r);
/* Queues the current block if it holds anything and another is free. */
void journal_push(struct journal *j, struct ns now);
/* The oldest full block, or NULL. */
struct block *journal_take(struct journal *j);
void journal_give_back(struct journal *j, struct block *b);

#endif
