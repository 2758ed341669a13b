/*
 * The code that a site of the exact engine stands in, kept with the site: when other code comes to
 * stand there, or the class loaders of its classes go, the site is another's (exact/unloading.h).
 */
#ifndef AGENT_SITE_CODE_H
#define AGENT_SITE_CODE_H

#include "agent/code_watch.h"
#include "exact/births.h"
#include "exact/loaders.h"
#include "hotspot/code_blobs.h"
#include "hotspot/java_stack.h"
#include "hotspot/methods.h"

struct site_code {
	const struct code_blobs *blobs; /* borrowed, as these: */
	const struct vm_methods *methods;
	const struct loaders *loaders; /* NULL: not told */
	struct code_watch *watch;
};

/* The loader of a method's class (exact/loaders.h); 0: not told. */
uintptr_t site_code_home(const struct site_code *c, uintptr_t method);
/* Notes what is at the place now, in a new site; of a call path also whose code it is. */
void site_code_note(const struct site_code *c, struct exact_site *s, struct site_homes *homes,
	const struct birth_place *place);
/* While the program stands: whether other code stood where its code was as that was looked at. */
bool site_code_replaced(const struct site_code *c, const struct exact_site *s);

#endif
