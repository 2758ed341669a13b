#include "jvmstat/cycle_mark.h"

#include <unistd.h>

#include "base/error.h"
#include "jvmstat/perffile.h"

enum { FIELD_MIN = 64, PATH_ROOM = 1024 };

int cycle_mark_place(struct cycle_mark *m, volatile uint8_t *field, size_t room, struct diag *d)
{
	*m = (struct cycle_mark){0};
	if (room < FIELD_MIN)
		return diag_set(d, ERR_UNSUPPORTED,
			"this VM keeps only %zu bytes for the cause of a collection", room);
	/* Before the last byte, where the VM keeps a NUL for readers that trust it. */
	m->at = field + room - 2;
	*m->at = 1;
	return 0;
}

/* memory: the same as own, to be written. */
static int place_in(
	struct cycle_mark *m, const struct perfdata *own, uint8_t *memory, struct diag *d)
{
	struct counter_text cause = perfdata_text(own, "sun.gc.lastCause");
	if (!cause.at)
		return diag_set(d, ERR_NOT_FOUND, "this VM does not tell the cause of collections");
	return cycle_mark_place(m, memory + (cause.at - own->at), cause.room, d);
}

int cycle_mark_open_memory(struct cycle_mark *m, void *memory, size_t size, struct diag *d)
{
	struct perfdata own;
	*m = (struct cycle_mark){0};
	int err = perfdata_borrow(&own, memory, size, d);
	return err ? err : place_in(m, &own, memory, d);
}

int cycle_mark_open_self(struct cycle_mark *m, struct diag *d)
{
	*m = (struct cycle_mark){0};
	char path[PATH_ROOM];
	struct perfdata own;
	int err = perffile_find("/tmp", getpid(), geteuid(), path, sizeof(path), d);
	if (!err)
		err = perfdata_open_writable(&own, path, geteuid(), d);
	if (err)
		return err;
	err = place_in(m, &own, own.mapping, d);
	if (err)
		perfdata_release(&own);
	else
		m->counters = own;
	return err;
}

void cycle_mark_release(struct cycle_mark *m)
{
	if (m->at)
		*m->at = 0;
	perfdata_release(&m->counters);
	*m = (struct cycle_mark){0};
}

bool cycle_mark_gone(struct cycle_mark *m)
{
	if (!m->at || *m->at)
		return false;
	*m->at = 1;
	return true;
}
