/* A mapped file that is cut while it is read: whoever owns it can do that at any time. */
#ifndef CLI_SHRUNK_H
#define CLI_SHRUNK_H

/* From now on such a read ends the program with a sentence and 1, and not as a crash. */
void shrunk_watch(void);

#endif
