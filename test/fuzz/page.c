/*
 * Bytes as a trace, made into a page's data of few samples: nothing crashes, what is written can be
 * read by the rules of doc/page-data.md, and where nothing was thinned the sums are the report's.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "support/page_of.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool is_so)
{
	if (!is_so)
		abort();
}

/* Of every column; the sum of two of them multiplied. */
static void check_columns(const struct page_read *r)
{
	const char *name;
	json_t *column;
	json_object_foreach(json_object_get(r->document, "columns"), name, column)
	{
		double *values = page_read_column(r, name);
		demand(values != NULL);
		mem_free(values);
	}
}

static double sum(const struct page_read *r, const char *a, const char *b)
{
	double *x = page_read_column(r, a), *y = page_read_column(r, b), out = 0;
	for (size_t i = 0; i < page_read_count(r, a); i++)
		out += x[i] * y[i];
	mem_free(x);
	mem_free(y);
	return out;
}

static void check(const struct page_of *p)
{
	struct page_read r;
	double alloc = 0;
	demand(page_read_data(&r, buf_slice(&p->bytes)) == 0);
	check_columns(&r);
	for (size_t i = 0; i < p->collect.ledger.accounts.count; i++)
		alloc += p->collect.ledger.accounts.at[i].tally.alloc.bytes.sum;
	double got = sum(&r, "sample.weight", "sample.size");
	demand(json_number_value(json_object_get(r.document, "thinned")) > 1 ||
		fabs(got - alloc) <= 1e-5 * alloc);
	page_read_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct page_of p;
	if (!size)
		return 0;
	if (page_of_bytes(&p, slice(data + 1, size - 1), 1 + data[0], 1 + data[0]) == 0)
		check(&p);
	page_of_release(&p);
	return 0;
}
