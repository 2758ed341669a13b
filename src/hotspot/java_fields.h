/* The stream in which the VM (JDK 21 and later) keeps what it knows of a class's fields. */
#ifndef HOTSPOT_JAVA_FIELDS_H
#define HOTSPOT_JAVA_FIELDS_H

#include <stdbool.h>

#include "base/slice.h"

/* Whether the text at an index of the class's constants is the wanted field's name. */
typedef bool java_fields_is(const void *arg, uint32_t name_index);

/* How many bytes into an object the first field of that name is, of those that Java declares.
 * Whether there is one. */
bool java_fields_offset(struct slice stream, java_fields_is *is, const void *arg, uint32_t *out);

#endif
