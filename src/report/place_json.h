/* The part of a row in JSON that says where it is: `class`, `frames`, `caller` … of
 * doc/report-json.md. */
#ifndef REPORT_PLACE_JSON_H
#define REPORT_PLACE_JSON_H

#include "analyze/path.h"
#include "analyze/row.h"
#include "report/document.h"

/* Sets them in `o`. */
void place_json(struct document *d, json_t *o, const struct model *m, const struct row *r);
/* One frame: `class`, `method`, `line` (null: unknown, or not wanted). */
json_t *frame_json(struct document *d, const struct model *m, uint32_t frame, bool with_line);
/* The place of a row by site or method, as a list of one; else an empty one. site: index. */
json_t *site_frames_json(struct document *d, const struct model *m, enum by by, uint32_t site);

/* {"bytes", "objects", "ci95", "samples"} of an amount. */
json_t *total_json(struct document *d, const struct total *t);
/* The frames of a path, each with its share. */
json_t *path_json(struct document *d, const struct model *m, const struct path *p);

#endif
