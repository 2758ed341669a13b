/*
 * Which class loaders are alive: the VM's own list of them (ClassLoaderDataGraph). A class goes
 * with its loader, and so do its methods and their code; what is loaded later may stand where they
 * were. A loader is named by where the VM keeps its data.
 *
 * Read while the program stands; nothing allocates but loaders_open. Where the VM does not tell,
 * all are alive.
 */
#ifndef EXACT_LOADERS_H
#define EXACT_LOADERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "hotspot/vm_structs.h"

/* A hidden class is one, too. Each has a kilobyte of the VM's memory or more. */
enum { LOADERS_MAX = 1 << 20 };

struct loaders {
	const uintptr_t *head;   /* where the VM has the first of them; NULL: it does not tell */
	uint32_t next, of_class; /* bytes: in a loader's data; in a Klass */
	uintptr_t *set;          /* owned; open addressing in the first `room`; 0: none */
	size_t room;
	uint64_t sum; /* of those: other loaders, most likely another sum */
};

/* 0 or ERR_NOMEM. */
int loaders_open(struct loaders *l, const struct vm_structs *s) MF_MUST_USE;
void loaders_release(struct loaders *l);

/* Of a class that is loaded; 0: not told. */
uintptr_t loaders_of(const struct loaders *l, uintptr_t klass);
/* The same of a class that may have been unloaded (method_peek.h); 0 too if it can't be read. */
uintptr_t loaders_peek(const struct loaders *l, uintptr_t klass);
/* Takes down who is alive now; of more than LOADERS_MAX nobody, for then it is not known whose
 * classes can be read. False: not told. */
bool loaders_read(struct loaders *l);
/* The same, but of the oldest alone, the VM's own, which never goes: where another may have come to
 * the place of one that went since the last time, and has its name. */
bool loaders_read_oldest(struct loaders *l);
/* Whether it was there when they were read last, and that said yes; 0 always is. */
bool loaders_alive(const struct loaders *l, uintptr_t loader);

#endif
