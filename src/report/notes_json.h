/* Sentences as a list of JSON texts: the key `notes` of documents (doc/report-json.md). */
#ifndef REPORT_NOTES_JSON_H
#define REPORT_NOTES_JSON_H

#include "analyze/notes.h"
#include "report/document.h"

/* NULL or a failed document: out of memory. */
json_t *notes_json(struct document *d, const struct notes *n);

#endif
