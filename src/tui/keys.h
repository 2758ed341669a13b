/* What keys do: one table, from which the help is made too. */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include <stddef.h>
#include <stdint.h>

/* A key is the character that it types, or one of these. */
enum {
	KEYS_NONE = 0,
	KEYS_UP = 0x110000, /* behind Unicode */
	KEYS_DOWN,
	KEYS_PAGE_UP,
	KEYS_PAGE_DOWN,
	KEYS_HOME,
	KEYS_END,
	KEYS_BACKSPACE,
	KEYS_F1,
	KEYS_F10,
	KEYS_LOST, /* the terminal is gone */
};

enum action {
	ACTION_NONE,
#define KEY(action, names, word, help, ...) ACTION_##action,
#include "tui/keys.def"
#undef KEY
	ACTIONS
};

/* ACTION_NONE for keys that do nothing. */
enum action keys_action(uint32_t key);
/* "Up k", and what the action does. Not of ACTION_NONE. */
const char *keys_names(enum action action);
/* In one word, for the line of keys; NULL where it is not in it. */
const char *keys_word(enum action action);
const char *keys_help(enum action action);

#endif
