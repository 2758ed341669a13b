/*
 * Rewrites class files with src/classfile, for tests that have a VM judge the result.
 *
 *	rewrite MODE IN OUT
 *
 * IN and OUT are folders; every .class below IN is written to the same place below OUT. MODE:
 *
 * - all: dup, ldc_w SITE, invokestatic java/util/Tally.made(Object, int) behind every allocation
 * - wrong: the same with a helper that takes a String, which no verifier may let pass
 * - near: as all, but every branch that leads farther than ten bytes is made wide
 * - a number: as all, with so many nops before, so that branches really go out of reach
 *
 * Whatever the mode, each file is also written with nothing inserted, which must give the same
 * bytes, and each of its methods is taken apart and put together again with nothing inserted, which
 * must give the same attribute (but for what code_write.h says is left out).
 *
 * Sites are numbered in the order they are met; `sites` in OUT has a line for each. What was
 * counted goes to stdout, a name and a number a line.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/error.h"
#include "classfile/class_edit.h"
#include "classfile/code_write.h"

enum { REASONS = 64, PADS_MAX = 900, NEAR = 10 };

/* A tally by text. */
struct reasons {
	char text[REASONS][DIAG_MAX];
	unsigned long count[REASONS];
};

static struct totals {
	unsigned long files, bad_files, methods, codes, touched, touch_differs, copy_differs;
	unsigned long sites, made[4], inserted, finishes, lost, reread, widened, turned;
	unsigned long long bytes_in, bytes_out;
} total;
static struct reasons refused, unwritten;
static const char *mode;
static size_t pads; /* nops in front of each call */
static FILE *site_list;

static void count_reason(struct reasons *r, const char *text)
{
	int i = 0;
	while (i < REASONS - 1 && r->count[i] && strcmp(r->text[i], text) != 0)
		i++;
	snprintf(r->text[i], sizeof(r->text[i]), "%s", text);
	r->count[i]++;
}

static void fail(const char *path, const char *what)
{
	fprintf(stderr, "%s: %s\n", path, what);
	total.bad_files++;
}

/* The snippet of this mode for a site. */
struct tally {
	struct snippet snippet;
	struct snippet_constant constants[2];
	uint8_t code[7 + PADS_MAX];
};

static void tally_init(struct tally *t, uint32_t site)
{
	const uint8_t code[] = {OP_dup, OP_ldc_w, 0, 0, OP_invokestatic, 0, 0};
	*t = (struct tally){.code = {0}};
	memcpy(t->code + pads, code, sizeof(code));
	t->constants[0] = (struct snippet_constant){
		.at = (uint16_t)(pads + 2), .tag = POOL_INTEGER, .bits = site};
	t->constants[1] = (struct snippet_constant){.at = (uint16_t)(pads + 5), .tag = POOL_METHOD};
	t->constants[1].member = (struct pool_member){.owner = slice_str("java/util/Tally"),
		.name = slice_str("made"),
		.descriptor = slice_str(strcmp(mode, "wrong") == 0 ? "(Ljava/lang/String;I)V"
								   : "(Ljava/lang/Object;I)V")};
	t->snippet = (struct snippet){
		.code = slice(t->code, pads + sizeof(code)), .constants = t->constants, .count = 2};
}

static void count_finishes(const struct sites *s, uint32_t bci)
{
	for (size_t i = 0; i < s->finishes.count; i++)
		total.finishes += s->finishes.at[i].bci == bci;
}

static void insert_at(struct class_edit *e, size_t method, const struct sites *s, size_t n)
{
	const struct site site = s->all.at[n];
	const struct class_method *m = &e->file.methods.at[method];
	struct tally t;
	struct diag d = {""};
	uint32_t number = (uint32_t)total.sites++;
	total.made[site.op == OP_multianewarray ? 3 : site.op - OP_new]++;
	tally_init(&t, number);
	int err = class_edit_insert_after(e, method, site.bci, site.op, &t.snippet, &d);
	total.inserted += !err;
	if (err)
		count_reason(&refused, d.text[0] ? d.text : err_text(err));
	else
		count_finishes(s, site.bci);
	fprintf(site_list, "%u %.*s %.*s%.*s %u %s %.*s %s\n", number, (int)e->file.name.len,
		(const char *)e->file.name.at, (int)m->name.len, (const char *)m->name.at,
		(int)m->descriptor.len, (const char *)m->descriptor.at, site.bci,
		opcode_of(site.op)->name, (int)site.named.len, (const char *)site.named.at,
		err ? d.text : "");
}

/* The same attribute again, as long as nothing has to be left out of it. */
static void touch(struct class_edit *e, size_t method, const char *path)
{
	const struct method_edit *m = &e->methods[method];
	const struct class_method *in = &e->file.methods.at[method];
	struct insertions none = {.all = {0}};
	struct buf out = {0};
	struct diag d = {""};
	struct rewrite w = {.file = &e->file,
		.method = in,
		.code = &m->code,
		.marks = &m->marks,
		.insertions = &none,
		.max_stack = m->code.max_stack,
		.reach = BRANCH_REACH};
	int err = code_rewrite(&w, &out, &d);
	total.touched++;
	if (err || !slice_equal(buf_slice(&out), in->code)) {
		total.touch_differs++;
		fprintf(stderr, "%s: %.*s comes out otherwise: %s\n", path, (int)in->name.len,
			(const char *)in->name.at, d.text);
	}
	buf_release(&out);
}

static void edit_method(struct class_edit *e, size_t method, const char *path)
{
	const struct sites *s;
	struct diag d = {""};
	total.methods++;
	if (!e->file.methods.at[method].code.at)
		return;
	total.codes++;
	if (class_edit_sites(e, method, &s, &d)) {
		fail(path, d.text);
		return;
	}
	touch(e, method, path);
	for (size_t n = 0; n < s->all.count; n++)
		insert_at(e, method, s, n);
}

static void count_unwritten(const struct class_edit *e)
{
	const char *why;
	for (size_t i = 0; i < e->file.methods.count; i++)
		if (class_edit_outcome(e, i, &why)) {
			count_reason(&unwritten, why);
			for (size_t n = 0; n < e->methods[i].sites.all.count; n++)
				total.lost += !e->methods[i].sites.all.at[n].refusal;
		}
}

/* How many methods have branches that were made wide, and conditions that were turned. */
static void count_wide(const struct method_edit *m, uint32_t reach)
{
	struct layout l;
	bool wide = false;
	if (!m->insertions.all.count || m->err)
		return;
	if (layout_make(&l, m->code.bytes, &m->insertions, reach) == ERR_NONE)
		for (size_t pc = 0; pc < m->code.bytes.len; pc++)
			wide |= l.wide[pc];
	total.widened += wide;
	total.turned += l.turned;
	layout_release(&l);
}

/* What was written is a class with as many sites. */
static void reread(const struct class_edit *before, struct slice bytes, const char *path)
{
	struct class_edit e;
	struct diag d = {""};
	int err = class_edit_begin(&e, bytes, &d);
	for (size_t i = 0; !err && i < e.file.methods.count; i++) {
		const struct sites *s;
		err = class_edit_sites(&e, i, &s, &d);
		if (!err && s->all.count != before->methods[i].sites.all.count)
			fail(path, "has another number of sites when it is read again");
	}
	if (err)
		fail(path, d.text);
	total.reread += !err;
	class_edit_release(&e);
}

static bool put_file(const char *path, struct slice bytes)
{
	FILE *f = fopen(path, "wb");
	size_t written = f ? fwrite(bytes.at, 1, bytes.len, f) : 0;
	return f && fclose(f) == 0 && written == bytes.len;
}

static void copy(struct class_edit *e, struct slice bytes, const char *path)
{
	struct buf out = {0};
	if (class_edit_write(e, &out) || !slice_equal(bytes, buf_slice(&out))) {
		total.copy_differs++;
		fail(path, "is another file with nothing inserted");
	}
	buf_release(&out);
}

static void rewrite_bytes(struct slice bytes, const char *path, const char *to)
{
	struct class_edit e;
	struct diag d = {""};
	struct buf out = {0};
	int err = class_edit_begin(&e, bytes, &d);
	if (err) {
		fail(path, d.text);
		class_edit_release(&e);
		return;
	}
	copy(&e, bytes, path);
	if (strcmp(mode, "near") == 0)
		e.reach = NEAR;
	for (size_t i = 0; i < e.file.methods.count; i++)
		edit_method(&e, i, path);
	if (class_edit_write(&e, &out) || !put_file(to, buf_slice(&out)))
		fail(to, "can't be written");
	count_unwritten(&e);
	for (size_t i = 0; i < e.file.methods.count; i++)
		count_wide(&e.methods[i], e.reach);
	reread(&e, buf_slice(&out), path);
	total.files++;
	total.bytes_in += bytes.len;
	total.bytes_out += out.len;
	class_edit_release(&e);
	buf_release(&out);
}

static void rewrite_file(const char *path, const char *to)
{
	struct buf in = {0};
	uint8_t part[1 << 16];
	FILE *f = fopen(path, "rb");
	if (!f) {
		fail(path, strerror(errno));
		return;
	}
	for (size_t n; (n = fread(part, 1, sizeof(part), f)) > 0;)
		buf_put(&in, part, n);
	fclose(f);
	rewrite_bytes(buf_slice(&in), path, to);
	buf_release(&in);
}

static bool ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);
	return a >= b && strcmp(text + a - b, end) == 0;
}

static void rewrite_folder(const char *from, const char *to)
{
	DIR *folder = opendir(from);
	mkdir(to, 0777);
	for (struct dirent *e; folder && (e = readdir(folder));) {
		char in[4096], out[4096];
		struct stat st;
		snprintf(in, sizeof(in), "%s/%s", from, e->d_name);
		snprintf(out, sizeof(out), "%s/%s", to, e->d_name);
		if (e->d_name[0] == '.' || stat(in, &st))
			continue;
		if (S_ISDIR(st.st_mode))
			rewrite_folder(in, out);
		else if (ends_with(in, ".class"))
			rewrite_file(in, out);
	}
	if (folder)
		closedir(folder);
	else
		fail(from, strerror(errno));
}

static void tell_reasons(const char *name, const struct reasons *r)
{
	for (int i = 0; i < REASONS && r->count[i]; i++)
		printf("%s %lu: %s\n", name, r->count[i], r->text[i]);
}

static void tell(double seconds)
{
	static const char *const ops[] = {"new", "newarray", "anewarray", "multianewarray"};
	printf("files %lu\nbad_files %lu\nreread %lu\nmethods %lu\ncodes %lu\n", total.files,
		total.bad_files, total.reread, total.methods, total.codes);
	printf("copy_differs %lu\ntouched %lu\ntouch_differs %lu\n", total.copy_differs,
		total.touched, total.touch_differs);
	printf("sites %lu\ninserted %lu\nfinishes %lu\nlost %lu\nwidened %lu\nturned %lu\n",
		total.sites, total.inserted, total.finishes, total.lost, total.widened,
		total.turned);
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		printf("%s %lu\n", ops[i], total.made[i]);
	printf("bytes_in %llu\nbytes_out %llu\nms %.0f\n", total.bytes_in, total.bytes_out,
		seconds * 1000);
	tell_reasons("refused", &refused);
	tell_reasons("unwritten", &unwritten);
}

int main(int argc, char **argv)
{
	char path[4096];
	if (argc != 4)
		return 2;
	mode = argv[1];
	pads = strtoul(mode, NULL, 10);
	pads = pads > PADS_MAX ? PADS_MAX : pads;
	mkdir(argv[3], 0777);
	snprintf(path, sizeof(path), "%s/sites", argv[3]);
	site_list = fopen(path, "w");
	if (!site_list)
		return 2;
	clock_t start = clock();
	rewrite_folder(argv[2], argv[3]);
	tell((double)(clock() - start) / CLOCKS_PER_SEC);
	fclose(site_list);
	return total.bad_files || total.touch_differs ? 1 : 0;
}
