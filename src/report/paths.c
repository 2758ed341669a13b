#include "report/paths.h"

#include <math.h>

#include "base/units.h"
#include "report/column.h"
#include "report/screen.h"
#include "report/short.h"

enum { INDENT_MAX = 200 };

struct todo {
	uint32_t node, indent;
	bool head; /* of a branch */
};

struct painter {
	struct buf *out;
	const struct view *v;
	const struct tree *t;
	enum metric metric;
	double all, least; /* bytes */
	bool drew, left_out;
	/* The nodes that are still to be drawn, next one last, with their indent. */
	VEC(struct todo) todo;
};

static const struct tree_node *node(const struct painter *p, uint32_t i)
{
	return &p->t->nodes.at[i];
}

static void put_name(struct painter *p, const struct tree_node *n)
{
	if (!n->is_class) {
		short_frame(p->out, p->v->model, n->def, true);
		return;
	}
	text_tone(p->out, &p->v->look, TONE_PLAIN, "");
	short_class(p->out, defs_class_name(&p->v->model->defs, n->def));
}

static void put_died(struct painter *p, const struct tree_node *n)
{
	struct buf cell = {0};
	put_percent(&cell, &p->v->look, tree_died_share(n), 0);
	text_pad(p->out, buf_slice(&cell), 8, true);
	buf_release(&cell);
}

static void put_line(struct painter *p, const struct todo *t)
{
	const struct tree_node *n = node(p, t->node);
	char size[UNITS_MAX];
	struct buf line = {0}, *out = p->out;
	p->out = &line;
	double bytes = n->bytes[p->metric];
	buf_printf(&line, "  %5.1f %%  %8s  ", p->all > 0 ? 100 * bytes / p->all : 0,
		units_bytes(bytes, size));
	put_died(p, n);
	text_blanks(&line, 2 + (t->indent < INDENT_MAX ? t->indent : INDENT_MAX));
	buf_put_str(&line, t->head ? text_mark(&p->v->look, "└ ", "+ ") : "  ");
	put_name(p, n);
	p->out = out;
	const struct look *look = &p->v->look;
	text_clip(out, buf_slice(&line), look->width ? (size_t)look->width : line.len, look);
	buf_put_u8(out, '\n');
	buf_release(&line);
}

/* Pushes the children that are large enough, the largest last. */
static int push_children(
	struct painter *p, const struct tree_node *n, uint32_t indent, bool is_root)
{
	size_t first = p->todo.count;
	for (uint32_t c = n->child; c; c = node(p, c)->next) {
		double bytes = node(p, c)->bytes[p->metric];
		p->left_out |= bytes > 0 && bytes < p->least;
		if (bytes < p->least || bytes <= 0)
			continue;
		if (vec_push(&p->todo, ((struct todo){c, indent, is_root})))
			return ERR_NOMEM;
	}
	size_t count = p->todo.count - first;
	if (!count)
		return ERR_NONE;
	struct todo *todo = p->todo.at + first;
	for (size_t i = 0; i < count && count > 1 && !is_root; i++) {
		todo[i].indent = indent + 2;
		todo[i].head = true;
	}
	for (size_t i = 0; i < count / 2; i++) {
		struct todo other = todo[i];
		todo[i] = todo[count - 1 - i];
		todo[count - 1 - i] = other;
	}
	return ERR_NONE;
}

static int paint(struct painter *p, uint32_t from, double least)
{
	p->all = node(p, from)->bytes[p->metric];
	p->least = least * p->all;
	int err = push_children(p, node(p, from), 0, true);
	p->drew = p->todo.count;
	while (p->todo.count && !err) {
		struct todo next = p->todo.at[--p->todo.count];
		put_line(p, &next);
		err = push_children(p, node(p, next.node), next.indent, false);
	}
	vec_release(&p->todo);
	return err ? err : p->out->failed;
}

int paths_put_below(struct buf *out, const struct view *v, const struct tree *t, uint32_t from,
	enum metric metric, double least)
{
	struct painter p = {.out = out, .v = v, .t = t, .metric = metric};
	return paint(&p, from, least);
}

static void put_left_out(const struct painter *p, double least)
{
	if (!p->drew)
		screen_nothing(p->out, p->left_out, "  Nothing of that passes the filter.\n");
	else if (p->left_out)
		buf_printf(p->out, "\n  Paths under %g %% are left out (--min shows them).\n",
			100 * least);
}

int paths_put(struct buf *out, const struct view *v, const struct tree *t, enum metric metric,
	double least, bool upward)
{
	struct painter p = {.out = out, .v = v, .t = t, .metric = metric};
	screen_head(out, v);
	buf_printf(out, "\n  %s; ", metric_help(metric));
	buf_printf(out, "%s\n\n  SHARE     BYTES      DIES IN  PATH\n                     GC 0\n",
		upward ? "classes, and who allocated them"
		       : "from the entry points to the classes");
	int err = paint(&p, 0, least);
	put_left_out(&p, least);
	buf_put_u8(out, '\n');
	screen_notes(out, v);
	return err ? err : out->failed;
}
