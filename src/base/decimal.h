/*
 * Decimal numbers with a point, whatever locale the process has. The agent's is the program's: the
 * VM sets it as it starts, and strtod and printf go by it, with a comma in half of the world.
 */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

/* Digits, and a point and more of them where there is one: *end is behind. Without: 0, and *end is
 * text. */
double decimal_parse(const char *text, const char **end);
/* A number that printf wrote, with a point in it in place of what the locale has there. Returns
 * it. */
char *decimal_point(char *number);

#endif
