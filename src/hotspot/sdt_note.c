#include "hotspot/sdt_note.h"

#include "base/compiler.h"
#include "base/error.h"

enum { STAPSDT = 3 /* NT_STAPSDT */ };

int sdt_notes_open(struct sdt_notes *n, const struct elf *e)
{
	struct elf_section notes, base;
	*n = (struct sdt_notes){.base = 0};
	if (elf_section(e, ".note.stapsdt", &notes) != ERR_NONE ||
		elf_section(e, ".stapsdt.base", &base) != ERR_NONE || !notes.bytes.len)
		return ERR_NOT_FOUND;
	n->left = cursor_init(notes.bytes);
	n->base = base.address;
	return ERR_NONE;
}

static struct slice next_text(struct cursor *c)
{
	struct slice left = slice(c->at, cursor_left(c)), text = elf_text(left, 0);
	cursor_bytes(c, text.len + 1);
	return text;
}

/* Of a note's bytes; false: it is not whole. */
static bool read_note(struct sdt_note *out, struct slice bytes, uint64_t base)
{
	struct cursor c = cursor_init(bytes);
	uint64_t address = cursor_le64(&c), old_base = cursor_le64(&c);
	cursor_le64(&c); /* a semaphore */
	out->address = address + (base - old_base);
	out->provider = next_text(&c);
	out->name = next_text(&c);
	out->arguments = next_text(&c);
	return !c.err;
}

bool sdt_notes_next(struct sdt_notes *n, struct sdt_note *out)
{
	struct elf_note note;
	while (cursor_left(&n->left) && elf_note_next(&n->left, &note))
		if (note.type == STAPSDT && slice_equal(note.name, slice_str("stapsdt")) &&
			read_note(out, note.bytes, n->base))
			return true;
	return false;
}

static struct slice nth_word(struct slice text, unsigned number)
{
	for (;;) {
		const uint8_t *end = text.len ? memchr(text.at, ' ', text.len) : NULL;
		size_t len = end ? (size_t)(end - text.at) : text.len;
		if (number-- == 0)
			return slice(text.at, len);
		if (!end)
			return slice(NULL, 0);
		text = slice(end + 1, text.len - len - 1);
	}
}

/* "%ecx" of 4 bytes, "%rcx" of 8. */
static bool find_register(unsigned *reg, struct slice name, unsigned size)
{
	static const char *const names[][2] = {{"eax", "rax"}, {"ecx", "rcx"}, {"edx", "rdx"},
		{"ebx", "rbx"}, {"esp", "rsp"}, {"ebp", "rbp"}, {"esi", "rsi"}, {"edi", "rdi"},
		{"r8d", "r8"}, {"r9d", "r9"}, {"r10d", "r10"}, {"r11d", "r11"}, {"r12d", "r12"},
		{"r13d", "r13"}, {"r14d", "r14"}, {"r15d", "r15"}};
	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		if (slice_equal(name, slice_str(names[i][size == 8]))) {
			*reg = i;
			return true;
		}
	return false;
}

struct sdt_argument sdt_argument(struct slice arguments, unsigned number)
{
	struct sdt_argument a = {.size = 0};
	struct slice word = nth_word(arguments, number);
	bool is_signed = word.len && word.at[0] == '-';
	if (is_signed)
		word = slice(word.at + 1, word.len - 1);
	if (word.len < 4 || word.at[1] != '@' || word.at[2] != '%' ||
		(word.at[0] != '4' && word.at[0] != '8'))
		return a;
	unsigned size = word.at[0] - '0';
	if (!find_register(&a.reg, slice(word.at + 3, word.len - 3), size))
		return a;
	a.size = size;
	a.is_signed = is_signed;
	return a;
}
