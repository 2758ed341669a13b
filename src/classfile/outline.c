#include "classfile/outline.h"

#include "base/map.h"
#include "classfile/insn.h"

uint64_t code_outline(struct slice code)
{
	struct insn i;
	uint64_t hash = code.len;
	for (uint32_t pc = 0; pc < code.len; pc += i.len) {
		if (insn_decode(code, pc, &i))
			return 0;
		hash = hash64_pair(hash, (uint64_t)pc << 8 | code.at[pc]);
	}
	return hash;
}
