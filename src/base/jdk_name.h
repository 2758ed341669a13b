/* Whose code a class is: the JDK's own, or an application's. One rule for the agent's filters and
 * for the reports. */
#ifndef BASE_JDK_NAME_H
#define BASE_JDK_NAME_H

#include <stdbool.h>

#include "base/slice.h"

/* Whether the class (external name) is the JDK's own: java., javax., jdk., sun., com.sun. */
bool name_is_jdk(struct slice class_name);

#endif
