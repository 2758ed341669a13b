/* Sizes and times as people write them. Parsers take the whole text or nothing. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNITS_MAX = 32 };

/* "512", "512k", "1m", "2g", "1t" (upper case and a trailing b or ib too): powers of 1024. 0,
 * ERR_FORMAT or ERR_LIMIT (over 2^63). */
int units_parse_bytes(const char *text, uint64_t *bytes);
/* "250ms", "30s", "5m", "2h", and a bare number of seconds; decimals allowed. Result in ns. 0,
 * ERR_FORMAT or ERR_LIMIT. */
int units_parse_time(const char *text, uint64_t *ns);
/* A plain decimal number of at most max. 0, ERR_FORMAT or ERR_LIMIT. */
int units_parse_count(const char *text, uint64_t max, uint64_t *count);
/* Digits and nothing else, as a process id is, however large. */
bool units_is_digits(const char *text);

/* "1.5 GB": powers of 1000 or bytes, three significant digits; returns out, of at least UNITS_MAX
 * bytes. */
char *units_bytes(double bytes, char *out);
/* "92.4 s", "3.10 ms", "10 min 05 s", "2 h 05 min", "44 d 7 h": days from two of them on. */
char *units_time(double ns, char *out);
/* "12 345 678" with thin grouping by blanks. */
char *units_count(uint64_t count, char *out);

#endif
