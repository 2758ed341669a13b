/*
 * The agent's own file, kept open where the loader knows a library by its file and not by its name
 * (musl): a copy in the program's /tmp is removed once it is loaded (cli/ferry.h), and the next
 * copy would be loaded beside this one, as another agent. By the descriptor the next attach finds
 * it.
 */
#ifndef AGENT_OWN_FILE_H
#define AGENT_OWN_FILE_H

/* For good; again and again does nothing. */
void own_file_keep(void);

#endif
