#include "cli/load.h"

#include "cli/input.h"
#include "model/followed.h"

static void close_file(struct load *l)
{
	codec_zstd_release(&l->codec);
	source_close(&l->source);
}

int load_open(struct load *l, const char *path, struct diag *d)
{
	*l = (struct load){0};
	int err = input_open(&l->source, path, d);
	if (err)
		return err;
	progress_watch_file(&l->progress, &l->source, path);
	err = codec_zstd_init(&l->codec, 1);
	if (err) {
		source_close(&l->source);
		return err;
	}
	struct diag why = {""};
	err = reader_init(&l->reader, &l->source, &l->codec, &why);
	if (err) { /* of several files, too, a sentence has to say which one */
		close_file(l);
		return diag_set(d, err, "%s: %s", path, why.text[0] ? why.text : err_text(err));
	}
	err = model_init(&l->model);
	if (err) {
		reader_release(&l->reader);
		close_file(l);
	}
	return err;
}

int load_replay(struct load *l, const struct listener *listener, struct diag *d)
{
	l->first =
		(struct block_info){.offset = l->reader.next, .sequence = l->reader.next_sequence};
	int err = replay_run(&l->model, &l->reader, listener, d);
	progress_clear(&l->progress);
	return err;
}

int load_endings(struct load *l, struct diag *d)
{
	reader_seek(&l->reader, &l->first);
	int err = endings_read(&l->endings, &l->reader, &l->model, d);
	progress_clear(&l->progress);
	return err;
}

void load_no_endings(struct load *l)
{
	l->endings.from = followed_any(&l->model) ? ENDINGS_UNREAD : ENDINGS_NONE;
}

void load_close(struct load *l)
{
	endings_release(&l->endings);
	model_release(&l->model);
	reader_release(&l->reader);
	close_file(l);
}
