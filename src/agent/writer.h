/*
 * The agent's one thread: writes blocks, ticks, answers the control socket, and begins and ends
 * the recording when it is time. It is known to the VM only for the moments in which it begins
 * or ends a recording; otherwise it is invisible to it.
 */
#ifndef AGENT_WRITER_H
#define AGENT_WRITER_H

struct session;

/* 0 or ERR_NOMEM (no thread to be had). */
int writer_start(struct session *s);

#endif
