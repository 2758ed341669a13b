/* A trace, opened and replayed: what the commands that read one begin with. Long reading shows its
 * progress. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "cli/progress.h"
#include "model/endings.h"
#include "model/replay.h"
#include "trace/codec.h"
#include "trace/source.h"

struct load {
	struct source source;
	struct progress progress;
	struct codec codec;
	struct reader reader;
	struct model model;
	struct block_info first; /* where the replay began */
	struct endings endings;  /* of load_endings */
};

/* Opens, and makes an empty model; *l stays where it is until load_close. 0 or an error with a
 * sentence (then nothing is held). */
int load_open(struct load *l, const char *path, struct diag *d);
/* Replays all of it into the model and the listener (NULL: nobody). As replay_run. */
int load_replay(struct load *l, const struct listener *listener, struct diag *d);
/* After it: reads the trace once more where it has events, into `endings`. 0, or an error with a
 * sentence. */
int load_endings(struct load *l, struct diag *d);
/* In place of it: they say that nobody did. */
void load_no_endings(struct load *l);
void load_close(struct load *l);

#endif
