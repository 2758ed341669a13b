#include "classfile/layout.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

static const uint8_t three[] = {OP_nop, OP_nop, OP_nop};

/* The new code for `reach`, with three nops behind the instructions that end at `places`. */
static int move(struct slice code, const uint32_t *places, size_t count, uint32_t reach,
	struct layout *l, struct buf *out)
{
	struct insertions n = {.all = {0}};
	for (size_t i = 0; i < count; i++)
		EXPECT_INT(0, insertions_add(&n, 0, places[i], slice(three, sizeof(three))));
	int err = layout_make(l, code, &n, reach);
	if (!err)
		layout_put(l, code, &n, out);
	EXPECT(err || out->len == l->len);
	insertions_release(&n);
	return err;
}

/* A branch to where something is inserted lands behind it; one from before goes further. */
TEST(branches_land_behind)
{
	static const uint8_t code[] = {
		OP_iconst_0, OP_ifeq, 0, 4, OP_nop, OP_goto, 0xff, 0xfb, OP_return};
	static const uint8_t want[] = {OP_iconst_0, OP_nop, OP_nop, OP_nop, OP_ifeq, 0, 7, OP_nop,
		OP_nop, OP_nop, OP_nop, OP_goto, 0xff, 0xf5, OP_return};
	uint32_t places[] = {5, 1};
	struct layout l;
	struct buf out = {0};
	EXPECT_INT(0, move(slice(code, sizeof(code)), places, 2, BRANCH_REACH, &l, &out));
	EXPECT(slice_equal(slice(want, sizeof(want)), buf_slice(&out)));
	EXPECT_INT(4, l.at[1]);
	EXPECT_INT(5, l.at[2]);
	EXPECT_INT(11, l.at[5]);
	EXPECT_INT(15, l.at[9]);
	EXPECT(!l.turned);
	layout_release(&l);
	buf_release(&out);
}

TEST(switches_are_padded_anew)
{
	static const uint8_t code[] = {OP_iconst_0, OP_tableswitch, 0, 0, 0, 0, 0, 19, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 19, OP_return};
	struct layout l;
	struct buf out = {0};
	EXPECT_INT(0,
		move(slice(code, sizeof(code)), (const uint32_t[]){1}, 1, BRANCH_REACH, &l, &out));
	struct insn i;
	EXPECT_INT(0, insn_decode(buf_slice(&out), 4, &i));
	EXPECT_INT(4, i.cases); /* at 4: three bytes of padding */
	EXPECT_INT(24, insn_target(&i, buf_slice(&out), 0));
	EXPECT_INT(24, insn_target(&i, buf_slice(&out), 1));
	EXPECT_INT(OP_return, out.at[24]);
	layout_release(&l);
	buf_release(&out);
}

static struct buf long_code(const uint8_t *first, size_t len, size_t nops)
{
	struct buf b = {0};
	buf_put(&b, first, len);
	for (size_t i = 0; i < nops; i++)
		buf_put_u8(&b, OP_nop);
	buf_put_u8(&b, OP_return);
	return b;
}

TEST(out_of_reach_a_goto_is_made_wide)
{
	static const uint8_t to_end[] = {OP_goto, 0x7f, 0xff};
	struct buf code = long_code(to_end, 3, 32764), out = {0};
	struct layout l;
	struct insn i;
	EXPECT_INT(0, move(buf_slice(&code), NULL, 0, BRANCH_REACH, &l, &out));
	EXPECT(slice_equal(buf_slice(&code), buf_slice(&out))); /* just in reach */
	layout_release(&l);
	buf_clear(&out);
	EXPECT_INT(0, move(buf_slice(&code), (const uint32_t[]){10}, 1, BRANCH_REACH, &l, &out));
	EXPECT_INT(code.len + 3 + 2, out.len);
	EXPECT_INT(0, insn_decode(buf_slice(&out), 0, &i));
	EXPECT_INT(OP_goto_w, i.op);
	EXPECT_INT(out.len - 1, insn_target(&i, buf_slice(&out), 0));
	layout_release(&l);
	buf_release(&out);
	buf_release(&code);
}

TEST(out_of_reach_a_condition_is_turned)
{
	static const uint8_t to_end[] = {OP_aconst_null, OP_ifnull, 0x7f, 0xff};
	struct buf code = long_code(to_end, 4, 32764), out = {0};
	struct layout l;
	struct insn i;
	EXPECT_INT(0, move(buf_slice(&code), (const uint32_t[]){10}, 1, BRANCH_REACH, &l, &out));
	EXPECT(l.turned && l.wide[1]);
	EXPECT_INT(code.len + 3 + 5, out.len);
	EXPECT_INT(0, insn_decode(buf_slice(&out), 1, &i));
	EXPECT_INT(OP_ifnonnull, i.op);
	EXPECT_INT(9, insn_target(&i, buf_slice(&out), 0));
	EXPECT_INT(0, insn_decode(buf_slice(&out), 4, &i));
	EXPECT_INT(OP_goto_w, i.op);
	EXPECT_INT(out.len - 1, insn_target(&i, buf_slice(&out), 0));
	layout_release(&l);
	buf_release(&out);
	buf_release(&code);
}

TEST(too_long)
{
	struct buf code = long_code(three, 3, 65531), out = {0};
	struct layout l;
	EXPECT_INT(CODE_MAX, code.len);
	EXPECT_INT(0, move(buf_slice(&code), NULL, 0, BRANCH_REACH, &l, &out));
	layout_release(&l);
	EXPECT_INT(ERR_LIMIT,
		move(buf_slice(&code), (const uint32_t[]){1}, 1, BRANCH_REACH, &l, &out));
	layout_release(&l);
	buf_release(&out);
	buf_release(&code);
}

/* Random code of nops and branches to anywhere: each lands on its instruction, however far. */
static struct buf random_code(struct rng *r, uint32_t count, uint32_t *starts)
{
	struct buf b = {0};
	for (uint32_t n = 0; n < count; n++) {
		starts[n] = (uint32_t)b.len;
		uint8_t op =
			(uint8_t[]){OP_nop, OP_goto, OP_ifeq, OP_jsr, OP_goto_w}[rng_below(r, 5)];
		buf_put_u8(&b, op);
		if (op == OP_goto_w)
			buf_put_be32(&b, 0);
		else if (op != OP_nop)
			buf_put_be16(&b, 0);
	}
	return b;
}

static void aim(struct rng *r, struct buf *b, const uint32_t *starts, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++) {
		uint32_t v = starts[rng_below(r, count)] - starts[n];
		uint8_t *at = b->at + starts[n];
		unsigned size = at[0] == OP_goto_w ? 4 : at[0] == OP_nop ? 0 : 2;
		for (unsigned k = 0; k < size; k++)
			at[1 + k] = (uint8_t)(v >> (8 * (size - 1 - k)));
	}
}

/* Where the branch at new place `at` really goes: through the goto_w behind a turned condition. */
static int64_t lands(struct slice code, uint32_t at, uint8_t op)
{
	struct insn i;
	EXPECT_INT(0, insn_decode(code, at, &i));
	if (opcode_inverse(op) && i.op != op) {
		EXPECT_INT(at + 8, insn_target(&i, code, 0));
		EXPECT_INT(0, insn_decode(code, at + 3, &i));
	}
	return insn_target(&i, code, 0);
}

TEST(wherever_code_goes_branches_land_on_it)
{
	enum { COUNT = 60, ROUNDS = 300 };
	struct rng r = rng_init(tap_seed());
	for (int round = 0; round < ROUNDS; round++) {
		uint32_t starts[COUNT], places[5];
		struct buf code = random_code(&r, COUNT, starts), out = {0};
		struct layout l;
		struct insn i;
		aim(&r, &code, starts, COUNT);
		for (int k = 0; k < 5; k++)
			places[k] = starts[rng_below(&r, COUNT)];
		EXPECT_INT(0, move(buf_slice(&code), places, 5, (uint32_t)(8 + rng_below(&r, 100)),
				      &l, &out));
		for (uint32_t n = 0; n < COUNT; n++) {
			EXPECT_INT(0, insn_decode(buf_slice(&code), starts[n], &i));
			if (i.targets)
				EXPECT_INT(l.at[insn_target(&i, buf_slice(&code), 0)],
					lands(buf_slice(&out), l.at[starts[n]], i.op));
		}
		layout_release(&l);
		buf_release(&out);
		buf_release(&code);
	}
}
