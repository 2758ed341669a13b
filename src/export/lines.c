#include "export/lines.h"

#include "base/error.h"
#include "report/quote.h"

int lines_head(struct lines *l, enum relation_id id)
{
	struct buf *text = &l->out->text;
	if (l->form == LINES_JSON)
		return ERR_NONE;
	for (const struct field *f = relation_at(id)->fields; f->name; f++) {
		if (f != relation_at(id)->fields)
			buf_put_u8(text, ',');
		buf_put_str(text, f->name);
	}
	buf_put_u8(text, '\n');
	return out_step(l->out);
}

static void put_value(struct lines *l, const struct field *f, const struct value *v)
{
	struct buf *text = &l->out->text;
	enum lines_form form = l->form;
	if (!v->known)
		buf_put_str(text, form == LINES_JSON ? "null" : "");
	else if (f->type == FIELD_COUNT)
		digits_count(text, v->count);
	else if (f->type == FIELD_MS)
		digits_millionth(text, v->count);
	else if (f->type == FIELD_NUMBER)
		digits_number(text, v->number, &l->memo);
	else if (form == LINES_JSON)
		quote_json(text, v->text);
	else
		quote_csv(text, v->text);
}

static void put_name(struct buf *text, const char *name, bool first)
{
	buf_put_str(text, first ? "{\"" : ",\"");
	buf_put_str(text, name);
	buf_put_str(text, "\":");
}

static int put(void *arg, enum relation_id id, const struct value *v)
{
	struct lines *l = arg;
	struct buf *text = &l->out->text;
	const struct field *first = relation_at(id)->fields;
	for (const struct field *f = first; f->name; f++, v++) {
		if (l->form == LINES_JSON)
			put_name(text, f->name, f == first);
		else if (f != first)
			buf_put_u8(text, ',');
		put_value(l, f, v);
	}
	buf_put_str(text, l->form == LINES_JSON ? "}\n" : "\n");
	return out_step(l->out);
}

struct rows lines_rows(struct lines *l)
{
	return (struct rows){.put = put, .arg = l};
}
