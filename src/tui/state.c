#include "tui/state.h"

#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "tui/grid.h"

#define SECOND    1000000000u
#define ROW_LEAST 0.005 /* as in mayfly report */
enum { ROWS_MAX = 1000 };

void state_init(struct state *s)
{
	*s = (struct state){.every = {SECOND}, .changed = true};
}

/* Whether the filter is one of `where`: then *w has it too. */
static bool add_filter(const char *filter, struct where *w, struct diag *d)
{
	return strchr(filter, '=') && where_add(w, filter, d) == ERR_NONE;
}

const char *state_text(const struct state *s)
{
	return strchr(s->filter, '=') ? "" : s->filter;
}

enum clock state_clock(const struct state *s)
{
	return s->clock_set ? s->clock : s->own;
}

struct query state_query(const struct state *s)
{
	struct query q = {.by = s->by,
		.sort = s->sort,
		.split = true,
		.least = *s->filter ? 0 : ROW_LEAST,
		.limit = ROWS_MAX,
		.clocks = 1u << state_clock(s),
		.where = s->always};
	add_filter(s->filter, &q.where, NULL);
	return q;
}

/* -- Moving -- */

static void move_to(struct state *s, size_t to)
{
	if (s->page == PAGE_TABLE)
		s->picked = to;
	else
		s->scroll = to;
}

static size_t position(const struct state *s)
{
	return s->page == PAGE_TABLE ? s->picked : s->scroll;
}

static void up(struct state *s, size_t by)
{
	move_to(s, position(s) > by ? position(s) - by : 0);
}

static void down(struct state *s, size_t by)
{
	move_to(s, position(s) + by);
}

static size_t screenful(const struct state *s)
{
	return s->height > 1 ? s->height - 1 : 1;
}

static size_t bounded(size_t at, size_t count)
{
	return at < count ? at : count ? count - 1 : 0;
}

void state_clamp(struct state *s)
{
	size_t most = s->lines > s->height ? s->lines - s->height : 0;
	s->scroll = s->scroll < most ? s->scroll : most;
	s->picked = bounded(s->picked, s->rows);
	if (s->page != PAGE_TABLE)
		return;
	size_t last_top = s->rows > s->height ? s->rows - s->height : 0;
	if (s->picked < s->top)
		s->top = s->picked;
	if (s->height && s->picked >= s->top + s->height)
		s->top = s->picked - s->height + 1;
	s->top = s->top < last_top ? s->top : last_top;
}

static void one_up(struct state *s)
{
	up(s, 1);
}

static void one_down(struct state *s)
{
	down(s, 1);
}

static void page_up(struct state *s)
{
	up(s, screenful(s));
}

static void page_down(struct state *s)
{
	down(s, screenful(s));
}

static void first(struct state *s)
{
	move_to(s, 0);
}

static void last(struct state *s)
{
	move_to(s, s->page == PAGE_TABLE ? bounded(s->rows, s->rows) : s->lines);
}

/* -- Pages -- */

static void turn_to(struct state *s, enum state_page page)
{
	s->page = s->page == page ? PAGE_TABLE : page;
	s->scroll = 0;
}

static void open_row(struct state *s)
{
	if (s->page == PAGE_TABLE && s->rows)
		turn_to(s, PAGE_DETAIL);
}

static void back(struct state *s)
{
	if (s->page == PAGE_TABLE && *s->filter) {
		s->filter[0] = '\0';
		s->changed = true;
	}
	if (s->page != PAGE_TABLE)
		turn_to(s, PAGE_TABLE);
}

static void advice(struct state *s)
{
	turn_to(s, PAGE_ADVICE);
}

static void notes(struct state *s)
{
	turn_to(s, PAGE_NOTES);
}

static void help(struct state *s)
{
	turn_to(s, PAGE_HELP);
}

/* -- Choices -- */

static void sort_by(struct state *s, enum sort sort)
{
	s->sort = sort;
	s->changed = true;
	/* On its own page a row stays the one it is. */
	if (s->page == PAGE_TABLE)
		s->picked = s->top = 0;
}

static void next_sort(struct state *s)
{
	sort_by(s, (enum sort)((s->sort + 1) % SORT_COUNT));
}

static void sort_alloc(struct state *s)
{
	sort_by(s, SORT_ALLOC);
}

static void sort_survived(struct state *s)
{
	sort_by(s, SORT_SURVIVED);
}

static void sort_died(struct state *s)
{
	sort_by(s, SORT_DIED);
}

static void sort_alive(struct state *s)
{
	sort_by(s, SORT_ALIVE);
}

static void next_by(struct state *s)
{
	/* What a row of another grouping was is none of this one. */
	if (s->page == PAGE_DETAIL)
		return;
	s->by = (enum by)((s->by + 1) % BY_COUNT);
	s->changed = true;
	s->picked = s->top = 0;
}

static void next_clock(struct state *s)
{
	s->clock = (enum clock)((state_clock(s) + 1) % CLOCKS);
	s->clock_set = true;
	s->changed = true;
}

static void next_columns(struct state *s)
{
	s->columns = (enum columns)((s->columns + 1) % COLUMNS_SETS);
}

static void pause_or_go_on(struct state *s)
{
	s->paused = !s->paused;
}

static const unsigned paces[] = {1, 2, 5, 10, 30, 60}; /* s */

static void slower(struct state *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(paces); i++)
		if (paces[i] * (uint64_t)SECOND > s->every.v) {
			s->every.v = paces[i] * (uint64_t)SECOND;
			return;
		}
}

static void faster(struct state *s)
{
	for (size_t i = ARRAY_SIZE(paces); i-- > 0;)
		if (paces[i] * (uint64_t)SECOND < s->every.v) {
			s->every.v = paces[i] * (uint64_t)SECOND;
			return;
		}
}

static void redraw(struct state *s)
{
	s->redraw = true;
}

static void quit(struct state *s)
{
	s->quit = true;
}

/* -- The filter's line -- */

static void begin_filter(struct state *s)
{
	if (s->page != PAGE_TABLE)
		return;
	s->typing = true;
	memcpy(s->typed, s->filter, sizeof(s->typed));
}

static void take_filter(struct state *s)
{
	struct where trial = s->always;
	s->typing = false;
	if (strchr(s->typed, '=') && !add_filter(s->typed, &trial, &s->wrong))
		return;
	memcpy(s->filter, s->typed, sizeof(s->filter));
	s->changed = true;
	s->picked = s->top = 0;
}

/* The last character goes, all bytes of it. */
static void rub_out(char *text)
{
	size_t len = strlen(text);
	while (len && ((unsigned char)text[--len] & 0xc0) == 0x80)
		;
	text[len] = '\0';
}

static void append(char *text, uint32_t code)
{
	struct buf one = {0};
	size_t len = strlen(text);
	grid_code(&one, code);
	if (!one.failed && len + one.len < WHERE_TEXT) {
		memcpy(text + len, one.at, one.len);
		text[len + one.len] = '\0';
	}
	buf_release(&one);
}

static void type(struct state *s, uint32_t key)
{
	static const uint32_t rubouts[] = {KEYS_BACKSPACE, 0x08, 0x7f};
	for (size_t i = 0; i < ARRAY_SIZE(rubouts); i++)
		if (key == rubouts[i]) {
			rub_out(s->typed);
			return;
		}
	if (key == '\r' || key == '\n')
		take_filter(s);
	else if (key == 0x1b)
		s->typing = false;
	else if (key == 0x15) /* Ctrl-U, as in a shell */
		s->typed[0] = '\0';
	else if (key >= 0x20 && key < KEYS_UP)
		append(s->typed, key);
}

static void (*const actions[ACTIONS])(struct state *) = {
	[ACTION_UP] = one_up,
	[ACTION_DOWN] = one_down,
	[ACTION_PAGE_UP] = page_up,
	[ACTION_PAGE_DOWN] = page_down,
	[ACTION_FIRST] = first,
	[ACTION_LAST] = last,
	[ACTION_OPEN] = open_row,
	[ACTION_BACK] = back,
	[ACTION_SORT] = next_sort,
	[ACTION_SORT_ALLOC] = sort_alloc,
	[ACTION_SORT_SURVIVED] = sort_survived,
	[ACTION_SORT_DIED] = sort_died,
	[ACTION_SORT_ALIVE] = sort_alive,
	[ACTION_BY] = next_by,
	[ACTION_CLOCK] = next_clock,
	[ACTION_COLUMNS] = next_columns,
	[ACTION_FILTER] = begin_filter,
	[ACTION_PAUSE] = pause_or_go_on,
	[ACTION_SLOWER] = slower,
	[ACTION_FASTER] = faster,
	[ACTION_ADVICE] = advice,
	[ACTION_NOTES] = notes,
	[ACTION_HELP] = help,
	[ACTION_REDRAW] = redraw,
	[ACTION_QUIT] = quit,
};

void state_key(struct state *s, uint32_t key)
{
	enum action action = keys_action(key);
	s->wrong.text[0] = '\0';
	if (key == KEYS_LOST)
		s->quit = true;
	else if (s->typing)
		type(s, key);
	else if (actions[action])
		actions[action](s);
}
