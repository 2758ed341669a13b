#include "unit/tui/sight_of.h"

#include "base/error.h"

#define MAIN "com.acme.orders.Main.main:31"
#define LOOP "com.acme.orders.Server.loop:120"

/* Among them names that are wide, and one that would steer a terminal. */
static const struct sim_site shop[] = {
	{"byte[]",
		{"org.apache.lucene.util.ByteBlockPool.nextBuffer:204",
			"com.acme.orders.Parser.read:88", LOOP, MAIN},
		4096, 310, 100, 0, 0},
	{"java.lang.String",
		{"java.lang.StringLatin1.newString:769", "java.lang.String.substring:2834",
			"com.acme.orders.Parser.field:61", LOOP, MAIN},
		24, 180, 98, 1, 2},
	{"com.acme.orders.Order", {"com.acme.orders.Parser.order:40", LOOP, MAIN}, 64, 120, 20, 2,
		6},
	{"org.apache.lucene.index.Term[]",
		{"org.apache.lucene.index.FreqProxTermsWriter.flush:88",
			"com.acme.orders.Indexer.commit:17", LOOP, MAIN},
		2048, 60, 3, 16, 60},
	{"java.lang.Object[]",
		{"java.util.Arrays.copyOf:3541", "java.util.ArrayList.grow:237",
			"com.acme.orders.Basket.add:52", LOOP, MAIN},
		80, 90, 100, 0, 0},
	{"java.lang.Object[]",
		{"java.util.Arrays.copyOf:3541", "java.util.ArrayList.grow:237",
			"com.acme.orders.Session.remember:77", LOOP, MAIN},
		80, 70, 2, 20, 40},
	{"com.acme.orders.Cache$Entry",
		{"com.acme.orders.Cache.put:23", "com.acme.orders.Session.remember:79", LOOP, MAIN},
		48, 30, 0, SIM_FOREVER, 0},
	{"com.acme.orders.注文", {"com.acme.orders.注文.作る:7", LOOP, MAIN}, 32, 30, 100, 0, 0},
	{"com.acme.\x1b[2JEvil", {"com.acme.\x1b[31mEvil.\x07run:1", LOOP, MAIN}, 32, 20, 100, 0,
		0},
	{"int[]", {"com.acme.orders.Bitmap.<init>:12", LOOP, MAIN}, 256, 6, 90, 1, 3},
	{"java.util.HashMap$Node[]",
		{"java.util.HashMap.resize:699", "com.acme.orders.Config.load:5", MAIN}, 1024, 1, 0,
		SIM_FOREVER, 0},
};
static const struct sim_text facts[] = {{"gc", "G1"}, {"jdk.version", "25.0.3"},
	{"deaths", "collection"}, {"heap.max", "536870912"}, {"tenuring.max", "15"}, {NULL, NULL}};

int sight_of_shop(struct sight_of *s, uint64_t samples)
{
	const struct sim program = {.sites = shop,
		.count = samples ? ARRAY_SIZE(shop) : 0,
		.facts = facts,
		.seed = 19,
		.samples = samples,
		.interval = 524288,
		.gc_bytes = 90000000,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL,
		.full_every = 60,
		.bytes_per_s = 800000000,
		.threads = 2,
		.gc_ns = 3000000,
		.copy_ns = 0.2};
	*s = (struct sight_of){0};
	int err = advise_of_sim(&s->advise, &program);
	err = err ? err : advise_of_find(&s->advise, ADVISE_LEAST);
	err = err ? err : notes_find(&s->notes, &s->advise.base.model);
	s->sight = (struct sight){.name = "orders.mfly",
		.status = "",
		.model = &s->advise.base.model,
		.ledger = &s->advise.base.ledger,
		.notes = &s->notes,
		.advise = &s->advise.advise,
		.advise_notes = &s->advise_notes,
		.look = {.utf8 = true, .color = true}};
	return err;
}

void sight_of_release(struct sight_of *s)
{
	notes_release(&s->notes);
	notes_release(&s->advise_notes);
	advise_of_release(&s->advise);
}
