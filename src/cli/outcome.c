#include "cli/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/units.h"
#include "trace/codec.h"
#include "trace/reader.h"

/* A foreign text: what a terminal would act on becomes '?'. */
static void keep_text(char *out, size_t room, struct slice text)
{
	snprintf(out, room, "%.*s", (int)text.len, (const char *)text.at);
	for (char *c = out; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
}

static void keep_fact(struct outcome *o, const struct record_fact *fact, uint64_t *gravest)
{
	char value[256];
	keep_text(value, sizeof(value), fact->value);
	if (slice_equal(fact->key, slice_str("pid")))
		o->pid = (pid_t)strtol(value, NULL, 10);
	if (slice_equal(fact->key, slice_str("command"))) {
		const char *slash = strrchr(value, '/');
		snprintf(o->program, sizeof(o->program), "%.63s", slash ? slash + 1 : value);
	}
	if (slice_equal(fact->key, slice_str("cyclic")))
		o->cyclic = true;
	if (slice_equal(fact->key, slice_str("exact.why"))) {
		*gravest = NOTE_TROUBLE; /* it was asked for */
		snprintf(o->note, sizeof(o->note),
			"there are only samples, since the exact engine was refused: %s", value);
	}
}

/* Keeps the sentence of the gravest note, of equals the last. */
static void keep_note(struct outcome *o, const struct record_note *note, uint64_t *gravest)
{
	if (note->severity < *gravest || note->severity < NOTE_WARNING)
		return;
	*gravest = note->severity;
	keep_text(o->note, sizeof(o->note), note->text);
}

/* The agent's own count has those too that it left out at random, and is ahead of the records: a
 * sample is counted before it is written. */
static void rise(uint64_t *count, uint64_t told)
{
	if (told > *count)
		*count = told;
}

static void count(struct outcome *o, const struct record *r, uint64_t *gravest)
{
	switch (r->kind) {
	case RECORD_alloc:
	case RECORD_birth:
		rise(&o->samples, ++o->walked);
		break;
	case RECORD_site_births:
		o->counted += r->site_births.objects;
		break;
	case RECORD_tick:
		rise(&o->samples, r->tick.samples);
		break;
	case RECORD_fact:
		keep_fact(o, &r->fact, gravest);
		break;
	case RECORD_segment: /* of a cyclic one: with those before it, which are forgotten */
		rise(&o->gcs, r->segment.gcs);
		break;
	case RECORD_gc:
		o->gcs++;
		break;
	case RECORD_note:
		keep_note(o, &r->note, gravest);
		break;
	case RECORD_lost:
		o->lost += r->lost.what == LOST_SAMPLES ? r->lost.count : 0;
		break;
	case RECORD_end:
		rise(&o->samples, r->end.samples);
		o->complete = true;
		o->reason = r->end.reason;
		break;
	default:
		break;
	}
}

static int read_all(
	struct outcome *o, struct source *source, const struct codec *codec, struct diag *d)
{
	struct reader reader;
	struct record record;
	struct diag tail; /* a damaged tail is for `mayfly check` to explain */
	uint64_t gravest = NOTE_WARNING;
	int err = reader_init(&reader, source, codec, d);
	if (err)
		return err;
	while (reader_next(&reader, &record, &tail) > 0) {
		count(o, &record, &gravest);
		if (reader.block.last_time > o->ns)
			o->ns = reader.block.last_time;
	}
	reader_release(&reader);
	return ERR_NONE;
}

int outcome_read(struct outcome *o, const char *path, struct diag *d)
{
	struct source source;
	struct codec codec;
	struct stat st;
	memset(o, 0, sizeof(*o));
	int err = source_open_file(&source, path, d);
	if (err)
		return err;
	err = codec_zstd_init(&codec, 1);
	if (!err) {
		err = read_all(o, &source, &codec, d);
		codec_zstd_release(&codec);
	}
	source_close(&source);
	if (stat(path, &st) == 0) /* what is forgotten takes no room on the disk */
		o->bytes = o->cyclic ? (uint64_t)st.st_blocks * 512 : (uint64_t)st.st_size;
	return err;
}

void outcome_text(const struct outcome *o, char *out, size_t room)
{
	char counted[UNITS_MAX + 32] = "", samples[UNITS_MAX], gcs[UNITS_MAX], seconds[UNITS_MAX],
				 bytes[UNITS_MAX];
	/* Of a cyclic one only the stretch could be told, but samples are those of all. */
	if (o->counted && !o->cyclic)
		snprintf(counted, sizeof(counted), "%s object%s counted, ",
			units_count(o->counted, samples), o->counted == 1 ? "" : "s");
	snprintf(out, room, "%s%s%s%s sample%s, %s collection%s, %s, %s",
		o->among ? o->program : "", o->among && *o->program ? ": " : "", counted,
		units_count(o->samples, samples), o->samples == 1 ? "" : "s",
		units_count(o->gcs, gcs), o->gcs == 1 ? "" : "s",
		units_time((double)o->ns, seconds), units_bytes((double)o->bytes, bytes));
}
