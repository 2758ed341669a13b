/* Writes the seed corpus of the target `classfile` into the directory it is given. */
#include <stdio.h>

#include "classfile/insn.h"
#include "support/class_maker.h"

struct seed {
	struct class_maker m;
	uint16_t type, init, call;
};

static void begin(struct seed *s)
{
	class_maker_init(&s->m, 55);
	s->type = class_maker_class(&s->m, "x/Y");
	s->init = class_maker_ref(&s->m, POOL_METHOD, "x/Y", "<init>", "()V");
	s->call = class_maker_ref(&s->m, POOL_METHOD, "x/Y", "of", "(JLx/Y;)[Lx/Y;");
}

static int put(struct seed *s, const char *folder, const char *name)
{
	char path[512];
	struct buf file = {0};
	class_maker_put(&s->m, &file);
	class_maker_release(&s->m);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *f = fopen(path, "wb");
	size_t written = f ? fwrite(file.at, 1, file.len, f) : 0;
	int failed = !f || fclose(f) || written != file.len;
	buf_release(&file);
	return failed;
}

/* Arrays, a call, a switch of either kind, and all that speaks of places. */
static int put_tables(const char *folder)
{
	static const uint8_t lines[] = {0, 2, 0, 0, 0, 1, 0, 3, 0, 2},
			     variables[] = {0, 1, 0, 3, 0, 4, 0, 1, 0, 1, 0, 1},
			     frames[] = {0, 2, 44, 11},
			     notes[] = {0, 2, 0x40, 0, 1, 0, 1, 0, 3, 0, 1, 0, 0, 1, 0, 0, 0x44, 0,
				     1, 0, 0, 1, 0, 1, 0, 1, '[', 0, 1, 'I', 0, 1};
	struct seed s;
	begin(&s);
	const uint8_t code[] = {OP_iload_0, OP_newarray, 10, OP_astore_1, OP_lconst_0,
		OP_aconst_null, OP_invokestatic, U2(s.call), OP_pop, OP_iload_0,
		OP_tableswitch,                                                /* at 11 */
		0, 0, 0, 33, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 33, 0, 0, 0, 45, /* */
		OP_nop, OP_nop, OP_nop, OP_nop, OP_nop, OP_nop, OP_nop, OP_nop, OP_nop, OP_nop,
		OP_nop, OP_nop, OP_iload_0, /* at 44 */ OP_anewarray, U2(s.type), OP_pop,
		OP_iload_0, OP_iload_0, OP_multianewarray, U2(s.type), 2, OP_pop,
		/* at 56 */ OP_return};
	class_maker_handler(&s.m, 0, 10, 44);
	class_maker_attribute(&s.m, "LineNumberTable", slice(lines, sizeof(lines)));
	class_maker_attribute(&s.m, "LocalVariableTable", slice(variables, sizeof(variables)));
	class_maker_attribute(&s.m, "StackMapTable", slice(frames, sizeof(frames)));
	class_maker_attribute(&s.m, "RuntimeVisibleTypeAnnotations", slice(notes, sizeof(notes)));
	class_maker_method(
		&s.m, "run", "(I)V", (struct made_code){8, 4, 3, slice(code, sizeof(code))});
	return put(&s, folder, "tables");
}

/* Objects made in a condition, in a loop, and in a local; a constructor. */
static int put_objects(const char *folder)
{
	static const uint8_t frames[] = {
		0, 3, 0, 255, 0, 16, 0, 1, 1, 0, 2, 8, 0, 1, 8, 0, 1, 67, 7, 0, 6};
	struct seed s;
	begin(&s);
	const uint8_t code[] = {OP_nop, OP_new, U2(s.type), OP_dup, OP_iload_0, OP_ifeq, 0, 11,
		OP_new, U2(s.type), OP_dup, OP_invokespecial, U2(s.init), OP_pop, OP_nop,
		OP_invokespecial, U2(s.init), OP_nop, OP_pop, OP_goto, 0xff, 0xe9};
	const uint8_t local[] = {
		OP_new, U2(s.type), OP_dup, OP_astore_1, OP_invokespecial, U2(s.init), OP_return};
	const uint8_t init[] = {
		OP_aload_0, OP_invokespecial, U2(s.init), OP_aload_0, OP_astore_1, OP_return};
	class_maker_attribute(&s.m, "StackMapTable", slice(frames, sizeof(frames)));
	class_maker_method(
		&s.m, "run", "(I)V", (struct made_code){8, 4, 1, slice(code, sizeof(code))});
	class_maker_method(
		&s.m, "local", "(I)V", (struct made_code){8, 2, 2, slice(local, sizeof(local))});
	class_maker_method(
		&s.m, "<init>", "()V", (struct made_code){0, 1, 2, slice(init, sizeof(init))});
	return put(&s, folder, "objects");
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	int failed = put_tables(argv[1]);
	return put_objects(argv[1]) || failed;
}
