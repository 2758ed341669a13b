/* Names as profiles of other tools have them. Not cleaned (report/text.h). */
#ifndef EXPORT_NAMING_H
#define EXPORT_NAMING_H

#include "base/buf.h"
#include "model/model.h"

/* The class's name; "(unknown)" where it has none. */
struct slice naming_class(const struct model *m, uint32_t class);
/* Appends "com.acme.Order.flush"; "(unknown)" where nothing is known. */
void naming_method(struct buf *out, const struct model *m, uint32_t method);

#endif
