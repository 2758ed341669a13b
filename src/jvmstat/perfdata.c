#include "jvmstat/perfdata.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { AT_BYTE_ORDER = 4, AT_MAJOR = 5, AT_ACCESSIBLE = 7, AT_FIRST = 24, AT_COUNT = 28 };
enum { BYTE_ORDER_HERE = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 1 : 0, MAJOR_HERE = 2 };

/* One load: the VM, or whoever made the bytes, may change them between two. at is checked and a
 * multiple of 4. */
static uint32_t load32(const struct perfdata *p, uint32_t at)
{
	return *(const volatile uint32_t *)(const volatile void *)(p->at + at);
}

static int check_head(const struct perfdata *p, struct diag *d)
{
	static const uint8_t magic[4] = {0xca, 0xfe, 0xc0, 0xc0};
	if (p->size < PERFDATA_PROLOGUE)
		return diag_set(d, ERR_TRUNCATED, "the VM's counters end after %zu bytes", p->size);
	for (size_t i = 0; i < sizeof(magic); i++)
		if (p->at[i] != magic[i])
			return diag_set(d, ERR_FORMAT, "not the counters of a HotSpot VM");
	if (p->at[AT_BYTE_ORDER] != BYTE_ORDER_HERE)
		return diag_set(d, ERR_UNSUPPORTED,
			"the VM's counters are in the byte order of another machine");
	if (p->at[AT_MAJOR] != MAJOR_HERE)
		return diag_set(d, ERR_VERSION, "the VM's counters are of version %d, not %d",
			p->at[AT_MAJOR], MAJOR_HERE);
	return 0;
}

int perfdata_borrow(struct perfdata *p, const void *memory, size_t size, struct diag *d)
{
	*p = (struct perfdata){.at = memory, .size = size};
	int err = size > PERFDATA_MAX     ? diag_set(d, ERR_LIMIT, "%zu bytes of counters", size)
		  : (uintptr_t)memory % 8 ? diag_set(d, ERR_USAGE, "counters at an odd address")
					  : check_head(p, d);
	if (err)
		*p = (struct perfdata){0};
	return err;
}

static int check_file(int fd, const char *path, uid_t owner, size_t *size, struct diag *d)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		return diag_set(d, ERR_IO, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return diag_set(d, ERR_FORMAT, "%s is not a regular file", path);
	if (st.st_uid != owner)
		return diag_set(d, ERR_DENIED, "%s belongs to user %u, not to the VM's user %u",
			path, (unsigned)st.st_uid, (unsigned)owner);
	if (st.st_size < PERFDATA_PROLOGUE)
		return diag_set(
			d, ERR_TRUNCATED, "%s has only %lld bytes", path, (long long)st.st_size);
	if (st.st_size > PERFDATA_MAX)
		return diag_set(d, ERR_LIMIT, "%s has %lld bytes", path, (long long)st.st_size);
	*size = (size_t)st.st_size;
	return 0;
}

static int map_file(
	struct perfdata *p, int fd, const char *path, size_t size, int protection, struct diag *d)
{
	void *at = mmap(NULL, size, protection, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return diag_set(d, ERR_IO, "%s: %s", path, strerror(errno));
	int err = perfdata_borrow(p, at, size, d);
	if (err)
		munmap(at, size);
	else
		p->mapping = at;
	return err;
}

static int open_error(int error)
{
	return error == ENOENT                     ? ERR_NOT_FOUND
	       : error == EACCES || error == EPERM ? ERR_DENIED
	       : error == ELOOP                    ? ERR_FORMAT
						   : ERR_IO;
}

static int open_file(
	struct perfdata *p, const char *path, uid_t owner, bool writable, struct diag *d)
{
	*p = (struct perfdata){0};
	int mode = writable ? O_RDWR : O_RDONLY;
	int fd = open(path, mode | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return diag_set(d, open_error(errno), "%s: %s", path, strerror(errno));
	size_t size = 0;
	int err = check_file(fd, path, owner, &size, d);
	if (!err)
		err = map_file(p, fd, path, size, writable ? PROT_READ | PROT_WRITE : PROT_READ, d);
	close(fd);
	return err;
}

int perfdata_open(struct perfdata *p, const char *path, uid_t owner, struct diag *d)
{
	return open_file(p, path, owner, false, d);
}

int perfdata_open_writable(struct perfdata *p, const char *path, uid_t owner, struct diag *d)
{
	return open_file(p, path, owner, true, d);
}

void perfdata_release(struct perfdata *p)
{
	if (p->mapping)
		munmap(p->mapping, p->size);
	*p = (struct perfdata){0};
}

bool perfdata_ready(const struct perfdata *p)
{
	return p->at && p->at[AT_ACCESSIBLE];
}

uint32_t perfdata_count(const struct perfdata *p)
{
	return p->at ? load32(p, AT_COUNT) : 0;
}

/* The name's length, or 0 when it does not end before `end`. */
static size_t name_length(const struct perfdata *p, uint32_t at, uint32_t end)
{
	for (uint32_t i = at; i < end && i - at < PERFDATA_NAME_MAX; i++)
		if (p->at[i] == 0)
			return i - at;
	return 0;
}

static int read_value(const struct perfdata *p, struct perfdata_entry *e, uint32_t length,
	uint32_t offset, uint32_t vector)
{
	if (offset < PERFDATA_ENTRY || offset > length)
		return ERR_CORRUPT;
	bool scalar = e->type == 'J' && vector == 0;
	uint32_t size = scalar ? 8 : e->type == 'B' ? vector : 0;
	if (size > length - offset || size > PERFDATA_TEXT_MAX)
		return ERR_CORRUPT;
	if (scalar && (e->at + offset) % 8)
		return ERR_CORRUPT;
	e->value = p->at + e->at + offset;
	e->value_len = size;
	return 0;
}

static int read_entry(const struct perfdata *p, struct perfdata_entry *e, uint32_t length)
{
	uint32_t name = load32(p, e->at + 4);
	uint32_t vector = load32(p, e->at + 8);
	e->type = (char)p->at[e->at + 12];
	e->unit = p->at[e->at + 14];
	uint32_t value = load32(p, e->at + 16);
	if (name < PERFDATA_ENTRY || name >= length)
		return ERR_CORRUPT;
	e->name = p->at + e->at + name;
	e->name_len = name_length(p, e->at + name, e->at + length);
	if (e->name_len == 0)
		return ERR_CORRUPT;
	return read_value(p, e, length, value, vector);
}

int perfdata_next(const struct perfdata *p, struct perfdata_entry *e)
{
	bool begin = e->next == 0;
	uint32_t at = begin ? perfdata_count(p) ? load32(p, AT_FIRST) : 0 : e->next;
	uint32_t index = begin ? 0 : e->index + 1;
	if (index >= perfdata_count(p))
		return 0;
	*e = (struct perfdata_entry){.at = at, .next = at ? at : 1, .index = index};
	if (at < PERFDATA_PROLOGUE || at % 4 || at > p->size || p->size - at < PERFDATA_ENTRY)
		return ERR_CORRUPT;
	uint32_t length = load32(p, at);
	if (length == 0) /* counted, but not written yet */
		return 0;
	if (length < PERFDATA_ENTRY || length > p->size - at)
		return ERR_CORRUPT;
	int err = read_entry(p, e, length);
	if (err)
		return err;
	e->next = at + length;
	return 1;
}

static bool name_is(const struct perfdata_entry *e, const char *name, size_t len)
{
	if (e->name_len != len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (e->name[i] != (uint8_t)name[i])
			return false;
	return true;
}

/* The entry of that name and type, with `value` NULL when there is none. */
static struct perfdata_entry find(const struct perfdata *p, const char *name, char type)
{
	struct perfdata_entry e = {0};
	size_t len = strlen(name);
	while (p->at && perfdata_next(p, &e) == 1)
		if (e.type == type && e.value_len > 0 && name_is(&e, name, len))
			return e;
	return (struct perfdata_entry){0};
}

struct counter perfdata_counter(const struct perfdata *p, const char *name)
{
	struct perfdata_entry e = find(p, name, 'J');
	return (struct counter){.at = (const volatile int64_t *)(const volatile void *)e.value};
}

struct counter_text perfdata_text(const struct perfdata *p, const char *name)
{
	struct perfdata_entry e = find(p, name, 'B');
	return (struct counter_text){.at = e.value, .room = e.value_len};
}

struct counter perfdata_counterf(const struct perfdata *p, const char *format, ...)
{
	char name[PERFDATA_NAME_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	return perfdata_counter(p, name);
}

struct counter_text perfdata_textf(const struct perfdata *p, const char *format, ...)
{
	char name[PERFDATA_NAME_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	return perfdata_text(p, name);
}
