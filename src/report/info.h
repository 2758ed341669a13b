/* What is in a trace, without its lives: for `mayfly info`. */
#ifndef REPORT_INFO_H
#define REPORT_INFO_H

#include "report/view.h"

/* The view's lifetimes are not used. 0 or ERR_NOMEM. */
int info_put(struct buf *out, const struct view *v);
int info_json(struct buf *out, const struct view *v);
/* "launch to the VM's end": how the recording ended, a phrase. */
const char *info_ending(const struct model *m);

#endif
