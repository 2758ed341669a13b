#include "model/odd.h"

static const char *const texts[ODD_COUNT][2] = {
#define ODD(name, one, more) [ODD_##name] = {one, more},
#include "model/odd.def"
#undef ODD
};

const char *odd_text(enum odd odd, uint64_t count)
{
	return texts[odd][count != 1];
}
