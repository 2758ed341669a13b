/* The study behind advice: it listens to a replay, then says what is worth changing. What `advise`
 * shows and the page carries. */
#ifndef CLI_ADVISING_H
#define CLI_ADVISING_H

#include "analyze/notes.h"
#include "report/advise_view.h"

struct advising {
	struct advise_query query;
	struct evidence_log log;
	struct advise advise;
	struct notes notes; /* of the trace, and of what can't be judged */
};

/* What is looked for, unless options say otherwise. */
struct advise_query advising_query(void);

/* Empty, to be given to advising_release. by_thread: the query's filter asks for threads. */
void advising_init(struct advising *a, const struct advise_query *q, bool by_thread);
void advising_release(struct advising *a);
/* The functions that fill it. */
struct listener advising_listener(struct advising *a);
/* To be called once, after the replay. 0 or ERR_NOMEM. */
int advising_find(struct advising *a, const struct model *m);
/* For the screen or JSON; the look is the caller's to set. */
struct advise_view advising_view(const struct advising *a, const struct model *m, const char *path);

#endif
