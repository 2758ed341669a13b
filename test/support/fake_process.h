/*
 * A process that answers like a Java VM's attach listener, and the /proc tree that describes it,
 * both made up. It is process `pid` out here and 7 in its container.
 */
#ifndef SUPPORT_FAKE_PROCESS_H
#define SUPPORT_FAKE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/compiler.h"

enum fake_mode {
	FAKE_IDLE,      /* never listens; exits 1 if it gets SIGQUIT, 0 on SIGTERM */
	FAKE_LISTENING, /* listens from the start */
	FAKE_ON_QUIT,   /* listens once it gets SIGQUIT and sees .attach_pid7 */
	FAKE_SILENT,    /* listens, takes the request, never answers */
};

enum { FAKE_NSPID = 7 };

/* The name of its only thread, by which it says that it has started. */
#define FAKE_THREAD "task/8/comm"

struct fake_process {
	char proc[64]; /* stands for /proc */
	char tmp[96];  /* stands for /tmp in the container */
	pid_t pid;
};

/* Starts it and waits until it is ready. reply, of len bytes, is its answer to any request. */
void fake_process_start(
	struct fake_process *vm, enum fake_mode mode, const char *reply, size_t len);

/* Ends it with SIGTERM and removes the tree; returns its exit status. */
int fake_process_stop(struct fake_process *vm);

/* The bytes of the last request, read back from a file that it keeps. Returns their number. */
size_t fake_process_request(const struct fake_process *vm, char *out, size_t size);

/* Writes proc/PID/NAME. */
void fake_process_file(const struct fake_process *vm, const char *name, const char *format, ...)
	MF_PRINTF(3, 4);

/* Writes proc/PID/status with this state and mask of handled signals. */
void fake_process_status(const struct fake_process *vm, char state, unsigned long long caught);

#endif
