#include "agent/names.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "options/options.h"
#include "support/tap.h"

struct row {
	const char *signature, *name;
};

/* The same of a class by the name within its signature. */
static void expect_class(const struct row *row)
{
	struct name n;
	char text[256];
	size_t len = strlen(row->signature);
	if (len < 3 || row->signature[0] != 'L' || row->signature[len - 1] != ';' ||
		len - 2 >= sizeof(text))
		return;
	memcpy(text, row->signature + 1, len - 2);
	text[len - 2] = '\0';
	name_of_class(&n, text);
	EXPECT_STR(row->name, n.text);
	EXPECT(!n.array);
}

static void expect_all(const struct row *rows, size_t count, bool made_up)
{
	for (size_t i = 0; i < count; i++) {
		struct name n;
		name_of_signature(&n, rows[i].signature);
		EXPECT_STR(rows[i].name, n.text);
		EXPECT_INT(made_up, n.normalised);
		EXPECT_INT(made_up, n.hidden);
		EXPECT_INT(rows[i].signature[0] == '[', n.array);
		expect_class(&rows[i]);
	}
}

TEST(plain_names)
{
	static const struct row rows[] = {
		{"Ljava/util/List;", "java.util.List"},
		{"LMain;", "Main"},
		{"[I", "int[]"},
		{"[[J", "long[][]"},
		{"[Z", "boolean[]"},
		{"[B", "byte[]"},
		{"[C", "char[]"},
		{"[S", "short[]"},
		{"[F", "float[]"},
		{"[D", "double[]"},
		{"V", "void"},
		{"[[[Lcom/acme/Order;", "com.acme.Order[][][]"},
		{"LI;", "I"},
		{"[LB;", "B[]"},
	};
	expect_all(rows, ARRAY_SIZE(rows), false);
}

/* "[[L", count times the piece, ";" as far as room goes: as the VM's memory is read. */
static void long_signature(char *out, size_t room, const char *begin, const char *piece)
{
	size_t at = strlen(begin), len = strlen(piece);
	memcpy(out, begin, at);
	for (; at + len < room; at += len)
		memcpy(out + at, piece, len);
	out[at] = '\0';
}

/* Exact places read it from the VM's memory and may cut it there, samples have it whole. */
static void expect_cut(const char *begin, const char *piece, const char *brackets, size_t slack)
{
	static char whole[60000], cut_short[NAME_READ];
	struct name of_whole, of_cut;
	long_signature(whole, sizeof(whole) - 1, begin, piece);
	strcat(whole, ";");
	memcpy(cut_short, whole, sizeof(cut_short) - 1);
	name_of_signature(&of_whole, whole);
	name_of_signature(&of_cut, cut_short);
	EXPECT_STR(of_whole.text, of_cut.text);
	EXPECT(strncmp(of_whole.text, piece, strlen(piece)) == 0);
	size_t len = strlen(of_whole.text), end = strlen(brackets);
	EXPECT(len < NAME_MAX_LEN && len >= NAME_MAX_LEN - 1 - slack);
	EXPECT_STR(brackets, of_whole.text + len - end);
	EXPECT(of_whole.array == (end > 3));
}

TEST(names_that_are_too_long)
{
	expect_cut("[L", "N", "…[]", 0);
	expect_cut("[[[L", "N", "…[][][]", 0);
	expect_cut("[L", "ü", "…[]", 1);
	expect_cut("[[L", "東", "…[][]", 2);
}

TEST(names_of_classes_that_are_too_long)
{
	static char in_vm[60000], in_signature[sizeof(in_vm) + 2];
	struct name n, m;
	long_signature(in_vm, sizeof(in_vm), "", "N");
	snprintf(in_signature, sizeof(in_signature), "L%s;", in_vm);
	name_of_class(&n, in_vm);
	name_of_signature(&m, in_signature);
	EXPECT_STR(n.text, m.text);
	EXPECT_STR("NN…", n.text + strlen(n.text) - strlen("NN…"));
	in_vm[NAME_READ - 1] = '\0';
	snprintf(in_signature, sizeof(in_signature), "L%s;", in_vm);
	name_of_signature(&m, in_signature);
	EXPECT_STR(n.text, m.text);
	in_vm[NAME_MAX_LEN - 1] = '\0';
	name_of_class(&n, in_vm);
	EXPECT_STR(in_vm, n.text);
}

TEST(arrays_of_many_dimensions)
{
	char signature[300];
	struct name n;
	memset(signature, '[', 255);
	memcpy(signature + 255, "I", 2);
	name_of_signature(&n, signature);
	EXPECT_INT(3 + 2 * 255, (int64_t)strlen(n.text));
}

/* What GetClassSignature gave for one program on JDK 11, 17, 21 and 25. */
TEST(names_that_the_vm_makes_up)
{
	static const struct row rows[] = {
		{"Lcom/acme/Demo$$Lambda$1/1101288798;", "com.acme.Demo$$Lambda"},
		{"[Lcom/acme/Demo$$Lambda$1;", "com.acme.Demo$$Lambda[]"},
		{"[[Lcom/acme/Demo$$Lambda$1;", "com.acme.Demo$$Lambda[][]"},
		{"Ljava/lang/invoke/LambdaForm$BMH/1967205423;", "java.lang.invoke.LambdaForm$BMH"},
		{"Ljava/lang/invoke/LambdaForm$DMH/1355531311;", "java.lang.invoke.LambdaForm$DMH"},
		{"Ljava/lang/invoke/LambdaForm$MH/100555887;", "java.lang.invoke.LambdaForm$MH"},
		{"Ljdk/internal/reflect/GeneratedMethodAccessor1;",
			"jdk.internal.reflect.GeneratedMethodAccessor"},
		{"Ljdk/internal/reflect/GeneratedConstructorAccessor1;",
			"jdk.internal.reflect.GeneratedConstructorAccessor"},
		{"Ljdk/internal/reflect/GeneratedSerializationConstructorAccessor3;",
			"jdk.internal.reflect.GeneratedSerializationConstructorAccessor"},
		{"Lcom/sun/proxy/$Proxy2;", "com.sun.proxy.$Proxy"},
		{"[Lcom/sun/proxy/$Proxy2;", "com.sun.proxy.$Proxy[]"},
		{"Lcom/acme/$Proxy0;", "com.acme.$Proxy"},
		{"L$Proxy17;", "$Proxy"},
		{"Lcom/acme/Demo$$Lambda$14.0x0000000800002448;", "com.acme.Demo$$Lambda"},
		{"[[Lcom/acme/Demo$$Lambda$1.0x0000000800000a08;", "com.acme.Demo$$Lambda[][]"},
		{"Ljava/lang/invoke/LambdaForm$DMH.0x0000000800003800;",
			"java.lang.invoke.LambdaForm$DMH"},
		{"[Ljdk/proxy1/$Proxy2;", "jdk.proxy1.$Proxy[]"},
		{"Lcom/acme/Demo$$Lambda.0x0000000077080210;", "com.acme.Demo$$Lambda"},
		{"[Lcom/acme/Demo$$Lambda.0x0000000077080210;", "com.acme.Demo$$Lambda[]"},
		{"Ljava/lang/String$$StringConcat.0x000000007708c000;",
			"java.lang.String$$StringConcat"},
		{"LMain$$Lambda.0x000000007708c000;", "Main$$Lambda"},
		{"Lcom/acme/Shop$.0x000000007708c000;", "com.acme.Shop$"},
		{"Lcom/acme/Shop$$$Lambda$7/1433867275;", "com.acme.Shop$$$Lambda"},
	};
	expect_all(rows, ARRAY_SIZE(rows), true);
}

/* By the naming rules of CGLIB, Spring, Guice, Javassist, Byte Buddy, Hibernate and Mockito. */
TEST(names_that_libraries_make_up)
{
	static const struct row rows[] = {
		{"Lcom/acme/Shop$$EnhancerBySpringCGLIB$$a1b2c3d4;",
			"com.acme.Shop$$EnhancerBySpringCGLIB"},
		{"Lcom/acme/Shop$$EnhancerBySpringCGLIB$$a1b2c3d4$$FastClassBySpringCGLIB$$9f8e7d;",
			"com.acme.Shop$$EnhancerBySpringCGLIB"},
		{"Lcom/acme/Shop$$SpringCGLIB$$0;", "com.acme.Shop$$SpringCGLIB"},
		{"Lcom/acme/Shop$$EnhancerByCGLIB$$4fcc1de3_2;", "com.acme.Shop$$EnhancerByCGLIB"},
		{"Lcom/acme/Shop$$FastClassByCGLIB$$4fcc1de3;", "com.acme.Shop$$FastClassByCGLIB"},
		{"Lnet/sf/cglib/core/MethodWrapper$MethodWrapperKey$$KeyFactoryByCGLIB$$552be97a;",
			"net.sf.cglib.core.MethodWrapper$MethodWrapperKey$$KeyFactoryByCGLIB"},
		{"Lcom/acme/Shop$$EnhancerByGuice$$1fb4f2a0;", "com.acme.Shop$$EnhancerByGuice"},
		{"Lcom/acme/Shop_$$_jvst4f2_0;", "com.acme.Shop_$$_jvst"},
		{"Lcom/acme/Shop_$$_javassist_12;", "com.acme.Shop_$$_javassist"},
		{"Lcom/acme/Order$HibernateProxy$kX3nP0Zr;", "com.acme.Order$HibernateProxy"},
		{"Lcom/acme/Order$HibernateProxy$3XbnP0Zr;", "com.acme.Order$HibernateProxy"},
		{"Ljava/util/List$MockitoMock$1764208123;", "java.util.List$MockitoMock"},
		{"Ljava/util/List$MockitoMock$b8kQ2ndW;", "java.util.List$MockitoMock"},
		{"Ljava/util/List$MockitoMock$1764208123$auxiliary$ab34CDef;",
			"java.util.List$MockitoMock"},
		{"Lcom/acme/Order$ByteBuddy$8oDAaPcV;", "com.acme.Order$ByteBuddy"},
		{"[Lcom/acme/Order$ByteBuddy$8oDAaPcV;", "com.acme.Order$ByteBuddy[]"},
	};
	expect_all(rows, ARRAY_SIZE(rows), true);
}

/* Names that look made up but are the program's own, or the same in every run. */
TEST(names_that_stay)
{
	static const struct row rows[] = {
		{"Lcom/acme/Foo$1;", "com.acme.Foo$1"},
		{"Lcom/acme/Foo$E$1;", "com.acme.Foo$E$1"},
		{"Lcom/acme/Foo$1Local;", "com.acme.Foo$1Local"},
		{"Lcom/acme/Foo$Proxy;", "com.acme.Foo$Proxy"},
		{"Lcom/acme/Foo$Proxy1;", "com.acme.Foo$Proxy1"},
		{"Lcom/acme/$Proxy;", "com.acme.$Proxy"},
		{"Lcom/acme/$Proxyable;", "com.acme.$Proxyable"},
		{"Lcom/acme/$Proxyfoo;", "com.acme.$Proxyfoo"},
		{"Lcom/acme/$Proxy1x;", "com.acme.$Proxy1x"},
		{"Lcom/acme/Foo$$Lambda;", "com.acme.Foo$$Lambda"},
		{"Lcom/acme/Foo$$Lambdas;", "com.acme.Foo$$Lambdas"},
		{"Lcom/acme/Foo$$Lambda$x;", "com.acme.Foo$$Lambda$x"},
		{"Lcom/acme/Foo$Lambda$1;", "com.acme.Foo$Lambda$1"},
		{"Lcom/acme/MyGeneratedMethodAccessor1;", "com.acme.MyGeneratedMethodAccessor1"},
		{"Lcom/acme/GeneratedMethodAccessors;", "com.acme.GeneratedMethodAccessors"},

		{"Lnet/bytebuddy/ByteBuddy$EnumerationImplementation;",
			"net.bytebuddy.ByteBuddy$EnumerationImplementation"},
		{"Ljava/lang/invoke/BoundMethodHandle$Species_LLIIL;",
			"java.lang.invoke.BoundMethodHandle$Species_LLIIL"},
		{"Ljava/lang/invoke/LambdaForm$Name;", "java.lang.invoke.LambdaForm$Name"},
		{"Ljava/lang/invoke/DirectMethodHandle$Holder;",
			"java.lang.invoke.DirectMethodHandle$Holder"},
		{"Ljdk/internal/reflect/Reflection$1Holder;",
			"jdk.internal.reflect.Reflection$1Holder"},
		{"Lorg/hibernate/proxy/HibernateProxy;", "org.hibernate.proxy.HibernateProxy"},
		{"Lcom/acme/MainKt$main$1;", "com.acme.MainKt$main$1"},
		{"Lcom/acme/Foo$Companion;", "com.acme.Foo$Companion"},
		{"Lcom/acme/Foo$WhenMappings;", "com.acme.Foo$WhenMappings"},
		{"Lcom/acme/sum of 1+1;", "com.acme.sum of 1+1"},
		{"Lscala/collection/immutable/$colon$colon;",
			"scala.collection.immutable.$colon$colon"},
		{"Lcom/acme/Foo$$anonfun$1;", "com.acme.Foo$$anonfun$1"},
		{"Lcom/acme/Foo$$anon$1;", "com.acme.Foo$$anon$1"},
		{"Lcom/acme/package$;", "com.acme.package$"},
		{"Lcom/acme/Script1$_run_closure1;", "com.acme.Script1$_run_closure1"},
		{"Lorg/codehaus/groovy/runtime/dgm$123;", "org.codehaus.groovy.runtime.dgm$123"},
		{"Lcom/acme/2d/Point;", "com.acme.2d.Point"},
		{"La/0x/B;", "a.0x.B"},
		{"Lcom/acme/Za\xc3\xa9;", "com.acme.Za\xc3\xa9"},
	};
	expect_all(rows, ARRAY_SIZE(rows), false);
}

TEST(what_is_no_signature_comes_out_as_it_is)
{
	static const struct row rows[] = {
		{"", ""},
		{"L", "L"},
		{"L;", "L;"},
		{";", ";"},
		{"[", "[]"},
		{"[[", "[][]"},
		{"Lx", "Lx"},
		{"Q", "Q"},
		{"[Q", "Q[]"},
		{"\xff", "\xff"},
		{"Lno end", "Lno end"},
	};
	expect_all(rows, ARRAY_SIZE(rows), false);
}

TEST(too_long_is_cut)
{
	static char signature[4 * NAME_MAX_LEN];
	struct name n;
	for (size_t len = NAME_MAX_LEN - 4; len < NAME_MAX_LEN + 4; len++) {
		memset(signature, 'a', sizeof(signature));
		memcpy(signature, "[[L", 3);
		memcpy(signature + 3 + len, ";", 2);
		name_of_signature(&n, signature);
		EXPECT_INT('a', n.text[0]);
		EXPECT(strlen(n.text) < NAME_MAX_LEN && strlen(n.text) >= NAME_MAX_LEN - 4);
	}
	memset(signature, '[', sizeof(signature));
	signature[sizeof(signature) - 2] = 'I';
	signature[sizeof(signature) - 1] = '\0';
	name_of_signature(&n, signature);
	EXPECT(strncmp(n.text, "int[][]", 7) == 0);
	EXPECT_INT(NAME_MAX_LEN - 1, strlen(n.text));
}

static void put_random(struct rng *r, char *out, int len, const char *letters)
{
	for (int i = 0; i < len; i++)
		out[i] = letters[rng_below(r, strlen(letters))];
	out[len] = '\0';
}

/* The same class in two runs has one name. */
TEST(runs_do_not_differ)
{
	static const struct {
		const char *marker, *letters;
		int len;
	} kinds[] = {
		{"$$Lambda$14.0x", "0123456789abcdef", 16},
		{"$$Lambda.0x", "0123456789abcdef", 16},
		{"$$Lambda$3/", "0123456789", 9},
		{"$$Lambda$", "0123456789", 3},
		{"$$EnhancerBySpringCGLIB$$", "0123456789abcdef", 8},
		{"$HibernateProxy$", "0123456789abcdefxyzABCXYZ", 8},
		{"$MockitoMock$", "0123456789", 10},
	};
	static const char *const bases[] = {
		"Main", "com/acme/Shop", "com/acme/Shop$", "a/b/C$Inner$1", "a/2/C"};
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < 2000; i++) {
		size_t k = rng_below(&r, ARRAY_SIZE(kinds)), b = rng_below(&r, ARRAY_SIZE(bases));
		struct name names[2];
		for (int run = 0; run < 2; run++) {
			char part[32], signature[128];
			put_random(&r, part, kinds[k].len, kinds[k].letters);
			snprintf(signature, sizeof(signature), "[L%s%s%s;", bases[b],
				kinds[k].marker, part);
			name_of_signature(&names[run], signature);
			EXPECT(names[run].normalised && names[run].hidden);
		}
		EXPECT_STR(names[0].text, names[1].text);
		EXPECT(strstr(names[0].text, "Shop") || b != 1);
	}
}

TEST(globs)
{
	EXPECT(name_in_globs("com.acme.*", "com.acme.deep.Order"));
	EXPECT(name_in_globs("org.*:com.acme.*", "com.acme.Order"));
	EXPECT(name_in_globs("::Main", "Main"));
	EXPECT(name_in_globs("*$$Lambda", "com.acme.Foo$$Lambda"));
	EXPECT(!name_in_globs("", "Main"));
	EXPECT(!name_in_globs(":", "Main"));
	EXPECT(!name_in_globs("com.acme", "com.acme.Order"));
	EXPECT(name_in_globs("com.acme.\U00010400*", "com.acme.\xed\xa0\x81\xed\xb0\x80rder"));
	char glob[OPTION_LIST + 1]; /* one too many: options have none as long */
	memset(glob, '?', sizeof(glob));
	glob[OPTION_LIST] = '\0';
	EXPECT(!name_in_globs(glob, glob));
	glob[OPTION_LIST - 1] = '\0';
	EXPECT(name_in_globs(glob, glob));
}
