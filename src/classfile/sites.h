/*
 * The allocations of a method, and where the object of each is finished: an array where it is made,
 * an object where its constructor returns. Which call constructs which `new` is told by following
 * the object through stack, locals and branches (flow.h). A `new` whose object is constructed in
 * more than one place is finished in each of them.
 */
#ifndef CLASSFILE_SITES_H
#define CLASSFILE_SITES_H

#include "classfile/class_file.h"
#include "classfile/marks.h"

enum site_refusal {
#define SITE_REFUSAL(name, text) SITE_##name,
#include "classfile/site.def"
#undef SITE_REFUSAL
	SITE_REFUSALS
};

struct site {
	uint32_t bci;
	uint8_t op; /* OP_new, OP_newarray, OP_anewarray or OP_multianewarray */
	enum site_refusal refusal;
	/* As the instruction names it: the class of new, the elements' class of anewarray, the
	 * array's of multianewarray; for newarray its descriptor, such as [I. */
	struct slice named;
};

/* Where a finished object is when the instruction at `pc` is done. */
struct finish {
	uint32_t bci; /* of the site */
	uint32_t pc;
	bool on_top;    /* of the stack; */
	uint16_t local; /* else here */
};

struct sites {
	VEC(struct site) all;        /* in the order of the code */
	VEC(struct finish) finishes; /* of all that is not refused, and of some that is */
};

/*
 * 0, ERR_FORMAT with a sentence, or ERR_NOMEM. What makes it impossible to follow objects refuses
 * the sites that need it. f's pool is not changed. Release it in any case.
 */
int sites_find(struct sites *s, struct class_file *f, const struct class_method *m,
	const struct code *k, const struct marks *marks, struct diag *d);
void sites_release(struct sites *s);

/* The site at bci; NULL. */
struct site *sites_at(const struct sites *s, uint32_t bci);

const char *site_refusal_text(enum site_refusal r);

#endif
