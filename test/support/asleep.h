/* Waits until another thread of the process sleeps. */
#ifndef TEST_SUPPORT_ASLEEP_H
#define TEST_SUPPORT_ASLEEP_H

/* tid: the system's number of it. */
void asleep_wait(int tid);

#endif
