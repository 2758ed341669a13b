#include "export/out.h"

#include "base/error.h"

enum { PIECE = 64 * 1024 };

int out_flush(struct out *o)
{
	if (!o->err)
		o->err = o->text.failed;
	if (!o->err && o->text.len)
		o->err = o->sink.write(o->sink.arg, o->text.at, o->text.len);
	buf_clear(&o->text);
	return o->err;
}

int out_step(struct out *o)
{
	return o->text.len < PIECE && !o->text.failed && !o->err ? ERR_NONE : out_flush(o);
}

void out_release(struct out *o)
{
	buf_release(&o->text);
}
