#include "agent/names.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/surrogates.h"
#include "options/options.h"

enum { DIMENSIONS_MAX = 255 };

static const char *primitive(char letter)
{
	static const char *const names[] = {['Z' - 'A'] = "boolean",
		['B' - 'A'] = "byte",
		['C' - 'A'] = "char",
		['S' - 'A'] = "short",
		['I' - 'A'] = "int",
		['J' - 'A'] = "long",
		['F' - 'A'] = "float",
		['D' - 'A'] = "double",
		['V' - 'A'] = "void"};
	return letter >= 'A' && letter <= 'Z' ? names[letter - 'A'] : NULL;
}

/* What the made-up part after a marker looks like. */
enum rest {
	REST_DIGITS,
	REST_HEX,    /* lower case; '_' where two met */
	REST_RANDOM, /* Byte Buddy's eight letters and digits, or a number */
};

/* Where programs and their libraries make classes with names that no other run makes again. */
static const struct {
	const char *marker;
	enum rest rest;
	bool first; /* the class's own name begins with it */
} generated[] = {
	{"$$Lambda$", REST_DIGITS, false},
	{"$Proxy", REST_DIGITS, true},
	{"GeneratedConstructorAccessor", REST_DIGITS, true},
	{"GeneratedMethodAccessor", REST_DIGITS, true},
	{"GeneratedSerializationConstructorAccessor", REST_DIGITS, true},
	{"$$EnhancerBySpringCGLIB$$", REST_HEX, false},
	{"$$FastClassBySpringCGLIB$$", REST_HEX, false},
	{"$$KeyFactoryBySpringCGLIB$$", REST_HEX, false},
	{"$$SpringCGLIB$$", REST_HEX, false},
	{"$$EnhancerByCGLIB$$", REST_HEX, false},
	{"$$FastClassByCGLIB$$", REST_HEX, false},
	{"$$KeyFactoryByCGLIB$$", REST_HEX, false},
	{"$$EnhancerByGuice$$", REST_HEX, false},
	{"$$FastClassByGuice$$", REST_HEX, false},
	{"_$$_jvst", REST_HEX, false},
	{"_$$_javassist", REST_HEX, false},
	{"$HibernateProxy$", REST_RANDOM, false},
	{"$MockitoMock$", REST_RANDOM, false},
	{"$ByteBuddy$", REST_RANDOM, false},
};

/* Length of the made-up part that text begins with, which must end there or at a '$'; 0: none. */
static size_t made_up(const char *text, enum rest rest)
{
	size_t digits = strspn(text, "0123456789"), len = digits;
	if (rest == REST_HEX)
		len = strspn(text, "0123456789abcdef_");
	if (rest == REST_RANDOM && text[digits] && text[digits] != '$')
		for (len = 0; isalnum((unsigned char)text[len]);)
			len++;
	if (rest == REST_RANDOM && len != digits && len != 8)
		return 0;
	return text[len] && text[len] != '$' ? 0 : len;
}

/* Length of the text before what is made up, or 0 where nothing is. */
static size_t stable_length(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(generated); i++) {
		const char *hit = text;
		while ((hit = strstr(hit, generated[i].marker))) {
			const char *end = hit + strlen(generated[i].marker);
			bool placed = !generated[i].first || hit == text || hit[-1] == '.';
			if (placed && made_up(end, generated[i].rest))
				return (size_t)(end - text);
			hit++;
		}
	}
	return 0;
}

/* Length of the text before a hidden class's "/0x…" (JDK 15 on) or "/1234567" (before), or 0. */
static size_t hidden_suffix(const char *text)
{
	const char *mark = strrchr(text, '/');
	if (!mark || !isdigit((unsigned char)mark[1]))
		return 0;
	size_t len = strncmp(mark + 1, "0x", 2) == 0 ? 2 + strspn(mark + 3, "0123456789abcdef")
						     : strspn(mark + 1, "0123456789");
	return mark[1 + len] ? 0 : (size_t)(mark - text);
}

static void cut(struct name *n, size_t keep)
{
	if (!keep)
		return;
	n->hidden = n->normalised = true;
	n->text[keep] = '\0';
}

static void normalise(struct name *n)
{
	cut(n, hidden_suffix(n->text));
	size_t keep = stable_length(n->text);
	while (keep && n->text[keep - 1] == '$')
		keep--;
	cut(n, keep);
}

/* Before JDK 15 a hidden class's number stands behind a slash too; packages don't end in one. */
static bool is_number(const char *at, size_t len)
{
	return len && strspn(at, "0123456789") >= len;
}

#define CUT "…" /* behind what is left of a name */

/* Bytes of the name that are kept: all, or whole characters with CUT behind them. */
static size_t kept(const char *from, size_t len, size_t room)
{
	if (len < room)
		return len;
	for (len = room - sizeof(CUT); len && (from[len] & 0xc0) == 0x80;)
		len--;
	return len;
}

/* Slashes between packages become dots; the mark before a hidden class's address becomes a slash.
 */
static void put_class(struct name *n, const char *from, size_t whole, size_t room)
{
	size_t len = kept(from, whole, room);
	const char *end = len < whole ? CUT : "";
	for (size_t i = 0; i < len; i++) {
		bool package = from[i] == '/' && !is_number(from + i + 1, len - i - 1);
		n->text[i] = from[i];
		if (package)
			n->text[i] = '.';
		else if (from[i] == '.')
			n->text[i] = '/';
	}
	memcpy(n->text + len, end, strlen(end) + 1);
}

/* One that was cut where it was read has lost its ';': it is too long in any case. */
static void put_element(struct name *n, const char *element, size_t len, size_t room)
{
	bool whole = len && element[len - 1] == ';';
	if (element[0] == 'L' && len > 2 && (whole || len > room))
		put_class(n, element + 1, len - 1 - whole, room);
	else
		put_class(n, element, len, room);
}

/* What is left of the text beside the brackets; no array has more than 255 (JVMS 4.3.2). */
static size_t beside(const struct name *n, size_t dims)
{
	return sizeof(n->text) - 2 * (dims < DIMENSIONS_MAX ? dims : DIMENSIONS_MAX);
}

void name_of_signature(struct name *n, const char *signature)
{
	*n = (struct name){.array = signature[0] == '['};
	size_t dims = strspn(signature, "[");
	const char *element = signature + dims;
	size_t len = strlen(element);
	const char *word = len == 1 ? primitive(element[0]) : NULL;
	if (word)
		snprintf(n->text, sizeof(n->text), "%s", word);
	else
		put_element(n, element, len, beside(n, dims));
	normalise(n);
	size_t end = strlen(n->text);
	for (size_t i = 0; i < dims && end + 3 <= sizeof(n->text); i++, end += 2)
		memcpy(n->text + end, "[]", 3);
}

void name_of_class(struct name *n, const char *vm_name)
{
	*n = (struct name){.array = false};
	put_class(n, vm_name, strlen(vm_name), sizeof(n->text));
	normalise(n);
}

static bool in_globs(const char *globs, const char *name)
{
	char glob[OPTION_LIST]; /* as long as all of them together */
	while (*globs) {
		size_t len = strcspn(globs, ":");
		if (len < sizeof(glob)) {
			memcpy(glob, globs, len);
			glob[len] = '\0';
			if (fnmatch(glob, name, 0) == 0)
				return true;
		}
		globs += len + (globs[len] == ':');
	}
	return false;
}

/* Who asks writes names as people do, and the VM has them in its own way. */
bool name_in_globs(const char *globs, const char *name)
{
	struct buf plain = {0};
	if (!surrogates_may(slice_str(name)))
		return in_globs(globs, name);
	surrogates_plain(&plain, slice_str(name));
	bool in = in_globs(globs, plain.failed ? name : buf_text(&plain));
	buf_release(&plain);
	return in;
}
