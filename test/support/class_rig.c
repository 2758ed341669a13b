#include "support/class_rig.h"

#include <stdio.h>
#include <stdlib.h>

void class_rig_init(struct class_rig *r, struct class_maker *m)
{
	struct diag d = {""};
	*r = (struct class_rig){.method = NULL};
	class_maker_put(m, &r->bytes);
	class_maker_release(m);
	int err = class_file_read(&r->file, buf_slice(&r->bytes), &d);
	if (!err) {
		r->method = &r->file.methods.at[r->file.methods.count - 1];
		err = code_read(&r->code, r->method->code, &d);
	}
	if (err || marks_make(&r->marks, &r->code, &d)) {
		fprintf(stderr, "class_rig: %s\n", d.text);
		abort();
	}
	r->step = (struct stepper){
		.pool = &r->file.pool, .code = r->code.bytes, .this_class = r->file.this_class};
}

void class_rig_release(struct class_rig *r)
{
	marks_release(&r->marks);
	class_file_release(&r->file);
	buf_release(&r->bytes);
}
