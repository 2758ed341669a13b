#include "support/perfimage.h"

#include <stdio.h>
#include <string.h>

enum { HEAD = 32, ENTRY = 20, ROOM = 1 << 16 };

static void put_u32(uint8_t *at, uint32_t v)
{
	memcpy(at, &v, sizeof(v));
}

void perfimage_init(struct perfimage *i)
{
	*i = (struct perfimage){0};
	/* Handles point into the memory: it must not move as entries are added. */
	if (buf_reserve(&i->bytes, ROOM))
		return;
	static const uint8_t head[8] = {0xca, 0xfe, 0xc0, 0xc0, 1, 2, 0, 1};
	buf_put(&i->bytes, head, sizeof(head));
	for (int n = 8; n < HEAD; n++)
		buf_put_u8(&i->bytes, 0);
	put_u32(i->bytes.at + 24, HEAD);
}

void perfimage_release(struct perfimage *i)
{
	buf_release(&i->bytes);
}

static uint32_t add(struct perfimage *i, const char *name, char type, uint32_t vector,
	const void *value, uint32_t size)
{
	uint32_t at = (uint32_t)i->bytes.len;
	uint32_t data = (uint32_t)(ENTRY + strlen(name) + 1 + 7) / 8 * 8;
	uint32_t length = (data + size + 7) / 8 * 8;
	for (uint32_t n = 0; n < length; n++)
		buf_put_u8(&i->bytes, 0);
	uint8_t *e = i->bytes.at + at;
	put_u32(e, length);
	put_u32(e + 4, ENTRY);
	put_u32(e + 8, vector);
	e[12] = (uint8_t)type;
	e[14] = type == 'J' ? 4 : 5;
	put_u32(e + 16, data);
	memcpy(e + ENTRY, name, strlen(name) + 1);
	memcpy(e + data, value, size);
	put_u32(i->bytes.at + 28, ++i->count);
	put_u32(i->bytes.at + 8, (uint32_t)i->bytes.len);
	return at + data;
}

uint32_t perfimage_long(struct perfimage *i, const char *name, int64_t value)
{
	return add(i, name, 'J', 0, &value, sizeof(value));
}

uint32_t perfimage_text(struct perfimage *i, const char *name, const char *value, uint32_t room)
{
	char text[512] = {0};
	snprintf(text, sizeof(text), "%s", value);
	return add(i, name, 'B', room, text, room < sizeof(text) ? room : sizeof(text));
}

void perfimage_set_long(struct perfimage *i, uint32_t at, int64_t value)
{
	memcpy(i->bytes.at + at, &value, sizeof(value));
}

void perfimage_set_text(struct perfimage *i, uint32_t at, const char *value, uint32_t room)
{
	memset(i->bytes.at + at, 0, room);
	memcpy(i->bytes.at + at, value, strlen(value) < room ? strlen(value) : room - 1);
}

void perfimage_set_u32(struct perfimage *i, uint32_t at, uint32_t value)
{
	put_u32(i->bytes.at + at, value);
}

uint32_t perfimage_collector(struct perfimage *i, int n, const char *name, int64_t invocations)
{
	char key[128];
	snprintf(key, sizeof(key), "sun.gc.collector.%d.name", n);
	perfimage_text(i, key, name, (uint32_t)strlen(name) + 1);
	static const char *const zeros[] = {"time", "lastEntryTime", "lastExitTime"};
	for (int z = 0; z < 3; z++) {
		snprintf(key, sizeof(key), "sun.gc.collector.%d.%s", n, zeros[z]);
		perfimage_long(i, key, 0);
	}
	snprintf(key, sizeof(key), "sun.gc.collector.%d.invocations", n);
	return perfimage_long(i, key, invocations);
}
