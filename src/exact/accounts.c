#include "exact/accounts.h"

#include "base/error.h"
#include "exact/pages.h"

int accounts_init(struct accounts *a)
{
	*a = (struct accounts){0};
	a->cells = pages_map(ACCOUNT_CELLS * sizeof(*a->cells));
	return a->cells ? ERR_NONE : ERR_NOMEM;
}

void accounts_release(struct accounts *a)
{
	pages_unmap(a->cells, ACCOUNT_CELLS * sizeof(*a->cells));
	a->cells = NULL;
}

static uint32_t held(const struct accounts *a)
{
	return atomic_load(&a->written) - atomic_load(&a->read);
}

static uint32_t used(const struct accounts *a)
{
	return atomic_load(&a->cells_written) - atomic_load(&a->cells_read);
}

bool accounts_room(const struct accounts *a, uint64_t cells)
{
	return held(a) < ACCOUNTS_ROOM && cells <= ACCOUNT_CELLS - used(a);
}

bool accounts_crowded(const struct accounts *a)
{
	return held(a) >= ACCOUNTS_ROOM / 2 || used(a) >= ACCOUNT_CELLS / 2;
}

/* Where nothing is to be read it begins anew: memory that was never needed is never touched. */
void accounts_cell(struct accounts *a, const struct account_cell *c)
{
	uint32_t written = atomic_load(&a->cells_written);
	if (!a->begun && !used(a))
		a->origin = written;
	a->cells[(written + a->begun++ - a->origin) & (ACCOUNT_CELLS - 1)] = *c;
}

void accounts_count(struct accounts *a, uint32_t site, enum account_what what, unsigned survived,
	uint64_t objects, uint64_t bytes)
{
	const struct account_cell cell = {site, (uint8_t)what, (uint8_t)survived, objects, bytes};
	if (objects)
		accounts_cell(a, &cell);
}

void accounts_put(struct accounts *a, const struct account *account)
{
	uint32_t at = atomic_load(&a->written), cells = atomic_load(&a->cells_written);
	struct account *slot = &a->at[at & (ACCOUNTS_ROOM - 1)];
	*slot = *account;
	slot->first = cells;
	slot->cells = a->begun;
	slot->origin = a->origin;
	atomic_store(&a->cells_written, cells + a->begun);
	a->begun = 0;
	atomic_store(&a->written, at + 1);
}

const struct account *accounts_next(const struct accounts *a)
{
	uint32_t at = atomic_load(&a->read);
	return at == atomic_load(&a->written) ? NULL : &a->at[at & (ACCOUNTS_ROOM - 1)];
}

const struct account_cell *accounts_at(
	const struct accounts *a, const struct account *account, uint32_t i)
{
	return &a->cells[(account->first + i - account->origin) & (ACCOUNT_CELLS - 1)];
}

void accounts_done(struct accounts *a)
{
	uint32_t at = atomic_load(&a->read);
	const struct account *slot = &a->at[at & (ACCOUNTS_ROOM - 1)];
	atomic_store(&a->cells_read, slot->first + slot->cells);
	atomic_store(&a->read, at + 1);
}
