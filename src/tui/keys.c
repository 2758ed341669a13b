#include "tui/keys.h"

#include "base/compiler.h"

enum { CODES = 5 };

static const struct {
	const char *names, *word, *help;
	uint32_t codes[CODES]; /* KEYS_NONE behind the last */
} keys[ACTIONS] = {
#define KEY(action, names, word, help, ...) [ACTION_##action] = {names, word, help, {__VA_ARGS__}},
#include "tui/keys.def"
#undef KEY
};

enum action keys_action(uint32_t key)
{
	for (size_t a = ACTION_NONE + 1; a < ACTIONS && key != KEYS_NONE; a++)
		for (size_t i = 0; i < CODES; i++)
			if (keys[a].codes[i] == key)
				return (enum action)a;
	return ACTION_NONE;
}

const char *keys_names(enum action action)
{
	return keys[action].names;
}

const char *keys_word(enum action action)
{
	return keys[action].word;
}

const char *keys_help(enum action action)
{
	return keys[action].help;
}
