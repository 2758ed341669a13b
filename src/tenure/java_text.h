/*
 * Names as the VM gives them: modified UTF-8, in which what UTF-16 has as a pair is two sequences
 * of three bytes. Files have UTF-8, which knows no such halves.
 */
#ifndef TENURE_JAVA_TEXT_H
#define TENURE_JAVA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether it can be said in UTF-8: no half without its other one, no NUL, nothing that is no
 * character. */
bool java_text_is_whole(const char *text);
/* The UTF-16 unit of the half pair that begins there; 0: none does. */
uint32_t java_text_half(const char *at);
/* From UTF-8. The caller owns it (mem_free); NULL: out of memory. */
char *java_text_of(const char *utf8);

#endif
