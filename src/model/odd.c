#include "model/odd.h"

static const char *const texts[ODD_COUNT] = {
#define ODD(name, text) [ODD_##name] = text,
#include "model/odd.def"
#undef ODD
};

const char *odd_text(enum odd odd)
{
	return texts[odd];
}
