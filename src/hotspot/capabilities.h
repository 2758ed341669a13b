/*
 * What the exact engine could do in a VM, and why not: rules on what was found in its library and
 * on its release. Only a running VM tells which collector it uses and whether headers are compact.
 */
#ifndef HOTSPOT_CAPABILITIES_H
#define HOTSPOT_CAPABILITIES_H

#include "hotspot/fast_path.h"

enum capability {
#define CAPABILITY(id, name, text) CAPABILITY_##id,
#include "hotspot/capabilities.def"
#undef CAPABILITY
	CAPABILITIES
};

struct capability_answer {
	bool yes;
	char why[DIAG_MAX]; /* a phrase; may be empty with yes */
};

struct capabilities {
	struct capability_answer answers[CAPABILITIES];
};

/* `major`: of the release (17); 0: unknown. */
void capabilities_find(struct capabilities *c, const struct vm_library *l,
	const struct landmarks *m, unsigned major);
/* "births": one word or two, and what it means. */
const char *capability_name(enum capability id);
const char *capability_text(enum capability id);

#endif
