/* What holds for the recording, written at its beginning (doc/trace-format.md, section 4). */
#ifndef AGENT_FACTS_H
#define AGENT_FACTS_H

struct session;

void facts_write(struct session *s);

#endif
