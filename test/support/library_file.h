/* Made-up libraries with code: written to a file, or laid out in memory as the loader would. */
#ifndef SUPPORT_LIBRARY_FILE_H
#define SUPPORT_LIBRARY_FILE_H

#include <stdbool.h>

#include "base/buf.h"

enum { LIBRARY_FILE_CODE = 0x1000, LIBRARY_FILE_SYMBOLS = 32, LIBRARY_FILE_OTHERS = 8 };

struct library_file {
	struct buf code; /* .text, at LIBRARY_FILE_CODE */
	struct {
		const char *name;
		uint64_t address, size;
		uint8_t type;
	} symbols[LIBRARY_FILE_SYMBOLS];
	size_t count;
	struct {
		const char *name;
		uint64_t address;
		struct buf bytes;
	} others[LIBRARY_FILE_OTHERS]; /* sections */
	size_t other_count;
	bool stripped; /* no .symtab */
};

/* A function of `size` bytes that begins with these and goes on with nops; returns its address. */
uint64_t library_file_function(
	struct library_file *f, const char *name, const void *bytes, size_t len, size_t size);
void library_file_variable(struct library_file *f, const char *name, uint64_t address, size_t size);
/* Another section; what it is to hold is put to the buffer that is returned. */
struct buf *library_file_section(struct library_file *f, const char *name, uint64_t address);
/* .note.gnu.build-id of these bytes. */
void library_file_build_id(struct library_file *f, const void *bytes, size_t len);
/* A note of the VM's probe hotspot:NAME at the address, in .note.stapsdt with its .stapsdt.base. */
void library_file_probe(
	struct library_file *f, const char *name, uint64_t address, const char *arguments);
/* The function's range, in .eh_frame. */
void library_file_range(struct library_file *f, uint64_t address, uint64_t size);
void library_file_put(const struct library_file *f, struct buf *out);
/* To a file that is made; its path goes to `path`. The caller removes it. */
bool library_file_write(const struct library_file *f, char *path, size_t room);
/*
 * Memory with the code at LIBRARY_FILE_CODE, readable and executable, `size` bytes; NULL: out of
 * memory. For munmap.
 */
uint8_t *library_file_load(const struct library_file *f, size_t *size);
void library_file_release(struct library_file *f);

#endif
