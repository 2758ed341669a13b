#include "export/store.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "export/feed.h"
#include "support/export_of.h"
#include "support/tap.h"

struct folder {
	char path[32];
};

static struct folder make_folder(void)
{
	struct folder f = {"/tmp/mayfly-store-XXXXXX"};
	EXPECT(mkdtemp(f.path));
	return f;
}

static size_t files_in(const struct folder *f)
{
	size_t count = 0;
	DIR *d = opendir(f->path);
	while (d && readdir(d))
		count++;
	if (d)
		closedir(d);
	return count - 2; /* . and .. */
}

/* where: NULL, all. */
static int export_where(
	struct buf *got, const struct folder *f, struct export_of *x, const struct where *where)
{
	struct store s;
	struct sink sink = sink_buf(got);
	int err = store_open(&s, f->path, NULL);
	if (err)
		return err;
	EXPECT_INT(0, files_in(f));
	struct feed feed = {.rows = store_rows(&s),
		.relations = RELATIONS_ALL,
		.where = where ? where : &x->where,
		.file = "a.mfly"};
	struct listener l = feed_listener(&feed);
	err = export_of_sim(x, &export_of_hostile, false, &l);
	err = err ? err : feed_settled(&feed, &x->model, &x->ledger, &x->cells, &x->notes);
	err = err ? err : store_write(&s, &sink, NULL);
	feed_release(&feed);
	store_release(&s);
	return err;
}

static int export_db(struct buf *got, const struct folder *f, struct export_of *x)
{
	return export_where(got, f, x, NULL);
}

/* The database from its bytes. */
static sqlite3 *load(const struct buf *bytes)
{
	sqlite3 *db = NULL;
	EXPECT_INT(SQLITE_OK, sqlite3_open(":memory:", &db));
	uint8_t *copy = sqlite3_malloc64(bytes->len);
	EXPECT(copy);
	if (copy)
		memcpy(copy, bytes->at, bytes->len);
	EXPECT_INT(SQLITE_OK, sqlite3_deserialize(db, "main", copy, (sqlite3_int64)bytes->len,
				      (sqlite3_int64)bytes->len, SQLITE_DESERIALIZE_FREEONCLOSE));
	return db;
}

/* The one value of a query as text. */
static void expect(sqlite3 *db, const char *want, const char *query)
{
	sqlite3_stmt *statement = NULL;
	EXPECT_INT(SQLITE_OK, sqlite3_prepare_v2(db, query, -1, &statement, NULL));
	EXPECT_INT(SQLITE_ROW, sqlite3_step(statement));
	EXPECT_STR(want, (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
}

static void expect_count(sqlite3 *db, uint64_t want, const char *query)
{
	char text[32];
	snprintf(text, sizeof(text), "%llu", (unsigned long long)want);
	expect(db, text, query);
}

TEST(a_database)
{
	struct folder f = make_folder();
	struct export_of x;
	struct buf bytes = {0};
	EXPECT_INT(ERR_NONE, export_db(&bytes, &f, &x));
	sqlite3 *db = load(&bytes);
	expect(db, "ok", "PRAGMA integrity_check");
	expect(db, "1", "PRAGMA user_version");
	expect(db, "1", "SELECT value FROM meta WHERE key = 'tables'");
	expect_count(db, x.model.tallies.born, "SELECT count(*) FROM objects");
	expect_count(db, x.model.tallies.born, "SELECT count(*) FROM v_objects");
	expect_count(db, x.model.gcs.list.count, "SELECT count(*) FROM gcs");
	expect_count(db, x.ledger.accounts.count, "SELECT count(*) FROM v_sites");
	expect(db, "1", "SELECT abs(sum(share) - 1) < 1e-9 FROM v_sites");
	expect(db, "1",
		"SELECT abs((SELECT sum(alloc_bytes) FROM v_leaf) - sum(alloc_bytes)) < 1 FROM "
		"sites");
	expect(db, "1",
		"SELECT abs((SELECT sum(bytes) FROM ages) - sum(weight * size)) < 1 FROM objects");
	expect(db, "0",
		"SELECT count(*) FROM v_sites WHERE NOT (survives_1 BETWEEN survives_1_lo AND "
		"survives_1_hi AND survives_15 <= survives_1)");
	sqlite3_close(db);
	buf_release(&bytes);
	export_of_release(&x);
	EXPECT_INT(0, rmdir(f.path));
}

/* Each site has the same share as without a filter. */
TEST(shares_are_of_all_whatever_the_filter)
{
	struct folder f = make_folder();
	struct export_of x;
	struct buf bytes = {0};
	static struct where where;
	char query[96];
	EXPECT_INT(ERR_NONE, where_add(&where, "class=byte[]", NULL));
	EXPECT_INT(ERR_NONE, export_where(&bytes, &f, &x, &where));
	double all = 0;
	for (size_t i = 0; i < x.ledger.accounts.count; i++)
		all += x.ledger.accounts.at[i].tally.alloc.bytes.sum;
	sqlite3 *db = load(&bytes);
	expect(db, "byte[]", "SELECT DISTINCT class FROM v_sites");
	snprintf(query, sizeof(query),
		"SELECT abs(share * %.17g / alloc_bytes - 1) < 1e-9 FROM v_sites", all);
	expect(db, "1", query);
	sqlite3_close(db);
	buf_release(&bytes);
	export_of_release(&x);
	EXPECT_INT(0, rmdir(f.path));
}

TEST(hostile_names_stay_names)
{
	struct folder f = make_folder();
	struct export_of x;
	struct buf bytes = {0};
	EXPECT_INT(ERR_NONE, export_db(&bytes, &f, &x));
	sqlite3 *db = load(&bytes);
	expect(db, "<script>alert('\"x\"')</script>",
		"SELECT class FROM classes WHERE class LIKE '<script>%'");
	expect(db, "a.'? DROP TABLE sites? --.d:3",
		"SELECT replace(line, ';', '?') FROM v_frames WHERE line LIKE '%DROP%'");
	expect(db, "line?break?[31m", "SELECT class FROM classes WHERE class LIKE 'line%'");
	expect(db, "???? Größe", "SELECT class FROM classes WHERE class LIKE '?%'");
	sqlite3_close(db);
	buf_release(&bytes);
	export_of_release(&x);
	rmdir(f.path);
}

static int refuse(void *arg, const void *bytes, size_t len)
{
	(void)arg;
	(void)bytes;
	(void)len;
	return ERR_IO;
}

TEST(nothing_is_left_behind)
{
	struct folder f = make_folder();
	struct store s;
	struct diag d = {""};
	struct sink sink = {.write = refuse};
	EXPECT_INT(ERR_IO, store_open(&s, "/no/such/folder", &d));
	EXPECT(strstr(d.text, "/no/such/folder"));
	EXPECT_INT(ERR_NONE, store_open(&s, f.path, &d));
	EXPECT_INT(ERR_IO, store_write(&s, &sink, &d));
	store_release(&s);
	EXPECT_INT(0, files_in(&f));
	rmdir(f.path);
}

TEST(out_of_memory)
{
	struct folder f = make_folder();
	bool failed = false, done = false;
	for (uint64_t n = 1; n < 1u << 20 && !done; n += 1 + n / 4) {
		struct store s;
		struct buf bytes = {0};
		struct sink sink = sink_buf(&bytes);
		mem_fail_at(n);
		int err = store_open(&s, f.path, NULL);
		if (!err) {
			err = store_write(&s, &sink, NULL);
			store_release(&s);
		}
		mem_fail_at(0);
		EXPECT(err == ERR_NOMEM || err == ERR_NONE);
		failed |= err == ERR_NOMEM;
		done = err == ERR_NONE;
		buf_release(&bytes);
	}
	EXPECT(failed && done);
	EXPECT_INT(0, files_in(&f));
	rmdir(f.path);
}
