#include "export/store.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "report/quote.h"
#include "report/text.h"

enum { CHUNK = 256 * 1024, PATH_ROOM = 4096 };

/* The file is new and goes away on any trouble: nothing is to be kept safe. The page size is for
 * few large writes. */
#define BEGIN                                                                                      \
	"PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"           \
	"PRAGMA locking_mode = EXCLUSIVE; PRAGMA application_id = 0x6d666c79;"                     \
	"PRAGMA user_version = 1; BEGIN EXCLUSIVE"

/* SQLite's memory through base/mem.h */

static void *take(int size)
{
	return mem_alloc((size_t)size);
}

static void *resize(void *at, int size)
{
	return mem_realloc(at, (size_t)size);
}

static int size_of(void *at)
{
	return at ? (int)malloc_usable_size(at) : 0;
}

static int round_up(int size)
{
	return (size + 7) & ~7;
}

static int start(void *arg)
{
	(void)arg;
	return SQLITE_OK;
}

static void stop(void *arg)
{
	(void)arg;
}

/* Refused, and not needed, where SQLite is in use already. */
static void use_mem(void)
{
	static const sqlite3_mem_methods methods = {.xMalloc = take,
		.xFree = mem_free,
		.xRealloc = resize,
		.xSize = size_of,
		.xRoundup = round_up,
		.xInit = start,
		.xShutdown = stop};
	(void)sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

static int error_of(int result)
{
	return result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW ? ERR_NONE
	       : (result & 0xff) == SQLITE_NOMEM                                    ? ERR_NOMEM
										    : ERR_IO;
}

void store_explain(const struct store *s, struct diag *d)
{
	if (s->db && error_of(sqlite3_errcode(s->db)) == ERR_IO)
		diag_set(d, ERR_IO, "the database could not be built: %s", sqlite3_errmsg(s->db));
}

static int run(struct store *s, const char *text)
{
	return error_of(sqlite3_exec(s->db, text, NULL, NULL, NULL));
}

/* Tables */

static const char *type_of(const struct field *f)
{
	static const char *const types[] = {[FIELD_COUNT] = "INTEGER",
		[FIELD_NUMBER] = "REAL",
		[FIELD_MS] = "REAL",
		[FIELD_TEXT] = "TEXT"};
	return types[f->type];
}

/* Their first field is the number that others name them by. An object's is not its own: after its
 * death another may have it. */
static bool has_key(enum relation_id id)
{
	return id == RELATION_classes || id == RELATION_methods || id == RELATION_frames ||
	       id == RELATION_sites || id == RELATION_gcs;
}

static int create_table(struct store *s, enum relation_id id)
{
	const struct relation *r = relation_at(id);
	struct buf text = {0};
	buf_printf(&text, "CREATE TABLE %s (", r->name);
	for (const struct field *f = r->fields; f->name; f++) {
		bool first = f == r->fields;
		if (!f->joined)
			buf_printf(&text, "%s%s %s%s", first ? "" : ", ", f->name, type_of(f),
				first && has_key(id) ? " PRIMARY KEY" : "");
	}
	buf_put_u8(&text, ')');
	int err = text.failed ? ERR_NOMEM : run(s, buf_text(&text));
	buf_release(&text);
	return err;
}

static int prepare_insert(struct store *s, enum relation_id id)
{
	const struct relation *r = relation_at(id);
	struct buf text = {0};
	buf_printf(&text, "INSERT INTO %s VALUES (", r->name);
	for (const struct field *f = r->fields; f->name; f++)
		if (!f->joined)
			buf_put_str(&text, f == r->fields ? "?" : ", ?");
	buf_put_u8(&text, ')');
	int err = text.failed ? ERR_NOMEM
			      : error_of(sqlite3_prepare_v3(s->db, buf_text(&text), -1,
					SQLITE_PREPARE_PERSISTENT, &s->inserts[id], NULL));
	buf_release(&text);
	return err;
}

static int create_tables(struct store *s)
{
	int err = run(s, BEGIN);
	for (int id = 0; id < RELATIONS && !err; id++)
		err = create_table(s, (enum relation_id)id);
	for (int id = 0; id < RELATIONS && !err; id++)
		err = prepare_insert(s, (enum relation_id)id);
	return err;
}

/* Opening */

static int open_file(struct store *s, const char *folder, char *path, struct diag *d)
{
	int len = snprintf(path, PATH_ROOM, "%s/.mayfly-XXXXXX", folder);
	if (len < 0 || len >= PATH_ROOM)
		return diag_set(d, ERR_LIMIT, "the path of the folder %s is too long", folder);
	s->fd = mkostemp(path, O_CLOEXEC);
	if (s->fd >= 0)
		return ERR_NONE;
	return diag_set(
		d, ERR_IO, "no file can be made in the folder %s: %s", folder, strerror(errno));
}

static int open_database(struct store *s, const char *path, struct diag *d)
{
	use_mem();
	int err = error_of(
		sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
	err = err ? err : create_tables(s);
	if (err)
		store_explain(s, d);
	return err;
}

int store_open(struct store *s, const char *folder, struct diag *d)
{
	char path[PATH_ROOM];
	*s = (struct store){.fd = -1};
	int err = open_file(s, folder, path, d);
	if (err)
		return err;
	err = open_database(s, path, d);
	unlink(path);
	if (err)
		store_release(s);
	return err;
}

/* Rows */

static int bind_text(struct store *s, sqlite3_stmt *statement, int place, struct slice text)
{
	if (quote_is_plain(text))
		return sqlite3_bind_text64(statement, place, text.len ? (const char *)text.at : "",
			text.len, SQLITE_STATIC, SQLITE_UTF8);
	buf_clear(&s->scratch);
	text_clean(&s->scratch, text);
	if (s->scratch.failed)
		return SQLITE_NOMEM;
	return sqlite3_bind_text64(statement, place, (const char *)s->scratch.at, s->scratch.len,
		SQLITE_TRANSIENT, SQLITE_UTF8);
}

static int64_t whole(uint64_t count)
{
	return count < INT64_MAX ? (int64_t)count : INT64_MAX;
}

static int bind(struct store *s, sqlite3_stmt *statement, int place, const struct field *f,
	const struct value *v)
{
	if (!v->known)
		return sqlite3_bind_null(statement, place);
	if (f->type == FIELD_COUNT)
		return sqlite3_bind_int64(statement, place, whole(v->count));
	if (f->type == FIELD_MS)
		return sqlite3_bind_double(statement, place, (double)v->count / 1e6);
	if (f->type == FIELD_NUMBER)
		return sqlite3_bind_double(statement, place, v->number);
	return bind_text(s, statement, place, v->text);
}

static int put(void *arg, enum relation_id id, const struct value *v)
{
	struct store *s = arg;
	sqlite3_stmt *statement = s->inserts[id];
	int place = 0, result = SQLITE_OK;
	for (const struct field *f = relation_at(id)->fields; f->name; f++, v++)
		if (!f->joined && result == SQLITE_OK)
			result = bind(s, statement, ++place, f, v);
	if (result == SQLITE_OK)
		result = sqlite3_step(statement);
	sqlite3_reset(statement);
	return error_of(result);
}

struct rows store_rows(struct store *s)
{
	return (struct rows){.put = put, .arg = s};
}

/* Writing */

static int copy(int fd, const struct sink *sink, struct diag *d)
{
	uint8_t *chunk = mem_alloc(CHUNK);
	int err = chunk ? ERR_NONE : ERR_NOMEM;
	off_t at = 0;
	while (!err) {
		ssize_t n = pread(fd, chunk, CHUNK, at);
		if (n < 0)
			err = diag_set(
				d, ERR_IO, "the database could not be read: %s", strerror(errno));
		if (n <= 0)
			break;
		err = sink->write(sink->arg, chunk, (size_t)n);
		at += n;
	}
	mem_free(chunk);
	return err;
}

static int close_database(struct store *s)
{
	for (int id = 0; id < RELATIONS; id++) {
		sqlite3_finalize(s->inserts[id]);
		s->inserts[id] = NULL;
	}
	int result = sqlite3_close(s->db);
	s->db = NULL;
	return error_of(result);
}

int store_write(struct store *s, const struct sink *sink, struct diag *d)
{
	static const char *const statements[] = {
#define STATEMENT(text) text,
#include "export/store_views.def"
#undef STATEMENT
		"COMMIT"};
	int err = ERR_NONE;
	for (size_t i = 0; i < ARRAY_SIZE(statements) && !err; i++)
		err = run(s, statements[i]);
	if (err) {
		store_explain(s, d);
		return err;
	}
	err = close_database(s);
	return err ? err : copy(s->fd, sink, d);
}

void store_release(struct store *s)
{
	close_database(s);
	buf_release(&s->scratch);
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
