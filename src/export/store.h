/*
 * Rows (relation.h) as an SQLite database. It is built in a file without a name, so that nothing is
 * left behind however it ends, and then written to a sink.
 */
#ifndef EXPORT_STORE_H
#define EXPORT_STORE_H

#include "base/diag.h"
#include "export/relation.h"
#include "trace/sink.h"

struct sqlite3;
struct sqlite3_stmt;

struct store {
	struct sqlite3 *db;
	struct sqlite3_stmt *inserts[RELATIONS];
	struct buf scratch; /* a text, cleaned */
	int fd;             /* of its file, which has no name any more */
};

/*
 * Makes the tables, in a file in `folder` that loses its name at once. 0, ERR_NOMEM or ERR_IO with
 * a sentence (then nothing is held). Not from two threads at a time.
 */
int store_open(struct store *s, const char *folder, struct diag *d);
/* Takes rows until store_write. Errors: ERR_NOMEM, and ERR_IO, which store_explain tells of. */
struct rows store_rows(struct store *s);
/* Adds indexes and views, and writes all to the sink. 0, ERR_NOMEM, ERR_IO, with a sentence where
 * it is not the sink's fault. */
int store_write(struct store *s, const struct sink *sink, struct diag *d);
/* The database's own words, where it failed last, in place of what d says. */
void store_explain(const struct store *s, struct diag *d);
void store_release(struct store *s);

#endif
