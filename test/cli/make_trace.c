/* Writes the traces that the golden screens are made from: make_trace SCENARIO FILE. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/exact_sim.h"
#include "support/tenure_sim.h"
#include "trace/writer.h"

#define MAIN "com.acme.orders.Main.main:31"
#define LOOP "com.acme.orders.Server.loop:120"

/* A shop: garbage, a batch that lives for some collections, an index that stays, a cache, and one
 * line whose callers differ. */
static const struct sim_site shop[] = {
	{"byte[]",
		{"org.apache.lucene.util.ByteBlockPool.nextBuffer:204",
			"com.acme.orders.Parser.read:88", LOOP, MAIN},
		4096, 310, 100, 0, 0},
	{"java.lang.String",
		{"java.lang.StringLatin1.newString:769", "java.lang.String.substring:2834",
			"com.acme.orders.Parser.field:61", "com.acme.orders.Parser.read:90", LOOP,
			MAIN},
		24, 180, 98, 1, 2},
	{"com.acme.orders.Order", {"com.acme.orders.Parser.order:40", LOOP, MAIN}, 64, 120, 20, 2,
		6},
	{"org.apache.lucene.index.Term[]",
		{"org.apache.lucene.index.FreqProxTermsWriter.flush:88",
			"com.acme.orders.Indexer.commit:17", LOOP, MAIN},
		2048, 60, 3, 16, 60},
	{"java.lang.Object[]",
		{"java.util.Arrays.copyOf:3541", "java.util.ArrayList.grow:237",
			"com.acme.orders.Basket.add:52", "com.acme.orders.Request.handle:19", LOOP,
			MAIN},
		80, 90, 100, 0, 0},
	{"java.lang.Object[]",
		{"java.util.Arrays.copyOf:3541", "java.util.ArrayList.grow:237",
			"com.acme.orders.Session.remember:77", LOOP, MAIN},
		80, 70, 2, 20, 40},
	{"com.acme.orders.Cache$Entry",
		{"com.acme.orders.Cache.put:23", "com.acme.orders.Session.remember:79", LOOP, MAIN},
		48, 30, 0, SIM_FOREVER, 0},
	{"char[]", {"com.acme.orders.Report.line:9", "com.acme.orders.Report.print:33", MAIN}, 512,
		80, 50, 12, 14},
	{"int[]",
		{"com.acme.orders.Bitmap.<init>:12", "com.acme.orders.Indexer.commit:22", LOOP,
			MAIN},
		256, 6, 90, 1, 3},
	{"com.acme.orders.Größe", {"com.acme.orders.Größe.von:7", LOOP, MAIN}, 32, 5, 100, 0, 0},
	{"java.util.HashMap$Node[]",
		{"java.util.HashMap.resize:699", "com.acme.orders.Config.load:5", MAIN}, 1024, 1, 0,
		SIM_FOREVER, 0},
	{"long[]", {NULL}, 128, 4, 95, 1, 4},
};

/* One line makes arrays of all sizes: counted as objects, the few small ones are all that matters;
 * by bytes, the many large ones. */
#define POOL "org.apache.lucene.util.RecyclingAllocator.getBlock:31"
static const struct sim_site pool[] = {
	{"byte[]", {POOL, "com.acme.orders.Indexer.header:9", LOOP, MAIN}, 24, 2, 100, 0, 0},
	{"byte[]", {POOL, "com.acme.orders.Indexer.header:9", LOOP, MAIN}, 512, 6, 20, 1, 30},
	{"byte[]", {POOL, "com.acme.orders.Indexer.header:9", LOOP, MAIN}, 32768, 90, 4, 18, 40},
	{"byte[]", {POOL, "com.acme.orders.Indexer.header:9", LOOP, MAIN}, 1048576, 118, 4, 18, 40},
	{"java.lang.String", {"com.acme.orders.Parser.field:61", LOOP, MAIN}, 24, 300, 97, 1, 3},
};

static const struct sim_site later[] = {
	{"byte[]",
		{"org.apache.lucene.util.ByteBlockPool.nextBuffer:204",
			"com.acme.orders.Parser.read:88", LOOP, MAIN},
		4096, 100, 100, 0, 0},
	{"java.lang.String",
		{"java.lang.StringLatin1.newString:769", "java.lang.String.substring:2834",
			"com.acme.orders.Parser.field:61", "com.acme.orders.Parser.read:90", LOOP,
			MAIN},
		24, 180, 98, 1, 2},
	{"com.acme.orders.Order", {"com.acme.orders.Parser.order:47", LOOP, MAIN}, 64, 120, 20, 2,
		6},
	{"org.apache.lucene.index.Term[]",
		{"org.apache.lucene.index.FreqProxTermsWriter.flush:88",
			"com.acme.orders.Indexer.commit:17", LOOP, MAIN},
		2048, 60, 95, 1, 3},
	{"com.acme.orders.Cache$Entry",
		{"com.acme.orders.Cache.put:23", "com.acme.orders.Session.remember:79", LOOP, MAIN},
		48, 30, 0, SIM_FOREVER, 0},
	{"java.util.ArrayDeque", {"com.acme.orders.Pool.take:3", LOOP, MAIN}, 48, 20, 0, 1, 30},
};

/* What advice looks for, each in a place of its own. */
#define GROW                                                                                       \
	"java.util.Arrays.copyOf:3512", "java.util.ArrayList.grow:237",                            \
		"com.acme.orders.Basket.add:52", LOOP, MAIN
static const struct sim_site mill[] = {
	{"byte[]",
		{"org.apache.lucene.util.ByteBlockPool.nextBuffer:204",
			"com.acme.orders.Parser.read:88", LOOP, MAIN},
		4096, 500, 100, 0, 0},
	{"java.lang.Long",
		{"java.lang.Long.valueOf:1211", "com.acme.orders.Total.add:5", LOOP, MAIN}, 16, 90,
		100, 0, 0},
	{"java.lang.Object[]", {GROW}, 64, 20, 100, 0, 0},
	{"java.lang.Object[]", {GROW}, 128, 20, 100, 0, 0},
	{"java.lang.Object[]", {GROW}, 256, 20, 100, 0, 0},
	{"java.lang.Object[]", {GROW}, 512, 20, 100, 0, 0},
	{"java.lang.ref.WeakReference",
		{"com.acme.orders.Listeners.add:8", "com.acme.orders.Request.handle:12", LOOP,
			MAIN},
		48, 30, 10, 2, 8},
	{"char[]", {"com.acme.orders.Report.page:9", "com.acme.orders.Report.print:33", MAIN},
		1000000, 40, 100, 0, 0},
	{"com.acme.orders.Audit", {"com.acme.orders.Audit.note:23", LOOP, MAIN}, 48, 12, 0,
		SIM_FOREVER, 0},
};

/* Nothing that stands out. */
#define CALM(method, size)                                                                         \
	{                                                                                          \
		"com.acme.orders.Line", {"com.acme.orders.Form." method, LOOP, MAIN}, size, 10,    \
			98, 1, 2                                                                   \
	}
static const struct sim_site calm[] = {CALM("a:1", 24), CALM("b:2", 32), CALM("c:3", 40),
	CALM("d:4", 48), CALM("e:5", 24), CALM("f:6", 32), CALM("g:7", 40), CALM("h:8", 48),
	CALM("i:9", 24), CALM("j:10", 32), CALM("k:11", 40), CALM("l:12", 48)};

/* Names that mean something to a terminal, a browser, a spreadsheet or a database; hostile.py. */
#define TEN(s) s s s s s s s s s s
static const struct sim_site hostile[] = {
	{"<script>alert(1)</script>", {"<img src=x onerror=alert(2)>.run:1", LOOP, MAIN}, 64, 90,
		100, 0, 0},
	{"</script><!--", {"com.acme.A\"B'C\\D.<init>:2", LOOP, MAIN}, 64, 80, 0, SIM_FOREVER, 0},
	{"com.acme.\033[31mRed\a\033]0;title\a", {"com.acme.Bell\b\b.ring\177:3", LOOP, MAIN}, 64,
		70, 50, 2, 9},
	{"com.acme.Two\nLines\r\tTab", {"com.acme.X\n$ rm -rf.y\n:4", LOOP, MAIN}, 64, 60, 100, 0,
		0},
	{"com.acme.\xff\xfe\xc3(", {"com.acme.Cut\xe2\x82.z:5", LOOP, MAIN}, 64, 50, 100, 0, 0},
	{"com.acme.\xe2\x80\xae"
	 "evil\xe2\x80\xa8"
	 "line\xc2\x9b"
	 "31m",
		{"com.acme.\xe2\x80\xa9.p:6", LOOP, MAIN}, 64, 40, 100, 0, 0},
	{"x'); DROP TABLE sites; --", {"com.acme.\";\\.q:7", LOOP, MAIN}, 64, 40, 10, 1, 4},
	{"=1+1,2;\"3\"", {"@SUM(A1).r:8", LOOP, MAIN}, 64, 40, 10, 1, 4},
	{TEN(TEN(TEN("Lon."))), {"com.acme." TEN(TEN("Very;long ")) ".s:9", LOOP, MAIN}, 64, 40, 10,
		1, 4},
	{"", {".:0", LOOP, MAIN}, 64, 40, 10, 1, 4},
};

static const struct sim_text hostile_facts[] = {{"engine", "sampled"},
	{"jdk.version", "25\033[2J<b>"}, {"gc", "G1\n</script><script>alert(3)</script>"},
	{"deaths", "collection"}, {"start", "launch"}, {"command", "java\n-jar \"<i>.jar"},
	{"tenuring.max", "15"}, {NULL, NULL}};
static const char *const hostile_notes[] = {
	"<script>alert(4)</script>\033[31m\n'; DROP TABLE meta; --", "\xff\xfe", NULL};

static const struct sim_site eternal[] = {
	{"com.acme.Kept", {"com.acme.Keeper.keep:1", LOOP, MAIN}, 64, 1, 0, SIM_FOREVER, 0}};

#define SHOP .sites = shop, .count = sizeof(shop) / sizeof(shop[0])

#define VM(engine_, jdk, gc_, deaths_, start_)                                                     \
	{"engine", engine_}, {"agent.version", "0.1.0"}, {"jdk.version", jdk}, {"gc", gc_},        \
		{"deaths", deaths_}, {"start", start_}, {"heap.max", "536870912"},                 \
		{"depth", "32"}, {"pid", "4242"}, {"command", "java -jar orders.jar"},             \
		{"vm.name", "OpenJDK 64-Bit Server VM"}, {"vm.vendor", "Eclipse Adoptium"},        \
		{"cpus", "8"}, {"tenuring.max", "15"}, {"clock.gc", "counters"},                   \
	{                                                                                          \
		NULL, NULL                                                                         \
	}

static const struct sim_text g1[] = {VM("sampled", "25.0.3", "G1", "collection", "launch")};
static const struct sim_text large[] = {
	{"follow.max", "524288"}, VM("sampled", "17.0.15", "G1", "collection", "launch")};
static const struct sim_text header[] = {
	{"exact", "header"}, VM("exact", "21.0.8", "Serial", "collection", "launch")};
static const struct sim_text serial[] = {VM("sampled", "21.0.8", "Serial", "collection", "launch")};
static const struct sim_text paths[] = {{"every", "20"}, {"exact", "header"},
	VM("exact", "21.0.8", "Serial", "collection", "launch")};

static const struct sim_text refused[] = {{"exact", "refused"},
	{"exact.why", "the VM's symbols are stripped"},
	VM("sampled", "21.0.8", "Serial", "collection", "launch")};
static const struct sim_text parallel[] = {
	VM("sampled", "21.0.8", "Parallel", "collection", "launch")};
static const struct sim_text attached[] = {
	VM("sampled", "21.0.8", "Parallel", "collection", "attach")};
static const struct sim_text waited[] = {
	{"waited", "30012000000"}, VM("sampled", "21.0.8", "Parallel", "collection", "launch")};
static const struct sim_text filtered[] = {
	{"include", "com.acme.*"}, VM("sampled", "25.0.3", "G1", "collection", "launch")};
static const struct sim_text pauses[] = {{"engine", "sampled"}, {"jdk.version", "17.0.15"},
	{"gc", "unknown"}, {"deaths", "collection"}, {"start", "launch"}, {"clock.gc", "pauses"},
	{"tenuring.max", "15"}, {NULL, NULL}};
static const struct sim_text zgc[] = {VM("sampled", "25.0.3", "ZGC generational", "old", "launch")};
static const struct sim_text epsilon[] = {VM("sampled", "17.0.15", "Epsilon", "none", "launch")};

static const char *const notes[] = {
	"The stack bound of 32 frames was met by 12 % of the samples", NULL};

static const struct {
	const char *name;
	struct sim sim;
} scenarios[] = {
	{"orders", {SHOP, .facts = g1, .seed = 1, .samples = 30000, .interval = 524288,
			   .gc_bytes = 90000000, .full_every = 60, .promote = 15, .young_role = 1,
			   .full_role = 3, .bytes_per_s = 800000000, .threads = 3}},
	{"attached", {SHOP, .facts = attached, .notes = notes, .seed = 2, .samples = 3000,
			     .interval = 524288, .walk = 2, .track = 3, .gc_bytes = 90000000,
			     .full_every = 8, .promote = 15, .young_role = 1, .full_role = 2,
			     .bytes_per_s = 400000000, .lost = 37, .untrack = 5}},
	{"waited", {SHOP, .facts = waited, .seed = 2, .samples = 3000, .interval = 524288,
			   .gc_bytes = 90000000, .full_every = 8, .promote = 15, .young_role = 1,
			   .full_role = 2, .bytes_per_s = 400000000}},
	{"few", {SHOP, .facts = g1, .seed = 3, .samples = 60, .interval = 524288,
			.gc_bytes = 9000000, .young_role = 1, .full_role = 3, .promote = 15,
			.bytes_per_s = 400000000}},
	{"filtered", {SHOP, .facts = filtered, .seed = 3, .samples = 60, .interval = 524288,
			     .gc_bytes = 9000000, .young_role = 1, .full_role = 3, .promote = 15,
			     .bytes_per_s = 400000000}},
	{"nogc", {SHOP, .facts = g1, .seed = 4, .samples = 400, .interval = 524288, .young_role = 1,
			 .full_role = 3, .promote = 15, .bytes_per_s = 400000000}},
	{"mixed", {.sites = pool,
			  .count = ARRAY_SIZE(pool),
			  .facts = g1,
			  .seed = 9,
			  .samples = 1200,
			  .interval = 524288,
			  .gc_bytes = 9000000,
			  .full_every = 60,
			  .promote = 15,
			  .young_role = 1,
			  .full_role = 2,
			  .bytes_per_s = 400000000}},
	{"once", {SHOP, .facts = g1, .seed = 10, .samples = 160, .interval = 524288,
			 .gc_bytes = 45000000, .young_role = 1, .full_role = 3, .promote = 15,
			 .bytes_per_s = 400000000}},
	{"zgc-young", {SHOP, .facts = zgc, .seed = 11, .samples = 400, .interval = 524288,
			      .gc_bytes = 90000000, .old_only = true, .young_role = 5,
			      .full_role = 3, .bytes_per_s = 400000000}},
	{"zgc", {SHOP, .facts = zgc, .seed = 5, .samples = 20000, .interval = 524288,
			.gc_bytes = 90000000, .full_every = 4, .old_only = true, .young_role = 5,
			.full_role = 3, .bytes_per_s = 400000000}},
	{"epsilon", {SHOP, .facts = epsilon, .seed = 6, .samples = 500, .interval = 524288,
			    .bytes_per_s = 400000000}},
	{"killed", {SHOP, .facts = g1, .seed = 7, .samples = 5000, .interval = 524288,
			   .gc_bytes = 90000000, .young_role = 1, .full_role = 3, .promote = 15,
			   .bytes_per_s = 400000000, .no_end = true}},
	/* 25 % of all is one line's, in the seconds 15 to 22 or so. */
	{"burst", {SHOP, .facts = g1, .seed = 12, .samples = 20000, .interval = 524288,
			  .gc_bytes = 60000000, .full_every = 60, .young_role = 1, .full_role = 2,
			  .promote = 15, .bytes_per_s = 400000000,
			  .burst = {.from = 10000, .to = 16667, .site = 2, .times = 4}}},
	/* The shop after a change: its first line makes a third of what it made, the fourth's
	 * objects die young, one line moved, one is new. */
	{"after", {.sites = later,
			  .count = ARRAY_SIZE(later),
			  .facts = g1,
			  .seed = 13,
			  .samples = 16000,
			  .interval = 524288,
			  .gc_bytes = 90000000,
			  .full_every = 100,
			  .young_role = 1,
			  .full_role = 3,
			  .promote = 15,
			  .bytes_per_s = 800000000}},
	{"again", {SHOP, .facts = g1, .seed = 14, .samples = 30000, .interval = 524288,
			  .gc_bytes = 90000000, .full_every = 100, .young_role = 1, .full_role = 3,
			  .promote = 15, .bytes_per_s = 800000000}},
	/* A VM that tells heap sizes: what copying costs is known. */
	{"copies", {SHOP, .facts = g1, .seed = 15, .samples = 30000, .interval = 524288,
			   .gc_bytes = 90000000, .full_every = 60, .promote = 15, .young_role = 1,
			   .full_role = 2, .bytes_per_s = 800000000, .gc_ns = 3000000,
			   .copy_ns = 0.2}},
	/* Survivors don't fit: what lives for some collections dies in the old generation. */
	{"tight", {SHOP, .facts = parallel, .seed = 16, .samples = 20000, .interval = 524288,
			  .gc_bytes = 60000000, .full_every = 20, .promote = 2, .young_role = 1,
			  .full_role = 2, .bytes_per_s = 400000000, .gc_ns = 2000000,
			  .copy_ns = 0.5}},
	{"mill", {.sites = mill,
			 .count = ARRAY_SIZE(mill),
			 .facts = large,
			 .seed = 17,
			 .samples = 20000,
			 .interval = 524288,
			 .follow_max = 524288,
			 .gc_bytes = 60000000,
			 .full_every = 60,
			 .promote = 15,
			 .young_role = 1,
			 .full_role = 2,
			 .bytes_per_s = 800000000,
			 .gc_ns = 5000000,
			 .copy_ns = 0.5}},
	{"calm", {.sites = calm,
			 .count = ARRAY_SIZE(calm),
			 .facts = g1,
			 .seed = 18,
			 .samples = 10000,
			 .interval = 524288,
			 .gc_bytes = 90000000,
			 .full_every = 60,
			 .promote = 15,
			 .young_role = 1,
			 .full_role = 2,
			 .bytes_per_s = 400000000,
			 .gc_ns = 1000000,
			 .copy_ns = 0.1}},
	{"hostile", {.sites = hostile,
			    .count = ARRAY_SIZE(hostile),
			    .facts = hostile_facts,
			    .notes = hostile_notes,
			    .seed = 19,
			    .samples = 8000,
			    .interval = 524288,
			    .gc_bytes = 60000000,
			    .full_every = 60,
			    .promote = 15,
			    .young_role = 1,
			    .full_role = 2,
			    .bytes_per_s = 400000000,
			    .burst = {.from = 3000, .to = 4500, .site = 0, .times = 4}}},
	{"single", {SHOP, .facts = g1, .seed = 20, .samples = 1, .interval = 524288, .promote = 15,
			   .young_role = 1, .full_role = 3, .bytes_per_s = 400000000}},
	{"undying", {.sites = eternal,
			    .count = ARRAY_SIZE(eternal),
			    .facts = g1,
			    .seed = 21,
			    .samples = 3000,
			    .interval = 524288,
			    .gc_bytes = 60000000,
			    .full_every = 20,
			    .promote = 15,
			    .young_role = 1,
			    .full_role = 3,
			    .bytes_per_s = 400000000}},
	{"pauses", {SHOP, .facts = pauses, .seed = 22, .samples = 2000, .interval = 524288,
			   .gc_bytes = 90000000, .promote = 15, .young_role = 1, .untold = true,
			   .bytes_per_s = 400000000}},
	{"refused", {SHOP, .facts = refused, .seed = 24, .samples = 2000, .interval = 524288,
			    .gc_bytes = 90000000, .promote = 15, .young_role = 1, .full_role = 3,
			    .bytes_per_s = 400000000}},
	{"empty", {.facts = g1, .seed = 8, .bytes_per_s = 1}},
};

/* The shop again, each of its objects counted: 300 000 of them, one in some 40 sampled. */
#define COUNTED BOUGHT(header)
/* With full collections, after which sites are unknown. */
#define SHAKEN                                                                                     \
	{                                                                                          \
		SHOP, .facts = header, .seed = 25, .samples = 100000, .interval = 1900,            \
		      .gc_bytes = 6000000, .young_role = 1, .full_role = 2, .full_every = 9,       \
		      .promote = 6, .bytes_per_s = 40000000                                        \
	}
#define UNCOUNTED BOUGHT(serial)
#define BOUGHT(facts_)                                                                             \
	{                                                                                          \
		SHOP, .facts = facts_, .seed = 23, .samples = 300000, .interval = 1900,            \
		      .gc_bytes = 12000000, .young_role = 1, .full_role = 3, .promote = 6,         \
		      .bytes_per_s = 40000000                                                      \
	}
static const struct {
	const char *name;
	struct exact_sim sim;
} exact_scenarios[] = {
	{"exact", {.sim = COUNTED, .interval = 65536, .inlined = 2, .dark = 1}},
	{"sampled", {.sim = UNCOUNTED, .interval = 65536, .sampled_only = true}},
	{"counted", {.sim = COUNTED, .interval = 65536, .exact_only = true}},
	{"shaken", {.sim = SHAKEN, .interval = 65536, .alone = 5, .inlined = 3}},
	{"walked", {.sim = BOUGHT(paths), .interval = 65536, .inlined = 1, .every = 20}},
	{"missed", {.sim = COUNTED, .interval = 65536, .miss_every = 7}},
	{"disowned", {.sim = COUNTED, .interval = 65536, .disowned = true}},
};

/* The shop with tenure: it learns for two rounds, sends three lines' objects on and bounds the
 * threshold, takes one line back, looks again once. */
enum { SITE_ORDER = 3, SITE_TERMS = 4, SITE_SESSION = 6, SITE_CACHE = 7 };
#define LEARNT(word, gc_)                                                                          \
	{                                                                                          \
		{"tenure", word}, {"tenure.round", "16"},                                          \
			VM("sampled", "21.0.8", gc_, "collection", "launch")                       \
	}
#define TESTED(verdict, why)                                                                       \
	{                                                                                          \
		{"tenure.test", verdict}, {"tenure.test.why", why}, {"tenure", "yes"},             \
			{"tenure.round", "16"},                                                    \
			VM("sampled", "21.0.8", "G1", "collection", "launch")                      \
	}
static const struct sim_text tenured[] = TESTED("passed", "");
static const struct sim_text untested[] = TESTED("open", "there were too few young collections");
static const struct sim_text failed[] =
	TESTED("failed", "an object of the greatest age was not promoted by a young collection");
static const struct sim_text learnt[] = LEARNT("learn", "G1");
static const struct sim_text applied[] = LEARNT("apply", "Serial");
static const struct sim_text by_parallel[] = LEARNT("yes", "Parallel");
static const struct sim_text no_ages[] = LEARNT("yes", "ZGC");
static const struct sim_text turned_off[] = {
	{"tenure.why", "this VM does not let classes be rewritten, and its threshold can't be set"},
	{"tenure", "yes"}, VM("sampled", "21.0.8", "Parallel", "collection", "attach")};

static const struct tenure_phase better[] = {
	{0, 0.21, 0.031, 0.9, 1, TENURE_LEARNS, 15, 0},
	{3, 0.16, 0.040, 0.8, 0.9, TENURE_SETTLES, 2, 3},
	{4, 0.08, 0.034, 0.55, 0.6, TENURE_HOLDS, 2, 3},
	{8, 0.09, 0.034, 0.55, 0.62, TENURE_HOLDS, 2, 2},
	{11, 0.19, 0.031, 0.85, 0.9, TENURE_PROBES, 15, 0},
	{12, 0.10, 0.036, 0.6, 0.6, TENURE_SETTLES, 2, 2},
	{13, 0.085, 0.034, 0.55, 0.6, TENURE_HOLDS, 2, 2},
};
static const struct tenure_phase same[] = {{0, 0.004, 0.001, 0, 1, TENURE_LEARNS, 15, 0}};
static const struct tenure_phase worse[] = {
	{0, 0.21, 0.031, 0.9, 1, TENURE_LEARNS, 15, 0},
	{3, 0.30, 0.140, 1.8, 1.7, TENURE_HOLDS, 15, 1},
	{6, 0.20, 0.032, 0.9, 1, TENURE_WAITS, 15, 0},
};
static const struct tenure_phase loaded[] = {{0, 0.08, 0.034, 0, 0.6, TENURE_HOLDS, 15, 3}};

#define SURVIVES "what survives once mostly grows old"
static const struct tenure_step decided[] = {
	{.round = 2,
		.lever = TENURE_JUMP,
		.site = SITE_TERMS,
		.gain = 41200000,
		.harm = 310000,
		.reason = SURVIVES},
	{.round = 2,
		.lever = TENURE_JUMP,
		.site = SITE_SESSION,
		.gain = 3100000,
		.harm = 20000,
		.reason = SURVIVES},
	{.round = 2,
		.lever = TENURE_JUMP,
		.site = SITE_ORDER,
		.gain = 900000,
		.reason = "what was chosen refers to it"},
	{.round = 2,
		.lever = TENURE_THRESHOLD,
		.value = 2,
		.gain = 64000000,
		.harm = 2100000,
		.reason = "of what is copied, 62 % is not copied any more with a threshold of 2 "
			  "and the age jump"},
	{.round = 4,
		.lever = TENURE_JUMP,
		.predicted = 62000000,
		.observed = 65300000,
		.margin = 5100000},
	{.round = 5,
		.lever = TENURE_SAMPLING,
		.value = 1,
		.reason = "nothing has changed for some time"},
	{.round = 7,
		.lever = TENURE_JUMP,
		.action = TENURE_TAKE_BACK,
		.site = SITE_ORDER,
		.reason = "too many of its survivors die young"},
	{.round = 10,
		.lever = TENURE_JUMP,
		.action = TENURE_REST,
		.reason = "to see again how old objects get"},
	{.round = 10,
		.lever = TENURE_THRESHOLD,
		.action = TENURE_REST,
		.value = 15,
		.reason = "to see again how old objects get"},
	{.round = 11, .lever = TENURE_JUMP, .action = TENURE_RESUME, .reason = "seen"},
	{.round = 11,
		.lever = TENURE_JUMP,
		.action = TENURE_KEEP,
		.site = SITE_TERMS,
		.reason = "it still pays"},
	{.round = 13,
		.lever = TENURE_JUMP,
		.predicted = 71000000,
		.observed = 66900000,
		.margin = 3500000},
};
static const struct tenure_step withdrawn[] = {
	{.round = 2,
		.lever = TENURE_JUMP,
		.site = SITE_CACHE,
		.gain = 5200000,
		.harm = 40000,
		.reason = SURVIVES},
	{.round = 5,
		.lever = TENURE_JUMP,
		.action = TENURE_TAKE_BACK,
		.site = SITE_CACHE,
		.reason = "it did not pay: what the collector costs rose by more than chance"},
};
static const struct tenure_step advised[] = {
	{.round = 2,
		.lever = TENURE_THRESHOLD,
		.action = TENURE_ADVISE,
		.value = 1,
		.gain = 58000000,
		.reason = "-XX:MaxTenuringThreshold=1 gives you this without mayfly"},
};
/* The young generation that a file said; the run finds that it did not pay, and that another would.
 */
static const struct tenure_step sized[] = {
	{.lever = TENURE_YOUNG,
		.value = 200,
		.reason = "the decisions file says so: 256 MB of a heap of 384"},
	{.round = 3, .lever = TENURE_YOUNG, .predicted = 38000000, .observed = 41000000},
	{.round = 4,
		.lever = TENURE_YOUNG,
		.action = TENURE_ADVISE,
		.value = 125,
		.gain = 9000000,
		.reason = "with a young generation of 320 MB in place of 256 (-Xmn320m) 22 % less "
			  "would be copied"},
	{.round = 6,
		.lever = TENURE_YOUNG,
		.action = TENURE_TAKE_BACK,
		.reason = "for the next run: the collector took 14 % more of the CPU for each byte "
			  "than without it"},
};
static const struct tenure_step would[] = {
	{.round = 2,
		.lever = TENURE_JUMP,
		.site = SITE_TERMS,
		.gain = 41200000,
		.harm = 310000,
		.reason = SURVIVES},
	{.round = 2,
		.lever = TENURE_THRESHOLD,
		.value = 2,
		.gain = 64000000,
		.reason = "of what is copied, 62 % is not copied any more with a threshold of 2 "
			  "and the age jump"},
};

#define TENURED(facts_, samples_, phases_)                                                         \
	.sim = {SHOP, .facts = facts_, .seed = 26, .samples = samples_, .interval = 131072,        \
		.gc_bytes = 12000000, .promote = 15, .young_role = 1, .full_role = 3,              \
		.bytes_per_s = 400000000, .gc_ns = 3000000, .copy_ns = 0.5},                       \
	.length = 16, .phases = phases_, .phase_count = ARRAY_SIZE(phases_)
#define STEPS(steps_) .steps = steps_, .step_count = ARRAY_SIZE(steps_)
static const struct {
	const char *name;
	struct tenure_sim sim;
} tenure_scenarios[] = {
	{"tenured", {TENURED(tenured, 24000, better), STEPS(decided)}},
	{"tenured-worse", {TENURED(tenured, 14000, worse), STEPS(withdrawn)}},
	{"tenured-fresh", {TENURED(tenured, 5000, better), STEPS(decided)}},
	{"tenured-few", {TENURED(untested, 2000, same)}},
	{"tenured-failed", {TENURED(failed, 9000, same)}},
	{"tenured-nothing", {TENURED(tenured, 9000, same)}},
	{"tenured-learnt", {TENURED(learnt, 9000, same), STEPS(would)}},
	{"tenured-flag", {TENURED(learnt, 9000, same), STEPS(advised)}},
	{"tenured-applied", {TENURED(applied, 9000, loaded)}},
	{"tenured-undone", {TENURED(applied, 9000, same)}},
	{"tenured-sized", {TENURED(by_parallel, 9000, same), STEPS(sized)}},
	{"tenured-zgc", {TENURED(no_ages, 1200, same)}},
	{"tenured-off", {TENURED(turned_off, 1200, same)}},
};

static int put(void *arg, const struct record *r)
{
	return writer_put(arg, r);
}

static int run(const struct sim *s, const struct exact_sim *x, const struct tenure_sim *t,
	struct writer *w)
{
	struct exact_truth truth = {0};
	int err = s   ? sim_run(s, put, w)
		  : x ? exact_sim_run(x, put, w, &truth)
		      : tenure_sim_run(t, put, w);
	exact_truth_release(&truth);
	return err;
}

/* One of the three programs. */
static int write_trace(const struct sim *s, const struct exact_sim *x, const struct tenure_sim *t,
	const char *path)
{
	struct buf bytes = {0};
	struct writer w;
	int err = writer_init(&w, sink_buf(&bytes), NULL, (struct ns){1763712000000000000u});
	if (err)
		return err;
	err = run(s, x, t, &w);
	int close_err = writer_release(&w);
	err = err ? err : close_err;
	FILE *f = err ? NULL : fopen(path, "wb");
	if (!f || fwrite(bytes.at, 1, bytes.len, f) != bytes.len)
		err = err ? err : ERR_IO;
	if (f && fclose(f))
		err = ERR_IO;
	buf_release(&bytes);
	return err;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < ARRAY_SIZE(scenarios); i++)
		if (strcmp(scenarios[i].name, argv[1]) == 0)
			return write_trace(&scenarios[i].sim, NULL, NULL, argv[2]) != 0;
	for (size_t i = 0; argc == 3 && i < ARRAY_SIZE(exact_scenarios); i++)
		if (strcmp(exact_scenarios[i].name, argv[1]) == 0)
			return write_trace(NULL, &exact_scenarios[i].sim, NULL, argv[2]) != 0;
	for (size_t i = 0; argc == 3 && i < ARRAY_SIZE(tenure_scenarios); i++)
		if (strcmp(tenure_scenarios[i].name, argv[1]) == 0)
			return write_trace(NULL, NULL, &tenure_scenarios[i].sim, argv[2]) != 0;
	fprintf(stderr, "usage: make_trace SCENARIO FILE\n");
	return 2;
}
