/* The name of a thread, as the kernel has it: fifteen bytes, chosen by the process itself. */
#ifndef BASE_TASK_NAME_H
#define BASE_TASK_NAME_H

enum { TASK_NAME_MAX = 16 }; /* with its NUL */

/* tasks: the directory /proc/PID/task; id: of one in it. "" where it can't be read. */
void task_name_read(int tasks, const char *id, char out[TASK_NAME_MAX]);

#endif
